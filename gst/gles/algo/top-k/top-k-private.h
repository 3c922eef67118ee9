/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_TOP_K_PRIVATE_H
#define GST_GLES_TOP_K_PRIVATE_H

#include <gst/gles/algo/top-k/top-k.h>
#include <gst/gles/gl/program.h>

G_BEGIN_DECLS

/* Calls @func for each program that a plan on any device can use, except the programs of its
 * sort. */
void gst_gles_top_k_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
