/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/core/checked.h>
#include <gst/gles/device/procs.h>
#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/texture.h>
#include <glsl/texture/texture-layout.h>

#define COPY_INVOCATIONS 128

struct _GstGlesTexture {
  gint ref_count;
  GstGlesShare *share;
  EGLImageKHR image;
  GLuint name;
  GstGlesTexels texels;
  GstGlesProgram *program; /* copies it */
};

/* ---- programs ---- */

static void
make_spec (const GstGlesTexels *texels, GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){
    .kernel = "texture_copy",
    .local_size = { COPY_INVOCATIONS, 1, 1 },
    .n_storage = 1,
    .defines = { { "CHANNELS", texels->channels }, { "SAMPLE_BYTES", texels->sample_bytes },
        { "SECOND", texels->second_alpha ? 3 : 1 } },
  };
}

void
gst_gles_texture_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  GstGlesProgramSpec spec;

  for (guint bytes = 1; bytes <= 2; bytes++) {
    for (guint channels = 1; channels <= 4; channels++) {
      const GstGlesTexels texels = { channels, bytes, FALSE };
      make_spec (&texels, &spec);
      func (&spec, user_data);
    }
  }
  make_spec (&(GstGlesTexels){ 2, 1, TRUE }, &spec);
  func (&spec, user_data);
}

/* ---- textures ---- */

typedef struct {
  GstGlesTexture *texture;
  const GstGlesDmaBufPlane *plane; /* NULL: the texture has an image */
} Making;

static gboolean
make_texture (gpointer data, GError **error)
{
  Making *making = data;
  GstGlesTexture *texture = making->texture;
  GLenum code;

  if (making->plane != NULL) {
    texture->image = gst_gles_image_from_dmabuf (texture->share->display, making->plane, error);
    if (texture->image == EGL_NO_IMAGE_KHR)
      return FALSE;
  }
  gst_gles_forget_gl_errors ();
  glGenTextures (1, &texture->name);
  glActiveTexture (GL_TEXTURE0);
  glBindTexture (GL_TEXTURE_2D, texture->name);
  gst_gles_procs ()->image_target_texture (GL_TEXTURE_2D, texture->image);
  /* an image has one level: the default filter would make its texture incomplete */
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glBindTexture (GL_TEXTURE_2D, 0);
  code = glGetError ();
  if (code == GL_NO_ERROR)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "%s cannot read the image as a texture (OpenGL ES error 0x%04x)", texture->share->id, code);
  return FALSE;
}

GstGlesTexture *
gst_gles_texture_new (GstGlesQueue *queue, EGLImageKHR image, const GstGlesDmaBufPlane *plane,
    const GstGlesTexels *texels, GError **error)
{
  GstGlesTexture *texture = g_new0 (GstGlesTexture, 1);
  Making making = { texture, plane };
  GstGlesProgramSpec spec;

  texture->ref_count = 1;
  texture->share = gst_gles_share_ref (queue->share);
  texture->image = image;
  texture->texels = *texels;
  make_spec (texels, &spec);
  texture->program = gst_gles_program_get (queue, &spec, error);
  if (texture->program != NULL &&
      gst_gles_thread_call (texture->share->thread, make_texture, &making, error))
    return texture;
  gst_gles_texture_unref (texture);
  return NULL;
}

GstGlesTexture *
gst_gles_texture_ref (GstGlesTexture *texture)
{
  g_atomic_int_inc (&texture->ref_count);
  return texture;
}

void
gst_gles_texture_unref (GstGlesTexture *texture)
{
  if (texture == NULL || !g_atomic_int_dec_and_test (&texture->ref_count))
    return;
  {
    const GstGlesTrash trash[] = {
      { GST_GLES_TRASH_TEXTURE, texture->name, NULL },
      { GST_GLES_TRASH_IMAGE, 0, texture->image },
    };
    gst_gles_share_discard (texture->share, trash, G_N_ELEMENTS (trash));
  }
  gst_gles_program_unref (texture->program);
  gst_gles_share_unref (texture->share);
  g_free (texture);
}

gboolean
gst_gles_texture_fits (GstGlesTexture *texture, GstGlesQueue *queue, const GstGlesTexels *texels)
{
  return texture->share == queue->share &&
      (texels == NULL ||
          (texels->channels == texture->texels.channels &&
              texels->sample_bytes == texture->texels.sample_bytes &&
              texels->second_alpha == texture->texels.second_alpha));
}

/* ---- submissions ---- */

/* The threads of a software device are the host's, and not every version of llvmpipe lets a context
 * wait for another one. */
static gboolean
wait_sync (GstGlesShare *share, gpointer user_data, GError **error)
{
  const GstGlesProcs *procs = gst_gles_procs ();
  EGLDisplay egl = share->display->egl;
  gboolean waits = share->kind == GST_GLES_DEVICE_SOFTWARE
      ? procs->client_wait_sync (egl, user_data, 0, EGL_FOREVER_KHR) == EGL_CONDITION_SATISFIED_KHR
      : procs->wait_sync (egl, user_data, 0) == EGL_TRUE;

  if (!waits)
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
        "%s cannot wait for the owner of a texture (%s)", share->id,
        gst_gles_egl_error_name (eglGetError ()));
  procs->destroy_sync (egl, user_data);
  return waits;
}

void
gst_gles_queue_wait_sync (GstGlesQueue *queue, EGLSyncKHR sync)
{
  gst_gles_queue_record_call (queue, wait_sync, sync);
}

void
gst_gles_queue_discard_sync (GstGlesQueue *queue, EGLSyncKHR sync)
{
  const GstGlesTrash trash = { GST_GLES_TRASH_SYNC, 0, sync };

  gst_gles_share_discard (queue->share, &trash, 1);
}

/* Texture unit 0 may have a buffer texture bound, which is another target. */
static gboolean
bind_texture (GstGlesShare *share, gpointer user_data, GError **error)
{
  GstGlesTexture *texture = user_data;

  glActiveTexture (GL_TEXTURE0);
  /* also makes what the owner wrote visible */
  glBindTexture (GL_TEXTURE_2D, texture->name);
  return TRUE;
}

static gboolean
unbind_texture (GstGlesShare *share, gpointer user_data, GError **error)
{
  glActiveTexture (GL_TEXTURE0);
  glBindTexture (GL_TEXTURE_2D, 0);
  return TRUE;
}

static void
on_done (const GError *error, gpointer user_data)
{
  gst_gles_texture_unref (user_data);
}

static const GstGlesHook texture_hook = { NULL, on_done };

gboolean
gst_gles_queue_copy_texture (GstGlesQueue *queue, GstGlesTexture *texture,
    const GstGlesTextureRegion *region, GstGlesBuffer *target, GError **error)
{
  const gsize row_bytes =
      (gsize) region->width * texture->texels.channels * texture->texels.sample_bytes;
  const guint row_units = (guint) gst_gles_div_ceil (row_bytes, 16);
  const GstGlesTextureCopy params = {
    .x = region->x,
    .y = region->y,
    .width = region->width,
    .row_units = row_units,
    .first_unit = (guint32) (region->offset_bytes / 16),
    .stride_units = (guint32) (region->stride_bytes / 16),
  };
  const GstGlesBinding binding = { target, 0, 0, GST_GLES_WRITE };
  const guint groups[3] = { (guint) gst_gles_div_ceil (row_units, COPY_INVOCATIONS), region->height,
    1 };
  gboolean ok;

  gst_gles_queue_add_hook (queue, &texture_hook, gst_gles_texture_ref (texture));
  gst_gles_queue_record_call (queue, bind_texture, texture);
  ok = gst_gles_queue_dispatch (
      queue, GST_GLES_DISPATCH (texture->program, &binding, 1, &params), groups, error);
  gst_gles_queue_record_call (queue, unbind_texture, NULL);
  return ok;
}
