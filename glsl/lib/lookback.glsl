// SPDX-License-Identifier: LGPL-2.1-or-later
/* Decoupled look-back (Merrill and Garland 2016): a tile learns the sum of all tiles before it from
 * what they publish while they run, so that one pass over the data is enough. With a way out: who
 * has waited for a tile long enough does its work and publishes for it, so that nothing depends on
 * workgroups making progress (Smith, Levien and Owens 2024). That needs inputs that stay as they are.
 *
 * A tile publishes two words, each half of a number: epoch (14 bits), kind (2), half (16). They count
 * when both are of this dispatch's epoch and of one kind: words of earlier dispatches need no clearing,
 * and there is no order of stores to rely on. Every word is written by atomicMax() alone: later epochs
 * win, and in an epoch a sum over all tiles wins over the tile's own.
 *
 * A kernel brings `uint tile_sum (uint tile, uint n, out bool complete)`: what the tile comes to, by
 * all invocations together; complete: whatever stands before it does not matter.
 *
 * Defines: TEAM 1 or 2 and those of lib/subgroup_team.glsl; LOOK, the tiles that TEAM 1 looks at
 *   together, at most LOCAL_SIZE_X; NUMBERED: workgroups take the tiles of their own numbers
 * State: two words per tile, from params.tile_words on. */

#define KIND_NONE 0u
#define KIND_TILE 1u /* the sum of the tile */
#define KIND_ALL 2u  /* the sum up to the end of the tile */

uint
tile_word (uint tile)
{
  return params.tile_words + 2u * tile;
}

/* By one invocation. */
void
post (uint tile, uint kind, uint sum)
{
  uint tag = (params.epoch << 18) | (kind << 16);

  atomicMax (state[tile_word (tile)], tag | (sum & 0xffffu));
  atomicMax (state[tile_word (tile) + 1u], tag | (sum >> 16));
}

/* A tile speaks for itself, unless a test forbids it. */
void
publish (uint tile, uint kind, uint sum)
{
  if (params.stuck == 0u || tile % params.stuck != 0u)
    post (tile, kind, sum);
}

/* What a tile has published: kind and sum. By loads, as there is no atomic one, and an atomicOr() of 0
 * by all who wait costs what they wait for. A load that is late is a tile that is silent, no more. */
uvec2
poll (uint tile)
{
#if TEAM == 2
  uvec2 pair = state_pairs[tile_word (tile) / 2u];
  uint low = pair.x;
  uint high = pair.y;
#else
  uint low = state[tile_word (tile)];
  uint high = state[tile_word (tile) + 1u];
#endif
  uint kind = (low >> 16) & 3u;

  if ((low >> 16) != (high >> 16) || (low >> 18) != params.epoch)
    kind = KIND_NONE;
  return uvec2 (kind, (low & 0xffffu) | (high << 16));
}

/* The tiles from 0 to tile_end - 1 are still to be added to prefix. */
struct LookBack {
  uint tile_end;
  uint prefix;
};

#if TEAM == 2

/* What lanes hold, from the last one on that stands for all before it as well. */
uint
sum_from_last (bool all, uint word)
{
  uint first = subgroup_last (all);

  return subgroup_add (SUBGROUP_LANE >= first ? word : 0u);
}

/* per subgroup: the sum of the tiles it looked at; 1: one of them stands for all before; 2: one kept silent */
shared uvec2 first_words[LOCAL_SIZE_X / SUBGROUP_LANES];

/* What stands before one of the first TEAM_SIZE tiles: every invocation waits for one of those before it, so that
 * none has to wait for another's waiting. FALSE where one has kept silent for too long. */
bool
look_at_all (uint tile, out uint prefix)
{
  uvec2 word = uvec2 (KIND_TILE, 0u);
  uint rank = team_rank ();

  if (rank < tile) {
    uint polls = 0u;

    do
      word = poll (rank);
    while (word.x == KIND_NONE && ++polls <= params.max_polls);
  }
  bool all = subgroup_any (word.x == KIND_ALL);
  bool silent = subgroup_any (word.x == KIND_NONE);
  uint sum = sum_from_last (word.x == KIND_ALL, word.y);

  if (SUBGROUP_LANE == 0u)
    first_words[SUBGROUP_ID] = uvec2 (sum, (all ? 1u : 0u) | (silent ? 2u : 0u));
  TEAM_BARRIER ();
  word = uvec2 (0u);
  if (SUBGROUP_LANE < N_SUBGROUPS)
    word = first_words[SUBGROUP_LANE];
  prefix = sum_from_last ((word.y & 1u) != 0u, word.x);
  return !subgroup_any ((word.y & 2u) != 0u);
}

shared LookBack look_shared;

/* By one subgroup: takes what the tiles before have published, from the last one on, until there is
 * nothing left to take or the next one has kept silent for too long. */
void
look_back (inout LookBack look)
{
  uint lane = SUBGROUP_LANE;
  uint polls = 0u;
  uint sum = 0u;

  while (look.tile_end > 0u && polls <= params.max_polls) {
    uvec2 word = uvec2 (KIND_NONE, 0u);

    if (lane < look.tile_end)
      word = poll (look.tile_end - 1u - lane);
    /* lanes up to the first sum over all, unless there is a silent one before */
    uint first_all = subgroup_first (word.x == KIND_ALL);
    uint first_silent = subgroup_first (word.x == KIND_NONE);
    uint n = min (first_all + 1u, first_silent);

    sum += lane < n ? word.y : 0u;
    look.tile_end = first_all < first_silent ? 0u : look.tile_end - n;
    polls = n > 0u ? 0u : polls + 1u;
  }
  look.prefix += subgroup_add (sum);
}

#else

shared uvec2 look_words[LOOK];

/* The same by all invocations. */
void
look_back (inout LookBack look)
{
  uint polls = 0u;

  while (look.tile_end > 0u && polls <= params.max_polls) {
    uint rank = team_rank ();
    uint n = 0u;

    if (rank < uint (LOOK))
      look_words[rank] =
          rank < look.tile_end ? poll (look.tile_end - 1u - rank) : uvec2 (KIND_NONE, 0u);
    TEAM_BARRIER ();
    for (uint i = 0u; i < uint (LOOK); i++) {
      uvec2 word = look_words[i];
      if (word.x == KIND_NONE)
        break;
      look.prefix += word.y;
      n++;
      if (word.x == KIND_ALL) {
        n = look.tile_end;
        break;
      }
    }
    TEAM_BARRIER ();
    look.tile_end -= n;
    polls = n > 0u ? 0u : polls + 1u;
  }
}

#endif

/* Publishes what the tile comes to; @carry is what stands before tile 0. */
void
tile_publish (uint tile, uint sum, bool complete, uint carry)
{
  if (team_rank () != 0u)
    return;
  if (tile == 0u)
    publish (0u, KIND_ALL, complete ? sum : carry + sum);
  else
    publish (tile, complete ? KIND_ALL : KIND_TILE, sum);
}

/* What stands before a tile that has been published. By all invocations of the workgroup together; they
 * meet at a barrier in it, behind which all see what each wrote to shared memory before. */
uint
tile_prefix (uint tile, uint n, uint sum, bool complete, uint carry)
{
  LookBack look = LookBack (tile, 0u);
  bool leader = team_rank () == 0u;

  if (tile == 0u) {
    TEAM_BARRIER ();
    return carry;
  }
#if TEAM == 2 && LOCAL_SIZE_X <= SUBGROUP_LANES * SUBGROUP_LANES
  uint prefix;
  if (tile <= TEAM_SIZE && look_at_all (tile, prefix)) {
    if (!complete && leader)
      publish (tile, KIND_ALL, prefix + sum);
    return prefix;
  }
#endif
  while (true) {
#if TEAM == 2
    if (SUBGROUP_ID == 0u) {
      look_back (look);
      /* those behind wait for it */
      if (look.tile_end == 0u && !complete && leader)
        publish (tile, KIND_ALL, look.prefix + sum);
      if (leader)
        look_shared = look;
    }
    /* it is not written again before all have passed a barrier of tile_sum() */
    TEAM_BARRIER ();
    look = look_shared;
#else
    look_back (look);
    if (look.tile_end == 0u && !complete && leader)
      publish (tile, KIND_ALL, look.prefix + sum);
#endif
    if (look.tile_end == 0u)
      return look.prefix;

    /* the way out: do the silent tile's work */
    bool silent_complete;
    uint silent = look.tile_end - 1u;
    uint silent_sum = tile_sum (silent, n, silent_complete);
    if (silent == 0u && !silent_complete) {
      silent_sum += carry;
      silent_complete = true;
    }
    if (leader)
      post (silent, silent_complete ? KIND_ALL : KIND_TILE, silent_sum);
    look.prefix += silent_sum;
    look.tile_end = silent_complete ? 0u : silent;
  }
}

#include "lib/last_group.glsl"

/* ---- which tile a workgroup takes, and who is the last ---- */

#if NUMBERED

/* A ticket is a journey to memory and back before anything else can be done. Where workgroups begin in
 * the order of their numbers, though nobody promises it, those before have begun all the same; where one
 * has not, its work is done for it. */
uint
take_tile ()
{
  return team_index ();
}

#else

shared uint ticket_shared;

/* The next tile, in the order in which workgroups begin: those before it have begun. */
uint
take_tile ()
{
  if (gl_LocalInvocationIndex == 0u)
    ticket_shared = atomicAdd (state[GST_GLES_ARRAY_TICKET], 1u);
  TEAM_BARRIER ();
  return ticket_shared;
}

#endif

/* last_to_end() with a sum over the workgroups for the last one; at most the number of values. Where both
 * fit one word they need one journey to memory instead of three. */
bool
last_to_end_of_sum (uint part, out uint sum)
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
  if (!last_to_end ())
    return false;
  sum = atomicExchange (state[GST_GLES_ARRAY_WRAPS], 0u);
  return true;
}
