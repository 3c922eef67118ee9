// SPDX-License-Identifier: LGPL-2.1-or-later
/* Mask words and the runs in them. A run is foreground of one row within one mask word; see
 * lib/components-layout.h. */
#include "lib/components-layout.h"

/* The bits up to @x, itself too. */
uint
bits_to (uint x)
{
  return 0xffffffffu >> (31u - x);
}

/* Where runs begin. */
uint
starts_of (uint mask)
{
  return mask & ~(mask << 1);
}

/* bitCount() and findLSB() are lowp: their results get a variable of their own. */
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

/* The number, within its mask word, of the run that reaches column @x: of those up to it the last one. */
uint
run_at (uint starts, uint x)
{
  return count_of (starts & bits_to (x)) - 1u;
}

/* Pixels of the run that begins at @x. */
uint
run_length (uint mask, uint x)
{
  uint behind = ~(mask >> x);

  return behind == 0u ? 32u : lowest_of (behind);
}

/* Where runs of two rows touch, one place for each two of them: that at which the later one begins. For
 * diagonals, a @diagonal of 1, the end of each run is drawn out by one. */
uint
touches_of (uint below, uint above, uint diagonal)
{
  return (below | (below << diagonal)) & (above | (above << diagonal)) &
      (starts_of (below) | starts_of (above));
}
