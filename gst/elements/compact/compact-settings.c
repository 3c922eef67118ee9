/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "compact-channel.h"
#include "compact-settings.h"
#include "../base/boxes-setting.h"
#include "../base/settings.h"

/* A difference of adaptation / 3 / 65536 code values and less does not move the average. */
#define MAX_ADAPTATION 10000

static const GEnumValue references[] = {
  { COMPACT_REFERENCE_PREVIOUS, "The previously analysed frame", "previous" },
  { COMPACT_REFERENCE_BACKGROUND, "A running average of the earlier frames", "background" },
  { COMPACT_REFERENCE_SAMPLES, "Eight samples of the earlier frames for each pixel", "samples" },
  { 0, NULL, NULL },
};

static const GEnumValue units[] = {
  { COMPACT_UNIT_CODE, "Code values as they are stored", "code" },
  { COMPACT_UNIT_8BIT, "Code values of 8 bits, scaled to the depth of the format", "8bit" },
  { COMPACT_UNIT_PERCENT, "Percent from black to white", "percent" },
  { 0, NULL, NULL },
};

typedef struct {
  guint64 lower, upper;
} Bounds;

/* Scales the bounds so that @from becomes @to: the smallest and the largest integers inside. */
static void
scale_bounds (Bounds *bounds, guint64 from, guint64 to)
{
  bounds->lower = (bounds->lower * to + from - 1) / from;
  bounds->upper = bounds->upper * to / from;
}

/* Returns the code values of 0 % and 100 % of a channel of @depth bits. */
static Bounds
get_range (const CompactSettings *settings, const GstGlesImage *image, GstVideoColorRange range,
    guint depth)
{
  const gchar *name = image->names[MAX (settings->channel, 0)];
  const gboolean chroma = g_str_equal (name, "U") || g_str_equal (name, "V");
  const gboolean alpha = g_str_equal (name, "A"); /* is always of full range */

  if (range == GST_VIDEO_COLOR_RANGE_16_235 && depth >= 8 && !alpha)
    return (Bounds){ 16u << (depth - 8), (chroma ? 240u : 235u) << (depth - 8) };
  return (Bounds){ 0, (1u << depth) - 1 };
}

/* Converts percent of @range to code values. */
static void
percent_to_code (const CompactSettings *settings, const Bounds *range, Bounds *bounds)
{
  scale_bounds (bounds, 100, range->upper - range->lower);
  /* A bound of 0 % leaves nothing out; motion and edges are differences. */
  if (settings->predicate == GST_GLES_POINTS_THRESHOLD) {
    bounds->lower += settings->lower > 0 ? range->lower : 0;
    bounds->upper += range->lower;
  }
}

/* Returns the bits of the values that are compared with the bounds. */
static guint
depth_of (const CompactSettings *settings, const GstGlesImage *image)
{
  if (compact_settings_has_samples (settings))
    return 8;
  return settings->channel < 0 ? image->luma_depth : image->components[settings->channel].depth;
}

static Bounds
bounds_of (const CompactSettings *settings, const GstGlesImage *image, GstVideoColorRange range)
{
  const guint depth = depth_of (settings, image);
  Bounds bounds = { settings->lower, settings->upper };

  if (settings->unit == COMPACT_UNIT_8BIT && depth >= 8) {
    /* All codes that have the same upper 8 bits are one value. */
    bounds.lower <<= depth - 8;
    bounds.upper = ((bounds.upper + 1) << (depth - 8)) - 1;
  } else if (settings->unit == COMPACT_UNIT_8BIT) {
    scale_bounds (&bounds, 255, (1u << depth) - 1);
  } else if (settings->unit == COMPACT_UNIT_PERCENT) {
    const Bounds all = get_range (settings, image, range, depth);

    percent_to_code (settings, &all, &bounds);
  }
  return bounds;
}

/* The lower bound that none was set for: for motion the one with which the defaults of glesregions
 * were chosen (docs/elements/glesregions.md), otherwise the upper half of values. */
static guint
default_lower (const CompactSettings *settings)
{
  return settings->predicate == GST_GLES_POINTS_MOTION ? 16 : 128;
}

void
compact_settings_bounds (const CompactSettings *settings, const GstGlesImage *image,
    GstVideoColorRange range, guint noise, GstGlesFrameCompactCall *call)
{
  Bounds bounds = bounds_of (settings, image, range);
  CompactSettings own = *settings;

  if (settings->lower == COMPACT_LOWER_AUTO) {
    own.lower = default_lower (settings);
    if (compact_settings_measures_noise (settings))
      own.lower = MAX (own.lower, noise);
    own.unit = COMPACT_UNIT_8BIT;
    bounds.lower = bounds_of (&own, image, range).lower;
  }
  call->lower = (guint) MIN (bounds.lower, G_MAXUINT);
  call->upper = (guint) MIN (bounds.upper, G_MAXUINT);
  /* the radius of samples, whose background has the value 0 */
  if (compact_settings_has_samples (settings))
    call->lower = CLAMP (call->lower, 1, G_MAXUINT8);
}

#define MEMBER(name) G_STRUCT_OFFSET (CompactSettings, name)

void
compact_settings_install (GstGlesAnalyzerClass *klass)
{
  gst_gles_analyzer_install (klass, MEMBER (predicate),
      g_param_spec_enum ("predicate", "Predicate", "Which pixels are listed",
          GST_TYPE_GLES_POINTS_PREDICATE, GST_GLES_POINTS_THRESHOLD, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (channel),
      g_param_spec_enum ("channel", "Channel", "What of a pixel is tested",
          GST_TYPE_GLES_COMPACT_CHANNEL, GST_GLES_POINTS_LUMA, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (lower),
      g_param_spec_uint ("lower", "Lower",
          "The least value that passes: a sample, a difference of two (motion) or a gradient "
          "(edge); 4294967295: 128 of 8 bits, of motion 16, or what the noise asks for",
          0, G_MAXUINT, COMPACT_LOWER_AUTO, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (upper),
      g_param_spec_uint ("upper", "Upper", "The largest value that passes", 0, G_MAXUINT, G_MAXUINT,
          SETTING_CONTROLLABLE));
  /* Formats of 8 bits have the code values that everybody expects, and the same picture has nearly
   * the same points in any other format. */
  gst_gles_analyzer_install (klass, MEMBER (unit),
      g_param_spec_enum ("unit", "Unit", "The unit of lower and upper",
          enum_type ("GstGlesCompactUnit", units), COMPACT_UNIT_8BIT, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install_region (klass, MEMBER (region), "test");
  gst_gles_analyzer_install_mask (klass, "test");
  gst_gles_analyzer_install (
      klass, MEMBER (boxes), boxes_spec ("Test only what is inside of", BOXES_NONE));
  gst_gles_analyzer_install (klass, MEMBER (box_type), boxes_type_spec ());
  gst_gles_analyzer_install (klass, MEMBER (max_points),
      g_param_spec_uint ("max-points", "Max points",
          "The most points listed: the first ones; the total counts all", 0, 1u << 28, 1048576,
          SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (reference),
      g_param_spec_enum ("reference", "Reference", "What motion is the difference from",
          enum_type ("GstGlesCompactReference", references), COMPACT_REFERENCE_PREVIOUS,
          SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (adaptation),
      g_param_spec_uint ("adaptation", "Adaptation",
          "Frames in which the background takes over 95 % of a change (reference=background), or "
          "after which what has stopped is background (samples); 0: 6, with samples 500",
          COMPACT_ADAPTATION_AUTO, MAX_ADAPTATION, COMPACT_ADAPTATION_AUTO, SETTING_CONTROLLABLE));
  gst_gles_analyzer_install (klass, MEMBER (expression),
      g_param_spec_string ("expression", "Expression",
          "predicate=expression: pixels where its value is not 0 pass, such as "
          "\"in(hue, 15, 45) && Y > 100\"",
          "", SETTING_FLAGS));
  gst_gles_analyzer_install (klass, MEMBER (value),
      g_param_spec_string ("value", "Value",
          "predicate=expression: an expression, the value that a point carries; unset: that of "
          "the expression",
          "", SETTING_FLAGS));
  gst_gles_analyzer_install_parameters (klass, MEMBER (parameters));
  gst_type_mark_as_plugin_api (GST_TYPE_GLES_POINTS_PREDICATE, 0);
}

gboolean
compact_settings_measures_noise (const CompactSettings *settings)
{
  return settings->predicate == GST_GLES_POINTS_MOTION && settings->lower == COMPACT_LOWER_AUTO &&
      !compact_settings_has_samples (settings);
}

gboolean
compact_settings_is_background (const CompactSettings *settings)
{
  return settings->predicate == GST_GLES_POINTS_MOTION &&
      settings->reference == COMPACT_REFERENCE_BACKGROUND;
}

gboolean
compact_settings_has_samples (const CompactSettings *settings)
{
  return settings->predicate == GST_GLES_POINTS_MOTION &&
      settings->reference == COMPACT_REFERENCE_SAMPLES;
}

guint
compact_settings_get_adaptation (const CompactSettings *settings)
{
  if (settings->adaptation != COMPACT_ADAPTATION_AUTO)
    return settings->adaptation;
  return compact_settings_has_samples (settings) ? 500 : 6;
}

void
compact_settings_describe (const CompactSettings *settings, const GstGlesFrameCompactCall *call,
    const GstGlesImage *image, GstGlesPointsInfo *info)
{
  const gboolean is_expression = settings->predicate == GST_GLES_POINTS_EXPRESSION;

  *info = (GstGlesPointsInfo){ .x = call->x - image->crop_x,
    .y = call->y - image->crop_y,
    .region_width = call->width,
    .region_height = call->height,
    .predicate = settings->predicate,
    .channel = is_expression ? GST_GLES_POINTS_LUMA : settings->channel,
    .lower = call->lower,
    .upper = call->upper,
    .max_points = call->max_points,
    .samples = compact_settings_has_samples (settings) };
  if (info->samples || compact_settings_is_background (settings))
    info->adaptation = call->adaptation;
  if (!is_expression)
    info->depth = depth_of (settings, image);
}
