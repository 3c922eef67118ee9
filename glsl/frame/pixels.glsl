// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads four pixels side by side as a word of bytes, of any layout. The includer declares the array
 * `components`, and the picture as words of `image`.
 *
 * Defines:
 *   BYTES   1: samples are bytes side by side, and rows begin at words; 0: samples have any layout
 *   LUMA    1: the sample is the luma of three components (BYTES 0)
 *   PIXELS  a structure with width, depth, last_word, scale_to_8, kr, kg and kb, as
 *           GstGlesFrameSamplesPass has them */
#define SCALES_TO_8 (PIXELS.scale_to_8 != 0u)

uint
load_word (uint at)
{
  return image[min (at, PIXELS.last_word)];
}

#include "frame/sample.glsl"

#if BYTES
/* Returns the pixels of the word, column x and following. Behind the last pixel it is repeated. */
uint
load_pixels (uint x, uint y)
{
  uint word = load_word ((components[0].offset + y * components[0].stride + x) >> 2);
  uint n = PIXELS.width - x;

  if (n >= 4u)
    return word;
  return (word & ((1u << (8u * n)) - 1u)) |
      (0x01010101u << (8u * n)) * ((word >> (8u * (n - 1u))) & 255u);
}
#else
uint
read_8_bits (uint x, uint y)
{
#if LUMA
  uint value = read_luma (PIXELS.kr, PIXELS.kg, PIXELS.kb, x, y);
#else
  uint value = read_sample (components[0], x, y);
#endif

  if (PIXELS.depth > 8u)
    return value >> (PIXELS.depth - 8u);
  return GST_GLES_SCALE_TO_8 (value, ((1u << PIXELS.depth) - 1u));
}

uint
load_pixels (uint x, uint y)
{
  uint word = 0u;

  for (uint c = 0u; c < 4u; c++)
    word |= read_8_bits (min (x + c, PIXELS.width - 1u), y) << (8u * c);
  return word;
}
#endif
