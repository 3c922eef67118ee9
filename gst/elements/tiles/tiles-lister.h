/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists the records of a frame by tile: owns a plan that grows with the input, and the memory of
 * its results. */
#ifndef GST_GLES_TILES_LISTER_H
#define GST_GLES_TILES_LISTER_H

#include <gst/gles/algo/tiles/tiles.h>

#include "../base/records-input.h"
#include "../base/validation.h"

G_BEGIN_DECLS

typedef struct _TilesLister TilesLister;

/* Makes a lister that works on @queue and holds a reference to it. */
TilesLister *tiles_lister_new (GstGlesQueue *queue);
/* NULL is safe. Results stay valid; those that are read back lose their device buffers. */
void tiles_lister_free (TilesLister *lister);

/* Makes a plan for the settings in @info and frames like @input, and runs it once on no records, so
 * that drivers that compile late do so now. Errors: as gst_gles_tiles_new(). */
gboolean tiles_lister_prepare (
    TilesLister *lister, const GstGlesTilesInfo *info, const RecordsInput *input, GError **error);

/* Queues the lists of @input in the open submission. Returns (transfer full). */
GstGlesTilesResult *tiles_lister_run (TilesLister *lister, const GstGlesTilesInfo *info,
    const RecordsInput *input, gboolean readback, GError **error);

/* Returns the costs of the last run: (transfer none). */
const RecordsCost *tiles_lister_get_cost (const TilesLister *lister);
/* Returns the bytes of lists that were read back since the last call. */
gsize tiles_lister_take_bytes (TilesLister *lister);

/* Runs the native twin on the input of the last run. Adds the records that it was, and what the
 * twin lists: counts, offsets, indices, keys. */
gboolean tiles_lister_expect (TilesLister *lister, ValidationTwin *words, GError **error);
/* Returns for people how the last run divided its work: (transfer full). */
gchar *tiles_lister_describe (TilesLister *lister);

G_END_DECLS

#endif
