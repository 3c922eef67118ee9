/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From the points of a frame to regions, as a result: a plan that fits what comes, and the memory that its
 * results are in. */
#ifndef GST_GLES_REGIONS_FINDER_H
#define GST_GLES_REGIONS_FINDER_H

#include <gst/gles/meta/regions.h>

#include "tiles-input.h"

G_BEGIN_DECLS

typedef struct _RegionsFinder RegionsFinder;

/* For work on @queue, which it keeps. */
RegionsFinder *regions_finder_new (GstGlesQueue *queue);
/* NULL is safe. Results stay valid. */
void regions_finder_free (RegionsFinder *finder);

/* Makes a plan for what @info asks for and frames like @input, and runs it once, over nothing: drivers that
 * compile late do it now. Errors: as gst_gles_components_new(). */
gboolean regions_finder_prepare (
    RegionsFinder *finder, const GstGlesRegionsInfo *info, const TilesInput *input, GError **error);

/* Where the time of the streaming thread and the bytes went. */
typedef struct {
  gsize uploaded_bytes;
  gboolean waited; /* for a free slot of the ring that results come back in */
} RegionsCost;

/* Inside a submission: queues the search of @input, which are points. (transfer full) */
GstGlesRegionsResult *regions_finder_run (RegionsFinder *finder, const GstGlesRegionsInfo *info,
    const TilesInput *input, gboolean readback, RegionsCost *cost, GError **error);

/* The bytes of regions that have come to the host since the last call. */
gsize regions_finder_take_bytes (RegionsFinder *finder);

/* Runs the native twin on what the last run worked on and compares with @result, its result, which is
 * complete. FALSE with @error: they differ. */
gboolean regions_finder_validate (
    RegionsFinder *finder, GstGlesRegionsResult *result, GError **error);

G_END_DECLS

#endif
