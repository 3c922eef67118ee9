/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Serialised results: numbers as in memory, which is little-endian on all supported processors, at
 * any address. GStreamer 1.24 and later send them between processes with the metas that carry them.
 * What comes from another process is not trusted: every size is checked against the bytes that
 * there are, and every number that a reader of the result relies on. */
#ifndef GST_GLES_META_SERIAL_H
#define GST_GLES_META_SERIAL_H

#include <gst/base/gstbytereader.h>
#include <gst/base/gstbytewriter.h>

#include <gst/gles/meta/frame-info.h>
#include <gst/gles/meta/kinds.h>

G_BEGIN_DECLS

#define GST_GLES_SERIAL_VERSION 13

/* Declares for each kind of result:
 *
 * gst_gles_##name##_serialize() appends @result. Waits for it, because another process cannot.
 * Returns FALSE if it stayed on the device, or the device was lost.
 *
 * gst_gles_##name##_parse() returns the result that comes next: (transfer full) (nullable), NULL if
 * none does. */
#define GST_GLES_DECLARE_SERIAL(Name, name, NAME, coordinates)                                     \
  gboolean gst_gles_##name##_serialize (GstGles##Name##Result *result, GstByteWriter *writer);     \
  GstGles##Name##Result *gst_gles_##name##_parse (GstByteReader *reader);
GST_GLES_RESULT_KINDS (GST_GLES_DECLARE_SERIAL)

/* gst-gles-report-1.0 keeps histograms in this form. */
GST_GLES_API gboolean gst_gles_histogram_serialize (
    GstGlesHistogramResult *result, GstByteWriter *writer);
GST_GLES_API GstGlesHistogramResult *gst_gles_histogram_parse (GstByteReader *reader);

/* ---- parts ---- */

/* The members @first to @last of a structure, between which there is no padding: as they are. */
#define GST_GLES_SERIAL_MEMBERS(info, Type, first, last)                                           \
  (guint8 *) (info) + G_STRUCT_OFFSET (Type, first),                                               \
      G_STRUCT_OFFSET (Type, last) + sizeof (info)->last - G_STRUCT_OFFSET (Type, first)

void gst_gles_serial_put (GstByteWriter *writer, gconstpointer data, gsize size_bytes);
/* Without what is beyond @max_bytes; @text: nullable. */
void gst_gles_serial_put_text (GstByteWriter *writer, const gchar *text, gsize max_bytes);
void gst_gles_serial_put_frame (GstByteWriter *writer, const GstGlesFrameInfo *frame);

/* FALSE where there are not so many bytes. */
gboolean gst_gles_serial_get (GstByteReader *reader, gpointer target, gsize size_bytes);
/* Sets *text to one in the data, or to NULL. FALSE where there is none of UTF-8 of at most
 * @max_bytes. */
gboolean gst_gles_serial_get_text (GstByteReader *reader, gsize max_bytes, const gchar **text);
/* Sets all of @frame, whose origin is (transfer full). FALSE where no frame is such. */
gboolean gst_gles_serial_get_frame (GstByteReader *reader, GstGlesFrameInfo *frame);
/* (transfer full) (nullable): a copy of the next bytes, NULL where there are not so many. */
GBytes *gst_gles_serial_take (GstByteReader *reader, guint64 size_bytes);
/* Whether the region lies in the picture. */
gboolean gst_gles_serial_check_region (
    const GstGlesFrameInfo *frame, guint x, guint y, guint width, guint height);

void gst_gles_serial_put_boxes (GstByteWriter *writer, const GstGlesBox *boxes, guint n);
/* @n boxes and, behind them, their types, in one piece: (transfer full) (nullable), NULL where
 * there are none such. */
GBytes *gst_gles_serial_get_boxes (GstByteReader *reader, guint n);

G_END_DECLS

#endif
