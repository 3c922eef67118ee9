/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cpu-arrays.h"

#include <gst/gles/cpu/unique.h>

/* Compares the twin with a loop that keeps a key if it differs from the last one that was kept. */
static void
check_capacity (guint key_words, const guint32 *keys, guint n, gsize capacity, guint n_runs)
{
  gsize key_bytes = 4 * key_words, at = 0;
  guint32 *output = guarded_new (capacity * key_words);
  const guint32 *last = NULL;

  fail_unless_equals_uint64 (gst_gles_cpu_unique (key_words, keys, n, output, capacity), n_runs);
  for (guint i = 0; i < n && at < capacity; i++) {
    const guint32 *key = keys + (gsize) i * key_words;

    if (last != NULL && memcmp (key, last, key_bytes) == 0)
      continue;
    if (memcmp (output + at * key_words, key, key_bytes) != 0)
      fail ("run %" G_GSIZE_FORMAT " of %u keys of %u words", at, n, key_words);
    last = key;
    at++;
  }
  guarded_finish (output, at * key_words, capacity * key_words, "output");
}

static void
check_keys (guint key_words, const guint32 *keys, guint n)
{
  gsize key_bytes = 4 * key_words;
  guint n_runs = 0;

  for (guint i = 0; i < n; i++) {
    const guint32 *key = keys + (gsize) i * key_words;
    n_runs += i == 0 || memcmp (key, key - key_words, key_bytes) != 0;
  }
  check_capacity (key_words, keys, n, n, n_runs);
  check_capacity (key_words, keys, n, n_runs, n_runs);
  check_capacity (key_words, keys, n, n_runs / 2, n_runs);
  check_capacity (key_words, keys, n, 0, n_runs);
}

static void
check_array (Pattern pattern, const guint32 *words, guint n)
{
  check_keys (1, words, n);
  check_keys (2, words, n / 2);
}

GST_START_TEST (patterns)
{
  for_each_array (check_array);
}
GST_END_TEST;

/* Long runs, which begin and end anywhere in a chunk. */
GST_START_TEST (runs)
{
  enum {
    N = 300000
  };
  g_autofree guint32 *keys = g_new (guint32, N);

  for (guint length = 1; length <= 2 * N; length = 3 * length + 1) {
    for (guint i = 0; i < N; i++)
      keys[i] = i / length;
    check_keys (1, keys, N);
    check_keys (2, keys, N / 2);
  }
}
GST_END_TEST;

static void
add (TCase *tcase)
{
  tcase_set_timeout (tcase, 120);
  tcase_add_test (tcase, patterns);
  tcase_add_test (tcase, runs);
}

int
main (int argc, char **argv)
{
  return arrays_main (argc, argv, "cpu-unique", add);
}
