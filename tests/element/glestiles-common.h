/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the tests of glestiles: records, elements under test, and an oracle that lists records
 * tile by tile. */
#ifndef GLESTILES_COMMON_H
#define GLESTILES_COMMON_H

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/gles/meta/tiles.h>

#include "gleshistogram-common.h"

/* As it is in a stream of splats. */
typedef struct {
  gfloat min_x, min_y, max_x, max_y, depth, radius;
  guint32 index, pad;
} TilesRecord;

/* ---- elements ---- */

typedef struct {
  GstHarness *harness;
  GstElement *element; /* borrowed */
  GstBus *bus;
  guint64 n_pushed;
} TilesStream;

/* glestiles on the device under test with @properties, in PLAYING, with @caps. */
TilesStream *tiles_stream_new (const gchar *properties, const gchar *caps);
/* The same, refused: the error of its caps. */
GError *tiles_stream_refused (const gchar *properties, const gchar *caps);
/* Asserts that no error is left on the bus. */
void tiles_stream_free (TilesStream *stream);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TilesStream, tiles_stream_free)

/* Pushes @buffer (transfer full) and returns what comes out: (transfer full). */
GstBuffer *tiles_stream_push (TilesStream *stream, GstBuffer *buffer);
/* Pushes @buffer (transfer full), which must fail with one element error: (transfer full). */
GError *tiles_stream_push_bad (TilesStream *stream, GstBuffer *buffer);
/* A number of the element's `stats`. */
guint64 tiles_stream_stat (TilesStream *stream, const gchar *name);

/* ---- records ---- */

GstBuffer *tiles_buffer_new (const TilesRecord *records, gsize n);
/* @n records all over a frame of @width x @height and beyond, of up to @size pixels, with few
 * enough depths that many are equal: g_free() */
TilesRecord *tiles_records_new (guint width, guint height, gfloat size, gsize n, guint32 seed);

/* ---- the oracle ---- */

typedef enum {
  TILES_BY_INDEX,
  TILES_BY_VALUE, /* the bits of depth */
  TILES_BY_DEPTH
} TilesBy;

typedef struct {
  guint width, height, tile_width, tile_height;
  TilesBy by;
  gboolean descending;
  guint max_items; /* 0: no limit */
} TilesConfig;

/* Asserts that @buffer has one meta, with the lists of @records and the parameters of @config. */
void tiles_check_buffer (GstBuffer *buffer, const TilesConfig *config, const TilesRecord *records,
    gsize n, GstGlesTilesInput input, const gchar *what);
void tiles_check_result (GstGlesTilesResult *result, const TilesConfig *config,
    const TilesRecord *records, gsize n, GstGlesTilesInput input, const gchar *what);

#endif
