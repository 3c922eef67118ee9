/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface between the files of segments, and for tests. */
#ifndef GST_GLES_SEGMENTS_PRIVATE_H
#define GST_GLES_SEGMENTS_PRIVATE_H

#include <gst/gles/algo/segments/segments-plan.h>
#include <gst/gles/algo/segments/segments.h>

G_BEGIN_DECLS

/* The statistic of a run's values: STAT of glsl/segments/segments_node.glsl. The largest value is
 * computed as the smallest of flipped keys. */
typedef enum {
  GST_GLES_SEGMENTS_SUM,
  GST_GLES_SEGMENTS_SUM_64,
  GST_GLES_SEGMENTS_SUM_F32,
  GST_GLES_SEGMENTS_MIN,
  GST_GLES_SEGMENTS_N_STATS
} GstGlesSegmentsStat;

#define GST_GLES_SEGMENTS_N_LENGTHS 4 /* values of OUTPUTS of segments_lengths */

struct _GstGlesSegments {
  GstGlesArray array;
  GstGlesBuffer *scratch; /* the starts of runs, then the nodes of the tree */
  guint tree;             /* word of the first node */
  guint leaves;           /* capacity for nodes on the lowest level */
  /* made at first use */
  GstGlesProgram *counting[2];   /* by words of a key, minus one */
  GstGlesProgram *writing[2][2]; /* the same; with keys */
  GstGlesProgram *lengths[GST_GLES_SEGMENTS_N_LENGTHS];
  GstGlesProgram *tree_first[GST_GLES_SEGMENTS_N_STATS], *tree_next[GST_GLES_SEGMENTS_N_STATS];
  GstGlesProgram *folding[GST_GLES_SEGMENTS_N_STATS];
};

/* A call with checked arguments. */
typedef struct {
  guint key_words;
  GstGlesValueType key_type, value_type;
  GstGlesBuffer *keys, *values; /* values: (nullable) */
  GstGlesCount count;
  GstGlesSegmentsOutputs outputs;
  guint limit;     /* the largest number of keys */
  guint max_count; /* capacity of the outputs, in runs */
} GstGlesSegmentsCall;

/* Makes a plan with a forced variant; ignores the environment. */
GstGlesSegments *gst_gles_segments_new_full (
    GstGlesQueue *queue, guint capacity, const GstGlesVariant *variant, GError **error);

/* Calls @func for each program that a plan on any device can use. */
void gst_gles_segments_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

/* Queues a call. Must be called inside a submission. */
gboolean gst_gles_segments_queue (
    GstGlesSegments *segments, const GstGlesSegmentsCall *call, GError **error);

G_END_DECLS

#endif
