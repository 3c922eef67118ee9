/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cpu-arrays.h"

#include <gst/gles/cpu/unique.h>

/* Compares the twin with a loop that keeps a key if it differs from the one before. */
static void
check_keys (guint key_words, const guint32 *keys, guint n)
{
  gsize key_bytes = 4 * key_words;
  g_autofree guint32 *want = g_new (guint32, (n + 1) * key_words);
  guint n_runs = 0;

  for (guint i = 0; i < n; i++) {
    const guint32 *key = keys + (gsize) i * key_words;

    if (i == 0 || memcmp (key, key - key_words, key_bytes) != 0)
      memcpy (want + n_runs++ * key_words, key, key_bytes);
  }
  const guint capacities[] = { n, n_runs, n_runs / 2, 0 };
  for (guint i = 0; i < G_N_ELEMENTS (capacities); i++) {
    guint32 *output = guarded_new (capacities[i] * key_words);

    g_assert_cmpuint (gst_gles_cpu_unique (key_words, keys, n, output, capacities[i]), ==, n_runs);
    guarded_check (
        output, want, MIN (n_runs, capacities[i]) * key_words, capacities[i] * key_words, "output");
  }
}

static void
check_array (Pattern pattern, const guint32 *words, guint n)
{
  check_keys (1, words, n);
  check_keys (2, words, n / 2);
}

int
main (int argc, char **argv)
{
  static const ArraysTest tests[] = { { "patterns", check_array }, { 0 } };

  return arrays_main (argc, argv, tests);
}
