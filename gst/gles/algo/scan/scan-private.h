/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface of scans inside the library and for its tests. */
#ifndef GST_GLES_SCAN_PRIVATE_H
#define GST_GLES_SCAN_PRIVATE_H

#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/scan/scan.h>

G_BEGIN_DECLS

extern const GstGlesArrayTuning gst_gles_scan_tuning[GST_GLES_N_CLASSES];

/* Makes a plan with a forced variant; ignores the environment. */
GstGlesScan *gst_gles_scan_new_full (
    GstGlesQueue *queue, guint capacity, const GstGlesVariant *variant, GError **error);

/* Returns the base of the plan. */
const GstGlesArray *gst_gles_scan_get_array (GstGlesScan *scan);

/* Calls @func for each program that a plan on any device can use. */
void gst_gles_scan_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
