/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The contents of tile results. */
#include "result-samples.h"

static void
check_words (const guint32 *got, guint n_got, const guint32 *want, guint n)
{
  g_assert_nonnull (got);
  g_assert_cmpmem (got, 4 * n_got, want, 4 * n);
}

static void
test_arrays (void)
{
  static const struct {
    guint tile, first, n;
  } lists[] = { { 1, 0, 3 }, { 4, 4, 1 }, { 5, 5, 0 } };
  g_autoptr (GstGlesTilesResult) result = sample_tiles (7, 5, 5);
  guint n, occupied, largest;
  GError *error = NULL;
  const guint32 *words;

  g_assert_true (gst_gles_tiles_result_is_ready (result));
  g_assert_true (gst_gles_tiles_result_wait (result, 0, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (gst_gles_tiles_result_get_total (result), ==, 77);
  g_assert_cmpuint (gst_gles_tiles_result_get_count (result), ==, 5);
  g_assert_true (gst_gles_tiles_result_is_truncated (result));
  words = gst_gles_tiles_result_get_offsets (result, &n, NULL);
  check_words (words, n, sample_offsets, 7);
  words = gst_gles_tiles_result_get_indices (result, &n, NULL);
  check_words (words, n, sample_indices, 5);
  words = gst_gles_tiles_result_get_keys (result, &n, NULL);
  check_words (words, n, sample_keys, 5);
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++) {
    words = gst_gles_tiles_result_get_tile (result, lists[i].tile, &n, NULL);
    check_words (words, n, sample_indices + lists[i].first, lists[i].n);
  }
  g_assert_true (gst_gles_tiles_result_get_occupancy (result, &occupied, &largest, NULL));
  g_assert_true (occupied == 3 && largest == 3);
}

/* As bytes: the same words, which outlive the caller's reference. */
static void
test_bytes (void)
{
  GstGlesTilesResult *result = sample_tiles (7, 5, 5);
  g_autoptr (GBytes) a = NULL;
  g_autoptr (GBytes) b = NULL;
  g_autoptr (GBytes) c = NULL;
  guint n;

  g_assert_true (gst_gles_tiles_result_get_bytes (result, NULL, NULL, NULL, NULL));
  g_assert_true (gst_gles_tiles_result_get_bytes (result, &a, &b, &c, NULL));
  g_assert_true (
      g_bytes_get_data (a, NULL) == gst_gles_tiles_result_get_offsets (result, &n, NULL));
  gst_gles_tiles_result_unref (result);
  check_words (g_bytes_get_data (a, NULL), g_bytes_get_size (a) / 4, sample_offsets, 7);
  check_words (g_bytes_get_data (b, NULL), g_bytes_get_size (b) / 4, sample_indices, 5);
  check_words (g_bytes_get_data (c, NULL), g_bytes_get_size (c) / 4, sample_keys, 5);
}

static void
test_description (void)
{
  const GstGlesTilesInfo *info = &sample_tiles_info;
  g_autoptr (GstGlesTilesResult) result = sample_tiles (7, 5, 5);
  guint a, b;

  CHECK_DESCRIPTION (tiles, result, info);
  gst_gles_tiles_result_get_tile_size (result, &a, &b);
  g_assert_true (a == 16 && b == 16);
  gst_gles_tiles_result_get_grid (result, &a, &b);
  g_assert_true (a == 3 && b == 2);
  gst_gles_tiles_result_get_grid (result, NULL, NULL);
  g_assert_cmpint (gst_gles_tiles_result_get_input (result), ==, info->input);
  g_assert_cmpint (gst_gles_tiles_result_get_sort_by (result), ==, info->sort_by);
  g_assert_true (gst_gles_tiles_result_is_descending (result));
  g_assert_cmpuint (gst_gles_tiles_result_get_max_items (result), ==, 100);
}

/* Arrays that are read back too short are an error, not a read beyond the end. */
static void
test_short_arrays (void)
{
  static const guint sizes[][3] = { { 6, 5, 5 }, { 7, 4, 5 }, { 7, 5, 4 }, { 0, 0, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (GstGlesTilesResult) result = sample_tiles (sizes[i][0], sizes[i][1], sizes[i][2]);
    GError *error = NULL;
    GBytes *bytes = NULL;
    guint n;

    g_assert_null (gst_gles_tiles_result_get_keys (result, &n, &error));
    g_assert_cmpuint (n, ==, 0);
    g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED);
    g_clear_error (&error);
    g_assert_false (gst_gles_tiles_result_get_bytes (result, &bytes, NULL, NULL, &error));
    g_assert_null (bytes);
    g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED);
    g_clear_error (&error);
    g_assert_cmpuint (gst_gles_tiles_result_get_total (result), ==, 0);
  }
}

/* Without readbacks the arrays stay on the device; with them, its buffers can be let go. */
static void
test_on_the_device (void)
{
  g_autoptr (GstGlesDevice) device = gst_gles_device_new ("cpu", NULL);
  g_autoptr (GstGlesBuffer) buffer = gst_gles_buffer_new (device, 100, NULL);
  g_autoptr (GstGlesReadback) readback =
      counted_readback (&(GstGlesResult){ 9, 0, 4 }, sample_offsets, 7);
  GstGlesTilesArrays arrays = { buffer, buffer, buffer, buffer };
  GstGlesTilesResult *result = gst_gles_tiles_result_new (&sample_tiles_info, &arrays);
  GError *error = NULL;
  GstGlesBuffer *got;
  guint n;

  g_assert_false (gst_gles_tiles_result_is_ready (result));
  g_assert_null (gst_gles_tiles_result_get_offsets (result, &n, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "readback=true"));
  g_clear_error (&error);
  got = gst_gles_tiles_result_get_device_keys (result);
  g_assert_true (got == buffer);
  gst_gles_buffer_unref (got);
  gst_gles_tiles_result_unref (result);

  arrays.offsets_readback = arrays.indices_readback = arrays.keys_readback = readback;
  result = gst_gles_tiles_result_new (&sample_tiles_info, &arrays);
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, 5);
  for (guint i = 0; i < 2; i++) {
    gst_gles_tiles_result_release_device (result);
    g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), ==, 1);
  }
  g_assert_null (gst_gles_tiles_result_get_device_offsets (result));
  g_assert_null (gst_gles_tiles_result_get_device_counts (result));
  g_assert_true (gst_gles_tiles_result_wait (result, 0, NULL));
  gst_gles_tiles_result_unref (result);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  g_test_add_func ("/tiles-result/arrays", test_arrays);
  g_test_add_func ("/tiles-result/bytes", test_bytes);
  g_test_add_func ("/tiles-result/description", test_description);
  g_test_add_func ("/tiles-result/short-arrays", test_short_arrays);
  g_test_add_func ("/tiles-result/on-the-device", test_on_the_device);
  return g_test_run ();
}
