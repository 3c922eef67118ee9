/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compactions against the native twin, bit for bit, in the variant that GST_GLES_COMPACT_VARIANT
 * forces. tests/unit/cpu-compact.c compares the twin with a plain loop; arrays.c tests counts on
 * the device, repetitions, plans in turns and most refused calls. */
#include <gst/gles/algo/compact/compact.h>
#include <gst/gles/cpu/compact/compact.h>

#include "array-cases.h"

/* How a call is made. */
enum {
  VALUES = 1 << 0,
  INDICES = 1 << 1,
  INDIRECT = 1 << 2,
  FLAGS = 1 << 3, /* else a range */
  TRUNCATED = 1 << 4,
  N_WAYS = 1 << 5
};

/* Which values pass. */
static const struct {
  const gchar *name;
  GstGlesValueType type;
  guint32 lower, upper;
} ranges[] = {
  { "all", GST_GLES_VALUE_U32, 0, G_MAXUINT32 },
  { "none", GST_GLES_VALUE_U32, 5, 4 },
  { "upper half", GST_GLES_VALUE_U32, 0x80000000u, G_MAXUINT32 },
  { "one value", GST_GLES_VALUE_U32, 7, 7 },
  { "small", GST_GLES_VALUE_U32, 0, 100 },
  { "negative", GST_GLES_VALUE_I32, 0x80000000u, G_MAXUINT32 },
  { "around zero", GST_GLES_VALUE_I32, (guint32) -1000, 1000 },
  { "floats from -1 to 1", GST_GLES_VALUE_F32, 0xbf800000u, 0x3f800000u },
  { "all but NaNs", GST_GLES_VALUE_F32, 0xff800000u, 0x7f800000u },
  { "positive floats", GST_GLES_VALUE_F32, 0, 0x7f800000u },
  { "negative zero", GST_GLES_VALUE_F32, 0x80000000u, 0x80000000u },
};

/* Flags: few, alternating, in long runs, the first, the middle and the last one only, a part of a
 * tile. */
static guint32
flag_at (guint selection, guint i, guint n, guint32 word)
{
  const gboolean flagged[] = { word != 0 && i % 5 != 1, i % 2 == 1, i / 1000 % 2 == 1, i == 0,
    i == n / 2, i == n - 1, i >= 4096 && i < 8192 };

  return flagged[selection % G_N_ELEMENTS (flagged)] ? word | (i % 3 == 0 ? 0x80000000u : 1) : 0;
}

/* The native twin with a range, or with @flags, nullable. Returns how many values pass. */
static guint
twin (guint range, const guint32 *flags, const guint32 *input, guint n, guint32 *values,
    guint32 *indices)
{
  if (flags != NULL)
    return gst_gles_cpu_compact_flags (
        flags, input, n, &(GstGlesCpuCompacted){ values, indices, n });
  return gst_gles_cpu_compact_range (
      &(GstGlesCpuValueRange){ ranges[range].type, ranges[range].lower, ranges[range].upper },
      input, n, &(GstGlesCpuCompacted){ values, indices, n });
}

static void
call (GstGlesCompact *compact, guint range, GstGlesBuffer *flags, GstGlesBuffer *input, guint n,
    GstGlesBuffer *count, GstGlesBuffer *values, GstGlesBuffer *indices, guint max_count)
{
  const GstGlesValueType type = ranges[range].type;
  const guint32 lower = ranges[range].lower, upper = ranges[range].upper;
  GError *error = NULL;

  if (flags != NULL && values == NULL)
    input = NULL;
  if (flags != NULL && count != NULL)
    gst_gles_compact_flags_indirect (
        compact, flags, input, count, ARRAY_COUNT_OFFSET, values, indices, max_count, &error);
  else if (flags != NULL)
    gst_gles_compact_flags (compact, flags, input, n, values, indices, max_count, &error);
  else if (count != NULL)
    gst_gles_compact_range_indirect (compact, type, lower, upper, input, count, ARRAY_COUNT_OFFSET,
        values, indices, max_count, &error);
  else
    gst_gles_compact_range (
        compact, type, lower, upper, input, n, values, indices, max_count, &error);
  g_assert_no_error (error);
}

static void
check (gpointer plan, Pattern pattern, guint n, guint way)
{
  const guint range = (pattern + n + way) % G_N_ELEMENTS (ranges);
  g_autofree gchar *where = g_strdup_printf ("compaction of %u %s, %s, way %u", n,
      pattern_name (pattern), (way & FLAGS) != 0 ? "flags" : ranges[range].name, way);
  g_autofree guint32 *words = array_input (pattern, n, n);
  g_autofree guint32 *flag_words = array_input (PATTERN_AND_5, n, 9);
  g_autofree guint32 *want_values = g_new (guint32, n + 1);
  g_autofree guint32 *want_indices = g_new (guint32, n + 1);
  g_autoptr (GstGlesBuffer) values = array_buffer (n), indices = array_buffer (n);
  g_autoptr (GstGlesBuffer) input = array_buffer_of (words, n), flags = NULL;
  g_autoptr (GstGlesBuffer) count = (way & INDIRECT) != 0 ? array_count_buffer (n) : NULL;
  guint total, max_count = n, n_written;

  if ((way & FLAGS) != 0) {
    for (guint i = 0; i < n; i++)
      flag_words[i] = flag_at (pattern + n, i, n, flag_words[i]);
    flags = array_buffer_of (flag_words, n);
  }
  total = twin (range, flags != NULL ? flag_words : NULL, words, n, want_values, want_indices);
  if ((way & TRUNCATED) != 0)
    max_count = total / 2;
  n_written = MIN (total, max_count);
  call (plan, range, flags, input, n, count, (way & VALUES) != 0 ? values : NULL,
      (way & INDICES) != 0 ? indices : NULL, max_count);
  array_check (values, want_values, (way & VALUES) != 0 ? n_written : 0, where);
  array_check (indices, want_indices, (way & INDICES) != 0 ? n_written : 0, where);
  array_check (input, words, n, where);
  array_check_result (gst_gles_compact_get_result (plan), total, n_written,
      total > max_count ? GST_GLES_STATUS_TRUNCATED : 0, where);
}

/* What no other algorithm has: 64-bit values, and outputs of only one kind. */
static void
test_errors (void)
{
  g_autoptr (GstGlesCompact) compact = ARRAY_NEW (compact, 100);
  g_autoptr (GstGlesBuffer) input = array_buffer (100), output = array_buffer (100);
  GError *error = NULL;

  assert_fails (gst_gles_compact_range (compact, GST_GLES_VALUE_U64, 0, G_MAXUINT32, input, 50,
                    output, NULL, 10, &error),
      INVALID);
  assert_fails (gst_gles_compact_range (compact, GST_GLES_VALUE_U32, 0, G_MAXUINT32, input, 100,
                    NULL, input, 100, &error),
      INVALID);
  array_check (input, NULL, 0, "after errors");
  array_check (output, NULL, 0, "after errors");
}

static void
add_tests (void)
{
  static const ArrayChecks checks = { "ways", N_WAYS, 0, ARRAY_PLAN (compact), check,
    { { PATTERN_RAMP, INDICES }, { PATTERN_RAMP, VALUES | INDIRECT } }, 2 };

  g_test_add_func ("/compact/errors", test_errors);
  array_add_checks ("compact", &checks);
}

ARRAY_TEST_MAIN ("GST_GLES_COMPACT_VARIANT", add_tests)
