// SPDX-License-Identifier: LGPL-2.1-or-later
/* What a sort of as many keys as the device has counted begins with.
 *
 * Defines: SORT_STATE  the words of the sort's state */

/* @count: as many as were wanted; at most @capacity are sorted. By one invocation. */
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
