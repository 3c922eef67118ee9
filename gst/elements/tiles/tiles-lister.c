/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tiles-lister.h"

#include <string.h>

#include <gst/gles/algo/variants.h>
#include <gst/gles/core/error.h>
#include <gst/gles/gl/pool.h>
#include <gst/gles/gl/queue.h>
#include <gst/gles/gl/readback-info.h>

#define N_SLOTS 4 /* frames in flight to the host before the streaming thread waits */
/* Capacities are powers of two, so that frames of similar size share a plan. */
#define MIN_RECORDS 4096
#define MAX_ROUNDED (1u << 20)

struct _TilesLister {
  GstGlesQueue *queue;
  GstGlesDevice *device;

  GstGlesTiles *plan;
  GstGlesTilesConfig config; /* of the plan */
  guint n_tiles;
  GstGlesBufferPool *records, *offsets, *indices, *keys, *counts;
  GstGlesReadbackRing *offsets_ring, *items_ring;

  DeviceRecords last;
  RecordsCost cost; /* of the last run */
};

TilesLister *
tiles_lister_new (GstGlesQueue *queue)
{
  TilesLister *lister = g_new0 (TilesLister, 1);

  lister->queue = gst_object_ref (queue);
  lister->device = gst_gles_queue_get_device (queue);
  return lister;
}

static void
drop_plan (TilesLister *lister)
{
  device_records_clear (&lister->last);
  g_clear_pointer (&lister->plan, gst_gles_tiles_unref);
  g_clear_pointer (&lister->records, gst_gles_buffer_pool_free);
  g_clear_pointer (&lister->offsets, gst_gles_buffer_pool_free);
  g_clear_pointer (&lister->indices, gst_gles_buffer_pool_free);
  g_clear_pointer (&lister->keys, gst_gles_buffer_pool_free);
  g_clear_pointer (&lister->counts, gst_gles_buffer_pool_free);
  g_clear_pointer (&lister->offsets_ring, gst_gles_readback_ring_free);
  g_clear_pointer (&lister->items_ring, gst_gles_readback_ring_free);
}

void
tiles_lister_free (TilesLister *lister)
{
  if (lister == NULL)
    return;
  drop_plan (lister);
  gst_object_unref (lister->device);
  gst_object_unref (lister->queue);
  g_free (lister);
}

/* ---- plan ---- */

static guint
round_up (guint64 n, guint limit)
{
  guint64 rounded = MIN_RECORDS;

  if (n > MAX_ROUNDED)
    return (guint) MIN (n, limit);
  while (rounded < n)
    rounded *= 2;
  return (guint) MIN (rounded, limit);
}

/* Makes the configuration that @input needs. */
static void
make_config (const GstGlesTilesInfo *info, const RecordsInput *input, GstGlesTilesConfig *config)
{
  const guint64 columns = (input->width - 1) / info->tile_width + 1;
  const guint64 rows = (input->height - 1) / info->tile_height + 1;
  const gboolean points = input->kind == GST_GLES_TILES_INPUT_POINTS;
  /* A point is in one tile; a box can touch all of them. */
  const guint64 most = points ? input->n : MIN (input->n * columns * rows, G_MAXUINT32);

  *config = (GstGlesTilesConfig){ .width = input->width,
    .height = input->height,
    .tile_width = info->tile_width,
    .tile_height = info->tile_height,
    .source = points ? GST_GLES_TILES_POINTS : GST_GLES_TILES_RECORDS,
    .sort_by = info->sort_by,
    .descending = info->descending,
    .max_records = round_up (input->n, GST_GLES_MAX_VALUES),
    .max_entries = round_up (most, info->max_items) };
}

static gboolean
serves (const GstGlesTilesConfig *have, const GstGlesTilesConfig *need, guint max_items)
{
  return have->width == need->width && have->height == need->height &&
      have->tile_width == need->tile_width && have->tile_height == need->tile_height &&
      have->source == need->source && have->sort_by == need->sort_by &&
      have->descending == need->descending && have->max_records >= need->max_records &&
      have->max_entries >= need->max_entries && have->max_entries <= max_items;
}

static gsize
entries_bytes (const TilesLister *lister)
{
  /* Copies are whole 16-byte rows. */
  return ((gsize) lister->config.max_entries + 3) / 4 * 16;
}

static gboolean
make_memory (TilesLister *lister, GError **error)
{
  GstGlesQueue *queue = lister->queue;
  const gsize record_bytes = lister->config.source == GST_GLES_TILES_POINTS ? 8 : 32;
  const gsize offsets_bytes = 4 * ((gsize) lister->n_tiles + 1);

  lister->records =
      gst_gles_buffer_pool_new (lister->device, record_bytes * lister->config.max_records);
  lister->offsets = gst_gles_buffer_pool_new (lister->device, offsets_bytes);
  lister->indices = gst_gles_buffer_pool_new (lister->device, entries_bytes (lister));
  lister->keys = gst_gles_buffer_pool_new (lister->device, entries_bytes (lister));
  lister->counts = gst_gles_buffer_pool_new (lister->device, sizeof (GstGlesResult));
  lister->offsets_ring = gst_gles_readback_ring_new (queue, N_SLOTS, offsets_bytes, error);
  if (lister->offsets_ring == NULL)
    return FALSE;
  lister->items_ring = gst_gles_readback_ring_new (
      queue, 2 * N_SLOTS, GST_GLES_READBACK_COUNTED_BYTES (entries_bytes (lister), 1), error);
  return lister->items_ring != NULL;
}

static gboolean
ensure_plan (
    TilesLister *lister, const GstGlesTilesInfo *info, const RecordsInput *input, GError **error)
{
  GstGlesQueue *queue = lister->queue;
  GstGlesTilesConfig config;

  make_config (info, input, &config);
  if (lister->plan != NULL && serves (&lister->config, &config, info->max_items))
    return TRUE;
  /* The new plan keeps at least the old capacity for records, which grows independently of that for
   * entries. */
  if (lister->plan != NULL && lister->config.source == config.source &&
      lister->config.max_records < MAX_ROUNDED)
    config.max_records = MAX (config.max_records, lister->config.max_records);
  drop_plan (lister);
  lister->plan = gst_gles_tiles_new (queue, &config, error);
  if (lister->plan == NULL)
    return FALSE;
  lister->config = config;
  lister->n_tiles =
      gst_gles_tiles_get_columns (lister->plan) * gst_gles_tiles_get_rows (lister->plan);
  if (make_memory (lister, error))
    return TRUE;
  drop_plan (lister);
  return FALSE;
}

/* ---- runs ---- */

static gboolean
acquire (TilesLister *lister, GstGlesTilesArrays *arrays, GError **error)
{
  arrays->offsets = gst_gles_buffer_pool_acquire (lister->offsets, error);
  if (arrays->offsets != NULL)
    arrays->indices = gst_gles_buffer_pool_acquire (lister->indices, error);
  if (arrays->indices != NULL)
    arrays->keys = gst_gles_buffer_pool_acquire (lister->keys, error);
  if (arrays->keys != NULL)
    arrays->counts = gst_gles_buffer_pool_acquire (lister->counts, error);
  return arrays->counts != NULL;
}

static void
clear_arrays (GstGlesTilesArrays *arrays)
{
  gst_gles_buffer_unref (arrays->offsets);
  gst_gles_buffer_unref (arrays->indices);
  gst_gles_buffer_unref (arrays->keys);
  gst_gles_buffer_unref (arrays->counts);
  gst_gles_readback_unref (arrays->offsets_readback);
  gst_gles_readback_unref (arrays->indices_readback);
  gst_gles_readback_unref (arrays->keys_readback);
}

/* Runs @plan on lister->last. */
static gboolean
run_plan (TilesLister *lister, GstGlesTiles *plan, const GstGlesTilesArrays *to, GError **error)
{
  if (lister->last.counts != NULL)
    return gst_gles_tiles_run_indirect (plan, lister->last.records, lister->last.counts,
        GST_GLES_RESULT_COUNT_OFFSET, to->offsets, to->indices, to->keys, error);
  return gst_gles_tiles_run (
      plan, lister->last.records, lister->last.n, to->offsets, to->indices, to->keys, error);
}

static gboolean
read_back (TilesLister *lister, GstGlesTilesArrays *arrays, GError **error)
{
  const guint most = (guint) (entries_bytes (lister) / 4);
  gboolean waited[3] = { FALSE, FALSE, FALSE };

  arrays->offsets_readback = gst_gles_readback_ring_copy (lister->offsets_ring,
      &(GstGlesReadbackCopy){
          .source = arrays->offsets, .size_bytes = gst_gles_buffer_get_size (arrays->offsets) },
      &waited[0], error);
  if (arrays->offsets_readback != NULL)
    arrays->indices_readback = gst_gles_readback_ring_copy (lister->items_ring,
        &(GstGlesReadbackCopy){ .source = arrays->indices,
            .size_bytes = 4 * (gsize) most,
            .counts = arrays->counts,
            .item_bytes = 4 },
        &waited[1], error);
  if (arrays->indices_readback != NULL)
    arrays->keys_readback = gst_gles_readback_ring_copy (lister->items_ring,
        &(GstGlesReadbackCopy){ .source = arrays->keys,
            .size_bytes = 4 * (gsize) most,
            .counts = arrays->counts,
            .item_bytes = 4 },
        &waited[2], error);
  lister->cost.readback_bytes = gst_gles_buffer_get_size (arrays->offsets);
  lister->cost.waited = waited[0] || waited[1] || waited[2];
  return arrays->keys_readback != NULL;
}

const RecordsCost *
tiles_lister_get_cost (const TilesLister *lister)
{
  return &lister->cost;
}

gsize
tiles_lister_take_bytes (TilesLister *lister)
{
  return lister->items_ring != NULL ? gst_gles_readback_ring_take_bytes (lister->items_ring) : 0;
}

GstGlesTilesResult *
tiles_lister_run (TilesLister *lister, const GstGlesTilesInfo *info, const RecordsInput *input,
    gboolean readback, GError **error)
{
  GstGlesTilesArrays arrays = { NULL };
  GstGlesTilesResult *result = NULL;

  lister->cost = (RecordsCost){ 0 };
  if (!ensure_plan (lister, info, input, error))
    return NULL;
  if (acquire (lister, &arrays, error) &&
      device_records_take (&lister->last, input, lister->records, lister->queue, error) &&
      run_plan (lister, lister->plan, &arrays, error) &&
      gst_gles_tiles_copy_result (lister->plan, arrays.counts, error) &&
      (!readback || read_back (lister, &arrays, error))) {
    lister->cost.uploaded_bytes = lister->last.uploaded_bytes;
    arrays.boxes = input->boxes;
    arrays.n_boxes = input->boxes != NULL ? input->n : 0;
    result = gst_gles_tiles_result_new_queued (info, &arrays);
  }
  clear_arrays (&arrays);
  return result;
}

gboolean
tiles_lister_prepare (
    TilesLister *lister, const GstGlesTilesInfo *info, const RecordsInput *input, GError **error)
{
  GstGlesQueue *queue = lister->queue;
  GstGlesTilesArrays arrays = { NULL };
  gboolean ok = FALSE;

  if (!ensure_plan (lister, info, input, error) || !gst_gles_queue_begin (queue, error))
    return FALSE;
  ok = acquire (lister, &arrays, error) &&
      device_records_take (&lister->last, input, lister->records, lister->queue, error) &&
      run_plan (lister, lister->plan, &arrays, error);
  ok = gst_gles_queue_end (queue, ok ? error : NULL) && ok;
  clear_arrays (&arrays);
  return ok;
}

/* ---- validation ---- */

static gboolean
add_buffer (
    ValidationWords *words, const gchar *name, GstGlesBuffer *buffer, gsize n, GError **error)
{
  g_autoptr (GstGlesDevice) device = gst_gles_buffer_get_device (buffer);

  return validation_words_add (words, name, 1,
      gst_gles_buffer_download_bytes (buffer, gst_gles_device_get_queue (device), 0, 4 * n, error));
}

/* Runs @twin on @records. */
static gboolean
run_twin (TilesLister *lister, GstGlesTiles *twin, const DeviceRecords *records,
    ValidationWords *expected, GError **error)
{
  g_autoptr (GstGlesDevice) cpu = gst_gles_buffer_get_device (records->records);
  const gsize n_offsets = (gsize) lister->n_tiles + 1;
  GstGlesTilesArrays arrays = { NULL };
  GstGlesResult counted;
  gboolean ok = FALSE;

  arrays.offsets = gst_gles_buffer_new (cpu, 4 * n_offsets, error);
  if (arrays.offsets != NULL)
    arrays.indices = gst_gles_buffer_new (cpu, entries_bytes (lister), error);
  if (arrays.indices != NULL)
    arrays.keys = gst_gles_buffer_new (cpu, entries_bytes (lister), error);
  if (arrays.keys != NULL &&
      gst_gles_tiles_run (
          twin, records->records, records->n, arrays.offsets, arrays.indices, arrays.keys, error) &&
      gst_gles_buffer_download (gst_gles_tiles_get_result (twin), gst_gles_device_get_queue (cpu),
          0, &counted, sizeof (counted), error)) {
    validation_words_add_counts (expected, counted.total, counted.count);
    ok = add_buffer (expected, "offsets", arrays.offsets, n_offsets, error) &&
        add_buffer (expected, "indices", arrays.indices, counted.count, error) &&
        add_buffer (expected, "keys", arrays.keys, counted.count, error);
  }
  clear_arrays (&arrays);
  return ok;
}

gboolean
tiles_lister_expect (TilesLister *lister, ValidationTwin *words, GError **error)
{
  g_autoptr (GstGlesDevice) cpu = gst_gles_device_new ("cpu", error);
  g_autoptr (GstGlesTiles) twin = NULL;
  g_auto (DeviceRecords) records = { 0 };

  g_return_val_if_fail (lister->last.records != NULL, FALSE);
  if (cpu == NULL)
    return FALSE;
  twin = gst_gles_tiles_new (gst_gles_device_get_queue (cpu), &lister->config, error);
  if (twin == NULL)
    return FALSE;
  return device_records_copy (&records, &lister->last, lister->queue, cpu, error) &&
      validation_words_add (&words->input, "records", records.record_bytes / 4,
          gst_gles_buffer_download_bytes (records.records, gst_gles_device_get_queue (cpu), 0,
              records.record_bytes * (gsize) records.n, error)) &&
      run_twin (lister, twin, &records, &words->found, error);
}

gchar *
tiles_lister_describe (TilesLister *lister)
{
  return gst_gles_variants_describe_tiles (lister->plan, lister->last.n);
}
