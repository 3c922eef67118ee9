/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads what the analysers left on a buffer. Several gleshistogram stand in a row: the last one is
 * that of the page, and the others add channels of expressions to it. Events are structures, as on
 * the bus. */
#include "results.h"

#include <math.h>
#include <string.h>

#include <gst/gles/meta/points.h>

/* Adds a channel of @result to @results, if there is room. */
static gboolean
add_channel (ReportResults *results, GstGlesHistogramResult *result, guint number, GError **error)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);
  ReportChannel *channel = &results->channels[results->n_channels];

  if (results->n_channels == REPORT_MAX_CHANNELS)
    return TRUE;
  channel->name = info->channels[number].name;
  channel->depth = info->channels[number].depth;
  channel->has_emd = gst_gles_histogram_result_has_emd (result);
  channel->has_mad = info->channels[number].mad_offset != 0;
  channel->counts =
      gst_gles_histogram_result_get_native_counts (result, number, &channel->n_counts, error);
  results->n_channels++;
  if (channel->counts == NULL ||
      !gst_gles_histogram_result_get_statistics (result, number, &channel->statistics, error))
    return FALSE;
  channel->previous = channel->has_mad ? channel->statistics.mad_previous : NAN;
  return TRUE;
}

/* Adds the channels of expressions. */
static gboolean
add_computed (ReportResults *results, GstGlesHistogramResult *result, GError **error)
{
  const GstGlesHistogramInfo *info = gst_gles_histogram_result_get_info (result);

  for (guint i = 0; i < info->n_channels; i++) {
    if (info->channels[i].computed && !add_channel (results, result, i, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
report_read_histograms (GPtrArray *held, ReportResults *results, GError **error)
{
  GstGlesHistogramResult *last = g_ptr_array_index (held, held->len - 1);
  const GstGlesFrameInfo *frame = gst_gles_histogram_result_get_frame (last);
  const guint n = gst_gles_histogram_result_get_n_channels (last);
  guint repeated_rows, outliers;

  *results = (ReportResults){ .number = frame->number,
    .pts = frame->pts,
    .time = GST_CLOCK_TIME_IS_VALID (frame->stream_time) ? frame->stream_time
                                                         : frame->number * (GST_SECOND / 25),
    .duration = frame->duration,
    .width = frame->width,
    .height = frame->height,
    .format = gst_video_format_to_string (frame->format),
    .tout = NAN,
    .vrep = NAN,
    .brng = NAN };
  for (guint i = 0; i < n; i++) {
    if (!add_channel (results, last, i, error))
      return FALSE;
  }
  results->has_light = gst_gles_histogram_result_get_light (last, &results->light, NULL);
  for (guint i = 0; i + 1 < held->len; i++) {
    if (!add_computed (results, g_ptr_array_index (held, i), error))
      return FALSE;
  }
  if (gst_gles_histogram_result_get_outliers (last, &repeated_rows, &outliers, NULL)) {
    results->vrep = (gdouble) repeated_rows / frame->height;
    results->tout = (gdouble) outliers / ((gdouble) frame->width * frame->height);
  }
  results->has_crop = gst_gles_histogram_result_get_info (last)->crop_offset != 0;
  return !results->has_crop || gst_gles_histogram_result_get_crop (last, &results->crop, error);
}

/* The share of the pixels that glescompact counted. */
static gboolean
read_points (GstBuffer *buffer, ReportResults *results, GError **error)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_GLES_POINTS_META_API_TYPE)) != NULL) {
    GstGlesPointsResult *result = ((GstGlesPointsMeta *) meta)->result;
    const GstGlesFrameInfo *frame = gst_gles_points_result_get_frame (result);
    const gchar *name = frame->origin != NULL ? frame->origin->element : "";
    gdouble share;

    if (!gst_gles_points_result_wait (result, G_MAXUINT64, error))
      return FALSE;
    share = (gdouble) gst_gles_points_result_get_total (result) /
        ((gdouble) frame->width * frame->height);
    if (strcmp (name, REPORT_BRNG) == 0)
      results->brng = share;
  }
  return TRUE;
}

GPtrArray *
report_read_results (GstBuffer *buffer, ReportResults *results, GError **error)
{
  g_autoptr (GPtrArray) held =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_gles_histogram_result_unref);
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_GLES_HISTOGRAM_META_API_TYPE)) != NULL)
    g_ptr_array_add (held, gst_gles_histogram_result_ref (((GstGlesHistogramMeta *) meta)->result));
  if (held->len == 0 || !report_read_histograms (held, results, error) ||
      !read_points (buffer, results, error))
    return NULL;
  return g_steal_pointer (&held);
}

static gboolean
remove_points (GstBuffer *buffer, GstMeta **meta, gpointer user_data)
{
  if ((*meta)->info->api == GST_GLES_POINTS_META_API_TYPE)
    *meta = NULL;
  return TRUE;
}

GstBuffer *
report_remove_points (GstBuffer *buffer)
{
  gpointer state = NULL;

  if (gst_buffer_iterate_meta_filtered (buffer, &state, GST_GLES_POINTS_META_API_TYPE) == NULL)
    return buffer;
  buffer = gst_buffer_make_writable (buffer);
  gst_buffer_foreach_meta (buffer, remove_points, NULL);
  return buffer;
}

/* Adds a field of an event to @user_data, the members of its line. */
static gboolean
add_member (GQuark field, const GValue *value, gpointer user_data)
{
  g_autofree gchar *name = g_strdelimit (g_strdup (g_quark_to_string (field)), "-", '_');
  JsonObject *line = user_data;

  if (G_VALUE_HOLDS_DOUBLE (value)) {
    json_object_set_double_member (line, name, g_value_get_double (value));
  } else if (G_VALUE_HOLDS_UINT64 (value)) {
    if (GST_CLOCK_TIME_IS_VALID (g_value_get_uint64 (value)))
      json_object_set_int_member (line, name, (gint64) g_value_get_uint64 (value));
  } else {
    g_autofree gchar *text =
        G_VALUE_HOLDS_STRING (value) ? g_value_dup_string (value) : gst_value_serialize (value);

    if (text != NULL)
      json_object_set_string_member (line, name, text);
  }
  return TRUE;
}

JsonObject *
report_describe_event (const GstStructure *event)
{
  JsonObject *line = json_object_new ();

  gst_structure_foreach (event, add_member, line);
  json_object_remove_member (line, "timestamp"); /* the same as pts */
  return line;
}

static gboolean
begins_with (const gchar *text, gsize size, const gchar *start)
{
  return size >= strlen (start) && memcmp (text, start, strlen (start)) == 0;
}

gboolean
report_is_event_line (const gchar *text, gsize size)
{
  guint depth = 0;
  gboolean quoted = FALSE;

  for (gsize i = 0; i < size; i++) {
    if (depth == 1 && !quoted && begins_with (text + i, size - i, "\"event\":"))
      return TRUE;
    if (depth == 1 && !quoted && begins_with (text + i, size - i, "\"frame\":"))
      return FALSE;
    if (text[i] == '"')
      quoted = !quoted;
    else if (text[i] == '\\' && quoted)
      i++;
    else if (!quoted && strchr ("{[", text[i]) != NULL)
      depth++;
    else if (!quoted && strchr ("}]", text[i]) != NULL)
      depth--;
  }
  return FALSE;
}
