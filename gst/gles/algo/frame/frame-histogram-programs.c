/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frame histogram: describes the programs of the plan's passes, lists every program that a plan can
 * use, and builds the programs of a plan. */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/frame-histogram-private.h>

/* The powers of two that are needed: of one channel of 8 bits, of four or of one of 10 bits, and of
 * 12 bits. */
static const guint private_sizes[] = { 256, 1024, 4096 };

guint
gst_gles_frame_histogram_private_size (const GstGlesFrameHistogramKind *kind,
    const GstGlesFrameHistogramTuning *tuning, guint n_counters)
{
  /* An array of 256 counters needs indices that cannot be larger: bytes of one channel. */
  guint first = kind->wide && kind->bytes == 1 && !kind->lane_map ? 0 : 1;

  for (guint i = first; i < G_N_ELEMENTS (private_sizes); i++) {
    if (n_counters <= private_sizes[i] && private_sizes[i] <= tuning->private_array_max)
      return private_sizes[i];
  }
  return 0;
}

guint
gst_gles_frame_histogram_local_size (
    const GstGlesFrameHistogramKind *kind, const GstGlesFrameHistogramTuning *tuning)
{
  switch (kind->counters) {
    case GST_GLES_COUNTERS_PRIVATE:
      return tuning->private_invocations;
    case GST_GLES_COUNTERS_SHARED:
      return kind->small ? tuning->small_invocations : tuning->shared_invocations;
    default:
      return tuning->global_invocations;
  }
}

static void
count_spec (const GstGlesFrameHistogramKind *kind, const GstGlesFrameHistogramTuning *tuning,
    GstGlesProgramSpec *spec)
{
  const GstGlesFrameHistogramTuning *t = tuning;
  guint shared_words = kind->small ? t->small_words : t->shared_words;
  guint words = kind->counters == GST_GLES_COUNTERS_SHARED ? shared_words : 0;
  const GstGlesDefine defines[] = {
    { "WIDE", kind->wide },
    { "BYTES", kind->bytes },
    { "LANES", kind->lanes },
    { "LANE_MAP", kind->lane_map },
    { "LUMA", kind->luma },
    { "MASKED", kind->masked },
    { "SCATTER", kind->scatter },
    { "COUNTERS", kind->counters },
    { "PRIVATE_SIZE", kind->private_size },
    { "SHARED_WORDS", words },
    { "PACKED", kind->packed },
    { "MASK", kind->mask },
  };

  G_STATIC_ASSERT (G_N_ELEMENTS (defines) < GST_GLES_PROGRAM_MAX_DEFINES);
  memset (spec, 0, sizeof (*spec));
  spec->kernel = "frame-histogram_count";
  spec->local_size[0] = gst_gles_frame_histogram_local_size (kind, tuning);
  if (kind->counters == GST_GLES_COUNTERS_PRIVATE)
    words = 256 * t->private_invocations; /* merge_counters of histogram_counters.glsl */
  else if (kind->counters == GST_GLES_COUNTERS_GLOBAL)
    words = 8; /* spare_words of histogram_counters.glsl */
  spec->shared_bytes = 4 * words;
  spec->n_storage = 4 - kind->mask;
  memcpy (spec->defines, defines, sizeof (defines));
}

static void
fold_spec (gboolean rebin, const GstGlesFrameHistogramTuning *tuning, GstGlesProgramSpec *spec)
{
  memset (spec, 0, sizeof (*spec));
  spec->kernel = "frame-histogram_fold";
  spec->local_size[0] = tuning->shared_invocations;
  spec->n_storage = 1 + rebin;
  spec->defines[0] = (GstGlesDefine){ "REBIN", rebin };
}

static void
difference_spec (const GstGlesFrameHistogramTuning *tuning, GstGlesProgramSpec *spec)
{
  memset (spec, 0, sizeof (*spec));
  spec->kernel = "frame-histogram_difference";
  spec->local_size[0] = tuning->difference_invocations;
  spec->shared_bytes = 4 * (spec->local_size[0] + 3);
  spec->n_storage = 2;
}

static void
clear_spec (const GstGlesFrameHistogramTuning *tuning, GstGlesProgramSpec *spec)
{
  memset (spec, 0, sizeof (*spec));
  spec->kernel = "frame-histogram_clear";
  spec->local_size[0] = tuning->global_invocations;
  spec->n_storage = 1;
}

/* ---- all specialisations ---- */

typedef struct {
  const GstGlesFrameHistogramTuning *tuning;
  GHashTable *seen; /* programs already visited: device classes share many */
  GstGlesSpecialisationFunc func;
  gpointer user_data;
} Walk;

static void
visit_spec (const Walk *walk, const GstGlesProgramSpec *spec)
{
  if (g_hash_table_add (walk->seen, g_bytes_new (spec, sizeof (*spec))))
    walk->func (spec, walk->user_data);
}

static void
visit (const Walk *walk, const GstGlesFrameHistogramKind *kind)
{
  GstGlesProgramSpec spec;

  count_spec (kind, walk->tuning, &spec);
  visit_spec (walk, &spec);
}

/* Visits @kind with each kind of counters that the device class can use. Devices that never choose
 * private counters compile them when they are forced. */
static void
visit_counters (const Walk *walk, GstGlesFrameHistogramKind kind)
{
  kind.counters = GST_GLES_COUNTERS_PRIVATE;
  for (guint i = 0; i < G_N_ELEMENTS (private_sizes) && walk->tuning->private_max_counters > 0;
       i++) {
    kind.private_size = private_sizes[i];
    if (gst_gles_frame_histogram_private_size (&kind, walk->tuning, private_sizes[i]) !=
        private_sizes[i])
      continue;
    /* Bytes have 256 values in at most 4 channels. */
    if (kind.wide && kind.bytes == 1 && private_sizes[i] > (kind.lane_map ? 1024 : 256))
      continue;
    visit (walk, &kind);
  }
  kind.private_size = 0;
  kind.counters = GST_GLES_COUNTERS_GLOBAL;
  visit (walk, &kind);
  kind.counters = GST_GLES_COUNTERS_SHARED;
  visit (walk, &kind);
  kind.small = TRUE;
  visit (walk, &kind);
  kind.small = FALSE;
  kind.packed = TRUE;
  if (!kind.wide || kind.bytes > 1)
    visit (walk, &kind);
}

/* Visits each way to read samples. */
static void
visit_access (const Walk *walk)
{
  static const GstGlesFrameHistogramKind kinds[] = {
    { .wide = TRUE, .bytes = 1, .lanes = 4 },
    { .wide = TRUE, .bytes = 1, .lanes = 4, .lane_map = TRUE },
    { .wide = TRUE, .bytes = 1, .lanes = 3, .lane_map = TRUE },
    { .wide = TRUE, .bytes = 2, .lanes = 4 },
    { .wide = TRUE, .bytes = 2, .lanes = 4, .lane_map = TRUE },
    { .wide = TRUE, .bytes = 4, .lanes = 4 },
    { .wide = TRUE, .bytes = 4, .lanes = 4, .luma = TRUE },
    { .bytes = 1, .lanes = 4 },
    { .bytes = 1, .lanes = 4, .luma = TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    GstGlesFrameHistogramKind kind = kinds[i];

    visit_counters (walk, kind);
    kind.masked = kind.wide;
    if (kind.wide) {
      visit_counters (walk, kind);
      kind.mask = TRUE;
      visit_counters (walk, kind);
      continue;
    }
    kind.mask = TRUE;
    visit_counters (walk, kind);
    kind.scatter = TRUE;
    kind.counters = GST_GLES_COUNTERS_GLOBAL;
    for (guint mask = 0; mask < 2; mask++) {
      kind.mask = mask;
      visit (walk, &kind);
    }
  }
}

void
gst_gles_frame_histogram_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  g_autoptr (GHashTable) seen =
      g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  guint n_rows;
  const GstGlesFrameHistogramTuning *rows = gst_gles_frame_histogram_tuning_rows (&n_rows);

  for (guint i = 0; i < n_rows; i++) {
    const Walk walk = { &rows[i], seen, func, user_data };
    GstGlesProgramSpec spec;

    visit_access (&walk);
    for (guint rebin = 0; rebin < 2; rebin++) {
      fold_spec (rebin, &rows[i], &spec);
      visit_spec (&walk, &spec);
    }
    difference_spec (&rows[i], &spec);
    visit_spec (&walk, &spec);
    clear_spec (&rows[i], &spec);
    visit_spec (&walk, &spec);
  }
}

/* ---- building ---- */

static gboolean
warm_up (GstGlesFrameHistogram *histogram, GstGlesDispatch dispatch, GError **error)
{
  const guint one[3] = { 1, 1, 1 };

  dispatch.flags = GST_GLES_DISPATCH_INDEPENDENT;
  return gst_gles_queue_dispatch (histogram->plan.queue, &dispatch, one, error);
}

static gboolean
warm_up_all (gpointer user_data, GstGlesBuffer *nothing, GError **error)
{
  GstGlesFrameHistogram *histogram = user_data;
  GstGlesFrameHistogramClear clear = { 0 };
  GstGlesFrameHistogramDifference differences[GST_GLES_FRAME_HISTOGRAM_MAX_JOBS] = { { 0 } };
  GstGlesFrameHistogramFold folds[GST_GLES_FRAME_HISTOGRAM_MAX_JOBS] = { { 0 } };
  GstGlesBinding bindings[4];
  gboolean ok;

  for (guint i = 0; i < G_N_ELEMENTS (bindings); i++)
    bindings[i] = (GstGlesBinding){ nothing, 0, 0, GST_GLES_READ_WRITE };
  ok =
      (histogram->clear == NULL ||
          warm_up (histogram, *GST_GLES_DISPATCH (histogram->clear, bindings, 1, &clear), error)) &&
      (histogram->difference == NULL ||
          warm_up (histogram, *GST_GLES_DISPATCH (histogram->difference, bindings, 2, &differences),
              error));
  for (guint i = 0; ok && i < histogram->n_folds; i++)
    ok = warm_up (histogram,
        *GST_GLES_DISPATCH (
            histogram->folds[i].program, bindings, 1 + histogram->folds[i].rebin, &folds),
        error);
  for (guint i = 0; ok && i < histogram->n_passes; i++) {
    const GstGlesFrameHistogramPass *pass = &histogram->passes[i];
    GstGlesFrameHistogramCountParams params = pass->params;

    params.shape.n_groups = 0;
    params.shape.n_all_groups = 0;
    params.shape.last_word = 0;
    for (guint k = 0; k < GST_GLES_FRAME_HISTOGRAM_MAX_JOBS; k++)
      params.jobs[k].n_counters = 0;
    bindings[0].usage = GST_GLES_READ;
    ok = warm_up (histogram,
        *GST_GLES_DISPATCH (pass->program, bindings, 4 - pass->kind.mask, &params), error);
  }
  return ok;
}

GstGlesProgram *
gst_gles_frame_histogram_get_difference (GstGlesQueue *queue, GError **error)
{
  g_autoptr (GstGlesDevice) device = gst_gles_queue_get_device (queue);
  GstGlesProgramSpec spec;

  difference_spec (gst_gles_frame_histogram_tuning_get (device), &spec);
  return gst_gles_program_get (queue, &spec, error);
}

gboolean
gst_gles_frame_histogram_build_clear (GstGlesFrameHistogram *histogram, GError **error)
{
  GstGlesProgramSpec spec;

  if (histogram->clear == NULL) {
    clear_spec (histogram->tuning, &spec);
    histogram->clear = gst_gles_program_get (histogram->plan.queue, &spec, error);
  }
  return histogram->clear != NULL;
}

/* The last-block flush clears the accumulator and compares, except for the earth mover's distance.
 * A program that a plan does not need is not built: on llvmpipe the comparison alone takes a
 * seventh of the time to the first result. */
gboolean
gst_gles_frame_histogram_build (GstGlesFrameHistogram *histogram, GError **error)
{
  const gboolean in_place = histogram->accumulator == NULL;
  GstGlesProgramList list = { .n = 0 };
  GstGlesProgramSpec spec;

  G_STATIC_ASSERT (2 + G_N_ELEMENTS (histogram->folds) + GST_GLES_FRAME_HISTOGRAM_MAX_PASSES <=
      GST_GLES_PROGRAM_LIST_MAX);
  if (in_place) {
    clear_spec (histogram->tuning, &spec);
    gst_gles_program_list_add (&list, &spec, &histogram->clear);
  }
  if (in_place || histogram->config.emd) {
    difference_spec (histogram->tuning, &spec);
    gst_gles_program_list_add (&list, &spec, &histogram->difference);
  }
  for (guint i = 0; i < histogram->n_folds; i++) {
    GstGlesFrameHistogramFoldPass *fold = &histogram->folds[i];
    fold_spec (fold->rebin, histogram->tuning, &spec);
    gst_gles_program_list_add (&list, &spec, &fold->program);
  }
  for (guint i = 0; i < histogram->n_passes; i++) {
    GstGlesFrameHistogramPass *pass = &histogram->passes[i];
    count_spec (&pass->kind, histogram->tuning, &spec);
    gst_gles_program_list_add (&list, &spec, &pass->program);
  }
  return gst_gles_program_list_get (&list, histogram->plan.queue, error) &&
      gst_gles_frame_warm_up (histogram->plan.queue, warm_up_all, histogram, error);
}
