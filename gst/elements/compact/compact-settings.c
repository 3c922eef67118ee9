/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "compact-channel.h"
#include "compact-settings.h"
#include "../base/enum-type.h"

#define DEFAULT_PREDICATE GST_GLES_POINTS_THRESHOLD
#define DEFAULT_CHANNEL GST_GLES_POINTS_LUMA
#define DEFAULT_LOWER 128
#define DEFAULT_UPPER G_MAXUINT
/* Formats of 8 bits have the code values that everybody expects, and the same picture has nearly
 * the same points in any other format. */
#define DEFAULT_UNIT COMPACT_UNIT_8BIT
#define DEFAULT_MAX_POINTS 1048576
#define MAX_MAX_POINTS (1u << 28)
#define DEFAULT_REFERENCE COMPACT_REFERENCE_PREVIOUS
#define DEFAULT_ADAPTATION 50
/* A difference of adaptation / 3 / 65536 code values and less does not move the average. */
#define MAX_ADAPTATION 10000

enum {
  PROP_0,
  PROP_PREDICATE,
  PROP_CHANNEL,
  PROP_LOWER,
  PROP_UPPER,
  PROP_REGION,
  PROP_MAX_POINTS,
  PROP_REFERENCE,
  PROP_ADAPTATION,
  PROP_UNIT
};

static GType
reference_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    { COMPACT_REFERENCE_PREVIOUS, "The previously analysed frame", "previous" },
    { COMPACT_REFERENCE_BACKGROUND, "A running average of the earlier frames", "background" },
    { 0, NULL, NULL },
  };

  return enum_type (&type, "GstGlesCompactReference", values);
}

static GType
unit_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    { COMPACT_UNIT_CODE, "Code values as they are stored", "code" },
    { COMPACT_UNIT_8BIT, "Code values of 8 bits, scaled to the depth of the format", "8bit" },
    { COMPACT_UNIT_PERCENT, "Percent from black to white", "percent" },
    { 0, NULL, NULL },
  };

  return enum_type (&type, "GstGlesCompactUnit", values);
}

/* Scales the bounds so that @from becomes @to: the smallest and the largest integers inside. */
static void
scale_bounds (guint64 from, guint64 to, guint64 *lower, guint64 *upper)
{
  *lower = (*lower * to + from - 1) / from;
  *upper = *upper * to / from;
}

/* Returns the code values of 0 % and 100 % of a channel. */
static void
get_range (const CompactSettings *settings, const GstGlesImage *image, GstVideoColorRange range,
    guint depth, guint64 *zero, guint64 *all)
{
  const gchar *name = image->names[MAX (settings->channel, 0)];
  const gboolean chroma = g_str_equal (name, "U") || g_str_equal (name, "V");
  const gboolean alpha = g_str_equal (name, "A"); /* is always of full range */

  *zero = 0;
  *all = (1u << depth) - 1;
  if (range == GST_VIDEO_COLOR_RANGE_16_235 && depth >= 8 && !alpha) {
    *zero = 16u << (depth - 8);
    *all = (chroma ? 240u : 235u) << (depth - 8);
  }
}

static void
percent_to_code (const CompactSettings *settings, const GstGlesImage *image,
    GstVideoColorRange range, guint depth, guint64 *lower, guint64 *upper)
{
  guint64 zero, all;

  get_range (settings, image, range, depth, &zero, &all);
  scale_bounds (100, all - zero, lower, upper);
  /* A bound of 0 % leaves nothing out; motion and edges are differences. */
  if (settings->predicate == GST_GLES_POINTS_THRESHOLD) {
    *lower += settings->lower > 0 ? zero : 0;
    *upper += zero;
  }
}

void
compact_settings_bounds (const CompactSettings *settings, const GstGlesImage *image,
    GstVideoColorRange range, guint *lower, guint *upper)
{
  const guint depth =
      settings->channel < 0 ? image->luma_depth : image->components[settings->channel].depth;
  guint64 low = settings->lower, high = settings->upper;

  if (settings->unit == COMPACT_UNIT_8BIT && depth >= 8) {
    /* All codes that have the same upper 8 bits are one value. */
    low <<= depth - 8;
    high = ((high + 1) << (depth - 8)) - 1;
  } else if (settings->unit == COMPACT_UNIT_8BIT) {
    scale_bounds (255, (1u << depth) - 1, &low, &high);
  } else if (settings->unit == COMPACT_UNIT_PERCENT) {
    percent_to_code (settings, image, range, depth, &low, &high);
  }
  *lower = (guint) MIN (low, G_MAXUINT);
  *upper = (guint) MIN (high, G_MAXUINT);
}

void
compact_settings_set (
    CompactSettings *settings, GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_REGION) {
    gst_gles_region_set (object, &settings->region, value);
    return;
  }
  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_PREDICATE:
      settings->predicate = g_value_get_enum (value);
      break;
    case PROP_CHANNEL:
      settings->channel = g_value_get_enum (value);
      break;
    case PROP_LOWER:
      settings->lower = g_value_get_uint (value);
      break;
    case PROP_UPPER:
      settings->upper = g_value_get_uint (value);
      break;
    case PROP_MAX_POINTS:
      settings->max_points = g_value_get_uint (value);
      break;
    case PROP_REFERENCE:
      settings->reference = g_value_get_enum (value);
      break;
    case PROP_ADAPTATION:
      settings->adaptation = g_value_get_uint (value);
      break;
    case PROP_UNIT:
      settings->unit = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

void
compact_settings_get (
    const CompactSettings *settings, GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_PREDICATE:
      g_value_set_enum (value, settings->predicate);
      break;
    case PROP_CHANNEL:
      g_value_set_enum (value, settings->channel);
      break;
    case PROP_LOWER:
      g_value_set_uint (value, settings->lower);
      break;
    case PROP_UPPER:
      g_value_set_uint (value, settings->upper);
      break;
    case PROP_REGION:
      gst_gles_region_get (&settings->region, value);
      break;
    case PROP_MAX_POINTS:
      g_value_set_uint (value, settings->max_points);
      break;
    case PROP_REFERENCE:
      g_value_set_enum (value, settings->reference);
      break;
    case PROP_ADAPTATION:
      g_value_set_uint (value, settings->adaptation);
      break;
    case PROP_UNIT:
      g_value_set_enum (value, settings->unit);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
install_uint (GObjectClass *klass, guint id, const gchar *name, const gchar *nick,
    const gchar *blurb, guint min, guint max, guint value)
{
  g_object_class_install_property (klass, id,
      g_param_spec_uint (name, nick, blurb, min, max, value,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING |
              GST_PARAM_CONTROLLABLE));
}

static void
install_enum (GObjectClass *klass, guint id, const gchar *name, const gchar *nick,
    const gchar *blurb, GType type, gint value)
{
  g_object_class_install_property (klass, id,
      g_param_spec_enum (name, nick, blurb, type, value,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING |
              GST_PARAM_CONTROLLABLE));
}

void
compact_settings_install (GObjectClass *klass)
{
  install_enum (klass, PROP_PREDICATE, "predicate", "Predicate", "Which pixels are listed",
      GST_TYPE_GLES_POINTS_PREDICATE, DEFAULT_PREDICATE);
  install_enum (klass, PROP_CHANNEL, "channel", "Channel", "What of a pixel is tested",
      GST_TYPE_GLES_COMPACT_CHANNEL, DEFAULT_CHANNEL);
  install_uint (klass, PROP_LOWER, "lower", "Lower",
      "The least value that passes: a sample, a difference of two (motion) or a gradient (edge)", 0,
      G_MAXUINT, DEFAULT_LOWER);
  install_uint (klass, PROP_UPPER, "upper", "Upper", "The largest value that passes", 0, G_MAXUINT,
      DEFAULT_UPPER);
  install_enum (klass, PROP_UNIT, "unit", "Unit", "The unit of lower and upper", unit_get_type (),
      DEFAULT_UNIT);
  gst_gles_region_install (klass, PROP_REGION, "test");
  install_uint (klass, PROP_MAX_POINTS, "max-points", "Max points",
      "The most points listed: the first ones; the total counts all", 0, MAX_MAX_POINTS,
      DEFAULT_MAX_POINTS);
  install_enum (klass, PROP_REFERENCE, "reference", "Reference",
      "What motion is the difference from", reference_get_type (), DEFAULT_REFERENCE);
  install_uint (klass, PROP_ADAPTATION, "adaptation", "Adaptation",
      "Frames in which the background takes over 95 % of a change (reference=background)", 1,
      MAX_ADAPTATION, DEFAULT_ADAPTATION);
  gst_type_mark_as_plugin_api (GST_TYPE_GLES_POINTS_PREDICATE, 0);
}

void
compact_settings_init (CompactSettings *settings)
{
  *settings = (CompactSettings){ .predicate = DEFAULT_PREDICATE,
    .channel = DEFAULT_CHANNEL,
    .lower = DEFAULT_LOWER,
    .upper = DEFAULT_UPPER,
    .unit = DEFAULT_UNIT,
    .max_points = DEFAULT_MAX_POINTS,
    .reference = DEFAULT_REFERENCE,
    .adaptation = DEFAULT_ADAPTATION };
}
