// SPDX-License-Identifier: LGPL-2.1-or-later
layout (std140, binding = 0) uniform Params
{
  uint n;
  uint factor;
  uint pad0;
  uint pad1;
}
params;
#include "lib/layout.h"
