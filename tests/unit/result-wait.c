/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* When results wait, for what, and for how long. The program is linked with gst/gles/meta alone, so
 * that a fake readback replaces the real one. */
#include "../fake-readback.h"

#include <gst/gles/gl/late-reads.h>
#include <gst/gles/meta/histogram-info.h>
#include <gst/gles/meta/points-info.h>
#include <gst/gles/meta/regions-info.h>
#include <gst/gles/meta/tiles-info.h>

#define N 3 /* points, regions, and entries of tiles */
#define READERS 4
#define LIMIT_US 1000000000

/* ---- a readback ---- */

void
gst_gles_readback_get_counted (GstGlesReadback *readback, GstGlesResult *counted)
{
  *counted = (GstGlesResult){ N + 1, N, 4 };
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

GstGlesLateReads *
gst_gles_late_reads_ref (GstGlesLateReads *late)
{
  g_assert_not_reached ();
}

void
gst_gles_late_reads_unref (GstGlesLateReads *late)
{
  g_assert_null (late);
}

void
gst_gles_late_reads_note (GstGlesLateReads *late)
{
  g_assert_not_reached ();
}

GstGlesReadback *
gst_gles_late_reads_copy (GstGlesLateReads *late, const GstGlesReadbackCopy *copy, GError **error)
{
  g_assert_not_reached ();
}

gsize
gst_gles_buffer_get_size (GstGlesBuffer *buffer)
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
  gpointer (*new) (GstGlesReadback *const readbacks[3]);
  gboolean (*is_ready) (gpointer result);
  gboolean (*wait) (gpointer result, guint64 timeout_ns, GError **error);
  gboolean (*get) (gpointer result, GError **error); /* one that waits: whether it got anything */
} Kind;

static gpointer
histogram_new (GstGlesReadback *const readbacks[3])
{
  const GstGlesHistogramInfo info = { .columns = 1,
    .rows = 1,
    .bins = 256,
    .n_channels = 1,
    .channels = { { .name = "Y", .depth = 8, .difference_offset = 256 } } };

  return gst_gles_histogram_result_new_queued (&info, readbacks[2], NULL, NULL);
}

static gboolean
histogram_get (gpointer result, GError **error)
{
  guint n;

  return gst_gles_histogram_result_get_counts (result, 0, 0, &n, error) != NULL;
}

static gpointer
points_new (GstGlesReadback *const readbacks[3])
{
  const GstGlesPointsInfo info = { .frame = { .width = 64, .height = 48 }, .max_points = N };

  return gst_gles_points_result_new_queued (&info, readbacks[2], NULL, NULL);
}

static gboolean
points_get (gpointer result, GError **error)
{
  guint n;

  return gst_gles_points_result_get_points (result, &n, error) != NULL;
}

/* All arrays but the last are there. */
static gpointer
tiles_new (GstGlesReadback *const readbacks[3])
{
  const GstGlesTilesInfo info = {
    .frame = { .width = 64, .height = 48 }, .tile_width = 64, .tile_height = 48
  };
  const GstGlesTilesArrays arrays = { .offsets_readback = readbacks[0],
    .indices_readback = readbacks[1],
    .keys_readback = readbacks[2] };

  return gst_gles_tiles_result_new_queued (&info, &arrays);
}

static gboolean
tiles_get (gpointer result, GError **error)
{
  guint n;

  return gst_gles_tiles_result_get_indices (result, &n, error) != NULL;
}

static gpointer
regions_new (GstGlesReadback *const readbacks[3])
{
  const GstGlesRegionsInfo info = { .frame = { .width = 64, .height = 48 }, .label = "" };

  return gst_gles_regions_result_new_queued (&info, readbacks[2], NULL, NULL);
}

static gboolean
regions_get (gpointer result, GError **error)
{
  return gst_gles_regions_result_get_region (result, 0, error) != NULL;
}

#define KIND(kind)                                                                                 \
  {                                                                                                \
#kind, kind##_new, (gboolean(*)(gpointer)) gst_gles_##kind##_result_is_ready,                  \
        (gboolean(*)(gpointer, guint64, GError **)) gst_gles_##kind##_result_wait, kind##_get      \
  }

static const Kind kinds[] = { KIND (histogram), KIND (points), KIND (tiles), KIND (regions) };

typedef struct {
  const Kind *kind;
  GstGlesReadback *readbacks[3], *last;
  gpointer result;
} Fixture;

static void
fixture_init (Fixture *fixture, const Kind *kind)
{
  fixture->kind = kind;
  for (guint i = 0; i < 3; i++) {
    fixture->readbacks[i] = g_new0 (GstGlesReadback, 1);
    fixture->readbacks[i]->refs = 1;
    fixture->readbacks[i]->done = i < 2;
  }
  fixture->last = fixture->readbacks[2];
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
check_timeout_then_ready (const Kind *kind)
{
  GError *error = NULL;
  Fixture f;
  gint n_gets;

  fixture_init (&f, kind);
  g_assert_false (f.kind->is_ready (f.result));
  g_assert_false (f.kind->wait (f.result, LIMIT_US * G_GUINT64_CONSTANT (1000), &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TIMEOUT);
  g_clear_error (&error);
  if (f.kind->new == tiles_new) {
    /* one limit for all arrays: what waiting for the first two took is gone */
    g_assert_cmpint (f.last->last_timeout_us, <=, LIMIT_US - 2000);
    g_assert_cmpint (f.last->last_timeout_us, >, LIMIT_US / 2);
    g_assert_false (f.kind->wait (f.result, 1000000, NULL));
    g_assert_cmpint (f.last->last_timeout_us, ==, 0);
  } else {
    /* the limit is for the call: the microsecond before the wait may be gone */
    g_assert_cmpint (f.last->last_timeout_us, <=, LIMIT_US);
    g_assert_cmpint (f.last->last_timeout_us, >, LIMIT_US / 2);
  }

  readback_finish (f.last, 0);
  g_assert_true (f.kind->is_ready (f.result));
  g_assert_true (f.kind->wait (f.result, 0, &error));
  g_assert_no_error (error);
  /* The readback is not called again once its bytes are there. */
  n_gets = f.last->n_gets;
  g_assert_true (f.kind->get (f.result, &error));
  g_assert_true (f.kind->wait (f.result, 0, NULL));
  g_assert_cmpint (f.last->n_gets, ==, n_gets);
  fixture_clear (&f);
}

/* Once all readers wait. */
static gpointer
finish_later (gpointer data)
{
  GstGlesReadback *readback = data;

  while (g_atomic_int_get (&readback->n_gets) < READERS)
    g_usleep (1000);
  g_assert_cmpint (g_atomic_int_get (&readback->last_timeout_us), ==, G_MAXINT);
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
check_getters_wait (const Kind *kind)
{
  GThread *threads[READERS + 1];
  Fixture f;

  fixture_init (&f, kind);
  for (guint i = 0; i < READERS; i++)
    threads[i] = g_thread_new ("reader", get_one, &f);
  threads[READERS] = g_thread_new ("device", finish_later, f.last);
  for (guint i = 0; i <= READERS; i++)
    g_thread_join (threads[i]);
  fixture_clear (&f);
}

static void
check_failures_reach_getters (const Kind *kind)
{
  static const gint failures[] = { GST_GLES_ERROR_DEVICE_LOST, GST_GLES_ERROR_CANCELLED };

  for (guint i = 0; i < G_N_ELEMENTS (failures); i++) {
    GError *error = NULL;
    Fixture f;

    fixture_init (&f, kind);
    readback_finish (f.last, failures[i]);
    g_assert_false (f.kind->wait (f.result, G_MAXUINT64, &error));
    g_assert_error (error, GST_GLES_ERROR, failures[i]);
    g_clear_error (&error);
    g_assert_false (f.kind->get (f.result, &error));
    g_assert_error (error, GST_GLES_ERROR, failures[i]);
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
  gst_buffer_add_gles_histogram_meta (buffer, f.result);
  copy = gst_buffer_copy_deep (buffer);
  g_assert_true (gst_buffer_get_gles_histogram_meta (copy)->result == f.result);
  gst_buffer_unref (buffer);
  gst_buffer_unref (copy);
  g_assert_cmpuint (f.last->n_gets, ==, 0);
  fixture_clear (&f);
}

static void
test_kind (gconstpointer kind)
{
  check_timeout_then_ready (kind);
  check_getters_wait (kind);
  check_failures_reach_getters (kind);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree gchar *path = g_strconcat ("/wait/", kinds[i].name, NULL);

    g_test_add_data_func (path, &kinds[i], test_kind);
  }
  g_test_add_func ("/wait/buffers-never-wait", test_buffers_never_wait);
  return g_test_run ();
}
