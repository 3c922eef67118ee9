// SPDX-License-Identifier: LGPL-2.1-or-later
/* The operations of expressions. Each has one result for all operands, which does not depend on
 * what GLSL leaves open: signs of remainders, division by zero, shifts by 32 and more. The
 * expression itself is written with these names (gst/gles/expression/glsl.c).
 *
 * Defines: DEGREES, LINEAR: whether the expression has that operation, which needs a table */

#include "expression/expression-layout.h"

#define operation_negate(a) int (0u - uint (a))
#define operation_complement(a) (~(a))
#define operation_is_zero(a) int ((a) == 0)
#define operation_magnitude(a) ((a) < 0 ? int (0u - uint (a)) : (a))
#define operation_add(a, b) int (uint (a) + uint (b))
#define operation_subtract(a, b) int (uint (a) - uint (b))
#define operation_multiply(a, b) int (uint (a) * uint (b))
#define operation_and(a, b) ((a) & (b))
#define operation_or(a, b) ((a) | (b))
#define operation_xor(a, b) ((a) ^ (b))
#define operation_shift_left(a, b) int (uint (a) << (uint (b) & 31u))
#define operation_shift_right(a, b) ((a) >> (uint (b) & 31u))
#define operation_less(a, b) int ((a) < (b))
#define operation_less_or_equal(a, b) int ((a) <= (b))
#define operation_equal(a, b) int ((a) == (b))
#define operation_different(a, b) int ((a) != (b))
#define operation_least(a, b) min (a, b)
#define operation_most(a, b) max (a, b)
#define operation_choose(a, b, c) ((a) != 0 ? (b) : (c))

uint
magnitude_of (int a)
{
  return a < 0 ? 0u - uint (a) : uint (a);
}

int
operation_divide (int a, int b)
{
  uint quotient = b != 0 ? magnitude_of (a) / magnitude_of (b) : 0u;

  return int ((a < 0) != (b < 0) ? 0u - quotient : quotient);
}

int
operation_remainder (int a, int b)
{
  uint rest = b != 0 ? magnitude_of (a) % magnitude_of (b) : 0u;

  return int (a < 0 ? 0u - rest : rest);
}

/* Of a number without a sign. The root of a float, rounded, is the whole root or one more. */
int
operation_square_root (int a)
{
  uint root = min (uint (sqrt (float (uint (a))) + 0.5), 65535u);

  return int (root * root > uint (a) ? root - 1u : root);
}

#if LINEAR
const uint light[256] = uint[256] (GST_GLES_LIGHT);

int
operation_linear (int a)
{
  return int (light[clamp (a, 0, 255)]);
}
#endif

#if DEGREES
const uint tangents[GST_GLES_N_TANGENTS] = uint[GST_GLES_N_TANGENTS] (GST_GLES_TANGENTS);

/* Whether the tangent of so many degrees is at most p / q: products need more than 32 bits. */
bool
is_below (int degrees, uint p, uint q)
{
  uint high, low;

  umulExtended (q, tangents[degrees], high, low);
  return high < p >> 1 || (high == p >> 1 && low <= p << 31);
}

/* The largest whole angle whose tangent is at most p / q, where p is at most q. Without a loop,
 * because llvmpipe limits the rounds of an invocation. */
int
angle_of (uint p, uint q)
{
  int degrees = is_below (32, p, q) ? 32 : 0;

  degrees += is_below (min (degrees + 16, 45), p, q) ? min (16, 45 - degrees) : 0;
  degrees += is_below (min (degrees + 8, 45), p, q) ? min (8, 45 - degrees) : 0;
  degrees += is_below (min (degrees + 4, 45), p, q) ? min (4, 45 - degrees) : 0;
  degrees += is_below (min (degrees + 2, 45), p, q) ? min (2, 45 - degrees) : 0;
  degrees += is_below (min (degrees + 1, 45), p, q) ? min (1, 45 - degrees) : 0;
  return degrees;
}

int
operation_degrees (int u, int v)
{
  uint a = magnitude_of (u), b = magnitude_of (v);
  int base = v < 0 && u <= 0 ? 0 : v >= 0 && u < 0 ? 90 : v > 0 ? 180 : 270;
  uint p = base % 180 == 0 ? a : b;
  uint q = base % 180 == 0 ? b : a;
  int angle = angle_of (min (p, q), max (p, q));

  if (u == 0 && v == 0)
    return 180;
  return base + (p <= q ? angle : 89 - angle);
}
#endif
