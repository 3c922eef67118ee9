/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Plans the jobs of the frame histogram: which components one pass of the counting kernel can count
 * together, how it reads their samples, and which counters it uses. */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/frame-histogram-private.h>

#define ROW_BYTES 16
#define NO_LANE GST_GLES_NO_COUNTER

/* The lanes that hold a component's samples. GstGlesFrameHistogramJob defines periods and lanes. */
typedef struct {
  guint lanes, period_bytes;
  guint base; /* offset of row 0 in bytes */
  guint first_lane, lane_step;
  guint period_shift;
} Lanes;

/* Returns FALSE if the component's samples must be read one at a time. */
static gboolean
find_lanes (const GstGlesComponent *component, Lanes *lanes)
{
  guint bytes = component->word_bytes;
  guint within = component->offset % ROW_BYTES;
  guint period;

  if (bytes == 1 && (component->depth != 8 || component->shift != 0))
    return FALSE;
  lanes->lanes = bytes == 1 && component->step == 3 ? 3 : 4;
  lanes->period_bytes = lanes->lanes * bytes;
  if (component->step % bytes != 0 || lanes->period_bytes % component->step != 0)
    return FALSE;
  /* Samples of 4-byte words must follow each other without gaps. */
  if (bytes == 4 && component->step != 4)
    return FALSE;
  if (component->stride % ROW_BYTES != 0 && component->height > 1)
    return FALSE;
  if (within >= component->step || within % bytes != 0)
    return FALSE;
  lanes->base = component->offset - within;
  lanes->first_lane = within / bytes;
  lanes->lane_step = component->step / bytes;
  period = lanes->period_bytes / component->step;
  if ((period & (period - 1)) != 0)
    return FALSE;
  lanes->period_shift = g_bit_nth_msf (period, -1) + component->sub_x;
  return TRUE;
}

static guint32 *
lane_base (GstGlesFrameHistogramJob *params, guint lane)
{
  return &params->lane_base_0 + lane;
}

static void
place_lanes (GstGlesFrameHistogramJob *params, const GstGlesComponent *component,
    const Lanes *lanes, guint first_counter)
{
  for (guint k = 0, lane = lanes->first_lane; lane < lanes->lanes; k++, lane += lanes->lane_step) {
    *lane_base (params, lane) = first_counter;
    (&params->lane_x_0)[lane] = k << component->sub_x;
  }
}

static gboolean
lanes_are_free (GstGlesFrameHistogramJob *params, const Lanes *lanes)
{
  for (guint lane = lanes->first_lane; lane < lanes->lanes; lane += lanes->lane_step) {
    if (*lane_base (params, lane) != NO_LANE)
      return FALSE;
  }
  return TRUE;
}

/* ---- the region in samples of a component ---- */

static gboolean
is_whole_picture (const GstGlesFrameHistogram *histogram, const GstGlesFrameHistogramStage *stage)
{
  const GstGlesFrameHistogramConfig *config = &histogram->config;

  return (!stage->cells || (config->columns == 1 && config->rows == 1)) && config->x == 0 &&
      config->y == 0 && config->width == histogram->plan.format.width &&
      config->height == histogram->plan.format.height;
}

static guint
n_rows (const GstGlesFrameHistogram *histogram, guint sub_y)
{
  const GstGlesFrameHistogramConfig *config = &histogram->config;
  guint round_up = (1u << sub_y) - 1;

  return ((config->y + config->height + round_up) >> sub_y) - ((config->y + round_up) >> sub_y);
}

static guint
n_cells (const GstGlesFrameHistogram *histogram, const GstGlesFrameHistogramStage *stage)
{
  return stage->cells ? histogram->config.columns * histogram->config.rows : 1;
}

/* Whether the plane can be read as one long row of whole units, without gaps between its rows. */
static gboolean
is_stream (const GstGlesFrameHistogram *histogram, const GstGlesFrameHistogramStage *stage,
    const GstGlesFrameHistogramPlannedJob *job)
{
  const GstGlesComponent *first = &job->components[0];
  guint64 total = (guint64) first->stride * first->height;

  if (!is_whole_picture (histogram, stage) || job->kind.mask ||
      (histogram->force & GST_GLES_FRAME_HISTOGRAM_FORCE_MASKED) != 0)
    return FALSE;
  for (guint i = 0; i < job->n_components; i++) {
    const GstGlesComponent *component = &job->components[i];
    if ((guint64) component->width * component->step != component->stride ||
        component->height != first->height)
      return FALSE;
  }
  return total % ROW_BYTES == 0;
}

/* Returns an upper limit for the units of a cell: samples, or with @lanes, rows of 16 bytes that
 * can begin and end outside the cell. */
static guint64
largest_cell (const GstGlesFrameHistogram *histogram, const GstGlesFrameHistogramStage *stage,
    const GstGlesComponent *component, const Lanes *lanes)
{
  const GstGlesFrameHistogramConfig *config = &histogram->config;
  guint64 width = config->width / (stage->cells ? config->columns : 1) + 1;
  guint64 height = config->height / (stage->cells ? config->rows : 1) + 1;
  guint64 row_units = (width >> component->sub_x) + 1;

  if (lanes != NULL)
    row_units = ((width >> lanes->period_shift) + 2) * lanes->period_bytes / ROW_BYTES + 2;
  return ((height >> component->sub_y) + 1) * row_units;
}

/* Sets the remaining members of a wide job after its lanes have been placed. */
static void
finish_wide (const GstGlesFrameHistogram *histogram, const GstGlesFrameHistogramStage *stage,
    const Lanes *lanes, GstGlesFrameHistogramPlannedJob *job)
{
  const GstGlesComponent *first = &job->components[0];
  guint columns = stage->cells ? histogram->config.columns : 1;
  guint64 row_bytes =
      ((guint64) histogram->config.width * lanes->period_bytes) >> lanes->period_shift;

  job->kind.wide = TRUE;
  job->kind.bytes = lanes->period_bytes / lanes->lanes;
  job->kind.lanes = lanes->lanes;
  job->kind.masked = !is_stream (histogram, stage, job);
  for (guint lane = 0; lane < 4; lane++)
    job->kind.lane_map |= *lane_base (&job->params, lane) != 0;
  job->params.base = lanes->base / ROW_BYTES;
  job->params.stride = first->stride / ROW_BYTES;
  job->params.sub_y = first->sub_y;
  job->params.period_shift = lanes->period_shift;
  if (job->kind.masked) {
    /* Each row of a cell can begin and end within a unit, which is then read for two cells. */
    job->n_units =
        (guint64) n_rows (histogram, first->sub_y) * (row_bytes / ROW_BYTES + 2 * columns);
    job->cell_units = largest_cell (histogram, stage, first, lanes);
  } else {
    job->n_units = job->cell_units = (guint64) first->stride * first->height / ROW_BYTES;
    job->params.n_units = (guint32) job->n_units;
  }
}

/* ---- kinds of jobs ---- */

static void
begin_job (const GstGlesFrameHistogram *histogram, const GstGlesFrameHistogramStage *stage,
    guint at, GstGlesFrameHistogramPlannedJob *job)
{
  const GstGlesFrameChannel *channel = &histogram->channels[stage->channels[at].channel];
  const GstGlesImage *format = &histogram->plan.format;

  memset (job, 0, sizeof (*job));
  job->kind.bytes = 1;
  job->kind.lanes = 4;
  job->kind.luma = channel->luma;
  job->kind.mask = histogram->config.mask != NULL;
  job->spans[0] = channel->spans;
  job->n_components = channel->luma ? 3 : 1;
  for (guint i = 0; i < job->n_components; i++)
    job->components[i] = format->components[channel->component + i];
  job->n_samples = channel->n_samples;
  job->params.parts = job->params.ranges = 1;
  job->params.bins = job->params.n_counters = stage->channels[at].bins;
  job->params.depth = channel->depth;
  job->params.out_base = stage->channels[at].out_base;
  job->params.channel_stride = job->params.bins;
  job->params.mask = (1u << channel->depth) - 1;
  job->params.shift = job->components[0].shift;
  if (channel->luma) {
    job->params.kr = format->kr;
    job->params.kg = format->kg;
    job->params.kb = format->kb;
  }
}

static gboolean
same_words (const GstGlesComponent *a, const GstGlesComponent *b)
{
  return a->plane == b->plane && a->stride == b->stride && a->word_bytes == b->word_bytes &&
      a->big_endian == b->big_endian && a->shift == b->shift && a->depth == b->depth &&
      a->sub_y == b->sub_y;
}

/* Adds channel @at of the stage to @job, whose lanes are @lanes, if one pass can count both.
 * Returns whether it did. */
static gboolean
join_job (const GstGlesFrameHistogram *histogram, const GstGlesFrameHistogramStage *stage, guint at,
    const Lanes *lanes, GstGlesFrameHistogramPlannedJob *job)
{
  const GstGlesFrameHistogramTuning *tuning = histogram->tuning;
  const guint max_counters = MAX (tuning->private_max_counters, tuning->shared_words);
  const GstGlesFrameChannel *channel = &histogram->channels[stage->channels[at].channel];
  const GstGlesComponent *component = &histogram->plan.format.components[channel->component];
  GstGlesFrameHistogramJob *params = &job->params;
  guint stride = stage->channels[at].out_base - params->out_base;
  guint n = params->n_counters / params->bins;
  Lanes own;

  if (channel->luma || job->n_components == G_N_ELEMENTS (job->components) ||
      stage->channels[at].bins != params->bins || params->n_counters + params->bins > max_counters)
    return FALSE;
  if (!same_words (component, &job->components[0]) || !find_lanes (component, &own) ||
      own.base != lanes->base || own.lanes != lanes->lanes ||
      own.period_shift != lanes->period_shift || !lanes_are_free (params, &own))
    return FALSE;
  /* The kernel computes the position of a channel's counters from its number and one stride. */
  if (n > 1 && stride != n * params->channel_stride)
    return FALSE;
  params->channel_stride = stride / n;
  place_lanes (params, component, &own, params->n_counters);
  params->n_counters += params->bins;
  job->spans[job->n_components] = channel->spans;
  job->components[job->n_components++] = *component;
  job->n_samples += channel->n_samples;
  return TRUE;
}

/* Finds the bits of R, G and B in a 4-byte word. Returns FALSE if a pixel is not such a word. */
static gboolean
find_luma_word (GstGlesFrameHistogramPlannedJob *job, Lanes *lanes)
{
  const GstGlesComponent *c = job->components;
  guint shifts[3];

  for (guint i = 0; i < 3; i++) {
    if (c[i].plane != c[0].plane || c[i].stride != c[0].stride || c[i].step != 4 ||
        c[i].word_bytes != c[0].word_bytes || c[i].big_endian != c[0].big_endian ||
        c[i].depth != c[0].depth || c[i].word_bytes == 2 || c[i].offset / 4 != c[0].offset / 4)
      return FALSE;
    shifts[i] = c[i].word_bytes == 4 ? c[i].shift : 8 * (c[i].offset % 4) + c[i].shift;
  }
  if (c[0].offset % ROW_BYTES >= 4 || (c[0].word_bytes == 4 && c[0].offset % 4 != 0) ||
      (c[0].stride % ROW_BYTES != 0 && c[0].height > 1))
    return FALSE;
  *lanes = (Lanes){ .lanes = 4, .period_bytes = 16, .lane_step = 1, .period_shift = 2 };
  lanes->base = c[0].offset / ROW_BYTES * ROW_BYTES;
  job->params.shift_r = shifts[0];
  job->params.shift_g = shifts[1];
  job->params.shift_b = shifts[2];
  return TRUE;
}

static void
finish_generic (const GstGlesFrameHistogram *histogram, const GstGlesFrameHistogramStage *stage,
    GstGlesFrameHistogramPlannedJob *job)
{
  const GstGlesComponent *first = &job->components[0];

  job->params.sub_x = first->sub_x;
  job->params.sub_y = first->sub_y;
  job->n_units = job->n_samples;
  job->cell_units = largest_cell (histogram, stage, first, NULL);
}

/* ---- counters ---- */

static void
use_shared (const GstGlesFrameHistogramTuning *tuning, gboolean packed, guint cells,
    GstGlesFrameHistogramPlannedJob *job)
{
  guint n = job->params.n_counters;
  guint words = tuning->shared_words;
  guint64 units = job->n_units / cells;
  guint64 samples = job->n_samples / cells;
  guint64 group_units = (guint64) tuning->shared_invocations * tuning->shared_units;

  job->kind.counters = GST_GLES_COUNTERS_SHARED;
  job->kind.packed =
      n > tuning->shared_words || (packed && (job->kind.bytes > 1 || !job->kind.wide));
  if (job->kind.packed) {
    job->params.ranges = (n + 2 * tuning->shared_words - 1) / (2 * tuning->shared_words);
    return;
  }
  job->kind.small = units < 2 * tuning->shared_invocations && n <= tuning->small_words;
  if (job->kind.small)
    words = tuning->small_words;
  else if (units > group_units)
    samples = samples * group_units / units;
  /* There are at most 32 replicas, one per bank. Clearing and merging all replicas must not take
   * more steps than counting. */
  while (job->params.replica_shift < 5 && n << (job->params.replica_shift + 1) <= words &&
      (guint64) n << (job->params.replica_shift + 2) <= samples)
    job->params.replica_shift++;
}

static void
choose_counters (const GstGlesFrameHistogram *histogram, const GstGlesFrameHistogramStage *stage,
    GstGlesFrameHistogramPlannedJob *job)
{
  const GstGlesFrameHistogramTuning *tuning = histogram->tuning;
  const GstGlesFrameHistogramForce force = histogram->force;
  const GstGlesFrameHistogramForce counters = GST_GLES_FRAME_HISTOGRAM_FORCE_PRIVATE |
      GST_GLES_FRAME_HISTOGRAM_FORCE_SHARED | GST_GLES_FRAME_HISTOGRAM_FORCE_PACKED |
      GST_GLES_FRAME_HISTOGRAM_FORCE_GLOBAL;
  guint64 samples = job->n_samples / n_cells (histogram, stage);
  guint64 n = job->params.n_counters;
  guint private_size =
      gst_gles_frame_histogram_private_size (&job->kind, histogram->tuning, job->params.n_counters);

  if (stage->cells &&
      ((force & GST_GLES_FRAME_HISTOGRAM_FORCE_SCATTER) != 0 ||
          ((force & counters) == 0 && samples < tuning->scatter_max_samples))) {
    job->kind.scatter = TRUE;
    job->kind.counters = GST_GLES_COUNTERS_GLOBAL;
  } else if (private_size > 0 &&
      ((force & GST_GLES_FRAME_HISTOGRAM_FORCE_PRIVATE) != 0 ||
          ((force & counters) == 0 && n <= tuning->private_max_counters &&
              samples >= tuning->private_min_samples * n))) {
    job->kind.counters = GST_GLES_COUNTERS_PRIVATE;
    job->kind.private_size = private_size;
  } else if ((force & GST_GLES_FRAME_HISTOGRAM_FORCE_GLOBAL) != 0 ||
      ((force & counters) == 0 &&
          (tuning->private_max_counters > 0 ||
              n > samples * tuning->shared_max_counters_per_sample))) {
    job->kind.counters = GST_GLES_COUNTERS_GLOBAL;
  } else {
    use_shared (tuning, (force & GST_GLES_FRAME_HISTOGRAM_FORCE_PACKED) != 0,
        n_cells (histogram, stage), job);
  }
}

static gboolean
may_be_wide (const GstGlesFrameHistogram *histogram, const GstGlesFrameHistogramStage *stage,
    guint64 samples)
{
  if ((histogram->force & GST_GLES_FRAME_HISTOGRAM_FORCE_GENERIC) != 0)
    return FALSE;
  if (!stage->cells)
    return TRUE;
  return (histogram->force & GST_GLES_FRAME_HISTOGRAM_FORCE_SCATTER) == 0 &&
      samples / n_cells (histogram, stage) >= histogram->tuning->scatter_max_samples;
}

/* Lets all jobs share a program, where they differ only in whether lanes have counters of their own
 * and in the size of the array. LLVM then compiles one program instead of two. */
static void
share_programs (GstGlesFrameHistogramPlannedJob *jobs, guint n_jobs)
{
  GstGlesFrameHistogramKind widest = jobs[0].kind;

  for (guint i = 0; i < n_jobs; i++) {
    widest.lane_map |= jobs[i].kind.lane_map;
    widest.private_size = MAX (widest.private_size, jobs[i].kind.private_size);
  }
  for (guint i = 0; i < n_jobs; i++) {
    GstGlesFrameHistogramKind kind = jobs[i].kind;

    kind.lane_map = widest.lane_map;
    kind.private_size = widest.private_size;
    if (kind.counters != GST_GLES_COUNTERS_PRIVATE || memcmp (&kind, &widest, sizeof (kind)) != 0)
      return;
  }
  for (guint i = 0; i < n_jobs; i++)
    jobs[i].kind = widest;
}

guint
gst_gles_frame_histogram_plan_jobs (const GstGlesFrameHistogram *histogram,
    const GstGlesFrameHistogramStage *stage, GstGlesFrameHistogramPlannedJob *jobs)
{
  const GstGlesFrameHistogramTuning *tuning = histogram->tuning;
  gboolean placed[GST_GLES_MAX_COMPONENTS] = { FALSE };
  guint n_jobs = 0;

  for (guint i = 0; i < stage->n_channels; i++) {
    GstGlesFrameHistogramPlannedJob *job = &jobs[n_jobs];
    gboolean wide;
    Lanes lanes = { 0 };

    if (placed[i])
      continue;
    begin_job (histogram, stage, i, job);
    n_jobs++;
    wide = may_be_wide (histogram, stage, job->n_samples) &&
        (job->kind.luma ? !gst_gles_frame_scales_to_8 (&histogram->plan.format) &&
                    find_luma_word (job, &lanes)
                        : find_lanes (&job->components[0], &lanes));
    if (!wide) {
      finish_generic (histogram, stage, job);
    } else {
      for (guint lane = 0; lane < 4; lane++)
        *lane_base (&job->params, lane) = NO_LANE;
      place_lanes (&job->params, &job->components[0], &lanes, 0);
      for (guint k = i + 1; k < stage->n_channels && !job->kind.luma; k++)
        placed[k] = placed[k] || join_job (histogram, stage, k, &lanes, job);
      finish_wide (histogram, stage, &lanes, job);
    }
    choose_counters (histogram, stage, job);
  }
  if (tuning->per_processor)
    share_programs (jobs, n_jobs);
  return n_jobs;
}
