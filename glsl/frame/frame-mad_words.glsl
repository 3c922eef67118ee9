// SPDX-License-Identifier: LGPL-2.1-or-later
/* The samples of a channel as words of the reference. */
#include "frame/frame-histogram-layout.h"
#include "frame/frame-mad-layout.h"
#include "lib/barrier.glsl"
#include "frame/frame-histogram_moved.glsl"

#define LUMA 1
#define SCALES_TO_8 (shape.scale_to_8 != 0u)

layout (std140, binding = 0) uniform Params
{
  GstGlesFrameMadShape shape;
  GstGlesFrameMadJob jobs[GST_GLES_FRAME_HISTOGRAM_MAX_JOBS];
  GstGlesComponent components[GST_GLES_FRAME_HISTOGRAM_MAX_JOBS];
};

layout (std430, binding = 0) readonly buffer Image
{
  uint image[];
};

uint
load_word (uint at)
{
  return image[min (at, shape.last_word)];
}

#if !DENSE
#include "frame/sample.glsl"
#endif

uint
find_job ()
{
  uint index = 0u;

  for (uint k = 1u; k < uint (GST_GLES_FRAME_HISTOGRAM_MAX_JOBS); k++)
    index = k < shape.n_jobs && gl_WorkGroupID.x >= jobs[k].first_group ? k : index;
  return index;
}

#if !DENSE
uint
read_any (GstGlesFrameMadJob job, uint x, uint y)
{
  return job.luma != 0u ? read_luma (shape.kr, shape.kg, shape.kb, x, y) :
                          read_sample (components[job.component], x, y);
}
#endif

/* The words of a channel that an invocation visits: every @step'th. Positions are advanced by
 * additions, because divisions are slow on a software renderer. */
struct Walk {
  uint at, step, row, column, step_rows, step_columns;
#if DENSE
  uint first, stride; /* words of the image: the first one of the channel, and from row to row */
#endif
};

Walk
walk_begin (GstGlesFrameMadJob job)
{
  Walk walk;

  walk.step = job.n_groups * uint (LOCAL_SIZE_X);
  walk.at = (gl_WorkGroupID.x - job.first_group) * uint (LOCAL_SIZE_X) + gl_LocalInvocationIndex;
  walk.row = walk.at / job.row_words;
  walk.column = walk.at - walk.row * job.row_words;
  walk.step_rows = walk.step / job.row_words;
  walk.step_columns = walk.step - walk.step_rows * job.row_words;
#if DENSE
  walk.stride = components[job.component].stride >> 2;
  walk.first = ((components[job.component].offset + job.x) >> 2) + job.y * walk.stride;
#endif
  return walk;
}

void
walk_next (GstGlesFrameMadJob job, inout Walk walk)
{
  bool wraps = walk.column + walk.step_columns >= job.row_words;

  walk.at += walk.step;
  walk.row += walk.step_rows + (wraps ? 1u : 0u);
  walk.column += walk.step_columns - (wraps ? job.row_words : 0u);
}

/* The word of the channel at @walk. Samples behind the end of a row are 0. */
uint
read_packed (GstGlesFrameMadJob job, Walk walk)
{
#if DENSE
  uint n = min (job.width - 4u * walk.column, 4u);
  uint word = load_word (walk.first + walk.row * walk.stride + walk.column);

  return n < 4u ? word & ((1u << (8u * n)) - 1u) : word;
#else
  uint samples = job.depth > 8u ? 2u : 4u;
  uint bits = 32u / samples;
  uint first = walk.column * samples;
  uint n = min (job.width - first, samples);
  uint word = 0u;

  for (uint k = 0u; k < n; k++)
    word |= read_any (job, job.x + first + k, job.y + walk.row) << (k * bits);
  return word;
#endif
}
