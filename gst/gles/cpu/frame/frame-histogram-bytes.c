/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An increment is a store, and a processor makes about one in a cycle. So sixteen equal samples, as
 * in letterboxes and flat skies, take one increment; and newer processors compare the samples of a
 * block that has few values with each value, where that takes less time. */
#include <gst/gles/cpu/frame/frame-histogram-bytes.h>

#include <string.h>

#include <gst/gles/cpu/lib/newer.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

static inline guint64
load_u64 (const guint8 *bytes)
{
  guint64 word;

  memcpy (&word, bytes, sizeof word);
  return word;
}

static inline void
count_word (guint64 word, guint32 *tables)
{
  tables[0x000 + (word & 0xff)]++;
  tables[0x100 + (word >> 8 & 0xff)]++;
  tables[0x200 + (word >> 16 & 0xff)]++;
  tables[0x300 + (word >> 24 & 0xff)]++;
  tables[0x400 + (word >> 32 & 0xff)]++;
  tables[0x500 + (word >> 40 & 0xff)]++;
  tables[0x600 + (word >> 48 & 0xff)]++;
  tables[0x700 + (word >> 56)]++;
}

static inline void
count_each (const guint8 *bytes, guint n, guint32 *tables)
{
  for (guint i = n / 16; i > 0; i--, bytes += 16) {
    const guint64 low = load_u64 (bytes), high = load_u64 (bytes + 8);

    if (G_UNLIKELY (low == high && low == (low << 8 | low >> 56))) {
      tables[0x700 + (low & 0xff)] += 16;
      continue;
    }
    count_word (low, tables);
    count_word (high, tables);
  }
  for (guint i = 0; i < n % 16; i++)
    tables[bytes[i]]++;
}

#ifdef __x86_64__

/* Bytes of a block. */
#define BLOCK 128

/* How far ahead memory is fetched. The processor does so too, but later. */
#define AHEAD 1024

/* In a block whose values span more than so many times eight values, each sample is counted by
 * itself. */
#define MAX_EIGHTS 3

GST_GLES_CPU_NEWER static inline guint
least_byte (__m256i bytes)
{
  const __m128i half =
      _mm_min_epu8 (_mm256_castsi256_si128 (bytes), _mm256_extracti128_si256 (bytes, 1));
  const __m128i pairs = _mm_min_epu8 (half, _mm_srli_epi16 (half, 8));

  return (guint) _mm_cvtsi128_si32 (
             _mm_minpos_epu16 (_mm_and_si128 (pairs, _mm_set1_epi16 (0xff)))) &
      0xff;
}

/* Written out, so that the eight vectors are in registers. */
#define EACH_OF_4(DO, k) DO (k) DO (k + 1) DO (k + 2) DO (k + 3)
#define EACH_OF_8(DO) EACH_OF_4 (DO, 0) EACH_OF_4 (DO, 4)

/* Adds the counts of the eight values from @first on among @n bytes, a multiple of 32. */
GST_GLES_CPU_NEWER static inline void
count_eight (const guint8 *bytes, guint n, guint first, guint32 *table)
{
  const __m256i zero = _mm256_setzero_si256 ();
  __m256i counts[8], values[8], low, high;
  __m128i eight;

#define BEGIN(k)                                                                                   \
  values[k] = _mm256_set1_epi8 ((gchar) (first + k));                                              \
  counts[k] = zero;
/* a comparison that is true is -1 */
#define COMPARE(k) counts[k] = _mm256_sub_epi8 (counts[k], _mm256_cmpeq_epi8 (v, values[k]));
#define SUM(k) counts[k] = _mm256_slli_epi64 (_mm256_sad_epu8 (counts[k], zero), (k) % 4 * 16);

  EACH_OF_8 (BEGIN)
  for (guint i = 0; i < n; i += 32) {
    const __m256i v = _mm256_loadu_si256 ((const __m256i *) (bytes + i));

    EACH_OF_8 (COMPARE)
  }
  EACH_OF_8 (SUM)
  low = _mm256_or_si256 (
      _mm256_or_si256 (counts[0], counts[1]), _mm256_or_si256 (counts[2], counts[3]));
  high = _mm256_or_si256 (
      _mm256_or_si256 (counts[4], counts[5]), _mm256_or_si256 (counts[6], counts[7]));
  low = _mm256_add_epi16 (_mm256_unpacklo_epi64 (low, high), _mm256_unpackhi_epi64 (low, high));
  eight = _mm_add_epi16 (_mm256_castsi256_si128 (low), _mm256_extracti128_si256 (low, 1));
  high = _mm256_loadu_si256 ((const __m256i *) (table + first));
  high = _mm256_add_epi32 (high, _mm256_cvtepu16_epi32 (eight));
  _mm256_storeu_si256 ((__m256i *) (table + first), high);
}

/* @n is a multiple of 32. */
GST_GLES_CPU_NEWER static inline void
count_block (const guint8 *bytes, guint n, guint32 *tables)
{
  __m256i least = _mm256_loadu_si256 ((const __m256i *) bytes), most = least;
  guint first, last, n_eights;

  __builtin_prefetch (bytes + AHEAD);
  __builtin_prefetch (bytes + AHEAD + 64);

  for (guint i = 32; i < n; i += 32) {
    const __m256i v = _mm256_loadu_si256 ((const __m256i *) (bytes + i));

    least = _mm256_min_epu8 (least, v);
    most = _mm256_max_epu8 (most, v);
  }
  first = least_byte (least);
  last = 255 - least_byte (_mm256_xor_si256 (most, _mm256_set1_epi8 (-1)));
  if (first == last) {
    tables[first] += n;
    return;
  }
  n_eights = (last - first) / 8 + 1;
  if (n_eights > MAX_EIGHTS) {
    count_each (bytes, n, tables);
    return;
  }
  first = MIN (first, 256 - 8 * n_eights);
  for (guint i = 0; i < n_eights; i++)
    count_eight (bytes, n, first + 8 * i, tables);
}

GST_GLES_CPU_NEWER static void
count_blocks (const guint8 *bytes, guint n, guint32 *tables)
{
  for (; n >= 32; bytes += MIN (n & ~31u, BLOCK), n -= MIN (n & ~31u, BLOCK))
    count_block (bytes, MIN (n & ~31u, BLOCK), tables);
  count_each (bytes, n, tables);
}

#else
#define count_blocks count_each
#endif

void
gst_gles_cpu_count_bytes (const guint8 *bytes, guint n, guint32 *tables)
{
  if (gst_gles_cpu_is_newer ())
    count_blocks (bytes, n, tables);
  else
    count_each (bytes, n, tables);
}
