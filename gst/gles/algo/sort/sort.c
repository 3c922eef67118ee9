/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/sort/sort-private.h>
#include <gst/gles/core/checked.h>
#include <glsl/sort/sort-layout.h>

GST_GLES_DEFINE_PLAN (GstGlesSort, gst_gles_sort)

void
gst_gles_sort_config_init (GstGlesSortConfig *config, GstGlesValueType type)
{
  g_return_if_fail (config != NULL);
  *config = (GstGlesSortConfig){
    .type = type,
    .end_bit = type == GST_GLES_VALUE_U64 ? 64 : 32,
  };
}

/* ---- plans ---- */

static guint
key_bits (const GstGlesSortConfig *config)
{
  return config->type == GST_GLES_VALUE_U64 ? 64 : 32;
}

static gboolean
check_config (const GstGlesSortConfig *config, GError **error)
{
  const guint bits = key_bits (config);

  if ((guint) config->type > GST_GLES_VALUE_U64)
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID, "sort: keys of unknown type %d",
        config->type);
  else if (config->begin_bit > (config->end_bit != 0 ? config->end_bit : bits) ||
      config->end_bit > bits)
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "sort: bits %u to %u are no range within keys of %u bits", config->begin_bit,
        config->end_bit, bits);
  else if (config->digit_bits != 0 && config->digit_bits != 4 && config->digit_bits != 8)
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "sort: digits of %u bits; 4, 8 and 0 (what is best) are possible", config->digit_bits);
  else
    return TRUE;
  return FALSE;
}

static gboolean
init_cpu (GstGlesSort *sort, GError **error)
{
  const GstGlesSortConfig *config = &sort->config;
  gsize size;

  sort->cpu = (GstGlesCpuSortConfig){
    .type = config->type,
    .descending = config->descending,
    .begin_bit = config->begin_bit,
    .end_bit = config->end_bit,
  };
  size = gst_gles_cpu_sort_scratch_bytes (&sort->cpu, sort->array.capacity, config->payload);
  sort->scratch = g_try_malloc (MAX (size, 1));
  if (sort->scratch == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "sort: cannot allocate %" G_GSIZE_FORMAT " bytes of scratch memory", size);
    return FALSE;
  }
  sort->array.state = gst_gles_buffer_new (sort->array.device, sizeof (GstGlesResult), error);
  return sort->array.state != NULL;
}

/* Sorts no keys, because llvmpipe generates code at the first dispatch. */
static gboolean
warm_up (GstGlesSort *sort, GError **error)
{
  g_autoptr (GstGlesBuffer) in = NULL, keys = NULL, payloads = NULL;

  in = gst_gles_buffer_new (sort->array.device, GST_GLES_WARM_UP_BYTES, error);
  keys =
      in != NULL ? gst_gles_buffer_new (sort->array.device, GST_GLES_WARM_UP_BYTES, error) : NULL;
  if (keys != NULL && sort->config.payload)
    payloads = gst_gles_buffer_new (sort->array.device, GST_GLES_WARM_UP_BYTES, error);
  if (keys == NULL || (sort->config.payload && payloads == NULL))
    return FALSE;
  return gst_gles_sort_run (sort, in, NULL, keys, payloads, 0, error);
}

static gboolean
init_gl (GstGlesSort *sort, GError **error)
{
  return gst_gles_sort_build (sort, error) && warm_up (sort, error);
}

GstGlesSort *
gst_gles_sort_new_full (GstGlesQueue *queue, const GstGlesSortConfig *config, guint capacity,
    const GstGlesSortVariant *variant, GError **error)
{
  GstGlesSort *sort;

  if (!check_config (config, error))
    return NULL;
  if (capacity > GST_GLES_MAX_VALUES) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "sort: a plan for %u keys; %u are the most", capacity, GST_GLES_MAX_VALUES);
    return NULL;
  }
  sort = g_new0 (GstGlesSort, 1);
  sort->array = (GstGlesArray){
    .ref_count = 1,
    .name = "sort",
    .queue = gst_object_ref (queue),
    .device = gst_gles_queue_get_device (queue),
    .capacity = capacity,
  };
  sort->array.is_cpu = gst_gles_device_get_kind (sort->array.device) == GST_GLES_DEVICE_CPU;
  sort->config = *config;
  if (config->end_bit == 0)
    sort->config.end_bit = key_bits (config);
  sort->variant = *variant;
  sort->key_words = config->type == GST_GLES_VALUE_U64 ? 2 : 1;
  sort->record_words = sort->key_words + (config->payload ? 1 : 0);
  if (sort->array.is_cpu ? !init_cpu (sort, error) : !init_gl (sort, error))
    g_clear_pointer (&sort, gst_gles_sort_unref);
  return sort;
}

GstGlesSort *
gst_gles_sort_new (
    GstGlesQueue *queue, const GstGlesSortConfig *config, guint capacity, GError **error)
{
  GstGlesSortVariant variant;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && config != NULL, NULL);
  if (!gst_gles_sort_variant_parse (g_getenv ("GST_GLES_SORT_VARIANT"), &variant, error))
    return NULL;
  return gst_gles_sort_new_full (queue, config, capacity, &variant, error);
}

static void
plan_finish (GstGlesSort *sort)
{
  for (guint from = 0; from < GST_GLES_SORT_N_FORMS; from++) {
    gst_gles_program_unref (sort->count[from]);
    for (guint to = 0; to < GST_GLES_SORT_N_FORMS; to++)
      gst_gles_program_unref (sort->scatter[from][to]);
  }
  gst_gles_program_unref (sort->setup);
  gst_gles_program_unref (sort->histogram);
  gst_gles_program_unref (sort->spine);
  gst_gles_program_unref (sort->copy);
  gst_gles_buffer_unref (sort->records[0]);
  gst_gles_buffer_unref (sort->records[1]);
  gst_gles_buffer_unref (sort->payloads[0]);
  gst_gles_buffer_unref (sort->payloads[1]);
  g_free (sort->scratch);
}

/* ---- calls ---- */

/* Checks the buffers of a call and finds its largest number of keys. */
static gboolean
check_call (GstGlesSort *sort, GstGlesSortCall *call, GError **error)
{
  const GstGlesArray *array = &sort->array;
  const GstGlesArgument keys_in = { "keys_in", call->keys_in, FALSE };
  const GstGlesArgument keys_out = { "keys_out", call->keys_out, TRUE };
  const GstGlesArgument payloads_in = { "payloads_in", call->payloads_in, FALSE };
  const GstGlesArgument payloads_out = { "payloads_out", call->payloads_out, TRUE };
  const GstGlesArgument count = { "count", call->count.buffer, FALSE };
  const struct {
    const GstGlesArgument *argument;
    guint words;
  } used[] = { { &keys_in, sort->key_words }, { &keys_out, sort->key_words }, { &payloads_in, 1 },
    { &payloads_out, 1 } };
  const GstGlesArgument *const distinct[][2] = { { &keys_out, &payloads_in },
    { &keys_out, &payloads_out }, { &payloads_out, &keys_in }, { &count, &keys_out },
    { &count, &payloads_out } };

  if (!gst_gles_array_check_count (array, &call->count, error))
    return FALSE;
  call->limit = call->count.buffer != NULL ? array->capacity : call->count.n;
  for (guint i = 0; i < G_N_ELEMENTS (used); i++) {
    GstGlesBuffer *buffer = used[i].argument->buffer;
    guint64 n_words = (guint64) call->count.n * used[i].words;
    if (buffer == NULL)
      continue;
    if (!gst_gles_array_check_buffer (array, used[i].argument, n_words, error))
      return FALSE;
    if (call->count.buffer != NULL)
      call->limit = MIN (call->limit, gst_gles_buffer_get_size (buffer) / 4 / used[i].words);
  }
  for (guint i = 0; i < G_N_ELEMENTS (distinct); i++) {
    if (!gst_gles_array_check_distinct (array, distinct[i][0], distinct[i][1], error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
run_cpu (GstGlesSort *sort, const GstGlesSortCall *call, GError **error)
{
  GstGlesQueue *queue = sort->array.queue;
  const GstGlesSortCall *c = call;
  GstGlesCounted counted;
  guint32 wanted = c->count.n;

  if (!gst_gles_array_read_count (&sort->array, &c->count, c->limit, &counted, error) ||
      (c->count.buffer != NULL &&
          !gst_gles_buffer_download (
              c->count.buffer, queue, c->count.offset_bytes, &wanted, sizeof (wanted), error)))
    return FALSE;
  gst_gles_cpu_sort (&sort->cpu,
      &(GstGlesCpuSortBuffers){ gst_gles_array_words (c->keys_in),
          gst_gles_array_words (c->payloads_in), gst_gles_array_words (c->keys_out),
          gst_gles_array_words (c->payloads_out) },
      counted.n, sort->scratch);
  return gst_gles_array_write_result (&sort->array, wanted, counted.n, counted.status, error);
}

static gboolean
run (GstGlesSort *sort, GstGlesSortCall *call, GError **error)
{
  gboolean ok;

  if (!check_call (sort, call, error) || !gst_gles_queue_begin (sort->array.queue, error))
    return FALSE;
  ok = sort->array.is_cpu ? run_cpu (sort, call, error) : gst_gles_sort_queue (sort, call, error);
  return gst_gles_queue_end (sort->array.queue, ok ? error : NULL) && ok;
}

gboolean
gst_gles_sort_run (GstGlesSort *sort, GstGlesBuffer *keys_in, GstGlesBuffer *payloads_in,
    GstGlesBuffer *keys_out, GstGlesBuffer *payloads_out, guint n, GError **error)
{
  GstGlesSortCall call = { keys_in, payloads_in, keys_out, payloads_out, GST_GLES_COUNT_HOST (n),
    0 };

  g_return_val_if_fail (sort != NULL && keys_in != NULL && keys_out != NULL, FALSE);
  g_return_val_if_fail (sort->config.payload == (payloads_out != NULL), FALSE);
  g_return_val_if_fail (sort->config.payload || payloads_in == NULL, FALSE);
  return run (sort, &call, error);
}

gboolean
gst_gles_sort_run_indirect (GstGlesSort *sort, GstGlesBuffer *keys_in, GstGlesBuffer *payloads_in,
    GstGlesBuffer *keys_out, GstGlesBuffer *payloads_out, GstGlesBuffer *count,
    gsize count_offset_bytes, GError **error)
{
  GstGlesSortCall call = { keys_in, payloads_in, keys_out, payloads_out,
    GST_GLES_COUNT_DEVICE (count, count_offset_bytes), 0 };

  g_return_val_if_fail (
      sort != NULL && keys_in != NULL && keys_out != NULL && count != NULL, FALSE);
  g_return_val_if_fail (sort->config.payload == (payloads_out != NULL), FALSE);
  g_return_val_if_fail (sort->config.payload || payloads_in == NULL, FALSE);
  return run (sort, &call, error);
}

void
gst_gles_sort_get_setup (GstGlesSort *sort, GstGlesBinding *state, guint *tile, guint *max_groups_x)
{
  *state = gst_gles_array_state (&sort->array);
  *tile = sort->tile;
  *max_groups_x = gst_gles_device_get_limits (sort->array.device)->groups[0];
}

gboolean
gst_gles_sort_run_prepared (GstGlesSort *sort, GstGlesBuffer *keys, GstGlesBuffer *payloads_in,
    GstGlesBuffer *payloads_out, GError **error)
{
  GstGlesSortCall call = { keys, payloads_in, keys, payloads_out,
    GST_GLES_COUNT_DEVICE (sort->array.state, 4 * GST_GLES_SORT_N), .prepared = TRUE };

  return run (sort, &call, error);
}
