/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every specialisation of every kernel, for the offline compile of the build. */
#ifndef GST_GLES_SPECIALISATIONS_H
#define GST_GLES_SPECIALISATIONS_H

#include <gst/gles/gl/program.h>

G_BEGIN_DECLS

/* Calls @func once per specialisation that a plan on any device can ask for. */
void gst_gles_specialisations_foreach (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
