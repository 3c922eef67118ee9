/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results as bytes for another process, and back: everything that they tell is the same, and bytes that
 * are none are refused. */
#include <gst/check/gstcheck.h>
#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/histogram.h>
#include <gst/gles/meta/points.h>
#include <gst/gles/meta/tiles.h>

#include <string.h>

/* ---- samples ---- */

static GstGlesHistogramResult *
histogram_new (guint columns)
{
  const GstGlesHistogramInfo info = {
    .frame = 1234567890123,
    .pts = 1,
    .duration = GST_CLOCK_TIME_NONE,
    .running_time = 3,
    .stream_time = 4,
    .width = 640,
    .height = 480,
    .format = GST_VIDEO_FORMAT_NV12_10LE32,
    .range = GST_VIDEO_COLOR_RANGE_0_255,
    .x = 5,
    .y = 6,
    .region_width = 7,
    .region_height = 8,
    .columns = columns,
    .rows = 1,
    .bins = 3,
    .luma = columns > 1,
    .n_channels = 2,
    .channels = { { "Y", 2, 4, 0, 8, 10 }, { "luma", 2, 4, 4, 9, 10 + 3 * columns } },
  };
  guint32 words[10 + 2 * 3 * 4];

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    words[i] = i * 1000003;
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_complete (g_bytes_new (words, sizeof words));
  return gst_gles_histogram_result_new (&info, readback, NULL);
}

static const GstGlesPoint points[] = { { 1, 2, 3 }, { 65535, 4, G_MAXUINT }, { 0, 700, 0 } };

static GstGlesPointsResult *
points_new (guint n)
{
  const GstGlesPointsInfo info = { 9, 1, 2, GST_CLOCK_TIME_NONE, 4, 640, 480, GST_VIDEO_FORMAT_BGRA,
    GST_VIDEO_COLOR_RANGE_16_235, 5, 6, 7, 8, GST_GLES_POINTS_EDGE, GST_GLES_POINTS_LUMA, 10,
    G_MAXUINT, 12 };
  const GstGlesCounted counted = { n + G_GUINT64_CONSTANT (10000000000), n, 0 };
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_counted (&counted, g_bytes_new (points, n * sizeof (GstGlesPoint)));

  return gst_gles_points_result_new (&info, readback, NULL, NULL);
}

static GstGlesReadback *
words_new (const GstGlesCounted *counted, const guint32 *words, gsize n)
{
  return gst_gles_readback_new_counted (counted, g_bytes_new (words, n * 4));
}

static GstGlesTilesResult *
tiles_new (void)
{
  static const guint32 offsets[] = { 0, 1, 1, 3, 3, 5, 5 }, indices[] = { 4, 0, 2, 1, 3 },
                       keys[] = { 7, 5, 6, G_MAXUINT, 0 };
  const GstGlesTilesInfo info = { 9, 1, 2, 3, GST_CLOCK_TIME_NONE, 40, 30, GST_VIDEO_FORMAT_RGB, 16,
    16, GST_GLES_TILES_INPUT_SPLATS, GST_GLES_TILES_SORT_BY_DEPTH, TRUE, 100 };
  const GstGlesCounted counted = { 77, 5, 0 };
  g_autoptr (GstGlesReadback) a = words_new (&counted, offsets, G_N_ELEMENTS (offsets));
  g_autoptr (GstGlesReadback) b = words_new (&counted, indices, 5);
  g_autoptr (GstGlesReadback) c = words_new (&counted, keys, 5);

  return gst_gles_tiles_result_new (&info,
      &(GstGlesTilesArrays){ .offsets_readback = a, .indices_readback = b, .keys_readback = c });
}

/* ---- bytes ---- */

/* Makes another buffer's meta of @meta. */
static void
there_and_back (GstMeta *meta, GstBuffer *target)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint32 consumed = 0;

  fail_unless (gst_meta_serialize_simple (meta, bytes));
  fail_unless (gst_meta_deserialize (target, bytes->data, bytes->len, &consumed) != NULL);
  fail_unless_equals_int (consumed, bytes->len);
}

static gboolean
resize (GstByteArrayInterface *bytes, gsize size)
{
  bytes->data = g_realloc (bytes->data, size);
  bytes->len = size;
  return TRUE;
}

/* Bytes that were cut, or of which one was changed, are refused or make another result, whose arrays
 * lie within them: a sanitizer or a crash would tell. */
static void
spoil (GstMeta *meta)
{
  const GstMetaInfo *info = meta->info;
  GstByteArrayInterface bytes = { .resize = resize };
  g_autofree guint8 *data = NULL;
  gsize n_refused = 0, size;
  guint8 version = 0;

  fail_unless (info->serialize_func (meta, &bytes, &version) && version == 1);
  data = bytes.data;
  size = bytes.len;
  for (gsize length = 0; length < size; length++) {
    g_autoptr (GstBuffer) buffer = gst_buffer_new ();
    /* on the heap and of this size, for those who watch its end */
    g_autofree guint8 *part = g_memdup2 (data, MAX (length, 1));

    fail_unless (info->deserialize_func (info, buffer, part, length, 1) == NULL,
        "%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " bytes are taken for all", length, size);
  }
  for (gsize at = 0; at < size; at++) {
    g_autoptr (GstBuffer) buffer = gst_buffer_new ();
    g_autofree guint8 *changed = g_memdup2 (data, size);

    changed[at] ^= 0x80;
    n_refused += info->deserialize_func (info, buffer, changed, size, 1) == NULL ? 1 : 0;
  }
  fail_unless (n_refused > 0);
  {
    g_autoptr (GstBuffer) buffer = gst_buffer_new ();
    fail_unless (info->deserialize_func (info, buffer, data, size, 2) == NULL);
  }
}

/* All of a description up to its member @last: behind it is padding. */
#define CHECK_INFO(type, a, b, last)                                                               \
  fail_unless_equals_int (memcmp ((a), (b), G_STRUCT_OFFSET (type, last) + sizeof (a)->last), 0)

#define CHECK_TIMES(kind, a, b)                                                                    \
  G_STMT_START                                                                                     \
  {                                                                                                \
    fail_unless_equals_uint64 (gst_gles_##kind##_result_get_frame_number (a),                      \
        gst_gles_##kind##_result_get_frame_number (b));                                            \
    fail_unless_equals_uint64 (                                                                    \
        gst_gles_##kind##_result_get_pts (a), gst_gles_##kind##_result_get_pts (b));               \
    fail_unless_equals_uint64 (                                                                    \
        gst_gles_##kind##_result_get_duration (a), gst_gles_##kind##_result_get_duration (b));     \
    fail_unless_equals_uint64 (gst_gles_##kind##_result_get_running_time (a),                      \
        gst_gles_##kind##_result_get_running_time (b));                                            \
    fail_unless_equals_uint64 (gst_gles_##kind##_result_get_stream_time (a),                       \
        gst_gles_##kind##_result_get_stream_time (b));                                             \
  }                                                                                                \
  G_STMT_END

GST_START_TEST (test_histogram)
{
  const guint columns = __i__;
  g_autoptr (GstGlesHistogramResult) result = histogram_new (columns);
  g_autoptr (GstGlesHistogramResult) copy = NULL;
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  g_autoptr (GstBuffer) target = gst_buffer_new ();
  GstMeta *meta = (GstMeta *) gst_buffer_add_gles_histogram_meta (buffer, result);
  const GstGlesHistogramInfo *a, *b;
  guint n, m;

  there_and_back (meta, target);
  copy = gst_gles_histogram_result_from_buffer (target);
  a = gst_gles_histogram_result_get_info (result);
  b = gst_gles_histogram_result_get_info (copy);
  CHECK_TIMES (histogram, result, copy);
  CHECK_INFO (GstGlesHistogramInfo, a, b, n_channels);
  fail_unless (gst_gles_histogram_result_is_ready (copy));
  for (guint channel = 0; channel < 2; channel++) {
    const guint32 *x = gst_gles_histogram_result_get_native_counts (result, channel, &n, NULL);
    const guint32 *y = gst_gles_histogram_result_get_native_counts (copy, channel, &m, NULL);

    fail_unless_equals_string (a->channels[channel].name, b->channels[channel].name);
    fail_unless_equals_uint64 (a->channels[channel].n_samples, b->channels[channel].n_samples);
    fail_unless (n == 4 && m == 4 && memcmp (x, y, 16) == 0);
    for (guint cell = 0; cell < columns; cell++) {
      x = gst_gles_histogram_result_get_counts (result, channel, cell, &n, NULL);
      y = gst_gles_histogram_result_get_counts (copy, channel, cell, &m, NULL);
      fail_unless (n == 3 && m == 3 && memcmp (x, y, 12) == 0);
    }
  }
  spoil (meta);
}

GST_END_TEST;

GST_START_TEST (test_points)
{
  g_autoptr (GstGlesPointsResult) result = points_new (__i__);
  g_autoptr (GstGlesPointsResult) copy = NULL;
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  g_autoptr (GstBuffer) target = gst_buffer_new ();
  GstMeta *meta = (GstMeta *) gst_buffer_add_gles_points_meta (buffer, result);
  const GstGlesPoint *found;
  guint n;

  there_and_back (meta, target);
  copy = gst_gles_points_result_from_buffer (target);
  CHECK_TIMES (points, result, copy);
  CHECK_INFO (GstGlesPointsInfo, gst_gles_points_result_get_info (copy),
      gst_gles_points_result_get_info (result), max_points);
  found = gst_gles_points_result_get_points (copy, &n, NULL);
  fail_unless_equals_int (n, __i__);
  fail_unless_equals_int (memcmp (found, points, n * sizeof *points), 0);
  fail_unless_equals_uint64 (
      gst_gles_points_result_get_total (copy), n + G_GUINT64_CONSTANT (10000000000));
  fail_unless (gst_gles_points_result_is_truncated (copy));
  fail_unless (gst_gles_points_result_get_device (copy) == NULL);
  spoil (meta);
}

GST_END_TEST;

static void
check_words (const guint32 *a, guint n_a, const guint32 *b, guint n_b)
{
  fail_unless (a != NULL && b != NULL && n_a == n_b);
  fail_unless_equals_int (memcmp (a, b, n_a * sizeof *a), 0);
}

GST_START_TEST (test_tiles)
{
  g_autoptr (GstGlesTilesResult) result = tiles_new ();
  g_autoptr (GstGlesTilesResult) copy = NULL;
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  g_autoptr (GstBuffer) target = gst_buffer_new ();
  GstMeta *meta = (GstMeta *) gst_buffer_add_gles_tiles_meta (buffer, result);
  const guint32 *words, *found;
  guint n, m;

  there_and_back (meta, target);
  copy = gst_gles_tiles_result_from_buffer (target);
  CHECK_TIMES (tiles, result, copy);
  CHECK_INFO (GstGlesTilesInfo, gst_gles_tiles_result_get_info (copy),
      gst_gles_tiles_result_get_info (result), max_items);
  words = gst_gles_tiles_result_get_offsets (result, &n, NULL);
  found = gst_gles_tiles_result_get_offsets (copy, &m, NULL);
  check_words (words, n, found, m);
  words = gst_gles_tiles_result_get_indices (result, &n, NULL);
  found = gst_gles_tiles_result_get_indices (copy, &m, NULL);
  check_words (words, n, found, m);
  words = gst_gles_tiles_result_get_keys (result, &n, NULL);
  found = gst_gles_tiles_result_get_keys (copy, &m, NULL);
  check_words (words, n, found, m);
  fail_unless_equals_uint64 (gst_gles_tiles_result_get_total (copy), 77);
  spoil (meta);
}

GST_END_TEST;

/* What stayed on the device cannot travel. */
GST_START_TEST (test_nothing_to_serialise)
{
  const GstGlesPointsInfo info = { .width = 8, .height = 8, .channel = GST_GLES_POINTS_LUMA };
  g_autoptr (GstGlesPointsResult) result = gst_gles_points_result_new (&info, NULL, NULL, NULL);
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  GstMeta *meta = (GstMeta *) gst_buffer_add_gles_points_meta (buffer, result);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  fail_if (gst_meta_serialize_simple (meta, bytes));
}

GST_END_TEST;

static Suite *
result_serial_suite (void)
{
  Suite *suite = suite_create ("result-serial");
  TCase *tc = tcase_create ("serial");

  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, test_histogram, 1, 4);
  tcase_add_loop_test (tc, test_points, 0, 4);
  tcase_add_test (tc, test_tiles);
  tcase_add_test (tc, test_nothing_to_serialise);
  return suite;
}

GST_CHECK_MAIN (result_serial);
