/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The assignment of glestrack: against all assignments where these are few, by its potentials where
 * they are many, and by its symmetries. */
#include <glib.h>

#include "../../gst/elements/track/assignment.h"

typedef struct {
  guint n_rows, n_columns;
  gint64 *costs;
} Problem;

static Problem
problem_new (GRand *rand, guint n_rows, guint n_columns, gint64 most)
{
  Problem problem = { n_rows, n_columns, g_new (gint64, MAX (n_rows * n_columns, 1)) };

  for (guint i = 0; i < n_rows * n_columns; i++)
    problem.costs[i] = (gint64) (g_rand_double (rand) * (gdouble) most + 0.5);
  return problem;
}

/* The least sum of rows from @row on, without the columns of @taken. */
static gint64
try_all (const Problem *problem, guint row, guint taken)
{
  gint64 least = G_MAXINT64;

  if (row == problem->n_rows)
    return 0;
  for (guint c = 0; c < problem->n_columns; c++) {
    if ((taken & 1u << c) == 0)
      least = MIN (least,
          problem->costs[row * problem->n_columns + c] +
              try_all (problem, row + 1, taken | 1u << c));
  }
  return least;
}

/* Solves @problem, checks that the columns differ and that the potentials prove the sum, which is
 * returned. */
static gint64
solve (Assignment *assignment, const Problem *problem, guint *columns)
{
  const guint n = problem->n_columns;
  g_autofree gboolean *taken = g_new0 (gboolean, n + 1);
  gint64 sum = 0, dual = 0;

  assignment_solve (assignment, problem->costs, problem->n_rows, n, columns);
  for (guint r = 0; r < problem->n_rows; r++) {
    g_assert_cmpuint (columns[r], <, n);
    g_assert_false (taken[columns[r]]);
    taken[columns[r]] = TRUE;
    sum += problem->costs[r * n + columns[r]];
    dual += assignment->row_potentials[r];
    for (guint c = 0; c < n; c++)
      g_assert_cmpint (assignment->row_potentials[r] + assignment->column_potentials[c], <=,
          problem->costs[r * n + c]);
  }
  for (guint c = 0; c < n; c++) {
    dual += assignment->column_potentials[c];
    g_assert_cmpint (assignment->column_potentials[c], <=, 0);
    if (!taken[c])
      g_assert_cmpint (assignment->column_potentials[c], ==, 0);
  }
  /* no assignment has a sum below a feasible dual one */
  g_assert_cmpint (sum, ==, dual);
  return sum;
}

/* Every size up to 6 x 8, with few values (many ties) and with many. */
static void
test_small (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  Assignment assignment = { 0 };
  guint columns[8];

  for (guint i = 0; i < 1200; i++) {
    const guint n_rows = i % 7, n_columns = n_rows + i / 7 % 3;
    Problem problem = problem_new (rand, n_rows, n_columns, i % 2 == 0 ? 3 : ASSIGNMENT_MAX_COST);

    g_assert_cmpint (solve (&assignment, &problem, columns), ==, try_all (&problem, 0, 0));
    g_free (problem.costs);
  }
  assignment_clear (&assignment);
}

static void
test_large (void)
{
  static const struct {
    guint n_rows, n_columns;
    gint64 most;
  } sizes[] = { { 256, 256, ASSIGNMENT_MAX_COST }, { 256, 768, ASSIGNMENT_MAX_COST },
    { 256, 256, 1 }, { 255, 256, 0 }, { 1, 768, 5 }, { 97, 101, 1000 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  Assignment assignment = { 0 };
  guint columns[256];

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    Problem problem = problem_new (rand, sizes[i].n_rows, sizes[i].n_columns, sizes[i].most);

    solve (&assignment, &problem, columns);
    g_free (problem.costs);
  }
  assignment_clear (&assignment);
}

/* Rows whose best columns are the same ones: each new row changes all pairs before it. */
static void
test_worst_order (void)
{
  Assignment assignment = { 0 };
  Problem problem = { 256, 256, g_new (gint64, 256 * 256) };
  guint columns[256];

  for (guint i = 0; i < 256 * 256; i++)
    problem.costs[i] = (gint64) (i / 256 + 1) * (i % 256 + 1);
  solve (&assignment, &problem, columns);
  for (guint r = 0; r < 256; r++)
    g_assert_cmpuint (columns[r], ==, 255 - r);
  g_free (problem.costs);
  assignment_clear (&assignment);
}

/* A constant added to a row, and a factor of all, change no pair. */
static void
test_shifts (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  Assignment assignment = { 0 };
  Problem problem = problem_new (rand, 40, 50, 1 << 30);
  guint before[40], after[40];
  const gint64 sum = solve (&assignment, &problem, before);

  for (guint i = 0; i < 40 * 50; i++)
    problem.costs[i] = (problem.costs[i] + i / 50 * 1000) * 3;
  g_assert_cmpint (solve (&assignment, &problem, after), ==, (sum + 1000 * (39 * 40 / 2)) * 3);
  g_assert_cmpmem (after, sizeof after, before, sizeof before);
  g_free (problem.costs);
  assignment_clear (&assignment);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/assignment/small", test_small);
  g_test_add_func ("/assignment/large", test_large);
  g_test_add_func ("/assignment/worst-order", test_worst_order);
  g_test_add_func ("/assignment/shifts", test_shifts);
  return g_test_run ();
}
