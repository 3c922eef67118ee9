/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The keys of a line that describe its results: elements, stream, times, colorimetry, settings
 * and boxes. */
#include <gst/video/gstvideometa.h>

#include <gst/gles/meta/histogram.h>

#include "glesjson-line.h"
#include "lines.h"

#define HISTOGRAM "gleshistogram"
#define JSON " ! glesjson"
#define CAPS(format, colorimetry)                                                                  \
  "video/x-raw,format=" format ",width=16,height=16,framerate=25/1,colorimetry=" colorimetry
#define NO_PIXELS "width=200,height=100,framerate=30/1"
#define NAMELESS "'width':200,'height':100,'format':null,'range':null,'matrix':null,'tiles':{"

static TestStream *
new_chain (const gchar *line, const gchar *caps)
{
  TestStream *chain = line_stream (NULL, "%s", line);

  /* the harness's own stream-start has no id that a test can know */
  test_stream_push_event (chain, gst_event_new_stream_start ("a\"b/video:0"));
  line_set_caps (chain, caps);
  return chain;
}

/* A grey picture; for caps without one, a record of splats and a box. */
static GstBuffer *
frame_new (const TestStream *chain)
{
  GstBuffer *buffer;

  if (chain->info.size > 0) {
    buffer = gst_buffer_new_allocate (NULL, chain->info.size, NULL);
    gst_buffer_memset (buffer, 0, 50, chain->info.size);
  } else {
    buffer = gst_buffer_new_memdup ("12345678901234567890123456789012", 32);
    gst_buffer_add_video_region_of_interest_meta (buffer, "box", 1, 2, 3, 4);
  }
  GST_BUFFER_PTS (buffer) = 3 * GST_SECOND;
  return buffer;
}

/* The line of @buffer (transfer full) has all of up to @n @parts, with apostrophes in place of
 * quotation marks. */
static void
check_parts (TestStream *chain, GstBuffer *buffer, const gchar *const *parts, guint n)
{
  g_autofree gchar *line = line_of (chain->harness, buffer);

  for (guint i = 0; i < n && parts[i] != NULL; i++) {
    g_autofree gchar *text = quoted (parts[i]);

    fail_unless (strstr (line, text) != NULL, "no %s in %s", text, line);
  }
}

static void
check_part (TestStream *chain, GstBuffer *buffer, const gchar *part)
{
  check_parts (chain, buffer, &part, 1);
}

#define COMPACT "glescompact "
#define PERCENT COMPACT "channel=luma unit=percent lower=50 upper=100" JSON
#define FULL ",'lower':128,'upper':255,"    /* of 50 % and 100 % */
#define LIMITED ",'lower':126,'upper':235," /* likewise */
#define TILES "glestiles"
#define ANALYSERS                                                                                  \
  "gleshistogram name=h ! glescompact name=p predicate=edge channel=V "                            \
  "lower=7 upper=90 region=2,2,4,6 ! glestiles name=t ! "                                          \
  "glesregions name=r" JSON

static const struct {
  const gchar *description, *caps;
  const gchar *parts[8];
} cases[] = {
  { ANALYSERS, CAPS ("NV12", "bt709"),
      { "{'version':1,'frame':0,", ",'stream_id':'a\\'b/video:0','width':16",
          ",'format':'NV12','range':'limited','matrix':'bt709',", ",'histogram':{'element':'h',",
          "{'name':'Y','depth':8,",
          ",'points':{'element':'p','picture':[16,16],'predicate':'edge','channel':'V','depth':8,"
          "'lower':7,"
          "'upper':90,'unit':'code','region':[2,2,4,6],",
          ",'tiles':{'element':'t','picture':[16,16],'source':'points',",
          ",'regions_element':'r','regions_picture':[16,16],'regions_total':" } },
  /* each part tells the size of the picture that its coordinates are in */
  { "gleshistogram name=h ! videoscale ! video/x-raw,width=8,height=4 ! glescompact name=p" JSON,
      CAPS ("NV12", "bt709"),
      { "'width':16,'height':16,", ",'histogram':{'element':'h','picture':[16,16],",
          ",'points':{'element':'p','picture':[8,4]," } },
  /* depth and names of channels */
  { COMPACT "channel=1" JSON, CAPS ("P010_10LE", "bt709"), { "'channel':'U','depth':10" } },
  { COMPACT "channel=0" JSON, CAPS ("BGRA", "sRGB"), { "'channel':'R','depth':8" } },
  { COMPACT "channel=A" JSON, CAPS ("BGRA", "sRGB"), { "'channel':'A','depth':8" } },
  { COMPACT "channel=luma" JSON, CAPS ("GRAY16_LE", "bt709"), { "'channel':'luma','depth':16" } },
  /* What caps say about one member of the colorimetry holds, whatever the others are: of an unknown
   * matrix, a matrix that the format lacks, an unknown range. */
  { PERCENT, CAPS ("NV12", "1:4:7:1"), { ",'range':'full','matrix':'bt601'," } },
  { PERCENT, CAPS ("I420", "1:0:0:0"), { ",'range':'full','matrix':'bt601',", FULL } },
  { PERCENT, CAPS ("I420", "1:1:7:1"), { ",'range':'full','matrix':'bt601',", FULL } },
  { PERCENT, CAPS ("I420", "1:0:5:1"), { ",'range':'full','matrix':'bt601',", FULL } },
  { PERCENT, CAPS ("I420", "2:0:0:0"), { ",'range':'limited',", LIMITED } },
  { PERCENT, CAPS ("I420", "0:3:5:1"), { ",'range':'limited','matrix':'bt709',", LIMITED } },
  { PERCENT, CAPS ("I420", "0:0:0:0"), { ",'range':'limited','matrix':'bt601',", LIMITED } },
  { PERCENT, CAPS ("GRAY8", "2:0:0:0"), { ",'range':'limited',", LIMITED } },
  { PERCENT, CAPS ("RGB", "2:0:0:0"), { ",'range':'limited','matrix':'rgb',", LIMITED } },
  { PERCENT, CAPS ("RGB", "0:0:7:1"), { ",'range':'full','matrix':'rgb',", FULL } },
  /* An analyser that reads no pixels takes it from caps that GstVideoInfo does not know. GStreamer
   * has no name for the format of a stream of records, nor for caps without one. */
  { TILES JSON, "video/x-raw(memory:DMABuf),format=DMA_DRM,colorimetry=bt2020," NO_PIXELS,
      { ",'format':null,'range':'limited','matrix':'bt2020'," } },
  { TILES JSON, "video/x-raw(memory:DMABuf),format=DMA_DRM," NO_PIXELS, { NAMELESS } },
  { TILES JSON, "video/x-raw(memory:DMABuf)," NO_PIXELS, { NAMELESS } },
  { TILES JSON, "application/x-gles-splats,format=rect32le," NO_PIXELS, { NAMELESS } },
};

GST_START_TEST (test_parts)
{
  g_autoptr (TestStream) chain = new_chain (cases[__i__].description, cases[__i__].caps);

  check_parts (chain, frame_new (chain), cases[__i__].parts, G_N_ELEMENTS (cases[__i__].parts));
}

GST_END_TEST;

GST_START_TEST (test_colorimetry_and_stream_change)
{
  g_autoptr (TestStream) chain = new_chain (HISTOGRAM JSON, CAPS ("NV12", "bt709"));

  check_part (chain, frame_new (chain), ",'range':'limited','matrix':'bt709',");
  line_set_caps (chain, CAPS ("NV12", "1:4:7:1"));
  check_part (chain, frame_new (chain), ",'range':'full','matrix':'bt601',");
  test_stream_push_event (chain, gst_event_new_stream_start ("another"));
  check_part (chain, frame_new (chain), ",'stream_id':'another',");
}

GST_END_TEST;

/* 2026-11-23T01:02:03.123456789Z, and the seconds from 1900 to 1970 */
#define UTC G_GUINT64_CONSTANT (1795395723123456789)
#define SINCE_1900 (G_GUINT64_CONSTANT (2208988800) * GST_SECOND)

static const struct {
  struct {
    const gchar *type;
    GstClockTime time;
  } metas[2];
  const gchar *utc;
} times[] = {
  { { { "timestamp/x-unix", UTC } }, "'2026-11-23T01:02:03.123456789Z'" },
  { { { "timestamp/x-ntp", UTC + SINCE_1900 } }, "'2026-11-23T01:02:03.123456789Z'" },
  { { { "timestamp/x-ntp", 7 } }, "null" },
  { { { "timestamp/x-drivers-own", UTC } }, "null" },
  { { { "timestamp/x-unix", 1 } }, "'1970-01-01T00:00:00.000000001Z'" },
  { { { "timestamp/x-unix", G_MAXUINT64 - 1 } }, "'2554-07-21T23:34:33.709551614Z'" },
  /* NTP tells less than a clock that counts from 1970, whichever comes first */
  { { { "timestamp/x-ntp", UTC + SINCE_1900 }, { "timestamp/x-unix", 59 * GST_SECOND } },
      "'1970-01-01T00:00:59.000000000Z'" },
  { { { "timestamp/x-unix", 59 * GST_SECOND }, { "timestamp/x-ntp", UTC + SINCE_1900 } },
      "'1970-01-01T00:00:59.000000000Z'" },
};

GST_START_TEST (test_times)
{
  g_autoptr (TestStream) chain = new_chain (HISTOGRAM JSON, CAPS ("I420", "bt601"));
  GstBuffer *buffer = frame_new (chain);
  g_autofree gchar *expected = g_strdup_printf (
      ",'running_time':3000000000,'stream_time':3000000000,'utc':%s,", times[__i__].utc);

  for (guint i = 0; i < 2 && times[__i__].metas[i].type != NULL; i++) {
    g_autoptr (GstCaps) type = gst_caps_from_string (times[__i__].metas[i].type);

    gst_buffer_add_reference_timestamp_meta (
        buffer, type, times[__i__].metas[i].time, GST_CLOCK_TIME_NONE);
  }
  check_part (chain, buffer, expected);
}

GST_END_TEST;

/* Indices count boxes: the line has those that were listed, not those that the buffer has later. */
GST_START_TEST (test_boxes)
{
  g_autoptr (TestStream) chain =
      new_chain (TILES " name=t source=roi" JSON, CAPS ("I420", "bt601"));
  g_autoptr (GstElement) json = gst_harness_find_element (chain->harness, "glesjson");

  for (guint i = 0; i < 2; i++) {
    GstBuffer *buffer = frame_new (chain);

    gst_buffer_add_video_region_of_interest_meta (buffer, "c\"ar", 1, 2, 3, 4)->id = -7;
    gst_buffer_add_video_region_of_interest_meta_id (buffer, 0, 5, 6, 7, G_MAXUINT)->id = 8;
    g_object_set (json, "indices", i == 0, NULL);
    check_part (chain, buffer,
        i == 0 ? ",'tiles':{'element':'t','picture':[16,16],'source':'roi','size':[16,16],"
                 "'grid':[1,1],'total':2,"
                 "'truncated':false,'occupied':1,'max_per_tile':2,"
                 "'boxes':[{'type':'c\\'ar','id':-7,'box':[1,2,3,4]},"
                 "{'type':'','id':8,'box':[5,6,7,4294967295]}],'offsets':[0,2],"
               : "'max_per_tile':2,'counts':[2]}");
  }
}

GST_END_TEST;

/* The origin is allocated once per stream, not once per frame. */
GST_START_TEST (test_frames_share_their_origin)
{
  g_autoptr (TestStream) chain = new_chain (HISTOGRAM, CAPS ("I420", "bt601"));
  GstGlesHistogramResult *results[2];

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstBuffer) buffer = gst_harness_push_and_pull (chain->harness, frame_new (chain));

    results[i] = gst_gles_histogram_result_from_buffer (buffer);
  }
  fail_unless (gst_gles_histogram_result_get_frame (results[0])->origin != NULL);
  fail_unless (gst_gles_histogram_result_get_frame (results[0])->origin ==
      gst_gles_histogram_result_get_frame (results[1])->origin);
  gst_gles_histogram_result_unref (results[0]);
  gst_gles_histogram_result_unref (results[1]);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_loop_test (tcase, test_parts, 0, G_N_ELEMENTS (cases));
  tcase_add_test (tcase, test_colorimetry_and_stream_change);
  tcase_add_loop_test (tcase, test_times, 0, G_N_ELEMENTS (times));
  tcase_add_test (tcase, test_boxes);
  tcase_add_test (tcase, test_frames_share_their_origin);
}

LINES_MAIN (add_tests)
