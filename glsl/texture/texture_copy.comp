// SPDX-License-Identifier: LGPL-2.1-or-later
/* Copies a rectangle of a texture to a buffer, byte for byte as the texture's owner stored it: the
 * texels are normalised integers, which a float holds exactly enough to be recovered.
 *
 * Defines: LOCAL_SIZE_X; CHANNELS, of a texel in memory (1 to 4); SAMPLE_BYTES, of a channel (1 or
 *   2); SECOND, the component of a texel that is the second channel: 1, or 3 for luminance, alpha
 * Bindings: uniform 0: Params; texture 0: the texture; storage 0: receives the bytes
 * Grid: x: 16-byte units of a row / LOCAL_SIZE_X; y: rows
 *
 * The invocations of a workgroup read and write neighbouring words, so that their accesses are
 * served together. */
#include "texture/texture-layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesTextureCopy params;
};

layout (binding = 0) uniform highp sampler2D plane;

layout (std430, binding = 0) writeonly buffer Target
{
  uint target[];
};

/* Returns the channels of a texel in their order in memory, zero behind the row. */
vec4
fetch (uint x, uint y)
{
  vec4 texel = vec4 (0.0);

  if (x < params.width)
    texel = texelFetch (plane, ivec2 (params.x + x, params.y + y), 0);
#if SECOND == 3
  texel.y = texel.w;
#endif
  return texel;
}

/* Returns two neighbouring channels of a row, from an even one on. */
vec2
fetch_pair (uint pair, uint y)
{
#if CHANNELS == 1
  return vec2 (fetch (2u * pair, y).x, fetch (2u * pair + 1u, y).x);
#elif CHANNELS == 2
  return fetch (pair, y).xy;
#elif CHANNELS == 3
  return vec2 (fetch (2u * pair / 3u, y)[2u * pair % 3u],
      fetch ((2u * pair + 1u) / 3u, y)[(2u * pair + 1u) % 3u]);
#else
  vec4 texel = fetch (pair / 2u, y);

  return pair % 2u == 0u ? texel.xy : texel.zw;
#endif
}

uint
read_word (uint word, uint y)
{
#if SAMPLE_BYTES == 2
  return packUnorm2x16 (fetch_pair (word, y));
#elif CHANNELS == 4
  return packUnorm4x8 (fetch (word, y));
#else
  return packUnorm4x8 (vec4 (fetch_pair (2u * word, y), fetch_pair (2u * word + 1u, y)));
#endif
}

void
main ()
{
  const uint n_invocations = uint (LOCAL_SIZE_X);
  uint first = 4u * n_invocations * gl_WorkGroupID.x + gl_LocalInvocationIndex;
  uint y = gl_WorkGroupID.y;
  uint row = 4u * (params.first_unit + y * params.stride_units);

  uint words[4];

  /* all fetches come before the first store, so that they are in flight together */
  for (uint i = 0u; i < 4u; i++)
    words[i] = read_word (first + n_invocations * i, y);
  for (uint i = 0u; i < 4u; i++) {
    uint word = first + n_invocations * i;

    if (word < 4u * params.row_units)
      target[row + word] = words[i];
  }
}
