// SPDX-License-Identifier: LGPL-2.1-or-later
/* Subgroups, real or emulated.
 *
 * SUBGROUPS  their size, with GL_KHR_shader_subgroup. How local indices map to subgroups is the device's
 *            business: only SUBGROUP_ID and SUBGROUP_LANE tell. Subgroups are taken to be full.
 * EMULATED_SUBGROUPS  their size; for tests on llvmpipe alone, whose invocations run in step, in SIMD
 *            vectors of neighbours (at least 4): what one writes to shared memory the next ones can read
 *            without a barrier. Nothing of that holds elsewhere.
 *
 * Calls are to be made by all invocations of a subgroup together. */

/* numbers, for the preprocessor and for array sizes */
#ifdef EMULATED_SUBGROUPS
#define SUBGROUP_LANES EMULATED_SUBGROUPS
#elif defined (SUBGROUPS)
#define SUBGROUP_LANES SUBGROUPS
#endif
#define SUBGROUP_SIZE uint (SUBGROUP_LANES)
#define N_SUBGROUPS uint (LOCAL_SIZE_X / SUBGROUP_LANES)

#ifdef EMULATED_SUBGROUPS

#define SUBGROUP_ID (gl_LocalInvocationIndex / SUBGROUP_SIZE)
#define SUBGROUP_LANE (gl_LocalInvocationIndex % SUBGROUP_SIZE)

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

/* The last one; 0 if there is none. */
uint
subgroup_last (bool holds)
{
  uint last = 0u;

  for (uint lane = 0u; lane < SUBGROUP_SIZE; lane++)
    last = subgroup_lane_word (holds ? 1u : 0u, lane) != 0u ? lane : last;
  return last;
}

bool
subgroup_any (bool holds)
{
  return subgroup_add (holds ? 1u : 0u) != 0u;
}

#elif defined (SUBGROUPS)

#define SUBGROUP_ID gl_SubgroupID
#define SUBGROUP_LANE gl_SubgroupInvocationID

#define subgroup_lane_word(word, lane) subgroupShuffle (word, lane)
#define subgroup_up(word, n) subgroupShuffleUp (word, n)
#define subgroup_xor(word, bits) subgroupShuffleXor (word, bits)

/* Not subgroupInclusiveAdd() and subgroupAdd(): NVIDIA makes code for lanes that are absent as well, and
 * registers for it: a scan of four rows takes 8 % longer. */
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

/* The last one; 0 if there is none. */
uint
subgroup_last (bool holds)
{
  uvec4 lanes = subgroupBallot (holds);

  return lanes == uvec4 (0u) ? 0u : subgroupBallotFindMSB (lanes);
}

#endif
