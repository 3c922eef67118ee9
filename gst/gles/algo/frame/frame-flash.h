/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Relative luminance and saturated red of pictures, for the detection of flashes: their sums, and
 * how many samples of each differ from those of the previous picture. */
#ifndef GST_GLES_FRAME_FLASH_H
#define GST_GLES_FRAME_FLASH_H

#include <glsl/frame/frame-flash-layout.h>

#include <gst/gles/algo/frame/plan.h>

G_BEGIN_DECLS

/* Begins with a GstGlesFramePlan, which keeps the values of the previous picture.
 *
 * Every n-th column and row of a region is visited, where n is the least power of two with which
 * that is at most GST_GLES_FRAME_FLASH_MAX_SAMPLES. The value of a sample is what the names `lum`
 * and `red` of expressions say, of 16 bits each. A run writes a row of GST_GLES_FRAME_FLASH_WORDS
 * words. */
typedef struct _GstGlesFrameFlash GstGlesFrameFlash;

/* Creates a plan for images laid out as @format (crop ignored) on @queue, of which it keeps a
 * reference, and the region @region, which is not empty; its corner is moved to the left and up by
 * up to three luma positions, to where all components have a sample. Builds the program and
 * dispatches it once without work. Errors: NO_MEMORY, COMPILE, DEVICE_LOST. */
GST_GLES_API GstGlesFrameFlash *gst_gles_frame_flash_new (GstGlesQueue *queue,
    const GstGlesImage *format, const GstGlesFrameRegion *region, GError **error);
/* NULL is safe. */
GST_GLES_API void gst_gles_frame_flash_unref (GstGlesFrameFlash *flash);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesFrameFlash, gst_gles_frame_flash_unref)

/* Queues the comparison of @image, laid out as the plan's format; does not wait. The row is written
 * to @counts from word @offset on. On a cpu device the work is done when the call returns. Thread:
 * any, one at a time per plan. Errors: NO_MEMORY, DEVICE_LOST. */
GST_GLES_API gboolean gst_gles_frame_flash_run (GstGlesFrameFlash *flash, const GstGlesImage *image,
    GstGlesBuffer *counts, guint offset, GError **error);

/* Does the same with the native twin, whatever the queue's device is. *@kept are the values of the
 * previous picture, NULL before the first one: (transfer full), released by g_free(). @image must
 * have planes, not a buffer. Errors: NO_MEMORY. */
GST_GLES_API gboolean gst_gles_frame_flash_run_native (GstGlesFrameFlash *flash,
    const GstGlesImage *image, guint8 **kept, guint32 *row, GError **error);

G_END_DECLS

#endif
