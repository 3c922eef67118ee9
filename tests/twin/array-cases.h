/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the tests of arrays: devices and variants, sizes, inputs, and buffers with guarded
 * ends. */
#ifndef ARRAY_CASES_H
#define ARRAY_CASES_H

#include <gst/gles/algo/plan/array.h>

#include "gles-test.h"
#include "sort-cases.h"

typedef struct {
  GstGlesDevice *device;
  GstGlesQueue *queue;
  gboolean is_cpu;
  GstGlesVariant variant;
  guint max_n;    /* largest array that the tests use */
  gboolean quick; /* GLES_TEST_QUICK is set: no arrays that take seconds, fewer cases */
} ArrayTest;

extern ArrayTest array_test;

/* Runs the tests that @add adds: on the device that GLES_TEST_DEVICE names, in the variant of the
 * environment variable @variant_name (nullable: the tests have no such variants). Returns the exit
 * status. */
int array_test_main (int argc, char **argv, const gchar *variant_name, void (*add) (void));

/* A program that does nothing else. */
#define ARRAY_TEST_MAIN(variant_name, add)                                                         \
  int main (int argc, char **argv)                                                                 \
  {                                                                                                \
    return array_test_main (argc, argv, variant_name, add);                                        \
  }

/* gst_gles_@algorithm_new() on the queue of the tests, with arguments between queue and error; a
 * plan that is refused fails the test. */
#define ARRAY_NEW(algorithm, ...)                                                                  \
  ({                                                                                               \
    GError *error_ = NULL;                                                                         \
    __auto_type plan_ = gst_gles_##algorithm##_new (array_test.queue, __VA_ARGS__, &error_);       \
                                                                                                   \
    g_assert_no_error (error_);                                                                    \
    plan_;                                                                                         \
  })

/* Checks of calls of one kind, in several ways: what is computed, in place, the count on the device
 * and so on. */
typedef struct {
  const gchar *name;
  guint n_ways;
  guint max_n; /* of its sizes; 0: max_n of the tests */
  gpointer (*plan_new) (GstGlesQueue *queue, guint capacity, GError **error);
  void (*plan_free) (gpointer plan);
  /* Makes a call over @n values of @pattern, and compares all buffers and the result. */
  void (*check) (gpointer plan, Pattern pattern, guint n, guint way);
  /* Arrays that exceed one binding of 128 MiB, where that is the limit. */
  struct {
    Pattern pattern;
    guint way;
  } large[3];
  guint n_large;
} ArrayChecks;

/* Casts functions of a plan for ArrayChecks. */
#define ARRAY_PLAN(algorithm)                                                                      \
  .plan_new = (gpointer (*) (GstGlesQueue *, guint, GError **)) gst_gles_##algorithm##_new,        \
  .plan_free = (void (*) (gpointer)) gst_gles_##algorithm##_unref

/* Adds a test of sizes around every power of two that a tile, subgroup or workgroup can have, one
 * of all patterns, one of sizes around the tile of the plan, and one of large arrays. One plan
 * serves each. */
void array_add_checks (const gchar *algorithm, const ArrayChecks *checks);

/* @n words: (transfer full). The same for the same arguments. */
guint32 *array_input (Pattern pattern, guint n, guint32 seed);

/* A buffer of @values (nullable), @n words, and garbage behind them. */
GstGlesBuffer *array_buffer_of (gconstpointer values, guint n);
#define array_buffer(n) array_buffer_of (NULL, n)
void array_fill (GstGlesBuffer *buffer, const guint32 *values, guint n);
/* Fills the whole buffer with garbage. */
void array_spoil (GstGlesBuffer *buffer);
/* Fails, naming @where, unless @buffer holds @want, @n words, and garbage from there on. */
void array_check (GstGlesBuffer *buffer, const guint32 *want, guint n, const gchar *where);
void array_check_result (
    GstGlesBuffer *result, guint64 total, guint count, guint status, const gchar *where);

/* A buffer of 8 words with @n in the fourth, for counts on the device at byte 12. */
GstGlesBuffer *array_count_buffer (guint n);
#define ARRAY_COUNT_OFFSET 12

/* Fails unless *error is of @code, and clears it. */
void array_expect_error (GError **error, GstGlesError code, const gchar *where);

#endif
