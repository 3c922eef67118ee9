/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/compact/compact-plan.h>
#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/sort/sort.h>
#include <gst/gles/algo/top-k/top-k-private.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/top-k/top-k.h>
#include <glsl/top-k/top-k-layout.h>

#define BEGIN_INVOCATIONS 128
#define DIGITS_INVOCATIONS 128
#define PICK_INVOCATIONS 64
#define KEYS_EACH 64 /* keys per invocation, in the kernel that counts digits */
#define N_DIGITS 4

struct _GstGlesTopK {
  GstGlesArray array;
  GstGlesValueType type;
  gboolean largest;
  guint max_k;
  gpointer scratch;                            /* cpu */
  GstGlesSort *sort;                           /* sorts the selected keys */
  GstGlesBuffer *counts;                       /* of digits */
  GstGlesBuffer *picked_keys, *picked_indices; /* the selected keys, in input order */
  GstGlesProgram *begin, *digits, *pick, *counting, *scatter;
};

typedef struct {
  GstGlesBuffer *keys, *top_keys, *top_indices;
  GstGlesCount count;
  guint k;
  guint limit; /* the largest number of keys */
} Call;

GST_GLES_DEFINE_PLAN (GstGlesTopK, gst_gles_top_k)

/* ---- programs ---- */

static void
digit_spec (const gchar *kernel, guint invocations, guint n_storage, guint shared_bytes,
    GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){
    .kernel = kernel,
    .local_size = { invocations, 1, 1 },
    .n_storage = n_storage,
    .shared_bytes = shared_bytes,
    .defines = { { "TEAM", GST_GLES_TEAM_SHARED } },
  };
}

static void
begin_spec (GstGlesProgramSpec *spec)
{
  digit_spec ("top-k_begin", BEGIN_INVOCATIONS, 2, 0, spec);
}

static void
digits_spec (GstGlesProgramSpec *spec)
{
  digit_spec ("top-k_digits", DIGITS_INVOCATIONS, 3, 1024, spec);
}

static void
pick_spec (GstGlesProgramSpec *spec)
{
  const GstGlesShape shape = { GST_GLES_TEAM_SHARED, PICK_INVOCATIONS, 0, 0 };

  digit_spec ("top-k_pick", PICK_INVOCATIONS, 2, gst_gles_shape_scan_bytes (&shape, 1, 1), spec);
}

static void
tile_spec (const GstGlesShape *shape, gboolean scatter, GstGlesProgramSpec *spec)
{
  gst_gles_shape_spec (shape, scatter ? "top-k_scatter" : "top-k_count", scatter ? 4 : 2, spec);
  spec->shared_bytes = gst_gles_shape_scan_bytes (shape, shape->rows, 1);
}

static void
visit_shape (const GstGlesShape *shape, gboolean look_back, GstGlesSpecialisationFunc func,
    gpointer user_data)
{
  GstGlesProgramSpec spec;

  for (guint scatter = 0; scatter < 2 && !look_back; scatter++) {
    tile_spec (shape, scatter, &spec);
    func (&spec, user_data);
  }
}

void
gst_gles_top_k_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  void (*const specs[]) (GstGlesProgramSpec *) = { begin_spec, digits_spec, pick_spec };
  GstGlesProgramSpec spec;

  for (guint i = 0; i < G_N_ELEMENTS (specs); i++) {
    specs[i](&spec);
    func (&spec, user_data);
  }
  gst_gles_array_tuning_foreach (gst_gles_compact_tuning, visit_shape, func, user_data);
}

static gboolean
get_programs (GstGlesTopK *top_k, GError **error)
{
  const GstGlesShape *shape = &top_k->array.two_pass;
  GstGlesProgramList list = { .n = 0 };
  GstGlesProgramSpec spec;

  begin_spec (&spec);
  gst_gles_program_list_add (&list, &spec, &top_k->begin);
  digits_spec (&spec);
  gst_gles_program_list_add (&list, &spec, &top_k->digits);
  pick_spec (&spec);
  gst_gles_program_list_add (&list, &spec, &top_k->pick);
  tile_spec (shape, FALSE, &spec);
  gst_gles_program_list_add (&list, &spec, &top_k->counting);
  tile_spec (shape, TRUE, &spec);
  gst_gles_program_list_add (&list, &spec, &top_k->scatter);
  return gst_gles_program_list_get (&list, top_k->array.queue, error);
}

/* ---- plans ---- */

static gboolean
build (GstGlesTopK *top_k, GError **error)
{
  GstGlesDevice *device = top_k->array.device;
  GstGlesSortConfig config;

  if (top_k->array.n_windows > 1) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "top-k: %u keys are more than a storage block of the device holds", top_k->array.capacity);
    return FALSE;
  }
  gst_gles_sort_config_init (&config, top_k->type);
  config.descending = top_k->largest;
  config.payload = TRUE;
  top_k->sort = gst_gles_sort_new (top_k->array.queue, &config, top_k->max_k, error);
  if (top_k->sort == NULL)
    return FALSE;
  top_k->counts = gst_gles_buffer_new (device, 4 * 256 * N_DIGITS, error);
  if (top_k->counts == NULL)
    return FALSE;
  top_k->picked_keys = gst_gles_buffer_new (device, 4ull * top_k->max_k, error);
  if (top_k->picked_keys == NULL)
    return FALSE;
  top_k->picked_indices = gst_gles_buffer_new (device, 4ull * top_k->max_k, error);
  return top_k->picked_indices != NULL && get_programs (top_k, error);
}

static gboolean
build_cpu (GstGlesTopK *top_k, GError **error)
{
  gsize size = gst_gles_cpu_top_k_scratch_bytes (top_k->max_k);

  top_k->scratch = g_try_malloc (MAX (size, 1));
  if (top_k->scratch == NULL)
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "top-k: cannot allocate %" G_GSIZE_FORMAT " bytes of scratch memory", size);
  return top_k->scratch != NULL;
}

GstGlesTopK *
gst_gles_top_k_new (GstGlesQueue *queue, GstGlesValueType type, gboolean largest, guint capacity,
    guint max_k, GError **error)
{
  const GstGlesArrayTuning *tuning;
  GstGlesVariant variant;
  GstGlesTopK *top_k;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue), NULL);
  if ((guint) type > GST_GLES_VALUE_F32) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID, "top-k: keys are u32, i32 or f32");
    return NULL;
  }
  if (!gst_gles_variant_from_environment ("GST_GLES_TOP_K_VARIANT", &variant, error))
    return NULL;
  /* Top-k has no look-back. */
  variant.scheme = GST_GLES_SCHEME_TWO_PASS;
  tuning = gst_gles_array_tuning (queue, gst_gles_compact_tuning);
  top_k = g_new0 (GstGlesTopK, 1);
  top_k->type = type;
  top_k->largest = largest;
  top_k->max_k = MIN (max_k, capacity);
  if (!gst_gles_array_init (&top_k->array, queue,
          &(GstGlesArrayConfig){ "top-k", capacity, tuning, &variant }, error) ||
      !(top_k->array.is_cpu ? build_cpu (top_k, error) : build (top_k, error)))
    g_clear_pointer (&top_k, gst_gles_top_k_unref);
  return top_k;
}

static void
plan_finish (GstGlesTopK *top_k)
{
  gst_gles_program_unref (top_k->begin);
  gst_gles_program_unref (top_k->digits);
  gst_gles_program_unref (top_k->pick);
  gst_gles_program_unref (top_k->counting);
  gst_gles_program_unref (top_k->scatter);
  gst_gles_buffer_unref (top_k->counts);
  gst_gles_buffer_unref (top_k->picked_keys);
  gst_gles_buffer_unref (top_k->picked_indices);
  gst_gles_sort_unref (top_k->sort);
  g_free (top_k->scratch);
}

/* ---- calls ---- */

static gboolean
check_call (GstGlesTopK *top_k, Call *call, GError **error)
{
  const GstGlesArray *array = &top_k->array;
  const GstGlesArgument keys = { "keys", call->keys, FALSE };
  const GstGlesArgument count = { "count", call->count.buffer, FALSE };
  const GstGlesArgument outputs[] = { { "top_keys", call->top_keys, TRUE },
    { "top_indices", call->top_indices, TRUE } };
  GstGlesBuffer *inputs[] = { call->keys, NULL };
  guint k;

  if (!gst_gles_array_check_count (array, &call->count, error) ||
      !gst_gles_array_check_buffer (array, &keys, call->count.n, error))
    return FALSE;
  call->limit = gst_gles_array_limit (array, &call->count, inputs);
  k = MIN (call->k, call->limit);
  if (k > top_k->max_k) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "top-k: %u keys are more than the %u that the plan was made for", call->k, top_k->max_k);
    return FALSE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++) {
    if (outputs[i].buffer != NULL &&
        (!gst_gles_array_check_buffer (array, &outputs[i], k, error) ||
            !gst_gles_array_check_distinct (array, &outputs[i], &keys, error) ||
            !gst_gles_array_check_distinct (array, &outputs[i], &count, error)))
      return FALSE;
  }
  call->k = k;
  return gst_gles_array_check_distinct (array, &outputs[0], &outputs[1], error);
}

static gboolean
run_cpu (GstGlesTopK *top_k, const Call *call, GError **error)
{
  GstGlesCounted counted;

  if (!gst_gles_array_read_count (&top_k->array, &call->count, call->limit, &counted, error))
    return FALSE;
  gst_gles_cpu_top_k (
      &(GstGlesCpuTopK){ top_k->type, top_k->largest, call->k,
          gst_gles_array_words (call->top_keys), gst_gles_array_words (call->top_indices) },
      gst_gles_array_words (call->keys), counted.n, top_k->scratch);
  return gst_gles_array_write_result (
      &top_k->array, counted.n, MIN (counted.n, call->k), counted.status, error);
}

/* Finds the k-th key. */
static gboolean
queue_search (GstGlesTopK *top_k, const Call *call, GstGlesTopKPass pass, GError **error)
{
  const guint limit = gst_gles_device_get_limits (top_k->array.device)->groups[0];
  const guint one[3] = { 1, 1, 1 };
  const guint many[3] = {
    CLAMP (gst_gles_div_ceil (call->limit, DIGITS_INVOCATIONS * KEYS_EACH), 1, limit), 1, 1
  };
  const GstGlesBinding bindings[] = { gst_gles_array_state (&top_k->array),
    { top_k->counts, 0, 0, GST_GLES_READ_WRITE },
    gst_gles_array_binding (call->keys, 0, call->limit, GST_GLES_READ) };
  GstGlesQueue *queue = top_k->array.queue;

  if (!gst_gles_queue_dispatch (
          queue, GST_GLES_DISPATCH (top_k->begin, bindings, 2, &pass), one, error))
    return FALSE;
  for (guint i = 0; i < N_DIGITS; i++) {
    pass.shift = 24 - 8 * i;
    if (!gst_gles_queue_dispatch (
            queue, GST_GLES_DISPATCH (top_k->digits, bindings, 3, &pass), many, error) ||
        !gst_gles_queue_dispatch (
            queue, GST_GLES_DISPATCH (top_k->pick, bindings, 2, &pass), one, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
queue_pick (GstGlesTopK *top_k, const Call *call, const GstGlesWindow *window,
    const GstGlesTopKPass *pass, GError **error)
{
  const GstGlesBinding bindings[] = { gst_gles_array_state (&top_k->array),
    gst_gles_array_binding (call->keys, 0, call->limit, GST_GLES_READ),
    { top_k->picked_keys, 0, 0, GST_GLES_WRITE }, { top_k->picked_indices, 0, 0, GST_GLES_WRITE } };

  return gst_gles_array_dispatch (&top_k->array,
             GST_GLES_DISPATCH (top_k->counting, bindings, 2, pass), window, error) &&
      gst_gles_array_dispatch (
          &top_k->array, GST_GLES_DISPATCH (top_k->scatter, bindings, 4, pass), window, error);
}

static gboolean
run_gl (GstGlesTopK *top_k, const Call *call, GError **error)
{
  GstGlesArray *array = &top_k->array;
  GstGlesBuffer *keys_out = call->top_keys != NULL ? call->top_keys : top_k->picked_keys;
  GstGlesBuffer *indices_out =
      call->top_indices != NULL ? call->top_indices : top_k->picked_indices;
  GstGlesTopKPass pass = { .k = call->k };
  GstGlesWindow window;

  if (!gst_gles_array_setup (array, &array->two_pass, &call->count, call->limit, error))
    return FALSE;
  window = gst_gles_array_window (array, &array->two_pass, &call->count, call->limit, 0);
  pass.array = window.pass;
  if (top_k->type != GST_GLES_VALUE_U32)
    pass.flip = 0x80000000u;
  if (top_k->type == GST_GLES_VALUE_F32)
    pass.sign_flip = 0x7fffffffu;
  if (top_k->largest)
    pass.flip = ~pass.flip;
  if (!queue_search (top_k, call, pass, error) || !queue_pick (top_k, call, &window, &pass, error))
    return FALSE;
  if (call->count.buffer == NULL)
    return gst_gles_sort_run (top_k->sort, top_k->picked_keys, top_k->picked_indices, keys_out,
        indices_out, call->k, error);
  return gst_gles_sort_run_indirect (top_k->sort, top_k->picked_keys, top_k->picked_indices,
      keys_out, indices_out, array->state, GST_GLES_RESULT_COUNT_OFFSET, error);
}

static gboolean
run (GstGlesTopK *top_k, Call *call, GError **error)
{
  GstGlesQueue *queue = top_k->array.queue;
  gboolean ok;

  if (!check_call (top_k, call, error) || !gst_gles_queue_begin (queue, error))
    return FALSE;
  ok = top_k->array.is_cpu ? run_cpu (top_k, call, error) : run_gl (top_k, call, error);
  return gst_gles_queue_end (queue, ok ? error : NULL) && ok;
}

gboolean
gst_gles_top_k_run (GstGlesTopK *top_k, GstGlesBuffer *keys, guint n, guint k,
    GstGlesBuffer *top_keys, GstGlesBuffer *top_indices, GError **error)
{
  Call call = { keys, top_keys, top_indices, GST_GLES_COUNT_HOST (n), k, 0 };

  g_return_val_if_fail (top_k != NULL && keys != NULL, FALSE);
  return run (top_k, &call, error);
}

gboolean
gst_gles_top_k_run_indirect (GstGlesTopK *top_k, GstGlesBuffer *keys, GstGlesBuffer *count,
    gsize count_offset_bytes, guint k, GstGlesBuffer *top_keys, GstGlesBuffer *top_indices,
    GError **error)
{
  Call call = { keys, top_keys, top_indices, GST_GLES_COUNT_DEVICE (count, count_offset_bytes), k,
    0 };

  g_return_val_if_fail (top_k != NULL && keys != NULL && count != NULL, FALSE);
  return run (top_k, &call, error);
}
