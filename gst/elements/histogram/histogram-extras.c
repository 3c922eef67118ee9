/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "histogram-extras.h"

#include <math.h>
#include <string.h>

#include <gst/gles/algo/frame/frame-rows.h>
#include <gst/gles/algo/frame/frame-flash.h>

typedef gboolean (*RunFunc) (
    gpointer plan, const GstGlesImage *image, GstGlesBuffer *words, guint offset, GError **error);
typedef gboolean (*RunNativeFunc) (
    gpointer plan, const GstGlesImage *image, guint8 **kept, guint32 *words, GError **error);

static const struct {
  guint n_words;
  GDestroyNotify unref;
  RunFunc run;
  RunNativeFunc run_native;
} kinds[HISTOGRAM_N_EXTRAS] = {
  [HISTOGRAM_FLASH] = { GST_GLES_FRAME_FLASH_WORDS, (GDestroyNotify) gst_gles_frame_flash_unref,
      (RunFunc) gst_gles_frame_flash_run, (RunNativeFunc) gst_gles_frame_flash_run_native },
  [HISTOGRAM_CROP] = { GST_GLES_FRAME_ROWS_CROP_WORDS, (GDestroyNotify) gst_gles_frame_rows_unref,
      (RunFunc) gst_gles_frame_rows_run, (RunNativeFunc) gst_gles_frame_rows_run_native },
  [HISTOGRAM_OUTLIERS] = { GST_GLES_FRAME_ROWS_OUTLIERS_WORDS,
      (GDestroyNotify) gst_gles_frame_rows_unref, (RunFunc) gst_gles_frame_rows_run,
      (RunNativeFunc) gst_gles_frame_rows_run_native },
};

HistogramExtrasConfig
histogram_extras_place (const HistogramSettings *settings, const GstGlesImage *image)
{
  const guint depth =
      image->luma == GST_GLES_LUMA_MATRIX ? image->luma_depth : image->components[0].depth;
  const guint full = (1u << depth) - 1;
  const gdouble limit =
      settings->crop_limit < 1 ? settings->crop_limit * full : settings->crop_limit;

  return (HistogramExtrasConfig){
    .wanted = { [HISTOGRAM_FLASH] = settings->flash,
        [HISTOGRAM_CROP] = settings->crop_limit >= 0,
        [HISTOGRAM_OUTLIERS] = settings->outliers },
    .luma = settings->channels == HISTOGRAM_CHANNELS_LUMA,
    .crop_limit = (guint) lrint (CLAMP (limit, 0, full)),
  };
}

gsize
histogram_extras_bytes (const HistogramExtrasConfig *config)
{
  gsize n = 0;

  for (guint i = 0; i < HISTOGRAM_N_EXTRAS; i++)
    n += config->wanted[i] ? kinds[i].n_words : 0;
  return n * sizeof (guint32);
}

void
histogram_extras_describe (
    const HistogramExtrasConfig *config, guint offset, GstGlesHistogramInfo *info)
{
  guint *const offsets[] = { &info->flash_offset, &info->crop_offset, &info->outliers_offset };

  for (guint i = 0; i < HISTOGRAM_N_EXTRAS; i++) {
    *offsets[i] = config->wanted[i] ? offset : 0;
    offset += config->wanted[i] ? kinds[i].n_words : 0;
  }
}

void
histogram_extras_drop (HistogramExtra *extras)
{
  for (guint i = 0; i < HISTOGRAM_N_EXTRAS; i++) {
    g_clear_pointer (&extras[i].plan, kinds[i].unref);
    g_clear_pointer (&extras[i].validate_kept, g_free);
  }
}

void
histogram_extras_forget (HistogramExtra *extras)
{
  for (guint i = 0; i < HISTOGRAM_N_EXTRAS; i++) {
    g_clear_pointer (&extras[i].validate_kept, g_free);
    if (extras[i].plan != NULL)
      gst_gles_frame_plan_reset (GST_GLES_FRAME_PLAN (extras[i].plan));
  }
}

gboolean
histogram_extras_make (HistogramExtra *extras, const HistogramExtrasConfig *config,
    const HistogramExtrasInput *input, GError **error)
{
  for (guint i = 0; i < HISTOGRAM_N_EXTRAS; i++) {
    const GstGlesFrameRowsConfig rows = {
      .measure = i == HISTOGRAM_CROP ? GST_GLES_FRAME_ROWS_CROP : GST_GLES_FRAME_ROWS_OUTLIERS,
      .region = input->region,
      .luma = config->luma,
      .limit = config->crop_limit
    };
    gpointer *plan = &extras[i].plan;

    if (!config->wanted[i] || *plan != NULL)
      continue;
    *plan = i == HISTOGRAM_FLASH
        ? (gpointer) gst_gles_frame_flash_new (input->queue, input->image, &input->region, error)
        : (gpointer) gst_gles_frame_rows_new (input->queue, input->image, &rows, error);
    if (*plan == NULL)
      return FALSE;
  }
  return TRUE;
}

gboolean
histogram_extras_run (HistogramExtra *extras, const GstGlesImage *image, GstGlesBuffer *counts,
    guint offset, GError **error)
{
  for (guint i = 0; i < HISTOGRAM_N_EXTRAS; i++) {
    if (extras[i].plan == NULL)
      continue;
    if (!kinds[i].run (extras[i].plan, image, counts, offset, error))
      return FALSE;
    offset += kinds[i].n_words;
  }
  return TRUE;
}

gboolean
histogram_extras_save (HistogramExtra *extras, GError **error)
{
  for (guint i = 0; i < HISTOGRAM_N_EXTRAS; i++) {
    if (extras[i].plan != NULL &&
        !gst_gles_frame_plan_save (GST_GLES_FRAME_PLAN (extras[i].plan), error))
      return FALSE;
  }
  return TRUE;
}

void
histogram_extras_restore (HistogramExtra *extras)
{
  for (guint i = 0; i < HISTOGRAM_N_EXTRAS; i++) {
    if (extras[i].plan != NULL)
      gst_gles_frame_plan_restore (GST_GLES_FRAME_PLAN (extras[i].plan));
  }
}

void
histogram_extras_begin_twins (HistogramExtra *extras, gboolean follows, gboolean is_first)
{
  for (guint i = 0; i < HISTOGRAM_N_EXTRAS; i++) {
    if (!follows)
      g_clear_pointer (&extras[i].validate_kept, g_free);
    /* the others are of one picture */
    extras[i].is_unknown = i == HISTOGRAM_FLASH && !is_first && extras[i].validate_kept == NULL;
  }
}

gboolean
histogram_extras_expect (
    HistogramExtra *extras, const GstGlesImage *image, guint32 *words, GError **error)
{
  for (guint i = 0; i < HISTOGRAM_N_EXTRAS; i++) {
    if (extras[i].plan == NULL)
      continue;
    if (!kinds[i].run_native (extras[i].plan, image, &extras[i].validate_kept, words, error))
      return FALSE;
    words += kinds[i].n_words;
  }
  return TRUE;
}

void
histogram_extras_clear_unknown (const HistogramExtra *extras, guint32 *words)
{
  for (guint i = 0; i < HISTOGRAM_N_EXTRAS; i++) {
    if (extras[i].plan == NULL)
      continue;
    if (extras[i].is_unknown)
      memset (words, 0, kinds[i].n_words * sizeof *words);
    words += kinds[i].n_words;
  }
}
