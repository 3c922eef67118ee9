/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* GPU time by pairs of timestamps: GL_TIME_ELAPSED_EXT reads 0 for compute work on Mesa. */
#include "config.h"

#include <gst/gles/core/log.h>
#include <gst/gles/gl/gl-private.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

typedef struct {
  const gchar *name;
  GLuint queries[2];
} Pass;

struct _GstGlesTimer {
  gint ref_count;
  GstGlesQueue *queue;
  GMutex lock;
  GCond cond;
  gboolean submitted;
  GstGlesSync *sync;
  GArray *passes; /* of Pass */
};

GstGlesTimer *
gst_gles_timer_new (GstGlesQueue *queue)
{
  GstGlesTimer *timer = g_new0 (GstGlesTimer, 1);

  timer->ref_count = 1;
  timer->queue = gst_object_ref (queue);
  timer->passes = g_array_new (FALSE, FALSE, sizeof (Pass));
  g_mutex_init (&timer->lock);
  g_cond_init (&timer->cond);
  return timer;
}

GstGlesTimer *
gst_gles_timer_ref (GstGlesTimer *timer)
{
  g_atomic_int_inc (&timer->ref_count);
  return timer;
}

void
gst_gles_timer_free (GstGlesTimer *timer)
{
  if (timer == NULL || !g_atomic_int_dec_and_test (&timer->ref_count))
    return;
  /* queries are not shared between contexts: they can only go while theirs is current */
  if (timer->passes->len > 0 && gst_gles_queue_enter (timer->queue, NULL)) {
    for (guint i = 0; i < timer->passes->len; i++)
      glDeleteQueries (2, g_array_index (timer->passes, Pass, i).queries);
    gst_gles_queue_leave (timer->queue);
  }
  gst_gles_sync_unref (timer->sync);
  g_array_unref (timer->passes);
  g_mutex_clear (&timer->lock);
  g_cond_clear (&timer->cond);
  gst_object_unref (timer->queue);
  g_free (timer);
}

void
gst_gles_timer_before (GstGlesTimer *timer, const gchar *name)
{
  Pass pass = { name, { 0, 0 } };

  glGenQueries (2, pass.queries);
  gst_gles_gl_procs ()->query_counter (pass.queries[0], GL_TIMESTAMP_EXT);
  g_array_append_val (timer->passes, pass);
}

void
gst_gles_timer_after (GstGlesTimer *timer)
{
  const Pass *pass = &g_array_index (timer->passes, Pass, timer->passes->len - 1);

  gst_gles_gl_procs ()->query_counter (pass->queries[1], GL_TIMESTAMP_EXT);
}

void
gst_gles_timer_submitted (GstGlesTimer *timer, GstGlesSync *sync)
{
  g_mutex_lock (&timer->lock);
  timer->submitted = TRUE;
  if (sync != NULL)
    timer->sync = gst_gles_sync_ref (sync);
  g_cond_broadcast (&timer->cond);
  g_mutex_unlock (&timer->lock);
}

GArray *
gst_gles_timer_get_passes (GstGlesTimer *timer, GError **error)
{
  const GstGlesGlProcs *procs = gst_gles_gl_procs ();
  GArray *times;

  g_return_val_if_fail (timer != NULL, NULL);
  g_mutex_lock (&timer->lock);
  while (!timer->submitted)
    g_cond_wait (&timer->cond, &timer->lock);
  g_mutex_unlock (&timer->lock);

  if (!gst_gles_sync_wait (timer->sync, GST_GLES_WAIT_FOREVER, error))
    return NULL;
  if (!gst_gles_queue_enter (timer->queue, error))
    return NULL;
  times = g_array_new (FALSE, FALSE, sizeof (GstGlesPassTime));
  for (guint i = 0; i < timer->passes->len; i++) {
    const Pass *pass = &g_array_index (timer->passes, Pass, i);
    GstGlesPassTime time = { pass->name, 0 };
    GLuint64 begin = 0, end = 0;
    procs->get_query_object_ui64 (pass->queries[0], GL_QUERY_RESULT, &begin);
    procs->get_query_object_ui64 (pass->queries[1], GL_QUERY_RESULT, &end);
    time.time_ns = end > begin ? end - begin : 0;
    g_array_append_val (times, time);
  }
  gst_gles_queue_leave (timer->queue);
  return times;
}
