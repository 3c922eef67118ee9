/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glestiles on video: points and boxes that frames carry, on any device; pixels are neither changed
 * nor read. */
#include "glestiles-common.h"

#include <string.h>

#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/points.h>

#define CAPS "video/x-raw,format=NV12,width=322,height=181,framerate=25/1"

static const TilesConfig usual = { 322, 181, 16, 16, TILES_BY_INDEX, FALSE, 0 };

/* ---- points ---- */

/* A frame whose memory cannot be read. */
static GstBuffer *
frame_new (void)
{
  return gst_buffer_new_memdup ("no picture", 10);
}

/* @n points of a frame of @width x @height, in raster order, as points and as records: g_free()
 * both */
static GstGlesPoint *
points_new (guint width, guint height, guint n, guint32 seed, TilesRecord **records)
{
  GRand *rand = g_rand_new_with_seed (seed);
  GstGlesPoint *points = g_new0 (GstGlesPoint, n + 1);

  *records = g_new0 (TilesRecord, n + 1);
  for (guint i = 0; i < n; i++) {
    const guint at = (guint) ((guint64) i * width * height / n);
    const guint32 value = g_rand_int_range (rand, 0, 50);
    TilesRecord *record = &(*records)[i];
    points[i] = (GstGlesPoint){ at % width, at / width, value };
    record->min_x = record->max_x = points[i].x;
    record->min_y = record->max_y = points[i].y;
    memcpy (&record->depth, &value, sizeof (value));
  }
  g_rand_free (rand);
  return points;
}

static GstGlesReadback *
readback_new (const GstGlesPoint *points, guint n)
{
  const GstGlesResult counted = { n, n, 0 };

  return gst_gles_readback_new_counted (&counted, g_bytes_new (points, n * sizeof (*points)));
}

/* Puts @points on @device, in a buffer with more space, together with their count. */
static void
upload_points (GstGlesDevice *device, const GstGlesPoint *points, guint n, GstGlesBuffer **buffer,
    GstGlesBuffer **counts)
{
  const GstGlesResult counted = { n + 5, n, 4 };
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  GError *error = NULL;

  *buffer = gst_gles_buffer_new (device, (n + 100) * sizeof (*points), &error);
  test_no_error (error);
  *counts = gst_gles_buffer_new (device, sizeof (counted), &error);
  test_no_error (error);
  gst_gles_buffer_upload (*buffer, queue, 0, points, n * sizeof (*points), &error);
  test_no_error (error);
  gst_gles_buffer_upload (*counts, queue, 0, &counted, sizeof (counted), &error);
  test_no_error (error);
}

/* Adds @points to @frame, of a picture of @width x @height: on @device (nullable) alone, else on
 * the host. */
static void
add_points (GstBuffer *frame, guint width, guint height, const GstGlesPoint *points, guint n,
    GstGlesDevice *device)
{
  const GstGlesPointsInfo info = { .width = width,
    .height = height,
    .region_width = width,
    .region_height = height,
    .channel = GST_GLES_POINTS_LUMA,
    .max_points = n };
  g_autoptr (GstGlesReadback) readback = NULL;
  g_autoptr (GstGlesBuffer) buffer = NULL;
  g_autoptr (GstGlesBuffer) counts = NULL;
  g_autoptr (GstGlesPointsResult) result = NULL;

  if (device == NULL)
    readback = readback_new (points, n);
  else
    upload_points (device, points, n, &buffer, &counts);
  result = gst_gles_points_result_new (&info, readback, buffer, counts);
  gst_buffer_add_gles_points_meta (frame, result);
}

/* The device that @stream's element has. */
static GstGlesDevice *
get_device (TilesStream *stream)
{
  GstQuery *query = gst_query_new_context ("gst.gles.device");
  GstGlesDevice *device = NULL;
  GstContext *context = NULL;

  fail_unless (gst_element_query (stream->element, query));
  gst_query_parse_context (query, &context);
  fail_unless (context != NULL);
  fail_unless (gst_structure_get (
      gst_context_get_structure (context), "device", GST_TYPE_GLES_DEVICE, &device, NULL));
  gst_query_unref (query);
  return device;
}

static void
check_points (TilesStream *stream, const TilesConfig *config, guint n, GstGlesDevice *device,
    const gchar *what)
{
  g_autofree TilesRecord *records = NULL;
  g_autofree GstGlesPoint *points = points_new (config->width, config->height, n, n, &records);
  GstBuffer *frame = frame_new ();
  g_autoptr (GstBuffer) out = NULL;

  add_points (frame, config->width, config->height, points, n, device);
  out = tiles_stream_push (stream, frame);
  tiles_check_buffer (out, config, records, n, GST_GLES_TILES_INPUT_POINTS, what);
  fail_unless_equals_int (gst_buffer_memcmp (out, 0, "no picture", 10), 0);
}

GST_START_TEST (test_points_on_the_host)
{
  static const guint numbers[] = { 0, 1, 7, 500, 20000, 58282 };
  g_autoptr (TilesStream) stream = tiles_stream_new ("validate=true", CAPS);
  guint64 uploaded = 0;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    check_points (stream, &usual, numbers[i], NULL, "points on the host");
    uploaded += 8 * numbers[i];
  }
  fail_unless_equals_uint64 (tiles_stream_stat (stream, "bytes-uploaded"), uploaded);
}

GST_END_TEST;

GST_START_TEST (test_points_on_the_device)
{
  static const guint numbers[] = { 0, 1, 7, 500, 20000, 58282 };
  g_autoptr (TilesStream) stream = tiles_stream_new ("validate=true", CAPS);
  g_autoptr (GstGlesDevice) device = get_device (stream);

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    check_points (stream, &usual, numbers[i], device, "points on the device");
  fail_unless_equals_uint64 (tiles_stream_stat (stream, "bytes-uploaded"), 0);
}

GST_END_TEST;

/* On a device that is not the element's, and nowhere else. */
GST_START_TEST (test_points_on_another_device)
{
  g_autoptr (TilesStream) stream = tiles_stream_new (NULL, CAPS);
  g_autoptr (GstGlesDevice) other = gst_gles_device_new ("cpu", NULL);
  g_autoptr (GstGlesDevice) same_kind = gst_gles_device_new (test_device (), NULL);

  fail_unless (other != NULL && same_kind != NULL);
  check_points (stream, &usual, 3000, other, "points on a cpu device");
  check_points (stream, &usual, 0, other, "no points on a cpu device");
  check_points (stream, &usual, 3000, same_kind, "points on the device's twin");
  fail_unless_equals_uint64 (tiles_stream_stat (stream, "bytes-uploaded"), 2 * 3000 * 8);
}

GST_END_TEST;

/* The coordinates of points refer to the analysed picture, which may have been scaled since. */
GST_START_TEST (test_points_of_another_size)
{
  g_autoptr (TilesStream) stream = tiles_stream_new ("tile-width=50 tile-height=33", CAPS);
  TilesConfig config = { 1000, 777, 50, 33, TILES_BY_INDEX, FALSE, 0 };

  check_points (stream, &config, 2000, NULL, "points of a larger picture");
  config.width = 100;
  check_points (stream, &config, 2000, NULL, "points of a smaller picture");
}

GST_END_TEST;

GST_START_TEST (test_points_by_value)
{
  TilesConfig config = usual;
  g_autoptr (TilesStream) stream = tiles_stream_new ("sort-by=value validate=true", CAPS);
  g_autoptr (TilesStream) descending =
      tiles_stream_new ("sort-by=value order=descending max-items=1000", CAPS);

  config.by = TILES_BY_VALUE;
  check_points (stream, &config, 4000, NULL, "by value");
  config.descending = TRUE;
  config.max_items = 1000;
  check_points (descending, &config, 4000, NULL, "by value, descending");
}

GST_END_TEST;

GST_START_TEST (test_points_have_no_depth)
{
  g_autoptr (TilesStream) stream = tiles_stream_new ("sort-by=depth", CAPS);
  g_autofree TilesRecord *records = NULL;
  g_autofree GstGlesPoint *points = points_new (322, 181, 3, 1, &records);
  GstBuffer *frame = frame_new ();
  g_autoptr (GError) error = NULL;

  add_points (frame, 322, 181, points, 3, NULL);
  error = tiles_stream_push_bad (stream, frame);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS), "%s",
      error->message);
  fail_unless (strstr (error->message, "sort-by") != NULL, "%s", error->message);
}

GST_END_TEST;

/* ---- boxes ---- */

static const guint boxes[][5] = {
  /* x, y, width, height, id */
  { 0, 0, 1, 1, 30 }, { 10, 10, 100, 50, 7 }, { 300, 170, 500, 500, 100 }, /* over the edge */
  { 0, 0, 322, 181, 1 },                                                   /* all of the picture */
  { 400, 10, 20, 20, 5 },                                                  /* outside */
  { 5, 5, 0, 10, 6 },                                                      /* empty */
  { 16, 16, 16, 16, 7 },                                                   /* one tile */
  { 15, 15, 2, 2, 2 },                                                     /* four */
  { G_MAXUINT, 0, G_MAXUINT, 3, 4 },                                       /* far away */
  { 0, 100, G_MAXUINT, 1, 3 },                                             /* endless */
};

static GstBuffer *
boxes_new (TilesRecord *records, gboolean by_id)
{
  GstBuffer *frame = frame_new ();

  for (guint i = 0; i < G_N_ELEMENTS (boxes); i++) {
    const guint *b = boxes[i];
    GstVideoRegionOfInterestMeta *meta =
        gst_buffer_add_video_region_of_interest_meta (frame, "box", b[0], b[1], b[2], b[3]);
    meta->id = (gint) b[4];
    records[i] = (TilesRecord){ (gfloat) b[0], (gfloat) b[1], (gfloat) ((gdouble) b[0] + b[2] - 1),
      (gfloat) ((gdouble) b[1] + b[3] - 1), (gfloat) b[2] * (gfloat) b[3], 0, 0, 0 };
    if (by_id)
      memcpy (&records[i].depth, &b[4], sizeof (guint32));
  }
  return frame;
}

GST_START_TEST (test_boxes)
{
  static const struct {
    const gchar *properties;
    TilesBy by;
    gboolean descending;
  } cases[] = { { "source=roi validate=true", TILES_BY_INDEX, FALSE },
    { "source=auto", TILES_BY_INDEX, FALSE }, { "source=roi sort-by=value", TILES_BY_VALUE, FALSE },
    { "source=roi sort-by=depth", TILES_BY_DEPTH, FALSE },
    { "source=roi sort-by=depth order=descending", TILES_BY_DEPTH, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    TilesConfig config = usual;
    TilesRecord records[G_N_ELEMENTS (boxes)];
    g_autoptr (TilesStream) stream = tiles_stream_new (cases[i].properties, CAPS);
    g_autoptr (GstBuffer) out = NULL;
    config.by = cases[i].by;
    config.descending = cases[i].descending;
    out = tiles_stream_push (stream, boxes_new (records, config.by == TILES_BY_VALUE));
    tiles_check_buffer (
        out, &config, records, G_N_ELEMENTS (boxes), GST_GLES_TILES_INPUT_ROI, cases[i].properties);
  }
}

GST_END_TEST;

/* Pushes @frame (transfer full): whether it was analysed, and as what. */
static gint
input_of (TilesStream *stream, GstBuffer *frame)
{
  g_autoptr (GstBuffer) out = tiles_stream_push (stream, frame);
  g_autoptr (GstGlesTilesResult) result = gst_gles_tiles_result_from_buffer (out);

  return result != NULL ? (gint) gst_gles_tiles_result_get_input (result) : -1;
}

static GstBuffer *
with_points (GstBuffer *frame)
{
  const GstGlesPoint point = { 1, 2, 3 };

  add_points (frame, 322, 181, &point, 1, NULL);
  return frame;
}

GST_START_TEST (test_sources)
{
  g_autoptr (TilesStream) automatic = tiles_stream_new (NULL, CAPS);
  g_autoptr (TilesStream) points = tiles_stream_new ("source=points", CAPS);
  g_autoptr (TilesStream) roi = tiles_stream_new ("source=roi", CAPS);
  TilesStream *streams[] = { automatic, points, roi };
  static const gint expected[3][4] = { { -1, GST_GLES_TILES_INPUT_POINTS, GST_GLES_TILES_INPUT_ROI,
                                           GST_GLES_TILES_INPUT_POINTS },
    { -1, GST_GLES_TILES_INPUT_POINTS, -1, GST_GLES_TILES_INPUT_POINTS },
    { GST_GLES_TILES_INPUT_ROI, GST_GLES_TILES_INPUT_ROI, GST_GLES_TILES_INPUT_ROI,
        GST_GLES_TILES_INPUT_ROI } };
  TilesRecord records[G_N_ELEMENTS (boxes)];

  for (guint i = 0; i < 3; i++) {
    fail_unless_equals_int (input_of (streams[i], frame_new ()), expected[i][0]);
    fail_unless_equals_int (input_of (streams[i], with_points (frame_new ())), expected[i][1]);
    fail_unless_equals_int (input_of (streams[i], boxes_new (records, FALSE)), expected[i][2]);
    fail_unless_equals_int (
        input_of (streams[i], with_points (boxes_new (records, FALSE))), expected[i][3]);
  }
}

GST_END_TEST;

/* ---- what all analysers do ---- */

GST_START_TEST (test_interval)
{
  g_autoptr (TilesStream) stream = tiles_stream_new ("source=roi interval=3", CAPS);

  for (guint i = 0; i < 7; i++)
    fail_unless_equals_int (
        input_of (stream, frame_new ()), i % 3 == 0 ? GST_GLES_TILES_INPUT_ROI : -1);
  fail_unless_equals_uint64 (tiles_stream_stat (stream, "frames"), 3);
}

GST_END_TEST;

GST_START_TEST (test_messages)
{
  g_autoptr (TilesStream) stream =
      tiles_stream_new ("source=roi post-messages=true attach-meta=false max-items=30", CAPS);
  TilesRecord records[G_N_ELEMENTS (boxes)];

  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstMessage) message = NULL;
    const GstStructure *structure;
    guint64 frame, total;
    guint count, columns, rows, occupied, most;
    gboolean truncated;
    fail_unless_equals_int (input_of (stream, boxes_new (records, FALSE)), -1);
    message = gst_bus_timed_pop_filtered (stream->bus, 10 * GST_SECOND, GST_MESSAGE_ELEMENT);
    fail_unless (message != NULL);
    structure = gst_message_get_structure (message);
    fail_unless (gst_structure_has_name (structure, "glestiles"));
    fail_unless (gst_structure_get (structure, "frame", G_TYPE_UINT64, &frame, "total",
        G_TYPE_UINT64, &total, "count", G_TYPE_UINT, &count, "truncated", G_TYPE_BOOLEAN,
        &truncated, "columns", G_TYPE_UINT, &columns, "rows", G_TYPE_UINT, &rows, "occupied",
        G_TYPE_UINT, &occupied, "max-per-tile", G_TYPE_UINT, &most, NULL));
    fail_unless_equals_string (gst_structure_get_string (structure, "source"), "roi");
    /* 1, 7 x 4, 3 x 2, 21 x 12, 1, 4 and 21 tiles, but no more than 30 of them */
    fail_unless_equals_uint64 (frame, i);
    fail_unless_equals_uint64 (total, 1 + 28 + 6 + 252 + 1 + 4 + 21);
    fail_unless (count == 30 && truncated && columns == 21 && rows == 12);
    fail_unless (occupied == 29 && most == 2, "%u tiles with up to %u", occupied, most);
  }
}

GST_END_TEST;

GST_START_TEST (test_profile)
{
  g_autoptr (TilesStream) stream = tiles_stream_new ("source=roi profile=true", CAPS);
  g_autoptr (GstStructure) stats = NULL;
  TilesRecord records[G_N_ELEMENTS (boxes)];
  const GstStructure *passes;

  fail_unless_equals_int (input_of (stream, boxes_new (records, FALSE)), GST_GLES_TILES_INPUT_ROI);
  /* Times are added after the push; all are there before EOS passes. */
  fail_unless (gst_harness_push_event (stream->harness, gst_event_new_eos ()));
  g_object_get (stream->element, "stats", &stats, NULL);
  /* native code has no passes, and OpenGL ES 3.1 does not promise timers */
  if (!test_device_is_cpu () && g_getenv ("GST_GLES_LIMITS") == NULL) {
    fail_unless (gst_structure_has_field (stats, "passes"));
    passes = gst_value_get_structure (gst_structure_get_value (stats, "passes"));
    fail_unless (gst_structure_has_field (passes, "tiles_expand"));
  }
  fail_unless_equals_uint64 (tiles_stream_stat (stream, "bytes-uploaded"), sizeof (records));
  fail_unless_equals_uint64 (
      tiles_stream_stat (stream, "bytes-read-back"), 4 * (21 * 12 + 1 + 2 * 313) + 2 * 16);
}

GST_END_TEST;

GST_START_TEST (test_bad_caps)
{
  g_autoptr (GError) error = NULL;

  error = tiles_stream_refused ("source=roi", "video/x-raw,format=I420");
  fail_unless (
      g_error_matches (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT), "%s", error->message);
}

GST_END_TEST;

static Suite *
tiles_suite (void)
{
  Suite *suite = suite_create ("glestiles-video");
  TCase *tc = tcase_create ("video");

  suite_add_tcase (suite, tc);
  tcase_set_timeout (tc, 240);
  tcase_add_test (tc, test_points_on_the_host);
  tcase_add_test (tc, test_points_on_the_device);
  tcase_add_test (tc, test_points_on_another_device);
  tcase_add_test (tc, test_points_of_another_size);
  tcase_add_test (tc, test_points_by_value);
  tcase_add_test (tc, test_points_have_no_depth);
  tcase_add_test (tc, test_boxes);
  tcase_add_test (tc, test_sources);
  tcase_add_test (tc, test_interval);
  tcase_add_test (tc, test_messages);
  tcase_add_test (tc, test_profile);
  tcase_add_test (tc, test_bad_caps);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, tiles_suite);
}
