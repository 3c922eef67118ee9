/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts bytes side by side by value. */
#ifndef GST_GLES_CPU_FRAME_HISTOGRAM_BYTES_H
#define GST_GLES_CPU_FRAME_HISTOGRAM_BYTES_H

#include <glib.h>

G_BEGIN_DECLS

#define GST_GLES_CPU_BYTE_TABLES 8

/* Adds the counts of @n bytes to GST_GLES_CPU_BYTE_TABLES consecutive tables of 256 words; the
 * count of a value is the sum over the tables. */
void gst_gles_cpu_count_bytes (const guint8 *bytes, guint n, guint32 *tables);

G_END_DECLS

#endif
