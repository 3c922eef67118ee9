// SPDX-License-Identifier: LGPL-2.1-or-later
/* What all kernels of compaction share, however they come by what passes. Included ahead of what is
 * included under a condition: a block is included once, whatever the preprocessor thinks of it later.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS, even or 1; FRAME (lib/frame_tile.glsl) */

/* Two counts to a word, of rows r and r + SCAN_ROWS: a tile has less than 2^16 values. */
#if ROWS == 1
#define SCAN_ROWS 1
#else
#define SCAN_ROWS (ROWS / 2)
#endif
#define SEGMENTED 0
#include "lib/scan.glsl"
#include "lib/scan_array.glsl"
#ifdef FRAME
#include "lib/frame_bytes.glsl"
#endif

/* bitCount() is lowp: shifted as it is, its result can lose all that is above 16 bits, and does on
 * llvmpipe. */
uint
count_bits (uint bits)
{
  uint count = uint (bitCount (bits));

  return count;
}

/* The entry of the bound outputs that entry @at of the whole is; not below out_count: none. */
#define OUT_PLACE(at) ((at) -params.out_first)

/* What users see, and the next window. By one invocation, when all of the window is counted. */
void
write_compact_result (uint total)
{
  window_set_carry (uvec2 (total, 0u));
  write_result (uvec2 (total, 0u), min (total, params.max_count),
      first_status () | (total > params.max_count ? GST_GLES_ARRAY_STATUS_TRUNCATED : 0u));
}
