/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A frame that is to be the picture of an event, and what is seen in it. */
#ifndef WATCH_FRAME_H
#define WATCH_FRAME_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct {
  GstSample *sample;         /* (nullable): owned, maybe smaller than the frame was */
  guint64 number;            /* as lines have it */
  guint x, y, width, height; /* the box of the largest region, in pixels; width 0: there is none */
  guint of_width, of_height; /* of the frame */
} WatchFrame;

void watch_frame_clear (WatchFrame *self);

G_END_DECLS

#endif
