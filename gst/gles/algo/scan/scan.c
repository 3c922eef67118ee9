/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/scan/scan-private.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/scan/scan.h>
#include <glsl/scan/scan-layout.h>

/* Where sums restart: HEADS of scan/scan_rows.glsl. */
typedef enum {
  HEADS_NONE,
  HEADS_FLAGS,
  HEADS_BLOCKS,
  N_HEADS
} Heads;

struct _GstGlesScan {
  GstGlesArray array;
  /* made at first use */
  GstGlesProgram *reduce[N_HEADS], *downsweep[N_HEADS], *look_back[N_HEADS];
};

/* One call. */
typedef struct {
  Heads heads;
  GstGlesBuffer *input, *output;
  GstGlesBuffer *extra; /* the heads, or the blocks' totals (nullable) */
  GstGlesCount count;
  guint block_size;
  gboolean inclusive;
  guint limit; /* the largest number of values */
} Call;

GST_GLES_DEFINE_PLAN (GstGlesScan, gst_gles_scan)
GST_GLES_DEFINE_PLAN_NEW (GstGlesScan, gst_gles_scan, "GST_GLES_SCAN_VARIANT")

/* ---- programs ---- */

static void
scan_spec (const GstGlesShape *shape, const gchar *kernel, Heads heads, gboolean look_back,
    GstGlesProgramSpec *spec)
{
  guint n = gst_gles_shape_spec (shape, kernel, heads == HEADS_NONE ? 3 : 4, spec);

  spec->defines[n++] = (GstGlesDefine){ "HEADS", heads };
  spec->shared_bytes = gst_gles_shape_scan_bytes (shape, shape->rows, heads == HEADS_NONE ? 1 : 2);
  if (look_back) {
    n = gst_gles_shape_look_back_defines (shape, spec, n);
    spec->shared_bytes += gst_gles_shape_look_back_bytes (shape) + 4;
  }
}

static void
add_program (GstGlesScan *scan, GstGlesProgram **program, const gchar *kernel, Heads heads,
    GstGlesProgramList *list)
{
  const GstGlesArray *array = &scan->array;
  const gboolean look_back = g_str_equal (kernel, "scan_lookback");
  GstGlesProgramSpec spec;

  scan_spec (look_back ? &array->look_back : &array->two_pass, kernel, heads, look_back, &spec);
  gst_gles_program_list_add (list, &spec, program);
}

static gboolean
get_programs (GstGlesScan *scan, Heads heads, gboolean look_back, GError **error)
{
  GstGlesProgram **last = look_back ? &scan->look_back[heads] : &scan->downsweep[heads];
  GstGlesProgramList list;

  if (*last != NULL)
    return TRUE;
  list.n = 0;
  if (look_back) {
    add_program (scan, last, "scan_lookback", heads, &list);
  } else {
    add_program (scan, &scan->reduce[heads], "scan_reduce", heads, &list);
    add_program (scan, last, "scan_downsweep", heads, &list);
  }
  return gst_gles_program_list_get (&list, scan->array.queue, error);
}

static void
visit_shape (const GstGlesShape *shape, gboolean look_back, GstGlesSpecialisationFunc func,
    gpointer user_data)
{
  static const gchar *const kernels[2][2] = { { "scan_reduce", "scan_downsweep" },
    { "scan_lookback" } };

  for (Heads heads = 0; heads < N_HEADS; heads++) {
    for (guint i = 0; i < 2 && kernels[look_back][i] != NULL; i++) {
      GstGlesProgramSpec spec;
      scan_spec (shape, kernels[look_back][i], heads, look_back, &spec);
      func (&spec, user_data);
    }
  }
}

void
gst_gles_scan_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  gst_gles_array_tuning_foreach (gst_gles_scan_tuning, visit_shape, func, user_data);
}

/* ---- plans ---- */

GstGlesScan *
gst_gles_scan_new_full (
    GstGlesQueue *queue, guint capacity, const GstGlesVariant *variant, GError **error)
{
  GstGlesScan *scan = g_new0 (GstGlesScan, 1);
  const GstGlesArrayTuning *tuning = gst_gles_array_tuning (queue, gst_gles_scan_tuning);
  gboolean ok = gst_gles_array_init (
      &scan->array, queue, &(GstGlesArrayConfig){ "scan", capacity, tuning, variant }, error);

  if (ok && !scan->array.is_cpu)
    ok = get_programs (scan, HEADS_NONE, FALSE, error) &&
        (scan->array.look_back.invocations == 0 || get_programs (scan, HEADS_NONE, TRUE, error));
  if (!ok)
    g_clear_pointer (&scan, gst_gles_scan_unref);
  return scan;
}

static void
plan_finish (GstGlesScan *scan)
{
  for (Heads heads = 0; heads < N_HEADS; heads++) {
    gst_gles_program_unref (scan->reduce[heads]);
    gst_gles_program_unref (scan->downsweep[heads]);
    gst_gles_program_unref (scan->look_back[heads]);
  }
}

/* ---- calls ---- */

static guint64
n_blocks (const Call *call, guint64 n)
{
  return call->heads == HEADS_BLOCKS ? gst_gles_div_ceil (n, call->block_size) : n;
}

static gboolean
check_call (GstGlesScan *scan, Call *call, GError **error)
{
  const GstGlesArray *array = &scan->array;
  const GstGlesArgument input = { "input", call->input, FALSE };
  const GstGlesArgument output = { "output", call->output, TRUE };
  const GstGlesArgument count = { "count", call->count.buffer, FALSE };
  const GstGlesArgument extra = { call->heads == HEADS_FLAGS ? "heads" : "totals", call->extra,
    call->heads == HEADS_BLOCKS };
  GstGlesBuffer *const limits[] = { call->input, call->output,
    call->heads == HEADS_FLAGS ? call->extra : NULL, NULL };
  guint64 n;

  if (!gst_gles_array_check_count (array, &call->count, error))
    return FALSE;
  if (call->heads == HEADS_BLOCKS && call->block_size == 0) {
    g_set_error (
        error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID, "scan: blocks of 0 values; use 1 at least");
    return FALSE;
  }
  call->limit = gst_gles_array_limit (array, &call->count, limits);
  if (call->count.buffer != NULL && call->heads == HEADS_BLOCKS && call->extra != NULL)
    call->limit =
        MIN (call->limit, (guint64) gst_gles_buffer_get_size (call->extra) / 4 * call->block_size);
  n = call->limit;
  return gst_gles_array_check_buffer (array, &input, n, error) &&
      gst_gles_array_check_buffer (array, &output, n, error) &&
      (call->extra == NULL ||
          gst_gles_array_check_buffer (array, &extra, n_blocks (call, n), error)) &&
      gst_gles_array_check_distinct (array, &output, &extra, error) &&
      gst_gles_array_check_distinct (array, &output, &count, error) &&
      (!extra.written ||
          (gst_gles_array_check_distinct (array, &input, &extra, error) &&
              gst_gles_array_check_distinct (array, &extra, &count, error)));
}

static gboolean
run_cpu (GstGlesScan *scan, const Call *call, GError **error)
{
  GstGlesArray *array = &scan->array;
  const guint32 *input = gst_gles_array_words (call->input);
  guint32 *output = gst_gles_array_words (call->output);
  guint32 *extra = gst_gles_array_words (call->extra);
  guint64 total = 0;
  GstGlesCounted counted;

  if (!gst_gles_array_read_count (array, &call->count, call->limit, &counted, error))
    return FALSE;
  if (call->heads == HEADS_FLAGS)
    gst_gles_cpu_scan_segmented (input, extra, output, counted.n, call->inclusive);
  else if (call->heads == HEADS_BLOCKS)
    gst_gles_cpu_scan_blocks (
        input, output, counted.n, &(GstGlesCpuBlocks){ call->block_size, call->inclusive, extra });
  else
    total = gst_gles_cpu_scan (input, output, counted.n, call->inclusive);
  if (total > G_MAXUINT32)
    counted.status |= GST_GLES_STATUS_TOTAL_WRAPPED;
  return gst_gles_array_write_result (array, total, counted.n, counted.status, error);
}

/* Binds storage block 3: the heads, or the totals of the blocks that the window contains a part
 * of. */
static GstGlesBinding
extra_binding (const Call *call, const GstGlesWindow *window, GstGlesScanPass *pass)
{
  GstGlesBinding binding = { NULL, 0, 0, 0 };

  if (call->extra == NULL)
    return binding;
  if (call->heads == HEADS_FLAGS)
    return gst_gles_array_binding (call->extra, window->first, window->n, GST_GLES_READ);
  /* The alignment of bindings is at most 256 bytes, which is 64 words. */
  pass->first_block = window->first / call->block_size / 64 * 64;
  return gst_gles_array_binding (call->extra, pass->first_block,
      n_blocks (call, (guint64) window->first + window->n) - pass->first_block, GST_GLES_WRITE);
}

static gboolean
run_window (GstGlesScan *scan, const Call *call, gboolean look_back, guint index, GError **error)
{
  GstGlesArray *array = &scan->array;
  const GstGlesShape *shape = look_back ? &array->look_back : &array->two_pass;
  guint n_bindings = call->heads == HEADS_NONE ? 3 : 4;
  GstGlesWindow window;
  GstGlesScanPass pass = {
    .inclusive = call->inclusive,
    .block_size = call->block_size,
    .block_factor = call->block_size > 0 ? G_MAXUINT32 / call->block_size : 0,
    .write_totals = call->heads == HEADS_BLOCKS && call->extra != NULL,
  };

  window = gst_gles_array_window (array, shape, &call->count, call->limit, index);
  pass.array = window.pass;
  const GstGlesBinding bindings[] = {
    gst_gles_array_state (array),
    gst_gles_array_binding (call->input, window.first, window.n, GST_GLES_READ),
    gst_gles_array_binding (call->output, window.first, window.n, GST_GLES_READ_WRITE),
    extra_binding (call, &window, &pass),
  };
  if (look_back)
    return gst_gles_array_next_epoch (array, &pass.look_back, error) &&
        gst_gles_array_dispatch (array,
            GST_GLES_DISPATCH (scan->look_back[call->heads], bindings, n_bindings, &pass), &window,
            error);
  return gst_gles_array_dispatch (array,
             GST_GLES_DISPATCH (scan->reduce[call->heads], bindings, n_bindings, &pass), &window,
             error) &&
      gst_gles_array_dispatch (array,
          GST_GLES_DISPATCH (scan->downsweep[call->heads], bindings, n_bindings, &pass), &window,
          error);
}

static gboolean
run_gl (GstGlesScan *scan, const Call *call, GError **error)
{
  GstGlesArray *array = &scan->array;
  gboolean look_back = array->look_back.invocations != 0 && call->input != call->output;
  const GstGlesShape *shape = look_back ? &array->look_back : &array->two_pass;

  if (!get_programs (scan, call->heads, look_back, error) ||
      !gst_gles_array_setup (array, shape, &call->count, call->limit, error))
    return FALSE;
  for (guint i = 0; i < gst_gles_array_n_windows (array, call->limit); i++) {
    if (!run_window (scan, call, look_back, i, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
run (GstGlesScan *scan, Call *call, GError **error)
{
  gboolean ok;

  g_return_val_if_fail (scan != NULL && call->input != NULL && call->output != NULL, FALSE);
  if (!check_call (scan, call, error) || !gst_gles_queue_begin (scan->array.queue, error))
    return FALSE;
  ok = scan->array.is_cpu ? run_cpu (scan, call, error) : run_gl (scan, call, error);
  return gst_gles_queue_end (scan->array.queue, ok ? error : NULL) && ok;
}

gboolean
gst_gles_scan_exclusive (
    GstGlesScan *scan, GstGlesBuffer *input, GstGlesBuffer *output, guint n, GError **error)
{
  Call call = { .input = input, .output = output, .count = GST_GLES_COUNT_HOST (n) };

  return run (scan, &call, error);
}

gboolean
gst_gles_scan_inclusive (
    GstGlesScan *scan, GstGlesBuffer *input, GstGlesBuffer *output, guint n, GError **error)
{
  Call call = {
    .input = input, .output = output, .count = GST_GLES_COUNT_HOST (n), .inclusive = TRUE
  };

  return run (scan, &call, error);
}

gboolean
gst_gles_scan_exclusive_indirect (GstGlesScan *scan, GstGlesBuffer *input, GstGlesBuffer *output,
    GstGlesBuffer *count, gsize count_offset_bytes, GError **error)
{
  Call call = {
    .input = input, .output = output, .count = GST_GLES_COUNT_DEVICE (count, count_offset_bytes)
  };

  g_return_val_if_fail (count != NULL, FALSE);
  return run (scan, &call, error);
}

gboolean
gst_gles_scan_inclusive_indirect (GstGlesScan *scan, GstGlesBuffer *input, GstGlesBuffer *output,
    GstGlesBuffer *count, gsize count_offset_bytes, GError **error)
{
  Call call = { .input = input,
    .output = output,
    .count = GST_GLES_COUNT_DEVICE (count, count_offset_bytes),
    .inclusive = TRUE };

  g_return_val_if_fail (count != NULL, FALSE);
  return run (scan, &call, error);
}

gboolean
gst_gles_scan_segmented (GstGlesScan *scan, GstGlesBuffer *input, GstGlesBuffer *heads,
    GstGlesBuffer *output, guint n, gboolean inclusive, GError **error)
{
  Call call = { .heads = HEADS_FLAGS,
    .input = input,
    .output = output,
    .extra = heads,
    .count = GST_GLES_COUNT_HOST (n),
    .inclusive = inclusive };

  g_return_val_if_fail (heads != NULL, FALSE);
  return run (scan, &call, error);
}

gboolean
gst_gles_scan_segmented_indirect (GstGlesScan *scan, GstGlesBuffer *input, GstGlesBuffer *heads,
    GstGlesBuffer *output, GstGlesBuffer *count, gsize count_offset_bytes, gboolean inclusive,
    GError **error)
{
  Call call = { .heads = HEADS_FLAGS,
    .input = input,
    .output = output,
    .extra = heads,
    .count = GST_GLES_COUNT_DEVICE (count, count_offset_bytes),
    .inclusive = inclusive };

  g_return_val_if_fail (heads != NULL && count != NULL, FALSE);
  return run (scan, &call, error);
}

void
gst_gles_scan_blocks_set_totals (GstGlesScanBlocks *blocks, GstGlesBuffer *totals)
{
  g_return_if_fail (blocks != NULL);

  blocks->totals = totals;
}

static gboolean
run_blocks (GstGlesScan *scan, Call *call, const GstGlesScanBlocks *blocks, GError **error)
{
  g_return_val_if_fail (blocks != NULL, FALSE);
  call->heads = HEADS_BLOCKS;
  call->extra = blocks->totals;
  call->block_size = blocks->block_size;
  call->inclusive = blocks->inclusive;
  return run (scan, call, error);
}

gboolean
gst_gles_scan_blocks (GstGlesScan *scan, GstGlesBuffer *input, GstGlesBuffer *output, guint n,
    const GstGlesScanBlocks *blocks, GError **error)
{
  Call call = { .input = input, .output = output, .count = GST_GLES_COUNT_HOST (n) };

  return run_blocks (scan, &call, blocks, error);
}

gboolean
gst_gles_scan_blocks_indirect (GstGlesScan *scan, GstGlesBuffer *input, GstGlesBuffer *output,
    GstGlesBuffer *count, gsize count_offset_bytes, const GstGlesScanBlocks *blocks, GError **error)
{
  Call call = {
    .input = input, .output = output, .count = GST_GLES_COUNT_DEVICE (count, count_offset_bytes)
  };

  g_return_val_if_fail (count != NULL, FALSE);
  return run_blocks (scan, &call, blocks, error);
}
