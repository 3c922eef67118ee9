/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gradients of rows of samples, several at a time. */
#ifndef GST_GLES_CPU_FRAME_COMPACT_EDGE_H
#define GST_GLES_CPU_FRAME_COMPACT_EDGE_H

#include <glib.h>

G_BEGIN_DECLS

/* Samples are read, and gradients written, in whole groups of this size. */
#define GST_GLES_CPU_EDGE_GROUP 8

/* The largest depth of samples whose gradients, up to 8 times the largest sample, fit 16 bits. */
#define GST_GLES_CPU_EDGE_DEPTH_16 12

/* Computes |Gx| + |Gy| (3x3 Sobel) of @n samples. Each row begins one sample to the left. Samples
 * after the n + 2 needed ones are read too, up to a whole group. At most
 * GST_GLES_CPU_EDGE_DEPTH_16 bits. */
void gst_gles_cpu_edges_16 (
    const guint16 *above, const guint16 *here, const guint16 *below, guint n, guint16 *values);
/* The same for samples of up to 16 bits. */
void gst_gles_cpu_edges_32 (
    const guint16 *above, const guint16 *here, const guint16 *below, guint n, guint32 *values);

G_END_DECLS

#endif
