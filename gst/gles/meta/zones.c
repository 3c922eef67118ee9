/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/zones-info.h>

#include <gst/gles/meta/result.h>

struct _GstGlesZonesResult {
  GstGlesResultBase base;
  GstGlesZonesInfo info;
  GStrv names, labels;
  GBytes *vertices, *members;
};

GST_GLES_DEFINE_RESULT (Zones, zones)

G_DEFINE_BOXED_TYPE (GstGlesZone, gst_gles_zone, gst_gles_zone_copy, gst_gles_zone_free)

G_STATIC_ASSERT (sizeof (GstGlesZone) == 40);
G_STATIC_ASSERT (sizeof (GstGlesZoneVertex) == 8);
G_STATIC_ASSERT (sizeof (GstGlesZoneMember) == 24);

GType
gst_gles_zone_kind_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    { GST_GLES_ZONE_AREA, "A polygon that things are inside of", "area" },
    { GST_GLES_ZONE_LINE, "A directed line that things cross", "line" },
    { 0, NULL, NULL },
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstGlesZoneKind", values));
  return type;
}

GstGlesZone *
gst_gles_zone_copy (const GstGlesZone *zone)
{
  g_return_val_if_fail (zone != NULL, NULL);
  return g_memdup2 (zone, sizeof *zone);
}

void
gst_gles_zone_free (GstGlesZone *zone)
{
  g_free (zone);
}

/* ---- making a result ---- */

static void
result_free (GstMiniObject *object)
{
  GstGlesZonesResult *result = (GstGlesZonesResult *) object;

  g_strfreev (result->names);
  g_strfreev (result->labels);
  g_bytes_unref (result->vertices);
  g_bytes_unref (result->members);
  gst_gles_result_free (object);
}

GstGlesZonesResult *
gst_gles_zones_result_new_complete (const GstGlesZonesInfo *info, const GstGlesZonesParts *parts)
{
  const guint32 count = (guint32) (g_bytes_get_size (parts->zones) / sizeof (GstGlesZone));
  g_autoptr (GstGlesReadback) readback = gst_gles_readback_new_counted (
      &(GstGlesResult){ count, count, 0 }, g_bytes_ref (parts->zones));
  const GstGlesResultArray array = { "zones", .item_bytes = sizeof (GstGlesZone),
    .readback = readback };
  GstGlesZonesResult *result = gst_gles_result_new (
      &(GstGlesResultType){ sizeof *result, GST_TYPE_GLES_ZONES_RESULT, result_free }, &array, 1,
      NULL);

  gst_gles_result_set_info (result, &result->info, info, sizeof *info);
  result->names = g_strdupv ((gchar **) parts->names);
  result->labels = g_strdupv ((gchar **) parts->labels);
  result->info.n_labels = g_strv_length (result->labels);
  result->vertices = g_bytes_ref (parts->vertices);
  result->members = g_bytes_ref (parts->members);
  return result;
}

static gboolean
check_zone (const GstGlesZone *zone, gsize vertices_end, gsize members_end)
{
  const gboolean is_line = zone->kind == GST_GLES_ZONE_LINE;

  return (guint) zone->kind <= GST_GLES_ZONE_LINE && zone->occupied <= (is_line ? 0 : 1) &&
      zone->n_vertices >= (is_line ? 2 : 3) && zone->first_vertex == vertices_end &&
      zone->first_member == members_end && (!is_line || zone->n_members == 0);
}

gboolean
gst_gles_zones_parts_check (const GstGlesZonesParts *parts)
{
  const gsize n = g_bytes_get_size (parts->zones) / sizeof (GstGlesZone);
  const gsize n_vertices = g_bytes_get_size (parts->vertices) / sizeof (GstGlesZoneVertex);
  const gsize n_members = g_bytes_get_size (parts->members) / sizeof (GstGlesZoneMember);
  const guint n_labels = g_strv_length ((gchar **) parts->labels);
  const GstGlesZone *zones = g_bytes_get_data (parts->zones, NULL);
  const GstGlesZoneVertex *vertices = g_bytes_get_data (parts->vertices, NULL);
  const GstGlesZoneMember *members = g_bytes_get_data (parts->members, NULL);
  gsize vertices_end = 0, members_end = 0;

  if (n > GST_GLES_ZONES_MAX || g_strv_length ((gchar **) parts->names) != n)
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    if (!check_zone (&zones[i], vertices_end, members_end) ||
        zones[i].n_members > n_members - members_end ||
        zones[i].n_vertices > n_vertices - vertices_end)
      return FALSE;
    vertices_end += zones[i].n_vertices;
    for (guint m = 0; m < zones[i].n_members; m++, members_end++) {
      if (members[members_end].zone != i || members[members_end].label >= n_labels)
        return FALSE;
    }
  }
  for (gsize i = 0; i < vertices_end; i++) {
    if (ABS ((gint64) vertices[i].x) > GST_GLES_ZONES_FARTHEST ||
        ABS ((gint64) vertices[i].y) > GST_GLES_ZONES_FARTHEST)
      return FALSE;
  }
  return vertices_end == n_vertices && members_end == n_members;
}

/* ---- zones ---- */

guint
gst_gles_zones_result_get_count (GstGlesZonesResult *result)
{
  g_return_val_if_fail (result != NULL, 0);
  return gst_gles_result_get_counted (result).count;
}

const GstGlesZone *
gst_gles_zones_result_get_zone (GstGlesZonesResult *result, guint index, GError **error)
{
  guint count;

  g_return_val_if_fail (result != NULL, NULL);

  count = gst_gles_zones_result_get_count (result);
  if (index < count)
    return (const GstGlesZone *) result->base.arrays[0].data + index;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "zone %u of frame %" G_GUINT64_FORMAT ", which has %u", index, result->info.frame.number,
      count);
  return NULL;
}

const gchar *
gst_gles_zones_result_get_name (GstGlesZonesResult *result, guint index)
{
  g_return_val_if_fail (result != NULL, NULL);
  return index < gst_gles_zones_result_get_count (result) ? result->names[index] : NULL;
}

const gchar *
gst_gles_zones_result_get_label (GstGlesZonesResult *result, guint index)
{
  g_return_val_if_fail (result != NULL, NULL);
  return index < result->info.n_labels ? result->labels[index] : NULL;
}

const GstGlesZoneVertex *
gst_gles_zones_result_get_vertices (GstGlesZonesResult *result, guint index, guint *n)
{
  const GstGlesZone *zone;

  gst_gles_result_tell (n, 0);
  g_return_val_if_fail (result != NULL, NULL);

  zone = gst_gles_zones_result_get_zone (result, index, NULL);
  if (zone == NULL)
    return NULL;
  gst_gles_result_tell (n, zone->n_vertices);
  return (const GstGlesZoneVertex *) g_bytes_get_data (result->vertices, NULL) + zone->first_vertex;
}

const GstGlesZoneMember *
gst_gles_zones_result_get_members (GstGlesZonesResult *result, guint index, guint *n)
{
  const GstGlesZone *zone;

  gst_gles_result_tell (n, 0);
  g_return_val_if_fail (result != NULL, NULL);

  zone = gst_gles_zones_result_get_zone (result, index, NULL);
  if (zone == NULL || zone->n_members == 0)
    return NULL;
  gst_gles_result_tell (n, zone->n_members);
  return (const GstGlesZoneMember *) g_bytes_get_data (result->members, NULL) + zone->first_member;
}

GBytes *
gst_gles_zones_result_get_bytes (GstGlesZonesResult *result, GError **error)
{
  g_return_val_if_fail (result != NULL, NULL);

  if (!gst_gles_result_wait (result, G_MAXUINT64, error))
    return NULL;
  return gst_gles_result_get_bytes (
      result, result->base.arrays[0].data, result->base.counted.count * sizeof (GstGlesZone));
}

GBytes *
gst_gles_zones_result_get_vertex_bytes (GstGlesZonesResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);
  return g_bytes_ref (result->vertices);
}

GBytes *
gst_gles_zones_result_get_member_bytes (GstGlesZonesResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);
  return g_bytes_ref (result->members);
}
