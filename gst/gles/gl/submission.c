/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records commands and checks everything that can be checked before replay.c makes the GL calls on
 * the device's thread. */
#include "config.h"

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/gl/command.h>
#include <gst/gles/gl/submission.h>

/* Host bytes up to this size are stored in the command array; larger ones in a block of their
 * own. */
#define MAX_INLINE_BYTES 65536

/* Returns the submission that this thread has open on @queue. */
static GstGlesSubmission *
submission_of (GstGlesQueue *queue)
{
  GstGlesSubmission *submission = gst_gles_submission_find (queue);

  g_assert (submission != NULL);
  return submission;
}

/* ---- commands ---- */

/* Sets @error, and keeps the first failure of the submission for gst_gles_queue_end(). */
static gboolean
fail (GstGlesSubmission *submission, GError *failure, GError **error)
{
  if (submission->failure == NULL)
    submission->failure = g_error_copy (failure);
  g_propagate_error (error, failure);
  return FALSE;
}

/* Appends a command of @size_bytes. The pointer is valid until the next command is recorded. */
static gpointer
record (GstGlesSubmission *submission, GstGlesCommandType type, gsize size_bytes)
{
  guint at = submission->commands->len;
  gsize padded = gst_gles_align_up (size_bytes, 8);
  GstGlesCommand *command;

  g_byte_array_set_size (submission->commands, at + padded);
  command = (GstGlesCommand *) (gpointer) (submission->commands->data + at);
  command->type = type;
  command->size_bytes = padded;
  return command;
}

static void
keep (GPtrArray *objects, gpointer object, gpointer (*ref) (gpointer object))
{
  for (guint i = objects->len; i > 0; i--) {
    if (g_ptr_array_index (objects, i - 1) == object)
      return;
  }
  g_ptr_array_add (objects, ref (object));
}

static gboolean
use (GstGlesSubmission *submission, GstGlesBuffer *buffer, GError **error)
{
  GstGlesQueue *queue = submission->queue;

  if (gst_gles_device_get_share (buffer->device) != queue->share) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "a buffer of %s cannot be used on %s; copy it through the host",
        gst_gles_device_get_id (buffer->device), queue->share->id);
    return FALSE;
  }
  keep (submission->buffers, buffer, (gpointer (*) (gpointer)) gst_gles_buffer_ref);
  return TRUE;
}

gboolean
gst_gles_queue_use (GstGlesQueue *queue, GstGlesBuffer *buffer, GError **error)
{
  GstGlesSubmission *submission = submission_of (queue);
  GError *failure = NULL;

  return use (submission, buffer, &failure) || fail (submission, failure, error);
}

void
gst_gles_queue_add_hook (GstGlesQueue *queue, const GstGlesHook *hook, gpointer user_data)
{
  GstGlesHookCall call = { hook, user_data };

  g_array_append_val (submission_of (queue)->hooks, call);
}

static void
record_call (GstGlesSubmission *submission, GstGlesReplayFunc func, gpointer user_data)
{
  GstGlesCallCommand *command = record (submission, GST_GLES_COMMAND_CALL, sizeof (*command));

  command->func = func;
  command->user_data = user_data;
  submission->calls = TRUE;
}

void
gst_gles_queue_record_call (GstGlesQueue *queue, GstGlesReplayFunc func, gpointer user_data)
{
  record_call (submission_of (queue), func, user_data);
}

/* ---- memory that others write ---- */

void
gst_gles_queue_see_foreign_writes (GstGlesQueue *queue)
{
  submission_of (queue)->is_foreign = TRUE;
}

void
gst_gles_queue_await_transfer (GstGlesQueue *queue, GstGlesTransfer *transfer)
{
  GstGlesSubmission *submission = submission_of (queue);

  submission->is_foreign = TRUE;
  g_ptr_array_add (submission->transfers, transfer);
}

/* ---- programs in the making ---- */

static void
keep_program (GstGlesSubmission *submission, GstGlesProgram *program)
{
  keep (submission->programs, program, (gpointer (*) (gpointer)) gst_gles_program_ref);
  submission->awaits |= !gst_gles_program_is_built (program);
}

gboolean
gst_gles_queue_is_open (GstGlesQueue *queue)
{
  return gst_gles_submission_find (queue) != NULL;
}

void
gst_gles_queue_await_program (GstGlesQueue *queue, GstGlesProgram *program)
{
  keep_program (submission_of (queue), program);
}

/* A GstGlesReplayFunc: fails with @message, which is interned. */
static gboolean
fail_to_execute (GstGlesShare *share, gpointer message, GError **error)
{
  g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_COMPILE, message);
  return FALSE;
}

void
gst_gles_submission_await_programs (GstGlesSubmission *submission)
{
  GPtrArray *programs = submission->programs;
  GError *error = NULL;

  if (!submission->awaits)
    return;
  submission->awaits = FALSE;
  if (gst_gles_programs_wait (submission->queue->share, (GstGlesProgram *const *) programs->pdata,
          programs->len, &error))
    return;
  /* Nothing that would use the program is executed. */
  g_byte_array_set_size (submission->commands, 0);
  record_call (submission, fail_to_execute, (gpointer) g_intern_string (error->message));
  if (submission->failure == NULL)
    submission->failure = g_steal_pointer (&error);
  g_clear_error (&error);
}

GstGlesTimer *
gst_gles_queue_start_timer (GstGlesQueue *queue)
{
  GstGlesSubmission *submission = submission_of (queue);

  if (!queue->share->limits.timer_queries || submission->timer != NULL)
    return NULL;
  submission->timer = gst_gles_timer_new (queue);
  return gst_gles_timer_ref (submission->timer);
}

/* ---- dispatch ---- */

static gboolean
check_groups (GstGlesQueue *queue, const guint groups[3], GError **error)
{
  const guint *limit = queue->share->limits.groups;

  if (groups[0] <= limit[0] && groups[1] <= limit[1] && groups[2] <= limit[2])
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
      "%s: a dispatch of %u x %u x %u workgroups is over the limit of %u x %u x %u",
      queue->share->id, groups[0], groups[1], groups[2], limit[0], limit[1], limit[2]);
  return FALSE;
}

static gboolean
bind_storage (GstGlesSubmission *submission, guint index, const GstGlesBinding *binding,
    GstGlesBoundRange *range, GError **error)
{
  const GstGlesLimits *limits = &submission->queue->share->limits;
  GstGlesBuffer *buffer = binding->buffer;
  gsize size = binding->size_bytes;

  if (binding->offset_bytes > buffer->size_bytes ||
      size > buffer->size_bytes - binding->offset_bytes ||
      binding->offset_bytes % limits->storage_alignment != 0) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "binding %u: %" G_GSIZE_FORMAT " bytes at %" G_GSIZE_FORMAT
        " do not fit a buffer of %" G_GSIZE_FORMAT " bytes, or the offset is no multiple of %u",
        index, size, binding->offset_bytes, buffer->size_bytes, limits->storage_alignment);
    return FALSE;
  }
  if (size == 0)
    size = buffer->size_bytes - binding->offset_bytes;
  /* The range ends with the last 16-byte row; the bytes after the data are zero. */
  size = gst_gles_align_up (MAX (size, 1), 16);
  if (size > limits->storage_block_bytes) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "binding %u: %" G_GSIZE_FORMAT " bytes are over the device's limit of %" G_GUINT64_FORMAT
        " bytes a storage block",
        index, size, limits->storage_block_bytes);
    return FALSE;
  }
  *range = (GstGlesBoundRange){ buffer, binding->offset_bytes, size, FALSE };
  return use (submission, buffer, error);
}

/* Binds the whole buffer as 16-byte texels. */
static gboolean
bind_texels (GstGlesSubmission *submission, guint index, const GstGlesBinding *binding,
    GstGlesBoundRange *range, GError **error)
{
  const GstGlesLimits *limits = &submission->queue->share->limits;
  GstGlesBuffer *buffer = binding->buffer;

  if (limits->texel_buffer_texels == 0 ||
      buffer->storage_bytes / 16 > limits->texel_buffer_texels) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "binding %u: %" G_GSIZE_FORMAT " bytes are over the device's limit of %u texels", index,
        buffer->storage_bytes, limits->texel_buffer_texels);
    return FALSE;
  }
  *range = (GstGlesBoundRange){ buffer, 0, buffer->storage_bytes, TRUE };
  return use (submission, buffer, error);
}

static gboolean
check_dispatch (GstGlesSubmission *submission, const GstGlesDispatch *dispatch, GError **error)
{
  const GstGlesLimits *limits = &submission->queue->share->limits;
  const GstGlesProgramSpec *spec = gst_gles_program_get_spec (dispatch->program);

  if (dispatch->n_bindings > spec->n_storage) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "kernel %s declares %u storage blocks, %u are bound", spec->kernel, spec->n_storage,
        dispatch->n_bindings);
    return FALSE;
  }
  if (dispatch->params_bytes > MIN (limits->uniform_block_bytes, GST_GLES_PARAMS_MAX_BYTES)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "%" G_GSIZE_FORMAT " bytes of parameters are over the limit of %u", dispatch->params_bytes,
        limits->uniform_block_bytes);
    return FALSE;
  }
  return TRUE;
}

/* The group counts of a dispatch: numbers of the host, or words of a buffer. */
typedef struct {
  const guint *groups;
  GstGlesBuffer *indirect;
  gsize indirect_offset;
} Grid;

static gboolean
record_dispatch (GstGlesSubmission *submission, const GstGlesDispatch *dispatch, const Grid *grid,
    GError **error)
{
  const GstGlesBinding *bindings = dispatch->bindings;
  const guint n_bindings = dispatch->n_bindings;
  const gsize ranges_bytes = n_bindings * sizeof (GstGlesBoundRange);
  const guint at = submission->commands->len;
  GstGlesDispatchCommand *command;
  GstGlesBoundRange *ranges;

  if (!check_dispatch (submission, dispatch, error))
    return FALSE;
  if (submission->timer != NULL)
    gst_gles_timer_before (
        submission->timer, gst_gles_program_get_spec (dispatch->program)->kernel);
  command = record (submission, GST_GLES_COMMAND_DISPATCH,
      sizeof (*command) + ranges_bytes + dispatch->params_bytes);
  command->program = dispatch->program;
  command->indirect = grid->indirect;
  command->indirect_offset = grid->indirect_offset;
  for (guint i = 0; i < 3; i++)
    command->groups[i] = grid->groups != NULL ? grid->groups[i] : 0;
  command->n_bindings = n_bindings;
  command->params_bytes = (guint32) dispatch->params_bytes;
  /* A grid that the device computed depends on an earlier dispatch. */
  command->flags = dispatch->flags & ~(grid->indirect != NULL ? GST_GLES_DISPATCH_INDEPENDENT : 0);
  ranges = (GstGlesBoundRange *) (command + 1);
  for (guint i = 0; i < n_bindings; i++) {
    const gboolean texels = (bindings[i].usage & GST_GLES_TEXELS) != 0;

    ranges[i].buffer = NULL;
    if (bindings[i].buffer != NULL &&
        !(texels ? bind_texels : bind_storage) (submission, i, &bindings[i], &ranges[i], error)) {
      g_byte_array_set_size (submission->commands, at);
      return FALSE;
    }
  }
  if (dispatch->params_bytes > 0)
    memcpy (ranges + n_bindings, dispatch->params, dispatch->params_bytes);
  keep_program (submission, dispatch->program);
  if (submission->timer != NULL)
    gst_gles_timer_after (submission->timer);
  return TRUE;
}

gboolean
gst_gles_queue_dispatch (
    GstGlesQueue *queue, const GstGlesDispatch *dispatch, const guint groups[3], GError **error)
{
  const Grid grid = { groups, NULL, 0 };
  GstGlesSubmission *submission;
  GError *failure = NULL;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && gst_gles_queue_is_open (queue), FALSE);
  g_return_val_if_fail (dispatch != NULL && dispatch->program != NULL && groups != NULL, FALSE);
  submission = submission_of (queue);
  g_return_val_if_fail (submission->is_gl, FALSE);
  if (groups[0] == 0 || groups[1] == 0 || groups[2] == 0)
    return TRUE;
  if (check_groups (queue, groups, &failure) &&
      record_dispatch (submission, dispatch, &grid, &failure))
    return TRUE;
  return fail (submission, failure, error);
}

gboolean
gst_gles_queue_dispatch_indirect (GstGlesQueue *queue, const GstGlesDispatch *dispatch,
    GstGlesBuffer *groups, gsize groups_offset, GError **error)
{
  const Grid grid = { NULL, groups, groups_offset };
  GstGlesSubmission *submission = submission_of (queue);
  GError *failure = NULL;

  g_return_val_if_fail (submission->is_gl, FALSE);
  if (groups_offset % 4 != 0 || groups->size_bytes < 12 || groups_offset > groups->size_bytes - 12)
    g_set_error (&failure, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "no three group counts at byte %" G_GSIZE_FORMAT " of a buffer of %" G_GSIZE_FORMAT,
        groups_offset, groups->size_bytes);
  if (failure == NULL && use (submission, groups, &failure) &&
      record_dispatch (submission, dispatch, &grid, &failure))
    return TRUE;
  return fail (submission, failure, error);
}

/* ---- copies ---- */

gboolean
gst_gles_queue_copy (GstGlesQueue *queue, const GstGlesCopy *copy, GError **error)
{
  GstGlesBuffer *source = copy->source, *target = copy->target;
  const gsize size_bytes = copy->size_bytes;
  GstGlesSubmission *submission = submission_of (queue);
  GstGlesCopyCommand *command;
  GError *failure = NULL;

  /* Ranges may extend to the end of the storage, so that whole 16-byte rows can be copied. */
  if (copy->source_offset > source->storage_bytes ||
      size_bytes > source->storage_bytes - copy->source_offset ||
      copy->target_offset > target->storage_bytes ||
      size_bytes > target->storage_bytes - copy->target_offset)
    g_set_error (&failure, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "a copy of %" G_GSIZE_FORMAT " bytes leaves its buffers", size_bytes);
  if (failure != NULL || !use (submission, source, &failure) || !use (submission, target, &failure))
    return fail (submission, failure, error);
  if (size_bytes == 0)
    return TRUE;
  if (!submission->is_gl) {
    memcpy (target->memory + copy->target_offset, source->memory + copy->source_offset, size_bytes);
    return TRUE;
  }
  command = record (submission, GST_GLES_COMMAND_COPY, sizeof (*command));
  command->source = source;
  command->target = target;
  command->source_offset = copy->source_offset;
  command->target_offset = copy->target_offset;
  command->size_bytes = size_bytes;
  return TRUE;
}

/* Records @write with the bytes at @data. If @data is NULL, space for them follows the command. */
static GstGlesWriteCommand *
record_write (GstGlesSubmission *submission, const GstGlesWrite *write, const guint8 *data)
{
  GstGlesWriteCommand *command = record (submission, GST_GLES_COMMAND_WRITE,
      sizeof (*command) + (data == NULL ? write->size_bytes : 0));

  command->target = write->target;
  command->offset_bytes = write->offset_bytes;
  command->size_bytes = write->size_bytes;
  command->data = data;
  return command;
}

gboolean
gst_gles_queue_write (GstGlesQueue *queue, const GstGlesWrite *write, GError **error)
{
  const gsize size_bytes = write->size_bytes;
  GstGlesSubmission *submission = submission_of (queue);
  GstGlesWriteCommand *command;
  GError *failure = NULL;
  guint8 *copy;

  if (!use (submission, write->target, &failure))
    return fail (submission, failure, error);
  if (size_bytes == 0)
    return TRUE;
  if (!submission->is_gl) {
    memcpy (write->target->memory + write->offset_bytes, write->data, size_bytes);
  } else if (write->stays) {
    record_write (submission, write, write->data);
  } else if (size_bytes <= MAX_INLINE_BYTES) {
    command = record_write (submission, write, NULL);
    memcpy (command + 1, write->data, size_bytes);
  } else {
    copy = g_try_malloc (size_bytes);
    if (copy == NULL) {
      g_set_error (&failure, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
          "cannot allocate %" G_GSIZE_FORMAT " bytes to hold what is uploaded", size_bytes);
      return fail (submission, failure, error);
    }
    memcpy (copy, write->data, size_bytes);
    g_ptr_array_add (submission->blocks, copy);
    record_write (submission, write, copy);
  }
  return TRUE;
}
