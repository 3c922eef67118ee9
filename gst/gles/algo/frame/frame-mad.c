/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One dispatch, which compares the picture with the reference and the previous picture, and writes
 * it to the other of two places for references. The last workgroup to finish decides on the device
 * which place has the next reference, and clears the sums, so no buffer has to be cleared between
 * frames. */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glsl/frame/frame-mad-layout.h>

#include <gst/gles/algo/frame/frame-histogram-tuning.h>
#include <gst/gles/algo/frame/frame-mad-private.h>
#include <gst/gles/algo/frame/plan.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/frame/frame-kept.h>
#include <gst/gles/cpu/frame/frame-mad.h>
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

/* What native code keeps: this, then one or two places for the samples of all channels. */
typedef struct {
  guint32 place;  /* that has the reference */
  guint32 apart;  /* the other place has the previous picture, which is not the reference */
  guint32 pad[2]; /* places begin at multiples of 16 */
} Head;

struct _GstGlesFrameMad {
  GstGlesFramePlan
      plan; /* buffers: places for references; the state is in front of the first one */
  guint n_channels;
  GstGlesFrameChannel channels[GST_GLES_MAX_COMPONENTS];
  guint64 limit;     /* largest sum, scaled to 16-bit samples, that keeps the reference */
  gsize place_bytes; /* of native code */

  /* GL devices */
  gboolean dense; /* of all channels: a word of the reference is a word of the image */
  GstGlesProgram *compare;
  Params params;
};

/* ---- plans ---- */

/* Returns the bytes that native code keeps of a channel. */
static gsize
channel_bytes (const GstGlesFrameMad *mad, guint channel)
{
  const GstGlesCpuChannel samples =
      gst_gles_frame_channel_samples (&mad->channels[channel], &mad->plan.format);

  return gst_gles_align_up (gst_gles_cpu_frame_kept_bytes (&samples), 16);
}

static void
find_channels (GstGlesFrameMad *mad, const GstGlesFrameMadConfig *config)
{
  const GstGlesFrameRegion region = { config->x, config->y, config->width, config->height };
  guint64 n_samples = 0;

  mad->n_channels = gst_gles_frame_channels_init (
      mad->channels, &mad->plan.format, config->luma, &region, config->mask);
  for (guint i = 0; i < mad->n_channels; i++) {
    n_samples += mad->channels[i].n_samples;
    mad->place_bytes += channel_bytes (mad, i);
  }
  mad->limit = (guint64) floor (config->noise * 65536.0 * (gdouble) n_samples);
  mad->plan.host_bytes = sizeof (Head) + (mad->limit == 0 ? 1 : 2) * mad->place_bytes;
}

static gboolean
is_dense (const GstGlesComponent *c, const GstGlesCpuSamples *samples)
{
  return gst_gles_frame_is_bytes (c) && c->stride % 4 == 0 && (c->offset + samples->x) % 4 == 0;
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
    const GstGlesFrameChannel *channel = &mad->channels[i];
    const GstGlesComponent *c = &mad->plan.format.components[channel->component];
    const guint per_word = channel->depth > 8 ? 2 : 4;
    GstGlesFrameMadJob *job = &mad->params.jobs[i];

    job->component = channel->component;
    job->luma = channel->luma;
    job->depth = channel->depth;
    job->x = channel->samples.x;
    job->y = channel->samples.y;
    job->width = channel->samples.width;
    job->row_words = (guint) MAX (gst_gles_div_ceil (job->width, per_word), 1);
    job->n_words = job->width > 0 ? job->row_words * channel->samples.height : 0;
    job->reference = (guint32) words;
    mad->dense = mad->dense && !channel->luma && is_dense (c, &channel->samples);
    job->first_group = shape->n_groups;
    job->n_groups =
        (guint) CLAMP (gst_gles_div_ceil (job->n_words, invocations * words_each), 1, MAX_GROUPS);
    shape->n_groups += job->n_groups;
    words += job->n_words;
  }
  memcpy (
      mad->params.components, mad->plan.format.components, sizeof (mad->plan.format.components));
  shape->scale_to_8 = gst_gles_frame_scales_to_8 (&mad->plan.format);
  shape->n_jobs = mad->n_channels;
  shape->kr = mad->plan.format.kr;
  shape->kg = mad->plan.format.kg;
  shape->kb = mad->plan.format.kb;
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

/* @buffers: the image, both places, the sums. */
static gboolean
dispatch (
    GstGlesFrameMad *mad, GstGlesBuffer *const buffers[4], const Params *params, GError **error)
{
  const guint groups[3] = { MAX (params->shape.n_groups, 1), 1, 1 };
  const GstGlesBinding bindings[4] = {
    { buffers[0], 0, 0, GST_GLES_READ },
    { buffers[1], 0, 0, GST_GLES_READ_WRITE },
    { buffers[2], 0, 0, GST_GLES_READ_WRITE },
    { buffers[3], 0, 0, GST_GLES_READ_WRITE },
  };

  return gst_gles_queue_dispatch (mad->plan.queue,
      GST_GLES_DISPATCH (mad->compare, bindings, G_N_ELEMENTS (bindings), params), groups, error);
}

static gboolean
warm_up (gpointer user_data, GstGlesBuffer *nothing, GError **error)
{
  GstGlesFrameMad *mad = user_data;
  GstGlesBuffer *const buffers[4] = { nothing, nothing, nothing, nothing };
  Params params = mad->params;

  memset (params.jobs, 0, sizeof (params.jobs));
  params.shape.n_jobs = params.shape.n_groups = 0;
  return dispatch (mad, buffers, &params, error);
}

/* Allocates both places, with @words each, and brings the bits of the mask behind the first one. */
static gboolean
make_places (GstGlesFrameMad *mad, gsize words, GError **error)
{
  const gsize first = GST_GLES_FRAME_MAD_STATE_WORDS + MAX (words, 4);
  g_autoptr (GArray) mask = lay_out_mask (mad, first);
  const gsize all[2] = { first + mask->len, MAX (words, 4) };

  for (guint i = 0; i < 2; i++) {
    mad->plan.kept.buffers[i] =
        gst_gles_buffer_new (mad->plan.device, all[i] * sizeof (guint32), error);
    if (mad->plan.kept.buffers[i] == NULL)
      return FALSE;
  }
  return mask->len == 0 ||
      gst_gles_buffer_upload (mad->plan.kept.buffers[0], mad->plan.queue, first * sizeof (guint32),
          mask->data, mask->len * sizeof (guint32), error);
}

static gboolean
build (GstGlesFrameMad *mad, GError **error)
{
  const GstGlesFrameHistogramTuning *tuning =
      gst_gles_frame_histogram_tuning_get (mad->plan.device);
  GstGlesProgramSpec spec;

  if (!make_places (mad, plan_jobs (mad, tuning), error))
    return FALSE;
  make_spec (tuning, mad->dense, mad->channels[0].spans != NULL, &spec);
  mad->compare = gst_gles_program_get (mad->plan.queue, &spec, error);
  return mad->compare != NULL && gst_gles_frame_warm_up (mad->plan.queue, warm_up, mad, error);
}

GstGlesFrameMad *
gst_gles_frame_mad_new (GstGlesQueue *queue, const GstGlesImage *format,
    const GstGlesFrameMadConfig *config, GError **error)
{
  g_autoptr (GstGlesFrameMad) mad = NULL;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && format != NULL && config != NULL, NULL);
  g_return_val_if_fail (config->noise >= 0.0 && config->noise <= 1.0, NULL);
  g_return_val_if_fail (config->width <= format->width - config->x, NULL);
  g_return_val_if_fail (config->height <= format->height - config->y, NULL);

  mad = g_new0 (GstGlesFrameMad, 1);
  gst_gles_frame_plan_init (&mad->plan, queue, format);
  find_channels (mad, config);
  if (!gst_gles_frame_plan_is_cpu (&mad->plan) && !build (mad, error))
    return NULL;
  return g_steal_pointer (&mad);
}

void
gst_gles_frame_mad_unref (GstGlesFrameMad *mad)
{
  if (mad == NULL)
    return;
  gst_gles_program_unref (mad->compare);
  gst_gles_frame_channels_clear (mad->channels, mad->n_channels);
  gst_gles_frame_plan_clear (&mad->plan);
  g_free (mad);
}

/* ---- native twin ---- */

static void
put_sum (guint32 *words, guint64 sum)
{
  words[0] = (guint32) sum;
  words[1] = (guint32) (sum >> 32);
}

/* Compares @image with the reference and with the previous picture, and keeps it in the place that
 * the reference does not have; if @any difference replaces the reference, in that of the reference.
 * Returns the sum over all channels. */
static guint64
compare (
    const GstGlesFrameMad *mad, const GstGlesImage *image, Head *head, gboolean any, guint32 *sums)
{
  guint8 *places = (guint8 *) (head + 1);
  guint8 *reference = places + head->place * mad->place_bytes;
  guint8 *previous = any ? NULL : places + (1 - head->place) * mad->place_bytes;
  guint64 all = 0;
  gsize at = 0;

  for (guint i = 0; i < mad->n_channels; i++) {
    const GstGlesCpuChannel samples = gst_gles_frame_channel_samples (&mad->channels[i], image);
    guint64 found[2];

    gst_gles_cpu_frame_mad (&samples, &mad->channels[i].samples,
        &(GstGlesCpuFrameEarlier){ reference + at, any ? NULL : previous + at, head->apart },
        found);
    put_sum (sums + i * GST_GLES_FRAME_MAD_WORDS, found[0]);
    put_sum (sums + i * GST_GLES_FRAME_MAD_WORDS + 2, head->apart ? found[1] : found[0]);
    all += found[0] << (16 - mad->channels[i].depth);
    at += channel_bytes (mad, i);
  }
  return all;
}

/* Makes @image the reference. */
static void
keep (const GstGlesFrameMad *mad, const GstGlesImage *image, Head *head)
{
  guint8 *place = (guint8 *) (head + 1);

  for (guint i = 0; i < mad->n_channels; i++) {
    const GstGlesCpuChannel samples = gst_gles_frame_channel_samples (&mad->channels[i], image);

    gst_gles_cpu_frame_keep (&samples, &mad->channels[i].samples, place);
    place += channel_bytes (mad, i);
  }
}

gboolean
gst_gles_frame_mad_run_native (
    GstGlesFrameMad *mad, const GstGlesImage *image, guint8 **kept, guint32 *sums, GError **error)
{
  const gboolean any = mad->limit == 0; /* the picture replaces the reference, whatever the sum */
  const gboolean is_first = *kept == NULL;
  guint64 all;
  Head *head;

  memset (sums, 0, mad->n_channels * GST_GLES_FRAME_MAD_WORDS * sizeof (guint32));
  if (!gst_gles_frame_make_kept (kept, mad->plan.host_bytes, error))
    return FALSE;
  head = (Head *) (gpointer) *kept;
  if (is_first) {
    keep (mad, image, head);
    return TRUE;
  }
  all = compare (mad, image, head, any, sums);
  if (!any && all > mad->limit)
    head->place = 1 - head->place;
  head->apart = !any && all <= mad->limit;
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
    return gst_gles_frame_mad_run_native (mad, image, &mad->plan.kept.host,
        (guint32 *) (gpointer) gst_gles_buffer_peek_memory (sums) + offset, error);
  g_return_val_if_fail (image->buffer != NULL, FALSE);
  shape->last_word = gst_gles_frame_last_word_of (image->buffer);
  shape->has_reference = mad->plan.kept.frames > 0;
  shape->out_word = offset;
  if (!gst_gles_queue_begin (mad->plan.queue, error))
    return FALSE;
  ok = dispatch (mad,
      (GstGlesBuffer *[]){
          image->buffer, mad->plan.kept.buffers[0], mad->plan.kept.buffers[1], sums },
      &mad->params, error);
  ok = gst_gles_queue_end (mad->plan.queue, ok ? error : NULL) && ok;
  mad->plan.kept.frames = ok;
  return ok;
}
