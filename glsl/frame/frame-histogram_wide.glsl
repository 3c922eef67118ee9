// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads samples by units, whole 16-byte rows of the image. A row of samples is a sequence of
 * periods of LANES words. The lane of a word, its position in the period, determines the
 * channel. */

layout (std430, binding = 0) readonly buffer Image
{
  uvec4 image[];
};

/* A unit holds a whole number of periods of four lanes, but not of three. Slot i of a unit is
 * its word i modulo LANES. With four lanes the slot is the lane. With three lanes the lane of a
 * slot rotates from unit to unit. Units of 48 bytes would avoid the rotation, but LLVM 19 aborts
 * when it compiles such an unrolled unit for AVX-512. */
#define UNIT_WORDS uint (16 / BYTES)

#if BYTES > 1
bool big_endian;
#endif

uvec4 lane_base;
#if MASKED
uvec4 lane_first = uvec4 (0u); // the first period in which the lane's sample lies in the cell
uvec4 lane_count;                // the number of these periods
#endif

uvec4 slot_base; // lane_base of the lanes of the unit's slots
#if MASKED
uvec4 slot_count; // lane_count of these lanes
uvec4 slot_at;    // the period of the slot's first word, minus lane_first
#endif

#if MASK
uint unit_bits; // bit k: word k of the unit counts
#endif

void
count_value (uint value, const uint word, GstGlesFrameHistogramJob job)
{
  const uint lanes = uint (LANES);
  uint index = bin_of (value, job);

#if LANE_MAP || COUNTERS == 2
  index += slot_base[word % lanes];
#endif
#if MASKED
  index = slot_at[word % lanes] + word / lanes < slot_count[word % lanes] ?
      index :
      GST_GLES_NO_COUNTER;
#endif
#if MASK
  index = (unit_bits & (1u << word)) != 0u ? index : GST_GLES_NO_COUNTER;
#endif
  counters_add (index);
}

/* Counts the samples in the k-th four bytes of a unit. */
void
count_word (uint word, const uint k, GstGlesFrameHistogramJob job)
{
#if BYTES == 1
  count_value (word & 255u, 4u * k, job);
  count_value ((word >> 8) & 255u, 4u * k + 1u, job);
  count_value ((word >> 16) & 255u, 4u * k + 2u, job);
  count_value (word >> 24, 4u * k + 3u, job);
#elif BYTES == 2
  count_value ((word >> job.shift) & job.mask, 2u * k, job);
  count_value ((word >> (16u + job.shift)) & job.mask, 2u * k + 1u, job);
#else
#if LUMA
  count_value (GST_GLES_LUMA (job.kr, job.kg, job.kb, (word >> job.shift_r) & job.mask,
                   (word >> job.shift_g) & job.mask, (word >> job.shift_b) & job.mask),
      k, job);
#else
  count_value ((word >> job.shift) & job.mask, k, job);
#endif
#endif
}

/* Sets the slots for unit @unit of a row of the image. */
void
init_slots (uint unit)
{
#if LANES == 3
  for (uint slot = 0u; slot < 3u; slot++) {
    uint word = unit * UNIT_WORDS + slot;
    uint period = word / 3u;
    uint lane = word - 3u * period;

    slot_base[slot] = lane_base[lane];
#if MASKED
    slot_at[slot] = period - lane_first[lane];
    slot_count[slot] = lane_count[lane];
#endif
  }
#elif MASKED
  slot_at = uvec4 (unit * (UNIT_WORDS / 4u)) - lane_first;
#endif
}

void
count_unit (uint at, GstGlesFrameHistogramJob job)
{
  uvec4 row = image[at];

#if BYTES > 1
  /* Here and not for each word, so that it costs little elsewhere. */
  if (big_endian) {
    row = ((row & 0x00ff00ffu) << 8) | ((row >> 8) & 0x00ff00ffu);
#if BYTES == 4
    row = (row << 16) | (row >> 16);
#endif
  }
#endif
  count_word (row.x, 0u, job);
  count_word (row.y, 1u, job);
  count_word (row.z, 2u, job);
  count_word (row.w, 3u, job);
}

/* Units that a workgroup can count between two flushes. */
#if PACKED
#define FLUSH_UNITS (SAMPLES_PER_FLUSH / UNIT_WORDS / uint (LOCAL_SIZE_X) * uint (LOCAL_SIZE_X))
#endif

void
init_lanes (Cell cell)
{
  GstGlesFrameHistogramJob job = cell.job;

#if BYTES > 1
  big_endian = shape.big_endian != 0u;
#endif
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
    lane_base[lane] = lane_base[lane] < GST_GLES_NO_COUNTER ?
        cell.out_base + channel * job.channel_stride : GST_GLES_NO_COUNTER;
  }
#endif
  slot_base = lane_base;
#if MASKED
  slot_count = lane_count;
  slot_at = uvec4 (0u);
#endif
}

#if MASKED

void
count_cell (Cell cell)
{
  GstGlesFrameHistogramJob job = cell.job;
  init_lanes (cell);

  uvec4 lane_end = lane_first + lane_count;
  uint first = min (min (lane_first.x, lane_first.y), lane_first.z);
  uint last = max (max (lane_end.x, lane_end.y), lane_end.z);
#if LANES == 4
  first = min (first, lane_first.w);
  last = max (last, lane_end.w);
#endif
  uint unit0 = first * uint (LANES) / UNIT_WORDS;
  uint width =
      last > first ? (last * uint (LANES) + UNIT_WORDS - 1u) / UNIT_WORDS - unit0 : 0u;
  uint row0 = first_sample (cell.y0, job.sub_y);
  uint n_rows = first_sample (cell.y1, job.sub_y) - row0;
  Units units = find_units (cell, n_rows * width);

  width = max (width, 1u);
  uint column = units.begin % width;
  uint row_at = job.base + (row0 + units.begin / width) * job.stride;
  uint column_step = units.step % width;
  uint row_step = units.step / width * job.stride;
#if MASK
  uint mask_at = job.mask_base + (row0 + units.begin / width) * job.mask_stride;
  uint mask_step = units.step / width * job.mask_stride;
#endif
  uint i = units.begin;

#if PACKED
  for (uint flush = units.flush_begin; flush < units.flush_end; flush += FLUSH_UNITS) {
    uint end = min (flush + FLUSH_UNITS, units.end);
#else
  uint end = units.end;
  {
#endif
    for (; i < end; i += units.step) {
#if MASK
      unit_bits = mask[mask_at + ((unit0 + column) >> 1)] >> (((unit0 + column) & 1u) << 4);
      mask_at += mask_step + (column + column_step >= width ? job.mask_stride : 0u);
#endif
      init_slots (unit0 + column);
      count_unit (row_at + unit0 + column, job);
      column += column_step;
      row_at += row_step + (column >= width ? job.stride : 0u);
      column -= column >= width ? width : 0u;
    }
#if PACKED
    if (flush + FLUSH_UNITS < units.flush_end)
      counters_flush_large (cell);
#endif
  }
}

#else

void
count_cell (Cell cell)
{
  GstGlesFrameHistogramJob job = cell.job;
  Units units = find_units (cell, job.n_units);
  uint i = units.begin;

  init_lanes (cell);
#if PACKED
  for (uint flush = units.flush_begin; flush < units.flush_end; flush += FLUSH_UNITS) {
    uint end = min (flush + FLUSH_UNITS, units.end);
#else
  uint end = units.end;
  {
#endif
    for (; i < end; i += units.step) {
      init_slots (i);
      count_unit (job.base + i, job);
    }
#if PACKED
    if (flush + FLUSH_UNITS < units.flush_end)
      counters_flush_large (cell);
#endif
  }
}

#endif
