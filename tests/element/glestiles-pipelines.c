/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glestiles in pipelines: behind glescompact on one device, before elements that keep the lists or
 * drop them, and several at a time. */
#include "glestiles-common.h"

#include <string.h>

#include <gst/gles/meta/points.h>

/* ---- a pipeline and what comes out of it ---- */

/* What came out: looked at by the test's own thread, where a failure can be reported. */
static GstPadProbeReturn
keep_buffer (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  g_ptr_array_add (user_data, gst_buffer_ref (GST_PAD_PROBE_INFO_BUFFER (info)));
  return GST_PAD_PROBE_OK;
}

static GPtrArray *
kept_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
}

/* Two boxes on each buffer. */
static GstPadProbeReturn
add_boxes (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstBuffer *buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));

  gst_buffer_add_video_region_of_interest_meta (buffer, "box", 0, 0, 40, 40);
  gst_buffer_add_video_region_of_interest_meta (buffer, "box", 33, 20, 10, 5);
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  return GST_PAD_PROBE_OK;
}

static void
add_probe (GstBin *bin, const gchar *name, const gchar *pad_name, GstPadProbeCallback probe,
    gpointer user_data)
{
  GstElement *element = gst_bin_get_by_name (bin, name);
  GstPad *pad;

  fail_unless (element != NULL, "no %s", name);
  pad = gst_element_get_static_pad (element, pad_name);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, probe, user_data, NULL);
  gst_object_unref (pad);
  gst_object_unref (element);
}

static GstElement *
parse (const gchar *line)
{
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);

  test_no_error (error);
  return pipeline;
}

/* Waits for the end, and frees @pipeline. */
static void
finish (GstElement *pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message =
      gst_bus_timed_pop_filtered (bus, 120 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  fail_unless (message != NULL, "the pipeline does not end");
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  test_no_error (error);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

/* ---- transforms ---- */

typedef struct {
  const gchar *elements; /* behind glestiles */
  gboolean kept;
} Transform;

static void
check_lists (GstBuffer *buffer, const Transform *transform)
{
  const TilesConfig config = { 64, 48, 16, 16, TILES_BY_INDEX, FALSE, 0 };
  const TilesRecord records[] = { { 0, 0, 39, 39, 0, 0, 0, 0 }, { 33, 20, 42, 24, 0, 0, 0, 0 } };

  if (transform->kept)
    tiles_check_buffer (buffer, &config, records, 2, GST_GLES_TILES_INPUT_ROI, transform->elements);
  else
    fail_unless (gst_buffer_get_meta (buffer, GST_GLES_TILES_META_API_TYPE) == NULL, "kept by %s",
        transform->elements);
}

GST_START_TEST (test_transforms)
{
  static const Transform transforms[] = {
    { "queue ! identity", TRUE },
    { "videoscale ! video/x-raw,width=100,height=20", TRUE },
    { "videoconvert ! video/x-raw,format=RGB", TRUE },
    { "videoscale ! video/x-raw,width=20 ! videoconvert ! video/x-raw,format=GRAY8 ! videoscale ! "
      "video/x-raw,width=64,height=48",
        TRUE },
    { "videocrop top=2", FALSE },
    { "videoflip video-direction=90r", FALSE },
    { "videoflip video-direction=horiz", FALSE },
    { "jpegenc", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (transforms); i++) {
    g_autofree gchar *line = g_strdup_printf (
        "videotestsrc num-buffers=3 ! video/x-raw,format=I420,width=64,height=48 ! "
        "identity name=before ! glestiles source=roi device=%s ! %s ! fakesink name=sink",
        test_device (), transforms[i].elements);
    GstElement *pipeline = parse (line);
    g_autoptr (GPtrArray) kept = kept_new ();
    add_probe (GST_BIN (pipeline), "before", "sink", add_boxes, NULL);
    add_probe (GST_BIN (pipeline), "sink", "sink", keep_buffer, kept);
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    finish (pipeline);
    fail_unless_equals_int (kept->len, 3);
    for (guint b = 0; b < kept->len; b++)
      check_lists (g_ptr_array_index (kept, b), &transforms[i]);
  }
}

GST_END_TEST;

/* ---- behind glescompact ---- */

static guint64
get_stat (GstElement *pipeline, const gchar *name, const gchar *field)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);
  g_autoptr (GstStructure) stats = NULL;
  guint64 value = 0;

  g_object_get (element, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, field, &value));
  gst_object_unref (element);
  return value;
}

/* The pixels of a GRAY8 picture of 320x240 from 200 on. */
static void
check_pixels (GstBuffer *buffer)
{
  const TilesConfig config = { 320, 240, 16, 16, TILES_BY_INDEX, FALSE, 0 };
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
  tiles_check_buffer (buffer, &config, records, n, GST_GLES_TILES_INPUT_POINTS, "glescompact");
}

/* If upstream keeps its arrays on the device only, no byte is downloaded or uploaded. */
static void
run_chain (const gchar *compact, const gchar *between, guint64 *read_back, guint64 *uploaded)
{
  g_autofree gchar *line = g_strdup_printf (
      "videotestsrc num-buffers=10 pattern=snow ! video/x-raw,format=GRAY8,width=320,height=240 ! "
      "glescompact name=compact lower=200 device=%s %s ! %s glestiles name=tiles device=%s "
      "validate=true ! fakesink name=sink",
      test_device (), compact, between, test_device ());
  GstElement *pipeline = parse (line);
  g_autoptr (GPtrArray) kept = kept_new ();
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  add_probe (GST_BIN (pipeline), "sink", "sink", keep_buffer, kept);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 120 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS);
  gst_message_unref (message);
  gst_object_unref (bus);
  *read_back = get_stat (pipeline, "compact", "bytes-read-back");
  *uploaded = get_stat (pipeline, "tiles", "bytes-uploaded");
  fail_unless_equals_uint64 (get_stat (pipeline, "compact", "frames"), 10);
  fail_unless_equals_uint64 (get_stat (pipeline, "tiles", "frames"), 10);
  fail_unless_equals_int (kept->len, 10);
  for (guint b = 0; b < kept->len; b++)
    check_pixels (g_ptr_array_index (kept, b));
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

GST_START_TEST (test_points_stay_on_the_device)
{
  guint64 read_back, uploaded;

  run_chain ("readback=false", "", &read_back, &uploaded);
  fail_unless_equals_uint64 (read_back, 0);
  fail_unless_equals_uint64 (uploaded, 0);
  run_chain ("readback=false", "queue !", &read_back, &uploaded);
  fail_unless_equals_uint64 (read_back, 0);
  fail_unless_equals_uint64 (uploaded, 0);
  run_chain ("readback=true", "", &read_back, &uploaded);
  fail_unless_equals_uint64 (uploaded, 0);
}

GST_END_TEST;

/* Numbers for languages that cannot read our metas, which wait for the result. */
GST_START_TEST (test_custom_meta)
{
  g_autofree gchar *line = g_strdup_printf (
      "videotestsrc num-buffers=3 pattern=snow ! video/x-raw,format=GRAY8,width=320,height=240 ! "
      "glescompact lower=200 device=%s ! glestiles device=%s custom-meta=true max-items=50 ! "
      "fakesink name=sink",
      test_device (), test_device ());
  GstElement *pipeline = parse (line);
  g_autoptr (GPtrArray) kept = kept_new ();

  add_probe (GST_BIN (pipeline), "sink", "sink", keep_buffer, kept);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  finish (pipeline);
  fail_unless_equals_int (kept->len, 3);
  for (guint b = 0; b < kept->len; b++) {
    GstBuffer *buffer = g_ptr_array_index (kept, b);
    GstCustomMeta *meta = gst_buffer_get_custom_meta (buffer, "glestiles");
    g_autoptr (GstGlesTilesResult) result = gst_gles_tiles_result_from_buffer (buffer);
    guint64 frame, total;
    guint count, columns, rows;
    gboolean truncated;

    fail_unless (meta != NULL);
    fail_unless (gst_structure_get (gst_custom_meta_get_structure (meta), "frame", G_TYPE_UINT64,
        &frame, "total", G_TYPE_UINT64, &total, "count", G_TYPE_UINT, &count, "truncated",
        G_TYPE_BOOLEAN, &truncated, "columns", G_TYPE_UINT, &columns, "rows", G_TYPE_UINT, &rows,
        NULL));
    fail_unless_equals_uint64 (frame, b);
    fail_unless_equals_uint64 (total, gst_gles_tiles_result_get_total (result));
    fail_unless (total > 50 && count == 50 && truncated && columns == 20 && rows == 15);
  }
}

GST_END_TEST;

/* Each element on a device of its own: the host is between them. */
GST_START_TEST (test_devices_differ)
{
  g_autofree gchar *line = g_strdup_printf (
      "videotestsrc num-buffers=5 pattern=snow ! video/x-raw,format=GRAY8,width=320,height=240 ! "
      "glescompact lower=200 device=%s ! glestiles device=%s ! fakesink name=sink",
      test_device (), test_device_is_cpu () ? "software" : "cpu");
  GstElement *pipeline = parse (line);
  g_autoptr (GPtrArray) kept = kept_new ();

  add_probe (GST_BIN (pipeline), "sink", "sink", keep_buffer, kept);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  finish (pipeline);
  fail_unless_equals_int (kept->len, 5);
  for (guint b = 0; b < kept->len; b++)
    check_pixels (g_ptr_array_index (kept, b));
}

GST_END_TEST;

/* ---- several at a time ---- */

GST_START_TEST (test_parallel)
{
  enum {
    N = 8
  };
  static const Transform none = { "nothing", TRUE };
  GstElement *pipelines[N];
  GPtrArray *kept[N];

  for (guint i = 0; i < N; i++) {
    g_autofree gchar *line = g_strdup_printf (
        "videotestsrc num-buffers=20 ! video/x-raw,format=I420,width=64,height=48 ! "
        "identity name=before ! glestiles source=roi device=%s ! queue ! fakesink name=sink",
        test_device ());
    pipelines[i] = parse (line);
    kept[i] = kept_new ();
    add_probe (GST_BIN (pipelines[i]), "before", "sink", add_boxes, NULL);
    add_probe (GST_BIN (pipelines[i]), "sink", "sink", keep_buffer, kept[i]);
  }
  for (guint i = 0; i < N; i++)
    gst_element_set_state (pipelines[i], GST_STATE_PLAYING);
  for (guint i = 0; i < N; i++) {
    finish (pipelines[i]);
    fail_unless_equals_int (kept[i]->len, 20);
    for (guint b = 0; b < kept[i]->len; b++)
      check_lists (g_ptr_array_index (kept[i], b), &none);
    g_ptr_array_unref (kept[i]);
  }
}

GST_END_TEST;

static Suite *
tiles_suite (void)
{
  Suite *suite = suite_create ("glestiles-pipelines");
  TCase *tc = tcase_create ("pipelines");

  suite_add_tcase (suite, tc);
  tcase_set_timeout (tc, 240);
  tcase_add_test (tc, test_transforms);
  tcase_add_test (tc, test_points_stay_on_the_device);
  tcase_add_test (tc, test_custom_meta);
  tcase_add_test (tc, test_devices_differ);
  tcase_add_test (tc, test_parallel);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, tiles_suite);
}
