/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parameters of dispatches, as slices of one ring of uniform blocks. Plain uniforms would need a GL
 * call each, and they are state of the program, which another dispatch needs with other values. */
#include "config.h"

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/gl/gl-private.h>

#define SEGMENT_BYTES GST_GLES_PARAMS_MAX_BYTES
#define N_SEGMENTS 4
#define BOUND_BYTES 256

struct _GstGlesParams {
  GLuint name;
  guint8 *mapped; /* NULL without buffer_storage: slices are then written by glBufferSubData() */
  guint segment;
  gsize used;                /* bytes of the segment */
  GLsync fences[N_SEGMENTS]; /* each after the last use of its segment */
  guint8 bound[BOUND_BYTES]; /* the content of the bound slice */
  gsize bound_bytes;         /* its size; 0: unknown */
};

GstGlesParams *
gst_gles_params_new (GstGlesShare *share, GError **error)
{
  const GLbitfield map = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT;
  const gsize size = SEGMENT_BYTES * N_SEGMENTS;
  GstGlesParams *params = g_new0 (GstGlesParams, 1);
  gboolean ok;

  glGenBuffers (1, &params->name);
  glBindBuffer (GL_UNIFORM_BUFFER, params->name);
  if (share->limits.buffer_storage) {
    gst_gles_procs ()->buffer_storage (GL_UNIFORM_BUFFER, size, NULL, map);
    params->mapped = glMapBufferRange (GL_UNIFORM_BUFFER, 0, size, map);
  } else {
    glBufferData (GL_UNIFORM_BUFFER, size, NULL, GL_DYNAMIC_DRAW);
  }
  glBindBuffer (GL_UNIFORM_BUFFER, 0);
  ok = gst_gles_check_gl (share, "allocating parameters", error);
  if (ok && share->limits.buffer_storage && params->mapped == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "%s: the memory of parameters cannot be mapped", share->id);
    ok = FALSE;
  }
  if (!ok)
    g_clear_pointer (&params, gst_gles_params_free);
  return params;
}

void
gst_gles_params_free (GstGlesParams *params)
{
  glDeleteBuffers (1, &params->name);
  for (guint i = 0; i < N_SEGMENTS; i++) {
    if (params->fences[i] != NULL)
      glDeleteSync (params->fences[i]);
  }
  g_free (params);
}

/* Moves to the next segment. The old segment gets a fence, and the new one is reused only when its
 * own fence has been passed: a slice is never overwritten before the device has read it. */
static void
next_segment (GstGlesParams *params)
{
  GLsync *fence;

  params->fences[params->segment] = glFenceSync (GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  if (params->fences[params->segment] == NULL)
    glFinish ();
  params->segment = (params->segment + 1) % N_SEGMENTS;
  params->used = 0;
  fence = &params->fences[params->segment];
  if (*fence == NULL)
    return;
  if (glClientWaitSync (*fence, GL_SYNC_FLUSH_COMMANDS_BIT, GL_TIMEOUT_IGNORED) ==
      GL_TIMEOUT_EXPIRED)
    glFinish ();
  glDeleteSync (*fence);
  *fence = NULL;
}

void
gst_gles_params_bind (GstGlesParams *params, GstGlesShare *share, gconstpointer data, gsize size)
{
  gsize stride =
      gst_gles_align_up (gst_gles_align_up (size, 16), MAX (share->limits.uniform_alignment, 16));
  gsize offset;

  /* Same bytes as for the previous dispatch: its slice is still bound, and its segment in use. */
  if (size == params->bound_bytes && memcmp (data, params->bound, size) == 0)
    return;
  if (params->used + stride > SEGMENT_BYTES)
    next_segment (params);
  offset = (gsize) params->segment * SEGMENT_BYTES + params->used;
  params->used += stride;
  if (params->mapped != NULL) {
    memcpy (params->mapped + offset, data, size);
  } else {
    glBindBuffer (GL_UNIFORM_BUFFER, params->name);
    glBufferSubData (GL_UNIFORM_BUFFER, (GLintptr) offset, (GLsizeiptr) size, data);
  }
  glBindBufferRange (GL_UNIFORM_BUFFER, 0, params->name, (GLintptr) offset,
      (GLsizeiptr) gst_gles_align_up (size, 16));
  params->bound_bytes = size <= BOUND_BYTES ? size : 0;
  memcpy (params->bound, data, params->bound_bytes);
}

void
gst_gles_params_unbound (GstGlesParams *params)
{
  glBindBufferBase (GL_UNIFORM_BUFFER, 0, 0);
  glBindBuffer (GL_UNIFORM_BUFFER, 0);
  params->bound_bytes = 0;
}
