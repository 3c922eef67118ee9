/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the sort, its tests and other algorithms of the library know of it. */
#ifndef GST_GLES_SORT_PRIVATE_H
#define GST_GLES_SORT_PRIVATE_H

#include <gst/gles/algo/array.h>
#include <gst/gles/algo/sort-tuning.h>
#include <gst/gles/algo/sort.h>
#include <gst/gles/cpu/sort.h>

G_BEGIN_DECLS

#define GST_GLES_SORT_SERIAL_SPINE_INVOCATIONS 8

/* Keys of a single invocation at most: llvmpipe ends its loops after 65535 rounds in all, and two loops over
 * the digits come before and behind that over the keys. Positions within fit 16 bits, too. */
#define GST_GLES_SORT_SERIAL_MAX_KEYS 60000u

/* Where a pass reads and writes: the caller's buffers, or records of ours. */
typedef enum {
  GST_GLES_SORT_CALLER,
  GST_GLES_SORT_RECORDS,
  GST_GLES_SORT_N_FORMS
} GstGlesSortForm;

struct _GstGlesSort {
  GstGlesArray array; /* what all plans are; none of its shapes and programs */
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
  guint tile;               /* keys */
  guint n_chunks;           /* serial */
  guint n_buckets, buckets; /* serial: highest digits, 0: never split; the word of the state */
  guint n_bucket_passes;
  guint totals, tiles[2];    /* words of the state: see GstGlesSortPass */
  guint next_totals;         /* look-back: of the next sort; the two take turns */
  GstGlesBuffer *records[2]; /* what passes hand on; NULL where not needed */
  /* records are too large for one storage block: they are keys alone, and these the payloads */
  GstGlesBuffer *payloads[2];
  gboolean separate;
  GstGlesProgram *setup, *histogram, *spine, *copy;
  GstGlesProgram *decide, *bucket[GST_GLES_SORT_N_FORMS]; /* serial, where keys may be split: to */
  GstGlesProgram *count[GST_GLES_SORT_N_FORMS];
  GstGlesProgram *scatter[GST_GLES_SORT_N_FORMS][GST_GLES_SORT_N_FORMS]; /* from, to */
};

/* A plan with a forced variant, whatever the environment says. */
GstGlesSort *gst_gles_sort_new_full (GstGlesQueue *queue, const GstGlesSortConfig *config,
    guint capacity, const GstGlesSortVariant *variant, GError **error);

/* Calls @func for every program that a plan on any device can ask for. */
void gst_gles_sort_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

/* One call. */
typedef struct {
  GstGlesBuffer *keys_in, *payloads_in;   /* payloads_in: (nullable) */
  GstGlesBuffer *keys_out, *payloads_out; /* payloads_out: NULL without payload */
  GstGlesCount count;
  guint limit;       /* the most keys it can be about */
  gboolean prepared; /* the state says already how many there are */
} GstGlesSortCall;

/* For kernels that count the keys and write what a sort of so many begins with (lib/sort_setup.glsl): the
 * state that they have to bind, and what they have to know. */
void gst_gles_sort_get_setup (
    GstGlesSort *sort, GstGlesBinding *state, guint *tile, guint *max_groups_x);
/* A sort of as many keys as such a kernel has counted, at most what the plan and the buffers hold. */
gboolean gst_gles_sort_run_prepared (GstGlesSort *sort, GstGlesBuffer *keys_in,
    GstGlesBuffer *payloads_in, GstGlesBuffer *keys_out, GstGlesBuffer *payloads_out,
    GError **error);

/* ---- sort-programs.c ---- */

/* Chooses how to go about it, allocates scratch memory and builds the kernels. */
gboolean gst_gles_sort_build (GstGlesSort *sort, GError **error);

/* ---- sort-passes.c ---- */

/* Queues all passes of a call whose arguments are checked, inside a submission. */
gboolean gst_gles_sort_queue (GstGlesSort *sort, const GstGlesSortCall *call, GError **error);
/* What is XORed to words of keys so that they compare as unsigned numbers: to all, and to those whose highest bit
 * is set besides. FALSE: nothing. */
gboolean gst_gles_sort_get_flips (
    const GstGlesSortConfig *config, guint32 *flip, guint32 *sign_flip);

G_END_DECLS

#endif
