// SPDX-License-Identifier: LGPL-2.1-or-later
/* Samples by whole 16-byte rows of the image. A row is a sequence of periods of LANES words; which
 * channel a word belongs to depends on its lane alone, which is known when the shader is compiled. */

#ifdef TEXELS
layout (binding = 0) uniform usamplerBuffer image;
#define LOAD(at) texelFetch (image, int (at))
#else
layout (std430, binding = 0) readonly buffer Image
{
  uvec4 image[];
};
#define LOAD(at) image[at]
#endif

/* A unit is what begins with a period: 16 bytes, or 48 with three lanes. */
#if LANES == 3
#define UNIT_ROWS 3u
#define PERIODS 16u
#else
#define UNIT_ROWS 1u
#define PERIODS uint (4 / BYTES)
#endif

uvec4 lane_base;
#if MASKED
uvec4 lane_first; // of the periods in which the lane's sample lies in the cell
uvec4 lane_count;
uvec4 lane_at; // the unit's first period, counted from lane_first
#endif

void
count_value (uint value, const uint lane, const uint period, GstGlesHistogramJob job)
{
  uint index = bin_of (value, job);

#if LANE_MAP || COUNTERS == 2
  index += lane_base[lane];
#endif
#if MASKED
  index = lane_at[lane] + period < lane_count[lane] ? index : GST_GLES_HISTOGRAM_NO_COUNTER;
#endif
  counters_add (index);
}

/* Word k of a unit. */
void
count_word (uint word, const uint k, GstGlesHistogramJob job)
{
#if BYTES == 1
  uint n = 4u * k;
  count_value (word & 255u, n % uint (LANES), n / uint (LANES), job);
  count_value ((word >> 8) & 255u, (n + 1u) % uint (LANES), (n + 1u) / uint (LANES), job);
  count_value ((word >> 16) & 255u, (n + 2u) % uint (LANES), (n + 2u) / uint (LANES), job);
  count_value (word >> 24, (n + 3u) % uint (LANES), (n + 3u) / uint (LANES), job);
#elif BYTES == 2
#if BIG_ENDIAN
  word = ((word & 0x00ff00ffu) << 8) | ((word >> 8) & 0x00ff00ffu);
#endif
  count_value ((word >> job.shift) & job.mask, 2u * (k & 1u), k >> 1, job);
  count_value ((word >> (16u + job.shift)) & job.mask, 2u * (k & 1u) + 1u, k >> 1, job);
#else
#if BIG_ENDIAN
  word = ((word & 0x00ff00ffu) << 8) | ((word >> 8) & 0x00ff00ffu);
  word = (word << 16) | (word >> 16);
#endif
#if LUMA
  count_value (GST_GLES_LUMA (job.kr, job.kg, job.kb, (word >> job.shift_r) & job.mask,
                   (word >> job.shift_g) & job.mask, (word >> job.shift_b) & job.mask),
      k, 0u, job);
#else
  count_value ((word >> job.shift) & job.mask, k, 0u, job);
#endif
#endif
}

void
count_row (uvec4 row, const uint k, GstGlesHistogramJob job)
{
  count_word (row.x, k, job);
  count_word (row.y, k + 1u, job);
  count_word (row.z, k + 2u, job);
  count_word (row.w, k + 3u, job);
}

void
count_unit (uint at, GstGlesHistogramJob job)
{
  count_row (LOAD (at), 0u, job);
#if LANES == 3
  /* the last unit of a plane may end early */
  count_row (LOAD (min (at + 1u, shape.last_unit)), 4u, job);
  count_row (LOAD (min (at + 2u, shape.last_unit)), 8u, job);
#endif
}

#if PACKED
/* units of a workgroup after which a 16-bit counter could overflow */
#define FLUSH_UNITS (65535u / (PERIODS * uint (LANES)) / uint (LOCAL_SIZE_X) * uint (LOCAL_SIZE_X))
#endif

void
init_lanes (Cell cell)
{
  GstGlesHistogramJob job = cell.job;

  lane_base = uvec4 (job.lane_base_0, job.lane_base_1, job.lane_base_2, job.lane_base_3);
#if MASKED
  uvec4 x = uvec4 (job.lane_x_0, job.lane_x_1, job.lane_x_2, job.lane_x_3);
  uvec4 round_up = uvec4 ((1u << job.period_shift) - 1u) - x;
  lane_first = (uvec4 (cell.x0) + round_up) >> job.period_shift;
  lane_count = ((uvec4 (cell.x1) + round_up) >> job.period_shift) - lane_first;
#endif
#if COUNTERS == 2
  for (int lane = 0; lane < 4; lane++) {
    uint channel = lane_base[lane] / job.bins;
    lane_base[lane] = lane_base[lane] < GST_GLES_HISTOGRAM_NO_COUNTER ?
        cell.out_base + channel * job.channel_stride : GST_GLES_HISTOGRAM_NO_COUNTER;
  }
#endif
}

#if MASKED

void
count_cell (Cell cell)
{
  GstGlesHistogramJob job = cell.job;
  init_lanes (cell);

  uvec4 lane_end = lane_first + lane_count;
  uint first = min (min (lane_first.x, lane_first.y), lane_first.z);
  uint last = max (max (lane_end.x, lane_end.y), lane_end.z);
#if LANES == 4
  first = min (first, lane_first.w);
  last = max (last, lane_end.w);
#endif
  uint unit0 = first / PERIODS;
  uint width = last > first ? (last + PERIODS - 1u) / PERIODS - unit0 : 0u;
  uint row0 = first_sample (cell.y0, job.sub_y);
  uint n_rows = first_sample (cell.y1, job.sub_y) - row0;
  Units units = find_units (cell, n_rows * width);

  width = max (width, 1u);
  uint column = units.begin % width;
  uint row_at = job.base + (row0 + units.begin / width) * job.stride;
  uint column_step = units.step % width;
  uint row_step = units.step / width * job.stride;
  uint i = units.begin;

#if PACKED
  for (uint flush = units.group_begin; flush < units.group_end; flush += FLUSH_UNITS) {
    uint end = min (flush + FLUSH_UNITS, units.end);
#else
  uint end = units.end;
  {
#endif
    for (; i < end; i += units.step) {
      lane_at = uvec4 ((unit0 + column) * PERIODS) - lane_first;
      count_unit (row_at + (unit0 + column) * UNIT_ROWS, job);
      column += column_step;
      row_at += row_step + (column >= width ? job.stride : 0u);
      column -= column >= width ? width : 0u;
    }
#if PACKED
    counters_flush (cell);
#endif
  }
}

#else

void
count_cell (Cell cell)
{
  GstGlesHistogramJob job = cell.job;
  Units units = find_units (cell, job.n_units);
  uint i = units.begin;

  init_lanes (cell);
#if PACKED
  for (uint flush = units.group_begin; flush < units.group_end; flush += FLUSH_UNITS) {
    uint end = min (flush + FLUSH_UNITS, units.end);
#else
  uint end = units.end;
  {
#endif
    for (; i < end; i += units.step)
      count_unit (job.base + i * UNIT_ROWS, job);
#if PACKED
    counters_flush (cell);
#endif
  }
}

#endif
