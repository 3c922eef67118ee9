/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/compact/compact-plan.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/compact/compact.h>
#include <glsl/compact/compact-layout.h>

/* PREDICATE and OUTPUTS of compact/compact_tile.glsl */
typedef enum {
  PREDICATE_RANGE,
  PREDICATE_FLAGS,
  PREDICATE_INTEGERS,
  N_PREDICATES
} Predicate;

#define OUTPUT_VALUES 1u
#define OUTPUT_INDICES 2u
#define N_OUTPUTS 4

struct _GstGlesCompact {
  GstGlesArray array;
  /* made at first use */
  GstGlesProgram *counting[N_PREDICATES];
  GstGlesProgram *scatter[N_PREDICATES][N_OUTPUTS], *look_back[N_PREDICATES][N_OUTPUTS];
  GstGlesBuffer *flags; /* of maps, for the capacity */
};

/* One call. */
typedef struct {
  Predicate predicate;
  GstGlesValueType type;
  guint32 lower, upper;
  GstGlesBuffer *tested; /* the values or the flags */
  guint64 first;         /* word of @tested: the first of them */
  GstGlesBuffer *source; /* flags: the values, NULL if values are not written */
  GstGlesCount count;
  GstGlesBuffer *values, *indices;
  guint max_count;
  guint limit;   /* the largest number of values */
  guint entries; /* the largest number of entries */
} Call;

GST_GLES_DEFINE_PLAN (GstGlesCompact, gst_gles_compact)
GST_GLES_DEFINE_PLAN_NEW (GstGlesCompact, gst_gles_compact, "GST_GLES_COMPACT_VARIANT")

/* ---- programs ---- */

static guint
n_storage (Predicate predicate, guint outputs)
{
  gboolean source = predicate == PREDICATE_FLAGS && (outputs & OUTPUT_VALUES) != 0;

  return 2 + source + (outputs & 1) + (outputs >> 1);
}

/* A kernel with its defines. */
typedef struct {
  enum {
    KERNEL_COUNT,
    KERNEL_SCATTER,
    KERNEL_LOOK_BACK
  } kind;
  Predicate predicate;
  guint outputs;
} Kernel;

static void
compact_spec (const GstGlesShape *shape, const Kernel *kernel, GstGlesProgramSpec *spec)
{
  static const gchar *const names[] = { "compact_count", "compact_scatter", "compact_lookback" };
  const guint outputs = kernel->outputs;
  const gboolean look_back = kernel->kind == KERNEL_LOOK_BACK;
  guint staged = look_back ? 1 : shape->rows; /* rows that are staged at a time */
  guint n = gst_gles_shape_spec (
      shape, names[kernel->kind], n_storage (kernel->predicate, outputs), spec);

  spec->defines[n++] = (GstGlesDefine){ "PREDICATE", kernel->predicate };
  spec->shared_bytes = gst_gles_shape_scan_bytes (shape, MAX (shape->rows / 2, 1), 1);
  if (outputs == 0 || shape->team == GST_GLES_TEAM_SERIAL)
    staged = 0;
  else
    spec->shared_bytes += 4 * (4 * staged * shape->invocations + shape->rows);
  if (kernel->kind == KERNEL_COUNT)
    return;
  spec->defines[n++] = (GstGlesDefine){ "OUTPUTS", outputs };
  spec->defines[n++] = (GstGlesDefine){ "STAGED", staged };
  if (look_back) {
    n = gst_gles_shape_look_back_defines (shape, spec, n);
    spec->shared_bytes += gst_gles_shape_look_back_bytes (shape);
  }
}

static void
add_program (GstGlesCompact *compact, GstGlesProgram **program, const Kernel *kernel,
    GstGlesProgramList *list)
{
  const GstGlesArray *array = &compact->array;
  GstGlesProgramSpec spec;

  compact_spec (
      kernel->kind == KERNEL_LOOK_BACK ? &array->look_back : &array->two_pass, kernel, &spec);
  gst_gles_program_list_add (list, &spec, program);
}

static gboolean
get_programs (
    GstGlesCompact *compact, Predicate predicate, guint outputs, gboolean look_back, GError **error)
{
  const Kernel writing = { look_back ? KERNEL_LOOK_BACK : KERNEL_SCATTER, predicate, outputs };
  GstGlesProgram **last =
      look_back ? &compact->look_back[predicate][outputs] : &compact->scatter[predicate][outputs];
  GstGlesProgramList list;

  if (*last != NULL)
    return TRUE;
  list.n = 0;
  if (!look_back)
    add_program (
        compact, &compact->counting[predicate], &(Kernel){ KERNEL_COUNT, predicate, 0 }, &list);
  add_program (compact, last, &writing, &list);
  return gst_gles_program_list_get (&list, compact->array.queue, error);
}

static void
visit_shape (const GstGlesShape *shape, gboolean look_back, GstGlesSpecialisationFunc func,
    gpointer user_data)
{
  GstGlesProgramSpec spec;

  for (Predicate predicate = 0; predicate < N_PREDICATES; predicate++) {
    Kernel kernel = { look_back ? KERNEL_LOOK_BACK : KERNEL_SCATTER, predicate, 0 };

    for (; kernel.outputs < N_OUTPUTS; kernel.outputs++) {
      compact_spec (shape, &kernel, &spec);
      func (&spec, user_data);
    }
    if (!look_back) {
      compact_spec (shape, &(Kernel){ KERNEL_COUNT, predicate, 0 }, &spec);
      func (&spec, user_data);
    }
  }
}

void
gst_gles_compact_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  gst_gles_array_tuning_foreach (gst_gles_compact_tuning, visit_shape, func, user_data);
}

/* ---- plans ---- */

GstGlesCompact *
gst_gles_compact_new_full (
    GstGlesQueue *queue, guint capacity, const GstGlesVariant *variant, GError **error)
{
  GstGlesCompact *compact = g_new0 (GstGlesCompact, 1);
  const GstGlesArrayTuning *tuning = gst_gles_array_tuning (queue, gst_gles_compact_tuning);

  if (!gst_gles_array_init (&compact->array, queue,
          &(GstGlesArrayConfig){ "compact", capacity, tuning, variant }, error))
    g_clear_pointer (&compact, gst_gles_compact_unref);
  return compact;
}

static void
plan_finish (GstGlesCompact *compact)
{
  gst_gles_buffer_unref (compact->flags);
  for (Predicate predicate = 0; predicate < N_PREDICATES; predicate++) {
    gst_gles_program_unref (compact->counting[predicate]);
    for (guint outputs = 0; outputs < N_OUTPUTS; outputs++) {
      gst_gles_program_unref (compact->scatter[predicate][outputs]);
      gst_gles_program_unref (compact->look_back[predicate][outputs]);
    }
  }
}

/* ---- calls ---- */

/* Checks that no output is any other buffer of the call. */
static gboolean
check_outputs (const GstGlesArray *array, const Call *call, GError **error)
{
  const GstGlesArgument arguments[] = { { "input", call->tested, FALSE },
    { "values to be picked", call->source, FALSE }, { "count", call->count.buffer, FALSE },
    { "values", call->values, TRUE }, { "indices", call->indices, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (arguments); i++) {
    if (arguments[i].buffer == NULL || !arguments[i].written)
      continue;
    if (!gst_gles_array_check_buffer (array, &arguments[i], call->entries, error))
      return FALSE;
    for (guint j = 0; j < i; j++) {
      if (!gst_gles_array_check_distinct (array, &arguments[i], &arguments[j], error))
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
check_call (GstGlesCompact *compact, Call *call, GError **error)
{
  const GstGlesArray *array = &compact->array;
  const GstGlesArgument tested = { "input", call->tested, FALSE };
  const GstGlesArgument source = { "values to be picked", call->source, FALSE };
  GstGlesBuffer *const limits[] = { call->tested, call->source, NULL };

  if (!gst_gles_array_check_count (array, &call->count, error))
    return FALSE;
  if (call->type == GST_GLES_VALUE_U64) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "compact: 64-bit values; u32, i32 and f32 can be compacted");
    return FALSE;
  }
  call->limit = gst_gles_array_limit (array, &call->count, limits);
  if (call->count.buffer != NULL)
    call->limit = MIN (call->limit, gst_gles_buffer_get_size (call->tested) / 4 - call->first);
  call->entries = MIN (call->limit, call->max_count);
  return gst_gles_array_check_buffer (array, &tested, call->first + call->limit, error) &&
      (call->source == NULL || gst_gles_array_check_buffer (array, &source, call->limit, error)) &&
      check_outputs (array, call, error);
}

static gboolean
run_cpu (GstGlesCompact *compact, const Call *call, GError **error)
{
  GstGlesArray *array = &compact->array;
  const guint32 *tested = gst_gles_array_words (call->tested) + call->first;
  guint32 *values = gst_gles_array_words (call->values);
  guint32 *indices = gst_gles_array_words (call->indices);
  guint64 total;
  GstGlesCounted counted;

  if (!gst_gles_array_read_count (array, &call->count, call->limit, &counted, error))
    return FALSE;
  if (call->predicate != PREDICATE_FLAGS)
    total =
        gst_gles_cpu_compact_range (&(GstGlesCpuValueRange){ call->type, call->lower, call->upper },
            tested, counted.n, &(GstGlesCpuCompacted){ values, indices, call->max_count });
  else
    total = gst_gles_cpu_compact_flags (tested, gst_gles_array_words (call->source), counted.n,
        &(GstGlesCpuCompacted){ values, indices, call->max_count });
  if (total > call->max_count)
    counted.status |= GST_GLES_STATUS_TRUNCATED;
  return gst_gles_array_write_result (
      array, total, MIN (total, call->max_count), counted.status, error);
}

/* For integers one subtraction and one comparison suffice, unless the bounds are reversed. */
static Predicate
range_predicate (GstGlesValueType type, guint32 lower, guint32 upper)
{
  gboolean in_order =
      type == GST_GLES_VALUE_U32 ? lower <= upper : (gint32) lower <= (gint32) upper;

  return type != GST_GLES_VALUE_F32 && in_order ? PREDICATE_INTEGERS : PREDICATE_RANGE;
}

static GstGlesCompactPass
make_pass (const Call *call)
{
  static const struct {
    guint32 flip, sign_flip;
  } orders[] = { { 0, 0 }, { 0x80000000u, 0 }, { 0x80000000u, 0x7fffffffu } };
  gboolean integers = call->predicate == PREDICATE_INTEGERS;

  return (GstGlesCompactPass){
    .lower = integers ? call->lower : gst_gles_cpu_to_key (call->type, call->lower),
    .upper = gst_gles_cpu_to_key (call->type, call->upper),
    .span = call->upper - call->lower,
    .flip = orders[call->type].flip,
    .sign_flip = orders[call->type].sign_flip,
    .max_count = call->max_count,
  };
}

/* The writing of the entries of one window of the input. */
typedef struct {
  GstGlesProgram *program;
  guint outputs; /* of the program */
  const GstGlesWindow *window;
  GstGlesCompactPass *pass;
} Scatter;

/* Queues writing the entries that lie in window @out of the outputs. */
static gboolean
run_scatter (
    GstGlesCompact *compact, const Call *call, const Scatter *scatter, guint out, GError **error)
{
  GstGlesArray *array = &compact->array;
  const GstGlesWindow *window = scatter->window;
  const guint outputs = scatter->outputs;
  guint first = out * array->window_size;
  guint n = MIN (call->entries - first, array->window_size);
  GstGlesBinding bindings[5];
  guint n_bindings = 0;

  scatter->pass->out_first = first;
  scatter->pass->out_count = n;
  bindings[n_bindings++] = gst_gles_array_state (array);
  bindings[n_bindings++] =
      gst_gles_array_binding (call->tested, call->first + window->first, window->n, GST_GLES_READ);
  if (call->predicate == PREDICATE_FLAGS && (outputs & OUTPUT_VALUES) != 0)
    bindings[n_bindings++] =
        gst_gles_array_binding (call->source, window->first, window->n, GST_GLES_READ);
  if ((outputs & OUTPUT_VALUES) != 0)
    bindings[n_bindings++] = gst_gles_array_binding (call->values, first, n, GST_GLES_WRITE);
  if ((outputs & OUTPUT_INDICES) != 0)
    bindings[n_bindings++] = gst_gles_array_binding (call->indices, first, n, GST_GLES_WRITE);
  return gst_gles_array_dispatch (array,
      GST_GLES_DISPATCH (scatter->program, bindings, n_bindings, scatter->pass), window, error);
}

static gboolean
run_look_back (GstGlesCompact *compact, const Call *call, guint outputs, GError **error)
{
  GstGlesArray *array = &compact->array;

  if (!get_programs (compact, call->predicate, outputs, TRUE, error) ||
      !gst_gles_array_setup (array, &array->look_back, &call->count, call->limit, error))
    return FALSE;
  for (guint i = 0; i < gst_gles_array_n_windows (array, call->limit); i++) {
    const GstGlesWindow window =
        gst_gles_array_window (array, &array->look_back, &call->count, call->limit, i);
    GstGlesCompactPass pass = make_pass (call);
    const Scatter scatter = { compact->look_back[call->predicate][outputs], outputs, &window,
      &pass };

    pass.array = window.pass;
    if (!gst_gles_array_next_epoch (array, &pass.look_back, error) ||
        !run_scatter (compact, call, &scatter, 0, error))
      return FALSE;
  }
  return TRUE;
}

/* The entries of input window @index can lie in any window of the outputs up to the same number. */
static gboolean
run_window (
    GstGlesCompact *compact, const Call *call, const guint *parts, guint index, GError **error)
{
  GstGlesArray *array = &compact->array;
  guint n_out = MIN (index + 1, gst_gles_array_n_windows (array, call->entries));
  GstGlesCompactPass pass = make_pass (call);
  GstGlesWindow window;

  window = gst_gles_array_window (array, &array->two_pass, &call->count, call->limit, index);
  pass.array = window.pass;
  const GstGlesBinding bindings[] = {
    gst_gles_array_state (array),
    gst_gles_array_binding (call->tested, call->first + window.first, window.n, GST_GLES_READ),
  };
  if (!gst_gles_array_dispatch (array,
          GST_GLES_DISPATCH (
              compact->counting[call->predicate], bindings, G_N_ELEMENTS (bindings), &pass),
          &window, error))
    return FALSE;
  for (guint out = 0; out < n_out; out++) {
    for (guint part = 0; part < 2 && (part == 0 || parts[part] != 0); part++) {
      const Scatter scatter = { compact->scatter[call->predicate][parts[part]], parts[part],
        &window, &pass };

      if (!run_scatter (compact, call, &scatter, out, error))
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
run_two_pass (GstGlesCompact *compact, const Call *call, guint outputs, GError **error)
{
  GstGlesArray *array = &compact->array;
  guint parts[2] = { outputs, 0 };

  /* If a kernel has too few storage blocks for both, values and indices are written one after the
   * other. */
  if (n_storage (call->predicate, outputs) >
      gst_gles_device_get_limits (array->device)->storage_blocks) {
    parts[0] = OUTPUT_VALUES;
    parts[1] = OUTPUT_INDICES;
  }
  for (guint part = 0; part < 2 && (part == 0 || parts[part] != 0); part++) {
    if (!get_programs (compact, call->predicate, parts[part], FALSE, error))
      return FALSE;
  }
  if (!gst_gles_array_setup (array, &array->two_pass, &call->count, call->limit, error))
    return FALSE;
  for (guint i = 0; i < gst_gles_array_n_windows (array, call->limit); i++) {
    if (!run_window (compact, call, parts, i, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
run_gl (GstGlesCompact *compact, const Call *call, GError **error)
{
  const GstGlesArray *array = &compact->array;
  guint outputs =
      (call->values != NULL ? OUTPUT_VALUES : 0) | (call->indices != NULL ? OUTPUT_INDICES : 0);

  if (array->look_back.invocations != 0 && call->entries <= array->window_size &&
      n_storage (call->predicate, outputs) <=
          gst_gles_device_get_limits (array->device)->storage_blocks)
    return run_look_back (compact, call, outputs, error);
  return run_two_pass (compact, call, outputs, error);
}

static gboolean
run (GstGlesCompact *compact, Call *call, GError **error)
{
  gboolean ok;

  g_return_val_if_fail (compact != NULL && call->tested != NULL, FALSE);
  if (!check_call (compact, call, error) || !gst_gles_queue_begin (compact->array.queue, error))
    return FALSE;
  ok = compact->array.is_cpu ? run_cpu (compact, call, error) : run_gl (compact, call, error);
  return gst_gles_queue_end (compact->array.queue, ok ? error : NULL) && ok;
}

gboolean
gst_gles_compact_range (GstGlesCompact *compact, GstGlesValueType type, guint32 lower,
    guint32 upper, GstGlesBuffer *input, guint n, GstGlesBuffer *values, GstGlesBuffer *indices,
    guint max_count, GError **error)
{
  Call call = { .predicate = range_predicate (type, lower, upper),
    .type = type,
    .lower = lower,
    .upper = upper,
    .tested = input,
    .count = GST_GLES_COUNT_HOST (n),
    .values = values,
    .indices = indices,
    .max_count = max_count };

  return run (compact, &call, error);
}

gboolean
gst_gles_compact_range_indirect (GstGlesCompact *compact, GstGlesValueType type, guint32 lower,
    guint32 upper, GstGlesBuffer *input, GstGlesBuffer *count, gsize count_offset_bytes,
    GstGlesBuffer *values, GstGlesBuffer *indices, guint max_count, GError **error)
{
  Call call = { .predicate = range_predicate (type, lower, upper),
    .type = type,
    .lower = lower,
    .upper = upper,
    .tested = input,
    .count = GST_GLES_COUNT_DEVICE (count, count_offset_bytes),
    .values = values,
    .indices = indices,
    .max_count = max_count };

  g_return_val_if_fail (count != NULL, FALSE);
  return run (compact, &call, error);
}

gboolean
gst_gles_compact_flags (GstGlesCompact *compact, GstGlesBuffer *flags, GstGlesBuffer *input,
    guint n, GstGlesBuffer *values, GstGlesBuffer *indices, guint max_count, GError **error)
{
  Call call = { .predicate = PREDICATE_FLAGS,
    .tested = flags,
    .source = values != NULL ? input : NULL,
    .count = GST_GLES_COUNT_HOST (n),
    .values = values,
    .indices = indices,
    .max_count = max_count };

  g_return_val_if_fail (values == NULL || input != NULL, FALSE);
  return run (compact, &call, error);
}

gboolean
gst_gles_compact_flags_indirect (GstGlesCompact *compact, GstGlesBuffer *flags,
    GstGlesBuffer *input, GstGlesBuffer *count, gsize count_offset_bytes, GstGlesBuffer *values,
    GstGlesBuffer *indices, guint max_count, GError **error)
{
  Call call = { .predicate = PREDICATE_FLAGS,
    .tested = flags,
    .source = values != NULL ? input : NULL,
    .count = GST_GLES_COUNT_DEVICE (count, count_offset_bytes),
    .values = values,
    .indices = indices,
    .max_count = max_count };

  g_return_val_if_fail (count != NULL && (values == NULL || input != NULL), FALSE);
  return run (compact, &call, error);
}

gboolean
gst_gles_compact_map (GstGlesCompact *compact, GstGlesMap *map, GstGlesBuffer *const *inputs,
    guint n_inputs, const gint32 *parameters, guint n_parameters, GstGlesBuffer *input, guint n,
    GstGlesBuffer *values, GstGlesBuffer *indices, guint max_count, GError **error)
{
  const GstGlesCount count = GST_GLES_COUNT_HOST (n);

  g_return_val_if_fail (compact != NULL && map != NULL, FALSE);
  if (!gst_gles_array_check_count (&compact->array, &count, error))
    return FALSE;
  if (compact->flags == NULL)
    compact->flags = gst_gles_buffer_new (
        compact->array.device, 4 * (gsize) MAX (compact->array.capacity, 1), error);
  return compact->flags != NULL &&
      gst_gles_map_run (
          map, inputs, n_inputs, parameters, n_parameters, compact->flags, n, error) &&
      gst_gles_compact_flags (compact, compact->flags, input, n, values, indices, max_count, error);
}

gboolean
gst_gles_compact_flags_from (
    GstGlesCompact *compact, const GstGlesCompactFlags *flags, GError **error)
{
  Call call = { .predicate = PREDICATE_FLAGS,
    .tested = flags->flags,
    .first = flags->first_flag,
    .source = flags->input,
    .count = flags->count,
    .values = flags->values,
    .indices = flags->indices,
    .max_count = flags->max_count };

  return run (compact, &call, error);
}
