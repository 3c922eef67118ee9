// SPDX-License-Identifier: LGPL-2.1-or-later
/* The parameters of all components_ kernels except components_count and components_list.
 *
 * Defines: TEXELS: defined: llvmpipe, which loads a parameter lane by lane wherever it is used,
 *   unless it is in a variable. main() calls begin_pass() first. */
#include "components/components.glsl"

#ifdef TEXELS

layout (std140, binding = 0) uniform Params
{
  GstGlesComponentsPass params_block;
};

GstGlesComponentsPass params;

void
begin_pass ()
{
  params = params_block;
}

/* Returns word @at of a buffer of words. */
uint
texel_word (highp usamplerBuffer words, uint at)
{
  return texelFetch (words, int (at / 4u))[at % 4u];
}

#else

layout (std140, binding = 0) uniform Params
{
  GstGlesComponentsPass params;
};

void
begin_pass ()
{
}

#endif
