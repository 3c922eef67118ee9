// SPDX-License-Identifier: LGPL-2.1-or-later
/* Smooths a picture, and finds how far each pixel is from the second nearest of its samples: 0
 * where that is less than the radius. Four pixels are a word.
 *
 * Defines:
 *   BYTES, LUMA (frame/pixels.glsl)
 *   LOCAL_SIZE_X
 * Bindings: uniform 0: Params; storage 0: the picture; storage 1: the state, whose planes of the
 *   smoothed picture and of values are written, and which has the counts of the frame
 * Grid: x workgroups, any number; each takes every x-th block of LOCAL_SIZE_X words. */
#include "frame/frame-samples-layout.h"
#include "lib/barrier.glsl"

layout (std140, binding = 0) uniform Params
{
  GstGlesFrameSamplesPass samples;
  GstGlesComponent components[3];
};

layout (std430, binding = 0) readonly buffer Image
{
  uint image[];
};

layout (std430, binding = 1) buffer State
{
  uint state[];
};

#define PIXELS samples
#include "frame/pixels.glsl"

/* The means of the bytes of two words, rounded up. */
uint
mean_of (uint a, uint b)
{
  return (a | b) - (((a ^ b) >> 1) & 0x7f7f7f7fu);
}

/* Smooths a row: the mean of each pixel and of the mean of its neighbours. */
uint
smooth_row (uint x, uint y)
{
  uint word = load_pixels (x, y);
  uint first = x > 0u ? load_pixels (x - 4u, y) >> 24 : word & 255u;
  uint last = x + 4u < samples.width ? load_pixels (x + 4u, y) & 255u : word >> 24;

  return mean_of (mean_of ((word << 8) | first, (word >> 8) | (last << 24)), word);
}

uvec4
bytes_of (uint word)
{
  return uvec4 (word & 255u, (word >> 8) & 255u, (word >> 16) & 255u, word >> 24);
}

uint
word_of (uvec4 bytes)
{
  return bytes.x | (bytes.y << 8) | (bytes.z << 16) | (bytes.w << 24);
}

shared uint totals[GST_GLES_FRAME_SAMPLES_COUNTS];

/* Of the pixels of one invocation. */
uint counts[GST_GLES_FRAME_SAMPLES_COUNTS];

uint
sum_of (uvec4 v)
{
  return v.x + v.y + v.z + v.w;
}

/* Counts the pixels of word @i, as far as they are @inside of the picture, that differ from their
 * first sample. */
void
count_light (uint i, uvec4 smoothed, uvec4 inside)
{
  uvec4 kept = bytes_of (state[i]), higher = max (smoothed, kept);

  for (uint s = 0u; s < uint (GST_GLES_FRAME_SAMPLES_STEPS); s++) {
    uvec4 step = uvec4 (1u << s);

    counts[s] += sum_of (uvec4 (greaterThanEqual (higher - kept, step)) * inside);
    counts[uint (GST_GLES_FRAME_SAMPLES_DARKER) + s] +=
        sum_of (uvec4 (greaterThanEqual (higher - smoothed, step)) * inside);
  }
}

void
compare (uint i)
{
  uint y = i / samples.row_words;
  uint x = (i - y * samples.row_words) * 4u;
  uvec4 least = uvec4 (255u), second = uvec4 (255u), smoothed, inside;
  uint word;

  if (x >= samples.width)
    return;
  if (samples.frame == 0u)
    second = uvec4 (0u);
  word = mean_of (
      mean_of (smooth_row (x, max (y, 1u) - 1u), smooth_row (x, min (y + 1u, samples.height - 1u))),
      smooth_row (x, y));
  smoothed = bytes_of (word);
  state[uint (GST_GLES_FRAME_SAMPLES_SMOOTH) * samples.plane_words + i] = word;
  for (uint k = 0u; k < uint (GST_GLES_FRAME_SAMPLES_N) && samples.frame > 0u; k++) {
    uvec4 kept = bytes_of (state[k * samples.plane_words + i]);
    uvec4 distance = max (kept, smoothed) - min (kept, smoothed);

    second = min (second, max (least, distance));
    least = min (least, distance);
    /* Most pixels are background, which their first samples show. */
    if (all (lessThan (second, uvec4 (samples.radius))))
      break;
  }
  second *= uvec4 (greaterThanEqual (second, uvec4 (samples.radius)));
  state[uint (GST_GLES_FRAME_SAMPLES_VALUES) * samples.plane_words + i] = word_of (second);
  inside = uvec4 (lessThan (uvec4 (x, x + 1u, x + 2u, x + 3u), uvec4 (samples.width)));
  counts[GST_GLES_FRAME_SAMPLES_MOVING] += sum_of (uvec4 (notEqual (second, uvec4 (0u))) * inside);
  if (samples.frame > 0u && y % uint (GST_GLES_FRAME_SAMPLES_LIGHT_ROWS) == 0u)
    count_light (i, smoothed, inside);
}

void
main ()
{
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);
  uint own = gl_LocalInvocationIndex;

  if (own < uint (GST_GLES_FRAME_SAMPLES_COUNTS))
    totals[own] = 0u;
  for (uint c = 0u; c < uint (GST_GLES_FRAME_SAMPLES_COUNTS); c++)
    counts[c] = 0u;
  workgroup_barrier ();
  for (uint i = gl_GlobalInvocationID.x; i < samples.n; i += step)
    compare (i);
  for (uint c = 0u; c < uint (GST_GLES_FRAME_SAMPLES_COUNTS); c++) {
    if (counts[c] > 0u)
      atomicAdd (totals[c], counts[c]);
  }
  workgroup_barrier ();
  if (own < uint (GST_GLES_FRAME_SAMPLES_COUNTS) && totals[own] > 0u)
    atomicAdd (state[uint (GST_GLES_FRAME_SAMPLES_PLANES) * samples.plane_words +
                   (samples.frame & 1u) * uint (GST_GLES_FRAME_SAMPLES_WORDS) + own],
        totals[own]);
}
