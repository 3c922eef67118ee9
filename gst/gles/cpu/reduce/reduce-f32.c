/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sums of f32 by the tree of docs/algorithms/float-sums.md. Blocks of 1024 leaves are summed level
 * by level with vectors. The sums of blocks, and the leaves before and after them, are added to
 * the tree one by one. A NaN stays a NaN up to the root, so it suffices to normalise the sum of a
 * block. */
#include <gst/gles/cpu/reduce/reduce-parts.h>
#include <gst/gles/cpu/reduce/reduce.h>

#include <string.h>

#include <gst/gles/cpu/lib/chunks.h>
#include <gst/gles/cpu/lib/vector.h>

#define BLOCK_LEVEL 10
#define BLOCK (1u << BLOCK_LEVEL)

guint32
gst_gles_cpu_f32_add (guint32 a, guint32 b)
{
  gfloat x, y, sum;
  guint32 bits;

  a = GST_GLES_F32_CLEAN (a);
  b = GST_GLES_F32_CLEAN (b);
  memcpy (&x, &a, 4);
  memcpy (&y, &b, 4);
  sum = x + y;
  memcpy (&bits, &sum, 4);
  return GST_GLES_F32_CLEAN (bits);
}

/* Replaces denormals by the zero of their sign. */
static inline GstGlesU32x4
flush (GstGlesU32x4 bits)
{
  GstGlesU32x4 tiny = (GstGlesU32x4) ((bits & 0x7f800000u) == 0u);

  return bits & ~(tiny & 0x7fffffffu);
}

static inline GstGlesU32x4
add_pairs (GstGlesU32x4 a, GstGlesU32x4 b)
{
  GstGlesF32x4 left = (GstGlesF32x4) GST_GLES_SHUFFLE (a, b, 0, 2, 4, 6);
  GstGlesF32x4 right = (GstGlesF32x4) GST_GLES_SHUFFLE (a, b, 1, 3, 5, 7);

  return flush ((GstGlesU32x4) (left + right));
}

/* Folds two levels of the tree: from 4 * @n_sums nodes to @n_sums, a multiple of 4. */
static inline void
sum_fours (const guint32 *nodes, guint32 *sums, guint n_sums, gboolean leaves)
{
  for (guint i = 0; i < n_sums; i += 4) {
    GstGlesU32x4 a = gst_gles_u32x4_load (nodes + 4 * i);
    GstGlesU32x4 b = gst_gles_u32x4_load (nodes + 4 * i + 4);
    GstGlesU32x4 c = gst_gles_u32x4_load (nodes + 4 * i + 8);
    GstGlesU32x4 d = gst_gles_u32x4_load (nodes + 4 * i + 12);

    if (leaves) {
      a = flush (a);
      b = flush (b);
      c = flush (c);
      d = flush (d);
    }
    gst_gles_u32x4_store (sums + i, add_pairs (add_pairs (a, b), add_pairs (c, d)));
  }
}

/* Returns the node of level BLOCK_LEVEL over BLOCK leaves. */
static guint32
sum_block (const guint32 *leaves)
{
  guint32 nodes[BLOCK / 4], above[BLOCK / 16];

  sum_fours (leaves, nodes, BLOCK / 4, TRUE);
  sum_fours (nodes, above, BLOCK / 16, FALSE);
  sum_fours (above, nodes, BLOCK / 64, FALSE);
  sum_fours (nodes, above, BLOCK / 256, FALSE);
  return gst_gles_cpu_f32_add (
      gst_gles_cpu_f32_add (above[0], above[1]), gst_gles_cpu_f32_add (above[2], above[3]));
}

/* ---- the tree above blocks ---- */

void
gst_gles_cpu_f32_tree_add (GstGlesCpuF32Tree *tree, guint level, guint64 index, guint32 node)
{
  for (; index & 1; index >>= 1, level++) {
    if (tree->present >> level & 1) {
      node = gst_gles_cpu_f32_add (tree->nodes[level], node);
      tree->present &= ~((guint64) 1 << level);
    }
  }
  tree->nodes[level] = node;
  tree->present |= (guint64) 1 << level;
}

guint32
gst_gles_cpu_f32_tree_root (const GstGlesCpuF32Tree *tree)
{
  guint32 root = GST_GLES_F32_MINUS_ZERO;

  for (guint level = 0; level < G_N_ELEMENTS (tree->nodes); level++) {
    if (tree->present >> level & 1)
      root = gst_gles_cpu_f32_add (tree->nodes[level], root);
  }
  return root;
}

guint32
gst_gles_cpu_sum_leaves (guint64 first, const guint32 *values, gsize n)
{
  GstGlesCpuF32Tree tree;
  gsize i = 0;

  tree.present = 0;
  while (i < n) {
    guint64 place = first + i;

    if (place % BLOCK == 0 && n - i >= BLOCK) {
      gst_gles_cpu_f32_tree_add (&tree, BLOCK_LEVEL, place / BLOCK, sum_block (values + i));
      i += BLOCK;
    } else {
      gst_gles_cpu_f32_tree_add (&tree, 0, place, GST_GLES_F32_CLEAN (values[i]));
      i++;
    }
  }
  return gst_gles_cpu_f32_tree_root (&tree);
}

/* ---- chunks ---- */

typedef struct {
  const guint32 *values;
  guint64 first;
  gsize n;
  guint level; /* a chunk is one node of this level */
  guint64 first_chunk;
  guint32 sums[GST_GLES_CPU_MAX_CHUNKS + 1];
} Work;

static void
sum_chunk (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  guint64 begin = (work->first_chunk + task) << work->level;
  guint64 end = begin + ((guint64) 1 << work->level);

  begin = MAX (begin, work->first);
  end = MIN (end, work->first + work->n);
  work->sums[task] =
      gst_gles_cpu_sum_leaves (begin, work->values + (begin - work->first), (gsize) (end - begin));
}

guint32
gst_gles_cpu_reduce_sum_f32_at (guint64 first, const guint32 *values, gsize n)
{
  GstGlesCpuChunks chunks = gst_gles_cpu_chunks (n, GST_GLES_CPU_MIN_CHUNK, 1);
  Work work = { .values = values, .first = first, .n = n };
  guint n_chunks;
  GstGlesCpuF32Tree tree;

  if (chunks.count <= 1)
    return gst_gles_cpu_sum_leaves (first, values, n);
  while ((guint64) 1 << work.level < chunks.size)
    work.level++;
  work.first_chunk = first >> work.level;
  n_chunks = (guint) (((first + n - 1) >> work.level) - work.first_chunk) + 1;
  gst_gles_cpu_parallel (n_chunks, sum_chunk, &work);
  tree.present = 0;
  for (guint i = 0; i < n_chunks; i++)
    gst_gles_cpu_f32_tree_add (&tree, work.level, work.first_chunk + i, work.sums[i]);
  return gst_gles_cpu_f32_tree_root (&tree);
}

guint32
gst_gles_cpu_reduce_sum_f32 (const guint32 *values, gsize n)
{
  return gst_gles_cpu_reduce_sum_f32_at (0, values, n);
}
