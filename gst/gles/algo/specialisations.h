/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All specialisations of all kernels, for the offline compile of the build. */
#ifndef GST_GLES_SPECIALISATIONS_H
#define GST_GLES_SPECIALISATIONS_H

#include <gst/gles/gl/program.h>

G_BEGIN_DECLS

/* Calls @func once for each specialisation that a plan on any device can use. */
void gst_gles_specialisations_foreach (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
