// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sorts lists by key and place, in shared memory: runs of RUN entries by counting, for each of them, those
 * before it; then two runs at a time are merged, each entry finding by bisection where it goes.
 *
 * Defines: LOCAL_SIZE_X; EACH: entries per invocation; CHUNKS: 0: a workgroup sorts the list of the tile of
 *   its number, and leaves longer ones than it can hold as tasks; 1: it sorts tasks, each a chunk of a list as
 *   long as it can hold, where it lies if there are others
 * Bindings: those of lib/tiles_list.glsl
 * Grid: x workgroups: one per tile; CHUNKS 1: any number, each takes every x-th task. */
#include "lib/layout.h"
#include "lib/barrier.glsl"
#include "lib/tiles_list.glsl"

#pragma optionNV (unroll all)

#define RUN 32u
#define CAPACITY uint (EACH * LOCAL_SIZE_X)

shared uvec2 list[CAPACITY];

/* what this invocation has of the list: every LOCAL_SIZE_X-th entry, and where it goes */
uvec2 mine[EACH];
uint places[EACH];

/* The k-th of this invocation's. */
uint
entry_of (int k)
{
  return uint (k * LOCAL_SIZE_X) + gl_LocalInvocationIndex;
}

/* Brings all entries to their places. */
void
move_entries (uint n)
{
  workgroup_barrier ();
  for (int k = 0; k < EACH; k++) {
    if (entry_of (k) < n)
      list[places[k]] = mine[k];
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
        place += before (list[other], mine[k]) ? 1u : 0u;
      places[k] = place;
    }
  }
  move_entries (n);
}

/* How many entries from first to last, which are in order, come before the entry. */
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

/* Runs of @run entries, the last one perhaps shorter, become runs of twice as many. */
void
merge_runs (uint n, uint run)
{
  for (int k = 0; k < EACH; k++) {
    uint i = entry_of (k);
    if (i < n) {
      uint in_run = i & (run - 1u);
      uint first = i - in_run;
      uint other = min (first ^ run, n);
      mine[k] = list[i];
      places[k] = (first & ~run) + in_run + rank_among (mine[k], other, min (other + run, n));
    }
  }
  move_entries (n);
}

/* Entries from first on, at most as many as shared memory holds. */
void
sort_entries (uint first, uint n, bool in_place)
{
  for (int k = 0; k < EACH; k++) {
    uint i = entry_of (k);
    if (i < n) {
      mine[k] = entries[first + i];
      list[i] = mine[k];
    }
  }
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
