/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface between the files of the tiles. */
#ifndef GST_GLES_TILES_PRIVATE_H
#define GST_GLES_TILES_PRIVATE_H

#include <gst/gles/algo/compact/compact.h>
#include <gst/gles/algo/plan/array.h>
#include <gst/gles/algo/sort/sort.h>
#include <gst/gles/algo/tiles/tiles.h>
#include <gst/gles/cpu/tiles/tiles.h>
#include <glsl/tiles/tiles-layout.h>

G_BEGIN_DECLS

/* Kernels, each named after its file. */
typedef enum {
  GST_GLES_TILES_KEYS,
  GST_GLES_TILES_SUMS,
  GST_GLES_TILES_OFFSETS,
  GST_GLES_TILES_EXPAND,
  GST_GLES_TILES_RANGES,
  GST_GLES_TILES_ENTRIES,
  GST_GLES_TILES_N_KERNELS
} GstGlesTilesKernel;

/* The forced choices. */
typedef struct {
  GstGlesVariant common;
  gboolean local, sorts; /* always, or never, use the local sort */
  gboolean cull, keep;   /* two sorts: always, or never, leave out what covers no tile */
} GstGlesTilesVariant;

/* The local sort of tile lists, which docs/algorithms/tiles.md describes. */
typedef struct {
  guint max_records;       /* the most records of a call that uses it; 0: no call does */
  guint tally, next_tally; /* words of the block: two sets of counts, which alternate */
  guint tasks;             /* word of the block: the first task */
  GstGlesBuffer *block, *entries;
  GstGlesProgram *count, *plan, *fill, *lists[2],
      *merge; /* lists: whole ones, chunks of long ones */
} GstGlesTilesLocal;

struct _GstGlesTiles {
  GstGlesArray array; /* the base of all plans; its values are records */
  GstGlesTilesVariant variant;
  GstGlesTilesConfig config;
  GstGlesTileGrid grid;

  /* cpu */
  gpointer scratch;
  GstGlesTileRecord *converted; /* points */

  /* GL */
  GstGlesProgram *programs[GST_GLES_TILES_N_KERNELS];
  GstGlesSort *sort_records; /* sorts by key; NULL if records are listed by index */
  GstGlesSort *sort_entries; /* sorts by tile */
  GstGlesCompact *cull;      /* leaves out records that cover no tile; NULL: all are sorted */
  GstGlesBuffer *culled_keys, *culled_indices;
  GstGlesBuffer *record_keys;
  GstGlesBuffer *record_scratch; /* see GstGlesTilesPass */
  guint offsets, head, counts;   /* words of the scratch */
  GstGlesBuffer *entry_tiles, *entry_indices;
  GstGlesTilesLocal local;
};

/* A call with checked arguments. */
typedef struct {
  GstGlesBuffer *records;
  GstGlesCount count;
  GstGlesBuffer *offsets, *indices, *keys; /* indices, keys: (nullable) */
  guint limit;                             /* the largest number of records */
  guint max_entries;
} GstGlesTilesCall;

/* ---- tiles-passes.c ---- */

/* Calls @func for each program that a plan on any device can use, except the programs of its
 * sorts. */
void gst_gles_tiles_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

/* Allocates scratch memory and builds the kernels. */
gboolean gst_gles_tiles_build (GstGlesTiles *tiles, GError **error);
/* Queues a call. Must be called inside a submission. */
gboolean gst_gles_tiles_queue (GstGlesTiles *tiles, const GstGlesTilesCall *call, GError **error);

/* Binds the records that a call can read. */
GstGlesBinding gst_gles_tiles_records (GstGlesTiles *tiles, const GstGlesTilesCall *call);

/* ---- tiles-local.c ---- */

/* Parses @text (nullable): `local`, `sorts`, `cull`, `keep`, and the words of
 * gst_gles_variant_parse(), joined by +. Errors: SETTINGS. */
gboolean gst_gles_tiles_variant_parse (
    const gchar *text, GstGlesTilesVariant *variant, GError **error);
void gst_gles_tiles_local_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);
/* Finds out which calls use the local sort. */
void gst_gles_tiles_local_init (GstGlesTiles *tiles);
/* Allocates and builds what the local sort needs, unless that is done. */
gboolean gst_gles_tiles_local_build (GstGlesTiles *tiles, GError **error);
/* Safe after a failed gst_gles_tiles_local_build(). */
void gst_gles_tiles_local_clear (GstGlesTiles *tiles);
/* Queues a call with at most local.max_records records, except for the keys of entries. */
gboolean gst_gles_tiles_local_queue (GstGlesTiles *tiles, const GstGlesTilesCall *call,
    const GstGlesTilesPass *pass, GError **error);

/* ---- tiles.c ---- */

/* Returns the words of a record of the plan's source. */
guint gst_gles_tiles_record_words (const GstGlesTiles *tiles);

G_END_DECLS

#endif
