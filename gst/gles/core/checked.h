/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Overflow-checked arithmetic on sizes, and small integer helpers that every layer uses. */
#ifndef GST_GLES_CHECKED_H
#define GST_GLES_CHECKED_H

#include <glib.h>

static inline gboolean
gst_gles_size_mul (gsize a, gsize b, gsize *product)
{
  return g_size_checked_mul (product, a, b);
}

static inline gboolean
gst_gles_size_add (gsize a, gsize b, gsize *sum)
{
  return g_size_checked_add (sum, a, b);
}

/* Rounds @value up. @alignment is a power of two; the caller ensures that @value + @alignment does
 * not overflow. */
static inline gsize
gst_gles_align_up (gsize value, gsize alignment)
{
  return (value + alignment - 1) & ~(alignment - 1);
}

static inline guint64
gst_gles_div_ceil (guint64 value, guint64 divisor)
{
  return value / divisor + (value % divisor != 0);
}

#endif
