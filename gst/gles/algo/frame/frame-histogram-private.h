/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frame histogram: the declarations that its files share. A job is one sweep over the samples of a
 * plane; a pass is a dispatch of jobs that share a program; the plan owns both. */
#ifndef GST_GLES_FRAME_HISTOGRAM_PRIVATE_H
#define GST_GLES_FRAME_HISTOGRAM_PRIVATE_H

#include <gst/gles/algo/frame/frame-histogram.h>
#include <gst/gles/algo/frame/frame-histogram-tuning.h>
#include <gst/gles/algo/frame/frame-overview-private.h>
#include <gst/gles/algo/frame/plan.h>
#include <gst/gles/cpu/frame/frame-histogram.h>
#include <gst/gles/cpu/frame/spans.h>
#include <gst/gles/gl/submission.h>
#include <glsl/frame/frame-histogram-layout.h>

G_BEGIN_DECLS

/* Selects, with the tuning row, the specialisation of the counting kernel. The members are its
 * defines. Kinds are compared as bytes, so unused members must have a fixed value. */
typedef struct {
  gboolean wide;
  guint bytes, lanes; /* 1 and 4 unless wide */
  gboolean lane_map, luma, masked, scatter;
  GstGlesCounters counters;
  guint private_size;     /* 0 unless private */
  gboolean packed, small; /* small: shared counters of a small workgroup */
  gboolean mask;          /* with a bit for each sample; masked too where wide */
} GstGlesFrameHistogramKind;

/* The uniform block of the counting kernel. */
typedef struct {
  GstGlesFrameHistogramShape shape;
  GstGlesFrameHistogramJob jobs[GST_GLES_FRAME_HISTOGRAM_MAX_JOBS];
  GstGlesComponent components[GST_GLES_FRAME_HISTOGRAM_MAX_JOBS];
  GstGlesFrameHistogramDifference channels[GST_GLES_FRAME_HISTOGRAM_MAX_JOBS];
} GstGlesFrameHistogramCountParams;

/* A stage counts histograms of some channels, for the region or for each cell. */
typedef struct {
  gboolean cells;   /* one histogram per cell of the grid; else the region is one cell */
  gboolean scale;   /* bin = value * bins >> depth; else bin = value */
  gboolean scratch; /* counts into the plan's scratch buffer; else into the counts */
  guint n_channels;
  struct {
    guint channel; /* index of the plan's channel */
    guint bins;
    guint out_base; /* index of the first counter in the buffer */
  } channels[GST_GLES_MAX_COMPONENTS];
} GstGlesFrameHistogramStage;

typedef struct {
  GstGlesFrameHistogramKind kind;
  GstGlesFrameHistogramJob params; /* all members except first_group and parts */
  GstGlesComponent components[GST_GLES_MAX_COMPONENTS];
  guint n_components;
  guint64 n_units;                                       /* estimate for all cells together */
  guint64 cell_units;                                    /* no cell has more */
  guint64 n_samples;                                     /* of all cells together */
  const GstGlesCpuSpans *spans[GST_GLES_MAX_COMPONENTS]; /* of the components; NULL: no mask */
} GstGlesFrameHistogramPlannedJob;

/* A dispatch of the counting kernel. */
typedef struct {
  GstGlesFrameHistogramKind kind;
  GstGlesProgram *program;
  gboolean scratch;
  guint groups[3];
  GstGlesFrameHistogramCountParams params;
} GstGlesFrameHistogramPass;

#define GST_GLES_FRAME_HISTOGRAM_MAX_PASSES (4 * GST_GLES_MAX_COMPONENTS)

typedef struct {
  GstGlesProgram *program;
  gboolean rebin;
  guint groups[3];
  GstGlesFrameHistogramFold params[GST_GLES_FRAME_HISTOGRAM_MAX_JOBS];
} GstGlesFrameHistogramFoldPass;

struct _GstGlesFrameHistogram {
  GstGlesFramePlan plan;
  const GstGlesFrameHistogramTuning *tuning; /* NULL on cpu */
  GstGlesFrameHistogramForce force;
  GstGlesFrameHistogramConfig config;
  GstGlesFrameHistogramLayout layout;
  GstGlesFrameChannel channels[GST_GLES_MAX_COMPONENTS];
  GstGlesCpuSpans *outside; /* of the first channel, if few of its samples are; nullable */

  /* Devices with GL only: */
  guint64 n_units_read; /* units of the picture that all passes read */
  guint n_passes;
  GstGlesFrameHistogramPass passes[GST_GLES_FRAME_HISTOGRAM_MAX_PASSES];
  guint n_folds;
  GstGlesFrameHistogramFoldPass folds[2];
  GstGlesProgram *clear, *difference; /* NULL where a plan does not need them */
  GstGlesFrameHistogramDifference differences[GST_GLES_FRAME_HISTOGRAM_MAX_JOBS];
  GstGlesFrameOverview *overview; /* NULL without `overview` */
  GArray *mask_words;             /* the bits of the jobs, nullable */
  GstGlesBuffer *mask;            /* the same on the device */
  GstGlesBuffer *scratch;         /* cells at native depth, nullable */
  gsize scratch_bytes;
  /* With few native counters and no grid: workgroups add to this accumulator, and the last one to
   * finish flushes and clears it. Nullable. */
  GstGlesBuffer *accumulator;
  gsize accumulator_bytes;
  gboolean dirty; /* a run failed, so the accumulator may not be zero */
};

/* ---- frame-histogram-native.c ---- */

/* Sets @shape: the region, with @cells the grid over it, all samples. */
void gst_gles_frame_histogram_shape (const GstGlesFrameHistogram *histogram, gboolean cells,
    guint bins, GstGlesCpuFrameHistogramShape *shape);
/* ---- frame-histogram-jobs.c ---- */

/* Plans the jobs of @stage into @jobs, at most GST_GLES_MAX_COMPONENTS, and returns their
 * number. */
guint gst_gles_frame_histogram_plan_jobs (const GstGlesFrameHistogram *histogram,
    const GstGlesFrameHistogramStage *stage, GstGlesFrameHistogramPlannedJob *jobs);

/* ---- frame-histogram-mask.c ---- */

/* Appends the bits of the samples of @job, which has a mask, and says in its parameters where they
 * are. */
void gst_gles_frame_histogram_add_mask (
    GstGlesFrameHistogram *histogram, GstGlesFrameHistogramPlannedJob *job);
/* Brings the bits of all jobs to the device, if there are any. */
gboolean gst_gles_frame_histogram_upload_mask (GstGlesFrameHistogram *histogram, GError **error);

/* ---- frame-histogram-plan.c ---- */

/* Sets the passes and folds of the plan, except their programs. */
void gst_gles_frame_histogram_plan (GstGlesFrameHistogram *histogram);

/* ---- frame-histogram-programs.c ---- */

/* The size of the array for @n_counters private counters; 0 if no array is large enough. */
guint gst_gles_frame_histogram_private_size (const GstGlesFrameHistogramKind *kind,
    const GstGlesFrameHistogramTuning *tuning, guint n_counters);
/* The invocations of a workgroup of the counting kernel. */
guint gst_gles_frame_histogram_local_size (
    const GstGlesFrameHistogramKind *kind, const GstGlesFrameHistogramTuning *tuning);
void gst_gles_frame_histogram_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

/* Builds the programs, and dispatches each once without work. */
gboolean gst_gles_frame_histogram_build (GstGlesFrameHistogram *histogram, GError **error);

/* Returns the program that compares counts with those of the frame before. */
GstGlesProgram *gst_gles_frame_histogram_get_difference (GstGlesQueue *queue, GError **error);

/* Builds the program that clears, unless it is there. */
gboolean gst_gles_frame_histogram_build_clear (GstGlesFrameHistogram *histogram, GError **error);

G_END_DECLS

#endif
