/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parameters of dispatches. Uniforms live in the program object, which contexts share, and race;
 * uniform blocks do not. */
#include "config.h"

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/gl/gl-private.h>

#define SEGMENT_BYTES (32 * 1024)
#define N_SEGMENTS 4
#define BOUND_BYTES 256

struct _GstGlesParams {
  GLuint name;
  guint8 *mapped; /* NULL without buffer_storage: written by glBufferSubData */
  guint segment;
  gsize used;                     /* bytes of the segment */
  GstGlesSync *syncs[N_SEGMENTS]; /* behind the last use of each */
  guint8 bound[BOUND_BYTES];      /* what is bound, */
  gsize bound_bytes;              /* so much of it; 0: nothing that is known */
};

GstGlesParams *
gst_gles_params_new (GstGlesQueue *queue, GError **error)
{
  const GLbitfield map = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT;
  GstGlesParams *params = g_new0 (GstGlesParams, 1);
  gsize size = SEGMENT_BYTES * N_SEGMENTS;

  glGenBuffers (1, &params->name);
  glBindBuffer (GL_UNIFORM_BUFFER, params->name);
  if (queue->share->limits.buffer_storage) {
    gst_gles_gl_procs ()->buffer_storage (GL_UNIFORM_BUFFER, size, NULL, map);
    params->mapped = glMapBufferRange (GL_UNIFORM_BUFFER, 0, size, map);
  } else {
    glBufferData (GL_UNIFORM_BUFFER, size, NULL, GL_DYNAMIC_DRAW);
  }
  glBindBuffer (GL_UNIFORM_BUFFER, 0);
  if (!gst_gles_check_gl (queue, "allocating parameters", error)) {
    glDeleteBuffers (1, &params->name);
    g_free (params);
    return NULL;
  }
  return params;
}

void
gst_gles_params_free (GstGlesParams *params, GstGlesShare *share)
{
  gst_gles_share_discard (share, GST_GLES_TRASH_BUFFER, params->name);
  for (guint i = 0; i < N_SEGMENTS; i++)
    gst_gles_sync_unref (params->syncs[i]);
  g_free (params);
}

/* A slice is never rewritten before the device has read it: each segment gets a fence when it is
 * left, and is entered again only behind that fence. */
static gboolean
next_segment (GstGlesParams *params, GstGlesQueue *queue, GError **error)
{
  gst_gles_sync_unref (params->syncs[params->segment]);
  params->syncs[params->segment] = gst_gles_sync_new (queue);
  params->segment = (params->segment + 1) % N_SEGMENTS;
  params->used = 0;
  return gst_gles_sync_wait (params->syncs[params->segment], GST_GLES_WAIT_FOREVER, error);
}

gboolean
gst_gles_params_bind (
    GstGlesParams *params, GstGlesQueue *queue, gconstpointer data, gsize size, GError **error)
{
  gsize stride = gst_gles_align_up (
      gst_gles_align_up (size, 16), MAX (queue->share->limits.uniform_alignment, 16));
  gsize offset;

  if (size > queue->share->limits.uniform_block_bytes || stride > SEGMENT_BYTES) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "%" G_GSIZE_FORMAT " bytes of parameters are over the limit of %u", size,
        queue->share->limits.uniform_block_bytes);
    return FALSE;
  }
  /* the same as for the dispatch before: its slice is still the last one, in a segment that is not left */
  if (size == params->bound_bytes && memcmp (data, params->bound, size) == 0)
    return TRUE;
  if (params->used + stride > SEGMENT_BYTES && !next_segment (params, queue, error))
    return FALSE;

  offset = (gsize) params->segment * SEGMENT_BYTES + params->used;
  params->used += stride;
  if (params->mapped != NULL) {
    memcpy (params->mapped + offset, data, size);
  } else {
    glBindBuffer (GL_UNIFORM_BUFFER, params->name);
    glBufferSubData (GL_UNIFORM_BUFFER, offset, size, data);
  }
  glBindBufferRange (GL_UNIFORM_BUFFER, 0, params->name, offset, gst_gles_align_up (size, 16));
  params->bound_bytes = size <= BOUND_BYTES ? size : 0;
  memcpy (params->bound, data, params->bound_bytes);
  return TRUE;
}

void
gst_gles_params_unbound (GstGlesParams *params)
{
  params->bound_bytes = 0;
}
