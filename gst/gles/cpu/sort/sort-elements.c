/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The loops of the sort for each type of element. */
#include <gst/gles/cpu/sort/sort-private.h>

#include <string.h>

#include <gst/gles/cpu/lib/vector.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Stable insertion is faster than counting digits up to this number of elements. */
#define INSERTION 32

#define LEAF_RADIX (1u << GST_GLES_CPU_LEAF_DIGIT_BITS)
#define MAX_LEAF_DIGITS (64 / GST_GLES_CPU_LEAF_DIGIT_BITS)

/* Writes a whole cache line past the caches: it is read by a later pass only, and the line need
 * not be fetched before it is overwritten. */
static inline void
write_line (gpointer to, const guint8 *line)
{
#ifdef __SSE2__
  for (guint i = 0; i < 4; i++)
    _mm_stream_si128 (
        (__m128i *) to + i, _mm_load_si128 ((const __m128i *) (gconstpointer) line + i));
#else
  memcpy (to, line, 64);
#endif
}

static inline void
finish_lines (void)
{
#ifdef __SSE2__
  _mm_sfence ();
#endif
}

/* Returns digits of equal width, give or take a bit, from the lowest to the highest set bit of
 * @bits. */
static guint
choose_digits (guint64 bits, GstGlesCpuDigit *digits)
{
  guint low, n_bits, n_digits;

  if (bits == 0)
    return 0;
  low = (guint) __builtin_ctzll (bits);
  n_bits = 64 - (guint) __builtin_clzll (bits) - low;
  n_digits = (n_bits + GST_GLES_CPU_LEAF_DIGIT_BITS - 1) / GST_GLES_CPU_LEAF_DIGIT_BITS;
  for (guint d = 0; d < n_digits; d++) {
    guint begin = d * n_bits / n_digits, end = (d + 1) * n_bits / n_digits;

    digits[d] = (GstGlesCpuDigit){ low + begin, (1u << (end - begin)) - 1 };
  }
  return n_digits;
}

static void
counts_to_places (guint32 *counts)
{
  guint32 sum = 0;

  for (guint i = 0; i < LEAF_RADIX; i++) {
    guint32 count = counts[i];

    counts[i] = sum;
    sum += count;
  }
}

/* A vectorised version, because compilers do not vectorise the loop over words. */
static void
look_at_words (gconstpointer elements, gsize n, GstGlesCpuKeyBits *bits)
{
  const guint32 *words = elements;
  GstGlesU32x4 all_set = { 0 }, all_clear = { 0 };
  guint32 set = 0, clear = 0;
  gsize i = 0;

  for (; i + 4 <= n; i += 4) {
    GstGlesU32x4 four = gst_gles_u32x4_load (words + i);

    all_set |= four;
    all_clear |= ~four;
  }
  for (guint lane = 0; lane < 4; lane++) {
    set |= all_set[lane];
    clear |= all_clear[lane];
  }
  for (; i < n; i++) {
    set |= words[i];
    clear |= ~words[i];
  }
  bits->set |= set;
  bits->clear |= clear;
}

#define KEY(element) (element)

#define NAME(name) gst_gles_cpu_##name##_32
#define ELEMENT guint32
#define LOOK look_at_words
#include <gst/gles/cpu/sort/sort-elements.h>
#undef NAME
#undef ELEMENT

#define NAME(name) gst_gles_cpu_##name##_64
#define ELEMENT guint64
#include <gst/gles/cpu/sort/sort-elements.h>
#undef NAME
#undef ELEMENT
#undef KEY

#define NAME(name) gst_gles_cpu_##name##_128
#define ELEMENT GstGlesCpuWideElement
#define KEY(element) ((element).key)
#include <gst/gles/cpu/sort/sort-elements.h>
