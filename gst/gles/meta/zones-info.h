/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What elements make zone results with. Not installed. */
#ifndef GST_GLES_META_ZONES_INFO_H
#define GST_GLES_META_ZONES_INFO_H

#include <gst/gles/meta/zones.h>

G_BEGIN_DECLS

/* Zones and lines that a result has at most. */
#define GST_GLES_ZONES_MAX 256

/* Coordinates of a vertex lie between minus this and this, in 256ths of a pixel. */
#define GST_GLES_ZONES_FARTHEST (1 << 28)

/* The parts of a result. */
typedef struct {
  GBytes *zones;              /* GstGlesZone */
  GBytes *vertices;           /* GstGlesZoneVertex, zone by zone */
  GBytes *members;            /* GstGlesZoneMember, zone by zone */
  const gchar *const *names;  /* one for each zone */
  const gchar *const *labels; /* that members refer to */
} GstGlesZonesParts;

/* Makes a result of @parts, which pass gst_gles_zones_parts_check(). Sets the number of labels;
 * names and labels are copied, and bytes, which begin at addresses that words of 64 bits can have,
 * are kept. */
GST_GLES_API GstGlesZonesResult *gst_gles_zones_result_new_complete (
    const GstGlesZonesInfo *info, const GstGlesZonesParts *parts);

/* Whether the zones of @parts divide vertices and members among them, each zone has a name and each
 * member a label, and all coordinates are in range: readers draw and print what they say. */
gboolean gst_gles_zones_parts_check (const GstGlesZonesParts *parts);

G_END_DECLS

#endif
