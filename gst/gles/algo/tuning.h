/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the histogram chooses by device: one row per class of device, apart from the algorithm. */
#ifndef GST_GLES_TUNING_H
#define GST_GLES_TUNING_H

#include <gst/gles/device/device.h>

G_BEGIN_DECLS

typedef struct {
  const gchar *device_class; /* "software", "nvidia", "hardware", "minimum" */
  /* counters in function scope, up to so many; 0: never */
  guint private_max_counters;
  guint private_array_max;   /* when forced: the largest array that compilers take */
  guint private_invocations; /* of a workgroup: one SIMD vector of the host */
  /* ... where a cell has at least so many samples per counter; below, global ones */
  guint private_min_samples;
  /* image loads are texel fetches, where the device can */
  gboolean texels;
  /* counters in shared memory */
  guint shared_invocations;
  guint shared_words;
  guint table_words;  /* ... for tables of narrow counters: all there are */
  guint shared_units; /* 16-byte rows that an invocation should have, to pay for the merge */
  guint shared_max_groups;
  /* ... and for cells of less than two rows per invocation */
  guint small_invocations;
  guint small_words;
  /* ... where a workgroup has at least one sample for so many counters; below, global ones */
  guint shared_max_counters_per_sample;
  guint global_invocations;
  /* where a cell has fewer samples, samples look for their cells instead of cells for samples */
  guint scatter_max_samples;
  guint difference_invocations;
  /* workgroups are dealt out to the processors in advance, in equal shares */
  gboolean per_processor;
  /* frames whose samples are read at most so often are read from mapped memory, without a copy on the
   * device */
  guint max_reads_in_place;
} GstGlesHistogramTuning;

/* The rows, software first: n of them. */
const GstGlesHistogramTuning *gst_gles_histogram_tuning_rows (guint *n_rows);

/* The row for @device, which has GL: that of its class, or "minimum" where its limits are lower than
 * what the class asks for. Thread: any. */
const GstGlesHistogramTuning *gst_gles_histogram_tuning_get (GstGlesDevice *device);

/* How often kernels may read a frame from mapped memory before a copy on the device is faster; 0: always
 * copy. On a device without GL, 0. Thread: any. */
GST_GLES_API guint gst_gles_tuning_get_max_reads_in_place (GstGlesDevice *device);

/* ---- forced variants, for tests and measurements ---- */

typedef enum {
  GST_GLES_HISTOGRAM_FORCE_PRIVATE = 1 << 0, /* counters: at most one of these four */
  GST_GLES_HISTOGRAM_FORCE_SHARED = 1 << 1,
  GST_GLES_HISTOGRAM_FORCE_PACKED = 1 << 2,
  GST_GLES_HISTOGRAM_FORCE_GLOBAL = 1 << 3,
  GST_GLES_HISTOGRAM_FORCE_GENERIC = 1 << 4, /* one sample at a time */
  GST_GLES_HISTOGRAM_FORCE_MASKED = 1 << 5,  /* rows, also where the plane is one stream */
  GST_GLES_HISTOGRAM_FORCE_STORAGE = 1 << 6, /* no texel fetches */
  GST_GLES_HISTOGRAM_FORCE_DIRECT = 1 << 7,  /* grids are counted in `bins`, not at native depth */
  GST_GLES_HISTOGRAM_FORCE_SCATTER = 1 << 8  /* every sample looks for its cell */
} GstGlesHistogramForce;

/* GST_GLES_HISTOGRAM_VARIANT: the words private, shared, packed, global, generic, masked, storage,
 * direct and scatter, joined by `+`; "" and "auto" force nothing. A variant that cannot serve a
 * configuration (private counters for 65536 bins) is not used for it.
 * Errors: SETTINGS (a word that means nothing, two kinds of counters). */
gboolean gst_gles_histogram_tuning_force (GstGlesHistogramForce *force, GError **error);

G_END_DECLS

#endif
