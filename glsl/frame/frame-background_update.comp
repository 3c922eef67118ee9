// SPDX-License-Identifier: LGPL-2.1-or-later
/* Moves the running average of each sample towards the sample of a new frame, or keeps the frame.
 *
 * Defines:
 *   BYTES  1: each byte of the picture is a sample, and the averages, rounded, also become a
 *          picture of the same layout; 0: samples have any layout
 *   LUMA   1: the sample is the luma of three components (BYTES 0)
 *   KEEP   1: there are no averages, and the picture itself is what storage 2 receives (BYTES 1)
 *   LOCAL_SIZE_X
 * Bindings: uniform 0: Params; storage 0: the picture; storage 1: the averages, a word each with 16
 *   fractional bits (KEEP 1: unused); storage 2 (BYTES 1): receives the averages as a picture
 * Grid: x workgroups, any number; each takes every x-th block of LOCAL_SIZE_X words or samples. */
#include "frame/frame-background-layout.h"
#define SCALES_TO_8 (background.scale_to_8 != 0u)

layout (std140, binding = 0) uniform Params
{
  GstGlesFrameBackgroundPass background;
  GstGlesComponent components[3];
};

layout (std430, binding = 0) readonly buffer Image
{
  uint image[];
};

#if BYTES

layout (std430, binding = 2) writeonly buffer Rounded
{
  uint rounded[];
};

#if KEEP

void
update (uint i)
{
  rounded[background.first_word + i] = image[background.first_word + i];
}

#else

layout (std430, binding = 1) buffer Averages
{
  uvec4 averages[];
};

/* The product of the distance and the weight does not fit 32 bits, so the halves of the distance
 * are multiplied one by one. */
uvec4
move_average (uvec4 average, uvec4 value)
{
  uvec4 target = value << 16;
  uvec4 distance = max (target, average) - min (target, average);
  uvec4 change = (distance >> 16) * background.weight +
      (((distance & 0xffffu) * background.weight) >> 16);
  uvec4 rises = uvec4 (greaterThan (target, average));

  if (background.first != 0u)
    return target;
  return average + rises * change - (1u - rises) * change;
}

void
update (uint i)
{
  uint word = image[background.first_word + i];
  uvec4 bytes = uvec4 (word & 255u, (word >> 8) & 255u, (word >> 16) & 255u, word >> 24);
  uvec4 average = move_average (averages[i], bytes);

  averages[i] = average;
  bytes = (average + 0x8000u) >> 16;
  rounded[background.first_word + i] =
      bytes.x | (bytes.y << 8) | (bytes.z << 16) | (bytes.w << 24);
}

#endif

#else

layout (std430, binding = 1) buffer Averages
{
  uint averages[];
};

uint
load_word (uint at)
{
  return image[min (at, background.last_word)];
}

#include "frame/sample.glsl"

uint
move_average (uint average, uint value)
{
  uint target = value << 16;
  uint distance = max (target, average) - min (target, average);
  uint change = (distance >> 16) * background.weight +
      (((distance & 0xffffu) * background.weight) >> 16);

  if (background.first != 0u)
    return target;
  return target > average ? average + change : average - change;
}

void
update (uint i)
{
  uint y = i / background.width;
  uint x = i - y * background.width;
#if LUMA
  uint value = read_luma (background.kr, background.kg, background.kb, x, y);
#else
  uint value = read_sample (components[0], x, y);
#endif

  averages[i] = move_average (averages[i], value);
}

#endif

void
main ()
{
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

  for (uint i = gl_GlobalInvocationID.x; i < background.n; i += step)
    update (i);
}
