// SPDX-License-Identifier: LGPL-2.1-or-later
/* The barrier of all kernels. tests/lint/text.py forbids barrier() elsewhere. */

/* Waits for the whole workgroup and orders its accesses to shared memory. By the specification of
 * GLSL ES barrier() alone suffices. NVIDIA's compiler (580.159) moved a shared load past the
 * barrier that followed it, to where other invocations write, so memoryBarrierShared() is
 * required. */
void
workgroup_barrier ()
{
  memoryBarrierShared ();
  barrier ();
}
