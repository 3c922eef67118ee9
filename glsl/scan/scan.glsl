// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prefix sums over a team, shared by all kernels. An invocation holds SCAN_ROWS elements. Element
 * order is that of a table with SCAN_ROWS rows and one column per invocation, row by row, so that
 * neighbouring invocations can read neighbouring memory.
 *
 * Elements are numbers or, with SEGMENTED, pairs (sum since the last head, whether there is a
 * head).
 *
 * Defines: SCAN_ROWS, SEGMENTED; the defines of lib/subgroup_team.glsl
 *   SCAN_ONCE  the kernel has another barrier between any two calls of team_scan(), and of
 *              team_sum_64(), so that these need none at their end
 * Shared memory: SCAN_SHARED_WORDS words, which algo/plan/array.c computes too. All invocations of
 * a workgroup must call these functions together. */
#include "lib/subgroup_team.glsl"

#if SEGMENTED
#define Element uvec2
#define ELEMENT_ZERO uvec2 (0u)

/* Returns the element for @a followed by @b. */
uvec2
combine (uvec2 a, uvec2 b)
{
  return uvec2 (b.y != 0u ? b.x : a.x + b.x, a.y | b.y);
}
#else
#define Element uint
#define ELEMENT_ZERO 0u
#define combine(a, b) ((a) + (b))
#endif

#if TEAM == 0

void
team_scan (inout Element rows[SCAN_ROWS], out Element total)
{
  total = ELEMENT_ZERO;
  for (int r = 0; r < SCAN_ROWS; r++) {
    Element row = rows[r];
    rows[r] = total;
    total = combine (total, row);
  }
}

uint
team_sum (uint value)
{
  return value;
}

#elif TEAM == 1

shared Element scan_words[2][SCAN_ROWS][LOCAL_SIZE_X];

/* A step of a scan of numbers adds up four elements and not two, because a barrier takes longer
 * than two reads of shared memory; segmented sums take longer than a barrier. Smaller workgroups
 * are those of devices with few registers: there, steps of four made kernels of sorts spill. */
#if SEGMENTED || LOCAL_SIZE_X < 256
#define STEP_ELEMENTS 2u
#else
#define STEP_ELEMENTS 4u
#endif

/* Replaces each element of @rows by its exclusive prefix. @total receives the sum of all. */
void
team_scan (inout Element rows[SCAN_ROWS], out Element total)
{
  uint rank = team_rank ();
  int from = 0;

  for (int r = 0; r < SCAN_ROWS; r++)
    scan_words[0][r][rank] = rows[r];
  TEAM_BARRIER ();
  for (uint step = 1u; step < TEAM_SIZE; step *= STEP_ELEMENTS) {
    for (int r = 0; r < SCAN_ROWS; r++) {
      for (uint i = 1u; i < STEP_ELEMENTS; i++) {
        if (rank >= i * step)
          rows[r] = combine (scan_words[from][r][rank - i * step], rows[r]);
      }
      scan_words[1 - from][r][rank] = rows[r];
    }
    from = 1 - from;
    TEAM_BARRIER ();
  }
  total = ELEMENT_ZERO;
  for (int r = 0; r < SCAN_ROWS; r++) {
    Element row = scan_words[from][r][TEAM_SIZE - 1u];
    rows[r] = total;
    if (rank > 0u)
      rows[r] = combine (total, scan_words[from][r][rank - 1u]);
    total = combine (total, row);
  }
  /* The next call may overwrite the words. */
  TEAM_BARRIER ();
}

shared uint sum_words[LOCAL_SIZE_X];

/* Returns the sum over the team, modulo 2^32. */
uint
team_sum (uint value)
{
  uint rank = team_rank ();

  sum_words[rank] = value;
  TEAM_BARRIER ();
  for (uint n = TEAM_SIZE; n > 1u; n = (n + 3u) / 4u) {
    uint next = (n + 3u) / 4u;
    for (uint i = rank + next; rank < next && i < n; i += next)
      sum_words[rank] += sum_words[i];
    TEAM_BARRIER ();
  }
  value = sum_words[0];
  TEAM_BARRIER ();
  return value;
}

#else

#define SPINE_WORDS (SCAN_ROWS * LOCAL_SIZE_X / SUBGROUP_LANES)

/* The sum of each subgroup's row, row by row. */
shared Element spine_sums[SPINE_WORDS];

/* Returns the inclusive sum over the subgroup. */
Element
subgroup_scan (Element element)
{
#if SEGMENTED
  for (uint step = 1u; step < SUBGROUP_SIZE; step *= 2u) {
    uvec2 before = uvec2 (
        subgroup_up (element.x, step), subgroup_up (element.y, step));
    if (SUBGROUP_LANE >= step)
      element = combine (before, element);
  }
  return element;
#else
  return subgroup_inclusive_add (element);
#endif
}

/* Returns the exclusive sum for an @inclusive one. */
Element
subgroup_exclusive (Element inclusive, Element element)
{
#if SEGMENTED
  uvec2 before = uvec2 (subgroup_up (inclusive.x, 1u), subgroup_up (inclusive.y, 1u));
  return SUBGROUP_LANE == 0u ? ELEMENT_ZERO : before;
#else
  return inclusive - element;
#endif
}

/* Returns the index of the sum of the subgroup's row @r in the spine. */
uint
spine_word (int r)
{
  return uint (r) * N_SUBGROUPS + SUBGROUP_ID;
}

#if SPINE_WORDS <= SUBGROUP_LANES

Element
element_of_lane (Element element, uint lane)
{
#if SEGMENTED
  return uvec2 (subgroup_lane_word (element.x, lane), subgroup_lane_word (element.y, lane));
#else
  return subgroup_lane_word (element, lane);
#endif
}

/* Adds the sums of all earlier subgroups. Must be called after a barrier. Each subgroup scans the
 * spine for itself, which saves another barrier. */
void
add_spine (inout Element rows[SCAN_ROWS], out Element total)
{
  Element sum = ELEMENT_ZERO;

  if (SUBGROUP_LANE < uint (SPINE_WORDS))
    sum = spine_sums[SUBGROUP_LANE];
  sum = subgroup_scan (sum);
  total = element_of_lane (sum, uint (SPINE_WORDS) - 1u);
  for (int r = 0; r < SCAN_ROWS; r++) {
    uint at = spine_word (r);
    Element before = element_of_lane (sum, max (at, 1u) - 1u);
    if (at > 0u)
      rows[r] = combine (before, rows[r]);
  }
#ifndef SCAN_ONCE
  TEAM_BARRIER ();
#endif
}

#else

shared Element spine_prefixes[SPINE_WORDS + 1];

/* Computes the prefix sums of the spine. Must be called by one subgroup. */
void
scan_spine ()
{
  uint each = (uint (SPINE_WORDS) + SUBGROUP_SIZE - 1u) / SUBGROUP_SIZE;
  uint first = min (SUBGROUP_LANE * each, uint (SPINE_WORDS));
  uint last = min (first + each, uint (SPINE_WORDS));
  Element sum = ELEMENT_ZERO;

  for (uint i = first; i < last; i++)
    sum = combine (sum, spine_sums[i]);
  Element inclusive = subgroup_scan (sum);
  Element prefix = subgroup_exclusive (inclusive, sum);
  for (uint i = first; i < last; i++) {
    spine_prefixes[i] = prefix;
    prefix = combine (prefix, spine_sums[i]);
  }
  if (SUBGROUP_LANE == SUBGROUP_SIZE - 1u)
    spine_prefixes[SPINE_WORDS] = inclusive;
}

void
add_spine (inout Element rows[SCAN_ROWS], out Element total)
{
  if (SUBGROUP_ID == 0u)
    scan_spine ();
  /* This barrier also protects the shared arrays: spine_sums is not written again before all
   * invocations have arrived, and spine_prefixes not before all have passed the caller's barrier
   * again. */
  TEAM_BARRIER ();
  for (int r = 0; r < SCAN_ROWS; r++)
    rows[r] = combine (spine_prefixes[spine_word (r)], rows[r]);
  total = spine_prefixes[SPINE_WORDS];
}

#endif

void
team_scan (inout Element rows[SCAN_ROWS], out Element total)
{
  for (int r = 0; r < SCAN_ROWS; r++) {
    Element inclusive = subgroup_scan (rows[r]);
    if (SUBGROUP_LANE == SUBGROUP_SIZE - 1u)
      spine_sums[spine_word (r)] = inclusive;
    rows[r] = subgroup_exclusive (inclusive, rows[r]);
  }
  TEAM_BARRIER ();
  add_spine (rows, total);
}

#if SCAN_ROWS == 2 && !SEGMENTED && SUBGROUP_LANES <= 32
#define SCANS_BYTES
/* team_scan() for elements of at most 4, packed four to a word: byte b of @bytes is the low half
 * of row b, or the high half of row b - 2. This takes one scan instead of two. The sums of a
 * subgroup stay below 256. */
void
team_scan_bytes (uint bytes, out uint rows[2], out uint total)
{
  uint inclusive = subgroup_inclusive_add (bytes);

  if (SUBGROUP_LANE == SUBGROUP_SIZE - 1u) {
    spine_sums[spine_word (0)] = inclusive & 0x00ff00ffu;
    spine_sums[spine_word (1)] = (inclusive >> 8) & 0x00ff00ffu;
  }
  bytes = inclusive - bytes;
  rows[0] = bytes & 0x00ff00ffu;
  rows[1] = (bytes >> 8) & 0x00ff00ffu;
  TEAM_BARRIER ();
  add_spine (rows, total);
}
#endif

shared uint sum_words[LOCAL_SIZE_X / SUBGROUP_LANES];

uint
team_sum (uint value)
{
  uint sum = subgroup_add (value);

  if (SUBGROUP_LANE == 0u)
    sum_words[SUBGROUP_ID] = sum;
  TEAM_BARRIER ();
  sum = 0u;
  for (uint i = 0u; i < N_SUBGROUPS; i++)
    sum += sum_words[i];
  TEAM_BARRIER ();
  return sum;
}

#endif

/* Combines three sums: of the low halves of low words, of their high halves, and of high words. */
uvec2
sum_of_parts (uvec3 sums)
{
  uint middle = sums.y + (sums.x >> 16);

  return uvec2 ((sums.x & 0xffffu) | (middle << 16), sums.z + (middle >> 16));
}

/* Returns the sum over the team of 64-bit numbers, low word first. The sum must be below 2^64 and
 * the team smaller than 2^16 invocations, so that the three partial sums cannot overflow. */
#if TEAM == 2

shared uvec3 part_words[LOCAL_SIZE_X / SUBGROUP_LANES];

uvec2
team_sum_64 (uvec2 value)
{
  uvec3 sums = uvec3 (subgroup_add (value.x & 0xffffu), subgroup_add (value.x >> 16),
      subgroup_add (value.y));

  if (SUBGROUP_LANE == 0u)
    part_words[SUBGROUP_ID] = sums;
  TEAM_BARRIER ();
  sums = uvec3 (0u);
  for (uint i = 0u; i < N_SUBGROUPS; i++)
    sums += part_words[i];
#ifndef SCAN_ONCE
  TEAM_BARRIER ();
#endif
  return sum_of_parts (sums);
}

#else

uvec2
team_sum_64 (uvec2 value)
{
  uint low = team_sum (value.x & 0xffffu);
  uint middle = team_sum (value.x >> 16);

  return sum_of_parts (uvec3 (low, middle, team_sum (value.y)));
}

#endif

/* Returns a + b in 64 bits. */
uvec2
add_64 (uvec2 a, uvec2 b)
{
  uint low = a.x + b.x;

  return uvec2 (low, a.y + b.y + (low < a.x ? 1u : 0u));
}
