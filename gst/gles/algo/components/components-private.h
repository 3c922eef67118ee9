/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Connected components: declarations that its files share. */
#ifndef GST_GLES_COMPONENTS_PRIVATE_H
#define GST_GLES_COMPONENTS_PRIVATE_H

#include <glsl/components/components-layout.h>
#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/components/components.h>
#include <gst/gles/algo/top-k/top-k.h>

G_BEGIN_DECLS

extern const GstGlesArrayTuning gst_gles_components_tuning[GST_GLES_N_CLASSES];

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
  GST_GLES_COMPONENTS_GATHER,
  GST_GLES_COMPONENTS_SELECT,
  GST_GLES_COMPONENTS_PICK,
  GST_GLES_COMPONENTS_MARK,
  GST_GLES_COMPONENTS_TOTALS,
  GST_GLES_COMPONENTS_N_KERNELS
} GstGlesComponentsKernel;

/* How a tile is labelled, and how many items an invocation of the other kernels takes. llvmpipe
 * ends the loops of an invocation after 65535 iterations in total; the serial numbers stay below
 * that. */
typedef struct {
  guint tile_invocations, columns, tile_height; /* a tile: mask words and rows */
  guint quads;       /* quads of words that an invocation loads at a time, a divisor of 8 */
  guint words_each;  /* mask words per invocation: components_borders, components_roots */
  guint labels_each; /* words per invocation: components_labels */
  guint cells_each;  /* points per invocation: components_cells */
  guint totals_invocations, table;
  guint totals_words, totals_points; /* mask words or points per invocation: components_totals */
} GstGlesComponentsTuning;

/* Invocations of a workgroup of the kernels without a number of their own. */
#define GST_GLES_COMPONENTS_INVOCATIONS 64
/* The same of components_gather, each with one mask word. */
#define GST_GLES_COMPONENTS_GATHER_INVOCATIONS 128

struct _GstGlesComponents {
  GstGlesArray array; /* of mask words */
  GstGlesComponentsConfig config;
  guint width, height; /* of the grid */
  guint row_words, n_words;
  guint roots_at;     /* index, in masks, of the masks of tile roots */
  guint counters_at;  /* the same, of the counters of candidates */
  guint nodes_at;     /* index, in the candidates, of the first node; sizes come before it. 0 if the
                       * nodes have a buffer of their own */
  guint n_candidates; /* upper bound of the number of candidates */

  /* cpu */
  gpointer scratch;

  /* GL */
  gboolean serial;  /* one invocation labels a tile */
  gboolean texels;  /* serial: what a kernel only reads is bound as buffer textures */
  gboolean special; /* which tuning, see components-programs.c */
  gboolean selects; /* one workgroup selects the largest candidates */
  gboolean cleared; /* the cells are zero */
  const GstGlesComponentsTuning *tuning;
  GstGlesProgram *programs[GST_GLES_COMPONENTS_N_KERNELS];
  guint n_storage[GST_GLES_COMPONENTS_N_KERNELS]; /* bindings of each */
  /* selects the largest candidates, unless one workgroup does */
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

/* ---- components-programs.c ---- */

/* Calls @func for every program that a plan on any device can use, except the programs of its
 * top-k. */
void gst_gles_components_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);
/* Decides how the plan's work is divided. */
void gst_gles_components_choose (GstGlesComponents *components);
/* Builds the kernels, after the plan's buffers. */
gboolean gst_gles_components_get_programs (GstGlesComponents *components, GError **error);

/* ---- components-passes.c ---- */

/* Allocates scratch memory and builds the kernels. */
gboolean gst_gles_components_build (GstGlesComponents *components, GError **error);
/* Queues a call, inside a submission. */
gboolean gst_gles_components_queue (
    GstGlesComponents *components, const GstGlesComponentsCall *call, GError **error);

G_END_DECLS

#endif
