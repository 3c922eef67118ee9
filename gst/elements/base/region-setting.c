/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/core/error.h>

#include "region-setting.h"
#include "settings.h"

/* A share of 100 %. */
#define ALL 100000

/* Bounds the products with the size of a picture. */
#define MAX_SHARE (1000 * ALL)

GParamSpec *
gst_gles_region_spec (const gchar *what)
{
  g_autofree gchar *blurb = g_strdup_printf (
      "Part of the frame to %s, \"x,y,width,height\" in pixels, or with a sign %% in percent of "
      "the frame's width and height (\"10%%,10%%,50%%,50%%\"); \"<>\" for all of it",
      what);

  /* A string, because GStreamer parses no array without brackets. GStreamer converts an array
   * (GST_TYPE_ARRAY) that a program sets into such a string. */
  return g_param_spec_string ("region", "Region", g_intern_string (blurb), "<>", SETTING_FLAGS);
}

/* Decimals, rounded to a thousandth. */
static gboolean
read_share (const gchar *text, gint64 *thousandths)
{
  gchar *end;
  gdouble value;

  if (strspn (text, "+-.0123456789") != strlen (text))
    return FALSE;
  value = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0' || ABS (value) > MAX_SHARE / 1000)
    return FALSE;
  *thousandths = (gint64) (value * 1000 + (value < 0 ? -0.5 : 0.5));
  return TRUE;
}

/* An integer, whose type may stand before it as in serialised arrays: "(int)7"; or a percentage. */
static gboolean
read_number (gchar *text, GstGlesRegionNumber *number)
{
  gsize length;

  g_strstrip (text);
  length = strlen (text);
  number->is_share = length > 0 && text[length - 1] == '%';
  if (number->is_share) {
    text[length - 1] = '\0';
    return read_share (text, &number->value);
  }
  if (g_str_has_prefix (text, "(int)"))
    text += strlen ("(int)");
  return g_ascii_string_to_signed (text, 10, G_MININT, G_MAXINT, &number->value, NULL);
}

static gboolean
read_region (const gchar *text, GstGlesRegionSetting *region)
{
  g_autofree gchar *inner = g_strstrip (g_strdup (text != NULL ? text : ""));
  const gsize length = strlen (inner);
  g_auto (GStrv) items = NULL;
  GstGlesRegionNumber numbers[4];

  if (length >= 2 && inner[0] == '<' && inner[length - 1] == '>') {
    inner[0] = ' ';
    inner[length - 1] = '\0';
  }
  items = g_strsplit (g_strstrip (inner), ",", -1);
  if (items[0] == NULL) {
    *region = (GstGlesRegionSetting){ 0 };
    return TRUE;
  }
  if (g_strv_length (items) != G_N_ELEMENTS (numbers))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (!read_number (items[i], &numbers[i]))
      return FALSE;
  *region = (GstGlesRegionSetting){ TRUE, numbers[0], numbers[1], numbers[2], numbers[3] };
  return TRUE;
}

void
gst_gles_region_set (GObject *object, GstGlesRegionSetting *region, const GValue *value)
{
  const gchar *text = g_value_get_string (value);
  GstGlesRegionSetting wanted;

  if (!read_region (text, &wanted)) {
    g_warning ("%s: region \"%s\" is refused: set region to four numbers, \"x,y,width,height\" in "
               "pixels (integers) or in percent (\"10%%\"), also in brackets, "
               "\"<x,y,width,height>\", or to \"<>\" for the whole frame",
        GST_OBJECT_NAME (object), text);
    return;
  }
  GST_OBJECT_LOCK (object);
  *region = wanted;
  GST_OBJECT_UNLOCK (object);
}

static void
append_number (GString *text, const GstGlesRegionNumber *number)
{
  gchar digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (text->len > 1)
    g_string_append_c (text, ',');
  if (number->is_share)
    g_string_append_printf (text, "%s%%",
        g_ascii_formatd (digits, sizeof (digits), "%.10g", (gdouble) number->value / 1000));
  else
    g_string_append_printf (text, "%" G_GINT64_FORMAT, number->value);
}

/* Returns the region as the property has it: (transfer full). */
static gchar *
write_region (const GstGlesRegionSetting *region)
{
  GString *text = g_string_new ("<");

  if (region->set) {
    append_number (text, &region->x);
    append_number (text, &region->y);
    append_number (text, &region->width);
    append_number (text, &region->height);
  }
  return g_string_free (g_string_append_c (text, '>'), FALSE);
}

void
gst_gles_region_get (GObject *object, const GstGlesRegionSetting *region, GValue *value)
{
  GST_OBJECT_LOCK (object);
  g_value_take_string (value, write_region (region));
  GST_OBJECT_UNLOCK (object);
}

/* Places one side of a region in the @all pixels of a picture. Positions are in units of 1 / ALL
 * pixel, so that regions whose shares meet neither overlap nor leave a gap. Returns FALSE if the
 * side is empty or leaves the picture. */
static gboolean
place_side (const GstGlesRegionNumber *start, const GstGlesRegionNumber *length, guint all,
    guint *first, guint *n)
{
  const gint64 from = start->value * (start->is_share ? all : ALL);
  const gint64 to = from + length->value * (length->is_share ? all : ALL);

  if (from < 0 || to <= from || to > (gint64) all * ALL)
    return FALSE;
  *first = (guint) (from / ALL);
  *n = (guint) (to / ALL) - *first;
  *n = MAX (*n, 1);
  return TRUE;
}

gboolean
gst_gles_region_place (const GstGlesRegionSetting *region, const GstGlesImage *image,
    GstGlesRegionPlace *place, GError **error)
{
  g_autofree gchar *text = NULL;

  *place = (GstGlesRegionPlace){ 0, 0, image->crop_width, image->crop_height };
  if (region->set &&
      !(place_side (&region->x, &region->width, image->crop_width, &place->x, &place->width) &&
          place_side (
              &region->y, &region->height, image->crop_height, &place->y, &place->height))) {
    text = write_region (region);
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_OUTSIDE,
        "region %s is empty or leaves the frame of %ux%u; set region to \"x,y,width,height\" "
        "inside it, to percentages, which follow its size, or to \"<>\" for the whole frame",
        text, image->crop_width, image->crop_height);
    return FALSE;
  }
  place->x += image->crop_x;
  place->y += image->crop_y;
  return TRUE;
}

gboolean
gst_gles_region_same_image (const GstGlesImage *a, const GstGlesImage *b)
{
  if (a->width != b->width || a->height != b->height || a->n_components != b->n_components)
    return FALSE;
  if (a->buffer == NULL && b->buffer == NULL)
    return TRUE;
  return memcmp (a->components, b->components, a->n_components * sizeof (a->components[0])) == 0;
}
