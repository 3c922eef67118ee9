// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the first pixel of a node.
 *
 * Defines: MASKS_BINDING (default 0): the storage binding of the masks */
#ifndef MASKS_BINDING
#define MASKS_BINDING 0
#endif

#ifdef TEXELS
layout (binding = MASKS_BINDING) uniform usamplerBuffer masks;
#define MASK_AT(at) texel_word (masks, at)
#else
#define MASK_AT(at) masks[at]
layout (std430, binding = MASKS_BINDING) readonly buffer Masks
{
  uint masks[];
};
#endif

/* The raster index of the first word of a node. */
uint
raster_index_of (uint node)
{
  uint word = node / GST_GLES_COMPONENTS_NODES;
  uint starts = starts_of (MASK_AT (word));

  for (uint i = node % GST_GLES_COMPONENTS_NODES; i > 0u; i--)
    starts &= starts - 1u;
  return word / params.row_words * params.width + 32u * (word % params.row_words) +
      lowest_of (starts);
}
