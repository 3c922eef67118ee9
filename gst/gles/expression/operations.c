/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What an operation gives does not depend on the rules of C or GLSL: sums and products wrap because
 * they are calculated without signs, quotients are made of magnitudes, and shifts take their count
 * modulo 32. */
#include <gst/gles/expression/operations.h>

#include <glsl/expression/expression-layout.h>

static const guint32 tangents[GST_GLES_N_TANGENTS] = { GST_GLES_TANGENTS };

const guint16 gst_gles_light[256] = { GST_GLES_LIGHT };

static const struct {
  const gchar *name;
  guint arity;
  gboolean commutes;
} operations[] = {
#define ROW(NAME, name, arity, commutes) { #name, arity, commutes },
  GST_GLES_OPERATIONS (ROW)
#undef ROW
};

const gchar *
gst_gles_operation_get_name (GstGlesOperation operation)
{
  g_return_val_if_fail (operation < GST_GLES_N_OPERATIONS, NULL);
  return operations[operation].name;
}

guint
gst_gles_operation_get_arity (GstGlesOperation operation)
{
  return operation < GST_GLES_N_OPERATIONS ? operations[operation].arity : 0;
}

gboolean
gst_gles_operation_commutes (GstGlesOperation operation)
{
  return operation < GST_GLES_N_OPERATIONS && operations[operation].commutes;
}

static guint32
magnitude (gint32 a)
{
  return a < 0 ? -(guint32) a : (guint32) a;
}

/* Truncates; by 0 it gives 0. */
static gint32
divide (gint32 a, gint32 b)
{
  const guint32 quotient = b != 0 ? magnitude (a) / magnitude (b) : 0;

  return (gint32) ((a < 0) != (b < 0) ? -quotient : quotient);
}

/* Has the sign of @a; by 0 it gives 0. */
static gint32
remainder_of (gint32 a, gint32 b)
{
  const guint32 rest = b != 0 ? magnitude (a) % magnitude (b) : 0;

  return (gint32) (a < 0 ? -rest : rest);
}

/* Of a number without a sign. */
static gint32
square_root (guint32 a)
{
  guint32 root = 0;

  for (guint32 bit = 1u << 15; bit != 0; bit >>= 1) {
    const guint32 next = root | bit;

    if (next * next <= a)
      root = next;
  }
  return (gint32) root;
}

/* Returns the largest whole angle whose tangent is at most @p / @q, where @p is at most @q. */
static gint32
angle (guint32 p, guint32 q)
{
  gint32 degrees = 0;

  for (gint32 step = 32; step > 0; step /= 2) {
    const gint32 next = degrees + step;

    if (next < GST_GLES_N_TANGENTS && (guint64) q * tangents[next] <= (guint64) p << 31)
      degrees = next;
  }
  return degrees;
}

static gint32
degrees_of (gint32 u, gint32 v)
{
  const guint32 a = magnitude (u), b = magnitude (v);
  gint32 base;
  guint32 p, q;

  if (u == 0 && v == 0)
    return 180;
  /* the quarter of (-v, -u), and the legs of its triangle */
  base = v < 0 && u <= 0 ? 0 : v >= 0 && u < 0 ? 90 : v > 0 ? 180 : 270;
  p = base % 180 == 0 ? a : b;
  q = base % 180 == 0 ? b : a;
  return base + (p <= q ? angle (p, q) : 89 - angle (q, p));
}

gint32
gst_gles_operation_apply (GstGlesOperation operation, gint32 a, gint32 b, gint32 c)
{
  const guint32 ua = (guint32) a, ub = (guint32) b;

  switch (operation) {
    case GST_GLES_OPERATION_NEGATE:
      return (gint32) -ua;
    case GST_GLES_OPERATION_COMPLEMENT:
      return ~a;
    case GST_GLES_OPERATION_IS_ZERO:
      return a == 0;
    case GST_GLES_OPERATION_MAGNITUDE:
      return (gint32) magnitude (a);
    case GST_GLES_OPERATION_SQUARE_ROOT:
      return square_root (ua);
    case GST_GLES_OPERATION_LINEAR:
      return gst_gles_light[CLAMP (a, 0, 255)];
    case GST_GLES_OPERATION_ADD:
      return (gint32) (ua + ub);
    case GST_GLES_OPERATION_SUBTRACT:
      return (gint32) (ua - ub);
    case GST_GLES_OPERATION_MULTIPLY:
      return (gint32) (ua * ub);
    case GST_GLES_OPERATION_DIVIDE:
      return divide (a, b);
    case GST_GLES_OPERATION_REMAINDER:
      return remainder_of (a, b);
    case GST_GLES_OPERATION_AND:
      return a & b;
    case GST_GLES_OPERATION_OR:
      return a | b;
    case GST_GLES_OPERATION_XOR:
      return a ^ b;
    case GST_GLES_OPERATION_SHIFT_LEFT:
      return (gint32) (ua << (ub & 31));
    case GST_GLES_OPERATION_SHIFT_RIGHT:
      return (gint32) (a < 0 ? ~(~ua >> (ub & 31)) : ua >> (ub & 31));
    case GST_GLES_OPERATION_LESS:
      return a < b;
    case GST_GLES_OPERATION_LESS_OR_EQUAL:
      return a <= b;
    case GST_GLES_OPERATION_EQUAL:
      return a == b;
    case GST_GLES_OPERATION_DIFFERENT:
      return a != b;
    case GST_GLES_OPERATION_LEAST:
      return MIN (a, b);
    case GST_GLES_OPERATION_MOST:
      return MAX (a, b);
    case GST_GLES_OPERATION_DEGREES:
      return degrees_of (a, b);
    case GST_GLES_OPERATION_CHOOSE:
      return a != 0 ? b : c;
    default:
      g_return_val_if_reached (0);
  }
}
