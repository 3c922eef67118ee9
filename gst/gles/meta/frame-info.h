/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What all results tell of the frame that was analysed. */
#ifndef GST_GLES_META_FRAME_INFO_H
#define GST_GLES_META_FRAME_INFO_H

#include <gst/gles/core/prelude.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_ORIGIN (gst_gles_origin_get_type ())
GST_GLES_API GType gst_gles_origin_get_type (void);

#define GST_TYPE_GLES_FIELD (gst_gles_field_get_type ())
GST_GLES_API GType gst_gles_field_get_type (void);

#define GST_TYPE_GLES_FRAME_INFO (gst_gles_frame_info_get_type ())
GST_GLES_API GType gst_gles_frame_info_get_type (void);

typedef struct _GstGlesOrigin GstGlesOrigin;
typedef struct _GstGlesFrameInfo GstGlesFrameInfo;

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
 *
 * The element and the stream that results belong to. An analyser makes one object for each stream,
 * and all results until the next one refer to it.
 *
 * Immutable. Thread: any.
 *
 * Since: 0.1
 */
struct _GstGlesOrigin {
  const gchar *element;
  const gchar *stream_id;
};

/**
 * gst_gles_origin_new:
 * @element: name of the element that makes results
 * @stream_id: (nullable): the id of the stream
 *
 * Copies the texts; bytes that are not UTF-8 are replaced.
 *
 * Returns: (transfer full): an origin
 * Since: 0.1
 */
GST_GLES_API GstGlesOrigin *gst_gles_origin_new (const gchar *element, const gchar *stream_id);

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

/**
 * GstGlesFrameInfo:
 * @number: number of the analysed frame, from 0; starts again after a flush
 * @pts: timestamp of the buffer; this and the next four may be %GST_CLOCK_TIME_NONE
 * @duration: duration of the buffer
 * @running_time: running time of @pts
 * @stream_time: stream time of @pts
 * @utc: time of day in nanoseconds since 1970, from #GstReferenceTimestampMeta
 * @width: width of the picture that was analysed, in pixels; it may have been scaled since
 * @height: height of it
 * @format: format of it; %GST_VIDEO_FORMAT_UNKNOWN for what is no raw video
 * @range: colour range, from the caps
 * @matrix: colour matrix, from the caps
 * @field: the field that the picture is
 * @origin: (nullable): the element and the stream that the result belongs to
 *
 * What all results tell of the frame that was analysed.
 *
 * Since: 0.1
 */
struct _GstGlesFrameInfo {
  guint64 number;
  GstClockTime pts;
  GstClockTime duration;
  GstClockTime running_time;
  GstClockTime stream_time;
  GstClockTime utc;
  guint width;
  guint height;
  GstVideoFormat format;
  GstVideoColorRange range;
  GstVideoColorMatrix matrix;
  GstGlesField field;
  GstGlesOrigin *origin;
};

/**
 * gst_gles_frame_info_new:
 * @width: width of the picture
 * @height: height of it
 * @format: format of it
 * @origin: (nullable) (transfer none): the element and the stream
 *
 * Describes frame 0, at no time, for results that are made of what the caller has. The other
 * members can be set.
 *
 * Returns: (transfer full): a description
 * Since: 0.1
 */
GST_GLES_API GstGlesFrameInfo *gst_gles_frame_info_new (
    guint width, guint height, GstVideoFormat format, GstGlesOrigin *origin);

/**
 * gst_gles_frame_info_copy:
 * @info: a description
 *
 * Returns: (transfer full): a copy, which keeps a reference to the origin
 * Since: 0.1
 */
GST_GLES_API GstGlesFrameInfo *gst_gles_frame_info_copy (const GstGlesFrameInfo *info);

/**
 * gst_gles_frame_info_free:
 * @info: (transfer full) (nullable): a description
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_frame_info_free (GstGlesFrameInfo *info);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesFrameInfo, gst_gles_frame_info_free)

G_END_DECLS

#endif
