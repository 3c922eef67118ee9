/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/gl/late-reads.h>

/* Slots are as large as the largest array so far, and late reads are few. */
#define N_SLOTS 2

struct _GstGlesLateReads {
  gint ref_count;
  gint n; /* atomic: results that were read late */
  GstGlesQueue *queue;
  GMutex lock; /* protects the rest */
  GstGlesReadbackRing *ring;
  gsize slot_bytes;
  gsize bytes; /* of copies since take_bytes(), without those that the ring counts */
};

GstGlesLateReads *
gst_gles_late_reads_new (GstGlesQueue *queue, guint n)
{
  GstGlesLateReads *late = g_new0 (GstGlesLateReads, 1);

  late->ref_count = 1;
  late->n = (gint) n;
  late->queue = gst_object_ref (queue);
  g_mutex_init (&late->lock);
  return late;
}

GstGlesLateReads *
gst_gles_late_reads_ref (GstGlesLateReads *late)
{
  g_atomic_int_inc (&late->ref_count);
  return late;
}

void
gst_gles_late_reads_unref (GstGlesLateReads *late)
{
  if (late == NULL || !g_atomic_int_dec_and_test (&late->ref_count))
    return;
  gst_gles_readback_ring_free (late->ring);
  gst_object_unref (late->queue);
  g_mutex_clear (&late->lock);
  g_free (late);
}

/* Makes slots that hold @slot_bytes, unless there are such. Call with the lock held. */
static gboolean
ensure_ring (GstGlesLateReads *late, gsize slot_bytes, GError **error)
{
  if (late->ring != NULL && slot_bytes <= late->slot_bytes)
    return TRUE;
  if (late->ring != NULL)
    late->bytes += gst_gles_readback_ring_take_bytes (late->ring);
  g_clear_pointer (&late->ring, gst_gles_readback_ring_free);
  late->ring = gst_gles_readback_ring_new (late->queue, N_SLOTS, slot_bytes, error);
  late->slot_bytes = slot_bytes;
  return late->ring != NULL;
}

GstGlesReadback *
gst_gles_late_reads_copy (GstGlesLateReads *late, const GstGlesReadbackCopy *copy, GError **error)
{
  const gsize slot_bytes =
      copy->size_bytes + (copy->counts != NULL ? GST_GLES_READBACK_COUNTED_HEAD : 0);
  GstGlesReadback *readback = NULL;

  g_mutex_lock (&late->lock);
  if (ensure_ring (late, slot_bytes, error))
    readback = gst_gles_readback_ring_copy (late->ring, copy, NULL, error);
  if (readback != NULL && copy->counts == NULL)
    late->bytes += copy->size_bytes;
  g_mutex_unlock (&late->lock);
  return readback;
}

void
gst_gles_late_reads_note (GstGlesLateReads *late)
{
  g_atomic_int_inc (&late->n);
}

guint
gst_gles_late_reads_get_n (GstGlesLateReads *late)
{
  return (guint) g_atomic_int_get (&late->n);
}

gsize
gst_gles_late_reads_take_bytes (GstGlesLateReads *late)
{
  gsize bytes;

  g_mutex_lock (&late->lock);
  bytes = late->bytes;
  if (late->ring != NULL)
    bytes += gst_gles_readback_ring_take_bytes (late->ring);
  late->bytes = 0;
  g_mutex_unlock (&late->lock);
  return bytes;
}
