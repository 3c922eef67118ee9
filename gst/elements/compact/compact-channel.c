/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/core/error.h>
#include <gst/gles/meta/points.h>
#include <gst/gst.h>

#include "compact-channel.h"
#include "../base/settings.h"

static const GEnumValue channels[] = {
  { GST_GLES_POINTS_LUMA, "Luma, computed from RGB where it is not stored", "luma" },
  { 0, "First stored component", "0" },
  { 1, "Second stored component", "1" },
  { 2, "Third stored component", "2" },
  { 3, "Fourth stored component", "3" },
  { GST_GLES_COMPACT_FIRST_NAME, "Y of YUV and grey formats", "Y" },
  { GST_GLES_COMPACT_FIRST_NAME + 1, "U of YUV formats", "U" },
  { GST_GLES_COMPACT_FIRST_NAME + 2, "V of YUV formats", "V" },
  { GST_GLES_COMPACT_FIRST_NAME + 3, "R of RGB formats", "R" },
  { GST_GLES_COMPACT_FIRST_NAME + 4, "G of RGB formats", "G" },
  { GST_GLES_COMPACT_FIRST_NAME + 5, "B of RGB formats", "B" },
  { GST_GLES_COMPACT_FIRST_NAME + 6, "A of formats with alpha", "A" },
  { 0, NULL, NULL },
};

GType
gst_gles_compact_channel_get_type (void)
{
  return enum_type ("GstGlesCompactChannel", channels);
}

static const gchar *
name_of (gint channel)
{
  guint i = 0;

  while (channels[i].value != channel)
    i++;
  return channels[i].value_nick;
}

gboolean
gst_gles_compact_channel_resolve (gint *channel, const GstGlesImage *image, GError **error)
{
  g_autoptr (GString) names = NULL;
  const gchar *name;

  if (*channel < (gint) image->n_components)
    return TRUE;
  name = name_of (*channel);
  names = g_string_new (NULL);
  for (guint i = 0; i < image->n_components; i++) {
    if (g_str_equal (image->names[i], name)) {
      *channel = (gint) i;
      return TRUE;
    }
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", image->names[i]);
  }
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
      "channel %s of a format that stores %s; set channel to one of these, or to luma", name,
      names->str);
  return FALSE;
}
