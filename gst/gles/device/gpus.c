/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include <gst/gles/device/display.h>
#include <gst/gles/device/gpus.h>
#include <gst/gles/device/procs.h>

static void
gpu_free (gpointer data)
{
  GstGlesGpu *gpu = data;

  g_ptr_array_unref (gpu->specs);
  g_free (gpu);
}

static GstGlesGpu *
add_gpu (GPtrArray *gpus, guint node)
{
  GstGlesGpu *gpu = g_new0 (GstGlesGpu, 1);

  gpu->facts.node = node;
  gpu->facts.load_percent = -1;
  gpu->specs = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (gpus, gpu);
  return gpu;
}

/* ---- render nodes ---- */

static void
add_nodes (GPtrArray *gpus)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  gst_gles_display_list_nodes (paths);
  for (guint i = 0; i < paths->len; i++) {
    const GstGlesGpu *gpu = add_gpu (gpus, gst_gles_node_of_path (paths->pdata[i]));

    g_ptr_array_add (gpu->specs, g_strdup (paths->pdata[i]));
  }
}

/* Returns the number of the render node of the GPU whose primary node is @path, 0 if there is none.
 * Some drivers name only that one. */
static guint
find_node_of_card (const gchar *path)
{
  g_autofree gchar *name = g_path_get_basename (path);
  g_autofree gchar *folder = g_build_filename ("/sys/class/drm", name, "device", "drm", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const gchar *entry;
  guint node = 0;

  while (dir != NULL && node == 0 && (entry = g_dir_read_name (dir)) != NULL) {
    g_autofree gchar *render = g_build_filename ("/dev/dri", entry, NULL);
    node = gst_gles_node_of_path (render);
  }
  return node;
}

/* ---- devices of EGL ---- */

static guint
find_node (EGLDeviceEXT device)
{
  const gchar *path = gst_gles_display_get_node (device);
  const guint node = gst_gles_node_of_path (path);

  return node == 0 && path != NULL ? find_node_of_card (path) : node;
}

static GstGlesGpu *
find_gpu (GPtrArray *gpus, guint node)
{
  for (guint i = 0; node != 0 && i < gpus->len; i++) {
    GstGlesGpu *gpu = g_ptr_array_index (gpus, i);

    if (gpu->facts.node == node)
      return gpu;
  }
  return NULL;
}

static gboolean
query_uuid (EGLDeviceEXT device, const gchar *extensions, guint8 *uuid)
{
  const GstGlesProcs *procs = gst_gles_procs ();
  EGLint size = 0;

  return procs->query_device_binary != NULL &&
      gst_gles_has_extension (extensions, "EGL_EXT_device_persistent_id") &&
      procs->query_device_binary (device, EGL_DEVICE_UUID_EXT, GST_GLES_UUID_BYTES, uuid, &size) &&
      size == GST_GLES_UUID_BYTES;
}

static void
add_egl_devices (GPtrArray *gpus)
{
  EGLDeviceEXT devices[GST_GLES_MAX_EGL_DEVICES];
  const guint n_devices = gst_gles_display_query_devices (devices);

  for (guint i = 0; i < n_devices; i++) {
    const gchar *extensions = gst_gles_procs ()->query_device_string != NULL
        ? gst_gles_procs ()->query_device_string (devices[i], EGL_EXTENSIONS)
        : NULL;
    GstGlesGpu *gpu;
    guint node;

    if (gst_gles_has_extension (extensions, "EGL_MESA_device_software"))
      continue;
    node = find_node (devices[i]);
    gpu = find_gpu (gpus, node);
    if (gpu == NULL)
      gpu = add_gpu (gpus, node);
    gpu->facts.egl_device = devices[i];
    gpu->facts.has_uuid = query_uuid (devices[i], extensions, gpu->facts.uuid);
    g_ptr_array_add (gpu->specs, g_strdup_printf ("egl:%u", i));
  }
}

#ifdef GST_GLES_TEST_HOOKS
static void
add_of_test (GPtrArray *gpus, const gchar *setting)
{
  EGLDeviceEXT devices[GST_GLES_MAX_EGL_DEVICES];
  const guint n_devices = gst_gles_display_query_devices (devices);
  g_auto (GStrv) words = g_strsplit (setting, ",", -1);

  for (guint i = 0; words[i] != NULL; i++) {
    g_auto (GStrv) parts = g_strsplit (words[i], "=", 2);
    GstGlesGpu *gpu = add_gpu (gpus, 0);

    gpu->facts.has_uuid = TRUE;
    memset (gpu->facts.uuid, (gint) i + 1, GST_GLES_UUID_BYTES);
    if (n_devices > 0 && g_str_equal (parts[0], "egl:0"))
      gpu->facts.egl_device = devices[0];
    if (parts[1] != NULL)
      gpu->facts.load_percent = atoi (parts[1]);
    g_ptr_array_add (gpu->specs, g_strdup (parts[0]));
  }
}
#endif

/* Calls EGL, and therefore runs on a thread of its own. */
static gpointer
list_main (gpointer data)
{
  GPtrArray *gpus = g_ptr_array_new_with_free_func (gpu_free);

#ifdef GST_GLES_TEST_HOOKS
  if (g_getenv ("GST_GLES_TEST_GPUS") != NULL) {
    add_of_test (gpus, g_getenv ("GST_GLES_TEST_GPUS"));
    eglReleaseThread ();
    return gpus;
  }
#endif
  add_nodes (gpus);
  add_egl_devices (gpus);
  eglReleaseThread ();
  return gpus;
}

GPtrArray *
gst_gles_gpus_list (void)
{
  GThread *thread = g_thread_try_new ("gles-count", list_main, NULL, NULL);

  return thread != NULL ? g_thread_join (thread) : g_ptr_array_new_with_free_func (gpu_free);
}
