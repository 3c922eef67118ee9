/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Plans the dispatches of the frame histogram: the stages of a configuration, their jobs, and the
 * workgroups of each job. */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/frame-histogram-private.h>
#include <gst/gles/core/checked.h>

/* The limit of the scratch memory for counting cells at native depth: 64 MiB. */
#define MAX_SCRATCH_WORDS (1u << 24)

/* llvmpipe ends the loops of an invocation after 65535 iterations in total. At most this many are
 * planned for counting; the rest is for clearing and merging. */
#define MAX_ROUNDS 32768u

/* With fewer samples, clearing and merging a workgroup's counters takes longer than counting. */
#define MIN_SAMPLES_PER_GROUP 32768u

/* Histograms with four times as many counters have a quarter of the workgroups at most; larger ones
 * have as many. */
#define MAX_SHARE 4

/* With more counters the last-block flush, which one workgroup does, takes too long. */
#define MAX_ACCUMULATOR_WORDS 4096u

/* ---- workgroups ---- */

/* For a device that starts workgroups when others end: as many parts as have enough units each.
 * With more counters, which each workgroup clears and merges, there are fewer workgroups. */
static guint64
parts_by_units (const GstGlesFrameHistogramTuning *tuning,
    const GstGlesFrameHistogramPlannedJob *job, guint64 n_cells, guint64 n_jobs)
{
  guint64 per_group =
      (guint64) gst_gles_frame_histogram_local_size (&job->kind, tuning) * tuning->shared_units;
  gboolean merges = job->kind.counters == GST_GLES_COUNTERS_SHARED && !job->kind.packed;
  guint64 share =
      merges ? CLAMP (gst_gles_div_ceil (job->params.n_counters, 256), 1, MAX_SHARE) : 1;
  guint64 n_groups = tuning->shared_max_groups / n_jobs / share;
  guint64 parts = gst_gles_div_ceil (gst_gles_div_ceil (job->n_units, n_cells), per_group);

  return CLAMP (parts, 1, MAX (n_groups / n_cells, 1));
}

/* For a device that assigns equal shares of the workgroups to its processors in advance: one
 * workgroup per processor, or three if there are several jobs, so that the shares take similar
 * times. */
static guint64
parts_by_processors (const GstGlesFrameHistogramPlannedJob *job, guint64 n_cells, guint n_jobs,
    guint64 all_units, guint64 all_samples)
{
  guint64 groups = (guint64) g_get_num_processors () * (n_jobs == 1 ? 1 : 3);
  guint64 per_group;

  groups = CLAMP (gst_gles_div_ceil (all_samples, MIN_SAMPLES_PER_GROUP), 1, groups);
  per_group = MAX (all_units / groups, 1);
  return MAX ((job->n_units + per_group / 2) / per_group / n_cells, 1);
}

static void
plan_groups (GstGlesFrameHistogram *histogram, GstGlesFrameHistogramPass *pass,
    const GstGlesFrameHistogramPlannedJob *jobs, guint64 n_cells)
{
  const GstGlesFrameHistogramTuning *tuning = histogram->tuning;
  const guint *limit = gst_gles_device_get_limits (histogram->plan.device)->groups;
  guint n_jobs = pass->params.shape.n_jobs;
  guint64 units = 0, samples = 0, groups = 0;

  for (guint i = 0; i < n_jobs; i++) {
    units += jobs[i].n_units;
    samples += jobs[i].n_samples;
  }
  for (guint i = 0; i < n_jobs; i++) {
    GstGlesFrameHistogramJob *job = &pass->params.jobs[i];
    guint64 least = gst_gles_div_ceil (gst_gles_div_ceil (jobs[i].n_units, n_cells),
        (guint64) MAX_ROUNDS *
            gst_gles_frame_histogram_local_size (&pass->kind, histogram->tuning));
    guint64 parts = tuning->per_processor
        ? parts_by_processors (&jobs[i], n_cells, n_jobs, units, samples)
        : parts_by_units (tuning, &jobs[i], n_cells, n_jobs);

    job->parts = (guint32) MAX (parts, MAX (least, 1));
    job->first_group = (guint32) groups;
    groups += n_cells * job->parts * job->ranges;
  }
  pass->params.shape.n_groups = (guint32) groups;
  pass->groups[0] = (guint) MIN (groups, limit[0]);
  pass->groups[1] = (guint) gst_gles_div_ceil (groups, pass->groups[0]);
  pass->groups[2] = 1;
}

/* ---- passes ---- */

static void
add_to_pass (GstGlesFrameHistogramPass *pass, const GstGlesFrameHistogramPlannedJob *job)
{
  guint at = pass->params.shape.n_jobs++;

  pass->params.jobs[at] = job->params;
  if (job->kind.wide)
    return;
  /* Luma is the only job of its pass, so its components begin at 0. */
  pass->params.jobs[at].component = job->kind.luma ? 0 : at;
  for (guint i = 0; i < job->n_components; i++)
    pass->params.components[pass->params.jobs[at].component + i] = job->components[i];
}

static void
begin_pass (const GstGlesFrameHistogram *histogram, const GstGlesFrameHistogramStage *stage,
    const GstGlesFrameHistogramPlannedJob *job, GstGlesFrameHistogramPass *pass)
{
  const GstGlesFrameHistogramConfig *config = &histogram->config;
  GstGlesFrameHistogramShape *shape = &pass->params.shape;

  memset (pass, 0, sizeof (*pass));
  pass->kind = job->kind;
  pass->scratch = stage->scratch;
  shape->x = config->x;
  shape->y = config->y;
  shape->width = config->width;
  shape->height = config->height;
  shape->columns = stage->cells ? config->columns : 1;
  shape->rows = stage->cells ? config->rows : 1;
  shape->scale_to_8 = gst_gles_frame_scales_to_8 (&histogram->plan.format);
  /* The components of a format have the same order of bytes. */
  shape->big_endian = job->components[0].big_endian;
}

static void
plan_stage (GstGlesFrameHistogram *histogram, const GstGlesFrameHistogramStage *stage)
{
  GstGlesFrameHistogramPlannedJob jobs[GST_GLES_MAX_COMPONENTS];
  gboolean placed[GST_GLES_MAX_COMPONENTS] = { FALSE };
  guint64 n_cells = stage->cells ? (guint64) histogram->config.columns * histogram->config.rows : 1;
  guint n_jobs;

  if (stage->n_channels == 0)
    return;
  n_jobs = gst_gles_frame_histogram_plan_jobs (histogram, stage, jobs);
  for (guint i = 0; i < n_jobs; i++) {
    GstGlesFrameHistogramPass *pass = &histogram->passes[histogram->n_passes];
    GstGlesFrameHistogramPlannedJob of_pass[GST_GLES_MAX_COMPONENTS];

    histogram->n_units_read += jobs[i].n_units;
    if (placed[i])
      continue;
    g_assert (histogram->n_passes < GST_GLES_FRAME_HISTOGRAM_MAX_PASSES);
    histogram->n_passes++;
    begin_pass (histogram, stage, &jobs[i], pass);
    for (guint k = i; k < n_jobs; k++) {
      if (placed[k] || memcmp (&jobs[k].kind, &jobs[i].kind, sizeof (jobs[i].kind)) != 0)
        continue;
      placed[k] = TRUE;
      if (jobs[k].kind.mask)
        gst_gles_frame_histogram_add_mask (histogram, &jobs[k]);
      of_pass[pass->params.shape.n_jobs] = jobs[k];
      add_to_pass (pass, &jobs[k]);
    }
    plan_groups (histogram, pass, of_pass, jobs[i].kind.scatter ? 1 : n_cells);
  }
}

static void
add_channel (GstGlesFrameHistogramStage *stage, guint channel, guint bins, guint out_base)
{
  guint at = stage->n_channels++;

  stage->channels[at].channel = channel;
  stage->channels[at].bins = bins;
  stage->channels[at].out_base = out_base;
}

/* ---- folding ---- */

static void
add_fold (GstGlesFrameHistogram *histogram, guint channel, gboolean rebin, guint source_offset)
{
  guint n_cells = histogram->config.columns * histogram->config.rows;
  guint n_values = 1u << histogram->channels[channel].depth;
  guint n_lanes = histogram->tuning->shared_invocations;
  guint max_groups = gst_gles_device_get_limits (histogram->plan.device)->groups[0];
  /* Iterations of an invocation per cell: for the sums, and for its bins, each of which is a
   * loop. */
  guint rounds = (guint) (gst_gles_div_ceil (n_values, n_lanes) +
      gst_gles_div_ceil (histogram->config.bins, n_lanes) *
          (gst_gles_div_ceil (n_values, histogram->config.bins) + 1));
  GstGlesFrameHistogramFoldPass *fold = NULL;
  guint at, per_group;

  for (guint i = 0; i < histogram->n_folds; i++) {
    if (histogram->folds[i].rebin == rebin)
      fold = &histogram->folds[i];
  }
  if (fold == NULL) {
    fold = &histogram->folds[histogram->n_folds++];
    memset (fold, 0, sizeof (*fold));
    fold->rebin = rebin;
    fold->groups[0] = fold->groups[2] = 1;
  }
  at = fold->groups[1]++;
  /* A GPU needs many workgroups, a CPU long contiguous ranges. */
  per_group = histogram->tuning->per_processor ? 64 : CLAMP (n_cells / 256, 1, 64);
  per_group = CLAMP (per_group, 1, MAX (MAX_ROUNDS / rounds, 1));
  per_group = MAX (per_group, (guint) gst_gles_div_ceil (n_cells, max_groups));
  fold->params[at] = (GstGlesFrameHistogramFold){
    .source_offset = source_offset,
    .native_offset = histogram->layout.channels[channel].native_offset,
    .cells_offset = histogram->layout.channels[channel].cells_offset,
    .depth = histogram->channels[channel].depth,
    .bins = histogram->config.bins,
    .n_cells = n_cells,
    .cells_per_group = per_group,
  };
  fold->groups[0] = MAX (fold->groups[0], (guint) gst_gles_div_ceil (n_cells, per_group));
}

/* ---- the plan ---- */

/* The words of scratch memory for the cells of all channels at native depth. */
static guint64
scratch_words (const GstGlesFrameHistogram *histogram)
{
  guint64 words = 0;

  for (guint i = 0; i < histogram->layout.n_channels; i++)
    words += ((guint64) histogram->config.columns * histogram->config.rows)
        << histogram->channels[i].depth;
  return words;
}

static void
plan_differences (GstGlesFrameHistogram *histogram)
{
  for (guint i = 0; i < histogram->layout.n_channels; i++) {
    histogram->differences[i] = (GstGlesFrameHistogramDifference){
      .native_offset = histogram->layout.channels[i].native_offset / 4,
      .n_rows = (guint32) gst_gles_div_ceil (1u << histogram->channels[i].depth, 4),
      .difference_offset = histogram->layout.channels[i].difference_offset / 4,
      .emd = histogram->config.emd,
    };
  }
}

/* Sets the parameters of the last-block flush. The accumulator has the same layout as the counts
 * up to the last native counter; the ticket follows. */
static void
plan_finish (GstGlesFrameHistogram *histogram)
{
  guint groups = 0;

  for (guint i = 0; i < histogram->n_passes; i++)
    groups += histogram->passes[i].params.shape.n_groups;
  for (guint i = 0; i < histogram->n_passes; i++) {
    GstGlesFrameHistogramCountParams *params = &histogram->passes[i].params;
    params->shape.n_all_groups = groups;
    params->shape.n_channels = histogram->layout.n_channels;
    params->shape.ticket = histogram->layout.channels[0].difference_offset;
    memcpy (params->channels, histogram->differences, sizeof (params->channels));
  }
}

void
gst_gles_frame_histogram_plan (GstGlesFrameHistogram *histogram)
{
  const GstGlesFrameHistogramLayout *layout = &histogram->layout;
  GstGlesFrameHistogramStage native = { 0 };
  GstGlesFrameHistogramStage cells = { .cells = TRUE };                 /* directly in the counts */
  GstGlesFrameHistogramStage fine = { .cells = TRUE, .scratch = TRUE }; /* folded afterwards */
  GstGlesFrameHistogramStage scaled = { .cells = TRUE, .scale = TRUE }; /* directly in the counts */
  gboolean grid = layout->columns * layout->rows > 1;
  gboolean fold = (histogram->force & GST_GLES_FRAME_HISTOGRAM_FORCE_DIRECT) == 0 &&
      scratch_words (histogram) <= MAX_SCRATCH_WORDS;
  guint64 scratch = 0;

  plan_differences (histogram);
  for (guint i = 0; i < layout->n_channels; i++) {
    guint n_values = 1u << histogram->channels[i].depth;

    if (!grid) {
      add_channel (&native, i, n_values, layout->channels[i].native_offset);
    } else if (layout->bins == n_values) {
      add_channel (&cells, i, n_values, layout->channels[i].cells_offset);
      add_fold (histogram, i, FALSE, layout->channels[i].cells_offset);
    } else if (fold) {
      add_channel (&fine, i, n_values, (guint) scratch);
      add_fold (histogram, i, TRUE, (guint) scratch);
      scratch += (guint64) layout->columns * layout->rows * n_values;
    } else {
      add_channel (&native, i, n_values, layout->channels[i].native_offset);
      add_channel (&scaled, i, layout->bins, layout->channels[i].cells_offset);
    }
  }
  histogram->scratch_bytes = scratch * 4;
  if (!grid && histogram->config.mask == NULL &&
      layout->channels[0].difference_offset <= MAX_ACCUMULATOR_WORDS)
    histogram->accumulator_bytes = ((gsize) layout->channels[0].difference_offset + 4) * 4;
  plan_stage (histogram, &native);
  plan_stage (histogram, &cells);
  plan_stage (histogram, &fine);
  plan_stage (histogram, &scaled);
  if (histogram->accumulator_bytes > 0)
    plan_finish (histogram);
}
