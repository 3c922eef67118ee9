/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regions-finder.h"

#include <string.h>

#include <gst/gles/algo/components/components.h>
#include <gst/gles/algo/variants.h>
#include <gst/gles/core/error.h>
#include <gst/gles/gl/pool.h>
#include <gst/gles/gl/queue.h>
#include <gst/gles/gl/readback-info.h>

#define N_SLOTS 4 /* frames in flight to the host before the streaming thread waits */
/* Capacities are powers of two, so that frames of similar size share a plan. */
#define MIN_POINTS 4096
/* Fragments that are looked at, where things are merged. */
#define MIN_FRAGMENTS 1024
/* Fragments of fewer points are noise. */
#define FRAGMENT_POINTS 2

struct _RegionsFinder {
  GstGlesQueue *queue;
  GstGlesDevice *device;

  GstGlesComponents *plan;
  GstGlesComponentsConfig config; /* of the plan */
  GstGlesBufferPool *points, *regions, *counts;
  GstGlesReadbackRing *ring;

  DeviceRecords last;
  RecordsCost cost; /* of the last run */
  RegionsMerge merge;
};

RegionsFinder *
regions_finder_new (GstGlesQueue *queue)
{
  RegionsFinder *finder = g_new0 (RegionsFinder, 1);

  finder->queue = gst_object_ref (queue);
  finder->device = gst_gles_queue_get_device (queue);
  return finder;
}

static void
drop_plan (RegionsFinder *finder)
{
  device_records_clear (&finder->last);
  g_clear_pointer (&finder->plan, gst_gles_components_unref);
  g_clear_pointer (&finder->points, gst_gles_buffer_pool_free);
  g_clear_pointer (&finder->regions, gst_gles_buffer_pool_free);
  g_clear_pointer (&finder->counts, gst_gles_buffer_pool_free);
  g_clear_pointer (&finder->ring, gst_gles_readback_ring_free);
}

void
regions_finder_free (RegionsFinder *finder)
{
  if (finder == NULL)
    return;
  drop_plan (finder);
  gst_object_unref (finder->device);
  gst_object_unref (finder->queue);
  g_free (finder);
}

void
regions_finder_set_merge (RegionsFinder *finder, const RegionsMerge *merge)
{
  finder->merge = *merge;
}

/* ---- plan ---- */

static void
make_config (const RegionsFinder *finder, const GstGlesRegionsInfo *info, const RecordsInput *input,
    GstGlesComponentsConfig *config)
{
  const gboolean merges = regions_merge_is_needed (&finder->merge);
  guint64 n = MIN_POINTS;

  while (n < input->n)
    n *= 2;
  *config = (GstGlesComponentsConfig){ .source = GST_GLES_COMPONENTS_POINTS,
    .width = input->width,
    .height = input->height,
    .connectivity = info->connectivity,
    .cell_width = info->cell_width,
    .cell_height = info->cell_height,
    .max_points = (guint) MIN (n, GST_GLES_MAX_VALUES),
    .max_regions = merges ? MAX (info->max_regions, MIN_FRAGMENTS) : info->max_regions };
}

static gboolean
serves (const GstGlesComponentsConfig *have, const GstGlesComponentsConfig *need)
{
  return have->width == need->width && have->height == need->height &&
      have->connectivity == need->connectivity && have->cell_width == need->cell_width &&
      have->cell_height == need->cell_height && have->max_points >= need->max_points &&
      have->max_regions == need->max_regions;
}

static gsize
regions_bytes (const RegionsFinder *finder)
{
  return sizeof (GstGlesRegion) * (gsize) finder->config.max_regions;
}

static gboolean
ensure_plan (RegionsFinder *finder, const GstGlesRegionsInfo *info, const RecordsInput *input,
    GError **error)
{
  GstGlesComponentsConfig config;

  make_config (finder, info, input, &config);
  if (finder->plan != NULL && serves (&finder->config, &config))
    return TRUE;
  drop_plan (finder);
  finder->plan = gst_gles_components_new (finder->queue, &config, error);
  if (finder->plan == NULL)
    return FALSE;
  finder->config = config;
  finder->points =
      gst_gles_buffer_pool_new (finder->device, sizeof (GstGlesPoint) * (gsize) config.max_points);
  finder->regions = gst_gles_buffer_pool_new (finder->device, regions_bytes (finder));
  finder->counts = gst_gles_buffer_pool_new (finder->device, sizeof (GstGlesResult));
  finder->ring = gst_gles_readback_ring_new (finder->queue, N_SLOTS,
      GST_GLES_READBACK_COUNTED_BYTES (config.max_regions, sizeof (GstGlesRegion)), error);
  if (finder->ring != NULL)
    return TRUE;
  drop_plan (finder);
  return FALSE;
}

/* ---- runs ---- */

/* Returns the min_size of the device: what is merged is measured afterwards. */
static guint
fragment_size (const RegionsFinder *finder, const GstGlesRegionsInfo *info)
{
  return regions_merge_is_needed (&finder->merge) ? MIN (info->min_size, FRAGMENT_POINTS)
                                                  : info->min_size;
}

/* Merges what came; fragments that were not listed count as regions. */
static void
merge_counted (gpointer data, GstGlesRegion *regions, GstGlesResult *counted)
{
  const RegionsMerge *merge = data;
  const guint n = regions_merge (merge, regions, counted->count);

  counted->total = counted->total - counted->count + n;
  counted->count = MIN (n, merge->max_regions);
}

/* Runs @plan on finder->last. */
static gboolean
run_plan (RegionsFinder *finder, GstGlesComponents *plan, const GstGlesRegionsInfo *info,
    GstGlesBuffer *regions, GError **error)
{
  if (finder->last.counts != NULL)
    return gst_gles_components_run_points_indirect (plan, finder->last.records, finder->last.counts,
        GST_GLES_RESULT_COUNT_OFFSET, info->min_points, fragment_size (finder, info), regions,
        error);
  return gst_gles_components_run_points (plan, finder->last.records, finder->last.n,
      info->min_points, fragment_size (finder, info), regions, error);
}

const RecordsCost *
regions_finder_get_cost (const RegionsFinder *finder)
{
  return &finder->cost;
}

gsize
regions_finder_take_bytes (RegionsFinder *finder)
{
  return finder->ring != NULL ? gst_gles_readback_ring_take_bytes (finder->ring) : 0;
}

GstGlesRegionsResult *
regions_finder_run (RegionsFinder *finder, const GstGlesRegionsInfo *info,
    const RecordsInput *input, gboolean readback, GError **error)
{
  g_autoptr (GstGlesBuffer) regions = NULL;
  g_autoptr (GstGlesBuffer) counts = NULL;
  g_autoptr (GstGlesReadback) back = NULL;
  GstGlesRegionsResult *result;

  if (!ensure_plan (finder, info, input, error))
    return NULL;
  regions = gst_gles_buffer_pool_acquire (finder->regions, error);
  if (regions != NULL)
    counts = gst_gles_buffer_pool_acquire (finder->counts, error);
  if (counts == NULL ||
      !device_records_take (&finder->last, input, finder->points, finder->queue, error) ||
      !run_plan (finder, finder->plan, info, regions, error) ||
      !gst_gles_components_copy_result (finder->plan, counts, error))
    return NULL;
  finder->cost = (RecordsCost){ .uploaded_bytes = finder->last.uploaded_bytes };
  if (readback) {
    back = gst_gles_readback_ring_copy (finder->ring,
        &(GstGlesReadbackCopy){ .source = regions,
            .size_bytes = finder->config.max_regions * sizeof (GstGlesRegion),
            .counts = counts,
            .item_bytes = sizeof (GstGlesRegion) },
        &finder->cost.waited, error);
    if (back == NULL)
      return NULL;
  }
  result = gst_gles_regions_result_new_queued (info, back, regions, counts);
  if (regions_merge_is_needed (&finder->merge))
    gst_gles_regions_result_set_finish (
        result, merge_counted, g_memdup2 (&finder->merge, sizeof finder->merge));
  return result;
}

gboolean
regions_finder_prepare (RegionsFinder *finder, const GstGlesRegionsInfo *info,
    const RecordsInput *input, GError **error)
{
  g_autoptr (GstGlesBuffer) regions = NULL;
  gboolean ok;

  if (!ensure_plan (finder, info, input, error) || !gst_gles_queue_begin (finder->queue, error))
    return FALSE;
  regions = gst_gles_buffer_pool_acquire (finder->regions, error);
  ok = regions != NULL &&
      device_records_take (&finder->last, input, finder->points, finder->queue, error) &&
      run_plan (finder, finder->plan, info, regions, error);
  return gst_gles_queue_end (finder->queue, ok ? error : NULL) && ok;
}

/* ---- validation ---- */

/* Adds what @twin found, merged like that of the device. */
static gboolean
add_found (RegionsFinder *finder, ValidationWords *words, GstGlesComponents *twin,
    GstGlesBuffer *regions, GError **error)
{
  g_autoptr (GstGlesDevice) cpu = gst_gles_buffer_get_device (regions);
  GstGlesQueue *queue = gst_gles_device_get_queue (cpu);
  g_autofree GstGlesRegion *found = NULL;
  GstGlesResult counted;

  if (!gst_gles_buffer_download (
          gst_gles_components_get_result (twin), queue, 0, &counted, sizeof (counted), error))
    return FALSE;
  found = g_new (GstGlesRegion, MAX (counted.count, 1));
  if (!gst_gles_buffer_download (
          regions, queue, 0, found, counted.count * sizeof (GstGlesRegion), error))
    return FALSE;
  if (regions_merge_is_needed (&finder->merge))
    merge_counted (&finder->merge, found, &counted);
  validation_words_add_counts (words, counted.total, counted.count);
  return validation_words_add (words, "regions", sizeof (GstGlesRegion) / 4,
      g_bytes_new (found, counted.count * sizeof (GstGlesRegion)));
}

gboolean
regions_finder_expect (
    RegionsFinder *finder, const GstGlesRegionsInfo *info, ValidationTwin *words, GError **error)
{
  g_autoptr (GstGlesDevice) cpu = gst_gles_device_new ("cpu", error);
  g_autoptr (GstGlesComponents) twin = NULL;
  g_autoptr (GstGlesBuffer) regions = NULL;
  g_auto (DeviceRecords) points = { 0 };
  GstGlesQueue *queue;

  g_return_val_if_fail (finder->last.records != NULL, FALSE);
  if (cpu == NULL)
    return FALSE;
  queue = gst_gles_device_get_queue (cpu);
  twin = gst_gles_components_new (queue, &finder->config, error);
  if (twin == NULL)
    return FALSE;
  if (device_records_copy (&points, &finder->last, finder->queue, cpu, error))
    regions = gst_gles_buffer_new (cpu, regions_bytes (finder), error);
  return regions != NULL &&
      validation_words_add (&words->input, "points", sizeof (GstGlesPoint) / 4,
          gst_gles_buffer_download_bytes (
              points.records, queue, 0, points.n * sizeof (GstGlesPoint), error)) &&
      gst_gles_components_run_points (twin, points.records, points.n, info->min_points,
          fragment_size (finder, info), regions, error) &&
      add_found (finder, &words->found, twin, regions, error);
}

gchar *
regions_finder_describe (RegionsFinder *finder)
{
  return gst_gles_variants_describe_components (finder->plan, finder->last.n);
}
