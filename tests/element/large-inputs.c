/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Inputs over a device's limits: 268 million pixels and 10 million splats are right on the cpu
 * device, and refused with advice on a device whose storage blocks are too small. */
#include "glestiles-common.h"

#include <string.h>

#define SIDE 16384
#define LIGHT 200
#define DARK 31
#define DARK_ROWS 5

#define N_RECORDS (10 * 1000 * 1000)
#define COLUMNS 120
#define N_TILES (COLUMNS * 68)

GST_START_TEST (test_a_large_frame)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL,
      "video/x-raw,format=GRAY8,width=" G_STRINGIFY (SIDE) ",height=" G_STRINGIFY (
          SIDE) ",framerate=25/1");
  GstBuffer *frame = gst_buffer_new_allocate (NULL, (gsize) SIDE * SIDE, NULL);

  gst_buffer_memset (frame, 0, LIGHT, (gsize) SIDE * SIDE);
  gst_buffer_memset (frame, (gsize) SIDE * SIDE - DARK_ROWS * SIDE, DARK, DARK_ROWS * SIDE);
  if (test_device_is_cpu ()) {
    g_autoptr (GstBuffer) out = test_stream_push (stream, frame);
    g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (out);
    g_autoptr (GError) error = NULL;
    guint n;
    const guint32 *counts = gst_gles_histogram_result_get_counts (result, 0, 0, &n, &error);

    test_no_error (error);
    fail_unless_equals_int (n, 256);
    for (guint i = 0; i < n; i++)
      fail_unless_equals_uint64 (counts[i],
          i == DARK        ? DARK_ROWS * SIDE
              : i == LIGHT ? SIDE * (SIDE - DARK_ROWS)
                           : 0);
  } else {
    g_autoptr (GError) error = NULL;

    /* refused with its caps */
    fail_unless_equals_int (gst_harness_push (stream->harness, frame), GST_FLOW_NOT_NEGOTIATED);
    error = test_bus_pop_error (stream->bus);
    fail_unless (error != NULL);
    fail_unless (strstr (error->message, "over the device's limit") != NULL, "%s", error->message);
  }
}

GST_END_TEST;

/* Record @i lies within tile @i modulo their number, behind the earlier ones. */
static GstBuffer *
make_records (void)
{
  TilesRecord *records = g_new0 (TilesRecord, N_RECORDS);

  for (guint i = 0; i < N_RECORDS; i++) {
    const guint tile = i % N_TILES;

    records[i].min_x = 16.0f * (gfloat) (tile % COLUMNS) + 4;
    records[i].min_y = 16.0f * (gfloat) (tile / COLUMNS) + 4;
    records[i].max_x = records[i].min_x + 4;
    records[i].max_y = records[i].min_y + 3;
    records[i].depth = (gfloat) (i / N_TILES);
    records[i].index = i;
  }
  return gst_buffer_new_wrapped (records, sizeof (TilesRecord) * N_RECORDS);
}

static void
check_lists (GstBuffer *out)
{
  g_autoptr (GstGlesTilesResult) result = gst_gles_tiles_result_from_buffer (out);
  g_autoptr (GError) error = NULL;
  const guint32 *offsets, *indices;
  guint n_offsets, n_indices, at = 0;

  offsets = gst_gles_tiles_result_get_offsets (result, &n_offsets, &error);
  test_no_error (error);
  indices = gst_gles_tiles_result_get_indices (result, &n_indices, &error);
  test_no_error (error);
  fail_unless_equals_int (n_offsets, N_TILES + 1);
  fail_unless_equals_int (n_indices, N_RECORDS);
  fail_unless_equals_uint64 (gst_gles_tiles_result_get_total (result), N_RECORDS);
  for (guint tile = 0; tile < N_TILES; tile++) {
    fail_unless_equals_int (offsets[tile], at);
    for (guint i = tile; i < N_RECORDS; i += N_TILES) {
      if (indices[at++] != i)
        fail ("tile %u: record %u is missing", tile, i);
    }
  }
  fail_unless_equals_int (offsets[N_TILES], N_RECORDS);
}

GST_START_TEST (test_many_splats)
{
  g_autoptr (TilesStream) stream = tiles_stream_new ("max-items=" G_STRINGIFY (16777216),
      "application/x-gles-splats,format=rect32le,width=1920,height=1080,framerate=60/1");

  if (test_device_is_cpu ()) {
    g_autoptr (GstBuffer) out = tiles_stream_push (stream, make_records ());

    check_lists (out);
  } else {
    g_autoptr (GError) error = tiles_stream_push_bad (stream, make_records ());

    fail_unless (strstr (error->message, "list fewer") != NULL, "%s", error->message);
  }
}

GST_END_TEST;

static Suite *
large_suite (void)
{
  Suite *suite = suite_create ("large-inputs");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 240);
  tcase_add_test (tcase, test_a_large_frame);
  tcase_add_test (tcase, test_many_splats);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, large_suite);
}
