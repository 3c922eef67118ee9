/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The records that glestiles and glesregions read: taken from a buffer and brought to the
 * device. */
#ifndef GST_GLES_RECORDS_INPUT_H
#define GST_GLES_RECORDS_INPUT_H

#include <gst/gles/core/mask.h>
#include <gst/gles/gl/pool.h>
#include <gst/gles/meta/points.h>
#include <gst/gles/meta/tiles-info.h>

G_BEGIN_DECLS

/* The size of a record, of a stream of splats or of a box. */
#define TILES_RECORD_BYTES 32

/* The records of one frame, from the time they are taken until they are queued. */
typedef struct {
  GstGlesTilesInput kind;
  guint width, height; /* of the frame that the coordinates refer to */
  guint n;             /* number of records; the maximum if the device has counted them */

  /* points that upstream left on this device, else NULL */
  GstGlesBuffer *records, *counts;

  /* otherwise: the records in host memory, and the object that holds that memory */
  gconstpointer data;
  GBytes *bytes;
  GstMemory *memory;
  GstMapInfo map;

  GBytes *boxes; /* of boxes: GstGlesBox, as many as records */
} RecordsInput;

/* Takes the points of @result. If they are on @device they stay there; otherwise waits until the
 * host has them. Errors: as gst_gles_points_result_wait(). */
gboolean records_input_take_points (
    RecordsInput *input, GstGlesPointsResult *result, GstGlesDevice *device, GError **error);

/* Takes the points of @result that are inside @mask, in host memory; waits until the host has
 * them. @mask has the size of the frame. Errors: as records_input_take_points(), NO_MEMORY. */
gboolean records_input_take_masked_points (
    RecordsInput *input, GstGlesPointsResult *result, const GstGlesMaskBits *mask, GError **error);

/* Takes the regions of interest of @buffer as records. Their depth is the area, or with @by_id the
 * id. */
void records_input_take_boxes (
    RecordsInput *input, GstBuffer *buffer, guint width, guint height, gboolean by_id);

/* Takes the records that are the content of @buffer. Errors: GST_STREAM_ERROR. */
gboolean records_input_take_splats (
    RecordsInput *input, GstBuffer *buffer, guint width, guint height, GError **error);

/* Asks upstream of @sink how many points of a frame it leaves on @device at the most. Returns 0 if
 * nobody answers. */
guint records_query_points (GstPad *sink, GstGlesDevice *device);
/* Answers that with @most if @query is the question and about @device. Thread: any. */
gboolean records_answer_points (GstQuery *query, GstGlesDevice *device, guint most);
/* Sets @input to a frame without points, which can have up to @most of them, on @device. */
gboolean records_input_expect_points (
    RecordsInput *input, guint most, GstGlesDevice *device, GError **error);

/* Drops all references. */
void records_input_clear (RecordsInput *input);

/* The costs of a run, for `stats`. */
typedef struct {
  gsize uploaded_bytes;
  gsize readback_bytes; /* known sizes only: not of counted lists */
  gboolean waited;      /* the streaming thread waited for a free readback slot */
} RecordsCost;

/* The records of the last run on the device. All zero: none. */
typedef struct {
  GstGlesBuffer *records, *counts; /* counts is NULL if the host knows the count */
  guint n;
  guint record_bytes;
  gsize uploaded_bytes; /* that came from the host */
} DeviceRecords;

/* Sets @records to @input on the device. Uploads it to a buffer of @pool if it is in host
 * memory. */
gboolean device_records_take (DeviceRecords *records, const RecordsInput *input,
    GstGlesBufferPool *pool, GstGlesQueue *queue, GError **error);
/* Sets @copy to the records of @records, which are on the device of @queue, on the device @cpu.
 * Waits, and knows the count. */
gboolean device_records_copy (DeviceRecords *copy, const DeviceRecords *records,
    GstGlesQueue *queue, GstGlesDevice *cpu, GError **error);
void device_records_clear (DeviceRecords *records);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DeviceRecords, device_records_clear)

G_END_DECLS

#endif
