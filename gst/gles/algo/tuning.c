/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/tuning.h>

static const GstGlesTuning rows[] = {
  {
      .device_class = "software",
      .histogram = {
          .private_max_counters = 4096,
          .private_invocations = 8,
          .private_min_samples = 2,
          .texels = TRUE,
          .shared_invocations = 128,
          .shared_words = 4096,
          .shared_units = 64,
          .shared_max_groups = 16,
          .shared_max_counters_per_sample = 4,
          .global_invocations = 64,
          .scatter_max_samples = 64,
          .difference_invocations = 128,
          .per_processor = TRUE,
      },
  },
  {
      .device_class = "nvidia",
      .histogram = {
          .private_invocations = 8,
          .shared_invocations = 512,
          .shared_words = 12288,
          .shared_units = 8,
          .shared_max_groups = 528,
          .shared_max_counters_per_sample = 4,
          .global_invocations = 64,
          .scatter_max_samples = 64,
          .difference_invocations = 512,
      },
  },
  {
      .device_class = "hardware",
      .histogram = {
          .private_invocations = 8,
          .shared_invocations = 256,
          .shared_words = 8192,
          .shared_units = 8,
          .shared_max_groups = 256,
          .shared_max_counters_per_sample = 4,
          .global_invocations = 64,
          .scatter_max_samples = 64,
          .difference_invocations = 256,
      },
  },
  {
      .device_class = "minimum",
      .histogram = {
          .private_invocations = 8,
          .shared_invocations = 128,
          .shared_words = 4096,
          .shared_units = 16,
          .shared_max_groups = 256,
          .shared_max_counters_per_sample = 4,
          .global_invocations = 64,
          .scatter_max_samples = 64,
          .difference_invocations = 128,
      },
  },
};

enum {
  ROW_SOFTWARE,
  ROW_NVIDIA,
  ROW_HARDWARE,
  ROW_MINIMUM
};

const GstGlesTuning *
gst_gles_tuning_rows (guint *n_rows)
{
  *n_rows = G_N_ELEMENTS (rows);
  return rows;
}

static gboolean
fits (const GstGlesTuning *row, const GstGlesLimits *limits)
{
  const GstGlesHistogramTuning *histogram = &row->histogram;
  guint invocations = MAX (histogram->shared_invocations, histogram->difference_invocations);

  return invocations <= limits->invocations && invocations <= limits->group_size[0] &&
      histogram->shared_words * 4 <= limits->shared_bytes;
}

const GstGlesTuning *
gst_gles_tuning_get (GstGlesDevice *device)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (device);
  const GstGlesTuning *row = &rows[ROW_HARDWARE];

  if (limits->clamped)
    return &rows[ROW_MINIMUM];
  if (gst_gles_device_get_kind (device) == GST_GLES_DEVICE_SOFTWARE)
    row = &rows[ROW_SOFTWARE];
  else if (strstr (gst_gles_device_get_description (device), "NVIDIA") != NULL)
    row = &rows[ROW_NVIDIA];
  return fits (row, limits) ? row : &rows[ROW_MINIMUM];
}

static const struct {
  const gchar *word;
  GstGlesHistogramForce force;
} words[] = {
  { "auto", 0 },
  { "private", GST_GLES_HISTOGRAM_FORCE_PRIVATE },
  { "shared", GST_GLES_HISTOGRAM_FORCE_SHARED },
  { "packed", GST_GLES_HISTOGRAM_FORCE_PACKED },
  { "global", GST_GLES_HISTOGRAM_FORCE_GLOBAL },
  { "generic", GST_GLES_HISTOGRAM_FORCE_GENERIC },
  { "masked", GST_GLES_HISTOGRAM_FORCE_MASKED },
  { "storage", GST_GLES_HISTOGRAM_FORCE_STORAGE },
  { "direct", GST_GLES_HISTOGRAM_FORCE_DIRECT },
  { "scatter", GST_GLES_HISTOGRAM_FORCE_SCATTER },
};

gboolean
gst_gles_tuning_histogram_force (GstGlesHistogramForce *force, GError **error)
{
  const guint counters = GST_GLES_HISTOGRAM_FORCE_PRIVATE | GST_GLES_HISTOGRAM_FORCE_SHARED |
      GST_GLES_HISTOGRAM_FORCE_PACKED | GST_GLES_HISTOGRAM_FORCE_GLOBAL;
  const gchar *variant = g_getenv ("GST_GLES_HISTOGRAM_VARIANT");
  g_auto (GStrv) parts = NULL;
  guint bits = 0, known = 0;

  *force = 0;
  if (variant == NULL || variant[0] == '\0')
    return TRUE;
  parts = g_strsplit (variant, "+", -1);
  for (guint i = 0; parts[i] != NULL; i++) {
    guint at = 0;
    while (at < G_N_ELEMENTS (words) && strcmp (words[at].word, parts[i]) != 0)
      at++;
    if (at == G_N_ELEMENTS (words))
      break;
    bits |= words[at].force;
    known++;
  }
  if (known < g_strv_length (parts) || ((bits & counters) & ((bits & counters) - 1)) != 0) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "GST_GLES_HISTOGRAM_VARIANT=%s means nothing; it takes one of private, shared, packed, "
        "global and any of generic, masked, storage, direct, scatter, joined by +",
        variant);
    return FALSE;
  }
  *force = bits;
  return TRUE;
}
