// SPDX-License-Identifier: LGPL-2.1-or-later
/* Histograms of the samples in boxes of a picture, which may overlap. One dispatch clears the
 * counters, and a second one counts.
 *
 * Defines: LOCAL_SIZE_X
 * Bindings: uniform 0: Params; storage 0: the image; storage 1: the counters: `bins` words for each
 *   channel of each box
 * Grid: to clear: x workgroups, any number; to count: x workgroups per channel of a box, any
 *   number, and y = boxes * n_channels */
#include "frame/frame-boxes-layout.h"

#define LUMA 1
#define SCALES_TO_8 (shape.scale_to_8 != 0u)

layout (std140, binding = 0) uniform Params
{
  GstGlesFrameBoxesShape shape;
  GstGlesComponent components[4];
  GstGlesFrameBoxesBox boxes[GST_GLES_FRAME_BOXES_MAX];
};

layout (std430, binding = 0) readonly buffer Image
{
  uint image[];
};

layout (std430, binding = 1) buffer Counts
{
  uint counts[];
};

uint
load_word (uint at)
{
  return image[min (at, shape.last_word)];
}

#include "frame/sample.glsl"

/* Returns the first of @n samples at or behind the luma position @position. */
uint
first_sample (uint position, uint sub, uint n)
{
  return min ((position + (1u << sub) - 1u) >> sub, n);
}

uint
bin_of (uint channel, uint x, uint y)
{
  if (shape.luma != 0u)
    return (read_luma (shape.kr, shape.kg, shape.kb, x, y) * shape.bins) >> shape.depth;
  return (read_sample (components[channel], x, y) * shape.bins) >> components[channel].depth;
}

/* Counts the invocation's share of the samples of @channel in @box into the bins from word @first
 * on. Samples of one bin in a row are one addition. */
void
count (GstGlesFrameBoxesBox box, uint channel, uint first)
{
  GstGlesComponent c = components[channel];
  uint left = first_sample (box.x, c.sub_x, c.width);
  uint top = first_sample (box.y, c.sub_y, c.height);
  uint width = first_sample (box.right, c.sub_x, c.width) - left;
  uint n = width * (first_sample (box.bottom, c.sub_y, c.height) - top);
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);
  uint at = gl_GlobalInvocationID.x;
  uint divisor = max (width, 1u);
  uint y = at / divisor, x = at - y * divisor;
  uint step_y = step / divisor, step_x = step - step_y * divisor;
  uint run = 0u, bin = 0u;

  for (; at < n; at += step) {
    uint next = bin_of (channel, left + x, top + y);
    bool wraps = x + step_x >= width;

    if (run > 0u && next != bin) {
      atomicAdd (counts[first + bin], run);
      run = 0u;
    }
    bin = next;
    run++;
    y += step_y + (wraps ? 1u : 0u);
    x += step_x - (wraps ? width : 0u);
  }
  if (run > 0u)
    atomicAdd (counts[first + bin], run);
}

void
main ()
{
  uint row = gl_WorkGroupID.y;

  if (shape.task == GST_GLES_FRAME_BOXES_CLEAR) {
    uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

    for (uint i = gl_GlobalInvocationID.x; i < shape.n_words; i += step)
      counts[i] = 0u;
  } else if (shape.task == GST_GLES_FRAME_BOXES_COUNT) {
    count (boxes[row / shape.n_channels], row % shape.n_channels, row * shape.bins);
  }
}
