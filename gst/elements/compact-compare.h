/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef COMPACT_COMPARE_H
#define COMPACT_COMPARE_H

#include <gst/gles/algo/types.h>
#include <gst/gles/meta/points.h>

G_BEGIN_DECLS

/* Whether @result is what native code found: FALSE with FAILED and, in words, what differs first. Waits
 * for nothing: the result is complete. */
gboolean gst_gles_compact_compare (GstGlesPointsResult *result, const GstGlesResult *expected,
    const guint32 *points, GError **error);

G_END_DECLS

#endif
