// SPDX-License-Identifier: LGPL-2.1-or-later
/* Folds values over a team: a 64-bit sum, the smallest key, or the f32 sum by the tree of
 * docs/algorithms/float-sums.md, whose shape depends on the number of values alone.
 *
 * Defines: OP  0 sum, 1 minimum of keys, 2 f32 tree
 *   FOLD_ROWS  elements per invocation that team_fold() takes, as rows of a table
 * Shared memory: algo/reduce/reduce.c computes it. */
#define SCAN_ROWS 1
#define SEGMENTED 0
#define PASS GstGlesReducePass
#include "reduce/reduce-layout.h"
#include "scan/scan.glsl"
#include "scan/scan_array.glsl"

#if OP == 1

#define FOLD_NONE 0xffffffffu
#define fold(a, b) min (a, b)

#elif OP == 2

#define FOLD_NONE GST_GLES_F32_MINUS_ZERO

/* One addition of the tree. Bits are normalised so that denormals and NaNs are equal on all
 * devices. */
uint
fold (uint a, uint b)
{
  uint sum = floatBitsToUint (uintBitsToFloat (a) + uintBitsToFloat (b));

  return GST_GLES_F32_CLEAN (sum);
}

#endif

#if OP != 0

#if TEAM == 0

uint
team_fold (uint rows[FOLD_ROWS])
{
  for (int n = FOLD_ROWS; n > 1; n /= 2) {
    for (int r = 0; r < n / 2; r++)
      rows[r] = fold (rows[2 * r], rows[2 * r + 1]);
  }
  return rows[0];
}

#else

#if TEAM == 1
#define FOLD_WORDS LOCAL_SIZE_X
#else
#define FOLD_WORDS (LOCAL_SIZE_X / 4)
#endif
shared uint fold_words[FOLD_ROWS][FOLD_WORDS];

/* Folds the elements as a binary tree: neighbours along each row first, then the rows. Only the
 * invocation of rank 0 receives the result. */
uint
team_fold (uint rows[FOLD_ROWS])
{
  uint rank = team_rank ();

#if TEAM == 1
  for (int r = 0; r < FOLD_ROWS; r++)
    fold_words[r][rank] = rows[r];
  for (uint step = 1u; step < TEAM_SIZE; step *= 2u) {
    TEAM_BARRIER ();
    if ((rank & (2u * step - 1u)) == 0u) {
      for (int r = 0; r < FOLD_ROWS; r++)
        fold_words[r][rank] = fold (fold_words[r][rank], fold_words[r][rank + step]);
    }
  }
#else
  for (int r = 0; r < FOLD_ROWS; r++) {
    for (uint step = 1u; step < SUBGROUP_SIZE; step *= 2u)
      rows[r] = fold (rows[r], subgroup_xor (rows[r], step));
    if (SUBGROUP_LANE == 0u)
      fold_words[r][SUBGROUP_ID] = rows[r];
  }
  TEAM_BARRIER ();
  if (rank == 0u) {
    for (uint step = 1u; step < N_SUBGROUPS; step *= 2u) {
      for (uint i = 0u; i < N_SUBGROUPS; i += 2u * step) {
        for (int r = 0; r < FOLD_ROWS; r++)
          fold_words[r][i] = fold (fold_words[r][i], fold_words[r][i + step]);
      }
    }
  }
#endif
  /* All ranks fold the rows, although only rank 0 needs the result: the optimiser of V3D (Mesa
   * 25.0) never ends when a condition on the rank stands here and in the caller. */
  for (int r = 0; r < FOLD_ROWS; r++)
    rows[r] = fold_words[r][0];
  for (int n = FOLD_ROWS; n > 1; n /= 2) {
    for (int r = 0; r < n / 2; r++)
      rows[r] = fold (rows[2 * r], rows[2 * r + 1]);
  }
  TEAM_BARRIER ();
  return rows[0];
}

#endif

/* Folds the nodes of one level in the order in which they arrive, from position 0 on. If bit k of
 * count is set, heights[k] holds a node that is k levels higher and waits for its right
 * neighbour. */
struct Climb {
  uint count;
  uint heights[32];
};

void
climb_push (inout Climb climb, uint node)
{
  uint k = 0u;

  for (uint bits = climb.count; (bits & 1u) != 0u; bits >>= 1) {
    node = fold (climb.heights[k], node);
    k++;
  }
  climb.heights[k] = node;
  climb.count++;
}

/* Returns the root. Missing neighbours do not change it. */
uint
climb_top (Climb climb)
{
  uint node = FOLD_NONE;

  for (uint k = 0u; k < 32u; k++) {
    if ((climb.count & (1u << k)) != 0u)
      node = fold (climb.heights[k], node);
  }
  return node;
}

#endif

/* Returns k such that teams take 2^k neighbouring tiles each: the smallest k for which the
 * partial results fit. All partial results are then nodes of one level of the tree. */
uint
tiles_per_team_log2 (uint n_tiles)
{
  uint k = 0u;

  while (((n_tiles + (1u << k) - 1u) >> k) > params.max_teams)
    k++;
  return k;
}
