/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Plans of two queues that read what the other queue writes, and write what it still reads, on the
 * same buffers and without waiting on the host: 1000 times, with and without submissions of several
 * calls. */
#include <gst/gles/cpu/scan.h>
#include <gst/gles/gl/queue.h>
#include <gst/gles/gles.h>

#include "../gles-test.h"

#define N_ROUNDS 1000
/* rounds between looks at the buffers, which stop the queues */
#define LOOK_EVERY 100

/* Two rings of hazards: y is read right after the other queue wrote it, x is written while it
 * reads. */
enum {
  X,
  Y,
  Z,
  W,
  N_ARRAYS
};

typedef struct {
  GstGlesDevice *device;
  GstGlesQueue *queues[2];
  GstGlesScan *scans[2];
  GstGlesBuffer *buffers[N_ARRAYS];
  guint32 *want[N_ARRAYS];
  guint n;
} Fixture;

static Fixture fixture;

/* Which queue scans what to where. */
static const struct {
  guint queue, from, to;
  gboolean inclusive;
} steps[] = {
  { 0, X, Y, TRUE },  /* reads x ... */
  { 1, Z, X, FALSE }, /* ... which is overwritten at once */
  { 1, Y, W, FALSE }, /* needs what the other queue just wrote */
  { 0, W, Z, TRUE },  /* and so does this, over what the other queue reads */
};

static void
queue_step (guint index)
{
  GstGlesScan *scan = fixture.scans[steps[index].queue];
  GstGlesBuffer *from = fixture.buffers[steps[index].from];
  GstGlesBuffer *to = fixture.buffers[steps[index].to];
  GError *error = NULL;
  gboolean ok = steps[index].inclusive
      ? gst_gles_scan_inclusive (scan, from, to, fixture.n, &error)
      : gst_gles_scan_exclusive (scan, from, to, fixture.n, &error);

  if (!ok)
    g_error ("step %u: %s", index, error->message);
  gst_gles_cpu_scan (fixture.want[steps[index].from], fixture.want[steps[index].to], fixture.n,
      steps[index].inclusive);
}

static void
queue_round (gboolean together)
{
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    GstGlesQueue *queue = fixture.queues[steps[i].queue];
    /* steps 1 and 2 are of one queue */
    if (together && i == 1 && !gst_gles_queue_begin (queue, &error))
      g_error ("%s", error->message);
    queue_step (i);
    if (together && i == 2 && !gst_gles_queue_end (queue, &error))
      g_error ("%s", error->message);
  }
}

static void
look (guint round)
{
  g_autofree guint32 *got = g_new (guint32, fixture.n);
  GError *error = NULL;

  for (guint k = 0; k < N_ARRAYS; k++) {
    gst_gles_buffer_download (
        fixture.buffers[k], fixture.queues[k % 2], 0, got, 4 * (gsize) fixture.n, &error);
    g_assert_no_error (error);
    for (guint i = 0; i < fixture.n; i++) {
      if (got[i] != fixture.want[k][i])
        g_error ("round %u: word %u of array %u is 0x%08x, expected 0x%08x", round, i, k, got[i],
            fixture.want[k][i]);
    }
  }
}

static void
test_rounds (gconstpointer together)
{
  for (guint round = 1; round <= N_ROUNDS; round++) {
    queue_round (together != NULL);
    if (round % LOOK_EVERY == 0)
      look (round);
  }
}

static void
set_up (void)
{
  gboolean hardware = gst_gles_device_get_kind (fixture.device) == GST_GLES_DEVICE_HARDWARE;
  GRand *random = g_rand_new_with_seed (9);
  GError *error = NULL;

  fixture.n = hardware ? 400000 : 5000;
  for (guint i = 0; i < 2; i++) {
    fixture.queues[i] = gst_gles_queue_new (fixture.device, &error);
    g_assert_no_error (error);
    fixture.scans[i] = gst_gles_scan_new (fixture.queues[i], fixture.n, &error);
    g_assert_no_error (error);
  }
  for (guint k = 0; k < N_ARRAYS; k++) {
    fixture.want[k] = g_new (guint32, fixture.n);
    for (guint i = 0; i < fixture.n; i++)
      fixture.want[k][i] = g_rand_int (random);
    fixture.buffers[k] = gst_gles_buffer_new (fixture.device, 4 * (gsize) fixture.n, &error);
    g_assert_no_error (error);
    gst_gles_buffer_upload (
        fixture.buffers[k], fixture.queues[0], 0, fixture.want[k], 4 * (gsize) fixture.n, &error);
    g_assert_no_error (error);
  }
  g_rand_free (random);
}

static void
tear_down (void)
{
  for (guint k = 0; k < N_ARRAYS; k++) {
    gst_gles_buffer_unref (fixture.buffers[k]);
    g_free (fixture.want[k]);
  }
  for (guint i = 0; i < 2; i++) {
    gst_gles_scan_free (fixture.scans[i]);
    gst_object_unref (fixture.queues[i]);
  }
  gst_object_unref (fixture.device);
}

int
main (int argc, char **argv)
{
  g_autofree gchar *cache = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  cache = gles_test_private_cache ();
  fixture.device = gles_test_gl_device ();
  if (fixture.device == NULL)
    return gles_test_no_gl ();
  set_up ();
  g_test_add_data_func ("/arrays-two-queues/calls", NULL, test_rounds);
  g_test_add_data_func ("/arrays-two-queues/submissions", &fixture, test_rounds);
  status = g_test_run ();
  tear_down ();
  return status;
}
