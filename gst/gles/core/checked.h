/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Arithmetic on sizes that says when it wraps, and the few integer helpers every layer needs. */
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

/* @alignment is a power of two; the caller knows that @value + @alignment does not wrap */
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
