/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the components know of each other. */
#ifndef GST_GLES_COMPONENTS_PRIVATE_H
#define GST_GLES_COMPONENTS_PRIVATE_H

#include <components-layout.h>
#include <gst/gles/algo/array.h>
#include <gst/gles/algo/components.h>
#include <gst/gles/algo/top-k.h>

G_BEGIN_DECLS

/* Kernels, each named like its file. */
typedef enum {
  GST_GLES_COMPONENTS_CELLS,
  GST_GLES_COMPONENTS_TILES,
  GST_GLES_COMPONENTS_BORDERS,
  GST_GLES_COMPONENTS_ROOTS,
  GST_GLES_COMPONENTS_COUNT,
  GST_GLES_COMPONENTS_LIST,
  GST_GLES_COMPONENTS_LABELS,
  GST_GLES_COMPONENTS_PICK,
  GST_GLES_COMPONENTS_MARK,
  GST_GLES_COMPONENTS_TOTALS,
  GST_GLES_COMPONENTS_N_KERNELS
} GstGlesComponentsKernel;

struct _GstGlesComponents {
  GstGlesArray array; /* of mask words */
  GstGlesComponentsConfig config;
  guint width, height; /* of the grid */
  guint row_words, n_words;
  guint nodes_at;     /* word of the candidates where their nodes begin */
  guint n_candidates; /* the most there can be */

  /* cpu */
  gpointer scratch;

  /* GL */
  gboolean serial; /* tiles are labelled by an invocation each */
  guint tile_height;
  GstGlesProgram *programs[GST_GLES_COMPONENTS_N_KERNELS];
  GstGlesTopK *top_k; /* of candidates, by size */
  GstGlesBuffer *cells, *masks, *labels, *sizes, *candidates, *order;
};

/* One call, its arguments checked. */
typedef struct {
  GstGlesBuffer *input; /* words or points */
  GstGlesCount count;   /* of points */
  guint limit;          /* the most points it can be about */
  guint32 lower, upper;
  guint min_size;
  GstGlesBuffer *regions, *labels; /* labels: (nullable) */
  guint max_regions;
} GstGlesComponentsCall;

/* ---- components-passes.c ---- */

/* Calls @func for every program that a plan on any device can ask for, those of its top-k left out. */
void gst_gles_components_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);
/* Allocates scratch memory and builds the kernels. */
gboolean gst_gles_components_build (GstGlesComponents *components, GError **error);
/* Queues a call, inside a submission. */
gboolean gst_gles_components_queue (
    GstGlesComponents *components, const GstGlesComponentsCall *call, GError **error);

G_END_DECLS

#endif
