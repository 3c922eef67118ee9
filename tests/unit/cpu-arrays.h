/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the tests of the array algorithms' native twins. */
#ifndef CPU_ARRAYS_H
#define CPU_ARRAYS_H

#include <string.h>

#include <gst/gles/core/types.h>
#include <gst/gst.h>

#include "../twin/sort-cases.h"

/* ---- arrays whose surroundings are watched ---- */

#define GUARD_WORDS 37 /* odd: nothing is aligned by chance */
#define GUARD 0xca9a12e5u

/* An array of @n words between guards, filled with them too. */
static inline guint32 *
guarded_new (gsize n)
{
  guint32 *base = g_new (guint32, n + 2 * GUARD_WORDS);

  for (gsize i = 0; i < n + 2 * GUARD_WORDS; i++)
    base[i] = GUARD;
  return base + GUARD_WORDS;
}

static inline guint32 *
guarded_copy (const guint32 *words, gsize n)
{
  guint32 *copy = guarded_new (n);

  if (n > 0)
    memcpy (copy, words, n * sizeof copy[0]);
  return copy;
}

/* Fails when words @from to @n - 1 were written, or something around the array; then frees it. */
static inline void
guarded_finish (guint32 *words, gsize from, gsize n, const gchar *what)
{
  guint32 *base = words - GUARD_WORDS;

  for (gsize i = 0; i < n + 2 * GUARD_WORDS; i++) {
    if (i == GUARD_WORDS)
      i += from;
    if (base[i] != GUARD)
      g_error ("%s: word %" G_GSSIZE_FORMAT " of %" G_GSIZE_FORMAT " was written", what,
          (gssize) i - GUARD_WORDS, n);
  }
  g_free (base);
}

/* Fails unless the first @n_written words are @want and no others were written; then frees the
 * array, which may be NULL. */
static inline void
guarded_check (guint32 *words, const guint32 *want, gsize n_written, gsize n, const gchar *what)
{
  if (words == NULL)
    return;
  for (gsize i = 0; i < n_written; i++) {
    if (words[i] != want[i])
      g_error ("%s: word %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " is %08x, expected %08x", what,
          i, n, words[i], want[i]);
  }
  guarded_finish (words, n_written, n, what);
}

/* Scratch memory of exactly @size_bytes, aligned to 8 and not to more: g_new() aligns to 16. */
static inline guint32 *
scratch_new (gsize size_bytes)
{
  g_assert_cmpuint (size_bytes % 4, ==, 0);
  return guarded_new (size_bytes / 4 + 1) + 1;
}

static inline void
scratch_finish (guint32 *scratch, gsize size_bytes, const gchar *what)
{
  g_assert_cmphex (scratch[-1], ==, GUARD);
  guarded_finish (scratch - 1, size_bytes / 4 + 1, size_bytes / 4 + 1, what);
}

/* ---- the order of values, without the library's keys ---- */

/* A number that grows with the value: -0 is less than +0, and NaNs are at the ends. */
static inline gint64
place_of (GstGlesValueType type, guint32 word)
{
  if (type == GST_GLES_VALUE_I32)
    return (gint32) word;
  if (type == GST_GLES_VALUE_F32 && word >> 31 != 0)
    return -1 - (gint64) (word & 0x7fffffff);
  return word;
}

/* ---- sizes and inputs ---- */

/* Around vectors, tiles, and the chunks of one thread and of several. */
static const guint array_sizes[] = { 0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65,
  127, 128, 129, 255, 256, 257, 511, 512, 513, 1000, 1023, 1024, 1025, 2047, 2048, 2049, 4097,
  10000, 16383, 16384, 16385, 32767, 32768, 32769, 65535, 65536, 65537, 131071, 131073,
  (1 << 20) + 1 };

#define SMALL_SIZE 2500

/* A check of every array, unless there is a test of its own. Each check also runs on several
 * threads at once. */
typedef struct {
  const gchar *name;
  void (*check) (Pattern pattern, const guint32 *words, guint n);
  void (*func) (void);
} ArraysTest;

/* Calls the check for every size and pattern; large arrays get a few patterns each. */
static inline void
check_every_array (gconstpointer data)
{
  const ArraysTest *test = data;

  for (guint s = 0; s < G_N_ELEMENTS (array_sizes); s++) {
    guint n = array_sizes[s], step = n <= SMALL_SIZE ? 1 : n <= 40000 ? 4 : 9;

    for (guint p = s % step; p < N_PATTERNS; p += step) {
      guint32 *words = guarded_new (n);

      pattern_fill ((Pattern) p, s, words, n);
      test->check ((Pattern) p, words, n);
      guarded_finish (words, n, n, "input");
    }
  }
}

/* ---- several threads at once ---- */

static inline gpointer
check_some_arrays (gpointer data)
{
  static const Pattern patterns[] = { PATTERN_RANDOM, PATTERN_RUNS, PATTERN_AND_3, PATTERN_FLOATS };
  enum {
    N = 100000
  };
  g_autofree guint32 *words = g_new (guint32, N);

  for (const ArraysTest *test = data; test->name != NULL; test++) {
    for (guint i = 0; i < G_N_ELEMENTS (patterns) && test->check != NULL; i++) {
      pattern_fill (patterns[i], 4, words, N);
      test->check (patterns[i], words, N);
    }
  }
  return NULL;
}

static inline void
several_threads (gconstpointer tests)
{
  GThread *threads[6];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("array", check_some_arrays, (gpointer) tests);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

/* ---- main ---- */

/* Runs @tests, up to one without a name, with a number of threads that most machines lack unless
 * the environment sets one. Returns the exit status. */
static inline int
arrays_main (int argc, char **argv, const ArraysTest *tests)
{
  g_test_init (&argc, &argv, NULL);
  g_setenv ("GST_GLES_CPU_THREADS", "5", FALSE);
  gst_init (&argc, &argv);
  for (const ArraysTest *test = tests; test->name != NULL; test++) {
    g_autofree gchar *path = g_strconcat ("/cpu/", test->name, NULL);

    if (test->func != NULL)
      g_test_add_func (path, test->func);
    else
      g_test_add_data_func (path, test, check_every_array);
  }
  g_test_add_data_func ("/cpu/several-threads", tests, several_threads);
  return g_test_run ();
}

#endif
