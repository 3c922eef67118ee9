/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Streams that start and stop while others run, in one process, most of them on one device: each
 * finds what it finds alone on the cpu device, bit for bit. With a stream among them that fails or
 * is not read from, the others do as well as without it. tests/soak has random pipelines. */
#include <dlfcn.h>

#include <GLES3/gl31.h>

#include "../element/gleshistogram-common.h"
#include "streams-common.h"

/* what most streams share; NULL in a process whose streams all open their own */
static GstGlesDevice *shared_device;

static void
assert_right (gchar *wrong)
{
  fail_unless (wrong == NULL, "%s", wrong);
}

static Stream *
playing_stream (StreamKind kind, GstGlesDevice *device)
{
  Stream *stream = stream_new (kind, test_device (), device);

  fail_unless (stream_play (stream), "stream %d does not play", kind);
  return stream;
}

/* ---- a driver that runs out of memory when a test asks for it ---- */

static gsize fail_from; /* atomic: the next copy of so many bytes fails; 0: none */
static __thread GLenum pending_error;

/* The dynamic linker finds a function of the program before that of a library, so that the library
 * under test calls these in place of the driver's. */
G_GNUC_EXTENSION __attribute__ ((visibility ("default"))) GL_APICALL void GL_APIENTRY
glCopyBufferSubData (
    GLenum source, GLenum target, GLintptr source_offset, GLintptr target_offset, GLsizeiptr size)
{
  const gsize from = (gsize) g_atomic_pointer_get (&fail_from);
  PFNGLCOPYBUFFERSUBDATAPROC real =
      (PFNGLCOPYBUFFERSUBDATAPROC) dlsym (RTLD_NEXT, "glCopyBufferSubData");

  real (source, target, source_offset, target_offset, size);
  if (from != 0 && (gsize) size >= from &&
      g_atomic_pointer_compare_and_exchange (&fail_from, from, 0))
    pending_error = GL_OUT_OF_MEMORY;
}

G_GNUC_EXTENSION __attribute__ ((visibility ("default"))) GL_APICALL GLenum GL_APIENTRY
glGetError (void)
{
  const GLenum error = pending_error;
  PFNGLGETERRORPROC real = (PFNGLGETERRORPROC) dlsym (RTLD_NEXT, "glGetError");

  pending_error = GL_NO_ERROR;
  return error != GL_NO_ERROR ? error : real ();
}

/* ---- streams beside each other ---- */

/* Kinds whose copies do not fail. */
static struct {
  StreamKind kind;
  gchar *wrong;
  guint n_played;
  GThread *thread;
} neighbours[] = { { STREAM_HISTOGRAM }, { STREAM_MESSAGES }, { STREAM_MOTION }, { STREAM_TILES },
  { STREAM_CHAIN }, { STREAM_CHANGE } };

static gint stop; /* atomic: neighbours begin no further stream */

/* Takes @n frames, stops @stream in the middle and reads the results when it, perhaps with its
 * device, is gone. */
static gchar *
check_kept (Stream *stream, guint n)
{
  const StreamKind kind = stream->kind;
  GstSample *kept[STREAM_FRAMES];
  guint n_kept = 0;
  gchar *wrong = NULL;

  while (n_kept < n && (kept[n_kept] = stream_pull (stream)) != NULL)
    n_kept++;
  stream_free (stream);
  if (n_kept < n)
    wrong = g_strdup_printf ("stream %d ended after %u frames", kind, n_kept);
  for (guint i = 0; i < n_kept; i++) {
    if (wrong == NULL)
      wrong = stream_check (kind, kept[i], NULL);
    else
      gst_sample_unref (kept[i]);
  }
  return wrong;
}

/* Plays a whole stream and then others, every second of them in part, and every third on a device
 * of its own. */
static gpointer
neighbour_main (gpointer data)
{
  const guint index = GPOINTER_TO_UINT (data);
  gchar *wrong = NULL;
  guint i = 0;

  do {
    Stream *stream =
        stream_new (neighbours[index].kind, test_device (), i % 3 == 2 ? NULL : shared_device);

    if (!stream_play (stream)) {
      wrong = g_strdup ("does not play");
      stream_free (stream);
    } else if (i % 2 == 1) {
      wrong = check_kept (stream, (7 * i + index) % STREAM_FRAMES);
    } else {
      wrong = stream_check_rest (stream);
      stream_free (stream);
    }
    i++;
  } while (!g_atomic_int_get (&stop) && wrong == NULL);
  neighbours[index].wrong = wrong;
  neighbours[index].n_played = i;
  return NULL;
}

static void
neighbours_start (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (neighbours); i++)
    neighbours[i].thread = g_thread_new ("neighbour", neighbour_main, GUINT_TO_POINTER (i));
}

static void
neighbours_stop (void)
{
  g_atomic_int_set (&stop, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (neighbours); i++)
    g_thread_join (neighbours[i].thread);
  g_atomic_int_set (&stop, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (neighbours); i++)
    assert_right (neighbours[i].wrong);
}

/* Pulls up to @n frames. Results that do not fail must be right. Returns how many failed. */
static guint
pull_some (Stream *stream, guint n)
{
  guint n_failed = 0;

  for (guint i = 0; i < n; i++) {
    GstSample *sample = stream_pull (stream);
    gboolean failed;

    if (sample == NULL)
      break;
    assert_right (stream_check (stream->kind, sample, &failed));
    n_failed += failed ? 1 : 0;
  }
  return n_failed;
}

/* @stream posts an error. Afterwards it can be stopped and started without further errors. */
static void
assert_error_and_free (Stream *stream, gint code)
{
  g_autoptr (GError) error = stream_pop_error (stream, STREAM_PATIENCE);

  fail_unless (error != NULL, "stream %d posts no error", stream->kind);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, code), "%s", error->message);
  stream_stop (stream);
  fail_unless (stream_play (stream));
  assert_right (stream_check_rest (stream));
  stream_free (stream);
}

GST_START_TEST (test_beside_each_other)
{
  guint n_played = 0;

  neighbours_start ();
  g_usleep (2 * G_USEC_PER_SEC);
  neighbours_stop ();
  for (guint i = 0; i < G_N_ELEMENTS (neighbours); i++)
    n_played += neighbours[i].n_played;
  g_print ("# %u streams\n", n_played);
}

GST_END_TEST;

GST_START_TEST (test_beside_a_lost_device)
{
  g_autoptr (GstGlesDevice) device = gst_gles_device_new (test_device (), NULL);
  Stream *one, *other;

  neighbours_start ();
  one = playing_stream (STREAM_LARGEST, device);
  other = playing_stream (STREAM_MOTION, device);
  fail_unless_equals_int (pull_some (one, 3), 0);
  fail_unless_equals_int (pull_some (other, 3), 0);
  gst_gles_device_mark_lost (device, "a test says so");
  pull_some (one, STREAM_FRAMES);
  pull_some (other, STREAM_FRAMES);
  assert_error_and_free (one, GST_RESOURCE_ERROR_FAILED);
  assert_error_and_free (other, GST_RESOURCE_ERROR_FAILED);
  neighbours_stop ();
}

GST_END_TEST;

/* The submission of one frame fails in the driver. */
GST_START_TEST (test_beside_one_without_memory)
{
  const gsize counters_bytes = 16 * 9 * 3 * 256 * 4;
  Stream *stream;

  neighbours_start ();
  stream = playing_stream (STREAM_LARGEST, shared_device);
  fail_unless_equals_int (pull_some (stream, 3), 0);
  g_atomic_pointer_set (&fail_from, counters_bytes);
  fail_unless (pull_some (stream, STREAM_FRAMES) <= 1);
  fail_unless ((gsize) g_atomic_pointer_get (&fail_from) == 0);
  assert_error_and_free (stream, GST_RESOURCE_ERROR_NO_SPACE_LEFT);
  neighbours_stop ();
}

GST_END_TEST;

/* How long the neighbours take for a stream each. */
static gint64
time_neighbours (void)
{
  const gint64 start_us = g_get_monotonic_time ();

  g_atomic_int_set (&stop, TRUE);
  neighbours_start ();
  neighbours_stop ();
  return g_get_monotonic_time () - start_us;
}

/* The consumer takes one frame and is then busy until all others have ended: they do not wait for
 * it. */
GST_START_TEST (test_beside_a_slow_consumer)
{
  Stream *slow[3];
  gint64 alone_us, beside_us;

  time_neighbours (); /* what is compiled and loaded once */
  alone_us = time_neighbours ();
  for (guint i = 0; i < G_N_ELEMENTS (slow); i++) {
    slow[i] = playing_stream (i, shared_device);
    fail_unless_equals_int (pull_some (slow[i], 1), 0);
  }
  beside_us = time_neighbours ();
  g_print ("# neighbours alone: %.1f ms; beside slow consumers: %.1f ms\n", alone_us / 1e3,
      beside_us / 1e3);
  /* generous, as the machine may be busy otherwise */
  fail_unless (beside_us < 10 * alone_us + 5 * G_USEC_PER_SEC);
  for (guint i = 0; i < G_N_ELEMENTS (slow); i++) {
    assert_right (stream_check_rest (slow[i]));
    stream_free (slow[i]);
  }
}

GST_END_TEST;

static void
open_shared (void)
{
  GError *error = NULL;

  streams_prepare ();
  shared_device = gst_gles_device_new (test_device (), &error);
  test_no_error (error);
}

static void
close_shared (void)
{
  gst_clear_object (&shared_device);
  streams_finish ();
}

static Suite *
streams_suite (void)
{
  Suite *suite = suite_create ("streams");
  TCase *tcase = tcase_create ("streams");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 400);
  tcase_add_checked_fixture (tcase, open_shared, close_shared);
  tcase_add_test (tcase, test_beside_each_other);
  tcase_add_test (tcase, test_beside_a_lost_device);
  if (!test_device_is_cpu ())
    tcase_add_test (tcase, test_beside_one_without_memory);
  tcase_add_test (tcase, test_beside_a_slow_consumer);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, streams_suite);
}
