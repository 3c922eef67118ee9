// SPDX-License-Identifier: LGPL-2.1-or-later
/* Folds the partial results of all teams to the result. Must be called by one team, after all
 * partial results are written.
 *
 * Defines: OP, FOLD_ROWS; reduce/reduce_fold.glsl must be included first. */

/* Each invocation folds a contiguous range of 2^k nodes. */
uvec2
fold_partials (uint n)
{
  uint rank = team_rank ();
  uint k = 0u;

  while ((TEAM_SIZE << k) < n)
    k++;
  uint first = min (rank << k, n);
  uint last = min (first + (1u << k), n);
#if OP == 0
  uvec2 sum = uvec2 (0u);

  for (uint i = first; i < last; i++)
    sum = add_64 (sum, read_partial (i));
  return team_sum_64 (sum);
#else
  Climb climb;
  uint nodes[FOLD_ROWS];

  climb.count = 0u;
  for (uint i = first; i < last; i++)
    climb_push (climb, read_partial (i).x);
  /* FOLD_NONE is the neutral element. */
  for (int r = 1; r < FOLD_ROWS; r++)
    nodes[r] = FOLD_NONE;
  nodes[0] = climb_top (climb);
  return uvec2 (team_fold (nodes), 0u);
#endif
}

void
finish ()
{
  uint n_tiles = n_tiles_of (array_n ());
  uint k = tiles_per_team_log2 (n_tiles);
  uint status = first_status ();
  uvec2 total = fold_partials ((n_tiles + (1u << k) - 1u) >> k);

#if OP == 0
  if (params.is_signed == 0u && total.y != 0u)
    status |= GST_GLES_ARRAY_STATUS_WRAPPED;
#elif OP == 1
  uint word = total.x ^ params.flip;

  total.x = word ^ (uint (int (word) >> 31) & params.sign_flip);
#endif
  if (team_rank () == 0u)
    write_result (total, array_n (), status);
}
