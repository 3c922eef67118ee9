/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames that an engine copies to the device: their contents, when the engine is looked for, and
 * what happens where it fails. lavapipe has no engine, but its queue copies. */
#include <gst/gles/gl/engine.h>
#include <gst/gles/gl/readback-info.h>
#include <gst/gles/gl/upload.h>

#include "gl-common.h"

#define N_BYTES 100003
#define N_ROUNDS 200

/* The linker puts these in place of the library's. */
static gint has_engine, n_starts, first_failure; /* atomic */

gboolean __real_gst_gles_transfer_start (
    GstGlesTransfer *transfer, gsize size_bytes, GError **failure);
gboolean __wrap_gst_gles_transfer_start (
    GstGlesTransfer *transfer, gsize size_bytes, GError **failure);
gboolean __wrap_gst_gles_vulkan_has_engine (GstGlesVulkan *vulkan);

gboolean
__wrap_gst_gles_transfer_start (GstGlesTransfer *transfer, gsize size_bytes, GError **failure)
{
  const gint n = g_atomic_int_add (&n_starts, 1) + 1;

  if (n < g_atomic_int_get (&first_failure))
    return __real_gst_gles_transfer_start (transfer, size_bytes, failure);
  g_set_error_literal (failure, GST_GLES_ERROR, GST_GLES_ERROR_FAILED, "the test wants no copy");
  return FALSE;
}

gboolean
__wrap_gst_gles_vulkan_has_engine (GstGlesVulkan *vulkan)
{
  return g_atomic_int_get (&has_engine);
}

/* Every test opens a device of its own. */
static void
open_device (GstGlesMemory memory)
{
  gst_clear_object (&device);
  assert_ok (device = gles_test_open (g_getenv ("GLES_TEST_DEVICE"), &error));
  queue = gst_gles_device_get_queue (device);
  gst_gles_device_get_share (device)->memory = memory;
  g_atomic_int_set (&n_starts, 0);
  g_atomic_int_set (&first_failure, G_MAXINT);
}

static guint8
byte_at (guint seed, gsize i)
{
  return (guint8) (i * 7 + (i >> 8) * 3 + seed * 31);
}

/* Sends @rounds frames through a ring of three slots, of which the device reads each after later
 * ones are on their way. */
static void
send_frames (GstGlesQueue *to, guint rounds, guint seed)
{
  GError *failure = NULL;
  g_autoptr (GstGlesUploadRing) ring = gst_gles_upload_ring_new (to, 3, N_BYTES, &failure);
  g_autoptr (GstGlesReadbackRing) results =
      gst_gles_readback_ring_new (to, rounds, N_BYTES, &failure);
  g_autoptr (GPtrArray) readbacks =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_gles_readback_unref);

  g_assert_no_error (failure);
  for (guint round = 0; round < rounds; round++) {
    GstGlesUpload upload;

    g_assert_true (gst_gles_upload_ring_acquire (ring, FALSE, &upload, NULL, &failure));
    for (gsize i = 0; i < N_BYTES; i++)
      upload.data[i] = byte_at (seed + round, i);
    g_assert_true (gst_gles_queue_begin (to, &failure));
    g_assert_true (gst_gles_upload_ring_commit (ring, &upload, N_BYTES, &failure));
    g_ptr_array_add (readbacks,
        gst_gles_readback_ring_copy (results,
            &(GstGlesReadbackCopy){ .source = upload.buffer, .size_bytes = N_BYTES }, NULL,
            &failure));
    g_assert_true (gst_gles_queue_end (to, &failure));
  }
  for (guint round = 0; round < rounds; round++) {
    const guint8 *bytes = gst_gles_readback_get (
        g_ptr_array_index (readbacks, round), GST_GLES_WAIT_FOREVER, NULL, &failure);

    g_assert_no_error (failure);
    for (gsize i = 0; i < N_BYTES; i++) {
      if (bytes[i] != byte_at (seed + round, i))
        g_error ("frame %u, byte %" G_GSIZE_FORMAT ": %u", round, i, bytes[i]);
    }
  }
}

static void
test_contents (void)
{
  open_device (GST_GLES_MEMORY_VULKAN);
  send_frames (queue, N_ROUNDS, 0);
  g_assert_cmpint (n_starts, ==, N_ROUNDS);
}

static gpointer
send_on_a_queue (gpointer data)
{
  g_autoptr (GstGlesQueue) own = gst_gles_queue_new (device, NULL);

  send_frames (own, N_ROUNDS / 2, GPOINTER_TO_UINT (data));
  return NULL;
}

static void
test_streams (void)
{
  GThread *threads[4];

  open_device (GST_GLES_MEMORY_VULKAN);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("stream", send_on_a_queue, GUINT_TO_POINTER (1000 * i));
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

/* Only as much is copied as is asked for. */
static void
test_parts (void)
{
  static const gsize sizes[] = { N_BYTES, 16, 16, 50001, N_BYTES, 1 };
  g_autoptr (GstGlesUploadRing) ring = NULL;
  g_autofree guint8 *got = g_malloc (N_BYTES);
  GstGlesUpload upload;

  open_device (GST_GLES_MEMORY_VULKAN);
  assert_ok (ring = gst_gles_upload_ring_new (queue, 1, N_BYTES, &error));
  for (guint round = 0; round < G_N_ELEMENTS (sizes); round++) {
    const gsize padded = (sizes[round] + 15) & ~(gsize) 15;

    assert_ok (gst_gles_upload_ring_acquire (ring, FALSE, &upload, NULL, &error));
    memset (upload.data, (gint) round + 1, N_BYTES);
    assert_ok (gst_gles_queue_begin (queue, &error));
    assert_ok (gst_gles_upload_ring_commit (ring, &upload, sizes[round], &error));
    assert_ok (gst_gles_queue_end (queue, &error));
    assert_ok (gst_gles_buffer_download (upload.buffer, queue, 0, got, N_BYTES, &error));
    for (gsize i = 0; i < sizes[round]; i++)
      g_assert_cmpuint (got[i], ==, round + 1);
    for (gsize i = padded; i < N_BYTES; i++)
      g_assert_cmpuint (got[i], !=, round + 1);
  }
}

/* OpenGL ES copies what the engine does not, and all further frames. */
static void
test_failure (void)
{
  open_device (GST_GLES_MEMORY_VULKAN);
  g_atomic_int_set (&first_failure, 8);
  send_frames (queue, 20, 5);
  g_assert_cmpint (n_starts, >=, 8);
  g_assert_false (gst_gles_engine_is_used (device));
  g_atomic_int_set (&n_starts, 0);
  send_frames (queue, 20, 6);
  g_assert_cmpint (n_starts, ==, 0);
}

/* The device counts as hardware here. */
static void
search (gboolean has, const gchar *link, gboolean used)
{
  open_device (GST_GLES_MEMORY_LARGE_VULKAN);
  gst_gles_device_get_share (device)->kind = GST_GLES_DEVICE_HARDWARE;
  g_atomic_int_set (&has_engine, has);
  g_setenv ("GST_GLES_LINK", link, TRUE);
  send_frames (queue, 63, 0);
  gst_gles_engine_wait (device);
  g_assert_false (gst_gles_engine_is_used (device));
  g_assert_cmpint (n_starts, ==, 0);
  /* the ring of these frames waits for the end of the search */
  send_frames (queue, 1, 0);
  g_assert_true (gst_gles_engine_is_used (device) == used);
  g_atomic_int_set (&n_starts, 0); /* some were measured */
  send_frames (queue, 10, 0);
  g_assert_cmpint (n_starts, ==, used ? 10 : 0);
  gst_gles_device_get_share (device)->kind = GST_GLES_DEVICE_SOFTWARE;
  g_unsetenv ("GST_GLES_LINK");
}

static void
test_search (void)
{
  search (TRUE, "mapped:10,copy:10,transfer:50", TRUE);
  search (TRUE, "mapped:48,copy:41,transfer:20", FALSE);
  search (FALSE, "mapped:10,copy:10,transfer:50", FALSE);
}

int
main (int argc, char **argv)
{
  int result;

  /* GST_GLES_MEMORY=vulkan only lets this test be skipped without Vulkan */
  device = gles_test_begin (&argc, &argv, FALSE);
  g_unsetenv ("GST_GLES_MEMORY");
  if (device == NULL)
    return gles_test_no_gl ();
  if (!gst_gles_device_get_limits (device)->memory_objects)
    return gles_test_no_gl ();
  queue = gst_gles_device_get_queue (device);
  g_test_add_func ("/engine/contents", test_contents);
  g_test_add_func ("/engine/streams", test_streams);
  g_test_add_func ("/engine/parts", test_parts);
  g_test_add_func ("/engine/failure", test_failure);
  g_test_add_func ("/engine/search", test_search);
  result = g_test_run ();
  gst_clear_object (&device);
  return result;
}
