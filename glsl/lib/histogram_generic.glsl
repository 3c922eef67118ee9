// SPDX-License-Identifier: LGPL-2.1-or-later
/* Samples one at a time, wherever they lie. */

layout (std430, binding = 0) readonly buffer Image
{
  uint image[];
};

uint
load_word (uint at)
{
  return image[min (at, shape.last_word)];
}

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

  return shape.scale_to_8 != 0u ? GST_GLES_SCALE_TO_8 (value, ((1u << component.depth) - 1u)) :
                                  value;
}
#endif

uint
read_value (GstGlesHistogramJob job, uint x, uint y)
{
#if LUMA
  uint r = read_scaled (components[0], x, y);
  uint g = read_scaled (components[1], x, y);
  uint b = read_scaled (components[2], x, y);

  return GST_GLES_LUMA (job.kr, job.kg, job.kb, r, g, b);
#else
  return read_sample (components[job.component], x, y);
#endif
}

#if PACKED
#define FLUSH_UNITS (COUNTERS_ROOM / uint (LOCAL_SIZE_X) * uint (LOCAL_SIZE_X))
#endif

void
count_cell (Cell cell)
{
  GstGlesHistogramJob job = cell.job;
#if SCATTER
  cell.x0 = shape.x;
  cell.x1 = shape.x + shape.width;
  cell.y0 = shape.y;
  cell.y1 = shape.y + shape.height;
#endif
  uint x0 = first_sample (cell.x0, job.sub_x);
  uint y0 = first_sample (cell.y0, job.sub_y);
  uint width = first_sample (cell.x1, job.sub_x) - x0;
  uint n_rows = first_sample (cell.y1, job.sub_y) - y0;
  Units units = find_units (cell, n_rows * width);
  uint i = units.begin;

  width = max (width, 1u);
#if PACKED
  for (uint flush = units.group_begin; flush < units.group_end; flush += FLUSH_UNITS) {
    uint end = min (flush + FLUSH_UNITS, units.end);
#else
  uint end = units.end;
  {
#endif
    for (; i < end; i += units.step) {
      uint x = x0 + i % width;
      uint y = y0 + i / width;
      uint index = bin_of (read_value (job, x, y), job);

#if SCATTER
      uint column = ((x << job.sub_x) - shape.x) * shape.columns / shape.width;
      uint row = ((y << job.sub_y) - shape.y) * shape.rows / shape.height;
      index += job.out_base + (row * shape.columns + column) * job.bins;
#elif COUNTERS == 2
      index += cell.out_base;
#endif
      counters_add (index);
    }
#if PACKED
    if (flush + FLUSH_UNITS < units.group_end)
      counters_make_room (cell);
#endif
  }
}
