// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the largest sample of a component in a rectangle of it, and the first place in raster
 * order that has it. The value is found by one dispatch, and the place by the next one, which
 * knows the value.
 *
 * Defines: PLACE: 0: find the value, 1: find the place; LOCAL_SIZE_X
 * Bindings: uniform 0: Params; storage 0: the image; storage 1: what was found: value and place,
 *   which the host has set to 0 and to 2^32 - 1
 * Grid: x workgroups, any number */
#include "lib/layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesComponent component;
  uint left, top, columns, n; /* the rectangle, in samples; n: how many they are */
};

layout (std430, binding = 0) readonly buffer Image
{
  uint image[];
};

layout (std430, binding = 1) buffer Found
{
  uint value, place;
};

uint
load_word (uint at)
{
  return image[at];
}

#define LUMA 0
#include "frame/sample.glsl"

void
main ()
{
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);
  uint most = 0u, first = n;

  for (uint i = gl_GlobalInvocationID.x; i < n; i += step) {
    uint y = i / columns;
    uint found = read_sample (component, left + i - y * columns, top + y);

    most = max (most, found);
    if (PLACE == 1 && found == value)
      first = min (first, i);
  }
  if (PLACE == 0)
    atomicMax (value, most);
  else if (first < n)
    atomicMin (place, first);
}
