/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tuning rows of histograms, of frames and of arrays: the numbers that depend on the class of
 * device. */
#ifndef GST_GLES_FRAME_HISTOGRAM_TUNING_H
#define GST_GLES_FRAME_HISTOGRAM_TUNING_H

#include <gst/gles/device/device.h>

G_BEGIN_DECLS

/* Where a kernel counts. */
typedef enum {
  GST_GLES_COUNTERS_PRIVATE,
  GST_GLES_COUNTERS_SHARED,
  GST_GLES_COUNTERS_GLOBAL
} GstGlesCounters;

typedef struct {
  /* Private counters: used up to this many counters; 0: only when forced. */
  guint private_max_counters;
  guint
      private_array_max; /* the largest array that compilers accept, for forced private counters */
  guint private_invocations; /* workgroup size: one SIMD vector of the host */
  /* Cells with fewer samples per counter use global counters. */
  guint private_min_samples;
  /* Shared counters: */
  guint shared_invocations;
  guint shared_words;
  guint table_words;  /* shared memory for tables of narrow counters: all that the class has */
  guint shared_units; /* units per invocation that pay for merging the counters */
  guint shared_max_groups;
  /* Shared counters of cells with fewer than two units per invocation: */
  guint small_invocations;
  guint small_words;
  /* Workgroups with more counters per sample use global counters. */
  guint shared_max_counters_per_sample;
  guint global_invocations;
  /* In grids with fewer samples per cell, an invocation takes any sample and computes its cell. */
  guint scatter_max_samples;
  guint difference_invocations;
  /* The driver assigns workgroups to the processors in advance, in equal shares. */
  gboolean per_processor;
  /* The driver ends loops after 65535 iterations. */
  gboolean limited_loops;
} GstGlesFrameHistogramTuning;

/* All rows; stores their number in @n_rows. */
const GstGlesFrameHistogramTuning *gst_gles_frame_histogram_tuning_rows (guint *n_rows);

/* The row of the class of @device, which must have GL. Thread: any. */
const GstGlesFrameHistogramTuning *gst_gles_frame_histogram_tuning_get (GstGlesDevice *device);

/* ---- forced variants, for tests and measurements ---- */

typedef enum {
  GST_GLES_FRAME_HISTOGRAM_FORCE_PRIVATE = 1 << 0, /* counters: at most one of the first four */
  GST_GLES_FRAME_HISTOGRAM_FORCE_SHARED = 1 << 1,
  GST_GLES_FRAME_HISTOGRAM_FORCE_PACKED = 1 << 2,
  GST_GLES_FRAME_HISTOGRAM_FORCE_GLOBAL = 1 << 3,
  GST_GLES_FRAME_HISTOGRAM_FORCE_GENERIC = 1 << 4, /* read one sample at a time */
  GST_GLES_FRAME_HISTOGRAM_FORCE_MASKED = 1 << 5, /* read by rows even if a plane is one long row */
  GST_GLES_FRAME_HISTOGRAM_FORCE_DIRECT = 1
      << 6, /* count grids in `bins` instead of at native depth */
  GST_GLES_FRAME_HISTOGRAM_FORCE_SCATTER = 1 << 7 /* each sample computes its cell */
} GstGlesFrameHistogramForce;

/* Parses GST_GLES_FRAME_HISTOGRAM_VARIANT: the words private, shared, packed, global, generic,
 * masked, direct and scatter, joined by `+`; "" and "auto" force nothing. A plan ignores a
 * variant that is impossible for its configuration (private counters for 65536 bins).
 * Errors: SETTINGS (an unknown word, two kinds of counters). */
gboolean gst_gles_frame_histogram_tuning_force (GstGlesFrameHistogramForce *force, GError **error);

G_END_DECLS

#endif
