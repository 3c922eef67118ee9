/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "results.h"

#include <gst/video/gstvideometa.h>

/* While waiting for the device, a flush of the pad is noticed after at most this time. */
#define WAIT_SLICE_NS (50 * GST_MSECOND)

/* After this many buffers without results (some seconds of video) the stream is expected to have
 * none. */
#define EXPECTED_WITHIN 50

gboolean
results_has_interests (GstBuffer *buffer)
{
  gpointer state = NULL;

  return gst_buffer_iterate_meta_filtered (
             buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE) != NULL;
}

gboolean
results_is_gap (GstBuffer *buffer)
{
  return GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP) && gst_buffer_get_size (buffer) == 0;
}

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
  if (parts & RESULTS_REGIONS)
    results->regions = gst_gles_regions_result_from_buffer (buffer);
  if (parts & RESULTS_TRACKS)
    results->tracks = gst_gles_tracks_result_from_buffer (buffer);
  if (parts & RESULTS_ZONES)
    results->zones = gst_gles_zones_result_from_buffer (buffer);
  if ((parts & RESULTS_INTERESTS) && results_has_interests (buffer))
    results->interests = gst_buffer_ref (buffer);
  return results->histogram != NULL || results->points != NULL || results->tiles != NULL ||
      results->regions != NULL || results->tracks != NULL || results->zones != NULL ||
      results->interests != NULL;
}

void
results_clear (Results *results)
{
  g_clear_pointer (&results->histogram, gst_gles_histogram_result_unref);
  g_clear_pointer (&results->points, gst_gles_points_result_unref);
  g_clear_pointer (&results->tiles, gst_gles_tiles_result_unref);
  g_clear_pointer (&results->regions, gst_gles_regions_result_unref);
  g_clear_pointer (&results->tracks, gst_gles_tracks_result_unref);
  g_clear_pointer (&results->zones, gst_gles_zones_result_unref);
  gst_clear_buffer (&results->interests);
}

static GstFlowReturn
wait_for (gpointer result, ResultsWaitFunc wait, GstPad *pad, GError **error)
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
results_wait (Results *results, GstPad *pad, GError **error)
{
  const struct {
    GstMiniObject **result;
    ResultsWaitFunc wait;
  } parts[] = {
    { (GstMiniObject **) &results->histogram, (ResultsWaitFunc) gst_gles_histogram_result_wait },
    { (GstMiniObject **) &results->points, (ResultsWaitFunc) gst_gles_points_result_wait },
    { (GstMiniObject **) &results->tiles, (ResultsWaitFunc) gst_gles_tiles_result_wait },
    { (GstMiniObject **) &results->regions, (ResultsWaitFunc) gst_gles_regions_result_wait },
    { (GstMiniObject **) &results->tracks, (ResultsWaitFunc) gst_gles_tracks_result_wait },
    { (GstMiniObject **) &results->zones, (ResultsWaitFunc) gst_gles_zones_result_wait },
  };
  g_autoptr (GError) stayed = NULL;
  guint n_here = 0;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    GError *failure = NULL;
    GstFlowReturn flow = wait_for (*parts[i].result, parts[i].wait, pad, &failure);

    if (g_error_matches (failure, GST_GLES_ERROR, GST_GLES_ERROR_INVALID)) {
      GST_INFO_OBJECT (pad, "left out: %s", failure->message);
      gst_clear_mini_object (parts[i].result);
      g_clear_error (&stayed);
      stayed = failure;
    } else if (flow != GST_FLOW_OK) {
      if (failure != NULL)
        g_propagate_error (error, failure);
      return flow;
    } else if (*parts[i].result != NULL) {
      n_here++;
    }
  }
  if (n_here > 0 || stayed == NULL || results->interests != NULL)
    return GST_FLOW_OK;
  g_propagate_error (error, g_steal_pointer (&stayed));
  return GST_FLOW_ERROR;
}

/* ---- warning about missing results ---- */

static void
warn_missing (ResultsExpected *expected, GstElement *element, const gchar *wanted)
{
  const gchar *name = GST_OBJECT_NAME (gst_element_get_factory (element));

  expected->settled = TRUE;
  GST_ELEMENT_WARNING (element, STREAM, FAILED,
      ("%s has nothing to do: no buffer carries %s; put such an element before it", name, wanted),
      ("after %u buffers; this is said once", expected->n_without));
}

void
results_expect_buffer (
    ResultsExpected *expected, GstElement *element, gboolean found, const gchar *wanted)
{
  if (expected->settled)
    return;
  if (found)
    expected->settled = TRUE;
  else if (++expected->n_without >= EXPECTED_WITHIN)
    warn_missing (expected, element, wanted);
}

void
results_expect_end (ResultsExpected *expected, GstElement *element, const gchar *wanted)
{
  if (!expected->settled && expected->n_without > 0)
    warn_missing (expected, element, wanted);
}
