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
 *   TEXELS          the source is read by texel fetches, four keys at a time; else from blocks
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

#ifdef TEXELS
/* llvmpipe loads uniform parameters again for each key, lane by lane, unless they are in
 * variables. */
struct Pass {
  uint shift, mask, flip, sign_flip;
};

Pass pass;

void
begin_pass ()
{
  pass = Pass (params.shift, params.mask, params.flip, params.sign_flip);
}

#define PASS pass
#else
#define PASS params
#endif

uint
in_order (uint word)
{
#if FLIPS
  return word ^ PASS.flip ^ (uint (int (word) >> 31) & PASS.sign_flip);
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
  return key_bits (key, PASS.shift, PASS.mask);
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

#ifdef TEXELS

/* llvmpipe executes a texel fetch for a whole vector, but loads from blocks word by word and lane
 * by lane. A pass that counts 1M digits takes a third of the time (measured on Mesa 22.3). */
layout (binding = 1) uniform usamplerBuffer source;
#if PAYLOAD && SOURCE_RECORDS
#define SOURCE_WORDS (KEY_WORDS + 1)
#define SOURCE_BLOCKS 1
#else
#define SOURCE_WORDS KEY_WORDS
#if PAYLOAD && READS == 1
layout (binding = 2) uniform usamplerBuffer source_payloads;
#define SOURCE_BLOCKS 2
#else
#define SOURCE_BLOCKS 1
#endif
#endif

/* Loads four keys, from number 4 * i on, and their payloads if the kernel reads them. */
void
load_four (uint i, out Key keys[4], out uvec4 payloads)
{
  int at = int (i) * SOURCE_WORDS;
  uvec4 a = texelFetch (source, at);

  payloads = uvec4 (0u);
#if SOURCE_WORDS == 1
  keys = uint[4] (a.x, a.y, a.z, a.w);
#else
  uvec4 b = texelFetch (source, at + 1);
#if SOURCE_WORDS == 3
  uvec4 c = texelFetch (source, at + 2);
  keys = uvec2[4] (a.xy, uvec2 (a.w, b.x), b.zw, c.yz);
  payloads = uvec4 (a.z, b.y, c.x, c.w);
#elif KEY_WORDS == 2
  keys = uvec2[4] (a.xy, a.zw, b.xy, b.zw);
#else
  keys = uint[4] (a.x, a.z, b.x, b.z);
  payloads = uvec4 (a.y, a.w, b.y, b.w);
#endif
#endif
#if SOURCE_BLOCKS == 2
  if (params.indexed != 0u)
    payloads = uvec4 (4u * i) + uvec4 (0u, 1u, 2u, 3u);
  else
    payloads = texelFetch (source_payloads, int (i));
#endif
}

#elif READS

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
