/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Uploads from the host to a device through a ring of blocks. A slot is reused only when the device
 * has read it and when nobody holds its block; if all are held, the ring grows. */
#ifndef GST_GLES_UPLOAD_H
#define GST_GLES_UPLOAD_H

#include <gst/gles/gl/block.h>

G_BEGIN_DECLS

typedef struct _GstGlesUploadRing GstGlesUploadRing;

/* A slot between acquire and commit. */
typedef struct {
  guint8 *data;          /* where to write, slot_bytes long; 64-byte aligned */
  GstGlesBuffer *buffer; /* (transfer none) kernels read this after commit; owned by the ring */
  gboolean in_place;     /* buffer is the memory at data itself, if that is mapped */
  GstGlesBlock *block;   /* (transfer none) the slot's */
} GstGlesUpload;

/* Whether kernels on the device of @queue, which is a GL device, can read a slot of @size_bytes.
 * Errors: TOO_LARGE. */
gboolean gst_gles_upload_check_size (GstGlesQueue *queue, gsize size_bytes, GError **error);

/* Makes a ring of @n_slots slots of @slot_bytes on the device of @queue, which must be a GL device.
 * Holds a reference to @queue. */
GstGlesUploadRing *gst_gles_upload_ring_new (
    GstGlesQueue *queue, guint n_slots, gsize slot_bytes, GError **error);
/* NULL is safe. */
void gst_gles_upload_ring_free (GstGlesUploadRing *ring);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesUploadRing, gst_gles_upload_ring_free)

/* Returns the next slot to write to. Waits until the device has read its previous content; *waited
 * (nullable) is set to TRUE then. With @in_place kernels read the memory directly if it is mapped;
 * otherwise commit copies it to the device. A caller that calls
 * gst_gles_block_hold() on upload->block keeps its content; it limits how many it holds. Needs no
 * submission. Thread: one at a time per ring. */
gboolean gst_gles_upload_ring_acquire (GstGlesUploadRing *ring, gboolean in_place,
    GstGlesUpload *upload, gboolean *waited, GError **error);

/* Makes the first @size_bytes of the slot available to kernels as upload->buffer. Call inside a
 * submission. Bytes from @size_bytes up to the next multiple of 16 read as zero. */
gboolean gst_gles_upload_ring_commit (
    GstGlesUploadRing *ring, const GstGlesUpload *upload, gsize size_bytes, GError **error);

G_END_DECLS

#endif
