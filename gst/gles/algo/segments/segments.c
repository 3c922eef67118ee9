/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include <gst/gles/algo/compact/compact-plan.h>
#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/segments/segments-private.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/segments/segments.h>
#include <glsl/segments/segments-layout.h>

GST_GLES_DEFINE_PLAN (GstGlesSegments, gst_gles_segments)

/* ---- plans ---- */

static gboolean
allocate (GstGlesSegments *segments, GError **error)
{
  GstGlesArray *array = &segments->array;
  guint64 limit = gst_gles_device_get_limits (array->device)->storage_block_bytes;
  guint64 leaves = 1, words;

  while (leaves << GST_GLES_SEGMENTS_LEAF_BITS < array->capacity)
    leaves *= 2;
  segments->leaves = leaves;
  segments->tree = gst_gles_align_up ((gsize) array->capacity + 1, 4);
  /* All levels together have at most twice the nodes of the lowest one, of up to two words each. */
  words = segments->tree + 4 * leaves;
  if (array->n_windows > 1 || 4 * words > limit) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "segments: %u keys need scratch memory of %" G_GUINT64_FORMAT
        " bytes; the device allows %" G_GUINT64_FORMAT " a storage block",
        array->capacity, 4 * words, limit);
    return FALSE;
  }
  segments->scratch = gst_gles_buffer_new (array->device, 4 * words, error);
  return segments->scratch != NULL;
}

GstGlesSegments *
gst_gles_segments_new_full (
    GstGlesQueue *queue, guint capacity, const GstGlesVariant *variant, GError **error)
{
  GstGlesSegments *segments = g_new0 (GstGlesSegments, 1);
  const GstGlesArrayTuning *tuning = gst_gles_array_tuning (queue, gst_gles_compact_tuning);
  GstGlesVariant two_pass = *variant;

  if (two_pass.scheme == GST_GLES_SCHEME_AUTO)
    two_pass.scheme = GST_GLES_SCHEME_TWO_PASS;
  if (!gst_gles_array_init (&segments->array, queue,
          &(GstGlesArrayConfig){ "segments", capacity, tuning, &two_pass }, error) ||
      (!segments->array.is_cpu && !allocate (segments, error)))
    g_clear_pointer (&segments, gst_gles_segments_unref);
  return segments;
}

void
gst_gles_segments_outputs_set (
    GstGlesSegmentsOutputs *outputs, GstGlesSegmentsField field, GstGlesBuffer *buffer)
{
  g_return_if_fail (outputs != NULL && (guint) field <= GST_GLES_SEGMENTS_MAXS);
  GstGlesBuffer **const fields[] = { &outputs->keys, &outputs->starts, &outputs->counts,
    &outputs->sums, &outputs->sums_high, &outputs->mins, &outputs->maxs };
  *fields[field] = buffer;
}

GstGlesSegments *
gst_gles_segments_new (GstGlesQueue *queue, guint capacity, GError **error)
{
  GstGlesVariant variant;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue), NULL);
  if (!gst_gles_variant_from_environment ("GST_GLES_SEGMENTS_VARIANT", &variant, error))
    return NULL;
  if (variant.scheme == GST_GLES_SCHEME_LOOK_BACK) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "GST_GLES_SEGMENTS_VARIANT: segments have no look-back; use two-pass");
    return NULL;
  }
  return gst_gles_segments_new_full (queue, capacity, &variant, error);
}

static void
plan_finish (GstGlesSegments *segments)
{
  for (guint i = 0; i < 2; i++) {
    gst_gles_program_unref (segments->counting[i]);
    gst_gles_program_unref (segments->writing[i][0]);
    gst_gles_program_unref (segments->writing[i][1]);
  }
  for (guint i = 0; i < GST_GLES_SEGMENTS_N_LENGTHS; i++)
    gst_gles_program_unref (segments->lengths[i]);
  for (guint i = 0; i < GST_GLES_SEGMENTS_N_STATS; i++) {
    gst_gles_program_unref (segments->tree_first[i]);
    gst_gles_program_unref (segments->tree_next[i]);
    gst_gles_program_unref (segments->folding[i]);
  }
  gst_gles_buffer_unref (segments->scratch);
}

/* ---- calls ---- */

#define N_OUTPUTS 7

static void
list_outputs (const GstGlesSegmentsCall *call, GstGlesArgument arguments[N_OUTPUTS])
{
  const GstGlesSegmentsOutputs *o = &call->outputs;
  const GstGlesArgument list[N_OUTPUTS] = { { "keys output", o->keys, TRUE },
    { "starts", o->starts, TRUE }, { "counts", o->counts, TRUE }, { "sums", o->sums, TRUE },
    { "sums_high", o->sums_high, TRUE }, { "mins", o->mins, TRUE }, { "maxs", o->maxs, TRUE } };

  for (guint i = 0; i < N_OUTPUTS; i++)
    arguments[i] = list[i];
}

static gboolean
check_outputs (const GstGlesArray *array, GstGlesSegmentsCall *call, GError **error)
{
  const GstGlesArgument inputs[] = { { "keys", call->keys, FALSE },
    { "values", call->values, FALSE }, { "count", call->count.buffer, FALSE } };
  GstGlesArgument outputs[N_OUTPUTS];

  list_outputs (call, outputs);
  call->max_count = array->capacity;
  for (guint i = 0; i < N_OUTPUTS; i++) {
    GstGlesBuffer *buffer = outputs[i].buffer;
    guint words = i == 0 ? call->key_words : 1;
    if (buffer == NULL)
      continue;
    if (!gst_gles_array_check_buffer (array, &outputs[i], 0, error))
      return FALSE;
    call->max_count = MIN (call->max_count, gst_gles_buffer_get_size (buffer) / 4 / words);
    for (guint j = 0; j < G_N_ELEMENTS (inputs); j++) {
      if (!gst_gles_array_check_distinct (array, &outputs[i], &inputs[j], error))
        return FALSE;
    }
    for (guint j = 0; j < i; j++) {
      if (!gst_gles_array_check_distinct (array, &outputs[i], &outputs[j], error))
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
check_call (GstGlesSegments *segments, GstGlesSegmentsCall *call, GError **error)
{
  const GstGlesArray *array = &segments->array;
  const GstGlesArgument keys = { "keys", call->keys, FALSE };
  const GstGlesArgument values = { "values", call->values, FALSE };
  const GstGlesSegmentsOutputs *o = &call->outputs;

  if ((guint) call->key_type > GST_GLES_VALUE_U64 ||
      (guint) call->value_type > GST_GLES_VALUE_F32 ||
      (o->sums_high != NULL && call->value_type == GST_GLES_VALUE_F32)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "segments: values are u32, i32 or f32, and sums of f32 have no high words");
    return FALSE;
  }
  if (call->values == NULL &&
      (o->sums != NULL || o->sums_high != NULL || o->mins != NULL || o->maxs != NULL)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "segments: sums, minima and maxima of no values");
    return FALSE;
  }
  if (!gst_gles_array_check_count (array, &call->count, error) ||
      !gst_gles_array_check_buffer (
          array, &keys, (guint64) call->count.n * call->key_words, error) ||
      (call->values != NULL && !gst_gles_array_check_buffer (array, &values, call->count.n, error)))
    return FALSE;
  call->limit = call->count.n;
  if (call->count.buffer != NULL) {
    call->limit =
        MIN (array->capacity, gst_gles_buffer_get_size (call->keys) / 4 / call->key_words);
    if (call->values != NULL)
      call->limit = MIN (call->limit, gst_gles_buffer_get_size (call->values) / 4);
  }
  return check_outputs (array, call, error);
}

static gboolean
run_cpu (GstGlesSegments *segments, const GstGlesSegmentsCall *call, GError **error)
{
  GstGlesArray *array = &segments->array;
  const GstGlesSegmentsOutputs *o = &call->outputs;
  const GstGlesCpuSegments cpu = { gst_gles_array_words (o->keys), gst_gles_array_words (o->starts),
    gst_gles_array_words (o->counts), gst_gles_array_words (o->sums),
    gst_gles_array_words (o->sums_high), gst_gles_array_words (o->mins),
    gst_gles_array_words (o->maxs), call->max_count };
  GstGlesCounted counted;
  guint64 total;

  if (!gst_gles_array_read_count (array, &call->count, call->limit, &counted, error))
    return FALSE;
  total =
      gst_gles_cpu_segments (&(GstGlesCpuKeyed){ call->key_type, gst_gles_array_words (call->keys),
                                 call->value_type, gst_gles_array_words (call->values) },
          counted.n, &cpu);
  if (total > call->max_count)
    counted.status |= GST_GLES_STATUS_TRUNCATED;
  return gst_gles_array_write_result (
      array, total, MIN (total, call->max_count), counted.status, error);
}

static gboolean
run (GstGlesSegments *segments, GstGlesSegmentsCall *call, GError **error)
{
  GstGlesQueue *queue = segments->array.queue;
  gboolean ok;

  call->key_words = call->key_type == GST_GLES_VALUE_U64 ? 2 : 1;
  if (!check_call (segments, call, error) || !gst_gles_queue_begin (queue, error))
    return FALSE;
  ok = segments->array.is_cpu ? run_cpu (segments, call, error)
                              : gst_gles_segments_queue (segments, call, error);
  return gst_gles_queue_end (queue, ok ? error : NULL) && ok;
}

gboolean
gst_gles_segments_run (GstGlesSegments *segments, GstGlesValueType key_type, GstGlesBuffer *keys,
    GstGlesValueType value_type, GstGlesBuffer *values, guint n,
    const GstGlesSegmentsOutputs *outputs, GError **error)
{
  GstGlesSegmentsCall call = {
    .key_type = key_type,
    .value_type = value_type,
    .keys = keys,
    .values = values,
    .count = GST_GLES_COUNT_HOST (n),
  };

  g_return_val_if_fail (segments != NULL && keys != NULL && outputs != NULL, FALSE);
  call.outputs = *outputs;
  return run (segments, &call, error);
}

gboolean
gst_gles_segments_run_indirect (GstGlesSegments *segments, GstGlesValueType key_type,
    GstGlesBuffer *keys, GstGlesValueType value_type, GstGlesBuffer *values, GstGlesBuffer *count,
    gsize count_offset_bytes, const GstGlesSegmentsOutputs *outputs, GError **error)
{
  GstGlesSegmentsCall call = {
    .key_type = key_type,
    .value_type = value_type,
    .keys = keys,
    .values = values,
    .count = GST_GLES_COUNT_DEVICE (count, count_offset_bytes),
  };

  g_return_val_if_fail (
      segments != NULL && keys != NULL && outputs != NULL && count != NULL, FALSE);
  call.outputs = *outputs;
  return run (segments, &call, error);
}

/* ---- on the host ---- */

gdouble
gst_gles_segments_get_mean (
    GstGlesValueType value_type, guint32 sum, guint32 sum_high, guint32 count)
{
  guint64 wide = (guint64) sum_high << 32 | sum;
  gfloat single;

  if (count == 0)
    return NAN;
  switch (value_type) {
    case GST_GLES_VALUE_U32:
      return (gdouble) wide / count;
    case GST_GLES_VALUE_I32:
      return (gdouble) (gint64) wide / count;
    case GST_GLES_VALUE_F32:
      memcpy (&single, &sum, sizeof (single));
      return (gdouble) single / count;
    default:
      g_return_val_if_reached (0);
  }
}
