/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Inputs for tests and measurements of array algorithms: patterns that have found errors. */
#ifndef SORT_CASES_H
#define SORT_CASES_H

#include <glib.h>

typedef enum {
  PATTERN_RANDOM,
  PATTERN_AND_1 = PATTERN_RANDOM,
  PATTERN_ZEROS,
  PATTERN_ONES,
  PATTERN_ALL_MAXIMUM, /* what padding would look like */
  PATTERN_RAMP,
  PATTERN_REVERSED,
  PATTERN_ORGAN_PIPE,
  PATTERN_SORTED,      /* over all words, as benchmarks have it */
  PATTERN_ALTERNATING, /* two values */
  PATTERN_OUTLIER,     /* one among equals */
  PATTERN_LOW_DIGIT,   /* a few bits, at the bottom */
  PATTERN_HIGH_DIGIT,  /* a few bits, at the top */
  PATTERN_FEW_VALUES,
  PATTERN_AND_2, /* random words of less and less entropy: and of so many */
  PATTERN_AND_3,
  PATTERN_AND_4,
  PATTERN_AND_5,
  PATTERN_NUMBERS, /* floats from -1000 to 1000, and some of the special ones below */
  PATTERN_FLOATS,  /* all magnitudes, both signs, -0, infinities, denormals, NaNs of both signs */
  PATTERN_RUNS,    /* of equal words, of lengths from 1 to some thousand */
  N_PATTERNS
} Pattern;

const gchar *pattern_name (Pattern pattern);

/* Writes @n words, the same for the same arguments. */
void pattern_fill (Pattern pattern, guint64 seed, guint32 *words, gsize n);

/* A stream of random words. */
typedef struct {
  guint64 state;
} Random;

guint32 random_word (Random *random);

#endif
