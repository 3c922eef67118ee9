/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether an engine of the device copies frames of the host. OpenGL ES executes copies and kernels
 * one after the other; engines, which Vulkan gives access to, copy beside the kernels
 * (docs/decisions/0012). */
#ifndef GST_GLES_ENGINE_H
#define GST_GLES_ENGINE_H

#include <gst/gles/device/transfer.h>
#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

/* Counts a frame that the host has written for @device. After some of them a thread looks whether
 * the device has an engine and how fast it is: short streams do not pay for that. Never waits. */
void gst_gles_engine_count (GstGlesDevice *device);

/* Does that now, unless it was done. Thread: any but the device's own; waits, 0.2 s at the first
 * call. */
GST_GLES_API void gst_gles_engine_find (GstGlesDevice *device);

/* Waits while that thread is at work. */
void gst_gles_engine_wait (GstGlesDevice *device);

/* Called before a frame is written: waits while an engine is measured, once: 3 to 40 ms. */
void gst_gles_engine_pause (GstGlesDevice *device);

/* Whether new blocks are copied by an engine. The answer may change from FALSE to TRUE. */
gboolean gst_gles_engine_is_used (GstGlesDevice *device);

/* Makes a transfer of @size_bytes to a new buffer, which is stored in @target: (transfer full).
 * Returns NULL if that fails, which is logged; then the engine is no longer used. */
GstGlesTransfer *gst_gles_engine_new_transfer (
    GstGlesDevice *device, gsize size_bytes, GstGlesBuffer **target);

/* Starts @transfer, of its first @size_bytes. Returns FALSE if that fails, as above. */
gboolean gst_gles_engine_start (GstGlesDevice *device, GstGlesTransfer *transfer, gsize size_bytes);

G_END_DECLS

#endif
