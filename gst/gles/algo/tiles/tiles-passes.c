/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernels of the tiles, their scratch memory, and their dispatches. docs/algorithms/tiles.md
 * shows the pipelines. */
#include "config.h"

#include <gst/gles/algo/compact/compact-plan.h>
#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/sort/sort-plan.h>
#include <gst/gles/algo/tiles/tiles-private.h>
#include <gst/gles/core/checked.h>

#define INVOCATIONS 64
/* Records, tiles or entries per invocation, in kernels without teams. */
#define ITEMS_SOFTWARE 16
#define ITEMS_HARDWARE 1
/* Entries that an invocation of tiles_expand writes one after the other. On llvmpipe an invocation
 * costs more than the search for its first record; on GPUs neighbouring lanes should write
 * neighbouring words. */
#define RUN_SOFTWARE 512
#define RUN_HARDWARE 4
/* The counts begin at a multiple of so many words, because they are bound by themselves. OpenGL ES
 * limits the alignment of bindings to 256 bytes. */
#define COUNTS_ALIGNMENT 64

/* ---- programs ---- */

static const struct {
  const gchar *name;
  guint n_storage;
  /* TRUE: two passes over an array by teams; FALSE: an invocation for every few items */
  gboolean by_team;
} kernels[GST_GLES_TILES_N_KERNELS] = {
  [GST_GLES_TILES_KEYS] = { "tiles_keys", 4, FALSE },
  [GST_GLES_TILES_SUMS] = { "tiles_sums", 2, TRUE },
  [GST_GLES_TILES_OFFSETS] = { "tiles_offsets", 3, TRUE },
  [GST_GLES_TILES_EXPAND] = { "tiles_expand", 4, FALSE },
  [GST_GLES_TILES_RANGES] = { "tiles_ranges", 3, FALSE },
  [GST_GLES_TILES_ENTRIES] = { "tiles_entries", 4, FALSE },
};

static void
kernel_spec (GstGlesTilesKernel kernel, const GstGlesShape *shape, GstGlesTilesSource source,
    GstGlesProgramSpec *spec)
{
  if (kernels[kernel].by_team) {
    gst_gles_shape_spec (shape, kernels[kernel].name, kernels[kernel].n_storage, spec);
    spec->shared_bytes = gst_gles_shape_scan_bytes (shape, shape->rows, 1);
    return;
  }
  *spec = (GstGlesProgramSpec){
    .kernel = kernels[kernel].name,
    .local_size = { INVOCATIONS, 1, 1 },
    .n_storage = kernels[kernel].n_storage,
    .defines = { { "POINTS", source == GST_GLES_TILES_POINTS } },
  };
}

static void
visit_shape (const GstGlesShape *shape, gboolean look_back, GstGlesSpecialisationFunc func,
    gpointer user_data)
{
  GstGlesProgramSpec spec;

  for (guint i = 0; i < GST_GLES_TILES_N_KERNELS && !look_back; i++) {
    if (!kernels[i].by_team)
      continue;
    kernel_spec (i, shape, 0, &spec);
    func (&spec, user_data);
  }
}

void
gst_gles_tiles_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  GstGlesProgramSpec spec;

  gst_gles_tiles_local_specialisations (func, user_data);
  gst_gles_array_tuning_foreach (gst_gles_compact_tuning, visit_shape, func, user_data);
  for (guint i = 0; i < GST_GLES_TILES_N_KERNELS; i++) {
    for (guint source = 0; source < 2 && !kernels[i].by_team; source++) {
      kernel_spec (i, NULL, source, &spec);
      func (&spec, user_data);
    }
  }
}

/* ---- plans ---- */

static gboolean
is_software (const GstGlesTiles *tiles)
{
  return gst_gles_device_get_kind (tiles->array.device) == GST_GLES_DEVICE_SOFTWARE;
}

static gboolean
new_sorts (GstGlesTiles *tiles, GError **error)
{
  GstGlesQueue *queue = tiles->array.queue;
  GstGlesSortConfig config;

  gst_gles_sort_config_init (&config, GST_GLES_VALUE_U32);
  config.payload = TRUE;
  if (tiles->config.sort_by != GST_GLES_TILES_SORT_BY_INDEX) {
    tiles->sort_records = gst_gles_sort_new (queue, &config, tiles->config.max_records, error);
    if (tiles->sort_records == NULL)
      return FALSE;
  }
  /* The sort uses as many bits as the largest tile number has; none for a single tile. */
  config.end_bit = g_bit_storage (tiles->grid.n_tiles - 1);
  if (tiles->grid.n_tiles == 1)
    config.begin_bit = config.end_bit;
  tiles->sort_entries = gst_gles_sort_new (queue, &config, tiles->config.max_entries, error);
  return tiles->sort_entries != NULL;
}

static gboolean
new_buffer (GstGlesTiles *tiles, GstGlesBuffer **buffer, guint64 n_words, GError **error)
{
  *buffer = gst_gles_buffer_new (tiles->array.device, 4 * n_words, error);
  return *buffer != NULL;
}

static gboolean
check_limits (const GstGlesTiles *tiles, guint64 scratch_words, GError **error)
{
  guint64 limit = gst_gles_device_get_limits (tiles->array.device)->storage_block_bytes;
  guint64 record_bytes = 4ull * tiles->config.max_records * gst_gles_tiles_record_words (tiles);

  if (tiles->array.n_windows == 1 && record_bytes <= limit && 4 * scratch_words <= limit &&
      4ull * tiles->grid.n_tiles + 4 <= limit)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
      "tiles: %u records or %u tiles are more than a storage block of %" G_GUINT64_FORMAT
      " bytes holds; list fewer, make tiles larger or use the cpu device",
      tiles->config.max_records, tiles->grid.n_tiles, limit);
  return FALSE;
}

/* On GPUs the compaction pays for this many records and more: on an H100, 10 M of which a tenth is
 * on screen take 0.58 of the time, 1 M as long as without it (docs/performance/h100.md). */
#define MIN_CULLED (4u << 20)

/* Returns whether records that cover no tile are left out before the sort by key. */
static gboolean
culls (const GstGlesTiles *tiles)
{
  if (tiles->config.sort_by == GST_GLES_TILES_SORT_BY_INDEX || tiles->variant.keep)
    return FALSE;
  return tiles->variant.cull || is_software (tiles) || tiles->config.max_records >= MIN_CULLED;
}

static gboolean
new_cull (GstGlesTiles *tiles, GError **error)
{
  const guint n = tiles->config.max_records;

  if (!culls (tiles))
    return TRUE;
  tiles->cull = gst_gles_compact_new_full (tiles->array.queue, n, &tiles->variant.common, error);
  return tiles->cull != NULL && new_buffer (tiles, &tiles->culled_keys, n, error) &&
      new_buffer (tiles, &tiles->culled_indices, n, error);
}

gboolean
gst_gles_tiles_build (GstGlesTiles *tiles, GError **error)
{
  guint64 n = tiles->config.max_records;
  gboolean sorts; /* some calls use the two sorts */
  GstGlesProgramList list = { .n = 0 };

  tiles->offsets = n;
  tiles->head = 2 * n + 1;
  tiles->counts = gst_gles_align_up (2 * n + 3, COUNTS_ALIGNMENT);
  gst_gles_tiles_local_init (tiles);
  if (!check_limits (tiles, tiles->counts + n, error) ||
      !new_buffer (tiles, &tiles->entry_indices, tiles->config.max_entries, error))
    return FALSE;
  sorts = n > tiles->local.max_records || tiles->local.max_records == 0;
  /* Else the first call that is small enough builds it. Where the device counts the records, as
   * those of a frame, every call is as large as the plan. */
  if (!sorts && !gst_gles_tiles_local_build (tiles, error))
    return FALSE;
  if (sorts &&
      (!new_sorts (tiles, error) || !new_cull (tiles, error) ||
          !new_buffer (tiles, &tiles->record_keys, n, error) ||
          !new_buffer (tiles, &tiles->record_scratch, tiles->counts + n, error) ||
          !new_buffer (tiles, &tiles->entry_tiles, tiles->config.max_entries, error)))
    return FALSE;
  for (guint i = 0; i < GST_GLES_TILES_N_KERNELS; i++) {
    GstGlesProgramSpec spec;

    if (!sorts && i != GST_GLES_TILES_ENTRIES)
      continue;
    kernel_spec (i, &tiles->array.two_pass, tiles->config.source, &spec);
    gst_gles_program_list_add (&list, &spec, &tiles->programs[i]);
  }
  return gst_gles_program_list_get (&list, tiles->array.queue, error);
}

/* ---- dispatches ---- */

static GstGlesBinding
scratch_binding (GstGlesTiles *tiles, GstGlesUsage usage)
{
  return (GstGlesBinding){ tiles->record_scratch, 0, 0, usage };
}

static GstGlesBinding
entries_binding (GstGlesBuffer *buffer, const GstGlesTilesCall *call, GstGlesUsage usage)
{
  return gst_gles_array_binding (buffer, 0, call->max_entries, usage);
}

static guint
items_each (const GstGlesTiles *tiles)
{
  return is_software (tiles) ? ITEMS_SOFTWARE : ITEMS_HARDWARE;
}

/* A kernel over items. */
typedef struct {
  GstGlesTilesKernel kernel;
  const GstGlesBinding *bindings;
  guint64 n_items;
} Step;

/* Dispatches an invocation for every few items. GST_GLES_TILES_EXPAND does not loop over the grid,
 * so that this has a second axis where one is too short. */
static gboolean
dispatch (GstGlesTiles *tiles, Step step, const GstGlesTilesPass *pass, GError **error)
{
  const gboolean flat = step.kernel != GST_GLES_TILES_EXPAND;
  const guint each = flat ? items_each (tiles) : pass->entries_each;
  const guint limit = gst_gles_device_get_limits (tiles->array.device)->groups[0];
  guint64 n = MAX (gst_gles_div_ceil (step.n_items, (guint64) INVOCATIONS * each), 1);
  const guint groups[3] = { MIN (n, limit), flat ? 1 : gst_gles_div_ceil (n, limit), 1 };

  return gst_gles_queue_dispatch (tiles->array.queue,
      GST_GLES_DISPATCH (
          tiles->programs[step.kernel], step.bindings, kernels[step.kernel].n_storage, pass),
      groups, error);
}

/* Queues the removal of records that cover no tile and the sort of the others. @visible receives
 * the number of the others. The passes over @visible use the grid of all records if the device
 * counts these, so that the state keeps whether their number was clamped. */
static gboolean
queue_culled_order (
    GstGlesTiles *tiles, const GstGlesTilesCall *call, GstGlesCount *visible, GError **error)
{
  GstGlesArray *array = &tiles->array;
  GstGlesBuffer *result = gst_gles_compact_get_result (tiles->cull);
  const gboolean counted = call->count.buffer != NULL;
  const GstGlesCompactFlags flags = {
    .flags = tiles->record_scratch,
    .first_flag = tiles->counts,
    .input = tiles->record_keys,
    .count = counted ? GST_GLES_COUNT_DEVICE (array->state, 4 * GST_GLES_ARRAY_N)
                     : GST_GLES_COUNT_HOST (call->limit),
    .values = tiles->culled_keys,
    .indices = tiles->culled_indices,
    .max_count = call->limit,
  };

  *visible = GST_GLES_COUNT_DEVICE (result, 4 * GST_GLES_ARRAY_COUNT);
  if (!gst_gles_compact_flags_from (tiles->cull, &flags, error) ||
      !gst_gles_sort_run_indirect (tiles->sort_records, tiles->culled_keys, tiles->culled_indices,
          tiles->record_keys, tiles->record_scratch, result, visible->offset_bytes, error))
    return FALSE;
  /* the number of values of the first window */
  if (counted)
    return gst_gles_queue_copy (array->queue,
        &(GstGlesCopy){ .source = result,
            .source_offset = visible->offset_bytes,
            .target = array->state,
            .target_offset = 4 * (GST_GLES_ARRAY_WINDOWS + 3),
            .size_bytes = 4 },
        error);
  return gst_gles_array_setup (array, &array->two_pass, visible, call->limit, error);
}

/* Queues the number of tiles that records cover, and the order of their keys. @n receives the
 * number of records in that order. */
static gboolean
queue_order (GstGlesTiles *tiles, const GstGlesTilesCall *call, const GstGlesTilesPass *pass,
    GstGlesCount *n, GError **error)
{
  GstGlesArray *array = &tiles->array;
  const GstGlesBinding bindings[] = { gst_gles_array_state (array),
    gst_gles_tiles_records (tiles, call), scratch_binding (tiles, GST_GLES_WRITE),
    { tiles->record_keys, 0, 0, GST_GLES_WRITE } };

  *n = call->count;
  if (!dispatch (tiles, (Step){ GST_GLES_TILES_KEYS, bindings, call->limit }, pass, error))
    return FALSE;
  if (tiles->cull != NULL)
    return queue_culled_order (tiles, call, n, error);
  if (tiles->sort_records == NULL)
    return TRUE;
  if (call->count.buffer == NULL)
    return gst_gles_sort_run (tiles->sort_records, tiles->record_keys, NULL, tiles->record_keys,
        tiles->record_scratch, call->limit, error);
  return gst_gles_sort_run_indirect (tiles->sort_records, tiles->record_keys, NULL,
      tiles->record_keys, tiles->record_scratch, array->state, 4 * GST_GLES_ARRAY_N, error);
}

/* @n: the number of records in key order */
static gboolean
queue_counts (GstGlesTiles *tiles, const GstGlesTilesCall *call, const GstGlesTilesPass *pass,
    const GstGlesCount *n, GError **error)
{
  GstGlesArray *array = &tiles->array;
  GstGlesBinding bindings[] = { gst_gles_array_state (array),
    scratch_binding (tiles, GST_GLES_READ_WRITE), { 0 } };
  GstGlesTilesCountsPass counts = {
    .order = pass->order,
    .offsets = tiles->offsets,
    .head = tiles->head,
    .counts = tiles->counts,
    .max_entries = call->max_entries,
  };
  GstGlesWindow window;

  window = gst_gles_array_window (array, &array->two_pass, n, call->limit, 0);
  counts.array = window.pass;
  gst_gles_sort_get_setup (
      tiles->sort_entries, &bindings[2], &counts.sort_tile, &counts.sort_max_groups_x);
  return gst_gles_array_dispatch (array,
             GST_GLES_DISPATCH (tiles->programs[GST_GLES_TILES_SUMS], bindings, 2, &counts),
             &window, error) &&
      gst_gles_array_dispatch (array,
          GST_GLES_DISPATCH (tiles->programs[GST_GLES_TILES_OFFSETS], bindings, 3, &counts),
          &window, error);
}

static gboolean
queue_entries (
    GstGlesTiles *tiles, const GstGlesTilesCall *call, const GstGlesTilesPass *pass, GError **error)
{
  GstGlesArray *array = &tiles->array;
  GstGlesBuffer *indices = call->indices != NULL ? call->indices : tiles->entry_indices;
  const GstGlesBinding expand[] = { gst_gles_tiles_records (tiles, call),
    scratch_binding (tiles, GST_GLES_READ),
    entries_binding (tiles->entry_tiles, call, GST_GLES_WRITE),
    entries_binding (tiles->entry_indices, call, GST_GLES_WRITE) };
  const GstGlesBinding ranges[] = { gst_gles_array_state (array),
    entries_binding (tiles->entry_tiles, call, GST_GLES_READ),
    gst_gles_array_binding (call->offsets, 0, (guint64) tiles->grid.n_tiles + 1, GST_GLES_WRITE) };

  return dispatch (
             tiles, (Step){ GST_GLES_TILES_EXPAND, expand, call->max_entries }, pass, error) &&
      gst_gles_sort_run_prepared (
          tiles->sort_entries, tiles->entry_tiles, tiles->entry_indices, indices, error) &&
      dispatch (tiles, (Step){ GST_GLES_TILES_RANGES, ranges, (guint64) tiles->grid.n_tiles + 1 },
          pass, error);
}

/* Queues all steps but the keys of entries, by the pipeline of two sorts. */
static gboolean
queue_sorts (
    GstGlesTiles *tiles, const GstGlesTilesCall *call, const GstGlesTilesPass *pass, GError **error)
{
  GstGlesCount n;

  return queue_order (tiles, call, pass, &n, error) &&
      queue_counts (tiles, call, pass, &n, error) && queue_entries (tiles, call, pass, error);
}

static gboolean
queue_keys (
    GstGlesTiles *tiles, const GstGlesTilesCall *call, const GstGlesTilesPass *pass, GError **error)
{
  GstGlesBuffer *indices = call->indices != NULL ? call->indices : tiles->entry_indices;
  const GstGlesBinding keys[] = { gst_gles_array_state (&tiles->array),
    gst_gles_tiles_records (tiles, call), entries_binding (indices, call, GST_GLES_READ),
    entries_binding (call->keys, call, GST_GLES_WRITE) };

  return call->keys == NULL ||
      dispatch (tiles, (Step){ GST_GLES_TILES_ENTRIES, keys, call->max_entries }, pass, error);
}

gboolean
gst_gles_tiles_queue (GstGlesTiles *tiles, const GstGlesTilesCall *call, GError **error)
{
  GstGlesArray *array = &tiles->array;
  GstGlesTilesPass pass = {
    .grid = tiles->grid,
    .n = call->limit,
    .counted = call->count.buffer != NULL,
    .by = tiles->config.sort_by,
    .flip = tiles->config.descending ? G_MAXUINT32 : 0,
    .offsets = tiles->offsets,
    .head = tiles->head,
    .counts = tiles->counts,
    .entries_each = is_software (tiles) ? RUN_SOFTWARE : RUN_HARDWARE,
  };

  if (tiles->config.sort_by == GST_GLES_TILES_SORT_BY_INDEX)
    pass.order = tiles->config.descending ? GST_GLES_TILES_BACKWARD : GST_GLES_TILES_FORWARD;
  return gst_gles_array_setup (array, &array->two_pass, &call->count, call->limit, error) &&
      (tiles->local.max_records > 0 && call->limit <= tiles->local.max_records
              ? gst_gles_tiles_local_queue (tiles, call, &pass, error)
              : queue_sorts (tiles, call, &pass, error)) &&
      queue_keys (tiles, call, &pass, error);
}
