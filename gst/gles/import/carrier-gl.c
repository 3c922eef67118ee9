/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in textures of a GstGLContext. A texture of the same EGL display is imported as an EGL
 * image; other textures are downloaded by mapping, as gldownload does. */
#include "config.h"

#include <gst/gl/gl.h>

#include <gst/gles/gl/queue-share.h>
#include <gst/gles/import/import.h>

/* What the thread of the GstGLContext does for one frame, while the streaming thread waits. */
typedef struct {
  GstGlesFrameSource *source;
  GstBuffer *buffer;
  EGLImageKHR images[GST_VIDEO_MAX_PLANES]; /* new ones, for planes without a texture */
  const gchar *refused;                     /* why the frame cannot be imported */
} Taking;

/* How the bytes of a plane are stored in textures of each format. */
static const struct {
  GstGLFormat format;
  GstGlesTexels texels;
} formats[] = {
  { GST_GL_LUMINANCE, { 1, 1, FALSE } },
  { GST_GL_LUMINANCE_ALPHA, { 2, 1, TRUE } },
  { GST_GL_RED, { 1, 1, FALSE } },
  { GST_GL_R8, { 1, 1, FALSE } },
  { GST_GL_RG, { 2, 1, FALSE } },
  { GST_GL_RG8, { 2, 1, FALSE } },
  { GST_GL_RGB, { 3, 1, FALSE } },
  { GST_GL_RGB8, { 3, 1, FALSE } },
  { GST_GL_RGBA, { 4, 1, FALSE } },
  { GST_GL_RGBA8, { 4, 1, FALSE } },
  { GST_GL_R16, { 1, 2, FALSE } },
  { GST_GL_RG16, { 2, 2, FALSE } },
  { GST_GL_RGBA16, { 4, 2, FALSE } },
};

static const GstGlesTexels *
find_texels (GstGLFormat format)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    if (formats[i].format == format)
      return &formats[i].texels;
  }
  return NULL;
}

static GstGLMemory *
peek_texture (GstBuffer *buffer, guint plane)
{
  return (GstGLMemory *) gst_buffer_peek_memory (buffer, plane);
}

static GstGlesImportKey
key_of (GstGlesFrameSource *source, GstGLMemory *memory)
{
  return (GstGlesImportKey){ .share = source->queue->share,
    .object = gst_gl_memory_get_texture_id (memory),
    .descriptor = (guint64) (gsize) memory->mem.context,
    .width = (guint32) gst_gl_memory_get_texture_width (memory),
    .height = (guint32) gst_gl_memory_get_texture_height (memory),
    .format = gst_gl_memory_get_texture_format (memory) };
}

/* ---- on the thread of the GstGLContext ---- */

/* Brings plane @p to its texture, which elements such as glupload leave to the first reader, and
 * makes an image of a texture that is new. */
static gboolean
take_plane (Taking *taking, guint p)
{
  /* Without this attribute the texture may lose its content. */
  static const EGLint preserved[] = { EGL_IMAGE_PRESERVED_KHR, EGL_TRUE, EGL_NONE };
  GstGLMemory *memory = peek_texture (taking->buffer, p);
  GstGlesImportKey key = key_of (taking->source, memory);
  GstMapInfo map;

  if (GST_MEMORY_FLAG_IS_SET (memory, GST_GL_BASE_MEMORY_TRANSFER_NEED_UPLOAD)) {
    if (!gst_memory_map ((GstMemory *) memory, &map, (GstMapFlags) (GST_MAP_READ | GST_MAP_GL))) {
      taking->refused = "a texture cannot be mapped";
      return FALSE;
    }
    gst_memory_unmap ((GstMemory *) memory, &map);
  }
  if (gst_gles_import_find_texture (taking->source, (GstMemory *) memory, p, &key))
    return TRUE;
  taking->images[p] = gst_gles_procs ()->create_image (eglGetCurrentDisplay (),
      eglGetCurrentContext (), EGL_GL_TEXTURE_2D_KHR,
      (EGLClientBuffer) (gsize) gst_gl_memory_get_texture_id (memory), preserved);
  if (taking->images[p] != EGL_NO_IMAGE_KHR)
    return TRUE;
  (void) eglGetError ();
  taking->refused = "EGL cannot make an image of a texture";
  return FALSE;
}

/* Makes the device wait for what was drawn. Both waits are in the order of commands, not on the
 * host: this context waits for the one that drew, and the device waits for this context. A
 * context without commands has its fence at once. Any command, this wait included, makes the GPU
 * change to that context and back, which takes NVIDIA's 0.3 ms. */
static gboolean
fence_on_gl_thread (GstGlesImport *import, GstGLSyncMeta *sync, GstGLContext *context)
{
  void (GL_APIENTRY * flush) (void);

  if (sync != NULL)
    gst_gl_sync_meta_wait (sync, context);
  import->sync = gst_gles_procs ()->create_sync (eglGetCurrentDisplay (), EGL_SYNC_FENCE_KHR, NULL);
  flush = (void (GL_APIENTRY *) (void)) gst_gl_context_get_proc_address (context, "glFlush");
  flush ();
  return import->sync != EGL_NO_SYNC_KHR;
}

static void
take_on_gl_thread (GstGLContext *context, gpointer data)
{
  Taking *taking = data;
  GstGlesFrameSource *source = taking->source;

  /* an image is valid on its own display only */
  if (eglGetCurrentDisplay () != source->queue->share->display->egl) {
    taking->refused = "the textures belong to another EGL display than the device; name the same "
                      "GPU with device= and GST_GL_WINDOW, or put gldownload before this element";
    return;
  }
  for (guint p = 0; p < source->n_planes; p++) {
    if ((source->used_planes & (1u << p)) != 0 && !take_plane (taking, p))
      return;
  }
  if (!fence_on_gl_thread (source->import, gst_buffer_get_gl_sync_meta (taking->buffer), context))
    taking->refused = "EGL cannot make a fence";
}

/* ---- on the streaming thread ---- */

/* Returns why the textures of @buffer cannot hold its planes: static; or NULL if they can. */
static const gchar *
check_textures (GstGlesFrameSource *source, GstBuffer *buffer)
{
  if (gst_buffer_n_memory (buffer) != GST_VIDEO_INFO_N_PLANES (&source->info))
    return "there is not one texture for each plane";
  for (guint p = 0; p < source->n_planes; p++) {
    GstGLMemory *memory = peek_texture (buffer, p);
    const GstGlesTexels *texels = find_texels (gst_gl_memory_get_texture_format (memory));

    if (gst_gl_memory_get_texture_target (memory) != GST_GL_TEXTURE_TARGET_2D)
      return "the textures are not of target 2D";
    if (gst_gl_context_get_gl_platform (memory->mem.context) != GST_GL_PLATFORM_EGL)
      return "the GL context is not made by EGL (GST_GL_PLATFORM=egl)";
    if (texels == NULL)
      return "their format is not one of 8 or 16 bits a component";
    if (!gst_gles_import_measure_plane (source, p, texels->channels * texels->sample_bytes) ||
        source->import->planes[p].width > (guint) gst_gl_memory_get_texture_width (memory) ||
        source->import->planes[p].height > (guint) gst_gl_memory_get_texture_height (memory))
      return "the textures are smaller than the planes";
  }
  return NULL;
}

/* Makes textures of the images that the other thread made. Takes them in any case. */
static gboolean
wrap_images (Taking *taking, GError **error)
{
  GstGlesFrameSource *source = taking->source;
  gboolean ok = TRUE;

  for (guint p = 0; p < source->n_planes; p++) {
    GstGLMemory *memory = peek_texture (taking->buffer, p);
    EGLImageKHR image = g_steal_pointer (&taking->images[p]);
    GstGlesTexture *texture;
    GstGlesImportKey key;

    if (image == EGL_NO_IMAGE_KHR)
      continue;
    texture = gst_gles_texture_new (source->queue, image, NULL,
        find_texels (gst_gl_memory_get_texture_format (memory)), ok ? error : NULL);
    ok = ok && texture != NULL;
    if (texture == NULL)
      continue;
    key = key_of (source, memory);
    gst_gles_import_keep_texture (source, (GstMemory *) memory, p, &key, texture);
  }
  return ok;
}

static gboolean
make_textures (GstGlesFrameSource *source, GstBuffer *buffer, GError **error)
{
  Taking taking = { source, buffer, { EGL_NO_IMAGE_KHR }, check_textures (source, buffer) };
  gboolean wrapped = FALSE;

  if (taking.refused == NULL) {
    gst_gl_context_thread_add (peek_texture (buffer, 0)->mem.context, take_on_gl_thread, &taking);
    wrapped = wrap_images (&taking, taking.refused == NULL ? error : NULL);
  }
  if (taking.refused != NULL)
    g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID, taking.refused);
  return wrapped && taking.refused == NULL;
}

static GstGlesCarry
gl_acquire (GstGlesFrameSource *source, GstBuffer *buffer, GstGlesImage *image,
    GstGlesFrameCost *cost, GError **error)
{
  static const GstGlesImporter importer = { gst_is_gl_memory, make_textures };
  GstGlesCarry carry;

  if (!source->on_device || !source->queue->share->images.textures)
    return GST_GLES_CARRY_DECLINED;
  carry = gst_gles_import_acquire (source, buffer, image, &importer, error);
  if (carry == GST_GLES_CARRY_TAKEN)
    cost->kind = GST_GLES_FRAME_IMPORTED;
  return carry;
}

const GstGlesCarrier gst_gles_carrier_gl = { "gl", gl_acquire, gst_gles_import_commit,
  gst_gles_import_release, gst_gles_import_clear };
