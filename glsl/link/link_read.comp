// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads 16-byte rows of zeros, to measure how fast kernels read the host's memory.
 *
 * Defines: LOCAL_SIZE_X, ROWS: how many
 * Bindings: storage 0: the rows; 1: would receive their bits if one were set, which keeps the reads
 *   from being optimised away
 * Grid: x workgroups, any number; each invocation takes every n-th row for n invocations. */

layout (std430, binding = 0) readonly buffer Source
{
  uvec4 rows[];
};

layout (std430, binding = 1) writeonly buffer Target
{
  uvec4 target;
};

void
main ()
{
  uint step = gl_NumWorkGroups.x * uint (LOCAL_SIZE_X);
  uvec4 bits = uvec4 (0u);

  for (uint i = gl_GlobalInvocationID.x; i < uint (ROWS); i += step)
    bits |= rows[i];
  if (bits != uvec4 (0u))
    target = bits;
}
