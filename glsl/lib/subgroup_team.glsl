// SPDX-License-Identifier: LGPL-2.1-or-later
/* Teams: the invocations that process a tile together. Team operations are written once, in
 * scan/scan.glsl, for three kinds of team:
 *
 * TEAM 0  one invocation: no shared memory and no barrier. Grids are along x. For llvmpipe, where
 *         a barrier costs as much as hundreds of additions.
 * TEAM 1  a workgroup that communicates through shared memory. Every device can run it.
 * TEAM 2  a workgroup made of subgroups (lib/subgroup.glsl).
 *
 * Defines: TEAM, LOCAL_SIZE_X: a power of two, LOCAL_SIZE_Y and _Z 1 */
#include "lib/barrier.glsl"
#include "lib/subgroup.glsl"

/* The compiler keeps an array in registers only if the loops that index it are unrolled. */
#pragma optionNV(unroll all)

#if TEAM == 0
#define TEAM_SIZE 1u
#define TEAM_BARRIER()
#else
#define TEAM_SIZE uint (LOCAL_SIZE_X)
#define TEAM_BARRIER() workgroup_barrier ()
#endif

/* Returns the rank of the invocation in its team. */
uint
team_rank ()
{
#if TEAM == 0
  return 0u;
#elif TEAM == 1
  return gl_LocalInvocationIndex;
#else
  return SUBGROUP_ID * SUBGROUP_SIZE + SUBGROUP_LANE;
#endif
}

/* Returns the number of the team in the dispatch. */
uint
team_index ()
{
#if TEAM == 0
  return gl_GlobalInvocationID.x;
#else
  return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
#endif
}

uint
n_teams ()
{
#if TEAM == 0
  return gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);
#else
  return gl_NumWorkGroups.x * gl_NumWorkGroups.y;
#endif
}
