/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Elements that read results of others post one warning when no results arrive, or when results
 * lack what the element needs. */
#include "gleshistogram-common.h"

#include <string.h>

#define VIDEO(n)                                                                                   \
  "videotestsrc num-buffers=" #n " ! video/x-raw,format=I420,width=64,height=48,framerate=25/1 ! "

/* Runs @line to its end. Returns the number of warnings, all by the element "e"; @text (out) is
 * what the last one says: (transfer full) (nullable). */
static guint
count_warnings (const gchar *line, gchar **text)
{
  GstElement *pipeline = gst_parse_launch (line, NULL);
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), "e");
  GstBus *bus = gst_element_get_bus (pipeline);
  guint n = 0;

  *text = NULL;
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (;;) {
    GstMessage *message = gst_bus_timed_pop_filtered (
        bus, 60 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_WARNING);
    GstMessageType type;

    fail_unless (message != NULL, "%s does not end", line);
    type = GST_MESSAGE_TYPE (message);
    fail_unless (type != GST_MESSAGE_ERROR, "%s fails", line);
    if (type == GST_MESSAGE_WARNING) {
      GError *warning = NULL;

      fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (element));
      gst_message_parse_warning (message, &warning, NULL);
      g_free (*text);
      *text = g_strdup (warning->message);
      g_error_free (warning);
      n++;
    }
    gst_message_unref (message);
    if (type == GST_MESSAGE_EOS)
      break;
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (element);
  gst_object_unref (pipeline);
  return n;
}

static void
check_warned (const gchar *line, const gchar *missing)
{
  gchar *text;
  const guint n = count_warnings (line, &text);

  fail_unless (n == 1, "%s: %u warnings", line, n);
  fail_unless (strstr (text, missing) != NULL, "%s: %s", line, text);
  g_free (text);
}

static void
check_silent (const gchar *line)
{
  gchar *text;
  const guint n = count_warnings (line, &text);

  fail_unless (n == 0, "%s: %s", line, text);
}

GST_START_TEST (test_glesregions_alone)
{
  check_warned (VIDEO (3) "glesregions device=cpu name=e ! fakesink", "glescompact");
  check_warned (VIDEO (300) "glesregions device=cpu name=e ! fakesink", "glescompact");
  check_silent (VIDEO (3) "glescompact device=cpu lower=300 ! "
                          "glesregions device=cpu name=e ! fakesink");
}

GST_END_TEST;

/* For short streams at their end, for long ones earlier. */
GST_START_TEST (test_glesjson_alone)
{
  check_warned (VIDEO (3) "glesjson name=e ! fakesink", "gleshistogram");
  check_warned (VIDEO (300) "glesjson name=e ! fakesink", "gleshistogram");
}

GST_END_TEST;

GST_START_TEST (test_glestiles_alone)
{
  check_warned (VIDEO (3) "glestiles device=cpu name=e ! fakesink", "glescompact");
  check_warned (VIDEO (300) "glestiles device=cpu name=e ! fakesink", "glescompact");
  check_warned (VIDEO (3) "glestiles device=cpu source=points name=e ! fakesink", "glescompact");
  check_warned (
      VIDEO (3) "gleshistogram device=cpu ! glestiles device=cpu name=e ! fakesink", "glescompact");
}

GST_END_TEST;

#define RGB(n)                                                                                     \
  "videotestsrc num-buffers=" #n " ! video/x-raw,format=BGRx,width=64,height=48,framerate=25/1 ! "

GST_START_TEST (test_glesevents_input)
{
  check_warned (VIDEO (3) "glesevents name=e ! fakesink", "gleshistogram");
  check_warned (VIDEO (300) "glesevents name=e ! fakesink", "gleshistogram");
  check_warned (VIDEO (30) "gleshistogram device=cpu ! glesevents name=e ! fakesink", "mad=true");
  check_warned (
      RGB (30) "gleshistogram device=cpu mad=true ! glesevents name=e ! fakesink", "channels=luma");
  check_silent (VIDEO (3) "gleshistogram device=cpu mad=true ! glesevents name=e ! fakesink");
  check_silent (
      RGB (3) "gleshistogram device=cpu mad=true channels=luma ! glesevents name=e ! fakesink");
}

GST_END_TEST;

GST_START_TEST (test_overlay_before_analyser)
{
  if (!gst_registry_check_feature_version (gst_registry_get (), "glesoverlay", 0, 0, 0))
    return;
  check_warned (
      VIDEO (300) "glesoverlay name=e ! gleshistogram device=cpu ! fakesink", "gleshistogram");
  check_silent (VIDEO (80) "glesoverlay name=e opacity=0 ! fakesink");
  check_silent (VIDEO (80) "gleshistogram device=cpu ! glesoverlay name=e ! fakesink");
}

GST_END_TEST;

GST_START_TEST (test_results_come)
{
  check_silent (VIDEO (200) "gleshistogram device=cpu interval=100 ! glesjson name=e ! fakesink");
  check_silent (VIDEO (200) "glescompact device=cpu interval=100 ! "
                            "glestiles device=cpu name=e ! fakesink");
  check_silent (VIDEO (80) "glestiles device=cpu source=roi name=e ! fakesink");
}

GST_END_TEST;

/* Nothing is drawn with these settings, so nothing is missing. */
GST_START_TEST (test_no_frames)
{
  check_silent ("videotestsrc num-buffers=0 ! glesjson name=e ! fakesink");
}

GST_END_TEST;

static Suite *
missing_analyser_suite (void)
{
  Suite *suite = suite_create ("missing-analyser");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_glesjson_alone);
  tcase_add_test (tcase, test_glestiles_alone);
  tcase_add_test (tcase, test_glesregions_alone);
  tcase_add_test (tcase, test_glesevents_input);
  tcase_add_test (tcase, test_overlay_before_analyser);
  tcase_add_test (tcase, test_results_come);
  tcase_add_test (tcase, test_no_frames);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, missing_analyser_suite);
}
