/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "result-wait.h"

#include <gst/gles/core/error.h>

/* how long a wait for the device goes unasked whether the pad is being flushed */
#define WAIT_SLICE_NS (50 * GST_MSECOND)

GstFlowReturn
gst_gles_result_wait (
    GstPad *pad, GstMiniObject *result, GstGlesResultWaitFunc wait, GError **error)
{
  GError *failure = NULL;

  while (!wait (result, WAIT_SLICE_NS, &failure)) {
    if (GST_PAD_IS_FLUSHING (pad)) {
      g_clear_error (&failure);
      return GST_FLOW_FLUSHING;
    }
    if (g_error_matches (failure, GST_GLES_ERROR, GST_GLES_ERROR_CANCELLED)) {
      GST_DEBUG_OBJECT (pad, "no result: %s", failure->message);
      g_clear_error (&failure);
      return GST_GLES_FLOW_DISCARDED;
    }
    if (!g_error_matches (failure, GST_GLES_ERROR, GST_GLES_ERROR_TIMEOUT)) {
      g_propagate_error (error, failure);
      return GST_FLOW_ERROR;
    }
    g_clear_error (&failure);
  }
  return GST_FLOW_OK;
}
