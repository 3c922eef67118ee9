// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tiles of a picture's samples, in the raster order of the region. A row of a tile is four
 * samples.
 *
 * Defines:
 *   FRAME   the tested value: 1: the sample; 2: its distance from the previous picture;
 *           3: |Gx| + |Gy|
 *   ACCESS  0: one sample per load; 1: bytes, one row of a tile per load; 2: as 0, and the previous
 *           picture is a running average, a word per sample with 16 fractional bits (FRAME 2)
 *   LUMA    1: the luma of three components (ACCESS 0 or 2)
 *   MASK    1: samples outside of the mask, a bit per luma position, do not pass
 * Bindings: storage 1: the picture; storage 2: the previous one (FRAME 2); storage 4: the mask
 *   (MASK) */
#include "lib/layout.h"
#include "frame/frame-compact_bytes.glsl"

layout (std430, binding = 1) readonly buffer Image
{
  uint image[];
};

#if FRAME == 2
layout (std430, binding = 2) readonly buffer Previous
{
  uint previous[];
};
#endif

#ifdef MASK
layout (std430, binding = 4) readonly buffer Mask
{
  uint mask[];
};

/* No range of values includes it. */
#define OUTSIDE 0xffffffffu

bool
is_inside (uint x, uint y)
{
  x <<= frame.sub_x;
  return (mask[(y << frame.sub_y) * frame.mask_words + (x >> 5)] >> (x & 31u) & 1u) != 0u;
}
#endif

uint
row_at (uint tile, int r)
{
  return (tile * uint (ROWS) + uint (r)) * TEAM_SIZE + team_rank ();
}

uint
row_count (uint at, uint n)
{
  uint first = 4u * at;

  return first < n ? min (n - first, 4u) : 0u;
}

/* Returns the column and the row, in the region, of the first sample of a row of the tile. */
uvec2
row_place (uint at)
{
  uint i = params.array.first + 4u * at;
  uint y = i / frame.width;

  return uvec2 (i - y * frame.width, y);
}

#if ACCESS != 1

#if FRAME == 2 && ACCESS == 0
#define LOAD_WORD(at)                                                                              \
  (before ? previous[min (at, frame.last_word)] : image[min (at, frame.last_word)])
#else
#define LOAD_WORD(at) image[min (at, frame.last_word)]
#endif

uint
read_component (const GstGlesComponent component, uint x, uint y, bool before)
{
  uint at = component.offset + y * component.stride + x * component.step;
  uint bit = (at & 3u) << 3;
  uint word = LOAD_WORD (at >> 2) >> bit;

  if (bit + (component.word_bytes << 3) > 32u)
    word |= LOAD_WORD ((at >> 2) + 1u) << (32u - bit);
  if (component.big_endian != 0u) {
    word = ((word & 0x00ff00ffu) << 8) | ((word >> 8) & 0x00ff00ffu);
    if (component.word_bytes == 4u)
      word = (word << 16) | (word >> 16);
  }
  return (word >> component.shift) & ((1u << component.depth) - 1u);
}

#if LUMA
uint
read_scaled (const GstGlesComponent component, uint x, uint y, bool before)
{
  uint value = read_component (component, x, y, before);

  return frame.scale_to_8 != 0u ? GST_GLES_SCALE_TO_8 (value, ((1u << component.depth) - 1u)) :
                                  value;
}
#endif

uint
read_sample (uint x, uint y, bool before)
{
#if LUMA && ROWS == 1
  /* The shape for devices with few registers. Compilers do not know that the loop begins with 0,
   * so they do not unroll it. For the motion of RGB V3D's (Mesa 25.0) needs 0.9 s without the loop,
   * for the second pass alone, and with it 0.3 s for all kernels. */
  uvec3 factors = uvec3 (frame.kr, frame.kg, frame.kb);
  uint sum = 32768u;

  for (uint i = gl_WorkGroupID.z; i < 3u; i++) {
    sum += factors.x * read_scaled (components[i], x, y, before);
    factors = factors.yzx;
  }
  return sum >> 16;
#elif LUMA
  uint r = read_scaled (components[0], x, y, before);
  uint g = read_scaled (components[1], x, y, before);
  uint b = read_scaled (components[2], x, y, before);

  return GST_GLES_LUMA (frame.kr, frame.kg, frame.kb, r, g, b);
#else
  return read_component (components[0], x, y, before);
#endif
}

#if FRAME == 3
int
read_visible (int x, int y)
{
  uint column = uint (clamp (x, int (frame.left), int (frame.right)));
  uint row = uint (clamp (y, int (frame.top), int (frame.bottom)));

  return int (read_sample (column, row, false));
}

uint
read_value (uint column, uint row)
{
  int x = int (column), y = int (row);
#if LUMA && TEAM != 0
  /* Unrolled, 24 loads and their luma exceed 25 s in the compiler of Mali-T (Mesa 25.0). With
   * TEAM 0 a loop would take the rounds that llvmpipe has for an invocation's tiles. */
  int gx = 0, gy = 0;

  for (int i = 0; i < 9; i++) {
    int dx = i % 3 - 1, dy = i / 3 - 1;
    int value = read_visible (x + dx, y + dy);

    gx += dx * (2 - abs (dy)) * value;
    gy += dy * (2 - abs (dx)) * value;
  }
#else
  ivec3 above = ivec3 (read_visible (x - 1, y - 1), read_visible (x, y - 1),
      read_visible (x + 1, y - 1));
  ivec2 here = ivec2 (read_visible (x - 1, y), read_visible (x + 1, y));
  ivec3 below = ivec3 (read_visible (x - 1, y + 1), read_visible (x, y + 1),
      read_visible (x + 1, y + 1));
  int gx = above.z - above.x + 2 * (here.y - here.x) + below.z - below.x;
  int gy = below.x + 2 * below.y + below.z - above.x - 2 * above.y - above.z;
#endif

  return uint (abs (gx) + abs (gy));
}
#else
uint
read_value (uint x, uint y)
{
  uint value = read_sample (x, y, false);

#if FRAME == 2
#if ACCESS == 2
  uint before = (previous[y * frame.row_samples + x] + 0x8000u) >> 16;
#else
  uint before = read_sample (x, y, true);
#endif
  value = max (value, before) - min (value, before);
#endif
  return value;
}
#endif

void
load_tile (uint tile, uint n, out uvec4 rows[ROWS])
{
  for (int r = 0; r < ROWS; r++) {
    uint at = row_at (tile, r);
    uint count = row_count (at, n);
    uvec2 place = row_place (at);

    rows[r] = uvec4 (0u);
    for (uint c = 0u; c < count; c++) {
#ifdef MASK
      uint value = OUTSIDE;
      if (is_inside (frame.x + place.x, frame.y + place.y))
        value = read_value (frame.x + place.x, frame.y + place.y);
#else
      uint value = read_value (frame.x + place.x, frame.y + place.y);
#endif
      rows[r] = mix (rows[r], uvec4 (value), equal (uvec4 (c), uvec4 (0u, 1u, 2u, 3u)));
      place.x++;
      if (place.x == frame.width)
        place = uvec2 (0u, place.y + 1u);
    }
  }
}

#else

#if FRAME == 3
/* Returns the index of the load that contains column @x of row @y, clamped to the visible rows. */
uint
visible_load (uint x, int y)
{
  int row = clamp (y, int (frame.top), int (frame.bottom)) - int (frame.y);

  return frame.base + uint (row) * frame.stride + (x >> 2);
}

/* Loads the gradients of four samples. Samples outside the visible picture repeat its border. */
uvec4
load_edges (uvec2 place)
{
  bool first = frame.x + place.x == frame.left, last = frame.x + place.x + 3u == frame.right;
  uvec3 words, left, right;

  for (int k = 0; k < 3; k++) {
    uint at = visible_load (place.x, int (frame.y + place.y) + k - 1);
    uint before = image[first ? at : at - 1u];
    uint after = image[last ? at : at + 1u];

    words[k] = image[at];
    left[k] = first ? before & 255u : before >> 24;
    right[k] = last ? after >> 24 : after & 255u;
  }
  return gradients (words, left, right);
}
#endif

void
load_tile (uint tile, uint n, out uvec4 rows[ROWS])
{
  for (int r = 0; r < ROWS; r++) {
    uint at = row_at (tile, r);
    uvec2 place = row_place (at);

    rows[r] = uvec4 (0u);
    if (row_count (at, n) > 0u) {
#if FRAME == 3
      rows[r] = load_edges (place);
#else
      uint from = frame.base + place.y * frame.stride + (place.x >> 2);

      rows[r] = bytes_of (image[from]);
#if FRAME == 2
      rows[r] = distance_of (rows[r], bytes_of (previous[from]));
#endif
#endif
#ifdef MASK
      for (uint c = 0u; c < 4u; c++) {
        if (!is_inside (frame.x + place.x + c, frame.y + place.y))
          rows[r][c] = OUTSIDE;
      }
#endif
    }
  }
}
#endif
