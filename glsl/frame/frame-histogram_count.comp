// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the samples of up to four jobs into the histograms of cells.
 *
 * Defines:
 *   WIDE      1: reads units of 16 bytes (frame/frame-histogram_wide.glsl), with
 *     BYTES               of a word: 1, 2 or 4
 *     LANES               words per period: 4, or 3 (bytes only)
 *     LANE_MAP            each lane has its own counters, or none
 *     LUMA                a 4-byte word holds R, G and B
 *     MASKED              units can be partly outside the cell, and bin = value * bins >> depth;
 *                         0: the plane is one row of units, and bin = value
 *   WIDE      0: reads one sample at a time (frame/frame-histogram_generic.glsl),
 *             bin = value * bins >> depth, with
 *     LUMA                from three components
 *     SCATTER             each sample computes its cell; global counters only
 *   COUNTERS  0 private, 1 shared, 2 global (lib/histogram_counters.glsl), with
 *     PRIVATE_SIZE        private: counters of an invocation, a power of two
 *     SHARED_WORDS        shared: words of counters in a workgroup
 *     PACKED              shared: a word holds two 16-bit counters
 *   MASK      1: samples count whose bits are set; there is no last-block flush, and a wide pass is
 *             MASKED
 *   LOCAL_SIZE_X  invocations of a workgroup
 * Bindings:
 *   uniform 0: Params, the shape, the jobs and (WIDE 0) their components
 *   storage 0: the image
 *   storage 1: the counters, zero before the first dispatch
 *   MASK 1: storage 2: the bits
 *   MASK 0: storage 2, 3: the counts and those of the frame before
 *     (frame/frame-histogram_finish.glsl)
 * Grid: x * y workgroups, at least shape.n_groups; job k has cells * ranges * parts workgroups
 *   from its first_group on; the part varies fastest, the cell slowest. */
#include "frame/frame-histogram-layout.h"
#include "frame/frame-histogram_cell.glsl"
#define BANKS_MIXED 0
#define CHECKED (MASKED || LANE_MAP || MASK)
#include "lib/histogram_counters.glsl"
#if MASK
layout (std430, binding = 2) readonly buffer Mask
{
  uint mask[];
};
#else
#include "frame/frame-histogram_finish.glsl"
#endif
#if WIDE
#include "frame/frame-histogram_wide.glsl"
#else
#include "frame/frame-histogram_generic.glsl"
#endif

void
main ()
{
  Cell cell = find_cell ();

  counters_begin (cell);
  count_cell (cell);
  counters_end (cell);
#if !MASK
  finish (cell);
#endif
}
