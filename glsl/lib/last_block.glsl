// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the last block: the workgroup of a dispatch that ends last. It can continue with the
 * results of all workgroups, which saves a dispatch, and waits for none of them.
 *
 * State: GST_GLES_ARRAY_DONE, and GST_GLES_ARRAY_TICKET of lib/lookback.glsl; both are 0 between
 * dispatches. */

uint
n_groups ()
{
  return gl_NumWorkGroups.x * gl_NumWorkGroups.y * gl_NumWorkGroups.z;
}

/* Returns whether the workgroup is the last block, and resets the counters if it is. Must be
 * called by one invocation at the end of each workgroup, after a memory barrier if it has written
 * to the state. */
bool
is_last_block ()
{
  if (atomicAdd (state[GST_GLES_ARRAY_DONE], 1u) != n_groups () - 1u)
    return false;
  atomicExchange (state[GST_GLES_ARRAY_DONE], 0u);
  atomicExchange (state[GST_GLES_ARRAY_TICKET], 0u);
  return true;
}
