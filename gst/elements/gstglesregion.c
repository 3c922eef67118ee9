/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/core/error.h>

#include "gstglesregion.h"

void
gst_gles_region_install (GObjectClass *klass, guint id, const gchar *blurb)
{
  /* The array has no element specification: with one, GStreamer 1.22 reads beyond the end of a
   * nested array in a string. Values that are not integers are refused when the property is set. */
  g_object_class_install_property (klass, id,
      gst_param_spec_array ("region", "Region", blurb, NULL,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING));
}

static gboolean
read_region (const GValue *value, GstGlesRegion *region)
{
  guint n = gst_value_array_get_size (value);
  gint numbers[4] = { 0 };

  if (n != 0 && n != 4)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    const GValue *item = gst_value_array_get_value (value, i);
    if (!G_VALUE_HOLDS_INT (item))
      return FALSE;
    numbers[i] = g_value_get_int (item);
  }
  *region = (GstGlesRegion){ n == 4, numbers[0], numbers[1], numbers[2], numbers[3] };
  return TRUE;
}

void
gst_gles_region_set (GObject *object, GstGlesRegion *region, const GValue *value)
{
  GstGlesRegion wanted;

  if (!read_region (value, &wanted)) {
    g_warning ("%s: region takes four integers, \"<x,y,width,height>\", or none, \"<>\", for "
               "the whole frame; the value is refused",
        GST_OBJECT_NAME (object));
    return;
  }
  GST_OBJECT_LOCK (object);
  *region = wanted;
  GST_OBJECT_UNLOCK (object);
}

void
gst_gles_region_get (const GstGlesRegion *region, GValue *value)
{
  const gint numbers[4] = { region->x, region->y, region->width, region->height };

  for (guint i = 0; region->set && i < 4; i++) {
    GValue item = G_VALUE_INIT;
    g_value_init (&item, G_TYPE_INT);
    g_value_set_int (&item, numbers[i]);
    gst_value_array_append_and_take_value (value, &item);
  }
}

gboolean
gst_gles_region_place (const GstGlesRegion *region, const GstGlesImage *image, guint *x, guint *y,
    guint *width, guint *height, GError **error)
{
  const GstGlesRegion *r = region;

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
        "\"<x,y,width,height>\" inside it, or to \"<>\" for the whole frame",
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
