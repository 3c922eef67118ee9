// SPDX-License-Identifier: LGPL-2.1-or-later
/* Loads tiles of 32-bit values: ROWS rows of four per invocation. Row r of a tile is what all
 * invocations have in their row r, so a team reads 16 bytes an invocation, side by side.
 *
 * Bindings: storage 1: the values */
#include "lib/scan_array.glsl"

layout (std430, binding = 1) readonly buffer Values
{
  uvec4 values[];
};

/* Where an invocation's row r of a tile is, in rows of four values. */
uint
row_at (uint tile, int r)
{
  return (tile * uint (ROWS) + uint (r)) * TEAM_SIZE + team_rank ();
}

/* How many of the four values of a row there are. */
uint
row_count (uint at, uint n)
{
  uint first = 4u * at;

  return first < n ? min (n - first, 4u) : 0u;
}

uvec4
masked_row (uvec4 row, uint count)
{
  return mix (uvec4 (0u), row, lessThan (uvec4 (0u, 1u, 2u, 3u), uvec4 (count)));
}

/* Values from n on are 0. There are some: n is not. */
void
load_tile (uint tile, uint n, out uvec4 rows[ROWS])
{
#if TEAM == 0
  /* llvmpipe goes both ways of a branch, and loads invocation by invocation */
  for (int r = 0; r < ROWS; r++) {
    uint at = row_at (tile, r);
    rows[r] = masked_row (values[min (at, (n - 1u) / 4u)], row_count (at, n));
  }
#else
  if (n / TILE > tile) {
    for (int r = 0; r < ROWS; r++)
      rows[r] = values[row_at (tile, r)];
  } else {
    for (int r = 0; r < ROWS; r++) {
      uint at = row_at (tile, r);
      uint count = row_count (at, n);
      rows[r] = uvec4 (0u);
      if (count > 0u)
        rows[r] = masked_row (values[at], count);
    }
  }
#endif
}
