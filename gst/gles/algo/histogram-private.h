/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the histogram know of each other: jobs (passes over the samples of a plane),
 * passes (dispatches of jobs that share a program), and the plan that holds them. */
#ifndef GST_GLES_HISTOGRAM_PRIVATE_H
#define GST_GLES_HISTOGRAM_PRIVATE_H

#include <gst/gles/algo/histogram.h>
#include <gst/gles/algo/tuning.h>
#include <gst/gles/gl/submission.h>

G_BEGIN_DECLS

typedef enum {
  GST_GLES_HISTOGRAM_PRIVATE,
  GST_GLES_HISTOGRAM_SHARED,
  GST_GLES_HISTOGRAM_GLOBAL
} GstGlesHistogramCounters;

/* What decides the code of the counting kernel, besides the tuning row: its defines. */
typedef struct {
  gboolean wide;
  guint bytes, lanes; /* 1 and 4 where they mean nothing: equal kinds are equal bytes */
  gboolean big_endian, lane_map, luma, masked, scatter, scale;
  GstGlesHistogramCounters counters;
  guint private_size;             /* 0 unless private */
  gboolean packed, small, texels; /* small: shared counters of a small workgroup */
} GstGlesHistogramKind;

/* The uniform block of the counting kernel. */
typedef struct {
  GstGlesHistogramShape shape;
  GstGlesHistogramJob jobs[GST_GLES_HISTOGRAM_MAX_JOBS];
  GstGlesComponent components[GST_GLES_HISTOGRAM_MAX_JOBS];
  GstGlesHistogramDifference channels[GST_GLES_HISTOGRAM_MAX_JOBS];
} GstGlesHistogramCountParams;

/* One channel of what is asked for. */
typedef struct {
  const gchar *name;
  gboolean luma;     /* from components 0, 1, 2 by the matrix */
  guint component;   /* the (first) component */
  guint depth;       /* of its values */
  guint64 n_samples; /* in the region */
} GstGlesHistogramChannel;

/* What a stage counts: histograms of @bins of some channels, for the region or for each cell. */
typedef struct {
  gboolean cells;   /* the grid, else the region as one cell */
  gboolean scale;   /* bin = value * bins >> depth, else value */
  gboolean scratch; /* into the plan's scratch buffer, else the counts */
  guint n_channels;
  struct {
    guint channel; /* of the plan */
    guint bins;
    guint out_base; /* word of the first counter */
  } channels[GST_GLES_MAX_COMPONENTS];
} GstGlesHistogramStage;

typedef struct {
  GstGlesHistogramKind kind;
  GstGlesHistogramJob params; /* all but first_group, parts */
  GstGlesComponent components[GST_GLES_MAX_COMPONENTS];
  guint n_components;
  guint64 n_units;   /* of all cells together, about */
  guint64 n_samples; /* likewise */
} GstGlesHistogramPlannedJob;

/* A dispatch of the counting kernel. */
typedef struct {
  GstGlesHistogramKind kind;
  GstGlesProgram *program;
  gboolean scratch;
  guint groups[3];
  GstGlesHistogramCountParams params;
} GstGlesHistogramPass;

#define GST_GLES_HISTOGRAM_MAX_PASSES (4 * GST_GLES_MAX_COMPONENTS)

typedef struct {
  GstGlesProgram *program;
  gboolean rebin;
  guint groups[3];
  GstGlesHistogramFold params[GST_GLES_HISTOGRAM_MAX_JOBS];
} GstGlesHistogramFoldPass;

struct _GstGlesHistogram {
  GstGlesQueue *queue;
  GstGlesDevice *device;
  const GstGlesHistogramTuning *tuning; /* NULL on cpu */
  GstGlesHistogramForce force;
  GstGlesImage format; /* borrows nothing */
  GstGlesHistogramConfig config;
  GstGlesHistogramLayout layout;
  GstGlesHistogramChannel channels[GST_GLES_MAX_COMPONENTS];

  /* devices with GL */
  guint64 n_units_read; /* 16-byte rows of the picture, by all passes */
  guint n_passes;
  GstGlesHistogramPass passes[GST_GLES_HISTOGRAM_MAX_PASSES];
  guint n_folds;
  GstGlesHistogramFoldPass folds[2];
  GstGlesProgram *clear, *difference;
  GstGlesHistogramDifference differences[GST_GLES_HISTOGRAM_MAX_JOBS];
  GstGlesBuffer *scratch; /* cells at native depth, nullable */
  gsize scratch_bytes;
  /* Few native counters and no grid: they gather here, and the last workgroup moves them out and
   * leaves zeros. Nullable. */
  GstGlesBuffer *gathered;
  gsize gathered_bytes;
  gboolean dirty; /* a failed run may have left something there */
};

/* ---- histogram-jobs.c ---- */

/* The passes over samples that @stage takes: at most GST_GLES_MAX_COMPONENTS jobs. */
guint gst_gles_histogram_plan_jobs (const GstGlesHistogram *histogram,
    const GstGlesHistogramStage *stage, GstGlesHistogramPlannedJob *jobs);

/* ---- histogram-plan.c ---- */

/* Whether luma is made of components that differ in depth. */
gboolean gst_gles_histogram_scales_to_8 (const GstGlesHistogram *histogram);

/* Fills passes and folds, without programs. */
void gst_gles_histogram_plan (GstGlesHistogram *histogram);

/* ---- histogram-programs.c ---- */

void gst_gles_histogram_count_spec (const GstGlesHistogramKind *kind,
    const GstGlesHistogramTuning *tuning, GstGlesProgramSpec *spec);
void gst_gles_histogram_fold_spec (
    gboolean rebin, const GstGlesHistogramTuning *tuning, GstGlesProgramSpec *spec);
void gst_gles_histogram_difference_spec (
    const GstGlesHistogramTuning *tuning, GstGlesProgramSpec *spec);
void gst_gles_histogram_clear_spec (const GstGlesHistogramTuning *tuning, GstGlesProgramSpec *spec);
/* The size of the array that @n_counters private counters take: 0 when that is too large. */
guint gst_gles_histogram_private_size (
    const GstGlesHistogramKind *kind, const GstGlesHistogramTuning *tuning, guint n_counters);
/* Invocations of a workgroup of the counting kernel. */
guint gst_gles_histogram_local_size (
    const GstGlesHistogramKind *kind, const GstGlesHistogramTuning *tuning);
void gst_gles_histogram_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

/* Builds the programs and dispatches each once, empty. */
gboolean gst_gles_histogram_build (GstGlesHistogram *histogram, GError **error);

G_END_DECLS

#endif
