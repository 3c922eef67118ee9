/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "results.h"

#include <gst/video/gstvideometa.h>

/* While waiting for the device, a flush of the pad is noticed after at most this time. */
#define WAIT_SLICE_NS (50 * GST_MSECOND)

/* After this many buffers without results (some seconds of video) the stream is expected to have
 * none. */
#define EXPECTED_WITHIN 50

static const struct {
  ResultsParts part;
  gsize offset; /* of the member in Results */
  gpointer (*from_buffer) (GstBuffer *buffer);
  ResultsWaitFunc wait;
  const GstGlesFrameInfo *(*get_frame) (gpointer result);
} kinds[] = {
#define KIND(Name, name, NAME, coordinates)                                                        \
  { RESULTS_##NAME, G_STRUCT_OFFSET (Results, name),                                               \
    (gpointer (*) (GstBuffer *)) gst_gles_##name##_result_from_buffer,                             \
    (ResultsWaitFunc) gst_gles_##name##_result_wait,                                               \
    (const GstGlesFrameInfo *(*) (gpointer)) gst_gles_##name##_result_get_frame },
  GST_GLES_RESULT_KINDS (KIND)
};

/* Returns the place of the result of kinds[@i]. */
static GstMiniObject **
result_of (const Results *results, guint i)
{
  return &G_STRUCT_MEMBER (GstMiniObject *, results, kinds[i].offset);
}

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
  gboolean found = FALSE;

  *results = (Results){ 0 };
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if (parts & kinds[i].part)
      *result_of (results, i) = kinds[i].from_buffer (buffer);
    found |= *result_of (results, i) != NULL;
  }
  if ((parts & RESULTS_INTERESTS) && results_has_interests (buffer))
    results->interests = gst_buffer_ref (buffer);
  return found || results->interests != NULL;
}

void
results_clear (Results *results)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    gst_clear_mini_object (result_of (results, i));
  gst_clear_buffer (&results->interests);
}

const GstGlesFrameInfo *
results_get_frame (const Results *results)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if (*result_of (results, i) != NULL)
      return kinds[i].get_frame (*result_of (results, i));
  }
  g_return_val_if_reached (NULL);
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
  g_autoptr (GError) stayed = NULL;
  guint n_here = 0;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    GstMiniObject **result = result_of (results, i);
    GError *failure = NULL;
    GstFlowReturn flow = wait_for (*result, kinds[i].wait, pad, &failure);

    if (g_error_matches (failure, GST_GLES_ERROR, GST_GLES_ERROR_INVALID)) {
      GST_INFO_OBJECT (pad, "left out: %s", failure->message);
      gst_clear_mini_object (result);
      g_clear_error (&stayed);
      stayed = failure;
    } else if (flow != GST_FLOW_OK) {
      if (failure != NULL)
        g_propagate_error (error, failure);
      return flow;
    } else if (*result != NULL) {
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
