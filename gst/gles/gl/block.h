/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory that the host writes and a device reads: a persistently mapped, coherent, CPU-cached
 * buffer, with a copy on the device where kernels need one; or memory that an engine of the device
 * copies (engine.h). A block knows its readers, so the host
 * writes only when the device has read, and it knows whether its copy is current. */
#ifndef GST_GLES_BLOCK_H
#define GST_GLES_BLOCK_H

#include <gst/gles/gl/submission.h>

G_BEGIN_DECLS

typedef struct _GstGlesBlock GstGlesBlock;

/* Makes a block of @size_bytes, which are zero at first. On devices without mapped buffers the host
 * writes plain memory; on a cpu device everything is plain memory. Holds a reference to @device.
 * Thread: any but the device's own. Errors: TOO_LARGE, NO_MEMORY, DEVICE_LOST. */
GstGlesBlock *gst_gles_block_new (GstGlesDevice *device, gsize size_bytes, GError **error);
/* NULL is safe. Thread: any. */
void gst_gles_block_unref (GstGlesBlock *block);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesBlock, gst_gles_block_unref)

/* A holder has a reference, and relies on the content until it calls unhold. The block's owner asks
 * before it writes. hold returns @block. */
GstGlesBlock *gst_gles_block_hold (GstGlesBlock *block);
void gst_gles_block_unhold (GstGlesBlock *block);
gboolean gst_gles_block_is_held (GstGlesBlock *block);

/* Whether a block made now would be of another kind. */
gboolean gst_gles_block_is_outdated (GstGlesBlock *block);

/* The address that the host uses; aligned to 64 bytes, valid as long as the block, also after the
 * device is lost. */
guint8 *gst_gles_block_get_data (GstGlesBlock *block);
gsize gst_gles_block_get_size (GstGlesBlock *block);
gboolean gst_gles_block_is_on (GstGlesBlock *block, GstGlesQueue *queue);

/* Whether the device has finished all submissions that read @block. Never waits. */
gboolean gst_gles_block_is_read (GstGlesBlock *block);

/* Called before the host writes: waits until the device has read the block, and makes the copy on
 * the device stale. *waited (nullable) is set to whether it had to wait. Errors: DEVICE_LOST;
 * INVALID (called on the device's thread). */
gboolean gst_gles_block_begin_write (GstGlesBlock *block, gboolean *waited, GError **error);
/* Called when the host has written: a copy that was made in between is not used afterwards. */
void gst_gles_block_end_write (GstGlesBlock *block);

/* Returns the buffer that kernels read after commit: the mapped memory itself with @in_place, if
 * the block has mapped memory, or else the copy on the device, which is made now if there is none.
 * (transfer none); lives as long as the block. Errors: NO_MEMORY, DEVICE_LOST. */
GstGlesBuffer *gst_gles_block_get_buffer (GstGlesBlock *block, gboolean in_place, GError **error);

/* Makes the first @size_bytes of the block available to kernels of the open submission in the
 * buffer of get_buffer(), which was called before; all who read one content of the block ask for
 * as many. The copy on the device is made only if it is not current. The host must not write
 * between this call and the end of the submission. */
gboolean gst_gles_block_commit (
    GstGlesBlock *block, GstGlesQueue *queue, gsize size_bytes, gboolean in_place, GError **error);

G_END_DECLS

#endif
