/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which GPU owns the memory of a frame. */
#ifndef GST_GLES_FRAME_OWNER_H
#define GST_GLES_FRAME_OWNER_H

#include <gst/gles/device/choice.h>

G_BEGIN_DECLS

/* The owner of the last frame, and the object of its API that tells it. All zero at first. */
typedef struct {
  GstGlesOwner owner;
  gpointer context; /* a GstCudaContext, GstGLContext or GstVaDisplay; only compared */
} GstGlesFrameOwner;

/* Takes the owner of @buffer: the GPU of its CUDA context, of its EGL device, or of its VA display.
 * Memory of the host has none, nor have textures of a window system and DMABufs of other drivers
 * than VA's. Returns whether this is another object than before; otherwise nothing is asked.
 * Thread: one at a time per @last. */
GST_GLES_API gboolean gst_gles_frame_owner_update (GstGlesFrameOwner *last, GstBuffer *buffer);

G_END_DECLS

#endif
