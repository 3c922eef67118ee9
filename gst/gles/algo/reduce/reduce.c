/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/reduce/reduce-private.h>
#include <gst/gles/cpu/reduce/reduce.h>
#include <glsl/reduce/reduce-layout.h>

/* OP of reduce/reduce_fold.glsl */
typedef enum {
  FOLD_SUM,
  FOLD_MIN,
  FOLD_TREE,
  N_FOLDS
} Fold;

struct _GstGlesReduce {
  GstGlesArray array;
  /* made at first use */
  GstGlesProgram *values[N_FOLDS], *result[N_FOLDS], *only[N_FOLDS];
};

/* One call. */
typedef struct {
  GstGlesReduceOp op;
  GstGlesValueType type;
  GstGlesBuffer *input;
  GstGlesCount count;
  guint limit; /* the largest number of values */
} Call;

GST_GLES_DEFINE_PLAN (GstGlesReduce, gst_gles_reduce)
GST_GLES_DEFINE_PLAN_NEW (GstGlesReduce, gst_gles_reduce, "GST_GLES_REDUCE_VARIANT")

/* ---- programs ---- */

/* What a kernel does: fold values to partial results, fold these to the result, or both. */
typedef enum {
  PASS_VALUES,
  PASS_RESULT,
  PASS_ONLY,
  N_PASSES
} Pass;

static void
reduce_spec (const GstGlesShape *shape, Pass pass, Fold fold, GstGlesProgramSpec *spec)
{
  gboolean result = pass == PASS_RESULT;
  guint fold_rows = !result && fold == FOLD_TREE ? shape->rows : 1;
  guint n =
      gst_gles_shape_spec (shape, result ? "reduce_result" : "reduce_values", result ? 1 : 2, spec);

  spec->defines[n++] = (GstGlesDefine){ "OP", fold };
  if (!result)
    spec->defines[n++] = (GstGlesDefine){ "FINISHES", pass == PASS_ONLY };
  if (pass == PASS_ONLY)
    spec->shared_bytes = 4;
  spec->shared_bytes += gst_gles_shape_scan_bytes (shape, 1, 1);
  if (fold != FOLD_SUM && shape->team == GST_GLES_TEAM_SHARED)
    spec->shared_bytes += 4 * fold_rows * shape->invocations;
  else if (fold != FOLD_SUM && shape->team == GST_GLES_TEAM_SUBGROUP)
    spec->shared_bytes += fold_rows * shape->invocations;
}

static gboolean
get_program (GstGlesReduce *reduce, GstGlesProgram **program, Pass pass, Fold fold, GError **error)
{
  GstGlesProgramSpec spec;

  if (*program == NULL) {
    reduce_spec (&reduce->array.two_pass, pass, fold, &spec);
    *program = gst_gles_program_get (reduce->array.queue, &spec, error);
  }
  return *program != NULL;
}

static gboolean
get_programs (GstGlesReduce *reduce, Fold fold, gboolean only, GError **error)
{
  if (only)
    return get_program (reduce, &reduce->only[fold], PASS_ONLY, fold, error);
  return get_program (reduce, &reduce->values[fold], PASS_VALUES, fold, error) &&
      get_program (reduce, &reduce->result[fold], PASS_RESULT, fold, error);
}

static void
visit_shape (const GstGlesShape *shape, gboolean look_back, GstGlesSpecialisationFunc func,
    gpointer user_data)
{
  guint n_passes = shape->team == GST_GLES_TEAM_SERIAL ? PASS_ONLY : N_PASSES;
  GstGlesProgramSpec spec;

  for (Fold fold = 0; fold < N_FOLDS && !look_back; fold++) {
    for (Pass pass = 0; pass < n_passes; pass++) {
      reduce_spec (shape, pass, fold, &spec);
      func (&spec, user_data);
    }
  }
}

void
gst_gles_reduce_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  gst_gles_array_tuning_foreach (gst_gles_reduce_tuning, visit_shape, func, user_data);
}

/* ---- plans ---- */

GstGlesReduce *
gst_gles_reduce_new_full (
    GstGlesQueue *queue, guint capacity, const GstGlesVariant *variant, GError **error)
{
  GstGlesReduce *reduce = g_new0 (GstGlesReduce, 1);
  const GstGlesArrayTuning *tuning = gst_gles_array_tuning (queue, gst_gles_reduce_tuning);

  if (!gst_gles_array_init (&reduce->array, queue,
          &(GstGlesArrayConfig){ "reduce", capacity, tuning, variant }, error))
    g_clear_pointer (&reduce, gst_gles_reduce_unref);
  return reduce;
}

static void
plan_finish (GstGlesReduce *reduce)
{
  for (Fold fold = 0; fold < N_FOLDS; fold++) {
    gst_gles_program_unref (reduce->values[fold]);
    gst_gles_program_unref (reduce->result[fold]);
    gst_gles_program_unref (reduce->only[fold]);
  }
}

/* ---- calls ---- */

static gboolean
run_cpu (GstGlesReduce *reduce, const Call *call, GError **error)
{
  GstGlesArray *array = &reduce->array;
  const guint32 *input = gst_gles_array_words (call->input);
  guint64 total;
  GstGlesCounted counted;

  if (!gst_gles_array_read_count (array, &call->count, call->limit, &counted, error))
    return FALSE;
  if (call->op == GST_GLES_REDUCE_MIN)
    total = gst_gles_cpu_reduce_min (call->type, input, counted.n);
  else if (call->op == GST_GLES_REDUCE_MAX)
    total = gst_gles_cpu_reduce_max (call->type, input, counted.n);
  else if (call->type == GST_GLES_VALUE_F32)
    total = gst_gles_cpu_reduce_sum_f32 (input, counted.n);
  else if (call->type == GST_GLES_VALUE_I32)
    total = gst_gles_cpu_reduce_sum_i32 (input, counted.n);
  else
    total = gst_gles_cpu_reduce_sum (input, counted.n);
  if (call->type == GST_GLES_VALUE_U32 && total > G_MAXUINT32)
    counted.status |= GST_GLES_STATUS_TOTAL_WRAPPED;
  return gst_gles_array_write_result (array, total, counted.n, counted.status, error);
}

static Fold
fold_of (const Call *call)
{
  if (call->op != GST_GLES_REDUCE_SUM)
    return FOLD_MIN;
  return call->type == GST_GLES_VALUE_F32 ? FOLD_TREE : FOLD_SUM;
}

static GstGlesReducePass
make_pass (const GstGlesReduce *reduce, const Call *call)
{
  static const struct {
    guint32 flip, sign_flip;
  } orders[] = { { 0, 0 }, { 0x80000000u, 0 }, { 0x80000000u, 0x7fffffffu } };
  /* The largest value has the smallest complement. */
  guint32 complement = call->op == GST_GLES_REDUCE_MAX ? G_MAXUINT32 : 0;

  return (GstGlesReducePass){
    .max_teams = gst_gles_shape_max_teams (&reduce->array.two_pass),
    .is_signed = call->type == GST_GLES_VALUE_I32,
    .flip = orders[call->type].flip ^ complement,
    .sign_flip = orders[call->type].sign_flip,
  };
}

static gboolean
run_gl (GstGlesReduce *reduce, const Call *call, GError **error)
{
  GstGlesArray *array = &reduce->array;
  Fold fold = fold_of (call);
  GstGlesBinding state = gst_gles_array_state (array);
  /* The last block of a single dispatch can fold the partial results. */
  gboolean only = gst_gles_array_n_windows (array, call->limit) == 1 &&
      array->two_pass.team != GST_GLES_TEAM_SERIAL &&
      array->variant.scheme != GST_GLES_SCHEME_TWO_PASS;
  GstGlesReducePass pass = make_pass (reduce, call);
  GstGlesProgram *first;
  const guint one[3] = { 1, 1, 1 };
  GstGlesWindow window;

  if (!get_programs (reduce, fold, only, error) ||
      !gst_gles_array_setup (array, &array->two_pass, &call->count, call->limit, error))
    return FALSE;
  first = only ? reduce->only[fold] : reduce->values[fold];
  for (guint i = 0; i < gst_gles_array_n_windows (array, call->limit); i++) {
    window = gst_gles_array_window (array, &array->two_pass, &call->count, call->limit, i);
    pass.array = window.pass;
    const GstGlesBinding bindings[] = {
      state,
      gst_gles_array_binding (call->input, window.first, window.n, GST_GLES_READ),
    };
    if (!gst_gles_array_dispatch (array,
            GST_GLES_DISPATCH (first, bindings, G_N_ELEMENTS (bindings), &pass), &window, error))
      return FALSE;
  }
  if (only)
    return TRUE;
  return gst_gles_queue_dispatch (
      array->queue, GST_GLES_DISPATCH (reduce->result[fold], &state, 1, &pass), one, error);
}

static gboolean
check_call (GstGlesReduce *reduce, Call *call, GError **error)
{
  const GstGlesArgument input = { "input", call->input, FALSE };
  GstGlesBuffer *const limits[] = { call->input, NULL };

  if (!gst_gles_array_check_count (&reduce->array, &call->count, error))
    return FALSE;
  if (call->type == GST_GLES_VALUE_U64) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "reduce: 64-bit values; u32, i32 and f32 can be reduced");
    return FALSE;
  }
  call->limit = gst_gles_array_limit (&reduce->array, &call->count, limits);
  return gst_gles_array_check_buffer (&reduce->array, &input, call->limit, error);
}

static gboolean
run (GstGlesReduce *reduce, Call *call, GError **error)
{
  gboolean ok;

  g_return_val_if_fail (reduce != NULL && call->input != NULL, FALSE);
  if (!check_call (reduce, call, error) || !gst_gles_queue_begin (reduce->array.queue, error))
    return FALSE;
  ok = reduce->array.is_cpu ? run_cpu (reduce, call, error) : run_gl (reduce, call, error);
  return gst_gles_queue_end (reduce->array.queue, ok ? error : NULL) && ok;
}

gboolean
gst_gles_reduce_run (GstGlesReduce *reduce, GstGlesReduceOp op, GstGlesValueType type,
    GstGlesBuffer *input, guint n, GError **error)
{
  Call call = { op, type, input, GST_GLES_COUNT_HOST (n), 0 };

  return run (reduce, &call, error);
}

gboolean
gst_gles_reduce_run_indirect (GstGlesReduce *reduce, GstGlesReduceOp op, GstGlesValueType type,
    GstGlesBuffer *input, GstGlesBuffer *count, gsize count_offset_bytes, GError **error)
{
  Call call = { op, type, input, GST_GLES_COUNT_DEVICE (count, count_offset_bytes), 0 };

  g_return_val_if_fail (count != NULL, FALSE);
  return run (reduce, &call, error);
}
