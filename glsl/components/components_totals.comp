// SPDX-License-Identifier: LGPL-2.1-or-later
/* Computes the box, the sizes and the sums of each listed component. An invocation accumulates
 * one component in registers and adds these totals when it reaches another component. Many
 * invocations contribute to the first TABLE components of the list, which are the largest: their
 * totals go to a table in shared memory, all others directly to the records. The totals are
 * sums, minima and maxima of integers, so the order of execution does not change them.
 *
 * Defines: LOCAL_SIZE_X; TABLE: components in the shared table, 0: no table; POINTS: 1: items
 *   are points, 0: quads; TEXELS: defined: what is read is bound as buffer textures, and items are
 *   mask words; QUADS: quads that an invocation takes at a time;
 *   BYTES: defined: words of the grid are bytes, four in a word of the binding
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
#define BOUND_WORD_AT(at) texel_word (words, at)
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
#define BOUND_WORD_AT(at) words[at]

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
#include "components/components_bytes.glsl"

/* The list index that a label tells, or NOT_LISTED. */
uint
slot_of_label (uint label)
{
  return (label & GST_GLES_COMPONENTS_LISTED) != 0u ? label ^ GST_GLES_COMPONENTS_LISTED
                                                    : NOT_LISTED;
}

/* The list index of a node's component, or NOT_LISTED. */
uint
slot_of (uint node)
{
  uint label = LABEL_AT (node);

  /* The label of a node is the root of its tile, whose label is the root. */
  if ((label & GST_GLES_COMPONENTS_LISTED) == 0u)
    label = LABEL_AT (label);
  if ((label & GST_GLES_COMPONENTS_LISTED) == 0u)
    label = LABEL_AT (label);
  return slot_of_label (label);
}

#if POINTS

uint
n_items ()
{
  return MASK_AT (params.n_words);
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
  totals_add_row (totals, at.x, at.x, at.y, 1u, at.x);
  totals_add_value (totals, point.y);
}

#else

#ifdef TEXELS
#define ITEMS_PER_WORD 1u
#else
#define ITEMS_PER_WORD 8u
#pragma optionNV(unroll all)
#endif

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
#ifdef BYTES
void
add_values (uint at, uint pixels, inout Totals totals)
{
  uint skip = at % 16u;
  uint end = skip + 32u;
  uvec4 sum = uvec4 (0u), most = uvec4 (0u);

  for (uint i = 0u; i < end; i += 16u) {
    uvec4 sixteen = texelFetch (words, int ((at + i) / 16u));
    uint bits = i == 0u ? pixels << skip : pixels >> (i - skip);
    for (uint k = 0u; k < 4u; k++) {
      uvec4 inside = -((uvec4 (bits, bits >> 4, bits >> 8, bits >> 12) >> k) & 1u);
      uvec4 four = (sixteen >> (8u * k)) & 255u & inside;
      most = max (most, four);
      sum += four;
    }
  }
  totals.max_value = max (totals.max_value, max (max (most.x, most.y), max (most.z, most.w)));
  totals.value = sum_64 (totals.value, sum.x + sum.y + sum.z + sum.w);
}
#else
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
#endif

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
      totals_add_row (totals, column + lowest_of (pixels), column + uint (last), row, n,
          column * n + sum_of_places (pixels));
      add_values (at, pixels, totals);
    }
  } while (left != 0u);
}

#else

/* Adds the words @bits of a quad, whose first word is in column @column. */
void
add_pixels (uint slot, uint column, uint row, uint bits, uvec4 values, inout Totals totals)
{
  uint n = count_of (bits);
  int last = findMSB (bits);

  totals_take (totals, slot);
  totals_add_row (totals, column + lowest_of (bits), column + uint (last), row, n,
      column * n + count_of (bits & 10u) + 2u * count_of (bits & 12u));
  values &= -(uvec4 (bits, bits >> 1, bits >> 2, bits >> 3) & 1u);
  for (int i = 0; i < 4; i++)
    totals_add_value (totals, values[i]);
}

/* Follows the labels of two runs of each quad by one step, unless they tell the list index. */
void
follow_labels (inout uvec2 found[QUADS])
{
  for (int k = 0; k < QUADS; k++) {
    if ((found[k].x & GST_GLES_COMPONENTS_LISTED) == 0u)
      found[k].x = labels[found[k].x];
    if ((found[k].y & GST_GLES_COMPONENTS_LISTED) == 0u)
      found[k].y = labels[found[k].y];
  }
}

/* Adds quad @i and the next ones at a distance of @step, up to @end. A quad has at most two runs.
 * Each kind of load is issued for all quads before the first result is needed, because an
 * invocation has few of them in flight otherwise. */
void
add_items (uint i, uint step, uint end, inout Totals totals)
{
  uvec2 place[QUADS]; /* the first column, and the row */
  uint bits[QUADS];
  uvec2 found[QUADS];
  uvec4 values[QUADS];

  for (int k = 0; k < QUADS; k++) {
    uint item = min (i + uint (k) * step, end - 1u);
    uint word = params.first_row * params.row_words + item / ITEMS_PER_WORD;
    uint first = item % ITEMS_PER_WORD * 4u;
    uint mask = masks[word];
    uint starts = starts_of (mask);
    bits[k] = i + uint (k) * step < end ? (mask >> first) & 15u : 0u;
    place[k] = uvec2 (32u * (word % params.row_words) + first, word / params.row_words);
    int last = findMSB (bits[k]);
    found[k] = uvec2 (word * GST_GLES_COMPONENTS_NODES - 1u) +
        uvec2 (count_of (starts & bits_to (first + lowest_of (bits[k]))),
            count_of (starts & bits_to (first + uint (last))));
    if (bits[k] == 0u)
      found[k] = uvec2 (NOT_LISTED);
  }
  for (int k = 0; k < QUADS; k++) {
    uint at = params.base + (place[k].y - params.first_row) * params.width + place[k].x;
    int last_bit = findMSB (bits[k]);
    uint last = at + uint (last_bit);
    values[k] = uvec4 (0u);
    if (bits[k] != 0u)
      values[k] = uvec4 (WORD_AT (at), WORD_AT (min (at + 1u, last)),
          WORD_AT (min (at + 2u, last)), WORD_AT (last));
  }
  /* The label of a node is the root of its tile, whose label is the root, whose label is the list
   * index. */
  for (int hop = 0; hop < 3; hop++)
    follow_labels (found);
  for (int k = 0; k < QUADS; k++) {
    uint run = bits[k] & ~(bits[k] + (bits[k] & (0u - bits[k])));
    uvec2 slot = uvec2 (slot_of_label (found[k].x), slot_of_label (found[k].y));
    if (bits[k] == 0u)
      continue;
    if (slot.x == slot.y)
      run = bits[k];
    if (slot.x != NOT_LISTED)
      add_pixels (slot.x, place[k].x, place[k].y, run, values[k], totals);
    if (run != bits[k] && slot.y != NOT_LISTED)
      add_pixels (slot.y, place[k].x, place[k].y, bits[k] ^ run, values[k], totals);
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
#elif POINTS
  for (; i < end; i += step)
    add_item (i, totals);
#else
  for (; i < end; i += uint (QUADS) * step)
    add_items (i, step, end, totals);
#endif
  totals_flush (totals);
  table_flush ();
}
