/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Inputs for frame compaction, and their expected output by a plain loop. */
#ifndef FRAME_COMPACT_CASES_H
#define FRAME_COMPACT_CASES_H

#include <gst/gles/algo/frame/frame-compact.h>

#include "frame-histogram-cases.h"

typedef struct {
  guint width, height;
  guint x, y, region_width, region_height; /* all 0: the whole picture */
  guint crop_x, crop_y, crop_width, crop_height;
} FrameSize;

typedef struct {
  GstVideoFormat format;
  Placement placement;
  FrameSize size;
  GstGlesFrameCompactConfig config;
  guint lower, upper;
  guint max_points; /* G_MAXUINT: no limit */
  guint adaptation; /* of a background */
} FrameJob;

/* One point: x and y in halves of a word, as they lie in memory, then the value. */
typedef struct {
  guint16 x, y;
  guint32 value;
} FramePoint;

const gchar *frame_job_describe (const FrameJob *job);
void frame_job_call (const FrameJob *job, const GstGlesImage *host, GstGlesFrameCompactCall *call);

/* The reference of motion: what it is after a frame, and its running averages. */
typedef struct {
  guint32 *values; /* NULL: there was no frame */
  guint64 *averages;
} FrameReference;

void frame_reference_update (FrameReference *reference, const GstGlesImage *host,
    const FrameJob *job, const guint32 *values);
void frame_reference_clear (FrameReference *reference);

/* Returns all samples of the channel @channel, row by row: (transfer full). */
guint32 *frame_job_load (const GstGlesImage *host, gint channel);

/* Every point that passes, of the samples of this picture and of the one before (NULL: none):
 * (transfer full). */
GArray *frame_job_expect (const GstGlesImage *host, const FrameJob *job,
    const GstGlesFrameCompactCall *call, const guint32 *values, const guint32 *before);

#endif
