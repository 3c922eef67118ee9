/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the library itself and its tests may know of compaction. */
#ifndef GST_GLES_COMPACT_PRIVATE_H
#define GST_GLES_COMPACT_PRIVATE_H

#include <gst/gles/algo/array.h>
#include <gst/gles/algo/compact.h>

G_BEGIN_DECLS

/* A plan with a forced variant, whatever the environment says. */
GstGlesCompact *gst_gles_compact_new_full (
    GstGlesQueue *queue, guint capacity, const GstGlesVariant *variant, GError **error);

/* What the plan consists of. */
const GstGlesArray *gst_gles_compact_get_array (GstGlesCompact *compact);

/* Calls @func for every program that a plan on any device can ask for. */
void gst_gles_compact_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
