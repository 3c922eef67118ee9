/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The histogram meta on buffers, and on its way through the elements that people put behind an
 * analyser: it stays, and its result is the same object. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/gles/meta/histogram.h>

#include <string.h>

static GstGlesHistogramResult *
result_new (guint64 frame)
{
  const GstGlesHistogramInfo info = {
    .frame = frame,
    .columns = 1,
    .rows = 1,
    .bins = 256,
    .n_channels = 1,
    .channels = { { .name = "Y", .depth = 8, .difference_offset = 256 } },
  };

  return gst_gles_histogram_result_new (&info, NULL, NULL);
}

static guint
count_metas (GstBuffer *buffer)
{
  return gst_buffer_get_n_meta (buffer, GST_GLES_HISTOGRAM_META_API_TYPE);
}

GST_START_TEST (test_add_and_get)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstGlesHistogramResult *result = result_new (0);
  GstGlesHistogramResult *found;

  fail_unless (gst_buffer_get_gles_histogram_meta (buffer) == NULL);
  fail_unless (gst_gles_histogram_result_from_buffer (buffer) == NULL);

  fail_unless (gst_buffer_add_gles_histogram_meta (buffer, result)->result == result);
  ASSERT_MINI_OBJECT_REFCOUNT (result, "result", 2);
  found = gst_gles_histogram_result_from_buffer (buffer);
  fail_unless (found == result);
  ASSERT_MINI_OBJECT_REFCOUNT (result, "result", 3);
  gst_gles_histogram_result_unref (found);
  gst_buffer_unref (buffer);
  ASSERT_MINI_OBJECT_REFCOUNT (result, "result", 1);
  gst_gles_histogram_result_unref (result);
}

GST_END_TEST;

/* two gleshistogram in a row: both metas stay, the later one is found */
GST_START_TEST (test_several)
{
  GstBuffer *buffer = gst_buffer_new ();
  g_autoptr (GstGlesHistogramResult) older = result_new (1);
  g_autoptr (GstGlesHistogramResult) newer = result_new (2);
  g_autoptr (GstGlesHistogramResult) found = NULL;
  g_autoptr (GstGlesHistogramResult) found_in_copy = NULL;
  GstBuffer *copy;

  gst_buffer_add_gles_histogram_meta (buffer, older);
  gst_buffer_add_gles_histogram_meta (buffer, newer);
  fail_unless_equals_int (count_metas (buffer), 2);
  found = gst_gles_histogram_result_from_buffer (buffer);
  fail_unless (found == newer);

  copy = gst_buffer_copy (buffer);
  fail_unless_equals_int (count_metas (copy), 2);
  found_in_copy = gst_gles_histogram_result_from_buffer (copy);
  fail_unless (found_in_copy == newer);

  /* copied again, as a base class and its subclass may do */
  gst_buffer_copy_into (copy, buffer, GST_BUFFER_COPY_META, 0, -1);
  fail_unless_equals_int (count_metas (copy), 2);

  gst_buffer_remove_meta (buffer, (GstMeta *) gst_buffer_get_gles_histogram_meta (buffer));
  fail_unless (gst_buffer_get_gles_histogram_meta (buffer)->result == older);
  gst_buffer_unref (copy);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

GST_START_TEST (test_registration)
{
  const gchar *const *tags = gst_meta_api_type_get_tags (GST_GLES_HISTOGRAM_META_API_TYPE);

  fail_unless_equals_string (tags[0], GST_META_TAG_VIDEO_STR);
  fail_unless (tags[1] == NULL);
  fail_unless (gst_meta_get_info ("GstGlesHistogramMeta") == GST_GLES_HISTOGRAM_META_INFO);
}

GST_END_TEST;

#define I420 "video/x-raw,format=I420,width=160,height=128,framerate=25/1"

static const struct {
  const gchar *element; /* the name of its factory comes first */
  const gchar *sink_caps, *src_caps;
  gboolean required; /* part of what every installation of the test packages has */
} elements[] = {
  { "videoconvert", I420, "video/x-raw,format=BGRA,width=160,height=128", TRUE },
  { "videoscale", I420, "video/x-raw,format=I420,width=33,height=20", TRUE },
  { "videobalance saturation=0.5", I420, NULL, TRUE },
  { "queue", I420, NULL, TRUE },
  { "identity", I420, NULL, TRUE },
  { "jpegenc", I420, NULL, TRUE },
  { "theoraenc", I420, NULL, FALSE },
  { "vp8enc deadline=1", I420, NULL, FALSE },
  { "pngenc", "video/x-raw,format=RGB,width=160,height=128,framerate=25/1", NULL, FALSE },
  { "x264enc tune=zerolatency", I420, NULL, FALSE },
};

static GstBuffer *
frame_new (const gchar *caps_string, GstGlesHistogramResult *result)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (caps_string);
  GstVideoInfo info;
  GstBuffer *buffer;

  fail_unless (gst_video_info_from_caps (&info, caps));
  buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_memset (buffer, 0, 128, info.size);
  GST_BUFFER_PTS (buffer) = 0;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  gst_buffer_add_gles_histogram_meta (buffer, result);
  return buffer;
}

GST_START_TEST (test_survives_elements)
{
  g_autofree gchar *name = g_strdup (elements[__i__].element);
  g_autoptr (GstElementFactory) factory = NULL;
  g_autoptr (GstGlesHistogramResult) result = result_new (0);
  GstHarness *harness;
  GstBuffer *out;

  *strchrnul (name, ' ') = '\0';
  factory = gst_element_factory_find (name);
  if (factory == NULL && !elements[__i__].required) {
    GST_WARNING ("%s is not installed", name);
    return;
  }
  fail_unless (factory != NULL, "%s is not installed", name);

  harness = gst_harness_new_parse (elements[__i__].element);
  if (elements[__i__].src_caps != NULL)
    gst_harness_set_sink_caps_str (harness, elements[__i__].src_caps);
  gst_harness_set_src_caps_str (harness, elements[__i__].sink_caps);
  fail_unless_equals_int (
      gst_harness_push (harness, frame_new (elements[__i__].sink_caps, result)), GST_FLOW_OK);
  gst_harness_push_event (harness, gst_event_new_eos ());
  /* Theora opens with headers, which belong to no frame */
  while ((out = gst_harness_pull (harness)) != NULL &&
      GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_HEADER))
    gst_buffer_unref (out);
  fail_unless (out != NULL, "%s put out nothing", name);
  fail_unless_equals_int (count_metas (out), 1);
  fail_unless (gst_buffer_get_gles_histogram_meta (out)->result == result);
  gst_buffer_unref (out);
  gst_harness_teardown (harness);
}

GST_END_TEST;

static Suite *
histogram_result_meta_suite (void)
{
  Suite *suite = suite_create ("histogram-result-meta");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, test_add_and_get);
  tcase_add_test (tcase, test_several);
  tcase_add_test (tcase, test_registration);
  tcase_add_loop_test (tcase, test_survives_elements, 0, G_N_ELEMENTS (elements));
  return suite;
}

GST_CHECK_MAIN (histogram_result_meta);
