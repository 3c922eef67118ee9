/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_FRAME_ROWS_PRIVATE_H
#define GST_GLES_FRAME_ROWS_PRIVATE_H

#include <gst/gles/algo/frame/frame-rows.h>
#include <gst/gles/gl/program.h>

G_BEGIN_DECLS

/* Calls @func for every program specialisation that a plan can use on any device. */
void gst_gles_frame_rows_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
