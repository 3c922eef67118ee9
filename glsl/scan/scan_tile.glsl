// SPDX-License-Identifier: LGPL-2.1-or-later
/* Loads tiles of 32-bit values: ROWS rows of four values per invocation. Row r of a tile consists
 * of row r of every invocation, so the team reads consecutive 16-byte vectors.
 *
 * Bindings: storage 1: the values */
#include "scan/scan_array.glsl"

layout (std430, binding = 1) readonly buffer Values
{
  uvec4 values[];
};

/* Returns the index of the invocation's row r of a tile, in rows of four values. */
uint
row_at (uint tile, int r)
{
  return (tile * uint (ROWS) + uint (r)) * TEAM_SIZE + team_rank ();
}

/* Returns how many of the four values of a row exist. */
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

/* Loads a tile; values from n on become 0. n must not be 0. */
void
load_tile (uint tile, uint n, out uvec4 rows[ROWS])
{
#if TEAM == 0
  /* llvmpipe executes both sides of a branch, and loads lane by lane. */
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
