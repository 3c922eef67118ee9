/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/compact/compact-plan.h>
#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/segments/segments-plan.h>
#include <gst/gles/algo/unique/unique-private.h>
#include <gst/gles/cpu/unique/unique.h>
#include <glsl/segments/segments-layout.h>

struct _GstGlesUnique {
  GstGlesArray array;
  GstGlesProgram *counting[2], *writing[2]; /* by words of a key, minus one; made at first use */
};

/* One call. */
typedef struct {
  GstGlesValueType type;
  GstGlesBuffer *keys, *output;
  GstGlesCount count;
  guint max_count;
  guint key_words;
  guint limit; /* the largest number of keys */
} Call;

GST_GLES_DEFINE_PLAN (GstGlesUnique, gst_gles_unique)
GST_GLES_DEFINE_PLAN_NEW (GstGlesUnique, gst_gles_unique, "GST_GLES_UNIQUE_VARIANT")

/* ---- programs ---- */

static void
write_spec (const GstGlesShape *shape, guint key_words, GstGlesProgramSpec *spec)
{
  guint n = gst_gles_shape_spec (shape, "unique_write", 3, spec);

  spec->shared_bytes = gst_gles_shape_scan_bytes (shape, shape->rows, 1);
  spec->defines[n++] = (GstGlesDefine){ "KEY_WORDS", key_words };
}

static gboolean
get_programs (GstGlesUnique *unique, guint key_words, GError **error)
{
  const GstGlesShape *shape = &unique->array.two_pass;
  GstGlesProgram **counting = &unique->counting[key_words - 1];
  GstGlesProgram **writing = &unique->writing[key_words - 1];
  GstGlesProgramList list;
  GstGlesProgramSpec spec;

  if (*writing != NULL)
    return TRUE;
  list.n = 0;
  gst_gles_segments_count_spec (shape, key_words, &spec);
  gst_gles_program_list_add (&list, &spec, counting);
  write_spec (shape, key_words, &spec);
  gst_gles_program_list_add (&list, &spec, writing);
  return gst_gles_program_list_get (&list, unique->array.queue, error);
}

static void
visit_shape (const GstGlesShape *shape, gboolean look_back, GstGlesSpecialisationFunc func,
    gpointer user_data)
{
  GstGlesProgramSpec spec;

  for (guint key_words = 1; key_words <= 2 && !look_back; key_words++) {
    write_spec (shape, key_words, &spec);
    func (&spec, user_data);
  }
}

void
gst_gles_unique_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  gst_gles_array_tuning_foreach (gst_gles_compact_tuning, visit_shape, func, user_data);
}

/* ---- plans ---- */

GstGlesUnique *
gst_gles_unique_new_full (
    GstGlesQueue *queue, guint capacity, const GstGlesVariant *variant, GError **error)
{
  GstGlesUnique *unique = g_new0 (GstGlesUnique, 1);
  const GstGlesArrayTuning *tuning = gst_gles_array_tuning (queue, gst_gles_compact_tuning);
  GstGlesVariant two_pass = *variant;

  two_pass.scheme = GST_GLES_SCHEME_TWO_PASS;
  if (!gst_gles_array_init (&unique->array, queue,
          &(GstGlesArrayConfig){ "unique", capacity, tuning, &two_pass }, error)) {
    g_clear_pointer (&unique, gst_gles_unique_unref);
  } else if (unique->array.n_windows > 1) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "unique: %u keys are more than a storage block of the device holds", capacity);
    g_clear_pointer (&unique, gst_gles_unique_unref);
  }
  return unique;
}

static void
plan_finish (GstGlesUnique *unique)
{
  for (guint i = 0; i < 2; i++) {
    gst_gles_program_unref (unique->counting[i]);
    gst_gles_program_unref (unique->writing[i]);
  }
}

/* ---- calls ---- */

static gboolean
check_call (GstGlesUnique *unique, Call *call, GError **error)
{
  const GstGlesArray *array = &unique->array;
  const GstGlesArgument keys = { "keys", call->keys, FALSE };
  const GstGlesArgument count = { "count", call->count.buffer, FALSE };
  const GstGlesArgument output = { "output", call->output, TRUE };
  guint64 words;

  if ((guint) call->type > GST_GLES_VALUE_U64) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "unique: keys of type %d; they are u32, i32, f32 or u64", call->type);
    return FALSE;
  }
  call->key_words = call->type == GST_GLES_VALUE_U64 ? 2 : 1;
  if (!gst_gles_array_check_count (array, &call->count, error))
    return FALSE;
  call->limit = call->count.n;
  if (call->count.buffer != NULL)
    call->limit =
        MIN (array->capacity, gst_gles_buffer_get_size (call->keys) / 4 / call->key_words);
  words = (guint64) call->limit * call->key_words;
  if (!array->is_cpu &&
      4 * words > gst_gles_device_get_limits (array->device)->storage_block_bytes) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "unique: %u keys of 64 bits are more than a storage block of the device holds",
        call->limit);
    return FALSE;
  }
  return gst_gles_array_check_buffer (array, &keys, words, error) &&
      gst_gles_array_check_buffer (
          array, &output, (guint64) MIN (call->limit, call->max_count) * call->key_words, error) &&
      gst_gles_array_check_distinct (array, &output, &keys, error) &&
      gst_gles_array_check_distinct (array, &output, &count, error);
}

static gboolean
run_cpu (GstGlesUnique *unique, const Call *call, GError **error)
{
  GstGlesArray *array = &unique->array;
  guint64 total;
  GstGlesCounted counted;

  if (!gst_gles_array_read_count (array, &call->count, call->limit, &counted, error))
    return FALSE;
  total = gst_gles_cpu_unique (call->key_words, gst_gles_array_words (call->keys), counted.n,
      gst_gles_array_words (call->output), call->max_count);
  if (total > call->max_count)
    counted.status |= GST_GLES_STATUS_TRUNCATED;
  return gst_gles_array_write_result (
      array, total, MIN (total, call->max_count), counted.status, error);
}

static gboolean
run_gl (GstGlesUnique *unique, const Call *call, GError **error)
{
  GstGlesArray *array = &unique->array;
  guint64 words = (guint64) call->limit * call->key_words;
  guint64 out_words = (guint64) MIN (call->limit, call->max_count) * call->key_words;
  const GstGlesBinding bindings[] = { gst_gles_array_state (array),
    gst_gles_array_binding (call->keys, 0, words, GST_GLES_READ),
    gst_gles_array_binding (call->output, 0, out_words, GST_GLES_WRITE) };
  GstGlesSegmentsRunsPass pass = { .max_count = call->max_count };
  GstGlesWindow window;

  if (!get_programs (unique, call->key_words, error) ||
      !gst_gles_array_setup (array, &array->two_pass, &call->count, call->limit, error))
    return FALSE;
  window = gst_gles_array_window (array, &array->two_pass, &call->count, call->limit, 0);
  pass.array = window.pass;
  return gst_gles_array_dispatch (array,
             GST_GLES_DISPATCH (unique->counting[call->key_words - 1], bindings, 2, &pass), &window,
             error) &&
      gst_gles_array_dispatch (array,
          GST_GLES_DISPATCH (unique->writing[call->key_words - 1], bindings, 3, &pass), &window,
          error);
}

static gboolean
run (GstGlesUnique *unique, Call *call, GError **error)
{
  gboolean ok;

  g_return_val_if_fail (unique != NULL && call->keys != NULL && call->output != NULL, FALSE);
  if (!check_call (unique, call, error) || !gst_gles_queue_begin (unique->array.queue, error))
    return FALSE;
  ok = unique->array.is_cpu ? run_cpu (unique, call, error) : run_gl (unique, call, error);
  return gst_gles_queue_end (unique->array.queue, ok ? error : NULL) && ok;
}

gboolean
gst_gles_unique_run (GstGlesUnique *unique, GstGlesValueType type, GstGlesBuffer *keys, guint n,
    GstGlesBuffer *output, guint max_count, GError **error)
{
  Call call = { type, keys, output, GST_GLES_COUNT_HOST (n), max_count, 0, 0 };

  return run (unique, &call, error);
}

gboolean
gst_gles_unique_run_indirect (GstGlesUnique *unique, GstGlesValueType type, GstGlesBuffer *keys,
    GstGlesBuffer *count, gsize count_offset_bytes, GstGlesBuffer *output, guint max_count,
    GError **error)
{
  Call call = { type, keys, output, GST_GLES_COUNT_DEVICE (count, count_offset_bytes), max_count, 0,
    0 };

  g_return_val_if_fail (count != NULL, FALSE);
  return run (unique, &call, error);
}
