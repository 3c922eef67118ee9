/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A context is destroyed without objects: drivers may keep memory for those that are left to it. */
#include <dlfcn.h>

#include <gst/gles/algo/scan/scan.h>
#include <gst/gles/device/procs.h>
#include <gst/gles/gl/buffer.h>
#include <gst/gles/gl/program.h>

#include "gles-test.h"

#define N_VALUES 1000
#define N_DEVICES 5

static gint n_buffers, n_programs, n_made;

#define REAL(Type, name) ((Type) dlsym (RTLD_NEXT, name))

/* The next four replace the driver's. */
GL_APICALL void GL_APIENTRY
glGenBuffers (GLsizei n, GLuint *names)
{
  REAL (PFNGLGENBUFFERSPROC, "glGenBuffers") (n, names);
  g_atomic_int_add (&n_buffers, n);
  g_atomic_int_add (&n_made, n);
}

GL_APICALL void GL_APIENTRY
glDeleteBuffers (GLsizei n, const GLuint *names)
{
  for (GLsizei i = 0; i < n; i++)
    g_atomic_int_add (&n_buffers, names[i] != 0 ? -1 : 0);
  REAL (PFNGLDELETEBUFFERSPROC, "glDeleteBuffers") (n, names);
}

GL_APICALL GLuint GL_APIENTRY
glCreateProgram (void)
{
  g_atomic_int_inc (&n_programs);
  g_atomic_int_inc (&n_made);
  return REAL (PFNGLCREATEPROGRAMPROC, "glCreateProgram") ();
}

GL_APICALL void GL_APIENTRY
glDeleteProgram (GLuint name)
{
  g_atomic_int_add (&n_programs, name != 0 ? -1 : 0);
  REAL (PFNGLDELETEPROGRAMPROC, "glDeleteProgram") (name);
}

/* Returns a buffer that has been used, which keeps the device's thread. */
static GstGlesBuffer *
scan_once (GstGlesDevice *device)
{
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  GstGlesBuffer *values;
  g_autoptr (GstGlesScan) scan = NULL;
  guint32 last = 1;
  GError *error = NULL;

  values = gst_gles_buffer_new (device, 4 * N_VALUES, &error);
  g_assert_no_error (error);
  scan = gst_gles_scan_new (queue, N_VALUES, &error);
  g_assert_no_error (error);
  g_assert_true (gst_gles_scan_inclusive (scan, values, values, N_VALUES, &error));
  g_assert_true (
      gst_gles_buffer_download (values, queue, 4 * (N_VALUES - 1), &last, sizeof (last), &error));
  g_assert_cmpuint (last, ==, 0);
  return values;
}

/* The last object is discarded while the thread sleeps, and the thread ends at once. */
int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_setenv ("GLES_TEST_DEVICE", "software", FALSE);
  for (guint i = 0; i < N_DEVICES; i++) {
    GstGlesDevice *device = gles_test_gl_device ();
    GstGlesBuffer *buffer;

    if (device == NULL)
      return gles_test_no_gl ();
    buffer = scan_once (device);
    gst_object_unref (device);
    g_usleep (20000);
    gst_gles_buffer_unref (buffer);
    g_assert_cmpint (n_buffers, ==, 0);
    g_assert_cmpint (n_programs, ==, 0);
  }
  g_assert_cmpint (n_made, >, 3 * N_DEVICES);
  return 0;
}
