/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the tests of the array algorithms' native twins. */
#ifndef CPU_ARRAYS_H
#define CPU_ARRAYS_H

#include <string.h>

#include <gst/check/gstcheck.h>

#include "../twin/sort-cases.h"

/* ---- arrays whose surroundings are watched ---- */

#define CANARY_WORDS 37 /* odd: nothing is aligned by chance */
#define CANARY 0xca9a12e5u

/* An array of @n words between canaries, filled with them too: free with guarded_free(). */
static inline guint32 *
guarded_new (gsize n)
{
  guint32 *base = g_new (guint32, n + 2 * CANARY_WORDS);

  for (gsize i = 0; i < n + 2 * CANARY_WORDS; i++)
    base[i] = CANARY;
  return base + CANARY_WORDS;
}

/* Whether nothing was written before the array, nor from word @n on. */
static inline gboolean
guarded_intact (const guint32 *words, gsize n)
{
  for (gsize i = 1; i <= CANARY_WORDS; i++) {
    if (words[-(gssize) i] != CANARY || words[n + i - 1] != CANARY)
      return FALSE;
  }
  return TRUE;
}

static inline void
guarded_free (guint32 *words)
{
  if (words != NULL)
    g_free (words - CANARY_WORDS);
}

/* Fails when words @from to @n - 1 were written, or something around the array; then frees it. */
static inline void
guarded_finish (guint32 *words, gsize from, gsize n, const gchar *what)
{
  for (gsize i = from; i < n; i++) {
    if (words[i] != CANARY)
      fail ("%s: word %" G_GSIZE_FORMAT " was written", what, i);
  }
  if (!guarded_intact (words, n))
    fail ("%s: written outside of %" G_GSIZE_FORMAT " words", what, n);
  guarded_free (words);
}

/* Scratch memory of exactly @size_bytes, aligned to 8 and not to more: finish like an array. */
static inline guint32 *
scratch_new (gsize size_bytes)
{
  guint32 *words;

  fail_unless (size_bytes % 4 == 0);
  words = guarded_new (size_bytes / 4 + 1);
  /* base is aligned to 16, so this, CANARY_WORDS words behind it, is 4 short of 8 */
  fail_unless (((gsize) words + 4) % 8 == 0);
  return words;
}

static inline gpointer
scratch_memory (guint32 *scratch)
{
  return scratch + 1;
}

static inline void
scratch_finish (guint32 *scratch, gsize size_bytes, const gchar *what)
{
  if (scratch[0] != CANARY || !guarded_intact (scratch, size_bytes / 4 + 1))
    fail ("%s: written outside of its scratch memory", what);
  guarded_free (scratch);
}

/* ---- sizes and inputs ---- */

static const guint array_sizes[] = { 0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65,
  127, 128, 129, 255, 256, 257, 511, 512, 513, 1000, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4097,
  10000, 16383, 16384, 16385, 32767, 32768, 32769, 65535, 65536, 65537, 100000, 131071, 131073,
  (1 << 20) - 1, 1 << 20, (1 << 20) + 1 };

#define SMALL_SIZE 2500

/* Calls @func for every size and pattern; large arrays get a few patterns each, and three more
 * sizes up to 8 million, at random but always the same, one. */
static inline void
for_each_array (void (*func) (Pattern pattern, const guint32 *words, guint n))
{
  Random random = { 3 };

  for (guint s = 0; s < G_N_ELEMENTS (array_sizes) + 3; s++) {
    gboolean listed = s < G_N_ELEMENTS (array_sizes);
    guint n = listed ? array_sizes[s] : random_word (&random) >> (9 + s % 3);
    guint step = n <= SMALL_SIZE ? 1 : n <= 40000 ? 4 : listed ? 9 : N_PATTERNS;

    for (guint p = s % step; p < N_PATTERNS; p += step) {
      guint32 *words = guarded_new (n);

      pattern_fill ((Pattern) p, s, words, n);
      func ((Pattern) p, words, n);
      guarded_finish (words, n, n, "input");
    }
  }
}

/* ---- several threads at once ---- */

static inline gpointer
call_void (gpointer func)
{
  ((void (*) (void)) func) ();
  return NULL;
}

static inline void
on_several_threads (void (*func) (void))
{
  GThread *threads[6];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("array", call_void, (gpointer) func);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

/* ---- main ---- */

/* Uses a number of threads that most machines lack, unless the environment sets one. */
static inline int
arrays_main (int argc, char **argv, const gchar *name, void (*add) (TCase *tcase))
{
  Suite *suite;
  TCase *tcase = tcase_create (name);

  g_setenv ("GST_GLES_CPU_THREADS", "5", FALSE);
  gst_check_init (&argc, &argv);
  suite = suite_create (name);
  suite_add_tcase (suite, tcase);
  add (tcase);
  return gst_check_run_suite (suite, name, __FILE__);
}

#endif
