/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/device/queue-private.h>

G_DEFINE_TYPE (GstGlesQueue, gst_gles_queue, GST_TYPE_OBJECT)

static void
gst_gles_queue_init (GstGlesQueue *queue)
{
  g_mutex_init (&queue->lock);
  g_weak_ref_init (&queue->device, NULL);
}

static void
gst_gles_queue_finalize (GObject *object)
{
  GstGlesQueue *queue = GST_GLES_QUEUE (object);

  g_clear_error (&queue->failure);
  g_mutex_clear (&queue->lock);
  g_weak_ref_clear (&queue->device);
  g_clear_pointer (&queue->share, gst_gles_share_unref);
  g_clear_object (&queue->held_device);
  G_OBJECT_CLASS (gst_gles_queue_parent_class)->finalize (object);
}

static void
gst_gles_queue_class_init (GstGlesQueueClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gst_gles_queue_finalize;
}

GstGlesQueue *
gst_gles_queue_create (GstGlesShare *share, GstGlesDevice *device, gboolean holds)
{
  GstGlesQueue *queue = g_object_new (GST_TYPE_GLES_QUEUE, NULL);

  gst_object_ref_sink (queue);
  queue->share = gst_gles_share_ref (share);
  if (holds)
    queue->held_device = g_object_ref (device);
  else
    g_weak_ref_set (&queue->device, device);
  return queue;
}

GstGlesQueue *
gst_gles_queue_new (GstGlesDevice *device, GError **error)
{
  GstGlesShare *share;

  g_return_val_if_fail (GST_IS_GLES_DEVICE (device), NULL);
  share = gst_gles_device_get_share (device);
  return gst_gles_share_check (share, error) ? gst_gles_queue_create (share, device, TRUE) : NULL;
}

GstGlesDevice *
gst_gles_queue_get_device (GstGlesQueue *queue)
{
  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue), NULL);
  if (queue->held_device != NULL)
    return gst_object_ref (queue->held_device);
  return g_weak_ref_get (&queue->device);
}
