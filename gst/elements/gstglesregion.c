/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/core/error.h>

#include "gstglesregion.h"

void
gst_gles_region_install (GObjectClass *klass, guint id, const gchar *blurb)
{
  /* A string, because GStreamer parses no array without brackets. GStreamer converts an array
   * (GST_TYPE_ARRAY) that a program sets into such a string. */
  g_object_class_install_property (klass, id,
      g_param_spec_string ("region", "Region", blurb, "<>",
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING));
}

/* An integer, whose type may stand before it as in serialised arrays: "(int)7". */
static gboolean
read_number (gchar *text, gint *number)
{
  gint64 value;

  g_strstrip (text);
  if (g_str_has_prefix (text, "(int)"))
    text += strlen ("(int)");
  if (!g_ascii_string_to_signed (text, 10, G_MININT, G_MAXINT, &value, NULL))
    return FALSE;
  *number = (gint) value;
  return TRUE;
}

static gboolean
read_region (const gchar *text, GstGlesRegionSetting *region)
{
  g_autofree gchar *inner = g_strstrip (g_strdup (text != NULL ? text : ""));
  const gsize length = strlen (inner);
  g_auto (GStrv) items = NULL;
  gint numbers[4];

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
    g_warning (
        "%s: region \"%s\" is refused: set region to four integers, \"x,y,width,height\" in "
        "pixels (also in brackets, \"<x,y,width,height>\"), or to \"<>\" for the whole frame",
        GST_OBJECT_NAME (object), text);
    return;
  }
  GST_OBJECT_LOCK (object);
  *region = wanted;
  GST_OBJECT_UNLOCK (object);
}

void
gst_gles_region_get (const GstGlesRegionSetting *region, GValue *value)
{
  if (region->set)
    g_value_take_string (value,
        g_strdup_printf ("<%d,%d,%d,%d>", region->x, region->y, region->width, region->height));
  else
    g_value_set_static_string (value, "<>");
}

gboolean
gst_gles_region_place (const GstGlesRegionSetting *region, const GstGlesImage *image, guint *x,
    guint *y, guint *width, guint *height, GError **error)
{
  const GstGlesRegionSetting *r = region;

  *x = image->crop_x;
  *y = image->crop_y;
  *width = image->crop_width;
  *height = image->crop_height;
  if (!r->set)
    return TRUE;
  if (r->x < 0 || r->y < 0 || r->width <= 0 || r->height <= 0 ||
      (gint64) r->x + r->width > image->crop_width ||
      (gint64) r->y + r->height > image->crop_height) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "region <%d,%d,%d,%d> is empty or leaves the frame of %ux%u; set region to "
        "\"x,y,width,height\" inside it, or to \"<>\" for the whole frame",
        r->x, r->y, r->width, r->height, image->crop_width, image->crop_height);
    return FALSE;
  }
  *x += r->x;
  *y += r->y;
  *width = r->width;
  *height = r->height;
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
