/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One dispatch, which compares the picture with the reference and the previous picture, and writes
 * it to the other of two places for references. The last workgroup to finish decides on the device
 * which place has the next reference, and clears the sums, so no buffer has to be cleared between
 * frames. */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glsl/frame/frame-mad-layout.h>

#include <gst/gles/algo/frame/frame-channel.h>
#include <gst/gles/algo/frame/frame-mad-private.h>
#include <gst/gles/algo/frame/frame-histogram-tuning.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/frame-kept.h>
#include <gst/gles/cpu/frame-mad.h>
#include <gst/gles/gl/submission.h>
#include <glsl/frame/frame-histogram-layout.h>

/* Workgroups of GPUs are small enough for several of them to share a processor. */
#define MAX_INVOCATIONS 256

/* Words of the reference that one invocation compares, in all and at a time. */
#define WORDS_PER_INVOCATION 8
#define WORDS_AT_A_TIME 4

/* The same where the driver gives each processor its workgroups in advance. With 2^31 samples an
 * invocation compares at most 65535 words, the most loop iterations that llvmpipe executes. */
#define WORDS_PER_INVOCATION_SERIAL 64
#define MAX_GROUPS 512

typedef struct {
  GstGlesFrameMadShape shape;
  GstGlesFrameMadJob jobs[GST_GLES_FRAME_HISTOGRAM_MAX_JOBS];
  GstGlesComponent components[GST_GLES_FRAME_HISTOGRAM_MAX_JOBS];
} Params;

typedef struct {
  guint component;
  gboolean matrix;
  guint depth;
  GstGlesCpuSamples samples;
  GstGlesCpuSpans *spans; /* nullable */
} Channel;

struct _GstGlesFrameMad {
  GstGlesQueue *queue;
  GstGlesImage format;
  guint n_channels;
  Channel channels[GST_GLES_MAX_COMPONENTS];
  guint64 limit; /* largest sum, scaled to 16-bit samples, that keeps the reference */

  /* cpu devices */
  GstGlesFrameMadReference kept;

  /* GL devices */
  gboolean dense; /* of all channels: a word of the reference is a word of the image */
  GstGlesProgram *compare;
  Params params;
  GstGlesBuffer *places[2]; /* for references; the state is in front of the first one */
  gboolean has_reference;

  /* the reference as gst_gles_frame_mad_save() found it */
  GstGlesFrameMadReference saved_kept;
  GstGlesBuffer *saved_places[2];
  gboolean saved_has_reference;
};

/* ---- plans ---- */

/* Returns the index of the first sample at or after the luma position @position. */
static guint
first_sample (guint position, guint sub, guint n_samples)
{
  return MIN ((position + (1u << sub) - 1) >> sub, n_samples);
}

static void
find_channels (GstGlesFrameMad *mad, const GstGlesFrameMadConfig *config)
{
  guint64 n_samples = 0;

  mad->n_channels = config->luma ? 1 : mad->format.n_components;
  for (guint i = 0; i < mad->n_channels; i++) {
    const GstGlesComponent *c = &mad->format.components[i];
    Channel *channel = &mad->channels[i];
    GstGlesCpuSamples *samples = &channel->samples;

    channel->component = i;
    channel->matrix = config->luma && mad->format.luma == GST_GLES_LUMA_MATRIX;
    channel->depth = channel->matrix ? mad->format.luma_depth : c->depth;
    samples->x = first_sample (config->x, c->sub_x, c->width);
    samples->y = first_sample (config->y, c->sub_y, c->height);
    samples->width = first_sample (config->x + config->width, c->sub_x, c->width) - samples->x;
    samples->height = first_sample (config->y + config->height, c->sub_y, c->height) - samples->y;
    if (config->mask != NULL)
      samples->spans = channel->spans = gst_gles_cpu_spans_new (config->mask, c, TRUE);
    n_samples += samples->spans == NULL ? (guint64) samples->width * samples->height
                                        : gst_gles_cpu_spans_count (samples->spans, samples->x,
                                              samples->y, samples->width, samples->height);
  }
  mad->limit = (guint64) floor (config->noise * 65536.0 * (gdouble) n_samples);
}

static gboolean
is_dense (const GstGlesComponent *c, const GstGlesCpuSamples *samples)
{
  return c->word_bytes == 1 && c->step == 1 && c->shift == 0 && c->depth == 8 &&
      c->stride % 4 == 0 && (c->offset + samples->x) % 4 == 0;
}

static guint
n_invocations (const GstGlesFrameHistogramTuning *tuning)
{
  return MIN (tuning->difference_invocations, MAX_INVOCATIONS);
}

/* Returns the size of the reference picture in words. */
static gsize
plan_jobs (GstGlesFrameMad *mad, const GstGlesFrameHistogramTuning *tuning)
{
  const guint invocations = n_invocations (tuning);
  const guint words_each =
      tuning->per_processor ? WORDS_PER_INVOCATION_SERIAL : WORDS_PER_INVOCATION;
  GstGlesFrameMadShape *shape = &mad->params.shape;
  gsize words = 0;

  mad->dense = TRUE;
  for (guint i = 0; i < mad->n_channels; i++) {
    const Channel *channel = &mad->channels[i];
    const GstGlesComponent *c = &mad->format.components[channel->component];
    const guint per_word = channel->depth > 8 ? 2 : 4;
    GstGlesFrameMadJob *job = &mad->params.jobs[i];

    job->component = channel->component;
    job->luma = channel->matrix;
    job->depth = channel->depth;
    job->x = channel->samples.x;
    job->y = channel->samples.y;
    job->width = channel->samples.width;
    job->row_words = (guint) MAX (gst_gles_div_ceil (job->width, per_word), 1);
    job->n_words = job->width > 0 ? job->row_words * channel->samples.height : 0;
    job->reference = (guint32) words;
    mad->dense = mad->dense && !channel->matrix && is_dense (c, &channel->samples);
    job->first_group = shape->n_groups;
    job->n_groups =
        (guint) CLAMP (gst_gles_div_ceil (job->n_words, invocations * words_each), 1, MAX_GROUPS);
    shape->n_groups += job->n_groups;
    words += job->n_words;
  }
  for (guint i = 0; i < mad->format.n_components; i++) {
    mad->params.components[i] = mad->format.components[i];
    if (mad->format.components[i].depth != mad->format.components[0].depth)
      shape->scale_to_8 = TRUE;
  }
  shape->n_jobs = mad->n_channels;
  shape->kr = mad->format.kr;
  shape->kg = mad->format.kg;
  shape->kb = mad->format.kb;
  shape->limit_low = (guint32) mad->limit;
  shape->limit_high = (guint32) (mad->limit >> 32);
  return words;
}

/* ---- the mask ---- */

static void
set_bits (const GstGlesCpuSamples *samples, guint row_words, guint32 *words)
{
  for (guint y = 0; y < samples->height; y++) {
    guint32 *row = words + (gsize) y * row_words;
    GstGlesCpuSpanWalk walk = gst_gles_cpu_spans_walk (
        samples->spans, samples->y + y, samples->x, samples->x + samples->width);

    while (gst_gles_cpu_span_next (&walk)) {
      for (guint x = walk.from - samples->x; x < walk.end - samples->x; x++)
        row[x / 32] |= 1u << x % 32;
    }
  }
}

/* Lays out the bits of all channels behind word @first; (transfer full): the words. */
static GArray *
lay_out_mask (GstGlesFrameMad *mad, gsize first)
{
  GArray *words = g_array_new (FALSE, TRUE, sizeof (guint32));

  for (guint i = 0; i < mad->n_channels && mad->channels[i].spans != NULL; i++) {
    const GstGlesCpuSamples *samples = &mad->channels[i].samples;
    GstGlesFrameMadJob *job = &mad->params.jobs[i];
    const guint at = words->len;

    job->mask = (guint32) (first + at);
    job->mask_words = (guint32) gst_gles_div_ceil (samples->width, 32);
    g_array_set_size (words, at + MAX (job->mask_words * samples->height, 1));
    job->mask_last = (guint32) (first + words->len - 1);
    set_bits (samples, job->mask_words, &g_array_index (words, guint32, at));
  }
  return words;
}

static void
make_spec (const GstGlesFrameHistogramTuning *tuning, gboolean dense, gboolean masked,
    GstGlesProgramSpec *spec)
{
  memset (spec, 0, sizeof (*spec));
  spec->kernel = "frame-mad_compare";
  spec->local_size[0] = n_invocations (tuning);
  spec->shared_bytes = 16;
  spec->n_storage = 4;
  spec->defines[0] = (GstGlesDefine){ "DENSE", dense };
  spec->defines[1] =
      (GstGlesDefine){ "UNROLLED", tuning->per_processor || !dense ? 1 : WORDS_AT_A_TIME };
  spec->defines[2] = (GstGlesDefine){ "MASK", masked };
}

void
gst_gles_frame_mad_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  guint n_rows;
  const GstGlesFrameHistogramTuning *rows = gst_gles_frame_histogram_tuning_rows (&n_rows);

  for (guint i = 0; i < 4 * n_rows; i++) {
    GstGlesProgramSpec spec, other;
    gboolean seen = FALSE;

    make_spec (&rows[i / 4], i & 1, i >> 1 & 1, &spec);
    for (guint k = i & 3; k < i && !seen; k += 4) {
      make_spec (&rows[k / 4], k & 1, k >> 1 & 1, &other);
      seen = memcmp (&spec, &other, sizeof (spec)) == 0;
    }
    if (!seen)
      func (&spec, user_data);
  }
}

static gboolean
dispatch (GstGlesFrameMad *mad, GstGlesBuffer *image, GstGlesBuffer *first, GstGlesBuffer *second,
    GstGlesBuffer *sums, const Params *params, GError **error)
{
  const guint groups[3] = { MAX (params->shape.n_groups, 1), 1, 1 };
  const GstGlesBinding bindings[4] = {
    { image, 0, 0, GST_GLES_READ },
    { first, 0, 0, GST_GLES_READ_WRITE },
    { second, 0, 0, GST_GLES_READ_WRITE },
    { sums, 0, 0, GST_GLES_READ_WRITE },
  };

  return gst_gles_queue_dispatch (mad->queue, mad->compare, bindings, G_N_ELEMENTS (bindings),
      params, sizeof (*params), groups, GST_GLES_DISPATCH_NONE, error);
}

/* Dispatches the program without work: llvmpipe generates machine code at the first dispatch, and
 * no frame should wait for that. */
static gboolean
warm_up (GstGlesFrameMad *mad, GstGlesDevice *device, GError **error)
{
  g_autoptr (GstGlesBuffer) dummy = gst_gles_buffer_new (device, GST_GLES_WARM_UP_BYTES, error);
  Params params = mad->params;
  gboolean ok;

  if (dummy == NULL || !gst_gles_queue_begin (mad->queue, error))
    return FALSE;
  memset (params.jobs, 0, sizeof (params.jobs));
  params.shape.n_jobs = params.shape.n_groups = 0;
  ok = dispatch (mad, dummy, dummy, dummy, dummy, &params, error);
  return gst_gles_queue_end (mad->queue, ok ? error : NULL) && ok;
}

/* Allocates both places, with @words each, and brings the bits of the mask behind the first one. */
static gboolean
make_places (GstGlesFrameMad *mad, GstGlesDevice *device, gsize words, GError **error)
{
  const gsize first = GST_GLES_FRAME_MAD_STATE_WORDS + MAX (words, 4);
  g_autoptr (GArray) mask = lay_out_mask (mad, first);
  const gsize all[2] = { first + mask->len, MAX (words, 4) };

  for (guint i = 0; i < 2; i++) {
    mad->places[i] = gst_gles_buffer_new (device, all[i] * sizeof (guint32), error);
    if (mad->places[i] == NULL)
      return FALSE;
  }
  return mask->len == 0 ||
      gst_gles_buffer_upload (mad->places[0], mad->queue, first * sizeof (guint32), mask->data,
          mask->len * sizeof (guint32), error);
}

static gboolean
build (GstGlesFrameMad *mad, GstGlesDevice *device, GError **error)
{
  const GstGlesFrameHistogramTuning *tuning = gst_gles_frame_histogram_tuning_get (device);
  GstGlesProgramSpec spec;

  if (!make_places (mad, device, plan_jobs (mad, tuning), error))
    return FALSE;
  make_spec (tuning, mad->dense, mad->channels[0].spans != NULL, &spec);
  mad->compare = gst_gles_program_get (mad->queue, &spec, error);
  return mad->compare != NULL && warm_up (mad, device, error);
}

GstGlesFrameMad *
gst_gles_frame_mad_new (GstGlesQueue *queue, const GstGlesImage *format,
    const GstGlesFrameMadConfig *config, GError **error)
{
  g_autoptr (GstGlesFrameMad) mad = NULL;
  g_autoptr (GstGlesDevice) device = NULL;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && format != NULL && config != NULL, NULL);
  g_return_val_if_fail (config->noise >= 0.0 && config->noise <= 1.0, NULL);
  g_return_val_if_fail (config->width <= format->width - config->x, NULL);
  g_return_val_if_fail (config->height <= format->height - config->y, NULL);

  mad = g_new0 (GstGlesFrameMad, 1);
  mad->queue = gst_object_ref (queue);
  mad->format = *format;
  mad->format.buffer = NULL;
  memset (mad->format.planes, 0, sizeof (mad->format.planes));
  find_channels (mad, config);
  device = gst_gles_queue_get_device (queue);
  if (gst_gles_device_get_kind (device) != GST_GLES_DEVICE_CPU && !build (mad, device, error))
    return NULL;
  return g_steal_pointer (&mad);
}

void
gst_gles_frame_mad_unref (GstGlesFrameMad *mad)
{
  if (mad == NULL)
    return;
  gst_gles_program_unref (mad->compare);
  for (guint i = 0; i < 2; i++) {
    gst_gles_buffer_unref (mad->places[i]);
    gst_gles_buffer_unref (mad->saved_places[i]);
  }
  gst_gles_frame_mad_reference_clear (&mad->kept);
  gst_gles_frame_mad_reference_clear (&mad->saved_kept);
  for (guint i = 0; i < mad->n_channels; i++)
    gst_gles_cpu_spans_free (mad->channels[i].spans);
  gst_object_unref (mad->queue);
  g_free (mad);
}

void
gst_gles_frame_mad_reset (GstGlesFrameMad *mad)
{
  mad->has_reference = FALSE;
  gst_gles_frame_mad_reference_clear (&mad->kept);
}

/* ---- native twin ---- */

void
gst_gles_frame_mad_reference_clear (GstGlesFrameMadReference *reference)
{
  for (guint i = 0; i < G_N_ELEMENTS (reference->samples); i++) {
    g_clear_pointer (&reference->samples[i], g_free);
    g_clear_pointer (&reference->previous[i], g_free);
  }
  reference->apart = FALSE;
}

static GstGlesCpuChannel
channel_of (const GstGlesFrameMad *mad, const GstGlesImage *image, guint channel)
{
  const Channel *c = &mad->channels[channel];

  return gst_gles_frame_channel (image, c->component, c->matrix, c->depth);
}

/* Allocates *@place, the samples of a channel in @reference, if it is NULL. */
static gboolean
make_place (GstGlesFrameMadReference *reference, guint8 **place, const GstGlesCpuChannel *samples,
    GError **error)
{
  const gsize bytes = gst_gles_cpu_frame_kept_bytes (samples);

  if (*place == NULL)
    *place = g_try_malloc (MAX (bytes, 1));
  if (*place != NULL)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
      "cannot allocate %" G_GSIZE_FORMAT " bytes to compare later frames with this one", bytes);
  gst_gles_frame_mad_reference_clear (reference);
  return FALSE;
}

static void
put_sum (guint32 *words, guint64 sum)
{
  words[0] = (guint32) sum;
  words[1] = (guint32) (sum >> 32);
}

/* Keeps @image in @places of @reference. */
static gboolean
keep (GstGlesFrameMad *mad, const GstGlesImage *image, GstGlesFrameMadReference *reference,
    guint8 **places, GError **error)
{
  for (guint i = 0; i < mad->n_channels; i++) {
    const GstGlesCpuChannel samples = channel_of (mad, image, i);

    if (!make_place (reference, &places[i], &samples, error))
      return FALSE;
    gst_gles_cpu_frame_keep (&samples, &mad->channels[i].samples, places[i]);
  }
  return TRUE;
}

/* Compares a channel of @image, and keeps it in the place that the reference does not have; with
 * @any in that of the reference. */
static gboolean
compare_channel (GstGlesFrameMad *mad, const GstGlesImage *image, guint channel, gboolean any,
    GstGlesFrameMadReference *reference, guint64 sums[2], GError **error)
{
  const GstGlesCpuChannel samples = channel_of (mad, image, channel);

  if (!any && !make_place (reference, &reference->previous[channel], &samples, error))
    return FALSE;
  gst_gles_cpu_frame_mad (&samples, &mad->channels[channel].samples, reference->samples[channel],
      any ? NULL : reference->previous[channel], reference->apart, sums);
  return TRUE;
}

static void
swap_places (GstGlesFrameMadReference *reference)
{
  guint8 *places[GST_GLES_MAX_COMPONENTS];

  memcpy (places, reference->samples, sizeof (places));
  memcpy (reference->samples, reference->previous, sizeof (places));
  memcpy (reference->previous, places, sizeof (places));
}

gboolean
gst_gles_frame_mad_run_native (GstGlesFrameMad *mad, const GstGlesImage *image,
    GstGlesFrameMadReference *reference, guint32 *sums, GError **error)
{
  const gboolean any = mad->limit == 0; /* the picture replaces the reference, whatever the sum */
  guint64 all = 0;

  memset (sums, 0, mad->n_channels * GST_GLES_FRAME_MAD_WORDS * sizeof (guint32));
  if (reference->samples[0] == NULL)
    return keep (mad, image, reference, reference->samples, error);
  for (guint i = 0; i < mad->n_channels; i++) {
    guint64 found[2];

    if (!compare_channel (mad, image, i, any, reference, found, error))
      return FALSE;
    put_sum (sums + i * GST_GLES_FRAME_MAD_WORDS, found[0]);
    put_sum (sums + i * GST_GLES_FRAME_MAD_WORDS + 2, reference->apart ? found[1] : found[0]);
    all += found[0] << (16 - mad->channels[i].depth);
  }
  if (!any && all > mad->limit)
    swap_places (reference);
  reference->apart = !any && all <= mad->limit;
  return TRUE;
}

/* ---- device ---- */

gboolean
gst_gles_frame_mad_run (GstGlesFrameMad *mad, const GstGlesImage *image, GstGlesBuffer *sums,
    guint offset, GError **error)
{
  GstGlesFrameMadShape *shape = &mad->params.shape;
  gboolean ok;

  if (mad->compare == NULL)
    return gst_gles_frame_mad_run_native (mad, image, &mad->kept,
        (guint32 *) (gpointer) gst_gles_buffer_peek_memory (sums) + offset, error);
  g_return_val_if_fail (image->buffer != NULL, FALSE);
  shape->last_word =
      (guint32) (gst_gles_align_up (MAX (gst_gles_buffer_get_size (image->buffer), 1), 16) / 4 - 1);
  shape->has_reference = mad->has_reference;
  shape->out_word = offset;
  if (!gst_gles_queue_begin (mad->queue, error))
    return FALSE;
  ok = dispatch (mad, image->buffer, mad->places[0], mad->places[1], sums, &mad->params, error);
  ok = gst_gles_queue_end (mad->queue, ok ? error : NULL) && ok;
  mad->has_reference = ok;
  return ok;
}

/* ---- repetition ---- */

/* Copies @from, the samples of all channels, to @to of the saved reference. */
static gboolean
copy_places (GstGlesFrameMad *mad, guint8 *const *from, guint8 **to, GError **error)
{
  for (guint i = 0; i < mad->n_channels; i++) {
    const GstGlesCpuChannel samples = channel_of (mad, &mad->format, i);

    if (!make_place (&mad->saved_kept, &to[i], &samples, error))
      return FALSE;
    memcpy (to[i], from[i], gst_gles_cpu_frame_kept_bytes (&samples));
  }
  return TRUE;
}

static gboolean
save_native (GstGlesFrameMad *mad, GError **error)
{
  gst_gles_frame_mad_reference_clear (&mad->saved_kept);
  if (mad->kept.samples[0] != NULL &&
      !copy_places (mad, mad->kept.samples, mad->saved_kept.samples, error))
    return FALSE;
  if (mad->kept.apart && !copy_places (mad, mad->kept.previous, mad->saved_kept.previous, error))
    return FALSE;
  mad->saved_kept.apart = mad->kept.apart;
  return TRUE;
}

gboolean
gst_gles_frame_mad_save (GstGlesFrameMad *mad, GError **error)
{
  g_autoptr (GstGlesDevice) device = gst_gles_queue_get_device (mad->queue);
  gboolean ok = TRUE;

  if (mad->compare == NULL)
    return save_native (mad, error);
  mad->saved_has_reference = mad->has_reference;
  for (guint i = 0; i < 2 && ok; i++) {
    const gsize size = gst_gles_buffer_get_size (mad->places[i]);

    if (mad->saved_places[i] == NULL)
      mad->saved_places[i] = gst_gles_buffer_new (device, size, error);
    ok = mad->saved_places[i] != NULL &&
        gst_gles_queue_copy (mad->queue, mad->places[i], 0, mad->saved_places[i], 0, size, error);
  }
  return ok;
}

void
gst_gles_frame_mad_restore (GstGlesFrameMad *mad)
{
  gst_gles_frame_mad_reference_clear (&mad->kept);
  mad->kept = mad->saved_kept;
  memset (&mad->saved_kept, 0, sizeof (mad->saved_kept));
  for (guint i = 0; i < 2; i++) {
    GstGlesBuffer *place = mad->places[i];

    mad->places[i] = mad->saved_places[i];
    mad->saved_places[i] = place;
  }
  mad->has_reference = mad->saved_has_reference;
}
