// SPDX-License-Identifier: LGPL-2.1-or-later
/* Moves the keys of each tile to the output position of their digit. The tile is sorted by the
 * digit in shared memory first, so that neighbouring lanes write neighbouring words.
 * docs/algorithms/radix-sort.md explains the pipeline.
 *
 * Defines:
 *   LOOK_BACK  1: the number of keys of each digit before a tile comes from a look-back
 *              (sort/digit_lookback.glsl); 0: from the table that sort_count and sort_spine made
 *   LOCAL_SIZE_X: at least 128; a power of two with MATCH 0 and 2
 *   KEYS, KEY_WORDS, PAYLOAD, SOURCE_RECORDS, TARGET_RECORDS, RADIX_BITS as in sort/digit.glsl
 *   MATCH, LANES, MATCH_GROUPS, TEAM as in sort/digit_rank.glsl
 * Bindings: uniform 0: the pass; storage 0: the state; storage 1 and following: source, target
 * Grid: x * y workgroups, at least one per tile. */
#pragma optionNV (unroll all)
#define READS 1
#define WRITES 1
#include "sort/sort-layout.h"
#include "sort/digit.glsl"
#include "sort/digit_count.glsl"
#include "sort/digit_rank.glsl"
#if LOOK_BACK
#include "sort/digit_lookback.glsl"
#endif

/* Per digit: the output position of its first key, minus that key's position in the sorted tile. */
shared uint digit_targets[RADIX];

#if !LOOK_BACK
/* Loads how many keys of each digit precede the tile and, with MATCH 0, how many the tile has: the
 * next tile's number of preceding keys tells. */
void
load_prefixes (
    uint tile, uint n, uint totals[DIGITS_EACH], out uint prefixes[DIGITS_EACH])
{
  uint tiles = n_tiles (n);

  for (int e = 0; e < DIGITS_EACH; e++) {
    uint at = params.tile_words + own_digit (e) * tiles + tile;
    prefixes[e] = own_digit (e) <= params.mask ? state[at] : 0u;
#if MATCH == 0
    uint end = totals[e];
    if (own_digit (e) <= params.mask && tile + 1u < tiles)
      end = state[at + 1u];
    own_counts[e] = end - prefixes[e];
#endif
  }
}

#else
/* Clears the tile's status words for the next pass. */
void
clear_next_status (uint tile)
{
  for (int e = 0; e < DIGITS_EACH; e++)
    if (own_digit (e) < uint (RADIX))
      state[params.next_tile_words + tile * uint (RADIX) + own_digit (e)] = 0u;
}
#endif

/* Sorts the tile in shared memory and writes it; neighbouring invocations write neighbouring
 * keys. */
void
write_tile (uint n_here)
{
  uint targets[KEYS];

#if KEY_WORDS == 1
  for (int k = 0; k < KEYS; k++)
    stage[places[k]] = keys[k];
#else
  for (int k = 0; k < KEYS; k++)
    stage[places[k]] = keys[k].x;
  TEAM_BARRIER ();
  uint lows[KEYS];
  for (int k = 0; k < KEYS; k++)
    lows[k] = stage[uint (k) * TEAM_SIZE + team_rank ()];
  TEAM_BARRIER ();
  for (int k = 0; k < KEYS; k++)
    stage[places[k]] = keys[k].y;
#endif
  TEAM_BARRIER ();
  for (int k = 0; k < KEYS; k++) {
    uint place = uint (k) * TEAM_SIZE + team_rank ();
#if KEY_WORDS == 1
    keys[k] = stage[place];
#else
    keys[k] = uvec2 (lows[k], stage[place]);
#endif
    targets[k] = digit_targets[digit_of (keys[k])] + place;
  }
#if PAYLOAD
  TEAM_BARRIER ();
  for (int k = 0; k < KEYS; k++)
    stage[places[k]] = payloads[k];
  TEAM_BARRIER ();
  for (int k = 0; k < KEYS; k++)
    payloads[k] = stage[uint (k) * TEAM_SIZE + team_rank ()];
#endif
  for (int k = 0; k < KEYS; k++)
    if (uint (k) * TEAM_SIZE + team_rank () < n_here)
      store_record (targets[k], keys[k], payloads[k]);
}

void
main ()
{
  uint n = n_keys ();
#if LOOK_BACK
  uint tile = take_tile ();
#else
  uint tile = group_index ();
#endif
  uint totals[DIGITS_EACH], starts[DIGITS_EACH], bases[DIGITS_EACH], prefixes[DIGITS_EACH];

  if (tile >= n_tiles (n))
    return;
  uint n_here = min (TILE, n - tile * TILE);
  load_tile (tile, n_here);
  /* These loads are in flight while keys are ranked. */
  load_totals (totals);
#if !LOOK_BACK
  load_prefixes (tile, n, totals, prefixes);
#endif
  rank_tile (n_here);
#if LOOK_BACK
  for (int e = 0; e < DIGITS_EACH; e++)
    publish (tile, e, tile == 0u ? STATUS_INCLUSIVE_PREFIX : STATUS_AGGREGATE, own_counts[e]);
#endif
  find_starts (totals, n_here, starts, bases);
  finish_places (starts, n_here);
#if LOOK_BACK
  look_back (tile, n, prefixes);
#endif
  for (int e = 0; e < DIGITS_EACH; e++)
    if (own_digit (e) < uint (RADIX))
      digit_targets[own_digit (e)] = bases[e] + prefixes[e] - starts[e];
  TEAM_BARRIER ();
  write_tile (n_here);
#if LOOK_BACK
  /* This comes last, because the barriers above would wait for the stores. */
  clear_next_status (tile);
#endif
}
