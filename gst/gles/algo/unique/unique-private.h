/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface of unique inside the library and for its tests. */
#ifndef GST_GLES_UNIQUE_PRIVATE_H
#define GST_GLES_UNIQUE_PRIVATE_H

#include <gst/gles/algo/plan/array.h>
#include <gst/gles/algo/unique/unique.h>

G_BEGIN_DECLS

/* Makes a plan with a forced variant; ignores the environment. Unique has no look-back. */
GstGlesUnique *gst_gles_unique_new_full (
    GstGlesQueue *queue, guint capacity, const GstGlesVariant *variant, GError **error);

/* Returns the base of the plan. */
const GstGlesArray *gst_gles_unique_get_array (GstGlesUnique *unique);

/* Calls @func for each program that a plan on any device can use, besides those of segments. */
void gst_gles_unique_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
