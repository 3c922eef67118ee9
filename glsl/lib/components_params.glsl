// SPDX-License-Identifier: LGPL-2.1-or-later
/* The parameters of a step from words or points to regions. */
#include "lib/components.glsl"

layout (std140, binding = 0) uniform Params
{
  GstGlesComponentsPass params;
};
