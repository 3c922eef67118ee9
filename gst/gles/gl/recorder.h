/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A submission while it is recorded and on its way to the device. */
#ifndef GST_GLES_RECORDER_H
#define GST_GLES_RECORDER_H

#include <gst/gles/gl/command.h>

typedef struct _GstGlesRecorder GstGlesRecorder;
typedef struct _GstGlesSubmission GstGlesSubmission;

typedef struct {
  const GstGlesHook *hook;
  gpointer user_data;
} GstGlesHookCall;

struct _GstGlesSubmission {
  GstGlesWork work;
  GstGlesQueue *queue;
  GstGlesRecorder *recorder;
  GstGlesSubmission *next; /* in the recorder's list */
  guint depth;             /* begins without an end */
  gboolean is_gl;
  GError *failure; /* of recording; the first */
  GstGlesTimer *timer;

  GByteArray *commands;
  GPtrArray *buffers, *programs; /* references until the commands are executed */
  GPtrArray *blocks;             /* memory that commands point to */
  GArray *hooks;                 /* of GstGlesHookCall */
};

/* The submission that this thread has open on @queue, NULL if none. */
GstGlesSubmission *gst_gles_submission_find (GstGlesQueue *queue);

#endif
