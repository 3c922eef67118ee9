/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/serial-private.h>

/* The time of day in 64 bits, five numbers of 32, then the texts, each with the 0 that ends it. */
#define N_WORDS 5
#define MAX_TEXT_BYTES 1023

G_STATIC_ASSERT (8 + 4 * N_WORDS == GST_GLES_ORIGIN_SERIAL_BYTES);

/* With the 0 behind it; 0 for NULL. */
static guint32
text_bytes (const gchar *text)
{
  return text != NULL ? (guint32) gst_gles_serial_text_bytes (text, MAX_TEXT_BYTES) + 1 : 0;
}

gsize
gst_gles_origin_serial_get_size (const GstGlesOrigin *origin)
{
  gsize size = GST_GLES_ORIGIN_SERIAL_BYTES;

  if (origin != NULL)
    size += text_bytes (origin->element) + text_bytes (origin->stream_id);
  return size;
}

guint8 *
gst_gles_origin_serial_write (const GstGlesOrigin *origin, GstClockTime utc, guint8 *target)
{
  guint32 words[N_WORDS] = { 0 };

  if (origin != NULL) {
    words[0] = origin->range;
    words[1] = origin->matrix;
    words[2] = text_bytes (origin->element);
    words[3] = text_bytes (origin->stream_id);
    words[4] = origin->field;
  }
  target = gst_gles_serial_put_64 (target, utc);
  target = gst_gles_serial_put (target, words, N_WORDS);
  if (words[2] != 0)
    target = gst_gles_serial_put_text (target, origin->element, words[2] - 1);
  if (words[3] != 0)
    target = gst_gles_serial_put_text (target, origin->stream_id, words[3] - 1);
  return target;
}

/* A matrix may be one that only a newer GStreamer knows. */
gboolean
gst_gles_origin_serial_parse (
    const guint8 **data, gsize *size, GstGlesOrigin **origin, GstClockTime *utc)
{
  const gchar *element = NULL, *stream_id = NULL;
  guint32 words[N_WORDS];

  *origin = NULL;
  if (*size < GST_GLES_ORIGIN_SERIAL_BYTES)
    return FALSE;
  *utc = gst_gles_serial_get_64 (*data);
  gst_gles_serial_get (*data + 8, words, N_WORDS);
  *data += GST_GLES_ORIGIN_SERIAL_BYTES;
  *size -= GST_GLES_ORIGIN_SERIAL_BYTES;
  if (words[0] > GST_VIDEO_COLOR_RANGE_16_235 || words[1] > G_MAXINT ||
      words[2] > MAX_TEXT_BYTES + 1 || words[3] > MAX_TEXT_BYTES + 1 ||
      words[4] >= GST_GLES_N_FIELDS || *size < (gsize) words[2] + words[3])
    return FALSE;
  if (words[2] != 0)
    element = gst_gles_serial_get_text (*data, words[2]);
  if (words[3] != 0)
    stream_id = gst_gles_serial_get_text (*data + words[2], words[3]);
  if ((element == NULL) != (words[2] == 0) || (stream_id == NULL) != (words[3] == 0) ||
      (element == NULL && (stream_id != NULL || words[0] != 0 || words[1] != 0 || words[4] != 0)))
    return FALSE;
  *data += words[2] + (gsize) words[3];
  *size -= words[2] + (gsize) words[3];
  if (element != NULL)
    *origin = gst_gles_origin_new (element, stream_id, (GstVideoColorRange) words[0],
        (GstVideoColorMatrix) words[1], (GstGlesField) words[4]);
  return TRUE;
}
