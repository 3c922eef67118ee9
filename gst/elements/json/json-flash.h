/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What glesevents says of flashes, as members of lines. */
#ifndef GST_GLES_JSON_FLASH_H
#define GST_GLES_JSON_FLASH_H

#include <gst/gst.h>

#include "../../json/writer.h"

G_BEGIN_DECLS

/* Writes the member "flash" of the line of a frame: a structure of the meta glesflash. */
void json_flash_write (JsonWriter *writer, const GstStructure *flash);
/* Writes the members of an event that flashes alone have; nothing for other events. */
void json_flash_write_event (JsonWriter *writer, const GstStructure *event);

G_END_DECLS

#endif
