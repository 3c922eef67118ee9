/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What cameras tell the outlet. */
#ifndef WATCH_NOTICE_H
#define WATCH_NOTICE_H

#include "frame.h"
#include "timeline.h"

G_BEGIN_DECLS

/* An event of a camera. */
typedef struct {
  gchar *camera, *event, *phase, *id;
  gchar *line;             /* JSON, without line feed */
  gchar *utc;              /* (nullable): the time of day in place of the line's */
  const gchar *utc_source; /* (nullable): static; NULL if the line says it */
  gint64 clock_offset_us;  /* the camera's clock minus this machine's; 0: unknown */
  WatchPlace *recording;   /* (nullable): where the frame of the line is recorded */
  WatchPlace *pre_roll;    /* (nullable): where some seconds before it are */
  WatchFrame frame;        /* for the picture, if it has a sample */
} WatchNotice;

/* @line: (transfer full). */
WatchNotice *watch_notice_new (
    const gchar *camera, const gchar *event, const gchar *phase, const gchar *id, gchar *line);
void watch_notice_free (WatchNotice *notice);

G_END_DECLS

#endif
