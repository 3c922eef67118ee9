// SPDX-License-Identifier: LGPL-2.1-or-later
/* Subgroup operations. All invocations of a subgroup must call them together.
 *
 * SUBGROUPS  the subgroup size; requires GL_KHR_shader_subgroup. The device decides how local
 *            indices map to subgroups: use only SUBGROUP_ID and SUBGROUP_LANE. Subgroups must be
 *            full. */
#include "lib/test_hooks.glsl"

/* Literals, for the preprocessor and for array sizes. */
#ifdef SUBGROUPS
#define SUBGROUP_LANES SUBGROUPS
#endif
#define SUBGROUP_SIZE uint (SUBGROUP_LANES)
#define N_SUBGROUPS uint (LOCAL_SIZE_X / SUBGROUP_LANES)

#ifdef SUBGROUPS

#define SUBGROUP_ID gl_SubgroupID
#define SUBGROUP_LANE gl_SubgroupInvocationID

#define subgroup_lane_word(word, lane) subgroupShuffle (word, lane)
#define subgroup_up(word, n) subgroupShuffleUp (word, n)
#define subgroup_xor(word, bits) subgroupShuffleXor (word, bits)

/* subgroupInclusiveAdd() and subgroupAdd() are not used: NVIDIA's compiler adds code and
 * registers for inactive lanes, which made a scan of four rows 8 % slower (measured on an H100). */
uint
subgroup_inclusive_add (uint word)
{
  for (uint n = 1u; n < SUBGROUP_SIZE; n *= 2u) {
    uint below = subgroupShuffleUp (word, n);
    word += SUBGROUP_LANE >= n ? below : 0u;
  }
  return word;
}

uint
subgroup_add (uint word)
{
  for (uint n = 1u; n < SUBGROUP_SIZE; n *= 2u)
    word += subgroupShuffleXor (word, n);
  return word;
}

bool
subgroup_any (bool holds)
{
  return subgroupAny (holds);
}

uint
subgroup_first (bool holds)
{
  uvec4 lanes = subgroupBallot (holds);

  return lanes == uvec4 (0u) ? SUBGROUP_SIZE : subgroupBallotFindLSB (lanes);
}

/* Returns the last lane for which it holds, or 0 if there is none. */
uint
subgroup_last (bool holds)
{
  uvec4 lanes = subgroupBallot (holds);

  return lanes == uvec4 (0u) ? 0u : subgroupBallotFindMSB (lanes);
}

#endif
