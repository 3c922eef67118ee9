/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Points results that are complete from the start, or on the device. */
#include "result-samples.h"

static void
test_points_as_they_came (void)
{
  GstGlesPointsResult *result = sample_points (&sample_points_info, 3);
  GError *error = NULL;
  const GstGlesPoint *points;
  g_autoptr (GBytes) bytes = NULL;
  guint n, x, y, value;

  g_assert_true (gst_gles_points_result_is_ready (result));
  g_assert_true (gst_gles_points_result_wait (result, 0, &error));
  points = gst_gles_points_result_get_points (result, &n, &error);
  g_assert_cmpmem (points, n * sizeof *points, sample_points_array, sizeof sample_points_array);
  g_assert_cmpuint (gst_gles_points_result_get_count (result), ==, 3);
  g_assert_cmpuint (
      gst_gles_points_result_get_total (result), ==, G_GUINT64_CONSTANT (10000000003));
  g_assert_true (gst_gles_points_result_is_truncated (result));
  g_assert_true (gst_gles_points_result_get_point (result, 1, &x, &y, &value, &error));
  g_assert_true (x == 65535 && y == 4 && value == G_MAXUINT);
  g_assert_true (gst_gles_points_result_get_point (result, 0, NULL, NULL, NULL, &error));
  g_assert_false (gst_gles_points_result_get_point (result, 3, &x, &y, &value, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  g_clear_error (&error);

  /* bytes outlive the caller's reference */
  bytes = gst_gles_points_result_get_bytes (result, NULL);
  gst_gles_points_result_unref (result);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), sample_points_array,
      sizeof sample_points_array);
}

static void
test_no_points_are_an_array_too (void)
{
  g_autoptr (GstGlesReadback) readback =
      counted_readback (&(GstGlesResult){ 0, 0, 0 }, sample_points_array, 0);
  g_autoptr (GstGlesPointsResult) result =
      gst_gles_points_result_new (&sample_points_info, readback, NULL, NULL);
  guint n = 1;

  g_assert_nonnull (gst_gles_points_result_get_points (result, &n, NULL));
  g_assert_cmpuint (n, ==, 0);
  g_assert_false (gst_gles_points_result_is_truncated (result));
}

static void
test_description (void)
{
  const GstGlesPointsInfo *info = &sample_points_info;
  g_autoptr (GstGlesPointsResult) result = sample_points (info, 1);
  guint lower, upper;

  CHECK_DESCRIPTION (points, result, info);
  CHECK_REGION (points, result, info);
  g_assert_cmpint (gst_gles_points_result_get_range (result), ==, info->range);
  g_assert_cmpint (
      gst_gles_points_result_get_predicate (result, &lower, &upper), ==, GST_GLES_POINTS_EDGE);
  g_assert_true (lower == 10 && upper == G_MAXUINT);
  g_assert_cmpint (gst_gles_points_result_get_channel (result), ==, GST_GLES_POINTS_LUMA);
  g_assert_cmpuint (gst_gles_points_result_get_max_points (result), ==, 12);
}

/* Without a readback the points stay on the device; with one, its buffers can be let go. */
static void
test_on_the_device (void)
{
  g_autoptr (GstGlesDevice) device = gst_gles_device_new ("cpu", NULL);
  g_autoptr (GstGlesBuffer) points = gst_gles_buffer_new (device, 24, NULL);
  g_autoptr (GstGlesBuffer) counts = gst_gles_buffer_new (device, 16, NULL);
  g_autoptr (GstGlesReadback) readback =
      counted_readback (&(GstGlesResult){ 1, 1, 0 }, sample_points_array, 2);

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstGlesPointsResult) result =
        gst_gles_points_result_new (&sample_points_info, i == 0 ? NULL : readback, points, counts);
    g_autoptr (GstGlesBuffer) on_device = gst_gles_points_result_get_device_buffer (result);
    g_autoptr (GstGlesBuffer) how_many = gst_gles_points_result_get_device_counts (result);
    g_autoptr (GstGlesDevice) where = gst_gles_points_result_get_device (result);
    g_autoptr (GError) error = NULL;
    guint n;

    g_assert_true (on_device == points && how_many == counts && where == device);
    g_assert_cmpint (gst_gles_points_result_is_ready (result), ==, i);
    g_assert_cmpuint (gst_gles_points_result_get_count (result), ==, i);
    if (i == 0) {
      g_assert_null (gst_gles_points_result_get_points (result, &n, &error));
      g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, "readback=true"));
      continue;
    }
    gst_gles_points_result_release_device (result);
    g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (points), ==, 2);
    g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (counts), ==, 2);
    g_assert_null (gst_gles_points_result_get_device_buffer (result));
    g_assert_null (gst_gles_points_result_get_device_counts (result));
    g_assert_null (gst_gles_points_result_get_device (result));
    g_assert_cmpuint (gst_gles_points_result_get_count (result), ==, 1);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  g_test_add_func ("/points-result/points-as-they-came", test_points_as_they_came);
  g_test_add_func ("/points-result/no-points-are-an-array-too", test_no_points_are_an_array_too);
  g_test_add_func ("/points-result/description", test_description);
  g_test_add_func ("/points-result/on-the-device", test_on_the_device);
  return g_test_run ();
}
