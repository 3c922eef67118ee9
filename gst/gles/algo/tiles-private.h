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

/* What is forced, besides what is for all array algorithms. */
typedef struct {
  GstGlesVariant common;
  gboolean local, sorts; /* lists are sorted one by one, always; never */
} GstGlesTilesVariant;

/* Lists sorted one by one, each by a workgroup in shared memory: what that takes. */
typedef struct {
  guint max_records;       /* of a call that goes this way; 0: none does */
  guint tally, next_tally; /* words of the block, which take turns */
  guint tasks;             /* word of the block */
  GstGlesBuffer *block, *entries;
  GstGlesProgram *count, *plan, *fill, *lists[2],
      *merge; /* lists: whole ones, chunks of long ones */
} GstGlesTilesLocal;

struct _GstGlesTiles {
  GstGlesArray array; /* of records */
  GstGlesTilesVariant variant;
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
  GstGlesTilesLocal local;
};

/* One call, its arguments checked. */
typedef struct {
  GstGlesBuffer *records;
  GstGlesCount count;
  GstGlesBuffer *offsets, *indices, *keys; /* indices, keys: (nullable) */
  guint limit;                             /* the most records it can be about */
  guint max_entries;
} GstGlesTilesCall;

/* ---- tiles-passes.c ---- */

/* Calls @func for every program that a plan on any device can ask for, those of its sorts left out. */
void gst_gles_tiles_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

/* Allocates scratch memory and builds the kernels. */
gboolean gst_gles_tiles_build (GstGlesTiles *tiles, GError **error);
/* Queues a call, inside a submission. */
gboolean gst_gles_tiles_queue (GstGlesTiles *tiles, const GstGlesTilesCall *call, GError **error);

/* The records of a call, as far as it can be about them. */
GstGlesBinding gst_gles_tiles_records (GstGlesTiles *tiles, const GstGlesTilesCall *call);

/* ---- tiles-local.c ---- */

/* Reads @text (nullable): `local`, `sorts` and what gst_gles_variant_parse() takes, joined by +. Errors:
 * SETTINGS. */
gboolean gst_gles_tiles_variant_parse (
    const gchar *text, GstGlesTilesVariant *variant, GError **error);
void gst_gles_tiles_local_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);
/* Allocates and builds what a plan needs to sort lists one by one, if it does so in any call. */
gboolean gst_gles_tiles_local_build (GstGlesTiles *tiles, GError **error);
/* Safe on what gst_gles_tiles_local_build() failed on. */
void gst_gles_tiles_local_clear (GstGlesTiles *tiles);
/* Queues a call of at most local.max_records records, up to the keys of entries. */
gboolean gst_gles_tiles_local_queue (GstGlesTiles *tiles, const GstGlesTilesCall *call,
    const GstGlesTilesPass *pass, GError **error);

/* ---- tiles.c ---- */

/* Words of a record of the plan's source. */
guint gst_gles_tiles_record_words (const GstGlesTiles *tiles);

G_END_DECLS

#endif
