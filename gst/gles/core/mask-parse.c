/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parses masks: polygons as text, and PGM pictures. */
#include "config.h"

#include <gst/gles/core/decimal.h>
#include <gst/gles/core/error.h>
#include <gst/gles/core/mask-private.h>

#include <string.h>

#define MAX_SHARE 10
#define DIGITS 6 /* of a millionth */

typedef struct {
  const gchar *text, *at;
  GstGlesMask *mask;
} Parser;

/* ---- polygons ---- */

static gboolean
fail (const Parser *parser, const gchar *place, const gchar *expected, GError **error)
{
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
      "mask, column %" G_GSIZE_FORMAT ": expected %s; polygons look like "
      "\"0,0 1,0 1,0.5 0,0.5; !0.2,0.1 0.3,0.1 0.3,0.2\", in shares of the frame",
      (gsize) (place - parser->text) + 1, expected);
  return FALSE;
}

static void
skip_space (Parser *parser)
{
  while (g_ascii_isspace (*parser->at))
    parser->at++;
}

/* Reads a decimal as millionths. */
static gboolean
read_share (Parser *parser, const gchar *expected, gint32 *share, GError **error)
{
  const gchar *start = parser->at;
  const gint64 most = (gint64) MAX_SHARE * GST_GLES_MASK_UNITS;
  gint64 value;

  if (gst_gles_read_decimal (&parser->at, DIGITS, most, &value) == 0)
    return fail (parser, *start == '-' || *start == '+' ? start + 1 : start, expected, error);
  if (ABS (value) > most)
    return fail (parser, start, "a share from -10 to 10", error);
  *share = (gint32) value;
  return TRUE;
}

static gboolean
read_vertex (Parser *parser, GError **error)
{
  const gchar *start = parser->at;
  GstGlesMaskVertex vertex;

  if (!read_share (parser, "the x of a vertex, a decimal such as 0.25", &vertex.x, error))
    return FALSE;
  skip_space (parser);
  if (*parser->at != ',')
    return fail (parser, parser->at, "a comma and the y of the vertex", error);
  parser->at++;
  skip_space (parser);
  if (!read_share (parser, "the y of the vertex, a decimal such as 0.25", &vertex.y, error))
    return FALSE;
  if (*parser->at != '\0' && *parser->at != ';' && !g_ascii_isspace (*parser->at))
    return fail (parser, parser->at, "a space before the next vertex, or ';' or the end", error);
  if (parser->mask->vertices->len == GST_GLES_MASK_MAX_VERTICES)
    return fail (parser, start, "at most 4096 vertices; use a PGM or PNG file instead", error);
  g_array_append_val (parser->mask->vertices, vertex);
  return TRUE;
}

static gboolean
read_polygon (Parser *parser, GError **error)
{
  const gchar *start = parser->at;
  GstGlesMaskPolygon polygon = { .first = parser->mask->vertices->len };

  polygon.excludes = *parser->at == '!';
  parser->at += polygon.excludes ? 1 : 0;
  do {
    skip_space (parser);
    if (*parser->at == '\0' || *parser->at == ';')
      break;
    if (!read_vertex (parser, error))
      return FALSE;
  } while (TRUE);
  polygon.n = parser->mask->vertices->len - polygon.first;
  if (polygon.n < 3)
    return fail (parser, start, "a polygon of at least three vertices \"x,y\"", error);
  g_array_append_val (parser->mask->polygons, polygon);
  return TRUE;
}

GstGlesMask *
gst_gles_mask_new (const gchar *text, GError **error)
{
  g_autoptr (GstGlesMask) mask = gst_gles_mask_alloc ();
  Parser parser = { text, text, mask };

  skip_space (&parser);
  do {
    if (!read_polygon (&parser, error))
      return NULL;
    parser.at += *parser.at == ';' ? 1 : 0;
    skip_space (&parser);
  } while (*parser.at != '\0');
  return g_steal_pointer (&mask);
}

/* ---- PGM ---- */

typedef struct {
  const guint8 *at, *end;
} Reader;

static void
skip_comments (Reader *reader)
{
  gboolean is_comment = FALSE;

  for (; reader->at < reader->end; reader->at++) {
    if (*reader->at == '#')
      is_comment = TRUE;
    else if (*reader->at == '\n')
      is_comment = FALSE;
    else if (!is_comment && !g_ascii_isspace (*reader->at))
      return;
  }
}

/* Reads a number up to @max, behind white space and comments. */
static gboolean
read_number (Reader *reader, guint max, guint *number)
{
  guint value = 0;

  skip_comments (reader);
  if (reader->at == reader->end || !g_ascii_isdigit (*reader->at))
    return FALSE;
  for (; reader->at < reader->end && g_ascii_isdigit (*reader->at); reader->at++) {
    value = value * 10 + *reader->at - '0';
    if (value > max)
      return FALSE;
  }
  *number = value;
  return TRUE;
}

static gboolean
read_pixels (Reader *reader, gboolean is_plain, guint most, gsize n, guint8 *inside)
{
  const guint bytes = most > 255 ? 2 : 1;

  if (!is_plain && (gsize) (reader->end - reader->at) < n * bytes)
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    guint value = 0;

    if (is_plain && !read_number (reader, most, &value))
      return FALSE;
    for (guint k = 0; !is_plain && k < bytes; k++)
      value = value << 8 | *reader->at++;
    inside[i] = 2 * value >= most;
  }
  return TRUE;
}

GstGlesMask *
gst_gles_mask_new_from_pgm (const guint8 *data, gsize size_bytes, GError **error)
{
  g_autoptr (GstGlesMask) mask = gst_gles_mask_alloc ();
  Reader reader = { data, data + size_bytes };
  const gboolean is_pgm = size_bytes > 3 && data[0] == 'P' && (data[1] == '2' || data[1] == '5');
  guint most;

  reader.at += is_pgm ? 2 : 0;
  if (!is_pgm || !read_number (&reader, GST_GLES_MASK_MAX_SIDE, &mask->width) ||
      !read_number (&reader, GST_GLES_MASK_MAX_SIDE, &mask->height) ||
      !read_number (&reader, 65535, &most) || mask->width == 0 || mask->height == 0 || most == 0 ||
      reader.at == reader.end) {
    g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "mask: not a PGM picture: expected P2 or P5, a width and a height up to 16384, and a "
        "largest value up to 65535");
    return NULL;
  }
  reader.at++;
  /* a pixel takes a byte of the file at least */
  if ((gsize) mask->width * mask->height <= size_bytes)
    mask->inside = g_try_malloc ((gsize) mask->width * mask->height);
  if (mask->inside == NULL ||
      !read_pixels (
          &reader, data[1] == '2', most, (gsize) mask->width * mask->height, mask->inside)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "mask: the PGM picture ends before %ux%u pixels, or has a value over %u", mask->width,
        mask->height, most);
    return NULL;
  }
  return g_steal_pointer (&mask);
}
