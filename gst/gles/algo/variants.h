/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Describes for people the variants that plans choose, and how a call divides its work. */
#ifndef GST_GLES_VARIANTS_H
#define GST_GLES_VARIANTS_H

#include <gst/gles/algo/components/components.h>
#include <gst/gles/algo/frame/frame-compact.h>
#include <gst/gles/algo/frame/frame-histogram.h>
#include <gst/gles/algo/tiles/tiles.h>

G_BEGIN_DECLS

/* @algorithm is interned. */
typedef void (*GstGlesVariantFunc) (
    const gchar *algorithm, const gchar *variant, gpointer user_data);

/* Makes the plans for a 1080p frame on @device and calls @func with a description of each. Builds
 * kernels. */
void gst_gles_variants_foreach (GstGlesDevice *device, GstGlesVariantFunc func, gpointer user_data);

/* Return a description of the variant, workgroups, teams and tiles: (transfer full). Those of
 * frame-histogram and frame-compact describe the last call, the others a call with up to @n points
 * or records. */
GST_GLES_API gchar *gst_gles_variants_describe_frame_histogram (
    const GstGlesFrameHistogram *histogram);
GST_GLES_API gchar *gst_gles_variants_describe_frame_compact (
    GstGlesFrameCompact *compact, const GstGlesFrameCompactCall *call);
GST_GLES_API gchar *gst_gles_variants_describe_components (
    const GstGlesComponents *components, guint n);
GST_GLES_API gchar *gst_gles_variants_describe_tiles (const GstGlesTiles *tiles, guint n);

G_END_DECLS

#endif
