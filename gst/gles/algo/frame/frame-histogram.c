/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/frame-mad.h>
#include <gst/gles/algo/frame/frame-histogram-private.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/frame/frame-overview.h>

/* ---- configuration ---- */

static gboolean
check_config (const GstGlesImage *format, const GstGlesFrameHistogramConfig *config, GError **error)
{
  if (config->bins < 2 || config->bins > 65536) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "a histogram of %u bins is not possible; 2 to 65536 are", config->bins);
    return FALSE;
  }
  if (config->width == 0 || config->height == 0 || config->x >= format->width ||
      config->y >= format->height || config->width > format->width - config->x ||
      config->height > format->height - config->y) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "the region %u,%u %ux%u is empty or leaves the picture of %ux%u", config->x, config->y,
        config->width, config->height, format->width, format->height);
    return FALSE;
  }
  if (config->columns == 0 || config->rows == 0 || config->columns > config->width ||
      config->rows > config->height) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "a grid of %ux%u cells does not fit a region of %ux%u; each cell needs a position",
        config->columns, config->rows, config->width, config->height);
    return FALSE;
  }
  return TRUE;
}

/* Checks that counts, and the products in the computation of cell edges, fit 32 bits. */
static gboolean
check_sizes (const GstGlesFrameHistogram *histogram, GError **error)
{
  const GstGlesFrameHistogramConfig *config = &histogram->config;
  guint64 counters =
      (guint64) config->columns * config->rows * config->bins * histogram->layout.n_channels;

  if ((guint64) config->columns * config->rows > GST_GLES_FRAME_HISTOGRAM_MAX_COUNTERS ||
      counters > GST_GLES_FRAME_HISTOGRAM_MAX_COUNTERS) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "%u x %u cells of %u bins for %u channels are over %u counters; ask for fewer",
        config->columns, config->rows, config->bins, histogram->layout.n_channels,
        GST_GLES_FRAME_HISTOGRAM_MAX_COUNTERS);
    return FALSE;
  }
  if ((guint64) config->width * config->height > G_MAXINT32 ||
      (MAX (config->columns, config->rows) > 1 && MAX (config->width, config->height) > 65535)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "a region of %ux%u is over 2^31 - 1 samples (or, with a grid, over 65535 a side)",
        config->width, config->height);
    return FALSE;
  }
  return TRUE;
}

static void
init_channels (GstGlesFrameHistogram *histogram)
{
  const GstGlesFrameHistogramConfig *config = &histogram->config;
  const GstGlesFrameRegion region = { config->x, config->y, config->width, config->height };

  histogram->layout.n_channels = gst_gles_frame_channels_init (
      histogram->channels, &histogram->plan.format, config->luma, &region, config->mask);
}

/* The overview needs all samples of some rows. Where it makes the histogram of all samples on the
 * way, it costs less to count the few outside of the mask and to subtract them than to count those
 * inside by themselves. */
static void
init_outside (GstGlesFrameHistogram *histogram)
{
  GstGlesCpuFrameHistogramShape shape;
  guint64 n_all;

  gst_gles_frame_histogram_shape (histogram, FALSE, histogram->config.bins, &shape);
  n_all = gst_gles_cpu_frame_histogram_n_samples (&histogram->plan.format.components[0], &shape);
  if (histogram->channels[0].spans != NULL && n_all - histogram->channels[0].n_samples <= n_all / 8)
    histogram->outside = gst_gles_cpu_spans_new (
        histogram->config.mask, &histogram->plan.format.components[0], FALSE);
}

/* Lays out the counts: native histograms and differences, each in whole 16-byte rows, then
 * cells, then the overview. */
static void
init_layout (GstGlesFrameHistogram *histogram)
{
  const GstGlesFrameHistogramConfig *config = &histogram->config;
  GstGlesFrameHistogramLayout *layout = &histogram->layout;
  guint n_cells = config->columns * config->rows;
  guint words = 0;

  layout->columns = config->columns;
  layout->rows = config->rows;
  layout->bins = config->bins;
  for (guint i = 0; i < layout->n_channels; i++) {
    layout->channels[i].name = histogram->channels[i].name;
    layout->channels[i].depth = histogram->channels[i].depth;
    layout->channels[i].n_samples = histogram->channels[i].n_samples;
    layout->channels[i].native_offset = words;
    layout->channels[i].cells_offset = G_MAXUINT;
    words += MAX (1u << histogram->channels[i].depth, 4);
  }
  for (guint i = 0; i < layout->n_channels; i++) {
    layout->channels[i].difference_offset = words;
    layout->channels[i].emd_offset = words + 1;
    words += 4;
  }
  for (guint i = 0; i < layout->n_channels && config->mad; i++) {
    layout->channels[i].mad_offset = words;
    words += GST_GLES_FRAME_MAD_WORDS;
  }
  for (guint i = 0; i < layout->n_channels && n_cells > 1; i++) {
    layout->channels[i].cells_offset = words;
    words += n_cells * config->bins;
  }
  words = (guint) gst_gles_align_up (words, 4);
  if (config->overview) {
    layout->overview_offset = words;
    layout->overview_depth =
        gst_gles_frame_channel (&histogram->plan.format, GST_GLES_FRAME_LUMA).depth;
    words += GST_GLES_OVERVIEW_WORDS;
  }
  layout->size_bytes = (gsize) words * 4;
}

/* Makes the plan of the overview on a device with GL. Luma is stored at every position. */
static gboolean
make_overview (GstGlesFrameHistogram *histogram, GError **error)
{
  const GstGlesFrameHistogramConfig *config = &histogram->config;
  const GstGlesFrameOverviewShape shape = {
    .x = config->x,
    .y = config->y,
    .width = config->width,
    .height = config->height,
    .depth = histogram->layout.overview_depth,
    .luma = gst_gles_frame_channel (&histogram->plan.format, GST_GLES_FRAME_LUMA).luma,
    .scale_to_8 = gst_gles_frame_scales_to_8 (&histogram->plan.format),
    .kr = histogram->plan.format.kr,
    .kg = histogram->plan.format.kg,
    .kb = histogram->plan.format.kb,
  };

  histogram->overview =
      gst_gles_frame_overview_new (histogram->plan.queue, &histogram->plan.format, &shape, error);
  return histogram->overview != NULL;
}

GstGlesFrameHistogram *
gst_gles_frame_histogram_new (GstGlesQueue *queue, const GstGlesImage *format,
    const GstGlesFrameHistogramConfig *config, GError **error)
{
  g_autoptr (GstGlesFrameHistogram) histogram = NULL;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && format != NULL && config != NULL, NULL);
  g_return_val_if_fail (
      format->n_components > 0 && format->n_components <= GST_GLES_MAX_COMPONENTS, NULL);
  g_return_val_if_fail (format->luma == GST_GLES_LUMA_STORED || format->n_components >= 3, NULL);

  if (!check_config (format, config, error))
    return NULL;
  histogram = g_new0 (GstGlesFrameHistogram, 1);
  gst_gles_frame_plan_init (&histogram->plan, queue, format);
  histogram->config = *config;
  if (config->mask != NULL)
    gst_gles_mask_bits_ref (config->mask);
  init_channels (histogram);
  if (!check_sizes (histogram, error))
    return NULL;
  init_outside (histogram);
  init_layout (histogram);
  if (gst_gles_frame_plan_is_cpu (&histogram->plan))
    return g_steal_pointer (&histogram);

  histogram->tuning = gst_gles_frame_histogram_tuning_get (histogram->plan.device);
  if (!gst_gles_frame_histogram_tuning_force (&histogram->force, error))
    return NULL;
  gst_gles_frame_histogram_plan (histogram);
  if (histogram->scratch_bytes > 0) {
    histogram->scratch =
        gst_gles_buffer_new (histogram->plan.device, histogram->scratch_bytes, error);
    if (histogram->scratch == NULL)
      return NULL;
  }
  if (histogram->accumulator_bytes > 0) {
    histogram->accumulator =
        gst_gles_buffer_new (histogram->plan.device, histogram->accumulator_bytes, error);
    if (histogram->accumulator == NULL)
      return NULL;
  }
  if (!gst_gles_frame_histogram_upload_mask (histogram, error) ||
      !gst_gles_frame_histogram_build (histogram, error) ||
      (config->overview && !make_overview (histogram, error)))
    return NULL;
  return g_steal_pointer (&histogram);
}

void
gst_gles_frame_histogram_unref (GstGlesFrameHistogram *histogram)
{
  if (histogram == NULL)
    return;
  for (guint i = 0; i < histogram->n_passes; i++)
    gst_gles_program_unref (histogram->passes[i].program);
  for (guint i = 0; i < histogram->n_folds; i++)
    gst_gles_program_unref (histogram->folds[i].program);
  gst_gles_program_unref (histogram->clear);
  gst_gles_program_unref (histogram->difference);
  gst_gles_frame_overview_free (histogram->overview);
  gst_gles_buffer_unref (histogram->scratch);
  gst_gles_buffer_unref (histogram->accumulator);
  gst_gles_buffer_unref (histogram->mask);
  g_clear_pointer (&histogram->mask_words, g_array_unref);
  gst_gles_cpu_spans_free (histogram->outside);
  gst_gles_frame_channels_clear (histogram->channels, histogram->layout.n_channels);
  gst_gles_mask_bits_unref (histogram->config.mask);
  gst_gles_frame_plan_clear (&histogram->plan);
  g_free (histogram);
}

const GstGlesFrameHistogramLayout *
gst_gles_frame_histogram_get_layout (GstGlesFrameHistogram *histogram)
{
  g_return_val_if_fail (histogram != NULL, NULL);
  return &histogram->layout;
}

/* ---- running ---- */

static gboolean
run_cpu (GstGlesFrameHistogram *histogram, const GstGlesImage *image, GstGlesBuffer *previous,
    GstGlesBuffer *counts, GError **error)
{
  const guint32 *before = NULL;

  if (previous != NULL)
    before = (const guint32 *) (gpointer) gst_gles_buffer_peek_memory (previous);
  return gst_gles_frame_histogram_run_native (
      histogram, image, before, (guint32 *) (gpointer) gst_gles_buffer_peek_memory (counts), error);
}

/* ---- the kernels ---- */

static gboolean
clear (GstGlesFrameHistogram *histogram, GstGlesBuffer *buffer, gsize size_bytes,
    GstGlesDispatchFlags flags, GError **error)
{
  guint rows = (guint) (gst_gles_align_up (size_bytes, 16) / 16);
  guint per_group = 16 * histogram->tuning->global_invocations;
  GstGlesFrameHistogramClear params = { .n_rows = rows };
  GstGlesBinding binding = { buffer, 0, 0, GST_GLES_WRITE };
  guint groups[3] = { (guint) CLAMP (gst_gles_div_ceil (rows, per_group), 1, 1024), 1, 1 };

  return gst_gles_queue_dispatch (histogram->plan.queue,
      &(GstGlesDispatch){ histogram->clear, &binding, 1, &params, sizeof (params), flags }, groups,
      error);
}

/* The buffers of a run. */
typedef struct {
  GstGlesBuffer *image, *counts;
  GstGlesBuffer *previous; /* (nullable): counts to compare with */
} Run;

/* Queues a counting pass. Bindings 2 and 3 are for the last-block flush; without it any buffer
 * will do there. With a mask there is no such flush, and binding 2 has the bits. */
static gboolean
count (GstGlesFrameHistogram *histogram, GstGlesFrameHistogramPass *pass, const Run *run,
    GstGlesDispatchFlags flags, GError **error)
{
  GstGlesBuffer *counters = histogram->accumulator != NULL ? histogram->accumulator : run->counts;
  GstGlesBinding bindings[4] = {
    { run->image, 0, 0, GST_GLES_READ },
    { pass->scratch ? histogram->scratch : counters, 0, 0, GST_GLES_READ_WRITE },
    { run->counts, 0, 0, GST_GLES_READ_WRITE },
    { run->previous != NULL ? run->previous : run->counts, 0, 0, GST_GLES_READ },
  };

  if (pass->kind.mask)
    bindings[2] = (GstGlesBinding){ histogram->mask, 0, 0, GST_GLES_READ };
  pass->params.shape.last_word = gst_gles_frame_last_word_of (run->image);
  pass->params.shape.has_previous = run->previous != NULL;
  return gst_gles_queue_dispatch (histogram->plan.queue,
      &(GstGlesDispatch){ pass->program, bindings, 4 - pass->kind.mask, &pass->params,
          sizeof (pass->params), flags },
      pass->groups, error);
}

static gboolean
fold (GstGlesFrameHistogram *histogram, GstGlesFrameHistogramFoldPass *pass, GstGlesBuffer *counts,
    GstGlesDispatchFlags flags, GError **error)
{
  GstGlesBinding bindings[2] = {
    { counts, 0, 0, GST_GLES_READ_WRITE },
    { histogram->scratch, 0, 0, GST_GLES_READ },
  };

  return gst_gles_queue_dispatch (histogram->plan.queue,
      &(GstGlesDispatch){
          pass->program, bindings, 1 + pass->rebin, pass->params, sizeof (pass->params), flags },
      pass->groups, error);
}

static gboolean
compare (GstGlesFrameHistogram *histogram, GstGlesBuffer *previous, GstGlesBuffer *counts,
    GError **error)
{
  GstGlesBinding bindings[2] = {
    { counts, 0, 0, GST_GLES_READ_WRITE },
    { previous, 0, 0, GST_GLES_READ },
  };
  const guint groups[3] = { histogram->layout.n_channels, 1, 1 };

  return gst_gles_queue_dispatch (histogram->plan.queue,
      GST_GLES_DISPATCH (histogram->difference, bindings, 2, &histogram->differences), groups,
      error);
}

/* Queues the counting passes and the overview. They need no barriers between them, because they add
 * to different counters or by atomics. */
static gboolean
count_all (GstGlesFrameHistogram *histogram, const Run *run, GError **error)
{
  for (guint i = 0; i < histogram->n_passes; i++) {
    if (!count (histogram, &histogram->passes[i], run,
            i == 0 ? GST_GLES_DISPATCH_NONE : GST_GLES_DISPATCH_INDEPENDENT, error))
      return FALSE;
  }
  return histogram->overview == NULL ||
      gst_gles_frame_overview_run (
          histogram->overview, run->image, run->counts, histogram->layout.overview_offset, error);
}

static gboolean
count_in_accumulator (GstGlesFrameHistogram *histogram, const GstGlesImage *image,
    GstGlesBuffer *previous, GstGlesBuffer *counts, GError **error)
{
  /* The program is built here, because few plans ever need it. */
  if (histogram->dirty &&
      (!gst_gles_frame_histogram_build_clear (histogram, error) ||
          !clear (histogram, histogram->accumulator, histogram->accumulator_bytes,
              GST_GLES_DISPATCH_NONE, error)))
    return FALSE;
  if (!count_all (histogram, &(Run){ image->buffer, counts, previous }, error))
    return FALSE;
  return previous == NULL || !histogram->config.emd || compare (histogram, previous, counts, error);
}

static gboolean
count_in_place (GstGlesFrameHistogram *histogram, const GstGlesImage *image,
    GstGlesBuffer *previous, GstGlesBuffer *counts, GError **error)
{
  const GstGlesDispatchFlags next = GST_GLES_DISPATCH_INDEPENDENT;

  if (!clear (histogram, counts, histogram->layout.size_bytes, GST_GLES_DISPATCH_NONE, error))
    return FALSE;
  if (histogram->scratch != NULL &&
      !clear (histogram, histogram->scratch, histogram->scratch_bytes, next, error))
    return FALSE;
  if (!count_all (histogram, &(Run){ image->buffer, counts, NULL }, error))
    return FALSE;
  for (guint i = 0; i < histogram->n_folds; i++) {
    if (!fold (
            histogram, &histogram->folds[i], counts, i == 0 ? GST_GLES_DISPATCH_NONE : next, error))
      return FALSE;
  }
  return previous == NULL || compare (histogram, previous, counts, error);
}

/* Whether the plan for @format can read @image. Native code takes strides and offsets from each
 * image, so they may differ there. */
static gboolean
same_layout (const GstGlesImage *image, const GstGlesImage *format, gboolean native)
{
  if (image->width != format->width || image->height != format->height ||
      image->n_components != format->n_components)
    return FALSE;
  for (guint i = 0; i < format->n_components; i++) {
    GstGlesComponent component = image->components[i];

    if (native) {
      component.offset = format->components[i].offset;
      component.stride = format->components[i].stride;
    }
    if (memcmp (&component, &format->components[i], sizeof (component)) != 0)
      return FALSE;
  }
  return TRUE;
}

static gboolean
check_run (const GstGlesFrameHistogram *histogram, const GstGlesImage *image,
    GstGlesBuffer *previous, GstGlesBuffer *counts, GError **error)
{
  gsize size = histogram->layout.size_bytes;

  if (!same_layout (image, &histogram->plan.format, histogram->tuning == NULL)) {
    g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "the image is laid out otherwise than the histogram was made for; make a new one");
    return FALSE;
  }
  if (gst_gles_buffer_get_size (counts) < size ||
      (previous != NULL && gst_gles_buffer_get_size (previous) < size) || previous == counts) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "counts and previous counts have to be two buffers of at least %" G_GSIZE_FORMAT " bytes",
        size);
    return FALSE;
  }
  return TRUE;
}

guint
gst_gles_frame_histogram_get_n_reads (GstGlesFrameHistogram *histogram)
{
  const GstGlesImage *image = &histogram->plan.format;
  guint64 plane_bytes[GST_GLES_MAX_COMPONENTS] = { 0 };
  guint64 bytes = 0;

  for (guint i = 0; i < image->n_components; i++) {
    const GstGlesComponent *c = &image->components[i];
    plane_bytes[c->plane % GST_GLES_MAX_COMPONENTS] = (guint64) c->stride * c->height;
  }
  for (guint p = 0; p < GST_GLES_MAX_COMPONENTS; p++)
    bytes += plane_bytes[p];
  return (guint) MAX (gst_gles_div_ceil (16 * histogram->n_units_read, MAX (bytes, 1)), 1);
}

gboolean
gst_gles_frame_histogram_run (GstGlesFrameHistogram *histogram, const GstGlesImage *image,
    GstGlesBuffer *previous, GstGlesBuffer *counts, GError **error)
{
  gboolean ok;

  g_return_val_if_fail (histogram != NULL && image != NULL && counts != NULL, FALSE);

  if (!check_run (histogram, image, previous, counts, error))
    return FALSE;
  if (histogram->tuning == NULL)
    return run_cpu (histogram, image, previous, counts, error);
  g_return_val_if_fail (image->buffer != NULL, FALSE);
  if (!gst_gles_queue_begin (histogram->plan.queue, error))
    return FALSE;
  if (histogram->accumulator != NULL)
    ok = count_in_accumulator (histogram, image, previous, counts, error);
  else
    ok = count_in_place (histogram, image, previous, counts, error);
  ok = gst_gles_queue_end (histogram->plan.queue, ok ? error : NULL) && ok;
  histogram->dirty = !ok;
  return ok;
}
