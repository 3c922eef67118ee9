// SPDX-License-Identifier: LGPL-2.1-or-later
/* Which workgroup of a dispatch is the last one to end: it can go on with what all have left, which saves
 * a dispatch, and waits for nobody.
 *
 * State: GST_GLES_ARRAY_DONE, and GST_GLES_ARRAY_TICKET of lib/lookback.glsl, 0 between dispatches */

uint
n_groups ()
{
  return gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_NumWorkGroups.z;
}

/* By one invocation, at the end of each workgroup, behind a memory barrier if it has told something in
 * the state: whether it is the last one of the dispatch, which leaves everything as it was before. */
bool
last_to_end ()
{
  if (atomicAdd (state[GST_GLES_ARRAY_DONE], 1u) != n_groups () - 1u)
    return false;
  atomicExchange (state[GST_GLES_ARRAY_DONE], 0u);
  atomicExchange (state[GST_GLES_ARRAY_TICKET], 0u);
  return true;
}
