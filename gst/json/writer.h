/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* JSON by hand into a growing buffer: what a frame has tens of thousands of must cost nanoseconds
 * each. Output is the same in every locale. The caller places the punctuation. */
#ifndef GST_GLES_JSON_WRITER_H
#define GST_GLES_JSON_WRITER_H

#include <gst/gles/meta/points.h>

G_BEGIN_DECLS

#define JSON_ESCAPE_BYTES 7 /* of the longest, and a NUL, which may follow */

typedef struct {
  gchar *data;
  gsize size;      /* bytes written */
  gsize capacity;  /* bytes allocated */
  gboolean failed; /* there was no memory for all: what follows is not written */
} JsonWriter;

/* Writes @c, a byte of a text in UTF-8, to @escaped as it stands in a string of JSON. Returns how
 * many bytes that takes. Only what RFC 8259 forbids is escaped: a quotation mark or a backslash
 * gets a backslash before it, and a control character becomes \u00XX. */
gsize json_escape (gchar c, gchar escaped[JSON_ESCAPE_BYTES]);
/* Writes @value, which is finite, to @text with the fewest of 15, 16 or 17 digits that read back as
 * the same double. */
void json_format_double (gdouble value, gchar text[G_ASCII_DTOSTR_BUF_SIZE]);

void json_writer_init (JsonWriter *writer, gsize capacity);
void json_writer_clear (JsonWriter *writer);
/* The text, of *@size bytes, and a NUL behind them: (transfer full), in an allocation of exactly
 * that size. Clears the writer. NULL where there was no memory. Errors: GST_GLES_ERROR_NO_MEMORY.
 */
gchar *json_writer_steal (JsonWriter *writer, gsize *size, GError **error);

/* Text as it is: punctuation and keys. */
void json_writer_raw (JsonWriter *writer, const gchar *text);
/* @text, which is UTF-8, in quotation marks, with what json_escape() makes of it. */
void json_writer_string (JsonWriter *writer, const gchar *text);
void json_writer_uint (JsonWriter *writer, guint64 value);
void json_writer_double (JsonWriter *writer, gdouble value);
/* [a,b,...] */
void json_writer_array (JsonWriter *writer, const guint32 *values, gsize n);
/* [[x,y,value],...] */
void json_writer_points (JsonWriter *writer, const GstGlesPoint *points, gsize n);

G_END_DECLS

#endif
