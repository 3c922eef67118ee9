/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Readbacks of items that the device counts, and what else elements of this tree do with
 * readbacks. */
#ifndef GST_GLES_READBACK_INFO_H
#define GST_GLES_READBACK_INFO_H

#include <gst/gles/gl/readback.h>

G_BEGIN_DECLS

/* Makes a complete readback of counted items. @bytes: (transfer full): counted->count items */
GST_GLES_API GstGlesReadback *gst_gles_readback_new_counted (
    const GstGlesResult *counted, GBytes *bytes);

/* Makes later calls of gst_gles_readback_get() fail with CANCELLED, unless the readback is
 * complete. */
GST_GLES_API void gst_gles_readback_cancel (GstGlesReadback *readback);

/* Builds the program that copies counted items, which late reads and the elements behind may need
 * with the first frame. Call it where a plan is made. Errors: those of a copy. */
GST_GLES_API gboolean gst_gles_readback_ring_prepare (GstGlesReadbackRing *ring, GError **error);

/* Returns the bytes that copies of counted items brought to the host since the last call. Their
 * number is known only when the copies are complete. Thread: as gst_gles_readback_ring_copy(). */
GST_GLES_API gsize gst_gles_readback_ring_take_bytes (GstGlesReadbackRing *ring);

G_END_DECLS

#endif
