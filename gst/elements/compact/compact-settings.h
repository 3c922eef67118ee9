/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The properties of glescompact. */
#ifndef COMPACT_SETTINGS_H
#define COMPACT_SETTINGS_H

#include <gst/gles/algo/frame/frame-compact.h>
#include <gst/gles/meta/points.h>

#include "../base/boxes.h"
#include "../base/expression-setting.h"
#include "../base/gstglesanalyzer.h"
#include "../base/region-setting.h"

G_BEGIN_DECLS

typedef enum {
  COMPACT_REFERENCE_PREVIOUS,
  COMPACT_REFERENCE_BACKGROUND,
  COMPACT_REFERENCE_SAMPLES
} CompactReference;

typedef enum {
  COMPACT_UNIT_CODE,
  COMPACT_UNIT_8BIT,
  COMPACT_UNIT_PERCENT
} CompactUnit;

/* The value of `lower` that stands for one that suits the predicate. */
#define COMPACT_LOWER_AUTO G_MAXUINT
/* The value of `adaptation` that stands for one that suits the reference. */
#define COMPACT_ADAPTATION_AUTO 0

typedef struct {
  GstGlesPointsPredicate predicate;
  gint channel;
  guint lower, upper;
  CompactUnit unit; /* of lower and upper */
  GstGlesRegionSetting region;
  guint max_points;
  CompactReference reference;
  guint adaptation;
  const gchar *expression, *value; /* interned */
  ExpressionParameters parameters;
  BoxesSource boxes;
  const gchar *box_type; /* interned */
} CompactSettings;

void compact_settings_install (GstGlesAnalyzerClass *klass);

/* Sets the bounds of @call, in code values of the channel of the settings, which must be a number:
 * a value passes if in the unit of the settings it lies between lower, or what suits the predicate,
 * and upper. @range: of the caps. @noise: what suits motion is at least this, a code value of 8
 * bits. */
void compact_settings_bounds (const CompactSettings *settings, const GstGlesImage *image,
    GstVideoColorRange range, guint noise, GstGlesFrameCompactCall *call);

/* Whether the lower bound depends on the noise. */
gboolean compact_settings_measures_noise (const CompactSettings *settings);

/* Whether frames are compared with a running average, and whether with samples. */
gboolean compact_settings_is_background (const CompactSettings *settings);
gboolean compact_settings_has_samples (const CompactSettings *settings);
/* Returns the adaptation, or what suits the reference. */
guint compact_settings_get_adaptation (const CompactSettings *settings);
/* Sets @info to what a result of @call says of it, without the frame. */
void compact_settings_describe (const CompactSettings *settings,
    const GstGlesFrameCompactCall *call, const GstGlesImage *image, GstGlesPointsInfo *info);

G_END_DECLS

#endif
