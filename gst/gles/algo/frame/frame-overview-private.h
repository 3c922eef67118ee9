/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The overview of a frame, which its histogram owns: 32 bins of luma and the sum of the gradients
 * of each of 4 x 4 areas, over every fourth row of the region. glsl/frame/frame-overview-layout.h
 * says how its words lie. */
#ifndef GST_GLES_FRAME_OVERVIEW_PRIVATE_H
#define GST_GLES_FRAME_OVERVIEW_PRIVATE_H

#include <glsl/frame/frame-overview-layout.h>

#include <gst/gles/algo/frame/frame-histogram-tuning.h>
#include <gst/gles/gl/image.h>
#include <gst/gles/gl/submission.h>

G_BEGIN_DECLS

typedef struct _GstGlesFrameOverview GstGlesFrameOverview;

/* Creates a plan for images laid out as @format on @queue, whose device has GL; the region is the
 * one of @shape. Builds the program and dispatches it once without work. The queue outlives the
 * plan. Errors: NO_MEMORY, COMPILE, DEVICE_LOST. */
GstGlesFrameOverview *gst_gles_frame_overview_new (GstGlesQueue *queue, const GstGlesImage *format,
    const GstGlesFrameOverviewShape *shape, GError **error);
/* NULL is safe. */
void gst_gles_frame_overview_free (GstGlesFrameOverview *overview);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesFrameOverview, gst_gles_frame_overview_free)

/* Inside a submission, behind a dispatch with a barrier: queues the overview of @image, whose words
 * are written to @counts from word @offset on. Runs beside the dispatches since that barrier.
 * Errors: NO_MEMORY, DEVICE_LOST. */
gboolean gst_gles_frame_overview_run (GstGlesFrameOverview *overview, GstGlesBuffer *image,
    GstGlesBuffer *counts, guint offset, GError **error);

/* Calls @func for every program specialisation that a plan can use on any device. */
void gst_gles_frame_overview_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
