/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* GPU time between two points of a submission, gaps between dispatches included. For benchmarks;
 * GstGlesTimer measures each kernel on its own. */
#ifndef GST_GLES_SPAN_H
#define GST_GLES_SPAN_H

#include <gst/gles/gl/queue.h>

G_BEGIN_DECLS

typedef struct _GstGlesSpan GstGlesSpan;

/* Begins a span inside a submission, at the time when all work queued so far is done. Returns NULL
 * on devices without timer queries. */
GstGlesSpan *gst_gles_span_begin (GstGlesQueue *queue);
/* Ends the span inside the same submission, at the time when all work queued so far is done. NULL
 * is safe. */
void gst_gles_span_end (GstGlesSpan *span);
/* Waits for the submission, which must have ended, returns the length of the span in nanoseconds,
 * and frees @span. FALSE with @error: DEVICE_LOST, or FAILED when the GPU's clock was not
 * steady. */
gboolean gst_gles_span_take (GstGlesSpan *span, guint64 *time_ns, GError **error);

G_END_DECLS

#endif
