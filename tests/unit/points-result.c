/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Points results that are complete from the start, and the transforms of their metas. */
#include <gst/check/gstcheck.h>
#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/points.h>
#include <gst/video/gstvideometa.h>

#include <string.h>

static const GstGlesPoint three[] = { { 5, 0, 200 }, { 65535, 0, 65535 }, { 0, 65535, 1020 } };

static const GstGlesPointsInfo some_info = {
  .frame = 7,
  .pts = 1 * GST_SECOND,
  .duration = 2 * GST_SECOND,
  .running_time = 3 * GST_SECOND,
  .stream_time = 4 * GST_SECOND,
  .width = 65536,
  .height = 65536,
  .format = GST_VIDEO_FORMAT_GRAY16_LE,
  .range = GST_VIDEO_COLOR_RANGE_16_235,
  .x = 1,
  .y = 2,
  .region_width = 30,
  .region_height = 40,
  .predicate = GST_GLES_POINTS_EDGE,
  .channel = 2,
  .lower = 11,
  .upper = 12,
  .max_points = 3,
};

static GstGlesPointsResult *
result_of (guint count, guint64 total)
{
  const GstGlesResult counted = { total, count, 0 };
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_counted (&counted, g_bytes_new (three, count * sizeof *three));

  return gst_gles_points_result_new (&some_info, readback, NULL, NULL);
}

GST_START_TEST (test_points_as_they_came)
{
  g_autoptr (GstGlesPointsResult) result = result_of (3, 10);
  g_autoptr (GError) error = NULL;
  const GstGlesPoint *points;
  GBytes *bytes;
  guint n, x, y, value;

  fail_unless (gst_gles_points_result_is_ready (result));
  fail_unless (gst_gles_points_result_wait (result, 0, &error));
  points = gst_gles_points_result_get_points (result, &n, &error);
  fail_unless_equals_int (n, 3);
  fail_unless_equals_int (memcmp (points, three, sizeof three), 0);
  fail_unless_equals_int (gst_gles_points_result_get_count (result), 3);
  fail_unless_equals_uint64 (gst_gles_points_result_get_total (result), 10);
  fail_unless (gst_gles_points_result_is_truncated (result));
  fail_unless (gst_gles_points_result_get_point (result, 2, &x, &y, &value, &error));
  fail_unless (x == 0 && y == 65535 && value == 1020);
  fail_unless (gst_gles_points_result_get_point (result, 0, NULL, NULL, NULL, &error));
  fail_if (gst_gles_points_result_get_point (result, 3, &x, &y, &value, &error));
  fail_unless (g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID));

  /* bytes outlive the caller's reference */
  bytes = gst_gles_points_result_get_bytes (result, NULL);
  g_clear_pointer (&result, gst_gles_points_result_unref);
  fail_unless_equals_int (g_bytes_get_size (bytes), sizeof three);
  fail_unless_equals_int (memcmp (g_bytes_get_data (bytes, NULL), three, sizeof three), 0);
  g_bytes_unref (bytes);
}

GST_END_TEST;

GST_START_TEST (test_no_points_are_an_array_too)
{
  g_autoptr (GstGlesPointsResult) result = result_of (0, 0);
  guint n = 1;

  fail_unless (gst_gles_points_result_get_points (result, &n, NULL) != NULL);
  fail_unless_equals_int (n, 0);
  fail_if (gst_gles_points_result_is_truncated (result));
}

GST_END_TEST;

GST_START_TEST (test_description)
{
  g_autoptr (GstGlesPointsResult) result = result_of (1, 1);
  guint a, b, c, d;

  gst_gles_points_result_get_size (result, &a, &b);
  fail_unless (a == 65536 && b == 65536);
  gst_gles_points_result_get_region (result, &a, &b, &c, &d);
  fail_unless (a == 1 && b == 2 && c == 30 && d == 40);
  fail_unless_equals_int (
      gst_gles_points_result_get_predicate (result, &a, &b), GST_GLES_POINTS_EDGE);
  fail_unless (a == 11 && b == 12);
  fail_unless_equals_int (gst_gles_points_result_get_channel (result), 2);
  fail_unless_equals_int (gst_gles_points_result_get_max_points (result), 3);
  fail_unless_equals_int (gst_gles_points_result_get_format (result), GST_VIDEO_FORMAT_GRAY16_LE);
  fail_unless_equals_int (gst_gles_points_result_get_range (result), GST_VIDEO_COLOR_RANGE_16_235);
  fail_unless_equals_uint64 (gst_gles_points_result_get_frame_number (result), 7);
  fail_unless_equals_uint64 (gst_gles_points_result_get_pts (result), 1 * GST_SECOND);
  fail_unless_equals_uint64 (gst_gles_points_result_get_duration (result), 2 * GST_SECOND);
  fail_unless_equals_uint64 (gst_gles_points_result_get_running_time (result), 3 * GST_SECOND);
  fail_unless_equals_uint64 (gst_gles_points_result_get_stream_time (result), 4 * GST_SECOND);
}

GST_END_TEST;

GST_START_TEST (test_points_that_stay_on_the_device)
{
  g_autoptr (GstGlesDevice) device = gst_gles_device_new ("cpu", NULL);
  g_autoptr (GstGlesBuffer) points = gst_gles_buffer_new (device, 24, NULL);
  g_autoptr (GstGlesBuffer) counts = gst_gles_buffer_new (device, 16, NULL);
  g_autoptr (GstGlesPointsResult) result =
      gst_gles_points_result_new (&some_info, NULL, points, counts);
  g_autoptr (GstGlesBuffer) on_device = gst_gles_points_result_get_device_buffer (result);
  g_autoptr (GstGlesBuffer) how_many = gst_gles_points_result_get_device_counts (result);
  g_autoptr (GstGlesDevice) where = gst_gles_points_result_get_device (result);
  g_autoptr (GError) error = NULL;
  guint n;

  fail_unless (on_device == points && how_many == counts && where == device);
  fail_if (gst_gles_points_result_is_ready (result));
  fail_unless (gst_gles_points_result_get_points (result, &n, &error) == NULL);
  fail_unless (g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID));
  fail_unless (strstr (error->message, "readback=true") != NULL, "%s", error->message);
  fail_unless_equals_int (gst_gles_points_result_get_count (result), 0);
}

GST_END_TEST;

GST_START_TEST (test_device_buffers_can_be_let_go)
{
  const GstGlesResult counted = { 1, 1, 0 };
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_counted (&counted, g_bytes_new (three, sizeof *three));
  g_autoptr (GstGlesDevice) device = gst_gles_device_new ("cpu", NULL);
  g_autoptr (GstGlesBuffer) points = gst_gles_buffer_new (device, 24, NULL);
  g_autoptr (GstGlesBuffer) counts = gst_gles_buffer_new (device, 16, NULL);
  g_autoptr (GstGlesPointsResult) result =
      gst_gles_points_result_new (&some_info, readback, points, counts);

  gst_gles_points_result_release_device (result);
  fail_unless_equals_int (GST_MINI_OBJECT_REFCOUNT_VALUE (points), 1);
  fail_unless_equals_int (GST_MINI_OBJECT_REFCOUNT_VALUE (counts), 1);
  fail_unless (gst_gles_points_result_get_device_buffer (result) == NULL);
  fail_unless (gst_gles_points_result_get_device_counts (result) == NULL);
  fail_unless (gst_gles_points_result_get_device (result) == NULL);
  fail_unless_equals_int (gst_gles_points_result_get_count (result), 1);
}

GST_END_TEST;

/* Applies a transform to a buffer's meta: how many the target has. */
static guint
metas_after (GQuark type, gpointer data)
{
  g_autoptr (GstGlesPointsResult) result = result_of (1, 1);
  GstBuffer *buffer = gst_buffer_new (), *target = gst_buffer_new ();
  GstMeta *meta = (GstMeta *) gst_buffer_add_gles_points_meta (buffer, result);
  g_autoptr (GstGlesPointsResult) found = NULL;
  guint n;

  meta->info->transform_func (target, meta, buffer, type, data);
  n = gst_buffer_get_n_meta (target, GST_GLES_POINTS_META_API_TYPE);
  found = gst_gles_points_result_from_buffer (target);
  fail_unless ((found == result) == (n == 1));
  gst_buffer_unref (buffer);
  gst_buffer_unref (target);
  return n;
}

GST_START_TEST (test_copies_and_scaled_pictures_share_the_result)
{
  GstMetaTransformCopy whole = { FALSE, 0, -1 }, part = { TRUE, 0, 10 };
  GstVideoInfo in, out;
  GstVideoMetaTransform scale = { &in, &out };

  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_I420, 64, 48);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_I420, 32, 24);
  fail_unless_equals_int (metas_after (_gst_meta_transform_copy, &whole), 1);
  fail_unless_equals_int (metas_after (_gst_meta_transform_copy, &part), 0);
  fail_unless_equals_int (metas_after (gst_video_meta_transform_scale_get_quark (), &scale), 1);
  fail_unless_equals_int (metas_after (g_quark_from_static_string ("rotate"), NULL), 0);
}

GST_END_TEST;

GST_START_TEST (test_tags)
{
  const gchar **tags = (const gchar **) gst_meta_api_type_get_tags (GST_GLES_POINTS_META_API_TYPE);

  fail_unless (g_strv_contains (tags, GST_META_TAG_VIDEO_SIZE_STR));
  fail_unless (g_strv_contains (tags, GST_META_TAG_VIDEO_ORIENTATION_STR));
}

GST_END_TEST;

GST_START_TEST (test_the_meta_added_last_counts)
{
  g_autoptr (GstGlesPointsResult) one = result_of (1, 1);
  g_autoptr (GstGlesPointsResult) other = result_of (2, 2);
  g_autoptr (GstGlesPointsResult) found = NULL;
  GstBuffer *buffer = gst_buffer_new ();

  fail_unless (gst_gles_points_result_from_buffer (buffer) == NULL);
  gst_buffer_add_gles_points_meta (buffer, one);
  gst_buffer_add_gles_points_meta (buffer, other);
  found = gst_gles_points_result_from_buffer (buffer);
  fail_unless (found == other);
  gst_buffer_unref (buffer);
  fail_unless_equals_int (GST_MINI_OBJECT_REFCOUNT_VALUE (one), 1);
}

GST_END_TEST;

#if GST_CHECK_VERSION(1, 24, 0)
GST_START_TEST (test_serialised_and_back)
{
  /* behind the last field is padding */
  const gsize described_bytes =
      G_STRUCT_OFFSET (GstGlesPointsInfo, max_points) + sizeof some_info.max_points;
  g_autoptr (GstGlesPointsResult) result = result_of (3, 10);
  g_autoptr (GstGlesPointsResult) copy = NULL;
  GstBuffer *buffer = gst_buffer_new (), *target = gst_buffer_new ();
  GstMeta *meta = (GstMeta *) gst_buffer_add_gles_points_meta (buffer, result);
  GByteArray *bytes = g_byte_array_new ();
  const GstGlesPoint *points;
  guint32 consumed;
  guint n;

  fail_unless (gst_meta_serialize_simple (meta, bytes));
  fail_unless (gst_meta_deserialize (target, bytes->data, bytes->len, &consumed) != NULL);
  copy = gst_gles_points_result_from_buffer (target);
  fail_unless_equals_int (
      memcmp (gst_gles_points_result_get_info (copy), &some_info, described_bytes), 0);
  points = gst_gles_points_result_get_points (copy, &n, NULL);
  fail_unless_equals_int (n, 3);
  fail_unless_equals_int (memcmp (points, three, sizeof three), 0);
  fail_unless_equals_uint64 (gst_gles_points_result_get_total (copy), 10);
  g_byte_array_unref (bytes);
  gst_buffer_unref (buffer);
  gst_buffer_unref (target);
}

GST_END_TEST;
#endif

static Suite *
points_result_suite (void)
{
  Suite *s = suite_create ("points-result");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_points_as_they_came);
  tcase_add_test (tc, test_no_points_are_an_array_too);
  tcase_add_test (tc, test_description);
  tcase_add_test (tc, test_points_that_stay_on_the_device);
  tcase_add_test (tc, test_device_buffers_can_be_let_go);
  tcase_add_test (tc, test_copies_and_scaled_pictures_share_the_result);
  tcase_add_test (tc, test_tags);
  tcase_add_test (tc, test_the_meta_added_last_counts);
#if GST_CHECK_VERSION(1, 24, 0)
  tcase_add_test (tc, test_serialised_and_back);
#endif
  return s;
}

GST_CHECK_MAIN (points_result);
