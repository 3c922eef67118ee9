/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queues the passes of a sort: from the caller's buffers through records in scratch memory to the
 * caller's buffers. docs/algorithms/radix-sort.md shows them. */
#include "config.h"

#include <gst/gles/algo/sort/sort-private.h>
#include <gst/gles/core/checked.h>
#include <glsl/sort/sort-layout.h>

#define COPY_GROUPS 256

static GstGlesBinding
words (GstGlesBuffer *buffer, guint64 n_words, GstGlesUsage usage)
{
  return gst_gles_array_binding (buffer, 0, n_words, usage);
}

static GstGlesBinding
state_binding (GstGlesSort *sort)
{
  return gst_gles_array_state (&sort->array);
}

/* ---- sources and targets of passes ---- */

static GstGlesSortForm
form_of (const GstGlesSort *sort, GstGlesSortForm form)
{
  /* Keys without payload are records already. */
  return sort->config.payload && !sort->separate ? form : GST_GLES_SORT_CALLER;
}

/* Binds the records that passes exchange. Returns the number of blocks. */
static guint
add_records (GstGlesSort *sort, const GstGlesSortCall *call, guint index, GstGlesUsage usage,
    GstGlesBinding *bindings)
{
  guint n = sort->separate ? sort->key_words : sort->record_words;

  bindings[0] = words (sort->records[index], (guint64) call->limit * n, usage);
  if (!sort->separate)
    return 1;
  bindings[1] = words (sort->payloads[index], call->limit, usage);
  return 2;
}

static guint
add_source (GstGlesSort *sort, const GstGlesSortCall *call, guint pass, GstGlesBinding *bindings)
{
  if (pass > 0)
    return add_records (sort, call, (pass - 1) % 2, GST_GLES_READ, bindings);
  bindings[0] = words (call->keys_in, (guint64) call->limit * sort->key_words, GST_GLES_READ);
  if (!sort->config.payload)
    return 1;
  /* The kernel declares this block even if the payload is the index, so it must be bound. */
  if (call->payloads_in != NULL)
    bindings[1] = words (call->payloads_in, call->limit, GST_GLES_READ);
  else
    bindings[1] = bindings[0];
  return 2;
}

static guint
add_target (GstGlesSort *sort, const GstGlesSortCall *call, guint pass, gboolean to_caller,
    GstGlesBinding *bindings)
{
  if (!to_caller)
    return add_records (sort, call, pass % 2, GST_GLES_WRITE, bindings);
  bindings[0] = words (call->keys_out, (guint64) call->limit * sort->key_words, GST_GLES_WRITE);
  if (!sort->config.payload)
    return 1;
  bindings[1] = words (call->payloads_out, call->limit, GST_GLES_WRITE);
  return 2;
}

/* The source and the target of a pass. */
typedef struct {
  GstGlesSortForm from, to;
  GstGlesBinding bindings[5];
  guint n;
} Bindings;

static void
find_bindings (GstGlesSort *sort, const GstGlesSortCall *call, guint index, gboolean to_caller,
    Bindings *bound)
{
  guint n = 1;

  bound->from = form_of (sort, index == 0 ? GST_GLES_SORT_CALLER : GST_GLES_SORT_RECORDS);
  bound->to = form_of (sort, to_caller ? GST_GLES_SORT_CALLER : GST_GLES_SORT_RECORDS);
  bound->bindings[0] = state_binding (sort);
  n += add_source (sort, call, index, bound->bindings + n);
  n += add_target (sort, call, index, to_caller, bound->bindings + n);
  bound->n = n;
}

/* ---- dispatches ---- */

/* Dispatches one workgroup per tile. */
static gboolean
dispatch_tiles (
    GstGlesSort *sort, const GstGlesSortCall *call, const GstGlesDispatch *dispatch, GError **error)
{
  const guint limit = gst_gles_device_get_limits (sort->array.device)->groups[0];
  guint n_tiles = MAX (gst_gles_div_ceil (call->limit, sort->tile), 1);
  const guint groups[3] = { MIN (n_tiles, limit), gst_gles_div_ceil (n_tiles, limit), 1 };

  if (call->count.buffer != NULL)
    return gst_gles_queue_dispatch_indirect (
        sort->array.queue, dispatch, sort->array.state, 4 * GST_GLES_SORT_GROUPS, error);
  return gst_gles_queue_dispatch (sort->array.queue, dispatch, groups, error);
}

static gboolean
dispatch_groups (GstGlesSort *sort, const GstGlesDispatch *dispatch, guint n_groups, GError **error)
{
  const guint groups[3] = { n_groups, 1, 1 };

  return gst_gles_queue_dispatch (sort->array.queue, dispatch, groups, error);
}

static gboolean
queue_setup (GstGlesSort *sort, const GstGlesSortCall *call, GError **error)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (sort->array.device);
  gsize at = call->count.offset_bytes;
  gsize first = at - at % MAX (limits->storage_alignment, 4);
  const GstGlesSortSetup params = { (at - first) / 4, call->limit, sort->tile, limits->groups[0] };
  const GstGlesBinding bindings[] = { state_binding (sort),
    { call->count.buffer, first, at - first + 4, GST_GLES_READ } };

  if (call->count.buffer == NULL || call->prepared)
    return TRUE;
  return dispatch_groups (sort, GST_GLES_DISPATCH (sort->setup, bindings, 2, &params), 1, error);
}

/* @ends: the source and the target. */
static gboolean
queue_copy (GstGlesSort *sort, const GstGlesSortCall *call, const GstGlesBinding ends[2],
    GstGlesSortCopy params, GError **error)
{
  const GstGlesBinding bindings[] = { state_binding (sort), ends[0], ends[1] };

  params.n = call->limit;
  params.counted = call->count.buffer != NULL;
  params.write_result = params.write_result && !params.counted;
  return dispatch_groups (
      sort, GST_GLES_DISPATCH (sort->copy, bindings, 3, &params), COPY_GROUPS, error);
}

/* For an empty bit range: the order stays. */
static gboolean
queue_order_stays (GstGlesSort *sort, const GstGlesSortCall *call, GError **error)
{
  GstGlesBinding source[2], target[2];
  guint key_words = sort->key_words;

  add_source (sort, call, 0, source);
  add_target (sort, call, 0, TRUE, target);
  /* In place, the copy writes to each word the value that it reads, which is defined. */
  if (!queue_copy (sort, call, (GstGlesBinding[]){ source[0], target[0] },
          (GstGlesSortCopy){ .words = key_words,
              .source_stride = key_words,
              .target_stride = key_words,
              .write_result = 1 },
          error))
    return FALSE;
  return !sort->config.payload ||
      queue_copy (sort, call, (GstGlesBinding[]){ source[1], target[1] },
          (GstGlesSortCopy){
              .words = 1, .source_stride = call->payloads_in != NULL ? 1 : 0, .target_stride = 1 },
          error);
}

/* Copies records from scratch memory to the caller's arrays. */
static gboolean
queue_split (GstGlesSort *sort, const GstGlesSortCall *call, GError **error)
{
  const guint stride = sort->separate ? sort->key_words : sort->record_words;
  GstGlesBinding source[2], target[2];

  add_source (sort, call, 1, source);
  add_target (sort, call, 0, TRUE, target);
  if (!queue_copy (sort, call, (GstGlesBinding[]){ source[0], target[0] },
          (GstGlesSortCopy){
              .words = sort->key_words, .source_stride = stride, .target_stride = sort->key_words },
          error))
    return FALSE;
  return !sort->config.payload ||
      queue_copy (sort, call, (GstGlesBinding[]){ source[sort->separate ? 1 : 0], target[1] },
          (GstGlesSortCopy){ .words = 1,
              .source_stride = sort->separate ? 1 : stride,
              .source_first = sort->separate ? 0 : sort->key_words,
              .target_stride = 1 },
          error);
}

/* ---- passes ---- */

gboolean
gst_gles_sort_get_flips (const GstGlesSortConfig *config, guint32 *flip, guint32 *sign_flip)
{
  *flip =
      config->type == GST_GLES_VALUE_I32 || config->type == GST_GLES_VALUE_F32 ? 0x80000000u : 0;
  *sign_flip = config->type == GST_GLES_VALUE_F32 ? 0x7fffffffu : 0;
  if (config->descending)
    *flip = ~*flip;
  return *flip != 0 || *sign_flip != 0;
}

static GstGlesSortPass
first_pass (const GstGlesSort *sort, const GstGlesSortCall *call)
{
  const GstGlesSortConfig *config = &sort->config;
  GstGlesSortPass pass = {
    .n = call->limit,
    .counted = call->count.buffer != NULL,
    .totals = sort->totals,
    .tile_words = sort->tile_words[0],
    .next_tile_words = sort->tile_words[1],
    .n_passes = sort->n_passes,
    .begin_bit = config->begin_bit,
    .end_bit = config->end_bit,
    .next_totals = sort->next_totals,
    .tile_keys = sort->tile,
    .spin_limit = sort->variant.common.spin_limit != 0 ? sort->variant.common.spin_limit
                                                       : sort->tuning->spin_limit,
  };

  gst_gles_sort_get_flips (config, &pass.flip, &pass.sign_flip);
  return pass;
}

/* @first: first bit of the digit, counted from begin_bit. */
static void
set_digit (const GstGlesSort *sort, guint first, guint bits, GstGlesSortPass *pass)
{
  pass->shift = sort->config.begin_bit + first;
  pass->mask = (1u << bits) - 1;
}

/* Splits the bits like find_pass() of sort/digit.glsl. */
static void
set_pass (const GstGlesSort *sort, const GstGlesSortCall *call, guint index, GstGlesSortPass *pass)
{
  guint bits = sort->config.end_bit - sort->config.begin_bit;
  guint first = bits * index / sort->n_passes;
  guint last = bits * (index + 1) / sort->n_passes;
  guint radix = 1u << sort->digit_bits;

  pass->pass_index = index;
  set_digit (sort, first, last - first, pass);
  pass->indexed = index == 0 && call->payloads_in == NULL;
  pass->totals = sort->totals + index * radix;
  pass->tile_words = sort->tile_words[sort->shape.look_back ? index % 2 : 0];
  pass->next_tile_words = sort->tile_words[sort->shape.look_back ? (index + 1) % 2 : 0];
}

static void
swap_totals (GstGlesSort *sort)
{
  guint totals = sort->totals;

  sort->totals = sort->next_totals;
  sort->next_totals = totals;
}

/* Queues the histogram of all digits, for sorts by look-back. The two sets of totals are swapped
 * even if a later pass fails: the set of this sort is no longer zero, while the other one is. */
static gboolean
queue_histogram (GstGlesSort *sort, const GstGlesSortCall *call, GError **error)
{
  const guint batch = 4 * sort->tuning->histogram_invocations;
  guint n_groups = MIN (gst_gles_div_ceil (call->limit, batch), sort->tuning->histogram_groups);
  GstGlesBinding bindings[3] = { state_binding (sort) };
  GstGlesSortPass pass;

  swap_totals (sort);
  pass = first_pass (sort, call);
  set_pass (sort, call, 0, &pass);
  add_source (sort, call, 0, bindings + 1);
  if (dispatch_groups (
          sort, GST_GLES_DISPATCH (sort->histogram, bindings, 2, &pass), MAX (n_groups, 1), error))
    return TRUE;
  swap_totals (sort);
  return FALSE;
}

/* Counts the digits of tiles, and makes the prefix sums of the counts. */
static gboolean
queue_counts (GstGlesSort *sort, const GstGlesSortCall *call, const Bindings *at,
    const GstGlesSortPass *pass, GError **error)
{
  return dispatch_tiles (
             sort, call, GST_GLES_DISPATCH (sort->count[at->from], at->bindings, 2, pass), error) &&
      dispatch_groups (sort, GST_GLES_DISPATCH (sort->spine, at->bindings, 1, pass),
          1u << sort->digit_bits, error);
}

static gboolean
queue_pass (
    GstGlesSort *sort, const GstGlesSortCall *call, guint index, gboolean to_caller, GError **error)
{
  GstGlesSortPass pass = first_pass (sort, call);
  Bindings at;

  set_pass (sort, call, index, &pass);
  find_bindings (sort, call, index, to_caller, &at);
  if (!sort->shape.look_back && !queue_counts (sort, call, &at, &pass, error))
    return FALSE;
  return dispatch_tiles (sort, call,
      GST_GLES_DISPATCH (sort->scatter[at.from][at.to], at.bindings, at.n, &pass), error);
}

gboolean
gst_gles_sort_queue (GstGlesSort *sort, const GstGlesSortCall *call, GError **error)
{
  gboolean in_place = call->keys_in == call->keys_out ||
      (call->payloads_in != NULL && call->payloads_in == call->payloads_out);
  /* A single pass cannot read what it writes, and may not have blocks for all buffers of the
   * caller. */
  gboolean split = sort->n_passes == 1 &&
      (in_place || sort->scatter[GST_GLES_SORT_CALLER][GST_GLES_SORT_CALLER] == NULL);

  if (!queue_setup (sort, call, error))
    return FALSE;
  if (sort->n_passes == 0)
    return queue_order_stays (sort, call, error);
  if (sort->shape.look_back && !queue_histogram (sort, call, error))
    return FALSE;
  for (guint i = 0; i < sort->n_passes; i++) {
    if (!queue_pass (sort, call, i, i + 1 == sort->n_passes && !split, error))
      return FALSE;
  }
  return !split || queue_split (sort, call, error);
}
