/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <glsl/frame/frame-expression-layout.h>

#include <gst/gles/algo/frame/frame-expression-histogram.h>
#include <gst/gles/algo/frame/frame-histogram-private.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/core/error.h>
#include <gst/gles/cpu/frame/frame-histogram.h>
#include <gst/gles/gl/submission.h>

#define INVOCATIONS 64
#define MAX_BINS 32768

struct _GstGlesFrameExpressionHistogram {
  GstGlesQueue *queue;
  GstGlesDevice *device;
  /* of the picture: with twice the values and bins where it marks what lies outside */
  GstGlesFrameHistogram *all;
  const GstGlesFrameHistogramLayout *source; /* of its counts */
  gboolean emd;
  GstGlesFrameExpressionHistogramLayout layout;
  GstGlesFrameExpressionCounts pass;

  /* on a device with GL */
  GstGlesBuffer *counts; /* of the picture */
  GstGlesProgram *take, *compare;
  GstGlesFrameHistogramDifference differences[GST_GLES_FRAME_HISTOGRAM_MAX_JOBS];
};

/* ---- plans ---- */

static void
make_spec (GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){
    .kernel = "frame-expression_counts", .local_size = { INVOCATIONS, 1, 1 }, .n_storage = 2
  };
}

void
gst_gles_frame_expression_histogram_specialisations (
    GstGlesSpecialisationFunc func, gpointer user_data)
{
  GstGlesProgramSpec spec;

  make_spec (&spec);
  func (&spec, user_data);
}

static void
lay_out (GstGlesFrameExpressionHistogram *histogram, const GstGlesFrameHistogramConfig *config,
    gboolean has_outside, guint first_word)
{
  const GstGlesFrameHistogramLayout *source = histogram->source;
  const guint n_cells = config->columns * config->rows;
  GstGlesFrameExpressionHistogramLayout *layout = &histogram->layout;
  guint at = first_word;

  layout->depth = source->channels[0].depth - (has_outside ? 1 : 0);
  layout->n_samples = source->channels[0].n_samples;
  layout->native_offset = at;
  at += 1u << layout->depth;
  layout->difference_offset = at;
  layout->emd_offset = config->emd ? at + 1 : 0;
  at += 4;
  layout->cells_offset = n_cells > 1 ? at : G_MAXUINT;
  at += n_cells > 1 ? n_cells * config->bins : 0;
  layout->size_bytes = 4 * gst_gles_align_up (at, 4);
  histogram->pass = (GstGlesFrameExpressionCounts){ .n_values = 1u << layout->depth,
    .n_bins = n_cells > 1 ? n_cells * config->bins : 0,
    .bins = config->bins,
    .source_bins = source->bins,
    .source_cells = source->channels[0].cells_offset,
    .native_offset = layout->native_offset,
    .difference_offset = layout->difference_offset,
    .cells_offset = layout->cells_offset };
}

static gboolean
queue_take (GstGlesFrameExpressionHistogram *histogram, GstGlesBuffer *counts, GError **error)
{
  const GstGlesFrameExpressionCounts *pass = &histogram->pass;
  const guint limit = gst_gles_device_get_limits (histogram->device)->groups[0];
  const guint groups[3] = {
    (guint) CLAMP (gst_gles_div_ceil (pass->n_values + pass->n_bins, 4 * INVOCATIONS), 1, limit), 1,
    1
  };
  const GstGlesBinding bindings[2] = { { counts, 0, 0, GST_GLES_READ_WRITE },
    { histogram->counts, 0, 0, GST_GLES_READ } };

  return gst_gles_queue_dispatch (
      histogram->queue, GST_GLES_DISPATCH (histogram->take, bindings, 2, pass), groups, error);
}

static gboolean
queue_compare (GstGlesFrameExpressionHistogram *histogram, GstGlesBuffer *previous,
    GstGlesBuffer *counts, GError **error)
{
  const guint groups[3] = { 1, 1, 1 };
  const GstGlesBinding bindings[2] = { { counts, 0, 0, GST_GLES_READ_WRITE },
    { previous, 0, 0, GST_GLES_READ } };

  return gst_gles_queue_dispatch (histogram->queue,
      GST_GLES_DISPATCH (histogram->compare, bindings, 2, &histogram->differences), groups, error);
}

/* llvmpipe generates machine code at the first dispatch, and no frame should wait for that. */
static gboolean
warm_up (GstGlesFrameExpressionHistogram *histogram, GError **error)
{
  const gsize bytes = histogram->layout.size_bytes;
  g_autoptr (GstGlesBuffer) counts = gst_gles_buffer_new (histogram->device, bytes, error);
  g_autoptr (GstGlesBuffer) previous = gst_gles_buffer_new (histogram->device, bytes, error);
  gboolean ok;

  if (counts == NULL || previous == NULL || !gst_gles_queue_begin (histogram->queue, error))
    return FALSE;
  ok = queue_take (histogram, counts, error) && queue_compare (histogram, previous, counts, error);
  return gst_gles_queue_end (histogram->queue, ok ? error : NULL) && ok;
}

static gboolean
build (GstGlesFrameExpressionHistogram *histogram, GError **error)
{
  const GstGlesFrameExpressionHistogramLayout *layout = &histogram->layout;
  GstGlesProgramSpec spec;

  histogram->differences[0] = (GstGlesFrameHistogramDifference){
    .native_offset = layout->native_offset / 4,
    .n_rows = (1u << layout->depth) / 4,
    .difference_offset = layout->difference_offset / 4,
    .emd = histogram->emd,
  };
  histogram->counts = gst_gles_buffer_new (histogram->device, histogram->source->size_bytes, error);
  if (histogram->counts == NULL)
    return FALSE;
  make_spec (&spec);
  histogram->take = gst_gles_program_get (histogram->queue, &spec, error);
  histogram->compare = histogram->take != NULL
      ? gst_gles_frame_histogram_get_difference (histogram->queue, error)
      : NULL;
  return histogram->compare != NULL && warm_up (histogram, error);
}

GstGlesFrameExpressionHistogram *
gst_gles_frame_expression_histogram_new (const GstGlesFrameExpression *expression,
    const GstGlesImage *image, const GstGlesFrameHistogramConfig *config, guint first_word,
    GError **error)
{
  GstGlesQueue *queue = GST_GLES_FRAME_PLAN (expression)->queue;
  const gboolean has_outside = gst_gles_frame_expression_has_outside (expression);
  g_autoptr (GstGlesFrameExpressionHistogram) histogram =
      g_new0 (GstGlesFrameExpressionHistogram, 1);
  GstGlesFrameHistogramConfig all = *config;
  GstGlesImage picture;

  if (has_outside && config->bins > MAX_BINS) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "a histogram of %u bins is not possible for an expression; at most %d are", config->bins,
        MAX_BINS);
    return NULL;
  }
  gst_gles_frame_expression_get_picture (expression, image, &picture);
  all.bins <<= has_outside ? 1 : 0;
  all.luma = all.mad = all.emd = all.overview = FALSE;
  histogram->queue = gst_object_ref (queue);
  histogram->device = gst_gles_queue_get_device (queue);
  histogram->emd = config->emd;
  histogram->all = gst_gles_frame_histogram_new (queue, &picture, &all, error);
  if (histogram->all == NULL)
    return NULL;
  histogram->source = gst_gles_frame_histogram_get_layout (histogram->all);
  lay_out (histogram, config, has_outside, first_word);
  if (gst_gles_device_get_kind (histogram->device) != GST_GLES_DEVICE_CPU &&
      !build (histogram, error))
    return NULL;
  return g_steal_pointer (&histogram);
}

void
gst_gles_frame_expression_histogram_unref (GstGlesFrameExpressionHistogram *histogram)
{
  if (histogram == NULL)
    return;
  gst_gles_frame_histogram_unref (histogram->all);
  gst_gles_program_unref (histogram->take);
  gst_gles_program_unref (histogram->compare);
  gst_gles_buffer_unref (histogram->counts);
  gst_object_unref (histogram->device);
  gst_object_unref (histogram->queue);
  g_free (histogram);
}

const GstGlesFrameExpressionHistogramLayout *
gst_gles_frame_expression_histogram_get_layout (const GstGlesFrameExpressionHistogram *histogram)
{
  return &histogram->layout;
}

/* ---- runs ---- */

static void
compare_native (
    const GstGlesFrameExpressionHistogram *histogram, const guint32 *previous, guint32 *counts)
{
  const GstGlesFrameExpressionHistogramLayout *layout = &histogram->layout;
  const guint32 *now = counts + layout->native_offset, *before = previous + layout->native_offset;
  const guint n = 1u << layout->depth;

  counts[layout->difference_offset] = gst_gles_cpu_frame_histogram_difference (now, before, n);
  if (histogram->emd) {
    const guint64 emd = gst_gles_cpu_frame_histogram_emd (now, before, n);

    counts[layout->emd_offset] = (guint32) emd;
    counts[layout->emd_offset + 1] = (guint32) (emd >> 32);
  }
}

gboolean
gst_gles_frame_expression_histogram_run_native (GstGlesFrameExpressionHistogram *histogram,
    const GstGlesImage *picture, const guint32 *previous, guint32 *counts, GError **error)
{
  const GstGlesFrameExpressionCounts *pass = &histogram->pass;
  g_autofree guint32 *all = g_try_malloc (histogram->source->size_bytes);

  if (all == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate %" G_GSIZE_FORMAT " bytes for counters", histogram->source->size_bytes);
    return FALSE;
  }
  if (!gst_gles_frame_histogram_run_native (histogram->all, picture, NULL, all, error))
    return FALSE;
  memcpy (counts + pass->native_offset, all, pass->n_values * sizeof (guint32));
  memset (counts + pass->difference_offset, 0, 4 * sizeof (guint32));
  for (guint cell = 0; cell < pass->n_bins / pass->bins; cell++)
    memcpy (counts + pass->cells_offset + (gsize) cell * pass->bins,
        all + pass->source_cells + (gsize) cell * pass->source_bins, pass->bins * sizeof (guint32));
  if (previous != NULL)
    compare_native (histogram, previous, counts);
  return TRUE;
}

gboolean
gst_gles_frame_expression_histogram_run (GstGlesFrameExpressionHistogram *histogram,
    const GstGlesImage *picture, GstGlesBuffer *previous, GstGlesBuffer *counts, GError **error)
{
  const guint32 *before = NULL;
  gboolean ok;

  if (histogram->take == NULL) {
    if (previous != NULL)
      before = (const guint32 *) (gpointer) gst_gles_buffer_peek_memory (previous);
    return gst_gles_frame_expression_histogram_run_native (histogram, picture, before,
        (guint32 *) (gpointer) gst_gles_buffer_peek_memory (counts), error);
  }
  if (!gst_gles_queue_begin (histogram->queue, error))
    return FALSE;
  ok = gst_gles_frame_histogram_run (histogram->all, picture, NULL, histogram->counts, error) &&
      queue_take (histogram, counts, error) &&
      (previous == NULL || queue_compare (histogram, previous, counts, error));
  return gst_gles_queue_end (histogram->queue, ok ? error : NULL) && ok;
}
