// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lists the sizes and the nodes of candidates in raster order: the second of two passes.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS (components/components_tile.glsl); PART (default 0): 0: writes
 *   sizes and nodes; 1: sizes only; 2: nodes only, where both do not fit one binding
 * Bindings: uniform 0: the pass; storage 0: the state, with the counts of the first pass, receives
 *   the result; storage 1: the roots of tiles; storage 2: the sizes; storage 3: receives
 *   the candidates
 * Grid: as in the first pass. */
#include "components/components_tile.glsl"
#include "scan/scan_partials.glsl"

#ifndef PART
#define PART 0
#endif

layout (std430, binding = 3) writeonly buffer Candidates
{
  uint candidates[];
};

/* Writes the candidates of two mask words from index @at on. @bits: 16 bits per word. */
void
write_candidates (uint at, uint word, uint bits)
{
  for (; bits != 0u; bits &= bits - 1u) {
    uint i = lowest_of (bits);
    /* A word has 16 bits and 16 nodes, so bit numbers continue into the second word's nodes. */
    uint node = word * GST_GLES_COMPONENTS_NODES + i;
#if PART != 2
    candidates[at] = SIZE_AT (node);
#endif
#if PART != 1
    candidates[params.nodes_at + at] = node;
#endif
    at++;
  }
}

void
main ()
{
  uint n = window_n ();
  uint team = team_index ();
  uint teams = n_teams ();
  uvec2 tiles = team_tiles (team, teams, n_tiles_of (n));
  uint before = prefix_of_team (team);

  for (uint i = 0u; i < tiles.y; i++) {
    uvec4 rows[ROWS];
    uvec2 bits[ROWS];
    uint offsets[ROWS];
    uint total;

    load_tile (tiles.x + i, n, rows);
    for (int r = 0; r < ROWS; r++) {
      bits[r] = candidates_of_row (row_at (tiles.x + i, r), rows[r]);
      offsets[r] = count_of (bits[r].x) + count_of (bits[r].y);
    }
    team_scan (offsets, total);
    for (int r = 0; r < ROWS; r++) {
      uint word = 4u * row_at (tiles.x + i, r);
      uint at = before + offsets[r];
      write_candidates (at, word, bits[r].x);
      write_candidates (at + count_of (bits[r].x), word + 2u, bits[r].y);
    }
    before += total;
  }
  if (team == teams - 1u) {
    uint total = sum_of_teams (teams).x;
    if (team_rank () == 0u)
      write_result (uvec2 (total, 0u), total, first_status ());
  }
}
