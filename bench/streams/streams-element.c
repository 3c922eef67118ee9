/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The measured element and its results. */
#include "streams.h"

/* The time after which a result counts as lost. */
#define RESULT_TIMEOUT_NS (60 * GST_SECOND)

static gboolean
has_device (GstElement *element)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  return factory != NULL && g_str_has_prefix (GST_OBJECT_NAME (factory), "gles") &&
      g_object_class_find_property (G_OBJECT_GET_CLASS (element), "device") != NULL;
}

/* Returns the elements of @bin that choose a device: (transfer full). */
static GPtrArray *
elements_with_device (GstElement *bin)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (gst_object_unref);
  GstIterator *all = gst_bin_iterate_recurse (GST_BIN (bin));
  GValue item = G_VALUE_INIT;

  /* Only this thread has the bin, so iterating needs no resync. */
  while (gst_iterator_next (all, &item) == GST_ITERATOR_OK) {
    if (has_device (g_value_get_object (&item)))
      g_ptr_array_add (found, g_value_dup_object (&item));
    g_value_reset (&item);
  }
  g_value_unset (&item);
  gst_iterator_free (all);
  return found;
}

static gboolean
has_pad (GstElement *bin, const gchar *name)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (bin, name);

  return pad != NULL;
}

GstElement *
streams_element_new (
    const gchar *description, const gchar *device, guint *n_devices, GError **error)
{
  GstElement *bin = gst_parse_bin_from_description_full (
      description, TRUE, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);

  if (bin == NULL)
    return NULL;
  if (!has_pad (bin, "sink") || !has_pad (bin, "src")) {
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_PAD,
        "frames have to go through the element and come out again, and \"%s\" has no free %s pad",
        description, has_pad (bin, "sink") ? "source" : "sink");
    gst_object_unref (gst_object_ref_sink (bin));
    return NULL;
  }
  g_autoptr (GPtrArray) elements = elements_with_device (bin);
  for (guint i = 0; device != NULL && i < elements->len; i++)
    g_object_set (elements->pdata[i], "device", device, NULL);
  *n_devices = elements->len;
  return bin;
}

gchar *
streams_element_describe_device (GstElement *bin)
{
  g_autoptr (GPtrArray) elements = elements_with_device (bin);
  gchar *description = NULL;

  if (elements->len > 0)
    g_object_get (elements->pdata[0], "device-description", &description, NULL);
  return description;
}

void
streams_element_count_frames (GstElement *bin, JsonObject *row)
{
  static const gchar *const ways[][2] = { { "frames-copied", "frames_copied" },
    { "frames-imported", "frames_imported" }, { "frames-resident", "frames_resident" },
    { "frames-reused", "frames_reused" } };
  g_autoptr (GPtrArray) elements = elements_with_device (bin);
  guint64 sums[G_N_ELEMENTS (ways)] = { 0 };

  for (guint i = 0; i < elements->len; i++) {
    g_autoptr (GstStructure) stats = NULL;

    g_object_get (elements->pdata[i], "stats", &stats, NULL);
    for (guint k = 0; k < G_N_ELEMENTS (ways); k++) {
      guint64 n = 0;
      if (gst_structure_get_uint64 (stats, ways[k][0], &n))
        sums[k] += n;
    }
  }
  for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
    json_object_set_int_member (row, ways[k][1], sums[k]);
}

/* Returns the device of the first such element in @bin, from READY on: (transfer full)
 * (nullable). */
static GstGlesDevice *
find_device (GstElement *bin)
{
  g_autoptr (GPtrArray) elements = elements_with_device (bin);
  GstQuery *query = gst_query_new_context (GST_GLES_DEVICE_CONTEXT_TYPE);
  GstGlesDevice *device = NULL;
  GstContext *context = NULL;

  if (elements->len > 0 && gst_element_query (elements->pdata[0], query))
    gst_query_parse_context (query, &context);
  if (context != NULL)
    gst_gles_device_handle_set_context (context, "auto", &device);
  gst_query_unref (query);
  return device;
}

void
streams_element_add_link (const StreamsOptions *options, GstElement *bin, JsonObject *row)
{
  const gboolean crosses = options->memory == STREAMS_SYSTEM || options->memory == STREAMS_DEVICE;
  g_autoptr (GstGlesDevice) device = crosses ? find_device (bin) : NULL;
  GstGlesLink link = { 0 };
  const gdouble bytes_per_s = json_object_get_double_member (row, "frames_per_s") *
      (gdouble) GST_VIDEO_INFO_SIZE (&options->video);

  json_object_set_null_member (row, "link_gb_per_s");
  json_object_set_null_member (row, "link_share");
  if (device != NULL) {
    gst_gles_engine_find (device);
    gst_gles_link_get (device, &link);
  }
  if (gst_gles_link_get_best (&link) <= 0)
    return;
  bench_add_numbers (row, "link_gb_per_s", "mapped_read", link.mapped_read / 1e9, "copy",
      link.copy / 1e9, "readback", link.readback / 1e9, "transfer", link.transfer / 1e9, NULL);
  bench_add_number (row, "link_share", bytes_per_s / gst_gles_link_get_best (&link));
}

/* Counts a result that came. A result that stays on the device, because of readback=false, is not
 * counted and is no error. @why: (transfer full) (nullable). */
static gboolean
count_result (gboolean came, GError *why, guint *n_results, GError **error)
{
  *n_results += came;
  if (came || g_error_matches (why, GST_GLES_ERROR, GST_GLES_ERROR_INVALID)) {
    g_clear_error (&why);
    return TRUE;
  }
  g_propagate_error (error, why);
  return FALSE;
}

/* Waits for the last result of one kind on @buffer, if there is one. */
#define READ_RESULT(kind)                                                                          \
  static gboolean read_##kind (GstBuffer *buffer, guint *n_results, GError **error)                \
  {                                                                                                \
    gpointer result = gst_gles_##kind##_result_from_buffer (buffer);                               \
    GError *why = NULL;                                                                            \
    gboolean came;                                                                                 \
                                                                                                   \
    if (result == NULL)                                                                            \
      return TRUE;                                                                                 \
    came = gst_gles_##kind##_result_wait (result, RESULT_TIMEOUT_NS, &why);                        \
    gst_mini_object_unref (result);                                                                \
    return count_result (came, why, n_results, error);                                             \
  }

READ_RESULT (histogram)
READ_RESULT (points)
READ_RESULT (tiles)
READ_RESULT (regions)

gboolean
streams_read_results (GstBuffer *buffer, guint *n_results, guint64 *n_points, GError **error)
{
  g_autoptr (GstGlesPointsResult) points = gst_gles_points_result_from_buffer (buffer);

  if (!read_histogram (buffer, n_results, error) || !read_points (buffer, n_results, error) ||
      !read_tiles (buffer, n_results, error) || !read_regions (buffer, n_results, error))
    return FALSE;
  if (points != NULL)
    *n_points += gst_gles_points_result_get_count (points);
  return TRUE;
}
