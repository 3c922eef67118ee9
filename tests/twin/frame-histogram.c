/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The histogram's kernels against the native twin, bit for bit, in the variant that
 * GST_GLES_HISTOGRAM_VARIANT forces; the twin against a plain loop. */
#include <string.h>

#include <gst/gles/algo/plan/tuning.h>

#include "gles-test.h"
#include "frame-histogram-cases.h"

#define CANARY_BYTES 64

static GstGlesDevice *device;
static GstGlesQueue *queue;

static const gchar *
describe (GstVideoFormat format, const Case *c, gboolean luma, Pattern pattern)
{
  static gchar text[160];

  g_snprintf (text, sizeof (text), "%s%s %ux%u region %u,%u %ux%u grid %ux%u bins %u pattern %d",
      gst_video_format_to_string (format), luma ? " luma" : "", c->width, c->height, c->x, c->y,
      c->region_width, c->region_height, c->columns, c->rows, c->bins, pattern);
  return text;
}

static void
assert_counts (const guint32 *got, const guint32 *want, gsize size_bytes, const gchar *what,
    const gchar *where)
{
  for (gsize i = 0; i < size_bytes / 4; i++) {
    if (got[i] != want[i])
      g_error (
          "%s: word %" G_GSIZE_FORMAT " of %s is %u, expected %u", where, i, what, got[i], want[i]);
  }
}

/* Runs with garbage in the counts and after them; the garbage after them must stay. */
static guint32 *
run (GstGlesHistogram *histogram, const GstGlesImage *image, GstGlesBuffer *previous,
    GstGlesBuffer *counts, gsize size, const gchar *where)
{
  guint8 *bytes = g_malloc (size + CANARY_BYTES);
  GError *error = NULL;

  memset (bytes, 0xa5, size + CANARY_BYTES);
  g_assert_true (gst_gles_buffer_upload (counts, queue, 0, bytes, size + CANARY_BYTES, &error));
  g_assert_no_error (error);
  if (!gst_gles_histogram_run (histogram, image, previous, counts, &error))
    g_error ("%s: %s", where, error->message);
  memset (bytes, 0, size + CANARY_BYTES);
  g_assert_true (gst_gles_buffer_download (counts, queue, 0, bytes, size + CANARY_BYTES, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < CANARY_BYTES; i++) {
    if (bytes[size + i] != 0xa5)
      g_error ("%s: byte %u behind the counts was overwritten", where, i);
  }
  return (guint32 *) (gpointer) bytes;
}

/* Two pictures in a row, the first twice. */
static void
check (Picture *picture, GstVideoFormat format, const Case *c, gboolean luma, Pattern pattern)
{
  const gchar *where = describe (format, c, luma, pattern);
  const GstGlesImage *image = queue != NULL ? &picture->device : &picture->host;
  GstGlesHistogramConfig config = case_config (c);
  g_autoptr (GstGlesHistogram) histogram = NULL;
  g_autoptr (GstGlesBuffer) first = NULL, second = NULL;
  g_autofree guint32 *want = NULL, *got = NULL, *again = NULL, *want_second = NULL,
                     *got_second = NULL, *oracle = NULL;
  GError *error = NULL;
  gsize size;

  g_test_message ("%s", where);
  config.luma = luma;
  config.emd = pattern % 2 == 0; /* each case with several patterns */
  histogram = gst_gles_histogram_new (queue, image, &config, &error);
  if (histogram == NULL)
    g_error ("%s: %s", where, error->message);
  size = gst_gles_histogram_get_layout (histogram)->size_bytes;
  first = gst_gles_buffer_new (device, size + CANARY_BYTES, &error);
  second = gst_gles_buffer_new (device, size + CANARY_BYTES, &error);
  g_assert_no_error (error);
  want = g_malloc (size);
  want_second = g_malloc (size);
  oracle = g_malloc (size);

  picture_fill (picture, queue, pattern, 1);
  g_assert_true (gst_gles_histogram_run_native (histogram, &picture->host, NULL, want, NULL));
  oracle_count (&picture->host, &config, gst_gles_histogram_get_layout (histogram), oracle);
  assert_counts (want, oracle, size, "the twin's counts", where);
  got = run (histogram, image, NULL, first, size, where);
  assert_counts (got, want, size, "the counts", where);

  again = run (histogram, image, first, second, size, where);
  assert_counts (again, want, size, "the counts of the same picture again", where);

  picture_fill (picture, queue, (pattern + 3) % N_PATTERNS, 2);
  g_assert_true (
      gst_gles_histogram_run_native (histogram, &picture->host, want, want_second, NULL));
  got_second = run (histogram, image, first, second, size, where);
  assert_counts (got_second, want_second, size, "the counts of another picture", where);
}

static void
check_format (GstVideoFormat format, gboolean luma, Placement placement)
{
  for (guint i = 0; i < n_cases; i++) {
    const Case *c = &cases[i];
    Picture picture;

    picture_init (&picture, queue, format, c->width, c->height, placement);
    check (&picture, format, c, luma, (Pattern) ((i + format) % N_PATTERNS));
    picture_clear (&picture);
  }
}

/* Forcing a variant or limits changes nothing in how components are found, so that a few formats
 * will do. */
static guint
n_formats_of_variant (void)
{
  const gchar *forced = g_getenv ("GST_GLES_HISTOGRAM_VARIANT");

  if (g_getenv ("GST_GLES_LIMITS") != NULL || (forced != NULL && strcmp (forced, "auto") != 0))
    return n_basic_formats;
  return n_formats;
}

static void
test_formats (void)
{
  for (guint i = 0; i < n_formats_of_variant (); i++)
    check_format (formats[i], FALSE, STAGED);
}

static void
test_luma (void)
{
  for (guint i = 0; i < n_formats_of_variant (); i++) {
    const GstVideoFormatInfo *info = gst_video_format_get_info (formats[i]);
    if (GST_VIDEO_FORMAT_INFO_IS_RGB (info) || formats[i] == GST_VIDEO_FORMAT_NV12)
      check_format (formats[i], TRUE, STAGED);
  }
}

static void
test_unaligned (void)
{
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_P010_10BE,
    GST_VIDEO_FORMAT_RGB16, GST_VIDEO_FORMAT_r210 };

  for (guint i = 0; i < G_N_ELEMENTS (few); i++)
    check_format (few[i], FALSE, UNALIGNED);
  check_format (GST_VIDEO_FORMAT_r210, TRUE, UNALIGNED);
}

/* Every pattern at a common size; not in variants that read samples one by one, which are slow
 * there. */
static void
test_full_size (void)
{
  const gchar *forced = g_getenv ("GST_GLES_HISTOGRAM_VARIANT");
  gboolean slow = forced != NULL && strstr (forced, "generic") != NULL;
  const guint width = slow ? 640 : 1920, height = slow ? 360 : 1080;
  const Case whole = { width, height, 0, 0, 0, 0, 1, 1, 256 };
  const Case grid = { width, height, 0, 0, 0, 0, 7, 5, 64 };
  static const GstVideoFormat few[] = { GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_NV12,
    GST_VIDEO_FORMAT_GRAY16_LE };

  for (guint i = 0; i < G_N_ELEMENTS (few); i++) {
    Picture picture;

    picture_init (&picture, queue, few[i], whole.width, whole.height, STAGED);
    for (guint p = 0; p < N_PATTERNS; p++)
      check (&picture, few[i], &whole, FALSE, (Pattern) p);
    check (&picture, few[i], &grid, FALSE, PATTERN_NOISE);
    picture_clear (&picture);
  }
}

/* 64000 constant samples to each of 65535 and more: more than a 16-bit counter holds, in one
 * cell */
static void
test_many_equal_samples (void)
{
  static const Case wide = { 4096, 1100, 0, 0, 0, 0, 1, 1, 65536 };
  Picture picture;

  picture_init (&picture, queue, GST_VIDEO_FORMAT_GRAY16_LE, wide.width, wide.height, STAGED);
  check (&picture, GST_VIDEO_FORMAT_GRAY16_LE, &wide, FALSE, PATTERN_MAX);
  check (&picture, GST_VIDEO_FORMAT_GRAY16_LE, &wide, FALSE, PATTERN_TWO_VALUES);
  picture_clear (&picture);
}

/* Where there are many, private counters have 16 bits. 140000 constant samples to each of the 32
 * invocations that two processors have. */
static void
test_many_equal_samples_of_an_invocation (void)
{
  static const GstVideoFormat some[] = { GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_P012_LE };
  static const Case ways[] = { { 4096, 1100, 0, 0, 0, 0, 1, 1, 1024 },
    { 4096, 1100, 3, 1, 4090, 1097, 1, 1, 1024 }, { 4096, 1100, 0, 0, 0, 0, 1, 2, 1024 } };
  const gchar *forced = g_getenv ("GST_GLES_HISTOGRAM_VARIANT");

  if (forced != NULL && strcmp (forced, "auto") != 0 && strstr (forced, "private") == NULL)
    return; /* has no private counters */
  for (guint i = 0; i < G_N_ELEMENTS (some); i++) {
    Picture picture;

    picture_init (&picture, queue, some[i], ways[0].width, ways[0].height, STAGED);
    for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
      check (&picture, some[i], &ways[k], FALSE, PATTERN_MAX);
    picture_clear (&picture);
  }
}

static void
refuse (const GstGlesHistogramConfig *config, gint code)
{
  g_autoptr (GError) error = NULL;
  Picture picture;

  picture_init (&picture, queue, GST_VIDEO_FORMAT_I420, 64, 48, STAGED);
  g_assert_null (gst_gles_histogram_new (
      queue, queue != NULL ? &picture.device : &picture.host, config, &error));
  g_assert_error (error, GST_GLES_ERROR, code);
  picture_clear (&picture);
}

static void
test_refusals (void)
{
  refuse (&(GstGlesHistogramConfig){ 0, 0, 64, 48, 1, 1, 1, FALSE }, GST_GLES_ERROR_SETTINGS);
  refuse (&(GstGlesHistogramConfig){ 0, 0, 64, 48, 1, 1, 65537, FALSE }, GST_GLES_ERROR_SETTINGS);
  refuse (&(GstGlesHistogramConfig){ 0, 0, 0, 48, 1, 1, 256, FALSE }, GST_GLES_ERROR_SETTINGS);
  refuse (&(GstGlesHistogramConfig){ 1, 0, 64, 48, 1, 1, 256, FALSE }, GST_GLES_ERROR_SETTINGS);
  refuse (
      &(GstGlesHistogramConfig){ G_MAXUINT, 0, 2, 48, 1, 1, 256, FALSE }, GST_GLES_ERROR_SETTINGS);
  refuse (&(GstGlesHistogramConfig){ 0, 0, 64, 48, 0, 1, 256, FALSE }, GST_GLES_ERROR_SETTINGS);
  refuse (&(GstGlesHistogramConfig){ 0, 0, 64, 48, 65, 1, 256, FALSE }, GST_GLES_ERROR_SETTINGS);
  refuse (
      &(GstGlesHistogramConfig){ 0, 0, 64, 48, 64, 48, 65536, FALSE }, GST_GLES_ERROR_TOO_LARGE);
}

static void
test_other_layout (void)
{
  const GstGlesHistogramConfig config = { 0, 0, 64, 48, 1, 1, 256, FALSE };
  g_autoptr (GstGlesHistogram) histogram = NULL;
  g_autoptr (GstGlesBuffer) counts = NULL, small = NULL;
  g_autoptr (GError) error = NULL;
  Picture picture, other;
  gsize size;

  picture_init (&picture, queue, GST_VIDEO_FORMAT_I420, 64, 48, STAGED);
  picture_init (&other, queue, GST_VIDEO_FORMAT_I420, 64, 48, UNALIGNED);
  histogram = gst_gles_histogram_new (queue, &picture.device, &config, &error);
  g_assert_no_error (error);
  size = gst_gles_histogram_get_layout (histogram)->size_bytes;
  counts = gst_gles_buffer_new (device, size, &error);
  small = gst_gles_buffer_new (device, size - 4, &error);
  g_assert_no_error (error);
  g_assert_false (gst_gles_histogram_run (histogram, &other.device, NULL, counts, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (gst_gles_histogram_run (histogram, &picture.device, NULL, small, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  picture_clear (&picture);
  picture_clear (&other);
}

static void
force (const gchar *words, gint code)
{
  g_autoptr (GError) error = NULL;
  GstGlesHistogramForce forced;

  g_setenv ("GST_GLES_HISTOGRAM_VARIANT", words, TRUE);
  g_assert_cmpint (gst_gles_histogram_tuning_force (&forced, &error), ==, code < 0);
  if (code >= 0)
    g_assert_error (error, GST_GLES_ERROR, code);
}

/* before there are threads, which must not see the environment change */
static void
check_forced_words (void)
{
  g_autofree gchar *forced = g_strdup (g_getenv ("GST_GLES_HISTOGRAM_VARIANT"));

  force ("", -1);
  force ("auto", -1);
  force ("shared+generic", -1);
  force ("shared+fast", GST_GLES_ERROR_SETTINGS);
  force ("shared+global", GST_GLES_ERROR_SETTINGS);
  g_unsetenv ("GST_GLES_HISTOGRAM_VARIANT");
  if (forced != NULL)
    g_setenv ("GST_GLES_HISTOGRAM_VARIANT", forced, TRUE);
}

gint
main (gint argc, gchar **argv)
{
  gint status;

  g_test_init (&argc, &argv, NULL);
  check_forced_words ();
  gst_init (NULL, NULL);
  device = gles_test_gl_device ();
  if (device == NULL)
    return gles_test_no_gl ();
  queue = gst_gles_device_get_queue (device);
  g_test_add_func ("/histogram/formats", test_formats);
  g_test_add_func ("/histogram/luma", test_luma);
  g_test_add_func ("/histogram/unaligned", test_unaligned);
  g_test_add_func ("/histogram/full-size", test_full_size);
  g_test_add_func ("/histogram/many-equal-samples", test_many_equal_samples);
  g_test_add_func (
      "/histogram/many-equal-samples-of-an-invocation", test_many_equal_samples_of_an_invocation);
  g_test_add_func ("/histogram/refusals", test_refusals);
  g_test_add_func ("/histogram/other-layout", test_other_layout);
  status = g_test_run ();
  gst_clear_object (&device);
  return status;
}
