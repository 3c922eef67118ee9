/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/histogram/histogram-private.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/histogram/histogram.h>

#define MAX_REPLICA_SHIFT 5
#define CLEAR_GROUPS 64

struct _GstGlesHistogram {
  GstGlesArray array;
  guint key_bytes;
  GstGlesCpuBinning binning;
  /* Devices with GL only: */
  const GstGlesFrameHistogramTuning *tuning;
  GstGlesHistogramKind kind;
  GstGlesHistogramPass pass; /* the members that all windows share */
  GstGlesProgram *count;
  /* With kind.last_block_flush: the counters and the word that numbers finished workgroups. With
   * kind.field_bits: the carries and the number of tables, which need not be zero. Otherwise NULL.
   * Zero between calls unless a call failed; then @dirty is set. */
  GstGlesBuffer *accumulator;
  guint accumulator_words;
  gboolean dirty;
  /* With kind.field_bits only: */
  GstGlesProgram *sum;
  GstGlesBuffer *tables;
};

/* The arguments of one call. */
typedef struct {
  GstGlesBuffer *keys, *counts;
  GstGlesCount count;
  guint limit; /* upper bound of the number of keys */
} Call;

GST_GLES_DEFINE_PLAN (GstGlesHistogram, gst_gles_histogram)

/* ---- variants ---- */

static gboolean
take_word (const gchar *word, gpointer user_data)
{
  static const struct {
    const gchar *word;
    GstGlesFrameHistogramForce force;
  } counters[] = {
    { "private", GST_GLES_FRAME_HISTOGRAM_FORCE_PRIVATE },
    { "shared", GST_GLES_FRAME_HISTOGRAM_FORCE_SHARED },
    { "packed", GST_GLES_FRAME_HISTOGRAM_FORCE_PACKED },
    { "global", GST_GLES_FRAME_HISTOGRAM_FORCE_GLOBAL },
  };
  GstGlesHistogramVariant *variant = user_data;

  if (g_str_equal (word, "tables") && variant->force == 0 && !variant->tables) {
    variant->tables = TRUE;
    return TRUE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (counters) && variant->force == 0 && !variant->tables; i++) {
    if (g_str_equal (counters[i].word, word)) {
      variant->force = counters[i].force;
      return TRUE;
    }
  }
  return FALSE;
}

gboolean
gst_gles_histogram_variant_parse (
    const gchar *text, GstGlesHistogramVariant *variant, GError **error)
{
  static const GstGlesVariantWords own = { "GST_GLES_HISTOGRAM_VARIANT", take_word,
    "one of private, shared, packed, tables and global" };

  variant->force = 0;
  variant->tables = FALSE;
  return gst_gles_variant_parse_besides (&own, text, variant, &variant->common, error);
}

/* ---- plans ---- */

static gboolean
check_config (const GstGlesHistogramConfig *config, GError **error)
{
  if ((guint) config->type > GST_GLES_KEY_U32)
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "histogram: keys of unknown type %d", config->type);
  else if (config->bins == 0 || config->bins > GST_GLES_MAX_BINS)
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "histogram: %u bins; 1 to %u are possible", config->bins, GST_GLES_MAX_BINS);
  else if (config->lower >= config->upper || config->upper > G_GUINT64_CONSTANT (1) << 32)
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "histogram: keys from %u to below %" G_GUINT64_FORMAT
        "; the range must not be empty and end at 2^32",
        config->lower, config->upper);
  else
    return TRUE;
  return FALSE;
}

/* Chooses how the kernel computes bins, and sets the factors it multiplies by. */
static void
set_binning (GstGlesHistogram *histogram)
{
  const GstGlesCpuBinning *binning = &histogram->binning;
  guint64 n_values = G_GUINT64_CONSTANT (1) << 8 * histogram->key_bytes;
  guint64 max = MIN (binning->width, n_values) - 1;
  guint64 product = (binning->bins % binning->width) << 32;
  guint64 short_fraction = gst_gles_div_ceil (product, binning->width);
  guint64 excess = short_fraction * binning->width - product;

  histogram->kind.bytes = histogram->key_bytes;
  histogram->kind.ranged = binning->lower > 0 || binning->width < n_values;
  histogram->pass = (GstGlesHistogramPass){
    .lower = binning->lower,
    .span = (guint32) (binning->width - 1),
    .whole = binning->whole,
    .scale_high = (guint32) (binning->fraction >> 32),
    .scale_low = (guint32) binning->fraction,
    .bins = binning->bins,
    .n_ranges = 1,
  };
  if (binning->bins == binning->width) {
    histogram->kind.binning = 0;
  } else if (max * binning->bins < binning->width) {
    /* All keys fall into bin 0. So do all one-byte keys that would otherwise need a fraction of 64
     * bits: their excess, which is less than the width, is more than 2^32 / 255, and 65536 bins are
     * fewer than that width / 255. */
    histogram->kind.binning = 1;
  } else if (max == 0 || excess <= G_MAXUINT32 / max) {
    /* The rounding error of a 32-bit fraction, times any key, stays below one unit of the fraction,
     * so the integer part is exact. */
    histogram->kind.binning = 1;
    histogram->pass.scale_high = (guint32) short_fraction;
  } else {
    histogram->kind.binning = 2;
  }
}

static void
set_counters (GstGlesHistogram *histogram)
{
  const GstGlesFrameHistogramTuning *tuning = histogram->tuning;
  guint bins = histogram->binning.bins;
  GstGlesHistogramPass *pass = &histogram->pass;

  if (histogram->kind.counters != GST_GLES_COUNTERS_SHARED)
    return;
  if (histogram->kind.field_bits != 0) {
    pass->task_units =
        gst_gles_histogram_task_units (bins, histogram->kind.field_bits, histogram->key_bytes);
    return;
  }
  if (histogram->kind.packed) {
    g_assert (tuning->shared_words % 32 == 0);
    pass->n_ranges = gst_gles_div_ceil (bins, 2 * tuning->shared_words);
    return;
  }
  /* BANKS_MIXED permutes the counters of a block of 32, so the kernel keeps whole blocks. */
  bins = gst_gles_align_up (bins, 32);
  while (pass->replica_shift < MAX_REPLICA_SHIFT &&
      bins << (pass->replica_shift + 1) <= histogram->kind.shared_words)
    pass->replica_shift++;
}

static GstGlesBinding
accumulator (GstGlesHistogram *histogram)
{
  return gst_gles_array_binding (
      histogram->accumulator, 0, histogram->accumulator_words, GST_GLES_READ_WRITE);
}

/* Words of a table of narrow counters; 0: there are none. */
static guint
table_words (const GstGlesHistogramKind *kind)
{
  return kind->field_bits != 0 ? GST_GLES_ARRAY_TABLE_WORDS (32 / kind->field_bits) : 0;
}

/* Queues the dispatches that count @window, whose keys are @keys. */
static gboolean
dispatch_count (GstGlesHistogram *histogram, GstGlesBinding keys, GstGlesBinding counts,
    const GstGlesWindow *window, GError **error)
{
  GstGlesArray *array = &histogram->array;
  const GstGlesHistogramKind *kind = &histogram->kind;
  const gboolean tables = kind->field_bits != 0,
                 last_block_flush = kind->last_block_flush || tables;
  const GstGlesBinding tables_binding = { histogram->tables, 0, 0, GST_GLES_READ_WRITE };
  const GstGlesBinding count_bindings[] = {
    keys,
    last_block_flush ? accumulator (histogram) : counts,
    gst_gles_array_state (array),
    tables ? tables_binding : counts,
  };
  const GstGlesBinding sum_bindings[] = { tables_binding, accumulator (histogram), counts,
    gst_gles_array_state (array) };
  const guint sum_groups[3] = { table_words (kind) / 32, 1, 1 };
  guint n_bindings = last_block_flush ? 4 : 3;
  GstGlesHistogramPass pass = histogram->pass;

  pass.array = window->pass;
  return gst_gles_array_dispatch (array,
             GST_GLES_DISPATCH (histogram->count, count_bindings, n_bindings, &pass), window,
             error) &&
      (!tables ||
          gst_gles_queue_dispatch (array->queue,
              GST_GLES_DISPATCH (histogram->sum, sum_bindings, 4, &pass), sum_groups, error));
}

/* Queues an empty dispatch, because llvmpipe generates the machine code at the first one. */
static gboolean
warm_up (GstGlesHistogram *histogram, GError **error)
{
  GstGlesArray *array = &histogram->array;
  g_autoptr (GstGlesBuffer) dummy =
      gst_gles_buffer_new (array->device, 4 * MAX (histogram->binning.bins, 16), error);
  const GstGlesWindow empty = { .groups = { 1, 1, 1 } };
  gboolean ok;

  if (dummy == NULL || !gst_gles_queue_begin (array->queue, error))
    return FALSE;
  ok = dispatch_count (histogram, (GstGlesBinding){ dummy, 0, 0, GST_GLES_READ },
      (GstGlesBinding){ dummy, 0, 0, GST_GLES_READ_WRITE }, &empty, error);
  return gst_gles_queue_end (array->queue, ok ? error : NULL) && ok;
}

/* Makes the accumulator and the buffer of tables, as far as the kind needs them. */
static gboolean
make_buffers (GstGlesHistogram *histogram, GError **error)
{
  const GstGlesArray *array = &histogram->array;
  const GstGlesHistogramKind *kind = &histogram->kind;
  const GstGlesCount none = GST_GLES_COUNT_HOST (0);
  guint n = MIN (array->capacity, array->window_size), n_tables;
  GstGlesWindow window;

  if (kind->last_block_flush)
    histogram->accumulator_words = histogram->binning.bins + 1;
  if (kind->field_bits != 0) {
    /* the carries and the number of tables */
    const guint fields = 32 / kind->field_bits;

    histogram->accumulator_words = fields * GST_GLES_ARRAY_BINS_PER_FIELD (fields) + 1;
    window = gst_gles_array_window (array, &array->two_pass, &none, n, 0);
    n_tables = gst_gles_histogram_n_tables (
        &histogram->pass, kind->bytes, window.groups[0] * window.groups[1], n);
    histogram->tables =
        gst_gles_buffer_new (array->device, (gsize) 4 * n_tables * table_words (kind), error);
    if (histogram->tables == NULL)
      return FALSE;
  }
  if (histogram->accumulator_words != 0)
    histogram->accumulator =
        gst_gles_buffer_new (array->device, 4 * histogram->accumulator_words, error);
  return histogram->accumulator_words == 0 || histogram->accumulator != NULL;
}

static gboolean
init (GstGlesHistogram *histogram, GstGlesQueue *queue, guint capacity,
    const GstGlesHistogramVariant *variant, GError **error)
{
  GstGlesArray *array = &histogram->array;
  g_autoptr (GstGlesDevice) device = gst_gles_queue_get_device (queue);
  gboolean is_cpu = gst_gles_device_get_kind (device) == GST_GLES_DEVICE_CPU;
  GstGlesArrayTuning tuning = { { 0 } };
  GstGlesProgramList list = { .n = 0 };
  GstGlesProgramSpec spec;

  if (!is_cpu) {
    histogram->tuning = gst_gles_frame_histogram_tuning_get (device);
    set_binning (histogram);
    gst_gles_histogram_choose (
        histogram->tuning, variant, histogram->binning.bins, capacity, &histogram->kind);
    set_counters (histogram);
    tuning.two_pass = tuning.portable =
        gst_gles_histogram_shape (&histogram->kind, histogram->tuning, histogram->binning.bins,
            capacity, variant->common.window != 0 ? variant->common.window : G_MAXUINT);
  }
  if (!gst_gles_array_init (array, queue,
          &(GstGlesArrayConfig){ "histogram", capacity, &tuning, &variant->common }, error))
    return FALSE;
  if (is_cpu)
    return TRUE;
  gst_gles_histogram_spec (&histogram->kind, histogram->tuning, array->two_pass.invocations, &spec);
  gst_gles_program_list_add (&list, &spec, &histogram->count);
  if (histogram->kind.field_bits != 0) {
    gst_gles_histogram_sum_spec (histogram->tuning, histogram->kind.field_bits, &spec);
    gst_gles_program_list_add (&list, &spec, &histogram->sum);
  }
  return gst_gles_program_list_get (&list, queue, error) && make_buffers (histogram, error) &&
      warm_up (histogram, error);
}

GstGlesHistogram *
gst_gles_histogram_new_full (GstGlesQueue *queue, const GstGlesHistogramConfig *config,
    guint capacity, const GstGlesHistogramVariant *variant, GError **error)
{
  GstGlesHistogram *histogram;

  if (!check_config (config, error))
    return NULL;
  histogram = g_new0 (GstGlesHistogram, 1);
  histogram->key_bytes = 1u << config->type;
  gst_gles_cpu_binning_init (
      &histogram->binning, config->lower, config->upper - config->lower, config->bins);
  if (!init (histogram, queue, capacity, variant, error))
    g_clear_pointer (&histogram, gst_gles_histogram_unref);
  return histogram;
}

GstGlesHistogram *
gst_gles_histogram_new (GstGlesQueue *queue, GstGlesKeyType type, guint bins, guint32 lower,
    guint64 upper, guint capacity, GError **error)
{
  const GstGlesHistogramConfig config = { type, bins, lower, upper };
  GstGlesHistogramVariant variant;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue), NULL);
  if (!gst_gles_histogram_variant_parse (g_getenv ("GST_GLES_HISTOGRAM_VARIANT"), &variant, error))
    return NULL;
  return gst_gles_histogram_new_full (queue, &config, capacity, &variant, error);
}

static void
plan_finish (GstGlesHistogram *histogram)
{
  gst_gles_program_unref (histogram->count);
  gst_gles_program_unref (histogram->sum);
  gst_gles_buffer_unref (histogram->tables);
  gst_gles_buffer_unref (histogram->accumulator);
}

const GstGlesArray *
gst_gles_histogram_get_array (GstGlesHistogram *histogram)
{
  return &histogram->array;
}

const GstGlesHistogramKind *
gst_gles_histogram_get_kind (GstGlesHistogram *histogram)
{
  return &histogram->kind;
}

/* ---- calls ---- */

static gboolean
run_cpu (GstGlesHistogram *histogram, const Call *call, GError **error)
{
  GstGlesArray *array = &histogram->array;
  GstGlesCounted counted;

  if (!gst_gles_array_read_count (array, &call->count, call->limit, &counted, error))
    return FALSE;
  if (!gst_gles_cpu_histogram (&histogram->binning,
          &(GstGlesCpuKeys){
              gst_gles_buffer_peek_memory (call->keys), counted.n, histogram->key_bytes },
          gst_gles_array_words (call->counts), error))
    return FALSE;
  return gst_gles_array_write_result (array, counted.n, counted.n, counted.status, error);
}

static gboolean
clear_words (GstGlesHistogram *histogram, GstGlesBinding counts, guint n_words, GError **error)
{
  GstGlesArrayClear params = { 0, n_words, 0, 0 };
  const guint groups[3] = { CLEAR_GROUPS, 1, 1 };

  return gst_gles_queue_dispatch (histogram->array.queue,
      GST_GLES_DISPATCH (histogram->array.clear, &counts, 1, &params), groups, error);
}

/* Zeroes the buffer that counts are added to. The accumulator is zero already, unless a call
 * failed. */
static gboolean
clear_counts (GstGlesHistogram *histogram, GstGlesBinding counts, GError **error)
{
  if (histogram->accumulator == NULL)
    return clear_words (histogram, counts, histogram->binning.bins, error);
  return !histogram->dirty ||
      clear_words (histogram, accumulator (histogram), histogram->accumulator_words, error);
}

static gboolean
count_window (GstGlesHistogram *histogram, const Call *call, GstGlesBinding counts,
    const GstGlesWindow *window, GError **error)
{
  gsize bytes = histogram->key_bytes;
  /* A size of 0 would bind the rest of the buffer, which can exceed a storage block. An empty
   * window binds one byte instead, which is never read. */
  gsize size = MIN (MAX (window->n * bytes, 1), gst_gles_buffer_get_size (call->keys));
  const GstGlesBinding keys = { call->keys, window->first * bytes, size, GST_GLES_READ };

  return dispatch_count (histogram, keys, counts, window, error);
}

static gboolean
run_gl (GstGlesHistogram *histogram, const Call *call, GError **error)
{
  GstGlesArray *array = &histogram->array;
  GstGlesBinding counts =
      gst_gles_array_binding (call->counts, 0, histogram->binning.bins, GST_GLES_READ_WRITE);
  GstGlesWindow window;

  if (!clear_counts (histogram, counts, error) ||
      !gst_gles_array_setup (array, &array->two_pass, &call->count, call->limit, error))
    return FALSE;
  for (guint i = 0; i < gst_gles_array_n_windows (array, call->limit); i++) {
    window = gst_gles_array_window (array, &array->two_pass, &call->count, call->limit, i);
    if (!count_window (histogram, call, counts, &window, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
check_call (GstGlesHistogram *histogram, Call *call, GError **error)
{
  const GstGlesArray *array = &histogram->array;
  const GstGlesArgument keys = { "keys", call->keys, FALSE };
  const GstGlesArgument counts = { "counts", call->counts, TRUE };
  const GstGlesArgument count = { "count", call->count.buffer, FALSE };
  gsize n_held = gst_gles_buffer_get_size (call->keys) / histogram->key_bytes;

  if (!gst_gles_array_check_count (array, &call->count, error) ||
      !gst_gles_array_check_buffer (array, &keys, 0, error) ||
      !gst_gles_array_check_buffer (array, &counts, histogram->binning.bins, error) ||
      !gst_gles_array_check_distinct (array, &keys, &counts, error) ||
      !gst_gles_array_check_distinct (array, &count, &counts, error))
    return FALSE;
  call->limit = call->count.n;
  if (call->count.buffer != NULL)
    call->limit = MIN (array->capacity, n_held);
  if (call->limit <= n_held)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "histogram: the keys buffer has %" G_GSIZE_FORMAT " bytes; %u keys of %u are more",
      gst_gles_buffer_get_size (call->keys), call->limit, histogram->key_bytes);
  return FALSE;
}

static gboolean
run (GstGlesHistogram *histogram, Call *call, GError **error)
{
  gboolean ok;

  g_return_val_if_fail (histogram != NULL && call->keys != NULL && call->counts != NULL, FALSE);
  if (!check_call (histogram, call, error) || !gst_gles_queue_begin (histogram->array.queue, error))
    return FALSE;
  ok = histogram->array.is_cpu ? run_cpu (histogram, call, error) : run_gl (histogram, call, error);
  ok = gst_gles_queue_end (histogram->array.queue, ok ? error : NULL) && ok;
  histogram->dirty = !ok;
  return ok;
}

gboolean
gst_gles_histogram_run (GstGlesHistogram *histogram, GstGlesBuffer *keys, guint n,
    GstGlesBuffer *counts, GError **error)
{
  Call call = { keys, counts, GST_GLES_COUNT_HOST (n), 0 };

  return run (histogram, &call, error);
}

gboolean
gst_gles_histogram_run_indirect (GstGlesHistogram *histogram, GstGlesBuffer *keys,
    GstGlesBuffer *count, gsize count_offset_bytes, GstGlesBuffer *counts, GError **error)
{
  Call call = { keys, counts, GST_GLES_COUNT_DEVICE (count, count_offset_bytes), 0 };

  g_return_val_if_fail (count != NULL, FALSE);
  return run (histogram, &call, error);
}
