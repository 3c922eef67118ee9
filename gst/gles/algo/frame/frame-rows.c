/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A copy sets the words to 0, and kernels add to them: for the border a dispatch finds the rows,
 * and another one the columns. */
#include "config.h"

#include <gst/gles/algo/frame/frame-rows-private.h>
#include <gst/gles/core/error.h>
#include <gst/gles/cpu/frame/frame-crop.h>
#include <gst/gles/cpu/frame/frame-outliers.h>
#include <gst/gles/gl/submission.h>

#define INVOCATIONS 128

/* Columns of the border side by side: of bytes a workgroup reads some words of each row. */
#define COLUMNS 16

typedef struct {
  GstGlesFrameRowsPlace place;
  GstGlesComponent components[GST_GLES_MAX_COMPONENTS];
} Params;

struct _GstGlesFrameRows {
  GstGlesFramePlan plan;
  GstGlesFrameRowsMeasure measure;
  GstGlesFrameChannel channel;
  Params params;

  /* GL devices */
  GstGlesProgram *programs[2];
  GstGlesBuffer *zeros;
};

/* ---- programs ---- */

/* @pass: 0, and 1 for the columns of the border. */
static void
make_spec (GstGlesFrameRowsMeasure measure, guint pass, GstGlesProgramSpec *spec)
{
  const guint lines = pass == 0 ? 1 : COLUMNS;

  if (measure == GST_GLES_FRAME_ROWS_OUTLIERS) {
    *spec = (GstGlesProgramSpec){ .kernel = "frame-rows_outliers",
      .local_size = { INVOCATIONS, 1, 1 },
      .shared_bytes = 8,
      .n_storage = 2 };
    return;
  }
  *spec = (GstGlesProgramSpec){ .kernel = "frame-rows_crop",
    .local_size = { INVOCATIONS, 1, 1 },
    .shared_bytes = 4 * lines,
    .n_storage = 2,
    .defines = { { "COLUMNS", pass }, { "LINES", lines } } };
}

static guint
n_passes (GstGlesFrameRowsMeasure measure)
{
  return measure == GST_GLES_FRAME_ROWS_CROP ? 2 : 1;
}

static guint
n_words (GstGlesFrameRowsMeasure measure)
{
  return measure == GST_GLES_FRAME_ROWS_CROP ? GST_GLES_FRAME_ROWS_CROP_WORDS
                                             : GST_GLES_FRAME_ROWS_OUTLIERS_WORDS;
}

void
gst_gles_frame_rows_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  GstGlesProgramSpec spec;

  for (guint measure = 0; measure < GST_GLES_FRAME_ROWS_N_MEASURES; measure++) {
    for (guint pass = 0; pass < n_passes (measure); pass++) {
      make_spec (measure, pass, &spec);
      func (&spec, user_data);
    }
  }
}

static gboolean
dispatch (GstGlesFrameRows *rows, GstGlesBuffer *image, GstGlesBuffer *words, const Params *params,
    GError **error)
{
  const GstGlesBinding bindings[] = { { image, 0, 0, GST_GLES_READ },
    { words, 0, 0, GST_GLES_READ_WRITE } };

  for (guint pass = 0; pass < n_passes (rows->measure); pass++) {
    const guint n = pass == 0 ? params->place.height : params->place.width / COLUMNS + 1;
    const guint groups[3] = { MAX (n, 1), 1, 1 };

    if (!gst_gles_queue_dispatch (rows->plan.queue,
            GST_GLES_DISPATCH (rows->programs[pass], bindings, 2, params), groups, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
warm_up (gpointer rows, GstGlesBuffer *nothing, GError **error)
{
  const Params params = { { 0 } };

  return dispatch (rows, nothing, nothing, &params, error);
}

static gboolean
build (GstGlesFrameRows *rows, GError **error)
{
  GstGlesProgramList list = { .n = 0 };
  GstGlesProgramSpec specs[2];

  for (guint pass = 0; pass < n_passes (rows->measure); pass++) {
    make_spec (rows->measure, pass, &specs[pass]);
    gst_gles_program_list_add (&list, &specs[pass], &rows->programs[pass]);
  }
  if (!gst_gles_program_list_get (&list, rows->plan.queue, error))
    return FALSE;
  rows->zeros = gst_gles_buffer_new (rows->plan.device, 4 * n_words (rows->measure), error);
  return rows->zeros != NULL && gst_gles_frame_warm_up (rows->plan.queue, warm_up, rows, error);
}

/* ---- plans ---- */

static void
place_channel (GstGlesFrameRows *rows, const GstGlesFrameRowsConfig *config)
{
  const GstGlesImage *format = &rows->plan.format;
  const GstGlesCpuSamples *samples = &rows->channel.samples;
  GstGlesFrameChannel channels[GST_GLES_MAX_COMPONENTS];

  gst_gles_frame_channels_init (channels, format,
      config->luma || config->measure == GST_GLES_FRAME_ROWS_CROP, &config->region, NULL);
  rows->channel = channels[0];
  rows->params.place = (GstGlesFrameRowsPlace){ .component = rows->channel.component,
    .luma = rows->channel.luma,
    .scale_to_8 = gst_gles_frame_scales_to_8 (format),
    .kr = format->kr,
    .kg = format->kg,
    .kb = format->kb,
    .x = samples->x,
    .y = samples->y,
    .width = samples->width,
    .height = samples->height,
    /* the mean, rounded down, exceeds the limit */
    .row_sum = (config->limit + 1) * samples->width,
    .column_sum = (config->limit + 1) * samples->height };
  memcpy (rows->params.components, format->components, sizeof (format->components));
  rows->plan.host_bytes = gst_gles_cpu_frame_rows_bytes (samples->width, samples->height);
}

GstGlesFrameRows *
gst_gles_frame_rows_new (GstGlesQueue *queue, const GstGlesImage *format,
    const GstGlesFrameRowsConfig *config, GError **error)
{
  g_autoptr (GstGlesFrameRows) rows = NULL;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && format != NULL && config != NULL, NULL);
  g_return_val_if_fail (config->region.width > 0 && config->region.height > 0, NULL);
  g_return_val_if_fail (config->limit < 65536, NULL);

  if (MAX (config->region.width, config->region.height) > GST_GLES_CPU_FRAME_ROWS_MAX_WIDTH) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "rows and columns of %ux%u samples are longer than the %d that are measured; set a region",
        config->region.width, config->region.height, GST_GLES_CPU_FRAME_ROWS_MAX_WIDTH);
    return NULL;
  }
  rows = g_new0 (GstGlesFrameRows, 1);
  gst_gles_frame_plan_init (&rows->plan, queue, format);
  rows->measure = config->measure;
  place_channel (rows, config);
  if (!gst_gles_frame_plan_is_cpu (&rows->plan) && !build (rows, error))
    return NULL;
  return g_steal_pointer (&rows);
}

void
gst_gles_frame_rows_unref (GstGlesFrameRows *rows)
{
  if (rows == NULL)
    return;
  gst_gles_program_unref (rows->programs[0]);
  gst_gles_program_unref (rows->programs[1]);
  gst_gles_buffer_unref (rows->zeros);
  gst_gles_frame_plan_clear (&rows->plan);
  g_free (rows);
}

/* ---- runs ---- */

gboolean
gst_gles_frame_rows_run_native (GstGlesFrameRows *rows, const GstGlesImage *image, guint8 **kept,
    guint32 *words, GError **error)
{
  const GstGlesCpuChannel channel = gst_gles_frame_channel_samples (&rows->channel, image);

  if (rows->measure == GST_GLES_FRAME_ROWS_CROP)
    return gst_gles_cpu_frame_crop (
        &channel, &rows->channel.samples, &rows->params.place, words, error);
  if (!gst_gles_frame_make_kept (kept, rows->plan.host_bytes, error))
    return FALSE;
  gst_gles_cpu_frame_outliers (&channel, &rows->channel.samples, *kept, words);
  return TRUE;
}

gboolean
gst_gles_frame_rows_run (GstGlesFrameRows *rows, const GstGlesImage *image, GstGlesBuffer *words,
    guint offset, GError **error)
{
  GstGlesFrameRowsPlace *place = &rows->params.place;
  gboolean ok;

  if (gst_gles_frame_plan_is_cpu (&rows->plan))
    return gst_gles_frame_rows_run_native (rows, image, &rows->plan.kept.host,
        (guint32 *) (gpointer) gst_gles_buffer_peek_memory (words) + offset, error);
  place->last_word = gst_gles_frame_last_word_of (image->buffer);
  place->out_word = offset;
  if (!gst_gles_queue_begin (rows->plan.queue, error))
    return FALSE;
  ok = gst_gles_queue_copy (rows->plan.queue,
           &(GstGlesCopy){ .source = rows->zeros,
               .target = words,
               .target_offset = offset * sizeof (guint32),
               .size_bytes = n_words (rows->measure) * sizeof (guint32) },
           error) &&
      dispatch (rows, image->buffer, words, &rows->params, error);
  return gst_gles_queue_end (rows->plan.queue, ok ? error : NULL) && ok;
}
