/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sort-cases.h"

#include "../../bench/inputs.h"

/* splitmix64, as benchmarks use it */
guint32
random_word (Random *random)
{
  return bench_mix (random->state += BENCH_STEP);
}

const gchar *
pattern_name (Pattern pattern)
{
  static const gchar *const names[N_PATTERNS] = { "random", "zeros", "ones", "all maximum", "ramp",
    "reversed", "organ pipe", "sorted", "alternating", "outlier", "low digit", "high digit",
    "few values", "and of 2", "and of 3", "and of 4", "and of 5", "numbers", "floats", "runs" };

  return names[pattern];
}

/* One in @every is special. The others have all magnitudes, or are from -1000 to 1000. */
static guint32
float_word (Random *random, guint every, gboolean any_magnitude)
{
  static const guint32 special[] = { 0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x00000001,
    0x80000001, 0x007fffff, 0x807fffff, 0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x7fffffff,
    0xffffffff, 0x3f800000, 0xbf800000 };
  guint32 word = random_word (random);
  union {
    gfloat value;
    guint32 word;
  } number;

  if (word % every == 0)
    return special[word / every % G_N_ELEMENTS (special)];
  number.word = random_word (random);
  if (!any_magnitude)
    number.value = (gfloat) ((gint32) number.word * (1000 / 2147483648.0));
  return number.word;
}

static guint32
pattern_word (Pattern pattern, guint32 seed, Random *random, gsize i, gsize n)
{
  switch (pattern) {
    case PATTERN_ZEROS:
      return 0;
    case PATTERN_ONES:
      return 1;
    case PATTERN_ALL_MAXIMUM:
      return G_MAXUINT32;
    case PATTERN_RAMP:
      return (guint32) i;
    case PATTERN_REVERSED:
      return (guint32) (n - i);
    case PATTERN_ORGAN_PIPE:
      return (guint32) (i < n / 2 ? i : n - i);
      /* what benchmarks run on */
    case PATTERN_SORTED:
      return bench_key (BENCH_INPUT_SORTED, i, n);
    case PATTERN_ALTERNATING:
      return bench_key (BENCH_INPUT_ALTERNATING, i, n);
    case PATTERN_OUTLIER:
      return bench_key (BENCH_INPUT_OUTLIER, i, n);
    case PATTERN_LOW_DIGIT:
      return random_word (random) & 7;
    case PATTERN_HIGH_DIGIT:
      return random_word (random) & 0xe0000000u;
    case PATTERN_FEW_VALUES:
      return random_word (random) % 10 * 0x11111111u;
    case PATTERN_AND_2:
    case PATTERN_AND_3:
    case PATTERN_AND_4:
    case PATTERN_AND_5:
      return bench_word (seed, i, 2 + pattern - PATTERN_AND_2);
    case PATTERN_NUMBERS:
      return float_word (random, 64, FALSE);
    case PATTERN_FLOATS:
      return float_word (random, 4, TRUE);
    default:
      return random_word (random);
  }
}

static void
fill_runs (Random *random, guint32 *words, gsize n)
{
  for (gsize i = 0; i < n;) {
    guint32 word = random_word (random);
    gsize length = 1 + (random_word (random) & ((1u << (word % 13)) - 1));
    for (gsize end = MIN (i + length, n); i < end; i++)
      words[i] = word;
  }
}

void
pattern_fill (Pattern pattern, guint64 seed, guint32 *words, gsize n)
{
  Random random = { seed };

  if (pattern == PATTERN_RUNS) {
    fill_runs (&random, words, n);
    return;
  }
  for (gsize i = 0; i < n; i++)
    words[i] = pattern_word (pattern, (guint32) seed, &random, i, n);
}
