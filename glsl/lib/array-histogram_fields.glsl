// SPDX-License-Identifier: LGPL-2.1-or-later
/* Where a bin's counter lies in a table of narrow ones (array-histogram_tables.comp): bins have spots, and spots
 * are cut into stretches, one for each field of a word.
 *
 * Which of the 32 banks of shared memory a counter lies in has to depend on more than five bits of its bin. Fields
 * of 5 bits and fewer have a spot for each number of 16 bits and some more. Bins are scattered over them: by a product
 * modulo 2^16, of which each bit depends on the bits of the bin up to its own, and by adding the upper six bits to the
 * lowest, so that lowest ones, and with them banks, depend on all. Wider fields have but a spot for each bin, which is
 * the bin itself, and a word's place is mixed.
 *
 * Defines: FIELD_BITS
 * Needs: params, a GstGlesArrayHistogramPass */

#define FIELDS uint (32 / FIELD_BITS)
#define SPOTS_SCATTERED GST_GLES_ARRAY_SCATTERS (FIELD_BITS)

uint
spot_of (uint bin)
{
#if SPOTS_SCATTERED
  uint spot = (bin * GST_GLES_ARRAY_SCATTER) & 0xffffu;

  return spot + (spot >> GST_GLES_ARRAY_SPREAD_SHIFT);
#else
  return bin;
#endif
}

/* Of some spot or other, where no bin has this one. */
uint
bin_of_spot (uint spot)
{
#if SPOTS_SCATTERED
  spot -= spot / ((1u << GST_GLES_ARRAY_SPREAD_SHIFT) + 1u);
  return (spot * GST_GLES_ARRAY_UNSCATTER) & 0xffffu;
#else
  return spot;
#endif
}

#define FIELD_SHIFT GST_GLES_ARRAY_FIELD_SHIFT (FIELD_BITS)
#if SPOTS_SCATTERED
#define FIELD_SPOTS uint (GST_GLES_ARRAY_FIELD_SPOTS (32 / FIELD_BITS))
#define FIELD_FACTOR (((1u << FIELD_SHIFT) + FIELD_SPOTS - 1u) / FIELD_SPOTS)
#else
#define FIELD_SPOTS params.field_spots
#define FIELD_FACTOR params.field_factor
#endif

/* The spot by FIELD_SPOTS, rounded down, exactly (gst_gles_array_histogram_set_table ()). */
uint
field_of (uint spot)
{
  return (spot * FIELD_FACTOR) >> FIELD_SHIFT;
}

/* Less than FIELD_SPOTS. */
uint
word_of (uint spot, uint field)
{
  return spot - field * FIELD_SPOTS;
}

/* A word's place in the table, and the other way round. */
uint
place_of (uint word)
{
#if SPOTS_SCATTERED
  return word;
#else
  return word ^ ((word >> 5) & 31u);
#endif
}
