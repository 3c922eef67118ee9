/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Serialised results: little-endian words of 32 bits. GStreamer 1.24 and later send them between
 * processes with the metas that carry them. What comes from another process is not trusted:
 * every size is checked against the bytes that there are, and every number that a reader of the
 * result relies on. */
#ifndef GST_GLES_META_SERIAL_PRIVATE_H
#define GST_GLES_META_SERIAL_PRIVATE_H

#include <string.h>

#include <gst/gles/meta/histogram.h>
#include <gst/gles/meta/points.h>
#include <gst/gles/meta/regions.h>
#include <gst/gles/meta/tiles.h>

G_BEGIN_DECLS

#define GST_GLES_SERIAL_VERSION 4

/* What @result takes as bytes, which write() writes to @target, of any alignment. Waits for the
 * result: another process cannot. FALSE where it stayed on the device, or the device was lost. */
gboolean gst_gles_histogram_serial_get_size (GstGlesHistogramResult *result, gsize *size);
void gst_gles_histogram_serial_write (GstGlesHistogramResult *result, guint8 *target);
gboolean gst_gles_points_serial_get_size (GstGlesPointsResult *result, gsize *size);
void gst_gles_points_serial_write (GstGlesPointsResult *result, guint8 *target);
gboolean gst_gles_regions_serial_get_size (GstGlesRegionsResult *result, gsize *size);
void gst_gles_regions_serial_write (GstGlesRegionsResult *result, guint8 *target);
gboolean gst_gles_tiles_serial_get_size (GstGlesTilesResult *result, gsize *size);
void gst_gles_tiles_serial_write (GstGlesTilesResult *result, guint8 *target);

/* The result that @data describes: (transfer full) (nullable), NULL where it describes none. */
GstGlesHistogramResult *gst_gles_histogram_serial_parse (
    const guint8 *data, gsize size, guint8 version);
GstGlesPointsResult *gst_gles_points_serial_parse (const guint8 *data, gsize size, guint8 version);
GstGlesRegionsResult *gst_gles_regions_serial_parse (
    const guint8 *data, gsize size, guint8 version);
GstGlesTilesResult *gst_gles_tiles_serial_parse (const guint8 *data, gsize size, guint8 version);

/* Every result begins with its origin and time of day, which take so many bytes where there is
 * no origin. */
#define GST_GLES_ORIGIN_SERIAL_BYTES 28
gsize gst_gles_origin_serial_get_size (const GstGlesOrigin *origin);
/* Returns what is behind. */
guint8 *gst_gles_origin_serial_write (
    const GstGlesOrigin *origin, GstClockTime utc, guint8 *target);
/* Takes the origin, (transfer full) (nullable), off the front of *@data of *@size bytes. FALSE
 * where there is none. */
gboolean gst_gles_origin_serial_parse (
    const guint8 **data, gsize *size, GstGlesOrigin **origin, GstClockTime *utc);

/* How many bytes of @text to keep so that it has at most @max, cut behind a character. */
static inline gsize
gst_gles_serial_text_bytes (const gchar *text, gsize max)
{
  const gsize length = strlen (text);
  const gchar *end;

  if (length <= max)
    return length;
  end = g_utf8_find_prev_char (text, text + max + 1);
  return end != NULL ? (gsize) (end - text) : 0;
}

/* The text of @size bytes, the last of which is 0, at @data: (nullable), NULL where it is not
 * UTF-8. */
static inline const gchar *
gst_gles_serial_get_text (const guint8 *data, gsize size)
{
  const gchar *text = (const gchar *) data;

  if (size < 1 || data[size - 1] != '\0' || !g_utf8_validate_len (text, size - 1, NULL))
    return NULL;
  return text;
}

static inline guint8 *
gst_gles_serial_put_text (guint8 *target, const gchar *text, gsize length)
{
  memcpy (target, text, length);
  target[length] = '\0';
  return target + length + 1;
}

static inline guint8 *
gst_gles_serial_put (guint8 *target, const guint32 *words, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    const guint32 word = GUINT32_TO_LE (words[i]);

    memcpy (target + 4 * i, &word, sizeof word);
  }
  return target + 4 * n;
}

/* From any address, unlike GST_READ_UINT32_LE(), which loads words of any alignment where
 * processors can. */
static inline void
gst_gles_serial_get (const guint8 *data, guint32 *words, gsize n)
{
  memcpy (words, data, 4 * n);
  for (gsize i = 0; i < n; i++)
    words[i] = GUINT32_FROM_LE (words[i]);
}

static inline guint64
gst_gles_serial_get_64 (const guint8 *data)
{
  guint32 words[2];

  gst_gles_serial_get (data, words, 2);
  return words[0] | (guint64) words[1] << 32;
}

static inline guint8 *
gst_gles_serial_put_64 (guint8 *target, guint64 value)
{
  const guint32 words[2] = { (guint32) value, (guint32) (value >> 32) };

  return gst_gles_serial_put (target, words, 2);
}

/* @n words from @data on, at any address: (transfer full) (nullable), NULL where there is no
 *     memory. */
static inline GBytes *
gst_gles_serial_take (const guint8 *data, gsize n)
{
  guint32 *words = g_try_new (guint32, MAX (n, 1));

  if (words == NULL)
    return NULL;
  gst_gles_serial_get (data, words, n);
  return g_bytes_new_take (words, 4 * n);
}

/* Sizes are those that caps can have. A format may be one that only a newer GStreamer knows. */
static inline gboolean
gst_gles_serial_check_picture (guint width, guint height, guint32 format)
{
  return width >= 1 && width <= G_MAXINT && height >= 1 && height <= G_MAXINT && format <= G_MAXINT;
}

static inline gboolean
gst_gles_serial_check_region (
    guint x, guint y, guint region_width, guint region_height, guint width, guint height)
{
  return region_width >= 1 && region_height >= 1 && x <= width && region_width <= width - x &&
      y <= height && region_height <= height - y;
}

G_END_DECLS

#endif
