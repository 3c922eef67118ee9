/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the tests of glestiles: records, and an oracle that lists records tile by tile. */
#ifndef GLESTILES_COMMON_H
#define GLESTILES_COMMON_H

#include <gst/gles/meta/tiles.h>

#include "lines.h"

/* As it is in a stream of splats. */
typedef struct {
  gfloat min_x, min_y, max_x, max_y, depth, radius;
  guint32 index, pad;
} TilesRecord;

GstBuffer *tiles_buffer_new (const TilesRecord *records, gsize n);
/* @n records all over a frame of @width x @height and beyond, of up to @size pixels, with few
 * enough depths that many are equal: g_free() */
TilesRecord *tiles_records_new (guint width, guint height, gfloat size, gsize n, guint32 seed);

typedef struct {
  GstGlesTilesInput input;
  guint width, height, tile_width, tile_height;
  GstGlesTilesSortBy by; /* by value: the bits of depth */
  gboolean descending;
  guint max_items; /* 0: no limit */
} TilesConfig;

/* Asserts that @buffer has one meta, with the lists of @records and the parameters of @config. */
void tiles_check_buffer (GstBuffer *buffer, const TilesConfig *config, const TilesRecord *records,
    gsize n, const gchar *what);

#endif
