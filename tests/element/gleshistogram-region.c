/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The property region: how it is written, which pixels it means, and what happens to frames that it
 * leaves. */
#include "gleshistogram-common.h"

/* ---- how it is written ---- */

static void
check_region_property (GstElement *element, const gchar *wanted)
{
  g_autofree gchar *got = NULL;

  g_object_get (element, "region", &got, NULL);
  fail_unless_equals_string (got, wanted);
}

GST_START_TEST (test_text)
{
  static const gchar *const refused[] = { "1,2,3,%", "1,2,3,4%%", "1,2,3,nan%", "1,2,3,0x4%",
    "1,2,3,1e1%", "1,2,3,-%", "1,2,3,9999999%", "<1>", "<1,2,3>", "<1,2,3,4,5>",
    "<1,2,-3,<1,2,-3,4>>", "<<>,<>,<>,<>>", "<1,2,3,4.5>", "<1,2,3,99999999999>", "<a,b,c,d>",
    "1,2,3", "1,2,3,4>", "<1,2,3,4", "1 2 3 4", "1,2,3,", ",,,", "<", ">", "(int),1,2,3",
    "<(float)1,2,3,4>", "< 1, 25.5 % , +3 , 33.333% >" /* the sign belongs to its number */ };
  /* Users forget the brackets that GStreamer's arrays have. Arrays are converted to such text. */
  static const gchar *const taken[][2] = {
    { "<5,6,7,8>", "<5,6,7,8>" },
    { "", "<>" },
    { " 1, 2 ,3, 4 ", "<1,2,3,4>" },
    { "<>", "<>" },
    { "< 1, 2, 3, 4 >", "<1,2,3,4>" },
    { "< >", "<>" },
    { "< (int)1, (int)2, (int)3, (int)4 >", "<1,2,3,4>" },
    { NULL, "<>" },
    { "+1,02,3,4", "<1,2,3,4>" },
    { "10%,10%,50%,50%", "<10%,10%,50%,50%>" },
    { "1,25.5%,3,33.3334%", "<1,25.5%,3,33.333%>" },
    { "0.1%,.5%,99.99955%,100%", "<0.1%,0.5%,100%,100%>" },
  };
  g_autoptr (GstElement) element = test_element_new ("region=1,2,3,4");

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_WARNING, "*\"x,y,width,height\"*percent*");
    g_object_set (element, "region", refused[i], NULL);
    g_test_assert_expected_messages ();
    check_region_property (element, "<1,2,3,4>");
  }
  for (guint i = 0; i < G_N_ELEMENTS (taken); i++) {
    g_object_set (element, "region", taken[i][0], NULL);
    check_region_property (element, taken[i][1]);
  }
}

GST_END_TEST;

/* ---- frames ---- */

/* A region that stops fitting skips frames, one that fits again does not. */
GST_START_TEST (test_set_while_playing)
{
  static const gchar *const settings[][2] = { { "region", "<40,0,9,1>" }, { "grid-rows", "33" } };
  const TestConfig config = { .x = 1, .y = 2, .width = 3, .height = 4 };

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++) {
    g_autoptr (TestStream) stream = test_stream_new (NULL, TEST_CAPS);

    gst_buffer_unref (test_stream_push_noise (stream, 1));
    gst_util_set_object_arg (G_OBJECT (stream->element), settings[i][0], settings[i][1]);
    test_stream_check_refused (stream, test_frame_noise (&stream->info, 2), GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_SETTINGS, "48x32");
    g_object_set (stream->element, "region", "<1,2,3,4>", "grid-rows", 1, NULL);
    test_stream_check_noise (stream, &config, 1, "fits again");
  }
}

GST_END_TEST;

/* a region that fitted the frames before, but not the smaller ones that come */
GST_START_TEST (test_smaller_caps)
{
  const TestConfig config = { .width = 48, .height = 32 };
  const gchar *const smaller = "video/x-raw,format=I420,width=46,height=32,framerate=25/1";
  g_autoptr (TestStream) stream = test_stream_new ("region=<0,0,48,32>", TEST_CAPS);

  gst_buffer_unref (test_stream_push_noise (stream, 1));
  test_stream_set_caps (stream, smaller);
  test_stream_check_warning (stream, 0, NULL, "no smaller frame yet");
  test_stream_check_refused (stream, test_frame_noise (&stream->info, 2), GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS, "46x32");
  test_stream_set_caps (stream, TEST_CAPS);
  test_stream_check_noise (stream, &config, 1, "large again");
  /* a run posts one error */
  test_stream_restart (stream, GST_STATE_READY);
  test_stream_check_noise (stream, &config, 0, "large anew");
  gst_util_set_object_arg (G_OBJECT (stream->element), "on-bad-frame", "error");
  test_stream_set_caps (stream, smaller);
  test_stream_check_bad (stream, test_frame_noise (&stream->info, 2), GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS, "46x32");
}

GST_END_TEST;

/* Percentages follow the size of the frame. Edges are rounded down; what is left is a pixel. */
GST_START_TEST (test_percentages_follow_the_size)
{
  static const struct {
    const gchar *region;
    guint width, height;
    TestConfig config;
  } cases[] = {
    { "10%,10%,50%,50%", 48, 32, { .x = 4, .y = 3, .width = 24, .height = 16 } },
    { "10%,10%,50%,50%", 101, 17, { .x = 10, .y = 1, .width = 50, .height = 9 } },
    { "10%,10%,50%,50%", 1, 1, { .x = 0, .y = 0, .width = 1, .height = 1 } },
    /* two halves of an odd width, which meet */
    { "0%,0,50%,1", 101, 17, { .x = 0, .y = 0, .width = 50, .height = 1 } },
    { "50%,0,50%,1", 101, 17, { .x = 50, .y = 0, .width = 51, .height = 1 } },
    { "99.9%,100%,0.1%,1", 48, 32, { .width = 0 } },
    { "99.9%,99.99%,0.1%,0.01%", 48, 32, { .x = 47, .y = 31, .width = 1, .height = 1 } },
    { "33.333%,7,10,10%", 48, 32, { .x = 15, .y = 7, .width = 10, .height = 3 } },
    { "5,0,89.584%,100%", 48, 32, { .width = 0 } }, /* 5 + 43.0003 */
    { "5,0,89.583%,100%", 48, 32, { .x = 5, .y = 0, .width = 42, .height = 32 } },
  };
  g_autoptr (TestStream) stream = test_stream_new (NULL, TEST_CAPS);
  guint64 n_results = 1;

  gst_buffer_unref (test_stream_push_noise (stream, 1));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *caps =
        g_strdup_printf ("video/x-raw,format=GRAY8,width=%u,height=%u,framerate=25/1",
            cases[i].width, cases[i].height);

    g_object_set (stream->element, "region", cases[i].region, NULL);
    test_stream_set_caps (stream, caps);
    if (cases[i].config.width == 0)
      test_stream_check_skipped (stream, test_frame_noise (&stream->info, i), cases[i].region);
    else
      test_stream_check_noise (stream, &cases[i].config, n_results++, cases[i].region);
  }
  test_stream_check_warning (stream, GST_RESOURCE_ERROR, "<99.9%,100%,0.1%,1>", "outside");
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_text);
  tcase_add_test (tcase, test_set_while_playing);
  tcase_add_test (tcase, test_smaller_caps);
  tcase_add_test (tcase, test_percentages_follow_the_size);
}

TEST_MAIN (add_tests)
