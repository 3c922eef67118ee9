/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The operations that expressions are made of, on 32-bit numbers in two's complement. Each has one
 * result for all operands, in every back end; docs/expressions.md says which and why. */
#ifndef GST_GLES_EXPRESSION_OPERATIONS_H
#define GST_GLES_EXPRESSION_OPERATIONS_H

#include <gst/gles/core/prelude.h>

G_BEGIN_DECLS

/* X (NAME, name, number of operands, whether the first two may be exchanged) */
#define GST_GLES_OPERATIONS(X)                                                                     \
  X (NEGATE, negate, 1, FALSE)                                                                     \
  X (COMPLEMENT, complement, 1, FALSE)                                                             \
  X (IS_ZERO, is_zero, 1, FALSE)                                                                   \
  X (MAGNITUDE, magnitude, 1, FALSE)                                                               \
  X (SQUARE_ROOT, square_root, 1, FALSE)                                                           \
  X (LINEAR, linear, 1, FALSE)                                                                     \
  X (ADD, add, 2, TRUE)                                                                            \
  X (SUBTRACT, subtract, 2, FALSE)                                                                 \
  X (MULTIPLY, multiply, 2, TRUE)                                                                  \
  X (DIVIDE, divide, 2, FALSE)                                                                     \
  X (REMAINDER, remainder, 2, FALSE)                                                               \
  X (AND, and, 2, TRUE)                                                                            \
  X (OR, or, 2, TRUE)                                                                              \
  X (XOR, xor, 2, TRUE)                                                                            \
  X (SHIFT_LEFT, shift_left, 2, FALSE)                                                             \
  X (SHIFT_RIGHT, shift_right, 2, FALSE)                                                           \
  X (LESS, less, 2, FALSE)                                                                         \
  X (LESS_OR_EQUAL, less_or_equal, 2, FALSE)                                                       \
  X (EQUAL, equal, 2, TRUE)                                                                        \
  X (DIFFERENT, different, 2, TRUE)                                                                \
  X (LEAST, least, 2, TRUE)                                                                        \
  X (MOST, most, 2, TRUE)                                                                          \
  X (DEGREES, degrees, 2, FALSE)                                                                   \
  X (CHOOSE, choose, 3, FALSE)

typedef enum {
#define MEMBER(NAME, name, arity, commutes) GST_GLES_OPERATION_##NAME,
  GST_GLES_OPERATIONS (MEMBER)
#undef MEMBER
  GST_GLES_N_OPERATIONS,
  /* leaves of a graph */
  GST_GLES_OPERATION_CONSTANT = GST_GLES_N_OPERATIONS,
  GST_GLES_OPERATION_LEAF
} GstGlesOperation;

/* The results of LINEAR. */
extern const guint16 gst_gles_light[256];

/* The name in small letters: (transfer none). */
const gchar *gst_gles_operation_get_name (GstGlesOperation operation);
/* The number of operands, 0 for leaves. */
guint gst_gles_operation_get_arity (GstGlesOperation operation);
gboolean gst_gles_operation_commutes (GstGlesOperation operation);

/* Returns the result. Operands beyond the arity are ignored. DEGREES (u, v) is the angle of v to
 * the right and u upward, plus 180, in whole degrees from 0 to 359, rounded down; 180 for (0,
 * 0). Its operands are at most 2^15 from 0. LINEAR is the light, 0 to 65535, of a code value of
 * sRGB with 8 bits; values outside are brought to 0 or 255 first. */
gint32 gst_gles_operation_apply (GstGlesOperation operation, gint32 a, gint32 b, gint32 c);

G_END_DECLS

#endif
