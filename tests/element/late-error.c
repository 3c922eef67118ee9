/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An error that the device's thread reports is posted by a thread of its own, which may be late:
 * the pipeline has been stopped for the same error and started again. The new run must not get
 * it.
 *
 * The program replaces functions of OpenGL ES, whose dispatches fail in the first run, and two
 * functions between the report and the message. The thread that posts is held after it has found
 * the error to be of the current run, and released when the second run has begun. */
#include <dlfcn.h>

#include <GLES3/gl31.h>

#include "lines.h"

/* atomic: */
static gint fails;   /* dispatches fail */
static gint gl_code; /* the error of OpenGL ES that a dispatch left */
static gint holds;   /* threads that post are held */
static gint n_held, n_posting;

static _Thread_local gboolean is_posting;

/* ---- replaced functions, exported so that calls of the library and the plugin arrive here ---- */

#pragma GCC visibility push(default)

GL_APICALL void GL_APIENTRY
glDispatchCompute (GLuint x, GLuint y, GLuint z)
{
  PFNGLDISPATCHCOMPUTEPROC real = (PFNGLDISPATCHCOMPUTEPROC) dlsym (RTLD_NEXT, "glDispatchCompute");

  if (g_atomic_int_get (&fails))
    g_atomic_int_set (&gl_code, GL_OUT_OF_MEMORY);
  else
    real (x, y, z);
}

GLenum
glGetError (void)
{
  PFNGLGETERRORPROC real = (PFNGLGETERRORPROC) dlsym (RTLD_NEXT, "glGetError");
  const GLenum code = g_atomic_int_get (&gl_code);

  g_atomic_int_set (&gl_code, GL_NO_ERROR);
  return code != GL_NO_ERROR ? code : real ();
}

typedef struct {
  GstElementCallAsyncFunc func;
  gpointer user_data;
  GDestroyNotify destroy;
} Posting;

static void
post (GstElement *element, gpointer user_data)
{
  Posting *posting = user_data;

  is_posting = TRUE;
  g_atomic_int_inc (&n_posting);
  posting->func (element, posting->user_data);
  g_atomic_int_add (&n_posting, -1);
  is_posting = FALSE;
}

static void
posting_free (gpointer data)
{
  Posting *posting = data;

  posting->destroy (posting->user_data);
  g_free (posting);
}

void
gst_element_call_async (GstElement *element, GstElementCallAsyncFunc func, gpointer user_data,
    GDestroyNotify destroy_notify)
{
  __typeof__ (gst_element_call_async) *real = dlsym (RTLD_NEXT, "gst_element_call_async");
  Posting *posting = g_new (Posting, 1);

  *posting = (Posting){ func, user_data, destroy_notify };
  real (element, post, posting, posting_free);
}

/* Called when an error is about to be posted. */
gboolean
g_error_matches (const GError *error, GQuark domain, gint code)
{
  __typeof__ (g_error_matches) *real = dlsym (RTLD_NEXT, "g_error_matches");

  if (is_posting && g_atomic_int_get (&holds)) {
    g_atomic_int_inc (&n_held);
    while (g_atomic_int_get (&holds))
      g_usleep (1000);
  }
  return real (error, domain, code);
}

#pragma GCC visibility pop

/* ---- the test ---- */

static gboolean
wait_for (gint *value, gboolean wants_zero)
{
  guint ms = 0;

  while ((g_atomic_int_get (value) == 0) != wants_zero && ms++ < 60 * 1000)
    g_usleep (1000);
  return (g_atomic_int_get (value) == 0) == wants_zero;
}

GST_START_TEST (test_error_of_an_earlier_run)
{
  GstElement *pipeline = line_new ("videotestsrc num-buffers=3 ! "
                                   "video/x-raw,format=GRAY8,width=64,height=48 ! "
                                   "gleshistogram ! fakesink sync=false");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  g_atomic_int_set (&fails, TRUE);
  g_atomic_int_set (&holds, TRUE);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  fail_unless_equals_int (
      line_wait (pipeline, GST_MESSAGE_ERROR | GST_MESSAGE_EOS), GST_MESSAGE_ERROR);
  fail_unless (wait_for (&n_held, FALSE), "no error came from the device's thread");
  gst_element_set_state (pipeline, GST_STATE_NULL);

  g_atomic_int_set (&fails, FALSE);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  line_wait (pipeline, GST_MESSAGE_ASYNC_DONE);
  g_atomic_int_set (&holds, FALSE);
  fail_unless (wait_for (&n_posting, TRUE));
  fail_unless (test_bus_pop_error (bus) == NULL);

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  line_wait (pipeline, GST_MESSAGE_EOS);
  line_free (pipeline);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_error_of_an_earlier_run);
}

LINES_MAIN (add_tests)
