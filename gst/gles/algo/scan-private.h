/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the library itself and its tests may know of scans. */
#ifndef GST_GLES_SCAN_PRIVATE_H
#define GST_GLES_SCAN_PRIVATE_H

#include <gst/gles/algo/array.h>
#include <gst/gles/algo/scan.h>

G_BEGIN_DECLS

/* A plan with a forced variant, whatever the environment says. */
GstGlesScan *gst_gles_scan_new_full (
    GstGlesQueue *queue, guint capacity, const GstGlesVariant *variant, GError **error);

/* What the plan consists of. */
const GstGlesArray *gst_gles_scan_get_array (GstGlesScan *scan);

/* Calls @func for every program that a plan on any device can ask for. */
void gst_gles_scan_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
