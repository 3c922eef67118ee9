/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether results come to the host, and when: read ahead, with the frame, or read late, when
 * somebody asks for them. */
#include "config.h"

#include <gst/gles/meta/result.h>

#include "gstglesanalyzer-private.h"
#include "readers.h"

/* Whoever has read so many results late is expected to read the others, too. */
#define READ_AHEAD_AFTER 2

/* Elements downstream read the newest results on the device, also those that the host has. */
#define N_ON_DEVICE 4

void
gst_gles_analyzer_ask_readers (GstGlesAnalyzer *analyzer)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);

  g_atomic_int_set (&priv->must_ask, FALSE);
  priv->readers = readers_ask (GST_BASE_TRANSFORM_SRC_PAD (GST_BASE_TRANSFORM (analyzer)),
      gst_gles_analyzer_get_device (analyzer));
}

void
gst_gles_analyzer_move_late_reads (GstGlesAnalyzer *analyzer)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  g_autoptr (GstGlesLateReads) old = NULL;

  if (priv->late == NULL)
    return;
  gst_gles_analyzer_collect_readback_bytes (analyzer);
  old = g_steal_pointer (&priv->late);
  priv->late = gst_gles_late_reads_new (priv->queue, gst_gles_late_reads_get_n (old));
}

void
gst_gles_analyzer_answer_readers (GstGlesAnalyzer *analyzer, GstQuery *query)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  GstGlesDevice *device;
  gboolean on_host;

  if (!readers_is_question (query, &device) ||
      gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (analyzer)))
    return;
  GST_OBJECT_LOCK (analyzer);
  on_host = priv->device != device || priv->mask.mask != NULL;
  GST_OBJECT_UNLOCK (analyzer);
  if (on_host)
    readers_answer (query, GST_GLES_ANALYZER_GET_CLASS (analyzer)->reads);
}

gboolean
gst_gles_analyzer_reads_ahead (GstGlesAnalyzer *analyzer)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  GstGlesAnalyzerClass *klass = GST_GLES_ANALYZER_GET_CLASS (analyzer);
  const GstGlesAnalyzerSettings *settings = &priv->current;
  GstGlesDevice *device = gst_gles_analyzer_get_device (analyzer);

  if (!settings->readback)
    return FALSE;
  /* what native code wrote is on the host already */
  if (settings->readback_is_set || gst_gles_device_get_kind (device) == GST_GLES_DEVICE_CPU)
    return TRUE;
  if (settings->validate || settings->custom_meta || settings->post_messages)
    return TRUE;
  return settings->attach_meta &&
      ((priv->readers & klass->makes) != 0 ||
          gst_gles_late_reads_get_n (priv->late) >= READ_AHEAD_AFTER ||
          (klass->annotates != NULL && klass->annotates (analyzer)));
}

void
gst_gles_analyzer_leave_on_device (
    GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, GstMiniObject *result)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  GList *item, *next;

  if (frame->late)
    gst_gles_result_set_late_reads (result, priv->late);
  if (!GST_GLES_ANALYZER_GET_CLASS (analyzer)->is_large || !(frame->late || frame->readback))
    return;
  for (item = priv->on_device.head; item != NULL; item = next) {
    next = item->next;
    /* nobody else has it */
    if (GST_MINI_OBJECT_REFCOUNT_VALUE (item->data) == 1) {
      gst_mini_object_unref (item->data);
      g_queue_delete_link (&priv->on_device, item);
    }
  }
  g_queue_push_tail (&priv->on_device, gst_mini_object_ref (result));
  if (priv->on_device.length > N_ON_DEVICE) {
    GstMiniObject *oldest = g_queue_pop_head (&priv->on_device);

    gst_gles_result_release_device (oldest);
    gst_mini_object_unref (oldest);
  }
}
