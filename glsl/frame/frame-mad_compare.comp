// SPDX-License-Identifier: LGPL-2.1-or-later
/* How far the samples of a picture are from those of the reference and from those of the previous
 * picture: two 64-bit sums for each channel. A picture that is farther from the reference than the
 * limit, and the first one, becomes the reference. That is known only when all samples are
 * compared, so there are two places for a reference: the picture is written to the other one, and
 * the last workgroup to finish decides which of them the next picture is compared with. If the
 * reference stays, the other place has the previous picture until the next one is written over it.
 *
 * Defines: LOCAL_SIZE_X, the invocations of a workgroup; DENSE: the samples of all channels are
 *   bytes side by side, so that a word of the reference is a word of the image; UNROLLED: see
 *   compare (); MASK: samples whose bits are not set are 0 in the picture and in the references, so
 *   that they are equal
 * Bindings: uniform 0: Params; storage 0: the image; storage 1: the state, whose words are 0 at
 *   first, the first place, and with MASK the bits; storage 2: the second place; storage 3: the
 *   sums of the channels, written from word shape.out_word on
 * Grid: shape.n_groups workgroups; job k has n_groups of them from its first_group on. */
#include "frame/frame-mad_words.glsl"

layout (std430, binding = 1) buffer First
{
  uint first[];
};

layout (std430, binding = 2) buffer Second
{
  uint second[];
};

layout (std430, binding = 3) writeonly buffer Out
{
  uint sums_out[];
};

shared uint totals[4];

#if MASK
/* The bits of the samples in a word of the picture, the first one in the lowest bit. */
uint
load_bits (GstGlesFrameMadJob job, uint row, uint column)
{
#if DENSE
  uint bit = column * 4u;
#else
  uint bit = column * (job.depth > 8u ? 2u : 4u);
#endif

  uint at = min (job.mask + row * job.mask_words + (bit >> 5), job.mask_last);

  return first[at] >> (bit & 31u);
}

/* The samples of @word whose bits are set. */
uint
apply_mask (GstGlesFrameMadJob job, uint word, uint row, uint column)
{
  uint bits = load_bits (job, row, column);

#if !DENSE
  if (job.depth > 8u)
    return word & ((bits & 1u) * 0xffffu | (bits >> 1 & 1u) * 0xffff0000u);
#endif
  /* bit k of four to all bits of byte k */
  return word & ((bits & 15u) * 0x00204081u & 0x01010101u) * 255u;
}
#endif

/* ---- places ---- */

uint
load_reference (bool in_second, uint word)
{
  if (in_second)
    return second[word];
  return first[GST_GLES_FRAME_MAD_STATE_WORDS + word];
}

void
store_picture (bool in_second, uint at, uint word)
{
  if (in_second)
    second[at] = word;
  else
    first[GST_GLES_FRAME_MAD_STATE_WORDS + at] = word;
}

/* ---- samples ---- */

uint
distance_of (uint a, uint b, uint mask, uint shift)
{
  uint x = (a >> shift) & mask;
  uint y = (b >> shift) & mask;

  return max (x, y) - min (x, y);
}

uint
distance_of_words (uint a, uint b, bool halves)
{
#if !DENSE
  if (halves)
    return distance_of (a, b, 0xffffu, 0u) + distance_of (a, b, 0xffffu, 16u);
#endif
  return distance_of (a, b, 0xffu, 0u) + distance_of (a, b, 0xffu, 8u) +
      distance_of (a, b, 0xffu, 16u) + distance_of (a, b, 0xffu, 24u);
}

struct Sums {
  Moved reference, previous;
};

/* Compares the words of the invocation, of which UNROLLED are loaded at a time: an invocation that
 * waits for one word after the other leaves a GPU idle. Those behind the last one are ignored. */
Sums
compare (GstGlesFrameMadJob job, bool in_second, bool apart)
{
  Walk walk = walk_begin (job);
  Sums sums = Sums (Moved (0u, 0u), Moved (0u, 0u));

  while (walk.at < job.n_words) {
    uint at[UNROLLED], now[UNROLLED], before[UNROLLED], previous[UNROLLED];

    for (uint k = 0u; k < uint (UNROLLED); k++) {
      at[k] = walk.at;
      now[k] = read_packed (job, walk);
#if MASK
      now[k] = apply_mask (job, now[k], walk.row, walk.column);
#endif
      before[k] = load_reference (in_second, job.reference + min (walk.at, job.n_words - 1u));
      previous[k] = 0u;
      if (apart)
        previous[k] = load_reference (!in_second, job.reference + min (walk.at, job.n_words - 1u));
      walk_next (job, walk);
    }
    for (uint k = 0u; k < uint (UNROLLED); k++) {
      if (at[k] >= job.n_words)
        break;
      add_moved (sums.reference, distance_of_words (now[k], before[k], job.depth > 8u));
      if (apart)
        add_moved (sums.previous, distance_of_words (now[k], previous[k], job.depth > 8u));
      store_picture (!in_second, job.reference + at[k], now[k]);
    }
  }
  return sums;
}

/* ---- the end ---- */

/* Adds the sum of a channel to that of all, scaled to 16 bits. */
void
add_scaled (inout uvec2 all, uvec2 sum, uint depth)
{
  uint shift = 16u - depth;
  uint low = sum.x << shift;

  all.x += low;
  /* a shift by 32 is undefined */
  all.y += ((sum.y << shift) | ((sum.x >> 1) >> (31u - shift))) + (all.x < low ? 1u : 0u);
}

/* Moves the sums of all workgroups to the output, and chooses the place of the next reference. */
void
decide (bool in_second, bool apart)
{
  uvec2 all = uvec2 (0u);
  bool replaces;

  for (uint channel = 0u; channel < shape.n_jobs; channel++) {
    uint word = GST_GLES_FRAME_MAD_SUMS + 4u * channel;
    uvec2 sum = uvec2 (atomicExchange (first[word], 0u), atomicExchange (first[word + 1u], 0u));
    uvec2 previous =
        uvec2 (atomicExchange (first[word + 2u], 0u), atomicExchange (first[word + 3u], 0u));

    if (shape.has_reference == 0u)
      sum = uvec2 (0u);
    if (!apart)
      previous = sum;
    sums_out[shape.out_word + 4u * channel] = sum.x;
    sums_out[shape.out_word + 4u * channel + 1u] = sum.y;
    sums_out[shape.out_word + 4u * channel + 2u] = previous.x;
    sums_out[shape.out_word + 4u * channel + 3u] = previous.y;
    add_scaled (all, sum, jobs[channel].depth);
  }
  replaces = shape.has_reference == 0u || all.y > shape.limit_high ||
      (all.y == shape.limit_high && all.x > shape.limit_low);
  if (replaces)
    first[GST_GLES_FRAME_MAD_PLACE] = in_second ? 0u : 1u;
  first[GST_GLES_FRAME_MAD_APART] = replaces ? 0u : 1u;
  first[GST_GLES_FRAME_MAD_TICKET] = 0u;
}

void
main ()
{
  uint channel = find_job ();
  bool in_second = first[GST_GLES_FRAME_MAD_PLACE] != 0u;
  bool apart = shape.has_reference != 0u && first[GST_GLES_FRAME_MAD_APART] != 0u;
  uint word = GST_GLES_FRAME_MAD_SUMS + 4u * channel;
  Sums sums;

  if (gl_LocalInvocationIndex < 4u)
    totals[gl_LocalInvocationIndex] = 0u;
  workgroup_barrier ();
  sums = compare (jobs[channel], in_second, apart);
  ADD_WIDE (totals[0], totals[1], sums.reference);
  if (apart)
    ADD_WIDE (totals[2], totals[3], sums.previous);
  workgroup_barrier ();
  if (gl_LocalInvocationIndex != 0u || gl_WorkGroupID.x >= shape.n_groups)
    return;
  sums = Sums (Moved (totals[0], totals[1]), Moved (totals[2], totals[3]));
  ADD_WIDE (first[word], first[word + 1u], sums.reference);
  ADD_WIDE (first[word + 2u], first[word + 3u], sums.previous);
  /* What the workgroup has added must be visible before its ticket is. */
  memoryBarrierBuffer ();
  if (atomicAdd (first[GST_GLES_FRAME_MAD_TICKET], 1u) + 1u == shape.n_groups)
    decide (in_second, apart);
}
