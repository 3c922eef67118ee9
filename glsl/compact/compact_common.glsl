// SPDX-License-Identifier: LGPL-2.1-or-later
/* Declarations that all kernels of compaction share. This file must be included before any
 * conditional #include, because gl/program includes each file only once, at its first #include,
 * and does not evaluate conditions.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS, even or 1; FRAME (frame/frame-compact_tile.glsl) */

/* Each word of the scan holds two counts, for rows r and r + SCAN_ROWS. They fit because a tile
 * has less than 2^16 values. */
#if ROWS == 1
#define SCAN_ROWS 1
#else
#define SCAN_ROWS (ROWS / 2)
#endif
#define SEGMENTED 0
#define PASS GstGlesCompactPass
#include "compact/compact-layout.h"
#include "frame/frame-compact-layout.h"
#include "scan/scan.glsl"
#include "scan/scan_array.glsl"
#ifdef FRAME
#include "frame/frame-compact_bytes.glsl"
#endif

/* bitCount() returns a lowp value. If the result were shifted directly, bits above 16 could be
 * lost, as on llvmpipe. Assigning it to a variable makes it highp. */
uint
count_bits (uint bits)
{
  uint count = uint (bitCount (bits));

  return count;
}

/* Returns the index of entry @at in the bound part of the output. It is outside if it is not below
 * params.out_count. */
#define OUT_PLACE(at) ((at) -params.out_first)

/* Writes the result and the carry of the next window. Must be called by one invocation, after the
 * whole window is counted. */
void
write_compact_result (uint total)
{
  window_set_carry (uvec2 (total, 0u));
  write_result (uvec2 (total, 0u), min (total, params.max_count),
      first_status () | (total > params.max_count ? GST_GLES_ARRAY_STATUS_TRUNCATED : 0u));
}
