// SPDX-License-Identifier: LGPL-2.1-or-later
/* Computes the box, the sizes and the sums of each listed component. An invocation accumulates
 * one component in registers and adds these totals when it reaches another component. Many
 * invocations contribute to the first TABLE components of the list, which are the largest: their
 * totals go to a table in shared memory, all others directly to the records. The totals are
 * sums, minima and maxima of integers, so the order of execution does not change them.
 *
 * Defines: LOCAL_SIZE_X; TABLE: components in the shared table, 0: no table; SPAN: pixels of a
 *   mask word that make an item, 4 or 32; POINTS: 1: items are points; TEXELS: defined: what is
 *   read is bound as buffer textures
 * Bindings: uniform 0: the pass; storage 0: the masks, then the number of points; storage 1: the
 *   labels; storage 2: the words of a band of rows, or the points; storage 3: the records
 * Grid: x workgroups, any number; each takes a contiguous range of items. */
#include "components/components_params.glsl"
#include "lib/barrier.glsl"
#include "components/components_record.glsl"

#ifdef TEXELS
layout (binding = 0) uniform usamplerBuffer masks;
layout (binding = 1) uniform usamplerBuffer labels;
layout (binding = 2) uniform usamplerBuffer words; /* or points */
#define MASK_AT(at) texel_word (masks, at)
#define LABEL_AT(at) texel_word (labels, at)
#else
layout (std430, binding = 0) readonly buffer Masks
{
  uint masks[];
};

layout (std430, binding = 1) readonly buffer Labels
{
  uint labels[];
};
#define MASK_AT(at) masks[at]
#define LABEL_AT(at) labels[at]

#if POINTS
layout (std430, binding = 2) readonly buffer Points
{
  uvec2 points[];
};
#else
layout (std430, binding = 2) readonly buffer Words
{
  uint words[];
};
#endif
#endif

/* The list index of a node's component, or NOT_LISTED. */
uint
slot_of (uint node)
{
  uint label = LABEL_AT (node);

#ifdef TEXELS
  /* The label of a node is the root of its tile, whose label is the root. */
  if ((label & GST_GLES_COMPONENTS_LISTED) == 0u)
    label = LABEL_AT (label);
#endif
  if ((label & GST_GLES_COMPONENTS_LISTED) == 0u)
    label = LABEL_AT (label);
  return (label & GST_GLES_COMPONENTS_LISTED) != 0u ? label ^ GST_GLES_COMPONENTS_LISTED
                                                    : NOT_LISTED;
}

#if POINTS

uint
n_items ()
{
  return params.counted != 0u ? MASK_AT (params.n_words) : params.n;
}

void
add_item (uint i, inout Totals totals)
{
#ifdef TEXELS
  uvec4 two = texelFetch (words, int (i / 2u));
  uvec2 point = i % 2u == 0u ? two.xy : two.zw;
#else
  uvec2 point = points[i];
#endif
  uvec2 at = uvec2 (point.x & 0xffffu, point.x >> 16);
  uvec2 cell = at / uvec2 (params.cell_width, params.cell_height);

  if (at.x >= params.frame_width || at.y >= params.frame_height)
    return;
  uint word = cell.y * params.row_words + cell.x / 32u;
  uint mask = MASK_AT (word);
  if ((mask & (1u << (cell.x % 32u))) == 0u)
    return;
  uint slot =
      slot_of (word * GST_GLES_COMPONENTS_NODES + run_at (starts_of (mask), cell.x % 32u));
  if (slot == NOT_LISTED)
    return;
  totals_take (totals, slot);
  totals_add_row (totals, at.x, at.x, at.y);
  totals_add_value (totals, point.y);
}

#else

#define ITEMS_PER_WORD uint (32 / SPAN)

uint
n_items ()
{
  return params.n_rows * params.row_words * ITEMS_PER_WORD;
}

#ifdef TEXELS

/* llvmpipe executes both sides of each branch, also what a loop skips, so totals are added, and
 * flushed, once for all runs of a mask word that belong to one component. */

/* A mask of those runs that begin in @left, up to the first of another listed component. Removes
 * them, and what belongs to no listed component, from @left. */
uint
take_component (uint word, uint mask, inout uint left, out uint slot)
{
  uint pixels = 0u;
  uint starts = starts_of (mask);
  bool more = true;

  slot = NOT_LISTED;
  do {
    uint x = lowest_of (left);
    uint run = mask & (0xffffffffu << x);
    run &= ~(run + (1u << x));
    uint next = slot_of (word * GST_GLES_COMPONENTS_NODES + run_at (starts, x));
    more = next == NOT_LISTED || slot == NOT_LISTED || next == slot;
    if (more) {
      left &= ~run;
      if (next != NOT_LISTED) {
        slot = next;
        pixels |= run;
      }
    }
  } while (more && left != 0u);
  return pixels;
}

/* The sum of the numbers of the bits of @bits. */
uint
sum_of_places (uint bits)
{
  return count_of (bits & 0xaaaaaaaau) + 2u * count_of (bits & 0xccccccccu) +
      4u * count_of (bits & 0xf0f0f0f0u) + 8u * count_of (bits & 0xff00ff00u) +
      16u * count_of (bits & 0xffff0000u);
}

/* Adds the words of @pixels, of which bit 0 is word @at. */
void
add_values (uint at, uint pixels, inout Totals totals)
{
  uint skip = at % 4u;
  uint end = skip + 32u;
  uvec4 sum = uvec4 (0u), carries = uvec4 (0u), most = uvec4 (0u);

  for (uint i = 0u; i < end; i += 4u) {
    uint bits = i == 0u ? pixels << skip : pixels >> (i - skip);
    uvec4 inside = -(uvec4 (bits, bits >> 1, bits >> 2, bits >> 3) & 1u);
    uvec4 four = texelFetch (words, int ((at + i) / 4u)) & inside;
    most = max (most, four);
    sum += four;
    carries += uvec4 (lessThan (sum, four));
  }
  totals.max_value = max (totals.max_value, max (max (most.x, most.y), max (most.z, most.w)));
  for (int i = 0; i < 4; i++) {
    totals.value = sum_64 (totals.value, sum[i]);
    totals.value.y += carries[i];
  }
}

void
add_mask (uint word, uint mask, inout Totals totals)
{
  uint row = word / params.row_words;
  uint column = 32u * (word % params.row_words);
  uint at = params.base + (row - params.first_row) * params.width + column;
  uint left = mask;

  if (left == 0u)
    return;
  do {
    uint slot;
    uint pixels = take_component (word, mask, left, slot);
    if (pixels != 0u) {
      uint n = count_of (pixels);
      totals_take (totals, slot);
      int last = findMSB (pixels);
      totals.box = uvec4 (min (totals.box.x, column + lowest_of (pixels)), min (totals.box.y, row),
          max (totals.box.z, column + uint (last)), max (totals.box.w, row));
      totals.pixels += n;
      totals.x = sum_64 (totals.x, column * n + sum_of_places (pixels));
      totals.y = sum_64 (totals.y, row * n);
      add_values (at, pixels, totals);
    }
  } while (left != 0u);
}

#else

void
add_piece (uint word, uint x, uint n, uint starts, inout Totals totals)
{
  uint slot = slot_of (word * GST_GLES_COMPONENTS_NODES + run_at (starts, x));
  uint row = word / params.row_words;
  uint left = 32u * (word % params.row_words) + x;
  uint at = params.base + (row - params.first_row) * params.width + left;

  if (slot == NOT_LISTED)
    return;
  totals_take (totals, slot);
  totals_add_row (totals, left, left + n - 1u, row);
  for (uint i = 0u; i < n; i++)
    totals_add_value (totals, words[at + i]);
}

void
add_item (uint i, inout Totals totals)
{
  uint word = params.first_row * params.row_words + i / ITEMS_PER_WORD;
  uint first = i % ITEMS_PER_WORD * uint (SPAN);
  uint mask = masks[word];
  uint starts = starts_of (mask);
  uint left = (mask >> first) & (0xffffffffu >> (32 - SPAN));

  while (left != 0u) {
    uint x = lowest_of (left);
    uint n = run_length (left, x);
    add_piece (word, first + x, n, starts, totals);
    left &= n == 32u ? 0u : ~(((1u << n) - 1u) << x);
  }
}

#endif
#endif

void
main ()
{
  begin_pass ();
  uint n = n_items ();
  uint each = (n + gl_NumWorkGroups.x - 1u) / gl_NumWorkGroups.x;
#if TABLE
  uint first = min (gl_WorkGroupID.x * each, n);
  uint end = min (first + each, n);
  uint step = uint (LOCAL_SIZE_X);
  uint i = first + gl_LocalInvocationIndex;
#else
  /* Each invocation takes a contiguous range, so that items of one component follow each other. */
  each = (each + uint (LOCAL_SIZE_X) - 1u) / uint (LOCAL_SIZE_X);
  uint i = min (gl_GlobalInvocationID.x * each, n);
  uint end = min (i + each, n);
  uint step = 1u;
#endif
  Totals totals;

  table_begin ();
  totals_begin (totals);
#if defined(TEXELS) && !POINTS
  /* Invocations pass over empty words together. */
  for (; i < end; i++) {
    uint mask = 0u;
    do {
      mask = MASK_AT (i);
      i += mask == 0u ? 1u : 0u;
    } while (mask == 0u && i < end);
    add_mask (i, mask, totals);
  }
#else
  for (; i < end; i += step)
    add_item (i, totals);
#endif
  totals_flush (totals);
  table_flush ();
}
