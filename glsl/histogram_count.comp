// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the samples of up to four jobs into cells of histograms.
 *
 * Defines:
 *   WIDE      1: whole 16-byte rows of the image (lib/histogram_wide.glsl), with
 *     BYTES, BIG_ENDIAN   the words: 1, 2 or 4 bytes
 *     LANES               words per period: 4, or 3 (bytes only)
 *     LANE_MAP            lanes count to counters of their own, or to none
 *     LUMA                a 4-byte word holds R, G and B
 *     MASKED              rows have ends; else the plane is one long row of whole 16-byte rows
 *   WIDE      0: one sample at a time (lib/histogram_generic.glsl), with
 *     LUMA                from three components
 *     SCATTER             every sample looks for its cell; COUNTERS_GLOBAL only
 *   SCALE     bin = value * bins >> depth; else bin = value
 *   COUNTERS  0 private, 1 shared, 2 global (lib/histogram_counters.glsl), with
 *     PRIVATE_SIZE        counters of an invocation
 *     SHARED_WORDS        counters of a workgroup, PACKED: two 16-bit ones to a word
 *   TEXELS    the image is a buffer texture; else a storage block
 *   LOCAL_SIZE_X, the invocations of a workgroup
 * Bindings:
 *   uniform 0: Params, the shape, the jobs and (generic) their components
 *   storage (or texture) 0: the image
 *   storage 1: the counters, zero before the first dispatch
 *   storage 2, 3: where they end up, and those of the frame before (lib/histogram_finish.glsl)
 * Grid: x * y workgroups, at least shape.n_groups; job k takes cells * ranges * parts of them from
 *   its first_group on, parts fastest, cells slowest. */
#include "lib/layout.h"
#include "lib/histogram_cell.glsl"
#define BANKS_MIXED 0
#include "lib/histogram_counters.glsl"
#include "lib/histogram_finish.glsl"
#if WIDE
#include "lib/histogram_wide.glsl"
#else
#include "lib/histogram_generic.glsl"
#endif

void
main ()
{
  Cell cell = find_cell ();

  counters_begin (cell);
  count_cell (cell);
  counters_end (cell);
  finish (cell);
}
