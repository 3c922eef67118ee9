/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What values an operation can have. A sum or product that may wrap can have any. */
#include <gst/gles/expression/graph-private.h>

typedef struct {
  gint64 least, most;
} Range;

static const Range all = { G_MININT32, G_MAXINT32 };

static Range
range_of (const GstGlesNode *node)
{
  return (Range){ node->least, node->most };
}

static Range
unless_it_wraps (gint64 least, gint64 most)
{
  return least < G_MININT32 || most > G_MAXINT32 ? all : (Range){ least, most };
}

static Range
product (Range a, Range b)
{
  const gint64 products[4] = { a.least * b.least, a.least * b.most, a.most * b.least,
    a.most * b.most };
  Range range = { products[0], products[0] };

  for (guint i = 1; i < 4; i++) {
    range.least = MIN (range.least, products[i]);
    range.most = MAX (range.most, products[i]);
  }
  return unless_it_wraps (range.least, range.most);
}

static gint64
largest_magnitude (Range a)
{
  return MAX (ABS (a.least), ABS (a.most));
}

static Range
quotient (Range a, Range b)
{
  const gint64 most = largest_magnitude (a);

  if (b.least == b.most && b.least > 0)
    return (Range){ a.least / b.least, a.most / b.least };
  if (a.least >= 0 && b.least >= 0)
    return (Range){ 0, most };
  return unless_it_wraps (-most, most);
}

static Range
rest (Range a, Range b)
{
  const gint64 most = MAX (largest_magnitude (b) - 1, 0);

  return (Range){ a.least < 0 ? MAX (-most, a.least) : 0, a.most > 0 ? MIN (most, a.most) : 0 };
}

/* The most value of as many bits as @a has, which is no less than 0. */
static gint64
all_bits (gint64 a)
{
  gint64 bits = 1;

  while (bits <= a)
    bits *= 2;
  return bits - 1;
}

static Range
bits_of (GstGlesOperation operation, Range a, Range b)
{
  if (operation == GST_GLES_OPERATION_AND) {
    if (a.least < 0 && b.least < 0)
      return all;
    return (Range){ 0, MIN (a.least < 0 ? G_MAXINT32 : a.most, b.least < 0 ? G_MAXINT32 : b.most) };
  }
  if (a.least < 0 || b.least < 0)
    return all;
  return (Range){ operation == GST_GLES_OPERATION_OR ? MAX (a.least, b.least) : 0,
    all_bits (MAX (a.most, b.most)) };
}

static Range
shift (GstGlesOperation operation, Range a, Range b)
{
  const guint count = (guint) b.least & 31;

  if (b.least != b.most)
    return operation == GST_GLES_OPERATION_SHIFT_LEFT
        ? all
        : (Range){ MIN (a.least, 0), MAX (a.most, 0) };
  if (operation == GST_GLES_OPERATION_SHIFT_LEFT)
    return product (a, (Range){ (gint64) 1 << count, (gint64) 1 << count });
  return (Range){ a.least < 0 ? ~(~a.least >> count) : a.least >> count,
    a.most < 0 ? ~(~a.most >> count) : a.most >> count };
}

static Range
truth (gboolean is_true, gboolean is_false)
{
  return (Range){ is_true ? 1 : 0, is_false ? 0 : 1 };
}

static Range
comparison (GstGlesOperation operation, Range a, Range b)
{
  switch (operation) {
    case GST_GLES_OPERATION_LESS:
      return truth (a.most < b.least, a.least >= b.most);
    case GST_GLES_OPERATION_LESS_OR_EQUAL:
      return truth (a.most <= b.least, a.least > b.most);
    case GST_GLES_OPERATION_DIFFERENT:
      return truth (a.most < b.least || b.most < a.least, FALSE);
    default:
      return truth (FALSE, a.most < b.least || b.most < a.least);
  }
}

static Range
of_one (GstGlesOperation operation, Range a)
{
  switch (operation) {
    case GST_GLES_OPERATION_NEGATE:
      return unless_it_wraps (-a.most, -a.least);
    case GST_GLES_OPERATION_COMPLEMENT:
      return (Range){ ~a.most, ~a.least };
    case GST_GLES_OPERATION_IS_ZERO:
      return truth (FALSE, a.least > 0 || a.most < 0);
    case GST_GLES_OPERATION_MAGNITUDE:
      return a.least == G_MININT32 ? all : (Range){ 0, largest_magnitude (a) };
    case GST_GLES_OPERATION_LINEAR: /* rises */
      return (Range){ gst_gles_operation_apply (operation, (gint32) a.least, 0, 0),
        gst_gles_operation_apply (operation, (gint32) a.most, 0, 0) };
    default: /* the square root, of a number without a sign */
      return (Range){ 0,
        a.least < 0
            ? 65535
            : gst_gles_operation_apply (GST_GLES_OPERATION_SQUARE_ROOT, (gint32) a.most, 0, 0) };
  }
}

static Range
of_two (GstGlesOperation operation, Range a, Range b)
{
  switch (operation) {
    case GST_GLES_OPERATION_ADD:
      return unless_it_wraps (a.least + b.least, a.most + b.most);
    case GST_GLES_OPERATION_SUBTRACT:
      return unless_it_wraps (a.least - b.most, a.most - b.least);
    case GST_GLES_OPERATION_MULTIPLY:
      return product (a, b);
    case GST_GLES_OPERATION_DIVIDE:
      return quotient (a, b);
    case GST_GLES_OPERATION_REMAINDER:
      return rest (a, b);
    case GST_GLES_OPERATION_AND:
    case GST_GLES_OPERATION_OR:
    case GST_GLES_OPERATION_XOR:
      return bits_of (operation, a, b);
    case GST_GLES_OPERATION_SHIFT_LEFT:
    case GST_GLES_OPERATION_SHIFT_RIGHT:
      return shift (operation, a, b);
    case GST_GLES_OPERATION_LEAST:
      return (Range){ MIN (a.least, b.least), MIN (a.most, b.most) };
    case GST_GLES_OPERATION_MOST:
      return (Range){ MAX (a.least, b.least), MAX (a.most, b.most) };
    case GST_GLES_OPERATION_DEGREES:
      return (Range){ 0, 359 };
    default:
      return comparison (operation, a, b);
  }
}

void
gst_gles_node_set_range (
    GstGlesNode *node, const GstGlesNode *a, const GstGlesNode *b, const GstGlesNode *c)
{
  const guint arity = gst_gles_operation_get_arity (node->operation);
  Range range;

  if (a->least == a->most && (arity < 2 || b->least == b->most) &&
      (arity < 3 || c->least == c->most)) {
    node->least = node->most =
        gst_gles_operation_apply (node->operation, a->least, b->least, c->least);
    return;
  }
  if (arity == 1)
    range = of_one (node->operation, range_of (a));
  else if (arity == 2)
    range = of_two (node->operation, range_of (a), range_of (b));
  else
    range = (Range){ MIN (b->least, c->least), MAX (b->most, c->most) };
  node->least = (gint32) range.least;
  node->most = (gint32) range.most;
}

gboolean
gst_gles_operation_is_neutral (GstGlesOperation operation, gint32 constant)
{
  switch (operation) {
    case GST_GLES_OPERATION_ADD:
    case GST_GLES_OPERATION_SUBTRACT:
    case GST_GLES_OPERATION_OR:
    case GST_GLES_OPERATION_XOR:
      return constant == 0;
    case GST_GLES_OPERATION_SHIFT_LEFT:
    case GST_GLES_OPERATION_SHIFT_RIGHT:
      return (constant & 31) == 0;
    case GST_GLES_OPERATION_MULTIPLY:
    case GST_GLES_OPERATION_DIVIDE:
      return constant == 1;
    case GST_GLES_OPERATION_AND:
      return constant == -1;
    default:
      return FALSE;
  }
}
