/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The mask of a frame histogram as bits in the order in which the kernels read samples, so that a
 * kernel needs no arithmetic of subsampled positions. */
#include "config.h"

#include <gst/gles/algo/frame/frame-histogram-private.h>
#include <gst/gles/core/checked.h>

#define UNIT_BYTES 16

/* Bits of a row of @component. */
static guint64
row_bits (const GstGlesFrameHistogramPlannedJob *job, const GstGlesComponent *component)
{
  const guint64 first = component->offset - (guint64) UNIT_BYTES * job->params.base;

  if (!job->kind.wide)
    return component->width;
  return 16 *
      (1 + (first + (guint64) MAX (component->width, 1) * component->step - 1) / UNIT_BYTES);
}

/* The bit of column @x. */
static guint64
bit_of (const GstGlesFrameHistogramPlannedJob *job, const GstGlesComponent *component, guint x)
{
  guint64 byte;

  if (!job->kind.wide)
    return x;
  byte =
      component->offset - (guint64) UNIT_BYTES * job->params.base + (guint64) x * component->step;
  return byte / UNIT_BYTES * 16 + byte % UNIT_BYTES / job->kind.bytes;
}

static void
set_bits (const GstGlesFrameHistogramPlannedJob *job, guint component, guint32 *words)
{
  const GstGlesComponent *c = &job->components[component];
  const GstGlesCpuSpans *spans = job->spans[component];

  for (guint y = 0; y < c->height; y++) {
    guint32 *row = words + (gsize) y * job->params.mask_stride;
    GstGlesCpuSpanWalk walk = gst_gles_cpu_spans_walk (spans, y, 0, c->width);

    while (gst_gles_cpu_span_next (&walk)) {
      for (guint x = walk.from; x < walk.end; x++) {
        const guint64 bit = bit_of (job, c, x);

        row[bit / 32] |= 1u << bit % 32;
      }
    }
  }
}

void
gst_gles_frame_histogram_add_mask (
    GstGlesFrameHistogram *histogram, GstGlesFrameHistogramPlannedJob *job)
{
  /* luma is one sample of three components at one place */
  const guint n = job->kind.luma ? 1 : job->n_components;
  guint64 bits = 0;

  if (histogram->mask_words == NULL)
    histogram->mask_words = g_array_new (FALSE, TRUE, sizeof (guint32));
  for (guint i = 0; i < n; i++)
    bits = MAX (bits, row_bits (job, &job->components[i]));
  job->params.mask_base = histogram->mask_words->len;
  job->params.mask_stride = (guint32) gst_gles_div_ceil (bits, 32);
  g_array_set_size (histogram->mask_words,
      histogram->mask_words->len + job->params.mask_stride * job->components[0].height);
  for (guint i = 0; i < n; i++)
    set_bits (job, i, &g_array_index (histogram->mask_words, guint32, job->params.mask_base));
}

gboolean
gst_gles_frame_histogram_upload_mask (GstGlesFrameHistogram *histogram, GError **error)
{
  const GArray *words = histogram->mask_words;

  if (words == NULL)
    return TRUE;
  histogram->mask =
      gst_gles_buffer_new (histogram->plan.device, MAX (words->len, 4) * sizeof (guint32), error);
  if (histogram->mask == NULL ||
      !gst_gles_buffer_upload (histogram->mask, histogram->plan.queue, 0, words->data,
          words->len * sizeof (guint32), error))
    return FALSE;
  g_clear_pointer (&histogram->mask_words, g_array_unref);
  return TRUE;
}
