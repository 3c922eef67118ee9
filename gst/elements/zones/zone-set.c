/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "zone-set.h"

#include <string.h>

#include <gst/gles/core/decimal.h>
#include <gst/gles/core/error.h>
#include <gst/gst.h>

#define UNITS 1000000 /* millionths */
#define SUB 256       /* places of a pixel that a vertex can have */
#define MAX_SHARE 10
#define MAX_PIXELS 1000000
#define MAX_SECONDS 1000000
#define MAX_NAME 63

typedef struct {
  const gchar *text, *at;
  const gchar *what; /* "zone" or "line" */
  ZoneDefinition *zone;
  guint n_vertices; /* of all zones */
} Parser;

static void
definition_free (gpointer data)
{
  ZoneDefinition *zone = data;

  g_free (zone->name);
  g_free (zone->text);
  g_free (zone->options.types);
  g_array_unref (zone->coordinates);
  g_free (zone);
}

static gboolean
fail (const Parser *parser, const gchar *place, const gchar *expected, GError **error)
{
  const gboolean is_line = parser->zone->is_line;

  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
      "%s \"%s\", column %" G_GSIZE_FORMAT ": expected %s; %ss look like \"%s\"", parser->what,
      parser->zone->name != NULL ? parser->zone->name : "", (gsize) (place - parser->text) + 1,
      expected, parser->what,
      is_line ? "gate: 50%,0% 50%,100%; road types=car: 0,0.5 1,0.5"
              : "yard: 0,0.5 1,0.5 1,1 0,1; door types=person dwell=10: 20%,10% 30%,10% 30%,40%");
  return FALSE;
}

static void
skip_space (Parser *parser)
{
  while (g_ascii_isspace (*parser->at))
    parser->at++;
}

/* FALSE where there is no decimal, or a number beyond @most. */
static gboolean
read_decimal (Parser *parser, guint digits, gint64 most, gint64 *number)
{
  return gst_gles_read_decimal (&parser->at, digits, most, number) > 0 && ABS (*number) <= most;
}

/* The unit stands behind the number, so the number is read once more if it is a percentage. */
static gboolean
read_coordinate (Parser *parser, GError **error)
{
  const gchar *start = parser->at;
  ZoneCoordinate coordinate = { 0 };
  gboolean ok = read_decimal (parser, 6, (gint64) MAX_PIXELS * UNITS, &coordinate.value);
  gint64 most = (gint64) MAX_SHARE * UNITS;

  if (ok && parser->at[0] == '%') {
    parser->at = start;
    ok = read_decimal (parser, 4, most, &coordinate.value);
    parser->at++;
  } else if (ok && parser->at[0] == 'p' && parser->at[1] == 'x') {
    coordinate.in_pixels = TRUE;
    most = (gint64) MAX_PIXELS * UNITS;
    parser->at += 2;
  }
  if (!ok || ABS (coordinate.value) > most)
    return fail (parser, start,
        "a coordinate: a share from -10 to 10, a percentage such as 12.5%, or pixels such as 320px",
        error);
  g_array_append_val (parser->zone->coordinates, coordinate);
  return TRUE;
}

static gboolean
read_vertex (Parser *parser, GError **error)
{
  const gchar *start = parser->at;

  if (!read_coordinate (parser, error))
    return FALSE;
  skip_space (parser);
  if (*parser->at != ',')
    return fail (parser, parser->at, "a comma and the y of the vertex", error);
  parser->at++;
  skip_space (parser);
  if (!read_coordinate (parser, error))
    return FALSE;
  if (*parser->at != '\0' && *parser->at != ';' && !g_ascii_isspace (*parser->at))
    return fail (parser, parser->at, "a space before the next vertex, or ';' or the end", error);
  if (++parser->n_vertices > ZONE_SET_MAX_VERTICES)
    return fail (parser, start, "at most 4096 vertices", error);
  return TRUE;
}

static gboolean
read_vertices (Parser *parser, GError **error)
{
  const gchar *start = parser->at;
  const guint least = parser->zone->is_line ? 2 : 3;

  skip_space (parser);
  while (*parser->at != '\0' && *parser->at != ';') {
    if (!read_vertex (parser, error))
      return FALSE;
    skip_space (parser);
  }
  if (parser->zone->coordinates->len < 2 * least)
    return fail (parser, start,
        least == 2 ? "a line of at least two vertices \"x,y\""
                   : "a polygon of at least three vertices \"x,y\"",
        error);
  return TRUE;
}

/* ---- names and options ---- */

static gboolean
read_option (Parser *parser, GError **error)
{
  ZoneOptions *options = &parser->zone->options;
  const struct {
    const gchar *key;
    guint digits;
    gint64 most;
    gint64 *number;
  } numbers[] = {
    { "min-time=", 9, MAX_SECONDS * (gint64) GST_SECOND, &options->min_time },
    { "dwell=", 9, MAX_SECONDS * (gint64) GST_SECOND, &options->dwell },
    { "crowd=", 0, G_MAXINT32, &options->crowd },
  };
  const gchar *start = parser->at;

  if (g_str_has_prefix (start, "types=")) {
    const gsize length = strcspn (start + 6, " \t\r\n:;");

    g_free (options->types);
    options->types = g_strndup (start + 6, length);
    parser->at = start + 6 + length;
    return TRUE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    if (!g_str_has_prefix (start, numbers[i].key))
      continue;
    parser->at += strlen (numbers[i].key);
    if (!g_ascii_isdigit (*parser->at) ||
        !read_decimal (parser, numbers[i].digits, numbers[i].most, numbers[i].number))
      return fail (parser, start, "a number, 0 or more, behind '='", error);
    return TRUE;
  }
  return fail (parser, start,
      "types=, min-time=, dwell= or crowd=, or ':' and the vertices; a name has no spaces", error);
}

static gboolean
read_head (Parser *parser, GError **error)
{
  const gchar *start = parser->at;
  const gsize length = strcspn (start, " \t\r\n:;=,");

  if (length == 0 || length > MAX_NAME || !g_utf8_validate (start, (gssize) length, NULL))
    return fail (parser, start, "a name of 1 to 63 bytes of UTF-8", error);
  parser->zone->name = g_strndup (start, length);
  parser->at += length;
  for (skip_space (parser); *parser->at != ':'; skip_space (parser)) {
    if (!read_option (parser, error))
      return FALSE;
  }
  parser->at++;
  return TRUE;
}

static gboolean
is_new_name (const ZoneSet *set, const gchar *name)
{
  for (guint i = 0; i < set->len; i++) {
    if (strcmp (((const ZoneDefinition *) g_ptr_array_index (set, i))->name, name) == 0)
      return FALSE;
  }
  return TRUE;
}

/* Appends the definition that comes next to @set. */
static gboolean
read_definition (Parser *parser, ZoneSet *set, GError **error)
{
  const gchar *start = parser->at;
  gboolean ok;

  if (!read_head (parser, error))
    return FALSE;
  ok = is_new_name (set, parser->zone->name)
      ? TRUE
      : fail (parser, start, "another name than that of an earlier one", error);
  if (ok && set->len == ZONE_SET_MAX)
    ok = fail (parser, start, "at most 128 of them", error);
  if (!ok || !read_vertices (parser, error))
    return FALSE;
  parser->zone->text = g_strndup (start, (gsize) (parser->at - start));
  g_ptr_array_add (set, parser->zone);
  return TRUE;
}

ZoneSet *
zone_set_new (const gchar *text, gboolean are_lines, GError **error)
{
  g_autoptr (GPtrArray) set = g_ptr_array_new_with_free_func (definition_free);
  Parser parser = { text, text, are_lines ? "line" : "zone", NULL, 0 };

  for (skip_space (&parser); *parser.at != '\0'; skip_space (&parser)) {
    parser.zone = g_new0 (ZoneDefinition, 1);
    parser.zone->is_line = are_lines;
    parser.zone->options = (ZoneOptions){ NULL, -1, -1, -1 };
    parser.zone->coordinates = g_array_new (FALSE, FALSE, sizeof (ZoneCoordinate));
    if (!read_definition (&parser, set, error)) {
      definition_free (parser.zone);
      return NULL;
    }
    parser.at += *parser.at == ';' ? 1 : 0;
  }
  return g_steal_pointer (&set);
}

/* ---- use ---- */

static gint32
place (const ZoneCoordinate *coordinate, guint side)
{
  const gint64 size = coordinate->in_pixels ? 1 : side;
  const gint64 value = coordinate->value * size * SUB + UNITS / 2;

  return (gint32) (value / UNITS - (value % UNITS < 0 ? 1 : 0));
}

GstGlesZoneVertex *
zone_definition_place (const ZoneDefinition *zone, guint width, guint height)
{
  const guint n = zone->coordinates->len / 2;
  GstGlesZoneVertex *vertices = g_new (GstGlesZoneVertex, n);

  for (guint i = 0; i < n; i++) {
    vertices[i].x = place (&g_array_index (zone->coordinates, ZoneCoordinate, 2 * i), width);
    vertices[i].y = place (&g_array_index (zone->coordinates, ZoneCoordinate, 2 * i + 1), height);
  }
  return vertices;
}
