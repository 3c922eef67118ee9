/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The submissions that are being recorded. */
#ifndef GST_GLES_RECORDER_H
#define GST_GLES_RECORDER_H

#include <gst/gles/gl/command.h>

/* Returns the submission that this thread has open on @queue, or NULL. */
GstGlesSubmission *gst_gles_submission_find (GstGlesQueue *queue);

#endif
