/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/span.h>

struct _GstGlesSpan {
  GstGlesQueue *queue;
  GLuint queries[2];
};

GstGlesSpan *
gst_gles_span_begin (GstGlesQueue *queue)
{
  GstGlesSpan *span;
  GLint disjoint;

  g_return_val_if_fail (queue->depth > 0, NULL);
  if (!queue->share->limits.timer_queries)
    return NULL;
  span = g_new0 (GstGlesSpan, 1);
  span->queue = gst_object_ref (queue);
  /* reading it clears it */
  glGetIntegerv (GL_GPU_DISJOINT_EXT, &disjoint);
  glGenQueries (2, span->queries);
  gst_gles_gl_procs ()->query_counter (span->queries[0], GL_TIMESTAMP_EXT);
  return span;
}

void
gst_gles_span_end (GstGlesSpan *span)
{
  if (span != NULL)
    gst_gles_gl_procs ()->query_counter (span->queries[1], GL_TIMESTAMP_EXT);
}

gboolean
gst_gles_span_take (GstGlesSpan *span, guint64 *time_ns, GError **error)
{
  const GstGlesGlProcs *procs = gst_gles_gl_procs ();
  GLuint64 times[2] = { 0, 0 };
  GLint disjoint = 0;
  gboolean ok = gst_gles_queue_enter (span->queue, error);

  *time_ns = 0;
  if (ok) {
    for (guint i = 0; i < 2; i++)
      procs->get_query_object_ui64 (span->queries[i], GL_QUERY_RESULT, &times[i]);
    glGetIntegerv (GL_GPU_DISJOINT_EXT, &disjoint);
    glDeleteQueries (2, span->queries);
    gst_gles_queue_leave (span->queue);
    *time_ns = times[1] > times[0] ? times[1] - times[0] : 0;
  }
  if (disjoint != 0) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
        "the GPU changed its clock while it was measured (GL_GPU_DISJOINT_EXT): measure again");
    ok = FALSE;
  }
  gst_object_unref (span->queue);
  g_free (span);
  return ok;
}
