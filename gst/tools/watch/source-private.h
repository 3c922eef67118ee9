/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef WATCH_SOURCE_PRIVATE_H
#define WATCH_SOURCE_PRIVATE_H

#include "source.h"

G_BEGIN_DECLS

typedef struct {
  GstPipeline *pipeline; /* not owned */
  GstPad *target;
  WatchSourceFacts *facts;
  gchar **decoders;          /* (nullable): to choose from */
  gboolean taken;            /* the pad of the source with the video */
  gboolean several;          /* tracks come from several pads */
  gboolean has_video;        /* a track of video was found */
  gboolean has_picture;      /* one without a time came */
  GstClockTime last_picture; /* of those without times: the running time of the last one analysed */
} Source;

/* ---- source-links.c ---- */

/* Decodes, and records, what comes from @pad, which is coded or packed, or maybe not. */
void watch_source_take (Source *self, GstPad *pad);
/* Records what comes from @pad, of an audio stream. */
void watch_source_take_audio (Source *self, GstPad *pad);
/* Ends the camera's pipeline with @error: (transfer full). */
void watch_source_fail (Source *self, GError *error);
/* Of "deep-element-added" of the pipeline. */
void watch_source_on_element (GstBin *pipeline, GstBin *parent, GstElement *element, Source *self);

G_END_DECLS

#endif
