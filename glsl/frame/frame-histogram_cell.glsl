// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the cell and the samples that a workgroup counts, and where its counters are written. */

layout (std140, binding = 0) uniform Params
{
  GstGlesFrameHistogramShape shape;
  GstGlesFrameHistogramJob jobs[GST_GLES_FRAME_HISTOGRAM_MAX_JOBS];
  GstGlesComponent components[GST_GLES_FRAME_HISTOGRAM_MAX_JOBS];
  GstGlesFrameHistogramDifference channels[GST_GLES_FRAME_HISTOGRAM_MAX_JOBS];
};

struct Cell {
  bool busy;     // false for surplus workgroups of the grid
  uint x0, x1;   // luma columns from x0 to before x1
  uint y0, y1;   // luma rows from y0 to before y1
  uint part;     // which of the job's parts of the cell the workgroup counts
  uint range;    // PACKED: the range of counters that the workgroup keeps
  uint out_base; // index of the cell's first counter of the first channel
  GstGlesFrameHistogramJob job;
};

/* The first position of cell k: the smallest p with p * n_cells / size >= k. */
uint
cell_edge (uint k, uint n_cells, uint size)
{
  return (k * size + n_cells - 1u) / n_cells;
}

Cell
find_cell ()
{
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uint index = 0u;
  uint number, column, row;
  Cell cell;

  cell.busy = group < shape.n_groups;
  group = cell.busy ? group : 0u;
  for (uint k = 1u; k < uint (GST_GLES_FRAME_HISTOGRAM_MAX_JOBS); k++)
    index = k < shape.n_jobs && group >= jobs[k].first_group ? k : index;
  cell.job = jobs[index];

  group -= cell.job.first_group;
  cell.part = group % cell.job.parts;
  group /= cell.job.parts;
  cell.range = group % cell.job.ranges;
  number = group / cell.job.ranges;
  column = number % shape.columns;
  row = number / shape.columns;
  cell.x0 = shape.x + cell_edge (column, shape.columns, shape.width);
  cell.x1 = shape.x + cell_edge (column + 1u, shape.columns, shape.width);
  cell.y0 = shape.y + cell_edge (row, shape.rows, shape.height);
  cell.y1 = shape.y + cell_edge (row + 1u, shape.rows, shape.height);
  cell.out_base = cell.job.out_base + number * cell.job.bins;
  return cell;
}

/* The first sample at or after @position: the smallest index with index << shift >= position. */
uint
first_sample (uint position, uint shift)
{
  return (position + (1u << shift) - 1u) >> shift;
}

/* The units of an invocation: every step-th from begin to before end. A workgroup takes a
 * contiguous range. With private counters an invocation does so too, which suits the cache of a
 * CPU. Otherwise neighbouring invocations read neighbouring units, so that loads coalesce. */
struct Units {
  uint begin, end, step;
#if PACKED
  uint flush_begin, flush_end; // those of the workgroup
#endif
};

Units
find_units (Cell cell, uint n_units)
{
  uint per_group = (n_units + cell.job.parts - 1u) / cell.job.parts;
  uint local = gl_LocalInvocationIndex;
  Units units;

  uint group_begin = min (cell.part * per_group, n_units);
  uint group_end = cell.busy ? min (group_begin + per_group, n_units) : group_begin;
#if COUNTERS == 0
  uint size = group_end - group_begin;
  uint per_invocation = (size + uint (LOCAL_SIZE_X) - 1u) / uint (LOCAL_SIZE_X);
  units.begin = min (group_begin + local * per_invocation, group_end);
  units.end = min (units.begin + per_invocation, group_end);
  units.step = 1u;
#else
  units.begin = group_begin + local;
  units.end = group_end;
  units.step = uint (LOCAL_SIZE_X);
#if PACKED
  units.flush_begin = group_begin;
  units.flush_end = group_end;
#endif
#endif
  return units;
}

uint
bin_of (uint value, GstGlesFrameHistogramJob job)
{
#if MASKED || !WIDE
  return (value * job.bins) >> job.depth;
#else
  return value;
#endif
}
