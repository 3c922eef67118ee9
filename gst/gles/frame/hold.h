/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keeps the memory of a frame that the device reads, until it has read it. */
#ifndef GST_GLES_FRAME_HOLD_H
#define GST_GLES_FRAME_HOLD_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _GstGlesHold GstGlesHold;

/* Holds the memory of @buffer, so that nobody writes to it. Thread of all functions: any. */
GstGlesHold *gst_gles_hold_new (GstBuffer *buffer);
GstGlesHold *gst_gles_hold_ref (GstGlesHold *hold);
/* NULL is safe. */
void gst_gles_hold_unref (GstGlesHold *hold);

/* Keeps @buffer too, until the device has read the frame. */
void gst_gles_hold_keep (GstGlesHold *hold, GstBuffer *buffer);
/* The device has read the frame: drops memory and buffer. */
void gst_gles_hold_release (GstGlesHold *hold);

G_END_DECLS

#endif
