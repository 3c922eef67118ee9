// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lists of tiles that are sorted one by one, and the tasks that long lists are divided into.
 *
 * Bindings: uniform 0: the step; storage 0: the block of lists; storage 1: the first entry of each
 *   tile's list; storage 2: the entries, key and index; storage 3: receives the indices */

layout (std140, binding = 0) uniform Params
{
  GstGlesTilesLists params;
};

layout (std430, binding = 0) buffer Local
{
  uint local[];
};

layout (std430, binding = 1) readonly buffer Offsets
{
  uint offsets[];
};

layout (std430, binding = 2) buffer Entries
{
  uvec2 entries[];
};

layout (std430, binding = 3) writeonly buffer Indices
{
  uint indices[];
};

bool
before (uvec2 a, uvec2 b)
{
  return a.x < b.x || (a.x == b.x && a.y < b.y);
}

/* Returns how many chunks a list of n entries has. */
uint
n_chunks_of (uint n)
{
  return (n + params.chunk - 1u) / params.chunk;
}

uint
n_tasks ()
{
  return local[GST_GLES_TILES_LOCAL_TASKS];
}

/* Returns a task: a tile, and the number of a chunk of its list. */
uvec2
read_task (uint i)
{
  return uvec2 (local[params.tasks + 2u * i], local[params.tasks + 2u * i + 1u]);
}

void
add_tasks (uint tile, uint n)
{
  uint at = atomicAdd (local[GST_GLES_TILES_LOCAL_TASKS], n);

  for (uint chunk = 0u; chunk < n; chunk++) {
    local[params.tasks + 2u * (at + chunk)] = tile;
    local[params.tasks + 2u * (at + chunk) + 1u] = chunk;
  }
}
