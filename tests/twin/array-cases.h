/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the tests of reduce, scan and compact: devices and variants, sizes, inputs, and buffers
 * with guarded ends. */
#ifndef ARRAY_CASES_H
#define ARRAY_CASES_H

#include <gst/gles/algo/plan/array.h>

#include "gles-test.h"

/* The values that inputs consist of. */
typedef enum {
  PATTERN_ZEROS,
  PATTERN_ONES,
  PATTERN_MAX, /* sums wrap */
  PATTERN_RAMP,
  PATTERN_SORTED, /* over all words: this and the next three are benchmarks' too */
  PATTERN_REVERSED,
  PATTERN_EQUAL,
  PATTERN_TWO_VALUES,
  PATTERN_LOW_DIGIT,
  PATTERN_HIGH_DIGIT,
  PATTERN_AND_1, /* random: AND of so many words */
  PATTERN_AND_2,
  PATTERN_AND_3,
  PATTERN_AND_4,
  PATTERN_AND_5,
  PATTERN_OUTLIER,
  PATTERN_FLOATS, /* with zeros of both signs, infinities, denormals, NaNs of both signs */
  N_PATTERNS
} Pattern;

typedef struct {
  GstGlesDevice *device;
  GstGlesQueue *queue;
  gboolean is_cpu;
  GstGlesVariant variant;
  guint max_n;    /* largest array that the tests use */
  gboolean quick; /* GLES_TEST_QUICK is set: no arrays that take seconds, fewer repetitions */
} ArrayTest;

extern ArrayTest array_test;

/* Runs the tests that @add adds: on the device that GLES_TEST_DEVICE names, in the variant of the
 * environment variable @variant_name (nullable: the tests have no such variants). Returns the exit
 * status. */
int array_test_main (int argc, char **argv, const gchar *variant_name, void (*add) (void));

/* Sizes around every power of two that a tile, subgroup or workgroup can have, and some others, not
 * above @max: (transfer full) (array zero-terminated=0). */
guint *array_sizes (guint max, guint *n_sizes);

/* One tile and two of each scheme that a plan has, and a value less and more. Returns how many
 * sizes, 0 on a cpu device. */
#define ARRAY_MAX_TILE_SIZES 12
guint array_tile_sizes (const GstGlesArray *array, guint sizes[ARRAY_MAX_TILE_SIZES]);

/* @n words: (transfer full). The same for the same arguments. */
guint32 *array_input (Pattern pattern, guint n, guint32 seed);
const gchar *array_pattern_name (Pattern pattern);

/* A buffer of @n words and a few more, filled with garbage. */
GstGlesBuffer *array_buffer (guint n);
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
