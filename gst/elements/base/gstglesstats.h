/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The counters behind an analyser's `stats` property. */
#ifndef GST_GLES_STATS_H
#define GST_GLES_STATS_H

#include <gst/gst.h>

#include <gst/gles/import/source.h>

#include "bad-frame.h"

G_BEGIN_DECLS

typedef struct {
  guint64 frames;
  BadFrames bad;
  guint64 pictures[GST_GLES_FRAME_N_KINDS]; /* frames whose pixels were read */
  guint64 allocator_fallbacks;
  guint64 uploaded_bytes;
  guint64 readback_bytes;
  guint64 upload_waits;
  guint64 readback_waits;
  guint64 late_reads; /* results that were not read ahead and then read */
  GArray *passes;     /* totals per kernel; NULL until one is added */
} GstGlesStats;

void gst_gles_stats_clear (GstGlesStats *stats);
/* @name is interned. */
void gst_gles_stats_add_pass (GstGlesStats *stats, const gchar *name, guint64 time_ns);
/* (transfer full). @device (nullable) */
GstStructure *gst_gles_stats_to_structure (const GstGlesStats *stats, GstGlesDevice *device);
/* Sets the field `passes` of @message from @passes, the GstGlesPassTime array of one frame. */
void gst_gles_stats_describe_passes (GArray *passes, GstStructure *message);

G_END_DECLS

#endif
