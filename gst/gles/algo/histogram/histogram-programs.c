/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histogram of an array: chooses counters, grid and program for a class of devices from the tuning
 * rows of the frame histogram, and lists every program that a plan can use. */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/histogram/histogram-private.h>

static const guint private_sizes[] = { 256, 1024, 4096 };

/* The most rounds of loops that a tile takes on llvmpipe (GST_GLES_MAX_ROUNDS). Private counters
 * take one for each unit. Packed counters take two for four units, and flushes, in each of up to
 * eight ranges. */
#define PRIVATE_ROUNDS 4
#define SHARED_ROUNDS 64

/* 16-byte units that an invocation takes per tile. A workgroup is worth starting for one tile. */
#define UNITS 4

/* Below this many keys per counter, clearing and merging private or shared counters costs more than
 * they save, so the counters are global. */
#define MIN_KEYS_PER_COUNTER 2

/* Narrower counters of tables overflow too often to be chosen unless forced. */
#define MIN_FIELD_BITS 5

/* Fewer bins never need tables. Tests force tables of this many. */
#define MIN_TABLE_BINS 1024

/* Keys per counter that justify one flush of a workgroup's counters. */
#define MIN_KEYS_PER_FLUSH 4

/* With few bins a workgroup takes only this much shared memory, which raises occupancy. */
#define FEW_BINS 256
#define FEW_BINS_WORDS 4096

static guint
private_size (const GstGlesFrameHistogramTuning *tuning, guint bins)
{
  for (guint i = 0; i < G_N_ELEMENTS (private_sizes); i++) {
    if (bins <= private_sizes[i] && private_sizes[i] <= tuning->private_array_max)
      return private_sizes[i];
  }
  return 0;
}

static GstGlesCounters
best_counters (
    const GstGlesFrameHistogramTuning *tuning, guint bins, guint capacity, gboolean *packed)
{
  *packed = FALSE;
  if (capacity / MIN_KEYS_PER_COUNTER < bins)
    return GST_GLES_COUNTERS_GLOBAL;
  if (bins <= tuning->private_max_counters)
    return GST_GLES_COUNTERS_PRIVATE;
  if (tuning->per_processor)
    return GST_GLES_COUNTERS_GLOBAL; /* a shared atomic costs as much as a global one */
  *packed = bins > tuning->shared_words;
  return GST_GLES_COUNTERS_SHARED;
}

/* Bits of counters so narrow that all bins fit one range, or 0 to use wider counters. One-byte keys
 * fall into 256 bins at most, so they have no tables. */
static guint
field_bits (const GstGlesFrameHistogramTuning *tuning, const GstGlesHistogramVariant *variant,
    const GstGlesHistogramKind *kind, guint bins)
{
  guint bits = gst_gles_histogram_field_bits (tuning->table_words);

  if (kind->bytes == 1 || bins < MIN_TABLE_BINS)
    return 0;
  if (variant->tables)
    return bits;
  return variant->force == 0 && kind->packed && bins > 2 * tuning->shared_words &&
          bits >= MIN_FIELD_BITS
      ? bits
      : 0;
}

/* Sets shared_words and last_block_flush, which depend on the kind of counters. */
static void
set_shared (
    const GstGlesFrameHistogramTuning *tuning, gboolean few_bins, GstGlesHistogramKind *kind)
{
  gboolean shared = kind->counters == GST_GLES_COUNTERS_SHARED;

  if (kind->field_bits != 0) {
    kind->shared_words = tuning->table_words;
    kind->last_block_flush = FALSE;
    return;
  }
  kind->shared_words = shared ? tuning->shared_words : 0;
  if (shared && few_bins && !kind->packed)
    kind->shared_words = MIN (FEW_BINS_WORDS, tuning->shared_words);
  kind->last_block_flush = shared && !kind->packed && !tuning->per_processor;
}

void
gst_gles_histogram_choose (const GstGlesFrameHistogramTuning *tuning,
    const GstGlesHistogramVariant *variant, guint bins, guint capacity, GstGlesHistogramKind *kind)
{
  kind->counters = best_counters (tuning, bins, capacity, &kind->packed);
  if (variant->force == GST_GLES_FRAME_HISTOGRAM_FORCE_PRIVATE &&
      private_size (tuning, bins) != 0) {
    kind->counters = GST_GLES_COUNTERS_PRIVATE;
  } else if (variant->force == GST_GLES_FRAME_HISTOGRAM_FORCE_PACKED ||
      variant->force == GST_GLES_FRAME_HISTOGRAM_FORCE_SHARED) {
    kind->counters = GST_GLES_COUNTERS_SHARED;
    kind->packed =
        variant->force == GST_GLES_FRAME_HISTOGRAM_FORCE_PACKED || bins > tuning->shared_words;
  } else if (variant->force == GST_GLES_FRAME_HISTOGRAM_FORCE_GLOBAL) {
    kind->counters = GST_GLES_COUNTERS_GLOBAL;
  }
  kind->packed = kind->packed && kind->counters == GST_GLES_COUNTERS_SHARED;
  kind->field_bits = field_bits (tuning, variant, kind, bins);
  if (kind->field_bits != 0) {
    kind->counters = GST_GLES_COUNTERS_SHARED;
    kind->packed = FALSE;
  }
  set_shared (tuning, bins <= FEW_BINS, kind);
  kind->private_size =
      kind->counters == GST_GLES_COUNTERS_PRIVATE ? private_size (tuning, bins) : 0;
}

static guint
local_size (const GstGlesHistogramKind *kind, const GstGlesFrameHistogramTuning *tuning)
{
  if (kind->counters == GST_GLES_COUNTERS_PRIVATE)
    return tuning->private_invocations;
  return kind->counters == GST_GLES_COUNTERS_SHARED ? tuning->shared_invocations
                                                    : tuning->global_invocations;
}

GstGlesShape
gst_gles_histogram_shape (const GstGlesHistogramKind *kind,
    const GstGlesFrameHistogramTuning *tuning, guint bins, guint capacity, guint window)
{
  guint rounds = kind->counters == GST_GLES_COUNTERS_PRIVATE ? PRIVATE_ROUNDS : SHARED_ROUNDS;
  GstGlesShape shape = {
    .team = GST_GLES_TEAM_SHARED,
    .invocations = local_size (kind, tuning),
    .rows = UNITS * 4 / kind->bytes,
    .max_groups = tuning->shared_max_groups,
    .rounds = tuning->limited_loops ? rounds : 0,
  };

  /* One workgroup per multiprocessor: a quarter of the frame histogram's number. Measured on an
   * H100, in us, for 1M, 16M and 64M keys with these parts of that number:
   *   256 bins of u8: a quarter 7.3 11.8 35.0; half 7.3 12.2 32.2; all 7.3 15.6 34.7
   *   65536 bins of u16, with an earlier kernel: an eighth 14.7 46 137; a quarter 14.6 36 82;
   *   half 14.6 41 87 */
  if (kind->counters == GST_GLES_COUNTERS_SHARED && !tuning->per_processor) {
    shape.max_groups /= 4;
    shape.rows = 4;
    /* Fewer workgroups flush fewer counters. H100, in us, 12288 bins, 4M keys, with 33, 66 and 132
     * workgroups: equal keys 14.8 12.8 12.0; random keys 19.5 15.7 15.8. */
    if (kind->field_bits == 0 && capacity / MIN_KEYS_PER_FLUSH / bins < shape.max_groups)
      shape.max_groups /= 2;
  }
  if (kind->counters == GST_GLES_COUNTERS_GLOBAL && !tuning->per_processor)
    shape.max_groups *= MAX (tuning->shared_invocations / shape.invocations, 1);
  while (shape.rows > 1 && gst_gles_shape_tile (&shape) > MIN (window, 1u << 15))
    shape.rows /= 2;
  return shape;
}

void
gst_gles_histogram_spec (const GstGlesHistogramKind *kind,
    const GstGlesFrameHistogramTuning *tuning, guint invocations, GstGlesProgramSpec *spec)
{
  if (kind->field_bits != 0) {
    *spec = (GstGlesProgramSpec){
      .kernel = "histogram_tables",
      .local_size = { invocations, 1, 1 },
      .n_storage = 4,
      .shared_bytes = 4 * kind->shared_words,
      .defines = { { "BYTES", kind->bytes }, { "BINNING", kind->binning },
          { "RANGED", kind->ranged }, { "FIELD_BITS", kind->field_bits } },
    };
    return;
  }
  *spec = (GstGlesProgramSpec){
    .kernel = "histogram_count",
    .local_size = { invocations, 1, 1 },
    .n_storage = 3 + kind->last_block_flush,
    .shared_bytes = 4 * kind->shared_words,
    .defines = { { "BYTES", kind->bytes }, { "BINNING", kind->binning }, { "RANGED", kind->ranged },
        { "COUNTERS", kind->counters }, { "PRIVATE_SIZE", kind->private_size },
        { "SHARED_WORDS", kind->shared_words }, { "PACKED", kind->packed },
        { "LAST_BLOCK_FLUSH", kind->last_block_flush } },
  };
  if (kind->counters == GST_GLES_COUNTERS_PRIVATE)
    spec->shared_bytes = 4 * 256 * invocations; /* merge_counters of histogram_counters.glsl */
  else if (kind->counters == GST_GLES_COUNTERS_GLOBAL)
    spec->shared_bytes = 4 * 8;
}

/* ---- all specialisations ---- */

typedef struct {
  const GstGlesFrameHistogramTuning *tuning;
  GHashTable *seen; /* programs already visited: device classes share many */
  GstGlesSpecialisationFunc func;
  gpointer user_data;
} Walk;

static void
visit_spec (const Walk *walk, const GstGlesProgramSpec *spec)
{
  if (g_hash_table_add (walk->seen, g_bytes_new (spec, sizeof (*spec))))
    walk->func (spec, walk->user_data);
}

static void
visit (const Walk *walk, const GstGlesHistogramKind *kind)
{
  GstGlesProgramSpec spec;

  gst_gles_histogram_spec (kind, walk->tuning, local_size (kind, walk->tuning), &spec);
  visit_spec (walk, &spec);
}

/* Bits of counters of the tables that plans choose or, on software devices, tests force. */
static guint
walked_field_bits (const Walk *walk)
{
  guint bits = gst_gles_histogram_field_bits (walk->tuning->table_words);

  return bits >= MIN_FIELD_BITS || walk->tuning->per_processor ? bits : 0;
}

static void
visit_counters (const Walk *walk, GstGlesHistogramKind kind)
{
  kind.counters = GST_GLES_COUNTERS_PRIVATE;
  for (guint i = 0; i < G_N_ELEMENTS (private_sizes) && walk->tuning->private_max_counters > 0;
       i++) {
    kind.private_size = private_sizes[i];
    if (private_sizes[i] <= walk->tuning->private_array_max)
      visit (walk, &kind);
  }
  kind.private_size = 0;
  kind.counters = GST_GLES_COUNTERS_GLOBAL;
  visit (walk, &kind);
  kind.counters = GST_GLES_COUNTERS_SHARED;
  for (guint few_bins = 0; few_bins < 2; few_bins++) {
    set_shared (walk->tuning, few_bins, &kind);
    visit (walk, &kind);
  }
  kind.packed = TRUE;
  set_shared (walk->tuning, FALSE, &kind);
  visit (walk, &kind);
  kind.packed = FALSE;
  kind.field_bits = walked_field_bits (walk);
  set_shared (walk->tuning, FALSE, &kind);
  if (kind.field_bits != 0 && kind.bytes > 1)
    visit (walk, &kind);
}

static void
visit_sum (const Walk *walk)
{
  guint bits = walked_field_bits (walk);
  GstGlesProgramSpec spec;

  if (bits == 0)
    return;
  gst_gles_histogram_sum_spec (walk->tuning, bits, &spec);
  visit_spec (walk, &spec);
}

void
gst_gles_histogram_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  g_autoptr (GHashTable) seen =
      g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  guint n_rows;
  const GstGlesFrameHistogramTuning *rows = gst_gles_frame_histogram_tuning_rows (&n_rows);

  for (guint i = 0; i < n_rows; i++) {
    const Walk walk = { &rows[i], seen, func, user_data };
    GstGlesHistogramKind kind = { 0 };

    visit_sum (&walk);
    for (kind.bytes = 1; kind.bytes <= 4; kind.bytes *= 2) {
      /* set_binning() in histogram.c: one-byte keys never need a fraction of 64 bits */
      for (kind.binning = 0; kind.binning <= (kind.bytes == 1 ? 1 : 2); kind.binning++) {
        for (guint ranged = 0; ranged < 2; ranged++) {
          kind.ranged = ranged;
          visit_counters (&walk, kind);
        }
      }
    }
  }
}
