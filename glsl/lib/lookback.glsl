// SPDX-License-Identifier: LGPL-2.1-or-later
/* Decoupled look-back (Merrill and Garland 2016) with a fallback (Smith, Levien and Owens 2024): a
 * tile finds its exclusive prefix from the status words that the tiles before it publish, and
 * computes the aggregate of a tile that stalls. docs/algorithms/look-back.md explains both, and
 * the status words. The fallback requires that inputs stay unchanged during the dispatch, so the
 * output must not be the input.
 *
 * The kernel must provide `uint tile_aggregate (uint tile, uint n, out bool complete)`, which all
 * invocations call together; `complete` says that the exclusive prefix of the tile does not
 * matter.
 *
 * Defines: TEAM 1 or 2 and the defines of lib/subgroup_team.glsl
 *   LOOK_BACK_TILES  tiles that TEAM 1 reads at a time, at most LOCAL_SIZE_X
 *   NUMBERED         workgroups take the tiles of their own numbers
 * State: two words per tile, from params.look_back.status_words on. */

#define STATUS_NONE 0u
#define STATUS_AGGREGATE 1u /* of the tile alone */
#define STATUS_INCLUSIVE_PREFIX 2u /* of all tiles up to and including it */

uint
status_word (uint tile)
{
  return params.look_back.status_words + 2u * tile;
}

/* Writes a status: epoch (14 bits), status (2) and half of the sum (16) in each of two words. Must
 * be called by one invocation. */
void
write_status (uint tile, uint status, uint sum)
{
  uint tag = (params.look_back.epoch << 18) | (status << 16);

  atomicMax (state[status_word (tile)], tag | (sum & 0xffffu));
  atomicMax (state[status_word (tile) + 1u], tag | (sum >> 16));
}

/* lib/test_hooks.glsl can make tiles stall. */
#ifndef PUBLISHES
#define PUBLISHES(tile) true
#endif

/* Publishes for the workgroup's own tile. */
void
publish (uint tile, uint status, uint sum)
{
  if (PUBLISHES (tile))
    write_status (tile, status, sum);
}

/* Returns the status and the number that a tile has published. Plain loads are used: OpenGL ES
 * has no atomic load, and an atomicOr() of 0 by every waiting lane would slow down the tile that
 * they wait for. A load that returns an old value only makes the tile look unpublished a little
 * longer. */
uvec2
read_status (uint tile)
{
#if TEAM == 2
  uvec2 pair = state_pairs[status_word (tile) / 2u];
  uint low = pair.x;
  uint high = pair.y;
#else
  uint low = state[status_word (tile)];
  uint high = state[status_word (tile) + 1u];
#endif
  uint status = (low >> 16) & 3u;

  if ((low >> 16) != (high >> 16) || (low >> 18) != params.look_back.epoch)
    status = STATUS_NONE;
  return uvec2 (status, (low & 0xffffu) | (high << 16));
}

/* The state of a look-back: prefix is the sum from tile_end on; tiles 0 to tile_end - 1 are
 * missing. */
struct LookBack {
  uint tile_end;
  uint prefix;
};

#if TEAM == 2

/* Returns the sum of @word from the last lane on that has @has_prefix set. That lane holds an
 * inclusive prefix, which covers all lanes before it. */
uint
sum_from_last_prefix (bool has_prefix, uint word)
{
  uint first = subgroup_last (has_prefix);

  return subgroup_add (SUBGROUP_LANE >= first ? word : 0u);
}

/* Per subgroup: x: the sum over the tiles that it read; y: bit 0: the sum is an inclusive prefix,
 * bit 1: one of the tiles has stalled. */
shared uvec2 subgroup_words[LOCAL_SIZE_X / SUBGROUP_LANES];

/* Finds the exclusive prefix of one of the first TEAM_SIZE tiles. Every invocation reads another
 * one of the tiles before it, so a single round of waiting suffices. Returns false if a tile has
 * stalled. */
bool
look_back_in_one_round (uint tile, out uint prefix)
{
  uvec2 word = uvec2 (STATUS_AGGREGATE, 0u);
  uint rank = team_rank ();

  if (rank < tile) {
    uint n_spins = 0u;

    do
      word = read_status (rank);
    while (word.x == STATUS_NONE && ++n_spins <= params.look_back.spin_limit);
  }
  bool has_prefix = subgroup_any (word.x == STATUS_INCLUSIVE_PREFIX);
  bool stalled = subgroup_any (word.x == STATUS_NONE);
  uint sum = sum_from_last_prefix (word.x == STATUS_INCLUSIVE_PREFIX, word.y);

  if (SUBGROUP_LANE == 0u)
    subgroup_words[SUBGROUP_ID] = uvec2 (sum, (has_prefix ? 1u : 0u) | (stalled ? 2u : 0u));
  TEAM_BARRIER ();
  word = uvec2 (0u);
  if (SUBGROUP_LANE < N_SUBGROUPS)
    word = subgroup_words[SUBGROUP_LANE];
  prefix = sum_from_last_prefix ((word.y & 1u) != 0u, word.x);
  return !subgroup_any ((word.y & 2u) != 0u);
}

shared LookBack look_back_shared;

/* Adds the numbers that earlier tiles have published, from the last tile on, until the prefix is
 * known or the next tile has stalled. Must be called by all lanes of one subgroup. */
void
look_back (inout LookBack look)
{
  uint lane = SUBGROUP_LANE;
  uint n_spins = 0u;
  uint sum = 0u;

  while (look.tile_end > 0u && n_spins <= params.look_back.spin_limit) {
    uvec2 word = uvec2 (STATUS_NONE, 0u);

    if (lane < look.tile_end)
      word = read_status (look.tile_end - 1u - lane);
    /* Use the lanes up to the first inclusive prefix, but none after an unpublished tile. */
    uint first_prefix = subgroup_first (word.x == STATUS_INCLUSIVE_PREFIX);
    uint first_missing = subgroup_first (word.x == STATUS_NONE);
    uint n = min (first_prefix + 1u, first_missing);

    sum += lane < n ? word.y : 0u;
    look.tile_end = first_prefix < first_missing ? 0u : look.tile_end - n;
    n_spins = n > 0u ? 0u : n_spins + 1u;
  }
  look.prefix += subgroup_add (sum);
}

#else

shared uvec2 status_pairs[LOOK_BACK_TILES];

/* As above. Must be called by all invocations. */
void
look_back (inout LookBack look)
{
  uint n_spins = 0u;

  while (look.tile_end > 0u && n_spins <= params.look_back.spin_limit) {
    uint rank = team_rank ();
    uint n = 0u;

    if (rank < uint (LOOK_BACK_TILES))
      status_pairs[rank] =
          rank < look.tile_end ? read_status (look.tile_end - 1u - rank) : uvec2 (STATUS_NONE, 0u);
    TEAM_BARRIER ();
    for (uint i = 0u; i < uint (LOOK_BACK_TILES); i++) {
      uvec2 word = status_pairs[i];
      if (word.x == STATUS_NONE)
        break;
      look.prefix += word.y;
      n++;
      if (word.x == STATUS_INCLUSIVE_PREFIX) {
        n = look.tile_end;
        break;
      }
    }
    TEAM_BARRIER ();
    look.tile_end -= n;
    n_spins = n > 0u ? 0u : n_spins + 1u;
  }
}

#endif

/* Publishes the aggregate of the tile. @carry is the sum before tile 0. */
void
publish_aggregate (uint tile, uint sum, bool complete, uint carry)
{
  if (team_rank () != 0u)
    return;
  if (tile == 0u)
    publish (0u, STATUS_INCLUSIVE_PREFIX, complete ? sum : carry + sum);
  else
    publish (tile, complete ? STATUS_INCLUSIVE_PREFIX : STATUS_AGGREGATE, sum);
}

/* Returns the exclusive prefix of a tile whose aggregate has been published. Must be called by all
 * invocations of the workgroup. It contains a barrier, so shared memory that was written before
 * the call can be read after it. */
uint
find_exclusive_prefix (uint tile, uint n, uint sum, bool complete, uint carry)
{
  LookBack look = LookBack (tile, 0u);
  bool leader = team_rank () == 0u;

  if (tile == 0u) {
    TEAM_BARRIER ();
    return carry;
  }
#if TEAM == 2 && LOCAL_SIZE_X <= SUBGROUP_LANES * SUBGROUP_LANES
  uint prefix;
  if (tile <= TEAM_SIZE && look_back_in_one_round (tile, prefix)) {
    if (!complete && leader)
      publish (tile, STATUS_INCLUSIVE_PREFIX, prefix + sum);
    return prefix;
  }
#endif
  while (true) {
#if TEAM == 2
    if (SUBGROUP_ID == 0u) {
      look_back (look);
      /* Publish first: later tiles wait for this. */
      if (look.tile_end == 0u && !complete && leader)
        publish (tile, STATUS_INCLUSIVE_PREFIX, look.prefix + sum);
      if (leader)
        look_back_shared = look;
    }
    /* A barrier in tile_aggregate() separates this read from the next write. */
    TEAM_BARRIER ();
    look = look_back_shared;
#else
    look_back (look);
    if (look.tile_end == 0u && !complete && leader)
      publish (tile, STATUS_INCLUSIVE_PREFIX, look.prefix + sum);
#endif
    if (look.tile_end == 0u)
      return look.prefix;

    /* The fallback: compute the aggregate of the stalled tile. */
    bool stalled_complete;
    uint stalled = look.tile_end - 1u;
    uint stalled_aggregate = tile_aggregate (stalled, n, stalled_complete);
    if (stalled == 0u && !stalled_complete) {
      stalled_aggregate += carry;
      stalled_complete = true;
    }
    if (leader)
      write_status (stalled, stalled_complete ? STATUS_INCLUSIVE_PREFIX : STATUS_AGGREGATE,
          stalled_aggregate);
    look.prefix += stalled_aggregate;
    look.tile_end = stalled_complete ? 0u : stalled;
  }
}

#include "lib/array-layout.h"
#include "lib/last_block.glsl"

/* ---- the choice of a tile, and the last block ---- */

#if NUMBERED

/* Returns the workgroup's own number, which saves the memory round trip of a ticket. Workgroups
 * usually begin in the order of their numbers, but nothing guarantees it. If an earlier one has
 * not begun, the fallback does its work. */
uint
take_tile ()
{
  return team_index ();
}

#else

shared uint ticket_shared;

/* Returns the next tile in the order in which workgroups begin, so all earlier tiles have begun. */
uint
take_tile ()
{
  if (gl_LocalInvocationIndex == 0u)
    ticket_shared = atomicAdd (state[GST_GLES_ARRAY_TICKET], 1u);
  TEAM_BARRIER ();
  return ticket_shared;
}

#endif

/* is_last_block() with the sum of @part over all workgroups, which the last one receives. The sum
 * must be at most the number of values. If count and sum fit one word, this takes one memory
 * round trip instead of three. */
bool
is_last_block_with_sum (uint part, out uint sum)
{
  uint groups = n_groups ();

  sum = part;
  if (groups < 1024u && window_n () < (1u << 22)) {
    uint before = atomicAdd (state[GST_GLES_ARRAY_DONE], 1u | (part << 10));
    if ((before & 1023u) != groups - 1u)
      return false;
    sum += before >> 10;
    atomicExchange (state[GST_GLES_ARRAY_DONE], 0u);
    atomicExchange (state[GST_GLES_ARRAY_TICKET], 0u);
    return true;
  }
  if (part != 0u) {
    atomicAdd (state[GST_GLES_ARRAY_WRAPS], part);
    memoryBarrierBuffer ();
  }
  if (!is_last_block ())
    return false;
  sum = atomicExchange (state[GST_GLES_ARRAY_WRAPS], 0u);
  return true;
}
