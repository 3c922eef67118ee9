/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What streams are made of, at random: analyzers, settings, formats, sizes, boxes and splats; and
 * how results are compared. */
#include "soak.h"

#include <math.h>
#include <string.h>

#define WAIT_NS (SOAK_PATIENCE_SECONDS * GST_SECOND / 2)

static const SoakSetting histogram_settings[] = {
  { "bins", "2|10|256|300|4096", TRUE },
  { "channels", "native|luma", TRUE },
  { "grid-columns", "1|2|7", TRUE },
  { "grid-rows", "1|3", TRUE },
  { "region", "<>|<0,0,8,8>|10%,10%,50%,50%", TRUE },
  { "interval", "1|2|3", FALSE },
  { "post-messages", "false|true", FALSE },
  { "custom-meta", "false|true", FALSE },
  { "validate", "false|true", FALSE },
  { "profile", "false|true", FALSE },
};

static const SoakSetting compact_settings[] = {
  { "predicate", "threshold|edge", TRUE },
  { "channel", "luma|0", TRUE },
  { "lower", "0|16|128|250", TRUE },
  { "upper", "100|200|255|65535", TRUE },
  { "max-points", "0|5|1000|1048576", TRUE },
  { "region", "<>|<0,0,8,8>|10%,10%,50%,50%", TRUE },
  { "interval", "1|2|3", FALSE },
  { "post-messages", "false|true", FALSE },
  { "custom-meta", "false|true", FALSE },
  { "validate", "false|true", FALSE },
  { "profile", "false|true", FALSE },
};

static const SoakSetting tiles_settings[] = {
  { "tile-width", "4|16|33", TRUE },
  { "tile-height", "5|16|64", TRUE },
  { "sort-by", "auto|index", TRUE },
  { "order", "ascending|descending", TRUE },
  { "max-items", "1|1000|4194304", TRUE },
  { "interval", "1|2|3", FALSE },
  { "post-messages", "false|true", FALSE },
  { "custom-meta", "false|true", FALSE },
  { "validate", "false|true", FALSE },
  { "profile", "false|true", FALSE },
};

const SoakKind soak_kinds[] = {
  { "histogram", "gleshistogram", NULL, histogram_settings, G_N_ELEMENTS (histogram_settings),
      FALSE, FALSE },
  { "points", "glescompact", NULL, compact_settings, G_N_ELEMENTS (compact_settings), FALSE,
      FALSE },
  { "tiles of points", "glestiles source=points", "glescompact lower=200", tiles_settings,
      G_N_ELEMENTS (tiles_settings), FALSE, FALSE },
  { "tiles of motion", "glestiles source=points", "glescompact predicate=motion lower=1",
      tiles_settings, G_N_ELEMENTS (tiles_settings), FALSE, FALSE },
  { "tiles of boxes", "glestiles source=roi", NULL, tiles_settings, G_N_ELEMENTS (tiles_settings),
      FALSE, TRUE },
  { "tiles of splats", "glestiles", NULL, tiles_settings, G_N_ELEMENTS (tiles_settings), TRUE,
      FALSE },
};
const guint soak_n_kinds = G_N_ELEMENTS (soak_kinds);

/* ---- at random ---- */

gchar *
soak_random_value (GRand *rand, const SoakSetting *setting)
{
  g_auto (GStrv) values = g_strsplit (setting->values, "|", -1);

  return g_strdup (values[g_rand_int_range (rand, 0, (gint32) g_strv_length (values))]);
}

/* Mostly small, odd or not, and rarely as large as video is; or mostly that large. */
static gint
random_side (GRand *rand, gboolean large)
{
  const gint kind = g_rand_int_range (rand, 0, 10);

  if (large && kind < 8)
    return g_rand_int_range (rand, 401, 2601);
  if (kind < 6)
    return g_rand_int_range (rand, 8, 65);
  return kind < 9 ? g_rand_int_range (rand, 65, 401) : g_rand_int_range (rand, 401, 1301);
}

gchar *
soak_random_caps (GRand *rand, const GPtrArray *formats, gboolean large)
{
  static const gchar *drawable[] = { "I420", "NV12", "RGBA", "BGRx", "Y42B", "AYUV" };
  const gchar *format = formats != NULL
      ? g_ptr_array_index (formats, g_rand_int_range (rand, 0, (gint32) formats->len))
      : drawable[g_rand_int_range (rand, 0, G_N_ELEMENTS (drawable))];

  return g_strdup_printf ("video/x-raw,format=%s,width=%d,height=%d,framerate=30/1", format,
      random_side (rand, large), random_side (rand, large));
}

static GstCaps *
template_of (const gchar *element, const gchar *pad)
{
  g_autoptr (GstElement) one = gst_object_ref_sink (gst_element_factory_make (element, NULL));
  GstPadTemplate *template = gst_element_get_pad_template (one, pad);

  return gst_pad_template_get_caps (template);
}

GPtrArray *
soak_formats (void)
{
  g_autoptr (GstCaps) made = template_of ("videotestsrc", "src");
  g_autoptr (GstCaps) read = template_of ("gleshistogram", "sink");
  g_autoptr (GstCaps) listed = template_of ("glescompact", "sink");
  GPtrArray *formats = g_ptr_array_new_with_free_func (g_free);
  guint n_all;
  const GstVideoFormat *all = gst_video_formats_raw (&n_all);

  for (guint i = 0; i < n_all; i++) {
    const gchar *name = gst_video_format_to_string (all[i]);
    g_autoptr (GstCaps) caps =
        gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING, name, NULL);

    if (gst_caps_can_intersect (caps, made) && gst_caps_can_intersect (caps, read) &&
        gst_caps_can_intersect (caps, listed))
      g_ptr_array_add (formats, g_strdup (name));
  }
  return formats;
}

void
soak_add_boxes (GRand *rand, GstBuffer *buffer)
{
  const gint n = g_rand_int_range (rand, 0, 20);

  for (gint i = 0; i < n; i++) {
    GstVideoRegionOfInterestMeta *box = gst_buffer_add_video_region_of_interest_meta (buffer,
        "soak", g_rand_int_range (rand, 0, 400), g_rand_int_range (rand, 0, 400),
        g_rand_int_range (rand, 0, 200), g_rand_int_range (rand, 0, 200));
    box->id = i;
  }
}

static gfloat
random_coordinate (GRand *rand)
{
  static const gfloat odd[] = { NAN, INFINITY, -INFINITY, -0.0f, 1e30f };

  if (g_rand_int_range (rand, 0, 50) == 0)
    return odd[g_rand_int_range (rand, 0, G_N_ELEMENTS (odd))];
  return (gfloat) g_rand_double_range (rand, -20, 420);
}

GstBuffer *
soak_make_splats (GRand *rand)
{
  const guint n = (guint) g_rand_int_range (rand, 0, 3000);
  gfloat *records = g_new0 (gfloat, 8 * MAX (n, 1));

  for (guint i = 0; i < n; i++) {
    gfloat *record = records + 8 * i;

    record[0] = random_coordinate (rand);
    record[1] = random_coordinate (rand);
    record[2] = record[0] + (gfloat) g_rand_double_range (rand, -1, 60);
    record[3] = record[1] + (gfloat) g_rand_double_range (rand, -1, 60);
    record[4] = (gfloat) g_rand_double_range (rand, 0, 100);
  }
  return gst_buffer_new_wrapped_full (
      0, records, 32 * (gsize) MAX (n, 1), 0, 32 * (gsize) n, records, g_free);
}

/* ---- comparison ---- */

GstMiniObject *
soak_result_of (const SoakKind *kind, GstBuffer *buffer)
{
  if (g_str_has_prefix (kind->analyzer, "gleshistogram"))
    return (GstMiniObject *) gst_gles_histogram_result_from_buffer (buffer);
  if (g_str_has_prefix (kind->analyzer, "glescompact"))
    return (GstMiniObject *) gst_gles_points_result_from_buffer (buffer);
  return (GstMiniObject *) gst_gles_tiles_result_from_buffer (buffer);
}

static gchar *
difference_of_histograms (GstGlesHistogramResult *result, GstGlesHistogramResult *expected)
{
  const guint n_channels = gst_gles_histogram_result_get_n_channels (result);
  guint columns, rows, n, m;

  gst_gles_histogram_result_get_grid (result, &columns, &rows);
  if (n_channels != gst_gles_histogram_result_get_n_channels (expected))
    return g_strdup ("numbers of channels differ");
  for (guint i = 0; i < n_channels; i++) {
    const guint32 *got = gst_gles_histogram_result_get_native_counts (result, i, &n, NULL);
    const guint32 *want = gst_gles_histogram_result_get_native_counts (expected, i, &m, NULL);

    if (got == NULL || want == NULL || n != m || memcmp (got, want, n * sizeof (*got)) != 0)
      return g_strdup_printf ("counts of channel %u differ", i);
    for (guint cell = 0; cell < columns * rows; cell++) {
      got = gst_gles_histogram_result_get_counts (result, i, cell, &n, NULL);
      want = gst_gles_histogram_result_get_counts (expected, i, cell, &m, NULL);
      if (got == NULL || want == NULL || n != m || memcmp (got, want, n * sizeof (*got)) != 0)
        return g_strdup_printf ("counts of channel %u in cell %u differ", i, cell);
    }
  }
  return NULL;
}

static gchar *
difference_of_points (GstGlesPointsResult *result, GstGlesPointsResult *expected)
{
  g_autoptr (GBytes) got = gst_gles_points_result_get_bytes (result, NULL);
  g_autoptr (GBytes) want = gst_gles_points_result_get_bytes (expected, NULL);

  if (got == NULL || want == NULL)
    return g_strdup ("points cannot be read");
  if (gst_gles_points_result_get_total (result) != gst_gles_points_result_get_total (expected))
    return g_strdup ("totals of points differ");
  return g_bytes_equal (got, want) ? NULL : g_strdup ("points differ");
}

static gchar *
difference_of_tiles (GstGlesTilesResult *result, GstGlesTilesResult *expected)
{
  guint n, m;
  const guint32 *got = gst_gles_tiles_result_get_offsets (result, &n, NULL);
  const guint32 *want = gst_gles_tiles_result_get_offsets (expected, &m, NULL);

  if (gst_gles_tiles_result_get_total (result) != gst_gles_tiles_result_get_total (expected))
    return g_strdup ("totals of items differ");
  if (got == NULL || want == NULL || n != m || memcmp (got, want, n * sizeof (*got)) != 0)
    return g_strdup ("offsets of tiles differ");
  got = gst_gles_tiles_result_get_indices (result, &n, NULL);
  want = gst_gles_tiles_result_get_indices (expected, &m, NULL);
  if (n != m || (n > 0 && memcmp (got, want, n * sizeof (*got)) != 0))
    return g_strdup ("lists of tiles differ");
  return NULL;
}

gchar *
soak_difference (
    const SoakKind *kind, GstMiniObject *result, GstMiniObject *expected, gboolean *discarded)
{
  const gboolean histogram = g_str_has_prefix (kind->analyzer, "gleshistogram");
  const gboolean points = g_str_has_prefix (kind->analyzer, "glescompact");
  GstMiniObject *const both[] = { result, expected };

  *discarded = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (both); i++) {
    g_autoptr (GError) error = NULL;
    gboolean there;

    if (histogram)
      there = gst_gles_histogram_result_wait ((GstGlesHistogramResult *) both[i], WAIT_NS, &error);
    else if (points)
      there = gst_gles_points_result_wait ((GstGlesPointsResult *) both[i], WAIT_NS, &error);
    else
      there = gst_gles_tiles_result_wait ((GstGlesTilesResult *) both[i], WAIT_NS, &error);
    *discarded = g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_CANCELLED);
    if (!there)
      return *discarded ? NULL : g_strdup (error->message);
  }
  if (histogram)
    return difference_of_histograms (
        (GstGlesHistogramResult *) result, (GstGlesHistogramResult *) expected);
  if (points)
    return difference_of_points ((GstGlesPointsResult *) result, (GstGlesPointsResult *) expected);
  return difference_of_tiles ((GstGlesTilesResult *) result, (GstGlesTilesResult *) expected);
}
