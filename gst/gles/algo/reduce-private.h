/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the library itself and its tests may know of reductions. */
#ifndef GST_GLES_REDUCE_PRIVATE_H
#define GST_GLES_REDUCE_PRIVATE_H

#include <gst/gles/algo/array.h>
#include <gst/gles/algo/reduce.h>

G_BEGIN_DECLS

/* A plan with a forced variant, whatever the environment says. There is no look-back here. */
GstGlesReduce *gst_gles_reduce_new_full (
    GstGlesQueue *queue, guint capacity, const GstGlesVariant *variant, GError **error);

/* What the plan consists of. */
const GstGlesArray *gst_gles_reduce_get_array (GstGlesReduce *reduce);

/* Calls @func for every program that a plan on any device can ask for. */
void gst_gles_reduce_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
