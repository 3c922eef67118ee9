// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds candidates in tiles of mask words. A candidate is a root with at least the wanted size.
 *
 * Defines: ROWS, and the defines of lib/subgroup_team.glsl; TEXELS: defined: the sizes are a buffer
 *   texture, and only roots of tiles have a size
 * Bindings: storage 0: the state; storage 1: the masks, with TEXELS the roots of tiles instead;
 *   storage 2: the sizes */
#define SCAN_ROWS ROWS
#define SEGMENTED 0
#define PASS GstGlesComponentsListPass
#include "components/components.glsl"
#include "scan/scan.glsl"
#include "scan/scan_tile.glsl"

#ifdef TEXELS
layout (binding = 2) uniform usamplerBuffer sizes;
#define SIZE_AT(at) texelFetch (sizes, int ((at) / 4u))[(at) % 4u]
#else
#define SIZE_AT(at) sizes[at]
layout (std430, binding = 2) readonly buffer Sizes
{
  uint sizes[];
};
#endif

/* A mask whose bit i is set if run i of the word is a candidate. */
uint
candidates_of (uint word, uint mask)
{
#ifdef TEXELS
  uint found = 0u;

  for (uint left = mask; left != 0u; left &= left - 1u) {
    uint i = lowest_of (left);
    found |= SIZE_AT (word * GST_GLES_COMPONENTS_NODES + i) >= params.min_size ? 1u << i : 0u;
  }
  return found;
#else
  uint n = count_of (starts_of (mask));
  uint bits = 0u;

  for (uint i = 0u; i < n; i++)
    bits |= sizes[word * GST_GLES_COMPONENTS_NODES + i] >= params.min_size ? 1u << i : 0u;
  return bits;
#endif
}

/* The candidates of four mask words, 16 bits per word. */
uvec2
candidates_of_row (uint at, uvec4 masks)
{
  uint word = 4u * at;

  return uvec2 (candidates_of (word, masks.x) | (candidates_of (word + 1u, masks.y) << 16),
      candidates_of (word + 2u, masks.z) | (candidates_of (word + 3u, masks.w) << 16));
}
