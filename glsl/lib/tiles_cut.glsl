// SPDX-License-Identifier: LGPL-2.1-or-later
/* Which entries there is room for: those of the records before the cut in key order, and some of the record
 * at the cut. */

/* key, place, entries of that record */
#define NO_CUT uvec3 (0xffffffffu)

/* How many entries of a record there is room for, at the most. */
uint
kept_tiles (uvec3 cut, uint key, uint i)
{
  if (key == cut.x && i == cut.y)
    return cut.z;
  return key < cut.x || (key == cut.x && i < cut.y) ? ALL_TILES : 0u;
}
