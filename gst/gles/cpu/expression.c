/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results lie in blocks that are used again when nobody needs what is in them, so that a long
 * expression stays in the first-level cache too. */
#include <gst/gles/cpu/expression.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gst/gles/cpu/newer.h>

#define BLOCK GST_GLES_CPU_EXPRESSION_BLOCK
#define LANES 8

typedef gint32 Numbers __attribute__ ((vector_size (4 * LANES)));
typedef guint32 Words __attribute__ ((vector_size (4 * LANES)));
typedef gint32 Half __attribute__ ((vector_size (16)));
typedef gdouble Doubles __attribute__ ((vector_size (32)));

/* Operands and results are places: the inputs, then blocks of the scratch. */
typedef struct {
  GstGlesOperation operation;
  guint operands[3];
  guint result;
} Step;

struct _GstGlesCpuExpression {
  guint n_inputs, n_places;
  guint n_constants; /* in the first blocks of the scratch */
  gint32 *constants;
  Step *steps;
  guint n_steps;
  guint result;
};

/* ---- preparing ---- */

/* For each node the last one that uses it. */
static guint *
find_last_uses (const GstGlesNode *nodes, guint n, guint result)
{
  guint *last = g_new0 (guint, n);

  for (guint i = 0; i < n; i++) {
    for (guint k = 0; k < gst_gles_operation_get_arity (nodes[i].operation); k++)
      last[nodes[i].operands[k]] = i;
  }
  last[result] = G_MAXUINT;
  return last;
}

/* Returns a place for a result: one of @used, whose entries are the last use, or a new one. */
static guint
take_place (GArray *used, guint step, guint last_use)
{
  guint i = 0;

  while (i < used->len && g_array_index (used, guint, i) >= step)
    i++;
  if (i == used->len)
    g_array_append_val (used, last_use);
  g_array_index (used, guint, i) = last_use;
  return i;
}

static void
prepare_constants (
    GstGlesCpuExpression *expression, const GstGlesNode *nodes, guint n, guint *places)
{
  expression->constants = g_new (gint32, n);
  for (guint i = 0; i < n; i++) {
    if (nodes[i].operation != GST_GLES_OPERATION_CONSTANT)
      continue;
    places[i] = expression->n_inputs + expression->n_constants;
    expression->constants[expression->n_constants++] = nodes[i].constant;
  }
}

GstGlesCpuExpression *
gst_gles_cpu_expression_new (const GstGlesGraph *graph, guint result)
{
  GstGlesCpuExpression *expression = g_new0 (GstGlesCpuExpression, 1);
  guint n;
  const GstGlesNode *nodes = gst_gles_graph_get_nodes (graph, &n);
  g_autofree guint *places = g_new0 (guint, n);
  g_autofree guint *last = find_last_uses (nodes, n, result);
  g_autoptr (GArray) used = g_array_new (FALSE, FALSE, sizeof (guint));

  gst_gles_graph_get_leaves (graph, &expression->n_inputs);
  prepare_constants (expression, nodes, n, places);
  expression->steps = g_new0 (Step, n);
  for (guint i = 0; i < n; i++) {
    Step *step = &expression->steps[expression->n_steps];

    if (nodes[i].operation == GST_GLES_OPERATION_LEAF)
      places[i] = nodes[i].operands[0];
    if (nodes[i].operation >= GST_GLES_N_OPERATIONS)
      continue;
    step->operation = nodes[i].operation;
    for (guint k = 0; k < 3; k++)
      step->operands[k] = places[nodes[i].operands[k]];
    places[i] = step->result =
        expression->n_inputs + expression->n_constants + take_place (used, i, last[i]);
    expression->n_steps++;
  }
  expression->n_places = expression->n_inputs + expression->n_constants + used->len;
  expression->result = places[result];
  return expression;
}

void
gst_gles_cpu_expression_free (GstGlesCpuExpression *expression)
{
  if (expression == NULL)
    return;
  g_free (expression->constants);
  g_free (expression->steps);
  g_free (expression);
}

gint32 *
gst_gles_cpu_expression_new_scratch (const GstGlesCpuExpression *expression)
{
  const guint n_blocks = MAX (expression->n_places - expression->n_inputs, 1);
  gint32 *scratch = aligned_alloc (64, (gsize) n_blocks * BLOCK * sizeof (gint32));

  for (guint i = 0; i < expression->n_constants && scratch != NULL; i++) {
    for (guint k = 0; k < BLOCK; k++)
      scratch[i * BLOCK + k] = expression->constants[i];
  }
  return scratch;
}

/* ---- operations on a block ---- */

/* A result where @mask is set, and another elsewhere. */
#define SELECT(mask, yes, no) (((yes) & (mask)) | ((no) & ~(mask)))

/* Vectors are passed by address: how they would be passed by value depends on the processor that a
 * function is compiled for. */

/* Quotients of 32-bit numbers are exact in doubles, which have 53 bits, and so are their whole
 * parts: one that is no whole number is farther from it than the rounding. */
G_ALWAYS_INLINE static inline void
divide_half (const Half *a, const Half *b, Half *quotients)
{
  typedef guint32 Whole __attribute__ ((vector_size (16)));
  const Half one = { 1, 1, 1, 1 }, by_zero = *b == 0, by_minus_one = *b == -1;
  const Half safe = SELECT (by_zero | by_minus_one, one, *b);
  const Doubles exact =
      __builtin_convertvector(*a, Doubles) / __builtin_convertvector(safe, Doubles);

  *quotients =
      SELECT (by_minus_one, (Half) (-(Whole) *a), __builtin_convertvector(exact, Half)) & ~by_zero;
}

G_ALWAYS_INLINE static inline void
divide (const Numbers *a, const Numbers *b, Numbers *quotients)
{
  for (guint i = 0; i < 2; i++)
    divide_half ((const Half *) a + i, (const Half *) b + i, (Half *) quotients + i);
}

G_ALWAYS_INLINE static inline void
find_remainders (const Numbers *a, const Numbers *b, Numbers *remainders)
{
  const Numbers by_zero = *b == 0;
  Numbers quotients;

  divide (a, b, &quotients);
  *remainders = (Numbers) ((Words) *a - (Words) quotients * (Words) *b) & ~by_zero;
}

/* The root of a number of 32 bits is exact in a double up to the whole part. */
G_ALWAYS_INLINE static inline void
find_roots (const Numbers *a, Numbers *roots)
{
  for (guint i = 0; i < LANES; i++)
    (*roots)[i] = (gint32) sqrt ((gdouble) (guint32) (*a)[i]);
}

G_ALWAYS_INLINE static inline void
find_degrees (const Numbers *u, const Numbers *v, Numbers *degrees)
{
  for (guint i = 0; i < LANES; i++)
    (*degrees)[i] = gst_gles_operation_apply (GST_GLES_OPERATION_DEGREES, (*u)[i], (*v)[i], 0);
}

/* Case of an operation whose result is @value of the vectors a, b and c. */
#define CASE(name, value)                                                                          \
  case GST_GLES_OPERATION_##name:                                                                  \
    for (guint i = 0; i < BLOCK / LANES; i++) {                                                    \
      const Numbers a = as[i], b = bs[i], c = cs[i];                                               \
                                                                                                   \
      (void) a;                                                                                    \
      (void) b;                                                                                    \
      (void) c;                                                                                    \
      to[i] = (Numbers) (value);                                                                   \
    }                                                                                              \
    break;

/* Of one that a function stores. */
#define CASE_OF_CALL(name, call)                                                                   \
  case GST_GLES_OPERATION_##name:                                                                  \
    for (guint i = 0; i < BLOCK / LANES; i++)                                                      \
      call;                                                                                        \
    break;

G_ALWAYS_INLINE static inline void
run_step (GstGlesOperation operation, const Numbers *as, const Numbers *bs, const Numbers *cs,
    Numbers *to)
{
  switch (operation) {
    CASE (NEGATE, -(Words) a)
    CASE (COMPLEMENT, ~a)
    CASE (IS_ZERO, (a == 0) & 1)
    CASE (MAGNITUDE, ((Words) a ^ (Words) (a >> 31)) - (Words) (a >> 31))
    CASE_OF_CALL (SQUARE_ROOT, find_roots (&as[i], &to[i]))
    CASE (ADD, (Words) a + (Words) b)
    CASE (SUBTRACT, (Words) a - (Words) b)
    CASE (MULTIPLY, (Words) a * (Words) b)
    CASE_OF_CALL (DIVIDE, divide (&as[i], &bs[i], &to[i]))
    CASE_OF_CALL (REMAINDER, find_remainders (&as[i], &bs[i], &to[i]))
    CASE (AND, a & b)
    CASE (OR, a | b)
    CASE (XOR, a ^ b)
    CASE (SHIFT_LEFT, (Words) a << ((Words) b & 31))
    CASE (SHIFT_RIGHT, a >> (b & 31))
    CASE (LESS, (a < b) & 1)
    CASE (LESS_OR_EQUAL, (a <= b) & 1)
    CASE (EQUAL, (a == b) & 1)
    CASE (DIFFERENT, (a != b) & 1)
    CASE (LEAST, SELECT (a < b, a, b))
    CASE (MOST, SELECT (a > b, a, b))
    CASE_OF_CALL (DEGREES, find_degrees (&as[i], &bs[i], &to[i]))
    CASE (CHOOSE, SELECT (a != 0, b, c))
    default:
      g_assert_not_reached ();
  }
}

G_ALWAYS_INLINE static inline void
run_steps (const GstGlesCpuExpression *expression, gint32 *const *places)
{
  for (guint i = 0; i < expression->n_steps; i++) {
    const Step *step = &expression->steps[i];

    run_step (step->operation, (const Numbers *) (gpointer) places[step->operands[0]],
        (const Numbers *) (gpointer) places[step->operands[1]],
        (const Numbers *) (gpointer) places[step->operands[2]],
        (Numbers *) (gpointer) places[step->result]);
  }
}

static void
run_plain (const GstGlesCpuExpression *expression, gint32 *const *places)
{
  run_steps (expression, places);
}

GST_GLES_CPU_NEWER static void
run_newer (const GstGlesCpuExpression *expression, gint32 *const *places)
{
  run_steps (expression, places);
}

const gint32 *
gst_gles_cpu_expression_run (
    const GstGlesCpuExpression *expression, const gint32 *const *inputs, gint32 *scratch)
{
  gint32 *places[GST_GLES_GRAPH_MAX_NODES];

  for (guint i = 0; i < expression->n_places; i++)
    places[i] = i < expression->n_inputs ? (gint32 *) inputs[i]
                                         : scratch + (gsize) (i - expression->n_inputs) * BLOCK;
  if (gst_gles_cpu_is_newer ())
    run_newer (expression, places);
  else
    run_plain (expression, places);
  return places[expression->result];
}
