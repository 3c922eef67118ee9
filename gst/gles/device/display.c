/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if HAVE_GBM
#include <gbm.h>
#endif

#include <gst/gles/core/error.h>
#include <gst/gles/core/log.h>
#include <gst/gles/device/display.h>
#include <gst/gles/device/procs.h>

#define FIRST_RENDER_NODE 128
#define LAST_RENDER_NODE 191

#define GST_CAT_DEFAULT GST_GLES_CAT

static const struct {
  EGLint code;
  const gchar *name;
} egl_errors[] = {
  { EGL_SUCCESS, "EGL_SUCCESS" },
  { EGL_NOT_INITIALIZED, "EGL_NOT_INITIALIZED" },
  { EGL_BAD_ACCESS, "EGL_BAD_ACCESS" },
  { EGL_BAD_ALLOC, "EGL_BAD_ALLOC" },
  { EGL_BAD_ATTRIBUTE, "EGL_BAD_ATTRIBUTE" },
  { EGL_BAD_CONTEXT, "EGL_BAD_CONTEXT" },
  { EGL_BAD_CONFIG, "EGL_BAD_CONFIG" },
  { EGL_BAD_DISPLAY, "EGL_BAD_DISPLAY" },
  { EGL_BAD_MATCH, "EGL_BAD_MATCH" },
  { EGL_BAD_PARAMETER, "EGL_BAD_PARAMETER" },
  { EGL_CONTEXT_LOST, "EGL_CONTEXT_LOST" },
};

const gchar *
gst_gles_egl_error_name (EGLint code)
{
  for (guint i = 0; i < G_N_ELEMENTS (egl_errors); i++) {
    if (egl_errors[i].code == code)
      return egl_errors[i].name;
  }
  return "unknown EGL error";
}

gboolean
gst_gles_has_extension (const gchar *extensions, const gchar *name)
{
  gsize length = strlen (name);
  const gchar *at = extensions;

  while (at != NULL && (at = strstr (at, name)) != NULL) {
    gboolean starts = at == extensions || at[-1] == ' ';
    if (starts && (at[length] == ' ' || at[length] == '\0'))
      return TRUE;
    at += length;
  }
  return FALSE;
}

static gboolean
has_client_extension (const gchar *name)
{
  return gst_gles_has_extension (eglQueryString (EGL_NO_DISPLAY, EGL_EXTENSIONS), name);
}

static gboolean
is_software_device (EGLDisplay egl)
{
  const GstGlesProcs *procs = gst_gles_procs ();
  EGLAttrib device = 0;

  if (!has_client_extension ("EGL_EXT_device_query") &&
      !has_client_extension ("EGL_EXT_device_base"))
    return FALSE;
  if (procs->query_display_attrib == NULL || procs->query_device_string == NULL)
    return FALSE;
  if (!procs->query_display_attrib (egl, EGL_DEVICE_EXT, &device) || device == 0)
    return FALSE;
  return gst_gles_has_extension (procs->query_device_string ((EGLDeviceEXT) device, EGL_EXTENSIONS),
      "EGL_MESA_device_software");
}

/* ---- opening ---- */

/* From EGL_EXT_device_drm and EGL_EXT_device_drm_render_node, which older headers lack. */
#define DRM_DEVICE_FILE 0x3233
#define DRM_RENDER_NODE_FILE 0x3377

static void
set_no_permission (GError **error, const gchar *prefix, const gchar *node, gint code)
{
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_OPEN,
      "%s%s: cannot be opened for reading and writing: %s; add the user to the group that owns "
      "it (often `render` or `video`)",
      prefix, node, g_strerror (code));
}

const gchar *
gst_gles_display_get_node (EGLDeviceEXT device)
{
  const GstGlesProcs *procs = gst_gles_procs ();
  const gchar *extensions;

  if (procs->query_device_string == NULL)
    return NULL;
  extensions = procs->query_device_string (device, EGL_EXTENSIONS);
  if (gst_gles_has_extension (extensions, "EGL_EXT_device_drm_render_node"))
    return procs->query_device_string (device, DRM_RENDER_NODE_FILE);
  if (gst_gles_has_extension (extensions, "EGL_EXT_device_drm"))
    return procs->query_device_string (device, DRM_DEVICE_FILE);
  return NULL;
}

/* Sets @error to the reason why EGL does not start on @platform. */
static void
set_not_started (GError **error, const gchar *key, EGLenum platform, void *native)
{
  const EGLint code = eglGetError ();
  const gchar *node =
      platform == EGL_PLATFORM_DEVICE_EXT ? gst_gles_display_get_node (native) : NULL;
  const gint fd = node != NULL ? open (node, O_RDWR | O_CLOEXEC) : -1;
  const gint failure = errno;

  if (fd >= 0) {
    close (fd);
  } else if (node != NULL && (failure == EACCES || failure == EPERM)) {
    g_autofree gchar *prefix = g_strconcat (key, ": ", NULL);
    set_no_permission (error, prefix, node, failure);
    return;
  }
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INIT,
      "%s: EGL does not start (%s); install the GPU's driver, or use device=software or "
      "device=cpu",
      key, gst_gles_egl_error_name (code));
}

/* Initialises the display of @platform and @native under @key. */
static GstGlesDisplay *
open_platform (const gchar *key, EGLenum platform, void *native, GError **error)
{
  const GstGlesProcs *procs = gst_gles_procs ();
  GstGlesDisplay *display;
  const gchar *extensions;
  EGLDisplay egl;
  EGLint major, minor;

  if (procs->get_platform_display == NULL || !has_client_extension ("EGL_EXT_platform_base")) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INIT,
        "%s: this libEGL has no EGL_EXT_platform_base; install a driver (on Debian "
        "libegl-mesa0 and libgl1-mesa-dri) or use device=cpu",
        key);
    return NULL;
  }
  egl = procs->get_platform_display (platform, native, NULL);
  if (egl == EGL_NO_DISPLAY || !eglInitialize (egl, &major, &minor)) {
    set_not_started (error, key, platform, native);
    return NULL;
  }
  extensions = eglQueryString (egl, EGL_EXTENSIONS);

  display = g_new0 (GstGlesDisplay, 1);
  display->key = g_strdup (key);
  display->egl = egl;
  display->major = major;
  display->minor = minor;
  display->vendor = g_strdup (eglQueryString (egl, EGL_VENDOR));
  display->software_device = is_software_device (egl);
  display->surfaceless_context = gst_gles_has_extension (extensions, "EGL_KHR_surfaceless_context");
  display->no_config_context = gst_gles_has_extension (extensions, "EGL_KHR_no_config_context") ||
      gst_gles_has_extension (extensions, "EGL_MESA_configless_context");
  display->robustness = gst_gles_has_extension (extensions, "EGL_EXT_create_context_robustness");

  GST_DEBUG ("%s: EGL %d.%d of %s%s", key, major, minor, display->vendor,
      display->software_device ? ", software device" : "");
  return display;
}

static gint
open_node_fd (const gchar *path, GError **error)
{
  struct stat info;
  gint fd;

  if (stat (path, &info) != 0) {
    gboolean missing = errno == ENOENT || errno == ENOTDIR;
    g_set_error (error, GST_GLES_ERROR, missing ? GST_GLES_ERROR_NOT_FOUND : GST_GLES_ERROR_OPEN,
        "%s: %s; `ls /dev/dri` shows the render nodes of this machine", path, g_strerror (errno));
    return -1;
  }
  if (!S_ISCHR (info.st_mode)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_OPEN,
        "%s: not a device node; name a render node such as /dev/dri/renderD128", path);
    return -1;
  }
  fd = open (path, O_RDWR | O_CLOEXEC);
  if (fd < 0)
    set_no_permission (error, "", path, errno);
  return fd;
}

/* @key is "gbm:" and the path of the node. */
static GstGlesDisplay *
open_node (const gchar *key, GError **error)
{
  const gchar *path = key + strlen ("gbm:");
  const gint fd = open_node_fd (path, error);
  GstGlesDisplay *display = NULL;

  if (fd < 0)
    return NULL;
#if HAVE_GBM
  struct gbm_device *gbm = gbm_create_device (fd);

  /* The display keeps the node open; both live as long as the process. */
  if (gbm != NULL)
    display = open_platform (key, EGL_PLATFORM_GBM_KHR, gbm, error);
  else
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_OPEN,
        "%s: GBM does not take this node: it is no GPU, or its driver is not installed", path);
  if (display == NULL && gbm != NULL)
    gbm_device_destroy (gbm);
#else
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INIT,
      "%s: this build cannot open render nodes (built without GBM); use egl:N", path);
#endif
  if (display == NULL)
    close (fd);
  return display;
}

guint
gst_gles_display_query_devices (EGLDeviceEXT *devices)
{
  const GstGlesProcs *procs = gst_gles_procs ();
  EGLint count = 0;

  if (procs->query_devices == NULL ||
      (!has_client_extension ("EGL_EXT_device_enumeration") &&
          !has_client_extension ("EGL_EXT_device_base")) ||
      !procs->query_devices (GST_GLES_MAX_EGL_DEVICES, devices, &count))
    return 0;
  return (guint) count;
}

static GstGlesDisplay *
open_egl_device (const gchar *key, guint64 index, GError **error)
{
  EGLDeviceEXT devices[GST_GLES_MAX_EGL_DEVICES];
  const guint n_devices = gst_gles_display_query_devices (devices);

  if (index >= n_devices) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NOT_FOUND,
        "%s: EGL lists %u device%s here, counted from 0; `gst-gles-info-1.0` shows them", key,
        n_devices, n_devices == 1 ? "" : "s");
    return NULL;
  }
  if (has_client_extension ("EGL_EXT_platform_device"))
    return open_platform (key, EGL_PLATFORM_DEVICE_EXT, devices[index], error);
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INIT,
      "%s: this libEGL has no EGL_EXT_platform_device", key);
  return NULL;
}

static GstGlesDisplay *
open_surfaceless (const gchar *key, GError **error)
{
  if (has_client_extension ("EGL_MESA_platform_surfaceless"))
    return open_platform (key, EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, error);
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INIT,
      "%s: this libEGL has no EGL_MESA_platform_surfaceless; install libegl-mesa0, or name a "
      "device (egl:N, or a render node)",
      key);
  return NULL;
}

static gboolean
parse_egl_index (const gchar *spec, guint64 *index)
{
  return g_str_has_prefix (spec, "egl:") &&
      g_ascii_string_to_unsigned (spec + 4, 10, 0, G_MAXUINT, index, NULL);
}

gboolean
gst_gles_display_is_spec (const gchar *spec)
{
  guint64 index;

  return strcmp (spec, "surfaceless") == 0 || parse_egl_index (spec, &index) ||
      g_str_has_prefix (spec, "gbm:/") || spec[0] == '/';
}

GstGlesDisplay *
gst_gles_display_open (const gchar *spec, GError **error)
{
  static GMutex lock;
  static GHashTable *displays; /* key -> GstGlesDisplay, never emptied */
  g_autofree gchar *key = NULL;
  guint64 index;
  const gboolean is_egl = parse_egl_index (spec, &index);
  GstGlesDisplay *display;

  if (is_egl)
    key = g_strdup_printf ("egl:%" G_GUINT64_FORMAT, index);
  else
    key = g_strconcat (spec[0] == '/' ? "gbm:" : "", spec, NULL);
  g_mutex_lock (&lock);
  if (displays == NULL)
    displays = g_hash_table_new (g_str_hash, g_str_equal);
  display = g_hash_table_lookup (displays, key);
  if (display == NULL) {
    if (is_egl)
      display = open_egl_device (key, index, error);
    else if (strcmp (key, "surfaceless") == 0)
      display = open_surfaceless (key, error);
    else
      display = open_node (key, error);
    if (display != NULL)
      g_hash_table_insert (displays, display->key, display);
  }
  g_mutex_unlock (&lock);
  return display;
}

/* Calls EGL, and therefore runs on a thread of its own. */
static gpointer
count_main (gpointer data)
{
  EGLDeviceEXT devices[GST_GLES_MAX_EGL_DEVICES];
  guint n = gst_gles_display_query_devices (devices);

  eglReleaseThread ();
  return GUINT_TO_POINTER (n);
}

void
gst_gles_display_list_nodes (GPtrArray *paths)
{
  /* Nodes are found by testing for files, since udev may be absent in containers. */
  for (guint i = FIRST_RENDER_NODE; i <= LAST_RENDER_NODE; i++) {
    g_autofree gchar *path = g_strdup_printf ("/dev/dri/renderD%u", i);

    if (g_file_test (path, G_FILE_TEST_EXISTS))
      g_ptr_array_add (paths, g_steal_pointer (&path));
  }
}

gchar **
gst_gles_display_specs (void)
{
  GPtrArray *specs = g_ptr_array_new ();
  GThread *counting = g_thread_try_new ("gles-count", count_main, NULL, NULL);
  const guint n_devices = counting != NULL ? GPOINTER_TO_UINT (g_thread_join (counting)) : 0;

  gst_gles_display_list_nodes (specs);
  for (guint i = 0; i < n_devices; i++)
    g_ptr_array_add (specs, g_strdup_printf ("egl:%u", i));
  g_ptr_array_add (specs, g_strdup ("surfaceless"));
  g_ptr_array_add (specs, g_strdup ("cpu"));
  g_ptr_array_add (specs, NULL);
  return (gchar **) g_ptr_array_free (specs, FALSE);
}
