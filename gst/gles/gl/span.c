/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/span.h>

struct _GstGlesSpan {
  GstGlesQueue *queue;
  GLuint queries[2]; /* owned by the device's thread */
  GLuint64 times[2];
  GLint disjoint;
};

static gboolean
begin (GstGlesShare *share, gpointer user_data, GError **error)
{
  GstGlesSpan *span = user_data;

  /* Reading GL_GPU_DISJOINT_EXT resets it. */
  glGetIntegerv (GL_GPU_DISJOINT_EXT, &span->disjoint);
  return gst_gles_timer_take_timestamp (share, &span->queries[0], error);
}

GstGlesSpan *
gst_gles_span_begin (GstGlesQueue *queue)
{
  GstGlesSpan *span;

  if (!queue->share->limits.timer_queries)
    return NULL;
  span = g_new0 (GstGlesSpan, 1);
  span->queue = gst_object_ref (queue);
  gst_gles_queue_record_call (queue, begin, span);
  return span;
}

void
gst_gles_span_end (GstGlesSpan *span)
{
  if (span != NULL)
    gst_gles_queue_record_call (span->queue, gst_gles_timer_take_timestamp, &span->queries[1]);
}

/* Called on the device's thread after the submission. */
static gboolean
read_times (gpointer data, GError **error)
{
  const GstGlesProcs *procs = gst_gles_procs ();
  GstGlesSpan *span = data;

  for (guint i = 0; i < 2; i++)
    procs->get_query_object_ui64 (span->queries[i], GL_QUERY_RESULT, &span->times[i]);
  glGetIntegerv (GL_GPU_DISJOINT_EXT, &span->disjoint);
  glDeleteQueries (2, span->queries);
  return TRUE;
}

gboolean
gst_gles_span_take (GstGlesSpan *span, guint64 *time_ns, GError **error)
{
  gboolean ok = gst_gles_queue_finish (span->queue, error) &&
      gst_gles_thread_call (span->queue->share->thread, read_times, span, error);

  *time_ns = ok && span->times[1] > span->times[0] ? span->times[1] - span->times[0] : 0;
  if (ok && span->disjoint != 0) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
        "the GPU changed its clock while it was measured (GL_GPU_DISJOINT_EXT): measure again");
    ok = FALSE;
  }
  gst_object_unref (span->queue);
  g_free (span);
  return ok;
}
