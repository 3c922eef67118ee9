// SPDX-License-Identifier: LGPL-2.1-or-later
/* The union-find forest of all nodes (Komura 2015; Playne and Hawick 2018), without locks. The
 * label of a node is its parent, which has a smaller number; the label of a root is the root
 * itself. Trees are joined by atomicMin(). See docs/algorithms/components.md.
 *
 * Defines: LABELS_BINDING: the storage binding of the labels; LABELS_FALL (default 0): 1: a
 *   label is never replaced by a greater one */
#ifndef LABELS_FALL
#define LABELS_FALL 0
#endif

layout (std430, binding = LABELS_BINDING) coherent buffer Labels
{
  uint labels[];
};

/* The root of @node. Shortens the path on the way. A label that another invocation has replaced
 * meanwhile is still an ancestor, so the walk still ends at the root. */
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

/* Joins the trees of two nodes. If another invocation joined the greater root to some other node
 * first, atomicMin() returns that node, and the join continues with it. */
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
