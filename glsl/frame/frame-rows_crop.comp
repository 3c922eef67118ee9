// SPDX-License-Identifier: LGPL-2.1-or-later
/* The first and the last row or column whose samples are brighter than a limit on average.
 *
 * Defines: LOCAL_SIZE_X, a multiple of LINES; COLUMNS: 1: columns instead of rows; LINES: how many
 *   of them side by side a workgroup adds up at a time
 * Bindings: uniform 0: Params; storage 0: the image; storage 1: the words, 0 before the first
 *   dispatch
 * Grid: x workgroups, any number */
#include "frame/frame-rows_samples.glsl"

shared uint totals[LINES];

void
find (uint first)
{
  uint n = COLUMNS != 0 ? place.width : place.height;
  uint length = COLUMNS != 0 ? place.height : place.width;
  uint line = first + gl_LocalInvocationIndex % uint (LINES);
  uint sum = 0u;

  if (gl_LocalInvocationIndex < uint (LINES))
    totals[gl_LocalInvocationIndex] = 0u;
  workgroup_barrier ();
  for (uint k = gl_LocalInvocationIndex / uint (LINES); k < length && line < n;
       k += uint (LOCAL_SIZE_X) / uint (LINES))
    sum += COLUMNS != 0 ? load_sample (line, k) : load_sample (k, line);
  atomicAdd (totals[line - first], sum);
  workgroup_barrier ();
  if (gl_LocalInvocationIndex < uint (LINES) && line < n &&
      totals[gl_LocalInvocationIndex] >= (COLUMNS != 0 ? place.column_sum : place.row_sum)) {
    atomicMax (words[place.out_word + 2u * uint (COLUMNS)], n - line);
    atomicMax (words[place.out_word + 2u * uint (COLUMNS) + 1u], line + 1u);
  }
}

void
main ()
{
  uint n = COLUMNS != 0 ? place.width : place.height;

  for (uint line = gl_WorkGroupID.x * uint (LINES); line < n;
       line += gl_NumWorkGroups.x * uint (LINES)) {
    find (line);
    workgroup_barrier ();
  }
}
