/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Executes recorded submissions on the device's thread. Bindings stay from one submission to the
 * next, because submissions of a stream resemble each other. They are removed when the thread is
 * idle or an object is deleted: a binding keeps the storage of a deleted buffer alive. */
#include "config.h"

#include <string.h>

#include <gst/gles/gl/command.h>
#include <gst/gles/gl/submission.h>

/* Missing in gl2ext.h of some distributions. */
#ifndef GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT_EXT
#define GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT_EXT 0x00004000
#endif

#define MAX_BOUND 16

/* The buffer range that is bound to a storage block. */
typedef struct {
  GLuint name;
  gsize offset, size;
} Bound;

/* The other targets that buffers are bound to. */
enum {
  TARGET_COPY_READ,
  TARGET_COPY_WRITE,
  TARGET_INDIRECT,
  N_TARGETS
};

static const GLenum target_names[N_TARGETS] = { GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER,
  GL_DISPATCH_INDIRECT_BUFFER };

typedef struct {
  GstGlesShare *share;
  GstGlesParams *params; /* made when first used */
  GLuint program;
  guint n_bound; /* storage blocks that may be bound */
  Bound bound[MAX_BOUND];
  guint n_textures; /* texture units that may be bound */
  GLuint targets[N_TARGETS];
  guint64 barriers;   /* the number of barriers so far, and 1 */
  guint64 *written;   /* its value when the shaders of the current chain wrote last */
  GArray *first_runs; /* of FirstRun: in the current batch */
} Replay;

/* A program that was dispatched for the first time, and how long the driver took. */
typedef struct {
  GstGlesProgram *program;
  gint64 time_us;
} FirstRun;

/* ---- state ---- */

static void
bind_target (Replay *replay, guint target, GLuint name)
{
  if (replay->targets[target] != name)
    glBindBuffer (target_names[target], name);
  replay->targets[target] = name;
}

static void
unbind_all (gpointer data)
{
  Replay *replay = data;

  for (guint i = 0; i < replay->n_bound; i++)
    glBindBufferBase (GL_SHADER_STORAGE_BUFFER, i, 0);
  for (guint i = 0; i < replay->n_textures; i++) {
    glActiveTexture (GL_TEXTURE0 + i);
    glBindTexture (GL_TEXTURE_BUFFER_EXT, 0);
  }
  if (replay->n_textures > 0)
    glActiveTexture (GL_TEXTURE0);
  if (replay->n_bound > 0)
    glBindBuffer (GL_SHADER_STORAGE_BUFFER, 0);
  for (guint i = 0; i < N_TARGETS; i++)
    bind_target (replay, i, 0);
  if (replay->params != NULL)
    gst_gles_params_unbound (replay->params);
  if (replay->program != 0)
    glUseProgram (0);
  memset (replay->bound, 0, sizeof (replay->bound));
  replay->n_bound = 0;
  replay->n_textures = 0;
  replay->program = 0;
}

static void
clear_first_run (gpointer data)
{
  gst_gles_program_unref (((FirstRun *) data)->program);
}

static void
replay_free (gpointer data)
{
  Replay *replay = data;

  if (replay->params != NULL)
    gst_gles_params_free (replay->params);
  g_array_unref (replay->first_runs);
  g_free (replay);
}

static Replay *
replay_of (GstGlesShare *share)
{
  Replay *replay = share->replay;

  if (replay == NULL) {
    replay = g_new0 (Replay, 1);
    replay->share = share;
    replay->barriers = 1;
    replay->first_runs = g_array_new (FALSE, FALSE, sizeof (FirstRun));
    g_array_set_clear_func (replay->first_runs, clear_first_run);
    share->replay = replay;
    share->replay_unbind = unbind_all;
    share->replay_free = replay_free;
  }
  return replay;
}

/* Makes what shaders of the current chain wrote visible to its next command. */
static void
barrier (Replay *replay)
{
  if (*replay->written != replay->barriers)
    return;
  glMemoryBarrier (GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT |
      GL_COMMAND_BARRIER_BIT | GL_UNIFORM_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
  replay->barriers++;
}

/* ---- dispatch ---- */

static void
bind_storage (Replay *replay, guint index, const GstGlesBoundRange *range)
{
  Bound wanted = { range->buffer->name, range->offset_bytes, range->size_bytes };
  Bound *bound = index < MAX_BOUND ? &replay->bound[index] : NULL;

  if (bound != NULL && bound->name == wanted.name && bound->offset == wanted.offset &&
      bound->size == wanted.size)
    return;
  glBindBufferRange (
      GL_SHADER_STORAGE_BUFFER, index, wanted.name, wanted.offset, (GLsizeiptr) wanted.size);
  if (bound != NULL)
    *bound = wanted;
  replay->n_bound = MAX (replay->n_bound, index + 1);
}

/* A buffer keeps its texture, which later submissions use, so one that was not made is dropped. */
static gboolean
make_texels (Replay *replay, GstGlesBuffer *buffer, GError **error)
{
  glGenTextures (1, &buffer->texels);
  glBindTexture (GL_TEXTURE_BUFFER_EXT, buffer->texels);
  gst_gles_procs ()->tex_buffer (GL_TEXTURE_BUFFER_EXT, GL_RGBA32UI, buffer->name);
  if (gst_gles_check_gl (replay->share, "making a buffer texture", error))
    return TRUE;
  glDeleteTextures (1, &buffer->texels);
  buffer->texels = 0;
  return FALSE;
}

static gboolean
bind_texels (Replay *replay, guint index, GstGlesBuffer *buffer, GError **error)
{
  replay->n_textures = MAX (replay->n_textures, index + 1);
  glActiveTexture (GL_TEXTURE0 + index);
  if (buffer->texels == 0)
    return make_texels (replay, buffer, error);
  glBindTexture (GL_TEXTURE_BUFFER_EXT, buffer->texels);
  return TRUE;
}

static gboolean
bind_params (Replay *replay, gconstpointer params, gsize size_bytes, GError **error)
{
  if (replay->params == NULL)
    replay->params = gst_gles_params_new (replay->share, error);
  if (replay->params == NULL)
    return FALSE;
  gst_gles_params_bind (replay->params, replay->share, params, size_bytes);
  return TRUE;
}

/* Some drivers generate code in the first dispatch of a program. What that leaves behind is for the
 * end of the batch: errors of OpenGL ES are looked for until then. */
static void
note_first_run (Replay *replay, GstGlesProgram *program, gint64 begin_us)
{
  const FirstRun run = { gst_gles_program_ref (program), g_get_monotonic_time () - begin_us };

  g_array_append_val (replay->first_runs, run);
  gst_gles_thread_register_exit_handler ();
}

static void
handle_first_runs (Replay *replay)
{
  for (guint i = 0; i < replay->first_runs->len; i++) {
    const FirstRun *run = &g_array_index (replay->first_runs, FirstRun, i);

    gst_gles_program_has_run (run->program, run->time_us);
  }
  g_array_set_size (replay->first_runs, 0);
}

static gboolean
replay_dispatch (Replay *replay, const GstGlesDispatchCommand *command, GError **error)
{
  const GstGlesBoundRange *ranges = (const GstGlesBoundRange *) (command + 1);
  const GLuint program = gst_gles_program_get_name (command->program);
  gint64 first_begin_us = 0;

  for (guint i = 0; i < command->n_bindings; i++) {
    if (ranges[i].buffer == NULL)
      continue;
    if (!ranges[i].texels)
      bind_storage (replay, i, &ranges[i]);
    else if (!bind_texels (replay, i, ranges[i].buffer, error))
      return FALSE;
  }
  if (command->params_bytes > 0 &&
      !bind_params (replay, ranges + command->n_bindings, command->params_bytes, error))
    return FALSE;
  if (replay->program != program)
    glUseProgram (program);
  replay->program = program;
  if ((command->flags & GST_GLES_DISPATCH_INDEPENDENT) == 0)
    barrier (replay);
  if (gst_gles_program_is_first_run (command->program))
    first_begin_us = g_get_monotonic_time ();
  if (command->indirect != NULL) {
    bind_target (replay, TARGET_INDIRECT, command->indirect->name);
    glDispatchComputeIndirect ((GLintptr) command->indirect_offset);
  } else {
    glDispatchCompute (command->groups[0], command->groups[1], command->groups[2]);
  }
  if (first_begin_us != 0)
    note_first_run (replay, command->program, first_begin_us);
  *replay->written = replay->barriers;
#if GST_GLES_DEBUG
  return gst_gles_check_gl (
      replay->share, gst_gles_program_get_spec (command->program)->kernel, error);
#else
  return TRUE;
#endif
}

/* ---- copies ---- */

/* Called before code that binds and unbinds the copy targets itself. */
static void
forget_copy_targets (Replay *replay)
{
  replay->targets[TARGET_COPY_READ] = replay->targets[TARGET_COPY_WRITE] = 0;
}

static void
replay_copy (Replay *replay, const GstGlesCopyCommand *command)
{
  barrier (replay);
  bind_target (replay, TARGET_COPY_READ, command->source->name);
  bind_target (replay, TARGET_COPY_WRITE, command->target->name);
  glCopyBufferSubData (GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, (GLintptr) command->source_offset,
      (GLintptr) command->target_offset, (GLsizeiptr) command->size_bytes);
}

static void
replay_write (Replay *replay, const GstGlesWriteCommand *command)
{
  const guint8 *data = command->data != NULL ? command->data : (const guint8 *) (command + 1);

  barrier (replay);
  forget_copy_targets (replay);
  gst_gles_fill (command->target->name, command->offset_bytes, data, command->size_bytes);
}

static gboolean
replay_call (Replay *replay, const GstGlesCallCommand *command, GError **error)
{
  barrier (replay);
  forget_copy_targets (replay);
  return command->func (replay->share, command->user_data, error);
}

gboolean
gst_gles_replay_command (
    GstGlesShare *share, const GstGlesCommand *command, guint64 *written, GError **error)
{
  Replay *replay = replay_of (share);

  replay->written = written;
  switch ((GstGlesCommandType) command->type) {
    case GST_GLES_COMMAND_DISPATCH:
      return replay_dispatch (replay, (const GstGlesDispatchCommand *) command, error);
    case GST_GLES_COMMAND_COPY:
      replay_copy (replay, (const GstGlesCopyCommand *) command);
      break;
    case GST_GLES_COMMAND_WRITE:
      replay_write (replay, (const GstGlesWriteCommand *) command);
      break;
    case GST_GLES_COMMAND_CALL:
      return replay_call (replay, (const GstGlesCallCommand *) command, error);
  }
  return TRUE;
}

gboolean
gst_gles_replay_finish (GstGlesShare *share, GError **error)
{
  Replay *replay = replay_of (share);
  gboolean ok;

  /* Makes the shaders' writes to mapped memory visible when the following fence is passed. */
  glMemoryBarrier (GL_ALL_BARRIER_BITS | GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT_EXT);
  replay->barriers++;
  ok = gst_gles_check_gl (share, "executing a submission", error);
  handle_first_runs (replay);
  return ok;
}
