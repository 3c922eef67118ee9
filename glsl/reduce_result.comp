// SPDX-License-Identifier: LGPL-2.1-or-later
/* Second of two passes: folds what the teams left.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS, OP (lib/reduce_fold.glsl), as in the first pass
 * Bindings: uniform 0: the pass; storage 0: the state, as the first pass left it; receives the result
 * Grid: one workgroup. */
#define FOLD_ROWS 1
#include "lib/reduce_fold.glsl"

/* Each invocation takes a stretch of 2^k nodes. */
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
  uint nodes[1];

  climb.count = 0u;
  for (uint i = first; i < last; i++)
    climb_push (climb, read_partial (i).x);
  nodes[0] = climb_top (climb);
  return uvec2 (team_fold (nodes), 0u);
#endif
}

void
main ()
{
  uint n_tiles = n_tiles_of (array_n ());
  uint k = tiles_per_team_log2 (n_tiles);
  uint status = first_status ();

#if TEAM == 0
  if (gl_GlobalInvocationID.x != 0u)
    return;
#endif
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
