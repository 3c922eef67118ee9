/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cpu-arrays.h"

#include <gst/gles/cpu/sort.h>

/* ---- the expected order, without the library's key transform ---- */

/* A number that grows with the key, 0 to 2^64 - 1. */
static guint64
rank_of (GstGlesValueType type, const guint32 *key)
{
  gint64 place;

  if (type == GST_GLES_VALUE_U64)
    return key[0] | (guint64) key[1] << 32;
  if (type == GST_GLES_VALUE_U32)
    return key[0];
  if (type == GST_GLES_VALUE_I32)
    return (guint64) ((gint64) (gint32) key[0] + ((gint64) 1 << 31));
  place = key[0] >> 31 != 0 ? -1 - (gint64) (key[0] & 0x7fffffff) : (gint64) key[0];
  return (guint64) (place + ((gint64) 1 << 31));
}

/* The bits of the rank that count, so that smaller comes first. */
static guint64
sort_rank (const GstGlesCpuSortConfig *config, const guint32 *key)
{
  guint64 rank = rank_of (config->type, key);
  guint n_bits = config->end_bit - config->begin_bit;

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
      fail ("place %u of %u is %u", i, n, places[i]);
    rank = sort_rank (config, keys + (gsize) places[i] * words);
    if (i > 0 && (rank < last_rank || (rank == last_rank && places[i] <= places[i - 1])))
      fail ("place %u of %u is out of order", i, n);
    last_rank = rank;
  }
}

/* ---- all forms of one sort ---- */

typedef struct {
  const GstGlesCpuSortConfig *config;
  const guint32 *keys;
  guint n;
  gsize n_words; /* of all keys */
  guint32 *places;
  guint32 *sorted;
} Case;

static void
run_sort (const Case *c, const guint32 *keys, const guint32 *payload, guint32 *keys_out,
    guint32 *payload_out)
{
  gsize size = gst_gles_cpu_sort_scratch_bytes (c->config, c->n, payload_out != NULL);
  guint32 *scratch;

  fail_unless (size > 0);
  scratch = scratch_new (size);
  gst_gles_cpu_sort (
      c->config, keys, payload, keys_out, payload_out, c->n, scratch_memory (scratch));
  scratch_finish (scratch, size, "sort");
}

static void
check_equal (const guint32 *got, const guint32 *wanted, gsize n, const gchar *what)
{
  if (n > 0 && memcmp (got, wanted, n * sizeof got[0]) != 0)
    fail ("%s of %" G_GSIZE_FORMAT " differ", what, n);
}

/* Places instead of a payload: what the other forms are compared with. */
static void
check_indexed (Case *c)
{
  guint words = gst_gles_cpu_type_words (c->config->type);

  run_sort (c, c->keys, NULL, c->sorted, c->places);
  check_places (c->config, c->keys, c->places, c->n);
  for (guint i = 0; i < c->n; i++) {
    const guint32 *wanted = c->keys + (gsize) c->places[i] * words;

    if (memcmp (c->sorted + (gsize) i * words, wanted, words * 4) != 0)
      fail ("key %u of %u is not that of its payload", i, c->n);
  }
}

static void
check_payload (const Case *c)
{
  guint32 *payload = guarded_new (c->n), *keys = guarded_new (c->n_words);
  guint32 *wanted = guarded_new (c->n);

  pattern_fill (PATTERN_RANDOM, c->n + 1, payload, c->n);
  for (guint i = 0; i < c->n; i++)
    wanted[i] = payload[c->places[i]];
  if (c->n > 0)
    memcpy (keys, c->keys, c->n_words * sizeof keys[0]);
  run_sort (c, keys, payload, keys, payload); /* in place */
  check_equal (keys, c->sorted, c->n_words, "keys in place");
  check_equal (payload, wanted, c->n, "payloads in place");
  guarded_finish (payload, c->n, c->n, "payload");
  guarded_finish (keys, c->n_words, c->n_words, "keys");
  guarded_finish (wanted, c->n, c->n, "wanted");
}

static void
check_keys_only (const Case *c)
{
  guint32 *keys = guarded_new (c->n_words);

  run_sort (c, c->keys, NULL, keys, NULL);
  check_equal (keys, c->sorted, c->n_words, "keys alone");
  guarded_finish (keys, c->n_words, c->n_words, "keys");
}

static void
check_sort (const GstGlesCpuSortConfig *config, const guint32 *keys, guint n)
{
  gsize n_words = (gsize) n * gst_gles_cpu_type_words (config->type);
  Case c = { config, keys, n, n_words, guarded_new (n), guarded_new (n_words) };

  check_indexed (&c);
  check_payload (&c);
  check_keys_only (&c);
  guarded_finish (c.places, n, n, "places");
  guarded_finish (c.sorted, n_words, n_words, "sorted keys");
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

GST_START_TEST (types_and_orders)
{
  for_each_array (check_types);
}
GST_END_TEST;

GST_START_TEST (bit_ranges)
{
  static const struct {
    guint begin, end;
  } ranges[] = { { 0, 0 }, { 7, 7 }, { 32, 32 }, { 0, 1 }, { 31, 32 }, { 0, 8 }, { 4, 12 },
    { 3, 20 }, { 24, 32 }, { 5, 32 }, { 11, 13 }, { 0, 64 }, { 63, 64 }, { 30, 35 }, { 20, 64 } };
  static const guint sizes[] = { 1, 20, 1000, 33000, 70000 };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    g_autofree guint32 *words = g_new (guint32, 2 * sizes[s]);

    pattern_fill (s % 2 != 0 ? PATTERN_FLOATS : PATTERN_AND_2, s, words, 2 * sizes[s]);
    for (guint r = 0; r < G_N_ELEMENTS (ranges); r++) {
      for (guint i = 0; i < 8; i++) {
        GstGlesCpuSortConfig config =
            gst_gles_cpu_sort_config ((GstGlesValueType) (i / 2), i % 2 != 0);

        if (ranges[r].end > config.end_bit)
          continue;
        config.begin_bit = ranges[r].begin;
        config.end_bit = ranges[r].end;
        check_sort (&config, words, sizes[s]);
      }
    }
  }
}
GST_END_TEST;

/* ---- keys that are split more than once, and unevenly ---- */

/* The upper bytes of keys are often 0, so the bucket of 0 takes most keys and is divided again. */
GST_START_TEST (uneven_keys)
{
  enum {
    N = 1500000
  };
  g_autofree guint32 *words = g_new (guint32, N);
  GstGlesCpuSortConfig config = gst_gles_cpu_sort_config (GST_GLES_VALUE_U32, FALSE);
  Random random = { 6 };

  for (guint i = 0; i < N; i++) {
    guint32 word = random_word (&random);

    words[i] = word >> (word % 4 == 0 ? 0 : 8 * (random_word (&random) % 4));
  }
  check_sort (&config, words, N);
  for (guint i = 0; i < N; i++)
    words[i] = random_word (&random) % 10 != 0 ? 0x12345678u : random_word (&random);
  config.descending = TRUE;
  check_sort (&config, words, N);
}
GST_END_TEST;

/* The depths of splats: few exponents, so that few groups have all. */
GST_START_TEST (depths)
{
  enum {
    N = 800000
  };
  g_autofree guint32 *words = g_new (guint32, N);
  GstGlesCpuSortConfig config = gst_gles_cpu_sort_config (GST_GLES_VALUE_F32, FALSE);
  Random random = { 7 };

  for (guint i = 0; i < N; i++) {
    gfloat depth = (gfloat) (random_word (&random) >> 8) / (1 << 24) * 100;

    memcpy (&words[i], &depth, sizeof depth);
  }
  check_sort (&config, words, N);
}
GST_END_TEST;

/* u64 keys that differ in one of their words only. */
GST_START_TEST (words_of_u64)
{
  enum {
    N = 200000
  };
  g_autofree guint32 *words = g_new0 (guint32, 2 * N);
  GstGlesCpuSortConfig config = gst_gles_cpu_sort_config (GST_GLES_VALUE_U64, FALSE);
  Random random = { 8 };

  for (guint part = 0; part < 2; part++) {
    for (guint i = 0; i < N; i++) {
      words[2 * i + part] = random_word (&random);
      words[2 * i + 1 - part] = 0xffffffff;
    }
    check_sort (&config, words, N);
    config.descending = !config.descending;
  }
}
GST_END_TEST;

/* ---- sizes ---- */

GST_START_TEST (scratch_that_cannot_be)
{
  GstGlesCpuSortConfig config = gst_gles_cpu_sort_config (GST_GLES_VALUE_U64, FALSE);

  fail_unless_equals_uint64 (gst_gles_cpu_sort_scratch_bytes (&config, G_MAXSIZE, TRUE), 0);
  fail_unless_equals_uint64 (gst_gles_cpu_sort_scratch_bytes (&config, G_MAXSIZE / 16, TRUE), 0);
  fail_unless (gst_gles_cpu_sort_scratch_bytes (&config, 1000, TRUE) >= 2 * 1000 * 12);
}
GST_END_TEST;

/* Scratch memory for more keys is enough for fewer, so that a plan can allocate once. */
GST_START_TEST (scratch_grows_with_n)
{
  for (guint i = 0; i < 8; i++) {
    GstGlesCpuSortConfig config = gst_gles_cpu_sort_config ((GstGlesValueType) (i / 2), FALSE);
    gsize last = 0;

    for (gsize n = 0; n < 4000000; n += n / 50 + 1) {
      gsize size = gst_gles_cpu_sort_scratch_bytes (&config, n, i % 2 != 0);

      if (size < last)
        fail ("scratch for %" G_GSIZE_FORMAT " keys is less than for fewer", n);
      last = size;
    }
  }
}
GST_END_TEST;

static void
sort_often (void)
{
  enum {
    N = 120000
  };
  g_autofree guint32 *words = g_new (guint32, N);
  GstGlesCpuSortConfig config = gst_gles_cpu_sort_config (GST_GLES_VALUE_U32, FALSE);

  pattern_fill (PATTERN_AND_3, 4, words, N);
  for (guint i = 0; i < 8; i++)
    check_sort (&config, words, N);
}

GST_START_TEST (several_threads_at_once)
{
  on_several_threads (sort_often);
}
GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, types_and_orders);
  tcase_add_test (tcase, bit_ranges);
  tcase_add_test (tcase, uneven_keys);
  tcase_add_test (tcase, depths);
  tcase_add_test (tcase, words_of_u64);
  tcase_add_test (tcase, scratch_that_cannot_be);
  tcase_add_test (tcase, scratch_grows_with_n);
  tcase_add_test (tcase, several_threads_at_once);
}

int
main (int argc, char **argv)
{
  return arrays_main (argc, argv, "cpu-sort", add_tests);
}
