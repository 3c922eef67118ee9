/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Values that pass a predicate, and keys that differ from the one before, against plain loops. */
#include "cpu-arrays.h"

#include <gst/gles/cpu/compact/compact.h>
#include <gst/gles/cpu/unique/unique.h>

typedef struct {
  GstGlesValueType type;
  guint32 lower, upper;
} Range;

static gboolean
is_in (const Range *range, guint32 word)
{
  gint64 place = place_of (range->type, word);

  return place >= place_of (range->type, range->lower) &&
      place <= place_of (range->type, range->upper);
}

/* What is in @range passes; without one, what is not 0: the values are their own flags. */
static void
check_predicate (const Range *range, const guint32 *words, guint n)
{
  g_autofree guint32 *values = g_new (guint32, n + 1), *indices = g_new (guint32, n + 1);
  guint total = 0;

  for (guint i = 0; i < n; i++) {
    if (range != NULL ? !is_in (range, words[i]) : words[i] == 0)
      continue;
    values[total] = words[i];
    indices[total++] = i;
  }
  const struct {
    guint capacity;
    gboolean values, indices;
  } calls[] = { { n, TRUE, TRUE }, { total, TRUE, FALSE }, { total / 2 + 1, FALSE, TRUE },
    { total - total / 3, TRUE, TRUE }, { 0, TRUE, TRUE }, { 0, FALSE, FALSE } };
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++) {
    guint capacity = calls[i].capacity;
    guint32 *v = calls[i].values ? guarded_new (capacity) : NULL;
    guint32 *p = calls[i].indices ? guarded_new (capacity) : NULL;
    guint64 got = range != NULL ? gst_gles_cpu_compact_range (&(GstGlesCpuValueRange){ range->type,
                                                                  range->lower, range->upper },
                                      words, n, &(GstGlesCpuCompacted){ v, p, capacity })
                                : gst_gles_cpu_compact_flags (words, v != NULL ? words : NULL, n,
                                      &(GstGlesCpuCompacted){ v, p, capacity });

    g_assert_cmpuint (got, ==, total);
    guarded_check (v, values, MIN (total, capacity), capacity, "values");
    guarded_check (p, indices, MIN (total, capacity), capacity, "indices");
  }
}

static void
check_ranges (Pattern pattern, const guint32 *words, guint n)
{
  static const Range ranges[] = {
    { GST_GLES_VALUE_U32, 0, G_MAXUINT32 },                     /* all */
    { GST_GLES_VALUE_U32, 0x40000000, G_MAXUINT32 },            /* a threshold */
    { GST_GLES_VALUE_U32, 1, 4 }, { GST_GLES_VALUE_U32, 4, 1 }, /* none */
    { GST_GLES_VALUE_U32, 0, 0 },
    { GST_GLES_VALUE_I32, 0x80000000, 0xffffffff }, /* the negative ones */
    { GST_GLES_VALUE_I32, 0xffffff00, 0x40000000 }, { GST_GLES_VALUE_I32, 0x40000000, 0xffffff00 },
    { GST_GLES_VALUE_F32, 0x00000000, 0x7f800000 }, /* +0 ... +inf */
    { GST_GLES_VALUE_F32, 0x80000000, 0x3f800000 }, /* -0 ... 1 */
    { GST_GLES_VALUE_F32, 0xff800000, 0x7f800000 }, /* all but NaNs */
    { GST_GLES_VALUE_F32, 0x7f800001, 0x7fffffff }, /* NaNs without the sign bit */
    { GST_GLES_VALUE_F32, 0xffffffff, 0x7fffffff }, /* all */
  };
  guint step = n <= SMALL_SIZE ? 1 : 6;

  for (guint i = (n + pattern) % step; i < G_N_ELEMENTS (ranges); i += step)
    check_predicate (&ranges[i], words, n);
}

static void
check_flags (Pattern pattern, const guint32 *words, guint n)
{
  check_predicate (NULL, words, n);
}

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
check_unique (Pattern pattern, const guint32 *words, guint n)
{
  check_keys (1, words, n);
  check_keys (2, words, n / 2);
}

int
main (int argc, char **argv)
{
  static const ArraysTest tests[] = { { "ranges", check_ranges }, { "flags", check_flags },
    { "unique", check_unique }, { 0 } };

  return arrays_main (argc, argv, tests);
}
