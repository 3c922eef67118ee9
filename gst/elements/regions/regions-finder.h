/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the regions of a frame's points: owns a plan that fits the input, and the memory of its
 * results. */
#ifndef GST_GLES_REGIONS_FINDER_H
#define GST_GLES_REGIONS_FINDER_H

#include <gst/gles/meta/regions-info.h>

#include "../base/records-input.h"
#include "../base/validation.h"
#include "regions-merge.h"

G_BEGIN_DECLS

typedef struct _RegionsFinder RegionsFinder;

/* Makes a finder that works on @queue and holds a reference to it. */
RegionsFinder *regions_finder_new (GstGlesQueue *queue);
/* NULL is safe. Results stay valid. */
void regions_finder_free (RegionsFinder *finder);

/* Says how the regions of the next runs are merged once they are on the host; those on the device
 * stay apart. */
void regions_finder_set_merge (RegionsFinder *finder, const RegionsMerge *merge);

/* Makes a plan for the settings in @info and frames like @input, and runs it once on no points, so
 * that drivers that compile late do so now. Errors: as gst_gles_components_new(). */
gboolean regions_finder_prepare (RegionsFinder *finder, const GstGlesRegionsInfo *info,
    const RecordsInput *input, GError **error);

/* Queues the search of @input, which are points, in the open submission. Returns (transfer
 * full). */
GstGlesRegionsResult *regions_finder_run (RegionsFinder *finder, const GstGlesRegionsInfo *info,
    const RecordsInput *input, gboolean readback, GError **error);

/* Returns the costs of the last run: (transfer none). */
const RecordsCost *regions_finder_get_cost (const RegionsFinder *finder);
/* Returns the bytes of regions that were read back since the last call. */
gsize regions_finder_take_bytes (RegionsFinder *finder);

/* Runs the native twin on the input of the last run, with the settings in @info. Adds the points
 * that it was, and what the twin finds: counts, regions. */
gboolean regions_finder_expect (
    RegionsFinder *finder, const GstGlesRegionsInfo *info, ValidationTwin *words, GError **error);
/* Returns for people how the last run divided its work: (transfer full). */
gchar *regions_finder_describe (RegionsFinder *finder);

G_END_DECLS

#endif
