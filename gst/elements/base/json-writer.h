/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* JSON by hand into a growing buffer: what a frame has tens of thousands of must cost nanoseconds
 * each. Output is the same in every locale. The caller places the punctuation. */
#ifndef GST_GLES_JSON_WRITER_H
#define GST_GLES_JSON_WRITER_H

#include <gst/gles/meta/points.h>

G_BEGIN_DECLS

typedef struct {
  gchar *data;
  gsize size;      /* bytes written */
  gsize capacity;  /* bytes allocated */
  gboolean failed; /* there was no memory for all: what follows is not written */
} JsonWriter;

void json_writer_init (JsonWriter *writer, gsize capacity);
void json_writer_clear (JsonWriter *writer);
/* The text, of *@size bytes, in an allocation of that size: (transfer full). Clears the writer.
 * NULL where there was no memory. Errors: GST_GLES_ERROR_NO_MEMORY. */
gchar *json_writer_steal (JsonWriter *writer, gsize *size, GError **error);

/* Text as it is: punctuation and keys. */
void json_writer_raw (JsonWriter *writer, const gchar *text);
/* A quoted and escaped string. @text is UTF-8. */
void json_writer_string (JsonWriter *writer, const gchar *text);
void json_writer_uint (JsonWriter *writer, guint64 value);
/* The shortest of 15, 16 or 17 digits that reads back as @value, which is finite. */
void json_writer_double (JsonWriter *writer, gdouble value);
/* [a,b,...] */
void json_writer_array (JsonWriter *writer, const guint32 *values, gsize n);
/* [[x,y,value],...] */
void json_writer_points (JsonWriter *writer, const GstGlesPoint *points, gsize n);

G_END_DECLS

#endif
