/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bytes on their way from the host to a device: a ring of persistently mapped, CPU-cached buffers.
 * A slot is written again only when the device has read it. */
#ifndef GST_GLES_UPLOAD_H
#define GST_GLES_UPLOAD_H

#include <gst/gles/gl/submission.h>

G_BEGIN_DECLS

typedef struct _GstGlesUploadRing GstGlesUploadRing;

/* A slot between acquire and commit. */
typedef struct {
  guint8 *data;          /* where to write, slot_bytes of it; 64-byte aligned */
  GstGlesBuffer *buffer; /* (transfer none) what kernels read after commit: owned by the ring */
  gboolean in_place;     /* which is the memory at data itself */
  guint index;
} GstGlesUpload;

/* A ring of @n_slots slots of @slot_bytes on @queue's device (GL devices only). Keeps @queue. */
GstGlesUploadRing *gst_gles_upload_ring_new (
    GstGlesQueue *queue, guint n_slots, gsize slot_bytes, GError **error);
/* NULL is safe. */
void gst_gles_upload_ring_free (GstGlesUploadRing *ring);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesUploadRing, gst_gles_upload_ring_free)

/* The next slot to write to; waits until the device has read what it last held (*waited, nullable,
 * says so). With @in_place kernels read the mapped memory where the device has that, else commit copies
 * it to the device first. Needs no submission. Thread: one at a time per ring. */
gboolean gst_gles_upload_ring_acquire (GstGlesUploadRing *ring, gboolean in_place,
    GstGlesUpload *upload, gboolean *waited, GError **error);

/* Inside a submission: makes the first @size_bytes of the slot readable by kernels as
 * upload->buffer. Bytes behind @size_bytes up to the next multiple of 16 read as zero. */
gboolean gst_gles_upload_ring_commit (
    GstGlesUploadRing *ring, const GstGlesUpload *upload, gsize size_bytes, GError **error);

G_END_DECLS

#endif
