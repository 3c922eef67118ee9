/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The life of a submission: a thread begins, records and ends it, the device executes it, and then
 * it returns to its thread for reuse. Until it ends it belongs to the thread that began it, so
 * recording takes no lock that other streams take. A thread allocates no submission once it has as
 * many as it keeps in flight. */
#include "config.h"

#include <gst/gles/core/log.h>
#include <gst/gles/gl/command.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* A submission whose commands took more memory than this frees that memory before it is reused. */
#define MAX_KEPT_BYTES (256 * 1024)

/* The recorder of a thread: the submissions that it has open, and those that it can reuse. */
struct _GstGlesRecorder {
  gint ref_count; /* held by the thread and by each submission in flight */
  GstGlesSubmission *open;
  GMutex lock;
  GstGlesSubmission *idle;
  gboolean closed; /* the thread has ended */
};

/* ---- recorders ---- */

static void
submission_free (GstGlesSubmission *submission)
{
  g_byte_array_unref (submission->commands);
  g_ptr_array_unref (submission->buffers);
  g_ptr_array_unref (submission->programs);
  g_ptr_array_unref (submission->blocks);
  g_ptr_array_unref (submission->transfers);
  g_array_unref (submission->hooks);
  g_free (submission);
}

static void
recorder_unref (GstGlesRecorder *recorder)
{
  if (!g_atomic_int_dec_and_test (&recorder->ref_count))
    return;
  g_mutex_clear (&recorder->lock);
  g_free (recorder);
}

/* Runs when the thread ends. Submissions that it left open are dropped, since only it could end
 * them. */
static void
recorder_close (gpointer data)
{
  GstGlesRecorder *recorder = data;
  GstGlesSubmission *idle;

  if (recorder->open != NULL)
    GST_ERROR ("a thread ended with a submission open; gst_gles_queue_end() was not called");
  g_mutex_lock (&recorder->lock);
  idle = g_steal_pointer (&recorder->idle);
  recorder->closed = TRUE;
  g_mutex_unlock (&recorder->lock);
  while (idle != NULL) {
    GstGlesSubmission *submission = idle;
    idle = submission->next;
    submission_free (submission);
  }
  recorder_unref (recorder);
}

static GstGlesRecorder *
recorder_get (void)
{
  static GPrivate of_thread = G_PRIVATE_INIT (recorder_close);
  GstGlesRecorder *recorder = g_private_get (&of_thread);

  if (recorder == NULL) {
    recorder = g_new0 (GstGlesRecorder, 1);
    recorder->ref_count = 1;
    g_mutex_init (&recorder->lock);
    g_private_set (&of_thread, recorder);
  }
  return recorder;
}

static GstGlesSubmission *
find_open (GstGlesRecorder *recorder, GstGlesQueue *queue)
{
  GstGlesSubmission *submission = recorder->open;

  while (submission != NULL && submission->queue != queue)
    submission = submission->next;
  return submission;
}

GstGlesSubmission *
gst_gles_submission_find (GstGlesQueue *queue)
{
  return find_open (recorder_get (), queue);
}

static guint execute (GstGlesWork *work, guint n);
static void on_done (GstGlesWork *work, const GError *error);
static void on_queued (GstGlesWork *work);

static GstGlesSubmission *
submission_new (void)
{
  GstGlesSubmission *submission = g_new0 (GstGlesSubmission, 1);

  submission->work.execute = execute;
  submission->work.queued = on_queued;
  submission->work.done = on_done;
  submission->commands = g_byte_array_new ();
  submission->buffers = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_gles_buffer_unref);
  submission->programs = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_gles_program_unref);
  submission->blocks = g_ptr_array_new_with_free_func (g_free);
  submission->transfers = g_ptr_array_new ();
  submission->hooks = g_array_new (FALSE, FALSE, sizeof (GstGlesHookCall));
  return submission;
}

static GstGlesSubmission *
submission_take (GstGlesRecorder *recorder, GstGlesQueue *queue)
{
  GstGlesSubmission *submission;

  g_mutex_lock (&recorder->lock);
  submission = recorder->idle;
  if (submission != NULL)
    recorder->idle = submission->next;
  g_mutex_unlock (&recorder->lock);
  if (submission == NULL)
    submission = submission_new ();
  submission->queue = gst_object_ref (queue);
  submission->is_gl = gst_gles_share_is_gl (queue->share);
  submission->recorder = recorder;
  g_atomic_int_inc (&recorder->ref_count);
  return submission;
}

/* Drops the commands and the references that they hold. */
static void
submission_clear_commands (GstGlesSubmission *submission)
{
  if (submission->commands->len > MAX_KEPT_BYTES) {
    g_byte_array_unref (submission->commands);
    submission->commands = g_byte_array_new ();
  }
  g_byte_array_set_size (submission->commands, 0);
  g_ptr_array_set_size (submission->buffers, 0);
  g_ptr_array_set_size (submission->programs, 0);
  g_ptr_array_set_size (submission->blocks, 0);
  g_ptr_array_set_size (submission->transfers, 0);
}

/* Returns @submission to the thread that recorded it. */
static void
submission_recycle (GstGlesSubmission *submission)
{
  GstGlesRecorder *recorder = g_steal_pointer (&submission->recorder);
  GstGlesQueue *queue = g_steal_pointer (&submission->queue);
  gboolean closed;

  submission_clear_commands (submission);
  g_array_set_size (submission->hooks, 0);
  submission->calls = submission->awaits = submission->is_foreign = FALSE;
  g_mutex_lock (&recorder->lock);
  closed = recorder->closed;
  if (!closed) {
    submission->next = recorder->idle;
    recorder->idle = submission;
  }
  g_mutex_unlock (&recorder->lock);
  if (closed)
    submission_free (submission);
  recorder_unref (recorder);
  gst_object_unref (queue);
}

/* ---- functions of GstGlesWork ---- */

static void
on_queued (GstGlesWork *work)
{
  GstGlesSubmission *submission = (GstGlesSubmission *) work;

  for (guint i = 0; i < submission->hooks->len; i++) {
    const GstGlesHookCall *call = &g_array_index (submission->hooks, GstGlesHookCall, i);
    if (call->hook->queued != NULL)
      call->hook->queued (work->serial, call->user_data);
  }
  g_atomic_pointer_set (&submission->queue->last_serial, work->serial);
}

static guint
execute (GstGlesWork *work, guint n)
{
  GstGlesShare *share = ((GstGlesSubmission *) work)->queue->share;
  guint taken = gst_gles_batch_execute (share, work, n);

  for (guint i = 0; i < taken; i++, work = work->next)
    submission_clear_commands ((GstGlesSubmission *) work);
  return taken;
}

/* Keeps the first failure for gst_gles_queue_finish(), and calls the failure function. */
static void
report_failure (GstGlesQueue *queue, const GError *error)
{
  g_mutex_lock (&queue->lock);
  if (queue->failure == NULL)
    queue->failure = g_error_copy (error);
  if (queue->on_failure != NULL)
    queue->on_failure (error, queue->on_failure_data);
  g_mutex_unlock (&queue->lock);
}

static void
on_done (GstGlesWork *work, const GError *error)
{
  GstGlesSubmission *submission = (GstGlesSubmission *) work;

  for (guint i = 0; i < submission->hooks->len; i++) {
    const GstGlesHookCall *call = &g_array_index (submission->hooks, GstGlesHookCall, i);
    if (call->hook->done != NULL)
      call->hook->done (error, call->user_data);
  }
  if (error != NULL)
    report_failure (submission->queue, error);
  submission_recycle (submission);
}

/* Submits @submission, which is no longer open, to the device. */
static GstGlesSerial
submit (GstGlesSubmission *submission)
{
  if (submission->timer != NULL)
    gst_gles_timer_free (g_steal_pointer (&submission->timer));
  if (submission->is_gl)
    return gst_gles_thread_submit (submission->queue->share->thread, &submission->work);
  submission->work.serial = 0;
  on_queued (&submission->work);
  on_done (&submission->work, NULL);
  return 0;
}

/* ---- begin and end ---- */

gboolean
gst_gles_queue_begin (GstGlesQueue *queue, GError **error)
{
  GstGlesRecorder *recorder = recorder_get ();
  GstGlesSubmission *submission;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue), FALSE);
  submission = find_open (recorder, queue);
  if (submission == NULL) {
    if (!gst_gles_share_check (queue->share, error))
      return FALSE;
    submission = submission_take (recorder, queue);
    submission->next = recorder->open;
    recorder->open = submission;
  }
  submission->depth++;
  return TRUE;
}

/* TRUE for instance after a download, which submits everything recorded before it. */
static gboolean
is_empty (const GstGlesSubmission *submission)
{
  return submission->commands->len == 0 && submission->hooks->len == 0 && submission->timer == NULL;
}

static void
remove_open (GstGlesSubmission *submission)
{
  GstGlesSubmission **at = &submission->recorder->open;

  while (*at != submission)
    at = &(*at)->next;
  *at = submission->next;
}

gboolean
gst_gles_queue_end (GstGlesQueue *queue, GError **error)
{
  GstGlesSubmission *submission;
  GError *failure;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue), FALSE);
  submission = gst_gles_submission_find (queue);
  g_return_val_if_fail (submission != NULL, FALSE);
  if (--submission->depth > 0)
    return TRUE;
  gst_gles_submission_await_programs (submission);
  remove_open (submission);
  failure = g_steal_pointer (&submission->failure);
  if (is_empty (submission))
    submission_recycle (submission);
  else
    submit (submission);
  if (failure == NULL)
    return gst_gles_share_check (queue->share, error);
  g_propagate_error (error, failure);
  return FALSE;
}

void
gst_gles_queue_flush (GstGlesQueue *queue)
{
  GstGlesSubmission *submission = gst_gles_submission_find (queue);
  GstGlesRecorder *recorder = submission->recorder;
  GstGlesSubmission *rest = submission_take (recorder, queue);

  gst_gles_submission_await_programs (submission);
  rest->depth = submission->depth;
  rest->failure = g_steal_pointer (&submission->failure);
  remove_open (submission);
  rest->next = recorder->open;
  recorder->open = rest;
  submission->depth = 0;
  gst_gles_thread_wait_until_reported (queue->share->thread, submit (submission));
}
