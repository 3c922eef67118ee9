// SPDX-License-Identifier: LGPL-2.1-or-later
/* Calculates an expression at the place of each point, and writes it as the point's value.
 *
 * Defines: LOCAL_SIZE_X; others: see frame/frame-expression_samples.glsl
 * Bindings: storage 0: the points, two words each: x | y << 16, and the value; storage 3: word
 *   2: how many there are
 * Grid: x workgroups, any number */
#include "frame/frame-expression_samples.glsl"

layout (std430, binding = 0) buffer Points
{
  uvec2 points[];
};

layout (std430, binding = 3) readonly buffer Counts
{
  uint counts[];
};

void
main ()
{
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);
  uint n = min (counts[2], pass.n);

  for (uint i = gl_GlobalInvocationID.x; i < n; i += step) {
    uint place = points[i].x;
    uint x = ((place & 0xffffu) + pass.crop_x) >> pass.sub_x;
    uint y = ((place >> 16) + pass.crop_y) >> pass.sub_y;

    points[i].y = uint (calculate_one (x, y));
  }
}
