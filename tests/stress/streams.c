/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Streams that start and stop at random while others run, in one process and on one device: each
 * finds what it finds alone on the cpu device, bit for bit. With a stream among them that fails,
 * changes its caps or is not read from, the others do as well as without it.
 *
 * streams --streams N --seconds S: N streams at a time that start and stop for S seconds. */
#include <stdlib.h>

#include "../element/gleshistogram-common.h"
#include "streams-common.h"
#include "streams-faults.h"

static gint n_streams = 8, n_seconds = 4;

/* what most streams share; NULL in a process whose streams all open their own */
static GstGlesDevice *shared_device;

static void
assert_right (gchar *wrong)
{
  fail_unless (wrong == NULL, "%s", wrong);
}

/* ---- streams that start and stop at random ---- */

typedef struct {
  GRand *rand;
  gint64 end_us;
  guint n_started, n_checked;
  gchar *wrong;
} Churn;

static void
check_and_drop (Churn *churn, guint kind, GstSample *sample)
{
  if (churn->wrong == NULL)
    churn->wrong = stream_check (kind, sample, NULL);
  churn->n_checked++;
  gst_sample_unref (sample);
}

/* Takes some frames, in the manner of the dice; results that are kept are read when the stream,
 * perhaps with its device, is gone. */
static GPtrArray *
take_frames (Churn *churn, Stream *stream)
{
  const guint n_wanted = g_rand_int_range (churn->rand, 0, STREAM_FRAMES + 8);
  const gboolean keep = g_rand_boolean (churn->rand);
  GPtrArray *kept = g_ptr_array_new ();
  GstSample *sample;

  for (guint i = 0; i < n_wanted && churn->wrong == NULL; i++) {
    if (g_rand_int_range (churn->rand, 0, 8) == 0)
      g_usleep (g_rand_int_range (churn->rand, 0, 3000));
    sample = stream_pull (stream, STREAM_PATIENCE);
    if (sample == NULL)
      break;
    if (keep)
      g_ptr_array_add (kept, sample);
    else if (g_rand_int_range (churn->rand, 0, 4) == 0)
      gst_sample_unref (sample);
    else
      check_and_drop (churn, stream->kind, sample);
  }
  if (churn->wrong == NULL && n_wanted > STREAM_FRAMES)
    churn->wrong = stream_check_rest (stream);
  return kept;
}

static void
run_some_stream (Churn *churn)
{
  const guint kind = g_rand_int_range (churn->rand, 0, stream_n_kinds ());
  const gboolean own = g_rand_int_range (churn->rand, 0, 4) == 0;
  Stream *stream = stream_new (kind, test_device (), own ? NULL : shared_device);
  g_autoptr (GError) error = NULL;
  GPtrArray *kept;

  churn->n_started++;
  if (!stream_play (stream))
    churn->wrong = g_strdup_printf ("%s does not play", stream_kind_name (kind));
  kept = take_frames (churn, stream);
  error = stream_pop_error (stream, 0);
  if (error != NULL && churn->wrong == NULL)
    churn->wrong = g_strdup_printf ("%s: %s", stream_kind_name (kind), error->message);
  stream_free (stream);
  for (guint i = 0; i < kept->len; i++)
    check_and_drop (churn, kind, g_ptr_array_index (kept, i));
  g_ptr_array_unref (kept);
}

static gpointer
churn_main (gpointer data)
{
  Churn *churn = data;

  while (g_get_monotonic_time () < churn->end_us && churn->wrong == NULL)
    run_some_stream (churn);
  return NULL;
}

GST_START_TEST (test_start_and_stop_at_random)
{
  g_autofree Churn *churns = g_new0 (Churn, n_streams);
  g_autofree GThread **threads = g_new0 (GThread *, n_streams);
  guint n_started = 0, n_checked = 0;

  /* the kernels of each kind are compiled before the clock runs */
  for (guint kind = 0; kind < stream_n_kinds (); kind++) {
    Stream *stream = stream_new (kind, test_device (), shared_device);

    fail_unless (stream_play (stream));
    assert_right (stream_check_rest (stream));
    stream_free (stream);
  }
  for (gint i = 0; i < n_streams; i++) {
    churns[i].rand = g_rand_new_with_seed (4000 + i);
    churns[i].end_us = g_get_monotonic_time () + n_seconds * G_TIME_SPAN_SECOND;
    threads[i] = g_thread_new ("churn", churn_main, &churns[i]);
  }
  for (gint i = 0; i < n_streams; i++) {
    g_thread_join (threads[i]);
    g_rand_free (churns[i].rand);
    n_started += churns[i].n_started;
    n_checked += churns[i].n_checked;
  }
  g_print ("# %d streams at a time for %d s: %u started, %u frames checked\n", n_streams, n_seconds,
      n_started, n_checked);
  for (gint i = 0; i < n_streams; i++)
    assert_right (churns[i].wrong);
  fail_unless (n_started >= (guint) n_streams && n_checked > 0);
}

GST_END_TEST;

/* ---- streams beside one that is different ---- */

typedef struct {
  guint kind;
  gint *stop; /* atomic */
  guint n_played;
  gchar *wrong;
  GThread *thread;
} Neighbour;

/* Plays whole streams, at least one. */
static gpointer
neighbour_main (gpointer data)
{
  Neighbour *neighbour = data;

  do {
    Stream *stream = stream_new (neighbour->kind, test_device (), shared_device);

    if (stream_play (stream))
      neighbour->wrong = stream_check_rest (stream);
    else
      neighbour->wrong = g_strdup ("does not play");
    stream_free (stream);
    neighbour->n_played++;
  } while (!g_atomic_int_get (neighbour->stop) && neighbour->wrong == NULL);
  return NULL;
}

#define N_NEIGHBOURS 4

static void
neighbours_start (Neighbour *neighbours, gint *stop)
{
  /* not of the kind whose copies fail */
  for (guint i = 0; i < N_NEIGHBOURS; i++) {
    neighbours[i] = (Neighbour){ STREAM_KIND_LARGEST + 1 + i, stop };
    neighbours[i].thread = g_thread_new ("neighbour", neighbour_main, &neighbours[i]);
  }
}

static void
neighbours_stop (Neighbour *neighbours, gint *stop)
{
  g_atomic_int_set (stop, TRUE);
  for (guint i = 0; i < N_NEIGHBOURS; i++)
    g_thread_join (neighbours[i].thread);
  for (guint i = 0; i < N_NEIGHBOURS; i++)
    assert_right (neighbours[i].wrong);
}

/* Pulls up to @n frames. Results that do not fail must be right. Returns how many failed. */
static guint
pull_some (Stream *stream, guint n)
{
  guint n_failed = 0;

  for (guint i = 0; i < n; i++) {
    GstSample *sample = stream_pull (stream, STREAM_PATIENCE);
    gboolean failed;

    if (sample == NULL)
      break;
    assert_right (stream_check (stream->kind, sample, &failed));
    n_failed += failed ? 1 : 0;
    gst_sample_unref (sample);
  }
  return n_failed;
}

static void
assert_error (Stream *stream, gint code)
{
  g_autoptr (GError) error = stream_pop_error (stream, STREAM_PATIENCE);

  fail_unless (error != NULL, "%s posts no error", stream_kind_name (stream->kind));
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, code), "%s", error->message);
}

/* After its error a stream can be stopped and started without further errors. */
static void
assert_plays_again (Stream *stream)
{
  stream_stop (stream);
  fail_unless (stream_play (stream));
  assert_right (stream_check_rest (stream));
}

GST_START_TEST (test_beside_a_lost_device)
{
  Neighbour neighbours[N_NEIGHBOURS];
  gint stop = FALSE;
  Stream *one, *other;
  GstGlesDevice *device;

  neighbours_start (neighbours, &stop);
  device = gst_gles_device_new (test_device (), NULL);
  one = stream_new (STREAM_KIND_LARGEST, test_device (), device);
  other = stream_new (STREAM_KIND_LARGEST + 3, test_device (), device);
  fail_unless (stream_play (one) && stream_play (other));
  fail_unless_equals_int (pull_some (one, 3), 0);
  fail_unless_equals_int (pull_some (other, 3), 0);
  gst_gles_device_mark_lost (device, "a test says so");
  pull_some (one, STREAM_FRAMES);
  pull_some (other, STREAM_FRAMES);
  assert_error (one, GST_RESOURCE_ERROR_FAILED);
  assert_error (other, GST_RESOURCE_ERROR_FAILED);
  assert_plays_again (one);
  assert_plays_again (other);
  stream_free (one);
  stream_free (other);
  gst_object_unref (device);
  neighbours_stop (neighbours, &stop);
}

GST_END_TEST;

/* The submission of one frame fails in the driver. */
GST_START_TEST (test_beside_one_without_memory)
{
  const gsize counters_bytes = 16 * 9 * 3 * 256 * 4;
  Neighbour neighbours[N_NEIGHBOURS];
  gint stop = FALSE;
  Stream *stream;

  neighbours_start (neighbours, &stop);
  stream = stream_new (STREAM_KIND_LARGEST, test_device (), shared_device);
  fail_unless (stream_play (stream));
  fail_unless_equals_int (pull_some (stream, 3), 0);
  streams_fail_next_copy (counters_bytes);
  fail_unless (pull_some (stream, STREAM_FRAMES) <= 1);
  fail_unless (streams_copy_failed ());
  assert_error (stream, GST_RESOURCE_ERROR_NO_SPACE_LEFT);
  assert_plays_again (stream);
  stream_free (stream);
  neighbours_stop (neighbours, &stop);
}

GST_END_TEST;

GST_START_TEST (test_beside_changing_caps)
{
  Neighbour neighbours[N_NEIGHBOURS];
  gint stop = FALSE;

  neighbours_start (neighbours, &stop);
  for (guint i = 0; i < 6; i++) {
    Stream *stream = stream_new (stream_kind_with_change (), test_device (), shared_device);

    fail_unless (stream_play (stream));
    assert_right (stream_check_rest (stream));
    stream_free (stream);
  }
  neighbours_stop (neighbours, &stop);
}

GST_END_TEST;

/* How long the neighbours take for a stream each. */
static gint64
time_neighbours (void)
{
  const gint64 start_us = g_get_monotonic_time ();
  Neighbour neighbours[N_NEIGHBOURS];
  gint stop = TRUE;

  neighbours_start (neighbours, &stop);
  neighbours_stop (neighbours, &stop);
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
    slow[i] = stream_new (i, test_device (), shared_device);
    fail_unless (stream_play (slow[i]));
    fail_unless_equals_int (pull_some (slow[i], 1), 0);
  }
  beside_us = time_neighbours ();
  g_print ("# %d streams alone: %.1f ms; beside slow consumers: %.1f ms\n", N_NEIGHBOURS,
      alone_us / 1e3, beside_us / 1e3);
  /* generous, as the machine may be busy otherwise */
  fail_unless (beside_us < 10 * alone_us + 5 * G_USEC_PER_SEC);
  for (guint i = 0; i < G_N_ELEMENTS (slow); i++) {
    assert_right (stream_check_rest (slow[i]));
    stream_free (slow[i]);
  }
}

GST_END_TEST;

/* ---- what is left of a stream ---- */

static guint
count_entries (const gchar *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  fail_unless (dir != NULL);
  while (g_dir_read_name (dir) != NULL)
    n++;
  g_dir_close (dir);
  return n;
}

typedef struct {
  guint threads, descriptors;
} Held;

static Held
count_held (void)
{
  return (Held){ count_entries ("/proc/self/task"), count_entries ("/proc/self/fd") };
}

/* A stream of each kind in turn, on a device of its own, stopped in the middle or at its end. */
static void
start_and_stop (guint number)
{
  const guint kind = number % stream_n_kinds ();
  Stream *stream = stream_new (kind, test_device (), NULL);

  fail_unless (stream_play (stream));
  pull_some (stream, number % 3 == 0 ? STREAM_FRAMES + 1 : number % 5);
  stream_free (stream);
}

GST_START_TEST (test_a_hundred_start_stops)
{
  /* GLib's pools let a thread go when it was idle for 15 s */
  const gint64 patience_us = 60 * G_USEC_PER_SEC;
  Held before, after;
  gint64 end_us;

  for (guint i = 0; i < 2 * stream_n_kinds (); i++)
    start_and_stop (i);
  before = count_held ();
  for (guint i = 0; i < 100; i++)
    start_and_stop (i);
  end_us = g_get_monotonic_time () + patience_us;
  do {
    after = count_held ();
    if (after.threads <= before.threads && after.descriptors <= before.descriptors)
      break;
    g_usleep (100 * 1000);
  } while (g_get_monotonic_time () < end_us);
  g_print ("# before: %u threads, %u descriptors; after a hundred starts: %u, %u\n", before.threads,
      before.descriptors, after.threads, after.descriptors);
  fail_unless (after.threads <= before.threads && after.descriptors <= before.descriptors);
}

GST_END_TEST;

/* ---- main ---- */

static void
open_shared (void)
{
  GError *error = NULL;

  assert_right (streams_prepare ());
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
  tcase_set_timeout (tcase, n_seconds + 400);
  tcase_add_checked_fixture (tcase, open_shared, close_shared);
  tcase_add_test (tcase, test_start_and_stop_at_random);
  tcase_add_test (tcase, test_beside_a_lost_device);
  if (!test_device_is_cpu ())
    tcase_add_test (tcase, test_beside_one_without_memory);
  tcase_add_test (tcase, test_beside_changing_caps);
  tcase_add_test (tcase, test_beside_a_slow_consumer);
  tcase_add_test (tcase, test_a_hundred_start_stops);
  return suite;
}

int
main (int argc, char **argv)
{
  const GOptionEntry entries[] = {
    { "streams", 0, 0, G_OPTION_ARG_INT, &n_streams, "Streams at a time", "N" },
    { "seconds", 0, 0, G_OPTION_ARG_INT, &n_seconds, "How long they start and stop", "S" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || n_streams < 1 || n_seconds < 1) {
    g_printerr ("%s\n", error != NULL ? error->message : "--streams and --seconds are at least 1");
    return 2;
  }
  return test_main (&argc, &argv, streams_suite);
}
