/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Commands inside a submission that kernel.h has not: indirect dispatches and copies. */
#ifndef GST_GLES_SUBMISSION_H
#define GST_GLES_SUBMISSION_H

#include <gst/gles/gl/kernel.h>
#include <gst/gles/gl/program.h>

G_BEGIN_DECLS

/* The size of the buffers that replace real ones when kernels are run once, empty, so that llvmpipe
 * compiles them. The code that llvmpipe generates for a buffer texture depends on whether its size
 * is a power of two, and on whether any of the bits 8 to 15 are set (it reads them as a number of
 * mipmap levels). With the 16 bytes of padding this size is, like most sizes, not a power of two
 * and has such a bit set. */
#define GST_GLES_WARM_UP_BYTES 320

/* Does what gst_gles_queue_dispatch() does; the device reads the three group counts from @groups at
 * @groups_offset. */
gboolean gst_gles_queue_dispatch_indirect (GstGlesQueue *queue, const GstGlesDispatch *dispatch,
    GstGlesBuffer *groups, gsize groups_offset, GError **error);

/* A copy between buffers. The ranges must not overlap. */
typedef struct {
  GstGlesBuffer *source, *target;
  gsize source_offset, target_offset, size_bytes;
} GstGlesCopy;

/* Records a copy inside a submission. */
gboolean gst_gles_queue_copy (GstGlesQueue *queue, const GstGlesCopy *copy, GError **error);

G_END_DECLS

#endif
