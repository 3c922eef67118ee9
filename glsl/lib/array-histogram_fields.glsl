// SPDX-License-Identifier: LGPL-2.1-or-later
/* Where a bin's counter lies in a table of narrow ones (array-histogram_tables.comp): bins are cut into
 * stretches, one for each field of a word.
 *
 * Defines: FIELD_BITS
 * Needs: params, a GstGlesArrayHistogramPass */

#define FIELDS uint (32 / FIELD_BITS)

/* field_factor is 65536 times the number of fields by that of bins, rounded down: less than FIELDS for all. */
uint
field_of (uint bin)
{
  return (bin * params.field_factor) >> 16;
}

/* field_bins is 65536 by the factor, rounded down. At least 0, and less than field_bins + FIELDS. */
uint
word_of (uint bin, uint field)
{
  return bin - field * params.field_bins;
}

/* A word by its place in the table and the other way round: its bank depends on ten bits of it, not on five
 * (BANKS_MIXED of lib/histogram_counters.glsl). */
uint
mixed (uint word)
{
  return word ^ ((word >> 5) & 31u);
}
