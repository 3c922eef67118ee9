// SPDX-License-Identifier: LGPL-2.1-or-later
/* Maps a bin to its counter in a table of narrow counters (histogram_tables.comp). A bin is
 * permuted; the permuted bins are divided into contiguous ranges, one per field of a word. The
 * permutation spreads bins over the banks of shared memory: see "Permuted bins" in
 * docs/algorithms/array-histogram.md.
 *
 * Defines: FIELD_BITS: bits of a counter
 * Needs: params, a GstGlesArrayHistogramPass */

#define FIELDS uint (32 / FIELD_BITS)
#define BINS_PERMUTED GST_GLES_ARRAY_PERMUTES (FIELD_BITS)

uint
permute_bin (uint bin)
{
#if BINS_PERMUTED
  uint permuted = (bin * GST_GLES_ARRAY_PERMUTE_FACTOR) & 0xffffu;

  return permuted + (permuted >> GST_GLES_ARRAY_PERMUTE_SHIFT);
#else
  return bin;
#endif
}

/* The inverse. A permuted bin that no bin maps to gives an arbitrary bin, so callers check with
 * permute_bin(). */
uint
unpermute_bin (uint permuted)
{
#if BINS_PERMUTED
  permuted -= permuted / ((1u << GST_GLES_ARRAY_PERMUTE_SHIFT) + 1u);
  return (permuted * GST_GLES_ARRAY_UNPERMUTE_FACTOR) & 0xffffu;
#else
  return permuted;
#endif
}

#define FIELD_SHIFT GST_GLES_ARRAY_FIELD_SHIFT (FIELD_BITS)
#if BINS_PERMUTED
#define BINS_PER_FIELD uint (GST_GLES_ARRAY_BINS_PER_FIELD (32 / FIELD_BITS))
#define FIELD_FACTOR (((1u << FIELD_SHIFT) + BINS_PER_FIELD - 1u) / BINS_PER_FIELD)
#else
#define BINS_PER_FIELD params.bins_per_field
#define FIELD_FACTOR params.field_factor
#endif

/* permuted / BINS_PER_FIELD, rounded down. gst_gles_array_histogram_set_table() asserts that the
 * product is exact. */
uint
field_of (uint permuted)
{
  return (permuted * FIELD_FACTOR) >> FIELD_SHIFT;
}

/* The word of a permuted bin in its field, less than BINS_PER_FIELD. */
uint
word_of (uint permuted, uint field)
{
  return permuted - field * BINS_PER_FIELD;
}

/* The position of a word in the table. The function is its own inverse. */
uint
position_of (uint word)
{
#if BINS_PERMUTED
  return word;
#else
  return word ^ ((word >> 5) & 31u);
#endif
}
