// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes the root of its component the label of each node, and moves the sizes of all nodes to the
 * root: third step of docs/algorithms/components.md. With TEXELS only the roots of tiles get their
 * root as label; the other nodes keep the root of their tile.
 *
 * Defines: LOCAL_SIZE_X; TEXELS
 * Bindings: uniform 0: the pass; storage 0: the masks, or with TEXELS texture 0: the roots of
 *   tiles; storage 1: the labels; storage 2: the sizes
 * Grid: x workgroups, any number; each takes every x-th block of LOCAL_SIZE_X mask words. */
#include "components/components_params.glsl"
#define LABELS_BINDING 1
/* Another invocation can shorten the path of a node after the node's own invocation has stored the
 * root. Labels therefore only decrease: the root is the smallest node of its component. */
#define LABELS_FALL 1
#include "components/components_forest.glsl"

#ifdef TEXELS
layout (binding = 0) uniform usamplerBuffer tile_roots;
#else
layout (std430, binding = 0) readonly buffer Masks
{
  uint masks[];
};
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
#ifdef TEXELS
    for (uint left = texel_word (tile_roots, word); left != 0u; left &= left - 1u) {
      uint node = word * GST_GLES_COMPONENTS_NODES + lowest_of (left);
#else
    uint node = word * GST_GLES_COMPONENTS_NODES;
    uint end = node + count_of (starts_of (masks[word]));

    for (; node < end; node++) {
#endif
      uint root = root_of (node);
      if (root == node)
        continue;
      labels[node] = root;
      uint size = sizes[node];
      if (size != 0u) {
        atomicAdd (sizes[root], size);
        sizes[node] = 0u;
      }
    }
  }
}
