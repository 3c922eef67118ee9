/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glestiles on video: points and boxes that frames carry, on any device, alone and behind
 * glescompact; pixels are neither changed nor read. */
#include "glestiles-common.h"

#include <string.h>

#include <gst/gles/gl/readback-info.h>
#include <gst/gles/meta/points-info.h>

#define WIDTH 322
#define HEIGHT 181
#define CAPS "video/x-raw,format=NV12,width=322,height=181,framerate=25/1"

/* A frame whose memory cannot be read. */
static GstBuffer *
frame_new (void)
{
  return gst_buffer_new_memdup ("no picture", 10);
}

/* ---- points ---- */

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

/* Puts @size bytes on @device, in a buffer with more space. */
static GstGlesBuffer *
upload (GstGlesDevice *device, gconstpointer bytes, gsize size)
{
  GstGlesBuffer *buffer = gst_gles_buffer_new (device, size + 800, NULL);

  fail_unless (
      gst_gles_buffer_upload (buffer, gst_gles_device_get_queue (device), 0, bytes, size, NULL));
  return buffer;
}

/* Adds @points to @frame, of a picture of @width x @height: on @device (nullable) alone, else on
 * the host. */
static void
add_points (GstBuffer *frame, guint width, guint height, const GstGlesPoint *points, guint n,
    GstGlesDevice *device)
{
  const GstGlesPointsInfo info = { .frame = { .width = width, .height = height },
    .region_width = width,
    .region_height = height,
    .channel = GST_GLES_POINTS_LUMA,
    .max_points = n };
  const GstGlesResult counted = { n + 5, n, 4 };
  g_autoptr (GstGlesReadback) readback = NULL;
  g_autoptr (GstGlesBuffer) buffer = NULL, counts = NULL;
  g_autoptr (GstGlesPointsResult) result = NULL;

  if (device == NULL) {
    readback = gst_gles_readback_new_counted (&counted, g_bytes_new (points, n * sizeof (*points)));
  } else {
    buffer = upload (device, points, n * sizeof (*points));
    counts = upload (device, &counted, sizeof (counted));
  }
  result = gst_gles_points_result_new_queued (&info, readback, buffer, counts);
  gst_buffer_add_gles_points_meta (frame, result);
}

/* The device that @chain's element has. */
static GstGlesDevice *
get_device (TestStream *chain)
{
  g_autoptr (GstQuery) query = gst_query_new_context ("gst.gles.device");
  GstGlesDevice *device = NULL;
  GstContext *context = NULL;

  fail_unless (gst_element_query (chain->harness->element, query));
  gst_query_parse_context (query, &context);
  fail_unless (context != NULL);
  fail_unless (gst_structure_get (
      gst_context_get_structure (context), "device", GST_TYPE_GLES_DEVICE, &device, NULL));
  return device;
}

static void
check_points (
    TestStream *chain, const TilesConfig *config, guint n, GstGlesDevice *device, const gchar *what)
{
  g_autofree TilesRecord *records = NULL;
  g_autofree GstGlesPoint *points = points_new (config->width, config->height, n, n, &records);
  GstBuffer *frame = frame_new ();
  g_autoptr (GstBuffer) out = NULL;

  add_points (frame, config->width, config->height, points, n, device);
  out = test_stream_push (chain, frame);
  tiles_check_buffer (out, config, records, n, what);
  fail_unless_equals_int (gst_buffer_memcmp (out, 0, "no picture", 10), 0);
}

GST_START_TEST (test_points)
{
  static const guint numbers[] = { 0, 1, 7, 500, WIDTH * HEIGHT };
  g_autoptr (TestStream) chain = line_stream (CAPS, "glestiles validate=true");
  g_autoptr (GstGlesDevice) device = get_device (chain);
  g_autoptr (GstGlesDevice) cpu = gst_gles_device_new ("cpu", NULL);
  g_autoptr (GstGlesDevice) same_kind = gst_gles_device_new (test_device (), NULL);
  const struct {
    GstGlesDevice *device;
    gboolean uploaded;
    const gchar *what;
  } places[] = { { device, FALSE, "points on the device" }, { NULL, TRUE, "points on the host" },
    { cpu, TRUE, "points on a cpu device" }, { same_kind, TRUE, "points on the device's twin" } };
  const TilesConfig config = { GST_GLES_TILES_INPUT_POINTS, WIDTH, HEIGHT, 16, 16,
    GST_GLES_TILES_SORT_BY_INDEX, FALSE, 0 };
  guint64 uploaded = 0;

  for (guint p = 0; p < G_N_ELEMENTS (places); p++) {
    for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
      check_points (chain, &config, numbers[i], places[p].device, places[p].what);
      uploaded += places[p].uploaded ? 8 * numbers[i] : 0;
      fail_unless_equals_uint64 (line_stat (chain, "glestiles", "bytes-uploaded"), uploaded);
    }
  }
}

GST_END_TEST;

/* The coordinates of points refer to the analysed picture, which may have been scaled since. */
GST_START_TEST (test_points_of_another_size_and_order)
{
  static const struct {
    const gchar *properties;
    TilesConfig config;
  } cases[] = {
    { "tile-width=50 tile-height=33",
        { GST_GLES_TILES_INPUT_POINTS, 1000, 777, 50, 33, GST_GLES_TILES_SORT_BY_INDEX, FALSE,
            0 } },
    { "tile-width=50 tile-height=33",
        { GST_GLES_TILES_INPUT_POINTS, 100, 777, 50, 33, GST_GLES_TILES_SORT_BY_INDEX, FALSE, 0 } },
    { "sort-by=value validate=true",
        { GST_GLES_TILES_INPUT_POINTS, WIDTH, HEIGHT, 16, 16, GST_GLES_TILES_SORT_BY_VALUE, FALSE,
            0 } },
    { "sort-by=value order=descending max-items=1000",
        { GST_GLES_TILES_INPUT_POINTS, WIDTH, HEIGHT, 16, 16, GST_GLES_TILES_SORT_BY_VALUE, TRUE,
            1000 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (TestStream) chain = line_stream (CAPS, "glestiles %s", cases[i].properties);
    check_points (chain, &cases[i].config, 4000, NULL, cases[i].properties);
  }
}

GST_END_TEST;

static GstBuffer *
with_points (GstBuffer *frame)
{
  const GstGlesPoint point = { 1, 2, 3 };

  add_points (frame, WIDTH, HEIGHT, &point, 1, NULL);
  return frame;
}

GST_START_TEST (test_points_have_no_depth)
{
  g_autoptr (TestStream) chain = line_stream (CAPS, "glestiles sort-by=depth");
  g_autoptr (GError) error = line_push_bad (chain, with_points (frame_new ()), GST_FLOW_ERROR);

  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS), "%s",
      error->message);
  fail_unless (strstr (error->message, "sort-by") != NULL, "%s", error->message);
}

GST_END_TEST;

/* ---- behind glescompact ---- */

/* The pixels of a GRAY8 picture of 320x240 from 200 on. */
static void
check_pixels (GstBuffer *buffer, const gchar *what)
{
  const TilesConfig config = { GST_GLES_TILES_INPUT_POINTS, 320, 240, 16, 16,
    GST_GLES_TILES_SORT_BY_INDEX, FALSE, 0 };
  g_autofree TilesRecord *records = g_new0 (TilesRecord, 320 * 240);
  GstMapInfo map;
  guint n = 0;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
  for (guint i = 0; i < 320 * 240; i++) {
    if (map.data[i] < 200)
      continue;
    records[n].min_x = records[n].max_x = (gfloat) (i % 320);
    records[n].min_y = records[n].max_y = (gfloat) (i / 320);
    n++;
  }
  gst_buffer_unmap (buffer, &map);
  tiles_check_buffer (buffer, &config, records, n, what);
}

/* If both elements are on one device, nothing is uploaded; if upstream keeps its arrays there, no
 * byte is downloaded. The results of all frames are held at the end. */
GST_START_TEST (test_behind_glescompact)
{
  static const struct {
    const gchar *line;
    gboolean read_back, uploaded;
  } cases[] = {
    { "glescompact lower=200 readback=false ! glestiles validate=true", FALSE, FALSE },
    { "glescompact lower=200 readback=false ! queue ! glestiles validate=true", FALSE, FALSE },
    { "glescompact lower=200 ! glestiles validate=true", TRUE, FALSE },
    { "glescompact lower=200 ! glestiles device=cpu", TRUE, TRUE },
    { "glescompact lower=200 device=cpu ! glestiles", TRUE, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const gboolean differ = strstr (cases[i].line, "device=cpu") != NULL && !test_device_is_cpu ();
    g_autoptr (TestStream) chain = line_stream (
        "video/x-raw,format=GRAY8,width=320,height=240,framerate=25/1", "%s", cases[i].line);

    for (guint f = 0; f < 10; f++)
      fail_unless_equals_int (
          line_try_push (chain, test_frame_noise (&chain->info, f)), GST_FLOW_OK);
    for (guint f = 0; f < 10; f++) {
      g_autoptr (GstBuffer) out = gst_harness_pull (chain->harness);
      check_pixels (out, cases[i].line);
    }
    fail_unless_equals_int (
        line_stat (chain, "glescompact", "bytes-read-back") > 0, cases[i].read_back);
    fail_unless_equals_int (
        line_stat (chain, "glestiles", "bytes-uploaded") > 0, cases[i].uploaded && differ);
    fail_unless_equals_uint64 (line_stat (chain, "glescompact", "frames"), 10);
    fail_unless_equals_uint64 (line_stat (chain, "glestiles", "frames"), 10);
  }
}

GST_END_TEST;

/* ---- boxes ---- */

/* x, y, width, height, id; negative coordinates as the meta stores them */
static const guint boxes[][5] = {
  { 0, 0, 1, 1, 30 }, { 10, 10, 100, 50, 7 }, { 300, 170, 500, 500, 100 }, /* over the edge */
  { 0, 0, 322, 181, 1 },                                                   /* all of the picture */
  { 400, 10, 20, 20, 5 },                                                  /* outside */
  { 5, 5, 0, 10, 6 },                                                      /* empty */
  { (guint) -10, 16, 26, 16, 7 },   /* over the left edge: one tile is left */
  { 15, 15, 2, 2, 2 },              /* four */
  { G_MAXINT, 0, G_MAXUINT, 3, 4 }, /* far away */
  { 0, 100, G_MAXUINT, 1, 3 },      /* endless */
};

static GstBuffer *
boxes_new (TilesRecord *records, gboolean by_id)
{
  GstBuffer *frame = frame_new ();

  for (guint i = 0; i < G_N_ELEMENTS (boxes); i++) {
    const guint *b = boxes[i];
    const gint64 x = (gint) b[0];
    GstVideoRegionOfInterestMeta *meta =
        gst_buffer_add_video_region_of_interest_meta (frame, "box", b[0], b[1], b[2], b[3]);

    meta->id = (gint) b[4];
    records[i] = (TilesRecord){ (gfloat) MAX (x, 0), (gfloat) b[1], (gfloat) (x + b[2] - 1),
      (gfloat) ((gdouble) b[1] + b[3] - 1), (gfloat) (x + b[2] - MAX (x, 0)) * (gfloat) b[3], 0, 0,
      0 };
    if (by_id)
      memcpy (&records[i].depth, &b[4], sizeof (guint32));
  }
  return frame;
}

GST_START_TEST (test_boxes)
{
  static const struct {
    const gchar *properties;
    GstGlesTilesSortBy by;
    gboolean descending;
  } cases[] = { { "source=roi validate=true", GST_GLES_TILES_SORT_BY_INDEX, FALSE },
    { "source=auto", GST_GLES_TILES_SORT_BY_INDEX, FALSE },
    { "source=roi sort-by=value", GST_GLES_TILES_SORT_BY_VALUE, FALSE },
    { "source=roi sort-by=depth", GST_GLES_TILES_SORT_BY_DEPTH, FALSE },
    { "source=roi sort-by=depth order=descending", GST_GLES_TILES_SORT_BY_DEPTH, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const TilesConfig config = { GST_GLES_TILES_INPUT_ROI, WIDTH, HEIGHT, 16, 16, cases[i].by,
      cases[i].descending, 0 };
    TilesRecord records[G_N_ELEMENTS (boxes)];
    g_autoptr (TestStream) chain = line_stream (CAPS, "glestiles %s", cases[i].properties);
    g_autoptr (GstBuffer) out =
        test_stream_push (chain, boxes_new (records, config.by == GST_GLES_TILES_SORT_BY_VALUE));

    tiles_check_buffer (out, &config, records, G_N_ELEMENTS (boxes), cases[i].properties);
  }
}

GST_END_TEST;

/* Pushes @frame (transfer full): what was listed, or -1. */
static gint
input_of (TestStream *chain, GstBuffer *frame)
{
  g_autoptr (GstBuffer) out = test_stream_push (chain, frame);
  g_autoptr (GstGlesTilesResult) result = gst_gles_tiles_result_from_buffer (out);

  return result != NULL ? (gint) gst_gles_tiles_result_get_info (result)->input : -1;
}

GST_START_TEST (test_sources)
{
  enum {
    POINTS = GST_GLES_TILES_INPUT_POINTS,
    ROI = GST_GLES_TILES_INPUT_ROI
  };
  static const struct {
    const gchar *source;
    gint nothing, points, boxes, both; /* what is listed of such frames */
  } cases[] = {
    { "source=auto", -1, POINTS, ROI, POINTS },
    { "source=points", -1, POINTS, -1, POINTS },
    { "source=roi", ROI, ROI, ROI, ROI },
  };
  TilesRecord records[G_N_ELEMENTS (boxes)];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (TestStream) chain = line_stream (CAPS, "glestiles %s", cases[i].source);

    fail_unless_equals_int (input_of (chain, frame_new ()), cases[i].nothing);
    fail_unless_equals_int (input_of (chain, with_points (frame_new ())), cases[i].points);
    fail_unless_equals_int (input_of (chain, boxes_new (records, FALSE)), cases[i].boxes);
    fail_unless_equals_int (
        input_of (chain, with_points (boxes_new (records, FALSE))), cases[i].both);
  }
}

GST_END_TEST;

/* ---- messages and statistics ---- */

GST_START_TEST (test_messages)
{
  g_autoptr (TestStream) chain =
      line_stream (CAPS, "glestiles source=roi post-messages=true attach-meta=false max-items=30");
  TilesRecord records[G_N_ELEMENTS (boxes)];

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstStructure) expected = NULL;
    g_autoptr (GstMessage) message = NULL;
    GstStructure *structure;

    fail_unless_equals_int (input_of (chain, boxes_new (records, FALSE)), -1);
    message = gst_bus_timed_pop_filtered (chain->bus, 10 * GST_SECOND, GST_MESSAGE_ELEMENT);
    fail_unless (message != NULL);
    structure = gst_structure_copy (gst_message_get_structure (message));
    gst_structure_remove_fields (
        structure, "timestamp", "stream-time", "running-time", "duration", NULL);
    /* 1, 7 x 4, 3 x 2, 21 x 12, 1, 4 and 21 tiles, but no more than 30 of them */
    expected = gst_structure_new ("glestiles", "frame", G_TYPE_UINT64, (guint64) i, "source",
        G_TYPE_STRING, "roi", "total", G_TYPE_UINT64, (guint64) (1 + 28 + 6 + 252 + 1 + 4 + 21),
        "count", G_TYPE_UINT, 30, "truncated", G_TYPE_BOOLEAN, TRUE, "columns", G_TYPE_UINT, 21,
        "rows", G_TYPE_UINT, 12, "occupied", G_TYPE_UINT, 29, "max-per-tile", G_TYPE_UINT, 2, NULL);
    fail_unless (gst_structure_is_equal (structure, expected), "%" GST_PTR_FORMAT, structure);
    gst_structure_free (structure);
  }
}

GST_END_TEST;

GST_START_TEST (test_profile)
{
  g_autoptr (TestStream) chain =
      line_stream (CAPS, "glestiles source=roi profile=true readback=true");
  g_autoptr (GstElement) element = gst_harness_find_element (chain->harness, "glestiles");
  g_autoptr (GstStructure) stats = NULL;
  TilesRecord records[G_N_ELEMENTS (boxes)];

  fail_unless_equals_int (input_of (chain, boxes_new (records, FALSE)), GST_GLES_TILES_INPUT_ROI);
  /* Times are added after the push; all are there before EOS passes. */
  test_stream_push_event (chain, gst_event_new_eos ());
  g_object_get (element, "stats", &stats, NULL);
  /* native code has no passes, and OpenGL ES 3.1 does not promise timers */
  if (!test_device_is_cpu () && g_getenv ("GST_GLES_LIMITS") == NULL) {
    fail_unless (gst_structure_has_field (stats, "passes"));
    fail_unless (gst_structure_has_field (
        gst_value_get_structure (gst_structure_get_value (stats, "passes")), "tiles_expand"));
  }
  fail_unless_equals_uint64 (line_stat (chain, "glestiles", "bytes-uploaded"), sizeof (records));
  fail_unless_equals_uint64 (
      line_stat (chain, "glestiles", "bytes-read-back"), 4 * (21 * 12 + 1 + 2 * 313) + 2 * 16);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_points);
  tcase_add_test (tcase, test_points_of_another_size_and_order);
  tcase_add_test (tcase, test_points_have_no_depth);
  tcase_add_test (tcase, test_behind_glescompact);
  tcase_add_test (tcase, test_boxes);
  tcase_add_test (tcase, test_sources);
  tcase_add_test (tcase, test_messages);
  tcase_add_test (tcase, test_profile);
}

LINES_MAIN (add_tests)
