// SPDX-License-Identifier: LGPL-2.1-or-later
/* The parameters of all components_ kernels except components_count and components_list. */
#include "components/components.glsl"

layout (std140, binding = 0) uniform Params
{
  GstGlesComponentsPass params;
};
