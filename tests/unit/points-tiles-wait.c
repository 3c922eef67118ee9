/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* When results of points and tiles wait, and for how long. The readback functions in this file
 * complete, fail or never complete, as each test requires. The program is linked with gst/gles/meta
 * alone, so that they replace the real ones. histogram-result-wait.c does the same for
 * histograms. */
#include <gst/check/gstcheck.h>
#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/points.h>
#include <gst/gles/meta/tiles.h>

#define N 3 /* points, and entries of tiles */
#define LIMIT_NS 20000000

/* ---- a readback ---- */

struct _GstGlesReadback {
  gint refs;
  GMutex lock;
  GCond cond;
  gboolean done;
  GstGlesError failure; /* 0: there are words */
  guint32 words[2 * N];
  guint n_gets;
};

GstGlesReadback *
gst_gles_readback_ref (GstGlesReadback *readback)
{
  g_atomic_int_inc (&readback->refs);
  return readback;
}

void
gst_gles_readback_unref (GstGlesReadback *readback)
{
  if (!g_atomic_int_dec_and_test (&readback->refs))
    return;
  g_mutex_clear (&readback->lock);
  g_cond_clear (&readback->cond);
  g_free (readback);
}

gboolean
gst_gles_readback_is_ready (GstGlesReadback *readback)
{
  gboolean done;

  g_mutex_lock (&readback->lock);
  done = readback->done;
  g_mutex_unlock (&readback->lock);
  return done;
}

/* Waits for the whole timeout. */
gconstpointer
gst_gles_readback_get (
    GstGlesReadback *readback, guint64 timeout_ns, gsize *size_bytes, GError **error)
{
  const gint64 end = g_get_monotonic_time () + (gint64) MIN (timeout_ns / 1000, G_MAXINT32);
  gconstpointer words = NULL;

  g_mutex_lock (&readback->lock);
  readback->n_gets++;
  while (!readback->done && g_cond_wait_until (&readback->cond, &readback->lock, end))
    ;
  if (!readback->done)
    g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_TIMEOUT, "not yet");
  else if (readback->failure != 0)
    g_set_error_literal (error, GST_GLES_ERROR, readback->failure, "never");
  else
    words = readback->words;
  *size_bytes = sizeof readback->words;
  g_mutex_unlock (&readback->lock);
  return words;
}

void
gst_gles_readback_get_counted (GstGlesReadback *readback, GstGlesResult *counted)
{
  *counted = (GstGlesResult){ N + 1, N, 4 };
}

static GstGlesReadback *
readback_new (void)
{
  GstGlesReadback *readback = g_new0 (GstGlesReadback, 1);

  readback->refs = 1;
  g_mutex_init (&readback->lock);
  g_cond_init (&readback->cond);
  for (guint i = 0; i < 2 * N; i++)
    readback->words[i] = i;
  return readback;
}

static void
readback_finish (GstGlesReadback *readback, GstGlesError failure)
{
  g_mutex_lock (&readback->lock);
  readback->failure = failure;
  readback->done = TRUE;
  g_cond_broadcast (&readback->cond);
  g_mutex_unlock (&readback->lock);
}

/* what metas of another process and elements are made with; never called here */
GstGlesReadback *
gst_gles_readback_new_complete (GBytes *bytes)
{
  g_assert_not_reached ();
}

GstGlesReadback *
gst_gles_readback_new_counted (const GstGlesResult *counted, GBytes *bytes)
{
  g_assert_not_reached ();
}

GstGlesBuffer *
gst_gles_buffer_ref (GstGlesBuffer *buffer)
{
  g_assert_not_reached ();
}

void
gst_gles_buffer_unref (GstGlesBuffer *buffer)
{
  g_assert_not_reached ();
}

GstGlesDevice *
gst_gles_buffer_get_device (GstGlesBuffer *buffer)
{
  g_assert_not_reached ();
}

/* ---- both kinds alike ---- */

typedef struct {
  GstMiniObject *(*new) (GstGlesReadback *const readbacks[3]);
  gboolean (*is_ready) (GstMiniObject *result);
  gboolean (*wait) (GstMiniObject *result, guint64 timeout_ns, GError **error);
  /* a getter that waits: how many there are; 0 with @error set */
  guint (*get) (GstMiniObject *result, GError **error);
} Kind;

static GstMiniObject *
points_new (GstGlesReadback *const readbacks[3])
{
  const GstGlesPointsInfo info = { .width = 64, .height = 48, .max_points = N };

  return (GstMiniObject *) gst_gles_points_result_new (&info, readbacks[2], NULL, NULL);
}

static guint
points_get (GstMiniObject *result, GError **error)
{
  guint n;

  gst_gles_points_result_get_points ((GstGlesPointsResult *) result, &n, error);
  return n;
}

static GstMiniObject *
tiles_new (GstGlesReadback *const readbacks[3])
{
  const GstGlesTilesInfo info = { .width = 64, .height = 48, .tile_width = 64, .tile_height = 48 };
  const GstGlesTilesArrays arrays = { .offsets_readback = readbacks[0],
    .indices_readback = readbacks[1],
    .keys_readback = readbacks[2] };

  return (GstMiniObject *) gst_gles_tiles_result_new (&info, &arrays);
}

static guint
tiles_get (GstMiniObject *result, GError **error)
{
  guint n;

  gst_gles_tiles_result_get_indices ((GstGlesTilesResult *) result, &n, error);
  return n;
}

#define WAITS(kind)                                                                                \
  (gboolean (*) (GstMiniObject *)) gst_gles_##kind##_result_is_ready,                              \
      (gboolean (*) (GstMiniObject *, guint64, GError **)) gst_gles_##kind##_result_wait

static const Kind kinds[] = {
  { points_new, WAITS (points), points_get },
  { tiles_new, WAITS (tiles), tiles_get },
};

typedef struct {
  const Kind *kind;
  GstGlesReadback *readbacks[3];
  GstMiniObject *result;
} Fixture;

/* All arrays but the last are there. */
static void
fixture_init (Fixture *fixture, guint kind)
{
  fixture->kind = &kinds[kind];
  for (guint i = 0; i < 3; i++)
    fixture->readbacks[i] = readback_new ();
  readback_finish (fixture->readbacks[0], 0);
  readback_finish (fixture->readbacks[1], 0);
  fixture->result = fixture->kind->new (fixture->readbacks);
}

static void
fixture_clear (Fixture *fixture)
{
  gst_mini_object_unref (fixture->result);
  for (guint i = 0; i < 3; i++) {
    fail_unless_equals_int (fixture->readbacks[i]->refs, 1);
    gst_gles_readback_unref (fixture->readbacks[i]);
  }
}

/* ---- tests ---- */

GST_START_TEST (test_timeout_then_ready)
{
  GError *error = NULL;
  Fixture fixture;
  gint64 start;
  guint n_gets;

  fixture_init (&fixture, __i__);
  fail_if (fixture.kind->is_ready (fixture.result));
  start = g_get_monotonic_time ();
  fail_if (fixture.kind->wait (fixture.result, LIMIT_NS, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TIMEOUT);
  g_clear_error (&error);
  fail_unless (g_get_monotonic_time () - start >= LIMIT_NS / 1000 - 1000, "it did not wait");

  readback_finish (fixture.readbacks[2], 0);
  fail_unless (fixture.kind->is_ready (fixture.result));
  fail_unless (fixture.kind->wait (fixture.result, 0, &error));
  g_assert_no_error (error);
  /* The readback is not called again once its bytes are there. */
  n_gets = fixture.readbacks[2]->n_gets;
  fail_unless_equals_int (fixture.kind->get (fixture.result, &error), N);
  fail_unless (fixture.kind->wait (fixture.result, 0, NULL));
  fail_unless_equals_int (fixture.readbacks[2]->n_gets, n_gets);
  fixture_clear (&fixture);
}

GST_END_TEST;

static gpointer
finish_later (gpointer data)
{
  g_usleep (50000);
  readback_finish (data, 0);
  return NULL;
}

static gpointer
get_one (gpointer data)
{
  const Fixture *fixture = data;
  GError *error = NULL;
  guint n = fixture->kind->get (fixture->result, &error);

  g_assert_no_error (error);
  return GUINT_TO_POINTER (n);
}

/* Getters wait without a limit, several at a time. */
GST_START_TEST (test_getters_wait)
{
  GThread *readers[4], *device;
  Fixture fixture;

  fixture_init (&fixture, __i__);
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    readers[i] = g_thread_new ("reader", get_one, &fixture);
  device = g_thread_new ("device", finish_later, fixture.readbacks[2]);
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    fail_unless_equals_int (GPOINTER_TO_UINT (g_thread_join (readers[i])), N);
  g_thread_join (device);
  fixture_clear (&fixture);
}

GST_END_TEST;

GST_START_TEST (test_failures_reach_getters)
{
  static const GstGlesError failures[] = { GST_GLES_ERROR_DEVICE_LOST, GST_GLES_ERROR_CANCELLED };

  for (guint i = 0; i < G_N_ELEMENTS (failures); i++) {
    GError *error = NULL;
    Fixture fixture;

    fixture_init (&fixture, __i__);
    readback_finish (fixture.readbacks[2], failures[i]);
    fail_if (fixture.kind->wait (fixture.result, G_MAXUINT64, &error));
    g_assert_error (error, GST_GLES_ERROR, (gint) failures[i]);
    g_clear_error (&error);
    fail_unless_equals_int (fixture.kind->get (fixture.result, &error), 0);
    g_assert_error (error, GST_GLES_ERROR, (gint) failures[i]);
    g_clear_error (&error);
    fixture_clear (&fixture);
  }
}

GST_END_TEST;

static Suite *
points_tiles_wait_suite (void)
{
  Suite *suite = suite_create ("points-tiles-wait");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, test_timeout_then_ready, 0, G_N_ELEMENTS (kinds));
  tcase_add_loop_test (tcase, test_getters_wait, 0, G_N_ELEMENTS (kinds));
  tcase_add_loop_test (tcase, test_failures_reach_getters, 0, G_N_ELEMENTS (kinds));
  return suite;
}

GST_CHECK_MAIN (points_tiles_wait);
