/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef WATCH_SOURCE_PRIVATE_H
#define WATCH_SOURCE_PRIVATE_H

#include "source.h"

G_BEGIN_DECLS

typedef struct {
  GstPipeline *pipeline; /* not owned */
  GstPad *target;
  WatchSourceFacts *facts;
  gchar **decoders;     /* (nullable): the decoders that the configuration names */
  gboolean taken;       /* the pad of the source that has the video was found */
  gboolean several;     /* tracks come from several pads */
  gboolean has_video;   /* a track of video was found */
  gboolean has_picture; /* a picture without a timestamp came */
  /* of pictures without timestamps: the running time of the last one that was analysed */
  GstClockTime last_picture;
} Source;

/* ---- source-links.c ---- */

/* Decodes and records what comes from @pad: coded video, raw video, or a container of streams. */
void watch_source_take (Source *self, GstPad *pad);
/* Records what comes from @pad, of an audio stream. */
void watch_source_take_audio (Source *self, GstPad *pad);
/* Ends the camera's pipeline with @error: (transfer full). */
void watch_source_fail (Source *self, GError *error);
/* Of "deep-element-added" of the pipeline. */
void watch_source_on_element (GstBin *pipeline, GstBin *parent, GstElement *element, Source *self);

G_END_DECLS

#endif
