/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/gl/queue-share.h>

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

/* The queue holds a reference to @device if @holds, and a weak one otherwise, for the default
 * queue, which the device owns. */
static GstGlesQueue *
queue_create (GstGlesDevice *device, gboolean holds)
{
  GstGlesQueue *queue = g_object_new (GST_TYPE_GLES_QUEUE, NULL);

  gst_object_ref_sink (queue);
  queue->share = gst_gles_share_ref (gst_gles_device_get_share (device));
  if (holds)
    queue->held_device = g_object_ref (device);
  else
    g_weak_ref_set (&queue->device, device);
  return queue;
}

GstGlesQueue *
gst_gles_device_get_queue (GstGlesDevice *device)
{
  gpointer *place;

  g_return_val_if_fail (GST_IS_GLES_DEVICE (device), NULL);
  place = gst_gles_device_get_queue_place (device);
  if (g_once_init_enter (place))
    g_once_init_leave (place, (gpointer) queue_create (device, FALSE));
  return *place;
}

GstGlesQueue *
gst_gles_queue_new (GstGlesDevice *device, GError **error)
{
  g_return_val_if_fail (GST_IS_GLES_DEVICE (device), NULL);
  if (!gst_gles_share_check (gst_gles_device_get_share (device), error))
    return NULL;
  return queue_create (device, TRUE);
}

GstGlesDevice *
gst_gles_queue_get_device (GstGlesQueue *queue)
{
  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue), NULL);
  if (queue->held_device != NULL)
    return gst_object_ref (queue->held_device);
  return g_weak_ref_get (&queue->device);
}

gboolean
gst_gles_queue_wait (GstGlesQueue *queue, GstGlesSerial serial, guint64 timeout_ns, GError **error)
{
  return !gst_gles_share_is_gl (queue->share) ||
      gst_gles_thread_wait (queue->share->thread, serial, timeout_ns, error);
}

gboolean
gst_gles_queue_is_done (GstGlesQueue *queue, GstGlesSerial serial)
{
  return !gst_gles_share_is_gl (queue->share) ||
      gst_gles_thread_is_done (queue->share->thread, serial);
}

gboolean
gst_gles_queue_finish (GstGlesQueue *queue, GError **error)
{
  GError *failure;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue), FALSE);
  if (!gst_gles_queue_wait (queue, (GstGlesSerial) g_atomic_pointer_get (&queue->last_serial),
          GST_GLES_WAIT_FOREVER, error))
    return FALSE;
  g_mutex_lock (&queue->lock);
  failure = g_steal_pointer (&queue->failure);
  g_mutex_unlock (&queue->lock);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

void
gst_gles_queue_set_failure_func (GstGlesQueue *queue, GstGlesFailureFunc func, gpointer user_data)
{
  g_return_if_fail (GST_IS_GLES_QUEUE (queue));
  if (func == NULL && gst_gles_share_is_gl (queue->share))
    gst_gles_thread_wait_until_reported (
        queue->share->thread, (GstGlesSerial) g_atomic_pointer_get (&queue->last_serial));
  g_mutex_lock (&queue->lock);
  queue->on_failure = func;
  queue->on_failure_data = user_data;
  g_mutex_unlock (&queue->lock);
}
