// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sorts lists by key and index in shared memory: first runs of RUN entries, where the rank of an
 * entry is the number of smaller entries in its run; then runs are merged in pairs, where each
 * entry finds its rank in the other run by bisection.
 *
 * Defines: LOCAL_SIZE_X; EACH: entries per invocation
 *   CHUNKS  0: a workgroup sorts the list of the tile with its number; lists that exceed shared
 *           memory become tasks; 1: it sorts tasks, each a chunk of a list that fits shared memory,
 *           and writes a chunk back to `entries` if the list has others
 * Bindings: as in tiles/tiles_list.glsl
 * Grid: x workgroups: one per tile; CHUNKS 1: any number, each takes every x-th task. */
#include "tiles/tiles-layout.h"
#include "lib/barrier.glsl"
#include "tiles/tiles_list.glsl"

#pragma optionNV (unroll all)

#define RUN 32u
#define CAPACITY uint (EACH * LOCAL_SIZE_X)

shared uvec2 list[CAPACITY];

/* This invocation's entries, every LOCAL_SIZE_X-th of the list, and their new positions. */
uvec2 own_entries[EACH];
uint own_places[EACH];

/* Returns the list index of this invocation's k-th entry. */
uint
entry_of (int k)
{
  return uint (k * LOCAL_SIZE_X) + gl_LocalInvocationIndex;
}

/* Loads the @n entries from @first on. */
void
load_entries (uint first, uint n)
{
  for (int k = 0; k < EACH; k++) {
    uint i = entry_of (k);
    if (i < n) {
      own_entries[k] = entries[first + i];
      list[i] = own_entries[k];
    }
  }
}

/* Moves all entries to their new positions. */
void
move_entries (uint n)
{
  workgroup_barrier ();
  for (int k = 0; k < EACH; k++) {
    if (entry_of (k) < n)
      list[own_places[k]] = own_entries[k];
  }
  workgroup_barrier ();
}

void
sort_runs (uint n)
{
  for (int k = 0; k < EACH; k++) {
    uint i = entry_of (k);
    if (i < n) {
      uint first = i - i % RUN;
      uint last = min (first + RUN, n);
      uint place = first;
      for (uint other = first; other < last; other++)
        place += before (list[other], own_entries[k]) ? 1u : 0u;
      own_places[k] = place;
    }
  }
  move_entries (n);
}

/* Returns how many of the sorted entries from @first to @last precede @entry. */
uint
rank_among (uvec2 entry, uint first, uint last)
{
  uint low = first;

  while (low < last) {
    uint middle = (low + last) / 2u;
    if (before (list[middle], entry))
      low = middle + 1u;
    else
      last = middle;
  }
  return low - first;
}

/* Merges pairs of runs of @run entries; the last run may be shorter. */
void
merge_runs (uint n, uint run)
{
  for (int k = 0; k < EACH; k++) {
    uint i = entry_of (k);
    if (i < n) {
      uint in_run = i & (run - 1u);
      uint first = i - in_run;
      uint other = min (first ^ run, n);
      own_entries[k] = list[i];
      own_places[k] = (first & ~run) + in_run +
          rank_among (own_entries[k], other, min (other + run, n));
    }
  }
  move_entries (n);
}

/* Sorts the @n entries from @first on; n is at most CAPACITY. */
void
sort_entries (uint first, uint n, bool in_place)
{
  load_entries (first, n);
  workgroup_barrier ();
  sort_runs (n);
  for (uint run = RUN; run < n; run *= 2u)
    merge_runs (n, run);
  for (int k = 0; k < EACH; k++) {
    uint i = entry_of (k);
    if (i < n && in_place)
      entries[first + i] = list[i];
    else if (i < n)
      indices[first + i] = list[i].y;
  }
}

#if CHUNKS

void
main ()
{
  for (uint i = gl_WorkGroupID.x; i < n_tasks (); i += gl_NumWorkGroups.x) {
    uvec2 task = read_task (i);
    uint first = offsets[task.x];
    uint n = offsets[task.x + 1u] - first;
    uint skipped = task.y * CAPACITY;

    sort_entries (first + skipped, min (n - skipped, CAPACITY), n > CAPACITY);
    workgroup_barrier ();
  }
}

#else

void
main ()
{
  uint first = offsets[gl_WorkGroupID.x];
  uint n = offsets[gl_WorkGroupID.x + 1u] - first;

  if (n == 0u)
    return;
  if (n <= CAPACITY)
    sort_entries (first, n, false);
  else if (gl_LocalInvocationIndex == 0u)
    add_tasks (gl_WorkGroupID.x, n_chunks_of (n));
}

#endif
