// SPDX-License-Identifier: LGPL-2.1-or-later
/* The step's parameters; records, their keys and the tiles they cover: gst/gles/cpu/tiles.h says what
 * counts. Coordinates are compared as bits, as a device may take denormals for zeros.
 *
 * Defines: POINTS  1: records are points of two words, x and y in 16 bits each, and a value; 0: they are
 *   GstGlesTileRecord */

layout (std140, binding = 0) uniform Params
{
  GstGlesTilesPass params;
};

struct Record {
  uvec4 box; // f32 bits: min x, min y, max x, max y
  uint depth;
};

#if POINTS

#define RawRecord uvec2
#define record_from(units, i) point_from (units[i])

Record
point_from (uvec2 point)
{
  uint x = floatBitsToUint (float (point.x & 0xffffu));
  uint y = floatBitsToUint (float (point.x >> 16));

  return Record (uvec4 (x, y, x, y), point.y);
}

#else

#define RawRecord uvec4
#define record_from(units, i) Record (units[2u * (i)], units[2u * (i) + 1u].x)

#endif

/* A u32 that sorts as wanted. */
uint
key_of (Record record, uint i)
{
  if (params.by == 2u)
    return i;
  return params.by == 1u ? record.depth : GST_GLES_F32_TO_KEY (record.depth);
}

bool
is_nan_bits (uint bits)
{
  return (bits & 0x7fffffffu) > 0x7f800000u;
}

/* -0 is 0 here. */
uint
number_key (uint bits)
{
  uint number = bits == 0x80000000u ? 0u : bits;

  return GST_GLES_F32_TO_KEY (number);
}

/* Whether low ... high has a pixel of 0 ... size - 1. */
bool
axis_visible (uint low, uint high, uint size_bits)
{
  if (is_nan_bits (low) || is_nan_bits (high) || number_key (low) > number_key (high))
    return false;
  return high <= 0x80000000u && (low >> 31 != 0u || low < size_bits);
}

uint
clamped_pixel (uint bits, uint size, uint size_bits)
{
  if (bits >> 31 != 0u)
    return 0u;
  return bits >= size_bits ? size - 1u : uint (uintBitsToFloat (bits));
}

/* First column, first row, last column, last row of the tiles; nothing is covered if it is false. */
bool
find_span (Record record, out uvec4 span)
{
  uint width = params.grid.width;
  uint height = params.grid.height;
  /* at most 2^24: an f32 holds them exactly */
  uint width_bits = floatBitsToUint (float (width));
  uint height_bits = floatBitsToUint (float (height));

  span = uvec4 (0u);
  if (!axis_visible (record.box.x, record.box.z, width_bits) ||
      !axis_visible (record.box.y, record.box.w, height_bits))
    return false;
  span.x = clamped_pixel (record.box.x, width, width_bits) / params.grid.tile_width;
  span.y = clamped_pixel (record.box.y, height, height_bits) / params.grid.tile_height;
  span.z = clamped_pixel (record.box.z, width, width_bits) / params.grid.tile_width;
  span.w = clamped_pixel (record.box.w, height, height_bits) / params.grid.tile_height;
  return true;
}
