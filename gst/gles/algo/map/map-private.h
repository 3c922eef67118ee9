/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_MAP_PRIVATE_H
#define GST_GLES_MAP_PRIVATE_H

#include <gst/gles/algo/map/map.h>
#include <gst/gles/gl/program.h>

G_BEGIN_DECLS

/* Calls @func for program specialisations like those of plans, which depend on expressions. */
void gst_gles_map_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
