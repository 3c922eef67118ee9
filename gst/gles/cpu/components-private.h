/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The forest of runs that the two halves of the twin share. */
#ifndef GST_GLES_CPU_COMPONENTS_PRIVATE_H
#define GST_GLES_CPU_COMPONENTS_PRIVATE_H

#include <gst/gles/cpu/chunks.h>
#include <gst/gles/cpu/components.h>

G_BEGIN_DECLS

/* Neighbouring foreground words of a row. Runs are numbered in raster order, with gaps between rows, so the
 * first run of a component is its root. */
typedef struct {
  guint32 start, last; /* columns */
  guint32 parent;      /* a run; itself for a root */
  /* root: pixels of the component, once it is known 1 + its place in the list, 0 if it is not listed. Other
   * runs, once that is known: their root */
  guint32 size;
} GstGlesCpuRun;

typedef struct {
  const GstGlesCpuComponents *config;
  const guint32 *words;
  gboolean weighted; /* a word counts as often as it says */
  guint row_masks;   /* masks of 64 words of a row */
  gsize row_runs;    /* room for runs of a row */
  guint64 *masks;    /* of foreground */
  GstGlesCpuRun *runs;
  guint32 *n_runs; /* of each row */
  guint64 *
      candidates; /* roots: ~size in the high half, run in the low one; where the runs of a row are */
  guint32 *n_candidates;          /* of each row */
  guint64 *listed;                /* the candidates that are listed, in order */
  GstGlesComponentRecord *tables; /* records of each chunk */
  guint32 *slots;                 /* points: 1 + the place in the list of each cell, or 0 */
  guint32 *cells;                 /* points: how many lie in each cell */
  GstGlesCpuChunks rows;
} GstGlesCpuForest;

/* The root of @run. Thread: any, while nobody changes parents. */
static inline guint32
gst_gles_cpu_run_root (const GstGlesCpuRun *runs, guint32 run)
{
  while (runs[run].parent != run)
    run = runs[run].parent;
  return run;
}

/* Finds runs, joins those that touch, sums up sizes, and collects the roots of what is large enough. Returns
 * how many these are. */
guint gst_gles_cpu_forest_grow (GstGlesCpuForest *forest);

G_END_DECLS

#endif
