/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results as bytes for another process, and back: all values are the same, and invalid bytes are
 * refused. */
#include <gst/check/gstcheck.h>
#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/histogram.h>
#include <gst/gles/meta/points.h>
#include <gst/gles/meta/serial-private.h>
#include <gst/gles/meta/tiles.h>

#include <string.h>

#include "serial-bytes.h"

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
  guint32 words[10 + 2 * 3 * 4] = { 1, 0, 2, 1, 0, 1000000003, 0, 4, 8, 2000000000 };

  for (guint i = 10; i < G_N_ELEMENTS (words); i++)
    words[i] = i * 1000003;
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_complete (g_bytes_new (words, sizeof words));
  return gst_gles_histogram_result_new (&info, readback, NULL);
}

static const GstGlesPoint points[] = { { 1, 2, 3 }, { 65535, 4, G_MAXUINT }, { 0, 479, 0 } };

static GstGlesPointsResult *
points_new (guint n)
{
  const GstGlesPointsInfo info = { 9, 1, 2, GST_CLOCK_TIME_NONE, 4, 65536, 480,
    GST_VIDEO_FORMAT_BGRA, GST_VIDEO_COLOR_RANGE_16_235, 5, 6, 7, 8, GST_GLES_POINTS_EDGE,
    GST_GLES_POINTS_LUMA, 10, G_MAXUINT, 12 };
  const GstGlesResult counted = { n + G_GUINT64_CONSTANT (10000000000), n, 0 };
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_counted (&counted, g_bytes_new (points, n * sizeof (GstGlesPoint)));

  return gst_gles_points_result_new (&info, readback, NULL, NULL);
}

static GstGlesTilesResult *
tiles_new (void)
{
  static const guint32 offsets[] = { 0, 1, 1, 3, 3, 5, 5 }, indices[] = { 4, 0, 2, 1, 3 },
                       keys[] = { 7, 5, 6, G_MAXUINT, 0 };
  const GstGlesTilesInfo info = { 9, 1, 2, 3, GST_CLOCK_TIME_NONE, 40, 30, GST_VIDEO_FORMAT_RGB, 16,
    16, GST_GLES_TILES_INPUT_SPLATS, GST_GLES_TILES_SORT_BY_DEPTH, TRUE, 100 };
  const GstGlesResult counted = { 77, 5, 0 };
  g_autoptr (GstGlesReadback) a = words_new (&counted, offsets, G_N_ELEMENTS (offsets));
  g_autoptr (GstGlesReadback) b = words_new (&counted, indices, 5);
  g_autoptr (GstGlesReadback) c = words_new (&counted, keys, 5);

  return gst_gles_tiles_result_new (&info,
      &(GstGlesTilesArrays){ .offsets_readback = a, .indices_readback = b, .keys_readback = c });
}

static GstGlesRegionsResult *
regions_new (const gchar *label)
{
  const GstGlesRegionsInfo info = { 9, 1, 2, 3, GST_CLOCK_TIME_NONE, 40, 30, GST_VIDEO_FORMAT_RGB,
    2, 3, 8, 1, 2, 100, label };
  const GstGlesRegion regions[] = {
    { .first = 3,
        .left = 1,
        .top = 2,
        .right = 5,
        .bottom = 2,
        .pixels = 4,
        .max_value = 9,
        .sum_x = 13,
        .sum_y = 8,
        .sum_value = 20 },
    { .first = 7,
        .left = 39,
        .top = 29,
        .right = 39,
        .bottom = 29,
        .pixels = 1,
        .max_value = G_MAXUINT,
        .sum_x = 39,
        .sum_y = 29,
        .sum_value = G_MAXUINT },
  };
  const GstGlesResult counted = { 77, 2, 0 };
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_counted (&counted, g_bytes_new (regions, sizeof regions));

  return gst_gles_regions_result_new (&info, NULL, NULL, readback);
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
  Bytes bytes = BYTES_OF (histogram, result);
  const GstGlesHistogramInfo *a, *b;
  guint n, m;

  copy = gst_gles_histogram_serial_parse (bytes.data, bytes.size, GST_GLES_SERIAL_VERSION);
  fail_unless (copy != NULL);
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
  spoil (&bytes, (Parse) gst_gles_histogram_serial_parse);
  g_free (bytes.data);
}

GST_END_TEST;

/* Values that no picture can have. Sums that overflow would be NaN in JSON. */
GST_START_TEST (test_histogram_claims)
{
  static const Claim claims[] = { { 40, 0 }, { 40, G_MAXUINT }, { 44, 0 }, { 48, G_MAXUINT },
    { 52, G_MAXUINT }, { 56, 640 }, { 56, G_MAXUINT }, { 60, 480 }, { 64, 0 }, { 64, G_MAXUINT },
    { 68, 0 }, { 72, 0 }, { 72, G_MAXUINT }, { 76, 0 }, { 76, 65536 }, { 80, 1 }, { 80, G_MAXUINT },
    { 88, 0 }, { 88, 5 }, { 88, G_MAXUINT }, { 92, 0 }, { 92, G_MAXUINT },
    /* the first channel: name, depth, samples, offsets */
    { 96, 0 }, { 96, 0x80808080 }, { 112, G_MAXUINT }, { 120, 0 }, { 120, 17 }, { 120, G_MAXUINT },
    { 124, G_MAXUINT }, { 128, G_MAXUINT }, { 132, G_MAXUINT }, { 136, G_MAXUINT },
    { 140, G_MAXUINT },
    /* counters, and the difference */
    { 192, G_MAXUINT }, { 192 + 4 * 8, 9 }, { 192 + 4 * 8, G_MAXUINT } };
  g_autoptr (GstGlesHistogramResult) result = histogram_new (2);
  Bytes bytes = BYTES_OF (histogram, result);

  CHECK_ALL_REFUSED (&bytes, gst_gles_histogram_serial_parse, claims);
  g_free (bytes.data);
}

GST_END_TEST;

GST_START_TEST (test_points)
{
  g_autoptr (GstGlesPointsResult) result = points_new (__i__);
  g_autoptr (GstGlesPointsResult) copy = NULL;
  Bytes bytes = BYTES_OF (points, result);
  const GstGlesPoint *found;
  guint n;

  copy = gst_gles_points_serial_parse (bytes.data, bytes.size, GST_GLES_SERIAL_VERSION);
  fail_unless (copy != NULL);
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
  spoil (&bytes, (Parse) gst_gles_points_serial_parse);
  g_free (bytes.data);
}

GST_END_TEST;

/* A picture larger than coordinates made the overlay ask for 34 GB. */
GST_START_TEST (test_points_claims)
{
  static const Claim claims[] = { { 48, 0 }, { 48, 65537 }, { 48, G_MAXUINT }, { 48, 65535 },
    { 52, 0 }, { 52, 479 }, { 52, G_MAXUINT }, { 56, G_MAXUINT }, { 60, G_MAXUINT },
    { 64, G_MAXUINT }, { 68, 480 }, { 72, 0 }, { 76, G_MAXUINT }, { 80, 3 }, { 84, 4 },
    { 84, G_MAXUINT - 1 }, { 100, 4 }, { 100, G_MAXUINT }, { 104, 17 }, { 104, G_MAXUINT } };
  g_autoptr (GstGlesPointsResult) result = points_new (3);
  Bytes bytes = BYTES_OF (points, result);

  CHECK_ALL_REFUSED (&bytes, gst_gles_points_serial_parse, claims);
  g_free (bytes.data);
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
  Bytes bytes = BYTES_OF (tiles, result);
  const guint32 *words, *found;
  guint n, m;

  copy = gst_gles_tiles_serial_parse (bytes.data, bytes.size, GST_GLES_SERIAL_VERSION);
  fail_unless (copy != NULL);
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
  spoil (&bytes, (Parse) gst_gles_tiles_serial_parse);
  g_free (bytes.data);
}

GST_END_TEST;

GST_START_TEST (test_tiles_claims)
{
  static const Claim claims[] = { { 48, 0 }, { 48, 50 }, { 48, G_MAXUINT }, { 52, 0 },
    { 52, G_MAXUINT }, { 56, G_MAXUINT }, { 60, 0 }, { 60, 1 }, { 60, G_MAXUINT }, { 64, 0 },
    { 68, 3 }, { 72, 3 }, { 84, 0 }, { 84, 4 }, { 84, 6 }, { 84, G_MAXUINT },
    /* offsets */
    { 96, 1 }, { 100, 2 }, { 100, G_MAXUINT }, { 120, 4 }, { 120, 6 } };
  g_autoptr (GstGlesTilesResult) result = tiles_new ();
  Bytes bytes = BYTES_OF (tiles, result);

  CHECK_ALL_REFUSED (&bytes, gst_gles_tiles_serial_parse, claims);
  g_free (bytes.data);
}

GST_END_TEST;

GST_START_TEST (test_regions)
{
  g_autoptr (GstGlesRegionsResult) result = regions_new ("möwe");
  g_autoptr (GstGlesRegionsResult) copy = NULL;
  Bytes bytes = BYTES_OF (regions, result);

  copy = gst_gles_regions_serial_parse (bytes.data, bytes.size, GST_GLES_SERIAL_VERSION);
  fail_unless (copy != NULL);
  CHECK_INFO (GstGlesRegionsInfo, gst_gles_regions_result_get_info (copy),
      gst_gles_regions_result_get_info (result), max_regions);
  fail_unless_equals_string (gst_gles_regions_result_get_label (copy), "möwe");
  fail_unless_equals_uint64 (gst_gles_regions_result_get_total (copy), 77);
  fail_unless_equals_int (gst_gles_regions_result_get_count (copy), 2);
  for (guint i = 0; i < 2; i++)
    fail_unless_equals_int (
        memcmp (gst_gles_regions_result_get_region (copy, i, NULL),
            gst_gles_regions_result_get_region (result, i, NULL), sizeof (GstGlesRegion)),
        0);
  spoil (&bytes, (Parse) gst_gles_regions_serial_parse);
  g_free (bytes.data);
}

GST_END_TEST;

/* Regions without pixels would cause a division by zero, and those outside the picture drawing
 * there. */
GST_START_TEST (test_regions_claims)
{
  static const Claim claims[] = { { 48, 0 }, { 48, 39 }, { 48, G_MAXUINT }, { 52, 0 }, { 52, 29 },
    { 56, G_MAXUINT }, { 60, 0 }, { 64, 0 }, { 68, 5 }, { 84, 1 }, { 84, 3 }, { 84, G_MAXUINT },
    /* the first region: left, top, right, bottom, pixels, largest value, sums */
    { 92, 6 }, { 92, G_MAXUINT }, { 96, 3 }, { 100, 0 }, { 100, 40 }, { 100, G_MAXUINT },
    { 104, 1 }, { 104, 30 }, { 108, 0 }, { 108, 1 }, { 108, G_MAXUINT }, { 112, 4 }, { 120, 3 },
    { 120, 21 }, { 124, 1 }, { 128, 7 }, { 128, 9 }, { 136, 37 }, { 140, 1 },
    /* the label: no UTF-8, and one byte less than there are */
    { 216, 0xffffffff }, { 216, 0 } };
  g_autoptr (GstGlesRegionsResult) result = regions_new ("möwe");
  Bytes bytes = BYTES_OF (regions, result);

  CHECK_ALL_REFUSED (&bytes, gst_gles_regions_serial_parse, claims);
  g_free (bytes.data);
}

GST_END_TEST;

/* Another process cannot have any length of text kept: labels are never freed. */
GST_START_TEST (test_labels_are_cut)
{
  g_autofree gchar *label = g_strdup_printf ("%0254dmööwe", 1);
  g_autoptr (GstGlesRegionsResult) result = regions_new (label);
  g_autoptr (GstGlesRegionsResult) copy = NULL;
  Bytes bytes = BYTES_OF (regions, result);

  copy = gst_gles_regions_serial_parse (bytes.data, bytes.size, GST_GLES_SERIAL_VERSION);
  fail_unless (copy != NULL);
  label[255] = '\0';
  fail_unless_equals_string (gst_gles_regions_result_get_label (copy), label);
  g_free (bytes.data);
}

GST_END_TEST;

/* Labels and names of channels from other processes are freed with the results that have them. */
GST_START_TEST (test_labels_are_freed)
{
  GstGlesRegionsResult *regions = regions_new ("a label of this test alone");
  const GstGlesHistogramInfo info = {
    .columns = 1,
    .rows = 1,
    .bins = 2,
    .n_channels = 1,
    .channels = { { "a channel of this test alone", 1, 4, 0, 2, 0 } },
  };
  GstGlesHistogramResult *histogram = gst_gles_histogram_result_new (&info, NULL, NULL);

  gst_gles_regions_result_unref (regions);
  gst_gles_histogram_result_unref (histogram);
  fail_unless_equals_int (g_quark_try_string ("a label of this test alone"), 0);
  fail_unless_equals_int (g_quark_try_string ("a channel of this test alone"), 0);
}

GST_END_TEST;

/* With tiles of one pixel and all of them G_MAXUINT, n_tiles + 1 + 2 * count was 0 in 64 bits. */
GST_START_TEST (test_tiles_whose_number_wraps)
{
  static const guint32 sizes[] = { G_MAXUINT, G_MAXINT, 0x10000, 0x8000 };
  guint8 bytes[1000] = { 0 }, *data = bytes + GST_GLES_ORIGIN_SERIAL_BYTES;

  GST_WRITE_UINT32_LE (data + 40, G_MAXUINT);
  GST_WRITE_UINT32_LE (data + 60, 1);
  GST_WRITE_UINT32_LE (data + 64, 1);
  for (guint i = 0; i < 16; i++) {
    GST_WRITE_UINT32_LE (data + 48, sizes[i % 4]);
    GST_WRITE_UINT32_LE (data + 52, sizes[i / 4]);
    for (guint k = 0; k < 4; k++) {
      GST_WRITE_UINT32_LE (data + 84, ((const guint32[]){ G_MAXUINT, 0x80000000, G_MAXINT, 0 })[k]);
      fail_unless (
          gst_gles_tiles_serial_parse (bytes, sizeof bytes, GST_GLES_SERIAL_VERSION) == NULL);
    }
  }
}

GST_END_TEST;

/* A result that is on the device only cannot be serialised. */
GST_START_TEST (test_nothing_to_serialise)
{
  const GstGlesPointsInfo info = { .width = 8, .height = 8, .channel = GST_GLES_POINTS_LUMA };
  g_autoptr (GstGlesPointsResult) result = gst_gles_points_result_new (&info, NULL, NULL, NULL);
  gsize size;

  fail_if (gst_gles_points_serial_get_size (result, &size));
}

GST_END_TEST;

#if GST_CHECK_VERSION(1, 24, 0)
/* As GStreamer does it, by way of the metas. */
GST_START_TEST (test_metas)
{
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  g_autoptr (GstGlesHistogramResult) histogram = histogram_new (1);
  g_autoptr (GstGlesPointsResult) some_points = points_new (3);
  g_autoptr (GstGlesTilesResult) tiles = tiles_new ();
  GstMeta *metas[] = { (GstMeta *) gst_buffer_add_gles_histogram_meta (buffer, histogram),
    (GstMeta *) gst_buffer_add_gles_points_meta (buffer, some_points),
    (GstMeta *) gst_buffer_add_gles_tiles_meta (buffer, tiles) };

  for (guint i = 0; i < G_N_ELEMENTS (metas); i++) {
    g_autoptr (GstBuffer) target = gst_buffer_new ();
    g_autoptr (GByteArray) bytes = g_byte_array_new ();
    guint32 consumed = 0;

    fail_unless (gst_meta_serialize_simple (metas[i], bytes));
    fail_unless (gst_meta_deserialize (target, bytes->data, bytes->len, &consumed) != NULL);
    fail_unless_equals_int (consumed, bytes->len);
  }
}

GST_END_TEST;
#endif

static Suite *
result_serial_suite (void)
{
  Suite *suite = suite_create ("result-serial");
  TCase *tc = tcase_create ("serial");

  suite_add_tcase (suite, tc);
  tcase_add_loop_test (tc, test_histogram, 1, 4);
  tcase_add_loop_test (tc, test_points, 0, 4);
  tcase_add_test (tc, test_tiles);
  tcase_add_test (tc, test_regions);
  tcase_add_test (tc, test_regions_claims);
  tcase_add_test (tc, test_labels_are_cut);
  tcase_add_test (tc, test_labels_are_freed);
  tcase_add_test (tc, test_histogram_claims);
  tcase_add_test (tc, test_points_claims);
  tcase_add_test (tc, test_tiles_claims);
  tcase_add_test (tc, test_tiles_whose_number_wraps);
  tcase_add_test (tc, test_nothing_to_serialise);
#if GST_CHECK_VERSION(1, 24, 0)
  tcase_add_test (tc, test_metas);
#endif
  return suite;
}

GST_CHECK_MAIN (result_serial);
