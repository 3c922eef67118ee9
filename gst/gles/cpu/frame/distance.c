/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/cpu/frame/distance.h>

#include <gst/gles/cpu/lib/vector.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#ifdef __SSE2__

typedef __m128i Sums; /* two 64-bit lanes */

static inline Sums
add_distance (Sums sums, const guint8 *a, const guint8 *b)
{
  const __m128i x = _mm_loadu_si128 ((const __m128i *) a);
  const __m128i y = _mm_loadu_si128 ((const __m128i *) b);

  return _mm_add_epi64 (sums, _mm_sad_epu8 (x, y));
}

static inline guint64
total (Sums sums)
{
  return (guint64) sums[0] + (guint64) sums[1];
}

#define MAX_ROUNDS G_MAXSIZE

#else

typedef GstGlesU16x8 Sums;

static inline Sums
add_distance (Sums sums, const guint8 *a, const guint8 *b)
{
  const GstGlesU8x16 x = gst_gles_u8x16_load (a), y = gst_gles_u8x16_load (b);
  const GstGlesU16x8 pairs = (GstGlesU16x8) GST_GLES_DISTANCE (GstGlesU8x16, x, y);

  return sums + (pairs & 0xff) + (pairs >> 8);
}

static inline guint64
total (Sums sums)
{
  guint32 sum = 0;

  for (guint i = 0; i < 8; i++)
    sum += sums[i];
  return sum;
}

/* Additions after which a 16-bit lane could overflow: each adds two samples, so 128 * 2 * 255 <
 * 65536. */
#define MAX_ROUNDS 128

#endif

guint64
gst_gles_cpu_distance_of_bytes (const guint8 *a, const guint8 *b, gsize n)
{
  guint64 sum = 0;

  while (n >= 16) {
    const gsize rounds = MIN (n / 16, MAX_ROUNDS);
    Sums sums = { 0 };

    for (gsize i = 0; i < rounds; i++)
      sums = add_distance (sums, a + 16 * i, b + 16 * i);
    sum += total (sums);
    a += 16 * rounds;
    b += 16 * rounds;
    n -= 16 * rounds;
  }
  for (gsize i = 0; i < n; i++)
    sum += (guint) ABS (a[i] - b[i]);
  return sum;
}

guint64
gst_gles_cpu_gradients_of_bytes (const guint8 *now, const guint8 *below, gsize n)
{
  guint64 sum = 0;

  while (n >= 16) {
    const gsize rounds = MIN (n / 16, MAX_ROUNDS / 2);
    Sums sums = { 0 };

    for (gsize i = 0; i < 16 * rounds; i += 16)
      sums = add_distance (add_distance (sums, now + i, now + i + 1), now + i, below + i);
    sum += total (sums);
    now += 16 * rounds;
    below += 16 * rounds;
    n -= 16 * rounds;
  }
  for (gsize i = 0; i < n; i++)
    sum += (guint) ABS (now[i + 1] - now[i]) + (guint) ABS (below[i] - now[i]);
  return sum;
}

static inline GstGlesU16x8
distance_of_halves (GstGlesU16x8 x, GstGlesU16x8 y)
{
#ifdef __SSE2__
  const __m128i a = (__m128i) x, b = (__m128i) y;

  /* one of the differences is below 0, and saturates */
  return (GstGlesU16x8) _mm_or_si128 (_mm_subs_epu16 (a, b), _mm_subs_epu16 (b, a));
#else
  return GST_GLES_DISTANCE (GstGlesU16x8, x, y);
#endif
}

/* Iterations after which a 32-bit lane could overflow: each adds two values of 16 bits. */
#define MAX_VALUE_ROUNDS 32768

guint64
gst_gles_cpu_distance_of_values (const guint16 *a, const guint16 *b, gsize n)
{
  guint64 sum = 0;

  while (n >= 8) {
    const gsize rounds = MIN (n / 8, MAX_VALUE_ROUNDS);
    GstGlesU32x4 sums = { 0 };

    for (gsize i = 0; i < rounds; i++) {
      const GstGlesU16x8 x = gst_gles_u16x8_load (a + 8 * i);
      const GstGlesU16x8 y = gst_gles_u16x8_load (b + 8 * i);
      const GstGlesU32x4 pairs = (GstGlesU32x4) distance_of_halves (x, y);

      sums += (pairs & 0xffff) + (pairs >> 16);
    }
    sum += (guint64) sums[0] + sums[1] + sums[2] + sums[3];
    a += 8 * rounds;
    b += 8 * rounds;
    n -= 8 * rounds;
  }
  for (gsize i = 0; i < n; i++)
    sum += (guint) ABS (a[i] - b[i]);
  return sum;
}
