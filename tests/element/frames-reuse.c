/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A frame is copied to a device once for all analysers of a chain, and never when it was written in
 * between: each result is that of the pixels that the element got. */
#include "lines.h"

#include <string.h>

#include <gst/app/gstappsink.h>

#define N_FRAMES 24

/* @drops: "true" hides the allocator, so that frames are in memory of the source's own */
#define SOURCE(format)                                                                             \
  "videotestsrc num-buffers=%u pattern=ball ! video/x-raw,format=" #format                         \
  ",width=157,height=93 ! identity name=source drop-allocation=%s ! glescompact name=a "
#define SINK "gleshistogram name=b ! appsink name=sink sync=false"

static guint64
get_stat (GstElement *pipeline, const gchar *name, const gchar *stat)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (pipeline), name);

  return test_get_stat (element, stat);
}

/* Compares the histogram on a buffer with the pixels that it brings. */
static void
check_sample (GstSample *sample, guint64 frame, const gchar *what)
{
  const TestConfig config = { 0 };
  GstVideoInfo info;

  fail_unless (gst_video_info_from_caps (&info, gst_sample_get_caps (sample)));
  test_check_buffer (gst_sample_get_buffer (sample), &info, &config, frame, what);
}

static void
check_sink (GstElement *pipeline, const gchar *name)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), name);
  GstSample *sample;
  guint n = 0;

  while ((sample = gst_app_sink_pull_sample (GST_APP_SINK (sink))) != NULL) {
    check_sample (sample, n++, name);
    gst_sample_unref (sample);
  }
  fail_unless_equals_int (n, N_FRAMES);
}

/* ---- copies ---- */

static gboolean
offers_memory (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstGlesDevice) device = gst_gles_device_new (test_device (), &error);

  test_no_error (error);
  return test_device_is_cpu () || gst_gles_device_get_limits (device)->buffer_storage;
}

/* Without the allocator, three analysers in a row copy a frame once; with it, not at all. */
GST_START_TEST (test_one_copy)
{
  const gboolean ours = __i__ == 1;
  GstElement *pipeline;

  if (ours && !offers_memory ())
    return;
  pipeline = line_new (SOURCE (I420) "! glescompact name=c predicate=edge lower=200 ! " SINK,
      N_FRAMES, ours ? "false" : "true");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  check_sink (pipeline, "sink");
  if (test_device_is_cpu ()) {
    fail_unless_equals_uint64 (get_stat (pipeline, "a", "frames-resident"), N_FRAMES);
  } else {
    fail_unless_equals_uint64 (get_stat (pipeline, "a", "frames-copied"), ours ? 0 : N_FRAMES);
    fail_unless_equals_uint64 (get_stat (pipeline, "c", "frames-copied"), 0);
    fail_unless_equals_uint64 (get_stat (pipeline, "b", "frames-copied"), 0);
    fail_unless_equals_uint64 (
        get_stat (pipeline, "b", ours ? "frames-resident" : "frames-reused"), N_FRAMES);
  }
  line_free (pipeline);
}

GST_END_TEST;

/* ---- writers ---- */

static GstPadProbeReturn
write_frame (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstBuffer *buffer = gst_buffer_make_writable (gst_pad_probe_info_get_buffer (info));
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READWRITE));
  for (gsize i = 0; i < map.size; i += 3)
    map.data[i] = (guint8) ~map.data[i];
  gst_buffer_unmap (buffer, &map);
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  return GST_PAD_PROBE_OK;
}

/* Writes into the memory of a frame that others have, if that is allowed. */
static guint n_written;

static GstPadProbeReturn
try_to_write (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  GstMemory *memory = gst_buffer_peek_memory (gst_pad_probe_info_get_buffer (info), 0);
  GstMapInfo map;

  if (gst_memory_map (memory, &map, GST_MAP_WRITE)) {
    memset (map.data, (gint) ++n_written & 0xff, map.size);
    gst_memory_unmap (memory, &map);
  }
  return GST_PAD_PROBE_OK;
}

static GstMapInfo held;

static GstPadProbeReturn
hold (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstMemory *memory = gst_buffer_peek_memory (gst_pad_probe_info_get_buffer (info), 0);

  fail_unless (gst_memory_map (gst_memory_ref (memory), &held, GST_MAP_READWRITE));
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
write_held (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstMemory *memory = held.memory;

  memset (held.data, 0x5a, held.size / 2);
  gst_memory_unmap (memory, &held);
  gst_memory_unref (memory);
  return GST_PAD_PROBE_OK;
}

/* What is between two analysers, and functions that write into frames behind an element. */
static const struct {
  const gchar *between;
  struct {
    const gchar *behind;
    GstPadProbeCallback func;
  } probes[2];
} writers[] = {
  { "! gamma gamma=2.5 ! queue !" },
  { "! glesoverlay opacity=0.9 ! queue !" },
  { "! identity name=writer ! queue !", { { "writer", write_frame } } },
  /* one branch writes, the other does not */
  { "! tee name=t t. ! queue ! gleshistogram ! appsink name=read sync=false "
    "t. ! queue ! gamma gamma=3 !" },
  /* A decoder may keep a frame mapped for reading and writing when it pushes it. Then it could
   * write at any time, so the copy is not reused. */
  { "!", { { "source", hold }, { "a", write_held } } },
  { "! identity name=between !", { { "a", try_to_write }, { "between", try_to_write } } },
};

/* In both kinds of memory. */
GST_START_TEST (test_writers)
{
  for (guint ours = 0; ours < 2; ours++) {
    GstElement *pipeline = line_new (SOURCE (ARGB) "lower=20 %s " SINK, N_FRAMES,
        ours ? "false" : "true", writers[__i__].between);

    for (guint i = 0; i < 2 && writers[__i__].probes[i].func != NULL; i++)
      line_probe (
          pipeline, writers[__i__].probes[i].behind, "src", writers[__i__].probes[i].func, NULL);
    n_written = 0;
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    check_sink (pipeline, "sink");
    if (strstr (writers[__i__].between, "name=read") != NULL)
      check_sink (pipeline, "read");
    /* either nobody could write, or the second analyser saw what was written */
    if (n_written > 0 || writers[__i__].probes[0].func != try_to_write)
      fail_unless_equals_uint64 (get_stat (pipeline, "b", "frames-reused"), 0);
    line_free (pipeline);
  }
}

GST_END_TEST;

/* ---- lifetimes ---- */

/* Buffers with records that outlive their pipeline; states change while frames wait in queues. */
GST_START_TEST (test_states)
{
  GstElement *pipeline = line_new (SOURCE (NV12) "! queue max-size-buffers=12 ! gleshistogram "
                                                 "name=b ! queue ! appsink name=sink sync=false "
                                                 "max-buffers=2",
      G_MAXINT, __i__ == 0 ? "true" : "false");
  GPtrArray *kept = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_sample_unref);
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");

  for (guint cycle = 0; cycle < 4; cycle++) {
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    for (guint i = 0; i < 5; i++) {
      g_ptr_array_add (kept, gst_app_sink_pull_sample (GST_APP_SINK (sink)));
      fail_unless (kept->pdata[kept->len - 1] != NULL);
    }
    gst_element_set_state (pipeline, cycle % 2 == 0 ? GST_STATE_READY : GST_STATE_NULL);
  }
  gst_object_unref (sink);
  line_free (pipeline);
  for (guint i = 0; i < kept->len; i++) {
    g_autoptr (GstGlesHistogramResult) result =
        gst_gles_histogram_result_from_buffer (gst_sample_get_buffer (kept->pdata[i]));

    check_sample (kept->pdata[i], gst_gles_histogram_result_get_frame (result)->number, "kept");
  }
  g_ptr_array_unref (kept);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_loop_test (tcase, test_one_copy, 0, 2);
  tcase_add_loop_test (tcase, test_writers, 0, G_N_ELEMENTS (writers));
  tcase_add_loop_test (tcase, test_states, 0, 2);
}

LINES_MAIN (add_tests)
