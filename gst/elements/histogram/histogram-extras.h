/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What gleshistogram measures of a picture beside its counters, with a plan for each measure: their
 * words lie behind the counters, one after the other. */
#ifndef HISTOGRAM_EXTRAS_H
#define HISTOGRAM_EXTRAS_H

#include <gst/gles/algo/frame/plan.h>

#include "histogram-settings.h"

G_BEGIN_DECLS

typedef enum {
  HISTOGRAM_FLASH,
  HISTOGRAM_CROP,
  HISTOGRAM_OUTLIERS,
  HISTOGRAM_N_EXTRAS
} HistogramExtraKind;

/* What the settings ask for. */
typedef struct {
  gboolean wanted[HISTOGRAM_N_EXTRAS];
  guint crop_limit; /* a code value */
  gboolean luma;    /* outliers are those of luma */
} HistogramExtrasConfig;

/* A measure. All zero: nothing is known of a picture. */
typedef struct {
  gpointer plan;         /* nullable */
  guint8 *validate_kept; /* what the twin keeps of the last picture */
  gboolean is_unknown;   /* the twin does not know the picture before */
} HistogramExtra;

/* Returns what @settings ask for of pictures laid out as @image. */
HistogramExtrasConfig histogram_extras_place (
    const HistogramSettings *settings, const GstGlesImage *image);
/* Returns the bytes of all words. */
gsize histogram_extras_bytes (const HistogramExtrasConfig *config);
/* Sets what @info has of words that begin with word @offset, a multiple of 4. */
void histogram_extras_describe (
    const HistogramExtrasConfig *config, guint offset, GstGlesHistogramInfo *info);

/* Frees plans, and what twins keep. */
void histogram_extras_drop (HistogramExtra *extras);
/* Forgets the last picture. */
void histogram_extras_forget (HistogramExtra *extras);
/* The pictures that plans are for. */
typedef struct {
  GstGlesQueue *queue;
  const GstGlesImage *image;
  GstGlesFrameRegion region;
} HistogramExtrasInput;

/* Makes the plans that are wanted and not there. Errors: those of the plans. */
gboolean histogram_extras_make (HistogramExtra *extras, const HistogramExtrasConfig *config,
    const HistogramExtrasInput *input, GError **error);
/* Queues all measures of @image; their words begin with word @offset of @counts. */
gboolean histogram_extras_run (HistogramExtra *extras, const GstGlesImage *image,
    GstGlesBuffer *counts, guint offset, GError **error);
/* As gst_gles_frame_plan_save() and gst_gles_frame_plan_restore(). */
gboolean histogram_extras_save (HistogramExtra *extras, GError **error);
void histogram_extras_restore (HistogramExtra *extras);

/* For `validate`: @follows: twins have seen the picture before; @is_first: there is none. */
void histogram_extras_begin_twins (HistogramExtra *extras, gboolean follows, gboolean is_first);
/* Writes what twins measure to @words. Errors: NO_MEMORY. */
gboolean histogram_extras_expect (
    HistogramExtra *extras, const GstGlesImage *image, guint32 *words, GError **error);
/* Sets the words that a twin does not know to 0. */
void histogram_extras_clear_unknown (const HistogramExtra *extras, guint32 *words);

G_END_DECLS

#endif
