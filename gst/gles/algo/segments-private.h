/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the segments and their tests know of them. */
#ifndef GST_GLES_SEGMENTS_PRIVATE_H
#define GST_GLES_SEGMENTS_PRIVATE_H

#include <gst/gles/algo/array.h>
#include <gst/gles/algo/segments.h>

G_BEGIN_DECLS

/* What is made of the values of a run: STAT of glsl/lib/segments_node.glsl, largest as smallest. */
typedef enum {
  GST_GLES_SEGMENTS_SUM,
  GST_GLES_SEGMENTS_SUM_64,
  GST_GLES_SEGMENTS_SUM_F32,
  GST_GLES_SEGMENTS_MIN,
  GST_GLES_SEGMENTS_N_STATS
} GstGlesSegmentsStat;

#define GST_GLES_SEGMENTS_N_LENGTHS 4 /* OUTPUTS of segments_lengths */

struct _GstGlesSegments {
  GstGlesArray array;
  GstGlesBuffer *scratch; /* where runs begin, then nodes of the tree */
  guint tree;             /* the word where nodes begin */
  guint leaves;           /* room for nodes on the lowest level */
  /* made when first used */
  GstGlesProgram *counting[2];   /* by words of a key, less one */
  GstGlesProgram *writing[2][2]; /* likewise; with keys */
  GstGlesProgram *lengths[GST_GLES_SEGMENTS_N_LENGTHS];
  GstGlesProgram *tree_first[GST_GLES_SEGMENTS_N_STATS], *tree_next[GST_GLES_SEGMENTS_N_STATS];
  GstGlesProgram *folding[GST_GLES_SEGMENTS_N_STATS];
};

/* One call, its arguments checked. */
typedef struct {
  guint key_words;
  GstGlesValueType key_type, value_type;
  GstGlesBuffer *keys, *values; /* values: (nullable) */
  GstGlesCount count;
  GstGlesSegmentsOutputs outputs;
  guint limit;     /* the most keys it can be about */
  guint max_count; /* entries the outputs hold */
} GstGlesSegmentsCall;

/* A plan with a forced variant, whatever the environment says. */
GstGlesSegments *gst_gles_segments_new_full (
    GstGlesQueue *queue, guint capacity, const GstGlesVariant *variant, GError **error);

/* Calls @func for every program that a plan on any device can ask for. */
void gst_gles_segments_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

/* Queues a call, inside a submission. */
gboolean gst_gles_segments_queue (
    GstGlesSegments *segments, const GstGlesSegmentsCall *call, GError **error);

G_END_DECLS

#endif
