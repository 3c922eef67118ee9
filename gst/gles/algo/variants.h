/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Describes the variants that the plans of a device choose, for gst-gles-info-1.0. */
#ifndef GST_GLES_VARIANTS_H
#define GST_GLES_VARIANTS_H

#include <gst/gles/device/device.h>

G_BEGIN_DECLS

/* @algorithm is interned. */
typedef void (*GstGlesVariantFunc) (
    const gchar *algorithm, const gchar *variant, gpointer user_data);

/* Makes the plans for a 1080p frame on @device and calls @func with a description of each. Builds
 * kernels. */
void gst_gles_variants_foreach (GstGlesDevice *device, GstGlesVariantFunc func, gpointer user_data);

G_END_DECLS

#endif
