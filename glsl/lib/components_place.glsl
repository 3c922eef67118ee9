// SPDX-License-Identifier: LGPL-2.1-or-later
/* Where nodes begin.
 *
 * Defines: MASKS_BINDING: the storage binding of the masks, 0 if it is not defined */
#ifndef MASKS_BINDING
#define MASKS_BINDING 0
#endif

layout (std430, binding = MASKS_BINDING) readonly buffer Masks
{
  uint masks[];
};

/* The place, in raster order, of the first word of a node. */
uint
place_of (uint node)
{
  uint word = node / GST_GLES_COMPONENTS_NODES;
  uint starts = starts_of (masks[word]);

  for (uint i = node % GST_GLES_COMPONENTS_NODES; i > 0u; i--)
    starts &= starts - 1u;
  return word / params.row_words * params.width + 32u * (word % params.row_words) +
      lowest_of (starts);
}
