// SPDX-License-Identifier: LGPL-2.1-or-later
/* Decoupled look-back for digits: a tile learns how many keys of each digit stand before it from what
 * the tiles before it publish while they run (Adinets and Merrill 2022). With a way out: what a tile
 * does not publish in time, another one counts and publishes for it, so that nothing depends on
 * workgroups making progress (Smith, Levien and Owens 2024).
 *
 * Defines: NUMBERED  workgroups take the tiles of their own numbers, not tickets
 *
 * A word is a number (30 bits) and its kind (2). It is written by atomicMax() alone: numbers only grow
 * from the tile's own to the sum of all, so whatever is posted late or twice does no harm. */

#define KIND_TILE 1u /* the number of such digits in the tile */
#define KIND_ALL 2u  /* in all tiles up to it */

uint
look_word (uint tile, uint digit)
{
  return params.tiles + tile * uint (RADIX) + digit;
}

void
post (uint tile, uint digit, uint kind, uint number)
{
  atomicMax (state[look_word (tile, digit)], (number << 2) | kind);
}

/* A tile speaks for itself, unless a test forbids it. */
void
publish (uint tile, int e, uint kind, uint number)
{
  if (own_digit (e) < uint (RADIX) && (params.stuck == 0u || tile % params.stuck != 0u))
    post (tile, own_digit (e), kind, number);
}

shared uint silent_shared;

#if NUMBERED
/* See lib/lookback.glsl. */
uint
take_tile ()
{
  return group_index ();
}
#else
shared uint ticket_shared;

/* The next tile, in the order in which workgroups begin: those before it have begun. */
uint
take_tile ()
{
  if (gl_LocalInvocationIndex == 0u)
    ticket_shared = atomicAdd (state[uint (GST_GLES_SORT_TICKETS) + params.pass_index], 1u);
  TEAM_BARRIER ();
  return ticket_shared;
}
#endif

/* Tiles that are asked together. */
#define AHEAD 4

/* Adds up what the tiles before @end have published, from the last one on, until there is nothing
 * left or the next one has kept silent for too long. By loads, as there is no atomic one, and an
 * atomicOr() of 0 by all who wait costs what they wait for. A load that is late is a tile that is
 * silent, no more. */
void
look_back_digit (uint digit, inout uint end, inout uint prior)
{
  uint polls = 0u;

  while (end > 0u && polls <= params.max_polls) {
    uint words[AHEAD];
    bool silent = false;

    polls++;
    for (int i = 0; i < AHEAD; i++)
      words[i] = state[look_word (end - 1u - min (uint (i), end - 1u), digit)];
    for (int i = 0; i < AHEAD; i++) {
      uint kind = words[i] & 3u;

      silent = silent || kind == 0u;
      if (end > 0u && !silent) {
        prior += words[i] >> 2;
        end = kind == KIND_ALL ? 0u : end - 1u;
        polls = 0u;
      }
    }
  }
}

/* Finds how many keys of each digit stand before the tile, and publishes how many up to its end. By
 * all invocations of the workgroup together. */
void
look_back (uint tile, uint n, out uint priors[DIGITS_EACH])
{
  uint ends[DIGITS_EACH];

  for (int e = 0; e < DIGITS_EACH; e++) {
    priors[e] = 0u;
    ends[e] = own_digit (e) < uint (RADIX) ? tile : 0u;
  }
  while (true) {
    uint silent = 0u;

    for (int e = 0; e < DIGITS_EACH; e++) {
      bool waits = ends[e] > 0u;

      look_back_digit (own_digit (e), ends[e], priors[e]);
      /* those behind wait for it */
      if (waits && ends[e] == 0u)
        publish (tile, e, KIND_ALL, priors[e] + own_counts[e]);
      silent = max (silent, ends[e]);
    }
    if (gl_LocalInvocationIndex == 0u)
      silent_shared = 0u;
    TEAM_BARRIER ();
    if (silent > 0u)
      atomicMax (silent_shared, silent);
    TEAM_BARRIER ();
    silent = silent_shared;
    if (silent == 0u)
      break;

    /* the way out: do the silent tile's work */
    count_tile (silent - 1u, n);
    for (int e = 0; e < DIGITS_EACH; e++) {
      if (own_digit (e) < uint (RADIX)) {
        uint count = tile_counts[own_digit (e)];
        post (silent - 1u, own_digit (e), silent == 1u ? KIND_ALL : KIND_TILE, count);
        if (ends[e] == silent) {
          priors[e] += count;
          ends[e] = silent - 1u;
          if (silent == 1u)
            publish (tile, e, KIND_ALL, priors[e] + own_counts[e]);
        }
      }
    }
    TEAM_BARRIER ();
  }
}
