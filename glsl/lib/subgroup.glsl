// SPDX-License-Identifier: LGPL-2.1-or-later
/* Subgroup operations, native or emulated. All invocations of a subgroup must call them together.
 *
 * SUBGROUPS           the subgroup size; requires GL_KHR_shader_subgroup. The device decides how
 *                     local indices map to subgroups: use only SUBGROUP_ID and SUBGROUP_LANE.
 *                     Subgroups must be full.
 * EMULATED_SUBGROUPS  the size of emulated subgroups, for tests on llvmpipe only. llvmpipe executes
 *                     at least 4 neighbouring invocations in lockstep, so that they see each
 *                     other's writes to shared memory without a barrier. No other device
 *                     guarantees this. */

/* Literals, for the preprocessor and for array sizes. */
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

/* Returns the word of another lane of the subgroup. */
uint
subgroup_lane_word (uint word, uint lane)
{
  uint first = gl_LocalInvocationIndex - SUBGROUP_LANE;

  lane_words[gl_LocalInvocationIndex] = word;
  return lane_words[first + lane % SUBGROUP_SIZE];
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

/* Returns the first lane for which it holds, or the subgroup size if there is none. */
uint
subgroup_first (bool holds)
{
  uint first = SUBGROUP_SIZE;

  for (uint lane = SUBGROUP_SIZE; lane > 0u; lane--)
    first = subgroup_lane_word (holds ? 1u : 0u, lane - 1u) != 0u ? lane - 1u : first;
  return first;
}

/* Returns the last lane for which it holds, or 0 if there is none. */
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
