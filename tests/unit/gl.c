/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The gl layer on every device this machine has: buffers, programs, submissions, readback, upload,
 * time. */
#include <gst/gles/gl/readback-info.h>
#include <gst/gles/gl/span.h>
#include <gst/gles/gl/upload.h>

#include "gl-common.h"

static void
test_buffer_ranges (void)
{
  g_autoptr (GstGlesBuffer) buffer = new_buffer (7);
  g_autoptr (GstGlesBuffer) empty = new_buffer (0);
  guint8 back[8] = { 1, 1, 1, 1, 1, 1, 1 };

  g_assert_cmpuint (gst_gles_buffer_get_size (empty), ==, 0);
  g_assert_cmpuint (gst_gles_buffer_get_size (buffer), ==, 7);
  assert_ok (gst_gles_buffer_download (buffer, queue, 0, back, 7, &error));
  g_assert_cmpmem (back, 7, "\0\0\0\0\0\0\0", 7);
  assert_fails (gst_gles_buffer_upload (buffer, queue, 4, "abcd", 4, &error), INVALID);
  assert_fails (gst_gles_buffer_download (buffer, queue, G_MAXSIZE, back, 1, &error), INVALID);
  assert_ok (gst_gles_buffer_upload (buffer, queue, 0, "abcdefg", 7, &error));
  assert_ok (gst_gles_buffer_download (buffer, queue, 2, back, 5, &error));
  g_assert_cmpmem (back, 5, "cdefg", 5);
  assert_fails (gst_gles_buffer_new (device, G_MAXSIZE - 8, &error), TOO_LARGE);
}

static void
test_buffer_bytes (void)
{
  const guint64 before = gst_gles_device_get_buffer_bytes (device);
  GstGlesBuffer *buffer = new_buffer (100000);

  g_assert_cmpuint (gst_gles_device_get_buffer_bytes (device), >=, before + 100000);
  g_assert_cmpuint (gst_gles_device_get_buffer_bytes (device), <=, before + 101000);
  gst_gles_buffer_unref (buffer);
  assert_fails (gst_gles_buffer_new (device, G_MAXSIZE - 8, &error), TOO_LARGE);
  g_assert_cmpuint (gst_gles_device_get_buffer_bytes (device), ==, before);
}

/* more parameter blocks than the ring holds, in one submission and in several */
static void
test_params_wrap (void)
{
  g_autoptr (GstGlesProgram) program = add_program (1);
  g_autoptr (GstGlesBuffer) a = words (64, 0), b = words (64, 0);
  guint32 sum = 0;

  assert_ok (gst_gles_queue_begin (queue, &error));
  for (guint i = 0; i < 1500; i++) {
    queue_add (queue, program, i % 2 ? b : a, i % 2 ? a : b, 64, i * 7);
    sum += i * 7;
  }
  assert_ok (gst_gles_queue_end (queue, &error));
  g_assert_true (has_words (a, 64, sum));
}

static void
test_limits_are_enforced (void)
{
  g_autoptr (GstGlesProgram) program = add_program (1);
  g_autoptr (GstGlesBuffer) buffer = words (64, 0);
  const GstGlesBinding good = { buffer, 0, 0, GST_GLES_READ };
  const GstGlesBinding bindings[] = { good, good, good };
  const GstGlesBinding misplaced[] = { { buffer, 1, 0, GST_GLES_READ }, good };
  GstGlesProgramSpec specs[] = { add_spec (9), add_spec (9), add_spec (9) };
  const guint params[4] = { 64, 1 }, groups[3] = { 1, 1, 1 }, many[3] = { G_MAXUINT, 1, 1 };

  specs[0].shared_bytes = 1u << 30;
  specs[1].local_size[0] = 100000;
  specs[2].n_storage = 1000;
  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    assert_fails (gst_gles_program_get (queue, &specs[i], &error), TOO_LARGE);

  assert_ok (gst_gles_queue_begin (queue, &error));
  assert_fails (
      gst_gles_queue_dispatch (queue,
          &(GstGlesDispatch){ program, bindings, 2, params, sizeof (params), 0 }, many, &error),
      TOO_LARGE);
  /* the submission remembers */
  assert_fails (gst_gles_queue_end (queue, &error), TOO_LARGE);

  assert_ok (gst_gles_queue_begin (queue, &error));
  assert_fails (
      gst_gles_queue_dispatch (queue,
          &(GstGlesDispatch){ program, bindings, 3, params, sizeof (params), 0 }, groups, &error),
      INVALID);
  assert_fails (
      gst_gles_queue_dispatch (queue,
          &(GstGlesDispatch){ program, misplaced, 2, params, sizeof (params), 0 }, groups, &error),
      INVALID);
  gst_gles_queue_end (queue, NULL);
}

/* Several programs in one request, with one that is there, one that is asked for twice, and one
 * that does not compile; with and without GL_KHR_parallel_shader_compile. */
static void
test_programs (void)
{
  const GstGlesProgramSpec missing = { .kernel = "test_missing" };
  g_autoptr (GstGlesProgram) before = add_program (21);
  GstGlesProgramSpec specs[] = { add_spec (21), add_spec (22), add_spec (23), add_spec (22),
    { .kernel = "test_broken" } };
  GstGlesProgram *programs[G_N_ELEMENTS (specs)];
  g_autoptr (GstGlesBuffer) input = words (64, 5), output = words (64, 0);

  g_assert_false (gst_gles_programs_get (queue, specs, G_N_ELEMENTS (specs), programs, &error));
  if (strstr (error->message, "test_broken.comp:7") == NULL)
    g_error ("the message does not name the place: %s", error->message);
  assert_fails (FALSE, COMPILE);
  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    g_assert_null (programs[i]);
  assert_fails (gst_gles_program_get (queue, &missing, &error), NOT_FOUND);

  assert_ok (gst_gles_programs_get (queue, specs, 4, programs, &error));
  g_assert_true (programs[0] == before);
  g_assert_true (programs[1] == programs[3]);
  g_assert_true (programs[1] != programs[2]);
  for (guint i = 0; i < 4; i++) {
    queue_add (queue, programs[i], input, output, 64, 1);
    g_assert_true (has_words (output, 64, 5 + (guint32) specs[i].defines[0].value));
    gst_gles_program_unref (programs[i]);
  }
}

static gpointer
read_without_context (gpointer data)
{
  GError *failure = NULL;
  gconstpointer bytes = gst_gles_readback_get (data, GST_GLES_WAIT_FOREVER, NULL, &failure);

  g_assert_no_error (failure);
  return (gpointer) bytes;
}

static void
test_readback_from_any_thread (void)
{
  g_autoptr (GstGlesReadbackRing) ring = gst_gles_readback_ring_new (queue, 3, 4096, &error);
  GstGlesReadback *kept[300];

  g_assert_no_error (error);
  /* Keeping 300 results does not keep the 3 slots. */
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++) {
    g_autoptr (GstGlesBuffer) source = words (100, i);
    gboolean waited;

    assert_ok (kept[i] = gst_gles_readback_ring_copy (ring,
                   &(GstGlesReadbackCopy){ .source = source, .size_bytes = 400 }, &waited, &error));
  }
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++) {
    const guint32 *values = g_thread_join (g_thread_new ("reader", read_without_context, kept[i]));

    for (guint j = 0; j < 100; j++)
      g_assert_cmpuint (values[j], ==, i + j);
  }
  g_clear_pointer (&ring, gst_gles_readback_ring_free);
  g_assert_true (gst_gles_readback_is_ready (kept[299]));
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    gst_gles_readback_unref (kept[i]);
}

static void
test_readback_open_cancel_and_overflow (void)
{
  g_autoptr (GstGlesReadbackRing) ring = gst_gles_readback_ring_new (queue, 2, 64, &error);
  g_autoptr (GstGlesBuffer) source = words (32, 5);
  GstGlesReadback *readbacks[5];

  assert_ok (gst_gles_queue_begin (queue, &error));
  for (guint i = 0; i < 5; i++)
    readbacks[i] = gst_gles_readback_ring_copy (ring,
        &(GstGlesReadbackCopy){ .source = source, .offset_bytes = 4 * i, .size_bytes = 16 }, NULL,
        &error);
  g_assert_no_error (error);
  if (gst_gles_device_get_limits (device)->buffer_storage) {
    assert_fails (gst_gles_readback_get (readbacks[0], 1000, NULL, &error), TIMEOUT);
    gst_gles_readback_cancel (readbacks[1]);
    assert_fails (gst_gles_readback_get (readbacks[1], 0, NULL, &error), CANCELLED);
    assert_fails (gst_gles_readback_ring_copy (ring,
                      &(GstGlesReadbackCopy){ .source = source, .size_bytes = 65 }, NULL, &error),
        TOO_LARGE);
  }
  assert_ok (gst_gles_queue_end (queue, &error));
  for (guint i = 2; i < 5; i++) {
    const guint32 *values =
        gst_gles_readback_get (readbacks[i], GST_GLES_WAIT_FOREVER, NULL, &error);

    g_assert_no_error (error);
    g_assert_cmpuint (values[0], ==, 5 + i);
  }
  for (guint i = 0; i < 5; i++)
    gst_gles_readback_unref (readbacks[i]);
}

static void
test_upload_ring (void)
{
  g_autoptr (GstGlesUploadRing) ring = gst_gles_upload_ring_new (queue, 2, 1001, &error);
  g_autoptr (GstGlesProgram) program = add_program (1);
  g_autoptr (GstGlesBuffer) output = new_buffer (1004);

  g_assert_no_error (error);
  for (guint round = 0; round < 10; round++) {
    GstGlesUpload upload;
    guint8 back[1004];

    assert_ok (gst_gles_upload_ring_acquire (ring, round % 2 == 0, &upload, NULL, &error));
    g_assert_cmpuint ((guintptr) upload.data % 64, ==, 0);
    memset (upload.data, round + 1, 1001);
    assert_ok (gst_gles_queue_begin (queue, &error));
    assert_ok (gst_gles_upload_ring_commit (ring, &upload, 1001, &error));
    queue_add (queue, program, upload.buffer, output, 251, 0);
    assert_ok (gst_gles_queue_end (queue, &error));
    assert_ok (gst_gles_buffer_download (output, queue, 0, back, 1004, &error));
    for (guint i = 0; i < 1004; i++)
      g_assert_cmpuint (back[i], ==, i < 1001 ? round + 1 : 0);
  }
  assert_fails (gst_gles_upload_ring_new (queue, 1, (gsize) 1 << 40, &error), TOO_LARGE);
}

/* GPU time of @n dispatches in one submission, by pass and as a span. */
static void
measure (guint n)
{
  g_autoptr (GstGlesProgram) program = add_program (1);
  g_autoptr (GstGlesBuffer) a = words (1 << 16, 0), b = words (1 << 16, 0);
  guint64 total = 0, span_ns = 0;
  GstGlesTimer *timer;
  GstGlesSpan *span;
  GArray *passes;
  gint64 wall_us;

  assert_ok (gst_gles_queue_finish (queue, &error));
  wall_us = -g_get_monotonic_time ();
  assert_ok (gst_gles_queue_begin (queue, &error));
  timer = gst_gles_queue_start_timer (queue);
  g_assert_nonnull (span = gst_gles_span_begin (queue));
  for (guint i = 0; i < n; i++)
    queue_add (queue, program, a, b, 1 << 16, 1);
  gst_gles_span_end (span);
  assert_ok (gst_gles_queue_end (queue, &error));
  assert_ok (passes = gst_gles_timer_get_passes (timer, &error));
  assert_ok (gst_gles_span_take (span, &span_ns, &error));
  wall_us += g_get_monotonic_time ();
  g_assert_cmpuint (passes->len, ==, n);
  for (guint i = 0; i < n; i++) {
    const GstGlesPassTime *pass = &g_array_index (passes, GstGlesPassTime, i);

    g_assert_cmpstr (pass->name, ==, "test_add");
    total += pass->time_ns;
  }
  g_array_unref (passes);
  gst_gles_timer_free (timer);
  g_assert_true (n == 0 || (total > 0 && span_ns > 0));
  g_assert_cmpuint (MAX (total, span_ns), <=, 1000 * (guint64) wall_us + 1000000);
}

static void
test_times (void)
{
  if (!gst_gles_device_get_limits (device)->timer_queries) {
    assert_ok (gst_gles_queue_begin (queue, &error));
    g_assert_null (gst_gles_span_begin (queue));
    gst_gles_span_end (NULL);
    assert_ok (gst_gles_queue_end (queue, &error));
    return;
  }
  for (guint n = 0; n <= 20; n += 10)
    measure (n);
}

int
main (int argc, char **argv)
{
  int result;

  device = gles_test_begin (&argc, &argv, FALSE);
  if (device == NULL)
    return gles_test_no_gl ();
  queue = gst_gles_device_get_queue (device);
  g_test_add_func ("/gl/buffer-ranges", test_buffer_ranges);
  g_test_add_func ("/gl/buffer-bytes", test_buffer_bytes);
  g_test_add_func ("/gl/params-wrap", test_params_wrap);
  g_test_add_func ("/gl/limits-are-enforced", test_limits_are_enforced);
  g_test_add_func ("/gl/programs", test_programs);
  g_test_add_func ("/gl/readback-from-any-thread", test_readback_from_any_thread);
  g_test_add_func ("/gl/readback-open-cancel-and-overflow", test_readback_open_cancel_and_overflow);
  g_test_add_func ("/gl/upload-ring", test_upload_ring);
  g_test_add_func ("/gl/times", test_times);
  result = g_test_run ();
  gst_object_unref (device);
  return result;
}
