/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The mask of glesregions: its regions, while playing, with other caps, and of points that are only
 * on the device. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

#include <gst/gles/meta/regions.h>

static GstHarness *
start (const gchar *compact, const gchar *mask)
{
  const gchar *device = g_getenv ("GLES_TEST_DEVICE");
  g_autofree gchar *line = g_strdup_printf (
      "glescompact lower=0 device=%s %s ! glesregions name=r validate=true "
      "roi=false merge-distance=0 cell-width=1 cell-height=1 device=%s mask=\"%s\"",
      device, compact, device, mask);
  GstHarness *h = gst_harness_new_parse (line);

  gst_harness_set_src_caps_str (h, "video/x-raw,format=GRAY8,width=128,height=80,framerate=25/1");
  return h;
}

static void
set_mask (GstHarness *h, const gchar *mask)
{
  g_autoptr (GstElement) regions = gst_bin_get_by_name (GST_BIN (h->element), "r");

  g_object_set (regions, "mask", mask, NULL);
}

/* Checks that a frame full of points has @n regions, and the box of the largest. */
static void
check (GstHarness *h, gsize size_bytes, guint n, guint x, guint y, guint width, guint height)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size_bytes, NULL);
  GstGlesRegionsResult *result;
  guint box[4] = { 0 };

  gst_buffer_memset (buffer, 0, 7, size_bytes);
  buffer = gst_harness_push_and_pull (h, buffer);
  result = gst_gles_regions_result_from_buffer (buffer);
  fail_unless (result != NULL && gst_gles_regions_result_wait (result, G_MAXUINT64, NULL));
  fail_unless_equals_int (gst_gles_regions_result_get_count (result), n);
  if (n > 0) {
    const GstGlesRegion *region = gst_gles_regions_result_get_region (result, 0, NULL);

    gst_gles_region_get_box (region, &box[0], &box[1], &box[2], &box[3]);
    fail_unless_equals_int (region->pixels, width * height);
  }
  fail_unless (box[0] == x && box[1] == y && box[2] == width && box[3] == height, "%u,%u %ux%u",
      box[0], box[1], box[2], box[3]);
  gst_gles_regions_result_unref (result);
  gst_buffer_unref (buffer);
}

GST_START_TEST (test_playing)
{
  static const gchar *const ways[] = { "", "readback=false" };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
    GstHarness *h = start (ways[i], "0,0 0.5,0 0.5,1 0,1");

    check (h, 128 * 80, 1, 0, 0, 64, 80);
    set_mask (h, "0,0 1,0 1,1 0,1; !0.5,0 0.625,0 0.625,1 0.5,1");
    check (h, 128 * 80, 2, 0, 0, 64, 80);
    gst_harness_set_src_caps_str (h, "video/x-raw,format=GRAY8,width=256,height=40,framerate=25/1");
    check (h, 256 * 40, 2, 0, 0, 128, 40);
    set_mask (h, "2,2 3,2 3,3");
    check (h, 256 * 40, 0, 0, 0, 0, 0);
    set_mask (h, "");
    check (h, 256 * 40, 1, 0, 0, 256, 40);
    gst_harness_teardown (h);
  }
}
GST_END_TEST

static Suite *
mask_suite (void)
{
  Suite *suite = suite_create ("glesregions-mask");
  TCase *tcase = tcase_create ("mask");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, test_playing);
  return suite;
}

GST_CHECK_MAIN (mask);
