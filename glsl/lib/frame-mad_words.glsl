// SPDX-License-Identifier: LGPL-2.1-or-later
/* The samples of a channel as words of the reference. */
#include "lib/layout.h"
#include "lib/barrier.glsl"
#include "lib/histogram_moved.glsl"

#define LUMA 1
#define SCALES_TO_8 (shape.scale_to_8 != 0u)

layout (std140, binding = 0) uniform Params
{
  GstGlesFrameMadShape shape;
  GstGlesFrameMadJob jobs[GST_GLES_HISTOGRAM_MAX_JOBS];
  GstGlesComponent components[GST_GLES_HISTOGRAM_MAX_JOBS];
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

#include "lib/sample.glsl"

uint
find_job ()
{
  uint index = 0u;

  for (uint k = 1u; k < uint (GST_GLES_HISTOGRAM_MAX_JOBS); k++)
    index = k < shape.n_jobs && gl_WorkGroupID.x >= jobs[k].first_group ? k : index;
  return index;
}

uint
read_any (GstGlesFrameMadJob job, uint x, uint y)
{
  return job.luma != 0u ? read_luma (shape.kr, shape.kg, shape.kb, x, y) :
                          read_sample (components[job.component], x, y);
}

/* Word @at of the channel. What lies behind a row's end is 0. */
uint
read_packed (GstGlesFrameMadJob job, uint at)
{
  uint row = at / job.row_words;
  uint column = at - row * job.row_words;
  uint samples = job.depth > 8u ? 2u : 4u;
  uint bits = 32u / samples;
  uint first = column * samples;
  uint n = min (job.width - first, samples);
  uint word = 0u;

  if (job.dense != 0u) {
    GstGlesComponent component = components[job.component];

    word = load_word (
        ((component.offset + (job.y + row) * component.stride + job.x) >> 2) + column);
    return n < 4u ? word & ((1u << (8u * n)) - 1u) : word;
  }
  for (uint k = 0u; k < n; k++)
    word |= read_any (job, job.x + first + k, job.y + row) << (k * bits);
  return word;
}
