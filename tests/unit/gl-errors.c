/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A driver that reports the same error for ever does not hold the device's thread. */
#include <gst/check/gstcheck.h>
#include <gst/gles/device/procs.h>

static guint n_errors;
static guint n_asked;

/* Replaces the driver's. */
GLenum
glGetError (void)
{
  n_asked++;
  if (n_errors == 0)
    return GL_NO_ERROR;
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

static Suite *
gl_errors_suite (void)
{
  Suite *suite = suite_create ("gl-errors");
  TCase *tc = tcase_create ("errors");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, test_for_ever);
  tcase_add_test (tc, test_a_few);
  return suite;
}

GST_CHECK_MAIN (gl_errors);
