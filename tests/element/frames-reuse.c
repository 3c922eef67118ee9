/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A frame is copied to a device once for all analysers of a chain, and never when it was written in
 * between: each result is that of the pixels that the element got. */
#include "gleshistogram-common.h"

#include <string.h>

#include <gst/app/gstappsink.h>

#define N_FRAMES 24

typedef struct {
  GstElement *pipeline;
  GstBus *bus;
} Chain;

static void
chain_init (Chain *chain, const gchar *line)
{
  g_autoptr (GError) error = NULL;

  chain->pipeline = gst_parse_launch (line, &error);
  test_no_error (error);
  chain->bus = gst_element_get_bus (chain->pipeline);
}

static void
chain_clear (Chain *chain)
{
  g_autoptr (GError) error = test_bus_pop_error (chain->bus);

  test_no_error (error);
  gst_element_set_state (chain->pipeline, GST_STATE_NULL);
  gst_object_unref (chain->bus);
  gst_object_unref (chain->pipeline);
}

static guint64
get_stat (const Chain *chain, const gchar *element, const gchar *name)
{
  GstElement *found = gst_bin_get_by_name (GST_BIN (chain->pipeline), element);
  GstStructure *stats;
  guint64 value = 0;

  g_object_get (found, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, name, &value));
  gst_structure_free (stats);
  gst_object_unref (found);
  return value;
}

/* Compares the histogram on each buffer that reaches the sink with the pixels that it brings. */
static guint
check_sink (const Chain *chain, const gchar *name)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (chain->pipeline), name);
  const TestConfig config = { 0 };
  GstVideoInfo info;
  GstSample *sample;
  guint n = 0;

  while ((sample = gst_app_sink_pull_sample (GST_APP_SINK (sink))) != NULL) {
    fail_unless (gst_video_info_from_caps (&info, gst_sample_get_caps (sample)));
    test_check_buffer (gst_sample_get_buffer (sample), &info, &config, n++, name);
    gst_sample_unref (sample);
  }
  gst_object_unref (sink);
  return n;
}

/* ---- copies ---- */

static gboolean
offers_memory (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstGlesDevice) device = gst_gles_device_new (test_device (), &error);

  test_no_error (error);
  return gst_gles_device_get_limits (device)->buffer_storage;
}

/* Without the allocator, three analysers in a row copy a frame once; with it, not at all. */
GST_START_TEST (test_one_copy)
{
  const guint n_kinds = test_device_is_cpu () || offers_memory () ? 2 : 1;

  for (guint ours = 0; ours < n_kinds; ours++) {
    g_autofree gchar *line = g_strdup_printf (
        "videotestsrc num-buffers=%u pattern=ball ! video/x-raw,format=I420,width=157,height=93 ! "
        "identity drop-allocation=%s ! glescompact name=a device=%s ! glescompact name=b device=%s "
        "predicate=edge lower=200 ! gleshistogram name=c device=%s ! appsink name=sink sync=false",
        N_FRAMES, ours ? "false" : "true", test_device (), test_device (), test_device ());
    Chain chain;

    chain_init (&chain, line);
    gst_element_set_state (chain.pipeline, GST_STATE_PLAYING);
    fail_unless_equals_int (check_sink (&chain, "sink"), N_FRAMES);
    if (test_device_is_cpu ()) {
      fail_unless_equals_uint64 (get_stat (&chain, "a", "frames-resident"), N_FRAMES);
    } else {
      fail_unless_equals_uint64 (get_stat (&chain, "a", "frames-copied"), ours ? 0 : N_FRAMES);
      fail_unless_equals_uint64 (get_stat (&chain, "b", "frames-copied"), 0);
      fail_unless_equals_uint64 (get_stat (&chain, "c", "frames-copied"), 0);
      fail_unless_equals_uint64 (
          get_stat (&chain, "c", ours ? "frames-resident" : "frames-reused"), N_FRAMES);
    }
    chain_clear (&chain);
  }
}

GST_END_TEST;

/* ---- writers ---- */

static GstPadProbeReturn
on_write (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
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

static void
add_probe (const Chain *chain, const gchar *name, GstPadProbeCallback func, gpointer data)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (chain->pipeline), name);
  GstPad *pad = gst_element_get_static_pad (element, "src");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, func, data, NULL);
  gst_object_unref (pad);
  gst_object_unref (element);
}

/* Elements that write into the frame between two analysers, in both kinds of memory. */
GST_START_TEST (test_in_place_filters)
{
  static const gchar *const filters[] = { "videobalance brightness=0.3", "gamma gamma=2.5",
    "coloreffects preset=heat", "chromahold target-r=255 tolerance=10", "glesoverlay opacity=0.9",
    "identity name=writer" };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (filters); i++) {
    g_autofree gchar *line = g_strdup_printf (
        "videotestsrc num-buffers=%u pattern=ball ! video/x-raw,format=ARGB,width=157,height=93 ! "
        "identity drop-allocation=%s ! glescompact name=a device=%s lower=20 ! %s ! queue ! "
        "gleshistogram name=b device=%s ! appsink name=sink sync=false",
        N_FRAMES, i % 2 == 0 ? "true" : "false", test_device (), filters[i / 2], test_device ());
    Chain chain;

    chain_init (&chain, line);
    if (strstr (line, "writer") != NULL)
      add_probe (&chain, "writer", on_write, NULL);
    gst_element_set_state (chain.pipeline, GST_STATE_PLAYING);
    fail_unless_equals_int (check_sink (&chain, "sink"), N_FRAMES);
    fail_unless_equals_uint64 (get_stat (&chain, "b", "frames-reused"), 0);
    chain_clear (&chain);
  }
}

GST_END_TEST;

/* One branch writes, the other does not. */
GST_START_TEST (test_tee)
{
  for (guint ours = 0; ours < 2; ours++) {
    g_autofree gchar *line = g_strdup_printf (
        "videotestsrc num-buffers=%u pattern=ball ! video/x-raw,format=ARGB,width=157,height=93 ! "
        "identity drop-allocation=%s ! glescompact name=a device=%s ! tee name=t "
        "t. ! queue ! gamma gamma=3 ! gleshistogram name=b device=%s ! appsink name=written "
        "sync=false t. ! queue ! gleshistogram name=c device=%s ! appsink name=read sync=false",
        N_FRAMES, ours ? "false" : "true", test_device (), test_device (), test_device ());
    Chain chain;

    chain_init (&chain, line);
    gst_element_set_state (chain.pipeline, GST_STATE_PLAYING);
    fail_unless_equals_int (check_sink (&chain, "written"), N_FRAMES);
    fail_unless_equals_int (check_sink (&chain, "read"), N_FRAMES);
    chain_clear (&chain);
  }
}

GST_END_TEST;

/* A thread that tries to write into the memory of each frame, from the time when the first analyser
 * has pushed it until the second one has analysed it. */
typedef struct {
  GMutex lock;
  GstMemory *memory;
  gboolean stop;
  guint n_tries, n_written;
} Racer;

static gpointer
race (gpointer data)
{
  Racer *racer = data;

  g_mutex_lock (&racer->lock);
  while (!racer->stop) {
    GstMapInfo map;

    if (racer->memory != NULL) {
      racer->n_tries++;
      if (gst_memory_map (racer->memory, &map, GST_MAP_WRITE)) {
        racer->n_written++;
        memset (map.data, g_random_int () & 0xff, map.size);
        gst_memory_unmap (racer->memory, &map);
      }
    }
    g_mutex_unlock (&racer->lock);
    g_thread_yield ();
    g_mutex_lock (&racer->lock);
  }
  g_mutex_unlock (&racer->lock);
  return NULL;
}

static GstPadProbeReturn
start_race (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Racer *racer = data;
  guint n_tries;

  g_mutex_lock (&racer->lock);
  racer->memory = gst_memory_ref (gst_buffer_peek_memory (gst_pad_probe_info_get_buffer (info), 0));
  n_tries = racer->n_tries + 3;
  g_mutex_unlock (&racer->lock);
  for (;;) {
    gboolean enough;

    g_mutex_lock (&racer->lock);
    enough = racer->n_tries >= n_tries;
    g_mutex_unlock (&racer->lock);
    if (enough)
      return GST_PAD_PROBE_OK;
    g_usleep (100);
  }
}

static GstPadProbeReturn
end_race (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Racer *racer = data;

  g_mutex_lock (&racer->lock);
  g_clear_pointer (&racer->memory, gst_memory_unref);
  g_mutex_unlock (&racer->lock);
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_racing_writer)
{
  g_autofree gchar *line = g_strdup_printf (
      "videotestsrc num-buffers=%u pattern=ball ! video/x-raw,format=ARGB,width=157,height=93 ! "
      "identity drop-allocation=true ! glescompact name=a device=%s ! identity name=between ! "
      "gleshistogram name=b device=%s ! appsink name=sink sync=false",
      N_FRAMES, test_device (), test_device ());
  Racer racer = { 0 };
  GThread *thread;
  Chain chain;

  g_mutex_init (&racer.lock);
  chain_init (&chain, line);
  /* the race ends before the second analyser gives the lock back, so that the sink can compare */
  add_probe (&chain, "a", start_race, &racer);
  add_probe (&chain, "between", end_race, &racer);
  thread = g_thread_new ("racer", race, &racer);
  gst_element_set_state (chain.pipeline, GST_STATE_PLAYING);
  fail_unless_equals_int (check_sink (&chain, "sink"), N_FRAMES);
  g_mutex_lock (&racer.lock);
  racer.stop = TRUE;
  g_mutex_unlock (&racer.lock);
  g_thread_join (thread);
  /* either nobody could write, or the second analyser saw what was written */
  if (get_stat (&chain, "b", "frames-reused") > 0)
    fail_unless_equals_int (racer.n_written, 0);
  fail_unless (racer.n_tries >= 3 * N_FRAMES);
  g_mutex_clear (&racer.lock);
  chain_clear (&chain);
}

GST_END_TEST;

/* A decoder may keep a frame mapped for reading and writing when it pushes it. Then it could write
 * at any time, so the copy is not reused. */
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

GST_START_TEST (test_held_mapping)
{
  for (guint ours = 0; ours < 2; ours++) {
    g_autofree gchar *line = g_strdup_printf (
        "videotestsrc num-buffers=%u ! video/x-raw,format=ARGB,width=157,height=93 ! "
        "identity name=source drop-allocation=%s ! glescompact name=a device=%s ! "
        "gleshistogram name=b device=%s ! appsink name=sink sync=false",
        N_FRAMES, ours ? "false" : "true", test_device (), test_device ());
    Chain chain;

    chain_init (&chain, line);
    add_probe (&chain, "source", hold, NULL);
    add_probe (&chain, "a", write_held, NULL);
    gst_element_set_state (chain.pipeline, GST_STATE_PLAYING);
    fail_unless_equals_int (check_sink (&chain, "sink"), N_FRAMES);
    fail_unless_equals_uint64 (get_stat (&chain, "b", "frames-reused"), 0);
    chain_clear (&chain);
  }
}

GST_END_TEST;

/* ---- lifetimes ---- */

/* Buffers with records that outlive their pipeline; states change while frames wait in queues. */
GST_START_TEST (test_states)
{
  for (guint round = 0; round < 6; round++) {
    g_autofree gchar *line = g_strdup_printf (
        "videotestsrc is-live=false pattern=ball ! video/x-raw,format=NV12,width=157,height=93 ! "
        "identity drop-allocation=%s ! glescompact name=a device=%s ! queue max-size-buffers=12 ! "
        "gleshistogram name=b device=%s ! queue ! appsink name=sink sync=false max-buffers=2",
        round % 2 == 0 ? "true" : "false", test_device (), test_device ());
    GPtrArray *kept = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_sample_unref);
    GstElement *sink;
    Chain chain;

    chain_init (&chain, line);
    sink = gst_bin_get_by_name (GST_BIN (chain.pipeline), "sink");
    for (guint cycle = 0; cycle < 4; cycle++) {
      gst_element_set_state (chain.pipeline, GST_STATE_PLAYING);
      for (guint i = 0; i < 5; i++) {
        GstSample *sample = gst_app_sink_pull_sample (GST_APP_SINK (sink));
        fail_unless (sample != NULL);
        g_ptr_array_add (kept, sample);
      }
      gst_element_set_state (chain.pipeline, cycle % 2 == 0 ? GST_STATE_READY : GST_STATE_NULL);
    }
    gst_object_unref (sink);
    chain_clear (&chain);
    for (guint i = 0; i < kept->len; i++) {
      GstBuffer *buffer = gst_sample_get_buffer (kept->pdata[i]);
      GstGlesHistogramResult *result = gst_gles_histogram_result_from_buffer (buffer);
      const guint64 number = gst_gles_histogram_result_get_frame_number (result);
      const TestConfig config = { 0 };
      GstVideoInfo info;

      gst_gles_histogram_result_unref (result);
      fail_unless (gst_video_info_from_caps (&info, gst_sample_get_caps (kept->pdata[i])));
      test_check_buffer (buffer, &info, &config, number, "kept");
    }
    g_ptr_array_unref (kept);
  }
}

GST_END_TEST;

static Suite *
frames_reuse_suite (void)
{
  Suite *suite = suite_create ("frames-reuse");
  TCase *tcase = tcase_create ("reuse");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 240);
  tcase_add_test (tcase, test_one_copy);
  tcase_add_test (tcase, test_in_place_filters);
  tcase_add_test (tcase, test_tee);
  tcase_add_test (tcase, test_racing_writer);
  tcase_add_test (tcase, test_held_mapping);
  tcase_add_test (tcase, test_states);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, frames_reuse_suite);
}
