// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes the root of its component the label of each root of a tile, and moves its size there: third
 * step of docs/algorithms/components.md. The label of another node stays the root of its tile.
 *
 * Defines: LOCAL_SIZE_X; TEXELS: defined: the masks are a buffer texture
 * Bindings: uniform 0: the pass; storage 0: the masks, and which runs are roots; storage 1: the
 *   labels; storage 2: the sizes
 * Grid: x workgroups, any number; each takes every x-th block of LOCAL_SIZE_X mask words. */
#include "components/components_params.glsl"
#define LABELS_BINDING 1
/* Another invocation can shorten the path of a node after the node's own invocation has stored the
 * root. Labels therefore only decrease: the root is the smallest node of its component. */
#define LABELS_FALL 1
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

layout (std430, binding = 2) buffer Sizes
{
  uint sizes[];
};

void
main ()
{
  begin_pass ();
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

  for (uint word = gl_GlobalInvocationID.x; word < params.n_words; word += step) {
    for (uint left = MASK_AT (params.roots_at + word); left != 0u; left &= left - 1u) {
      uint node = word * GST_GLES_COMPONENTS_NODES + lowest_of (left);
      uint root = root_of (node);
      if (root == node)
        continue;
      labels[node] = root;
      atomicAdd (sizes[root], sizes[node]);
      sizes[node] = 0u;
    }
  }
}
