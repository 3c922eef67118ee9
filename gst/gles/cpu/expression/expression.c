/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results lie in blocks that are used again when nobody needs what is in them, so that a long
 * expression stays in the first-level cache too. */
#include <gst/gles/cpu/expression/expression.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gst/gles/cpu/lib/newer.h>

#define BLOCK GST_GLES_CPU_EXPRESSION_BLOCK
#define LANES 8

/* Vectors that a loop takes at a time. */
#define GROUP 4

typedef gint32 Numbers __attribute__ ((vector_size (4 * LANES)));
typedef guint32 Words __attribute__ ((vector_size (4 * LANES)));
typedef gint32 Half __attribute__ ((vector_size (16)));
typedef gdouble Doubles __attribute__ ((vector_size (32)));
typedef gfloat Floats __attribute__ ((vector_size (4 * LANES)));

/* Operations that do the work of two, behind those of graphs. */
enum {
  MULTIPLY_ADD = GST_GLES_OPERATION_LEAF + 1, /* a * b + c */
  CLAMP,                                      /* min (max (a, b), c) */
  ADD_SHIFT,                                  /* a + b >> c */
  BETWEEN,                                    /* b <= a && a <= c */
  DIVIDE_SMALL,                               /* operands of up to 24 bits */
  REMAINDER_SMALL
};

/* Operands and results are places: the inputs, then constants and results. While steps are
 * prepared, operands are nodes. */
typedef struct {
  guint operation;
  guint arity;
  guint operands[3];
  guint result;
} Step;

struct _GstGlesCpuExpression {
  guint n_inputs, n_places;
  guint n_constants; /* a group each, in front of the results */
  gint32 *constants;
  Step *steps;
  guint n_steps;
  guint result;
};

/* Vectors. A constant has one group of them alone: its step is 0, and that of others GROUP. */
typedef struct {
  const Numbers *numbers;
  gsize step;
} Operand;

/* A step with the memory of a run. */
typedef struct {
  guint operation;
  Operand operands[3];
  Numbers *result;
} PlacedStep;

struct _GstGlesCpuExpressionRun {
  gint32 *memory; /* constants, then results */
  const gint32 *result;
  guint n_steps;
  PlacedStep steps[];
};

/* ---- preparing ---- */

/* What steps are prepared with: of each node how many use it, and the step that it is; of those
 * that have become a part of another step the arity is 0. */
typedef struct {
  const GstGlesNode *nodes;
  guint n;
  guint *n_uses;
  Step *steps;
} Plan;

static void
set_step (Step *step, guint operation, guint a, guint b, guint c)
{
  *step = (Step){ operation, 3, { a, b, c } };
}

/* Whether node @i is the operation and only one other uses it, whose part it can become. */
static gboolean
is_part (const Plan *plan, guint i, GstGlesOperation operation)
{
  return plan->nodes[i].operation == operation && plan->n_uses[i] == 1;
}

static gboolean
is_small (const GstGlesNode *node)
{
  return node->least > -(1 << 24) && node->most < 1 << 24;
}

/* (a <= most) & (least <= a) */
static gboolean
join_comparisons (Plan *plan, guint i, guint left, guint right)
{
  const guint *less = plan->nodes[left].operands, *more = plan->nodes[right].operands;

  if (!is_part (plan, left, GST_GLES_OPERATION_LESS_OR_EQUAL) ||
      !is_part (plan, right, GST_GLES_OPERATION_LESS_OR_EQUAL) || less[0] != more[1])
    return FALSE;
  set_step (&plan->steps[i], BETWEEN, less[0], more[0], less[1]);
  plan->steps[left].arity = plan->steps[right].arity = 0;
  return TRUE;
}

/* Makes @part, whose operands the step takes first, a part of step @i. */
static void
absorb (Plan *plan, guint i, guint operation, guint part, guint third)
{
  const guint *operands = plan->nodes[part].operands;

  set_step (&plan->steps[i], operation, operands[0], operands[1], third);
  plan->steps[part].arity = 0;
}

/* Joins the operation of node @i with those of its operands. */
static void
join (Plan *plan, guint i)
{
  const GstGlesNode *node = &plan->nodes[i];
  const guint a = node->operands[0], b = node->operands[1];

  switch (node->operation) {
    case GST_GLES_OPERATION_ADD:
      if (is_part (plan, a, GST_GLES_OPERATION_MULTIPLY))
        absorb (plan, i, MULTIPLY_ADD, a, b);
      else if (is_part (plan, b, GST_GLES_OPERATION_MULTIPLY))
        absorb (plan, i, MULTIPLY_ADD, b, a);
      break;
    case GST_GLES_OPERATION_LEAST:
      if (is_part (plan, a, GST_GLES_OPERATION_MOST))
        absorb (plan, i, CLAMP, a, b);
      break;
    case GST_GLES_OPERATION_SHIFT_RIGHT:
      if (is_part (plan, a, GST_GLES_OPERATION_ADD))
        absorb (plan, i, ADD_SHIFT, a, b);
      break;
    case GST_GLES_OPERATION_AND:
      if (!join_comparisons (plan, i, a, b))
        join_comparisons (plan, i, b, a);
      break;
    case GST_GLES_OPERATION_DIVIDE:
    case GST_GLES_OPERATION_REMAINDER:
      if (is_small (&plan->nodes[a]) && is_small (&plan->nodes[b]))
        plan->steps[i].operation =
            node->operation == GST_GLES_OPERATION_DIVIDE ? DIVIDE_SMALL : REMAINDER_SMALL;
      break;
    default:
      break;
  }
}

/* From the last node on, so that a step takes the longest it can. */
static void
make_steps (Plan *plan, guint result)
{
  for (guint i = 0; i < plan->n; i++) {
    const GstGlesNode *node = &plan->nodes[i];
    Step *step = &plan->steps[i];

    *step = (Step){ node->operation, gst_gles_operation_get_arity (node->operation) };
    memcpy (step->operands, node->operands, sizeof (step->operands));
    for (guint k = 0; k < step->arity; k++)
      plan->n_uses[node->operands[k]]++;
  }
  plan->n_uses[result]++;
  for (guint i = plan->n; i-- > 0;) {
    if (plan->steps[i].arity > 0)
      join (plan, i);
  }
}

/* For each node the last step that uses it. */
static guint *
find_last_uses (const Plan *plan, guint result)
{
  guint *last = g_new0 (guint, plan->n);

  for (guint i = 0; i < plan->n; i++) {
    for (guint k = 0; k < plan->steps[i].arity; k++)
      last[plan->steps[i].operands[k]] = i;
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
  Plan plan = { 0 };
  g_autofree guint *places = NULL, *last = NULL, *n_uses = NULL;
  g_autoptr (GArray) used = g_array_new (FALSE, FALSE, sizeof (guint));

  plan.nodes = gst_gles_graph_get_nodes (graph, &plan.n);
  plan.n_uses = n_uses = g_new0 (guint, plan.n);
  plan.steps = expression->steps = g_new0 (Step, plan.n);
  make_steps (&plan, result);
  places = g_new0 (guint, plan.n);
  last = find_last_uses (&plan, result);
  gst_gles_graph_get_leaves (graph, &expression->n_inputs);
  prepare_constants (expression, plan.nodes, plan.n, places);
  for (guint i = 0; i < plan.n; i++) {
    Step step = plan.steps[i];

    if (plan.nodes[i].operation == GST_GLES_OPERATION_LEAF)
      places[i] = plan.nodes[i].operands[0];
    /* a number alone is copied, to be a block */
    if (i == result && plan.nodes[i].operation == GST_GLES_OPERATION_CONSTANT)
      step = (Step){ GST_GLES_OPERATION_OR, 2, { i, i, i } };
    if (step.arity == 0)
      continue;
    for (guint k = 0; k < 3; k++)
      step.operands[k] = places[step.operands[MIN (k, step.arity - 1)]];
    places[i] = step.result =
        expression->n_inputs + expression->n_constants + take_place (used, i, last[i]);
    expression->steps[expression->n_steps++] = step;
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

/* Numbers of 24 bits are exact in floats, and so are the whole parts of their quotients. */
G_ALWAYS_INLINE static inline void
divide_small (const Numbers *a, const Numbers *b, Numbers *quotients)
{
  const Numbers by_zero = *b == 0;
  const Floats exact =
      __builtin_convertvector(*a, Floats) / __builtin_convertvector(*b - by_zero, Floats);

  *quotients = __builtin_convertvector(exact, Numbers) & ~by_zero;
}

G_ALWAYS_INLINE static inline void
find_small_remainders (const Numbers *a, const Numbers *b, Numbers *remainders)
{
  const Numbers by_zero = *b == 0;
  Numbers quotients;

  divide_small (a, b, &quotients);
  *remainders = (*a - quotients * *b) & ~by_zero;
}

/* The root of a number of 32 bits is exact in a double up to the whole part. */
G_ALWAYS_INLINE static inline void
find_roots (const Numbers *a, Numbers *roots)
{
  for (guint i = 0; i < LANES; i++)
    (*roots)[i] = (gint32) sqrt ((gdouble) (guint32) (*a)[i]);
}

/* Compilers find the instruction for this, and not for a selection by a mask. */
G_ALWAYS_INLINE static inline void
find_least (const Numbers *a, const Numbers *b, Numbers *least)
{
  const Numbers x = *a, y = *b;
  Numbers result;

  for (guint i = 0; i < LANES; i++)
    result[i] = x[i] < y[i] ? x[i] : y[i];
  *least = result;
}

G_ALWAYS_INLINE static inline void
find_most (const Numbers *a, const Numbers *b, Numbers *most)
{
  const Numbers x = *a, y = *b;
  Numbers result;

  for (guint i = 0; i < LANES; i++)
    result[i] = x[i] > y[i] ? x[i] : y[i];
  *most = result;
}

G_ALWAYS_INLINE static inline void
clamp (const Numbers *a, const Numbers *least, const Numbers *most, Numbers *clamped)
{
  Numbers raised;

  find_most (a, least, &raised);
  find_least (&raised, most, clamped);
}

G_ALWAYS_INLINE static inline void
find_degrees (const Numbers *u, const Numbers *v, Numbers *degrees)
{
  for (guint i = 0; i < LANES; i++)
    (*degrees)[i] = gst_gles_operation_apply (GST_GLES_OPERATION_DEGREES, (*u)[i], (*v)[i], 0);
}

G_ALWAYS_INLINE static inline void
find_light (const Numbers *a, Numbers *to)
{
  const Numbers least = { 0 }, most = least + 255;
  Numbers codes;

  clamp (a, &least, &most, &codes);
  for (guint i = 0; i < LANES; i++)
    (*to)[i] = gst_gles_light[codes[i]];
}

/* Case of an operation whose results, of vectors a[k], b[k] and c[k], @store writes to to[k]. */
#define CASE_OF_CALL(operation, store)                                                             \
  case operation:                                                                                  \
    for (guint i = 0; i < BLOCK / (GROUP * LANES); i++, to += GROUP) {                             \
      _Pragma ("GCC unroll 4") for (guint k = 0; k < GROUP; k++) store;                            \
      a += a_step;                                                                                 \
      b += b_step;                                                                                 \
      c += c_step;                                                                                 \
    }                                                                                              \
    break;
#define CASE_OF(operation, value) CASE_OF_CALL (operation, to[k] = (Numbers) (value))
#define CASE(name, value) CASE_OF (GST_GLES_OPERATION_##name, value)

G_ALWAYS_INLINE static inline void
run_step (const PlacedStep *step)
{
  const Numbers *a = step->operands[0].numbers, *b = step->operands[1].numbers,
                *c = step->operands[2].numbers;
  const gsize a_step = step->operands[0].step, b_step = step->operands[1].step,
              c_step = step->operands[2].step;
  Numbers *to = step->result;

  switch (step->operation) {
    CASE (NEGATE, -(Words) a[k])
    CASE (COMPLEMENT, ~a[k])
    CASE (IS_ZERO, (a[k] == 0) & 1)
    CASE (MAGNITUDE, ((Words) a[k] ^ (Words) (a[k] >> 31)) - (Words) (a[k] >> 31))
    CASE_OF_CALL (GST_GLES_OPERATION_SQUARE_ROOT, find_roots (&a[k], &to[k]))
    CASE_OF_CALL (GST_GLES_OPERATION_LINEAR, find_light (&a[k], &to[k]))
    CASE (ADD, (Words) a[k] + (Words) b[k])
    CASE (SUBTRACT, (Words) a[k] - (Words) b[k])
    CASE (MULTIPLY, (Words) a[k] * (Words) b[k])
    CASE_OF_CALL (GST_GLES_OPERATION_DIVIDE, divide (&a[k], &b[k], &to[k]))
    CASE_OF_CALL (GST_GLES_OPERATION_REMAINDER, find_remainders (&a[k], &b[k], &to[k]))
    CASE (AND, a[k] & b[k])
    CASE (OR, a[k] | b[k])
    CASE (XOR, a[k] ^ b[k])
    CASE (SHIFT_LEFT, (Words) a[k] << ((Words) b[k] & 31))
    CASE (SHIFT_RIGHT, a[k] >> (b[k] & 31))
    CASE (LESS, (a[k] < b[k]) & 1)
    CASE (LESS_OR_EQUAL, (a[k] <= b[k]) & 1)
    CASE (EQUAL, (a[k] == b[k]) & 1)
    CASE (DIFFERENT, (a[k] != b[k]) & 1)
    CASE_OF_CALL (GST_GLES_OPERATION_LEAST, find_least (&a[k], &b[k], &to[k]))
    CASE_OF_CALL (GST_GLES_OPERATION_MOST, find_most (&a[k], &b[k], &to[k]))
    CASE_OF_CALL (GST_GLES_OPERATION_DEGREES, find_degrees (&a[k], &b[k], &to[k]))
    CASE (CHOOSE, SELECT (a[k] != 0, b[k], c[k]))
    CASE_OF (MULTIPLY_ADD, (Words) a[k] * (Words) b[k] + (Words) c[k])
    CASE_OF_CALL (CLAMP, clamp (&a[k], &b[k], &c[k], &to[k]))
    CASE_OF (ADD_SHIFT, (Numbers) ((Words) a[k] + (Words) b[k]) >> (c[k] & 31))
    CASE_OF (BETWEEN, (a[k] >= b[k]) & (a[k] <= c[k]) & 1)
    CASE_OF_CALL (DIVIDE_SMALL, divide_small (&a[k], &b[k], &to[k]))
    CASE_OF_CALL (REMAINDER_SMALL, find_small_remainders (&a[k], &b[k], &to[k]))
    default:
      g_assert_not_reached ();
  }
}

G_ALWAYS_INLINE static inline void
run_steps (const GstGlesCpuExpressionRun *run)
{
  for (guint i = 0; i < run->n_steps; i++)
    run_step (&run->steps[i]);
}

static void
run_plain (const GstGlesCpuExpressionRun *run)
{
  run_steps (run);
}

GST_GLES_CPU_NEWER static void
run_newer (const GstGlesCpuExpressionRun *run)
{
  run_steps (run);
}

const gint32 *
gst_gles_cpu_expression_run (const GstGlesCpuExpressionRun *run)
{
  if (gst_gles_cpu_is_newer ())
    run_newer (run);
  else
    run_plain (run);
  return run->result;
}

/* ---- runs ---- */

/* Where places that are no inputs lie in the memory of a run. */
static gsize
offset_of (const GstGlesCpuExpression *expression, guint place)
{
  const guint at = place - expression->n_inputs, n = expression->n_constants;

  return at < n ? (gsize) at * GROUP * LANES : (gsize) n * GROUP * LANES + (gsize) (at - n) * BLOCK;
}

static Operand
find_place (const GstGlesCpuExpression *expression, const gint32 *const *inputs, gint32 *memory,
    guint place)
{
  const gboolean is_input = place < expression->n_inputs;
  const gboolean is_constant = !is_input && place - expression->n_inputs < expression->n_constants;
  const gint32 *numbers = is_input ? inputs[place] : memory + offset_of (expression, place);

  return (Operand){ (const Numbers *) (gconstpointer) numbers, is_constant ? 0 : GROUP };
}

GstGlesCpuExpressionRun *
gst_gles_cpu_expression_begin (const GstGlesCpuExpression *expression, const gint32 *const *inputs)
{
  const gsize n = offset_of (expression, expression->n_places);
  gint32 *memory = aligned_alloc (64, MAX (n, BLOCK) * sizeof (gint32));
  GstGlesCpuExpressionRun *run =
      g_try_malloc0 (sizeof (GstGlesCpuExpressionRun) + expression->n_steps * sizeof (PlacedStep));

  if (memory == NULL || run == NULL) {
    free (memory);
    g_free (run);
    return NULL;
  }
  for (guint i = 0; i < expression->n_constants; i++) {
    for (guint k = 0; k < GROUP * LANES; k++)
      memory[i * GROUP * LANES + k] = expression->constants[i];
  }
  run->memory = memory;
  run->n_steps = expression->n_steps;
  for (guint i = 0; i < run->n_steps; i++) {
    const Step *step = &expression->steps[i];

    run->steps[i].operation = step->operation;
    for (guint k = 0; k < 3; k++)
      run->steps[i].operands[k] = find_place (expression, inputs, memory, step->operands[k]);
    run->steps[i].result =
        (Numbers *) find_place (expression, inputs, memory, step->result).numbers;
  }
  run->result =
      (const gint32 *) find_place (expression, inputs, memory, expression->result).numbers;
  return run;
}

void
gst_gles_cpu_expression_end (GstGlesCpuExpressionRun *run)
{
  if (run == NULL)
    return;
  free (run->memory);
  g_free (run);
}
