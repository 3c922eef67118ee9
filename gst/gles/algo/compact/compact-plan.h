/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface of compaction inside the library and for its tests. */
#ifndef GST_GLES_COMPACT_PLAN_H
#define GST_GLES_COMPACT_PLAN_H

#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/compact/compact.h>

G_BEGIN_DECLS

extern const GstGlesArrayTuning gst_gles_compact_tuning[GST_GLES_N_CLASSES];

/* Makes a plan with a forced variant; ignores the environment. */
GstGlesCompact *gst_gles_compact_new_full (
    GstGlesQueue *queue, guint capacity, const GstGlesVariant *variant, GError **error);

/* The arguments of gst_gles_compact_flags(), with a count of either kind. */
typedef struct {
  GstGlesBuffer *flags;
  guint64 first_flag; /* word of @flags; a multiple of the device's alignment of storage blocks */
  GstGlesBuffer *input;
  GstGlesCount count;
  GstGlesBuffer *values, *indices;
  guint max_count;
} GstGlesCompactFlags;

gboolean gst_gles_compact_flags_from (
    GstGlesCompact *compact, const GstGlesCompactFlags *flags, GError **error);

/* Returns the base of the plan. */
const GstGlesArray *gst_gles_compact_get_array (GstGlesCompact *compact);

/* Calls @func for each program that a plan on any device can use. */
void gst_gles_compact_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
