// SPDX-License-Identifier: LGPL-2.1-or-later
/* Calculates an expression for each place of up to three arrays.
 *
 * Defines: LOCAL_SIZE_X; ARRAYS, how many; TYPE_A, TYPE_B, TYPE_C: bytes of their values, 1, 2
 * or 4;
 *   DEGREES, LINEAR: see expression/expression_operations.glsl
 * Bindings: uniform 0: Params; storage 0: receives a word for each place; storage 1 and on: the
 * arrays Grid: x workgroups, any number */
#include "expression/expression_operations.glsl"

layout (std140, binding = 0) uniform Params
{
  GstGlesMapPass pass;
  ivec4 parameters[4];
};

layout (std430, binding = 0) writeonly buffer Output
{
  int values[];
};

layout (std430, binding = 1) readonly buffer ArrayA
{
  uint array_a[];
};

#if ARRAYS > 1
layout (std430, binding = 2) readonly buffer ArrayB
{
  uint array_b[];
};
#endif

#if ARRAYS > 2
layout (std430, binding = 3) readonly buffer ArrayC
{
  uint array_c[];
};
#endif

#define BYTE_OF(word, i) int (((word) >> (((i) & 3u) << 3)) & 0xffu)
#define HALF_OF(word, i) int (((word) >> (((i) & 1u) << 4)) & 0xffffu)

#if TYPE_A == 1
#define load_a(i) BYTE_OF (array_a[(i) >> 2], i)
#elif TYPE_A == 2
#define load_a(i) HALF_OF (array_a[(i) >> 1], i)
#else
#define load_a(i) int (array_a[i])
#endif

#if TYPE_B == 1
#define load_b(i) BYTE_OF (array_b[(i) >> 2], i)
#elif TYPE_B == 2
#define load_b(i) HALF_OF (array_b[(i) >> 1], i)
#else
#define load_b(i) int (array_b[i])
#endif

#if TYPE_C == 1
#define load_c(i) BYTE_OF (array_c[(i) >> 2], i)
#elif TYPE_C == 2
#define load_c(i) HALF_OF (array_c[(i) >> 1], i)
#else
#define load_c(i) int (array_c[i])
#endif

/* int expression (...) and int value_at (uint i) */
#include "generated.glsl"

void
main ()
{
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);

  for (uint i = gl_GlobalInvocationID.x; i < pass.n; i += step)
    values[i] = value_at (i);
}
