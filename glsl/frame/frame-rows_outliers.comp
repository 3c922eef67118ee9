// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts rows that repeat another one, and samples that are far from those above and below,
 * together with those beside them.
 *
 * Defines: LOCAL_SIZE_X
 * Bindings: uniform 0: Params; storage 0: the image; storage 1: the words, 0 before the dispatch
 * Grid: x workgroups, any number; each takes every x-th row. */
#include "frame/frame-rows_samples.glsl"

/* The distance of a row, and its outliers. */
shared uint totals[2];

/* FFmpeg compares the lower 8 bits of samples, of any depth. */
bool
is_far (uint x, uint y, uint rows)
{
  int above = int (load_sample (x, y - rows) & 255u);
  int centre = int (load_sample (x, y) & 255u);
  int below = int (load_sample (x, y + rows) & 255u);

  return ((abs (above - centre) + abs (below - centre)) >> 1) - abs (below - above) >
      GST_GLES_FRAME_ROWS_OUTLIER;
}

bool
is_outlier (uint x, uint y)
{
  uint reach = y >= 2u && y + 2u < place.height ? 2u : 1u;

  if (x < 1u || x + 1u >= place.width || y < 1u || y + 1u >= place.height)
    return false;
  for (uint rows = 1u; rows <= reach; rows++) {
    for (uint column = x - 1u; column <= x + 1u; column++) {
      if (!is_far (column, y, rows))
        return false;
    }
  }
  return true;
}

void
measure_row (uint y)
{
  uint n = 0u, distance = 0u;

  if (gl_LocalInvocationIndex < 2u)
    totals[gl_LocalInvocationIndex] = 0u;
  workgroup_barrier ();
  for (uint x = gl_LocalInvocationIndex; x < place.width; x += uint (LOCAL_SIZE_X)) {
    if (y >= GST_GLES_FRAME_ROWS_REPEAT)
      distance += uint (
          abs (int (load_sample (x, y)) - int (load_sample (x, y - GST_GLES_FRAME_ROWS_REPEAT))));
    n += is_outlier (x, y) ? 1u : 0u;
  }
  atomicAdd (totals[0], distance);
  atomicAdd (totals[1], n);
  workgroup_barrier ();
  if (gl_LocalInvocationIndex != 0u)
    return;
  if (y >= GST_GLES_FRAME_ROWS_REPEAT && totals[0] < place.width)
    atomicAdd (words[place.out_word + GST_GLES_FRAME_ROWS_N_REPEATED], 1u);
  atomicAdd (words[place.out_word + GST_GLES_FRAME_ROWS_N_OUTLIERS], totals[1]);
}

void
main ()
{
  for (uint y = gl_WorkGroupID.x; y < place.height; y += gl_NumWorkGroups.x) {
    measure_row (y);
    workgroup_barrier ();
  }
}
