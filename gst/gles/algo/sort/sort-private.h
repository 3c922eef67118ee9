/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface between the files of the sort, and for its tests. */
#ifndef GST_GLES_SORT_PRIVATE_H
#define GST_GLES_SORT_PRIVATE_H

#include <gst/gles/algo/plan/array.h>
#include <gst/gles/algo/sort/sort-plan.h>
#include <gst/gles/algo/sort/sort-tuning.h>
#include <gst/gles/algo/sort/sort.h>
#include <gst/gles/cpu/sort/sort.h>

G_BEGIN_DECLS

/* The storage that a pass reads or writes: the caller's buffers, or records in scratch memory. */
typedef enum {
  GST_GLES_SORT_CALLER,
  GST_GLES_SORT_RECORDS,
  GST_GLES_SORT_N_FORMS
} GstGlesSortForm;

struct _GstGlesSort {
  GstGlesArray array; /* the base of all plans; its shapes and programs are not used */
  GstGlesSortConfig config;
  GstGlesSortVariant variant;
  guint key_words, record_words; /* a record is a key and its payload */
  guint n_passes;

  /* cpu */
  GstGlesCpuSortConfig cpu;
  gpointer scratch;

  /* GL */
  const GstGlesSortTuning *tuning;
  GstGlesSortShape shape;
  guint digit_bits;
  guint tile;                  /* keys */
  guint totals, tile_words[2]; /* words of the state: see GstGlesSortPass */
  guint next_totals;           /* look-back: totals of the next sort; the two sets alternate */
  GstGlesBuffer *records[2];   /* records between passes; NULL if not needed */
  /* If records exceed a storage block, `records` holds keys only, and this the payloads. */
  GstGlesBuffer *payloads[2];
  gboolean separate;
  GstGlesProgram *setup, *histogram, *spine, *copy;
  GstGlesProgram *count[GST_GLES_SORT_N_FORMS];
  /* indices: source, target */
  GstGlesProgram *scatter[GST_GLES_SORT_N_FORMS][GST_GLES_SORT_N_FORMS];
};

/* Makes a plan with a forced variant; ignores the environment. */
GstGlesSort *gst_gles_sort_new_full (GstGlesQueue *queue, const GstGlesSortConfig *config,
    guint capacity, const GstGlesSortVariant *variant, GError **error);

/* Calls @func for each program that a plan on any device can use. */
void gst_gles_sort_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

/* One call. */
typedef struct {
  GstGlesBuffer *keys_in, *payloads_in;   /* payloads_in: (nullable) */
  GstGlesBuffer *keys_out, *payloads_out; /* payloads_out: NULL without payload */
  GstGlesCount count;
  guint limit;       /* the largest number of keys */
  gboolean prepared; /* the state already holds the number of keys */
} GstGlesSortCall;

/* ---- sort-programs.c ---- */

/* Chooses shape and digits, allocates scratch memory and builds the kernels. */
gboolean gst_gles_sort_build (GstGlesSort *sort, GError **error);

/* ---- sort-passes.c ---- */

/* Queues all passes of a call with checked arguments. Must be called inside a submission. */
gboolean gst_gles_sort_queue (GstGlesSort *sort, const GstGlesSortCall *call, GError **error);
/* Returns what is XORed to each word of a key, and additionally to words whose highest bit is set,
 * to get unsigned order. Returns FALSE if both are 0. */
gboolean gst_gles_sort_get_flips (
    const GstGlesSortConfig *config, guint32 *flip, guint32 *sign_flip);

G_END_DECLS

#endif
