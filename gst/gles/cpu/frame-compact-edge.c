/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/cpu/frame-compact-edge.h>

#include <string.h>

typedef gint16 I16x8 __attribute__ ((vector_size (16)));

static inline I16x8
load_8 (const guint16 *values)
{
  I16x8 v;

  memcpy (&v, values, sizeof v);
  return v;
}

static inline I16x8
magnitude_16 (I16x8 v)
{
  I16x8 sign = v >> 15;

  return (v ^ sign) - sign;
}

void
gst_gles_cpu_edges_16 (
    const guint16 *above, const guint16 *here, const guint16 *below, guint n, guint16 *values)
{
  for (guint i = 0; i < n; i += GST_GLES_CPU_EDGE_GROUP) {
    I16x8 a0 = load_8 (above + i), a1 = load_8 (above + i + 1), a2 = load_8 (above + i + 2);
    I16x8 b0 = load_8 (below + i), b1 = load_8 (below + i + 1), b2 = load_8 (below + i + 2);
    I16x8 gx = a2 - a0 + 2 * (load_8 (here + i + 2) - load_8 (here + i)) + b2 - b0;
    I16x8 gy = b0 + 2 * b1 + b2 - a0 - 2 * a1 - a2;

    gx = magnitude_16 (gx) + magnitude_16 (gy);
    memcpy (values + i, &gx, sizeof gx);
  }
}

/* The loops have a constant length, so that compilers vectorise them. */
static inline void
load_wide (const guint16 *values, gint32 wide[GST_GLES_CPU_EDGE_GROUP + 2])
{
  for (guint i = 0; i < GST_GLES_CPU_EDGE_GROUP + 2; i++)
    wide[i] = values[i];
}

void
gst_gles_cpu_edges_32 (
    const guint16 *above, const guint16 *here, const guint16 *below, guint n, guint32 *values)
{
  for (guint i = 0; i < n; i += GST_GLES_CPU_EDGE_GROUP) {
    gint32 a[GST_GLES_CPU_EDGE_GROUP + 2], h[GST_GLES_CPU_EDGE_GROUP + 2],
        b[GST_GLES_CPU_EDGE_GROUP + 2];

    load_wide (above + i, a);
    load_wide (here + i, h);
    load_wide (below + i, b);
    for (guint k = 0; k < GST_GLES_CPU_EDGE_GROUP; k++) {
      gint32 gx = a[k + 2] - a[k] + 2 * (h[k + 2] - h[k]) + b[k + 2] - b[k];
      gint32 gy = b[k] + 2 * b[k + 1] + b[k + 2] - a[k] - 2 * a[k + 1] - a[k + 2];

      values[i + k] = (guint32) (ABS (gx) + ABS (gy));
    }
  }
}
