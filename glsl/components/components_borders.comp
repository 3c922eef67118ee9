// SPDX-License-Identifier: LGPL-2.1-or-later
/* Joins runs that touch across the left and upper borders of tiles: second step of
 * docs/algorithms/components.md.
 *
 * Defines: LOCAL_SIZE_X; COLUMNS, TILE_HEIGHT: mask words and rows of a tile; TEXELS: defined: the
 *   masks are a buffer texture
 * Bindings: uniform 0: the pass; storage 0: the masks; storage 1: the labels
 * Grid: x workgroups, any number; each takes every x-th block of LOCAL_SIZE_X items: mask words, or
 *   quads of them. */
#include "components/components_params.glsl"
#define LABELS_BINDING 1
#include "components/components_forest.glsl"

#ifdef TEXELS
layout (binding = 0) uniform usamplerBuffer masks;
#define MASK_AT(at) texel_word (masks, at)
#else
layout (std430, binding = 0) readonly buffer Masks
{
  uint masks[];
};
#define MASK_AT(at) masks[at]
#endif

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
 * words and the two above them. */
void
join_left (uint word, uint mask, bool has_above, uint above_mask)
{
  uint above = word - params.row_words;
  uint left_mask = MASK_AT (word - 1u);
  uint above_left_mask = has_above ? MASK_AT (above - 1u) : 0u;

  if (!joins_left (left_mask, mask, above_left_mask, above_mask, params.diagonal))
    return;
  uint a = REACHES_RIGHT (left_mask) ? last_node (word - 1u, left_mask)
                                     : last_node (above - 1u, above_left_mask);
  join_nodes (a, REACHES_LEFT (mask) ? first_node (word) : first_node (above));
}

/* Joins the runs of a mask word with the touching runs of the word above, where the later run of a
 * pair begins in @columns. */
void
join_above (uint word, uint below, uint above, uint columns)
{
  uint first = word * GST_GLES_COMPONENTS_NODES;
  uint first_above = first - params.row_words * GST_GLES_COMPONENTS_NODES;

  for (uint left = touches_of (below, above, params.diagonal) & columns; left != 0u;
       left &= left - 1u) {
    uint x = lowest_of (left);
    join_nodes (
        first + run_at (starts_of (below), x), first_above + run_at (starts_of (above), x));
  }
}

void
main ()
{
  begin_pass ();
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

#ifdef TEXELS
  for (uint word = gl_GlobalInvocationID.x; word < params.n_words; word += step) {
    bool has_above = word >= params.row_words;
    uint mask = MASK_AT (word);
    if (word % params.row_words != 0u)
      join_left (word, mask, has_above, has_above ? MASK_AT (word - params.row_words) : 0u);
  }
  uint n_above = (params.height - 1u) / uint (TILE_HEIGHT) * params.row_words;
  for (uint i = gl_GlobalInvocationID.x; i < n_above; i += step) {
    uint row = (i / params.row_words + 1u) * uint (TILE_HEIGHT);
    uint word = row * params.row_words + i % params.row_words;
    join_above (word, MASK_AT (word), MASK_AT (word - params.row_words), 0xffffffffu);
  }
#else
  /* Words at left borders, then quads of words at upper borders. */
  uint columns = (params.row_words - 1u) / uint (COLUMNS);
  uint n_left = columns * params.height;
  uint n = n_left + (params.height - 1u) / uint (TILE_HEIGHT) * params.row_words * 8u;

  for (uint i = gl_GlobalInvocationID.x; i < n; i += step) {
    uint k = (i - n_left) / 8u;
    bool left = i < n_left;
    uint row = left ? i / columns : (k / params.row_words + 1u) * uint (TILE_HEIGHT);
    uint column = left ? (i % columns + 1u) * uint (COLUMNS) : k % params.row_words;
    uint word = row * params.row_words + column;
    uint above = row > 0u ? MASK_AT (word - params.row_words) : 0u;

    uint quad = (i - n_left) % 8u;
    uint mask = MASK_AT (word);

    /* In the first row of a tile also the corners between its words are at its border. */
    if (left || (quad == 0u && column % uint (COLUMNS) != 0u))
      join_left (word, mask, row > 0u, above);
    if (!left)
      join_above (word, mask, above, 15u << (4u * quad));
  }
#endif
}
