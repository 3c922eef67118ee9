// SPDX-License-Identifier: LGPL-2.1-or-later
/* Copies a rectangle of a texture to a buffer, byte for byte as the texture's owner stored it: the
 * texels are normalised integers, which a float holds exactly enough to be recovered.
 *
 * Defines: LOCAL_SIZE_X; CHANNELS, of a texel in memory (1 to 4); SAMPLE_BYTES, of a channel (1 or
 *   2); SECOND, the component of a texel that is the second channel: 1, or 3 for luminance, alpha
 * Bindings: uniform 0: Params; texture 0: the texture; storage 0: receives the bytes
 * Grid: x: 16-byte units of a row / LOCAL_SIZE_X; y: rows */
#include "lib/layout.h"

layout (std140, binding = 0) uniform Params
{
  GstGlesTextureCopy params;
};

layout (binding = 0) uniform highp sampler2D plane;

layout (std430, binding = 0) writeonly buffer Target
{
  uvec4 target[];
};

#define SAMPLES_PER_WORD (4 / SAMPLE_BYTES)
#define SAMPLE_MAX (SAMPLE_BYTES == 1 ? 255.0 : 65535.0)

/* Returns the texel's channels as integers, in their order in memory. */
uvec4
fetch (uint x, uint y)
{
  vec4 texel = texelFetch (plane, ivec2 (params.x + x, params.y + y), 0);

#if SECOND == 3
  texel.y = texel.w;
#endif
  return uvec4 (texel * SAMPLE_MAX + 0.5);
}

#if CHANNELS != 3 && CHANNELS <= SAMPLES_PER_WORD
/* The word consists of whole texels. */
uint
read_word (uint word, uint y)
{
  const uint n_texels = uint (SAMPLES_PER_WORD / CHANNELS);
  uint value = 0u;

  for (uint i = 0u; i < n_texels; i++) {
    uint x = word * n_texels + i;

    if (x < params.width) {
      uvec4 texel = fetch (x, y);

      for (uint k = 0u; k < uint (CHANNELS); k++)
        value |= texel[k] << (uint (8 * SAMPLE_BYTES) * (i * uint (CHANNELS) + k));
    }
  }
  return value;
}
#else
/* Texels straddle words. */
uint
read_word (uint word, uint y)
{
  uint value = 0u;

  for (uint i = 0u; i < uint (SAMPLES_PER_WORD); i++) {
    uint index = word * uint (SAMPLES_PER_WORD) + i;
    uint x = index / uint (CHANNELS);

    if (x < params.width)
      value |= fetch (x, y)[index % uint (CHANNELS)] << (uint (8 * SAMPLE_BYTES) * i);
  }
  return value;
}
#endif

void
main ()
{
  uint unit = gl_GlobalInvocationID.x;
  uint y = gl_WorkGroupID.y;
  uvec4 value;

  if (unit >= params.row_units)
    return;
  for (uint i = 0u; i < 4u; i++)
    value[i] = read_word (4u * unit + i, y);
  target[params.first_unit + y * params.stride_units + unit] = value;
}
