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

/* Like gst_gles_compact_flags(), with a count of either kind and the flags from word @first_flag of
 * @flags on, which must be a multiple of the device's alignment of storage blocks. */
gboolean gst_gles_compact_flags_from (GstGlesCompact *compact, GstGlesBuffer *flags,
    guint64 first_flag, GstGlesBuffer *input, const GstGlesCount *count, GstGlesBuffer *values,
    GstGlesBuffer *indices, guint max_count, GError **error);

/* Returns the base of the plan. */
const GstGlesArray *gst_gles_compact_get_array (GstGlesCompact *compact);

/* Calls @func for each program that a plan on any device can use. */
void gst_gles_compact_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
