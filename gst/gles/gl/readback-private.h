/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by readback.c and readback-ring.c. */
#ifndef GST_GLES_READBACK_PRIVATE_H
#define GST_GLES_READBACK_PRIVATE_H

#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/readback-info.h>

G_BEGIN_DECLS

typedef enum {
  READBACK_OPEN,      /* its submission has not ended */
  READBACK_IN_FLIGHT, /* the bytes are in the slot when the submission is done */
  READBACK_COMPLETE,
  READBACK_FAILED
} ReadbackState;

/* The slots of a ring: shared by the ring and the readbacks that are in flight. */
typedef struct {
  gint ref_count;
  GstGlesQueue *queue;
  GMutex lock;
  GPtrArray *free_slots; /* of GstGlesBuffer, mapped */
  gsize counted_bytes;   /* bytes of counted items read back since take_bytes() */
} GstGlesReadbackSlots;

struct _GstGlesReadback {
  gint ref_count;
  GMutex lock;
  GCond cond; /* signalled when the state is no longer OPEN */
  ReadbackState state;
  GstGlesSerial serial;
  GstGlesReadbackSlots *slots;
  GstGlesBuffer *slot;
  gsize size_bytes; /* for counted items: the maximum */
  guint item_bytes; /* 0: the items are not counted */
  GstGlesResult counted;
  GBytes *bytes;
  GError *error;
};

G_GNUC_INTERNAL GstGlesReadback *gst_gles_readback_new_open (
    GstGlesReadbackSlots *slots, GstGlesBuffer *slot, gsize size_bytes, guint item_bytes);

/* Makes @readback complete with the submission that this thread has open on @queue. */
G_GNUC_INTERNAL void gst_gles_readback_follow_submission (
    GstGlesReadback *readback, GstGlesQueue *queue);

G_GNUC_INTERNAL GstGlesReadbackSlots *gst_gles_readback_slots_ref (GstGlesReadbackSlots *slots);
G_GNUC_INTERNAL void gst_gles_readback_slots_unref (GstGlesReadbackSlots *slots);

G_END_DECLS

#endif
