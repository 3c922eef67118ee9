/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The Hungarian algorithm with shortest augmenting paths (H. W. Kuhn, 1955; E. A. Dinic and M. A.
 * Kronrod, 1969). Rows are added one by one. The path from a new row to a free column is found as
 * Dijkstra's algorithm does it, in reduced costs: costs less both potentials, never negative. */
#include "assignment.h"

#include <string.h>

#define FREE G_MAXUINT

void
assignment_clear (Assignment *assignment)
{
  g_free (assignment->row_potentials);
  g_free (assignment->column_potentials);
  g_free (assignment->distances);
  g_free (assignment->rows);
  g_free (assignment->previous);
  g_free (assignment->done);
  *assignment = (Assignment){ 0 };
}

/* Column @n_columns is the start of paths: it belongs to the row that is being added. */
static void
begin (Assignment *a, guint n_rows, guint n_columns)
{
  if (a->rows == NULL || n_rows > a->n_rows || n_columns > a->n_columns) {
    a->n_rows = MAX (a->n_rows, n_rows);
    a->n_columns = MAX (a->n_columns, n_columns);
    a->row_potentials = g_renew (gint64, a->row_potentials, a->n_rows + 1);
    a->column_potentials = g_renew (gint64, a->column_potentials, a->n_columns + 1);
    a->distances = g_renew (gint64, a->distances, a->n_columns + 1);
    a->rows = g_renew (guint, a->rows, a->n_columns + 1);
    a->previous = g_renew (guint, a->previous, a->n_columns + 1);
    a->done = g_renew (gboolean, a->done, a->n_columns + 1);
  }
  memset (a->row_potentials, 0, n_rows * sizeof *a->row_potentials);
  memset (a->column_potentials, 0, (n_columns + 1) * sizeof *a->column_potentials);
  for (guint c = 0; c <= n_columns; c++)
    a->rows[c] = FREE;
}

/* Shortens distances by the row of column @from. Returns the nearest column that is not done. */
static guint
relax (Assignment *a, const gint64 *costs, guint n_columns, guint from)
{
  const guint row = a->rows[from];
  const gint64 *row_costs = costs + (gsize) row * n_columns;
  guint nearest = FREE;

  for (guint c = 0; c < n_columns; c++) {
    gint64 distance;

    if (a->done[c])
      continue;
    distance = row_costs[c] - a->row_potentials[row] - a->column_potentials[c];
    if (distance < a->distances[c]) {
      a->distances[c] = distance;
      a->previous[c] = from;
    }
    if (nearest == FREE || a->distances[c] < a->distances[nearest])
      nearest = c;
  }
  return nearest;
}

/* Changes potentials by the distance of @nearest, which becomes 0: reduced costs stay 0 or more,
 * and 0 in pairs. */
static void
move (Assignment *a, guint n_columns, guint nearest)
{
  const gint64 step = a->distances[nearest];

  for (guint c = 0; c <= n_columns; c++) {
    if (a->done[c]) {
      a->row_potentials[a->rows[c]] += step;
      a->column_potentials[c] -= step;
    } else if (c < n_columns) {
      a->distances[c] -= step;
    }
  }
}

static void
add_row (Assignment *a, const gint64 *costs, guint n_columns, guint row)
{
  guint column = n_columns;

  for (guint c = 0; c <= n_columns; c++) {
    a->distances[c] = G_MAXINT64;
    a->done[c] = FALSE;
  }
  a->rows[n_columns] = row;
  while (a->rows[column] != FREE) {
    guint nearest;

    a->done[column] = TRUE;
    nearest = relax (a, costs, n_columns, column);
    move (a, n_columns, nearest);
    column = nearest;
  }
  for (; column != n_columns; column = a->previous[column])
    a->rows[column] = a->rows[a->previous[column]];
}

void
assignment_solve (
    Assignment *assignment, const gint64 *costs, guint n_rows, guint n_columns, guint *columns)
{
  g_return_if_fail (n_rows <= n_columns);

  begin (assignment, n_rows, n_columns);
  for (guint r = 0; r < n_rows; r++)
    add_row (assignment, costs, n_columns, r);
  for (guint c = 0; c < n_columns; c++) {
    if (assignment->rows[c] != FREE)
      columns[assignment->rows[c]] = c;
  }
}
