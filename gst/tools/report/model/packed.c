/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results in lines: what metas send between processes, compressed, in base64. JSON alone has not
 * the overview that glesevents needs, nor a counter for each value of 10 bits. */
#include "packed.h"
#include "members.h"

#include <math.h>
#include <string.h>

#include <gio/gio.h>

#include <gst/gles/meta/serial.h>

#define MEMBER ",\"results\":["
#define KEY ",\"key\":true"
#define MAX_BYTES (64u << 20)

/* Where a serialised result has the number and the running time of its frame. */
#define NUMBER 0
#define RUNNING_TIME                                                                               \
  (G_STRUCT_OFFSET (GstGlesFrameInfo, running_time) - G_STRUCT_OFFSET (GstGlesFrameInfo, number))
#define HEAD_BYTES (RUNNING_TIME + sizeof (guint64))

/* ---- bytes ---- */

/* Runs @converter over all bytes: (transfer full) (nullable). */
static GByteArray *
convert (GConverter *converter, const guint8 *data, gsize size)
{
  g_autoptr (GByteArray) all = g_byte_array_new ();
  GConverterResult result = G_CONVERTER_CONVERTED;
  gsize at = 0;

  while (result != G_CONVERTER_FINISHED) {
    guint8 block[16384];
    gsize read, written;

    result = g_converter_convert (converter, data + at, size - at, block, sizeof block,
        G_CONVERTER_INPUT_AT_END, &read, &written, NULL);
    if (result == G_CONVERTER_ERROR || all->len + written > MAX_BYTES)
      return NULL;
    g_byte_array_append (all, block, (guint) written);
    at += read;
  }
  return g_steal_pointer (&all);
}

static void
append_result (GString *member, GstGlesHistogramResult *result)
{
  g_autoptr (GConverter) converter =
      G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_RAW, 1));
  g_autoptr (GByteArray) packed = NULL;
  g_autofree gchar *text = NULL;
  GstByteWriter writer;

  gst_byte_writer_init (&writer);
  if (gst_gles_histogram_serialize (result, &writer)) {
    memset ((guint8 *) writer.parent.data + NUMBER, 0, sizeof (guint64));
    memset ((guint8 *) writer.parent.data + RUNNING_TIME, 0, sizeof (guint64));
    packed = convert (converter, writer.parent.data, gst_byte_writer_get_size (&writer));
  }
  gst_byte_writer_reset (&writer);
  if (packed == NULL)
    return;
  text = g_base64_encode (packed->data, packed->len);
  g_string_append_printf (member, "%s\"%s\"", member->str[member->len - 1] == '[' ? "" : ",", text);
}

static void
append_share (GString *member, const gchar *name, gdouble share)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isfinite (share))
    g_string_append_printf (member, ",\"%s\":%s", name, g_ascii_dtostr (text, sizeof text, share));
}

gchar *
report_pack (GstBuffer *buffer, const ReportResults *results)
{
  g_autoptr (GString) member = g_string_new (MEMBER);
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (
              buffer, &state, GST_GLES_HISTOGRAM_META_API_TYPE)) != NULL)
    append_result (member, ((GstGlesHistogramMeta *) meta)->result);
  if (member->str[member->len - 1] == '[')
    return NULL;
  g_string_append_c (member, ']');
  append_share (member, "brng", results->brng);
  if (results->key)
    g_string_append (member, KEY);
  return g_string_free (g_steal_pointer (&member), FALSE);
}

/* ---- reading ---- */

/* Returns the number behind @name, one of the first members of a line; NONE for null. */
static guint64
find_number (const gchar *text, gsize size, const gchar *name)
{
  const gchar *at = g_strstr_len (text, (gssize) size, name);
  guint64 number;

  if (at == NULL || !g_ascii_isdigit (at[strlen (name)]))
    return GST_CLOCK_TIME_NONE;
  number = g_ascii_strtoull (at + strlen (name), NULL, 10);
  return number;
}

/* @text: base64 of @size bytes. (transfer full) (nullable) */
static GstGlesHistogramResult *
unpack_result (const gchar *text, gsize size, guint64 number, guint64 running_time)
{
  g_autoptr (GConverter) converter =
      G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_RAW));
  g_autofree gchar *encoded = g_strndup (text, size);
  g_autofree guchar *packed = NULL;
  g_autoptr (GByteArray) bytes = NULL;
  GstByteReader reader;
  gsize n;

  packed = g_base64_decode (encoded, &n);
  bytes = convert (converter, packed, n);
  if (bytes == NULL || bytes->len < HEAD_BYTES)
    return NULL;
  memcpy (bytes->data + NUMBER, &number, sizeof number);
  memcpy (bytes->data + RUNNING_TIME, &running_time, sizeof running_time);
  gst_byte_reader_init (&reader, bytes->data, bytes->len);
  return gst_gles_histogram_parse (&reader);
}

/* Reads the members behind the results up to the end of the line. */
static gboolean
read_extra (const gchar *at, const gchar *end, ReportExtra *extra)
{
  static const gchar brng[] = ",\"brng\":";
  g_autofree gchar *rest = g_strndup (at, (gsize) (end - at));
  gchar *next = rest;

  *extra = (ReportExtra){ NAN, FALSE };
  if (g_str_has_prefix (next, brng))
    extra->brng = g_ascii_strtod (next + strlen (brng), &next);
  extra->key = g_str_has_prefix (next, KEY);
  return g_str_equal (next + (extra->key ? strlen (KEY) : 0), "}");
}

GPtrArray *
report_unpack (const gchar *text, gsize *size, ReportExtra *extra)
{
  static const gchar code[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
  const gchar *member = g_strrstr_len (text, (gssize) *size, MEMBER), *at;
  const gchar *end = text + *size;
  const guint64 number = find_number (text, *size, "\"frame\":");
  const guint64 running_time = find_number (text, *size, "\"running_time\":");
  g_autoptr (GPtrArray) held =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_gles_histogram_result_unref);

  if (member == NULL || number == GST_CLOCK_TIME_NONE)
    return NULL;
  for (at = member + strlen (MEMBER); at < end && *at == '"';) {
    const gsize n = strspn (at + 1, code);
    GstGlesHistogramResult *result = NULL;

    if (at + 1 + n < end && at[1 + n] == '"')
      result = unpack_result (at + 1, n, number, running_time);
    if (result == NULL)
      return NULL;
    g_ptr_array_add (held, result);
    at += n + 2;
    at += at < end && *at == ',';
  }
  if (held->len == 0 || at == end || *at != ']' || !read_extra (at + 1, end, extra))
    return NULL;
  *size = (gsize) (member - text);
  return g_steal_pointer (&held);
}

/* ---- pictures ---- */

#define OF_STRIP "picture"
#define OF_EVENT "event-picture"

gchar *
report_pack_picture (const ReportPicture *picture)
{
  g_autofree gchar *text =
      g_base64_encode (g_bytes_get_data (picture->jpeg, NULL), g_bytes_get_size (picture->jpeg));

  return g_strdup_printf ("{\"type\":\"%s\",\"stream_time\":%" G_GUINT64_FORMAT
                          ",\"sideways\":%s,\"jpeg\":\"%s\"}",
      picture->of_strip ? OF_STRIP : OF_EVENT, picture->time, picture->sideways ? "true" : "false",
      text);
}

gboolean
report_is_picture_line (const gchar *text)
{
  return g_str_has_prefix (text, "{\"type\":\"" OF_STRIP "\"") ||
      g_str_has_prefix (text, "{\"type\":\"" OF_EVENT "\"");
}

gboolean
report_unpack_picture (JsonObject *line, ReportPicture *picture)
{
  const gchar *type = report_get_text (line, "type");
  const gchar *jpeg = report_get_text (line, "jpeg");
  const gint64 at = report_get_int (line, "stream_time", G_MAXINT64);
  JsonNode *turned = report_get_member (line, "sideways", G_TYPE_BOOLEAN);
  const gboolean of_strip = g_strcmp0 (type, OF_STRIP) == 0;
  guchar *data;
  gsize size;

  if ((!of_strip && g_strcmp0 (type, OF_EVENT) != 0) || jpeg == NULL || at < 0)
    return FALSE;
  data = g_base64_decode (jpeg, &size);
  *picture = (ReportPicture){ .jpeg = g_bytes_new_take (data, size),
    .time = (GstClockTime) at,
    .of_strip = of_strip,
    .sideways = turned != NULL && json_node_get_boolean (turned) };
  return TRUE;
}
