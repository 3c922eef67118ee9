// SPDX-License-Identifier: LGPL-2.1-or-later
/* Moves the keys of each tile to where their digits belong: sorts the tile by the digit, so that
 * neighbours go to neighbouring places, then writes it.
 *
 * Defines:
 *   LOOK_BACK  1: how many keys of each digit stand before a tile is learnt while all tiles run
 *              (lib/digit_lookback.glsl); 0: from the table that sort_count and sort_spine left
 *   LOCAL_SIZE_X: a power of two with MATCH 0 and 3, at least 128
 *   KEYS, KEY_WORDS, PAYLOAD, SOURCE_RECORDS, TARGET_RECORDS, RADIX_BITS as in lib/digit.glsl
 *   MATCH, LANES, MATCH_GROUPS, TEAM as in lib/digit_rank.glsl
 * Bindings: uniform 0: the pass; storage 0: the state; storage 1 and following: source, target
 * Grid: x * y workgroups, at least one per tile. */
#pragma optionNV (unroll all)
#define READS 1
#define WRITES 1
#include "lib/layout.h"
#include "lib/digit.glsl"
#include "lib/digit_count.glsl"
#include "lib/digit_rank.glsl"
#if LOOK_BACK
#include "lib/digit_lookback.glsl"
#endif

/* where the keys of a digit go, less their place in the sorted tile */
shared uint digit_targets[RADIX];

void
load_tile (uint tile, uint n_here)
{
  for (int k = 0; k < KEYS; k++) {
    uint item = min (item_of (k), n_here - 1u);
    load_record (tile * TILE + item, keys[k], payloads[k]);
  }
  if (n_here < TILE) {
    Key last = last_key ();

    for (int k = 0; k < KEYS; k++)
      keys[k] = item_of (k) < n_here ? keys[k] : last;
  }
}

#if !LOOK_BACK
/* How many keys of each digit stand before the tile. */
void
load_priors (uint tile, uint n, out uint priors[DIGITS_EACH])
{
  uint tiles = n_tiles (n);

  for (int e = 0; e < DIGITS_EACH; e++) {
    priors[e] = 0u;
    if (own_digit (e) <= params.mask)
      priors[e] = state[params.tiles + own_digit (e) * tiles + tile];
  }
}

#else
/* The next pass finds its words clear. */
void
clear_next (uint tile)
{
  for (int e = 0; e < DIGITS_EACH; e++)
    if (own_digit (e) < uint (RADIX))
      state[params.next_tiles + tile * uint (RADIX) + own_digit (e)] = 0u;
}
#endif

/* Sorts the tile in shared memory and writes it, neighbours side by side. */
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
  uint totals[DIGITS_EACH], starts[DIGITS_EACH], bases[DIGITS_EACH], priors[DIGITS_EACH];

  if (tile >= n_tiles (n))
    return;
  uint n_here = min (TILE, n - tile * TILE);
  load_tile (tile, n_here);
  /* on their way while keys are ranked */
  load_totals (totals);
#if !LOOK_BACK
  load_priors (tile, n, priors);
#endif
  rank_tile (n_here);
#if LOOK_BACK
  for (int e = 0; e < DIGITS_EACH; e++)
    publish (tile, e, tile == 0u ? KIND_ALL : KIND_TILE, own_counts[e]);
#endif
  find_starts (totals, n_here, starts, bases);
  finish_places (starts, n_here);
#if LOOK_BACK
  look_back (tile, n, priors);
#endif
  for (int e = 0; e < DIGITS_EACH; e++)
    if (own_digit (e) < uint (RADIX))
      digit_targets[own_digit (e)] = bases[e] + priors[e] - starts[e];
  TEAM_BARRIER ();
  write_tile (n_here);
#if LOOK_BACK
  /* not earlier: barriers would wait for it */
  clear_next (tile);
#endif
}
