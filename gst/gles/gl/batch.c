/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Executes submissions that wait for the device at the same time, interleaved.
 *
 * The dispatches of one submission depend on each other: between two of them the device finishes
 * everything before, which takes longer than many a dispatch. Submissions that share no buffer are
 * independent. Their commands are issued in turns, so that one barrier serves all of them and the
 * device has their work to do meanwhile. Submissions that share a buffer form a chain, in which
 * each begins when the one before has ended. */
#include "config.h"

#include <gst/gles/device/driver.h>
#include <gst/gles/gl/command.h>

/* The most submissions in a batch: all of it is reported at its end. */
#define MAX_SUBMISSIONS 16

/* Submissions in order, and how far the first of them is. */
typedef struct {
  GstGlesSubmission *first, *last;
  gsize at;
  guint64 written; /* see gst_gles_replay_command() */
} Chain;

typedef struct {
  guint64 id; /* of this batch, in buffers that it uses */
  gboolean is_foreign;
  Chain chains[MAX_SUBMISSIONS];
  guint n_chains;
} Batch;

/* Returns the chain that @submission has to join, n_chains if it shares no buffer with any, or
 * MAX_SUBMISSIONS if it shares some with several. */
static guint
find_chain (const Batch *batch, const GstGlesSubmission *submission)
{
  guint found = batch->n_chains;

  for (guint i = 0; i < submission->buffers->len; i++) {
    const GstGlesBuffer *buffer = g_ptr_array_index (submission->buffers, i);

    if (buffer->batch != batch->id || buffer->chain == found)
      continue;
    if (found != batch->n_chains)
      return MAX_SUBMISSIONS;
    found = buffer->chain;
  }
  return found;
}

static void
append (Batch *batch, GstGlesSubmission *submission, guint index)
{
  Chain *chain = &batch->chains[index];

  submission->next = NULL;
  if (index == batch->n_chains) {
    *chain = (Chain){ .first = submission, .last = submission };
    batch->n_chains++;
  } else {
    chain->last->next = submission;
    chain->last = submission;
  }
  for (guint i = 0; i < submission->buffers->len; i++) {
    GstGlesBuffer *buffer = g_ptr_array_index (submission->buffers, i);

    buffer->batch = batch->id;
    buffer->chain = index;
  }
}

/* Whether everything that @submission awaits has ended. */
static gboolean
is_ready (const GstGlesSubmission *submission)
{
  for (guint i = 0; i < submission->transfers->len; i++) {
    if (!gst_gles_transfer_is_done (g_ptr_array_index (submission->transfers, i)))
      return FALSE;
  }
  return TRUE;
}

/* Waits for what @submission awaits. A copy that does not end means that the device is gone. */
static void
await_transfers (GstGlesShare *share, GstGlesSubmission *submission)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < submission->transfers->len; i++) {
    if (gst_gles_transfer_wait (g_ptr_array_index (submission->transfers, i), &error))
      continue;
    gst_gles_share_mark_lost (share, error->message);
    gst_gles_share_check (share, submission->work.error == NULL ? &submission->work.error : NULL);
    return;
  }
}

/* Puts as many submissions as possible, from @work on and at most @n, into @batch. A recorded call
 * may use objects that are no buffers, so a submission with one is a batch of its own. Only the
 * first one is waited for. Returns how many it took. */
static guint
collect (Batch *batch, GstGlesWork *work, guint n)
{
  guint taken = 0;

  for (; work != NULL && taken < n; work = work->next) {
    GstGlesSubmission *submission = (GstGlesSubmission *) work;
    guint index = find_chain (batch, submission);

    if (taken > 0 && (submission->calls || index == MAX_SUBMISSIONS || !is_ready (submission)))
      break;
    append (batch, submission, index);
    batch->is_foreign |= submission->is_foreign;
    taken++;
    if (submission->calls)
      break;
  }
  return taken;
}

/* Issues the next command of @chain. Returns FALSE if there is none. OpenGL ES does not tell which
 * command an error is of, so the commands of several chains are checked one by one. */
static gboolean
step (GstGlesShare *share, Chain *chain, gboolean alone)
{
  GstGlesSubmission *submission = chain->first;
  const GstGlesCommand *command;
  GError **error;
  gboolean ok;

  while (submission != NULL && chain->at == submission->commands->len) {
    chain->first = submission = submission->next;
    chain->at = 0;
  }
  if (submission == NULL)
    return FALSE;
  command = (const GstGlesCommand *) (gpointer) (submission->commands->data + chain->at);
  chain->at += command->size_bytes;
  /* After a failure the remaining commands are still executed: other submissions may need their
   * output. */
  error = submission->work.error == NULL ? &submission->work.error : NULL;
  ok = gst_gles_replay_command (share, command, &chain->written, error);
  if (ok && (!alone || chain->at == submission->commands->len))
    ok = gst_gles_check_gl (share, "executing a submission", error);
  /* The call that failed may have been one that binds something: the next submission would rely on
   * it. */
  if (!ok)
    gst_gles_share_unbind (share);
  return TRUE;
}

guint
gst_gles_batch_execute (GstGlesShare *share, GstGlesWork *first, guint n)
{
  Batch batch = { .id = ++share->n_batches };
  gboolean more = TRUE;
  GError *error = NULL;
  guint taken;

  await_transfers (share, (GstGlesSubmission *) first);
  taken = collect (&batch, first, MIN (n, MAX_SUBMISSIONS));
  gst_gles_driver_enter (share);
  /* Kernels must not see what caches of the device hold of earlier content. */
  if (batch.is_foreign)
    glMemoryBarrier (GL_ALL_BARRIER_BITS);
  while (more) {
    more = FALSE;
    for (guint i = 0; i < batch.n_chains; i++)
      more |= step (share, &batch.chains[i], batch.n_chains == 1);
  }
  if (!gst_gles_replay_finish (share, &error)) {
    GstGlesWork *work = first;

    gst_gles_share_unbind (share);
    for (guint i = 0; i < taken; i++, work = work->next) {
      if (work->error == NULL)
        work->error = g_error_copy (error);
    }
    g_error_free (error);
  }
  gst_gles_driver_leave (share);
  return taken;
}
