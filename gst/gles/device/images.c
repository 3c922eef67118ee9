/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/error.h>
#include <gst/gles/device/images.h>

/* Drivers list at most some dozens. */
#define MAX_MODIFIERS 256

const guint32 gst_gles_plane_fourccs[GST_GLES_N_PLANE_FORMATS] = { GST_GLES_FOURCC (
                                                                       'R', '8', ' ', ' '),
  GST_GLES_FOURCC ('G', 'R', '8', '8'), GST_GLES_FOURCC ('A', 'B', '2', '4') };

/* ---- support ---- */

static GArray *
list_modifiers (const GstGlesDisplay *display, guint32 fourcc)
{
  const GstGlesProcs *procs = gst_gles_procs ();
  EGLuint64KHR modifiers[MAX_MODIFIERS];
  EGLBoolean external[MAX_MODIFIERS];
  EGLint n = 0;
  GArray *list;

  if (!procs->query_modifiers (
          display->egl, (EGLint) fourcc, MAX_MODIFIERS, modifiers, external, &n))
    return NULL;
  list = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (EGLint i = 0; i < MIN (n, MAX_MODIFIERS); i++) {
    guint64 modifier = modifiers[i];

    if (!external[i] && modifier != GST_GLES_MODIFIER_LINEAR)
      g_array_append_val (list, modifier);
  }
  return list;
}

void
gst_gles_image_support_probe (
    GstGlesImageSupport *support, const GstGlesDisplay *display, const gchar *extensions)
{
  const GstGlesProcs *procs = gst_gles_procs ();
  const gchar *egl = eglQueryString (display->egl, EGL_EXTENSIONS);
  gboolean images = gst_gles_has_extension (egl, "EGL_KHR_image_base") &&
      gst_gles_has_extension (extensions, "GL_OES_EGL_image") && procs->create_image != NULL &&
      procs->destroy_image != NULL && procs->image_target_texture != NULL;

  support->textures = images && gst_gles_has_extension (egl, "EGL_KHR_gl_texture_2D_image") &&
      gst_gles_has_extension (egl, "EGL_KHR_fence_sync") &&
      gst_gles_has_extension (egl, "EGL_KHR_wait_sync") && procs->create_sync != NULL &&
      procs->destroy_sync != NULL && procs->wait_sync != NULL && procs->client_wait_sync != NULL;
  support->dmabufs = images && gst_gles_has_extension (egl, "EGL_EXT_image_dma_buf_import");
  if (!support->dmabufs || procs->query_modifiers == NULL ||
      !gst_gles_has_extension (egl, "EGL_EXT_image_dma_buf_import_modifiers"))
    return;
  for (guint i = 0; i < GST_GLES_N_PLANE_FORMATS; i++)
    support->modifiers[i] = list_modifiers (display, gst_gles_plane_fourccs[i]);
}

void
gst_gles_image_support_clear (GstGlesImageSupport *support)
{
  for (guint i = 0; i < GST_GLES_N_PLANE_FORMATS; i++)
    g_clear_pointer (&support->modifiers[i], g_array_unref);
  memset (support, 0, sizeof (*support));
}

/* Whether the driver lists @modifier for plane format @index; it does not have to list the linear
 * one. */
static gboolean
has_modifier (const GstGlesImageSupport *support, guint index, guint64 modifier)
{
  const GArray *list = support->modifiers[index];

  if (modifier == GST_GLES_MODIFIER_LINEAR)
    return support->dmabufs;
  for (guint i = 0; list != NULL && i < list->len; i++) {
    if (g_array_index (list, guint64, i) == modifier)
      return TRUE;
  }
  return FALSE;
}

/* AFBC of ARM compresses all planes of a picture together, so that none can be read alone. */
static gboolean
is_afbc (guint64 modifier)
{
  return modifier >> 56 == 0x08;
}

GArray *
gst_gles_image_support_list_modifiers (const GstGlesImageSupport *support)
{
  GArray *common = g_array_new (FALSE, FALSE, sizeof (guint64));
  const GArray *first = support->modifiers[0];

  for (guint i = 0; first != NULL && i < first->len; i++) {
    guint64 modifier = g_array_index (first, guint64, i);
    gboolean listed = !is_afbc (modifier);

    for (guint k = 1; k < GST_GLES_N_PLANE_FORMATS; k++)
      listed = listed && has_modifier (support, k, modifier);
    if (listed)
      g_array_append_val (common, modifier);
  }
  return common;
}

/* ---- images ---- */

EGLImageKHR
gst_gles_image_from_dmabuf (
    const GstGlesDisplay *display, const GstGlesDmaBufPlane *plane, GError **error)
{
  const guint32 fourcc = gst_gles_plane_fourccs[plane->format];
  EGLint attributes[] = { EGL_WIDTH, (EGLint) plane->width, EGL_HEIGHT, (EGLint) plane->height,
    EGL_LINUX_DRM_FOURCC_EXT, (EGLint) fourcc, EGL_DMA_BUF_PLANE0_FD_EXT, plane->fd,
    EGL_DMA_BUF_PLANE0_OFFSET_EXT, (EGLint) plane->offset_bytes, EGL_DMA_BUF_PLANE0_PITCH_EXT,
    (EGLint) plane->stride_bytes,
    /* Without a modifier the driver asks the kernel for the layout. Drivers that list none refuse
     * the attributes. */
    plane->modifier != GST_GLES_MODIFIER_LINEAR ? EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT : EGL_NONE,
    (EGLint) (guint32) plane->modifier, EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT,
    (EGLint) (guint32) (plane->modifier >> 32), EGL_NONE };
  EGLImageKHR image = gst_gles_procs ()->create_image (
      display->egl, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, NULL, attributes);

  if (image != EGL_NO_IMAGE_KHR)
    return image;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "%s cannot import a DMABuf of %ux%u texels of %u bytes, stride %" G_GSIZE_FORMAT
      ", modifier 0x%" G_GINT64_MODIFIER "x (%s)",
      display->key, plane->width, plane->height, 1u << plane->format, plane->stride_bytes,
      plane->modifier, gst_gles_egl_error_name (eglGetError ()));
  return EGL_NO_IMAGE_KHR;
}
