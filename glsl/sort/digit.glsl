// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parameters and state of the passes of a sort, keys and their digits, and access to the source
 * and the target.
 *
 * Defines:
 *   KEY_WORDS       1 or 2, the low word first
 *   PAYLOAD         1: each key has a payload word
 *   RADIX_BITS      the largest number of bits in a digit
 *   FLIPS           0: keys are ordered as unsigned words, and the flips of the pass are not read;
 *                   1, or not defined: the flips are applied
 *   KEYS            keys per invocation and tile, in kernels that process tiles
 *   SOURCE_RECORDS  with PAYLOAD: 1: key and payload are read from one block, as records of
 *                   KEY_WORDS + 1 words; 0: from one block each
 *   TARGET_RECORDS  the same for the output
 *   READS, WRITES   the kernel reads, and writes, keys and payloads; READS 2: keys only
 * Bindings: uniform 0: the pass; storage 0: the state; storage from 1 on: source, target. */

layout (std140, binding = 0) uniform Params
{
  GstGlesSortPass params;
};

layout (std430, binding = 0) coherent volatile buffer State
{
  uint state[];
};

#define RADIX (1 << RADIX_BITS)
#ifndef FLIPS
#define FLIPS 1
#endif

/* Returns the number of keys. */
uint
n_keys ()
{
  return params.counted != 0u ? state[GST_GLES_SORT_N] : params.n;
}

/* Must be called by one invocation of the sort's first kernel. */
void
write_result ()
{
  if (params.counted == 0u) {
    state[GST_GLES_SORT_TOTAL] = params.n;
    state[GST_GLES_SORT_TOTAL + 1] = 0u;
    state[GST_GLES_SORT_COUNT] = params.n;
    state[GST_GLES_SORT_STATUS] = 0u;
  }
}

#ifdef KEYS

#define TILE uint (KEYS * LOCAL_SIZE_X)

uint
n_tiles (uint n)
{
  return n / TILE + (n % TILE != 0u ? 1u : 0u);
}

uint
group_index ()
{
  return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

#endif

/* ---- keys ---- */

#if KEY_WORDS == 1
#define Key uint
#else
#define Key uvec2
#endif

uint
in_order (uint word)
{
#if FLIPS
  return word ^ params.flip ^ (uint (int (word) >> 31) & params.sign_flip);
#else
  return word;
#endif
}

/* Returns the bits of @key from @shift on. */
uint
key_bits (Key key, uint shift, uint mask)
{
#if KEY_WORDS == 1
  return (in_order (key) >> shift) & mask;
#else
  uint low = in_order (key.x);
  uint high = in_order (key.y);
  uint by = shift & 31u;
  uint above = by == 0u ? 0u : high << (32u - by);
  return (shift < 32u ? (low >> by) | above : high >> by) & mask;
#endif
}

uint
digit_of (Key key)
{
  return key_bits (key, params.shift, params.mask);
}

/* Returns the first bit and the mask of a pass's digit. The bits are distributed evenly: digits
 * differ by at most one bit. */
void
find_pass (uint index, out uint shift, out uint mask)
{
  uint bits = params.end_bit - params.begin_bit;
  uint first = bits * index / params.n_passes;
  uint last = bits * (index + 1u) / params.n_passes;

  shift = params.begin_bit + first;
  mask = (1u << (last - first)) - 1u;
}

/* ---- source ---- */

#if READS

#if PAYLOAD && SOURCE_RECORDS
#if KEY_WORDS == 1
layout (std430, binding = 1) readonly buffer Source
{
  uvec2 source[];
};
#else
layout (std430, binding = 1) readonly buffer Source
{
  uint source[];
};
#endif
#define SOURCE_BLOCKS 1
#else
layout (std430, binding = 1) readonly buffer Source
{
  Key source[];
};
#if PAYLOAD && READS == 1
layout (std430, binding = 2) readonly buffer SourcePayloads
{
  uint source_payloads[];
};
#define SOURCE_BLOCKS 2
#else
#define SOURCE_BLOCKS 1
#endif
#endif

Key
load_key (uint i)
{
#if !(PAYLOAD && SOURCE_RECORDS)
  return source[i];
#elif KEY_WORDS == 1
  return source[i].x;
#else
  return uvec2 (source[3u * i], source[3u * i + 1u]);
#endif
}

#if READS == 1
void
load_record (uint i, out Key key, out uint payload)
{
#if PAYLOAD && SOURCE_RECORDS
#if KEY_WORDS == 1
  uvec2 record = source[i];
  key = record.x;
  payload = record.y;
#else
  key = load_key (i);
  payload = source[3u * i + 2u];
#endif
#else
  key = source[i];
  payload = 0u;
#if PAYLOAD
  if (params.indexed != 0u)
    payload = i;
  else
    payload = source_payloads[i];
#endif
#endif
}
#endif

#endif

/* ---- target ---- */

#if WRITES

#if PAYLOAD && TARGET_RECORDS
#if SOURCE_BLOCKS == 1
layout (std430, binding = 2) writeonly buffer Target
#else
layout (std430, binding = 3) writeonly buffer Target
#endif
{
#if KEY_WORDS == 1
  uvec2 target[];
#else
  uint target[];
#endif
};
#elif SOURCE_BLOCKS == 1
layout (std430, binding = 2) writeonly buffer Target
{
  Key target[];
};
#if PAYLOAD
layout (std430, binding = 3) writeonly buffer TargetPayloads
{
  uint target_payloads[];
};
#endif
#else
layout (std430, binding = 3) writeonly buffer Target
{
  Key target[];
};
#if PAYLOAD
layout (std430, binding = 4) writeonly buffer TargetPayloads
{
  uint target_payloads[];
};
#endif
#endif

void
store_record (uint i, Key key, uint payload)
{
#if PAYLOAD && TARGET_RECORDS
#if KEY_WORDS == 1
  target[i] = uvec2 (key, payload);
#else
  target[3u * i] = key.x;
  target[3u * i + 1u] = key.y;
  target[3u * i + 2u] = payload;
#endif
#else
  target[i] = key;
#if PAYLOAD
  target_payloads[i] = payload;
#endif
#endif
}

#endif
