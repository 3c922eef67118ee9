/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Eight chains gleshistogram ! glescompact ! glestiles ! glesjson at a time, in one process and on
 * one device: each writes the same lines as when it runs alone. */
#include "lines.h"

#include <string.h>

#define N_PIPELINES 8
#define N_FRAMES 15

/* Pictures, predicates and sizes depend on the number: (transfer full). */
static GstElement *
chain_new (guint number)
{
  static const gchar *const patterns[] = { "ball", "snow", "smpte",
    "zone-plate kx2=20 ky2=20 kt=3" };
  static const gchar *const predicates[] = { "motion lower=24", "threshold lower=180",
    "edge lower=300" };

  return line_new ("videotestsrc num-buffers=%u pattern=%s ! "
                   "video/x-raw,format=NV12,width=%u,height=%u,framerate=25/1 ! "
                   "gleshistogram name=h ! glescompact name=c predicate=%s readback=%s ! "
                   "glestiles name=t tile-width=%u tile-height=24 ! queue ! glesjson ! "
                   "appsink name=sink sync=false max-buffers=0",
      N_FRAMES, patterns[number % G_N_ELEMENTS (patterns)], 160 + 33 * number, 120 + 7 * number,
      predicates[number % G_N_ELEMENTS (predicates)], number % 2 == 0 ? "true" : "false",
      16 + number);
}

/* Returns all lines of a chain, without the stream's id, which a test source draws at random. */
static gpointer
run (gpointer number)
{
  g_autoptr (GRegex) id = g_regex_new ("\"stream_id\":\"[^\"]*\",", 0, 0, NULL);
  GstElement *pipeline = chain_new (GPOINTER_TO_UINT (number));
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GString) text = g_string_new (NULL);
  GstSample *sample;
  gchar *lines;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (g_signal_emit_by_name (sink, "pull-sample", &sample); sample != NULL;
       g_signal_emit_by_name (sink, "pull-sample", &sample)) {
    GstMapInfo map;

    fail_unless (gst_buffer_map (gst_sample_get_buffer (sample), &map, GST_MAP_READ));
    g_string_append_len (text, (const gchar *) map.data, (gssize) map.size);
    gst_buffer_unmap (gst_sample_get_buffer (sample), &map);
    gst_sample_unref (sample);
  }
  line_free (pipeline);
  lines = g_regex_replace_literal (id, text->str, -1, 0, "", 0, NULL);
  fail_unless (lines != NULL && strlen (lines) < text->len);
  return lines;
}

GST_START_TEST (test_eight_chains)
{
  gchar *alone[N_PIPELINES];
  GThread *threads[N_PIPELINES];

  for (guint i = 0; i < N_PIPELINES; i++) {
    g_auto (GStrv) lines = NULL;

    alone[i] = run (GUINT_TO_POINTER (i));
    lines = g_strsplit (alone[i], "\n", -1);
    fail_unless_equals_int (g_strv_length (lines), N_FRAMES + 1);
    fail_unless (strstr (alone[i], "\"histogram\":") != NULL);
    fail_unless ((strstr (alone[i], "\"points\":") != NULL) == (i % 2 == 0));
    fail_unless (strstr (alone[i], "\"tiles\":") != NULL);
  }
  for (guint i = 0; i < N_PIPELINES; i++)
    threads[i] = g_thread_new ("chain", run, GUINT_TO_POINTER (i));
  for (guint i = 0; i < N_PIPELINES; i++) {
    g_autofree gchar *together = g_thread_join (threads[i]);

    fail_unless (strcmp (alone[i], together) == 0); /* too long to be printed */
    g_free (alone[i]);
  }
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_eight_chains);
}

int
main (int argc, char **argv)
{
  return lines_main (argc, argv, add_tests);
}
