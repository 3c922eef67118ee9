// SPDX-License-Identifier: LGPL-2.1-or-later
/* The cut says which entries fit the capacity: those of the records before the cut in key order,
 * and some entries of the record at the cut. */

/* A cut is a key, an index, and a number of entries of that record. */
#define NO_CUT uvec3 (0xffffffffu)

/* Returns how many entries of a record fit at most. */
uint
kept_tiles (uvec3 cut, uint key, uint i)
{
  if (key == cut.x && i == cut.y)
    return cut.z;
  return key < cut.x || (key == cut.x && i < cut.y) ? ALL_TILES : 0u;
}
