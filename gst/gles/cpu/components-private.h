/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of connected components: the forest of runs, which components.c builds and
 * components-totals.c reads. */
#ifndef GST_GLES_CPU_COMPONENTS_PRIVATE_H
#define GST_GLES_CPU_COMPONENTS_PRIVATE_H

#include <gst/gles/cpu/chunks.h>
#include <gst/gles/cpu/components.h>

G_BEGIN_DECLS

/* A run: a contiguous range of foreground words in a row. Runs are numbered in raster order, with
 * gaps between rows, so the first run of a component is its root. What is known of a run lies in
 * arrays of its own, because most passes need only the parents. */
typedef struct {
  guint32 start, last; /* columns, inclusive */
} GstGlesCpuRun;

typedef struct {
  const GstGlesCpuComponents *config;
  const guint32 *words;
  gboolean weighted; /* a word adds its value to the size instead of 1 */
  guint row_masks;   /* 64-bit masks per row */
  gsize row_runs;    /* capacity for runs per row */
  guint64 *masks;    /* bit i of a mask: its word i is foreground */
  GstGlesCpuRun *runs;
  guint32 *parents; /* number of a run; a root is its own parent */
  /* Root: the pixels of the component; after select_candidates() 1 + its index in the list, 0 if it
   * is not listed. Other runs: undefined. */
  guint32 *sizes;
  guint32 *n_runs; /* number of runs in each row */
  /* Roots of at least min_size, per row at the index of the row's first run: ~size in the high
   * half, the number of the run in the low half. Ascending order is the order of the list. Until
   * find_candidates(): the numbers of the roots of the chunk. */
  guint64 *candidates;
  guint32 *n_candidates; /* number of candidates in each row */
  guint32 *borders;      /* the roots within its chunk of each run of the rows where chunks meet */
  guint64 *listed;       /* the candidates that are listed, in order */
  GstGlesComponentRecord *tables; /* private records of each chunk */
  guint32 *slots;                 /* points: 1 + the list index of each cell's component, or 0 */
  guint32 *cells;                 /* points: number of points in each cell */
  GstGlesCpuChunks rows;
} GstGlesCpuForest;

/* The root of @run, after gst_gles_cpu_forest_grow(). Parents are roots of chunks; their parents
 * are the roots of components. Thread: any. */
static inline guint32
gst_gles_cpu_run_root (const guint32 *parents, guint32 run)
{
  return parents[parents[run]];
}

/* The part of a function that is compiled for newer processors too: counts of bits are one
 * instruction there. */
#if defined(__x86_64__)
#define GST_GLES_CPU_NEWER __attribute__ ((target ("avx2,bmi,popcnt")))
#define GST_GLES_CPU_IS_NEWER                                                                      \
  (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("bmi") &&                            \
      __builtin_cpu_supports ("popcnt"))
#else
#define GST_GLES_CPU_NEWER
#define GST_GLES_CPU_IS_NEWER FALSE
#endif

/* Finds runs, joins runs that touch, sums sizes, and collects the candidates. Returns the number of
 * candidates. */
guint gst_gles_cpu_forest_grow (GstGlesCpuForest *forest);

G_END_DECLS

#endif
