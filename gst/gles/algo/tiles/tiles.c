/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/compact/compact-plan.h>
#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/tiles/tiles-private.h>

G_STATIC_ASSERT (sizeof (GstGlesTileRecord) == 32);

GST_GLES_DEFINE_PLAN (GstGlesTiles, gst_gles_tiles)

guint
gst_gles_tiles_record_words (const GstGlesTiles *tiles)
{
  return tiles->config.source == GST_GLES_TILES_POINTS ? 2 : 8;
}

/* ---- plans ---- */

static gboolean
check_config (const GstGlesTilesConfig *config, GstGlesTileGrid *grid, GError **error)
{
  if ((guint) config->source > GST_GLES_TILES_POINTS ||
      (guint) config->sort_by > GST_GLES_TILES_SORT_BY_INDEX) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "tiles: %d as a GstGlesTilesSource or %d as a GstGlesTilesSortBy is unknown",
        config->source, config->sort_by);
    return FALSE;
  }
  if (config->source == GST_GLES_TILES_POINTS && config->sort_by == GST_GLES_TILES_SORT_BY_DEPTH) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "tiles: points have no depth; set sort_by to GST_GLES_TILES_SORT_BY_VALUE or "
        "GST_GLES_TILES_SORT_BY_INDEX");
    return FALSE;
  }
  if (gst_gles_cpu_tile_grid (
          config->width, config->height, config->tile_width, config->tile_height, grid))
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "tiles: a frame of %u x %u in tiles of %u x %u; sizes are at least 1, of frames at most %u, "
      "and there are at most %u tiles",
      config->width, config->height, config->tile_width, config->tile_height,
      GST_GLES_CPU_TILES_MAX_SIZE, GST_GLES_CPU_TILES_MAX_TILES);
  return FALSE;
}

static GstGlesCpuTilesConfig
cpu_config (const GstGlesTiles *tiles)
{
  const GstGlesTilesConfig *config = &tiles->config;
  GstGlesCpuTilesConfig cpu = { tiles->grid, config->sort_by, config->descending };

  return cpu;
}

static gboolean
build_cpu (GstGlesTiles *tiles, GError **error)
{
  const GstGlesCpuTilesConfig cpu = cpu_config (tiles);
  gsize n = tiles->config.max_records;
  gsize size = gst_gles_cpu_tiles_scratch_bytes (&cpu, n);

  tiles->scratch = g_try_malloc (MAX (size, 1));
  if (tiles->scratch != NULL && tiles->config.source == GST_GLES_TILES_POINTS)
    tiles->converted = g_try_malloc_n (n + 1, sizeof (GstGlesTileRecord));
  if (tiles->scratch != NULL &&
      (tiles->converted != NULL || tiles->config.source != GST_GLES_TILES_POINTS))
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
      "tiles: no scratch memory for %" G_GSIZE_FORMAT " records", n);
  return FALSE;
}

GstGlesTiles *
gst_gles_tiles_new (GstGlesQueue *queue, const GstGlesTilesConfig *config, GError **error)
{
  const GstGlesArrayTuning *tuning;
  GstGlesTileGrid grid;
  GstGlesTilesVariant variant;
  GstGlesTiles *tiles;
  gboolean ok;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && config != NULL, NULL);
  if (!check_config (config, &grid, error) ||
      !gst_gles_tiles_variant_parse (g_getenv ("GST_GLES_TILES_VARIANT"), &variant, error) ||
      !gst_gles_queue_begin (queue, error))
    return NULL;
  /* Tiles have no look-back. */
  variant.common.scheme = GST_GLES_SCHEME_TWO_PASS;
  tuning = gst_gles_array_tuning (queue, gst_gles_compact_tuning);
  tiles = g_new0 (GstGlesTiles, 1);
  tiles->config = *config;
  tiles->grid = grid;
  tiles->variant = variant;
  ok = gst_gles_array_init (&tiles->array, queue,
           &(GstGlesArrayConfig){ "tiles", config->max_records, tuning, &variant.common }, error) &&
      (tiles->array.is_cpu ? build_cpu (tiles, error) : gst_gles_tiles_build (tiles, error));
  if (!gst_gles_queue_end (queue, ok ? error : NULL) || !ok)
    g_clear_pointer (&tiles, gst_gles_tiles_unref);
  return tiles;
}

static void
plan_finish (GstGlesTiles *tiles)
{
  for (guint i = 0; i < GST_GLES_TILES_N_KERNELS; i++)
    gst_gles_program_unref (tiles->programs[i]);
  gst_gles_tiles_local_clear (tiles);
  gst_gles_compact_unref (tiles->cull);
  gst_gles_buffer_unref (tiles->culled_keys);
  gst_gles_buffer_unref (tiles->culled_indices);
  gst_gles_sort_unref (tiles->sort_records);
  gst_gles_sort_unref (tiles->sort_entries);
  gst_gles_buffer_unref (tiles->record_keys);
  gst_gles_buffer_unref (tiles->record_scratch);
  gst_gles_buffer_unref (tiles->entry_tiles);
  gst_gles_buffer_unref (tiles->entry_indices);
  g_free (tiles->scratch);
  g_free (tiles->converted);
}

guint
gst_gles_tiles_get_columns (GstGlesTiles *tiles)
{
  g_return_val_if_fail (tiles != NULL, 0);
  return tiles->grid.columns;
}

guint
gst_gles_tiles_get_rows (GstGlesTiles *tiles)
{
  g_return_val_if_fail (tiles != NULL, 0);
  return tiles->grid.rows;
}

gboolean
gst_gles_tiles_copy_result (GstGlesTiles *tiles, GstGlesBuffer *target, GError **error)
{
  const GstGlesArgument argument = { "target", target, FALSE };
  GstGlesQueue *queue;
  gboolean ok;

  g_return_val_if_fail (tiles != NULL && target != NULL, FALSE);
  queue = tiles->array.queue;
  if (!gst_gles_array_check_buffer (&tiles->array, &argument, sizeof (GstGlesResult) / 4, error) ||
      !gst_gles_queue_begin (queue, error))
    return FALSE;
  ok = gst_gles_queue_copy (queue,
      &(GstGlesCopy){
          .source = tiles->array.state, .target = target, .size_bytes = sizeof (GstGlesResult) },
      error);
  return gst_gles_queue_end (queue, ok ? error : NULL) && ok;
}

/* ---- calls ---- */

static gboolean
check_call (GstGlesTiles *tiles, GstGlesTilesCall *call, GError **error)
{
  const GstGlesArray *array = &tiles->array;
  const guint words = gst_gles_tiles_record_words (tiles);
  const GstGlesArgument records = { "records", call->records, FALSE };
  const GstGlesArgument count = { "count", call->count.buffer, FALSE };
  const GstGlesArgument outputs[] = { { "offsets", call->offsets, TRUE },
    { "indices", call->indices, TRUE }, { "keys", call->keys, TRUE } };

  if (!gst_gles_array_check_count (array, &call->count, error) ||
      !gst_gles_array_check_buffer (array, &records, (guint64) call->count.n * words, error))
    return FALSE;
  call->limit = call->count.n;
  if (call->count.buffer != NULL)
    call->limit = MIN (array->capacity, gst_gles_buffer_get_size (call->records) / 4 / words);
  call->max_entries = tiles->config.max_entries;
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++) {
    GstGlesBuffer *buffer = outputs[i].buffer;
    if (buffer == NULL)
      continue;
    if (!gst_gles_array_check_buffer (
            array, &outputs[i], i == 0 ? (guint64) tiles->grid.n_tiles + 1 : 0, error) ||
        !gst_gles_array_check_distinct (array, &outputs[i], &records, error) ||
        !gst_gles_array_check_distinct (array, &outputs[i], &count, error))
      return FALSE;
    if (i > 0)
      call->max_entries = MIN (call->max_entries, gst_gles_buffer_get_size (buffer) / 4);
    for (guint j = 0; j < i; j++) {
      if (!gst_gles_array_check_distinct (array, &outputs[i], &outputs[j], error))
        return FALSE;
    }
  }
  return TRUE;
}

/* Converts points to the records that the twin takes. */
static const GstGlesTileRecord *
convert_points (GstGlesTiles *tiles, const guint32 *points, guint n)
{
  for (guint i = 0; i < n; i++) {
    const gfloat x = (gfloat) (points[2 * i] & 0xffff);
    const gfloat y = (gfloat) (points[2 * i] >> 16);
    GstGlesTileRecord *record = &tiles->converted[i];

    *record = (GstGlesTileRecord){ .depth = points[2 * i + 1] };
    memcpy (&record->min_x, &x, sizeof (x));
    memcpy (&record->max_x, &x, sizeof (x));
    memcpy (&record->min_y, &y, sizeof (y));
    memcpy (&record->max_y, &y, sizeof (y));
  }
  return tiles->converted;
}

static gboolean
run_cpu (GstGlesTiles *tiles, const GstGlesTilesCall *call, GError **error)
{
  const GstGlesCpuTilesConfig cpu = cpu_config (tiles);
  const guint32 *words = gst_gles_array_words (call->records);
  const GstGlesTileRecord *records = (const GstGlesTileRecord *) (gconstpointer) words;
  GstGlesCounted counted;
  guint64 total;

  if (!gst_gles_array_read_count (&tiles->array, &call->count, call->limit, &counted, error))
    return FALSE;
  if (tiles->config.source == GST_GLES_TILES_POINTS)
    records = convert_points (tiles, words, counted.n);
  total = gst_gles_cpu_tiles (&cpu, records, counted.n,
      &(GstGlesCpuTileLists){ gst_gles_array_words (call->offsets),
          gst_gles_array_words (call->indices), gst_gles_array_words (call->keys),
          call->max_entries },
      tiles->scratch);
  if (total > call->max_entries)
    counted.status |= GST_GLES_STATUS_TRUNCATED;
  return gst_gles_array_write_result (
      &tiles->array, total, MIN (total, call->max_entries), counted.status, error);
}

static gboolean
run (GstGlesTiles *tiles, GstGlesTilesCall *call, GError **error)
{
  GstGlesQueue *queue = tiles->array.queue;
  gboolean ok;

  if (!check_call (tiles, call, error) || !gst_gles_queue_begin (queue, error))
    return FALSE;
  ok = tiles->array.is_cpu ? run_cpu (tiles, call, error)
                           : gst_gles_tiles_queue (tiles, call, error);
  return gst_gles_queue_end (queue, ok ? error : NULL) && ok;
}

gboolean
gst_gles_tiles_run (GstGlesTiles *tiles, GstGlesBuffer *records, guint n, GstGlesBuffer *offsets,
    GstGlesBuffer *indices, GstGlesBuffer *keys, GError **error)
{
  GstGlesTilesCall call = {
    .records = records,
    .count = GST_GLES_COUNT_HOST (n),
    .offsets = offsets,
    .indices = indices,
    .keys = keys,
  };

  g_return_val_if_fail (tiles != NULL && records != NULL && offsets != NULL, FALSE);
  return run (tiles, &call, error);
}

gboolean
gst_gles_tiles_run_indirect (GstGlesTiles *tiles, GstGlesBuffer *records, GstGlesBuffer *count,
    gsize count_offset_bytes, GstGlesBuffer *offsets, GstGlesBuffer *indices, GstGlesBuffer *keys,
    GError **error)
{
  GstGlesTilesCall call = {
    .records = records,
    .count = GST_GLES_COUNT_DEVICE (count, count_offset_bytes),
    .offsets = offsets,
    .indices = indices,
    .keys = keys,
  };

  g_return_val_if_fail (tiles != NULL && records != NULL && offsets != NULL, FALSE);
  g_return_val_if_fail (count != NULL, FALSE);
  return run (tiles, &call, error);
}
