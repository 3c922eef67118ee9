/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Zones, lines and their events as the objects that docs/json.md describes. */
#ifndef GST_GLES_JSON_ZONES_H
#define GST_GLES_JSON_ZONES_H

#include <gst/gles/meta/zones.h>

#include "../../json/writer.h"

G_BEGIN_DECLS

/* Writes the members of a line of a frame that has zones. */
void json_zones_write (JsonWriter *writer, GstGlesZonesResult *result);
/* Writes the members of a line of an event that only those of gleszones have; none for others. */
void json_zones_write_event (JsonWriter *writer, const GstStructure *event);

G_END_DECLS

#endif
