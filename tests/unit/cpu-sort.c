/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cpu-arrays.h"

#include <gst/gles/cpu/sort/sort.h>

/* ---- the expected order, without the library's key transform ---- */

/* The bits that count of a number that grows with the key, so that smaller comes first. */
static guint64
rank_of (const GstGlesCpuSortConfig *config, const guint32 *key)
{
  guint n_bits = config->end_bit - config->begin_bit;
  guint64 rank;

  if (config->type == GST_GLES_VALUE_U64)
    rank = key[0] | (guint64) key[1] << 32;
  else if (config->type == GST_GLES_VALUE_U32)
    rank = key[0];
  else
    rank = (guint64) (place_of (config->type, key[0]) + ((gint64) 1 << 31));
  if (config->descending)
    rank = ~rank;
  rank >>= n_bits > 0 ? config->begin_bit : 0;
  return n_bits < 64 ? rank & (((guint64) 1 << n_bits) - 1) : rank;
}

/* Whether @places is the order of a stable sort: it is a permutation when pairs of rank and place
 * ascend strictly and all places are below @n. */
static void
check_places (
    const GstGlesCpuSortConfig *config, const guint32 *keys, const guint32 *places, guint n)
{
  guint words = gst_gles_cpu_type_words (config->type);
  guint64 last_rank = 0;

  for (guint i = 0; i < n; i++) {
    guint64 rank;

    if (places[i] >= n)
      g_error ("place %u of %u is %u", i, n, places[i]);
    rank = rank_of (config, keys + (gsize) places[i] * words);
    if (i > 0 && (rank < last_rank || (rank == last_rank && places[i] <= places[i - 1])))
      g_error ("place %u of %u is out of order", i, n);
    last_rank = rank;
  }
}

/* ---- all forms of one sort ---- */

static void
run_sort (const GstGlesCpuSortConfig *config, guint n, const guint32 *keys, const guint32 *payload,
    guint32 *keys_out, guint32 *payload_out)
{
  gsize size = gst_gles_cpu_sort_scratch_bytes (config, n, payload_out != NULL);
  guint32 *scratch;

  g_assert_cmpuint (size, >, 0);
  scratch = scratch_new (size);
  gst_gles_cpu_sort (
      config, &(GstGlesCpuSortBuffers){ keys, payload, keys_out, payload_out }, n, scratch);
  scratch_finish (scratch, size, "scratch memory of the sort");
}

static void
check_sort (const GstGlesCpuSortConfig *config, const guint32 *keys, guint n)
{
  guint words = gst_gles_cpu_type_words (config->type);
  gsize n_words = (gsize) n * words;
  g_autofree guint32 *payload = g_new (guint32, n + 1), *want_payload = g_new (guint32, n + 1);
  g_autofree guint32 *want = g_new (guint32, n_words + 1), *want_places = g_new (guint32, n + 1);
  guint32 *places = guarded_new (n), *sorted = guarded_new (n_words);

  /* places instead of a payload: what the other forms are compared with */
  run_sort (config, n, keys, NULL, sorted, places);
  check_places (config, keys, places, n);
  pattern_fill (PATTERN_RANDOM, n + 1, payload, n);
  for (guint i = 0; i < n; i++) {
    want_places[i] = places[i];
    want_payload[i] = payload[places[i]];
    memcpy (want + (gsize) i * words, keys + (gsize) places[i] * words, words * 4);
  }
  guarded_check (places, want_places, n, n, "places");
  guarded_check (sorted, want, n_words, n_words, "keys with places");

  sorted = guarded_copy (keys, n_words);
  places = guarded_copy (payload, n);
  run_sort (config, n, sorted, places, sorted, places);
  guarded_check (sorted, want, n_words, n_words, "keys in place");
  guarded_check (places, want_payload, n, n, "payloads in place");

  sorted = guarded_new (n_words);
  run_sort (config, n, keys, NULL, sorted, NULL);
  guarded_check (sorted, want, n_words, n_words, "keys alone");
}

/* ---- words as keys of every type ---- */

static void
check_types (Pattern pattern, const guint32 *words, guint n)
{
  guint step = n <= SMALL_SIZE ? 1 : n <= 40000 ? 3 : 8;

  for (guint i = (n + pattern) % step; i < 8; i += step) {
    GstGlesValueType type = (GstGlesValueType) (i / 2);
    GstGlesCpuSortConfig config = gst_gles_cpu_sort_config (type, i % 2 != 0);

    check_sort (&config, words, n / gst_gles_cpu_type_words (type));
  }
}

static void
bit_ranges (void)
{
  static const guint ranges[][2] = { { 0, 0 }, { 7, 7 }, { 32, 32 }, { 0, 1 }, { 31, 32 }, { 0, 8 },
    { 4, 12 }, { 3, 20 }, { 24, 32 }, { 5, 32 }, { 11, 13 }, { 0, 64 }, { 63, 64 }, { 30, 35 },
    { 20, 64 } };
  static const guint sizes[] = { 1, 20, 1000, 33000, 70000 };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    g_autofree guint32 *words = g_new (guint32, 2 * sizes[s]);
    guint step = sizes[s] <= SMALL_SIZE ? 1 : 3;

    pattern_fill (s % 2 != 0 ? PATTERN_FLOATS : PATTERN_AND_2, s, words, 2 * sizes[s]);
    for (guint r = 0; r < G_N_ELEMENTS (ranges); r++) {
      for (guint i = (r + s) % step; i < 8; i += step) {
        GstGlesCpuSortConfig config =
            gst_gles_cpu_sort_config ((GstGlesValueType) (i / 2), i % 2 != 0);

        if (ranges[r][1] > config.end_bit)
          continue;
        config.begin_bit = ranges[r][0];
        config.end_bit = ranges[r][1];
        check_sort (&config, words, sizes[s]);
      }
    }
  }
}

/* ---- keys that are split more than once, and unevenly ---- */

typedef enum {
  SHIFTED, /* at random: the bucket of 0 takes most keys and is divided again */
  MOSTLY_EQUAL,
  DEPTHS, /* of splats: few exponents, so that few groups have all */
  LOW,    /* u64 keys that differ in one of their words only */
  HIGH
} Uneven;

static guint32
uneven_word (Uneven kind, Random *random, guint i)
{
  guint32 word = random_word (random);
  gfloat depth = (gfloat) (word >> 8) / (1 << 24) * 100;

  switch (kind) {
    case SHIFTED:
      return word >> (word % 4 == 0 ? 0 : 8 * (random_word (random) % 4));
    case MOSTLY_EQUAL:
      return word % 10 != 0 ? 0x12345678u : random_word (random);
    case DEPTHS:
      memcpy (&word, &depth, sizeof word);
      return word;
    default:
      return i % 2 == kind - LOW ? word : 0xffffffff;
  }
}

static void
uneven_keys (void)
{
  static const struct {
    Uneven kind;
    GstGlesValueType type;
    gboolean descending;
    guint n;
  } cases[] = { { SHIFTED, GST_GLES_VALUE_U32, FALSE, 1500000 },
    { MOSTLY_EQUAL, GST_GLES_VALUE_U32, TRUE, 1500000 },
    { DEPTHS, GST_GLES_VALUE_F32, FALSE, 800000 }, { LOW, GST_GLES_VALUE_U64, FALSE, 200000 },
    { HIGH, GST_GLES_VALUE_U64, TRUE, 200000 } };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++) {
    GstGlesCpuSortConfig config = gst_gles_cpu_sort_config (cases[c].type, cases[c].descending);
    guint n_words = cases[c].n * gst_gles_cpu_type_words (cases[c].type);
    g_autofree guint32 *words = g_new (guint32, n_words);
    Random random = { 6 + c };

    for (guint i = 0; i < n_words; i++)
      words[i] = uneven_word (cases[c].kind, &random, i);
    check_sort (&config, words, cases[c].n);
  }
}

/* ---- sizes ---- */

static void
scratch_that_cannot_be (void)
{
  GstGlesCpuSortConfig config = gst_gles_cpu_sort_config (GST_GLES_VALUE_U64, FALSE);

  g_assert_cmpuint (gst_gles_cpu_sort_scratch_bytes (&config, G_MAXSIZE, TRUE), ==, 0);
  g_assert_cmpuint (gst_gles_cpu_sort_scratch_bytes (&config, G_MAXSIZE / 16, TRUE), ==, 0);
  g_assert_cmpuint (gst_gles_cpu_sort_scratch_bytes (&config, 1000, TRUE), >=, 2 * 1000 * 12);
}

/* Scratch memory for more keys is enough for fewer, so that a plan can allocate once. */
static void
scratch_grows_with_n (void)
{
  for (guint i = 0; i < 8; i++) {
    GstGlesCpuSortConfig config = gst_gles_cpu_sort_config ((GstGlesValueType) (i / 2), FALSE);
    gsize last = 0;

    for (gsize n = 0; n < 4000000; n += n / 50 + 1) {
      gsize size = gst_gles_cpu_sort_scratch_bytes (&config, n, i % 2 != 0);

      g_assert_cmpuint (size, >=, last);
      last = size;
    }
  }
}

int
main (int argc, char **argv)
{
  static const ArraysTest tests[] = { { "types-and-orders", check_types },
    { "bit-ranges", NULL, bit_ranges }, { "uneven-keys", NULL, uneven_keys },
    { "scratch-that-cannot-be", NULL, scratch_that_cannot_be },
    { "scratch-grows-with-n", NULL, scratch_grows_with_n }, { 0 } };

  return arrays_main (argc, argv, tests);
}
