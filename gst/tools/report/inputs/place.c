/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "place.h"

#include <string.h>

gboolean
report_tell_place (GstElement *pipeline, const gchar *path, gchar **told, GError **error)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (pipeline), "gleshistogram0");
  g_autofree gchar *device = NULL;

  if (element == NULL) /* lines are replayed */
    return TRUE;
  g_object_get (element, "device-description", &device, NULL);
  if (device == NULL || g_strcmp0 (device, *told) == 0)
    return TRUE;
  if (!g_file_set_contents (path, device, (gssize) strlen (device), error))
    return FALSE;
  g_free (*told);
  *told = g_steal_pointer (&device);
  return TRUE;
}
