/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What glestiles lists: taken from a buffer, and brought to the device. */
#ifndef GST_GLES_TILES_INPUT_H
#define GST_GLES_TILES_INPUT_H

#include <gst/gles/meta/points.h>
#include <gst/gles/meta/tiles.h>

G_BEGIN_DECLS

/* Bytes of a record of a stream of splats, and of a box. */
#define TILES_RECORD_BYTES 32

/* The records of one frame, from taking until they are queued. */
typedef struct {
  GstGlesTilesInput kind;
  guint width, height; /* of the frame that coordinates are of */
  guint n;             /* how many; at most, when the device has counted them */

  /* points where upstream left them on this device; NULL otherwise */
  GstGlesBuffer *records, *counts;

  /* otherwise: where they are on the host, and what keeps them there */
  gconstpointer data;
  GBytes *bytes;
  GstMemory *memory;
  GstMapInfo map;

  GBytes *boxes; /* of boxes: GstGlesTilesBox, as many as records */
} TilesInput;

/* The points that @result tells of: where they are when that is on @device; else waits for them.
 * Errors: as gst_gles_points_result_wait(). */
gboolean tiles_input_take_points (
    TilesInput *input, GstGlesPointsResult *result, GstGlesDevice *device, GError **error);

/* The regions of interest of @buffer, as records. Their depth is the area, or the id @by_id. */
void tiles_input_take_boxes (
    TilesInput *input, GstBuffer *buffer, guint width, guint height, gboolean by_id);

/* The records that @buffer consists of. Errors: GST_STREAM_ERROR. */
gboolean tiles_input_take_splats (
    TilesInput *input, GstBuffer *buffer, guint width, guint height, GError **error);

/* Bytes of what is on the host. */
gsize tiles_input_get_size (const TilesInput *input);

/* Lets go of everything. */
void tiles_input_clear (TilesInput *input);

G_END_DECLS

#endif
