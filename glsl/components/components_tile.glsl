// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds candidates in tiles of mask words. A candidate is a root with at least the wanted size.
 *
 * Defines: ROWS, and the defines of lib/subgroup_team.glsl; TEXELS: defined: the sizes are a buffer
 *   texture
 * Bindings: storage 0: the state; storage 1: for each mask word, which of its runs are roots of
 *   tiles; storage 2: the sizes, of these only */
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

/* A mask whose bit i is set if run i of the word is a candidate. @roots: the roots of tiles. */
uint
candidates_of (uint word, uint roots)
{
  uint found = 0u;

  for (uint left = roots; left != 0u; left &= left - 1u) {
    uint i = lowest_of (left);
    found |= SIZE_AT (word * GST_GLES_COMPONENTS_NODES + i) >= params.min_size ? 1u << i : 0u;
  }
  return found;
}

/* The candidates of four mask words, 16 bits per word. */
uvec2
candidates_of_row (uint at, uvec4 roots)
{
  uint word = 4u * at;

  return uvec2 (candidates_of (word, roots.x) | (candidates_of (word + 1u, roots.y) << 16),
      candidates_of (word + 2u, roots.z) | (candidates_of (word + 3u, roots.w) << 16));
}
