/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gradients of rows of samples, several at a time. */
#ifndef GST_GLES_CPU_FRAME_COMPACT_EDGE_H
#define GST_GLES_CPU_FRAME_COMPACT_EDGE_H

#include <glib.h>

G_BEGIN_DECLS

/* Samples are taken, and gradients written, in whole groups of so many. */
#define GST_GLES_CPU_EDGE_GROUP 8

/* The deepest samples whose gradients, of up to 8 times their largest value, fit 16 bits. */
#define GST_GLES_CPU_EDGE_DEPTH_16 12

/* |Gx| + |Gy| of @n samples, 3x3 Sobel. Each row begins one sample to the left; what lies behind its
 * n + 2 is read as well, up to a whole group. For samples of at most GST_GLES_CPU_EDGE_DEPTH_16 bits. */
void gst_gles_cpu_edges_16 (
    const guint16 *above, const guint16 *here, const guint16 *below, guint n, guint16 *values);
/* The same for samples of up to 16 bits. */
void gst_gles_cpu_edges_32 (
    const guint16 *above, const guint16 *here, const guint16 *below, guint n, guint32 *values);

G_END_DECLS

#endif
