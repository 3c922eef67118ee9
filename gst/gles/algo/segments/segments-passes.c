/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernels of segments and their dispatches: two passes over keys; then, for each statistic, a
 * tree over all values and a climb per run. */
#include "config.h"

#include <gst/gles/algo/compact/compact-plan.h>
#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/segments/segments-private.h>
#include <gst/gles/core/checked.h>
#include <glsl/segments/segments-layout.h>

#define INVOCATIONS 64
/* Runs per invocation, if there are so many. llvmpipe ends the loops of an invocation after 65535
 * iterations in all. */
#define RUNS_EACH 16

/* ---- programs ---- */

static void
tile_spec (const GstGlesShape *shape, const gchar *kernel, guint key_words, gint out_keys,
    GstGlesProgramSpec *spec)
{
  guint n = gst_gles_shape_spec (shape, kernel, out_keys < 0 ? 2 : 3 + out_keys, spec);

  spec->shared_bytes = gst_gles_shape_scan_bytes (shape, shape->rows, 1);
  spec->defines[n++] = (GstGlesDefine){ "KEY_WORDS", key_words };
  if (out_keys >= 0)
    spec->defines[n++] = (GstGlesDefine){ "OUT_KEYS", out_keys };
}

void
gst_gles_segments_count_spec (const GstGlesShape *shape, guint key_words, GstGlesProgramSpec *spec)
{
  tile_spec (shape, "segments_count", key_words, -1, spec);
}

static void
lengths_spec (guint outputs, GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){
    .kernel = "segments_lengths",
    .local_size = { INVOCATIONS, 1, 1 },
    .n_storage = outputs == 3 ? 4 : 3,
    .defines = { { "OUTPUTS", outputs } },
  };
}

static void
tree_spec (GstGlesSegmentsStat stat, gboolean from_values, GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){
    .kernel = "segments_tree",
    .local_size = { INVOCATIONS, 1, 1 },
    .n_storage = from_values ? 3 : 2,
    .defines = { { "STAT", stat }, { "FROM_VALUES", from_values } },
  };
}

static void
fold_spec (GstGlesSegmentsStat stat, GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){
    .kernel = "segments_fold",
    .local_size = { INVOCATIONS, 1, 1 },
    .n_storage = 4,
    .defines = { { "STAT", stat } },
  };
}

static void
visit_shape (const GstGlesShape *shape, gboolean look_back, GstGlesSpecialisationFunc func,
    gpointer user_data)
{
  GstGlesProgramSpec spec;

  if (look_back)
    return;
  for (guint key_words = 1; key_words <= 2; key_words++) {
    gst_gles_segments_count_spec (shape, key_words, &spec);
    func (&spec, user_data);
    for (gint out_keys = 0; out_keys < 2; out_keys++) {
      tile_spec (shape, "segments_write", key_words, out_keys, &spec);
      func (&spec, user_data);
    }
  }
}

void
gst_gles_segments_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  GstGlesProgramSpec spec;

  gst_gles_array_tuning_foreach (gst_gles_compact_tuning, visit_shape, func, user_data);
  for (guint outputs = 1; outputs < GST_GLES_SEGMENTS_N_LENGTHS; outputs++) {
    lengths_spec (outputs, &spec);
    func (&spec, user_data);
  }
  for (GstGlesSegmentsStat stat = 0; stat < GST_GLES_SEGMENTS_N_STATS; stat++) {
    tree_spec (stat, TRUE, &spec);
    func (&spec, user_data);
    tree_spec (stat, FALSE, &spec);
    func (&spec, user_data);
    fold_spec (stat, &spec);
    func (&spec, user_data);
  }
}

static gboolean
ensure (GstGlesSegments *segments, GstGlesProgram **program, const GstGlesProgramSpec *spec,
    GError **error)
{
  if (*program == NULL)
    *program = gst_gles_program_get (segments->array.queue, spec, error);
  return *program != NULL;
}

/* ---- runs ---- */

static GstGlesBinding
words (GstGlesBuffer *buffer, guint64 n, GstGlesUsage usage)
{
  return gst_gles_array_binding (buffer, 0, n, usage);
}

static gboolean
queue_runs (GstGlesSegments *segments, const GstGlesSegmentsCall *call, GError **error)
{
  GstGlesArray *array = &segments->array;
  GstGlesBuffer *out_keys = call->outputs.keys;
  guint wide = call->key_words - 1;
  GstGlesProgram **counting = &segments->counting[wide];
  GstGlesProgram **writing = &segments->writing[wide][out_keys != NULL];
  const GstGlesBinding bindings[] = { gst_gles_array_state (array),
    words (call->keys, (guint64) call->limit * call->key_words, GST_GLES_READ),
    { segments->scratch, 0, 0, GST_GLES_READ_WRITE },
    words (out_keys, (guint64) call->max_count * call->key_words, GST_GLES_WRITE) };
  GstGlesSegmentsRunsPass pass = { .max_count = call->max_count };
  GstGlesProgramSpec spec;
  GstGlesWindow window;

  gst_gles_segments_count_spec (&array->two_pass, call->key_words, &spec);
  if (!ensure (segments, counting, &spec, error))
    return FALSE;
  tile_spec (&array->two_pass, "segments_write", call->key_words, out_keys != NULL, &spec);
  if (!ensure (segments, writing, &spec, error) ||
      !gst_gles_array_setup (array, &array->two_pass, &call->count, call->limit, error))
    return FALSE;
  window = gst_gles_array_window (array, &array->two_pass, &call->count, call->limit, 0);
  pass.array = window.pass;
  return gst_gles_array_dispatch (
             array, GST_GLES_DISPATCH (*counting, bindings, 2, &pass), &window, error) &&
      gst_gles_array_dispatch (array,
          GST_GLES_DISPATCH (*writing, bindings, out_keys != NULL ? 4 : 3, &pass), &window, error);
}

/* Dispatches an invocation for every few runs that there can be. */
static gboolean
dispatch_runs (GstGlesSegments *segments, const GstGlesSegmentsCall *call,
    const GstGlesDispatch *dispatch, GError **error)
{
  const guint limit = gst_gles_device_get_limits (segments->array.device)->groups[0];
  guint most = MIN (call->max_count, call->limit);
  guint groups[3] = { CLAMP (gst_gles_div_ceil (most, INVOCATIONS * RUNS_EACH), 1, limit), 1, 1 };

  return gst_gles_queue_dispatch (segments->array.queue, dispatch, groups, error);
}

static gboolean
queue_lengths (GstGlesSegments *segments, const GstGlesSegmentsCall *call, GError **error)
{
  const GstGlesSegmentsOutputs *o = &call->outputs;
  guint outputs = (o->starts != NULL ? 1 : 0) | (o->counts != NULL ? 2 : 0);
  GstGlesBinding bindings[4] = { gst_gles_array_state (&segments->array),
    { segments->scratch, 0, 0, GST_GLES_READ } };
  GstGlesProgramSpec spec;
  guint n = 2;

  if (outputs == 0)
    return TRUE;
  lengths_spec (outputs, &spec);
  if (!ensure (segments, &segments->lengths[outputs], &spec, error))
    return FALSE;
  if (o->starts != NULL)
    bindings[n++] = words (o->starts, call->max_count, GST_GLES_WRITE);
  if (o->counts != NULL)
    bindings[n++] = words (o->counts, call->max_count, GST_GLES_WRITE);
  return dispatch_runs (segments, call,
      &(GstGlesDispatch){
          .program = segments->lengths[outputs], .bindings = bindings, .n_bindings = n },
      error);
}

/* ---- values ---- */

static gboolean
dispatch_nodes (GstGlesSegments *segments, const GstGlesDispatch *dispatch, guint64 n_invocations,
    GError **error)
{
  const guint limit = gst_gles_device_get_limits (segments->array.device)->groups[0];
  guint n_groups = gst_gles_div_ceil (n_invocations, INVOCATIONS);
  const guint groups[3] = { MIN (n_groups, limit), gst_gles_div_ceil (n_groups, limit), 1 };

  return gst_gles_queue_dispatch (segments->array.queue, dispatch, groups, error);
}

/* A statistic of the values of runs. */
typedef struct {
  GstGlesSegmentsStat stat;
  GstGlesSegmentsPass pass;
  GstGlesBuffer *output; /* (nullable) */
} Fold;

/* Makes all levels of nodes that lie inside the array of values. */
static gboolean
queue_tree (
    GstGlesSegments *segments, const GstGlesSegmentsCall *call, const Fold *fold, GError **error)
{
  const GstGlesSegmentsStat stat = fold->stat;
  GstGlesSegmentsPass pass = fold->pass;
  const GstGlesBinding bindings[] = { gst_gles_array_state (&segments->array),
    { segments->scratch, 0, 0, GST_GLES_READ_WRITE },
    words (call->values, call->limit, GST_GLES_READ) };
  GstGlesProgramSpec spec;
  guint level = GST_GLES_SEGMENTS_LEAF_BITS;

  tree_spec (stat, TRUE, &spec);
  if (!ensure (segments, &segments->tree_first[stat], &spec, error))
    return FALSE;
  tree_spec (stat, FALSE, &spec);
  if (!ensure (segments, &segments->tree_next[stat], &spec, error))
    return FALSE;
  if (call->limit >> level > 0 &&
      !dispatch_nodes (segments, GST_GLES_DISPATCH (segments->tree_first[stat], bindings, 3, &pass),
          call->limit >> level, error))
    return FALSE;
  for (; call->limit >> level > 1; level += 4) {
    pass.level = level;
    if (!dispatch_nodes (segments,
            GST_GLES_DISPATCH (segments->tree_next[stat], bindings, 2, &pass),
            gst_gles_div_ceil (call->limit >> level, 16), error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
queue_fold (
    GstGlesSegments *segments, const GstGlesSegmentsCall *call, const Fold *fold, GError **error)
{
  const GstGlesBinding bindings[] = { gst_gles_array_state (&segments->array),
    { segments->scratch, 0, 0, GST_GLES_READ }, words (call->values, call->limit, GST_GLES_READ),
    words (fold->output, call->max_count, GST_GLES_WRITE) };
  GstGlesProgram **folding = &segments->folding[fold->stat];
  GstGlesProgramSpec spec;

  if (fold->output == NULL)
    return TRUE;
  fold_spec (fold->stat, &spec);
  return ensure (segments, folding, &spec, error) &&
      dispatch_runs (segments, call, GST_GLES_DISPATCH (*folding, bindings, 4, &fold->pass), error);
}

static gboolean
queue_sums (GstGlesSegments *segments, const GstGlesSegmentsCall *call,
    const GstGlesSegmentsPass *pass, GError **error)
{
  const GstGlesSegmentsOutputs *o = &call->outputs;
  Fold fold = { GST_GLES_SEGMENTS_SUM, *pass, o->sums };

  if (o->sums == NULL && o->sums_high == NULL)
    return TRUE;
  if (call->value_type == GST_GLES_VALUE_F32)
    fold.stat = GST_GLES_SEGMENTS_SUM_F32;
  else if (o->sums_high != NULL)
    fold.stat = GST_GLES_SEGMENTS_SUM_64;
  fold.pass.is_signed = call->value_type == GST_GLES_VALUE_I32;
  if (!queue_tree (segments, call, &fold, error) || !queue_fold (segments, call, &fold, error))
    return FALSE;
  fold.pass.high = 1;
  fold.output = o->sums_high;
  return queue_fold (segments, call, &fold, error);
}

/* Queues the smallest and the largest values of the runs, the latter as the smallest of flipped
 * keys. */
static gboolean
queue_extremes (GstGlesSegments *segments, const GstGlesSegmentsCall *call,
    const GstGlesSegmentsPass *pass, GError **error)
{
  Fold fold = { GST_GLES_SEGMENTS_MIN, *pass, call->outputs.mins };

  if (call->value_type != GST_GLES_VALUE_U32)
    fold.pass.flip = 0x80000000u;
  if (call->value_type == GST_GLES_VALUE_F32)
    fold.pass.sign_flip = 0x7fffffffu;
  if (fold.output != NULL &&
      (!queue_tree (segments, call, &fold, error) || !queue_fold (segments, call, &fold, error)))
    return FALSE;
  fold.pass.flip = ~fold.pass.flip;
  fold.output = call->outputs.maxs;
  return fold.output == NULL ||
      (queue_tree (segments, call, &fold, error) && queue_fold (segments, call, &fold, error));
}

gboolean
gst_gles_segments_queue (GstGlesSegments *segments, const GstGlesSegmentsCall *call, GError **error)
{
  const GstGlesSegmentsPass pass = {
    .n = call->limit,
    .counted = call->count.buffer != NULL,
    .tree = segments->tree,
    .leaves = segments->leaves,
  };

  return queue_runs (segments, call, error) && queue_lengths (segments, call, error) &&
      queue_sums (segments, call, &pass, error) && queue_extremes (segments, call, &pass, error);
}
