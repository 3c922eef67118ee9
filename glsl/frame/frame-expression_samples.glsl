// SPDX-License-Identifier: LGPL-2.1-or-later
/* What expressions read of a picture. The generated code calls these functions.
 *
 * Defines:
 *   TABLE  bits of an entry of the table that stands for the expression, 1, 8 or 16; 0: there is
 *          none
 *   REFERENCE  1: storage 2 is the reference: averages of the background, a word each with 16
 *          fractional bits, and the previous frame
 *   DEGREES, LINEAR: see expression/expression_operations.glsl
 * Bindings: uniform 0: Params; storage 1: the picture; storage 2: the reference */
#include "expression/expression_operations.glsl"
#include "frame/frame-expression-layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesFrameExpressionPass pass;
  GstGlesFrameExpressionSource sources[4];
  GstGlesComponent components[4];
  ivec4 parameters[4];
#if TABLE
  uvec4 table[GST_GLES_FRAME_EXPRESSION_TABLE_ROWS];
#endif
};

layout (std430, binding = 1) readonly buffer Image
{
  uint image[];
};

uint
image_word (uint at)
{
  return image[min (at, pass.last_word)];
}

#if REFERENCE
layout (std430, binding = 2) readonly buffer Reference
{
  uint reference[];
};

uint
previous_word (uint at)
{
  return reference[pass.previous + min (at, pass.last_word)];
}

int
background_at (uint component, uint x, uint y)
{
  return int ((reference[sources[component].averages + y * components[component].width + x] +
      0x8000u) >> 16);
}
#endif

uint
swap_halves (uint word)
{
  return ((word & 0x00ff00ffu) << 8) | ((word >> 8) & 0x00ff00ffu);
}

/* The two words that a sample of any layout can lie in, as one number. */
#define SAMPLE(component, load, at)                                                                \
  ((at & 3u) + (component).word_bytes > 4u ?                                                       \
          (load (at >> 2) >> ((at & 3u) << 3)) |                                                   \
              (load ((at >> 2) + 1u) << (32u - ((at & 3u) << 3))) :                                \
          load (at >> 2) >> ((at & 3u) << 3))

int
decode (const GstGlesComponent component, uint word)
{
  if (component.big_endian != 0u) {
    word = swap_halves (word);
    if (component.word_bytes == 4u)
      word = (word << 16) | (word >> 16);
  }
  return int ((word >> component.shift) & ((1u << component.depth) - 1u));
}

uint
address_of (const GstGlesComponent component, uint x, uint y)
{
  return component.offset + y * component.stride + x * component.step;
}

int
sample_at (const GstGlesComponent component, uint x, uint y)
{
  uint at = address_of (component, x, y);

  return decode (component, SAMPLE (component, image_word, at));
}

#if REFERENCE
int
previous_at (const GstGlesComponent component, uint x, uint y)
{
  uint at = address_of (component, x, y);

  return decode (component, SAMPLE (component, previous_word, at));
}
#endif

/* The column and the row, in a component, of the neighbour of a sample of the grid, inside the
 * visible picture. */
uint
column_beside (uint component, uint x, int offset)
{
  int column = int ((x << pass.sub_x) >> components[component].sub_x) + offset;

  return uint (clamp (column, int (sources[component].left), int (sources[component].right)));
}

uint
row_beside (uint component, uint y, int offset)
{
  int row = int ((y << pass.sub_y) >> components[component].sub_y) + offset;

  return uint (clamp (row, int (sources[component].top), int (sources[component].bottom)));
}

#if TABLE == 1
#define expression(i) int ((table[uint (i) >> 7][(uint (i) >> 5) & 3u] >> (uint (i) & 31u)) & 1u)
#elif TABLE == 8
#define expression(i) \
  int ((table[uint (i) >> 4][(uint (i) >> 2) & 3u] >> ((uint (i) & 3u) << 3)) & 0xffu)
#elif TABLE == 16
#define expression(i) \
  int ((table[uint (i) >> 3][(uint (i) >> 1) & 3u] >> ((uint (i) & 1u) << 4)) & 0xffffu)
#endif

/* void calculate (uint x, uint y, out ivec4 values): of the group that begins at sample (x, y) of
 * the grid, or int calculate_one (uint x, uint y) */
#include "generated.glsl"
