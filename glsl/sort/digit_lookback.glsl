// SPDX-License-Identifier: LGPL-2.1-or-later
/* Decoupled look-back for digit counts (Adinets and Merrill 2022) with a fallback (Smith, Levien
 * and Owens 2024): a tile finds how many keys of each digit precede it.
 * docs/algorithms/look-back.md explains both.
 *
 * Defines: NUMBERED  workgroups take the tiles of their own numbers, not tickets
 *
 * Each tile has one status word per digit: a count (30 bits) above a status (2 bits). All writes
 * are atomicMax(). Counts only grow, from the aggregate to the inclusive prefix, so a late or
 * repeated write does no harm. */

#define STATUS_AGGREGATE 1u /* number of keys with the digit in the tile */
#define STATUS_INCLUSIVE_PREFIX 2u /* the same in all tiles up to and including it */

uint
status_word (uint tile, uint digit)
{
  return params.tile_words + tile * uint (RADIX) + digit;
}

void
write_status (uint tile, uint digit, uint status, uint number)
{
  atomicMax (state[status_word (tile, digit)], (number << 2) | status);
}

/* lib/test_hooks.glsl can make tiles stall. */
#ifndef PUBLISHES
#define PUBLISHES(tile) true
#endif

/* Publishes for the workgroup's own tile. */
void
publish (uint tile, int e, uint status, uint number)
{
  if (own_digit (e) < uint (RADIX) && PUBLISHES (tile))
    write_status (tile, own_digit (e), status, number);
}

shared uint stalled_shared;

#if NUMBERED
/* See lib/lookback.glsl. */
uint
take_tile ()
{
  return group_index ();
}
#else
shared uint ticket_shared;

/* Returns the next tile in the order in which workgroups begin, so all earlier tiles have begun. */
uint
take_tile ()
{
  if (gl_LocalInvocationIndex == 0u)
    ticket_shared = atomicAdd (state[uint (GST_GLES_SORT_TICKETS) + params.pass_index], 1u);
  TEAM_BARRIER ();
  return ticket_shared;
}
#endif

/* Status words that are loaded at a time. */
#define LOOK_BACK_TILES 4

/* Adds the numbers that the tiles before @end have published for @digit, from the last tile on,
 * until the prefix is known or the next tile has stalled. Plain loads are used, for the reason
 * that lib/lookback.glsl gives at read_status(). */
void
look_back_digit (uint digit, inout uint end, inout uint prefix)
{
  uint n_spins = 0u;

  while (end > 0u && n_spins <= params.spin_limit) {
    uint words[LOOK_BACK_TILES];
    bool stalled = false;

    n_spins++;
    for (int i = 0; i < LOOK_BACK_TILES; i++)
      words[i] = state[status_word (end - 1u - min (uint (i), end - 1u), digit)];
    for (int i = 0; i < LOOK_BACK_TILES; i++) {
      uint status = words[i] & 3u;

      stalled = stalled || status == 0u;
      if (end > 0u && !stalled) {
        prefix += words[i] >> 2;
        end = status == STATUS_INCLUSIVE_PREFIX ? 0u : end - 1u;
        n_spins = 0u;
      }
    }
  }
}

/* Finds the exclusive prefixes of the tile's digits and publishes the inclusive ones. Must be
 * called by all invocations of the workgroup. */
void
look_back (uint tile, uint n, out uint prefixes[DIGITS_EACH])
{
  uint ends[DIGITS_EACH];

  for (int e = 0; e < DIGITS_EACH; e++) {
    prefixes[e] = 0u;
    ends[e] = own_digit (e) < uint (RADIX) ? tile : 0u;
  }
  while (true) {
    uint stalled = 0u;

    for (int e = 0; e < DIGITS_EACH; e++) {
      bool waits = ends[e] > 0u;

      look_back_digit (own_digit (e), ends[e], prefixes[e]);
      /* Publish first: later tiles wait for this. */
      if (waits && ends[e] == 0u)
        publish (tile, e, STATUS_INCLUSIVE_PREFIX, prefixes[e] + own_counts[e]);
      stalled = max (stalled, ends[e]);
    }
    if (gl_LocalInvocationIndex == 0u)
      stalled_shared = 0u;
    TEAM_BARRIER ();
    if (stalled > 0u)
      atomicMax (stalled_shared, stalled);
    TEAM_BARRIER ();
    stalled = stalled_shared;
    if (stalled == 0u)
      break;

    /* The fallback: count the stalled tile. */
    count_tile (stalled - 1u, n);
    for (int e = 0; e < DIGITS_EACH; e++) {
      if (own_digit (e) < uint (RADIX)) {
        uint count = tile_counts[own_digit (e)];
        write_status (stalled - 1u, own_digit (e),
            stalled == 1u ? STATUS_INCLUSIVE_PREFIX : STATUS_AGGREGATE, count);
        if (ends[e] == stalled) {
          prefixes[e] += count;
          ends[e] = stalled - 1u;
          if (stalled == 1u)
            publish (tile, e, STATUS_INCLUSIVE_PREFIX, prefixes[e] + own_counts[e]);
        }
      }
    }
    TEAM_BARRIER ();
  }
}
