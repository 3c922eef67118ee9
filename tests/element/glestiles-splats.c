/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glestiles on streams of splats: the lists equal those of an oracle for any number of records,
 * buffers of an invalid size are refused, and limits cut the end of lists. */
#include "glestiles-common.h"

#include <math.h>
#include <string.h>

#define CAPS "application/x-gles-splats,format=rect32le,width=640,height=360,framerate=60/1"

static const TilesConfig usual = { .input = GST_GLES_TILES_INPUT_SPLATS,
  .width = 640,
  .height = 360,
  .tile_width = 16,
  .tile_height = 16,
  .by = GST_GLES_TILES_SORT_BY_DEPTH };

/* Pushes @n records and compares. */
static void
check_records (TestStream *chain, const TilesConfig *config, const TilesRecord *records, gsize n,
    const gchar *what)
{
  g_autoptr (GstBuffer) out = test_stream_push (chain, tiles_buffer_new (records, n));

  fail_unless_equals_int (gst_buffer_get_size (out), n * sizeof (*records));
  fail_unless_equals_int (gst_buffer_memcmp (out, 0, records, n * sizeof (*records)), 0);
  tiles_check_buffer (out, config, records, n, what);
}

GST_START_TEST (test_any_number)
{
  static const gsize numbers[] = { 0, 1, 100, 0, 5000, 4096, 100000, 1 };
  g_autoptr (TestStream) chain = line_stream (CAPS, "glestiles validate=true");

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_autofree TilesRecord *records = tiles_records_new (640, 360, 30, numbers[i], i);
    g_autofree gchar *what = g_strdup_printf ("%u records", (guint) numbers[i]);
    check_records (chain, &usual, records, numbers[i], what);
  }
}

GST_END_TEST;

/* Properties that an application sets between two frames apply to the next frame. */
GST_START_TEST (test_properties)
{
  static const struct {
    const gchar *property, *value;
    guint tile_width, tile_height;
    GstGlesTilesSortBy by;
    gboolean descending;
    guint max_items;
  } cases[] = {
    { "sort-by", "auto", 16, 16, GST_GLES_TILES_SORT_BY_DEPTH, FALSE, 0 },
    { "order", "descending", 16, 16, GST_GLES_TILES_SORT_BY_DEPTH, TRUE, 0 },
    { "sort-by", "index", 16, 16, GST_GLES_TILES_SORT_BY_INDEX, TRUE, 0 },
    { "order", "ascending", 16, 16, GST_GLES_TILES_SORT_BY_INDEX, FALSE, 0 },
    { "sort-by", "value", 16, 16, GST_GLES_TILES_SORT_BY_VALUE, FALSE, 0 },
    { "sort-by", "depth", 16, 16, GST_GLES_TILES_SORT_BY_DEPTH, FALSE, 0 },
    { "max-items", "1", 16, 16, GST_GLES_TILES_SORT_BY_DEPTH, FALSE, 1 },
    { "max-items", "2", 16, 16, GST_GLES_TILES_SORT_BY_DEPTH, FALSE, 2 },
    { "max-items", "5", 16, 16, GST_GLES_TILES_SORT_BY_DEPTH, FALSE, 5 },
    { "max-items", "4096", 16, 16, GST_GLES_TILES_SORT_BY_DEPTH, FALSE, 4096 },
    { "order", "descending", 16, 16, GST_GLES_TILES_SORT_BY_DEPTH, TRUE, 4096 },
    { "max-items", "4194304", 16, 16, GST_GLES_TILES_SORT_BY_DEPTH, TRUE, 0 },
    { "tile-width", "7", 7, 16, GST_GLES_TILES_SORT_BY_DEPTH, TRUE, 0 },
    { "tile-height", "360", 7, 360, GST_GLES_TILES_SORT_BY_DEPTH, TRUE, 0 },
    { "tile-width", "1", 1, 360, GST_GLES_TILES_SORT_BY_DEPTH, TRUE, 0 },
    { "tile-height", "65536", 1, 65536, GST_GLES_TILES_SORT_BY_DEPTH, TRUE, 0 },
    { "tile-width", "65536", 65536, 65536, GST_GLES_TILES_SORT_BY_DEPTH, TRUE, 0 },
  };
  g_autofree TilesRecord *records = tiles_records_new (640, 360, 60, 3000, 11);
  g_autoptr (TestStream) chain = line_stream (CAPS, "glestiles validate=true");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const TilesConfig config = { GST_GLES_TILES_INPUT_SPLATS, 640, 360, cases[i].tile_width,
      cases[i].tile_height, cases[i].by, cases[i].descending, cases[i].max_items };
    g_autofree gchar *what = g_strdup_printf ("%s=%s", cases[i].property, cases[i].value);

    line_set (chain, "glestiles", cases[i].property, cases[i].value);
    check_records (chain, &config, records, 3000, what);
    fail_unless_equals_uint64 (line_stat (chain, "glestiles", "frames"), i + 1);
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
  g_autoptr (TestStream) chain = line_stream (CAPS, "glestiles validate=true");

  check_records (chain, &usual, records, G_N_ELEMENTS (records), "strange numbers");
}

GST_END_TEST;

/* Records whose bytes are spread over several memories, at odd places. */
GST_START_TEST (test_memories)
{
  const gsize n = 1000;
  g_autofree TilesRecord *records = tiles_records_new (640, 360, 30, n, 17);
  g_autoptr (TestStream) chain = line_stream (CAPS, "glestiles");
  GstBuffer *buffer = gst_buffer_new ();
  g_autoptr (GstBuffer) out = NULL;

  for (gsize i = 1, at = 0; at < n * 32; at = gst_buffer_get_size (buffer), i++) {
    const gsize size = MIN (i * 37, n * 32 - at);
    GstMemory *memory = gst_allocator_alloc (NULL, size + 3, NULL);

    gst_memory_resize (memory, 1, size);
    gst_buffer_append_memory (buffer, memory);
  }
  gst_buffer_fill (buffer, 0, records, n * 32);
  out = test_stream_push (chain, buffer);
  tiles_check_buffer (out, &usual, records, n, "memories");
}

GST_END_TEST;

GST_START_TEST (test_bad_sizes)
{
  static const gsize sizes[] = { 1, 31, 33, 32 * 100000 - 1 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (TestStream) chain = line_stream (CAPS, "glestiles");
    g_autofree gchar *number = g_strdup_printf ("%u bytes", (guint) sizes[i]);
    g_autoptr (GstBuffer) out =
        test_stream_push (chain, gst_buffer_new_allocate (NULL, sizes[i], NULL));
    g_autoptr (GError) error = NULL;

    fail_unless (gst_buffer_get_gles_tiles_meta (out) == NULL);
    fail_unless_equals_uint64 (line_stat (chain, "glestiles", "skipped-bad"), 1);
    line_set (chain, "glestiles", "on-bad-frame", "error");
    error = line_push_bad (chain, gst_buffer_new_allocate (NULL, sizes[i], NULL), GST_FLOW_ERROR);
    fail_unless (
        g_error_matches (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED), "%s", error->message);
    fail_unless (
        strstr (error->message, number) != NULL, "no \"%s\" in: %s", number, error->message);
  }
}

GST_END_TEST;

GST_START_TEST (test_refusals)
{
  line_check_refused ("glestiles source=points", CAPS, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS, "set source to auto");
  line_check_refused ("glestiles source=roi", CAPS, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "set source to auto");
  line_check_refused ("glestiles source=roi", "video/x-raw,format=I420", GST_STREAM_ERROR,
      GST_STREAM_ERROR_FORMAT, "no width and height");
}

GST_END_TEST;

/* New caps, new grid; a flush begins numbers again. */
GST_START_TEST (test_caps_and_flush)
{
  static const guint numbers[] = { 1, 2, 0 };
  g_autofree TilesRecord *records = tiles_records_new (640, 360, 30, 300, 23);
  g_autoptr (TestStream) chain = line_stream (CAPS, "glestiles");
  TilesConfig config = usual;

  check_records (chain, &config, records, 300, "first");
  line_set_caps (
      chain, "application/x-gles-splats,format=rect32le,width=100,height=3000,framerate=0/1");
  config.width = 100;
  config.height = 3000;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_autoptr (GstBuffer) out = test_stream_push (chain, tiles_buffer_new (records, 300));
    g_autoptr (GstGlesTilesResult) result = gst_gles_tiles_result_from_buffer (out);

    tiles_check_buffer (out, &config, records, 300, "new caps");
    fail_unless_equals_uint64 (gst_gles_tiles_result_get_frame (result)->number, numbers[i]);
    fail_unless_equals_uint64 (gst_gles_tiles_result_get_frame (result)->pts, GST_BUFFER_PTS (out));
    if (i == 1)
      test_stream_flush (chain);
  }
}

GST_END_TEST;

/* With results on the device only: getters fail, buffers are there, nothing is read back. */
GST_START_TEST (test_on_the_device)
{
  g_autofree TilesRecord *records = tiles_records_new (640, 360, 30, 300, 29);
  g_autoptr (TestStream) chain = line_stream (CAPS, "glestiles readback=false");
  g_autoptr (GstBuffer) out = test_stream_push (chain, tiles_buffer_new (records, 300));
  g_autoptr (GstGlesTilesResult) result = gst_gles_tiles_result_from_buffer (out);
  g_autoptr (GstGlesBuffer) offsets = NULL, counts = NULL;
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
  fail_unless_equals_uint64 (line_stat (chain, "glestiles", "bytes-read-back"), 0);
  fail_unless_equals_uint64 (line_stat (chain, "glestiles", "bytes-uploaded"), 300 * 32);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_any_number);
  tcase_add_test (tcase, test_properties);
  tcase_add_test (tcase, test_strange_numbers);
  tcase_add_test (tcase, test_memories);
  tcase_add_test (tcase, test_bad_sizes);
  tcase_add_test (tcase, test_refusals);
  tcase_add_test (tcase, test_caps_and_flush);
  tcase_add_test (tcase, test_on_the_device);
}

LINES_MAIN (add_tests)
