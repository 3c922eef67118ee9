/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histogram of an array: declarations for the library itself and its tests. */
#ifndef GST_GLES_HISTOGRAM_PRIVATE_H
#define GST_GLES_HISTOGRAM_PRIVATE_H

#include <gst/gles/algo/frame/frame-histogram-tuning.h>
#include <gst/gles/algo/histogram/histogram.h>
#include <gst/gles/algo/plan/array.h>
#include <glsl/histogram/histogram-layout.h>

G_BEGIN_DECLS

/* Selects, with the tuning row, the specialisation of the counting kernel. */
typedef struct {
  guint bytes;   /* bytes per key */
  guint binning; /* BINNING of histogram_count.comp */
  gboolean ranged;
  GstGlesCounters counters;
  guint private_size; /* 0 unless private */
  guint shared_words; /* 0 unless shared */
  gboolean packed;
  gboolean last_block_flush; /* LAST_BLOCK_FLUSH of histogram_count.comp */
  guint field_bits; /* bits of a counter of histogram_tables.comp; 0: that kernel is not used */
} GstGlesHistogramKind;

/* Forced choices, for tests and measurements. */
typedef struct {
  GstGlesVariant common;            /* window=, groups=, rows= and invocations= apply */
  GstGlesFrameHistogramForce force; /* private, shared, packed, global or 0 */
  gboolean tables;                  /* narrow counters, of as many bits as fit */
} GstGlesHistogramVariant;

/* Parses @text (nullable): private, shared, packed, tables or global, and the words that
 * gst_gles_variant_parse() takes. A plan ignores forced counters that cannot hold its bins.
 * Errors: SETTINGS. */
gboolean gst_gles_histogram_variant_parse (
    const gchar *text, GstGlesHistogramVariant *variant, GError **error);

/* The keys and their bins, as gst_gles_histogram_new() takes them. */
typedef struct {
  GstGlesKeyType type;
  guint bins;
  guint32 lower;
  guint64 upper;
} GstGlesHistogramConfig;

/* Makes a plan with @variant instead of the one from the environment. */
GstGlesHistogram *gst_gles_histogram_new_full (GstGlesQueue *queue,
    const GstGlesHistogramConfig *config, guint capacity, const GstGlesHistogramVariant *variant,
    GError **error);

/* The parts of a plan, for tests. The kind is meaningless on a cpu device. */
const GstGlesArray *gst_gles_histogram_get_array (GstGlesHistogram *histogram);
const GstGlesHistogramKind *gst_gles_histogram_get_kind (GstGlesHistogram *histogram);

/* Calls @func once for every program that a plan on any device can use. */
void gst_gles_histogram_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

/* ---- histogram-programs.c ---- */

/* Chooses the counters for @bins and arrays of at most @capacity keys, on the class of devices that
 * @tuning is for. */
void gst_gles_histogram_choose (const GstGlesFrameHistogramTuning *tuning,
    const GstGlesHistogramVariant *variant, guint bins, guint capacity, GstGlesHistogramKind *kind);

/* Returns the grid and the tile size for windows of at most @window keys out of @capacity. */
GstGlesShape gst_gles_histogram_shape (const GstGlesHistogramKind *kind,
    const GstGlesFrameHistogramTuning *tuning, guint bins, guint capacity, guint window);

/* Describes the counting kernel with workgroups of @invocations. */
void gst_gles_histogram_spec (const GstGlesHistogramKind *kind,
    const GstGlesFrameHistogramTuning *tuning, guint invocations, GstGlesProgramSpec *spec);

/* ---- histogram-tables.c ---- */

/* Returns the bits per counter with which a table fits @words of shared memory; 0: none does. */
guint gst_gles_histogram_field_bits (guint words);

/* Returns the most units of keys of @key_bytes that are counted into one table of @bins. */
guint gst_gles_histogram_task_units (guint bins, guint field_bits, guint key_bytes);

/* The number of tables that @n_groups workgroups write for @n keys of @key_bytes. */
guint gst_gles_histogram_n_tables (
    const GstGlesHistogramPass *pass, guint key_bytes, guint n_groups, guint n);

/* Describes the kernel that sums the tables. */
void gst_gles_histogram_sum_spec (
    const GstGlesFrameHistogramTuning *tuning, guint field_bits, GstGlesProgramSpec *spec);

G_END_DECLS

#endif
