// SPDX-License-Identifier: LGPL-2.1-or-later
/* The variant of components_tiles in which a workgroup labels a tile, in shared memory.
 *
 * Defines, bindings and functions: those of components_tiles.comp, which includes this file */

/* Words of a tile in shared memory, each with its nodes. An odd distance keeps the invocations of a
 * subgroup, which take neighbouring words, at different banks. */
#define TILE_WORDS (COLUMNS * TILE_HEIGHT)
#define STRIDE 17u
#define TILE_NODES (TILE_WORDS * 17)
#define ROW_QUADS (8u * uint (COLUMNS))

/* The element of a root when sizes are added: SIZE and the size, which is below 2^31. */
#define SIZE 0x80000000u

#pragma optionNV(unroll all)

/* The first round of a loop. With QUADS 1 it is a 0 that compilers do not know, so they do not
 * unroll the loop: otherwise Mali-T's (Mesa 25.0) needs 1.9 s instead of 0.2 s for the first frame
 * of glesregions. */
#if QUADS == 1
#define FIRST_ROUND gl_WorkGroupID.z
#else
#define FIRST_ROUND 0u
#endif

shared uint tile_masks[TILE_WORDS];
shared uint parents[TILE_NODES];

uint
tile_root_of (uint node)
{
  uint parent = parents[node];

  while (parent != node) {
    node = parent;
    parent = parents[node];
  }
  return node;
}

void
join_in_tile (uint a, uint b)
{
  a = tile_root_of (a);
  b = tile_root_of (b);
  while (a != b) {
    uint high = max (a, b);
    uint low = min (a, b);
    uint before = atomicMin (parents[high], low);
    if (before == high)
      return;
    a = tile_root_of (before);
    b = tile_root_of (low);
  }
}

/* The row and the first column of a quad of the invocation. */
uvec2
quad_place (uint first_column, uint first_row, uint quad)
{
  return uvec2 (first_row + quad / ROW_QUADS, 32u * first_column + 4u * (quad % ROW_QUADS));
}

/* Sets the masks of some quads. The words of QUADS quads are loaded before the first is needed,
 * because an invocation has few loads in flight otherwise. Words beyond the grid are replaced by
 * others. */
void
load_quads (uint first_column, uint first_row, uint begin)
{
  uint end = params.first_row + params.n_rows;
  uvec4 fours[QUADS];

  for (uint i = 0u; i < uint (QUADS); i++) {
    uvec2 place = quad_place (first_column, first_row, begin + i * uint (LOCAL_SIZE_X));
    uint at = row_base (min (place.x, end - 1u));
    uvec4 x = min (uvec4 (place.y) + uvec4 (0u, 1u, 2u, 3u), uvec4 (params.width - 1u)) + at;
    fours[i] = uvec4 (WORD_AT (x.x), WORD_AT (x.y), WORD_AT (x.z), WORD_AT (x.w));
  }
  for (uint i = 0u; i < uint (QUADS); i++) {
    uint quad = begin + i * uint (LOCAL_SIZE_X);
    uvec2 place = quad_place (first_column, first_row, quad);
    uvec4 inside = uvec4 (lessThanEqual (fours[i] - params.lower, uvec4 (params.span))) *
        uvec4 (1u, 2u, 4u, 8u);
    uint bits = inside.x | inside.y | inside.z | inside.w;
    if (place.x >= end || place.y >= params.width || params.empty != 0u)
      bits = 0u;
    bits &= 15u >> (4u - min (params.width - min (place.y, params.width), 4u));
    if (bits != 0u)
      atomicOr (tile_masks[quad / 8u], bits << (4u * (quad % 8u)));
  }
}

void
load_tile (uint first_column, uint first_row)
{
  tile_masks[gl_LocalInvocationIndex] = 0u;
  workgroup_barrier ();
  for (uint i = FIRST_ROUND; i < 8u; i += uint (QUADS))
    load_quads (first_column, first_row, i * uint (LOCAL_SIZE_X) + gl_LocalInvocationIndex);
  workgroup_barrier ();
}

/* Makes a node of each run of the invocation's word. The parent of a node is the first run above
 * that touches it, or the node itself. Returns, as touches_of() does, the pairs that are left. */
uint
link_word (uint local, uint mask, uint above)
{
  uint first = local * STRIDE;
  uint starts = starts_of (mask);
  uint starts_above = starts_of (above);
  uint end = first + count_of (starts);
  uint linked = end;
  uint rest = 0u;

  for (uint node = first; node < end; node++)
    parents[node] = node;
  for (uint left = touches_of (mask, above, params.diagonal); left != 0u; left &= left - 1u) {
    uint x = lowest_of (left);
    uint node = first + run_at (starts, x);
    if (node == linked)
      rest |= left & (0u - left);
    else
      parents[node] = first - uint (COLUMNS) * STRIDE + run_at (starts_above, x);
    linked = node;
  }
  return rest;
}

/* The node of the last run of a word of the tile. */
uint
last_node (uint word, uint mask)
{
  return word * STRIDE + count_of (starts_of (mask)) - 1u;
}

/* Joins the pairs of @left, and the first run with the word on the left, diagonally too, as
 * components_borders does between tiles. */
void
join_word (uint local, uint mask, uint above_mask, uint left)
{
  uint first = local * STRIDE;
  uint above = local - uint (COLUMNS);

  for (; left != 0u; left &= left - 1u) {
    uint x = lowest_of (left);
    join_in_tile (first + run_at (starts_of (mask), x),
        above * STRIDE + run_at (starts_of (above_mask), x));
  }
  if (local % uint (COLUMNS) == 0u)
    return;
  uint left_mask = tile_masks[local - 1u];
  uint above_left_mask = local < uint (COLUMNS) ? 0u : tile_masks[above - 1u];
  if (!joins_left (left_mask, mask, above_left_mask, above_mask, params.diagonal))
    return;
  uint a = REACHES_RIGHT (left_mask) ? last_node (local - 1u, left_mask)
                                     : last_node (above - 1u, above_left_mask);
  join_in_tile (a, REACHES_LEFT (mask) ? first : above * STRIDE);
}

/* Makes the root the parent of each run of the invocation's word. Returns which are roots. */
uint
flatten_word (uint local, uint mask)
{
  uint first = local * STRIDE;
  uint n = count_of (starts_of (mask));
  uint roots = 0u;

  for (uint i = 0u; i < n; i++) {
    uint root = tile_root_of (first + i);
    parents[first + i] = root;
    roots |= root == first + i ? 1u << i : 0u;
  }
  return roots;
}

/* Adds the sizes of the word's runs to their roots, once for neighbours with the same root. */
void
sum_word (uint local, uint mask, uint at)
{
  uint node = local * STRIDE;
  uint last = node, sum = 0u;

  for (uint left = starts_of (mask); left != 0u; left &= left - 1u) {
    uint x = lowest_of (left);
    uint parent = parents[node];
    uint root = parent < SIZE ? parent : node;
    if (root != last && sum != 0u) {
      atomicAdd (parents[last], sum);
      sum = 0u;
    }
    last = root;
    sum += run_size (at + x, run_length (mask, x));
    node++;
  }
  if (sum != 0u)
    atomicAdd (parents[last], sum);
}

/* The number of a node of the tile among the nodes of the grid. */
uint
node_of (uint first_word, uint tile_node)
{
  uint word = tile_node / STRIDE;

  return (first_word + word / uint (COLUMNS) * params.row_words + word % uint (COLUMNS)) *
      GST_GLES_COMPONENTS_NODES +
      tile_node % STRIDE;
}

/* Stores the labels and sizes of all nodes, neighbouring invocations those of one word. */
void
store_nodes (uint first_word)
{
  for (uint i = FIRST_ROUND; i < GST_GLES_COMPONENTS_NODES; i++) {
    uint k = i * uint (LOCAL_SIZE_X) + gl_LocalInvocationIndex;
    uint word = k / GST_GLES_COMPONENTS_NODES;
    uint run = k % GST_GLES_COMPONENTS_NODES;
    if (run < count_of (starts_of (tile_masks[word]))) {
      uint tile_node = word * STRIDE + run;
      uint node = node_of (first_word, tile_node);
      uint parent = parents[tile_node];
      labels[node] = parent < SIZE ? node_of (first_word, parent) : node;
      if (parent >= SIZE)
        sizes[node] = parent - SIZE;
    }
  }
}

#if CLEARS
/* Sets the words of the tile, the cells of points, to zero for the next call. */
void
clear_tile (uint first_column, uint first_row)
{
  for (uint i = FIRST_ROUND; i < 32u; i++) {
    uint k = i * uint (LOCAL_SIZE_X) + gl_LocalInvocationIndex;
    uint row = first_row + k / (4u * ROW_QUADS);
    uint x = 32u * first_column + k % (4u * ROW_QUADS);
    if (row < params.first_row + params.n_rows && x < params.width)
      words[row_base (row) + x] = 0u;
  }
}
#endif

void
main ()
{
  uint local = gl_LocalInvocationIndex;
  uint first_column = gl_WorkGroupID.x * uint (COLUMNS);
  uint first_row = params.first_row + gl_WorkGroupID.y * uint (TILE_HEIGHT);
  uint first_word = first_row * params.row_words + first_column;
  uint row = first_row + local / uint (COLUMNS);
  uint column = first_column + local % uint (COLUMNS);

  if (gl_WorkGroupID.x + gl_WorkGroupID.y + params.first_row == 0u) {
    for (uint i = local; i < GST_GLES_COMPONENTS_COUNTERS; i += uint (LOCAL_SIZE_X))
      masks[params.counters_at + i] = 0u;
  }
  load_tile (first_column, first_row);
  uint mask = tile_masks[local];
  uint above = local < uint (COLUMNS) ? 0u : tile_masks[local - uint (COLUMNS)];
  uint left = link_word (local, mask, above);
  workgroup_barrier ();
  join_word (local, mask, above, left);
  workgroup_barrier ();
  uint roots = flatten_word (local, mask);
  workgroup_barrier ();
  for (uint more = roots; more != 0u; more &= more - 1u)
    parents[local * STRIDE + lowest_of (more)] = SIZE;
  workgroup_barrier ();
  sum_word (local, mask, row_base (row) + 32u * column);
  workgroup_barrier ();
  store_nodes (first_word);
#if CLEARS
  clear_tile (first_column, first_row);
#endif
  if (row < params.first_row + params.n_rows && column < params.row_words) {
    uint word = row * params.row_words + column;
    masks[word] = mask;
    masks[params.roots_at + word] = roots;
  }
}
