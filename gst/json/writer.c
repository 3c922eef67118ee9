/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "writer.h"

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/core/error.h>

#define UINT16_DIGITS 5
#define UINT32_DIGITS 10
#define UINT64_DIGITS 20

/* "00" to "99": two digits per division */
static const gchar digit_pairs[] = "00010203040506070809"
                                   "10111213141516171819"
                                   "20212223242526272829"
                                   "30313233343536373839"
                                   "40414243444546474849"
                                   "50515253545556575859"
                                   "60616263646566676869"
                                   "70717273747576777879"
                                   "80818283848586878889"
                                   "90919293949596979899";

gsize
json_escape (gchar c, gchar escaped[JSON_ESCAPE_BYTES])
{
  if (c == '"' || c == '\\')
    return (gsize) g_snprintf (escaped, JSON_ESCAPE_BYTES, "\\%c", c);
  if ((guchar) c < 0x20)
    return (gsize) g_snprintf (escaped, JSON_ESCAPE_BYTES, "\\u%04x", (guint) c);
  *escaped = c;
  return 1;
}

void
json_format_double (gdouble value, gchar text[G_ASCII_DTOSTR_BUF_SIZE])
{
  static const gchar *const formats[] = { "%.15g", "%.16g", "%.17g" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_ascii_formatd (text, G_ASCII_DTOSTR_BUF_SIZE, formats[i], value);
    if (g_ascii_strtod (text, NULL) == value)
      break;
  }
}

void
json_writer_init (JsonWriter *writer, gsize capacity)
{
  writer->size = 0;
  writer->capacity = MAX (capacity, 256);
  writer->data = g_try_malloc (writer->capacity);
  writer->failed = writer->data == NULL;
}

void
json_writer_clear (JsonWriter *writer)
{
  g_clear_pointer (&writer->data, g_free);
  writer->size = writer->capacity = 0;
}

static gboolean
grow (JsonWriter *writer, gsize size)
{
  gsize capacity;
  gchar *data;

  if (!gst_gles_size_add (writer->size, size, &capacity))
    return FALSE;
  capacity = MAX (capacity, writer->capacity * 2);
  data = g_try_realloc (writer->data, capacity);
  if (data == NULL)
    return FALSE;
  writer->data = data;
  writer->capacity = capacity;
  return TRUE;
}

/* Where to write up to @size more bytes; NULL where there is no memory for them. */
static gchar *
reserve (JsonWriter *writer, gsize size)
{
  if (!writer->failed && writer->capacity - writer->size < size)
    writer->failed = !grow (writer, size);
  return writer->failed ? NULL : writer->data + writer->size;
}

gchar *
json_writer_steal (JsonWriter *writer, gsize *size, GError **error)
{
  gchar *end = reserve (writer, 1), *data;

  if (end == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate memory for a line of JSON after %" G_GSIZE_FORMAT " bytes", writer->size);
    json_writer_clear (writer);
    return NULL;
  }
  *end = '\0';
  data = g_try_realloc (writer->data, writer->size + 1);
  if (data == NULL)
    data = writer->data;
  *size = writer->size;
  writer->data = NULL;
  json_writer_clear (writer);
  return data;
}

void
json_writer_raw (JsonWriter *writer, const gchar *text)
{
  const gsize size = strlen (text);
  gchar *target = reserve (writer, size);

  if (target == NULL)
    return;
  memcpy (target, text, size);
  writer->size += size;
}

void
json_writer_string (JsonWriter *writer, const gchar *text)
{
  json_writer_raw (writer, "\"");
  for (; *text != '\0'; text++) {
    gchar *target = reserve (writer, JSON_ESCAPE_BYTES);

    if (target != NULL)
      writer->size += json_escape (*text, target);
  }
  json_writer_raw (writer, "\"");
}

/* Writes the digits of @value to @target and returns where they end. Up to four digits, which is
 * what coordinates and most counters have, go straight to their places. */
static inline gchar *
write_uint32 (gchar *target, guint32 value)
{
  gchar digits[UINT32_DIGITS];
  gchar *start = digits + UINT32_DIGITS;
  gsize n;

  if (value < 10) {
    *target = (gchar) ('0' + value);
    return target + 1;
  }
  if (value < 100) {
    memcpy (target, digit_pairs + 2 * value, 2);
    return target + 2;
  }
  if (value < 1000) {
    *target = (gchar) ('0' + value / 100);
    memcpy (target + 1, digit_pairs + 2 * (value % 100), 2);
    return target + 3;
  }
  if (value < 10000) {
    memcpy (target, digit_pairs + 2 * (value / 100), 2);
    memcpy (target + 2, digit_pairs + 2 * (value % 100), 2);
    return target + 4;
  }
  while (value >= 100) {
    start -= 2;
    memcpy (start, digit_pairs + 2 * (value % 100), 2);
    value /= 100;
  }
  if (value >= 10) {
    start -= 2;
    memcpy (start, digit_pairs + 2 * value, 2);
  } else {
    *--start = (gchar) ('0' + value);
  }
  n = (gsize) (digits + UINT32_DIGITS - start);
  memcpy (target, start, n);
  return target + n;
}

void
json_writer_uint (JsonWriter *writer, guint64 value)
{
  gchar *target = reserve (writer, UINT64_DIGITS + 1);

  if (target == NULL)
    return;
  if (value <= G_MAXUINT32) {
    writer->size += (gsize) (write_uint32 (target, (guint32) value) - target);
  } else {
    writer->size += (gsize) g_snprintf (target, UINT64_DIGITS + 1, "%" G_GUINT64_FORMAT, value);
  }
}

void
json_writer_double (JsonWriter *writer, gdouble value)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  json_format_double (value, text);
  json_writer_raw (writer, text);
}

void
json_writer_array (JsonWriter *writer, const guint32 *values, gsize n)
{
  /* a separator for each, and the brackets */
  gchar *target = reserve (writer, n * (UINT32_DIGITS + 1) + 2);
  gchar *const start = target;

  if (target == NULL)
    return;
  *target++ = '[';
  for (gsize i = 0; i < n; i++) {
    target = write_uint32 (target, values[i]);
    *target++ = ',';
  }
  if (n != 0)
    target--;
  *target++ = ']';
  writer->size += (gsize) (target - start);
}

void
json_writer_points (JsonWriter *writer, const GstGlesPoint *points, gsize n)
{
  /* each takes two brackets, two separators inside and one behind */
  gchar *target = reserve (writer, n * (2 * UINT16_DIGITS + UINT32_DIGITS + 5) + 2);
  gchar *const start = target;

  if (target == NULL)
    return;
  *target++ = '[';
  for (gsize i = 0; i < n; i++) {
    *target++ = '[';
    target = write_uint32 (target, points[i].x);
    *target++ = ',';
    target = write_uint32 (target, points[i].y);
    *target++ = ',';
    target = write_uint32 (target, points[i].value);
    *target++ = ']';
    *target++ = ',';
  }
  if (n != 0)
    target--;
  *target++ = ']';
  writer->size += (gsize) (target - start);
}
