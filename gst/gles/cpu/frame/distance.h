/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sums of absolute differences of samples. */
#ifndef GST_GLES_CPU_DISTANCE_H
#define GST_GLES_CPU_DISTANCE_H

#include <glib.h>

G_BEGIN_DECLS

/* Return the sum of |a[i] - b[i]| over @n bytes or values. @a and @b may overlap. */
guint64 gst_gles_cpu_distance_of_bytes (const guint8 *a, const guint8 *b, gsize n);
guint64 gst_gles_cpu_distance_of_values (const guint16 *a, const guint16 *b, gsize n);

/* Returns the sum of |now[i + 1] - now[i]| + |below[i] - now[i]| over @n bytes: now[n] is read. */
guint64 gst_gles_cpu_gradients_of_bytes (const guint8 *now, const guint8 *below, gsize n);

G_END_DECLS

#endif
