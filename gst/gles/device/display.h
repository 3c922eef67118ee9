/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* EGL displays without a window system. A process-wide registry opens each display once and never
 * terminates it: eglTerminate() would also destroy the contexts of other users of the display. */
#ifndef GST_GLES_DISPLAY_H
#define GST_GLES_DISPLAY_H

#include <glib.h>
#include <EGL/egl.h>
#include <EGL/eglext.h>

typedef struct {
  gchar *key; /* canonical device id: "gbm:/dev/dri/renderD128", "egl:0", "surfaceless" */
  EGLDisplay egl;
  gint major, minor;
  gchar *vendor;
  gboolean software_device; /* EGL_MESA_device_software */
  gboolean surfaceless_context;
  gboolean no_config_context;
  gboolean robustness;
} GstGlesDisplay;

/* Whether @spec has a form that gst_gles_display_open() takes: "surfaceless", "egl:N", a path, or
 * "gbm:" followed by a path. Thread: any. */
gboolean gst_gles_display_is_spec (const gchar *spec);

/* Returns the registry's display for @spec (transfer none); the first call opens it. Calls EGL on
 * this thread, which must be one of the library's own. Errors: NOT_FOUND, OPEN, INIT. */
GstGlesDisplay *gst_gles_display_open (const gchar *spec, GError **error);

/* Returns the specs of devices to try on this machine, hardware first: render nodes, EGL devices,
 * surfaceless, and cpu, which is no display. (transfer full), NULL-terminated. Thread: any. */
gchar **gst_gles_display_specs (void);

/* Appends the paths of the render nodes of this machine (transfer full) to @paths. Thread: any. */
void gst_gles_display_list_nodes (GPtrArray *paths);

#define GST_GLES_MAX_EGL_DEVICES 64

/* Fills @devices, of GST_GLES_MAX_EGL_DEVICES, with the devices of EGL, and returns their number.
 * Calls EGL on this thread, as gst_gles_display_open() does. */
guint gst_gles_display_query_devices (EGLDeviceEXT *devices);

/* Returns the path of the render node of @device, or else of its primary node: (transfer none)
 * (nullable). Calls EGL on this thread. */
const gchar *gst_gles_display_get_node (EGLDeviceEXT device);

/* The name of an EGL error code: static. */
const gchar *gst_gles_egl_error_name (EGLint code);

/* Whether @name is one word of the space-separated @extensions (nullable). */
gboolean gst_gles_has_extension (const gchar *extensions, const gchar *name);

#endif
