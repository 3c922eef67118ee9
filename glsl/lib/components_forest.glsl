// SPDX-License-Identifier: LGPL-2.1-or-later
/* The union-find forest of all nodes (Komura 2015; Playne and Hawick 2018). The label of a node is its parent,
 * which never comes after it, or itself, for a root. Trees are joined by atomicMin(): an invocation that comes
 * too late learns which node was put there before it, and goes on with that. Nobody waits for anybody.
 *
 * Defines: LABELS_BINDING: the storage binding of the labels; LABELS_FALL: 1: a label is never replaced by a
 *   greater one, 0 if it is not defined */
#ifndef LABELS_FALL
#define LABELS_FALL 0
#endif

layout (std430, binding = LABELS_BINDING) coherent buffer Labels
{
  uint labels[];
};

/* The root of @node; paths become shorter on the way. Labels may be older than what others write: a step
 * leads to an ancestor all the same. */
uint
root_of (uint node)
{
  uint parent = labels[node];

  while (parent != node) {
    uint next = labels[parent];
    if (next != parent) {
#if LABELS_FALL
      atomicMin (labels[node], next);
#else
      labels[node] = next;
#endif
    }
    node = parent;
    parent = next;
  }
  return node;
}

void
join_nodes (uint a, uint b)
{
  a = root_of (a);
  b = root_of (b);
  while (a != b) {
    uint high = max (a, b);
    uint low = min (a, b);
    uint before = atomicMin (labels[high], low);
    if (before == high)
      return;
    a = root_of (before);
    b = root_of (low);
  }
}
