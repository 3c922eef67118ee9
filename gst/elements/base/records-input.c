/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "records-input.h"

#include <string.h>

#include <gst/gles/core/types.h>
#include <gst/gles/core/error.h>
#include <gst/video/gstvideometa.h>

typedef struct {
  gfloat min_x, min_y, max_x, max_y;
  guint32 depth;
  guint32 rest[3];
} Record;

G_STATIC_ASSERT (sizeof (Record) == TILES_RECORD_BYTES);
G_STATIC_ASSERT (sizeof (GstGlesPoint) == 8);

void
records_input_clear (RecordsInput *input)
{
  g_clear_pointer (&input->records, gst_gles_buffer_unref);
  g_clear_pointer (&input->counts, gst_gles_buffer_unref);
  g_clear_pointer (&input->bytes, g_bytes_unref);
  g_clear_pointer (&input->boxes, g_bytes_unref);
  if (input->memory != NULL) {
    gst_memory_unmap (input->memory, &input->map);
    gst_memory_unref (input->memory);
  }
  memset (input, 0, sizeof (*input));
}

/* ---- points ---- */

/* Downloads points from another device that kept them on the device only: (transfer full). */
static GBytes *
download_points (GstGlesBuffer *points, GstGlesBuffer *counts, GError **error)
{
  g_autoptr (GstGlesDevice) device = gst_gles_buffer_get_device (points);
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  GstGlesResult result;
  gsize size;

  if (!gst_gles_buffer_download (counts, queue, 0, &result, sizeof (result), error))
    return NULL;
  size = MIN ((gsize) result.count * sizeof (GstGlesPoint), gst_gles_buffer_get_size (points));
  return gst_gles_buffer_download_bytes (points, queue, 0, size, error);
}

static gboolean
take_host_points (RecordsInput *input, GstGlesPointsResult *result, GstGlesBuffer *points,
    GstGlesBuffer *counts, GError **error)
{
  GError *failure = NULL;

  input->bytes = gst_gles_points_result_get_bytes (result, &failure);
  if (input->bytes == NULL && points != NULL &&
      g_error_matches (failure, GST_GLES_ERROR, GST_GLES_ERROR_INVALID)) {
    g_clear_error (&failure);
    input->bytes = download_points (points, counts, &failure);
  }
  if (input->bytes == NULL) {
    g_propagate_error (error, failure);
    return FALSE;
  }
  input->data = g_bytes_get_data (input->bytes, NULL);
  input->n = g_bytes_get_size (input->bytes) / sizeof (GstGlesPoint);
  return TRUE;
}

gboolean
records_input_take_points (
    RecordsInput *input, GstGlesPointsResult *result, GstGlesDevice *device, GError **error)
{
  g_autoptr (GstGlesBuffer) points = gst_gles_points_result_get_device_buffer (result);
  g_autoptr (GstGlesBuffer) counts = gst_gles_points_result_get_device_counts (result);
  g_autoptr (GstGlesDevice) theirs = NULL;

  records_input_clear (input);
  input->kind = GST_GLES_TILES_INPUT_POINTS;
  input->width = gst_gles_points_result_get_frame (result)->width;
  input->height = gst_gles_points_result_get_frame (result)->height;
  if (points != NULL && counts != NULL)
    theirs = gst_gles_buffer_get_device (points);
  if (theirs == NULL || theirs != device)
    return take_host_points (input, result, theirs != NULL ? points : NULL, counts, error);
  input->n = gst_gles_buffer_get_size (points) / sizeof (GstGlesPoint);
  input->records = g_steal_pointer (&points);
  input->counts = g_steal_pointer (&counts);
  return TRUE;
}

gboolean
records_input_take_masked_points (
    RecordsInput *input, GstGlesPointsResult *result, const GstGlesMaskBits *mask, GError **error)
{
  GstGlesPoint *inside;
  const GstGlesPoint *points;
  guint n = 0;

  if (!records_input_take_points (input, result, NULL, error))
    return FALSE;
  points = input->data;
  inside = g_try_new (GstGlesPoint, MAX (input->n, 1));
  if (inside == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate a copy of %u points for the mask", input->n);
    return FALSE;
  }
  for (guint i = 0; i < input->n; i++)
    if (points[i].x < mask->width && points[i].y < mask->height &&
        gst_gles_mask_bits_has (mask, points[i].x, points[i].y))
      inside[n++] = points[i];
  g_bytes_unref (input->bytes);
  input->bytes = g_bytes_new_take (inside, n * sizeof (GstGlesPoint));
  input->data = inside;
  input->n = n;
  return TRUE;
}

/* ---- points that will come ---- */

#define POINTS_QUERY "GstGlesPointsOnDevice"

guint
records_query_points (GstPad *sink, GstGlesDevice *device)
{
  GstStructure *structure =
      gst_structure_new (POINTS_QUERY, "device", GST_TYPE_GLES_DEVICE, device, NULL);
  GstQuery *query = gst_query_new_custom (GST_QUERY_CUSTOM, structure);
  guint most = 0;

  if (gst_pad_peer_query (sink, query))
    gst_structure_get_uint (gst_query_get_structure (query), "most", &most);
  gst_query_unref (query);
  return most;
}

gboolean
records_answer_points (GstQuery *query, GstGlesDevice *device, guint most)
{
  const GstStructure *structure = gst_query_get_structure (query);

  if (GST_QUERY_TYPE (query) != GST_QUERY_CUSTOM ||
      !gst_structure_has_name (structure, POINTS_QUERY) ||
      g_value_get_object (gst_structure_get_value (structure, "device")) != device)
    return FALSE;
  gst_structure_set (gst_query_writable_structure (query), "most", G_TYPE_UINT, most, NULL);
  return TRUE;
}

gboolean
records_input_expect_points (RecordsInput *input, guint most, GstGlesDevice *device, GError **error)
{
  if (most == 0 || gst_gles_device_get_kind (device) == GST_GLES_DEVICE_CPU)
    return TRUE;
  input->records = gst_gles_buffer_new (device, (gsize) most * sizeof (GstGlesPoint), error);
  if (input->records != NULL)
    input->counts = gst_gles_buffer_new (device, sizeof (GstGlesResult), error);
  input->n = most;
  return input->counts != NULL;
}

/* ---- boxes ---- */

/* Detectors store negative coordinates in unsigned members: what is left of the picture, or above
 * it, is cut off. */
static GstGlesBox
cut_box (const GstVideoRegionOfInterestMeta *box)
{
  const gint64 x = (gint) box->x, y = (gint) box->y;

  return (GstGlesBox){ .x = (guint) MAX (x, 0),
    .y = (guint) MAX (y, 0),
    .width = (guint) (MAX (x + box->w, 0) - MAX (x, 0)),
    .height = (guint) (MAX (y + box->h, 0) - MAX (y, 0)),
    .id = box->id,
    .type = box->roi_type != 0 ? g_quark_to_string (box->roi_type) : "" };
}

void
records_input_take_boxes (
    RecordsInput *input, GstBuffer *buffer, guint width, guint height, gboolean by_id)
{
  GArray *records = g_array_new (FALSE, FALSE, sizeof (Record));
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (GstGlesBox));
  gpointer state = NULL;
  GstMeta *meta;

  records_input_clear (input);
  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    const GstVideoRegionOfInterestMeta *box = (const GstVideoRegionOfInterestMeta *) meta;
    const GstGlesBox cut = cut_box (box);
    const gfloat area = (gfloat) cut.width * (gfloat) cut.height;
    Record record = { 0 };

    /* A box without pixels becomes inverted and touches no tile. Rounding affects only coordinates
     * beyond the largest frame. */
    record.min_x = (gfloat) cut.x;
    record.min_y = (gfloat) cut.y;
    record.max_x = (gfloat) ((gint64) cut.x + cut.width - 1);
    record.max_y = (gfloat) ((gint64) cut.y + cut.height - 1);
    memcpy (&record.depth, &area, sizeof (area));
    if (by_id)
      record.depth = (guint32) box->id;
    g_array_append_val (records, record);
    g_array_append_val (boxes, cut);
  }
  input->kind = GST_GLES_TILES_INPUT_ROI;
  input->width = width;
  input->height = height;
  input->n = records->len;
  input->bytes =
      g_bytes_new_take (g_array_free (records, FALSE), (gsize) input->n * sizeof (Record));
  input->data = g_bytes_get_data (input->bytes, NULL);
  input->boxes =
      g_bytes_new_take (g_array_free (boxes, FALSE), (gsize) input->n * sizeof (GstGlesBox));
}

/* ---- splats ---- */

gboolean
records_input_take_splats (
    RecordsInput *input, GstBuffer *buffer, guint width, guint height, GError **error)
{
  const gsize size = gst_buffer_get_size (buffer);

  records_input_clear (input);
  if (size % TILES_RECORD_BYTES != 0 || size / TILES_RECORD_BYTES > GST_GLES_MAX_VALUES) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_BAD_FRAME,
        "a buffer of %" G_GSIZE_FORMAT " bytes is no list of splats: format rect32le has records "
        "of %d bytes, at most %u of them",
        size, TILES_RECORD_BYTES, GST_GLES_MAX_VALUES);
    return FALSE;
  }
  input->kind = GST_GLES_TILES_INPUT_SPLATS;
  input->width = width;
  input->height = height;
  input->n = size / TILES_RECORD_BYTES;
  if (size == 0)
    return TRUE;
  input->memory = gst_buffer_get_all_memory (buffer);
  if (input->memory != NULL && !gst_memory_map (input->memory, &input->map, GST_MAP_READ))
    g_clear_pointer (&input->memory, gst_memory_unref);
  if (input->memory == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_BAD_FRAME,
        "a buffer of %" G_GSIZE_FORMAT " bytes of splats cannot be read: its memory does not map",
        size);
    return FALSE;
  }
  input->data = input->map.data;
  return TRUE;
}

void
device_records_clear (DeviceRecords *records)
{
  g_clear_pointer (&records->records, gst_gles_buffer_unref);
  g_clear_pointer (&records->counts, gst_gles_buffer_unref);
}

gboolean
device_records_take (DeviceRecords *records, const RecordsInput *input, GstGlesBufferPool *pool,
    GstGlesQueue *queue, GError **error)
{
  device_records_clear (records);
  records->n = input->n;
  records->record_bytes =
      input->kind == GST_GLES_TILES_INPUT_POINTS ? sizeof (GstGlesPoint) : TILES_RECORD_BYTES;
  records->uploaded_bytes = 0;
  if (input->records != NULL) {
    records->records = gst_gles_buffer_ref (input->records);
    records->counts = gst_gles_buffer_ref (input->counts);
    return TRUE;
  }
  records->records = gst_gles_buffer_pool_acquire (pool, error);
  records->uploaded_bytes = (gsize) input->n * records->record_bytes;
  return records->records != NULL &&
      (input->n == 0 ||
          gst_gles_buffer_upload (
              records->records, queue, 0, input->data, records->uploaded_bytes, error));
}

gboolean
device_records_copy (DeviceRecords *copy, const DeviceRecords *records, GstGlesQueue *queue,
    GstGlesDevice *cpu, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  GstGlesResult counted;
  gsize size;

  device_records_clear (copy);
  *copy = (DeviceRecords){ .n = records->n, .record_bytes = records->record_bytes };
  if (records->counts != NULL) {
    if (!gst_gles_buffer_download (records->counts, queue, 0, &counted, sizeof (counted), error))
      return FALSE;
    copy->n = MIN (copy->n, counted.count);
  }
  size = (gsize) copy->n * copy->record_bytes;
  bytes = gst_gles_buffer_download_bytes (records->records, queue, 0, size, error);
  if (bytes != NULL)
    copy->records = gst_gles_buffer_new (cpu, size, error);
  return copy->records != NULL &&
      gst_gles_buffer_upload (copy->records, gst_gles_device_get_queue (cpu), 0,
          g_bytes_get_data (bytes, NULL), size, error);
}
