// SPDX-License-Identifier: LGPL-2.1-or-later
/* Initialises the state of a sort whose keys the device has counted.
 *
 * Defines: SORT_STATE  the words of the sort's state */
#include "sort/sort-layout.h"

/* @count: the number of keys; at most @capacity are sorted. Must be called by one invocation. */
void
write_sort_setup (uint count, uint capacity, uint tile, uint max_groups_x)
{
  uint n = min (count, capacity);
  uint tiles = n / tile + (n % tile != 0u ? 1u : 0u);

  SORT_STATE[GST_GLES_SORT_TOTAL] = count;
  SORT_STATE[GST_GLES_SORT_TOTAL + 1] = 0u;
  SORT_STATE[GST_GLES_SORT_COUNT] = n;
  SORT_STATE[GST_GLES_SORT_STATUS] = count > n ? GST_GLES_ARRAY_STATUS_CLAMPED : 0u;
  SORT_STATE[GST_GLES_SORT_N] = n;
  SORT_STATE[GST_GLES_SORT_GROUPS] = min (tiles, max_groups_x);
  SORT_STATE[GST_GLES_SORT_GROUPS + 1] =
      tiles / max_groups_x + (tiles % max_groups_x != 0u ? 1u : 0u);
  SORT_STATE[GST_GLES_SORT_GROUPS + 2] = 1u;
}
