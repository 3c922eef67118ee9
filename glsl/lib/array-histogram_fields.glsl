// SPDX-License-Identifier: LGPL-2.1-or-later
/* Where a bin's counter lies in a table of narrow ones (array-histogram_tables.comp): bins have spots, and spots
 * are cut into stretches, one for each field of a word.
 *
 * Which of the 32 banks of shared memory a counter lies in has to depend on more than five bits of its bin. Fields
 * of 5 bits and fewer have a spot for each number of 16 bits: bins are scattered over them, by a product modulo
 * 2^16, which is cheap. The bank then depends on five bits of the bin and on the field, which all of its bits
 * decide: keys that are multiples of 32 meet in 6 banks (simulated, not measured). Wider fields have but a spot for
 * each bin, which is the bin itself, and a word's place is mixed.
 *
 * Defines: FIELD_BITS
 * Needs: params, a GstGlesArrayHistogramPass */

#define FIELDS uint (32 / FIELD_BITS)
#define SPOTS_SCATTERED GST_GLES_ARRAY_SCATTERS (FIELD_BITS)

uint
spot_of (uint bin)
{
#if SPOTS_SCATTERED
  return (bin * GST_GLES_ARRAY_SCATTER) & 0xffffu;
#else
  return bin;
#endif
}

uint
bin_of_spot (uint spot)
{
#if SPOTS_SCATTERED
  return (spot * GST_GLES_ARRAY_UNSCATTER) & 0xffffu;
#else
  return spot;
#endif
}

#if SPOTS_SCATTERED
#define FIELD_FACTOR FIELDS
#define FIELD_SPOTS (65536u / FIELDS)
#else
#define FIELD_FACTOR params.field_factor
#define FIELD_SPOTS params.field_spots
#endif

/* The factor is 65536 times the number of fields by that of spots, rounded down: less than FIELDS for all. */
uint
field_of (uint spot)
{
  return (spot * FIELD_FACTOR) >> 16;
}

/* FIELD_SPOTS is 65536 by the factor, rounded down. At least 0, and less than FIELD_SPOTS + FIELDS. */
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
