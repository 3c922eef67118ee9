/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The gl layer on every device this machine has: buffers, programs, submissions, readback,
 * upload. */
#include <string.h>

#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/readback.h>
#include <gst/gles/gl/upload.h>

#include "gles-test.h"

typedef struct {
  guint n, factor, pad[2];
} Params;

static GstGlesDevice *device;
static GstGlesQueue *queue;

static GstGlesProgramSpec
add_spec (gint64 addend)
{
  GstGlesProgramSpec spec = { .kernel = "test_add",
    .local_size = { 64, 1, 1 },
    .n_storage = 2,
    .defines = { { "ADDEND", addend } } };
  return spec;
}

static GstGlesProgram *
add_program (gint64 addend)
{
  GstGlesProgramSpec spec = add_spec (addend);
  GError *error = NULL;
  GstGlesProgram *program = gst_gles_program_get (queue, &spec, &error);

  g_assert_no_error (error);
  return program;
}

static GstGlesBuffer *
words (guint n, guint32 first)
{
  g_autofree guint32 *values = g_new (guint32, n + 1);
  GError *error = NULL;
  GstGlesBuffer *buffer = gst_gles_buffer_new (device, n * 4, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    values[i] = first + i;
  g_assert_true (gst_gles_buffer_upload (buffer, queue, 0, values, n * 4, &error));
  g_assert_no_error (error);
  return buffer;
}

/* output = input + addend * factor on the device, in whatever submission is open */
static void
queue_add_on (GstGlesQueue *on, GstGlesProgram *program, GstGlesBuffer *input,
    GstGlesBuffer *output, guint n, guint factor)
{
  Params params = { n, factor, { 0 } };
  GstGlesBinding bindings[] = { { input, 0, 0, GST_GLES_READ },
    { output, 0, 0, GST_GLES_READ_WRITE } };
  guint groups[3] = { (n + 63) / 64, 1, 1 };
  GError *error = NULL;

  g_assert_true (gst_gles_queue_begin (on, &error));
  g_assert_true (gst_gles_queue_dispatch (
      on, program, bindings, 2, &params, sizeof (params), groups, GST_GLES_DISPATCH_NONE, &error));
  g_assert_true (gst_gles_queue_end (on, &error));
  g_assert_no_error (error);
}

static void
assert_words (GstGlesBuffer *buffer, guint n, guint32 first)
{
  g_autofree guint32 *values = g_new0 (guint32, n + 1);
  GError *error = NULL;

  g_assert_true (gst_gles_buffer_download (buffer, queue, 0, values, n * 4, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (values[i], ==, first + i);
}

static void
test_buffer_ranges (void)
{
  g_autoptr (GstGlesBuffer) buffer = gst_gles_buffer_new (device, 7, NULL);
  g_autoptr (GstGlesBuffer) empty = gst_gles_buffer_new (device, 0, NULL);
  GError *error = NULL;
  guint8 bytes[8] = "abcdefg";
  guint8 back[8] = { 0 };

  g_assert_nonnull (buffer);
  g_assert_nonnull (empty);
  g_assert_cmpuint (gst_gles_buffer_get_size (buffer), ==, 7);
  g_assert_true (gst_gles_buffer_download (buffer, queue, 0, back, 7, &error));
  for (guint i = 0; i < 7; i++)
    g_assert_cmpuint (back[i], ==, 0);
  g_assert_false (gst_gles_buffer_upload (buffer, queue, 4, bytes, 4, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (gst_gles_buffer_download (buffer, queue, G_MAXSIZE, back, 1, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_true (gst_gles_buffer_upload (buffer, queue, 0, bytes, 7, &error));
  g_assert_true (gst_gles_buffer_download (buffer, queue, 2, back, 5, &error));
  g_assert_cmpmem (back, 5, "cdefg", 5);
  g_assert_null (gst_gles_buffer_new (device, G_MAXSIZE - 8, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE);
  g_clear_error (&error);
}

static void
test_dispatch (void)
{
  g_autoptr (GstGlesProgram) program = add_program (3);
  g_autoptr (GstGlesProgram) again = add_program (3);
  g_autoptr (GstGlesProgram) other = add_program (4);

  g_assert_true (program == again);
  g_assert_true (program != other);
  for (guint n = 1; n < 300; n += 37) {
    g_autoptr (GstGlesBuffer) input = words (n, 10);
    g_autoptr (GstGlesBuffer) output = gst_gles_buffer_new (device, n * 4, NULL);
    queue_add_on (queue, program, input, output, n, 5);
    assert_words (output, n, 25);
  }
}

/* more parameter blocks than the ring holds, in one submission and in several */
static void
test_params_wrap (void)
{
  g_autoptr (GstGlesProgram) program = add_program (1);
  g_autoptr (GstGlesBuffer) a = words (64, 0);
  g_autoptr (GstGlesBuffer) b = words (64, 0);
  GError *error = NULL;
  guint32 sum = 0;

  g_assert_true (gst_gles_queue_begin (queue, &error));
  for (guint i = 0; i < 1500; i++) {
    queue_add_on (queue, program, i % 2 ? b : a, i % 2 ? a : b, 64, i * 7);
    sum += i * 7;
  }
  g_assert_true (gst_gles_queue_end (queue, &error));
  assert_words (a, 64, sum);
}

static void
test_two_queues (void)
{
  GError *error = NULL;
  GstGlesQueue *second = gst_gles_queue_new (device, &error);
  g_autoptr (GstGlesProgram) program = add_program (1);
  g_autoptr (GstGlesBuffer) a = words (4096, 0);
  g_autoptr (GstGlesBuffer) b = words (4096, 0);

  g_assert_no_error (error);
  for (guint i = 0; i < 200; i++) {
    queue_add_on (queue, program, a, b, 4096, 1);
    queue_add_on (second, program, b, a, 4096, 2);
  }
  assert_words (a, 4096, 600);
  gst_object_unref (second);
}

static void
test_limits_are_enforced (void)
{
  g_autoptr (GstGlesProgram) program = add_program (1);
  g_autoptr (GstGlesBuffer) buffer = words (64, 0);
  GstGlesBinding bindings[3] = { { buffer, 0, 0, GST_GLES_READ }, { buffer, 0, 0, GST_GLES_READ },
    { buffer, 0, 0, GST_GLES_READ } };
  GstGlesProgramSpec spec = add_spec (9);
  Params params = { 64, 1, { 0 } };
  guint groups[3] = { 1, 1, 1 };
  GError *error = NULL;

  spec.shared_bytes = 1u << 30;
  g_assert_null (gst_gles_program_get (queue, &spec, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE);
  g_clear_error (&error);
  spec = add_spec (9);
  spec.local_size[0] = 100000;
  g_assert_null (gst_gles_program_get (queue, &spec, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE);
  g_clear_error (&error);
  spec = add_spec (9);
  spec.n_storage = 1000;
  g_assert_null (gst_gles_program_get (queue, &spec, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE);
  g_clear_error (&error);

  groups[0] = G_MAXUINT;
  g_assert_true (gst_gles_queue_begin (queue, NULL));
  g_assert_false (gst_gles_queue_dispatch (
      queue, program, bindings, 2, &params, sizeof (params), groups, 0, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE);
  g_clear_error (&error);
  /* the submission remembers */
  g_assert_false (gst_gles_queue_end (queue, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE);
  g_clear_error (&error);

  groups[0] = 1;
  g_assert_true (gst_gles_queue_begin (queue, NULL));
  g_assert_false (gst_gles_queue_dispatch (
      queue, program, bindings, 3, &params, sizeof (params), groups, 0, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  g_clear_error (&error);
  bindings[0].offset_bytes = 1;
  g_assert_false (gst_gles_queue_dispatch (
      queue, program, bindings, 2, &params, sizeof (params), groups, 0, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  g_clear_error (&error);
  gst_gles_queue_end (queue, NULL);
}

/* Several programs in one request, with one that is there, one that is asked for twice, and one
 * that does not compile; with and without GL_KHR_parallel_shader_compile. */
static void
test_programs_at_once (void)
{
  g_autoptr (GstGlesProgram) before = add_program (21);
  GstGlesProgramSpec specs[] = { add_spec (21), add_spec (22), add_spec (23), add_spec (22),
    { .kernel = "test_broken" } };
  GstGlesProgram *programs[G_N_ELEMENTS (specs)];
  g_autoptr (GstGlesBuffer) input = words (64, 5), output = words (64, 0);
  GError *error = NULL;

  g_test_message (gst_gles_device_get_limits (device)->parallel_compile ? "at once" : "one by one");
  g_assert_false (gst_gles_programs_get (queue, specs, G_N_ELEMENTS (specs), programs, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_COMPILE);
  if (strstr (error->message, "test_broken.comp:7") == NULL)
    g_error ("the message does not name the place: %s", error->message);
  g_clear_error (&error);
  for (guint i = 0; i < G_N_ELEMENTS (specs); i++)
    g_assert_null (programs[i]);

  g_assert_true (gst_gles_programs_get (queue, specs, 4, programs, &error));
  g_assert_no_error (error);
  g_assert_true (programs[0] == before);
  g_assert_true (programs[1] == programs[3]);
  g_assert_true (programs[1] != programs[2]);
  for (guint i = 0; i < 4; i++) {
    const guint32 addend = specs[i].defines[0].value;
    guint32 got[64];

    g_assert_true (gst_gles_queue_begin (queue, &error));
    queue_add_on (queue, programs[i], input, output, 64, 1);
    g_assert_true (gst_gles_queue_end (queue, &error));
    g_assert_true (gst_gles_buffer_download (output, queue, 0, got, sizeof (got), &error));
    g_assert_no_error (error);
    for (guint k = 0; k < 64; k++)
      g_assert_cmpuint (got[k], ==, 5 + k + addend);
    gst_gles_program_unref (programs[i]);
  }
}

static void
test_compile_error_names_file_and_line (void)
{
  GstGlesProgramSpec spec = { .kernel = "test_broken" };
  GstGlesProgramSpec missing = { .kernel = "test_missing" };
  GError *error = NULL;

  g_assert_null (gst_gles_program_get (queue, &spec, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_COMPILE);
  if (strstr (error->message, "test_broken.comp:7") == NULL)
    g_error ("the message does not name the place: %s", error->message);
  g_clear_error (&error);
  g_assert_null (gst_gles_program_get (queue, &missing, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NOT_FOUND);
  g_clear_error (&error);
}

static gpointer
read_without_context (gpointer data)
{
  gsize size;
  GError *error = NULL;
  gconstpointer bytes = gst_gles_readback_get (data, GST_GLES_WAIT_FOREVER, &size, &error);

  g_assert_no_error (error);
  g_assert_nonnull (bytes);
  return (gpointer) bytes;
}

static void
test_readback_from_any_thread (void)
{
  GError *error = NULL;
  g_autoptr (GstGlesReadbackRing) ring = gst_gles_readback_ring_new (queue, 3, 4096, &error);
  GPtrArray *kept = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_gles_readback_unref);

  g_assert_no_error (error);
  /* Keeping 300 results does not keep the 3 slots. */
  for (guint i = 0; i < 300; i++) {
    g_autoptr (GstGlesBuffer) source = words (100, i);
    gboolean waited;
    GstGlesReadback *readback = gst_gles_readback_ring_copy (ring, source, 0, 400, &waited, &error);
    g_assert_no_error (error);
    g_ptr_array_add (kept, readback);
  }
  for (guint i = 0; i < kept->len; i++) {
    GThread *thread = g_thread_new ("reader", read_without_context, kept->pdata[i]);
    const guint32 *values = g_thread_join (thread);
    for (guint j = 0; j < 100; j++)
      g_assert_cmpuint (values[j], ==, i + j);
  }
  g_clear_pointer (&ring, gst_gles_readback_ring_free);
  g_assert_true (gst_gles_readback_is_ready (kept->pdata[299]));
  g_ptr_array_unref (kept);
}

static void
test_readback_open_cancel_and_overflow (void)
{
  GError *error = NULL;
  g_autoptr (GstGlesReadbackRing) ring = gst_gles_readback_ring_new (queue, 2, 64, &error);
  g_autoptr (GstGlesBuffer) source = words (32, 5);
  GstGlesReadback *readbacks[5];

  g_assert_true (gst_gles_queue_begin (queue, &error));
  for (guint i = 0; i < 5; i++)
    readbacks[i] = gst_gles_readback_ring_copy (ring, source, 4 * i, 16, NULL, &error);
  g_assert_no_error (error);
  if (gst_gles_device_get_limits (device)->buffer_storage) {
    g_assert_null (gst_gles_readback_get (readbacks[0], 1000, NULL, &error));
    g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TIMEOUT);
    g_clear_error (&error);
    gst_gles_readback_cancel (readbacks[1]);
    g_assert_null (gst_gles_readback_get (readbacks[1], 0, NULL, &error));
    g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_CANCELLED);
    g_clear_error (&error);
    g_assert_null (gst_gles_readback_ring_copy (ring, source, 0, 65, NULL, &error));
    g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE);
    g_clear_error (&error);
  }
  g_assert_true (gst_gles_queue_end (queue, &error));
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
  GError *error = NULL;
  g_autoptr (GstGlesUploadRing) ring = gst_gles_upload_ring_new (queue, 2, 1001, &error);
  g_autoptr (GstGlesProgram) program = add_program (1);
  g_autoptr (GstGlesBuffer) output = gst_gles_buffer_new (device, 1004, NULL);

  g_assert_no_error (error);
  for (guint round = 0; round < 10; round++) {
    GstGlesUpload upload;
    guint8 back[1004];
    g_assert_true (gst_gles_upload_ring_acquire (ring, round % 2 == 0, &upload, NULL, &error));
    g_assert_cmpuint ((guintptr) upload.data % 64, ==, 0);
    memset (upload.data, round + 1, 1001);
    g_assert_true (gst_gles_queue_begin (queue, &error));
    g_assert_true (gst_gles_upload_ring_commit (ring, &upload, 1001, &error));
    queue_add_on (queue, program, upload.buffer, output, 251, 0);
    g_assert_true (gst_gles_queue_end (queue, &error));
    g_assert_true (gst_gles_buffer_download (output, queue, 0, back, 1004, &error));
    g_assert_no_error (error);
    for (guint i = 0; i < 1004; i++)
      g_assert_cmpuint (back[i], ==, i < 1001 ? round + 1 : 0);
  }
  g_assert_null (gst_gles_upload_ring_new (queue, 1, (gsize) 1 << 40, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE);
  g_clear_error (&error);
}

static void
test_timer (void)
{
  g_autoptr (GstGlesProgram) program = add_program (1);
  g_autoptr (GstGlesBuffer) a = words (1 << 16, 0);
  g_autoptr (GstGlesBuffer) b = words (1 << 16, 0);
  GError *error = NULL;
  GstGlesTimer *timer;
  GArray *passes;
  guint64 total = 0;

  if (!gst_gles_device_get_limits (device)->timer_queries) {
    g_test_skip ("no timer queries");
    return;
  }
  g_assert_true (gst_gles_queue_begin (queue, &error));
  timer = gst_gles_queue_start_timer (queue);
  for (guint i = 0; i < 4; i++)
    queue_add_on (queue, program, a, b, 1 << 16, 1);
  g_assert_true (gst_gles_queue_end (queue, &error));
  passes = gst_gles_timer_get_passes (timer, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (passes->len, ==, 4);
  for (guint i = 0; i < 4; i++) {
    const GstGlesPassTime *pass = &g_array_index (passes, GstGlesPassTime, i);
    g_assert_cmpstr (pass->name, ==, "test_add");
    total += pass->time_ns;
  }
  g_assert_cmpuint (total, >, 0);
  g_array_unref (passes);
  gst_gles_timer_free (timer);
}

static void
test_lost (void)
{
  GError *error = NULL;
  GstGlesDevice *fresh = gst_gles_device_new (gst_gles_device_get_id (device), &error);
  GstGlesBuffer *buffer = gst_gles_buffer_new (fresh, 16, &error);

  g_assert_no_error (error);
  gst_gles_device_mark_lost (fresh, "a test says so");
  g_assert_true (gst_gles_device_is_lost (fresh));
  g_assert_false (gst_gles_device_matches (fresh, "auto"));
  g_assert_false (gst_gles_queue_begin (gst_gles_device_get_queue (fresh), &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_DEVICE_LOST);
  g_clear_error (&error);
  g_assert_null (gst_gles_buffer_new (fresh, 16, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_DEVICE_LOST);
  g_clear_error (&error);
  gst_gles_buffer_unref (buffer);
  gst_object_unref (fresh);
}

/* buffers dropped anywhere, also after their device's last other user */
static gpointer
drop_buffer (gpointer data)
{
  gst_gles_buffer_unref (data);
  return NULL;
}

static void
test_deferred_delete (void)
{
  GError *error = NULL;
  GstGlesDevice *fresh = gst_gles_device_new (gst_gles_device_get_id (device), &error);

  for (guint i = 0; i < 50; i++) {
    GstGlesBuffer *buffer = gst_gles_buffer_new (fresh, 1 << 20, &error);
    g_assert_no_error (error);
    if (i == 49)
      gst_object_unref (fresh);
    g_thread_join (g_thread_new ("drop", drop_buffer, buffer));
  }
}

int
main (int argc, char **argv)
{
  static const struct {
    const gchar *name;
    void (*func) (void);
  } tests[] = {
    { "buffer-ranges", test_buffer_ranges },
    { "dispatch", test_dispatch },
    { "params-wrap", test_params_wrap },
    { "two-queues", test_two_queues },
    { "limits-are-enforced", test_limits_are_enforced },
    { "programs-at-once", test_programs_at_once },
    { "compile-error-names-file-and-line", test_compile_error_names_file_and_line },
    { "readback-from-any-thread", test_readback_from_any_thread },
    { "readback-open-cancel-and-overflow", test_readback_open_cancel_and_overflow },
    { "upload-ring", test_upload_ring },
    { "timer", test_timer },
    { "lost", test_lost },
    { "deferred-delete", test_deferred_delete },
  };
  int result;

  g_autofree gchar *cache = NULL;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  cache = gles_test_private_cache ();
  device = gles_test_gl_device ();
  if (device == NULL)
    return gles_test_no_gl ();
  queue = gst_gles_device_get_queue (device);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree gchar *path = g_strconcat ("/gl/", tests[i].name, NULL);
    g_test_add_func (path, tests[i].func);
  }
  result = g_test_run ();
  gst_object_unref (device);
  return result;
}
