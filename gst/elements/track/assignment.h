/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The assignment problem: pairs of rows and columns whose costs have the least sum. */
#ifndef ASSIGNMENT_H
#define ASSIGNMENT_H

#include <glib.h>

G_BEGIN_DECLS

/* Costs are 0 to ASSIGNMENT_MAX_COST, so that sums of potentials do not overflow. */
#define ASSIGNMENT_MAX_COST (G_GINT64_CONSTANT (1) << 32)

/* The memory of a solver, which grows with the problems. All zero at first. */
typedef struct {
  guint n_rows, n_columns; /* allocated */
  gint64 *row_potentials, *column_potentials, *distances;
  guint *rows, *previous; /* of each column: its row, and the column before it on a path */
  gboolean *done;
} Assignment;

void assignment_clear (Assignment *assignment);

/* Sets columns[r] to the column of each row r, so that the sum of @costs, of @n_rows rows of
 * @n_columns each, is the least. Each row has a column of its own: @n_rows <= @n_columns. Of
 * several best assignments it finds the same one on every machine. Takes time proportional to
 * @n_rows squared times @n_columns at most. Afterwards row_potentials[r] + column_potentials[c] is
 * at most the cost of r and c, and equal to it where they are a pair: proof that the sum is the
 * least. */
void assignment_solve (
    Assignment *assignment, const gint64 *costs, guint n_rows, guint n_columns, guint *columns);

G_END_DECLS

#endif
