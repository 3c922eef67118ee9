// SPDX-License-Identifier: LGPL-2.1-or-later
/* The samples of a channel, whose position counts from the region, and the words that kernels add
 * to. */
#include "frame/frame-rows-layout.h"
#include "lib/barrier.glsl"

#define LUMA 1
#define SCALES_TO_8 (place.scale_to_8 != 0u)

layout (std140, binding = 0) uniform Params
{
  GstGlesFrameRowsPlace place;
  GstGlesComponent components[4];
};

layout (std430, binding = 0) readonly buffer Image
{
  uint image[];
};

layout (std430, binding = 1) buffer Words
{
  uint words[];
};

uint
load_word (uint at)
{
  return image[min (at, place.last_word)];
}

#include "frame/sample.glsl"

uint
load_sample (uint x, uint y)
{
  return place.luma != 0u ? read_luma (place.kr, place.kg, place.kb, place.x + x, place.y + y) :
                            read_sample (components[place.component], place.x + x, place.y + y);
}
