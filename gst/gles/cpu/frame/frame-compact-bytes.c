/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dense 8-bit samples are tested without conversion, 64 at a time. */
#include <gst/gles/cpu/frame/frame-compact-private.h>

#include <string.h>

#include <gst/gles/cpu/lib/newer.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#define INDEX_BITS GST_GLES_CPU_INDEX_BITS

/* Tests 64 samples, or their distances from @before (nullable). */
G_ALWAYS_INLINE static inline guint64
test_bytes (const guint8 *bytes, const guint8 *before, GstGlesU8x16 lower, GstGlesU8x16 spans)
{
  GstGlesU8x16 flags[4];

  for (guint i = 0; i < 4; i++) {
    GstGlesU8x16 v = gst_gles_u8x16_load (bytes + 16 * i);

    if (before != NULL)
      v = GST_GLES_DISTANCE (GstGlesU8x16, v, gst_gles_u8x16_load (before + 16 * i));
    flags[i] = (GstGlesU8x16) (v - lower <= spans);
  }
  return gst_gles_cpu_gather_flags (flags);
}

/* Lists the samples whose bits are set, of 64 samples from index @first on. Returns how many. */
static inline guint
list_few (const guint8 *bytes, const guint8 *before, guint64 bits, guint first, guint32 *entries)
{
  guint count = 0;

  for (; bits != 0; bits &= bits - 1) {
    const guint k = (guint) __builtin_ctzll (bits);
    const guint value = before != NULL ? (guint) ABS ((gint) bytes[k] - before[k]) : bytes[k];

    entries[count++] = value << INDEX_BITS | (first + k);
  }
  return count;
}

#ifdef __x86_64__

/* From so many of 64 samples on, list_many() is faster. */
#define MANY 6

/* For each byte of bits: the numbers of the bits that are set, from the lowest byte on. */
static guint64 orders[256];

static void
fill_orders (void)
{
  static gsize filled = 0;

  if (!g_once_init_enter (&filled))
    return;
  for (guint bits = 0; bits < 256; bits++) {
    guint n = 0;

    for (guint k = 0; k < 8; k++) {
      if (bits >> k & 1)
        orders[bits] |= (guint64) k << 8 * n++;
    }
  }
  g_once_init_leave (&filled, 1);
}

/* The same as list_few(), eight samples at a time. Entries after the last are overwritten. */
GST_GLES_CPU_NEWER static guint
list_many (const guint8 *bytes, const guint8 *before, guint64 bits, guint first, guint32 *entries)
{
  __m256i index = _mm256_add_epi32 (
      _mm256_set1_epi32 ((gint) first), _mm256_setr_epi32 (0, 1, 2, 3, 4, 5, 6, 7));
  guint count = 0;

  for (guint i = 0; i < 64; i += 8, bits >>= 8) {
    const __m128i order = _mm_loadl_epi64 ((const __m128i *) &orders[bits & 0xff]);
    __m128i v = _mm_loadl_epi64 ((const __m128i *) (bytes + i));
    __m256i listed;

    if (before != NULL) {
      const __m128i w = _mm_loadl_epi64 ((const __m128i *) (before + i));
      v = _mm_or_si128 (_mm_subs_epu8 (v, w), _mm_subs_epu8 (w, v));
    }
    listed = _mm256_or_si256 (_mm256_slli_epi32 (_mm256_cvtepu8_epi32 (v), INDEX_BITS), index);
    listed = _mm256_permutevar8x32_epi32 (listed, _mm256_cvtepu8_epi32 (order));
    _mm256_storeu_si256 ((__m256i *) (entries + count), listed);
    count += (guint) __builtin_popcount ((guint) bits & 0xff);
    index = _mm256_add_epi32 (index, _mm256_set1_epi32 (8));
  }
  return count;
}

#else

#define MANY 65
#define fill_orders()
#define list_many list_few

#endif

/* Lists those samples of @row that pass, with @before in place of row->before, so that compilers
 * know where it is NULL. Returns their number. */
G_ALWAYS_INLINE static inline guint
list_bytes (const GstGlesCpuFrameCompactCall *call, const GstGlesCpuByteRow *row,
    const guint8 *before, guint32 *entries, gboolean newer)
{
  const guint x = row->x, y = row->y, n = row->n;
  const guint8 *bytes = row->bytes;
  GstGlesU8x16 lower = { 0 }, spans = { 0 };
  guint8 last[2][64] = { { 0 } };
  guint count = 0;

  lower += (guint8) call->lower;
  spans += (guint8) (MIN (call->upper, 255) - call->lower);
  for (guint i = 0; i < n; i += 64) {
    const guint8 *v = bytes + i, *w = before != NULL ? before + i : NULL;
    guint64 bits;

    if (n - i < 64) {
      v = memcpy (last[0], v, n - i);
      w = w != NULL ? memcpy (last[1], w, n - i) : NULL;
    }
    bits = test_bytes (v, w, lower, spans) & gst_gles_cpu_first_bits (n - i);
    if (call->mask != NULL && bits != 0)
      bits &= gst_gles_cpu_mask_bits (call, x + i, y);
    if (newer && __builtin_popcountll (bits) >= MANY)
      count += list_many (v, w, bits, i, entries + count);
    else
      count += list_few (v, w, bits, i, entries + count);
  }
  return count;
}

static guint
list_bytes_plain (
    const GstGlesCpuFrameCompactCall *call, const GstGlesCpuByteRow *row, guint32 *entries)
{
  if (row->before == NULL)
    return list_bytes (call, row, NULL, entries, FALSE);
  return list_bytes (call, row, row->before, entries, FALSE);
}

GST_GLES_CPU_NEWER static guint
list_bytes_newer (
    const GstGlesCpuFrameCompactCall *call, const GstGlesCpuByteRow *row, guint32 *entries)
{
  if (row->before == NULL)
    return list_bytes (call, row, NULL, entries, TRUE);
  return list_bytes (call, row, row->before, entries, TRUE);
}

guint
gst_gles_cpu_frame_compact_list_bytes (
    const GstGlesCpuFrameCompactCall *call, const GstGlesCpuByteRow *row, guint32 *entries)
{
  if (!gst_gles_cpu_is_newer ())
    return list_bytes_plain (call, row, entries);
  fill_orders ();
  return list_bytes_newer (call, row, entries);
}
