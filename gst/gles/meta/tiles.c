/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/tiles.h>

#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/result-private.h>

/* What comes to the host. */
typedef enum {
  OFFSETS,
  INDICES,
  KEYS,
  N_ARRAYS
} Array;

static const gchar *const array_names[N_ARRAYS] = { "offsets", "indices", "keys" };

struct _GstGlesTilesResult {
  GstMiniObject parent;

  GstGlesTilesInfo info;
  guint columns, rows;
  GstGlesReadback *readbacks[N_ARRAYS]; /* nullable */
  GBytes *boxes;                        /* nullable; with types behind the boxes */
  guint n_boxes;

  GMutex lock; /* of all that follows */
  GstGlesBuffer *buffers[N_ARRAYS], *counts;
  /* atomic; set when the rest is, which does not change any more then */
  gint ready;
  GstGlesResult counted;
  const guint32 *words[N_ARRAYS]; /* owned by the readbacks */
};

GST_DEFINE_MINI_OBJECT_TYPE (GstGlesTilesResult, gst_gles_tiles_result);

static void
result_free (GstMiniObject *object)
{
  GstGlesTilesResult *result = (GstGlesTilesResult *) object;

  for (guint i = 0; i < N_ARRAYS; i++) {
    g_clear_pointer (&result->buffers[i], gst_gles_buffer_unref);
    g_clear_pointer (&result->readbacks[i], gst_gles_readback_unref);
  }
  g_clear_pointer (&result->counts, gst_gles_buffer_unref);
  g_clear_pointer (&result->boxes, g_bytes_unref);
  g_mutex_clear (&result->lock);
  gst_gles_origin_unref (result->info.origin);
  g_free (result);
}

GstGlesTilesResult *
gst_gles_tiles_result_new (const GstGlesTilesInfo *info, const GstGlesTilesArrays *arrays)
{
  GstGlesTilesResult *result;

  g_return_val_if_fail (info != NULL && arrays != NULL, NULL);
  g_return_val_if_fail (info->width > 0 && info->height > 0, NULL);
  g_return_val_if_fail (info->tile_width > 0 && info->tile_height > 0, NULL);

  result = g_new0 (GstGlesTilesResult, 1);
  gst_mini_object_init (
      GST_MINI_OBJECT_CAST (result), 0, GST_TYPE_GLES_TILES_RESULT, NULL, NULL, result_free);
  g_mutex_init (&result->lock);
  result->info = *info;
  if (info->origin != NULL)
    gst_gles_origin_ref (info->origin);
  result->columns = (info->width - 1) / info->tile_width + 1;
  result->rows = (info->height - 1) / info->tile_height + 1;
  if (arrays->offsets != NULL) {
    result->buffers[OFFSETS] = gst_gles_buffer_ref (arrays->offsets);
    result->buffers[INDICES] = gst_gles_buffer_ref (arrays->indices);
    result->buffers[KEYS] = gst_gles_buffer_ref (arrays->keys);
    result->counts = gst_gles_buffer_ref (arrays->counts);
  }
  if (arrays->offsets_readback != NULL) {
    result->readbacks[OFFSETS] = gst_gles_readback_ref (arrays->offsets_readback);
    result->readbacks[INDICES] = gst_gles_readback_ref (arrays->indices_readback);
    result->readbacks[KEYS] = gst_gles_readback_ref (arrays->keys_readback);
  }
  if (arrays->boxes != NULL) {
    result->boxes = g_bytes_ref (arrays->boxes);
    result->n_boxes = arrays->n_boxes;
  }
  return result;
}

GstGlesTilesResult *
gst_gles_tiles_result_ref (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return (GstGlesTilesResult *) gst_mini_object_ref (GST_MINI_OBJECT_CAST (result));
}

void
gst_gles_tiles_result_unref (GstGlesTilesResult *result)
{
  if (result != NULL)
    gst_mini_object_unref (GST_MINI_OBJECT_CAST (result));
}

const GstGlesTilesInfo *
gst_gles_tiles_result_get_info (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return &result->info;
}

/* ---- waiting ---- */

gboolean
gst_gles_tiles_result_is_ready (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, FALSE);

  if (g_atomic_int_get (&result->ready))
    return TRUE;
  for (guint i = 0; i < N_ARRAYS; i++) {
    if (result->readbacks[i] == NULL || !gst_gles_readback_is_ready (result->readbacks[i]))
      return FALSE;
  }
  return TRUE;
}

/* What is left of @timeout_ns, begun at @start_us. */
static guint64
time_left (guint64 timeout_ns, gint64 start_us)
{
  guint64 gone_ns;

  if (timeout_ns == G_MAXUINT64)
    return timeout_ns;
  gone_ns = (guint64) (g_get_monotonic_time () - start_us) * 1000;
  return timeout_ns > gone_ns ? timeout_ns - gone_ns : 0;
}

static gboolean
check_sizes (GstGlesTilesResult *result, const GstGlesResult *counted,
    const gsize size_bytes[N_ARRAYS], GError **error)
{
  const gsize needed[N_ARRAYS] = { ((gsize) result->columns * result->rows + 1) * 4,
    (gsize) counted->count * 4, (gsize) counted->count * 4 };

  for (guint i = 0; i < N_ARRAYS; i++) {
    if (size_bytes[i] < needed[i]) {
      g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
          "Frame %" G_GUINT64_FORMAT " came back with %" G_GSIZE_FORMAT
          " bytes of %s where %" G_GSIZE_FORMAT " belong",
          result->info.frame, size_bytes[i], array_names[i], needed[i]);
      return FALSE;
    }
  }
  return TRUE;
}

gboolean
gst_gles_tiles_result_wait (GstGlesTilesResult *result, guint64 timeout_ns, GError **error)
{
  const gint64 start_us = g_get_monotonic_time ();
  gsize size_bytes[N_ARRAYS] = { 0 };
  gconstpointer words[N_ARRAYS];
  GstGlesResult counted;

  g_return_val_if_fail (result != NULL, FALSE);

  if (g_atomic_int_get (&result->ready))
    return TRUE;
  for (guint i = 0; i < N_ARRAYS; i++) {
    words[i] = gst_gles_result_wait (result->readbacks[i], array_names[i], result->info.frame,
        time_left (timeout_ns, start_us), &size_bytes[i], error);
    if (words[i] == NULL)
      return FALSE;
  }
  gst_gles_readback_get_counted (result->readbacks[INDICES], &counted);
  if (!check_sizes (result, &counted, size_bytes, error))
    return FALSE;
  g_mutex_lock (&result->lock);
  if (!result->ready) {
    result->counted = counted;
    for (guint i = 0; i < N_ARRAYS; i++)
      result->words[i] = words[i];
    g_atomic_int_set (&result->ready, TRUE);
  }
  g_mutex_unlock (&result->lock);
  return TRUE;
}

/* ---- arrays ---- */

guint64
gst_gles_tiles_result_get_total (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, 0);

  return gst_gles_tiles_result_wait (result, G_MAXUINT64, NULL) ? result->counted.total : 0;
}

guint
gst_gles_tiles_result_get_count (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, 0);

  return gst_gles_tiles_result_wait (result, G_MAXUINT64, NULL) ? result->counted.count : 0;
}

gboolean
gst_gles_tiles_result_is_truncated (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, FALSE);

  return gst_gles_tiles_result_wait (result, G_MAXUINT64, NULL) &&
      result->counted.total > result->counted.count;
}

static const guint32 *
get_words (GstGlesTilesResult *result, Array array, guint *n, GError **error)
{
  g_return_val_if_fail (n != NULL, NULL);
  *n = 0;
  g_return_val_if_fail (result != NULL, NULL);

  if (!gst_gles_tiles_result_wait (result, G_MAXUINT64, error))
    return NULL;
  *n = array == OFFSETS ? result->columns * result->rows + 1 : result->counted.count;
  return result->words[array];
}

const guint32 *
gst_gles_tiles_result_get_offsets (GstGlesTilesResult *result, guint *n, GError **error)
{
  return get_words (result, OFFSETS, n, error);
}

const guint32 *
gst_gles_tiles_result_get_indices (GstGlesTilesResult *result, guint *n, GError **error)
{
  return get_words (result, INDICES, n, error);
}

const guint32 *
gst_gles_tiles_result_get_keys (GstGlesTilesResult *result, guint *n, GError **error)
{
  return get_words (result, KEYS, n, error);
}

gboolean
gst_gles_tiles_result_get_bytes (
    GstGlesTilesResult *result, GBytes **offsets, GBytes **indices, GBytes **keys, GError **error)
{
  GBytes **const targets[N_ARRAYS] = { offsets, indices, keys };

  for (guint i = 0; i < N_ARRAYS; i++) {
    if (targets[i] != NULL)
      *targets[i] = NULL;
  }
  g_return_val_if_fail (result != NULL, FALSE);

  if (!gst_gles_tiles_result_wait (result, G_MAXUINT64, error))
    return FALSE;
  for (guint i = 0; i < N_ARRAYS; i++) {
    const guint32 *words;
    guint n;

    words = get_words (result, i, &n, NULL);
    if (targets[i] != NULL)
      *targets[i] = g_bytes_new_with_free_func (words, (gsize) n * sizeof *words,
          (GDestroyNotify) gst_gles_tiles_result_unref, gst_gles_tiles_result_ref (result));
  }
  return TRUE;
}

const guint32 *
gst_gles_tiles_result_get_tile (GstGlesTilesResult *result, guint tile, guint *n, GError **error)
{
  const guint32 *offsets, *indices;

  g_return_val_if_fail (n != NULL, NULL);
  *n = 0;
  g_return_val_if_fail (result != NULL, NULL);
  g_return_val_if_fail (tile < result->columns * result->rows, NULL);

  indices = get_words (result, INDICES, n, error);
  if (indices == NULL)
    return NULL;
  offsets = result->words[OFFSETS];
  *n = offsets[tile + 1] - offsets[tile];
  return indices + offsets[tile];
}

static void
set_if_asked (guint *target, guint value)
{
  if (target != NULL)
    *target = value;
}

gboolean
gst_gles_tiles_result_get_occupancy (
    GstGlesTilesResult *result, guint *occupied, guint *largest, GError **error)
{
  guint n, n_occupied = 0, most = 0;
  const guint32 *offsets;

  g_return_val_if_fail (result != NULL, FALSE);

  offsets = get_words (result, OFFSETS, &n, error);
  if (offsets == NULL)
    return FALSE;
  for (guint tile = 0; tile + 1 < n; tile++) {
    const guint length = offsets[tile + 1] - offsets[tile];

    n_occupied += length > 0 ? 1 : 0;
    most = MAX (most, length);
  }
  set_if_asked (occupied, n_occupied);
  set_if_asked (largest, most);
  return TRUE;
}

const GstGlesTilesBox *
gst_gles_tiles_result_get_boxes (GstGlesTilesResult *result, guint *n)
{
  g_return_val_if_fail (n != NULL, NULL);
  *n = 0;
  g_return_val_if_fail (result != NULL, NULL);

  *n = result->n_boxes;
  return result->boxes != NULL ? g_bytes_get_data (result->boxes, NULL) : NULL;
}

/* ---- on the device ---- */

static GstGlesBuffer *
keep (GstGlesTilesResult *result, GstGlesBuffer **buffer)
{
  GstGlesBuffer *kept;

  g_mutex_lock (&result->lock);
  kept = *buffer != NULL ? gst_gles_buffer_ref (*buffer) : NULL;
  g_mutex_unlock (&result->lock);
  return kept;
}

GstGlesBuffer *
gst_gles_tiles_result_get_device_offsets (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return keep (result, &result->buffers[OFFSETS]);
}

GstGlesBuffer *
gst_gles_tiles_result_get_device_indices (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return keep (result, &result->buffers[INDICES]);
}

GstGlesBuffer *
gst_gles_tiles_result_get_device_keys (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return keep (result, &result->buffers[KEYS]);
}

GstGlesBuffer *
gst_gles_tiles_result_get_device_counts (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return keep (result, &result->counts);
}

void
gst_gles_tiles_result_release_device (GstGlesTilesResult *result)
{
  GstGlesBuffer *buffers[N_ARRAYS], *counts;

  g_return_if_fail (result != NULL && result->readbacks[OFFSETS] != NULL);

  g_mutex_lock (&result->lock);
  for (guint i = 0; i < N_ARRAYS; i++)
    buffers[i] = g_steal_pointer (&result->buffers[i]);
  counts = g_steal_pointer (&result->counts);
  g_mutex_unlock (&result->lock);
  for (guint i = 0; i < N_ARRAYS; i++)
    gst_gles_buffer_unref (buffers[i]);
  gst_gles_buffer_unref (counts);
}

/* ---- what was analysed ---- */

void
gst_gles_tiles_result_get_tile_size (GstGlesTilesResult *result, guint *width, guint *height)
{
  g_return_if_fail (result != NULL);

  set_if_asked (width, result->info.tile_width);
  set_if_asked (height, result->info.tile_height);
}

void
gst_gles_tiles_result_get_grid (GstGlesTilesResult *result, guint *columns, guint *rows)
{
  g_return_if_fail (result != NULL);

  set_if_asked (columns, result->columns);
  set_if_asked (rows, result->rows);
}

void
gst_gles_tiles_result_get_size (GstGlesTilesResult *result, guint *width, guint *height)
{
  g_return_if_fail (result != NULL);

  set_if_asked (width, result->info.width);
  set_if_asked (height, result->info.height);
}

GstVideoFormat
gst_gles_tiles_result_get_format (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, GST_VIDEO_FORMAT_UNKNOWN);

  return result->info.format;
}

GstGlesTilesInput
gst_gles_tiles_result_get_input (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, GST_GLES_TILES_INPUT_POINTS);

  return result->info.input;
}

GstGlesTilesSortBy
gst_gles_tiles_result_get_sort_by (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, GST_GLES_TILES_SORT_BY_INDEX);

  return result->info.sort_by;
}

gboolean
gst_gles_tiles_result_is_descending (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, FALSE);

  return result->info.descending;
}

guint
gst_gles_tiles_result_get_max_items (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, 0);

  return result->info.max_items;
}

guint64
gst_gles_tiles_result_get_frame_number (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, 0);

  return result->info.frame;
}

GstClockTime
gst_gles_tiles_result_get_pts (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);

  return result->info.pts;
}

GstClockTime
gst_gles_tiles_result_get_duration (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);

  return result->info.duration;
}

GstClockTime
gst_gles_tiles_result_get_running_time (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);

  return result->info.running_time;
}

GstClockTime
gst_gles_tiles_result_get_stream_time (GstGlesTilesResult *result)
{
  g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);

  return result->info.stream_time;
}
