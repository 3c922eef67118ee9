/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a user chooses to have in glesjson's lines: tags, frames, events. */
#include "glesjson-line.h"
#include "lines.h"
#include "results-samples.h"

#include <string.h>

/* ---- input ---- */

static GValue *
new_events (void)
{
  GValue *list = g_new0 (GValue, 1), value = G_VALUE_INIT;

  g_value_init (list, GST_TYPE_LIST);
  g_value_init (&value, GST_TYPE_STRUCTURE);
  g_value_take_boxed (&value,
      gst_structure_new ("glesevents", "event", G_TYPE_STRING, "cut", "phase", G_TYPE_STRING,
          "instant", "id", G_TYPE_STRING, "0123456789abcdef", "element", G_TYPE_STRING, "e",
          "timestamp", GST_TYPE_CLOCK_TIME, GST_SECOND, "stream-time", GST_TYPE_CLOCK_TIME,
          2 * GST_SECOND, "running-time", GST_TYPE_CLOCK_TIME, GST_CLOCK_TIME_NONE, "utc",
          GST_TYPE_CLOCK_TIME, G_GUINT64_CONSTANT (1790000000) * GST_SECOND, "frame", G_TYPE_UINT64,
          G_GUINT64_CONSTANT (25), "score", G_TYPE_DOUBLE, 12.5, NULL));
  gst_value_list_append_and_take_value (list, &value);
  return list;
}

static void
free_events (GValue *list)
{
  g_value_unset (list);
  g_free (list);
}

/* A buffer with a histogram, and with an event if @with_event (transfer full). */
static GstBuffer *
new_buffer (gboolean with_event)
{
  static const gchar *tags[] = { NULL };
  g_autoptr (GstGlesHistogramResult) result = sample_plain ();
  GstBuffer *buffer = gst_buffer_new ();
  GValue *list;

  GST_BUFFER_PTS (buffer) = 123;
  gst_buffer_add_gles_histogram_meta (buffer, result);
  if (!with_event)
    return buffer;
  if (gst_meta_get_info ("glesevents") == NULL)
    gst_meta_register_custom ("glesevents", tags, NULL, NULL, NULL);
  list = new_events ();
  gst_structure_set_value (
      gst_custom_meta_get_structure (gst_buffer_add_custom_meta (buffer, "glesevents")), "events",
      list);
  free_events (list);
  return buffer;
}

static GstEvent *
new_event (void)
{
  GstStructure *structure = gst_structure_new_empty ("glesevents");
  GValue *list = new_events ();

  gst_structure_set_value (structure, "events", list);
  free_events (list);
  return gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM, structure);
}

/* ---- tags ---- */

#define FRAME_LINE "{'version':1,'tags':%s,'frame':12,"
#define EVENT_LINE                                                                                 \
  "'event':'cut','phase':'instant','id':'0123456789abcdef','element':'e','stream_id':null,"        \
  "'frame':25,'pts':1000000000,'running_time':null,'stream_time':2000000000,"                      \
  "'utc':'2026-09-21T14:13:20.000000000Z','score':12.5}\n"

static void
set_tags (TestStream *chain, const gchar *tags)
{
  g_autoptr (GstElement) element = gst_harness_find_element (chain->harness, "glesjson");
  g_autofree gchar *text = quoted (tags);

  g_object_set (element, "tags", text, NULL);
}

/* The next line begins as @format, with apostrophes for quotation marks. */
static void check_start (TestStream *chain, const gchar *format, ...) G_GNUC_PRINTF (2, 3);

static void
check_start (TestStream *chain, const gchar *format, ...)
{
  g_autofree gchar *line = line_of (chain->harness, new_buffer (FALSE)), *text = NULL,
                   *expected = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  expected = quoted (text);
  fail_unless (g_str_has_prefix (line, expected), "%s: %s", expected, line);
}

/* What is set, and what lines repeat of it. */
static const gchar *const good_tags[][2] = {
  { "{'camera':'gate'}", "{'camera':'gate'}" },
  { " { 'a b' : [ 1 , -2.5e1 , 0.1 ] ,\n'c':{'d':null,'e':true,'f':false}, 'g':{} } ",
      "{'a b':[1,-25,0.1],'c':{'d':null,'e':true,'f':false},'g':{}}" },
  { "{'a':'\\u00fc\\n'}", "{'a':'\xc3\xbc\\u000a'}" },
  { "{'least':-9223372036854775808,'most':9223372036854775807}",
      "{'least':-9223372036854775808,'most':9223372036854775807}" },
  { "{}", "{}" },
};

GST_START_TEST (test_tags)
{
  g_autoptr (TestStream) chain = line_stream ("text/x-raw,format=utf8", "glesjson");

  for (guint i = 0; i < G_N_ELEMENTS (good_tags); i++) {
    set_tags (chain, good_tags[i][0]);
    check_start (chain, FRAME_LINE, good_tags[i][1]);
  }
  set_tags (chain, "");
  check_start (chain, "{'version':1,'frame':12,");
  fail_unless_equals_int (line_count (chain, GST_MESSAGE_WARNING), 0);
}

GST_END_TEST;

/* What is set, and what is said about it. */
static const gchar *const bad_tags[][2] = {
  { "{'camera':gate}", "1:14" },
  { "{'camera':'gate'", "1:16" },
  { "['camera']", "no JSON object" },
  { "'camera'", "no JSON object" },
  { "{'a':1e999}", "no double" },
  { "{'a':'\xff'}", "UTF-8" },
};

/* Wrong tags that are set while playing change nothing but for a warning. */
GST_START_TEST (test_wrong_tags)
{
  g_autoptr (TestStream) chain = line_stream ("text/x-raw,format=utf8", "glesjson");

  set_tags (chain, "{'camera':'yard'}");
  for (guint i = 0; i < G_N_ELEMENTS (bad_tags); i++) {
    g_autoptr (GstMessage) message = NULL;
    g_autoptr (GError) warning = NULL;

    set_tags (chain, bad_tags[i][0]);
    message = gst_bus_pop_filtered (chain->bus, GST_MESSAGE_WARNING);
    fail_unless (message != NULL, "%s is taken", bad_tags[i][0]);
    gst_message_parse_warning (message, &warning, NULL);
    fail_unless (strstr (warning->message, bad_tags[i][1]) != NULL, "%s", warning->message);
    check_start (chain, FRAME_LINE, "{'camera':'yard'}");
  }
}

GST_END_TEST;

/* The object of @depth objects, each in another (transfer full). */
static gchar *
nested (guint depth)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < depth; i++)
    g_string_append (text, i + 1 < depth ? "{\"\":" : "{}");
  for (guint i = 1; i < depth; i++)
    g_string_append (text, "}");
  return g_string_free (text, FALSE);
}

/* A limit of ours: JSON-GLib 1.10 has one of 1024 levels, and 1.6 none but the size of the text. */
GST_START_TEST (test_deep_tags)
{
  g_autoptr (TestStream) chain = line_stream ("text/x-raw,format=utf8", "glesjson");
  static const guint depths[] = { 25, 1023, 1025, 16384 / 5, 1000000 };
  g_autofree gchar *most = nested (24);

  set_tags (chain, most);
  for (guint i = 0; i < G_N_ELEMENTS (depths); i++) {
    g_autofree gchar *more = nested (depths[i]);

    set_tags (chain, more);
  }
  fail_unless_equals_int (line_count (chain, GST_MESSAGE_WARNING), G_N_ELEMENTS (depths));
  check_start (chain, FRAME_LINE, most);
}

GST_END_TEST;

/* With wrong tags no pipeline starts: there was no bus for a warning. */
GST_START_TEST (test_start_with_wrong_tags)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("glesjson", NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (GError) error = NULL;

  gst_element_set_bus (element, bus);
  g_object_set (element, "tags", "{\"camera\":gate}", NULL);
  fail_unless_equals_int (
      gst_element_set_state (element, GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  error = test_bus_pop_error (bus);
  fail_unless (error != NULL && strstr (error->message, "1:14") != NULL);
  g_object_set (element, "tags", "{\"camera\":\"gate\"}", NULL);
  fail_unless_equals_int (
      gst_element_set_state (element, GST_STATE_PAUSED), GST_STATE_CHANGE_SUCCESS);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
}

GST_END_TEST;

/* ---- lines ---- */

/* Returns the lines that came out, and "gap\n" for each GAP event (transfer full). */
static gchar *
take_lines (TestStream *chain)
{
  GString *text = g_string_new (NULL);
  GstBuffer *buffer;
  GstEvent *event;

  while ((buffer = gst_harness_try_pull (chain->harness)) != NULL) {
    GstMapInfo map;

    gst_buffer_map (buffer, &map, GST_MAP_READ);
    g_string_append_len (text, (const gchar *) map.data, (gssize) map.size);
    gst_buffer_unmap (buffer, &map);
    gst_buffer_unref (buffer);
  }
  while ((event = gst_harness_try_pull_event (chain->harness)) != NULL) {
    if (GST_EVENT_TYPE (event) == GST_EVENT_GAP)
      g_string_append (text, "gap\n");
    gst_event_unref (event);
  }
  return g_string_free (text, FALSE);
}

static void
push_all (TestStream *chain)
{
  gst_harness_push (chain->harness, new_buffer (FALSE));
  gst_harness_push (chain->harness, new_buffer (TRUE));
  gst_harness_push_event (chain->harness, new_event ());
}

GST_START_TEST (test_events_only)
{
  g_autoptr (TestStream) chain =
      line_stream ("text/x-raw,format=utf8", "glesjson frames=false tags=\"{\\\"a\\\":1}\"");
  g_autofree gchar *lines = NULL, *expected = NULL;
  g_autoptr (GstBuffer) line = NULL;

  push_all (chain);
  line = gst_harness_pull (chain->harness);
  fail_unless_equals_clocktime (GST_BUFFER_PTS (line), 123);
  lines = take_lines (chain);
  expected = quoted ("{'version':1,'tags':{'a':1}," EVENT_LINE "gap\n");
  fail_unless_equals_string (lines, expected);
}

GST_END_TEST;

GST_START_TEST (test_frames_only)
{
  g_autoptr (TestStream) chain = line_stream ("text/x-raw,format=utf8", "glesjson events=false");
  g_autofree gchar *lines = NULL;
  g_auto (GStrv) split = NULL;

  push_all (chain);
  lines = take_lines (chain);
  split = g_strsplit (lines, "\n", 0);
  fail_unless_equals_int (g_strv_length (split), 3);
  fail_unless_equals_string (split[0], split[1]);
  fail_unless (strstr (split[0], "\"histogram\"") != NULL);
  fail_unless_equals_string (split[2], "");
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_tags);
  tcase_add_test (tcase, test_wrong_tags);
  tcase_add_test (tcase, test_deep_tags);
  tcase_add_test (tcase, test_start_with_wrong_tags);
  tcase_add_test (tcase, test_events_only);
  tcase_add_test (tcase, test_frames_only);
}

LINES_MAIN (add_tests)
