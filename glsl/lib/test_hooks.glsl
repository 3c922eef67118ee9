// SPDX-License-Identifier: LGPL-2.1-or-later
/* What tests alone use. A build without tests has lib/no_test_hooks.glsl in place of this file.
 *
 * STALLED_TILE        look-back: tiles whose number is a multiple never publish
 * EMULATED_SUBGROUPS  the size of emulated subgroups, on llvmpipe only. llvmpipe executes at least
 *                     4 neighbouring invocations in lockstep, so that they see each other's writes
 *                     to shared memory without a barrier. No other device guarantees this. Larger
 *                     subgroups use barriers, so the whole workgroup must call their operations
 *                     together, which look-back does not. */

#ifdef STALLED_TILE
#define PUBLISHES(tile) ((tile) % uint (STALLED_TILE) != 0u)
#endif

#ifdef EMULATED_SUBGROUPS

#define SUBGROUP_LANES EMULATED_SUBGROUPS
#define SUBGROUP_ID (gl_LocalInvocationIndex / uint (SUBGROUP_LANES))
#define SUBGROUP_LANE (gl_LocalInvocationIndex % uint (SUBGROUP_LANES))

shared uint lane_words[LOCAL_SIZE_X];

#if EMULATED_SUBGROUPS > 4
#define LANES_BARRIER() workgroup_barrier ()
#else
#define LANES_BARRIER()
#endif

/* Returns the word of another lane of the subgroup. */
uint
subgroup_lane_word (uint word, uint lane)
{
  uint first = gl_LocalInvocationIndex - SUBGROUP_LANE;

  lane_words[gl_LocalInvocationIndex] = word;
  LANES_BARRIER ();
  word = lane_words[first + lane % uint (SUBGROUP_LANES)];
  LANES_BARRIER ();
  return word;
}

/* Returns the word of the lane @n below; undefined if there is none. */
uint
subgroup_up (uint word, uint n)
{
  return subgroup_lane_word (word, SUBGROUP_LANE - n);
}

uint
subgroup_xor (uint word, uint bits)
{
  return subgroup_lane_word (word, SUBGROUP_LANE ^ bits);
}

uint
subgroup_inclusive_add (uint word)
{
  for (uint n = 1u; n < uint (SUBGROUP_LANES); n *= 2u) {
    uint below = subgroup_up (word, n);
    word += SUBGROUP_LANE >= n ? below : 0u;
  }
  return word;
}

uint
subgroup_add (uint word)
{
  return subgroup_lane_word (subgroup_inclusive_add (word), uint (SUBGROUP_LANES) - 1u);
}

/* Returns the first lane for which it holds, or the subgroup size if there is none. */
uint
subgroup_first (bool holds)
{
  uint first = uint (SUBGROUP_LANES);

  for (uint lane = uint (SUBGROUP_LANES); lane > 0u; lane--)
    first = subgroup_lane_word (holds ? 1u : 0u, lane - 1u) != 0u ? lane - 1u : first;
  return first;
}

/* Returns the last lane for which it holds, or 0 if there is none. */
uint
subgroup_last (bool holds)
{
  uint last = 0u;

  for (uint lane = 0u; lane < uint (SUBGROUP_LANES); lane++)
    last = subgroup_lane_word (holds ? 1u : 0u, lane) != 0u ? lane : last;
  return last;
}

bool
subgroup_any (bool holds)
{
  return subgroup_add (holds ? 1u : 0u) != 0u;
}

#endif
