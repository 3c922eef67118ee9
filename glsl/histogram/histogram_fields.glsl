// SPDX-License-Identifier: LGPL-2.1-or-later
/* Maps a bin to its counter in a table of narrow counters (histogram_tables.comp). A bin is
 * permuted; the permuted bins are divided into contiguous ranges, one per field of a word. The
 * permutation spreads bins over the banks of shared memory: see "Permuted bins" in
 * docs/algorithms/histogram.md.
 *
 * Defines: FIELD_BITS: bits of a counter, 3 or 5 */

#define FIELDS uint (32 / FIELD_BITS)
#define BINS_PER_FIELD uint (GST_GLES_ARRAY_BINS_PER_FIELD (32 / FIELD_BITS))
#define TABLE_WORDS uint (GST_GLES_ARRAY_TABLE_WORDS (32 / FIELD_BITS))

uint
permute_bin (uint bin)
{
  uint permuted = (bin * GST_GLES_ARRAY_PERMUTE_FACTOR) & 0xffffu;

  return permuted + (permuted >> GST_GLES_ARRAY_PERMUTE_SHIFT);
}

/* A number that no bin maps to. */
#define PERMUTED_NONE (1u << GST_GLES_ARRAY_PERMUTE_SHIFT)

/* The inverse. A permuted bin that no bin maps to gives an arbitrary bin, so callers check with
 * permute_bin(). */
uint
unpermute_bin (uint permuted)
{
  permuted -= permuted / ((1u << GST_GLES_ARRAY_PERMUTE_SHIFT) + 1u);
  return (permuted * GST_GLES_ARRAY_UNPERMUTE_FACTOR) & 0xffffu;
}

/* permuted / BINS_PER_FIELD, rounded down. histogram-tables.c asserts that this is exact. */
uint
field_of (uint permuted)
{
  return (permuted * uint (GST_GLES_ARRAY_FIELD_FACTOR (32 / FIELD_BITS))) >>
      GST_GLES_ARRAY_FIELD_SHIFT (32 / FIELD_BITS);
}

/* The word of a permuted bin. */
uint
word_of (uint permuted, uint field)
{
  return permuted - field * BINS_PER_FIELD;
}
