/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Settings of expressions that cannot be: the error names the property and what to do, and it is
 * the only one; settings that are wrong for some frames are right afterwards. */
#include "lines.h"

#include <string.h>

#include <gst/gles/meta/points.h>

#include "glesjson-line.h"

#define I420 "video/x-raw,format=I420,width=64,height=48,framerate=25/1"
#define GRAY "video/x-raw,format=GRAY8,width=64,height=48,framerate=25/1"
#define POINTS "glescompact predicate=expression "

/* ---- changes ---- */

/* Only the planes that are read are copied: those of the new text, from the first frame on. */
GST_START_TEST (test_other_planes)
{
  static const struct {
    const gchar *line, *factory, *property;
  } cases[] = {
    { POINTS "validate=true expression=\"Y < 99\"", "glescompact", "expression" },
    { POINTS "validate=true expression=\"Y < 99\"", "glescompact", "value" },
    { "gleshistogram validate=true channels=luma expression=Y", "gleshistogram", "expression" },
  };
  static const gchar *const texts[] = { "U == 7 || V < 99", "Y + V", "U" };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (TestStream) stream = line_stream (I420, "%s", cases[i].line);

    gst_buffer_unref (test_stream_push_noise (stream, 0));
    for (guint j = 0; j < G_N_ELEMENTS (texts); j++) {
      line_set (stream, cases[i].factory, cases[i].property, texts[j]);
      gst_buffer_unref (test_stream_push_noise (stream, j + 1));
    }
  }
}

GST_END_TEST;

/* ---- errors ---- */

GST_START_TEST (test_refused)
{
  static const struct {
    const gchar *line, *caps, *text;
  } cases[] = {
    { POINTS, I420, "predicate=expression without an expression; set expression, such as" },
    { POINTS "value=Y", I420, "set expression" },
    /* a caret below the name */
    { POINTS "expression=\"hue > 10 && stat > 3\"", I420,
        "expression: column 13: there is no name `stat`; did you mean `sat`?\n"
        "  hue > 10 && stat > 3\n"
        "              ^" },
    { POINTS "expression=Y value=\"Y + \"", I420, "value: column " },
    { POINTS "expression=\"Y > $p\"", I420, "expression: $p has no value; set parameters=\"p=" },
    { POINTS "expression=Y value=\"Y + $q\" parameters=\"p=1\"", I420,
        "value: $q has no value; set parameters=\"q=" },
    { POINTS "expression=\"A > 3\"", I420, "A" },
    { POINTS "expression=\"U > 3\"", GRAY, "U" },
    { POINTS "expression=\"Y > 3\" value=hue", GRAY, "hue" },
    { POINTS "expression=\"prev.A > 3\"", I420, "A" },
    { POINTS "expression=\"bg.hue > 3\"", I420, "bg." },
    { POINTS "expression=\"Y[5,0] > 3\"", I420, "4" },
    { "gleshistogram expression=foo(3)", I420, "expression: column 1: there is no name `foo`" },
    { "gleshistogram expression=$p", I420, "set parameters=\"p=" },
    { "gleshistogram expression=U", GRAY, "U" },
    { "gleshistogram expression=bg.Y", I420, "prev. alone" },
    { "gleshistogram expression=hue expression-range=5,4", I420,
        "expression-range \"5,4\" is not" },
    { "gleshistogram expression=hue expression-range=5", I420, "\"lower,upper\" from 0 to 32767" },
    { "gleshistogram expression=hue expression-range=0,32768", I420, "expression-range" },
    { "gleshistogram expression=hue expression-range=-1,5", I420, "expression-range" },
    { "gleshistogram expression=hue expression-range=1,2,3", I420, "expression-range" },
    { "gleshistogram expression=hue expression-range=\"\"", I420, "expression-range" },
    { "gleshistogram expression=hue expression-name=Y", I420, "expression-name \"Y\"" },
    { "gleshistogram expression=hue expression-name=luma", I420, "expression-name" },
    { "gleshistogram expression=hue expression-name=frame", I420, "expression-name" },
    { "gleshistogram expression=hue expression-name=duration", I420, "expression-name" },
    { "gleshistogram expression=hue expression-name=\"a b\"", I420, "expression-name" },
    { "gleshistogram expression=hue expression-name=5", I420, "set it to a letter and up to 14" },
    { "gleshistogram expression=hue expression-name=abcdefghijklmnop", I420, "expression-name" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    line_check_refused (cases[i].line, cases[i].caps, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_SETTINGS, cases[i].text);
}

GST_END_TEST;

GST_START_TEST (test_the_pipeline_stops)
{
  static const gchar *const lines[] = { "glescompact predicate=expression expression=Y+",
    "gleshistogram expression=Y+" };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++) {
    GstElement *pipeline = line_new ("videotestsrc ! " I420 " ! %s ! fakesink name=sink", lines[i]);
    g_autoptr (GstMessage) message = NULL;
    g_autoptr (GError) error = NULL;

    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    message = line_next (pipeline, GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
    gst_message_parse_error (message, &error, NULL);
    fail_unless (strstr (error->message, "expression: column ") != NULL, "%s", error->message);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    gst_object_unref (pipeline);
  }
}

GST_END_TEST;

/* ---- parameters ---- */

static void
check_parameters (GstElement *element, const gchar *wanted)
{
  g_autofree gchar *got = NULL;

  g_object_get (element, "parameters", &got, NULL);
  fail_unless_equals_string (got, wanted);
}

GST_START_TEST (test_parameters_as_text)
{
  static const gchar *const refused[] = { "a", "a=", "=3", "a=b", "a=1.5", "a=1;b=2", "5=1",
    "a b=1", "a=4294967296", "a=-2147483649", "a=0x100000000", "a=--1", "a=0x", "a=1,b",
    "a=1,b=2,c=3,d=4,e=5,f=6,g=7,h=8,i=9,j=1,k=2,l=3,m=4,n=5,o=6,p=7,q=8",
    "abcdefghijklmnopqrstuvwxyzabcdef=1", "a=1,b=2,a=3" };
  static const gchar *const taken[][2] = {
    { "a=3,b=7", "a=3,b=7" },
    { " a = 3 , b_2=-7,", "a=3,b_2=-7" },
    { "a=0x20,b=0xffffffff,c=4294967295,d=-2147483648", "a=32,b=-1,c=-1,d=-2147483648" },
    { "", "" },
    { NULL, "" },
  };
  static const gchar *const lines[] = { "glescompact", "gleshistogram" };

  for (guint k = 0; k < G_N_ELEMENTS (lines); k++) {
    g_autoptr (GstElement) element = line_new ("%s parameters=low=5", lines[k]);

    for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
      g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_WARNING, "*set parameters to*");
      g_object_set (element, "parameters", refused[i], NULL);
      g_test_assert_expected_messages ();
      check_parameters (element, "low=5");
    }
    for (guint i = 0; i < G_N_ELEMENTS (taken); i++) {
      g_object_set (element, "parameters", taken[i][0], NULL);
      check_parameters (element, taken[i][1]);
    }
  }
}

GST_END_TEST;

/* ---- wrong while playing ---- */

static GstBuffer *
grey_frame (TestStream *stream)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, stream->info.size, NULL);

  gst_buffer_memset (frame, 0, 50, stream->info.size);
  return frame;
}

/* How many points there are, or how many values are 52. */
static guint64
push_for_number (TestStream *stream)
{
  g_autoptr (GstBuffer) out = test_stream_push (stream, grey_frame (stream));
  g_autoptr (GstGlesPointsResult) points = gst_gles_points_result_from_buffer (out);
  g_autoptr (GstGlesHistogramResult) histogram = gst_gles_histogram_result_from_buffer (out);
  const guint32 *counts;
  guint n;

  if (points != NULL)
    return gst_gles_points_result_get_total (points);
  counts = gst_gles_histogram_result_get_native_counts (histogram, 1, &n, NULL);
  fail_unless (counts != NULL && n == 256);
  return counts[52];
}

/* Settings that are refused stop the stream. Where an application goes on with right ones, these
 * are taken, also if the text of the expression was not what was wrong. */
GST_START_TEST (test_after_a_mistake)
{
  static const struct {
    const gchar *factory, *before, *expression, *property, *wrong, *right;
  } cases[] = {
    { "glescompact", "Y > 100", "Y < $p", "parameters", "", "p=100" },
    { "glescompact", "Y > 100", "Y < 100", "value", "Z", "" },
    { "glescompact", "Y > 100", "Y < 100", "value", "$q", "" },
    { "gleshistogram", "Y + 1", "Y + $p", "parameters", "", "p=2" },
    { "gleshistogram", "Y + 1", "Y + 2", "expression-name", "Y", "expression" },
    { "gleshistogram", "Y + 1", "Y + 2", "expression-range", "3,2", "0,255" },
    { "gleshistogram", "Y + 1", "Y + 2", "grid-columns", "65", "1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const gchar *factory = cases[i].factory;
    g_autoptr (TestStream) stream =
        line_stream (GRAY, "%s expression=\"%s\" on-bad-frame=error", factory, cases[i].before);
    g_autoptr (GError) error = NULL;

    if (g_str_equal (factory, "glescompact"))
      line_set (stream, factory, "predicate", "expression");
    fail_unless_equals_uint64 (push_for_number (stream), 0);
    line_set (stream, factory, cases[i].property, cases[i].wrong);
    line_set (stream, factory, "expression", cases[i].expression);
    error = line_push_bad (stream, grey_frame (stream), GST_FLOW_ERROR);
    fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS), "%u", i);
    line_set (stream, factory, cases[i].property, cases[i].right);
    fail_unless_equals_uint64 (push_for_number (stream), 64 * 48);
    line_set (stream, factory, "expression", cases[i].before);
    fail_unless_equals_uint64 (push_for_number (stream), 0);
  }
}

GST_END_TEST;

/* gleshistogram.md: "The channel is of as many bits as the largest of the range needs, and at least
 * 8 (8 bits for 1 and for 255, 9 for 359), whatever the depth of the format". */
GST_START_TEST (test_depth_of_the_channel)
{
  static const struct {
    const gchar *range, *depth;
    guint value;
  } cases[] = { { "0,1", "\"depth\":8,", 1 }, { "0,255", "\"depth\":8,", 255 },
    { "0,256", "\"depth\":9,", 256 }, { "0,359", "\"depth\":9,", 300 },
    { "300,32767", "\"depth\":15,", 32767 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (TestStream) stream = line_stream (I420,
        "gleshistogram expression=%u expression-range=%s expression-name=three ! glesjson",
        cases[i].value, cases[i].range);
    g_autofree gchar *line = line_of (stream->harness, test_frame_noise (&stream->info, 1));
    g_autofree gchar *mean = g_strdup_printf ("\"mean\":%u,", cases[i].value);
    const gchar *channel = strstr (line, "\"name\":\"three\"");

    fail_unless (channel != NULL && strstr (channel, mean) != NULL &&
            strstr (channel, cases[i].depth) != NULL,
        "%s: %s", cases[i].range, line);
  }
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_depth_of_the_channel);
  tcase_add_test (tcase, test_other_planes);
  tcase_add_test (tcase, test_refused);
  tcase_add_test (tcase, test_the_pipeline_stops);
  tcase_add_test (tcase, test_parameters_as_text);
  tcase_add_test (tcase, test_after_a_mistake);
}

LINES_MAIN (add_tests)
