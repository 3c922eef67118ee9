// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the keys of an array and computes their bins.
 *
 * Defines: BYTES, BINNING, RANGED as in histogram_count.comp
 * Bindings: uniform 0: the pass; storage 0: the keys; storage 2: the plan's state */
#include "lib/counters-layout.h"
#include "histogram/histogram-layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesHistogramPass params;
};

layout (std430, binding = 0) readonly buffer Keys
{
  uvec4 keys[];
};

layout (std430, binding = 2) buffer State
{
  uint state[];
};

/* A unit is a 16-byte row of keys. */
#define UNIT_KEYS uint (16 / BYTES)
#define KEY_BITS uint (8 * BYTES)

uint
bin_of_key (uint key)
{
  uint at = key - params.lower;
#if BINNING == 0
  uint bin = at;
#else
  uint bin, low;
  umulExtended (at, params.scale_high, bin, low);
#if BINNING == 2
  uint carried, lowest;
  umulExtended (at, params.scale_low, carried, lowest);
  bin += low + carried < low ? 1u : 0u;
#endif
  bin += at * params.whole;
#endif
#if RANGED
  bin = at <= params.span ? bin : GST_GLES_NO_COUNTER;
#endif
  return bin;
}

/* Whether bin_of_key() returned a bin. */
bool
is_bin (uint bin)
{
#if RANGED
  return bin != GST_GLES_NO_COUNTER;
#else
  return true;
#endif
}

/* Key @i of a unit. */
uint
key_of (uvec4 unit, uint i)
{
  uint bit = i * KEY_BITS;
  uint word = bit < 64u ? (bit < 32u ? unit.x : unit.y) : (bit < 96u ? unit.z : unit.w);

  return (word >> (bit & 31u)) & (0xffffffffu >> (32u - KEY_BITS));
}

/* The number of keys in the window. */
uint
n_keys ()
{
  uint window =
      uint (GST_GLES_ARRAY_WINDOWS) + params.array.window * uint (GST_GLES_ARRAY_WINDOW_WORDS);

  return params.array.counted != 0u ? state[window + 3u] : params.array.n;
}

/* Writes the result of the call, once for all windows. One invocation calls this. */
void
write_result ()
{
  uint total = params.array.counted != 0u ? state[GST_GLES_ARRAY_N] : params.array.total_n;

  if (params.array.window != 0u)
    return;
  state[GST_GLES_ARRAY_TOTAL] = total;
  state[GST_GLES_ARRAY_TOTAL + 1] = 0u;
  state[GST_GLES_ARRAY_COUNT] = total;
  state[GST_GLES_ARRAY_STATUS] = params.array.counted != 0u ? state[GST_GLES_ARRAY_CLAMPED] : 0u;
}
