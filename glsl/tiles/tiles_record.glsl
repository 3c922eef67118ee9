// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parameters of a step; records, their keys, and the tiles that they cover. cpu/tiles/tiles.h
 * defines the results. Coordinates are compared as bits, because a device may treat denormals as
 * zeros.
 *
 * Defines: POINTS  1: records are points of two words: x and y in 16 bits each, and a value; 0:
 *                  records are GstGlesTileRecord */

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

/* Returns an unsigned key with the wanted order. */
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

/* Treats -0 as 0. */
uint
number_key (uint bits)
{
  uint number = bits == 0x80000000u ? 0u : bits;

  return GST_GLES_F32_TO_KEY (number);
}

/* Returns whether the range from @low to @high contains a pixel from 0 to size - 1. */
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

/* @span receives the first column, first row, last column and last row of the tiles. Returns false
 * if the record covers no tile. */
bool
find_span (Record record, out uvec4 span)
{
  uint width = params.grid.width;
  uint height = params.grid.height;
  /* Both are at most 2^24, which an f32 holds exactly. */
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
