/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Plans are made while the caps travel on: the elements of a chain give the driver their programs
 * side by side, and upstream prerolls. The first frame waits, as does everything that touches the
 * plan. */
#include "config.h"

#include "gstglesanalyzer-private.h"

/* Plans run once, empty, so that drivers that compile late do so now instead of during a frame. All
 * of that is one submission, whose end waits for all programs. */
static gboolean
prepare (GstGlesAnalyzer *analyzer, GError **error)
{
  GstGlesQueue *queue = gst_gles_analyzer_get_queue (analyzer);
  gboolean ok;

  if (!gst_gles_queue_begin (queue, error))
    return FALSE;
  ok = GST_GLES_ANALYZER_GET_CLASS (analyzer)->prepare (analyzer, error);
  ok = gst_gles_queue_end (queue, ok ? error : NULL) && ok;
  return ok && gst_gles_queue_finish (queue, error);
}

static gpointer
run_preparer (gpointer data)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (data);

  priv->unprepared = !prepare (data, &priv->prepare_error);
  return NULL;
}

gboolean
gst_gles_analyzer_begin_prepare (GstGlesAnalyzer *analyzer, GError **error)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  GstGlesDevice *device = gst_gles_analyzer_get_device (analyzer);

  priv->unprepared = FALSE;
  if (gst_gles_device_get_kind (device) != GST_GLES_DEVICE_CPU)
    priv->preparer = g_thread_try_new ("gles-prepare", run_preparer, analyzer, NULL);
  return priv->preparer != NULL || prepare (analyzer, error);
}

gboolean
gst_gles_analyzer_end_prepare (GstGlesAnalyzer *analyzer)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);

  if (priv->preparer == NULL)
    return !priv->unprepared;
  g_thread_join (g_steal_pointer (&priv->preparer));
  if (priv->unprepared)
    gst_gles_analyzer_post_error (analyzer, priv->prepare_error);
  g_clear_error (&priv->prepare_error);
  return !priv->unprepared;
}
