// SPDX-License-Identifier: LGPL-2.1-or-later
/* Mask words and the runs in them. A run is a contiguous range of foreground pixels in one mask
 * word; see components/components-layout.h. */
#include "components/components-layout.h"

/* A mask of the bits 0 to @x, inclusive. */
uint
bits_to (uint x)
{
  return 0xffffffffu >> (31u - x);
}

/* A mask of the first pixel of each run. */
uint
starts_of (uint mask)
{
  return mask & ~(mask << 1);
}

/* bitCount() and findLSB() return lowp integers. Assigning them to a variable makes them highp. */
uint
count_of (uint bits)
{
  uint count = uint (bitCount (bits));

  return count;
}

uint
lowest_of (uint bits)
{
  uint place = uint (findLSB (bits));

  return place;
}

/* The number, within its mask word, of the last run that begins at or before column @x. */
uint
run_at (uint starts, uint x)
{
  return count_of (starts & bits_to (x)) - 1u;
}

/* The length in pixels of the run that begins at @x. */
uint
run_length (uint mask, uint x)
{
  uint behind = ~(mask >> x);

  return behind == 0u ? 32u : lowest_of (behind);
}

/* A mask with one bit for each pair of touching runs of two rows: the column where the later run
 * of the pair begins. With @diagonal 1 each run is extended by one pixel on its right, so that
 * diagonal neighbours touch. docs/algorithms/components.md has a drawing. */
uint
touches_of (uint below, uint above, uint diagonal)
{
  return (below | (below << diagonal)) & (above | (above << diagonal)) &
      (starts_of (below) | starts_of (above));
}

/* Whether word @left has its last pixel set, and word @mask on its right its first one. */
#define REACHES_RIGHT(left) ((left) >> 31 != 0u)
#define REACHES_LEFT(mask) (((mask) & 1u) != 0u)

/* Whether a run has to be joined across the border between two mask words, in the row of @left and
 * @mask or, with @diagonal 1, with the words above them. There is at most one such pair: pairs that
 * are connected through a third pixel of that corner are skipped, because another join connects
 * them. Its runs are the last one of @left, or of @above_left if @left does not reach the border,
 * and the first one of @mask, or likewise of @above. */
bool
joins_left (uint left, uint mask, uint above_left, uint above, uint diagonal)
{
  bool l = REACHES_RIGHT (left), r = REACHES_LEFT (mask);
  bool above_l = REACHES_RIGHT (above_left), above_r = REACHES_LEFT (above);

  return (l && r && !(above_l && above_r)) ||
      (diagonal != 0u && l != r && above_l == r && above_r == l);
}
