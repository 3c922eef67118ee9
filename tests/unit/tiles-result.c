/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The contents of tile results, and which transforms of a buffer keep their metas. */
#include <gst/check/gstcheck.h>
#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/tiles.h>
#include <gst/video/gstvideometa.h>

/* 3 x 2 tiles of 16 x 16 over 40 x 20, with 5 of 9 entries */
static const GstGlesTilesInfo usual = { .frame = 4,
  .pts = 1,
  .duration = 2,
  .running_time = 3,
  .stream_time = GST_CLOCK_TIME_NONE,
  .width = 40,
  .height = 20,
  .format = GST_VIDEO_FORMAT_NV12,
  .tile_width = 16,
  .tile_height = 16,
  .input = GST_GLES_TILES_INPUT_ROI,
  .sort_by = GST_GLES_TILES_SORT_BY_VALUE,
  .descending = TRUE,
  .max_items = 5 };
static const guint32 offsets[7] = { 0, 0, 3, 3, 4, 5, 5 };
static const guint32 indices[5] = { 7, 1, 2, 7, 0 };
static const guint32 keys[5] = { 9, 8, 8, 9, 1 };

static GstGlesReadback *
counted_new (guint32 count, gconstpointer words, gsize n_words)
{
  const GstGlesResult counted = { 9, count, 4 };

  return gst_gles_readback_new_counted (&counted, g_bytes_new (words, 4 * n_words));
}

/* With @n of each array's words. */
static GstGlesTilesResult *
result_new (guint n_offsets, guint n_indices, guint n_keys)
{
  g_autoptr (GstGlesReadback) a = counted_new (5, offsets, n_offsets);
  g_autoptr (GstGlesReadback) b = counted_new (5, indices, n_indices);
  g_autoptr (GstGlesReadback) c = counted_new (5, keys, n_keys);
  const GstGlesTilesArrays arrays = {
    .offsets_readback = a, .indices_readback = b, .keys_readback = c
  };

  return gst_gles_tiles_result_new (&usual, &arrays);
}

static void
check_words (const guint32 *got, guint n_got, const guint32 *expected, guint n)
{
  fail_unless (got != NULL && n_got == n);
  fail_unless (memcmp (got, expected, 4 * (gsize) n) == 0);
}

GST_START_TEST (test_arrays)
{
  g_autoptr (GstGlesTilesResult) result = result_new (7, 5, 5);
  guint n, occupied, largest;
  GError *error = NULL;
  const guint32 *words;

  fail_unless (gst_gles_tiles_result_is_ready (result));
  fail_unless (gst_gles_tiles_result_wait (result, 0, &error));
  fail_unless (error == NULL);
  fail_unless_equals_uint64 (gst_gles_tiles_result_get_total (result), 9);
  fail_unless_equals_int (gst_gles_tiles_result_get_count (result), 5);
  fail_unless (gst_gles_tiles_result_is_truncated (result));
  words = gst_gles_tiles_result_get_offsets (result, &n, NULL);
  check_words (words, n, offsets, 7);
  words = gst_gles_tiles_result_get_indices (result, &n, NULL);
  check_words (words, n, indices, 5);
  words = gst_gles_tiles_result_get_keys (result, &n, NULL);
  check_words (words, n, keys, 5);
  words = gst_gles_tiles_result_get_tile (result, 1, &n, NULL);
  check_words (words, n, indices, 3);
  words = gst_gles_tiles_result_get_tile (result, 4, &n, NULL);
  check_words (words, n, indices + 4, 1);
  words = gst_gles_tiles_result_get_tile (result, 5, &n, NULL);
  fail_unless (words != NULL && n == 0);
  fail_unless (gst_gles_tiles_result_get_occupancy (result, &occupied, &largest, NULL));
  fail_unless (occupied == 3 && largest == 3);
}

GST_END_TEST;

/* As bytes: the same words, which outlive the caller's reference. */
GST_START_TEST (test_bytes)
{
  GstGlesTilesResult *result = result_new (7, 5, 5);
  g_autoptr (GBytes) a = NULL;
  g_autoptr (GBytes) b = NULL;
  g_autoptr (GBytes) c = NULL;
  guint n;

  fail_unless (gst_gles_tiles_result_get_bytes (result, NULL, NULL, NULL, NULL));
  fail_unless (gst_gles_tiles_result_get_bytes (result, &a, &b, &c, NULL));
  fail_unless (g_bytes_get_data (a, NULL) == gst_gles_tiles_result_get_offsets (result, &n, NULL));
  gst_gles_tiles_result_unref (result);
  check_words (g_bytes_get_data (a, NULL), g_bytes_get_size (a) / 4, offsets, 7);
  check_words (g_bytes_get_data (b, NULL), g_bytes_get_size (b) / 4, indices, 5);
  check_words (g_bytes_get_data (c, NULL), g_bytes_get_size (c) / 4, keys, 5);
}

GST_END_TEST;

GST_START_TEST (test_description)
{
  g_autoptr (GstGlesTilesResult) result = result_new (7, 5, 5);
  guint a, b;

  gst_gles_tiles_result_get_size (result, &a, &b);
  fail_unless (a == 40 && b == 20);
  gst_gles_tiles_result_get_tile_size (result, &a, &b);
  fail_unless (a == 16 && b == 16);
  gst_gles_tiles_result_get_grid (result, &a, &b);
  fail_unless (a == 3 && b == 2);
  gst_gles_tiles_result_get_grid (result, NULL, NULL);
  fail_unless_equals_int (gst_gles_tiles_result_get_format (result), GST_VIDEO_FORMAT_NV12);
  fail_unless_equals_int (gst_gles_tiles_result_get_input (result), GST_GLES_TILES_INPUT_ROI);
  fail_unless_equals_int (gst_gles_tiles_result_get_sort_by (result), GST_GLES_TILES_SORT_BY_VALUE);
  fail_unless (gst_gles_tiles_result_is_descending (result));
  fail_unless_equals_int (gst_gles_tiles_result_get_max_items (result), 5);
  fail_unless_equals_uint64 (gst_gles_tiles_result_get_frame_number (result), 4);
  fail_unless_equals_uint64 (gst_gles_tiles_result_get_pts (result), 1);
  fail_unless_equals_uint64 (gst_gles_tiles_result_get_duration (result), 2);
  fail_unless_equals_uint64 (gst_gles_tiles_result_get_running_time (result), 3);
  fail_unless_equals_uint64 (gst_gles_tiles_result_get_stream_time (result), GST_CLOCK_TIME_NONE);
}

GST_END_TEST;

/* Arrays that are read back too short are an error, not a read beyond the end. */
GST_START_TEST (test_short_arrays)
{
  static const guint sizes[][3] = { { 6, 5, 5 }, { 7, 4, 5 }, { 7, 5, 4 }, { 0, 0, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (GstGlesTilesResult) result = result_new (sizes[i][0], sizes[i][1], sizes[i][2]);
    GError *error = NULL;
    GBytes *bytes = NULL;
    guint n;
    fail_unless (gst_gles_tiles_result_get_keys (result, &n, &error) == NULL && n == 0);
    g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED);
    g_clear_error (&error);
    fail_if (gst_gles_tiles_result_get_bytes (result, &bytes, NULL, NULL, &error));
    fail_unless (bytes == NULL);
    g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED);
    g_clear_error (&error);
    fail_unless_equals_uint64 (gst_gles_tiles_result_get_total (result), 0);
  }
}

GST_END_TEST;

GST_START_TEST (test_on_the_device)
{
  g_autoptr (GstGlesDevice) device = gst_gles_device_new ("cpu", NULL);
  g_autoptr (GstGlesBuffer) buffer = gst_gles_buffer_new (device, 100, NULL);
  const GstGlesTilesArrays arrays = {
    .offsets = buffer, .indices = buffer, .keys = buffer, .counts = buffer
  };
  g_autoptr (GstGlesTilesResult) result = gst_gles_tiles_result_new (&usual, &arrays);
  GError *error = NULL;
  GstGlesBuffer *got;
  guint n;

  fail_if (gst_gles_tiles_result_is_ready (result));
  fail_unless (gst_gles_tiles_result_get_offsets (result, &n, &error) == NULL);
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  fail_unless (strstr (error->message, "readback=true") != NULL);
  g_clear_error (&error);
  got = gst_gles_tiles_result_get_device_keys (result);
  fail_unless (got == buffer);
  gst_gles_buffer_unref (got);
}

GST_END_TEST;

GST_START_TEST (test_released_by_the_device)
{
  g_autoptr (GstGlesDevice) device = gst_gles_device_new ("cpu", NULL);
  g_autoptr (GstGlesBuffer) buffer = gst_gles_buffer_new (device, 100, NULL);
  g_autoptr (GstGlesReadback) readback = counted_new (0, offsets, 7);
  const GstGlesTilesArrays arrays = { buffer, buffer, buffer, buffer, readback, readback,
    readback };
  g_autoptr (GstGlesTilesResult) result = gst_gles_tiles_result_new (&usual, &arrays);

  fail_unless_equals_int (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), 5);
  gst_gles_tiles_result_release_device (result);
  fail_unless_equals_int (GST_MINI_OBJECT_REFCOUNT_VALUE (buffer), 1);
  fail_unless (gst_gles_tiles_result_get_device_offsets (result) == NULL);
  fail_unless (gst_gles_tiles_result_get_device_counts (result) == NULL);
  gst_gles_tiles_result_release_device (result);
  fail_unless (gst_gles_tiles_result_wait (result, 0, NULL));
}

GST_END_TEST;

static guint
n_metas (GstBuffer *buffer)
{
  return gst_buffer_get_n_meta (buffer, GST_GLES_TILES_META_API_TYPE);
}

GST_START_TEST (test_metas)
{
  g_autoptr (GstGlesTilesResult) earlier = result_new (7, 5, 5);
  g_autoptr (GstGlesTilesResult) last = result_new (7, 5, 5);
  g_autoptr (GstGlesTilesResult) found = NULL;
  g_autoptr (GstBuffer) buffer = gst_buffer_new_allocate (NULL, 64, NULL);
  g_autoptr (GstBuffer) copy = NULL;
  g_autoptr (GstBuffer) part = NULL;
  g_autoptr (GstBuffer) scaled = gst_buffer_new ();
  GstVideoMetaTransform transform = { NULL, NULL };
  const GstMetaInfo *info = GST_GLES_TILES_META_INFO;
  GstGlesTilesMeta *meta;

  fail_unless (gst_gles_tiles_result_from_buffer (buffer) == NULL);
  gst_buffer_add_gles_tiles_meta (buffer, earlier);
  meta = gst_buffer_add_gles_tiles_meta (buffer, last);
  fail_unless (gst_buffer_get_gles_tiles_meta (buffer) == meta);
  found = gst_gles_tiles_result_from_buffer (buffer);
  fail_unless (found == last);
  copy = gst_buffer_copy (buffer);
  fail_unless_equals_int (n_metas (copy), 2);
  /* twice is once */
  fail_unless (gst_buffer_copy_into (copy, buffer, GST_BUFFER_COPY_META, 0, -1));
  fail_unless_equals_int (n_metas (copy), 2);
  part = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_ALL, 0, 32);
  fail_unless_equals_int (n_metas (part), 0);
  fail_unless (info->transform_func (
      scaled, (GstMeta *) meta, buffer, gst_video_meta_transform_scale_get_quark (), &transform));
  fail_unless_equals_int (n_metas (scaled), 1);
  fail_if (info->transform_func (
      scaled, (GstMeta *) meta, buffer, g_quark_from_static_string ("something-else"), NULL));
  fail_unless_equals_int (n_metas (scaled), 1);
}

GST_END_TEST;

static Suite *
tiles_result_suite (void)
{
  Suite *suite = suite_create ("tiles-result");
  TCase *tc = tcase_create ("result");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, test_arrays);
  tcase_add_test (tc, test_bytes);
  tcase_add_test (tc, test_description);
  tcase_add_test (tc, test_short_arrays);
  tcase_add_test (tc, test_on_the_device);
  tcase_add_test (tc, test_released_by_the_device);
  tcase_add_test (tc, test_metas);
  return suite;
}

GST_CHECK_MAIN (tiles_result)
