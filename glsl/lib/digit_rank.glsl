// SPDX-License-Identifier: LGPL-2.1-or-later
/* A tile of keys in registers, and the place that each has when the tile is sorted, stably, by one
 * digit. Nothing here depends on the order in which invocations happen to run.
 *
 * Defines:
 *   MATCH  how the keys of a tile are told apart:
 *     0  every invocation holds KEYS neighbours and counts the values of four bits in 16 small
 *        counters of its own; a running sum over all counters says where they go. A round for each
 *        four bits of the digit, keys change hands between (Satish, Harris and Garland 2009).
 *        Needs nothing that OpenGL ES 3.1 lacks.
 *     1  the lanes of a subgroup find those that have the same digit by one ballot per bit; the
 *        subgroup counts digits in shared memory (Ashkiani and others 2016).
 *     2  likewise, by GL_NV_shader_subgroup_partitioned.
 *     3  as 1, with subgroups made of invocations that talk through shared memory: a test of 1 for
 *        devices that have none.
 *   LANES, MATCH_GROUPS  MATCH 1 to 3: lanes of a subgroup, and subgroups of the workgroup
 *   TEAM   1 with MATCH 0 and 3, 2 with 1 and 2 */

#define SCAN_ROWS 2
#define SEGMENTED 0
#include "lib/scan.glsl"

/* Digits are dealt out to invocations, DIGITS_EACH neighbours to each as far as they go. */
#define DIGITS_EACH ((RADIX + LOCAL_SIZE_X - 1) / LOCAL_SIZE_X)

Key keys[KEYS];
uint payloads[KEYS];
uint places[KEYS];
/* of this invocation's digits, of the tile */
uint own_counts[DIGITS_EACH];

uint
own_digit (int e)
{
  return team_rank () * uint (DIGITS_EACH) + uint (e);
}

#if MATCH == 0
#define COUNTER_ROWS 8 /* of two 16-bit counters each: value v is in row v % 8, the high half from 8 on */
#define RANK_WORDS (COUNTER_ROWS * LOCAL_SIZE_X + COUNTER_ROWS * LOCAL_SIZE_X / 32 + 1)
#else
#define RANK_WORDS (MATCH_GROUPS * RADIX)
#endif

/* A key with the largest digit in each pass, as keys past the end have it: being last, they stay last. */
Key
last_key ()
{
  uint word = ~PASS.flip;

  if (int (word) < 0)
    word ^= PASS.sign_flip;
  return Key (word);
}

/* Takes them out of the counts again. */
void
forget_past_end (uint n_here)
{
  for (int e = 0; e < DIGITS_EACH; e++)
    if (own_digit (e) == PASS.mask)
      own_counts[e] -= TILE - n_here;
}

/* the sorted tile; before it is there, what ranks are found with */
#if RANK_WORDS > KEYS * LOCAL_SIZE_X
shared uint stage[RANK_WORDS];
#else
shared uint stage[KEYS * LOCAL_SIZE_X];
#endif

#if MATCH == 0

/* ---- counters of each invocation ---- */

#define counters stage
/* a word left out after each 32, so that neighbours in a row and neighbours in a column alike are
 * in different banks of the memory */
#define COUNTER(i) ((i) + ((i) >> 5))

uint
item_of (int k)
{
  return team_rank () * uint (KEYS) + uint (k);
}

/* Each counter becomes the sum of those before it: of lower values, then of lower invocations. */
void
sum_counters ()
{
  uint first = team_rank () * uint (COUNTER_ROWS);
  uint rows[SCAN_ROWS];
  uint total;

  for (int r = 0; r < SCAN_ROWS; r++)
    rows[r] = 0u;
  for (uint i = first; i < first + uint (COUNTER_ROWS); i++)
    rows[0] += counters[COUNTER (i)];
  team_scan (rows, total);
  /* all the low halves stand before all the high ones */
  uint sum = rows[0] + (total << 16);
  for (uint i = first; i < first + uint (COUNTER_ROWS); i++) {
    uint count = counters[COUNTER (i)];
    counters[COUNTER (i)] = sum;
    sum += count;
  }
}

/* Places by four bits of the digit. */
void
rank_by_bits (uint bit)
{
  uint values[KEYS];

  for (uint r = 0u; r < uint (COUNTER_ROWS); r++)
    counters[COUNTER (r * TEAM_SIZE + team_rank ())] = 0u;
  for (int k = 0; k < KEYS; k++) {
    values[k] = (digit_of (keys[k]) >> bit) & 15u;
    uint at = COUNTER ((values[k] & 7u) * TEAM_SIZE + team_rank ());
    uint half_shift = (values[k] & 8u) << 1;
    uint count = counters[at];
    places[k] = (count >> half_shift) & 0xffffu;
    counters[at] = count + (1u << half_shift);
  }
  TEAM_BARRIER ();
  sum_counters ();
  TEAM_BARRIER ();
  for (int k = 0; k < KEYS; k++) {
    uint at = COUNTER ((values[k] & 7u) * TEAM_SIZE + team_rank ());
    places[k] += (counters[at] >> ((values[k] & 8u) << 1)) & 0xffffu;
  }
  /* the stage may be written */
  TEAM_BARRIER ();
}

#define HAND_ON(words)                                                                             \
  for (int k = 0; k < KEYS; k++)                                                                   \
    stage[places[k]] = words;                                                                      \
  TEAM_BARRIER ();                                                                                 \
  for (int k = 0; k < KEYS; k++)                                                                   \
    words = stage[item_of (k)];                                                                    \
  TEAM_BARRIER ()

void
rank_tile (uint n_here)
{
  for (uint i = gl_LocalInvocationIndex; i < uint (RADIX); i += uint (LOCAL_SIZE_X))
    tile_counts[i] = 0u;
  TEAM_BARRIER ();
  for (int k = 0; k < KEYS; k++)
    atomicAdd (tile_counts[digit_of (keys[k])], 1u);
#if RADIX_BITS == 8
  rank_by_bits (0u);
#if KEY_WORDS == 1
  HAND_ON (keys[k]);
#else
  HAND_ON (keys[k].x);
  HAND_ON (keys[k].y);
#endif
#if PAYLOAD
  HAND_ON (payloads[k]);
#endif
  rank_by_bits (4u);
#else
  rank_by_bits (0u);
#endif
  for (int e = 0; e < DIGITS_EACH; e++)
    own_counts[e] = own_digit (e) < uint (RADIX) ? tile_counts[own_digit (e)] : 0u;
  forget_past_end (n_here);
}

/* @starts: where this invocation's digits begin in the sorted tile. Barriers have to follow before
 * the stage is written. */
void
finish_places (uint starts[DIGITS_EACH], uint n_here)
{
}

#else

/* ---- lanes that agree ---- */

/* [subgroup][digit] */
#define lane_counts stage

#if MATCH == 3

/* not the order that a device would choose: nothing may depend on it */
uint
lane_index ()
{
  return gl_LocalInvocationIndex / uint (MATCH_GROUPS);
}

uint
subgroup_index ()
{
  return gl_LocalInvocationIndex % uint (MATCH_GROUPS);
}

shared uint ballots[MATCH_GROUPS];

uint
ballot (bool vote)
{
  if (lane_index () == 0u)
    ballots[subgroup_index ()] = 0u;
  TEAM_BARRIER ();
  if (vote)
    atomicOr (ballots[subgroup_index ()], 1u << lane_index ());
  TEAM_BARRIER ();
  uint votes = ballots[subgroup_index ()];
  TEAM_BARRIER ();
  return votes;
}

#else

uint
lane_index ()
{
  return gl_SubgroupInvocationID;
}

uint
subgroup_index ()
{
  return gl_SubgroupID;
}

#if LANES > 32
#define ballot(vote) subgroupBallot (vote)
#else
#define ballot(vote) subgroupBallot (vote).x
#endif

#endif

/* A bit for each lane of the subgroup. */
#if LANES > 32
#define Lanes uvec4
#define LANES_OF(ballot) (ballot)
#define LANES_ALL subgroupBallot (true)
#define LANES_NONE uvec4 (0u)
#define lanes_below(lanes) subgroupBallotExclusiveBitCount (lanes)
#define last_lane(lanes) subgroupBallotFindMSB (lanes)
#else
#define Lanes uint
#define LANES_OF(ballot) (ballot).x
#define LANES_ALL (0xffffffffu >> (32 - LANES))
#define LANES_NONE 0u
#define lanes_below(lanes) uint (bitCount ((lanes) & ((1u << lane_index ()) - 1u)))
#define last_lane(lanes) uint (findMSB (lanes))
#endif

/* The lanes that have this one's digit. (NVIDIA has two pipes for integers, of which multiplications and moves by
 * conditions go through one and logic through the other, which is the busy one here: so bits are told by constants, and a
 * word is moved for what could be a choice between two.) */
Lanes
match_lanes (uint digit)
{
#if MATCH == 2
  return LANES_OF (subgroupPartitionNV (digit));
#else
  Lanes peers = LANES_ALL;

  for (int bit = 0; bit < RADIX_BITS; bit++) {
    bool vote = (digit & (1u << bit)) != 0u;
    Lanes votes = ballot (vote), differ = ~LANES_NONE;

    if (vote)
      differ = LANES_NONE;
    peers &= votes ^ differ;
  }
  return peers;
#endif
}

/* Adds the lanes of each digit to the subgroup's counts: how many keys of it stood there before, and those of lanes
 * below. The last lane of a digit does it with an atomic operation, whose result the others get: that orders it
 * behind the one of the keys before, without a barrier (subgroupBarrier() is a memory barrier of the
 * whole device on NVIDIA, which took half the time of a sort). No two lanes do it for one digit, so the
 * numbers do not depend on who comes first. */
uint
count_lanes (uint at, Lanes peers)
{
  uint below = lanes_below (peers), last = last_lane (peers), before = 0u;

#if MATCH == 3
  if (lane_index () == last)
    before = atomicAdd (lane_counts[at], below + 1u);
  TEAM_BARRIER ();
  before = lane_index () == last ? before : lane_counts[at] - uint (bitCount (peers));
#else
  if (lane_index () == last)
    before = atomicAdd (lane_counts[at], below + 1u);
  before = subgroupShuffle (before, last);
#endif
  return before + below;
}

/* Each subgroup has a stretch of the tile, and its lanes side by side keys of it. */
uint
item_of (int k)
{
  return (subgroup_index () * uint (KEYS) + uint (k)) * uint (LANES) + lane_index ();
}

/* Places among the subgroup's keys of the same digit. */
void
rank_tile (uint n_here)
{
  uint row = subgroup_index () * uint (RADIX);

  for (uint i = gl_LocalInvocationIndex; i < uint (MATCH_GROUPS * RADIX); i += uint (LOCAL_SIZE_X))
    lane_counts[i] = 0u;
  TEAM_BARRIER ();
  for (int k = 0; k < KEYS; k++) {
    uint digit = digit_of (keys[k]);

    places[k] = count_lanes (row + digit, match_lanes (digit));
  }
  TEAM_BARRIER ();
  for (int e = 0; e < DIGITS_EACH; e++) {
    own_counts[e] = 0u;
    if (own_digit (e) < uint (RADIX)) {
      for (uint s = 0u; s < uint (MATCH_GROUPS); s++)
        own_counts[e] += lane_counts[s * uint (RADIX) + own_digit (e)];
    }
  }
  forget_past_end (n_here);
}

/* @starts: where this invocation's digits begin in the sorted tile. A barrier has to follow before
 * the stage is written. */
void
finish_places (uint starts[DIGITS_EACH], uint n_here)
{
  uint row = subgroup_index () * uint (RADIX);

  for (int e = 0; e < DIGITS_EACH; e++) {
    if (own_digit (e) < uint (RADIX)) {
      uint start = starts[e];
      for (uint s = 0u; s < uint (MATCH_GROUPS); s++) {
        uint at = s * uint (RADIX) + own_digit (e);
        uint count = lane_counts[at];
        lane_counts[at] = start;
        start += count;
      }
    }
  }
  TEAM_BARRIER ();
  for (int k = 0; k < KEYS; k++)
    places[k] += lane_counts[row + digit_of (keys[k])];
}

#endif

/* How many keys of each digit there are in all. */
void
load_totals (out uint totals[DIGITS_EACH])
{
  for (int e = 0; e < DIGITS_EACH; e++)
    totals[e] = own_digit (e) <= params.mask ? state[params.totals + own_digit (e)] : 0u;
}

/* Where each digit begins in the sorted tile, and, by @totals, in the output. */
void
find_starts (
    uint totals[DIGITS_EACH], uint n_here, out uint starts[DIGITS_EACH], out uint bases[DIGITS_EACH])
{
  uint rows[SCAN_ROWS];
  uint all;

  rows[0] = 0u;
  rows[1] = 0u;
  for (int e = 0; e < DIGITS_EACH; e++) {
    rows[0] += own_counts[e];
    rows[1] += totals[e];
  }
  team_scan (rows, all);
  /* the second row stands behind the first */
  rows[1] -= n_here;
  for (int e = 0; e < DIGITS_EACH; e++) {
    starts[e] = rows[0];
    bases[e] = rows[1];
    rows[0] += own_counts[e];
    rows[1] += totals[e];
  }
}
