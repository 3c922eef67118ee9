/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef COMPACT_COMPARE_H
#define COMPACT_COMPARE_H

#include <gst/gles/core/types.h>
#include <gst/gles/meta/points.h>

G_BEGIN_DECLS

/* Compares the complete @result with the points of native code. Returns FALSE with FAILED if they
 * differ; the message describes the first difference. Does not wait. */
gboolean gst_gles_compact_compare (GstGlesPointsResult *result, const GstGlesResult *expected,
    const guint32 *points, GError **error);

G_END_DECLS

#endif
