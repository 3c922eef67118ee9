/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An EGL device whose node the user may not open: EGL only reports that it does not start. The EGL
 * functions in this program take precedence over those of libEGL. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glib/gstdio.h>
#include <gst/gles/device/device.h>
#include <gst/gst.h>

#define NOBODY 65534

static gchar *node;
static gint the_device;

static EGLBoolean EGLAPIENTRY
query_devices (EGLint max, EGLDeviceEXT *devices, EGLint *n)
{
  *n = 1;
  if (devices != NULL && max > 0)
    devices[0] = &the_device;
  return EGL_TRUE;
}

static const char *EGLAPIENTRY
query_device_string (EGLDeviceEXT device, EGLint name)
{
  g_assert_true (device == &the_device);
  if (name == EGL_EXTENSIONS)
    return "EGL_EXT_device_drm EGL_EXT_device_drm_render_node";
  return name == 0x3377 ? node : NULL;
}

static EGLDisplay EGLAPIENTRY
get_platform_display (EGLenum platform, void *native, const EGLint *attributes)
{
  g_assert_cmpint (platform, ==, EGL_PLATFORM_DEVICE_EXT);
  return &the_device;
}

__attribute__ ((visibility ("default"))) __eglMustCastToProperFunctionPointerType EGLAPIENTRY
eglGetProcAddress (const char *name)
{
  if (strcmp (name, "eglQueryDevicesEXT") == 0)
    return (__eglMustCastToProperFunctionPointerType) query_devices;
  if (strcmp (name, "eglQueryDeviceStringEXT") == 0)
    return (__eglMustCastToProperFunctionPointerType) query_device_string;
  if (strcmp (name, "eglGetPlatformDisplayEXT") == 0)
    return (__eglMustCastToProperFunctionPointerType) get_platform_display;
  return NULL;
}

__attribute__ ((visibility ("default"))) const char *EGLAPIENTRY
eglQueryString (EGLDisplay display, EGLint name)
{
  return "EGL_EXT_platform_base EGL_EXT_platform_device EGL_EXT_device_base";
}

__attribute__ ((visibility ("default"))) EGLBoolean EGLAPIENTRY
eglInitialize (EGLDisplay display, EGLint *major, EGLint *minor)
{
  return EGL_FALSE;
}

__attribute__ ((visibility ("default"))) EGLint EGLAPIENTRY
eglGetError (void)
{
  return EGL_NOT_INITIALIZED;
}

static void
test_node (void)
{
  static const struct {
    gint mode, code;
    const gchar *words;
  } cases[] = {
    { 0, GST_GLES_ERROR_OPEN, "group" },
    { 0600, GST_GLES_ERROR_INIT, "install the GPU's driver" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;

    g_assert_cmpint (g_chmod (node, cases[i].mode), ==, 0);
    g_assert_null (gst_gles_device_new ("egl:0", &error));
    g_assert_error (error, GST_GLES_ERROR, cases[i].code);
    if (strstr (error->message, cases[i].words) == NULL ||
        (cases[i].mode == 0 && strstr (error->message, node) == NULL))
      g_error ("no \"%s\" of %s in: %s", cases[i].words, node, error->message);
  }
}

int
main (int argc, char **argv)
{
  gint fd, result;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  /* root may open everything */
  if (geteuid () == 0 && (setgid (NOBODY) != 0 || setuid (NOBODY) != 0))
    g_error ("cannot become nobody");
  fd = g_file_open_tmp ("renderD-XXXXXX", &node, NULL);
  g_assert_cmpint (fd, >=, 0);
  close (fd);
  g_test_add_func ("/device-permission/node", test_node);
  result = g_test_run ();
  g_unlink (node);
  g_free (node);
  return result;
}
