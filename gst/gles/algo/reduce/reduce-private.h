/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface of reductions inside the library and for its tests. */
#ifndef GST_GLES_REDUCE_PRIVATE_H
#define GST_GLES_REDUCE_PRIVATE_H

#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/reduce/reduce.h>

G_BEGIN_DECLS

extern const GstGlesArrayTuning gst_gles_reduce_tuning[GST_GLES_N_CLASSES];

/* Makes a plan with a forced variant; ignores the environment. Reductions have no look-back. */
GstGlesReduce *gst_gles_reduce_new_full (
    GstGlesQueue *queue, guint capacity, const GstGlesVariant *variant, GError **error);

/* Returns the base of the plan. */
const GstGlesArray *gst_gles_reduce_get_array (GstGlesReduce *reduce);

/* Calls @func for each program that a plan on any device can use. */
void gst_gles_reduce_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
