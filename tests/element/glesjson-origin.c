/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The keys of a line that describe its results: elements, stream, times, colorimetry, settings
 * and boxes. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/video/gstvideometa.h>
#include <gst/video/video.h>

#include <string.h>

#include <gst/gles/meta/histogram.h>

#define ANALYSERS                                                                                  \
  "gleshistogram name=h device=cpu ! glescompact name=p device=cpu predicate=edge channel=V "      \
  "lower=7 upper=90 region=2,2,4,6 ! glestiles name=t device=cpu ! glesregions name=r device=cpu"
#define CAPS(format, colorimetry)                                                                  \
  "video/x-raw,format=" format ",width=16,height=16,framerate=25/1,colorimetry=" colorimetry

static GstHarness *
harness_new (const gchar *description, const gchar *caps)
{
  GstHarness *harness = gst_harness_new_parse (description);

  /* its own stream-start has no id that a test can know */
  fail_unless (gst_harness_push_event (harness, gst_event_new_stream_start ("a\"b/video:0")));
  gst_harness_set_src_caps_str (harness, caps);
  return harness;
}

static GstBuffer *
frame_new (const GstHarness *harness)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (harness->srcpad);
  GstVideoInfo info;
  GstBuffer *buffer;

  fail_unless (gst_video_info_from_caps (&info, caps));
  buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_memset (buffer, 0, 50, info.size);
  GST_BUFFER_PTS (buffer) = 3 * GST_SECOND;
  return buffer;
}

/* @buffer: (transfer full). The line: (transfer full). */
static gchar *
line_of (GstHarness *harness, GstBuffer *buffer)
{
  gchar *line;
  gsize size;

  buffer = gst_harness_push_and_pull (harness, buffer);
  fail_unless (buffer != NULL);
  size = gst_buffer_get_size (buffer);
  line = g_malloc0 (size + 1);
  gst_buffer_extract (buffer, 0, line, size);
  gst_buffer_unref (buffer);
  return line;
}

static void
add_time (GstBuffer *buffer, const gchar *type, GstClockTime time)
{
  g_autoptr (GstCaps) reference = gst_caps_from_string (type);

  gst_buffer_add_reference_timestamp_meta (buffer, reference, time, GST_CLOCK_TIME_NONE);
}

#define CHECK_HAS(line, part) fail_unless (strstr (line, part) != NULL, "no %s in %s", part, line)

GST_START_TEST (test_every_part_tells_its_element)
{
  GstHarness *harness = harness_new (ANALYSERS " ! glesjson", CAPS ("NV12", "bt709"));
  g_autofree gchar *line = line_of (harness, frame_new (harness));

  CHECK_HAS (line, "{\"version\":1,\"frame\":0,");
  CHECK_HAS (line, ",\"stream_id\":\"a\\\"b/video:0\",\"width\":16");
  CHECK_HAS (line, ",\"histogram\":{\"element\":\"h\",");
  CHECK_HAS (line, "{\"name\":\"Y\",\"depth\":8,");
  CHECK_HAS (line,
      ",\"points\":{\"element\":\"p\",\"predicate\":\"edge\",\"channel\":\"V\",\"depth\":8,"
      "\"lower\":7,\"upper\":90,\"unit\":\"code\",\"region\":[2,2,4,6],");
  CHECK_HAS (line, ",\"tiles\":{\"element\":\"t\",\"source\":\"points\",");
  CHECK_HAS (line, ",\"regions_element\":\"r\",\"regions_total\":");
  gst_harness_teardown (harness);
}

GST_END_TEST;

GST_START_TEST (test_depth_and_names_of_other_formats)
{
  static const gchar *const formats[][3] = {
    { "P010_10LE", "channel=1", "\"channel\":\"U\",\"depth\":10" },
    { "BGRA", "channel=0", "\"channel\":\"R\",\"depth\":8" },
    { "BGRA", "channel=A", "\"channel\":\"A\",\"depth\":8" },
    { "GRAY16_LE", "channel=luma", "\"channel\":\"luma\",\"depth\":16" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autofree gchar *description =
        g_strdup_printf ("glescompact device=cpu %s ! glesjson", formats[i][1]);
    g_autofree gchar *caps =
        g_strdup_printf ("video/x-raw,format=%s,width=16,height=16,framerate=25/1", formats[i][0]);
    GstHarness *harness = harness_new (description, caps);
    g_autofree gchar *line = line_of (harness, frame_new (harness));

    CHECK_HAS (line, formats[i][2]);
    gst_harness_teardown (harness);
  }
}

GST_END_TEST;

GST_START_TEST (test_colorimetry_and_stream_change)
{
  GstHarness *harness = harness_new ("gleshistogram device=cpu ! glesjson", CAPS ("NV12", "bt709"));
  gchar *line = line_of (harness, frame_new (harness));

  CHECK_HAS (line, ",\"format\":\"NV12\",\"range\":\"limited\",\"matrix\":\"bt709\",");
  g_free (line);
  gst_harness_set_src_caps_str (harness, CAPS ("NV12", "1:4:7:1"));
  line = line_of (harness, frame_new (harness));
  CHECK_HAS (line, ",\"range\":\"full\",\"matrix\":\"bt601\",");
  g_free (line);
  fail_unless (gst_harness_push_event (harness, gst_event_new_stream_start ("another")));
  line = line_of (harness, frame_new (harness));
  CHECK_HAS (line, ",\"stream_id\":\"another\",");
  g_free (line);
  gst_harness_teardown (harness);
}

GST_END_TEST;

/* What caps say about one member of the colorimetry holds, whatever the others are: of an unknown
 * matrix, a matrix that the format lacks, an unknown range. */
GST_START_TEST (test_members_of_colorimetry)
{
  static const struct {
    const gchar *caps, *line, *bounds; /* of 50 % and 100 % */
  } cases[] = {
    { CAPS ("I420", "1:0:0:0"), ",\"range\":\"full\",\"matrix\":\"bt601\",", "128,\"upper\":255" },
    { CAPS ("I420", "1:1:7:1"), ",\"range\":\"full\",\"matrix\":\"bt601\",", "128,\"upper\":255" },
    { CAPS ("I420", "1:0:5:1"), ",\"range\":\"full\",\"matrix\":\"bt601\",", "128,\"upper\":255" },
    { CAPS ("I420", "2:0:0:0"), ",\"range\":\"limited\",", "126,\"upper\":235" },
    { CAPS ("I420", "0:3:5:1"), ",\"range\":\"limited\",\"matrix\":\"bt709\",",
        "126,\"upper\":235" },
    { CAPS ("I420", "0:0:0:0"), ",\"range\":\"limited\",\"matrix\":\"bt601\",",
        "126,\"upper\":235" },
    { CAPS ("GRAY8", "2:0:0:0"), ",\"range\":\"limited\",", "126,\"upper\":235" },
    { CAPS ("RGB", "2:0:0:0"), ",\"range\":\"limited\",\"matrix\":\"rgb\",", "126,\"upper\":235" },
    { CAPS ("RGB", "0:0:7:1"), ",\"range\":\"full\",\"matrix\":\"rgb\",", "128,\"upper\":255" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstHarness *harness = harness_new (
        "glescompact device=cpu channel=luma unit=percent lower=50 upper=100 ! glesjson",
        cases[i].caps);
    g_autofree gchar *bounds = g_strdup_printf (",\"lower\":%s,", cases[i].bounds);
    g_autofree gchar *line = line_of (harness, frame_new (harness));

    CHECK_HAS (line, cases[i].line);
    CHECK_HAS (line, bounds);
    gst_harness_teardown (harness);
  }
}

GST_END_TEST;

/* An analyser that reads no pixels takes it from caps that GstVideoInfo does not know. */
GST_START_TEST (test_colorimetry_of_other_memory)
{
  GstHarness *harness = harness_new ("glestiles device=cpu source=roi ! glesjson",
      "video/x-raw(memory:DMABuf),format=DMA_DRM,width=16,height=16,framerate=25/1,"
      "colorimetry=bt2020");
  g_autofree gchar *line = line_of (harness, gst_buffer_new ());

  CHECK_HAS (line, ",\"format\":null,\"range\":\"limited\",\"matrix\":\"bt2020\",");
  gst_harness_teardown (harness);
}

GST_END_TEST;

GST_START_TEST (test_times)
{
  /* 2026-11-23T01:02:03.123456789Z */
  const GstClockTime utc = G_GUINT64_CONSTANT (1795395723123456789);
  const GstClockTime ntp = utc + 2208988800 * GST_SECOND;
  const struct {
    const gchar *type;
    GstClockTime time;
    const gchar *expected;
  } times[] = {
    { "timestamp/x-unix", utc, "\"2026-11-23T01:02:03.123456789Z\"" },
    { "timestamp/x-ntp", ntp, "\"2026-11-23T01:02:03.123456789Z\"" },
    { "timestamp/x-ntp", 7, "null" },
    { "timestamp/x-drivers-own", utc, "null" },
    { "timestamp/x-unix", 1, "\"1970-01-01T00:00:00.000000001Z\"" },
    { "timestamp/x-unix", G_MAXUINT64 - 1, "\"2554-07-21T23:34:33.709551614Z\"" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    GstHarness *harness =
        harness_new ("gleshistogram device=cpu ! glesjson", CAPS ("I420", "bt601"));
    GstBuffer *buffer = frame_new (harness);
    g_autofree gchar *expected = g_strdup_printf (
        ",\"running_time\":3000000000,\"stream_time\":3000000000,\"utc\":%s,", times[i].expected);
    g_autofree gchar *line = NULL;

    add_time (buffer, times[i].type, times[i].time);
    line = line_of (harness, buffer);
    CHECK_HAS (line, expected);
    gst_harness_teardown (harness);
  }
}

GST_END_TEST;

/* NTP tells less than a clock that counts from 1970, whichever comes first. */
GST_START_TEST (test_unix_time_before_ntp)
{
  for (guint i = 0; i < 2; i++) {
    GstHarness *harness =
        harness_new ("gleshistogram device=cpu ! glesjson", CAPS ("I420", "bt601"));
    GstBuffer *buffer = frame_new (harness);
    g_autofree gchar *line = NULL;

    if (i == 0)
      add_time (buffer, "timestamp/x-ntp", 3000000000 * GST_SECOND);
    add_time (buffer, "timestamp/x-unix", 59 * GST_SECOND);
    if (i == 1)
      add_time (buffer, "timestamp/x-ntp", 3000000000 * GST_SECOND);
    line = line_of (harness, buffer);
    CHECK_HAS (line, ",\"utc\":\"1970-01-01T00:00:59.000000000Z\",");
    gst_harness_teardown (harness);
  }
}

GST_END_TEST;

/* Indices count boxes: the line has those that were listed, not those that the buffer has later. */
GST_START_TEST (test_boxes)
{
  GstHarness *harness =
      harness_new ("glestiles device=cpu source=roi ! glesjson name=j", CAPS ("I420", "bt601"));
  GstElement *json = gst_harness_find_element (harness, "glesjson");

  for (guint i = 0; i < 2; i++) {
    GstBuffer *buffer = frame_new (harness);
    g_autofree gchar *line = NULL;

    gst_buffer_add_video_region_of_interest_meta (buffer, "c\"ar", 1, 2, 3, 4)->id = -7;
    gst_buffer_add_video_region_of_interest_meta_id (buffer, 0, 5, 6, 7, G_MAXUINT)->id = 8;
    g_object_set (json, "indices", i == 0, NULL);
    line = line_of (harness, buffer);
    CHECK_HAS (line, ",\"tiles\":{\"element\":\"glestiles");
    CHECK_HAS (line,
        "\",\"source\":\"roi\",\"size\":[16,16],\"grid\":[1,1],\"total\":2,\"truncated\":false,"
        "\"occupied\":1,\"max_per_tile\":2,");
    if (i == 0)
      CHECK_HAS (line,
          ",\"boxes\":[{\"type\":\"c\\\"ar\",\"id\":-7,\"box\":[1,2,3,4]},"
          "{\"type\":\"\",\"id\":8,\"box\":[5,6,7,4294967295]}],\"offsets\":[0,2],");
    else
      fail_unless (strstr (line, "boxes") == NULL, "%s", line);
  }
  gst_object_unref (json);
  gst_harness_teardown (harness);
}

GST_END_TEST;

/* The origin is allocated once per stream, not once per frame. */
GST_START_TEST (test_frames_share_their_origin)
{
  GstHarness *harness = harness_new ("gleshistogram device=cpu", CAPS ("I420", "bt601"));
  GstGlesOrigin *first = NULL;

  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffer = gst_harness_push_and_pull (harness, frame_new (harness));
    g_autoptr (GstGlesHistogramResult) result = gst_gles_histogram_result_from_buffer (buffer);
    GstGlesOrigin *origin = gst_gles_histogram_result_get_origin (result);

    fail_unless (origin != NULL && (first == NULL || origin == first));
    if (first == NULL)
      first = gst_gles_origin_ref (origin);
    gst_buffer_unref (buffer);
  }
  gst_gles_origin_unref (first);
  gst_harness_teardown (harness);
}

GST_END_TEST;

static Suite *
origin_suite (void)
{
  Suite *suite = suite_create ("glesjson-origin");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_every_part_tells_its_element);
  tcase_add_test (tcase, test_depth_and_names_of_other_formats);
  tcase_add_test (tcase, test_colorimetry_and_stream_change);
  tcase_add_test (tcase, test_members_of_colorimetry);
  tcase_add_test (tcase, test_colorimetry_of_other_memory);
  tcase_add_test (tcase, test_times);
  tcase_add_test (tcase, test_unix_time_before_ntp);
  tcase_add_test (tcase, test_boxes);
  tcase_add_test (tcase, test_frames_share_their_origin);
  return suite;
}

GST_CHECK_MAIN (origin)
