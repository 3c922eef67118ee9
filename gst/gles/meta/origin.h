/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_META_ORIGIN_H
#define GST_GLES_META_ORIGIN_H

#include <gst/gles/core/prelude.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_ORIGIN (gst_gles_origin_get_type ())
GST_GLES_API GType gst_gles_origin_get_type (void);

typedef struct _GstGlesOrigin GstGlesOrigin;

/* The readback that elements make results with. Its header, gst/gles/gl/readback.h, is not
 * installed. */
typedef struct _GstGlesReadback GstGlesReadback;

#define GST_TYPE_GLES_FIELD (gst_gles_field_get_type ())
GST_GLES_API GType gst_gles_field_get_type (void);

/**
 * GstGlesField:
 * @GST_GLES_FIELD_NONE: a whole frame, or a field of unknown parity
 * @GST_GLES_FIELD_TOP: the top field, with the first line of the frame
 * @GST_GLES_FIELD_BOTTOM: the bottom field, with the second line
 *
 * What of a frame a picture is. Only streams whose buffers hold one field each
 * (interlace-mode=alternate) have others than %GST_GLES_FIELD_NONE.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_FIELD_NONE,
  GST_GLES_FIELD_TOP,
  GST_GLES_FIELD_BOTTOM
} GstGlesField;

/* The number of values of GstGlesField. */
#define GST_GLES_N_FIELDS 3

/**
 * GstGlesOrigin:
 * @element: name of the element that made the result
 * @stream_id: (nullable): the id of the stream that the frame belongs to
 * @range: colour range of the frame, from its caps
 * @matrix: colour matrix of the frame, from its caps
 * @field: the field that the picture is
 *
 * The element, the stream, the colorimetry and the field that results belong to. An analyser makes
 * one object for each field when its stream or its caps change, and all results until the next
 * change refer to it.
 *
 * Immutable. Thread: any.
 *
 * Since: 0.1
 */
struct _GstGlesOrigin {
  const gchar *element;
  const gchar *stream_id;
  GstVideoColorRange range;
  GstVideoColorMatrix matrix;
  GstGlesField field;
};

/**
 * gst_gles_origin_new:
 * @element: name of the element that makes results
 * @stream_id: (nullable): the id of the stream
 * @range: colour range of the frames
 * @matrix: colour matrix of the frames
 * @field: the field that the pictures are
 *
 * Copies the texts; bytes that are not UTF-8 are replaced.
 *
 * Returns: (transfer full): an origin
 * Since: 0.1
 */
GST_GLES_API GstGlesOrigin *gst_gles_origin_new (const gchar *element, const gchar *stream_id,
    GstVideoColorRange range, GstVideoColorMatrix matrix, GstGlesField field);

/**
 * gst_gles_origin_ref:
 * @origin: an origin
 *
 * Returns: (transfer full): @origin
 * Since: 0.1
 */
GST_GLES_API GstGlesOrigin *gst_gles_origin_ref (GstGlesOrigin *origin);

/**
 * gst_gles_origin_unref:
 * @origin: (transfer full) (nullable): an origin
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_origin_unref (GstGlesOrigin *origin);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesOrigin, gst_gles_origin_unref)

G_END_DECLS

#endif
