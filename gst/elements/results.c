/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "results.h"

/* how long a wait for the device goes unasked whether the pad is being flushed */
#define WAIT_SLICE_NS (50 * GST_MSECOND)

/* gst_gles_histogram_result_wait() and its like */
typedef gboolean (*WaitFunc) (gpointer result, guint64 timeout_ns, GError **error);

gboolean
results_collect (Results *results, ResultsParts parts, GstBuffer *buffer)
{
  *results = (Results){ 0 };
  if (parts & RESULTS_HISTOGRAM)
    results->histogram = gst_gles_histogram_result_from_buffer (buffer);
  if (parts & RESULTS_POINTS)
    results->points = gst_gles_points_result_from_buffer (buffer);
  if (parts & RESULTS_TILES)
    results->tiles = gst_gles_tiles_result_from_buffer (buffer);
  return results->histogram != NULL || results->points != NULL || results->tiles != NULL;
}

void
results_clear (Results *results)
{
  g_clear_pointer (&results->histogram, gst_gles_histogram_result_unref);
  g_clear_pointer (&results->points, gst_gles_points_result_unref);
  g_clear_pointer (&results->tiles, gst_gles_tiles_result_unref);
}

static GstFlowReturn
wait_for (gpointer result, WaitFunc wait, GstPad *pad, GError **error)
{
  GError *failure = NULL;

  while (result != NULL && !wait (result, WAIT_SLICE_NS, &failure)) {
    if (GST_PAD_IS_FLUSHING (pad)) {
      g_clear_error (&failure);
      return GST_FLOW_FLUSHING;
    }
    if (g_error_matches (failure, GST_GLES_ERROR, GST_GLES_ERROR_CANCELLED)) {
      GST_DEBUG_OBJECT (pad, "no result: %s", failure->message);
      g_clear_error (&failure);
      return RESULTS_FLOW_DISCARDED;
    }
    if (!g_error_matches (failure, GST_GLES_ERROR, GST_GLES_ERROR_TIMEOUT)) {
      g_propagate_error (error, failure);
      return GST_FLOW_ERROR;
    }
    g_clear_error (&failure);
  }
  return GST_FLOW_OK;
}

GstFlowReturn
results_wait (const Results *results, GstPad *pad, GError **error)
{
  GstFlowReturn flow =
      wait_for (results->histogram, (WaitFunc) gst_gles_histogram_result_wait, pad, error);

  if (flow == GST_FLOW_OK)
    flow = wait_for (results->points, (WaitFunc) gst_gles_points_result_wait, pad, error);
  if (flow == GST_FLOW_OK)
    flow = wait_for (results->tiles, (WaitFunc) gst_gles_tiles_result_wait, pad, error);
  return flow;
}
