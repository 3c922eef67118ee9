/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glestiles on streams of splats: the lists equal those of an oracle for any number of records,
 * buffers of an invalid size are refused, and limits cut the end of lists. */
#include "glestiles-common.h"

#include <math.h>
#include <string.h>

#define CAPS "application/x-gles-splats,format=rect32le,width=640,height=360,framerate=60/1"

static const TilesConfig usual = { 640, 360, 16, 16, TILES_BY_DEPTH, FALSE, 0 };

/* Pushes @n records and compares. */
static void
check_records (TilesStream *stream, const TilesConfig *config, const TilesRecord *records, gsize n,
    const gchar *what)
{
  g_autoptr (GstBuffer) out = tiles_stream_push (stream, tiles_buffer_new (records, n));

  fail_unless_equals_int (gst_buffer_get_size (out), n * sizeof (*records));
  fail_unless_equals_int (gst_buffer_memcmp (out, 0, records, n * sizeof (*records)), 0);
  tiles_check_buffer (out, config, records, n, GST_GLES_TILES_INPUT_SPLATS, what);
}

GST_START_TEST (test_any_number)
{
  static const gsize numbers[] = { 0, 1, 2, 100, 0, 5000, 4096, 100000, 1 };
  g_autoptr (TilesStream) stream = tiles_stream_new ("validate=true", CAPS);

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_autofree TilesRecord *records = tiles_records_new (640, 360, 30, numbers[i], i);
    g_autofree gchar *what = g_strdup_printf ("%u records", (guint) numbers[i]);
    check_records (stream, &usual, records, numbers[i], what);
  }
}

GST_END_TEST;

GST_START_TEST (test_a_million)
{
  const gsize n = 1000 * 1000;
  g_autofree TilesRecord *records = tiles_records_new (640, 360, 4, n, 7);
  g_autoptr (TilesStream) stream = tiles_stream_new (NULL, CAPS);

  check_records (stream, &usual, records, n, "a million");
}

GST_END_TEST;

GST_START_TEST (test_properties)
{
  static const struct {
    const gchar *properties;
    TilesConfig config;
  } cases[] = {
    { "sort-by=depth order=descending", { 640, 360, 16, 16, TILES_BY_DEPTH, TRUE, 0 } },
    { "sort-by=index", { 640, 360, 16, 16, TILES_BY_INDEX, FALSE, 0 } },
    { "sort-by=index order=descending", { 640, 360, 16, 16, TILES_BY_INDEX, TRUE, 0 } },
    { "sort-by=value", { 640, 360, 16, 16, TILES_BY_VALUE, FALSE, 0 } },
    { "tile-width=1 tile-height=360", { 640, 360, 1, 360, TILES_BY_DEPTH, FALSE, 0 } },
    { "tile-width=7 tile-height=13", { 640, 360, 7, 13, TILES_BY_DEPTH, FALSE, 0 } },
    { "tile-width=65536 tile-height=65536", { 640, 360, 65536, 65536, TILES_BY_DEPTH, FALSE, 0 } },
  };
  g_autofree TilesRecord *records = tiles_records_new (640, 360, 60, 3000, 11);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (TilesStream) stream = tiles_stream_new (cases[i].properties, CAPS);
    check_records (stream, &cases[i].config, records, 3000, cases[i].properties);
  }
}

GST_END_TEST;

/* Properties that an application sets between two frames apply to the next frame. */
GST_START_TEST (test_properties_while_playing)
{
  g_autofree TilesRecord *records = tiles_records_new (640, 360, 60, 500, 3);
  g_autoptr (TilesStream) stream = tiles_stream_new ("validate=true", CAPS);
  TilesConfig config = usual;

  check_records (stream, &config, records, 500, "as it begins");
  g_object_set (stream->element, "tile-width", 50, "tile-height", 20, NULL);
  config.tile_width = 50;
  config.tile_height = 20;
  check_records (stream, &config, records, 500, "tile size");
  gst_util_set_object_arg (G_OBJECT (stream->element), "order", "descending");
  config.descending = TRUE;
  check_records (stream, &config, records, 500, "order");
  g_object_set (stream->element, "max-items", 777, NULL);
  config.max_items = 777;
  check_records (stream, &config, records, 500, "max-items");
  gst_util_set_object_arg (G_OBJECT (stream->element), "sort-by", "index");
  config.by = TILES_BY_INDEX;
  check_records (stream, &config, records, 500, "sort-by");
}

GST_END_TEST;

GST_START_TEST (test_truncation)
{
  static const guint limits[] = { 1, 2, 5, 1000, 4096, 5000 };
  g_autofree TilesRecord *records = tiles_records_new (640, 360, 60, 3000, 5);

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++) {
    g_autofree gchar *properties = g_strdup_printf ("max-items=%u validate=true", limits[i]);
    g_autoptr (TilesStream) stream = tiles_stream_new (properties, CAPS);
    TilesConfig config = usual;
    config.max_items = limits[i];
    check_records (stream, &config, records, 3000, properties);
    fail_unless_equals_int (tiles_stream_stat (stream, "frames"), 1);
  }
}

GST_END_TEST;

GST_START_TEST (test_strange_numbers)
{
  const gfloat nan = NAN, inf = INFINITY;
  const TilesRecord records[] = {
    { 0, 0, 0, 0, 1, 0, 0, 0 },
    { -5, -5, -0.001f, 10, 2, 0, 0, 0 },            /* left of the frame */
    { 640, 0, 650, 10, 3, 0, 0, 0 },                /* right of it */
    { 639.99f, 359.99f, 1e30f, 1e30f, 4, 0, 0, 0 }, /* its last pixel */
    { -inf, -inf, inf, inf, -1, 0, 0, 0 },          /* all of it */
    { 10, 10, 9, 20, 5, 0, 0, 0 },                  /* inverted */
    { nan, 0, 5, 5, 6, 0, 0, 0 },
    { 0, 0, 5, nan, 6, 0, 0, 0 },
    { -0.0f, -0.0f, 15.999f, 15.999f, -0.0f, 0, 0, 0 }, /* one tile */
    { 0, 0, 16, 16, 0, 0, 0, 0 },                       /* four */
    { 20, 20, 20, 20, nan, 0, 0, 0 },                   /* depth can be anything */
    { 20, 20, 20, 20, -nan, 0, 0, 0 },
    { 20, 20, 20, 20, -inf, 0, 0, 0 },
  };
  g_autoptr (TilesStream) stream = tiles_stream_new ("validate=true", CAPS);

  check_records (stream, &usual, records, G_N_ELEMENTS (records), "strange numbers");
}

GST_END_TEST;

/* Records whose bytes are spread over several memories, at odd places. */
GST_START_TEST (test_memories)
{
  const gsize n = 1000;
  g_autofree TilesRecord *records = tiles_records_new (640, 360, 30, n, 17);
  g_autoptr (TilesStream) stream = tiles_stream_new (NULL, CAPS);
  const guint8 *bytes = (const guint8 *) records;
  GstBuffer *buffer = gst_buffer_new ();
  g_autoptr (GstBuffer) out = NULL;
  gsize at = 0;

  for (guint i = 1; at < n * 32; i++) {
    const gsize size = MIN ((gsize) i * 37, n * 32 - at);
    GstMemory *memory = gst_allocator_alloc (NULL, size + 3, NULL);
    GstMapInfo map;
    fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
    memcpy (map.data + 1, bytes + at, size);
    gst_memory_unmap (memory, &map);
    gst_memory_resize (memory, 1, size);
    gst_buffer_append_memory (buffer, memory);
    at += size;
  }
  out = tiles_stream_push (stream, buffer);
  tiles_check_buffer (out, &usual, records, n, GST_GLES_TILES_INPUT_SPLATS, "memories");
}

GST_END_TEST;

GST_START_TEST (test_bad_sizes)
{
  static const gsize sizes[] = { 1, 31, 33, 63, 32 * 100 + 16, 32 * 100000 - 1 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (TilesStream) stream = tiles_stream_new (NULL, CAPS);
    g_autofree gchar *number = g_strdup_printf ("%u bytes", (guint) sizes[i]);
    g_autoptr (GstBuffer) out =
        tiles_stream_push (stream, gst_buffer_new_allocate (NULL, sizes[i], NULL));
    g_autoptr (GError) error = NULL;

    fail_unless (gst_buffer_get_gles_tiles_meta (out) == NULL);
    fail_unless_equals_uint64 (tiles_stream_stat (stream, "skipped-bad"), 1);
    gst_util_set_object_arg (G_OBJECT (stream->element), "on-bad-frame", "error");
    error = tiles_stream_push_bad (stream, gst_buffer_new_allocate (NULL, sizes[i], NULL));
    fail_unless (
        g_error_matches (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED), "%s", error->message);
    fail_unless (
        strstr (error->message, number) != NULL, "no \"%s\" in: %s", number, error->message);
  }
}

GST_END_TEST;

GST_START_TEST (test_refusals)
{
  g_autoptr (GError) points = tiles_stream_refused ("source=points", CAPS);
  g_autoptr (GError) roi = tiles_stream_refused ("source=roi", CAPS);

  fail_unless (g_error_matches (points, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS));
  fail_unless (strstr (points->message, "source") != NULL);
  fail_unless (g_error_matches (roi, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS));
}

GST_END_TEST;

/* New caps, new grid; a flush begins numbers again. */
GST_START_TEST (test_caps_and_flush)
{
  g_autofree TilesRecord *records = tiles_records_new (640, 360, 30, 300, 23);
  g_autoptr (TilesStream) stream = tiles_stream_new (NULL, CAPS);
  TilesConfig config = usual;

  check_records (stream, &config, records, 300, "first");
  gst_harness_set_src_caps_str (stream->harness,
      "application/x-gles-splats,format=rect32le,width=100,height=3000,framerate=0/1");
  config.width = 100;
  config.height = 3000;
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstGlesTilesResult) result = NULL;
    g_autoptr (GstBuffer) out = tiles_stream_push (stream, tiles_buffer_new (records, 300));
    tiles_check_buffer (out, &config, records, 300, GST_GLES_TILES_INPUT_SPLATS, "new caps");
    result = gst_gles_tiles_result_from_buffer (out);
    fail_unless_equals_uint64 (gst_gles_tiles_result_get_frame_number (result), i == 2 ? 0 : 1 + i);
    fail_unless_equals_uint64 (gst_gles_tiles_result_get_pts (result), GST_BUFFER_PTS (out));
    if (i != 1)
      continue;
    fail_unless (gst_harness_push_event (stream->harness, gst_event_new_flush_start ()));
    fail_unless (gst_harness_push_event (stream->harness, gst_event_new_flush_stop (TRUE)));
    {
      GstSegment segment;
      gst_segment_init (&segment, GST_FORMAT_TIME);
      fail_unless (gst_harness_push_event (stream->harness, gst_event_new_segment (&segment)));
    }
  }
}

GST_END_TEST;

/* With results on the device only: getters fail, buffers are there, nothing is read back. */
GST_START_TEST (test_on_the_device)
{
  g_autofree TilesRecord *records = tiles_records_new (640, 360, 30, 300, 29);
  g_autoptr (TilesStream) stream = tiles_stream_new ("readback=false", CAPS);
  g_autoptr (GstBuffer) out = tiles_stream_push (stream, tiles_buffer_new (records, 300));
  g_autoptr (GstGlesTilesResult) result = gst_gles_tiles_result_from_buffer (out);
  g_autoptr (GstGlesBuffer) offsets = NULL;
  g_autoptr (GstGlesBuffer) counts = NULL;
  g_autoptr (GstGlesDevice) device = NULL;
  g_autoptr (GError) error = NULL;
  guint32 words[4], last;
  guint n;

  fail_unless (result != NULL);
  fail_if (gst_gles_tiles_result_is_ready (result));
  fail_unless (gst_gles_tiles_result_get_indices (result, &n, &error) == NULL);
  fail_unless (g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID));
  offsets = gst_gles_tiles_result_get_device_offsets (result);
  counts = gst_gles_tiles_result_get_device_counts (result);
  fail_unless (offsets != NULL && counts != NULL);
  fail_unless_equals_int (gst_gles_buffer_get_size (offsets), 4 * (40 * 23 + 1));
  device = gst_gles_buffer_get_device (offsets);
  fail_unless (gst_gles_buffer_download (
      counts, gst_gles_device_get_queue (device), 0, words, sizeof (words), NULL));
  fail_unless (gst_gles_buffer_download (
      offsets, gst_gles_device_get_queue (device), 4 * 40 * 23, &last, sizeof (last), NULL));
  fail_unless (words[0] > 0 && words[0] == words[2] && last == words[2]);
  fail_unless_equals_uint64 (tiles_stream_stat (stream, "bytes-read-back"), 0);
  fail_unless_equals_uint64 (tiles_stream_stat (stream, "bytes-uploaded"), 300 * 32);
}

GST_END_TEST;

static Suite *
tiles_suite (void)
{
  Suite *suite = suite_create ("glestiles-splats");
  TCase *tc = tcase_create ("splats");

  suite_add_tcase (suite, tc);
  tcase_set_timeout (tc, 240);
  tcase_add_test (tc, test_any_number);
  tcase_add_test (tc, test_a_million);
  tcase_add_test (tc, test_properties);
  tcase_add_test (tc, test_properties_while_playing);
  tcase_add_test (tc, test_truncation);
  tcase_add_test (tc, test_strange_numbers);
  tcase_add_test (tc, test_memories);
  tcase_add_test (tc, test_bad_sizes);
  tcase_add_test (tc, test_refusals);
  tcase_add_test (tc, test_caps_and_flush);
  tcase_add_test (tc, test_on_the_device);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, tiles_suite);
}
