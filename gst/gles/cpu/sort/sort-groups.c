/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Leaves of 32-bit keys without payload of which all bits are sorted by. Equal keys are then
 * identical, so the sort need not be stable: one digit splits the leaf into groups of a few keys,
 * and a bitonic sorting network in vector registers sorts each group (Batcher 1968). */
#include <gst/gles/cpu/sort/sort-private.h>

#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#define GROUPS 1
#include <immintrin.h>
#else
#define GROUPS 0
#endif

#if GROUPS

#define AVX2 __attribute__ ((target ("avx2")))

/* The largest group of a network. A digit leaves at most half of that in a group on average, so
 * that few groups are larger. */
#define GROUP 16
#define AVERAGE_BITS 3

/* The widest digit, for leaves of 64 Ki keys. */
#define MAX_BITS 13

/* A leaf is sorted by digits instead if more than one of so many keys is in a larger group. */
#define MAX_CROWDED 8

/* The keys that a digit splits into groups. */
typedef struct {
  guint32 *keys, *temp; /* n words each */
  gsize first;          /* index in the output */
  gsize n;
  const guint32 *ends; /* end of each group */
  guint count;
} Groups;

gboolean
gst_gles_cpu_sort_groups_available (void)
{
  return __builtin_cpu_supports ("avx2") != 0;
}

/* Lanes whose bit of @takes_max is set receive the larger value. */
#define EXCHANGE(v, w, takes_max)                                                                  \
  _mm256_blend_epi32 (_mm256_min_epu32 (v, w), _mm256_max_epu32 (v, w), takes_max)

/* Swaps lane i with lane i ^ 1, i ^ 2, i ^ 4. */
#define SWAP_1(v) _mm256_shuffle_epi32 (v, 0xb1)
#define SWAP_2(v) _mm256_shuffle_epi32 (v, 0x4e)
#define SWAP_4(v) _mm256_permute2x128_si256 (v, v, 1)

/* Sort a bitonic sequence of eight, ascending or descending. */
static inline AVX2 __m256i
merge_up (__m256i v)
{
  v = EXCHANGE (v, SWAP_4 (v), 0xf0);
  v = EXCHANGE (v, SWAP_2 (v), 0xcc);
  return EXCHANGE (v, SWAP_1 (v), 0xaa);
}

static inline AVX2 __m256i
merge_down (__m256i v)
{
  v = EXCHANGE (v, SWAP_4 (v), 0x0f);
  v = EXCHANGE (v, SWAP_2 (v), 0x33);
  return EXCHANGE (v, SWAP_1 (v), 0x55);
}

/* Sorts the first four lanes ascending and the last four descending, which makes a bitonic
 * sequence. */
static inline AVX2 __m256i
sort_fours (__m256i v)
{
  v = EXCHANGE (v, SWAP_1 (v), 0x66);
  v = EXCHANGE (v, SWAP_2 (v), 0x3c);
  return EXCHANGE (v, SWAP_1 (v), 0x5a);
}

static inline AVX2 void
sort_16 (__m256i *a, __m256i *b)
{
  __m256i up = merge_up (sort_fours (*a)), down = merge_down (sort_fours (*b));

  *a = merge_up (_mm256_min_epu32 (up, down));
  *b = merge_up (_mm256_max_epu32 (up, down));
}

/* Converts keys to the caller's words. */
static inline AVX2 __m256i
words_of_keys (const GstGlesCpuSortArrays *arrays, __m256i keys)
{
  __m256i words = _mm256_xor_si256 (keys, _mm256_set1_epi32 ((gint) arrays->flip));
  __m256i signs = _mm256_srai_epi32 (words, 31);

  return _mm256_xor_si256 (
      words, _mm256_and_si256 (signs, _mm256_set1_epi32 ((gint) arrays->sign_mask)));
}

/* Sorts up to sixteen keys. @writable: words from @out on that may be overwritten; those after the
 * keys receive undefined values. */
static inline AVX2 void
sort_group (
    const GstGlesCpuSortArrays *arrays, const guint32 *keys, gsize n, guint32 *out, gsize writable)
{
  const __m256i lanes = _mm256_setr_epi32 (0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i ones = _mm256_set1_epi32 (-1);
  __m256i absent_a = _mm256_cmpgt_epi32 (lanes, _mm256_set1_epi32 ((gint) n - 1));
  __m256i absent_b = _mm256_cmpgt_epi32 (lanes, _mm256_set1_epi32 ((gint) n - 9));
  __m256i present_a = _mm256_xor_si256 (absent_a, ones);
  __m256i present_b = _mm256_xor_si256 (absent_b, ones);
  __m256i a = _mm256_maskload_epi32 ((const gint *) keys, present_a);
  __m256i b = _mm256_maskload_epi32 ((const gint *) keys + 8, present_b);

  a = _mm256_or_si256 (a, absent_a);
  b = _mm256_or_si256 (b, absent_b);
  sort_16 (&a, &b);
  a = words_of_keys (arrays, a);
  b = words_of_keys (arrays, b);
  if (G_LIKELY (writable >= GROUP)) {
    _mm256_storeu_si256 ((__m256i *) (gpointer) out, a);
    _mm256_storeu_si256 ((__m256i *) (gpointer) (out + 8), b);
  } else {
    _mm256_maskstore_epi32 ((gint *) out, present_a, a);
    _mm256_maskstore_epi32 ((gint *) out + 8, present_b, b);
  }
}

/* Returns the most significant digit of @varying that leaves few keys in a group. */
static GstGlesCpuDigit
choose_digit (gsize n, guint64 varying)
{
  guint low = (guint) __builtin_ctzll (varying), end = 64 - (guint) __builtin_clzll (varying);
  guint log2_n = 63 - (guint) __builtin_clzll (n);
  guint bits = MIN (MIN (log2_n - AVERAGE_BITS + 1, MAX_BITS), end - low);

  return (GstGlesCpuDigit){ end - bits, (1u << bits) - 1 };
}

/* Counts a digit; @begins receives the start of each group. Returns how many keys are in groups of
 * more than GROUP keys. */
static gsize
find_groups (const guint32 *keys, gsize n, GstGlesCpuDigit digit, guint32 *begins)
{
  guint32 sum = 0;
  gsize n_crowded = 0;

  memset (begins, 0, (digit.mask + 1) * sizeof begins[0]);
  for (gsize i = 0; i < n; i++)
    begins[(keys[i] >> digit.shift) & digit.mask]++;
  for (guint g = 0; g <= digit.mask; g++) {
    guint32 count = begins[g];

    n_crowded += count > GROUP ? count : 0;
    begins[g] = sum;
    sum += count;
  }
  return n_crowded;
}

/* Sorts by digits, alternating between @keys and @temp. */
static void
sort_by_digits (const GstGlesCpuSortArrays *arrays, guint32 *keys, gsize first, gsize n,
    guint64 varying, guint32 *temp)
{
  gpointer temps[2] = { temp, keys };

  gst_gles_cpu_sort_store (
      arrays, first, n, gst_gles_cpu_elements_32.leaf (keys, n, varying, temps));
}

static AVX2 void
sort_groups (const GstGlesCpuSortArrays *arrays, const Groups *groups, guint64 varying)
{
  gsize begin = 0;

  for (guint g = 0; g < groups->count; g++) {
    gsize n = groups->ends[g] - begin;

    if (G_LIKELY (n <= GROUP))
      sort_group (arrays, groups->keys + begin, n, arrays->keys_out + groups->first + begin,
          groups->n - begin);
    else
      sort_by_digits (
          arrays, groups->keys + begin, groups->first + begin, n, varying, groups->temp + begin);
    begin += n;
  }
}

void
gst_gles_cpu_sort_groups (const GstGlesCpuSortArrays *arrays, guint32 *keys, gsize first, gsize n,
    guint64 varying, guint32 *temp)
{
  guint32 ends[1 << MAX_BITS];
  GstGlesCpuDigit digit;

  if (n <= GROUP) {
    ends[0] = (guint32) n;
    sort_groups (arrays, &(Groups){ keys, temp, first, n, ends, 1 }, varying);
    return;
  }
  if (varying == 0) {
    gst_gles_cpu_sort_store (arrays, first, n, keys);
    return;
  }
  digit = choose_digit (n, varying);
  if (find_groups (keys, n, digit, ends) > n / MAX_CROWDED) {
    sort_by_digits (arrays, keys, first, n, varying, temp);
    return;
  }
  for (gsize i = 0; i < n; i++)
    temp[ends[(keys[i] >> digit.shift) & digit.mask]++] = keys[i];
  sort_groups (arrays, &(Groups){ temp, keys, first, n, ends, digit.mask + 1 },
      varying & (((guint64) 1 << digit.shift) - 1));
}

#else

gboolean
gst_gles_cpu_sort_groups_available (void)
{
  return FALSE;
}

void
gst_gles_cpu_sort_groups (const GstGlesCpuSortArrays *arrays, guint32 *keys, gsize first, gsize n,
    guint64 varying, guint32 *temp)
{
  g_assert_not_reached ();
}

#endif
