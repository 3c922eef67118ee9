/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the library itself and its tests may know of histograms of arrays. */
#ifndef GST_GLES_ARRAY_HISTOGRAM_PRIVATE_H
#define GST_GLES_ARRAY_HISTOGRAM_PRIVATE_H

#include <gst/gles/algo/array-histogram.h>
#include <gst/gles/algo/array.h>
#include <gst/gles/algo/histogram-private.h>

G_BEGIN_DECLS

/* What decides the code of the counting kernel, besides the tuning row. */
typedef struct {
  guint bytes;   /* of a key */
  guint binning; /* BINNING of array-histogram_count.comp */
  gboolean ranged;
  GstGlesHistogramCounters counters;
  guint private_size; /* 0 unless private */
  guint shared_words; /* 0 unless shared */
  gboolean packed, ranges_odd;
  gboolean gathers; /* GATHERS there */
  guint field_bits; /* of array-histogram_tables.comp, which counts then; else 0 */
} GstGlesArrayHistogramKind;

/* What is forced. */
typedef struct {
  GstGlesVariant common;       /* window=, groups=, rows= and invocations= mean something here */
  GstGlesHistogramForce force; /* private, shared, packed, global or 0 */
  gboolean tables;             /* narrow counters, of as many bits as there is room for */
} GstGlesArrayHistogramVariant;

/* Reads @text (nullable): private, shared, packed, tables or global, and what gst_gles_variant_parse() takes.
 * Counters that cannot serve a number of bins are not used for it. Errors: SETTINGS. */
gboolean gst_gles_array_histogram_variant_parse (
    const gchar *text, GstGlesArrayHistogramVariant *variant, GError **error);

/* A plan with a forced variant, whatever the environment says. */
GstGlesArrayHistogram *gst_gles_array_histogram_new_full (GstGlesQueue *queue, GstGlesKeyType type,
    guint bins, guint32 lower, guint64 upper, guint capacity,
    const GstGlesArrayHistogramVariant *variant, GError **error);

/* What the plan consists of; the second is of no meaning on a cpu device. */
const GstGlesArray *gst_gles_array_histogram_get_array (GstGlesArrayHistogram *histogram);
const GstGlesArrayHistogramKind *gst_gles_array_histogram_get_kind (
    GstGlesArrayHistogram *histogram);

/* Calls @func for every program that a plan on any device can ask for. */
void gst_gles_array_histogram_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

/* ---- array-histogram-programs.c ---- */

/* How keys are counted on @tuning's class of devices: counters for @bins, in arrays of at most
 * @capacity keys. */
void gst_gles_array_histogram_choose (const GstGlesHistogramTuning *tuning,
    const GstGlesArrayHistogramVariant *variant, guint bins, guint capacity,
    GstGlesArrayHistogramKind *kind);

/* Workgroups and what they take at a time, at most @window keys of at most @capacity. */
void gst_gles_array_histogram_shape (const GstGlesArrayHistogramKind *kind,
    const GstGlesHistogramTuning *tuning, guint bins, guint capacity, guint window,
    GstGlesShape *shape);

void gst_gles_array_histogram_spec (const GstGlesArrayHistogramKind *kind,
    const GstGlesHistogramTuning *tuning, guint invocations, GstGlesProgramSpec *spec);

/* ---- array-histogram-tables.c ---- */

/* Bits of a counter, when all of @bins are to be in @words of shared memory; 0: they cannot be. */
guint gst_gles_array_histogram_field_bits (guint bins, guint words);

/* How @pass->bins counters of @field_bits make a table, and how many keys of @key_bytes share one. */
void gst_gles_array_histogram_set_table (
    GstGlesArrayHistogramPass *pass, guint field_bits, guint key_bytes);

/* Words of the carries, and the number of tables. */
guint gst_gles_array_histogram_carry_words (
    const GstGlesArrayHistogramPass *pass, guint field_bits);

/* Tables of @n_groups workgroups that count @n keys of @key_bytes. */
guint gst_gles_array_histogram_n_tables (
    const GstGlesArrayHistogramPass *pass, guint key_bytes, guint n_groups, guint n);

void gst_gles_array_histogram_sum_spec (
    const GstGlesHistogramTuning *tuning, guint field_bits, GstGlesProgramSpec *spec);

G_END_DECLS

#endif
