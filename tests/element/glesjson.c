/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glesjson on results made by hand: what it writes, byte for byte, and how it behaves as an
 * element. */

#include <locale.h>

#include "gles-test.h"
#include "glesjson-line.h"
#include "lines.h"
#include "results-samples.h"

#define NV12 "video/x-raw,format=NV12,width=1920,height=1080"

#define HEADER(frame, pts, duration, running, stream, width, height, format)                       \
  "{'version':1,'frame':" #frame ",'pts':" #pts ",'duration':" #duration                           \
  ",'running_time':" #running ",'stream_time':" #stream                                            \
  ",'utc':null,'stream_id':null,'width':" #width ",'height':" #height ",'format':" #format         \
  ",'range':null,'matrix':null"
#define HISTOGRAM(picture, bins, grid, region)                                                     \
  ",'histogram':{'element':null,'picture':" picture ",'bins':" bins ",'grid':" grid                \
  ",'region':" region ",'channels':["
#define CHANNEL(name, depth, count, min, max, mean, stddev, entropy, p1_to_p50, p90, p95, p99,     \
    difference, counts)                                                                            \
  "{'name':" #name ",'depth':" #depth ",'count':" #count ",'min':" #min ",'max':" #max             \
  ",'mean':" #mean ",'stddev':" #stddev ",'entropy':" #entropy ",'p1':" #p1_to_p50                 \
  ",'p5':" #p1_to_p50 ",'p10':" #p1_to_p50 ",'p50':" #p1_to_p50 ",'p90':" #p90 ",'p95':" #p95      \
  ",'p99':" #p99 ",'difference':" #difference counts "}"

#define PLAIN_LINE                                                                                 \
  HEADER (12, 40000000, 20000000, 50000000, 60000000, 1920, 1080, 'NV12')                          \
  HISTOGRAM ("[1920,1080]", "4", "[1,1]", "[10,20,2,2]")                                           \
  CHANNEL ('Y', 2, 4, 0, 3, 1.25, 1.299038105676658, 1.5, 0, 3, 3, 3, 0.5, ",'counts':[2,0,1,1]")  \
  "," CHANNEL ('U', 2, 4, 3, 3, 3, 0, 0, 3, 3, 3, 3, 0, ",'counts':[0,0,0,4]") "]}}\n"
#define GRID(counts)                                                                               \
  HEADER (0, null, null, null, null, 8, 4, 'GRAY8')                                                \
  HISTOGRAM ("[8,4]", "3", "[2,2]", "[0,0,8,4]")                                                   \
  CHANNEL ('luma', 1, 32, 0, 1, 0.0625, 0.24206145913796356, 0.3372900666170139, 0, 0, 1, 1,       \
      0.078125, ",'emd':0.5,'mad':2,'mad_previous':1.5" counts)                                    \
  "]}"
#define GRID_COUNTS ",'counts':[[8,0,0],[7,1,0],[8,0,0],[7,1,0]]"
#define EMPTY_LINE(format)                                                                         \
  HEADER (0, null, null, null, null, 8, 4, format)                                                 \
  HISTOGRAM ("[8,4]", "2", "[1,1]", "[0,0,8,4]")                                                   \
  CHANNEL ('Y', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ",'counts':[0,0]") "]}}\n"

#define POINTS_HEADER HEADER (7, 40000000, null, 0, null, 65536, 65536, 'NV12')
#define POINTS(total, count, truncated, list)                                                      \
  ",'points':{'element':null,'picture':[65536,65536],"                                             \
  "'predicate':'motion','reference':'previous','channel':'luma',"                                  \
  "'depth':8,'lower':24,'upper':255,'unit':'code','region':[0,0,65536,65536],'total':" total       \
  ",'count':" count ",'truncated':" truncated list "}"
#define POINTS_LIST                                                                                \
  ",'points':[[0,0,0],[9,10,99],[100,999,1000],[9999,10000,99999],[65535,65535,4294967295]]"
#define TILES(total, truncated, lists)                                                             \
  ",'tiles':{'element':null,'picture':[64,48],"                                                    \
  "'source':'points','size':[16,16],'grid':[4,3],'total':" total ",'truncated':" truncated         \
  ",'occupied':2,'max_per_tile':2" lists "}"
#define TILES_LISTS ",'offsets':[0,0,2,2,2,2,2,2,2,2,2,2,3],'indices':[5,0,4000000000]"
#define TILES_COUNTS ",'counts':[0,2,0,0,0,0,0,0,0,0,0,1]"
#define REGIONS                                                                                    \
  ",'regions_element':null,'regions_picture':[128,96],"                                            \
  "'regions_total':3,'regions':[{'label':'car','box':[20,24,40,40],"                               \
  "'pixels':1000,'centroid':[39.5,43.25],'mean':90.125,'max':200},{'label':'car','box':[0,1,1,1]," \
  "'pixels':1,'centroid':[0,1],'mean':255,'max':255}]"
/* of each track: what is behind the length of its path */
#define TRACKS(first, second, third)                                                               \
  ",'tracks_element':null,'tracks_picture':[128,96],"                                              \
  "'tracks_total':4,'tracks':[{'id':7,'label':'car','state':'confirmed',"                          \
  "'box':[20,24,40,40],'age_frames':12,'hits':11,'age':480000000,'lost':0,'velocity':[25.5,-3],"   \
  "'path_length':12.25" first "},{'id':8,'label':'bus','state':'lost','box':[90,70,20,10],"        \
  "'age_frames':10,'hits':8,'age':400000000,'lost':80000000,'velocity':[0,0.125],"                 \
  "'path_length':9" second "},{'id':4294967296,'label':'car','state':'new','box':[0,0,9,9],"       \
  "'age_frames':0,'hits':1,'age':0,'lost':0,'velocity':[0,0],'path_length':0" third "}]"
#define ZONES                                                                                      \
  ",'zones_element':null,'zones_picture':[128,96],"                                                \
  "'zones':[{'name':'yard','in':5,'out':3,'occupied':true,'members':["                             \
  "{'track':3,'label':'bus','inside':40000000},{'track':4294967296,'label':'car','inside':0}]}],"  \
  "'lines':[{'name':'gate','in':4294967296,'out':1}]"
#define ALL_LINE(counts, points, tiles)                                                            \
  GRID (counts)                                                                                    \
  POINTS ("5", "5", "false", points) TILES ("3", "false", tiles) "}\n"

/* All results: (transfer full) (nullable). */
static GstBuffer *
buffer_with (
    GstGlesHistogramResult *histogram, GstGlesPointsResult *points, GstGlesTilesResult *tiles)
{
  GstBuffer *buffer = gst_buffer_new ();

  GST_BUFFER_PTS (buffer) = 123;
  GST_BUFFER_DURATION (buffer) = 45;
  if (histogram != NULL)
    gst_buffer_add_gles_histogram_meta (buffer, histogram);
  if (points != NULL)
    gst_buffer_add_gles_points_meta (buffer, points);
  if (tiles != NULL)
    gst_buffer_add_gles_tiles_meta (buffer, tiles);
  g_clear_pointer (&histogram, gst_gles_histogram_result_unref);
  g_clear_pointer (&points, gst_gles_points_result_unref);
  g_clear_pointer (&tiles, gst_gles_tiles_result_unref);
  return buffer;
}

static GstBuffer *
buffer_with_plain (void)
{
  return buffer_with (sample_plain (), NULL, NULL);
}

static GstBuffer *
buffer_with_all (void)
{
  return buffer_with (sample_grid (), sample_points (), sample_tiles (3));
}

/* @expected: with apostrophes in place of quotation marks */
static void
check_line (TestStream *chain, GstBuffer *buffer, const gchar *expected)
{
  g_autofree gchar *line = line_of (chain->harness, buffer), *text = quoted (expected);

  fail_unless_equals_string (line, text);
}

static void
set_lists (TestStream *chain, const gchar *name, gboolean value)
{
  g_autoptr (GstElement) element = gst_harness_find_element (chain->harness, "glesjson");
  gboolean found = !value;

  g_object_set (element, name, value, NULL);
  g_object_get (element, name, &found, NULL);
  fail_unless_equals_int (found, value);
}

/* Lists are written or left out from one frame to the next. */
static void
check_lists (TestStream *chain)
{
  static const struct {
    const gchar *name, *line;
  } lists[] = {
    { "counts", ALL_LINE ("", POINTS_LIST, TILES_LISTS) },
    { "points", ALL_LINE (GRID_COUNTS, "", TILES_LISTS) },
    { "indices", ALL_LINE (GRID_COUNTS, POINTS_LIST, TILES_COUNTS) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++) {
    check_line (chain, buffer_with_all (), ALL_LINE (GRID_COUNTS, POINTS_LIST, TILES_LISTS));
    set_lists (chain, lists[i].name, FALSE);
    check_line (chain, buffer_with_all (), lists[i].line);
    set_lists (chain, lists[i].name, TRUE);
  }
}

static void
check_all_lines (void)
{
  static const GstGlesPoint point = { 3, 4, 5 };
  g_autoptr (TestStream) chain = line_stream (NV12, "glesjson");
  g_autoptr (GstGlesHistogramResult) plain = sample_plain ();
  g_autoptr (GstGlesRegionsResult) regions = sample_regions (2);
  g_autoptr (GstGlesTracksResult) tracks = sample_tracks (0);
  g_autoptr (GstGlesTracksResult) paths = sample_tracks (2);
  g_autoptr (GstGlesZonesResult) zones = sample_zones ();
  GstBuffer *buffer;

  check_line (chain, buffer_with_plain (), PLAIN_LINE);
  check_line (
      chain, buffer_with (sample_empty (GST_VIDEO_FORMAT_GRAY8), NULL, NULL), EMPTY_LINE ('GRAY8'));
  check_line (
      chain, buffer_with (sample_empty (GST_VIDEO_FORMAT_UNKNOWN), NULL, NULL), EMPTY_LINE (null));
  check_lists (chain);
  buffer = buffer_with (sample_grid (), NULL, NULL);
  gst_buffer_add_gles_histogram_meta (buffer, plain);
  check_line (chain, buffer, PLAIN_LINE); /* the last of several results */
  buffer = buffer_with (NULL, NULL, NULL);
  gst_buffer_add_gles_regions_meta (buffer, regions);
  check_line (chain, buffer, HEADER (7, 40000000, null, 0, null, 128, 96, 'NV12') REGIONS "}\n");
  buffer = buffer_with (NULL, NULL, NULL);
  gst_buffer_add_gles_tracks_meta (buffer, paths);
  check_line (chain, buffer,
      HEADER (7, 40000000, null, 0, null, 128, 96, 'NV12')
          TRACKS (",'path':[[39.5,44],[40,43.9375]]", ",'path':[[-2.5,75]]", ",'path':[]") "}\n");
  buffer = buffer_with (NULL, NULL, NULL);
  gst_buffer_add_gles_tracks_meta (buffer, tracks);
  gst_buffer_add_gles_regions_meta (buffer, regions);
  check_line (chain, buffer,
      HEADER (7, 40000000, null, 0, null, 128, 96, 'NV12') REGIONS TRACKS ("", "", "") "}\n");
  buffer = buffer_with (NULL, NULL, NULL);
  gst_buffer_add_gles_zones_meta (buffer, zones);
  check_line (chain, buffer, HEADER (7, 40000000, null, 0, null, 128, 96, 'NV12') ZONES "}\n");
  check_line (chain, buffer_with (NULL, sample_points_new (65536, 65536, NULL, 0, 0), NULL),
      POINTS_HEADER POINTS ("0", "0", "false", ",'points':[]") "}\n");
  /* max-points cut the list */
  check_line (chain,
      buffer_with (NULL, sample_points_new (65536, 65536, &point, 1, G_MAXUINT32 + 1ull), NULL),
      POINTS_HEADER POINTS ("4294967296", "1", "true", ",'points':[[3,4,5]]") "}\n");
  check_line (chain, buffer_with (NULL, NULL, sample_tiles (5000000000)),
      HEADER (7, 40000000, null, 0, null, 64, 48, 'NV12')
          TILES ("5000000000", "true", TILES_LISTS) "}\n");
}

GST_START_TEST (test_lines)
{
  check_all_lines ();
}

GST_END_TEST;

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
  /* ASCII's own definition may be in a package that is not installed. */
  GString *charmap = g_string_new ("<code_set_name> ANSI_X3.4-1968\n"
                                   "<comment_char> %\n"
                                   "<escape_char> /\n"
                                   "CHARMAP\n");
  gchar *folder = g_dir_make_tmp ("glesjson-XXXXXX", NULL);
  g_autofree gchar *source_file = g_build_filename (folder, "source", NULL);
  g_autofree gchar *charmap_file = g_build_filename (folder, "charmap", NULL);
  g_autofree gchar *locale = g_build_filename (folder, "comma", NULL);
  const gchar *argv[] = { "localedef", "-c", "-f", charmap_file, "-i", source_file, locale, NULL };

  for (guint i = 0; i < 128; i++)
    g_string_append_printf (charmap, "<U%04X> /x%02x C%u\n", i, i, i);
  g_string_append (charmap, "END CHARMAP\n");
  fail_unless (g_file_set_contents (source_file, source, -1, NULL));
  fail_unless (g_file_set_contents (charmap_file, charmap->str, -1, NULL));
  g_string_free (charmap, TRUE);
  /* localedef complains about missing categories; setlocale() shows whether it worked. */
  fail_unless (
      g_spawn_sync (NULL, (gchar **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL,
          NULL, NULL, NULL, NULL, NULL, NULL),
      "localedef did not run");
  return folder;
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
  gles_test_remove_tree (folder);
}

GST_END_TEST;

/* The next event of @type that came out: (transfer full) (nullable). */
static GstEvent *
pull_event (TestStream *chain, GstEventType type)
{
  GstEvent *event;

  while ((event = gst_harness_try_pull_event (chain->harness)) != NULL) {
    if (GST_EVENT_TYPE (event) == type)
      return event;
    gst_event_unref (event);
  }
  return NULL;
}

static void
check_line_buffer (TestStream *chain, gboolean discont)
{
  GstBuffer *out = gst_harness_push_and_pull (chain->harness, buffer_with_plain ());

  fail_unless_equals_uint64 (GST_BUFFER_PTS (out), 123);
  fail_unless_equals_uint64 (GST_BUFFER_DURATION (out), 45);
  fail_unless_equals_int (GST_BUFFER_IS_DISCONT (out), discont);
  fail_unless_equals_int (gst_buffer_get_size (out), strlen (PLAIN_LINE));
  gst_buffer_unref (out);
}

/* What has no result leaves a GAP, or nothing when it has no timestamp. The line that follows
 * carries its discontinuity. */
GST_START_TEST (test_output)
{
  g_autoptr (TestStream) chain = line_stream (NV12, "glesjson");
  g_autoptr (GstElement) element = gst_harness_find_element (chain->harness, "glesjson");
  GstBuffer *in = buffer_with (NULL, NULL, NULL);
  g_autoptr (GstEvent) event = NULL;
  g_autoptr (GstCaps) caps = NULL;
  GstClockTime time = 0, duration = 0;

  check_line_buffer (chain, FALSE);
  GST_BUFFER_FLAG_SET (in, GST_BUFFER_FLAG_DISCONT);
  fail_unless_equals_int (gst_harness_push (chain->harness, in), GST_FLOW_OK);
  fail_unless (gst_harness_try_pull (chain->harness) == NULL);
  event = pull_event (chain, GST_EVENT_GAP);
  gst_event_parse_gap (event, &time, &duration);
  fail_unless_equals_uint64 (time, 123);
  fail_unless_equals_uint64 (duration, 45);
  in = buffer_with (NULL, NULL, NULL);
  GST_BUFFER_PTS (in) = GST_CLOCK_TIME_NONE;
  fail_unless_equals_int (gst_harness_push (chain->harness, in), GST_FLOW_OK);
  fail_unless (gst_harness_try_pull (chain->harness) == NULL);
  fail_unless (pull_event (chain, GST_EVENT_GAP) == NULL);
  check_line_buffer (chain, TRUE);
  check_line_buffer (chain, FALSE);
  caps = gst_pad_get_current_caps (chain->harness->sinkpad);
  fail_unless (gst_structure_has_name (gst_caps_get_structure (caps, 0), "application/x-ndjson"));
  fail_unless_equals_string (
      gst_element_class_get_metadata (GST_ELEMENT_GET_CLASS (element), GST_ELEMENT_METADATA_KLASS),
      "Converter/Metadata");
}

GST_END_TEST;

/* What readback=false left on the device is left out where there is something else; where there is
 * nothing else, an error says what to do. */
GST_START_TEST (test_results_that_stay_on_the_device)
{
  g_autoptr (TestStream) chain = line_stream (NV12, "glesjson");
  const GstGlesHistogramInfo info = sample_info (8, 256, 1, 1);
  g_autoptr (GError) error = NULL;

  check_line (chain,
      buffer_with (
          gst_gles_histogram_result_new_queued (&info, NULL, NULL, NULL), sample_points (), NULL),
      POINTS_HEADER POINTS ("5", "5", "false", POINTS_LIST) "}\n");
  error = line_push_bad (chain,
      buffer_with (gst_gles_histogram_result_new_queued (&info, NULL, NULL, NULL), NULL, NULL),
      GST_FLOW_ERROR);
  fail_unless (g_error_matches (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_FAILED));
  fail_unless (strstr (error->message, "readback=true") != NULL);
}

GST_END_TEST;

/* Whatever carries the results: raw, encoded, on a GPU, records, or without caps. Caps may change,
 * and the stream goes on after a flush. */
GST_START_TEST (test_any_caps)
{
  static const gchar *const caps[] = { NV12, "image/jpeg",
    "video/x-raw(memory:GLMemory),format=RGBA,width=8,height=4",
    "application/x-gles-splats,format=rect32le" };
  g_autoptr (TestStream) chain = line_stream (NULL, "glesjson");
  g_autoptr (TestStream) without = line_stream (NULL, "glesjson");
  g_autoptr (GstEvent) event = NULL;
  GstSegment segment;

  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    line_set_caps (chain, caps[i]);
    check_line (chain, buffer_with_plain (), PLAIN_LINE);
  }
  test_stream_flush (chain);
  check_line (chain, buffer_with_plain (), PLAIN_LINE);
  test_stream_push_event (chain, gst_event_new_eos ());
  event = pull_event (chain, GST_EVENT_EOS);
  fail_unless (event != NULL);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (without->harness->srcpad, gst_event_new_stream_start ("without caps"));
  gst_pad_push_event (without->harness->srcpad, gst_event_new_segment (&segment));
  check_line (without, buffer_with_plain (), PLAIN_LINE);
}

GST_END_TEST;

/* A decoder must not change its layout for an element that does not access pixels. */
GST_START_TEST (test_allocation_query)
{
  g_autoptr (TestStream) chain = line_stream (NV12, "glesjson");
  g_autoptr (GstCaps) caps = gst_caps_from_string ("video/x-raw,format=NV12,width=8,height=8");
  GstQuery *query = gst_query_new_allocation (caps, FALSE);

  fail_unless (gst_pad_peer_query (chain->harness->srcpad, query));
  fail_unless (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL));
  fail_unless (gst_query_find_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, NULL));
  gst_query_unref (query);
}

GST_END_TEST;

/* 2^24 counters, the most that there can be: 256 cells of 65536 bins. Among them are all numbers of
 * up to four digits, and large ones. */
GST_START_TEST (test_the_largest_grid)
{
  const guint bins = 65536, n_cells = 256;
  const GstGlesHistogramInfo info = sample_info (8, bins, 16, 16);
  const gsize n_words = 257 + (gsize) bins * n_cells;
  g_autofree guint32 *words = g_new0 (guint32, n_words);
  g_autoptr (GString) expected = g_string_new ("\"counts\":[[");
  g_autoptr (TestStream) chain = line_stream (NV12, "glesjson");
  g_autofree gchar *line = NULL;

  for (gsize i = 257; i < n_words; i++) {
    if (i > 257)
      g_string_append (expected, (i - 257) % bins > 0 ? "," : "],[");
    if (i % 1000 == 0)
      words[i] = (guint32) i * 2654435761u;
    if (i % 1000 == 1)
      words[i] = (guint32) i / 1000;
    if (words[i] == 0)
      g_string_append_c (expected, '0');
    else
      g_string_append_printf (expected, "%u", words[i]);
  }
  g_string_append (expected, "]]}]}}\n");
  line = line_of (chain->harness, buffer_with (sample_result (&info, words, n_words), NULL, NULL));
  fail_unless (g_str_has_suffix (line, expected->str), "not all counters");
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_lines);
  tcase_add_test (tcase, test_lines_in_a_comma_locale);
  tcase_add_test (tcase, test_output);
  tcase_add_test (tcase, test_results_that_stay_on_the_device);
  tcase_add_test (tcase, test_any_caps);
  tcase_add_test (tcase, test_allocation_query);
  tcase_add_test (tcase, test_the_largest_grid);
}

LINES_MAIN (add_tests)
