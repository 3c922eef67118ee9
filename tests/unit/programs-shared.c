/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Many threads that want the same programs of a device at once, each for a queue of its own: the
 * driver compiles each program once, also while it is in the making, all get the same one or the
 * same error, and nobody waits for a program that nobody builds. */
#include <gst/gles/gl/readback-info.h>

#include "gl-common.h"

#include "compilations.h"

#define N_ASKERS 24
#define N_PROGRAMS 6
/* For the askers to reach the device's thread, or to wait. One that is later takes the test along
 * another way, to the same end. */
#define ARRIVAL_US (100 * 1000)

#define COMPLETION_STATUS 0x91B1 /* of GL_KHR_parallel_shader_compile */

static gint is_slow;     /* atomic: the driver has not built anything yet */
static gint n_looked_at; /* atomic: questions whether it has */
static gint n_asking;    /* atomic: askers that are about to ask */

#pragma GCC visibility push(default)

GL_APICALL void GL_APIENTRY
glGetProgramiv (GLuint program, GLenum name, GLint *value)
{
  if (name == COMPLETION_STATUS)
    g_atomic_int_inc (&n_looked_at);
  if (name == COMPLETION_STATUS && g_atomic_int_get (&is_slow))
    *value = GL_FALSE;
  else
    REAL (glGetProgramiv) (program, name, value);
}

#pragma GCC visibility pop

typedef struct {
  GstGlesProgramSpec specs[N_PROGRAMS];
  GstGlesProgram *programs[N_PROGRAMS];
  GError *failure;
  GThread *thread;
} Asker;

static gpointer
ask (gpointer data)
{
  Asker *asker = data;
  /* one that is late finds a device that is lost */
  g_autoptr (GstGlesQueue) own = gst_gles_queue_new (device, &asker->failure);

  g_atomic_int_inc (&n_asking);
  if (own != NULL)
    gst_gles_programs_get (own, asker->specs, N_PROGRAMS, asker->programs, &asker->failure);
  return NULL;
}

/* Each asker begins with another program. */
static void
start_askers (Asker *askers, gint64 first_addend)
{
  memset (askers, 0, N_ASKERS * sizeof (Asker));
  for (guint i = 0; i < N_ASKERS; i++) {
    for (guint k = 0; k < N_PROGRAMS; k++)
      askers[i].specs[k] = add_spec (first_addend + (i + k) % N_PROGRAMS);
  }
}

static void
run_askers (Asker *askers)
{
  for (guint i = 0; i < N_ASKERS; i++)
    askers[i].thread = g_thread_new ("asker", ask, &askers[i]);
}

static void
join_askers (Asker *askers)
{
  for (guint i = 0; i < N_ASKERS; i++)
    g_thread_join (askers[i].thread);
}

/* Holds the device's thread while the askers begin, so that all of them find nothing built. */
static void
run_askers_at_once (Asker *askers)
{
  gint release = FALSE;

  g_atomic_int_set (&n_asking, 0);
  assert_ok (gst_gles_queue_begin (queue, &error));
  gst_gles_queue_record_call (queue, wait_for_flag, &release);
  assert_ok (gst_gles_queue_end (queue, &error));
  run_askers (askers);
  while (g_atomic_int_get (&n_asking) < N_ASKERS)
    g_usleep (1000);
  g_usleep (ARRIVAL_US);
  g_atomic_int_set (&release, TRUE);
  join_askers (askers);
  assert_ok (gst_gles_queue_finish (queue, &error));
}

static void
assert_all_have_the_same (Asker *askers)
{
  for (guint i = 0; i < N_ASKERS; i++) {
    g_assert_no_error (askers[i].failure);
    for (guint k = 0; k < N_PROGRAMS; k++)
      g_assert_true (askers[i].programs[k] == askers[0].programs[(i + k) % N_PROGRAMS]);
  }
  for (guint i = 0; i < N_ASKERS; i++) {
    for (guint k = 0; k < N_PROGRAMS; k++)
      gst_gles_program_unref (askers[i].programs[k]);
  }
}

static void
test_at_once (void)
{
  Asker askers[N_ASKERS];

  compilations_reset ();
  start_askers (askers, 100);
  run_askers_at_once (askers);
  assert_all_have_the_same (askers);
  g_assert_cmpint (g_atomic_int_get (&n_compilations), ==, N_PROGRAMS);
  g_assert_cmpuint (compilations_distinct (), ==, N_PROGRAMS);
}

/* The driver takes its time. All wait for what the first one began, and the device's thread works
 * for others meanwhile. */
static void
test_in_the_making (void)
{
  g_autoptr (GstGlesBuffer) buffer = words (64, 0);
  Asker askers[N_ASKERS];

  if (!gst_gles_device_get_limits (device)->parallel_compile) {
    g_test_skip ("programs are built one after the other");
    return;
  }
  compilations_reset ();
  g_atomic_int_set (&n_looked_at, 0);
  g_atomic_int_set (&is_slow, TRUE);
  start_askers (askers, 200);
  run_askers (askers);
  while (g_atomic_int_get (&n_looked_at) < 2 * N_ASKERS)
    g_usleep (1000);
  g_assert_true (has_words (buffer, 64, 0));
  g_atomic_int_set (&is_slow, FALSE);
  join_askers (askers);
  assert_all_have_the_same (askers);
  g_assert_cmpint (g_atomic_int_get (&n_compilations), ==, N_PROGRAMS);
}

/* All are told why a program does not compile. Those that were begun with it are compiled once,
 * too, whoever gets them in the end. One that failed is tried again by the next who asks, which an
 * asker that comes late is: this one alone may be compiled more than once, and not by most. */
static void
test_failure (void)
{
  const GstGlesProgramSpec broken = { .kernel = "test_broken" };
  const gboolean at_once = gst_gles_device_get_limits (device)->parallel_compile;
  Asker askers[N_ASKERS];

  compilations_reset ();
  start_askers (askers, 300);
  for (guint i = 0; i < N_ASKERS; i++)
    askers[i].specs[0] = broken;
  run_askers_at_once (askers);
  for (guint i = 0; i < N_ASKERS; i++) {
    g_assert_error (askers[i].failure, GST_GLES_ERROR, GST_GLES_ERROR_COMPILE);
    if (strstr (askers[i].failure->message, "test_broken.comp:7") == NULL)
      g_error ("the message does not name the place: %s", askers[i].failure->message);
    g_clear_error (&askers[i].failure);
    for (guint k = 0; k < N_PROGRAMS; k++)
      g_assert_null (askers[i].programs[k]);
  }
  for (guint k = 0; k < N_PROGRAMS; k++)
    gst_gles_program_unref (add_program (300 + k));
  g_assert_cmpuint (compilations_distinct (), ==, N_PROGRAMS + 1);
  g_assert_cmpuint (compilations_repeated (), <=, 1);
  if (at_once)
    g_assert_cmpint (g_atomic_int_get (&n_compilations), <, N_PROGRAMS + N_ASKERS / 2);
  assert_fails (gst_gles_program_get (queue, &broken, &error), COMPILE);
}

/* In an open submission nobody waits for a program: its end does, and tells what failed. */
static void
test_submission (void)
{
  const gboolean at_once = gst_gles_device_get_limits (device)->parallel_compile;
  const GstGlesProgramSpec broken = { .kernel = "test_broken" };
  const guint groups[3] = { 1, 1, 1 };
  g_autoptr (GstGlesBuffer) input = words (64, 5), output = words (64, 0);
  g_autoptr (GstGlesReadbackRing) ring = gst_gles_readback_ring_new (queue, 1, 256, &error);
  g_autoptr (GstGlesReadback) readback = NULL;
  GstGlesProgram *program;

  assert_ok (gst_gles_queue_begin (queue, &error));
  program = add_program (500);
  g_assert_true (gst_gles_program_is_built (program) == !at_once);
  queue_add (queue, program, input, output, 64, 1);
  assert_ok (gst_gles_queue_end (queue, &error));
  g_assert_true (gst_gles_program_is_built (program));
  gst_gles_program_unref (program);
  g_assert_true (has_words (output, 64, 505));

  assert_ok (gst_gles_queue_begin (queue, &error));
  if (!at_once) {
    assert_fails (gst_gles_program_get (queue, &broken, &error), COMPILE);
    assert_ok (gst_gles_queue_end (queue, &error));
    return;
  }
  assert_ok (program = gst_gles_program_get (queue, &broken, &error));
  assert_ok (gst_gles_queue_dispatch (queue,
      &(GstGlesDispatch){ program, NULL, 0, NULL, 0, GST_GLES_DISPATCH_NONE }, groups, &error));
  assert_ok (readback = gst_gles_readback_ring_copy (ring,
                 &(GstGlesReadbackCopy){ .source = output, .size_bytes = 256 }, NULL, &error));
  assert_fails (gst_gles_queue_end (queue, &error), COMPILE);
  assert_fails (
      gst_gles_readback_get (readback, GST_GLES_WAIT_FOREVER, NULL, &error) != NULL, COMPILE);
  assert_fails (gst_gles_queue_finish (queue, &error), COMPILE);

  /* a program that could not be built and is used again */
  assert_ok (gst_gles_queue_begin (queue, &error));
  assert_ok (gst_gles_queue_dispatch (queue,
      &(GstGlesDispatch){ program, NULL, 0, NULL, 0, GST_GLES_DISPATCH_NONE }, groups, &error));
  assert_fails (gst_gles_queue_end (queue, &error), COMPILE);
  assert_fails (gst_gles_queue_finish (queue, &error), COMPILE);
  gst_gles_program_unref (program);
  g_assert_true (has_words (output, 64, 505));
}

/* The device is lost while the driver has built nothing: all are told. */
static void
test_lost (void)
{
  Asker askers[N_ASKERS];

  if (!gst_gles_device_get_limits (device)->parallel_compile) {
    g_test_skip ("programs are built one after the other");
    return;
  }
  g_atomic_int_set (&n_looked_at, 0);
  g_atomic_int_set (&is_slow, TRUE);
  start_askers (askers, 400);
  run_askers (askers);
  while (g_atomic_int_get (&n_looked_at) < N_ASKERS)
    g_usleep (1000);
  gst_gles_device_mark_lost (device, "the test says so");
  join_askers (askers);
  g_atomic_int_set (&is_slow, FALSE);
  for (guint i = 0; i < N_ASKERS; i++) {
    g_assert_error (askers[i].failure, GST_GLES_ERROR, GST_GLES_ERROR_DEVICE_LOST);
    g_clear_error (&askers[i].failure);
  }
}

/* GLib says for each file that it is an overlay, and the C library's times are not safe for
 * threads. */
static GLogWriterOutput
say_nothing (GLogLevelFlags level, const GLogField *fields, gsize n, gpointer user_data)
{
  return G_LOG_WRITER_HANDLED;
}

int
main (int argc, char **argv)
{
  int result;

  g_log_set_writer_func (say_nothing, NULL, NULL);

  device = gles_test_begin (&argc, &argv, FALSE);
  if (device == NULL)
    return gles_test_no_gl ();
  queue = gst_gles_device_get_queue (device);
  gst_gles_program_unref (add_program (0)); /* begins GLib's table of overlays */
  g_test_add_func ("/programs-shared/at-once", test_at_once);
  g_test_add_func ("/programs-shared/in-the-making", test_in_the_making);
  g_test_add_func ("/programs-shared/failure", test_failure);
  g_test_add_func ("/programs-shared/submission", test_submission);
  g_test_add_func ("/programs-shared/lost", test_lost); /* the last: the device is of no use then */
  result = g_test_run ();
  gst_object_unref (device);
  compilations_reset ();
  return result;
}
