// SPDX-License-Identifier: LGPL-2.1-or-later
/* Subgroups, real or emulated.
 *
 * SUBGROUPS  GL_KHR_shader_subgroup. How local indices map to subgroups is the device's business: only
 *            SUBGROUP_ID and SUBGROUP_LANE tell. Subgroups are taken to be full.
 * EMULATED_SUBGROUPS  their size; for tests on llvmpipe alone, whose invocations run in step, in SIMD
 *            vectors of neighbours (at least 4): what one writes to shared memory the next ones can read
 *            without a barrier. Nothing of that holds elsewhere.
 *
 * Calls are to be made by all invocations of a subgroup together. */

#ifdef EMULATED_SUBGROUPS

#define SUBGROUP_SIZE uint (EMULATED_SUBGROUPS)
#define SUBGROUP_ID (gl_LocalInvocationIndex / SUBGROUP_SIZE)
#define SUBGROUP_LANE (gl_LocalInvocationIndex % SUBGROUP_SIZE)
#define N_SUBGROUPS (uint (LOCAL_SIZE_X) / SUBGROUP_SIZE)

shared uint lane_words[LOCAL_SIZE_X];

/* The word of another lane of the subgroup. */
uint
subgroup_lane_word (uint word, uint lane)
{
  uint first = gl_LocalInvocationIndex - SUBGROUP_LANE;

  lane_words[gl_LocalInvocationIndex] = word;
  return lane_words[first + lane % SUBGROUP_SIZE];
}

/* Of the lane @n below; any word where there is none. */
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
  for (uint n = 1u; n < SUBGROUP_SIZE; n *= 2u) {
    uint below = subgroup_up (word, n);
    word += SUBGROUP_LANE >= n ? below : 0u;
  }
  return word;
}

uint
subgroup_add (uint word)
{
  return subgroup_lane_word (subgroup_inclusive_add (word), SUBGROUP_SIZE - 1u);
}

/* The first lane for which it holds; the size of the subgroup if there is none. */
uint
subgroup_first (bool holds)
{
  uint first = SUBGROUP_SIZE;

  for (uint lane = SUBGROUP_SIZE; lane > 0u; lane--)
    first = subgroup_lane_word (holds ? 1u : 0u, lane - 1u) != 0u ? lane - 1u : first;
  return first;
}

#elif defined (SUBGROUPS)

#define SUBGROUP_SIZE gl_SubgroupSize
#define SUBGROUP_ID gl_SubgroupID
#define SUBGROUP_LANE gl_SubgroupInvocationID
#define N_SUBGROUPS gl_NumSubgroups

#define subgroup_lane_word(word, lane) subgroupShuffle (word, lane)
#define subgroup_up(word, n) subgroupShuffleUp (word, n)
#define subgroup_xor(word, bits) subgroupShuffleXor (word, bits)
#define subgroup_inclusive_add(word) subgroupInclusiveAdd (word)
#define subgroup_add(word) subgroupAdd (word)

uint
subgroup_first (bool holds)
{
  uvec4 lanes = subgroupBallot (holds);

  return lanes == uvec4 (0u) ? gl_SubgroupSize : subgroupBallotFindLSB (lanes);
}

#endif
