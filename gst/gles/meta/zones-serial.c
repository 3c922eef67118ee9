/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/serial.h>
#include <gst/gles/meta/zones-info.h>

/* Behind the frame: the description, the sizes of the three arrays in bytes, the arrays, the names
 * and the labels. */
#define MEMBERS(info) GST_GLES_SERIAL_MEMBERS (info, GstGlesZonesInfo, has_tracks, n_labels)
#define MAX_TEXT_BYTES 255

gboolean
gst_gles_zones_serialize (GstGlesZonesResult *result, GstByteWriter *writer)
{
  const GstGlesZonesInfo *info = gst_gles_zones_result_get_info (result);
  g_autoptr (GBytes) zones = gst_gles_zones_result_get_bytes (result, NULL);
  g_autoptr (GBytes) vertices = gst_gles_zones_result_get_vertex_bytes (result);
  g_autoptr (GBytes) members = gst_gles_zones_result_get_member_bytes (result);
  GBytes *const arrays[] = { zones, vertices, members };

  gst_gles_serial_put_frame (writer, &info->frame);
  gst_gles_serial_put (writer, MEMBERS (info));
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++) {
    const guint32 size = (guint32) g_bytes_get_size (arrays[i]);

    gst_gles_serial_put (writer, &size, sizeof size);
  }
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    gst_gles_serial_put (writer, g_bytes_get_data (arrays[i], NULL), g_bytes_get_size (arrays[i]));
  for (guint i = 0; i < gst_gles_zones_result_get_count (result); i++)
    gst_gles_serial_put_text (writer, gst_gles_zones_result_get_name (result, i), MAX_TEXT_BYTES);
  for (guint i = 0; i < info->n_labels; i++)
    gst_gles_serial_put_text (writer, gst_gles_zones_result_get_label (result, i), MAX_TEXT_BYTES);
  return TRUE;
}

/* Appends @n texts and an end to @texts. Each takes four bytes at least. */
static gboolean
get_texts (GstByteReader *reader, guint n, GPtrArray *texts)
{
  for (guint i = 0; i < n; i++) {
    const gchar *text;

    if (!gst_gles_serial_get_text (reader, MAX_TEXT_BYTES, &text) || text == NULL)
      return FALSE;
    g_ptr_array_add (texts, (gpointer) text);
  }
  g_ptr_array_add (texts, NULL);
  return TRUE;
}

/* Takes the three arrays: (transfer full) (nullable). */
static gboolean
get_arrays (GstByteReader *reader, GBytes *arrays[3])
{
  static const gsize items[] = { sizeof (GstGlesZone), sizeof (GstGlesZoneVertex),
    sizeof (GstGlesZoneMember) };
  guint32 sizes[3];

  if (!gst_gles_serial_get (reader, sizes, sizeof sizes))
    return FALSE;
  for (guint i = 0; i < 3; i++) {
    arrays[i] = sizes[i] % items[i] == 0 ? gst_gles_serial_take (reader, sizes[i]) : NULL;
    if (arrays[i] == NULL)
      return FALSE;
  }
  return TRUE;
}

GstGlesZonesResult *
gst_gles_zones_parse (GstByteReader *reader)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  g_autoptr (GstGlesOrigin) origin = NULL;
  GstGlesZonesResult *result = NULL;
  GstGlesZonesInfo info = { 0 };
  GBytes *arrays[3] = { NULL };
  guint count;

  if (!gst_gles_serial_get_frame (reader, &info.frame))
    return NULL;
  origin = info.frame.origin;
  if (gst_gles_serial_get (reader, MEMBERS (&info)) && (guint) info.has_tracks <= 1 &&
      get_arrays (reader, arrays)) {
    count = (guint) (g_bytes_get_size (arrays[0]) / sizeof (GstGlesZone));
    if (get_texts (reader, count, names) && get_texts (reader, info.n_labels, labels)) {
      const GstGlesZonesParts parts = { arrays[0], arrays[1], arrays[2],
        (const gchar *const *) names->pdata, (const gchar *const *) labels->pdata };

      if (gst_gles_zones_parts_check (&parts))
        result = gst_gles_zones_result_new_complete (&info, &parts);
    }
  }
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_clear_pointer (&arrays[i], g_bytes_unref);
  return result;
}
