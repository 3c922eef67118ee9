/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The memory that gleshistogram offers upstream: when it is offered, that frames in it are analysed
 * without a copy and rightly, that a writer waits for the device, and how long memory lives. */
#include "gleshistogram-common.h"

#include <string.h>

#include <gst/gles/import/allocator.h>

#define GRAY_CAPS "video/x-raw,format=GRAY8,width=64,height=48,framerate=25/1"

static GstAllocationParams plain = { 0, 15, 0, 0, { NULL } };

/* ---- when it is offered ---- */

/* Asks the element of @stream for the allocator of frames with @string: (transfer full)
 * (nullable). */
static GstAllocator *
ask (TestStream *stream, const gchar *string, GstAllocationParams *params)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (string);
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);
  GstAllocator *allocator = NULL;

  gst_pad_peer_query (stream->harness->srcpad, query);
  fail_unless_equals_int (gst_query_get_n_allocation_pools (query), 0);
  fail_unless (gst_query_get_n_allocation_params (query) <= 1);
  if (gst_query_get_n_allocation_params (query) == 1)
    gst_query_parse_nth_allocation_param (query, 0, &allocator, params);
  return allocator;
}

static GstAllocator *
ask_for_ours (TestStream *stream)
{
  GstAllocator *allocator = ask (stream, TEST_CAPS, NULL);

  fail_unless (GST_IS_GLES_ALLOCATOR (allocator));
  return allocator;
}

GST_START_TEST (test_offered)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, TEST_CAPS);
  g_autoptr (GstAllocator) allocator = ask (stream, TEST_CAPS, NULL);
  const gchar *const dmabuf =
      "video/x-raw(memory:DMABuf),format=I420,width=48,height=32,framerate=25/1";

  fail_unless_equals_int (GST_IS_GLES_ALLOCATOR (allocator), !test_device_is_cpu ());
  /* Frames under the caps of DMABufs cannot be in memory of the allocator. */
  fail_unless (ask (stream, dmabuf, NULL) == NULL);
  /* an element that analyses nothing offers nothing */
  g_object_set (stream->element, "attach-meta", FALSE, NULL);
  gst_buffer_unref (test_stream_push_noise (stream, 1));
  fail_unless (ask (stream, TEST_CAPS, NULL) == NULL);
}

GST_END_TEST;

/* Downstream elements decide how pictures are stored, so a decoder need not copy for this
 * element. */
GST_START_TEST (test_downstream_first)
{
  static const GstAllocationParams wanted = { 0, 31, 5, 7, { NULL } };
  g_autoptr (TestStream) stream = test_stream_new (NULL, TEST_CAPS);
  g_autoptr (GstAllocator) theirs = gst_allocator_find (GST_ALLOCATOR_SYSMEM), allocator = NULL;
  GstAllocationParams params;

  gst_harness_set_propose_allocator (stream->harness, gst_object_ref (theirs), &wanted);
  allocator = ask (stream, TEST_CAPS, &params);
  fail_unless (allocator == theirs);
  fail_unless_equals_uint64 (params.prefix, 5);
}

GST_END_TEST;

/* ---- GstMemory ---- */

static GstAllocator *
new_allocator (void)
{
  g_autoptr (GstGlesDevice) device = gst_gles_device_new (test_device (), NULL);
  GstAllocator *allocator = gst_gles_allocator_new (device);

  fail_unless (allocator != NULL);
  return allocator;
}

/* Reads or writes the bytes of @memory: they count up from @begin. */
static void
check_bytes (GstMemory *memory, gsize size, guint8 begin, gboolean writes)
{
  GstMapInfo map;

  fail_unless (gst_memory_map (memory, &map, writes ? GST_MAP_WRITE : GST_MAP_READ));
  fail_unless_equals_uint64 (map.size, size);
  for (guint i = 0; i < size; i++) {
    if (writes)
      map.data[i] = (guint8) (begin + i);
    fail_unless_equals_int (map.data[i], (guint8) (begin + i));
  }
  gst_memory_unmap (memory, &map);
}

/* 1000 bytes that count up from 0: (transfer full). */
static GstMemory *
new_counting (GstAllocator *allocator)
{
  GstMemory *memory = gst_allocator_alloc (allocator, 1000, NULL);

  fail_unless (gst_memory_is_type (memory, GST_GLES_MEMORY_TYPE));
  check_bytes (memory, 1000, 0, TRUE);
  return memory;
}

/* Alignment, prefix and padding, also of memory that is used again. */
GST_START_TEST (test_parameters)
{
  const GstMemoryFlags zero = GST_MEMORY_FLAG_ZERO_PREFIXED | GST_MEMORY_FLAG_ZERO_PADDED;
  GstAllocationParams params = { zero, 255, 100, 50, { NULL } };
  g_autoptr (GstAllocator) allocator = new_allocator ();

  for (guint round = 0; round < 3; round++) {
    g_autoptr (GstMemory) memory = gst_allocator_alloc (allocator, 1000, &params);
    gsize offset, maxsize;
    GstMapInfo map;

    fail_unless_equals_uint64 (gst_memory_get_sizes (memory, &offset, &maxsize), 1000);
    fail_unless (offset == 100 && maxsize == 1150);
    fail_unless (gst_memory_map (memory, &map, GST_MAP_READWRITE));
    fail_unless_equals_uint64 ((guintptr) (map.data - 100) & 255, 0);
    for (gint i = -100; i < 1050; i++)
      fail_unless ((i >= 0 && i < 1000) || map.data[i] == 0, "byte %d", i);
    memset (map.data - 100, 0xa5, 1150);
    gst_memory_unmap (memory, &map);
  }
}

GST_END_TEST;

GST_START_TEST (test_parts)
{
  GstAllocator *allocator = new_allocator ();
  GstMemory *memory = new_counting (allocator), *part, *next, *copy;
  GstMapInfo map, again;
  gsize offset;

  /* a reader and a writer exclude each other */
  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  fail_if (gst_memory_map (memory, &again, GST_MAP_WRITE));
  gst_memory_unmap (memory, &map);

  part = gst_memory_share (memory, 10, 100);
  next = gst_memory_share (part, 100, 20);
  gst_memory_unref (memory); /* parts hold it */
  fail_unless (gst_memory_is_type (part, GST_GLES_MEMORY_TYPE));
  fail_unless (gst_memory_is_span (part, next, &offset));
  fail_unless_equals_uint64 (offset, 10);
  fail_if (gst_memory_is_span (next, part, NULL));
  fail_if (gst_memory_map (part, &map, GST_MAP_WRITE));
  check_bytes (next, 20, 110, FALSE);
  copy = gst_memory_copy (part, 5, 10);
  fail_unless (gst_memory_is_type (copy, GST_GLES_MEMORY_TYPE));
  check_bytes (copy, 10, 15, FALSE);
  gst_memory_unref (copy);
  part = gst_memory_make_mapped (part, &map, GST_MAP_READWRITE); /* read-only: copies */
  fail_unless (part != NULL && map.size == 100 && map.data[0] == 10);
  memset (map.data, 0, map.size);
  gst_memory_unmap (part, &map);
  gst_memory_unref (part);

  /* Upstream keeps the allocator, and memory of it, longer than the element and its device live. */
  gst_gles_allocator_close (GST_GLES_ALLOCATOR (allocator));
  copy = new_counting (allocator);
  gst_object_unref (allocator);
  check_bytes (copy, 1000, 0, FALSE);
  gst_memory_unref (copy);
  check_bytes (next, 20, 110, FALSE);
  gst_memory_unref (next);
}

GST_END_TEST;

/* ---- results ---- */

/* A copy of @frame, which is freed, in one memory of @allocator. */
static GstBuffer *
move (GstBuffer *frame, GstAllocator *allocator, GstAllocationParams *params)
{
  GstBuffer *moved = gst_buffer_new_allocate (allocator, gst_buffer_get_size (frame), params);
  GstMapInfo map;

  fail_unless (gst_memory_is_type (gst_buffer_peek_memory (moved, 0), GST_GLES_MEMORY_TYPE));
  fail_unless (gst_buffer_map (moved, &map, GST_MAP_WRITE));
  gst_buffer_extract (frame, 0, map.data, map.size);
  gst_buffer_unmap (moved, &map);
  gst_buffer_copy_into (moved, frame, GST_BUFFER_COPY_META, 0, (gsize) -1);
  gst_buffer_unref (frame);
  return moved;
}

/* Every format in our memory: with the caps' strides, and with others behind a prefix. Both kinds
 * of frames in one stream need one layout, so the second kind is copied there. */
GST_START_TEST (test_every_format)
{
  static GstAllocationParams odd = { 0, 31, 48, 3, { NULL } };
  const TestConfig config = { .columns = 2, .rows = 2, .bins = 16 };
  guint n_formats;
  const GstVideoFormat *formats = test_formats (&n_formats);

  /* I420 begins with either kind, other formats with one of them */
  for (guint i = 0; i <= n_formats; i++) {
    const gchar *format =
        gst_video_format_to_string (i < n_formats ? formats[i] : GST_VIDEO_FORMAT_I420);
    g_autofree gchar *caps =
        g_strdup_printf ("video/x-raw,format=%s,width=52,height=38,framerate=25/1", format);
    g_autoptr (TestStream) stream = test_stream_new ("grid-columns=2 grid-rows=2 bins=16", caps);
    g_autoptr (GstAllocator) allocator = ask_for_ours (stream);

    for (guint n = 0; n < 4; n++) {
      GstBuffer *frame = (n + i) % 2 == 1
          ? move (test_frame_odd_strides (&stream->info, n), allocator, &odd)
          : move (test_frame_noise (&stream->info, n), allocator, &plain);
      g_autoptr (GstBuffer) out = test_stream_push (stream, frame);

      test_check_buffer (out, &stream->info, &config, n, format);
    }
    /* the first frame decides on the layout */
    fail_unless_equals_uint64 (test_get_stat (stream->element, "frames-resident"), 2);
    fail_unless_equals_uint64 (test_get_stat (stream->element, "frames-copied"), 2);
  }
}

GST_END_TEST;

/* A writer that writes each frame again as soon as it has been pushed: with our memory it waits for
 * the device, so results are those of the frame that was pushed. */
GST_START_TEST (test_writer_waits)
{
  const gboolean ours = __i__ == 1;
  g_autoptr (TestStream) stream =
      test_stream_new (NULL, "video/x-raw,format=I420,width=640,height=360,framerate=25/1");
  g_autoptr (GstAllocator) allocator = ours ? ask_for_ours (stream) : NULL;

  for (guint n = 0; n < 60; n++) {
    GstBuffer *frame =
        gst_buffer_new_allocate (allocator, GST_VIDEO_INFO_SIZE (&stream->info), &plain);
    GstMemory *memory = gst_buffer_peek_memory (frame, 0);
    g_autoptr (GstGlesHistogramResult) result = NULL;
    g_autoptr (GstBuffer) out = NULL;
    const guint32 *counts;
    guint n_counts;

    gst_buffer_memset (frame, 0, (guint8) (n * 3), G_MAXSIZE);
    out = test_stream_push (stream, frame);
    fail_unless (gst_buffer_peek_memory (out, 0) == memory);
    result = gst_gles_histogram_result_from_buffer (out);
    gst_buffer_memset (out, 0, 255, G_MAXSIZE);
    counts = gst_gles_histogram_result_get_counts (result, 0, 0, &n_counts, NULL);
    fail_unless_equals_int (n_counts, 256);
    fail_unless_equals_int (counts[n * 3], 640 * 360);
  }
  if (ours)
    fail_unless_equals_uint64 (test_get_stat (stream->element, "frames-resident"), 60);
}

GST_END_TEST;

/* ---- lifetimes ---- */

/* An application that keeps every frame: when the bound is reached, frames come in system memory
 * and are copied. Nothing waits. */
GST_START_TEST (test_held_for_ever)
{
  const TestConfig config = { 0 };
  TestStream *stream = test_stream_new (NULL, GRAY_CAPS);
  GstAllocator *allocator = ask_for_ours (stream);
  GPtrArray *held = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_mini_object_unref);
  GstBuffer *out;

  /* the alignment makes each a little more than 64 MiB, so the last one is over 512 */
  for (guint i = 0; i < 8; i++) {
    g_ptr_array_add (held, gst_allocator_alloc (allocator, 64 << 20, &plain));
    fail_unless_equals_int (gst_memory_is_type (held->pdata[i], GST_GLES_MEMORY_TYPE), i < 7);
  }
  for (guint i = 0; i < 3; i++) {
    GstBuffer *frame = gst_buffer_new_allocate (allocator, 100 << 20, &plain);
    gst_buffer_resize (frame, 0, 64 * 48);
    gst_buffer_memset (frame, 0, (guint8) i, 64 * 48);
    fail_if (gst_memory_is_type (gst_buffer_peek_memory (frame, 0), GST_GLES_MEMORY_TYPE));
    out = test_stream_push (stream, frame);
    test_check_buffer (out, &stream->info, &config, i, "held");
    g_ptr_array_add (held, out);
  }
  fail_unless_equals_uint64 (test_get_stat (stream->element, "frames-copied"), 3);
  fail_unless_equals_uint64 (test_get_stat (stream->element, "allocator-fallbacks"), 4);
  /* memory that comes back is used again */
  g_ptr_array_set_size (held, 4);
  out = test_stream_push (stream, move (test_frame_noise (&stream->info, 9), allocator, &plain));
  test_check_buffer (out, &stream->info, &config, 3, "after");
  fail_unless_equals_uint64 (test_get_stat (stream->element, "frames-resident"), 1);
  g_ptr_array_add (held, out);
  gst_object_unref (allocator);
  test_stream_free (stream);
  /* element and device are gone */
  g_ptr_array_unref (held);
}

GST_END_TEST;

/* After a loss of the device, frames can still be written and read. */
GST_START_TEST (test_lost_device)
{
  GstGlesDevice *device = gst_gles_device_new (test_device (), NULL);
  GstAllocator *allocator = gst_gles_allocator_new (device);
  g_autoptr (GstMemory) memory = new_counting (allocator), other = NULL;

  gst_gles_device_mark_lost (device, "test");
  gst_object_unref (device);
  check_bytes (memory, 1000, 7, TRUE);
  other = gst_allocator_alloc (allocator, 1000, NULL);
  fail_if (gst_memory_is_type (other, GST_GLES_MEMORY_TYPE));
  gst_object_unref (allocator);
  check_bytes (memory, 1000, 7, FALSE);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_offered);
  tcase_add_test (tcase, test_downstream_first);
  tcase_add_loop_test (tcase, test_writer_waits, 0, test_device_is_cpu () ? 1 : 2);
  if (test_device_is_cpu ())
    return;
  tcase_add_test (tcase, test_parameters);
  tcase_add_test (tcase, test_parts);
  tcase_add_test (tcase, test_every_format);
  tcase_add_test (tcase, test_held_for_ever);
  tcase_add_test (tcase, test_lost_device);
}

TEST_MAIN (add_tests)
