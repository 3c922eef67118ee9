/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/core/log.h>
#include <gst/gles/gl/gl-private.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* not in gl2ext.h of every distribution */
#ifndef GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT_EXT
#define GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT_EXT 0x00004000
#endif

typedef struct {
  GstGlesBuffer *buffer;
  GstGlesUsage usage;
} Use;

typedef struct {
  GstGlesEndFunc func;
  gpointer user_data;
} EndHook;

/* What is bound to a storage block. */
typedef struct {
  GLuint name;
  gsize offset, size;
} Bound;

#define MAX_BOUND 16

/* What hangs on a queue: the submission that is open, and what outlives it. */
typedef struct {
  GstGlesShare *share;
  GstGlesParams *params;
  GstGlesSync *last_sync;

  GArray *uses;  /* of Use */
  GArray *hooks; /* of EndHook */
  GError *failure;
  GstGlesTimer *timer;
  GLuint bound_program;
  guint n_bound; /* storage bindings to unbind */
  Bound bound[MAX_BOUND];
  guint n_textures; /* texture units to unbind */
  gboolean written; /* shaders wrote since the last barrier */
} Submission;

static void
use_clear (gpointer data)
{
  gst_gles_buffer_unref (((Use *) data)->buffer);
}

static void
submission_free (gpointer data)
{
  Submission *submission = data;

  gst_gles_sync_unref (submission->last_sync);
  if (submission->params != NULL)
    gst_gles_params_free (submission->params, submission->share);
  g_array_unref (submission->uses);
  g_array_unref (submission->hooks);
  g_clear_error (&submission->failure);
  gst_gles_share_unref (submission->share);
  g_free (submission);
}

/* With the queue locked. */
static Submission *
submission_of (GstGlesQueue *queue)
{
  Submission *submission = queue->gl;

  if (submission == NULL) {
    submission = g_new0 (Submission, 1);
    submission->share = gst_gles_share_ref (queue->share);
    submission->uses = g_array_new (FALSE, FALSE, sizeof (Use));
    g_array_set_clear_func (submission->uses, use_clear);
    submission->hooks = g_array_new (FALSE, FALSE, sizeof (EndHook));
    queue->gl = submission;
    queue->gl_destroy = submission_free;
  }
  return submission;
}

static gboolean
is_gl (GstGlesQueue *queue)
{
  return queue->context != EGL_NO_CONTEXT;
}

gboolean
gst_gles_check_gl (GstGlesQueue *queue, const gchar *what, GError **error)
{
  GLenum code = is_gl (queue) ? glGetError () : GL_NO_ERROR;

  if (code == GL_NO_ERROR)
    return TRUE;
  while (glGetError () != GL_NO_ERROR)
    ;
  if (code == GL_OUT_OF_MEMORY)
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "%s: out of memory when %s; use fewer or smaller frames, or another device",
        queue->share->id, what);
  else
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
        "%s: OpenGL ES error 0x%04x when %s; GST_DEBUG=gles*:6 shows what the driver says",
        queue->share->id, code, what);
  return FALSE;
}

/* The first failure of a submission is what its end reports. */
static gboolean
fail (Submission *submission, GError *failure, GError **error)
{
  if (submission->failure == NULL)
    submission->failure = g_error_copy (failure);
  g_propagate_error (error, failure);
  return FALSE;
}

gboolean
gst_gles_queue_begin (GstGlesQueue *queue, GError **error)
{
  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue), FALSE);
  if (!gst_gles_queue_enter (queue, error))
    return FALSE;
  submission_of (queue);
  return TRUE;
}

void
gst_gles_queue_at_end (GstGlesQueue *queue, GstGlesEndFunc func, gpointer user_data)
{
  Submission *submission = submission_of (queue);
  EndHook hook = { func, user_data };

  g_assert (queue->depth > 0);
  g_array_append_val (submission->hooks, hook);
}

void
gst_gles_queue_barrier (GstGlesQueue *queue)
{
  Submission *submission = submission_of (queue);

  if (submission->written)
    glMemoryBarrier (GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT |
        GL_COMMAND_BARRIER_BIT | GL_UNIFORM_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
  submission->written = FALSE;
}

gboolean
gst_gles_queue_use (GstGlesQueue *queue, GstGlesBuffer *buffer, GstGlesUsage usage, GError **error)
{
  Submission *submission = submission_of (queue);
  GError *failure = NULL;
  Use use = { buffer, usage };

  for (guint i = 0; i < submission->uses->len; i++) {
    Use *known = &g_array_index (submission->uses, Use, i);
    if (known->buffer == buffer && (known->usage & usage) == usage)
      return TRUE;
  }
  if (!gst_gles_buffer_acquire (buffer, queue, usage, &failure))
    return fail (submission, failure, error);
  gst_gles_buffer_ref (buffer);
  g_array_append_val (submission->uses, use);
  return TRUE;
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

/* Unless it is bound already: dispatches of one algorithm have much in common. */
static void
bind_range (Submission *submission, guint index, Bound range)
{
  Bound *bound = index < MAX_BOUND ? &submission->bound[index] : NULL;

  if (bound != NULL && bound->name == range.name && bound->offset == range.offset &&
      bound->size == range.size)
    return;
  glBindBufferRange (GL_SHADER_STORAGE_BUFFER, index, range.name, range.offset, range.size);
  if (bound != NULL)
    *bound = range;
  submission->n_bound = MAX (submission->n_bound, index + 1);
}

static gboolean
bind_storage (GstGlesQueue *queue, guint index, const GstGlesBinding *binding, GError **error)
{
  const GstGlesLimits *limits = &queue->share->limits;
  Submission *submission = submission_of (queue);
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
  /* up to the end of the last 16-byte row: what lies there is zero */
  size = gst_gles_align_up (MAX (size, 1), 16);
  if (size > limits->storage_block_bytes) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "binding %u: %" G_GSIZE_FORMAT " bytes are over the device's limit of %" G_GUINT64_FORMAT
        " bytes a storage block",
        index, size, limits->storage_block_bytes);
    return FALSE;
  }
  if (!gst_gles_queue_use (queue, buffer, binding->usage, error))
    return FALSE;
  bind_range (submission, index, (Bound){ buffer->name, binding->offset_bytes, size });
  return TRUE;
}

/* The buffer as 16-byte texels, from its first byte on. */
static gboolean
bind_texels (GstGlesQueue *queue, guint index, const GstGlesBinding *binding, GError **error)
{
  const GstGlesLimits *limits = &queue->share->limits;
  Submission *submission = submission_of (queue);
  GstGlesBuffer *buffer = binding->buffer;

  if (limits->texel_buffer_texels == 0 ||
      buffer->storage_bytes / 16 > limits->texel_buffer_texels) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "binding %u: %" G_GSIZE_FORMAT " bytes are over the device's limit of %u texels", index,
        buffer->storage_bytes, limits->texel_buffer_texels);
    return FALSE;
  }
  if (!gst_gles_queue_use (queue, buffer, GST_GLES_READ, error))
    return FALSE;
  glActiveTexture (GL_TEXTURE0 + index);
  g_mutex_lock (&buffer->lock);
  if (buffer->texels != 0) {
    glBindTexture (GL_TEXTURE_BUFFER_EXT, buffer->texels);
  } else {
    glGenTextures (1, &buffer->texels);
    glBindTexture (GL_TEXTURE_BUFFER_EXT, buffer->texels);
    gst_gles_gl_procs ()->tex_buffer (GL_TEXTURE_BUFFER_EXT, GL_RGBA32UI, buffer->name);
  }
  g_mutex_unlock (&buffer->lock);
  submission->n_textures = MAX (submission->n_textures, index + 1);
  return TRUE;
}

static gboolean
bind (GstGlesQueue *queue, guint index, const GstGlesBinding *binding, GError **error)
{
  if (binding->buffer == NULL)
    return TRUE;
  if ((binding->usage & GST_GLES_TEXELS) != 0)
    return bind_texels (queue, index, binding, error);
  return bind_storage (queue, index, binding, error);
}

static gboolean
prepare (GstGlesQueue *queue, GstGlesProgram *program, const GstGlesBinding *bindings,
    guint n_bindings, gconstpointer params, gsize params_bytes, GstGlesDispatchFlags flags,
    GError **error)
{
  Submission *submission = submission_of (queue);
  GLuint name = gst_gles_program_get_name (program);

  if (n_bindings > gst_gles_program_get_spec (program)->n_storage) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "kernel %s declares %u storage blocks, %u are bound", gst_gles_program_get_kernel (program),
        gst_gles_program_get_spec (program)->n_storage, n_bindings);
    return FALSE;
  }
  for (guint i = 0; i < n_bindings; i++) {
    if (!bind (queue, i, &bindings[i], error))
      return FALSE;
  }
  if (params_bytes > 0) {
    if (submission->params == NULL)
      submission->params = gst_gles_params_new (queue, error);
    if (submission->params == NULL ||
        !gst_gles_params_bind (submission->params, queue, params, params_bytes, error))
      return FALSE;
  }
  if (submission->bound_program != name) {
    glUseProgram (name);
    submission->bound_program = name;
  }
  if ((flags & GST_GLES_DISPATCH_INDEPENDENT) == 0)
    gst_gles_queue_barrier (queue);
  return TRUE;
}

static gboolean
dispatch (GstGlesQueue *queue, GstGlesProgram *program, const guint groups[3],
    GstGlesBuffer *indirect, gsize indirect_offset, GError **error)
{
  Submission *submission = submission_of (queue);

  gst_gles_program_runs (program);
  if (submission->timer != NULL)
    gst_gles_timer_before (submission->timer, gst_gles_program_get_kernel (program));
  if (indirect != NULL) {
    glBindBuffer (GL_DISPATCH_INDIRECT_BUFFER, indirect->name);
    glDispatchComputeIndirect (indirect_offset);
    glBindBuffer (GL_DISPATCH_INDIRECT_BUFFER, 0);
  } else {
    glDispatchCompute (groups[0], groups[1], groups[2]);
  }
  if (submission->timer != NULL)
    gst_gles_timer_after (submission->timer);
  submission->written = TRUE;
#if GST_GLES_DEBUG
  return gst_gles_check_gl (queue, gst_gles_program_get_kernel (program), error);
#else
  return TRUE;
#endif
}

gboolean
gst_gles_queue_dispatch (GstGlesQueue *queue, GstGlesProgram *program,
    const GstGlesBinding *bindings, guint n_bindings, gconstpointer params, gsize params_bytes,
    const guint groups[3], GstGlesDispatchFlags flags, GError **error)
{
  GError *failure = NULL;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && queue->depth > 0 && is_gl (queue), FALSE);
  if (groups[0] == 0 || groups[1] == 0 || groups[2] == 0)
    return TRUE;
  if (check_groups (queue, groups, &failure) &&
      prepare (queue, program, bindings, n_bindings, params, params_bytes, flags, &failure) &&
      dispatch (queue, program, groups, NULL, 0, &failure))
    return TRUE;
  return fail (submission_of (queue), failure, error);
}

gboolean
gst_gles_queue_dispatch_indirect (GstGlesQueue *queue, GstGlesProgram *program,
    const GstGlesBinding *bindings, guint n_bindings, gconstpointer params, gsize params_bytes,
    GstGlesBuffer *groups, gsize groups_offset, GstGlesDispatchFlags flags, GError **error)
{
  GError *failure = NULL;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && queue->depth > 0 && is_gl (queue), FALSE);
  if (groups_offset % 4 != 0 || groups->size_bytes < 12 || groups_offset > groups->size_bytes - 12)
    g_set_error (&failure, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "no three group counts at byte %" G_GSIZE_FORMAT " of a buffer of %" G_GSIZE_FORMAT,
        groups_offset, groups->size_bytes);
  if (failure == NULL && gst_gles_queue_use (queue, groups, GST_GLES_READ, &failure) &&
      prepare (queue, program, bindings, n_bindings, params, params_bytes,
          flags & ~GST_GLES_DISPATCH_INDEPENDENT, &failure) &&
      dispatch (queue, program, NULL, groups, groups_offset, &failure))
    return TRUE;
  return fail (submission_of (queue), failure, error);
}

gboolean
gst_gles_queue_copy (GstGlesQueue *queue, GstGlesBuffer *source, gsize source_offset,
    GstGlesBuffer *target, gsize target_offset, gsize size_bytes, GError **error)
{
  GError *failure = NULL;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && queue->depth > 0, FALSE);
  /* up to the end of the storage: whole 16-byte rows may be copied with their zeros */
  if (source_offset > source->storage_bytes || size_bytes > source->storage_bytes - source_offset ||
      target_offset > target->storage_bytes || size_bytes > target->storage_bytes - target_offset) {
    g_set_error (&failure, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "a copy of %" G_GSIZE_FORMAT " bytes leaves its buffers", size_bytes);
    return fail (submission_of (queue), failure, error);
  }
  if (!gst_gles_queue_use (queue, source, GST_GLES_READ, error) ||
      !gst_gles_queue_use (queue, target, GST_GLES_WRITE, error))
    return FALSE;
  if (size_bytes == 0)
    return TRUE;
  if (!is_gl (queue)) {
    memcpy (target->memory + target_offset, source->memory + source_offset, size_bytes);
    return TRUE;
  }
  gst_gles_queue_barrier (queue);
  glBindBuffer (GL_COPY_READ_BUFFER, source->name);
  glBindBuffer (GL_COPY_WRITE_BUFFER, target->name);
  glCopyBufferSubData (
      GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, source_offset, target_offset, size_bytes);
  glBindBuffer (GL_COPY_READ_BUFFER, 0);
  glBindBuffer (GL_COPY_WRITE_BUFFER, 0);
  return TRUE;
}

/* ---- end ---- */

/* An idle context's binding would keep deleted storage alive. */
static void
unbind_all (Submission *submission)
{
  for (guint i = 0; i < submission->n_bound; i++)
    glBindBufferBase (GL_SHADER_STORAGE_BUFFER, i, 0);
  for (guint i = 0; i < submission->n_textures; i++) {
    glActiveTexture (GL_TEXTURE0 + i);
    glBindTexture (GL_TEXTURE_BUFFER_EXT, 0);
  }
  if (submission->n_textures > 0)
    glActiveTexture (GL_TEXTURE0);
  glBindBuffer (GL_SHADER_STORAGE_BUFFER, 0);
  glBindBufferBase (GL_UNIFORM_BUFFER, 0, 0);
  glBindBuffer (GL_UNIFORM_BUFFER, 0);
  if (submission->bound_program != 0)
    glUseProgram (0);
  memset (submission->bound, 0, sizeof (submission->bound));
  if (submission->params != NULL)
    gst_gles_params_unbound (submission->params);
  submission->n_bound = 0;
  submission->n_textures = 0;
  submission->bound_program = 0;
}

static void
finish_submission (GstGlesQueue *queue, Submission *submission)
{
  GstGlesSync *sync = NULL;

  if (is_gl (queue)) {
    /* the fence carries what shaders wrote to mapped memory as well */
    glMemoryBarrier (GL_ALL_BARRIER_BITS | GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT_EXT);
    submission->written = FALSE;
    sync = gst_gles_sync_new (queue);
    unbind_all (submission);
    queue->flushed = TRUE;
    if (submission->failure == NULL)
      gst_gles_check_gl (queue, "submitting work", &submission->failure);
    if (submission->failure == NULL)
      gst_gles_queue_check_reset (queue, &submission->failure);
  }
  for (guint i = 0; i < submission->uses->len; i++) {
    const Use *use = &g_array_index (submission->uses, Use, i);
    gst_gles_buffer_release (use->buffer, queue, use->usage, sync);
  }
  g_array_set_size (submission->uses, 0);
  if (submission->timer != NULL) {
    gst_gles_timer_submitted (submission->timer, sync);
    gst_gles_timer_free (g_steal_pointer (&submission->timer));
  }
  for (guint i = 0; i < submission->hooks->len; i++) {
    const EndHook *hook = &g_array_index (submission->hooks, EndHook, i);
    hook->func (sync, hook->user_data);
  }
  g_array_set_size (submission->hooks, 0);
  gst_gles_sync_unref (submission->last_sync);
  submission->last_sync = sync;
}

gboolean
gst_gles_queue_end (GstGlesQueue *queue, GError **error)
{
  GError *failure = NULL;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && queue->depth > 0, FALSE);
  if (queue->depth == 1) {
    Submission *submission = submission_of (queue);
    finish_submission (queue, submission);
    failure = g_steal_pointer (&submission->failure);
  }
  gst_gles_queue_leave (queue);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

GstGlesSync *
gst_gles_queue_get_last_sync (GstGlesQueue *queue)
{
  GstGlesSync *sync = NULL;

  g_rec_mutex_lock (&queue->lock);
  if (queue->gl != NULL && ((Submission *) queue->gl)->last_sync != NULL)
    sync = gst_gles_sync_ref (((Submission *) queue->gl)->last_sync);
  g_rec_mutex_unlock (&queue->lock);
  return sync;
}

gboolean
gst_gles_queue_finish (GstGlesQueue *queue, GError **error)
{
  g_autoptr (GstGlesSync) sync = NULL;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue), FALSE);
  sync = gst_gles_queue_get_last_sync (queue);
  return gst_gles_sync_wait (sync, GST_GLES_WAIT_FOREVER, error);
}

GstGlesTimer *
gst_gles_queue_start_timer (GstGlesQueue *queue)
{
  Submission *submission = submission_of (queue);

  g_return_val_if_fail (queue->depth > 0, NULL);
  if (!queue->share->limits.timer_queries || submission->timer != NULL)
    return NULL;
  submission->timer = gst_gles_timer_new (queue);
  return gst_gles_timer_ref (submission->timer);
}
