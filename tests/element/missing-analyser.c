/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Elements that read results of others post one warning when no results arrive, or when results
 * lack what the element needs. */
#include "lines.h"

#include <string.h>

#define SOURCE(n, format)                                                                          \
  "videotestsrc num-buffers=" #n " ! video/x-raw,format=" #format                                  \
  ",width=64,height=48,framerate=25/1 ! "
#define VIDEO(n) SOURCE (n, I420)
#define RGB(n) SOURCE (n, BGRx)

/* What the warning of the element "e" names, NULL for none: for short streams at their end, for
 * long ones earlier. */
static const struct {
  const gchar *line, *missing;
} cases[] = {
  { VIDEO (3) "glesregions name=e", "glescompact" },
  { VIDEO (300) "glesregions name=e", "glescompact" },
  { VIDEO (3) "glescompact lower=300 ! glesregions name=e", NULL },
  { VIDEO (3) "glestrack name=e", "glesregions, or boxes" },
  { VIDEO (300) "glestrack name=e", "glesregions, or boxes" },
  { VIDEO (3) "glescompact lower=300 ! glesregions ! glestrack name=e", NULL },
  { VIDEO (3) "gleszones name=e", "glestrack, or boxes" },
  { VIDEO (300) "gleszones name=e", "glestrack, or boxes" },
  { VIDEO (3) "glescompact lower=300 ! glesregions ! glestrack ! gleszones name=e", NULL },
  { VIDEO (3) "glesjson name=e", "gleshistogram" },
  { VIDEO (300) "glesjson name=e", "gleshistogram" },
  { VIDEO (3) "glespublish address=/dev/null name=e", "gleshistogram" },
  { VIDEO (300) "glespublish address=/dev/null name=e", "gleshistogram" },
  { VIDEO (3) "gleshistogram ! glespublish address=/dev/null name=e", NULL },
  { VIDEO (3) "glestiles name=e", "glescompact" },
  { VIDEO (300) "glestiles name=e", "glescompact" },
  { VIDEO (3) "glestiles source=points name=e", "glescompact" },
  { VIDEO (3) "gleshistogram ! glestiles name=e", "glescompact" },
  { VIDEO (3) "glesevents name=e", "gleshistogram" },
  { VIDEO (300) "glesevents name=e", "gleshistogram" },
  /* motion reads regions only; presets for cameras name no kind */
  { VIDEO (30) "glesevents name=e events=motion", "glesregions" },
  { VIDEO (30) "gleshistogram mad=true ! glesevents name=e events=black+motion", "glesregions" },
  { VIDEO (30) "glescompact lower=300 ! glesregions ! glesevents name=e events=motion", NULL },
  { VIDEO (30) "glescompact lower=300 ! glesregions ! glesevents name=e events=black+motion",
      "gleshistogram" },
  { VIDEO (30) "gleshistogram ! glesevents name=e events=camera", NULL },
  { RGB (30) "gleshistogram ! glesevents name=e events=all", NULL },
  { VIDEO (30) "glescompact lower=300 ! glesregions ! glesevents name=e events=camera", NULL },
  { VIDEO (30) "glesevents name=e events=camera", "gleshistogram or glesregions" },
  { VIDEO (30) "glesevents name=e events=stalled", NULL },
  { VIDEO (30) "gleshistogram ! glesevents name=e", "mad=true" },
  { RGB (30) "gleshistogram mad=true ! glesevents name=e", "channels=luma" },
  { VIDEO (30) "gleshistogram ! glesevents events=black+freeze name=e", "mad, so freezes are not" },
  { VIDEO (30) "gleshistogram ! glesevents events=cut name=e",
      "mad, so cuts between pictures with equal histograms are not" },
  { RGB (30) "gleshistogram ! glesevents events=black+white name=e", "detected: black and white;" },
  { RGB (30) "gleshistogram mad=true ! glesevents events=cut+freeze name=e", NULL },
  { VIDEO (30) "gleshistogram ! glesevents events=black+white name=e", NULL },
  { VIDEO (3) "gleshistogram mad=true ! glesevents name=e", NULL },
  { RGB (3) "gleshistogram mad=true channels=luma ! glesevents name=e", NULL },
  { VIDEO (300) "glesoverlay name=e ! gleshistogram", "gleshistogram" },
  /* nothing is drawn with this setting, so nothing is missing */
  { VIDEO (80) "glesoverlay name=e opacity=0", NULL },
  { VIDEO (80) "gleshistogram ! glesoverlay name=e", NULL },
  /* results come, or nothing does */
  { VIDEO (200) "gleshistogram interval=100 ! glesjson name=e", NULL },
  { VIDEO (200) "glescompact interval=100 ! glestiles name=e", NULL },
  { VIDEO (80) "glestiles source=roi name=e", NULL },
  { "videotestsrc num-buffers=0 ! glesjson name=e", NULL },
};

GST_START_TEST (test_missing_analyser)
{
  const gchar *line = cases[__i__].line, *missing = cases[__i__].missing;
  g_autoptr (GstElement) element = NULL;
  GstElement *pipeline;
  GstMessage *message;
  guint n = 0;

  if (strstr (line, "glesoverlay") != NULL &&
      !gst_registry_check_feature_version (gst_registry_get (), "glesoverlay", 0, 0, 0))
    return;
  pipeline = line_new ("%s ! fakesink", line);
  element = gst_bin_get_by_name (GST_BIN (pipeline), "e");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while ((message = line_next (pipeline, GST_MESSAGE_EOS | GST_MESSAGE_WARNING)) != NULL &&
      GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING) {
    g_autoptr (GError) warning = NULL;

    gst_message_parse_warning (message, &warning, NULL);
    fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (element));
    fail_unless (missing != NULL && strstr (warning->message, missing) != NULL, "%s: %s", line,
        warning->message);
    n++;
    gst_message_unref (message);
  }
  gst_message_unref (message);
  fail_unless (n == (missing != NULL), "%s: %u warnings", line, n);
  line_free (pipeline);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_loop_test (tcase, test_missing_analyser, 0, G_N_ELEMENTS (cases));
}

LINES_MAIN (add_tests)
