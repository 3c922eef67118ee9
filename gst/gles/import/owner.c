/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <dlfcn.h>
#include <string.h>

#include <gst/allocators/allocators.h>

#if HAVE_GST_GL
#include <gst/gl/gl.h>
#endif

#include <gst/gles/import/carrier-cuda.h>
#include <gst/gles/import/owner.h>

/* ---- VA ---- */

#define VA_LIBRARY "libgstva-1.0.so.0"

/* Returns gst_va_memory_peek_display() (GStreamer 1.22), or NULL while no element has loaded
 * libgstva. */
static gpointer
find_va_function (void)
{
  static gpointer function; /* atomic */
  gpointer found = g_atomic_pointer_get (&function);
  void *library = found == NULL ? dlopen (VA_LIBRARY, RTLD_LAZY | RTLD_NOLOAD) : NULL;

  if (library != NULL) {
    found = dlsym (library, "gst_va_memory_peek_display");
    if (found == NULL)
      dlclose (library); /* else one reference keeps it loaded */
    g_atomic_pointer_set (&function, found);
  }
  return found;
}

/* Returns the GstVaDisplay of a DMABuf. */
static gpointer
peek_va_display (GstMemory *memory)
{
  gpointer (*peek) (GstMemory *) = gst_is_dmabuf_memory (memory) ? find_va_function () : NULL;

  return peek != NULL ? peek (memory) : NULL;
}

static void
take_va_node (gpointer display, GstGlesOwner *owner)
{
  g_autofree gchar *path = NULL;

  /* the display of a window system has no path */
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (display), "path") != NULL)
    g_object_get (display, "path", &path, NULL);
  owner->node = gst_gles_node_of_path (path);
  if (owner->node != 0)
    owner->kind = GST_GLES_OWNER_NODE;
}

/* ---- OpenGL ---- */

#if HAVE_GST_GL
static gpointer
peek_gl_context (GstMemory *memory)
{
  return gst_is_gl_memory (memory) ? ((GstGLBaseMemory *) memory)->context : NULL;
}

/* The handle of a display that GStreamer made of a device of EGL is that device. */
static void
take_egl_device (gpointer context, GstGlesOwner *owner)
{
  GstGLDisplay *display = GST_GL_CONTEXT (context)->display;

  if (gst_gl_display_get_handle_type (display) != GST_GL_DISPLAY_TYPE_EGL_DEVICE)
    return;
  owner->kind = GST_GLES_OWNER_EGL_DEVICE;
  owner->egl_device = (gpointer) gst_gl_display_get_handle (display);
}
#endif

/* ---- CUDA ---- */

#if HAVE_CUDA
static void
take_cuda_uuid (gpointer context, GstGlesOwner *owner)
{
  if (gst_gles_cuda_get_uuid (context, owner->uuid))
    owner->kind = GST_GLES_OWNER_UUID;
}
#endif

/* ---- tests ---- */

#ifdef GST_GLES_TEST_HOOKS
/* Memory of a test says which of GST_GLES_TEST_GPUS owns it, counted from 1. */
static gpointer
peek_test_owner (GstMemory *memory)
{
  return gst_mini_object_get_qdata (
      GST_MINI_OBJECT_CAST (memory), g_quark_from_static_string ("gst-gles-test-owner"));
}

static void
take_test_owner (gpointer number, GstGlesOwner *owner)
{
  owner->kind = GST_GLES_OWNER_UUID;
  memset (owner->uuid, GPOINTER_TO_INT (number), GST_GLES_UUID_BYTES);
}
#endif

/* ---- all of them ---- */

static const struct {
  gpointer (*peek_context) (GstMemory *memory); /* NULL: it is no memory of this API */
  void (*take_owner) (gpointer context, GstGlesOwner *owner);
} apis[] = {
#if HAVE_CUDA
  { gst_gles_cuda_peek_context, take_cuda_uuid },
#endif
#if HAVE_GST_GL
  { peek_gl_context, take_egl_device },
#endif
#ifdef GST_GLES_TEST_HOOKS
  { peek_test_owner, take_test_owner },
#endif
  { peek_va_display, take_va_node },
};

gboolean
gst_gles_frame_owner_update (GstGlesFrameOwner *last, GstBuffer *buffer)
{
  GstMemory *memory = gst_buffer_n_memory (buffer) > 0 ? gst_buffer_peek_memory (buffer, 0) : NULL;
  gpointer context = NULL;
  guint i = 0;

  for (; memory != NULL && i < G_N_ELEMENTS (apis); i++) {
    context = apis[i].peek_context (memory);
    if (context != NULL)
      break;
  }
  if (context == last->context)
    return FALSE;
  *last = (GstGlesFrameOwner){ .context = context };
  if (context != NULL)
    apis[i].take_owner (context, &last->owner);
  return TRUE;
}
