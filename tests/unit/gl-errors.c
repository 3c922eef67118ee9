/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A driver that reports the same error for ever does not hold the device's thread. A buffer that
 * the driver does not clear is not given out, and nobody else gets its error. */
#include <dlfcn.h>

#include <gst/check/gstcheck.h>
#include <gst/gles/device/procs.h>
#include <gst/gles/gl/buffer.h>

#include "gles-test.h"

static guint n_errors;
static guint n_asked;
static gboolean fails_copies, fails_fences;

/* The next three replace the driver's. */
GL_APICALL GLsync GL_APIENTRY
glFenceSync (GLenum condition, GLbitfield flags)
{
  PFNGLFENCESYNCPROC real = (PFNGLFENCESYNCPROC) dlsym (RTLD_NEXT, "glFenceSync");

  if (!fails_fences)
    return real (condition, flags);
  n_errors++;
  return NULL;
}

GL_APICALL void GL_APIENTRY
glCopyBufferSubData (
    GLenum source, GLenum target, GLintptr source_offset, GLintptr target_offset, GLsizeiptr size)
{
  PFNGLCOPYBUFFERSUBDATAPROC real =
      (PFNGLCOPYBUFFERSUBDATAPROC) dlsym (RTLD_NEXT, "glCopyBufferSubData");

  if (fails_copies)
    n_errors++;
  else
    real (source, target, source_offset, target_offset, size);
}

GLenum
glGetError (void)
{
  PFNGLGETERRORPROC real = (PFNGLGETERRORPROC) dlsym (RTLD_NEXT, "glGetError");

  n_asked++;
  if (n_errors == 0)
    return real != NULL ? real () : GL_NO_ERROR;
  if (n_errors != G_MAXUINT)
    n_errors--;
  return GL_INVALID_OPERATION;
}

GST_START_TEST (test_for_ever)
{
  n_errors = G_MAXUINT;
  gst_gles_forget_gl_errors ();
}

GST_END_TEST;

GST_START_TEST (test_a_few)
{
  n_errors = 5;
  n_asked = 0;
  gst_gles_forget_gl_errors ();
  fail_unless_equals_int (n_errors, 0);
  fail_unless_equals_int (n_asked, 6);
}

GST_END_TEST;

GST_START_TEST (test_uncleared_buffer)
{
  g_autoptr (GstGlesDevice) device = NULL;
  GstGlesBuffer *buffer;
  GError *error = NULL;

  n_errors = 0;
  g_setenv ("GLES_TEST_DEVICE", "software", FALSE);
  device = gles_test_gl_device ();
  if (device == NULL) {
    fail_unless_equals_int (gles_test_no_gl (), GLES_TEST_SKIP);
    return;
  }
  fails_copies = TRUE;
  buffer = gst_gles_buffer_new (device, 5000, &error);
  fails_copies = FALSE;
  fail_unless (buffer == NULL);
  fail_unless (g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED));
  g_clear_error (&error);
  fail_unless_equals_int (n_errors, 0);

  buffer = gst_gles_buffer_new (device, 5000, &error);
  fail_unless (buffer != NULL, "%s", error != NULL ? error->message : "");
  gst_gles_buffer_unref (buffer);
}

GST_END_TEST;

/* A fence that fails leaves an error behind. The next submission, of another queue, must not get
 * it. */
GST_START_TEST (test_failing_fence)
{
  g_autoptr (GstGlesDevice) device = NULL;
  g_autoptr (GstGlesQueue) other = NULL;
  GstGlesBuffer *buffer;
  guint32 word = 5;
  GError *error = NULL;

  n_errors = 0;
  g_setenv ("GLES_TEST_DEVICE", "software", FALSE);
  device = gles_test_gl_device ();
  if (device == NULL) {
    fail_unless_equals_int (gles_test_no_gl (), GLES_TEST_SKIP);
    return;
  }
  other = gst_gles_queue_new (device, NULL);
  buffer = gst_gles_buffer_new (device, 4, NULL);
  fails_fences = TRUE;
  fail_unless (gst_gles_buffer_upload (
      buffer, gst_gles_device_get_queue (device), 0, &word, sizeof (word), NULL));
  (void) gst_gles_buffer_download (
      buffer, gst_gles_device_get_queue (device), 0, &word, sizeof (word), NULL);
  fails_fences = FALSE;
  fail_unless (gst_gles_buffer_download (buffer, other, 0, &word, sizeof (word), &error), "%s",
      error != NULL ? error->message : "");
  fail_unless_equals_int (word, 5);
  gst_gles_buffer_unref (buffer);
}

GST_END_TEST;

static Suite *
gl_errors_suite (void)
{
  Suite *suite = suite_create ("gl-errors");
  TCase *tc = tcase_create ("errors");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, test_for_ever);
  tcase_add_test (tc, test_a_few);
  tcase_add_test (tc, test_uncleared_buffer);
  tcase_add_test (tc, test_failing_fence);
  return suite;
}

GST_CHECK_MAIN (gl_errors);
