/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where public headers find the structures that C and GLSL share. glsl/lib/layout.h itself is
 * installed in this place. */
#include <layout.h>
