/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records for lists by tile, and expected lists by a plain loop: for each record in key order, for
 * each tile it covers, the tile gets one more entry. */
#ifndef TILES_CASES_H
#define TILES_CASES_H

#include <gst/gles/algo/tiles/tiles.h>
#include <layout.h>

#define CANARY_WORDS 16
#define CANARY 0xa5c3a5c3u

/* Words beyond the offsets and entries of lists are CANARY. */
typedef struct {
  guint64 total;    /* entries needed, even if above the capacity */
  guint32 *offsets; /* one per tile and one more */
  guint32 *indices, *keys;
} Lists;

Lists *lists_new (guint n_tiles, guint capacity);
void lists_free (Lists *lists);

guint32 bits_of (gfloat f);
GstGlesTileRecord record_of (gfloat min_x, gfloat min_y, gfloat max_x, gfloat max_y, guint32 depth);

/* Boxes of all sizes around a frame, on edges of tiles and of the frame, of no area, inverted, of
 * odd numbers. */
void fill_records (
    const GstGlesTilesConfig *config, guint64 seed, GstGlesTileRecord *records, guint n);

/* Boxes of up to 9 by 5 pixels in a frame of 640 by 480, @percent of them beside it. */
void fill_off_screen (guint percent, GstGlesTileRecord *records, guint n);

GstGlesTilesConfig config_of (guint width, guint height, guint tile_width, guint tile_height,
    guint max_records, guint max_entries);
void assert_lists (const Lists *got, const Lists *want, guint n_tiles, guint capacity,
    const gchar *who, const gchar *where);

/* (transfer full) */
Lists *list_plainly (
    const GstGlesTilesConfig *config, const GstGlesTileRecord *records, guint n, guint capacity);

#endif
