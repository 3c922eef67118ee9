// SPDX-License-Identifier: LGPL-2.1-or-later
/* Joins runs that touch across the left and upper borders of tiles: second step of
 * docs/algorithms/components.md.
 *
 * Defines: LOCAL_SIZE_X; TILE_HEIGHT: rows of a tile
 * Bindings: uniform 0: the pass; storage 0: the masks; storage 1: the labels
 * Grid: x workgroups, any number; each takes every x-th block of LOCAL_SIZE_X mask words. */
#include "components/components_params.glsl"
#define LABELS_BINDING 1
#include "components/components_forest.glsl"

layout (std430, binding = 0) readonly buffer Masks
{
  uint masks[];
};

/* The nodes of the last and the first run of a mask word. */
uint
last_node (uint word, uint mask)
{
  return word * GST_GLES_COMPONENTS_NODES + count_of (starts_of (mask)) - 1u;
}

uint
first_node (uint word)
{
  return word * GST_GLES_COMPONENTS_NODES;
}

/* Joins a mask word with the one on its left, and diagonally across the corner between the two
 * words and the two above them. Pairs that are connected through a third pixel of that corner
 * are skipped, because another join connects them. */
void
join_left (uint word, uint mask, bool has_above, uint above_mask)
{
  uint above = word - params.row_words;
  uint left_mask = masks[word - 1u];
  uint above_left_mask = has_above ? masks[above - 1u] : 0u;
  bool left = left_mask >> 31 != 0u;
  bool right = (mask & 1u) != 0u;
  bool above_left = above_left_mask >> 31 != 0u;
  bool above_right = (above_mask & 1u) != 0u;

  if (left && right && !(above_left && above_right))
    join_nodes (last_node (word - 1u, left_mask), first_node (word));
  if (params.diagonal == 0u)
    return;
  if (above_left && right && !above_right && !left)
    join_nodes (last_node (above - 1u, above_left_mask), first_node (word));
  if (above_right && left && !above_left && !right)
    join_nodes (first_node (above), last_node (word - 1u, left_mask));
}

/* Joins the runs of a mask word with the touching runs of the word above. */
void
join_above (uint word, uint below, uint above)
{
  uint first = word * GST_GLES_COMPONENTS_NODES;
  uint first_above = first - params.row_words * GST_GLES_COMPONENTS_NODES;

  for (uint left = touches_of (below, above, params.diagonal); left != 0u; left &= left - 1u) {
    uint x = lowest_of (left);
    join_nodes (
        first + run_at (starts_of (below), x), first_above + run_at (starts_of (above), x));
  }
}

void
main ()
{
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

  for (uint word = gl_GlobalInvocationID.x; word < params.n_words; word += step) {
    uint row = word / params.row_words;
    uint mask = masks[word];
    uint above = row > 0u ? masks[word - params.row_words] : 0u;

    if (word % params.row_words != 0u)
      join_left (word, mask, row > 0u, above);
    if (row % uint (TILE_HEIGHT) == 0u)
      join_above (word, mask, above);
  }
}
