/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* GPU time from pairs of timestamps, because GL_TIME_ELAPSED_EXT reads 0 for compute work on
 * Mesa. */
#include "config.h"

#include <gst/gles/gl/gl-private.h>

typedef struct {
  const gchar *name;
  GLuint queries[2]; /* owned by the device's thread */
  guint64 time_ns;
} Pass;

struct _GstGlesTimer {
  gint ref_count;
  GstGlesQueue *queue;
  GPtrArray *passes; /* of Pass; written while the submission is recorded */

  GMutex lock;
  GCond cond; /* signalled when is_queued is set */
  gboolean is_queued;
  GstGlesSerial serial;
  GError *error; /* failure of the submission; set before its serial is done */
};

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
  g_ptr_array_unref (timer->passes);
  g_clear_error (&timer->error);
  g_mutex_clear (&timer->lock);
  g_cond_clear (&timer->cond);
  gst_object_unref (timer->queue);
  g_free (timer);
}

/* ---- hooks of the submission ---- */

static void
on_queued (GstGlesSerial serial, gpointer user_data)
{
  GstGlesTimer *timer = user_data;

  g_mutex_lock (&timer->lock);
  timer->serial = serial;
  timer->is_queued = TRUE;
  g_cond_broadcast (&timer->cond);
  g_mutex_unlock (&timer->lock);
}

/* The submission is complete, and therefore its queries are. */
static void
on_done (const GError *error, gpointer user_data)
{
  const GstGlesProcs *procs = gst_gles_procs ();
  GstGlesTimer *timer = user_data;

  for (guint i = 0; i < timer->passes->len; i++) {
    Pass *pass = g_ptr_array_index (timer->passes, i);
    GLuint64 times[2] = { 0, 0 };

    if (pass->queries[0] == 0 || pass->queries[1] == 0)
      continue;
    for (guint k = 0; k < 2; k++)
      procs->get_query_object_ui64 (pass->queries[k], GL_QUERY_RESULT, &times[k]);
    pass->time_ns = times[1] > times[0] ? times[1] - times[0] : 0;
    glDeleteQueries (2, pass->queries);
  }
  if (error != NULL)
    timer->error = g_error_copy (error);
  gst_gles_timer_free (timer);
}

static const GstGlesHook timer_hook = { on_queued, on_done };

GstGlesTimer *
gst_gles_timer_new (GstGlesQueue *queue)
{
  GstGlesTimer *timer = g_new0 (GstGlesTimer, 1);

  timer->ref_count = 1;
  timer->queue = gst_object_ref (queue);
  timer->passes = g_ptr_array_new_with_free_func (g_free);
  g_mutex_init (&timer->lock);
  g_cond_init (&timer->cond);
  gst_gles_queue_add_hook (queue, &timer_hook, gst_gles_timer_ref (timer));
  return timer;
}

gboolean
gst_gles_timer_take_timestamp (GstGlesShare *share, gpointer user_data, GError **error)
{
  GLuint *query = user_data;

  glGenQueries (1, query);
  gst_gles_procs ()->query_counter (*query, GL_TIMESTAMP_EXT);
  return TRUE;
}

void
gst_gles_timer_before (GstGlesTimer *timer, const gchar *name)
{
  Pass *pass = g_new0 (Pass, 1);

  pass->name = name;
  g_ptr_array_add (timer->passes, pass);
  gst_gles_queue_record_call (timer->queue, gst_gles_timer_take_timestamp, &pass->queries[0]);
}

void
gst_gles_timer_after (GstGlesTimer *timer)
{
  Pass *pass = g_ptr_array_index (timer->passes, timer->passes->len - 1);

  gst_gles_queue_record_call (timer->queue, gst_gles_timer_take_timestamp, &pass->queries[1]);
}

GArray *
gst_gles_timer_get_passes (GstGlesTimer *timer, GError **error)
{
  GArray *times;

  g_return_val_if_fail (timer != NULL, NULL);
  g_mutex_lock (&timer->lock);
  while (!timer->is_queued)
    g_cond_wait (&timer->cond, &timer->lock);
  g_mutex_unlock (&timer->lock);

  if (!gst_gles_queue_wait (timer->queue, timer->serial, GST_GLES_WAIT_FOREVER, error))
    return NULL;
  if (timer->error != NULL) {
    g_propagate_error (error, g_error_copy (timer->error));
    return NULL;
  }
  times = g_array_new (FALSE, FALSE, sizeof (GstGlesPassTime));
  for (guint i = 0; i < timer->passes->len; i++) {
    const Pass *pass = g_ptr_array_index (timer->passes, i);
    GstGlesPassTime time = { pass->name, pass->time_ns };
    g_array_append_val (times, time);
  }
  return times;
}
