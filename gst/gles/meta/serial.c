/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/serial.h>

#include <string.h>

#define MAX_TEXT_BYTES 1023
#define MAX_TYPE_BYTES 255

#define BOX_MEMBERS(box) GST_GLES_SERIAL_MEMBERS (box, GstGlesBox, x, id)
/* of a box, with its type of no bytes */
#define MIN_BOX_BYTES (G_STRUCT_OFFSET (GstGlesBox, id) + 2 * 4 + 1)

void
gst_gles_serial_put (GstByteWriter *writer, gconstpointer data, gsize size_bytes)
{
  gst_byte_writer_put_data (writer, data, (guint) size_bytes);
}

/* A number of 32 bits, of the bytes that follow, with the 0 behind the text; 0 for NULL. The text
 * is cut behind a character. */
void
gst_gles_serial_put_text (GstByteWriter *writer, const gchar *text, gsize max_bytes)
{
  gsize length = text != NULL ? strlen (text) : 0;
  guint32 bytes = 0;

  if (length > max_bytes) {
    const gchar *end = g_utf8_find_prev_char (text, text + max_bytes + 1);
    length = end != NULL ? (gsize) (end - text) : 0;
  }
  if (text != NULL)
    bytes = (guint32) length + 1;
  gst_gles_serial_put (writer, &bytes, sizeof bytes);
  if (text != NULL) {
    gst_gles_serial_put (writer, text, length);
    gst_gles_serial_put (writer, "", 1);
  }
}

void
gst_gles_serial_put_frame (GstByteWriter *writer, const GstGlesFrameInfo *frame)
{
  const GstGlesOrigin *origin = frame->origin;

  gst_gles_serial_put (writer, GST_GLES_SERIAL_MEMBERS (frame, GstGlesFrameInfo, number, field));
  gst_gles_serial_put_text (writer, origin != NULL ? origin->element : NULL, MAX_TEXT_BYTES);
  gst_gles_serial_put_text (writer, origin != NULL ? origin->stream_id : NULL, MAX_TEXT_BYTES);
}

gboolean
gst_gles_serial_get (GstByteReader *reader, gpointer target, gsize size_bytes)
{
  const guint8 *data;

  if (!gst_byte_reader_get_data (reader, (guint) size_bytes, &data))
    return FALSE;
  memcpy (target, data, size_bytes);
  return TRUE;
}

gboolean
gst_gles_serial_get_text (GstByteReader *reader, gsize max_bytes, const gchar **text)
{
  const guint8 *data;
  guint32 bytes;

  *text = NULL;
  if (!gst_gles_serial_get (reader, &bytes, sizeof bytes) || bytes > max_bytes + 1)
    return FALSE;
  if (bytes == 0)
    return TRUE;
  if (!gst_byte_reader_get_data (reader, bytes, &data) || data[bytes - 1] != '\0' ||
      !g_utf8_validate_len ((const gchar *) data, bytes - 1, NULL))
    return FALSE;
  *text = (const gchar *) data;
  return TRUE;
}

/* Sizes are those that caps can have. A format or a matrix may be one that only a newer GStreamer
 * knows. */
gboolean
gst_gles_serial_get_frame (GstByteReader *reader, GstGlesFrameInfo *frame)
{
  const gchar *element, *stream_id;

  if (!gst_gles_serial_get (
          reader, GST_GLES_SERIAL_MEMBERS (frame, GstGlesFrameInfo, number, field)) ||
      !gst_gles_serial_get_text (reader, MAX_TEXT_BYTES, &element) ||
      !gst_gles_serial_get_text (reader, MAX_TEXT_BYTES, &stream_id))
    return FALSE;
  if (frame->width < 1 || frame->width > G_MAXINT || frame->height < 1 ||
      frame->height > G_MAXINT || (guint) frame->format > G_MAXINT ||
      (guint) frame->range > GST_VIDEO_COLOR_RANGE_16_235 || (guint) frame->matrix > G_MAXINT ||
      (guint) frame->field >= GST_GLES_N_FIELDS || (element == NULL && stream_id != NULL))
    return FALSE;
  frame->origin = element != NULL ? gst_gles_origin_new (element, stream_id) : NULL;
  return TRUE;
}

GBytes *
gst_gles_serial_take (GstByteReader *reader, guint64 size_bytes)
{
  guint8 *copy;

  if (size_bytes > gst_byte_reader_get_remaining (reader))
    return NULL;
  copy = g_try_malloc (MAX (size_bytes, 1));
  if (copy == NULL)
    return NULL;
  gst_gles_serial_get (reader, copy, size_bytes);
  return g_bytes_new_take (copy, size_bytes);
}

gboolean
gst_gles_serial_check_region (
    const GstGlesFrameInfo *frame, guint x, guint y, guint width, guint height)
{
  return width >= 1 && height >= 1 && x <= frame->width && width <= frame->width - x &&
      y <= frame->height && height <= frame->height - y;
}

/* ---- boxes ---- */

void
gst_gles_serial_put_boxes (GstByteWriter *writer, const GstGlesBox *boxes, guint n)
{
  for (guint i = 0; i < n; i++) {
    gst_gles_serial_put (writer, BOX_MEMBERS (&boxes[i]));
    gst_gles_serial_put_text (writer, boxes[i].type, MAX_TYPE_BYTES);
  }
}

GBytes *
gst_gles_serial_get_boxes (GstByteReader *reader, guint n)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  GstGlesBox *boxes;
  gsize at = n * sizeof *boxes;

  if (gst_byte_reader_get_remaining (reader) / MIN_BOX_BYTES < n)
    return NULL;
  g_byte_array_set_size (bytes, (guint) at);
  for (guint i = 0; i < n; i++) {
    GstGlesBox *box = &((GstGlesBox *) bytes->data)[i];
    const gchar *type;

    if (!gst_gles_serial_get (reader, BOX_MEMBERS (box)) ||
        !gst_gles_serial_get_text (reader, MAX_TYPE_BYTES, &type) || type == NULL)
      return NULL;
    g_byte_array_append (bytes, (const guint8 *) type, (guint) strlen (type) + 1);
  }
  /* the bytes do not move any more */
  boxes = (GstGlesBox *) bytes->data;
  for (guint i = 0; i < n; i++) {
    boxes[i].type = (const gchar *) bytes->data + at;
    at += strlen (boxes[i].type) + 1;
  }
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}
