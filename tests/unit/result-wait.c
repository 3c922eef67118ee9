/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* When results wait, for what, and for how long. The readback functions in this file complete, fail
 * or never complete, as each test requires. The program is linked with gst/gles/meta alone, so that
 * they replace the real ones. */
#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/histogram.h>
#include <gst/gles/meta/points.h>
#include <gst/gles/meta/regions.h>
#include <gst/gles/meta/tiles.h>

#define N 3 /* points, regions, and entries of tiles */
#define READERS 4
#define HOUR_NS (3600 * G_GUINT64_CONSTANT (1000000000))

/* ---- a readback ---- */

struct _GstGlesReadback {
  gint refs;
  GMutex lock;
  GCond cond; /* of done and n_gets */
  gboolean done;
  GstGlesError failure; /* 0: there are words */
  guint32 words[257];
  guint n_gets; /* calls of gst_gles_readback_get () */
  guint64 last_timeout_ns;
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

/* Takes a millisecond; waits for the end only if that has no limit. */
gconstpointer
gst_gles_readback_get (
    GstGlesReadback *readback, guint64 timeout_ns, gsize *size_bytes, GError **error)
{
  gconstpointer words = NULL;

  g_usleep (1000);
  g_mutex_lock (&readback->lock);
  readback->n_gets++;
  readback->last_timeout_ns = timeout_ns;
  g_cond_broadcast (&readback->cond);
  while (!readback->done && timeout_ns == G_MAXUINT64)
    g_cond_wait (&readback->cond, &readback->lock);
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
  for (guint i = 0; i < G_N_ELEMENTS (readback->words); i++)
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
  g_assert_null (buffer);
}

GstGlesDevice *
gst_gles_buffer_get_device (GstGlesBuffer *buffer)
{
  g_assert_not_reached ();
}

/* ---- all kinds alike ---- */

typedef struct {
  const gchar *name;
  GstMiniObject *(*new) (GstGlesReadback *const readbacks[3]);
  gboolean (*is_ready) (GstMiniObject *result);
  gboolean (*wait) (GstMiniObject *result, guint64 timeout_ns, GError **error);
  gboolean (*get) (
      GstMiniObject *result, GError **error); /* one that waits: whether it got anything */
} Kind;

static GstMiniObject *
histogram_new (GstGlesReadback *const readbacks[3])
{
  const GstGlesHistogramInfo info = {
    .columns = 1,
    .rows = 1,
    .bins = 256,
    .n_channels = 1,
    .channels = { { .name = "Y", .depth = 8, .difference_offset = 256 } },
  };

  return (GstMiniObject *) gst_gles_histogram_result_new (&info, readbacks[2], NULL);
}

static gboolean
histogram_get (GstMiniObject *result, GError **error)
{
  guint n;

  return gst_gles_histogram_result_get_counts (
             (GstGlesHistogramResult *) result, 0, 0, &n, error) != NULL;
}

static GstMiniObject *
points_new (GstGlesReadback *const readbacks[3])
{
  const GstGlesPointsInfo info = { .width = 64, .height = 48, .max_points = N };

  return (GstMiniObject *) gst_gles_points_result_new (&info, readbacks[2], NULL, NULL);
}

static gboolean
points_get (GstMiniObject *result, GError **error)
{
  guint n;

  return gst_gles_points_result_get_points ((GstGlesPointsResult *) result, &n, error) != NULL;
}

/* All arrays but the last are there. */
static GstMiniObject *
tiles_new (GstGlesReadback *const readbacks[3])
{
  const GstGlesTilesInfo info = { .width = 64, .height = 48, .tile_width = 64, .tile_height = 48 };
  const GstGlesTilesArrays arrays = { .offsets_readback = readbacks[0],
    .indices_readback = readbacks[1],
    .keys_readback = readbacks[2] };

  return (GstMiniObject *) gst_gles_tiles_result_new (&info, &arrays);
}

static gboolean
tiles_get (GstMiniObject *result, GError **error)
{
  guint n;

  return gst_gles_tiles_result_get_indices ((GstGlesTilesResult *) result, &n, error) != NULL;
}

static GstMiniObject *
regions_new (GstGlesReadback *const readbacks[3])
{
  const GstGlesRegionsInfo info = { .width = 64, .height = 48, .label = "" };

  return (GstMiniObject *) gst_gles_regions_result_new (&info, NULL, NULL, readbacks[2]);
}

static gboolean
regions_get (GstMiniObject *result, GError **error)
{
  return gst_gles_regions_result_get_region ((GstGlesRegionsResult *) result, 0, error) != NULL;
}

#define WAITS(kind)                                                                                \
  kind##_new, (gboolean (*) (GstMiniObject *)) gst_gles_##kind##_result_is_ready,                  \
      (gboolean (*) (GstMiniObject *, guint64, GError **)) gst_gles_##kind##_result_wait

static const Kind kinds[] = {
  { "histogram", WAITS (histogram), histogram_get },
  { "points", WAITS (points), points_get },
  { "tiles", WAITS (tiles), tiles_get },
  { "regions", WAITS (regions), regions_get },
};

typedef struct {
  const Kind *kind;
  GstGlesReadback *readbacks[3];
  GstMiniObject *result;
} Fixture;

static void
fixture_init (Fixture *fixture, const Kind *kind)
{
  fixture->kind = kind;
  for (guint i = 0; i < 3; i++)
    fixture->readbacks[i] = readback_new ();
  readback_finish (fixture->readbacks[0], 0);
  readback_finish (fixture->readbacks[1], 0);
  fixture->result = kind->new (fixture->readbacks);
}

static void
fixture_clear (Fixture *fixture)
{
  gst_mini_object_unref (fixture->result);
  for (guint i = 0; i < 3; i++) {
    g_assert_cmpint (fixture->readbacks[i]->refs, ==, 1);
    gst_gles_readback_unref (fixture->readbacks[i]);
  }
}

/* ---- tests ---- */

static void
test_timeout_then_ready (gconstpointer kind)
{
  GError *error = NULL;
  Fixture f;
  guint n_gets;

  fixture_init (&f, kind);
  g_assert_false (f.kind->is_ready (f.result));
  g_assert_false (f.kind->wait (f.result, HOUR_NS, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TIMEOUT);
  g_clear_error (&error);
  /* one limit for all arrays: what waiting for the first two took is gone */
  if (f.kind->new == tiles_new) {
    g_assert_cmpuint (f.readbacks[2]->last_timeout_ns, <=, HOUR_NS - 2000000);
    g_assert_cmpuint (f.readbacks[2]->last_timeout_ns, >, HOUR_NS / 2);
    g_assert_false (f.kind->wait (f.result, 1000, NULL));
    g_assert_cmpuint (f.readbacks[2]->last_timeout_ns, ==, 0);
  } else {
    g_assert_cmpuint (f.readbacks[2]->last_timeout_ns, ==, HOUR_NS);
  }

  readback_finish (f.readbacks[2], 0);
  g_assert_true (f.kind->is_ready (f.result));
  g_assert_true (f.kind->wait (f.result, 0, &error));
  g_assert_no_error (error);
  /* The readback is not called again once its bytes are there. */
  n_gets = f.readbacks[2]->n_gets;
  g_assert_true (f.kind->get (f.result, &error));
  g_assert_true (f.kind->wait (f.result, 0, NULL));
  g_assert_cmpuint (f.readbacks[2]->n_gets, ==, n_gets);
  fixture_clear (&f);
}

/* Once all readers wait. */
static gpointer
finish_later (gpointer data)
{
  GstGlesReadback *readback = data;

  g_mutex_lock (&readback->lock);
  while (readback->n_gets < READERS)
    g_cond_wait (&readback->cond, &readback->lock);
  g_mutex_unlock (&readback->lock);
  g_assert_cmpuint (readback->last_timeout_ns, ==, G_MAXUINT64);
  readback_finish (readback, 0);
  return NULL;
}

static gpointer
get_one (gpointer data)
{
  const Fixture *fixture = data;
  GError *error = NULL;

  g_assert_true (fixture->kind->get (fixture->result, &error));
  g_assert_no_error (error);
  return NULL;
}

/* Getters wait without a limit, several at a time. */
static void
test_getters_wait (gconstpointer kind)
{
  GThread *threads[READERS + 1];
  Fixture f;

  fixture_init (&f, kind);
  for (guint i = 0; i < READERS; i++)
    threads[i] = g_thread_new ("reader", get_one, &f);
  threads[READERS] = g_thread_new ("device", finish_later, f.readbacks[2]);
  for (guint i = 0; i <= READERS; i++)
    g_thread_join (threads[i]);
  fixture_clear (&f);
}

static void
test_failures_reach_getters (gconstpointer kind)
{
  static const GstGlesError failures[] = { GST_GLES_ERROR_DEVICE_LOST, GST_GLES_ERROR_CANCELLED };

  for (guint i = 0; i < G_N_ELEMENTS (failures); i++) {
    GError *error = NULL;
    Fixture f;

    fixture_init (&f, kind);
    readback_finish (f.readbacks[2], failures[i]);
    g_assert_false (f.kind->wait (f.result, G_MAXUINT64, &error));
    g_assert_error (error, GST_GLES_ERROR, (gint) failures[i]);
    g_clear_error (&error);
    g_assert_false (f.kind->get (f.result, &error));
    g_assert_error (error, GST_GLES_ERROR, (gint) failures[i]);
    g_clear_error (&error);
    fixture_clear (&f);
  }
}

/* Copying a buffer, and throwing one away, must not wait for the device. */
static void
test_buffers_never_wait (void)
{
  GstBuffer *buffer = gst_buffer_new (), *copy;
  Fixture f;

  fixture_init (&f, &kinds[0]);
  gst_buffer_add_gles_histogram_meta (buffer, (GstGlesHistogramResult *) f.result);
  copy = gst_buffer_copy_deep (buffer);
  g_assert_true ((GstMiniObject *) gst_buffer_get_gles_histogram_meta (copy)->result == f.result);
  gst_buffer_unref (buffer);
  gst_buffer_unref (copy);
  g_assert_cmpuint (f.readbacks[2]->n_gets, ==, 0);
  fixture_clear (&f);
}

int
main (int argc, char **argv)
{
  static const struct {
    const gchar *name;
    GTestDataFunc func;
  } tests[] = { { "timeout-then-ready", test_timeout_then_ready },
    { "getters-wait", test_getters_wait },
    { "failures-reach-getters", test_failures_reach_getters } };

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (tests) * G_N_ELEMENTS (kinds); i++) {
    const Kind *kind = &kinds[i % G_N_ELEMENTS (kinds)];
    guint test = i / G_N_ELEMENTS (kinds);
    g_autofree gchar *path = g_strdup_printf ("/wait/%s/%s", kind->name, tests[test].name);

    g_test_add_data_func (path, kind, tests[test].func);
  }
  g_test_add_func ("/wait/buffers-never-wait", test_buffers_never_wait);
  return g_test_run ();
}
