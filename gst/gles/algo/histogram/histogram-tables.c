/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histogram of an array with tables of narrow counters (histogram_tables.comp): the width of the
 * counters and the number of tables. docs/algorithms/histogram.md describes both. */
#include "config.h"

#include <gst/gles/algo/histogram/histogram-private.h>
#include <gst/gles/core/checked.h>

#define SUM_INVOCATIONS 512
#define SUM_WORDS 32

/* Whether field_of() of histogram/histogram_fields.glsl, which divides by a multiplication, is
 * exact for every permuted bin in tables of @n fields. */
#define EXCESS(n)                                                                                  \
  (G_GUINT64_CONSTANT (1) * GST_GLES_ARRAY_FIELD_FACTOR (n) * GST_GLES_ARRAY_BINS_PER_FIELD (n) -  \
      (1u << GST_GLES_ARRAY_FIELD_SHIFT (n)))
#define EXACT(n)                                                                                   \
  (EXCESS (n) * GST_GLES_ARRAY_PERMUTED_BINS <= 1u << GST_GLES_ARRAY_FIELD_SHIFT (n) &&            \
      GST_GLES_ARRAY_FIELD_FACTOR (n) <= G_MAXUINT32 / GST_GLES_ARRAY_PERMUTED_BINS)
G_STATIC_ASSERT (EXACT (32 / 3) && EXACT (32 / 5));

guint
gst_gles_histogram_field_bits (guint words)
{
  static const guint widths[] = { 5, 3 };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++) {
    if (GST_GLES_ARRAY_TABLE_WORDS (32 / widths[i]) + GST_GLES_ARRAY_TABLE_SPARE <= words)
      return widths[i];
  }
  return 0;
}

guint
gst_gles_histogram_task_units (guint bins, guint field_bits, guint key_bytes)
{
  /* At most half of a counter's range per bin: evenly spread keys hardly ever overflow. One unit
   * less, so that the carries of a task and of the array's tail fit a carry slot. */
  return (bins << (field_bits - 1)) / (16 / key_bytes) - 1;
}

guint
gst_gles_histogram_n_tables (
    const GstGlesHistogramPass *pass, guint key_bytes, guint n_groups, guint n)
{
  guint n_units = n / (16 / key_bytes);

  /* The same formula as n_tasks in main() of histogram_tables.comp. */
  return n_groups * MAX (gst_gles_div_ceil (n_units, (guint64) n_groups * pass->task_units), 1);
}

void
gst_gles_histogram_sum_spec (
    const GstGlesFrameHistogramTuning *tuning, guint field_bits, GstGlesProgramSpec *spec)
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
