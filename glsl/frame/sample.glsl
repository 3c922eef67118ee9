// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads one sample of any layout. The includer defines load_word (), which reads a word of the
 * image, and with LUMA the array `components`.
 *
 * Defines: LUMA: 1: the sample is the luma of components 0, 1 and 2; SCALES_TO_8: LUMA: whether
 *   each component is scaled to 8 bits first */

uint
read_sample (const GstGlesComponent component, uint x, uint y)
{
  uint at = component.offset + y * component.stride + x * component.step;
  uint bit = (at & 3u) << 3;
  uint word = load_word (at >> 2) >> bit;

  if (bit + (component.word_bytes << 3) > 32u)
    word |= load_word ((at >> 2) + 1u) << (32u - bit);
  if (component.big_endian != 0u) {
    word = ((word & 0x00ff00ffu) << 8) | ((word >> 8) & 0x00ff00ffu);
    if (component.word_bytes == 4u)
      word = (word << 16) | (word >> 16);
  }
  return (word >> component.shift) & ((1u << component.depth) - 1u);
}

#if LUMA
uint
read_scaled (const GstGlesComponent component, uint x, uint y)
{
  uint value = read_sample (component, x, y);

  return SCALES_TO_8 ? GST_GLES_SCALE_TO_8 (value, ((1u << component.depth) - 1u)) :
                       value;
}

uint
read_luma (uint kr, uint kg, uint kb, uint x, uint y)
{
  uint r = read_scaled (components[0], x, y);
  uint g = read_scaled (components[1], x, y);
  uint b = read_scaled (components[2], x, y);

  return GST_GLES_LUMA (kr, kg, kb, r, g, b);
}
#endif
