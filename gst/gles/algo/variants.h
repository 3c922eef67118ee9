/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which kernel variants a device gets, in words, for gst-gles-info-1.0. */
#ifndef GST_GLES_VARIANTS_H
#define GST_GLES_VARIANTS_H

#include <gst/gles/device/device.h>

G_BEGIN_DECLS

/* @algorithm is interned. */
typedef void (*GstGlesVariantFunc) (
    const gchar *algorithm, const gchar *variant, gpointer user_data);

/* Makes the plans that a 1080p frame takes on @device and tells what they chose. Builds kernels. */
void gst_gles_variants_foreach (GstGlesDevice *device, GstGlesVariantFunc func, gpointer user_data);

G_END_DECLS

#endif
