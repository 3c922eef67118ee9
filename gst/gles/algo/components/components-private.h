/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Connected components: declarations that components.c and components-passes.c share. */
#ifndef GST_GLES_COMPONENTS_PRIVATE_H
#define GST_GLES_COMPONENTS_PRIVATE_H

#include <glsl/components/components-layout.h>
#include <gst/gles/algo/plan/array.h>
#include <gst/gles/algo/components/components.h>
#include <gst/gles/algo/top-k/top-k.h>

G_BEGIN_DECLS

/* The dispatches; all but one are named like their kernel in glsl/. */
typedef enum {
  GST_GLES_COMPONENTS_CELLS,
  GST_GLES_COMPONENTS_TILES,
  GST_GLES_COMPONENTS_BORDERS,
  GST_GLES_COMPONENTS_ROOTS,
  GST_GLES_COMPONENTS_COUNT,
  GST_GLES_COMPONENTS_LIST,
  GST_GLES_COMPONENTS_LIST_NODES, /* the second part of a list in two buffers */
  GST_GLES_COMPONENTS_LABELS,
  GST_GLES_COMPONENTS_SELECT,
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
  guint nodes_at;     /* index, in the candidates, of the first node; sizes come before it. 0 if the
                       * nodes have a buffer of their own */
  guint n_candidates; /* upper bound of the number of candidates */

  /* cpu */
  gpointer scratch;

  /* GL */
  gboolean serial; /* one invocation labels a tile */
  guint tile_height;
  GstGlesProgram *programs[GST_GLES_COMPONENTS_N_KERNELS];
  /* selects the largest candidates; NULL: one workgroup does, in components_select */
  GstGlesTopK *top_k;
  GstGlesBuffer *cells, *masks, *labels, *sizes, *candidates, *order;
  GstGlesBuffer *nodes; /* of the candidates; NULL: they follow the sizes in candidates */
};

/* The checked arguments of one call. */
typedef struct {
  GstGlesBuffer *input; /* words or points */
  GstGlesCount count;   /* number of points */
  guint limit;          /* upper bound of the number of points */
  guint32 lower, upper;
  guint min_size;
  GstGlesBuffer *regions, *labels; /* labels: (nullable) */
  guint max_regions;
} GstGlesComponentsCall;

/* ---- components-passes.c ---- */

/* Calls @func for every program that a plan on any device can use, except the programs of its
 * top-k. */
void gst_gles_components_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);
/* Allocates scratch memory and builds the kernels. */
gboolean gst_gles_components_build (GstGlesComponents *components, GError **error);
/* Queues a call, inside a submission. */
gboolean gst_gles_components_queue (
    GstGlesComponents *components, const GstGlesComponentsCall *call, GError **error);

G_END_DECLS

#endif
