/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What streams are made of, at random: analyzers, settings, formats, sizes, boxes and splats; and
 * how results are compared. */
#include "soak.h"

#include <math.h>

#include "results-words.h"

#define WAIT_NS (SOAK_PATIENCE_SECONDS * GST_SECOND / 2)

/* What all analyzers have; the element that results are compared with keeps its own. */
#define COMMON_SETTINGS                                                                            \
  { "interval", "1|2|3", FALSE }, { "post-messages", "false|true", FALSE },                        \
      { "custom-meta", "false|true", FALSE }, { "validate", "false|true", FALSE },                 \
  {                                                                                                \
    "profile", "false|true", FALSE                                                                 \
  }

static const SoakSetting histogram_settings[] = {
  { "bins", "2|10|256|300|4096", TRUE },
  { "channels", "native|luma", TRUE },
  { "grid-columns", "1|2|7", TRUE },
  { "grid-rows", "1|3", TRUE },
  { "region", "<>|<0,0,8,8>|10%,10%,50%,50%", TRUE },
  COMMON_SETTINGS,
};

static const SoakSetting compact_settings[] = {
  { "predicate", "threshold|edge", TRUE },
  { "channel", "luma|0", TRUE },
  { "lower", "0|16|128|250", TRUE },
  { "upper", "100|200|255|65535", TRUE },
  { "max-points", "0|5|1000|1048576", TRUE },
  { "region", "<>|<0,0,8,8>|10%,10%,50%,50%", TRUE },
  COMMON_SETTINGS,
};

static const SoakSetting tiles_settings[] = {
  { "tile-width", "4|16|33", TRUE },
  { "tile-height", "5|16|64", TRUE },
  { "sort-by", "auto|index", TRUE },
  { "order", "ascending|descending", TRUE },
  { "max-items", "1|1000|4194304", TRUE },
  COMMON_SETTINGS,
};

static const SoakSetting motion_settings[] = {
  { "lower", "1|24|200", TRUE },
  { "post-messages", "false|true", FALSE },
  { "validate", "false|true", FALSE },
};

#define SETTINGS(name) name##_settings, G_N_ELEMENTS (name##_settings)

const SoakKind soak_kinds[] = {
  { "histogram", "gleshistogram", NULL, SETTINGS (histogram) },
  { "points", "glescompact", NULL, SETTINGS (compact) },
  { "motion", "glescompact predicate=motion", NULL, SETTINGS (motion), .motion = TRUE },
  { "tiles of points", "glestiles source=points", "glescompact lower=200", SETTINGS (tiles) },
  { "tiles of motion", "glestiles source=points", "glescompact predicate=motion lower=1",
      SETTINGS (tiles) },
  { "tiles of boxes", "glestiles source=roi", NULL, SETTINGS (tiles), .boxes = TRUE },
  { "tiles of splats", "glestiles", NULL, SETTINGS (tiles), .splats = TRUE },
};
const guint soak_n_kinds = G_N_ELEMENTS (soak_kinds);

/* ---- at random ---- */

gchar *
soak_random_value (GRand *rand, const SoakSetting *setting)
{
  g_auto (GStrv) values = g_strsplit (setting->values, "|", -1);

  return g_strdup (values[soak_pick (rand, g_strv_length (values))]);
}

/* Mostly small, odd or not, and rarely as large as video is; or mostly that large. */
static gint
random_side (GRand *rand, gboolean large)
{
  const gint kind = soak_pick (rand, 10);

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
      ? g_ptr_array_index (formats, soak_pick (rand, formats->len))
      : drawable[soak_pick (rand, G_N_ELEMENTS (drawable))];

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
  const gint n = soak_pick (rand, 20);

  for (gint i = 0; i < n; i++) {
    GstVideoRegionOfInterestMeta *box =
        gst_buffer_add_video_region_of_interest_meta (buffer, "soak", soak_pick (rand, 400),
            soak_pick (rand, 400), soak_pick (rand, 200), soak_pick (rand, 200));
    box->id = i;
  }
}

static gfloat
random_coordinate (GRand *rand)
{
  static const gfloat odd[] = { NAN, INFINITY, -INFINITY, -0.0f, 1e30f };

  if (soak_pick (rand, 50) == 0)
    return odd[soak_pick (rand, G_N_ELEMENTS (odd))];
  return (gfloat) g_rand_double_range (rand, -20, 420);
}

GstBuffer *
soak_make_splats (GRand *rand)
{
  const guint n = (guint) soak_pick (rand, 3000);
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

gchar *
soak_difference (GstMiniObject *result, GstMiniObject *expected, gboolean *discarded)
{
  GstMiniObject *const both[] = { result, expected };
  g_autoptr (GArray) got = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) want = g_array_new (FALSE, FALSE, sizeof (guint32));

  *discarded = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (both); i++) {
    g_autoptr (GError) error = NULL;

    if (results_words (both[i], WAIT_NS, i == 0 ? got : want, &error))
      continue;
    *discarded = g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_CANCELLED) ||
        g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_DEVICE_LOST);
    return *discarded ? NULL : g_strdup (error->message);
  }
  if (got->len != want->len)
    return g_strdup_printf ("%u numbers instead of %u", got->len, want->len);
  for (guint i = 0; i < got->len; i++) {
    const guint32 mine = g_array_index (got, guint32, i), other = g_array_index (want, guint32, i);

    if (mine != other)
      return g_strdup_printf ("number %u of %u is %u instead of %u", i, got->len, mine, other);
  }
  return NULL;
}
