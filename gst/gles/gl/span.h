/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* GPU time from one place of a submission to a later one, gaps between dispatches included: what a
 * benchmark wants, where GstGlesTimer tells what each kernel takes. */
#ifndef GST_GLES_SPAN_H
#define GST_GLES_SPAN_H

#include <gst/gles/gl/queue.h>

G_BEGIN_DECLS

typedef struct _GstGlesSpan GstGlesSpan;

/* Inside a submission: the span begins when everything queued so far is done. NULL where the device has
 * no timer queries. */
GstGlesSpan *gst_gles_span_begin (GstGlesQueue *queue);
/* Inside the same submission: the span ends when everything queued so far is done. NULL is safe. */
void gst_gles_span_end (GstGlesSpan *span);
/* Waits, after the submission has ended, and frees @span: its length in nanoseconds. FALSE with @error:
 * DEVICE_LOST, or FAILED when the GPU's clock was not steady. */
gboolean gst_gles_span_take (GstGlesSpan *span, guint64 *time_ns, GError **error);

G_END_DECLS

#endif
