/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From the records of a frame to lists, as a result: a plan that grows with what comes, and the memory
 * that its results are in. */
#ifndef GST_GLES_TILES_LISTER_H
#define GST_GLES_TILES_LISTER_H

#include <gst/gles/algo/tiles.h>

#include "tiles-input.h"

G_BEGIN_DECLS

typedef struct _TilesLister TilesLister;

/* What is listed how, but for what is listed. */
typedef struct {
  guint tile_width, tile_height;
  GstGlesTilesSortBy sort_by;
  gboolean descending;
  guint max_items;
} TilesRequest;

/* Where the time of the streaming thread and the bytes went. */
typedef struct {
  gsize uploaded_bytes;
  gsize readback_bytes; /* those that are known: tiles_lister_take_bytes() tells of the others */
  gboolean waited;      /* for a free slot of the ring that results come back in */
} TilesCost;

/* For work on @queue, which it keeps. */
TilesLister *tiles_lister_new (GstGlesQueue *queue);
/* NULL is safe. Results stay valid, those that come to the host lose their device buffers. */
void tiles_lister_free (TilesLister *lister);

/* Makes a plan for frames like @input, and runs it once, over nothing: drivers that compile late do it
 * now. Errors: as gst_gles_tiles_new(). */
gboolean tiles_lister_prepare (
    TilesLister *lister, const TilesRequest *request, const TilesInput *input, GError **error);

/* Inside a submission: queues the lists of @input. @info: frame, times and format, to which the rest
 * is added. (transfer full) */
GstGlesTilesResult *tiles_lister_run (TilesLister *lister, const TilesRequest *request,
    const TilesInput *input, GstGlesTilesInfo *info, gboolean readback, TilesCost *cost,
    GError **error);

/* The bytes of lists that have come to the host since the last call. */
gsize tiles_lister_take_bytes (TilesLister *lister);

/* Runs the native twin on what the last run listed and compares with @result, its result, which is
 * complete. FALSE with @error: they differ. */
gboolean tiles_lister_validate (TilesLister *lister, GstGlesTilesResult *result, GError **error);

G_END_DECLS

#endif
