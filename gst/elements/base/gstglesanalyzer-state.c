/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the base class share: the state of an analyser, its counters, and the errors
 * that it posts. Calls none of them. */
#include "config.h"

#include <gst/gles/core/error.h>

#include "gstglesanalyzer-private.h"

/* Stands for no run: runs count from 0. */
#define NO_RUN (-1)

GstGlesAnalyzerPrivate *
gst_gles_analyzer_get_private (gpointer object)
{
  return (GstGlesAnalyzerPrivate *) g_type_instance_get_private (object, GST_TYPE_GLES_ANALYZER);
}

GstGlesDevice *
gst_gles_analyzer_get_device (GstGlesAnalyzer *analyzer)
{
  return gst_gles_analyzer_get_private (analyzer)->device;
}

GstGlesQueue *
gst_gles_analyzer_get_queue (GstGlesAnalyzer *analyzer)
{
  return gst_gles_analyzer_get_private (analyzer)->queue;
}

GstGlesDevice *
gst_gles_analyzer_ref_device (GstGlesAnalyzer *analyzer)
{
  GstGlesDevice *device = NULL;

  GST_OBJECT_LOCK (analyzer);
  gst_object_replace (
      (GstObject **) &device, (GstObject *) gst_gles_analyzer_get_private (analyzer)->device);
  GST_OBJECT_UNLOCK (analyzer);
  return device;
}

gboolean
gst_gles_analyzer_skips_bad_frames (GstGlesAnalyzer *analyzer)
{
  BadFrameAction action;

  GST_OBJECT_LOCK (analyzer);
  action = gst_gles_analyzer_get_private (analyzer)->settings.on_bad_frame;
  GST_OBJECT_UNLOCK (analyzer);
  return action == BAD_FRAME_SKIP;
}

void
gst_gles_analyzer_count_upload (GstGlesAnalyzer *analyzer, gsize bytes, gboolean waited)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);

  GST_OBJECT_LOCK (analyzer);
  priv->stats.uploaded_bytes += bytes;
  priv->stats.upload_waits += waited ? 1 : 0;
  GST_OBJECT_UNLOCK (analyzer);
}

void
gst_gles_analyzer_count_picture (GstGlesAnalyzer *analyzer, const GstGlesFrameCost *cost)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);

  GST_OBJECT_LOCK (analyzer);
  priv->stats.pictures[cost->kind]++;
  priv->stats.uploaded_bytes += cost->uploaded_bytes;
  priv->stats.upload_waits += cost->waited ? 1 : 0;
  GST_OBJECT_UNLOCK (analyzer);
}

void
gst_gles_analyzer_set_allocator_fallbacks (GstGlesAnalyzer *analyzer, guint64 n)
{
  GST_OBJECT_LOCK (analyzer);
  gst_gles_analyzer_get_private (analyzer)->stats.allocator_fallbacks = n;
  GST_OBJECT_UNLOCK (analyzer);
}

void
gst_gles_analyzer_count_readback (GstGlesAnalyzer *analyzer, gsize bytes, gboolean waited)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);

  GST_OBJECT_LOCK (analyzer);
  priv->stats.readback_bytes += bytes;
  priv->stats.readback_waits += waited ? 1 : 0;
  GST_OBJECT_UNLOCK (analyzer);
}

void
gst_gles_analyzer_post_error_of_run (GstGlesAnalyzer *analyzer, const GError *error, gint run)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);

  if (g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_CANCELLED))
    return;
  /* A second thread waits here until the error is posted: otherwise the source's "internal data
   * stream error", which follows from it, could be posted first. */
  g_mutex_lock (&priv->error_lock);
  if (g_atomic_int_compare_and_exchange (&priv->silent_run, run, NO_RUN))
    gst_gles_error_post (GST_ELEMENT (analyzer), error);
  g_mutex_unlock (&priv->error_lock);
}

void
gst_gles_analyzer_post_error (GstGlesAnalyzer *analyzer, const GError *error)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);

  gst_gles_analyzer_post_error_of_run (analyzer, error, g_atomic_int_get (&priv->run));
}
