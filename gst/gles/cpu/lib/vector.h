/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Vectors of 16 bytes, by language extensions that gcc and clang share on every processor. */
#ifndef GST_GLES_CPU_VECTOR_H
#define GST_GLES_CPU_VECTOR_H

#include <string.h>

#include <glib.h>

typedef guint8 GstGlesU8x16 __attribute__ ((vector_size (16)));
typedef guint16 GstGlesU16x8 __attribute__ ((vector_size (16)));
typedef guint32 GstGlesU32x4 __attribute__ ((vector_size (16)));
typedef gint32 GstGlesI32x4 __attribute__ ((vector_size (16)));
typedef gfloat GstGlesF32x4 __attribute__ ((vector_size (16)));

/* The elements i, j, k, l of the eight elements of @a and @b. */
#if defined(__clang__) || __GNUC__ >= 12
#define GST_GLES_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector (a, b, i, j, k, l)
#else
#define GST_GLES_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle (a, b, (GstGlesU32x4){ i, j, k, l })
#endif

/* |v - w| of each element. @type is that of the vectors. */
#define GST_GLES_DISTANCE(type, v, w)                                                              \
  ((((type) ((v) > (w))) & ((v) - (w))) | (~((type) ((v) > (w))) & ((w) - (v))))

/* Load vectors of any alignment. */
static inline GstGlesU8x16
gst_gles_u8x16_load (const guint8 *bytes)
{
  GstGlesU8x16 v;

  memcpy (&v, bytes, sizeof v);
  return v;
}

static inline GstGlesU16x8
gst_gles_u16x8_load (const guint16 *halves)
{
  GstGlesU16x8 v;

  memcpy (&v, halves, sizeof v);
  return v;
}

static inline GstGlesU32x4
gst_gles_u32x4_load (const guint32 *words)
{
  GstGlesU32x4 v;

  memcpy (&v, words, sizeof v);
  return v;
}

static inline void
gst_gles_u32x4_store (guint32 *words, GstGlesU32x4 v)
{
  memcpy (words, &v, sizeof v);
}

/* Selects element by element: @a where @mask is ~0, @b where it is 0. */
static inline GstGlesU32x4
gst_gles_u32x4_select (GstGlesU32x4 mask, GstGlesU32x4 a, GstGlesU32x4 b)
{
  return (a & mask) | (b & ~mask);
}

#endif
