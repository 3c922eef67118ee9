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
 *   BYTES  defined: the words of the grid are bytes, four in a word of the binding
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
#define BOUND_WORD_AT(at) texel_word (words, at)
#else
#if CLEARS
layout (std430, binding = 0) buffer Words
#else
layout (std430, binding = 0) readonly buffer Words
#endif
{
  uint words[];
};
#define BOUND_WORD_AT(at) words[at]
#endif
#include "components/components_bytes.glsl"

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

#if defined(TEXELS) && defined(BYTES)
  uint skip = at % 16u;
  uint end = skip + n;
  uint i = 0u;

  do {
    uvec4 sixteen = texelFetch (words, int ((at + i) / 16u));
    uint found = 0u;
    for (uint k = 0u; k < 4u; k++) {
      uvec4 four = ((sixteen >> (8u * k)) & 255u) - params.lower;
      uvec4 inside =
          uvec4 (lessThanEqual (four, uvec4 (params.span))) * uvec4 (1u, 16u, 256u, 4096u);
      found |= (inside.x | inside.y | inside.z | inside.w) << k;
    }
    bits |= i == 0u ? found >> skip : found << (i - skip);
    i += 16u;
  } while (i < end);
  return params.empty != 0u ? 0u : bits & bits_to (n - 1u);
#elif defined(TEXELS)
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
    bits |= WORD_AT (at + i) - params.lower <= params.span ? 1u << i : 0u;
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
#include "components/components_tiles_team.glsl"
#endif
