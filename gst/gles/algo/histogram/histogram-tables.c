/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Array histogram with tables of narrow counters (histogram_tables.comp): the layout of a
 * table and the number of tables. docs/algorithms/array-histogram.md describes both. */
#include "config.h"

#include <gst/gles/algo/histogram/histogram-private.h>
#include <gst/gles/core/checked.h>

/* Fewer bins always fit 16-bit or 32-bit counters, which need no second kernel. */
#define MIN_BINS 1024

#define SUM_INVOCATIONS 512
#define SUM_WORDS 32

void
gst_gles_array_histogram_set_table (
    GstGlesArrayHistogramPass *pass, guint field_bits, guint key_bytes)
{
  const guint fields = 32 / field_bits;
  const gboolean permutes = GST_GLES_ARRAY_PERMUTES (field_bits);
  const guint permuted = permutes ? GST_GLES_ARRAY_PERMUTED_BINS : pass->bins;
  const guint64 one = G_GUINT64_CONSTANT (1) << GST_GLES_ARRAY_FIELD_SHIFT (field_bits);

  pass->bins_per_field =
      permutes ? GST_GLES_ARRAY_BINS_PER_FIELD (fields) : gst_gles_div_ceil (permuted, fields);
  pass->field_factor = gst_gles_div_ceil (one, pass->bins_per_field);
  /* field_of() of histogram/histogram_fields.glsl divides by a multiplication. These bounds make
   * it exact for every permuted bin. */
  g_assert ((pass->field_factor * (guint64) pass->bins_per_field - one) * permuted <= one);
  g_assert (pass->field_factor * (guint64) (permuted - 1) <= G_MAXUINT32);
  pass->table_words = gst_gles_align_up (pass->bins_per_field, SUM_WORDS);
  /* Fewer keys per bin than half of a counter's range: evenly spread keys hardly ever overflow. */
  pass->task_units = ((1u << (field_bits - 1)) - 1) * pass->bins / (16 / key_bytes);
}

guint
gst_gles_array_histogram_field_bits (guint bins, guint words)
{
  static const guint widths[] = { 8, 5, 3 };

  for (guint i = 0; i < G_N_ELEMENTS (widths) && bins >= MIN_BINS; i++) {
    GstGlesArrayHistogramPass pass = { .bins = bins };

    gst_gles_array_histogram_set_table (&pass, widths[i], 1);
    if (pass.table_words + GST_GLES_ARRAY_TABLE_SPARE <= words)
      return widths[i];
  }
  return 0;
}

guint
gst_gles_array_histogram_carry_words (const GstGlesArrayHistogramPass *pass, guint field_bits)
{
  return 32 / field_bits * pass->bins_per_field + 1;
}

guint
gst_gles_array_histogram_n_tables (
    const GstGlesArrayHistogramPass *pass, guint key_bytes, guint n_groups, guint n)
{
  guint n_units = n / (16 / key_bytes);

  /* The same formula as n_tasks in main() of histogram_tables.comp. */
  return n_groups * MAX (gst_gles_div_ceil (n_units, (guint64) n_groups * pass->task_units), 1);
}

void
gst_gles_array_histogram_sum_spec (
    const GstGlesHistogramTuning *tuning, guint field_bits, GstGlesProgramSpec *spec)
{
  guint invocations = MIN (SUM_INVOCATIONS, tuning->shared_invocations);

  *spec = (GstGlesProgramSpec){
    .kernel = "histogram_sum",
    .local_size = { invocations, 1, 1 },
    .n_storage = 4,
    .shared_bytes = 4 * (32 / field_bits) * invocations,
    .defines = { { "FIELD_BITS", field_bits } },
  };
}
