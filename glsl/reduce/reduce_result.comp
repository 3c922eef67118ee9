// SPDX-License-Identifier: LGPL-2.1-or-later
/* Second of two passes: folds the partial results of the teams.
 *
 * Defines: TEAM, LOCAL_SIZE_X, ROWS, OP (reduce/reduce_fold.glsl), as in the first pass
 * Bindings: uniform 0: the pass; storage 0: the state with the partial results; receives the
 *   result
 * Grid: one workgroup. */
#define FOLD_ROWS 1
#include "reduce/reduce_fold.glsl"
#include "reduce/reduce_last.glsl"

void
main ()
{
#if TEAM == 0
  if (gl_GlobalInvocationID.x != 0u)
    return;
#endif
  finish ();
}
