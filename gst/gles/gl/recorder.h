/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A submission while it is recorded and in flight. */
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
  guint depth;             /* begins without an end so far */
  gboolean is_gl;
  GError *failure; /* the first error of recording */
  GstGlesTimer *timer;

  GByteArray *commands;
  GPtrArray *buffers, *programs; /* references, held until the commands are executed */
  GPtrArray *blocks;             /* heap memory that commands point to */
  GArray *hooks;                 /* of GstGlesHookCall */
};

/* Returns the submission that this thread has open on @queue, or NULL. */
GstGlesSubmission *gst_gles_submission_find (GstGlesQueue *queue);

#endif
