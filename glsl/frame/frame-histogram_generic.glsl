// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads samples of any layout, one at a time. */

layout (std430, binding = 0) readonly buffer Image
{
  uint image[];
};

uint
load_word (uint at)
{
  return image[min (at, shape.last_word)];
}

#define SCALES_TO_8 (shape.scale_to_8 != 0u)
#include "frame/frame-histogram-layout.h"
#include "frame/sample.glsl"

uint
read_value (GstGlesFrameHistogramJob job, uint x, uint y)
{
#if LUMA
  return read_luma (job.kr, job.kg, job.kb, x, y);
#else
  return read_sample (components[job.component], x, y);
#endif
}

#if PACKED
#define FLUSH_UNITS (SAMPLES_PER_FLUSH / uint (LOCAL_SIZE_X) * uint (LOCAL_SIZE_X))
#endif

void
count_cell (Cell cell)
{
  GstGlesFrameHistogramJob job = cell.job;
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
  for (uint flush = units.flush_begin; flush < units.flush_end; flush += FLUSH_UNITS) {
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
#if MASK
      uint word = mask[job.mask_base + y * job.mask_stride + (x >> 5)];
      index = (word >> (x & 31u) & 1u) != 0u ? index : GST_GLES_NO_COUNTER;
#endif
      counters_add (index);
    }
#if PACKED
    if (flush + FLUSH_UNITS < units.flush_end)
      counters_flush_large (cell);
#endif
  }
}
