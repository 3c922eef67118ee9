/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of connected components: the forest of runs, which components.c builds and
 * components-totals.c reads. */
#ifndef GST_GLES_CPU_COMPONENTS_PRIVATE_H
#define GST_GLES_CPU_COMPONENTS_PRIVATE_H

#include <gst/gles/cpu/chunks.h>
#include <gst/gles/cpu/components.h>
#include <gst/gles/cpu/newer.h>

G_BEGIN_DECLS

/* A strip: two rows for 8 neighbours, one for 4. All foreground words in neighbouring columns of a
 * strip touch, so its components are the runs of columns that have one: the nodes of the forest.
 * Runs are numbered strip by strip, from left to right, with gaps between strips. */
typedef struct {
  guint64 top, bottom; /* masks of the two rows; bottom is 0 if there is one row */
} GstGlesCpuStripMasks;

/* What is known of a component. Undefined for runs that are not roots. */
typedef struct {
  /* The number of pixels; after select_candidates() 1 + the index in the list, 0 if it is not
   * listed. */
  guint32 size;
  guint32 first; /* raster index of the first word; the root need not contain it */
} GstGlesCpuRoot;

typedef struct {
  const GstGlesCpuComponents *config;
  const guint32 *words; /* NULL: the input has bytes */
  const guint8 *bytes;
  gboolean weighted;  /* a word adds its value to the size instead of 1 */
  guint strip_height; /* rows of a strip; the last strip may have one less */
  guint n_strips;
  gboolean joins_chunks; /* the runs that are joined have records */
  guint row_masks;       /* 64-bit masks per row */
  gsize row_runs;        /* capacity for runs per strip */
  guint64 *masks;   /* bit i of a mask: its word i is foreground; a row of zeros follows the last */
  guint32 *parents; /* number of a run, not greater; a root is its own parent */
  GstGlesCpuRoot *roots; /* one per run */
  guint32 *n_runs;       /* number of runs in each strip */
  /* Roots of at least min_size, per strip at the index of its first run: ~size in the high half,
   * the first word in the low half. Ascending order is the order of the list. Until
   * find_candidates(): the numbers of the roots of the chunk. */
  guint64 *candidates;
  guint32 *n_candidates; /* number of candidates in each strip */
  guint32 *borders; /* the roots within its chunk of each run of the strips where chunks meet */
  guint64 *listed;  /* the candidates that are listed, in order */
  GstGlesComponentRecord *tables; /* private records of each chunk; NULL with records */
  /* Long lists: the record of each run that is a root of its chunk, and the run of each candidate.
   * NULL for other lists. */
  GstGlesComponentRecord *records;
  guint32 *candidate_runs;
  gpointer sort_scratch;
  guint32 *slots; /* points: 1 + the list index of each cell's component, or 0 */
  guint32 *cells; /* points: number of points in each cell */
  GstGlesCpuChunks strips;
} GstGlesCpuForest;

/* The masks of a strip in the 64 columns from 64 * @i on. */
static inline GstGlesCpuStripMasks
gst_gles_cpu_strip_masks (const GstGlesCpuForest *forest, guint strip, guint i)
{
  const guint64 *top = forest->masks + (gsize) strip * forest->strip_height * forest->row_masks + i;

  return (GstGlesCpuStripMasks){ *top, forest->strip_height == 2 ? top[forest->row_masks] : 0 };
}

/* The bits of the first run in @mask, which is not 0. */
static inline guint64
gst_gles_cpu_first_run (guint64 mask)
{
  return mask & ~(mask + (mask & -mask));
}

/* The root of @run, after gst_gles_cpu_forest_grow(). Parents are roots of chunks; their parents
 * are the roots of components. Thread: any. */
static inline guint32
gst_gles_cpu_run_root (const guint32 *parents, guint32 run)
{
  return parents[parents[run]];
}

/* Finds runs, joins runs that touch, sums sizes, and collects the candidates. Returns the number of
 * candidates. */
guint gst_gles_cpu_forest_grow (GstGlesCpuForest *forest);

G_END_DECLS

#endif
