/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The origin of results, and the boxes of tiles, as bytes for another process and back. */
#include <string.h>

#include "serial-bytes.h"

static GstGlesPointsResult *
points_with_origin_new (GstGlesOrigin *origin)
{
  const GstGlesPointsInfo info = { .width = 8,
    .height = 8,
    .region_width = 8,
    .region_height = 8,
    .depth = 10,
    .utc = 1795395723123456789,
    .origin = origin };
  const GstGlesResult counted = { 0, 0, 0 };
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_counted (&counted, g_bytes_new (NULL, 0));

  return gst_gles_points_result_new (&info, readback, NULL, NULL);
}

GST_START_TEST (test_origin)
{
  static const gchar *const stream_ids[] = { "abc/video:0", NULL, "" };
  g_autoptr (GstGlesOrigin) origin = gst_gles_origin_new ("möwe0", stream_ids[__i__],
      GST_VIDEO_COLOR_RANGE_16_235, GST_VIDEO_COLOR_MATRIX_BT2020, (GstGlesField) __i__);
  g_autoptr (GstGlesPointsResult) result = points_with_origin_new (origin);
  g_autoptr (GstGlesPointsResult) copy = NULL;
  Bytes bytes = BYTES_OF (points, result);
  const GstGlesOrigin *found;

  copy = gst_gles_points_serial_parse (bytes.data, bytes.size, GST_GLES_SERIAL_VERSION);
  fail_unless (copy != NULL);
  fail_unless_equals_int (gst_gles_points_result_get_info (copy)->depth, 10);
  fail_unless_equals_uint64 (gst_gles_points_result_get_utc (copy), 1795395723123456789);
  found = gst_gles_points_result_get_origin (copy);
  fail_unless (found != NULL);
  fail_unless_equals_string (found->element, "möwe0");
  fail_unless_equals_string (found->stream_id, stream_ids[__i__]);
  fail_unless_equals_int (found->range, GST_VIDEO_COLOR_RANGE_16_235);
  fail_unless_equals_int (found->matrix, GST_VIDEO_COLOR_MATRIX_BT2020);
  fail_unless_equals_int (gst_gles_points_result_get_field (copy), __i__);
  spoil (&bytes, (Parse) gst_gles_points_serial_parse);
  g_free (bytes.data);
}

GST_END_TEST;

/* The words of an origin without its texts; texts longer than the bytes, or than is allowed. */
GST_START_TEST (test_origin_claims)
{
  static const Claim claims[] = { { 8, 1 }, { 8, 3 }, { 8, G_MAXUINT }, { 12, 1 },
    { 12, G_MAXUINT }, { 16, 5 }, { 16, G_MAXUINT }, { 20, 1 }, { 20, G_MAXUINT }, { 24, 1 },
    { 24, 3 }, { 24, G_MAXUINT } };
  g_autoptr (GstGlesPointsResult) result = points_with_origin_new (NULL);
  Bytes bytes = BYTES_OF (points, result);

  for (guint i = 0; i < G_N_ELEMENTS (claims); i++) {
    g_autofree guint8 *changed = g_memdup2 (bytes.data, bytes.size);

    GST_WRITE_UINT32_LE (changed + claims[i].offset, claims[i].value);
    fail_unless (
        gst_gles_points_serial_parse (changed, bytes.size, GST_GLES_SERIAL_VERSION) == NULL,
        "claim %u", i);
  }
  g_free (bytes.data);
}

GST_END_TEST;

GST_START_TEST (test_long_texts_are_cut)
{
  g_autofree gchar *name = g_strdup_printf ("%01022dmöwe", 1);
  g_autoptr (GstGlesOrigin) origin = gst_gles_origin_new (name, name, 0, 0, 0);
  g_autoptr (GstGlesPointsResult) result = points_with_origin_new (origin);
  g_autoptr (GstGlesPointsResult) copy = NULL;
  Bytes bytes = BYTES_OF (points, result);

  copy = gst_gles_points_serial_parse (bytes.data, bytes.size, GST_GLES_SERIAL_VERSION);
  fail_unless (copy != NULL);
  name[1023] = '\0';
  fail_unless_equals_string (gst_gles_points_result_get_origin (copy)->element, name);
  fail_unless_equals_string (gst_gles_points_result_get_origin (copy)->stream_id, name);
  g_free (bytes.data);
}

GST_END_TEST;

GST_START_TEST (test_text_that_is_not_utf_8)
{
  g_autoptr (GstGlesOrigin) origin = gst_gles_origin_new ("a\xff", "\xfe", 0, 0, 0);

  fail_unless (g_utf8_validate (origin->element, -1, NULL));
  fail_unless (g_utf8_validate (origin->stream_id, -1, NULL));
}

GST_END_TEST;

GST_START_TEST (test_boxes)
{
  static const guint32 words[] = { 0, 2, 0, 1 };
  static const GstGlesTilesBox boxes[] = { { 1, 2, 3, 4, -5, "möwe" }, { 6, 7, 8, 9, 10, "" } };
  const GstGlesTilesInfo info = { .width = 16,
    .height = 16,
    .tile_width = 16,
    .tile_height = 16,
    .input = GST_GLES_TILES_INPUT_ROI };
  const GstGlesResult counted = { 2, 2, 0 };
  g_autoptr (GstGlesReadback) offsets = words_new (&counted, words, 2);
  g_autoptr (GstGlesReadback) entries = words_new (&counted, words + 2, 2);
  g_autoptr (GBytes) boxes_bytes = g_bytes_new_static (boxes, sizeof boxes);
  g_autoptr (GstGlesTilesResult) result = gst_gles_tiles_result_new (&info,
      &(GstGlesTilesArrays){ .offsets_readback = offsets,
          .indices_readback = entries,
          .keys_readback = entries,
          .boxes = boxes_bytes,
          .n_boxes = G_N_ELEMENTS (boxes) });
  g_autoptr (GstGlesTilesResult) copy = NULL;
  Bytes bytes = BYTES_OF (tiles, result);
  const GstGlesTilesBox *found;
  guint n;

  copy = gst_gles_tiles_serial_parse (bytes.data, bytes.size, GST_GLES_SERIAL_VERSION);
  fail_unless (copy != NULL);
  found = gst_gles_tiles_result_get_boxes (copy, &n);
  fail_unless_equals_int (n, G_N_ELEMENTS (boxes));
  for (guint i = 0; i < n; i++) {
    fail_unless_equals_int (memcmp (&found[i], &boxes[i], 5 * sizeof (guint)), 0);
    fail_unless_equals_string (found[i].type, boxes[i].type);
  }
  spoil (&bytes, (Parse) gst_gles_tiles_serial_parse);
  g_free (bytes.data);
}

GST_END_TEST;

static Suite *
origin_suite (void)
{
  Suite *suite = suite_create ("result-serial-origin");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, test_origin, 0, 3);
  tcase_add_test (tcase, test_origin_claims);
  tcase_add_test (tcase, test_long_texts_are_cut);
  tcase_add_test (tcase, test_text_that_is_not_utf_8);
  tcase_add_test (tcase, test_boxes);
  return suite;
}

GST_CHECK_MAIN (origin)
