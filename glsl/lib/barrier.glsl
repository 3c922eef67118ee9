// SPDX-License-Identifier: LGPL-2.1-or-later
/* The one barrier that kernels use. */

/* Waits for the whole workgroup, and orders what it does with shared memory. barrier() alone should do
 * both, as GLSL ES has it, and does not: NVIDIA's compiler (580.159) moved the load at the end of a
 * workgroup's sum behind the barrier that follows, where others write there already. */
void
workgroup_barrier ()
{
  memoryBarrierShared ();
  barrier ();
}
