// SPDX-License-Identifier: LGPL-2.1-or-later
/* Replaces samples by pixels of the new frame. A hash of the place and of the number of the frame
 * chooses which: no pixel is written by two invocations, and none depends on their order. Where
 * the picture is another one, the samples begin anew. In the first frames they are learnt, and
 * nothing moves. Later, where most pixels have become brighter, or darker, all samples follow.
 *
 * Defines: LOCAL_SIZE_X
 * Bindings: uniform 0: Params; storage 0: the state
 * Grid: x workgroups, any number; each takes every x-th group of LOCAL_SIZE_X blocks. */
#include "frame/frame-samples-layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesFrameSamplesPass samples;
};

layout (std430, binding = 0) buffer State
{
  uint state[];
};

uint
hash (uint x, uint y)
{
  uint h = x + y * 0x9e3779b1u + samples.frame * 0x85ebca77u;

  h = (h ^ (h >> 16)) * 0x7feb352du;
  h = (h ^ (h >> 15)) * 0x846ca68bu;
  return h ^ (h >> 16);
}

uint
read_byte (uint plane, uvec2 place)
{
  uint word = state[plane * samples.plane_words + place.y * samples.row_words + (place.x >> 2)];

  return (word >> ((place.x & 3u) << 3)) & 255u;
}

void
write_sample (uint plane, uvec2 place, uint value)
{
  uint at = plane * samples.plane_words + place.y * samples.row_words + (place.x >> 2);
  uint shift = (place.x & 3u) << 3;

  state[at] = (state[at] & ~(255u << shift)) | (value << shift);
}

/* Returns neighbour @n of 8, within the picture. */
uvec2
neighbour (uvec2 place, uint n)
{
  uint k = n < 4u ? n : n + 1u;
  ivec2 at = ivec2 (place) + ivec2 (int (k % 3u) - 1, int (k / 3u) - 1);

  return uvec2 (clamp (at, ivec2 (0), ivec2 (samples.width, samples.height) - 1));
}

/* Learns samples of a block from a frame, the @learnt-th one from 0 on. Those of the first frame
 * are twice the pixel's own value, so that a still picture does not move, and neighbours; of the
 * others one is its own value, and one a neighbour. */
void
learn (uint column, uint y, uint learnt)
{
  uint first = 2u * learnt, end = learnt == 0u ? uint (GST_GLES_FRAME_SAMPLES_N) : first + 2u;

  for (uint i = 0u; i < uint (GST_GLES_FRAME_SAMPLES_BLOCK) / 4u; i++)
    state[uint (GST_GLES_FRAME_SAMPLES_VALUES) * samples.plane_words + y * samples.row_words +
        column / 4u + i] = 0u;
  for (uint x = column; x < min (column + uint (GST_GLES_FRAME_SAMPLES_BLOCK), samples.width);
       x++) {
    uint order = hash (x, y);

    for (uint k = first; k < end; k++) {
      bool is_own = k == first || k == 1u;
      uvec2 from = is_own ? uvec2 (x, y) : neighbour (uvec2 (x, y), (order >> (3u * k)) & 7u);

      write_sample (k, uvec2 (x, y), read_byte (uint (GST_GLES_FRAME_SAMPLES_SMOOTH), from));
    }
  }
}

bool
is_background (uvec2 place)
{
  return read_byte (uint (GST_GLES_FRAME_SAMPLES_VALUES), place) == 0u;
}

void
replace (uint column, uint y)
{
  uint order = hash (column, y);
  uint of_row = hash (GST_GLES_FRAME_SAMPLES_ROW, y);
  uvec2 own = uvec2 (column + (order & 15u), y);
  uvec2 other = uvec2 (column + ((order >> 4) & 15u), y);
  uvec2 giver = neighbour (other, (order >> 8) & 7u);

  if (own.x < samples.width && (is_background (own) || (order >> 16) < samples.chance))
    write_sample (of_row & 7u, own, read_byte (uint (GST_GLES_FRAME_SAMPLES_SMOOTH), own));
  if (other.x < samples.width && is_background (giver))
    write_sample (
        (of_row >> 3) & 7u, other, read_byte (uint (GST_GLES_FRAME_SAMPLES_SMOOTH), giver));
}

/* Returns the step by which samples follow the light, 0: they stay. @n pixels were counted, those
 * on the side that the light has changed to from @more on, the others from @less on. */
uint
find_step (uint more, uint less, uint n)
{
  uint found = 0u;

  if (!GST_GLES_FRAME_SAMPLES_IS_LIGHT (state[more], state[less], n))
    return 0u;
  for (uint s = 0u; s < uint (GST_GLES_FRAME_SAMPLES_STEPS); s++) {
    if (GST_GLES_FRAME_SAMPLES_IS_STEP (state[more + s], n))
      found = 1u << s;
  }
  return found;
}

/* Moves the samples of a block by @by where something else is seen, and by @by to the pixels at
 * most where they are background. */
void
follow_light (uint column, uint y, bool brighter, uint by)
{
  for (uint x = column; x < min (column + uint (GST_GLES_FRAME_SAMPLES_BLOCK), samples.width);
       x++) {
    uvec2 place = uvec2 (x, y);
    bool follows = is_background (place);
    uint value = read_byte (uint (GST_GLES_FRAME_SAMPLES_SMOOTH), place);
    /* what limits samples */
    uint end = follows ? value : brighter ? 255u : 0u;

    for (uint k = 0u; k < uint (GST_GLES_FRAME_SAMPLES_N); k++) {
      uint kept = read_byte (k, place);

      if (brighter && end > kept)
        write_sample (k, place, min (kept + by, end));
      else if (!brighter && end < kept)
        write_sample (k, place, kept - min (by, kept - end));
    }
  }
}

void
main ()
{
  uint all_counts = uint (GST_GLES_FRAME_SAMPLES_PLANES) * samples.plane_words;
  uint counts = all_counts + (samples.frame & 1u) * uint (GST_GLES_FRAME_SAMPLES_WORDS);
  uint next = all_counts + ((samples.frame + 1u) & 1u) * uint (GST_GLES_FRAME_SAMPLES_WORDS);
  uint darker = counts + uint (GST_GLES_FRAME_SAMPLES_DARKER);
  bool is_brighter = state[counts] > state[darker];
  uint last = uint (GST_GLES_FRAME_SAMPLES_STEPS) - 1u;
  uint light_rows = (samples.height + uint (GST_GLES_FRAME_SAMPLES_LIGHT_ROWS) - 1u) /
      uint (GST_GLES_FRAME_SAMPLES_LIGHT_ROWS);
  uint n_counted = samples.width * light_rows;
  bool begins = samples.frame == 0u ||
      GST_GLES_FRAME_SAMPLES_IS_OTHER (state[counts + uint (GST_GLES_FRAME_SAMPLES_MOVING)],
          samples.width * samples.height, state[counts + last] + state[darker + last], n_counted);
  uint learnt = begins ? 0u : state[counts + uint (GST_GLES_FRAME_SAMPLES_LEARNT)];
  bool learns = learnt < uint (GST_GLES_FRAME_SAMPLES_FRAMES);
  uint by =
      find_step (is_brighter ? counts : darker, is_brighter ? darker : counts, n_counted);
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);
  uint row_blocks = (samples.width + uint (GST_GLES_FRAME_SAMPLES_BLOCK) - 1u) /
      uint (GST_GLES_FRAME_SAMPLES_BLOCK);

  if (gl_GlobalInvocationID.x < uint (GST_GLES_FRAME_SAMPLES_COUNTS))
    state[next + gl_GlobalInvocationID.x] = 0u;
  if (gl_GlobalInvocationID.x == 0u)
    state[next + uint (GST_GLES_FRAME_SAMPLES_LEARNT)] = learns ? learnt + 1u : learnt;
  for (uint i = gl_GlobalInvocationID.x; i < samples.n; i += step) {
    uint y = i / row_blocks;
    uint column = (i - y * row_blocks) * uint (GST_GLES_FRAME_SAMPLES_BLOCK);

    if (learns) {
      learn (column, y, learnt);
    } else {
      replace (column, y);
      if (by > 0u)
        follow_light (column, y, is_brighter, by);
    }
  }
}
