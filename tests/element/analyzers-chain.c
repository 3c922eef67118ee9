/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Eight chains gleshistogram ! glescompact ! glestiles ! glesjson at a time, in one process and on
 * one device: each writes the same lines as when it runs alone. */
#include "gleshistogram-common.h"

#include <string.h>

#define N_PIPELINES 8
#define N_FRAMES 15

typedef struct {
  guint number;
  gchar *text; /* all lines */
} Chain;

/* Pictures, predicates and sizes depend on the number. */
static gchar *
describe (guint number)
{
  static const gchar *const patterns[] = { "ball", "snow", "smpte",
    "zone-plate kx2=20 ky2=20 kt=3" };
  static const gchar *const predicates[] = { "motion lower=24", "threshold lower=180",
    "edge lower=300" };

  return g_strdup_printf (
      "videotestsrc num-buffers=%u pattern=%s ! "
      "video/x-raw,format=NV12,width=%u,height=%u,framerate=25/1 ! "
      "gleshistogram name=h device=%s ! glescompact name=c device=%s predicate=%s readback=%s ! "
      "glestiles name=t device=%s tile-width=%u tile-height=24 ! queue ! glesjson ! "
      "appsink name=sink sync=false max-buffers=0",
      N_FRAMES, patterns[number % G_N_ELEMENTS (patterns)], 160 + 33 * number, 120 + 7 * number,
      test_device (), test_device (), predicates[number % G_N_ELEMENTS (predicates)],
      number % 2 == 0 ? "true" : "false", test_device (), 16 + number);
}

/* Returns @lines without the stream's id, which a test source draws at random. Frees @lines. */
static gchar *
remove_stream_ids (gchar *lines)
{
  g_autoptr (GRegex) id = g_regex_new ("\"stream_id\":\"[^\"]*\",", 0, 0, NULL);
  gchar *rest = g_regex_replace_literal (id, lines, -1, 0, "", 0, NULL);

  fail_unless (rest != NULL && strlen (rest) < strlen (lines));
  g_free (lines);
  return rest;
}

static gpointer
run (gpointer data)
{
  Chain *chain = data;
  g_autofree gchar *line = describe (chain->number);
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);
  GString *text = g_string_new (NULL);
  GstElement *sink;
  GstSample *sample;

  test_no_error (error);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (;;) {
    GstMapInfo map;

    g_signal_emit_by_name (sink, "pull-sample", &sample);
    if (sample == NULL)
      break;
    fail_unless (gst_buffer_map (gst_sample_get_buffer (sample), &map, GST_MAP_READ));
    g_string_append_len (text, (const gchar *) map.data, (gssize) map.size);
    gst_buffer_unmap (gst_sample_get_buffer (sample), &map);
    gst_sample_unref (sample);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  chain->text = remove_stream_ids (g_string_free (text, FALSE));
  return NULL;
}

static guint
count_lines (const gchar *text)
{
  guint n = 0;

  for (; *text != '\0'; text++)
    n += *text == '\n' ? 1 : 0;
  return n;
}

GST_START_TEST (test_eight_chains)
{
  Chain alone[N_PIPELINES], together[N_PIPELINES];
  GThread *threads[N_PIPELINES];

  for (guint i = 0; i < N_PIPELINES; i++) {
    alone[i].number = together[i].number = i;
    run (&alone[i]);
    fail_unless_equals_int (count_lines (alone[i].text), N_FRAMES);
    fail_unless (strstr (alone[i].text, "\"histogram\":") != NULL);
    fail_unless ((strstr (alone[i].text, "\"points\":") != NULL) == (i % 2 == 0));
    fail_unless (strstr (alone[i].text, "\"tiles\":") != NULL);
  }
  for (guint i = 0; i < N_PIPELINES; i++)
    threads[i] = g_thread_new ("chain", run, &together[i]);
  for (guint i = 0; i < N_PIPELINES; i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < N_PIPELINES; i++) {
    fail_unless (strcmp (alone[i].text, together[i].text) == 0); /* too long to be printed */
    g_free (alone[i].text);
    g_free (together[i].text);
  }
}

GST_END_TEST;

static Suite *
analyzers_chain_suite (void)
{
  Suite *suite = suite_create ("analyzers-chain");
  TCase *tcase = tcase_create ("chain");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 240);
  tcase_add_test (tcase, test_eight_chains);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, analyzers_chain_suite);
}
