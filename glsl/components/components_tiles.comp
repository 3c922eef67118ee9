// SPDX-License-Identifier: LGPL-2.1-or-later
/* Labels each tile of COLUMNS mask words by TILE_HEIGHT rows independently: first step of
 * docs/algorithms/components.md. Writes the masks, the label of each node, which is its root, and
 * the size of each root, which is that of the component's part in the tile.
 *
 * Defines:
 *   TEAM  0: an invocation labels a tile, in the buffers; 1: a workgroup does, in shared memory,
 *         with one invocation for each mask word
 *   TEXELS  defined, with TEAM 0: in private arrays; the words are a buffer texture
 *   WEIGHTED  with TEXELS: 1: the size of a run is the sum of its words
 *   CLEARS  with TEAM 1: 1: sets the words to zero after it has read them
 *   COLUMNS, TILE_HEIGHT  mask words and rows of a tile; with TEAM 0 one mask word
 *   QUADS  with TEAM 1: quads (four neighbouring pixels) that are loaded at a time, a divisor of 8
 *   LOCAL_SIZE_X  with TEAM 1: COLUMNS * TILE_HEIGHT
 * Bindings: uniform 0: the pass; storage 0: the words of a band of rows; storage 1: receives the
 *   masks, which of the runs of each mask word are roots, and with TEAM 1 counters of candidates,
 *   which are zero; storage 2: receives the labels;
 *   storage 3: receives the sizes of the roots
 * Grid: TEAM 0: x invocations, at least one per tile of the band; TEAM 1: x columns and y rows
 *   of tiles of the band. */
#include "components/components_params.glsl"
#include "lib/barrier.glsl"
#define LABELS_BINDING 2
#include "components/components_forest.glsl"

#ifndef CLEARS
#define CLEARS 0
#endif

#ifdef TEXELS
layout (binding = 0) uniform usamplerBuffer words;
#define WORD_AT(at) texel_word (words, at)
#else
#if CLEARS
layout (std430, binding = 0) buffer Words
#else
layout (std430, binding = 0) readonly buffer Words
#endif
{
  uint words[];
};
#define WORD_AT(at) words[at]
#endif

layout (std430, binding = 1) buffer Masks
{
  uint masks[];
};

layout (std430, binding = 3) buffer Sizes
{
  uint sizes[];
};

/* The index, in the binding, of column 0 of a row. */
uint
row_base (uint row)
{
  return params.base + (row - params.first_row) * params.width;
}

#if TEAM == 0
/* A mask of the foreground among the @n words from @at on; @n is not 0. */
uint
load_bits (uint at, uint n)
{
  uint bits = 0u;

#ifdef TEXELS
  uint skip = at % 4u;
  uint end = skip + n;
  uint i = 0u;

  do {
    uvec4 four = texelFetch (words, int ((at + i) / 4u)) - params.lower;
    uvec4 inside = uvec4 (lessThanEqual (four, uvec4 (params.span))) * uvec4 (1u, 2u, 4u, 8u);
    uint nibble = inside.x | inside.y | inside.z | inside.w;
    bits |= i == 0u ? nibble >> skip : nibble << (i - skip);
    i += 4u;
  } while (i < end);
  return params.empty != 0u ? 0u : bits & bits_to (n - 1u);
#else
  if (params.empty != 0u)
    return 0u;
  for (uint i = 0u; i < n; i++)
    bits |= words[at + i] - params.lower <= params.span ? 1u << i : 0u;
  return bits;
#endif
}
#endif

/* The size of a run of @n words from @at on: the number of words, or with weights their sum. */
uint
run_size (uint at, uint n)
{
  uint size = 0u;

#ifdef TEXELS
  if (WEIGHTED == 0)
    return n;
#else
  if (params.weighted == 0u)
    return n;
#endif
  for (uint i = 0u; i < n; i++)
    size += WORD_AT (at + i);
  return size;
}

#ifdef TEXELS

/* llvmpipe accesses blocks lane by lane and branches for each lane; for private arrays it does not
 * branch. The forest of a tile is therefore in arrays until it is complete. LLVM compiles for much
 * longer when these have more than about a thousand elements together, because Mesa sets each to
 * zero by a store of its own. */
#define TILE_NODES (TILE_HEIGHT * 16)
/* The element of a finished root: SIZE and the size, which is the number of some points and so
 * below 2^31. */
#define SIZE 0x80000000u
/* A loop that llvmpipe runs as often as the longest of a vector's invocations needs, and not once
 * more without any. */
#define LOOP_WHILE(condition) do { if (condition) {
#define LOOP_END(condition) } } while (condition);

uint rows[TILE_HEIGHT]; /* masks, then those runs that are roots */
uint parents[TILE_NODES];

/* The root of a node of the row above. */
uint
tile_root_of (uint node)
{
  uint parent = parents[node];

  do {
    node = parent;
    parent = parents[node];
  } while (parent != node);
  return node;
}

/* Makes a node of each run of row @r, and joins these nodes with those of the row above. The pairs
 * of one run follow each other, so its root is known from the pair before. */
void
join_row (uint r, uint mask, uint above)
{
  uint first = r * GST_GLES_COMPONENTS_NODES;
  uint starts = starts_of (mask);
  uint starts_above = starts_of (above);
  uint end = first + count_of (starts);
  uint node = end, root = end;
  uint left = touches_of (mask, above, params.diagonal);

  for (uint i = first; i < end; i++)
    parents[i] = i;
  LOOP_WHILE (left != 0u)
    uint to_x = bits_to (lowest_of (left));
    uint next = first + count_of (starts & to_x) - 1u;
    uint other = tile_root_of (
        first - GST_GLES_COMPONENTS_NODES + count_of (starts_above & to_x) - 1u);
    uint own = next == node ? root : next;
    node = next;
    root = min (own, other);
    parents[max (own, other)] = root;
    parents[node] = root;
    left &= left - 1u;
  LOOP_END (left != 0u)
}

/* Makes the root the parent of each node of row @r, and adds the sizes of its runs to their roots,
 * which then have a size instead of a parent. One step leads to the root, because the nodes before
 * are done. Returns which runs are roots. */
uint
finish_row (uint r, uint at, uint word, uint first_word)
{
  uint node = r * GST_GLES_COMPONENTS_NODES;
  uint to = word * GST_GLES_COMPONENTS_NODES;
  uint mask = rows[r];
  uint left = starts_of (mask);
  uint roots = 0u, bit = 1u;

  LOOP_WHILE (left != 0u)
    uint x = lowest_of (left);
    uint parent = parents[node];
    uint above = parents[parent];
    uint root = above < SIZE ? above : parent;
    uint sum = root == node ? SIZE : parents[root];
    parents[node] = root;
    parents[root] = sum + run_size (at + x, run_length (mask, x));
    labels[to] = (first_word + root / GST_GLES_COMPONENTS_NODES * params.row_words) *
            GST_GLES_COMPONENTS_NODES +
        root % GST_GLES_COMPONENTS_NODES;
    roots |= root == node ? bit : 0u;
    bit <<= 1;
    node++;
    to++;
    left &= left - 1u;
  LOOP_END (left != 0u)
  rows[r] = roots;
  masks[params.roots_at + word] = roots;
  return roots;
}

/* Stores the sizes of roots, in one loop for all rows of the tile, because many rows have none.
 * @more: the rows that have roots, 32 to a word. */
void
store_sizes (uvec2 more, uint first_word)
{
  uint r = 0u, left = 0u;

  LOOP_WHILE ((left | more.x | more.y) != 0u)
    if (left == 0u) {
      r = more.x != 0u ? lowest_of (more.x) : 32u + lowest_of (more.y);
      more = more.x != 0u ? uvec2 (more.x & (more.x - 1u), more.y)
                          : uvec2 (0u, more.y & (more.y - 1u));
      left = rows[r];
    }
    uint i = lowest_of (left);
    sizes[(first_word + r * params.row_words) * GST_GLES_COMPONENTS_NODES + i] =
        parents[r * GST_GLES_COMPONENTS_NODES + i] - SIZE;
    left &= left - 1u;
  LOOP_END ((left | more.x | more.y) != 0u)
}

void
main ()
{
  begin_pass ();
  uint tile = gl_GlobalInvocationID.x;
  uint column = tile % params.row_words;
  uint row = params.first_row + tile / params.row_words * uint (TILE_HEIGHT);
  uint end = min (row + uint (TILE_HEIGHT), params.first_row + params.n_rows);
  uint n_rows = end - min (row, end);
  uint n = min (params.width - 32u * column, 32u);
  uint first_word = row * params.row_words + column;
  uint at = row_base (row) + 32u * column;
  uint above = 0u;
  uvec2 with_roots = uvec2 (0u);

  for (uint r = 0u; r < n_rows; r++) {
    uint mask = load_bits (at + r * params.width, n);
    masks[first_word + r * params.row_words] = mask;
    rows[r] = mask;
    join_row (r, mask, above);
    above = mask;
  }
  for (uint r = 0u; r < n_rows; r++) {
    uint word = first_word + r * params.row_words;
    if (finish_row (r, at + r * params.width, word, first_word) != 0u)
      with_roots |= r < 32u ? uvec2 (1u << r, 0u) : uvec2 (0u, 1u << (r - 32u));
  }
  store_sizes (with_roots, first_word);
}

#elif TEAM == 0

/* Joins two nodes of the tile. Only this invocation accesses its nodes, so no atomics are
 * needed. */
void
join_own (uint a, uint b)
{
  a = root_of (a);
  b = root_of (b);
  if (a == b)
    return;
  uint high = max (a, b);
  uint low = min (a, b);
  labels[high] = low;
  sizes[low] += sizes[high];
}

/* Makes a node of each run of @mask, and joins these nodes with those of the row above. */
void
label_row (uint row, uint column, uint mask, uint above)
{
  uint at = row_base (row) + 32u * column;
  uint first = (row * params.row_words + column) * GST_GLES_COMPONENTS_NODES;
  uint first_above = first - params.row_words * GST_GLES_COMPONENTS_NODES;
  uint starts = starts_of (mask);
  uint starts_above = starts_of (above);
  uint node = first;

  for (uint left = starts; left != 0u; left &= left - 1u) {
    uint x = lowest_of (left);
    labels[node] = node;
    sizes[node] = run_size (at + x, run_length (mask, x));
    node++;
  }
  for (uint left = touches_of (mask, above, params.diagonal); left != 0u; left &= left - 1u) {
    uint x = lowest_of (left);
    join_own (first + run_at (starts, x), first_above + run_at (starts_above, x));
  }
}

/* Makes the root the label of each node of a word. Returns which runs are roots. */
uint
finish_word (uint word, uint mask)
{
  uint node = word * GST_GLES_COMPONENTS_NODES;
  uint n = count_of (starts_of (mask));
  uint roots = 0u;

  for (uint i = 0u; i < n; i++) {
    uint root = root_of (node + i);
    labels[node + i] = root;
    roots |= root == node + i ? 1u << i : 0u;
  }
  return roots;
}

void
main ()
{
  uint tile = gl_GlobalInvocationID.x;
  uint column = tile % params.row_words;
  uint first = params.first_row + tile / params.row_words * uint (TILE_HEIGHT);
  uint end = min (first + uint (TILE_HEIGHT), params.first_row + params.n_rows);
  uint n = min (params.width - min (32u * column, params.width), 32u);
  uint above = 0u;

  for (uint row = first; row < end; row++) {
    uint mask = load_bits (row_base (row) + 32u * column, n);
    masks[row * params.row_words + column] = mask;
    label_row (row, column, mask, above);
    above = mask;
  }
  for (uint row = first; row < end; row++) {
    uint word = row * params.row_words + column;
    masks[params.roots_at + word] = finish_word (word, masks[word]);
  }
}

#else

/* Words of a tile in shared memory, each with its nodes. An odd distance keeps the invocations of a
 * subgroup, which take neighbouring words, at different banks. */
#define TILE_WORDS (COLUMNS * TILE_HEIGHT)
#define STRIDE 17u
#define TILE_NODES (TILE_WORDS * 17)
#define ROW_QUADS (8u * uint (COLUMNS))

/* The element of a root when sizes are added: SIZE and the size, which is below 2^31. */
#define SIZE 0x80000000u

#pragma optionNV(unroll all)

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

/* Sets the masks of the tile. The words of QUADS quads are loaded before the first is needed, because
 * an invocation has few loads in flight otherwise. Words beyond the grid are replaced by others. */
void
load_quads (uint first_column, uint first_row, uint begin)
{
  uint end = params.first_row + params.n_rows;
  uvec4 fours[QUADS];

  for (uint i = 0u; i < uint (QUADS); i++) {
    uvec2 place = quad_place (first_column, first_row, begin + i * uint (LOCAL_SIZE_X));
    uint at = row_base (min (place.x, end - 1u));
    uvec4 x = min (uvec4 (place.y) + uvec4 (0u, 1u, 2u, 3u), uvec4 (params.width - 1u)) + at;
    fours[i] = uvec4 (words[x.x], words[x.y], words[x.z], words[x.w]);
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
  for (uint i = 0u; i < 8u; i += uint (QUADS))
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

/* Joins the pairs of @left, and the first run with the word on the left, diagonally too, as
 * components_borders does between tiles. */
void
join_word (uint local, uint mask, uint above, uint left)
{
  uint first = local * STRIDE;
  uint first_above = first - uint (COLUMNS) * STRIDE;

  for (; left != 0u; left &= left - 1u) {
    uint x = lowest_of (left);
    join_in_tile (
        first + run_at (starts_of (mask), x), first_above + run_at (starts_of (above), x));
  }
  if (local % uint (COLUMNS) == 0u)
    return;
  uint left_mask = tile_masks[local - 1u];
  uint above_left_mask = local < uint (COLUMNS) ? 0u : tile_masks[local - 1u - uint (COLUMNS)];
  bool is_left = left_mask >> 31 != 0u;
  bool is_right = (mask & 1u) != 0u;
  bool above_left = above_left_mask >> 31 != 0u;
  bool above_right = (above & 1u) != 0u;
  bool row = is_left && is_right && !(above_left && above_right);
  bool corner = params.diagonal != 0u && is_left != is_right && above_left == is_right &&
      above_right == is_left;
  if (!row && !corner)
    return;
  uint a = is_left ? first - STRIDE + count_of (starts_of (left_mask)) - 1u
                   : first_above - STRIDE + count_of (starts_of (above_left_mask)) - 1u;
  join_in_tile (a, is_right ? first : first_above);
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
  for (uint i = 0u; i < GST_GLES_COMPONENTS_NODES; i++) {
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
  for (uint i = 0u; i < 32u; i++) {
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

#endif
