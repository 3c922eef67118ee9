/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Each array algorithm between two queues, without waiting on the host. One queue runs a plan
 * repeatedly. The other copies its outputs as soon as they are written (read after write) and
 * overwrites the input that is still being read (write after read); the next run overwrites the
 * outputs while they are copied. */
#include <string.h>

#include <gst/gles/algo/scan/scan.h>
#include <gst/gles/cpu/scan/scan.h>
#include <gst/gles/gl/submission.h>

#include "../gles-test.h"
#include "../twin/arrays-table.h"

#define N_ROUNDS 12
#define N_INPUTS 2
#define N_SCANS 200 /* rounds */

static GstGlesDevice *device, *native;
static GstGlesQueue *queues[2];
static guint n_values, n_batches;

/* What the copying queue reads and writes. */
typedef struct {
  ArraysSet *set;
  ArraysSet *sources[N_INPUTS];
  GstGlesBuffer *kept; /* all outputs and the result, round by round */
  guint round_words;
} Copies;

static guint
written_words (const ArraysSet *set)
{
  guint n = 4;

  for (guint role = 0; role < set->n_roles; role++)
    n += set->algorithm->roles[role].written ? set->sizes[role] : 0;
  return n;
}

static void
copies_init (Copies *copies, ArraysSet *set)
{
  GError *error = NULL;

  *copies = (Copies){ .set = set, .round_words = written_words (set) };
  for (guint i = 0; i < N_INPUTS; i++)
    copies->sources[i] = arrays_set_new (set->algorithm, set->queue, n_values, 0, 30 + i);
  copies->kept = gst_gles_buffer_new (
      gst_gles_queue_get_device (set->queue), 4 * (gsize) N_ROUNDS * copies->round_words, &error);
  g_assert_no_error (error);
}

static void
copies_clear (Copies *copies)
{
  for (guint i = 0; i < N_INPUTS; i++)
    arrays_set_free (copies->sources[i]);
  gst_gles_buffer_unref (copies->kept);
}

/* Takes what a round wrote and gives the next input. */
static void
queue_copies (Copies *copies, GstGlesQueue *queue, gpointer plan, guint round)
{
  const ArraysSet *set = copies->set, *next = copies->sources[(round + 1) % N_INPUTS];
  gsize at = 4 * (gsize) round * copies->round_words;
  GError *error = NULL;

  g_assert_true (gst_gles_queue_begin (queue, &error));
  for (guint role = 0; role < set->n_roles; role++) {
    gsize size = 4 * (gsize) set->sizes[role];
    GstGlesBuffer *buffer = set->call.buffers[role];
    if (set->algorithm->roles[role].written) {
      gst_gles_queue_copy (queue,
          &(GstGlesCopy){
              .source = buffer, .target = copies->kept, .target_offset = at, .size_bytes = size },
          &error);
      at += size;
    } else {
      gst_gles_queue_copy (queue,
          &(GstGlesCopy){
              .source = next->call.buffers[role], .target = buffer, .size_bytes = size },
          &error);
    }
    g_assert_no_error (error);
  }
  gst_gles_queue_copy (queue,
      &(GstGlesCopy){ .source = set->algorithm->get_result (plan),
          .target = copies->kept,
          .target_offset = at,
          .size_bytes = 16 },
      &error);
  g_assert_no_error (error);
  g_assert_true (gst_gles_queue_end (queue, &error));
}

/* Runs a plan on @queue while @other copies: all copies, (transfer full). */
static guint32 *
run_rounds (
    const ArraysAlgorithm *algorithm, GstGlesQueue *queue, GstGlesQueue *other, gsize *n_words)
{
  gpointer plan = arrays_plan_new (algorithm, queue, n_values);
  ArraysSet *set = arrays_set_new (algorithm, queue, n_values, 0, 30);
  guint32 *got;
  Copies copies;
  GError *error = NULL;

  copies_init (&copies, set);
  for (guint round = 0; round < N_ROUNDS; round++) {
    arrays_set_run (set, plan, n_values, FALSE);
    queue_copies (&copies, other, plan, round);
  }
  *n_words = (gsize) N_ROUNDS * copies.round_words;
  got = g_new (guint32, *n_words);
  gst_gles_buffer_download (copies.kept, other, 0, got, 4 * *n_words, &error);
  g_assert_no_error (error);
  copies_clear (&copies);
  arrays_set_free (set);
  algorithm->plan_free (plan);
  return got;
}

/* The native twin does the same in sequence, on one queue. */
static void
test_algorithm (gconstpointer data)
{
  const ArraysAlgorithm *algorithm = data;
  GstGlesQueue *in_sequence = gst_gles_device_get_queue (native);
  gsize n_words;
  g_autofree guint32 *want = run_rounds (algorithm, in_sequence, in_sequence, &n_words);

  for (guint batch = 0; batch < 2 * n_batches; batch++) {
    /* either queue is the one that copies */
    g_autofree guint32 *got =
        run_rounds (algorithm, queues[batch % 2], queues[(batch + 1) % 2], &n_words);

    for (gsize i = 0; i < n_words; i++) {
      if (got[i] != want[i])
        g_error ("%s, round %u: word %u of the outputs is 0x%08x, expected 0x%08x", algorithm->name,
            (guint) (i / (n_words / N_ROUNDS)), (guint) (i % (n_words / N_ROUNDS)), got[i],
            want[i]);
    }
  }
}

/* Scans of two queues that read what the other queue writes, and write what it still reads. Steps 1
 * and 2, of one queue, are one submission in every second round. */
static void
test_scans (void)
{
  static const struct {
    guint queue, from, to;
    gboolean inclusive;
  } steps[] = { { 0, 0, 1, TRUE }, { 1, 2, 0, FALSE }, { 1, 1, 3, FALSE }, { 0, 3, 2, TRUE } };
  const guint n = 7 * n_values;
  const gsize size = 4 * (gsize) n;
  g_autofree guint32 *got = g_new (guint32, n);
  GstGlesBuffer *buffers[4];
  guint32 *want[4];
  GstGlesScan *scans[2];
  GError *error = NULL;

  for (guint i = 0; i < 2; i++)
    assert_ok (scans[i] = gst_gles_scan_new (queues[i], n, &error));
  for (guint i = 0; i < 4; i++) {
    want[i] = g_new (guint32, n);
    for (guint k = 0; k < n; k++)
      want[i][k] = g_test_rand_int ();
    assert_ok (buffers[i] = gst_gles_buffer_new (device, size, &error));
    assert_ok (gst_gles_buffer_upload (buffers[i], queues[0], 0, want[i], size, &error));
  }
  for (guint step = 0; step < 4 * N_SCANS; step++) {
    const guint at = step % 4, from = steps[at].from, to = steps[at].to;
    GstGlesScan *scan = scans[steps[at].queue];

    if (step % 8 == 1)
      assert_ok (gst_gles_queue_begin (queues[1], &error));
    assert_ok ((steps[at].inclusive ? gst_gles_scan_inclusive : gst_gles_scan_exclusive) (
        scan, buffers[from], buffers[to], n, &error));
    if (step % 8 == 2)
      assert_ok (gst_gles_queue_end (queues[1], &error));
    gst_gles_cpu_scan (want[from], want[to], n, steps[at].inclusive);
  }
  for (guint i = 0; i < 4; i++) {
    assert_ok (gst_gles_buffer_download (buffers[i], queues[i % 2], 0, got, size, &error));
    g_assert_cmpmem (got, size, want[i], size);
    gst_gles_buffer_unref (buffers[i]);
    g_free (want[i]);
  }
  for (guint i = 0; i < 2; i++)
    gst_gles_scan_unref (scans[i]);
}

int
main (int argc, char **argv)
{
  GError *error = NULL;
  gboolean hardware;
  int status;

  device = gles_test_begin (&argc, &argv, FALSE);
  if (device == NULL)
    return gles_test_no_gl ();
  assert_ok (native = gst_gles_device_new ("cpu", &error));
  hardware = gst_gles_device_get_kind (device) == GST_GLES_DEVICE_HARDWARE;
  n_values = hardware ? 100000 : 700;
  n_batches = hardware ? 4 : 1;
  for (guint i = 0; i < 2; i++)
    assert_ok (queues[i] = gst_gles_queue_new (device, &error));
  for (guint i = 0; i < arrays_table_size; i++) {
    g_autofree gchar *path = g_strconcat ("/opposing-queues/", arrays_table[i].name, NULL);
    g_test_add_data_func (path, &arrays_table[i], test_algorithm);
  }
  g_test_add_func ("/opposing-queues/scans", test_scans);
  status = g_test_run ();
  for (guint i = 0; i < 2; i++)
    gst_object_unref (queues[i]);
  gst_object_unref (device);
  gst_object_unref (native);
  return status;
}
