// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes the label of each word of a band of rows: the raster index of the first word of its
 * component.
 *
 * Defines: LOCAL_SIZE_X; TEXELS: defined: the masks and the labels of nodes are buffer textures
 * Bindings: uniform 0: the pass; storage 0: the masks; storage 1: the labels of nodes, as
 *   components_roots wrote them; storage 2: receives the labels of words
 * Grid: x workgroups, any number; each takes every x-th block of LOCAL_SIZE_X words. */
#include "components/components_params.glsl"
#include "components/components_place.glsl"

#ifdef TEXELS
layout (binding = 1) uniform usamplerBuffer labels;
#define LABEL_AT(at) texel_word (labels, at)
#else
layout (std430, binding = 1) readonly buffer Labels
{
  uint labels[];
};
#define LABEL_AT(at) labels[at]
#endif
/* The label of a node is the root of its tile, whose label is the root. */
#define ROOT_OF(node) LABEL_AT (LABEL_AT (node))

layout (std430, binding = 2) writeonly buffer Out
{
  uint out_labels[];
};

void
main ()
{
  begin_pass ();
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);
  uint n = params.n_rows * params.width;

  for (uint i = gl_GlobalInvocationID.x; i < n; i += step) {
    uint x = i % params.width;
    uint word = (params.first_row + i / params.width) * params.row_words + x / 32u;
    uint mask = MASK_AT (word);
    uint label = GST_GLES_COMPONENTS_BACKGROUND;

    if ((mask & (1u << (x % 32u))) != 0u)
      label = raster_index_of (
          ROOT_OF (word * GST_GLES_COMPONENTS_NODES + run_at (starts_of (mask), x % 32u)));
    out_labels[params.base + i] = label;
  }
}
