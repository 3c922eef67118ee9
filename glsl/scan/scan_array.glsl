// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parameters of a pass over a window of an array, the state of the plan, and the distribution of
 * tiles to teams.
 *
 * Defines:
 *   PASS  the structure of the parameters, whose first member is `GstGlesArrayPass array`
 *   ROWS  16-byte rows per invocation and tile; the defines of lib/subgroup_team.glsl
 * Bindings: uniform 0: the pass; storage 0: the state */
#include "lib/array-layout.h"
#include "lib/subgroup_team.glsl"

layout (std140, binding = 0) uniform Params
{
  PASS params;
#ifdef FRAME
  GstGlesFramePass frame;
  GstGlesComponent components[3];
#endif
};

layout (std430, binding = 0) coherent volatile buffer State
{
  uint state[];
};

#ifdef LOOK_BACK_TILES
/* The same buffer, for reads of two words at a time. */
layout (std430, binding = 0) coherent volatile readonly buffer StatePairs
{
  uvec2 state_pairs[];
};
#endif

/* Values per tile: each invocation has ROWS rows of four consecutive values. */
#define TILE (4u * uint (ROWS) * TEAM_SIZE)

uint
window_word (uint word)
{
  return uint (GST_GLES_ARRAY_WINDOWS) +
      params.array.window * uint (GST_GLES_ARRAY_WINDOW_WORDS) + word;
}

/* The number of values in this window and in the whole array. */
uint
window_n ()
{
  return params.array.counted != 0u ? state[window_word (3u)] : params.array.n;
}

uint
array_n ()
{
  return params.array.counted != 0u ? state[GST_GLES_ARRAY_N] : params.array.total_n;
}

uint
n_tiles_of (uint n)
{
  return n / TILE + (n % TILE != 0u ? 1u : 0u);
}

/* Returns the sum of all earlier windows. */
uvec2
window_carry ()
{
  return params.array.window == 0u ? uvec2 (0u)
                             : uvec2 (state[window_word (4u)], state[window_word (5u)]);
}

/* Sets one word of the sum up to the end of this window, which the next window reads: 0 low, 1
 * high. */
void
window_set_carry_word (uint word, uint sum)
{
  state[window_word (4u + uint (GST_GLES_ARRAY_WINDOW_WORDS)) + word] = sum;
}

void
window_set_carry (uvec2 sum)
{
  window_set_carry_word (0u, sum.x);
  window_set_carry_word (1u, sum.y);
}

/* Returns the status bits that were set before the pass. */
uint
first_status ()
{
  return params.array.counted != 0u ? state[GST_GLES_ARRAY_CLAMPED] : 0u;
}

void
write_result (uvec2 total, uint count, uint status)
{
  state[GST_GLES_ARRAY_TOTAL] = total.x;
  state[GST_GLES_ARRAY_TOTAL + 1] = total.y;
  state[GST_GLES_ARRAY_COUNT] = count;
  state[GST_GLES_ARRAY_STATUS] = status;
}

/* Returns the first tile of a team and their number: a contiguous range, distributed evenly. */
uvec2
team_tiles (uint team, uint teams, uint n_tiles)
{
  uint each = n_tiles / teams;
  uint more = n_tiles % teams;

  return uvec2 (team * each + min (team, more), each + (team < more ? 1u : 0u));
}

/* ---- reduce-then-scan: partial results, two words per team ---- */

/* The second pass begins with a team's last tile, which the first pass read last, so that as much
 * as possible is still in the cache. Sums with heads cannot be taken back; llvmpipe is slower
 * then. */
#define BACKWARDS (TEAM != 0 && !SEGMENTED)

uint
partial_word (uint team)
{
  return uint (GST_GLES_ARRAY_HEAD) + 2u * team;
}

uvec2
read_partial (uint team)
{
  return uvec2 (state[partial_word (team)], state[partial_word (team) + 1u]);
}

void
write_partial (uint team, uvec2 value)
{
  state[partial_word (team)] = value.x;
  state[partial_word (team) + 1u] = value.y;
}
