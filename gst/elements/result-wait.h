/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waiting for results in a streaming thread, for elements behind the analysers. */
#ifndef GST_GLES_RESULT_WAIT_H
#define GST_GLES_RESULT_WAIT_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* gst_gles_histogram_result_wait() and its like */
typedef gboolean (*GstGlesResultWaitFunc) (
    GstMiniObject *result, guint64 timeout_ns, GError **error);

/* no result for this frame, and nothing wrong */
#define GST_GLES_FLOW_DISCARDED GST_FLOW_CUSTOM_SUCCESS

/* Waits until @result is there, but not beyond a flush of @pad or a change of state.
 * OK; FLUSHING; DISCARDED when a flush upstream discarded the work and is on its way here;
 * ERROR, for which alone @error is set. */
GstFlowReturn gst_gles_result_wait (
    GstPad *pad, GstMiniObject *result, GstGlesResultWaitFunc wait, GError **error);

G_END_DECLS

#endif
