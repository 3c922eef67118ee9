/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glesjson on results made by hand: what it writes, byte for byte, and how it behaves as an
 * element. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "glesjson-samples.h"

#define STATISTICS_Y                                                                               \
  "\"count\":4,\"min\":0,\"max\":3,\"mean\":1.25,\"stddev\":1.299038105676658,\"entropy\":1.5,"    \
  "\"p1\":0,\"p5\":0,\"p10\":0,\"p50\":0,\"p90\":3,\"p95\":3,\"p99\":3,\"difference\":0.5"
#define STATISTICS_U                                                                               \
  "\"count\":4,\"min\":3,\"max\":3,\"mean\":3,\"stddev\":0,\"entropy\":0,"                         \
  "\"p1\":3,\"p5\":3,\"p10\":3,\"p50\":3,\"p90\":3,\"p95\":3,\"p99\":3,\"difference\":0"
#define PLAIN(counts_y, counts_u)                                                                  \
  "{\"version\":1,\"frame\":12,\"pts\":40000000,\"duration\":20000000,\"running_time\":50000000,"  \
  "\"stream_time\":60000000,\"utc\":null,\"stream_id\":null,\"width\":1920,\"height\":1080,"       \
  "\"format\":\"NV12\",\"range\":null,\"matrix\":null,\"histogram\":{\"element\":null,"            \
  "\"bins\":4,\"grid\":[1,1],"                                                                     \
  "\"region\":[10,20,2,2],\"channels\":[{\"name\":\"Y\",\"depth\":2," STATISTICS_Y counts_y        \
  "},{\"name\":\"U\",\"depth\":2," STATISTICS_U counts_u "}]}}\n"

static const gchar plain_line[] = PLAIN (",\"counts\":[2,0,1,1]", ",\"counts\":[0,0,0,4]");
static const gchar plain_line_without_counts[] = PLAIN ("", "");
#define NO_TIMES                                                                                   \
  "{\"version\":1,\"frame\":0,\"pts\":null,\"duration\":null,\"running_time\":null,"               \
  "\"stream_time\":null,\"utc\":null,\"stream_id\":null,"
#define NO_ORIGIN "\"range\":null,\"matrix\":null,\"histogram\":{\"element\":null,"
static const gchar grid_line[] = NO_TIMES
    "\"width\":8,\"height\":4,\"format\":\"GRAY8\"," NO_ORIGIN "\"bins\":3,\"grid\":[2,2],"
    "\"region\":[0,0,8,4],\"channels\":[{\"name\":\"luma\",\"depth\":1,\"count\":32,\"min\":0,"
    "\"max\":1,"
    "\"mean\":0.0625,\"stddev\":0.24206145913796356,\"entropy\":0.3372900666170139,"
    "\"p1\":0,\"p5\":0,\"p10\":0,\"p50\":0,\"p90\":0,\"p95\":1,\"p99\":1,\"difference\":0.078125,"
    "\"counts\":[[8,0,0],[7,1,0],[8,0,0],[7,1,0]]}]}}\n";
static const gchar empty_line[] = NO_TIMES
    "\"width\":8,\"height\":4,\"format\":\"GRAY8\"," NO_ORIGIN "\"bins\":2,\"grid\":[1,1],"
    "\"region\":[0,0,8,4],\"channels\":[{\"name\":\"Y\",\"depth\":1,\"count\":0,\"min\":0,"
    "\"max\":0,"
    "\"mean\":0,\"stddev\":0,\"entropy\":0,\"p1\":0,\"p5\":0,\"p10\":0,\"p50\":0,\"p90\":0,"
    "\"p95\":0,\"p99\":0,\"difference\":0,\"counts\":[0,0]}]}}\n";

static GstHarness *
harness_new (void)
{
  GstHarness *harness = gst_harness_new ("glesjson");

  gst_harness_set_src_caps_str (harness, "video/x-raw,format=NV12,width=1920,height=1080");
  return harness;
}

/* @result: (transfer full) (nullable) */
static GstBuffer *
buffer_with (GstGlesHistogramResult *result)
{
  GstBuffer *buffer = gst_buffer_new ();

  GST_BUFFER_PTS (buffer) = 123;
  GST_BUFFER_DURATION (buffer) = 45;
  if (result != NULL) {
    gst_buffer_add_gles_histogram_meta (buffer, result);
    gst_gles_histogram_result_unref (result);
  }
  return buffer;
}

/* Pushes @buffer and returns the text that comes out: (transfer full). */
static gchar *
line_of (GstHarness *harness, GstBuffer *buffer)
{
  GstBuffer *out;
  gchar *line;
  gsize size;

  fail_unless_equals_int (gst_harness_push (harness, buffer), GST_FLOW_OK);
  out = gst_harness_try_pull (harness);
  fail_unless (out != NULL);
  size = gst_buffer_get_size (out);
  line = g_malloc (size + 1);
  gst_buffer_extract (out, 0, line, size);
  line[size] = '\0';
  gst_buffer_unref (out);
  return line;
}

static void
check_line (GstHarness *harness, GstGlesHistogramResult *result, const gchar *expected)
{
  g_autofree gchar *line = line_of (harness, buffer_with (result));

  fail_unless_equals_string (line, expected);
}

static void
check_all_lines (void)
{
  GstHarness *harness = harness_new ();

  check_line (harness, sample_plain (), plain_line);
  check_line (harness, sample_grid (), grid_line);
  check_line (harness, sample_empty (), empty_line);
  gst_harness_teardown (harness);
}

GST_START_TEST (test_lines)
{
  check_all_lines ();
}

GST_END_TEST;

/* ASCII in the form that localedef reads; its own definition may be in a package that is not
 * installed. */
static gchar *
ascii_charmap (void)
{
  GString *charmap = g_string_new ("<code_set_name> ANSI_X3.4-1968\n"
                                   "<comment_char> %\n"
                                   "<escape_char> /\n"
                                   "CHARMAP\n");

  for (guint i = 0; i < 128; i++)
    g_string_append_printf (charmap, "<U%04X> /x%02x C%u\n", i, i, i);
  g_string_append (charmap, "END CHARMAP\n");
  return g_string_free (charmap, FALSE);
}

/* A folder with a locale "comma" that writes 1,5: made here, so that none need be installed. */
static gchar *
comma_locale_new (void)
{
  static const gchar source[] = "comment_char %\n"
                                "escape_char /\n"
                                "LC_NUMERIC\n"
                                "decimal_point \",\"\n"
                                "thousands_sep \".\"\n"
                                "grouping 3;3\n"
                                "END LC_NUMERIC\n";
  gchar *folder = g_dir_make_tmp ("glesjson-XXXXXX", NULL);
  g_autofree gchar *source_file = g_build_filename (folder, "source", NULL);
  g_autofree gchar *charmap_file = g_build_filename (folder, "charmap", NULL);
  g_autofree gchar *locale = g_build_filename (folder, "comma", NULL);
  g_autofree gchar *charmap = ascii_charmap ();
  const gchar *argv[] = { "localedef", "-c", "-f", charmap_file, "-i", source_file, locale, NULL };
  g_autofree gchar *messages = NULL;

  fail_unless (g_file_set_contents (source_file, source, -1, NULL));
  fail_unless (g_file_set_contents (charmap_file, charmap, -1, NULL));
  /* localedef complains about missing categories; setlocale() shows whether it worked. */
  fail_unless (g_spawn_sync (NULL, (gchar **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                   &messages, NULL, NULL),
      "localedef did not run");
  return folder;
}

static void
remove_folder (const gchar *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree gchar *path = g_build_filename (folder, name, NULL);

    if (g_file_test (path, G_FILE_TEST_IS_DIR))
      remove_folder (path);
    else
      g_unlink (path);
  }
  g_clear_pointer (&dir, g_dir_close);
  g_rmdir (folder);
}

GST_START_TEST (test_lines_in_a_comma_locale)
{
  g_autofree gchar *folder = comma_locale_new ();
  gchar text[16];

  g_setenv ("LOCPATH", folder, TRUE);
  fail_unless (setlocale (LC_NUMERIC, "comma") != NULL);
  g_snprintf (text, sizeof text, "%g", 1.5);
  fail_unless_equals_string (text, "1,5");
  check_all_lines ();
  setlocale (LC_NUMERIC, "C");
  g_unsetenv ("LOCPATH");
  remove_folder (folder);
}

GST_END_TEST;

/* Every number reads back as the very double that it was. */
GST_START_TEST (test_doubles_read_back)
{
  GstHarness *harness = harness_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (99);

  for (guint round = 0; round < 200; round++) {
    static const gchar *const keys[] = {
      "\"mean\":", "\"stddev\":", "\"entropy\":", "\"difference\":", "\"emd\":"
    };
    GstGlesHistogramInfo info = sample_info (8, 2, 1, 1);
    guint32 words[259];
    GstGlesHistogramResult *result;
    GstGlesHistogramStatistics s;
    g_autofree gchar *line = NULL;

    for (guint i = 0; i < G_N_ELEMENTS (words); i++)
      words[i] = g_rand_int_range (rand, 0, 100000);
    info.channels[0].emd_offset = 257;
    result = sample_result (&info, words, G_N_ELEMENTS (words));
    fail_unless (gst_gles_histogram_result_get_statistics (result, 0, &s, NULL));
    line = line_of (harness, buffer_with (result));
    for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
      const gdouble values[] = { s.mean, s.stddev, s.entropy, s.difference, s.emd };
      const gchar *text = strstr (line, keys[i]);

      fail_unless (text != NULL);
      fail_unless (g_ascii_strtod (text + strlen (keys[i]), NULL) == values[i]);
    }
  }
  gst_harness_teardown (harness);
}

GST_END_TEST;

GST_START_TEST (test_counts_can_be_left_out_while_playing)
{
  GstHarness *harness = harness_new ();

  check_line (harness, sample_plain (), plain_line);
  g_object_set (harness->element, "counts", FALSE, NULL);
  check_line (harness, sample_plain (), plain_line_without_counts);
  g_object_set (harness->element, "counts", TRUE, "points", FALSE, "indices", FALSE, NULL);
  check_line (harness, sample_plain (), plain_line);
  gst_harness_teardown (harness);
}

GST_END_TEST;

GST_START_TEST (test_properties)
{
  static const gchar *const names[] = { "counts", "points", "indices" };
  GstElement *element = gst_element_factory_make ("glesjson", NULL);

  fail_unless (element != NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    gboolean value = FALSE;

    g_object_get (element, names[i], &value, NULL);
    fail_unless (value);
    g_object_set (element, names[i], FALSE, NULL);
    g_object_get (element, names[i], &value, NULL);
    fail_if (value);
  }
  fail_unless_equals_string (
      gst_element_class_get_metadata (GST_ELEMENT_GET_CLASS (element), GST_ELEMENT_METADATA_KLASS),
      "Converter/Metadata");
  gst_object_unref (element);
}

GST_END_TEST;

GST_START_TEST (test_output_buffers)
{
  GstHarness *harness = harness_new ();
  GstBuffer *in = buffer_with (sample_plain ());
  GstBuffer *out;
  GstCaps *caps;

  GST_BUFFER_FLAG_SET (in, GST_BUFFER_FLAG_DISCONT);
  out = gst_harness_push_and_pull (harness, in);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (out), 123);
  fail_unless_equals_uint64 (GST_BUFFER_DURATION (out), 45);
  fail_unless (GST_BUFFER_IS_DISCONT (out));
  fail_unless_equals_int (gst_buffer_get_size (out), strlen (plain_line));
  gst_buffer_unref (out);

  out = gst_harness_push_and_pull (harness, buffer_with (sample_plain ()));
  fail_if (GST_BUFFER_IS_DISCONT (out));
  gst_buffer_unref (out);

  caps = gst_pad_get_current_caps (harness->sinkpad);
  fail_unless_equals_string (
      gst_structure_get_name (gst_caps_get_structure (caps, 0)), "application/x-ndjson");
  gst_caps_unref (caps);
  gst_harness_teardown (harness);
}

GST_END_TEST;

/* The next event of @type that came out: (transfer full) (nullable). */
static GstEvent *
pull_event (GstHarness *harness, GstEventType type)
{
  GstEvent *event;

  while ((event = gst_harness_try_pull_event (harness)) != NULL) {
    if (GST_EVENT_TYPE (event) == type)
      return event;
    gst_event_unref (event);
  }
  return NULL;
}

/* What has no result leaves a GAP, or nothing when it has no timestamp. */
GST_START_TEST (test_buffers_without_results)
{
  GstHarness *harness = harness_new ();
  GstBuffer *in = buffer_with (NULL);
  GstEvent *event;
  GstBuffer *out;
  GstClockTime time = 0, duration = 0;

  GST_BUFFER_FLAG_SET (in, GST_BUFFER_FLAG_DISCONT);
  fail_unless_equals_int (gst_harness_push (harness, in), GST_FLOW_OK);
  fail_unless (gst_harness_try_pull (harness) == NULL);
  event = pull_event (harness, GST_EVENT_GAP);
  fail_unless (event != NULL);
  gst_event_parse_gap (event, &time, &duration);
  fail_unless_equals_uint64 (time, 123);
  fail_unless_equals_uint64 (duration, 45);
  gst_event_unref (event);

  in = buffer_with (NULL);
  GST_BUFFER_PTS (in) = GST_CLOCK_TIME_NONE;
  fail_unless_equals_int (gst_harness_push (harness, in), GST_FLOW_OK);
  fail_unless (gst_harness_try_pull (harness) == NULL);
  fail_unless (pull_event (harness, GST_EVENT_GAP) == NULL);

  /* the line that follows carries the discontinuity that the first buffer had */
  out = gst_harness_push_and_pull (harness, buffer_with (sample_plain ()));
  fail_unless (GST_BUFFER_IS_DISCONT (out));
  gst_buffer_unref (out);
  gst_harness_teardown (harness);
}

GST_END_TEST;

GST_START_TEST (test_the_last_of_several_results)
{
  GstHarness *harness = harness_new ();
  GstBuffer *in = buffer_with (sample_grid ());
  g_autoptr (GstGlesHistogramResult) last = sample_plain ();
  g_autofree gchar *line = NULL;

  gst_buffer_add_gles_histogram_meta (in, last);
  line = line_of (harness, in);
  fail_unless_equals_string (line, plain_line);
  gst_harness_teardown (harness);
}

GST_END_TEST;

/* readback=false: no counters to write is an error that says what to do */
GST_START_TEST (test_results_that_stay_on_the_device)
{
  GstHarness *harness = harness_new ();
  GstBus *bus = gst_bus_new ();
  const GstGlesHistogramInfo info = sample_info (8, 256, 1, 1);
  GstMessage *message;
  GError *error = NULL;

  gst_element_set_bus (harness->element, bus);
  fail_unless_equals_int (
      gst_harness_push (harness, buffer_with (gst_gles_histogram_result_new (&info, NULL, NULL))),
      GST_FLOW_ERROR);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (g_error_matches (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED));
  fail_unless (strstr (error->message, "readback=true") != NULL);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR) == NULL);
  g_clear_error (&error);
  gst_message_unref (message);
  gst_element_set_bus (harness->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (harness);
}

GST_END_TEST;

static void
check_caps (const gchar *caps)
{
  GstHarness *harness = gst_harness_new ("glesjson");

  if (caps != NULL)
    gst_harness_set_src_caps_str (harness, caps);
  else
    gst_pad_push_event (harness->srcpad, gst_event_new_stream_start ("stream"));
  if (caps == NULL) {
    GstSegment segment;

    gst_segment_init (&segment, GST_FORMAT_TIME);
    fail_unless (gst_pad_push_event (harness->srcpad, gst_event_new_segment (&segment)));
  }
  check_line (harness, sample_plain (), plain_line);
  gst_harness_teardown (harness);
}

/* whatever carries the results: raw, encoded, on a GPU, or without caps */
GST_START_TEST (test_any_caps)
{
  check_caps ("image/jpeg");
  check_caps ("video/x-raw(memory:GLMemory),format=RGBA,width=8,height=4");
  check_caps ("application/x-gles-splats,format=rect32le");
  check_caps (NULL);
}

GST_END_TEST;

GST_START_TEST (test_renegotiation_and_end)
{
  GstHarness *harness = harness_new ();
  GstEvent *event;

  check_line (harness, sample_plain (), plain_line);
  gst_harness_set_src_caps_str (harness, "video/x-raw,format=I420,width=8,height=4");
  check_line (harness, sample_grid (), grid_line);
  fail_unless (gst_harness_push_event (harness, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (harness, gst_event_new_flush_stop (TRUE)));
  {
    GstSegment segment;

    gst_segment_init (&segment, GST_FORMAT_TIME);
    fail_unless (gst_harness_push_event (harness, gst_event_new_segment (&segment)));
  }
  check_line (harness, sample_empty (), empty_line);
  fail_unless (gst_harness_push_event (harness, gst_event_new_eos ()));
  event = pull_event (harness, GST_EVENT_EOS);
  fail_unless (event != NULL);
  gst_event_unref (event);
  gst_harness_teardown (harness);
}

GST_END_TEST;

/* A decoder must not change its layout for an element that does not access pixels. */
GST_START_TEST (test_allocation_query)
{
  GstHarness *harness = harness_new ();
  g_autoptr (GstCaps) caps = gst_caps_from_string ("video/x-raw,format=NV12,width=8,height=8");
  GstQuery *query = gst_query_new_allocation (caps, FALSE);

  fail_unless (gst_pad_peer_query (harness->srcpad, query));
  fail_unless (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL));
  fail_unless (gst_query_find_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, NULL));
  gst_query_unref (query);
  gst_harness_teardown (harness);
}

GST_END_TEST;

/* 2^24 counters, the most that there can be: 256 cells of 65536 bins */
GST_START_TEST (test_the_largest_grid)
{
  const guint bins = 65536, n_cells = 256;
  const GstGlesHistogramInfo info = sample_info (8, bins, 16, 16);
  const gsize n_words = 257 + (gsize) bins * n_cells;
  guint32 *words = g_new0 (guint32, n_words);
  GstHarness *harness = harness_new ();
  g_autofree gchar *line = NULL;
  const gchar *text;

  for (gsize i = 257; i < n_words; i += 1000)
    words[i] = (guint32) i * 2654435761u;
  line = line_of (harness, buffer_with (sample_result (&info, words, n_words)));

  text = strstr (line, "\"counts\":[");
  fail_unless (text != NULL);
  text += strlen ("\"counts\":[");
  for (guint cell = 0; cell < n_cells; cell++) {
    for (guint i = 0; i < bins; i++) {
      gchar *end;

      if (*text++ != (i == 0 ? '[' : ',') ||
          g_ascii_strtoull (text, &end, 10) != words[257 + (gsize) cell * bins + i] || end == text)
        fail ("wrong text at bin %u of cell %u", i, cell);
      text = end;
    }
    fail_unless (*text++ == ']');
    fail_unless (*text++ == (cell + 1 < n_cells ? ',' : ']'));
  }
  fail_unless_equals_string (text, "}]}}\n");
  g_free (words);
  gst_harness_teardown (harness);
}

GST_END_TEST;

/* The line of what @description makes of @buffer: (transfer full) both. */
static gchar *
line_from (const gchar *description, const gchar *caps, GstBuffer *buffer)
{
  GstHarness *harness = gst_harness_new_parse (description);
  gchar *line;

  gst_harness_set_src_caps_str (harness, caps);
  line = line_of (harness, buffer);
  gst_harness_teardown (harness);
  return line;
}

/* GStreamer has no name for the format of a stream of records, nor for caps without one. */
GST_START_TEST (test_a_format_without_a_name_is_null)
{
  static const gchar *const caps[] = {
    "application/x-gles-splats,format=rect32le,width=200,height=100,framerate=30/1",
    "video/x-raw(memory:DMABuf),width=200,height=100,framerate=30/1",
    "video/x-raw(memory:DMABuf),format=DMA_DRM,width=200,height=100,framerate=30/1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    GstBuffer *buffer = gst_buffer_new_memdup ("12345678901234567890123456789012", 32);
    g_autofree gchar *line = NULL;

    if (i > 0)
      gst_buffer_add_video_region_of_interest_meta (buffer, "box", 1, 2, 3, 4);
    line = line_from ("glestiles device=cpu ! glesjson", caps[i], buffer);
    fail_unless (strstr (line,
                     "\"width\":200,\"height\":100,\"format\":null,\"range\":null,\"matrix\":null,"
                     "\"tiles\":{") != NULL,
        "%s: %s", caps[i], line);
  }
}

GST_END_TEST;

static Suite *
glesjson_suite (void)
{
  Suite *suite = suite_create ("glesjson");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_lines);
  tcase_add_test (tcase, test_lines_in_a_comma_locale);
  tcase_add_test (tcase, test_doubles_read_back);
  tcase_add_test (tcase, test_counts_can_be_left_out_while_playing);
  tcase_add_test (tcase, test_properties);
  tcase_add_test (tcase, test_output_buffers);
  tcase_add_test (tcase, test_buffers_without_results);
  tcase_add_test (tcase, test_the_last_of_several_results);
  tcase_add_test (tcase, test_results_that_stay_on_the_device);
  tcase_add_test (tcase, test_any_caps);
  tcase_add_test (tcase, test_renegotiation_and_end);
  tcase_add_test (tcase, test_allocation_query);
  tcase_add_test (tcase, test_the_largest_grid);
  tcase_add_test (tcase, test_a_format_without_a_name_is_null);
  return suite;
}

GST_CHECK_MAIN (glesjson);
