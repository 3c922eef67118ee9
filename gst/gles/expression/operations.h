/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The operations that expressions are made of, on 32-bit numbers in two's complement. Each has one
 * result for all operands, in every back end; docs/expressions.md says which and why. */
#ifndef GST_GLES_EXPRESSION_OPERATIONS_H
#define GST_GLES_EXPRESSION_OPERATIONS_H

#include <gst/gles/core/prelude.h>

G_BEGIN_DECLS

/* X (NAME, number of operands, whether the first two may be exchanged) */
#define GST_GLES_OPERATIONS(X)                                                                     \
  X (NEGATE, 1, FALSE)                                                                             \
  X (COMPLEMENT, 1, FALSE)                                                                         \
  X (IS_ZERO, 1, FALSE)                                                                            \
  X (MAGNITUDE, 1, FALSE)                                                                          \
  X (SQUARE_ROOT, 1, FALSE)                                                                        \
  X (ADD, 2, TRUE)                                                                                 \
  X (SUBTRACT, 2, FALSE)                                                                           \
  X (MULTIPLY, 2, TRUE)                                                                            \
  X (DIVIDE, 2, FALSE)                                                                             \
  X (REMAINDER, 2, FALSE)                                                                          \
  X (AND, 2, TRUE)                                                                                 \
  X (OR, 2, TRUE)                                                                                  \
  X (XOR, 2, TRUE)                                                                                 \
  X (SHIFT_LEFT, 2, FALSE)                                                                         \
  X (SHIFT_RIGHT, 2, FALSE)                                                                        \
  X (LESS, 2, FALSE)                                                                               \
  X (LESS_OR_EQUAL, 2, FALSE)                                                                      \
  X (EQUAL, 2, TRUE)                                                                               \
  X (DIFFERENT, 2, TRUE)                                                                           \
  X (LEAST, 2, TRUE)                                                                               \
  X (MOST, 2, TRUE)                                                                                \
  X (DEGREES, 2, FALSE)                                                                            \
  X (CHOOSE, 3, FALSE)

typedef enum {
#define MEMBER(name, arity, commutes) GST_GLES_OPERATION_##name,
  GST_GLES_OPERATIONS (MEMBER)
#undef MEMBER
  GST_GLES_N_OPERATIONS,
  /* leaves of a graph */
  GST_GLES_OPERATION_CONSTANT = GST_GLES_N_OPERATIONS,
  GST_GLES_OPERATION_LEAF
} GstGlesOperation;

/* The number of operands, 0 for leaves. */
guint gst_gles_operation_get_arity (GstGlesOperation operation);
gboolean gst_gles_operation_commutes (GstGlesOperation operation);

/* Returns the result. Operands beyond the arity are ignored. DEGREES (u, v) is the angle of v to
 * the right and u upward, plus 180, in whole degrees from 0 to 359, rounded down; 180 for (0,
 * 0). Its operands are at most 2^15 from 0. */
gint32 gst_gles_operation_apply (GstGlesOperation operation, gint32 a, gint32 b, gint32 c);

G_END_DECLS

#endif
