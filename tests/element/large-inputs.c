/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Inputs over a device's limits: 268 million pixels and 10 million splats are right on the cpu
 * device, and refused with advice on a device whose storage blocks are too small. glescompact lists
 * more points than fit such a block (128 MiB where it has only the minimum of OpenGL ES 3.1). */
#include "glestiles-common.h"

#include <gst/gles/meta/points.h>

#include <string.h>

#define FRAME(side)                                                                                \
  "video/x-raw,format=GRAY8,width=" G_STRINGIFY (side) ",height=" G_STRINGIFY (                    \
      side) ",framerate=25/1"

/* Pushes @buffer (transfer full), and returns what comes out: (transfer full). A device that is not
 * the cpu has to end with @flow and an @error (out), and NULL is returned. */
static GstBuffer *
push (TestStream *chain, GstBuffer *buffer, GstFlowReturn flow, GError **error)
{
  const GstFlowReturn got = line_try_push (chain, buffer);

  *error = test_bus_pop_error (chain->bus);
  fail_unless_equals_int (got, test_device_is_cpu () ? GST_FLOW_OK : flow);
  fail_unless ((*error == NULL) == (got == GST_FLOW_OK));
  return gst_harness_try_pull (chain->harness);
}

/* ---- histograms ---- */

#define SIDE 16384
#define LIGHT 200
#define DARK 31
#define DARK_ROWS 5

GST_START_TEST (test_a_large_frame)
{
  g_autoptr (TestStream) chain = line_stream (FRAME (SIDE), "gleshistogram");
  GstBuffer *frame = gst_buffer_new_allocate (NULL, (gsize) SIDE * SIDE, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBuffer) out = NULL;

  gst_buffer_memset (frame, 0, LIGHT, (gsize) SIDE * SIDE);
  gst_buffer_memset (frame, (gsize) SIDE * SIDE - DARK_ROWS * SIDE, DARK, DARK_ROWS * SIDE);
  /* refused with its caps */
  out = push (chain, frame, GST_FLOW_NOT_NEGOTIATED, &error);
  if (error != NULL) {
    fail_unless (strstr (error->message, "over the device's limit") != NULL, "%s", error->message);
  } else {
    g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (out);
    guint n;
    const guint32 *counts = gst_gles_histogram_result_get_counts (result, 0, 0, &n, &error);

    test_no_error (error);
    fail_unless_equals_int (n, 256);
    for (guint i = 0; i < n; i++)
      fail_unless_equals_uint64 (counts[i],
          i == DARK        ? DARK_ROWS * SIDE
              : i == LIGHT ? SIDE * (SIDE - DARK_ROWS)
                           : 0);
  }
}

GST_END_TEST;

/* ---- lists of splats ---- */

#define N_SPLATS (10 * 1000 * 1000)
#define COLUMNS 120
#define N_TILES (COLUMNS * 68)

/* Splat @i lies within tile @i modulo their number, behind the earlier ones. */
static GstBuffer *
make_splats (void)
{
  TilesRecord *splats = g_new0 (TilesRecord, N_SPLATS);

  for (guint i = 0; i < N_SPLATS; i++) {
    const guint tile = i % N_TILES;

    splats[i].min_x = 16.0f * (gfloat) (tile % COLUMNS) + 4;
    splats[i].min_y = 16.0f * (gfloat) (tile / COLUMNS) + 4;
    splats[i].max_x = splats[i].min_x + 4;
    splats[i].max_y = splats[i].min_y + 3;
    splats[i].depth = (gfloat) (i / N_TILES);
    splats[i].index = i;
  }
  return gst_buffer_new_wrapped (splats, sizeof (TilesRecord) * N_SPLATS);
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
  fail_unless_equals_int (n_indices, N_SPLATS);
  fail_unless_equals_uint64 (gst_gles_tiles_result_get_total (result), N_SPLATS);
  for (guint tile = 0; tile < N_TILES; tile++) {
    fail_unless_equals_int (offsets[tile], at);
    for (guint i = tile; i < N_SPLATS; i += N_TILES) {
      if (indices[at++] != i)
        fail ("tile %u: splat %u is missing", tile, i);
    }
  }
  fail_unless_equals_int (offsets[N_TILES], N_SPLATS);
}

GST_START_TEST (test_many_splats)
{
  g_autoptr (TestStream) chain = line_stream (
      "application/x-gles-splats,format=rect32le,width=1920,height=1080,framerate=60/1",
      "glestiles max-items=16777216");
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBuffer) out = NULL;

  out = push (chain, make_splats (), GST_FLOW_ERROR, &error);
  if (error != NULL) {
    fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT));
    fail_unless (strstr (error->message, "list fewer") != NULL, "%s", error->message);
    fail_unless (strstr (error->message, "cpu") != NULL, "%s", error->message);
  } else {
    check_lists (out);
  }
}

GST_END_TEST;

/* ---- points ---- */

/* 17.2 million points of 8 bytes: 131 MiB */
#define POINTS_SIDE 4144
/* in the second window of 16 Mi points */
#define MAX_POINTS 17000000

GST_START_TEST (test_points_over_a_block)
{
  g_autoptr (TestStream) chain =
      line_stream (FRAME (POINTS_SIDE), "glescompact lower=0 max-points=%d", MAX_POINTS);
  g_autoptr (GstGlesPointsResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBuffer) out = NULL;
  const GstGlesPoint *points;
  guint n, wrong = 0;
  GstMapInfo map;

  out = push (chain, test_frame_noise (&chain->info, 5), GST_FLOW_OK, &error);
  result = gst_gles_points_result_from_buffer (out);
  points = gst_gles_points_result_get_points (result, &n, &error);
  test_no_error (error);
  fail_unless_equals_int (n, MAX_POINTS);
  fail_unless_equals_uint64 (gst_gles_points_result_get_total (result), POINTS_SIDE * POINTS_SIDE);
  fail_unless (gst_gles_points_result_is_truncated (result));
  fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
  /* Compared without assertions, as each assertion of GstCheck takes a microsecond. */
  while (wrong < n && points[wrong].x == wrong % POINTS_SIDE &&
      points[wrong].y == wrong / POINTS_SIDE && points[wrong].value == map.data[wrong])
    wrong++;
  fail_unless (wrong == n, "point %u is %u,%u: %u", wrong, points[wrong].x, points[wrong].y,
      points[wrong].value);
  gst_buffer_unmap (out, &map);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_a_large_frame);
  tcase_add_test (tcase, test_many_splats);
  tcase_add_test (tcase, test_points_over_a_block);
}

LINES_MAIN (add_tests)
