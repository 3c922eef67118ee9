// SPDX-License-Identifier: LGPL-2.1-or-later
/* Labels each tile of one mask word by TILE_HEIGHT rows independently: first step of
 * docs/algorithms/components.md. Writes the masks, and the label and the size of each node. A
 * root has the size of its part of the component; other nodes have size 0.
 *
 * Defines:
 *   TEAM  0: an invocation labels a tile, in the buffers; 1: a workgroup does, in shared memory
 *   TEXELS  defined, with TEAM 0: in private arrays; the words are a buffer texture
 *   WEIGHTED  with TEXELS: 1: the size of a run is the sum of its words
 *   TILE_HEIGHT  rows of a tile; for TEAM 1 a multiple of LOCAL_SIZE_X / 8
 *   LOCAL_SIZE_X
 * Bindings: uniform 0: the pass; storage 0: the words of a band of rows; storage 1: receives the
 *   masks; storage 2: receives the labels; storage 3: receives the sizes, with TEXELS of roots
 *   only; storage 4: with TEXELS, receives for each mask word which of its runs are roots
 * Grid: TEAM 0: x invocations, at least one per tile of the band; TEAM 1: x columns and y rows
 *   of tiles of the band. */
#include "components/components_params.glsl"
#include "lib/barrier.glsl"
#define LABELS_BINDING 2
#include "components/components_forest.glsl"

#ifdef TEXELS
layout (binding = 0) uniform usamplerBuffer words;
#define WORD_AT(at) texel_word (words, at)
#else
layout (std430, binding = 0) readonly buffer Words
{
  uint words[];
};
#define WORD_AT(at) words[at]
#endif

layout (std430, binding = 1) writeonly buffer Masks
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

layout (std430, binding = 4) writeonly buffer TileRoots
{
  uint tile_roots[];
};

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
  tile_roots[word] = roots;
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
  sizes[high] = 0u;
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

void
main ()
{
  uint tile = gl_GlobalInvocationID.x;
  uint column = tile % params.row_words;
  uint row = params.first_row + tile / params.row_words * uint (TILE_HEIGHT);
  uint end = min (row + uint (TILE_HEIGHT), params.first_row + params.n_rows);
  uint n = min (params.width - min (32u * column, params.width), 32u);
  uint above = 0u;

  for (; row < end; row++) {
    uint mask = load_bits (row_base (row) + 32u * column, n);
    masks[row * params.row_words + column] = mask;
    label_row (row, column, mask, above);
    above = mask;
  }
}

#else

#define TILE_NODES (uint (TILE_HEIGHT) * GST_GLES_COMPONENTS_NODES)
/* Quads (four neighbouring pixels) per invocation. */
#define QUADS (TILE_HEIGHT * 8 / LOCAL_SIZE_X)

shared uint tile_masks[TILE_HEIGHT];
shared uint parents[TILE_NODES];
shared uint tile_sizes[TILE_NODES];

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

void
load_tile (uint column, uint first_row)
{
  uint local = gl_LocalInvocationIndex;

  for (uint i = local; i < uint (TILE_HEIGHT); i += uint (LOCAL_SIZE_X))
    tile_masks[i] = 0u;
  for (uint i = local; i < TILE_NODES; i += uint (LOCAL_SIZE_X)) {
    parents[i] = i;
    tile_sizes[i] = 0u;
  }
  workgroup_barrier ();
  for (uint q = 0u; q < uint (QUADS); q++) {
    uint quad = q * uint (LOCAL_SIZE_X) + local;
    uint row = first_row + quad / 8u;
    uint x = 32u * column + 4u * (quad % 8u);
    if (row < params.first_row + params.n_rows && x < params.width) {
      uint bits = load_bits (row_base (row) + x, min (params.width - x, 4u));
      if (bits != 0u)
        atomicOr (tile_masks[quad / 8u], bits << (4u * (quad % 8u)));
    }
  }
  workgroup_barrier ();
}

void
join_quad (uint row, uint quad_bits)
{
  uint below = tile_masks[row];
  uint above = tile_masks[row - 1u];
  uint first = row * GST_GLES_COMPONENTS_NODES;

  for (uint left = touches_of (below, above, params.diagonal) & quad_bits; left != 0u;
       left &= left - 1u) {
    uint x = lowest_of (left);
    join_in_tile (first + run_at (starts_of (below), x),
        first - GST_GLES_COMPONENTS_NODES + run_at (starts_of (above), x));
  }
}

void
sum_quad (uint row, uint quad_bits, uint at)
{
  uint mask = tile_masks[row];
  uint starts = starts_of (mask);

  for (uint left = starts & quad_bits; left != 0u; left &= left - 1u) {
    uint x = lowest_of (left);
    uint node = row * GST_GLES_COMPONENTS_NODES + run_at (starts, x);
    uint root = tile_root_of (node);
    atomicAdd (tile_sizes[root], run_size (at + x, run_length (mask, x)));
    parents[node] = root;
  }
}

/* The number of a node of the tile among the nodes of the grid. */
uint
node_of (uint first_word, uint tile_node)
{
  return (first_word + tile_node / GST_GLES_COMPONENTS_NODES * params.row_words) *
      GST_GLES_COMPONENTS_NODES +
      tile_node % GST_GLES_COMPONENTS_NODES;
}

void
store_quad (uint first_word, uint row, uint quad_bits)
{
  uint starts = starts_of (tile_masks[row]);

  for (uint left = starts & quad_bits; left != 0u; left &= left - 1u) {
    uint tile_node = row * GST_GLES_COMPONENTS_NODES + run_at (starts, lowest_of (left));
    uint node = node_of (first_word, tile_node);
    labels[node] = node_of (first_word, parents[tile_node]);
    sizes[node] = tile_sizes[tile_node];
  }
}

void
main ()
{
  uint local = gl_LocalInvocationIndex;
  uint column = gl_WorkGroupID.x;
  uint first_row = params.first_row + gl_WorkGroupID.y * uint (TILE_HEIGHT);
  uint n_rows = min (params.first_row + params.n_rows - first_row, uint (TILE_HEIGHT));
  uint first_word = first_row * params.row_words + column;

  load_tile (column, first_row);
  for (uint quad = local; quad < uint (QUADS * LOCAL_SIZE_X); quad += uint (LOCAL_SIZE_X)) {
    if (quad >= 8u)
      join_quad (quad / 8u, 15u << (4u * (quad % 8u)));
  }
  workgroup_barrier ();
  for (uint quad = local; quad < uint (QUADS * LOCAL_SIZE_X); quad += uint (LOCAL_SIZE_X))
    sum_quad (quad / 8u, 15u << (4u * (quad % 8u)),
        row_base (first_row + quad / 8u) + 32u * column);
  workgroup_barrier ();
  for (uint quad = local; quad < 8u * n_rows; quad += uint (LOCAL_SIZE_X))
    store_quad (first_word, quad / 8u, 15u << (4u * (quad % 8u)));
  for (uint i = local; i < n_rows; i += uint (LOCAL_SIZE_X))
    masks[first_word + i * params.row_words] = tile_masks[i];
}

#endif
