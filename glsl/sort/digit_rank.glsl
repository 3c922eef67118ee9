// SPDX-License-Identifier: LGPL-2.1-or-later
/* Ranks the keys of a tile, which are held in registers: finds each key's position in the tile
 * sorted, stably, by one digit. No result depends on the order in which invocations run.
 * docs/algorithms/radix-sort.md explains the methods.
 *
 * Defines:
 *   MATCH  how keys with equal digits are found:
 *     0  by counters: every invocation holds KEYS neighbouring keys and counts the values of four
 *        bits in 16 small counters. The prefix sums of all counters are the positions. There is a
 *        round for each four bits of the digit, and keys are exchanged between rounds (Satish,
 *        Harris and Garland 2009). Any OpenGL ES 3.1 device can run it.
 *     1  by ballots: the lanes of a subgroup find those with the same digit by one ballot per bit,
 *        and the subgroup counts digits in shared memory (Ashkiani and others 2016).
 *     2  tests only: sort/digit_emulated.glsl
 *   LANES, MATCH_GROUPS  MATCH 1 and 2: lanes of a subgroup, and subgroups of the workgroup
 *   TEAM   1 with MATCH 0 and 2, 2 with 1 */

#define SCAN_ROWS 2
#define SEGMENTED 0
#include "scan/scan.glsl"

/* Each invocation owns DIGITS_EACH neighbouring digits, as far as there are any. */
#define DIGITS_EACH ((RADIX + LOCAL_SIZE_X - 1) / LOCAL_SIZE_X)

Key keys[KEYS];
uint payloads[KEYS];
uint places[KEYS];
/* The counts of this invocation's own digits in the tile. */
uint own_counts[DIGITS_EACH];

uint
own_digit (int e)
{
  return team_rank () * uint (DIGITS_EACH) + uint (e);
}

#if MATCH == 0
/* Each row has two 16-bit counters per invocation: value v is in row v % 8, from 8 on in the high
 * half. */
#define COUNTER_ROWS 8
#define RANK_WORDS (COUNTER_ROWS * LOCAL_SIZE_X + COUNTER_ROWS * LOCAL_SIZE_X / 32 + 1)
#else
#define RANK_WORDS (MATCH_GROUPS * RADIX)
#endif

/* Returns a key whose digit is the largest in every pass. Such keys pad the last tile; they come
 * last and are not written. */
Key
padding_key ()
{
  uint word = ~params.flip;

  if (int (word) < 0)
    word ^= params.sign_flip;
  return Key (word);
}

/* Returns the tile index of key @k. */
uint item_of (int k);

/* Mesa warns of variables that are read in the source before a function that writes them, so the
 * function that loads keys comes first. */
void
load_tile (uint tile, uint n_here)
{
  for (int k = 0; k < KEYS; k++) {
    uint item = min (item_of (k), n_here - 1u);
    load_record (tile * TILE + item, keys[k], payloads[k]);
  }
  if (n_here < TILE) {
    Key last = padding_key ();

    for (int k = 0; k < KEYS; k++)
      keys[k] = item_of (k) < n_here ? keys[k] : last;
  }
}

/* Subtracts the padding keys from the counts. */
void
discount_padding (uint n_here)
{
  for (int e = 0; e < DIGITS_EACH; e++)
    if (own_digit (e) == params.mask)
      own_counts[e] -= TILE - n_here;
}

/* The sorted tile. Before that, the counters that ranks are computed from. */
#if RANK_WORDS > KEYS * LOCAL_SIZE_X
shared uint stage[RANK_WORDS];
#else
shared uint stage[KEYS * LOCAL_SIZE_X];
#endif

#if MATCH == 0

/* ---- MATCH 0: counters of each invocation ---- */

#define counters stage
/* One word is skipped after each 32, so that neighbours in a row and neighbours in a column lie in
 * different banks. */
#define COUNTER(i) ((i) + ((i) >> 5))

uint
item_of (int k)
{
  return team_rank () * uint (KEYS) + uint (k);
}

/* Replaces each counter by the sum of the counters before it: of lower values first, then of lower
 * invocations. */
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
  /* The counters in low halves precede all counters in high halves. */
  uint sum = rows[0] + (total << 16);
  for (uint i = first; i < first + uint (COUNTER_ROWS); i++) {
    uint count = counters[COUNTER (i)];
    counters[COUNTER (i)] = sum;
    sum += count;
  }
}

/* Finds the positions by four bits of the digit, from @bit on. */
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
  /* The stage may be overwritten after this. */
  TEAM_BARRIER ();
}

#define EXCHANGE(words)                                                                            \
  for (int k = 0; k < KEYS; k++)                                                                   \
    stage[places[k]] = words;                                                                      \
  TEAM_BARRIER ();                                                                                 \
  for (int k = 0; k < KEYS; k++)                                                                   \
    words = stage[item_of (k)];                                                                    \
  TEAM_BARRIER ()

void
rank_tile (uint n_here)
{
#if LOOK_BACK
  clear_tile_counts ();
  for (int k = 0; k < KEYS; k++)
    atomicAdd (tile_counts[digit_of (keys[k])], 1u);
#endif
#if RADIX_BITS == 8
  rank_by_bits (0u);
#if KEY_WORDS == 1
  EXCHANGE (keys[k]);
#else
  EXCHANGE (keys[k].x);
  EXCHANGE (keys[k].y);
#endif
#if PAYLOAD
  EXCHANGE (payloads[k]);
#endif
  rank_by_bits (4u);
#else
  rank_by_bits (0u);
#endif
#if LOOK_BACK
  for (int e = 0; e < DIGITS_EACH; e++)
    own_counts[e] = own_digit (e) < uint (RADIX) ? tile_counts[own_digit (e)] : 0u;
  discount_padding (n_here);
#endif
}

/* Finishes the positions. @starts: the position of the first key of each own digit in the sorted
 * tile. The caller must execute a barrier before it writes the stage. */
void
finish_places (uint starts[DIGITS_EACH], uint n_here)
{
}

#else

/* ---- MATCH 1: lanes with equal digits ---- */

/* [subgroup][digit] */
#define lane_counts stage

#include "sort/digit_emulated.glsl"
#if MATCH == 1

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

/* The result @before of the atomic operation on lane_counts[@at] in lane @last. */
#define from_last_lane(before, last, at, peers) subgroupShuffle (before, last)

#endif

/* A set of lanes of the subgroup, one bit each. */
#if LANES > 32
#define Lanes uvec4
#define LANES_NONE uvec4 (0u)
#if MATCH == 1
#define LANES_ALL subgroupBallot (true)
#define lanes_below(lanes) subgroupBallotExclusiveBitCount (lanes)
#define last_lane(lanes) subgroupBallotFindMSB (lanes)
#endif
#else
#define Lanes uint
#define LANES_ALL (0xffffffffu >> (32 - LANES))
#define LANES_NONE 0u
#define lanes_below(lanes) uint (bitCount ((lanes) & ((1u << lane_index ()) - 1u)))
#define last_lane(lanes) uint (findMSB (lanes))
#endif

/* Returns the lanes with this lane's digit. NVIDIA executes multiplications and conditional moves
 * in one integer pipe and logic in another, and the latter limits this kernel. Bits are therefore
 * tested against constants, and a conditional move takes the place of a logical selection. */
Lanes
match_lanes (uint digit)
{
  Lanes peers = LANES_ALL;

  for (int bit = 0; bit < RADIX_BITS; bit++) {
    bool vote = (digit & (1u << bit)) != 0u;
    Lanes votes = ballot (vote), differ = ~LANES_NONE;

    if (vote)
      differ = LANES_NONE;
    peers &= votes ^ differ;
  }
  return peers;
}

/* Adds the lanes of each digit to the subgroup's counts, and returns the key's rank among the
 * subgroup's keys with this digit. The last lane of each digit does the addition; the others
 * receive its result. The atomic operation orders it after those of earlier keys without a
 * barrier: subgroupBarrier() is a device-wide memory barrier on NVIDIA and took half the time of a
 * sort. Only one lane adds to a count, so the ranks are deterministic. */
uint
count_lanes (uint at, Lanes peers)
{
  uint below = lanes_below (peers), last = last_lane (peers), before = 0u;

  if (lane_index () == last)
    before = atomicAdd (lane_counts[at], below + 1u);
  return from_last_lane (before, last, at, peers) + below;
}

/* Returns the tile index of key @k: each subgroup has a contiguous range of the tile, in which its
 * lanes hold neighbouring keys. */
uint
item_of (int k)
{
  return (subgroup_index () * uint (KEYS) + uint (k)) * uint (LANES) + lane_index ();
}

/* Finds each key's rank among the subgroup's keys with the same digit. */
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
  discount_padding (n_here);
}

/* Finishes the positions. @starts: the position of the first key of each own digit in the sorted
 * tile. The caller must execute a barrier before it writes the stage. */
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

/* Loads the number of keys of each own digit over the whole input. */
void
load_totals (out uint totals[DIGITS_EACH])
{
  for (int e = 0; e < DIGITS_EACH; e++)
    totals[e] = own_digit (e) <= params.mask ? state[params.totals + own_digit (e)] : 0u;
}

/* Finds the position of the first key of each own digit: in the sorted tile (@starts) and, from
 * @totals, in the output (@bases). */
void
find_starts (
    uint totals[DIGITS_EACH], uint n_here, out uint starts[DIGITS_EACH],
    out uint bases[DIGITS_EACH])
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
  /* The second row of the scan starts after the n_here keys of the first. */
  rows[1] -= n_here;
  for (int e = 0; e < DIGITS_EACH; e++) {
    starts[e] = rows[0];
    bases[e] = rows[1];
    rows[0] += own_counts[e];
    rows[1] += totals[e];
  }
}
