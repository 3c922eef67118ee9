/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the tiles know of each other. */
#ifndef GST_GLES_TILES_PRIVATE_H
#define GST_GLES_TILES_PRIVATE_H

#include <gst/gles/algo/array.h>
#include <gst/gles/algo/sort.h>
#include <gst/gles/algo/tiles.h>
#include <gst/gles/cpu/tiles.h>

G_BEGIN_DECLS

/* Kernels, each named like its file. */
typedef enum {
  GST_GLES_TILES_KEYS,
  GST_GLES_TILES_SUMS,
  GST_GLES_TILES_OFFSETS,
  GST_GLES_TILES_EXPAND,
  GST_GLES_TILES_RANGES,
  GST_GLES_TILES_ENTRIES,
  GST_GLES_TILES_N_KERNELS
} GstGlesTilesKernel;

struct _GstGlesTiles {
  GstGlesArray array; /* of records */
  GstGlesTilesConfig config;
  GstGlesTileGrid grid;

  /* cpu */
  gpointer scratch;
  GstGlesTileRecord *converted; /* points */

  /* GL */
  GstGlesProgram *programs[GST_GLES_TILES_N_KERNELS];
  GstGlesSort *sort_records; /* by key; NULL by index */
  GstGlesSort *sort_entries; /* by tile */
  GstGlesBuffer *record_keys;
  GstGlesBuffer *record_scratch; /* see GstGlesTilesPass */
  guint offsets, head, counts;   /* words of it */
  GstGlesBuffer *entry_tiles, *entry_indices;
};

/* One call, its arguments checked. */
typedef struct {
  GstGlesBuffer *records;
  GstGlesCount count;
  GstGlesBuffer *offsets, *indices, *keys; /* indices, keys: (nullable) */
  guint limit;                             /* the most records it can be about */
  guint max_entries;
} GstGlesTilesCall;

/* Calls @func for every program that a plan on any device can ask for, those of its sorts left out. */
void gst_gles_tiles_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

/* Allocates scratch memory and builds the kernels. */
gboolean gst_gles_tiles_build (GstGlesTiles *tiles, GError **error);
/* Queues a call, inside a submission. */
gboolean gst_gles_tiles_queue (GstGlesTiles *tiles, const GstGlesTilesCall *call, GError **error);

/* Words of a record of the plan's source. */
guint gst_gles_tiles_record_words (const GstGlesTiles *tiles);

G_END_DECLS

#endif
