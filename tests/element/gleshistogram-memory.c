/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The memory that gleshistogram offers upstream: when it is offered, that frames in it are analysed
 * without a copy and rightly, that a writer waits for the device, and how long memory lives. */
#include "gleshistogram-common.h"

#include <string.h>

#include <gst/gles/frame/allocator.h>

#define CAPS(format, width, height)                                                                \
  "video/x-raw,format=" format                                                                     \
  ",width=" G_STRINGIFY (width) ",height=" G_STRINGIFY (height) ",framerate=25/1"

/* Asks the element of @stream for an allocator: (transfer full) (nullable). */
static GstAllocator *
ask (TestStream *stream, GstAllocationParams *params)
{
  GstCaps *caps = gst_pad_get_current_caps (stream->harness->srcpad);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  GstAllocator *allocator = NULL;

  gst_caps_unref (caps);
  if (gst_pad_peer_query (stream->harness->srcpad, query)) {
    fail_unless_equals_int (gst_query_get_n_allocation_pools (query), 0);
    fail_unless_equals_int (gst_query_get_n_allocation_metas (query), 0);
    fail_unless_equals_int (gst_query_get_n_allocation_params (query), 1);
    gst_query_parse_nth_allocation_param (query, 0, &allocator, params);
  }
  gst_query_unref (query);
  return allocator;
}

static GstAllocator *
ask_for_ours (TestStream *stream)
{
  GstAllocationParams params;
  GstAllocator *allocator = ask (stream, &params);

  fail_unless (GST_IS_GLES_ALLOCATOR (allocator));
  return allocator;
}

/* A copy of @frame, which is freed, in one memory of @allocator. */
static GstBuffer *
move (GstBuffer *frame, GstAllocator *allocator, const GstAllocationParams *with)
{
  gsize size = gst_buffer_get_size (frame);
  GstAllocationParams params = *with;
  GstMemory *memory = gst_allocator_alloc (allocator, size, &params);
  GstVideoMeta *meta = gst_buffer_get_video_meta (frame);
  GstBuffer *moved = gst_buffer_new ();
  GstMapInfo map;

  fail_unless (gst_memory_is_type (memory, GST_GLES_MEMORY_TYPE));
  fail_unless_equals_uint64 (memory->offset, with->prefix);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  fail_unless_equals_uint64 ((guintptr) (map.data - with->prefix) & with->align, 0);
  gst_buffer_extract (frame, 0, map.data, size);
  gst_memory_unmap (memory, &map);
  gst_buffer_append_memory (moved, memory);
  if (meta != NULL)
    gst_buffer_add_video_meta_full (moved, meta->flags, meta->format, meta->width, meta->height,
        meta->n_planes, meta->offset, meta->stride);
  gst_buffer_unref (frame);
  return moved;
}

/* ---- when it is offered ---- */

GST_START_TEST (test_offered)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, CAPS ("I420", 64, 48));
  GstAllocationParams params;
  GstAllocator *allocator = ask (stream, &params);

  fail_unless_equals_int (GST_IS_GLES_ALLOCATOR (allocator), !test_device_is_cpu ());
  gst_clear_object (&allocator);
  /* an element that analyses nothing offers nothing */
  g_object_set (stream->element, "attach-meta", FALSE, NULL);
  gst_buffer_unref (test_stream_push_noise (stream, 1));
  fail_unless (ask (stream, &params) == NULL);
}

GST_END_TEST;

GST_START_TEST (test_downstream_first)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, CAPS ("I420", 64, 48));
  GstAllocator *theirs = gst_allocator_find (GST_ALLOCATOR_SYSMEM);
  GstAllocationParams wanted = { 0, 31, 5, 7, { NULL } }, params;
  GstAllocator *allocator;

  gst_harness_set_propose_allocator (stream->harness, gst_object_ref (theirs), &wanted);
  allocator = ask (stream, &params);
  fail_unless (allocator == theirs);
  fail_unless_equals_uint64 (params.prefix, 5);
  gst_object_unref (allocator);
  gst_object_unref (theirs);
}

GST_END_TEST;

/* Frames under the caps of DMABufs cannot be in memory of the allocator. */
GST_START_TEST (test_not_offered_for_other_memory)
{
  g_autoptr (TestStream) stream = test_stream_new (NULL, CAPS ("I420", 64, 48));
  GstCaps *caps = gst_caps_from_string ("video/x-raw(memory:DMABuf),format=I420,width=64,height=48,"
                                        "framerate=25/1");
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  GstAllocator *allocator = NULL;

  gst_pad_peer_query (stream->harness->srcpad, query);
  if (gst_query_get_n_allocation_params (query) > 0)
    gst_query_parse_nth_allocation_param (query, 0, &allocator, NULL);
  fail_unless (allocator == NULL);
  fail_unless_equals_int (gst_query_get_n_allocation_pools (query), 0);
  gst_query_unref (query);
  gst_caps_unref (caps);
}

GST_END_TEST;

/* ---- GstMemory ---- */

/* The device's allocator: (transfer full); NULL on a cpu device. */
static GstAllocator *
new_allocator (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstGlesDevice) device = gst_gles_device_new (test_device (), &error);

  test_no_error (error);
  return gst_gles_allocator_new (device);
}

static void
check_bytes (GstMemory *memory, gsize size, guint8 begin)
{
  GstMapInfo map;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  fail_unless_equals_uint64 (map.size, size);
  for (guint i = 0; i < size; i++)
    fail_unless_equals_int (map.data[i], (guint8) (begin + i));
  gst_memory_unmap (memory, &map);
}

/* 1000 bytes that count up from 0: (transfer full). */
static GstMemory *
new_counting (GstAllocator *allocator)
{
  GstMemory *memory = gst_allocator_alloc (allocator, 1000, NULL);
  GstMapInfo map;

  fail_unless (gst_memory_is_type (memory, GST_GLES_MEMORY_TYPE));
  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  for (guint i = 0; i < 1000; i++)
    map.data[i] = (guint8) i;
  gst_memory_unmap (memory, &map);
  return memory;
}

/* Alignment, prefix and padding, also of memory that is used again. */
GST_START_TEST (test_parameters)
{
  const GstMemoryFlags zero = GST_MEMORY_FLAG_ZERO_PREFIXED | GST_MEMORY_FLAG_ZERO_PADDED;
  GstAllocationParams params = { zero, 255, 100, 50, { NULL } };
  GstAllocator *allocator = new_allocator ();

  for (guint round = 0; allocator != NULL && round < 3; round++) {
    GstMemory *memory = gst_allocator_alloc (allocator, 1000, &params);
    gsize offset, maxsize;
    GstMapInfo map;

    fail_unless_equals_uint64 (gst_memory_get_sizes (memory, &offset, &maxsize), 1000);
    fail_unless (offset == 100 && maxsize == 1150);
    fail_unless (gst_memory_map (memory, &map, GST_MAP_READWRITE));
    fail_unless_equals_uint64 ((guintptr) (map.data - 100) & 255, 0);
    for (guint i = 0; i < 100; i++)
      fail_unless_equals_int (map.data[-1 - (gint) i], 0);
    for (guint i = 0; i < 50; i++)
      fail_unless_equals_int (map.data[1000 + i], 0);
    memset (map.data - 100, 0xa5, 1150);
    gst_memory_unmap (memory, &map);
    gst_memory_unref (memory);
  }
  gst_clear_object (&allocator);
}

GST_END_TEST;

GST_START_TEST (test_parts)
{
  GstAllocator *allocator = new_allocator ();
  GstMemory *memory, *part, *next, *copy;
  GstMapInfo map, again;
  gsize offset;

  if (allocator == NULL)
    return;
  memory = new_counting (allocator);
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
  check_bytes (next, 20, 110);
  copy = gst_memory_copy (part, 5, 10);
  fail_unless (gst_memory_is_type (copy, GST_GLES_MEMORY_TYPE));
  check_bytes (copy, 10, 15);
  gst_memory_unref (copy);
  part = gst_memory_make_mapped (part, &map, GST_MAP_READWRITE); /* read-only: copies */
  fail_unless (part != NULL && map.size == 100 && map.data[0] == 10);
  gst_memory_unmap (part, &map);
  gst_memory_unref (part);

  /* memory outlives the element's use of the allocator, and the device */
  gst_gles_allocator_close (GST_GLES_ALLOCATOR (allocator));
  gst_object_unref (allocator);
  check_bytes (next, 20, 110);
  gst_memory_unref (next);
}

GST_END_TEST;

GST_START_TEST (test_regions)
{
  GstAllocator *allocator = new_allocator ();
  GstBuffer *buffer, *region;
  GstMapInfo map;

  if (allocator == NULL)
    return;
  buffer = gst_buffer_new ();
  gst_buffer_append_memory (buffer, new_counting (allocator));
  region = gst_buffer_copy_region (buffer, GST_BUFFER_COPY_ALL, 50, 25);
  buffer = gst_buffer_make_writable (buffer);
  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE)); /* region shares it: copies */
  memset (map.data, 0, map.size);
  gst_buffer_unmap (buffer, &map);
  check_bytes (gst_buffer_peek_memory (region, 0), 25, 50);
  gst_buffer_unref (buffer);
  gst_buffer_unref (region);
  gst_object_unref (allocator);
}

GST_END_TEST;

/* ---- results ---- */

/* Every format in our memory: with the caps' strides, and with others behind a prefix. Both kinds
 * of frames in one stream need one layout, so the odd ones are copied there. */
GST_START_TEST (test_every_format)
{
  const GstAllocationParams plain = { 0, 15, 0, 0, { NULL } }, odd = { 0, 31, 48, 3, { NULL } };
  const TestConfig config = { .columns = 2, .rows = 2, .bins = 16 };
  guint n_formats;
  const GstVideoFormat *formats = test_formats (&n_formats);

  for (guint i = 0; i < n_formats; i++) {
    const gchar *format = gst_video_format_to_string (formats[i]);
    g_autofree gchar *caps =
        g_strdup_printf ("video/x-raw,format=%s,width=52,height=38,framerate=25/1", format);

    for (guint turn = 0; turn < 2; turn++) {
      TestStream *stream = test_stream_new ("grid-columns=2 grid-rows=2 bins=16", caps);
      GstAllocator *allocator = ask_for_ours (stream);

      for (guint n = 0; n < 4; n++) {
        const gboolean is_odd = (n + turn) % 2 == 1;
        GstBuffer *frame = is_odd
            ? move (test_frame_odd_strides (&stream->info, n), allocator, &odd)
            : move (test_frame_noise (&stream->info, n), allocator, &plain);
        GstBuffer *out = test_stream_push (stream, frame);

        test_check_buffer (out, &stream->info, &config, n, format);
        gst_buffer_unref (out);
      }
      /* the first frame decides on the layout */
      fail_unless_equals_uint64 (test_get_stat (stream->element, "frames-resident"), 2);
      fail_unless_equals_uint64 (test_get_stat (stream->element, "frames-copied"), 2);
      gst_object_unref (allocator);
      test_stream_free (stream);
    }
  }
}

GST_END_TEST;

/* A writer that writes each frame again as soon as it has been pushed: it waits for the device, so
 * results are those of the frame that was pushed. */
GST_START_TEST (test_writer_waits)
{
  const GstAllocationParams plain = { 0, 15, 0, 0, { NULL } };
  g_autoptr (TestStream) stream = test_stream_new (NULL, CAPS ("I420", 640, 360));
  GstAllocator *allocator = ask_for_ours (stream);
  GstBuffer *frame = move (test_frame_noise (&stream->info, 0), allocator, &plain);
  GstMemory *memory = gst_buffer_peek_memory (frame, 0);

  for (guint n = 0; n < 60; n++) {
    GstGlesHistogramResult *result;
    guint n_counts;
    const guint32 *counts;
    GstMapInfo map;
    GstMeta *meta;
    gpointer state = NULL;

    fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
    memset (map.data, (gint) (n * 3), map.size);
    gst_memory_unmap (memory, &map);
    frame = test_stream_push (stream, frame);
    fail_unless (gst_buffer_peek_memory (frame, 0) == memory);
    result = gst_gles_histogram_result_from_buffer (frame);
    fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
    memset (map.data, 255, map.size);
    gst_memory_unmap (memory, &map);
    counts = gst_gles_histogram_result_get_counts (result, 0, 0, &n_counts, NULL);
    fail_unless_equals_int (n_counts, 256);
    fail_unless_equals_int (counts[n * 3], 640 * 360);
    gst_gles_histogram_result_unref (result);
    while ((meta = gst_buffer_iterate_meta (frame, &state)) != NULL) {
      gst_buffer_remove_meta (frame, meta);
      state = NULL;
    }
  }
  fail_unless_equals_uint64 (test_get_stat (stream->element, "frames-resident"), 60);
  gst_buffer_unref (frame);
  gst_object_unref (allocator);
}

GST_END_TEST;

/* ---- lifetimes ---- */

/* An application that keeps every frame: when the bound is reached, frames come in system memory
 * and are copied. Nothing waits. */
GST_START_TEST (test_held_for_ever)
{
  const GstAllocationParams plain = { 0, 15, 0, 0, { NULL } };
  const TestConfig config = { 0 };
  TestStream *stream = test_stream_new (NULL, CAPS ("GRAY8", 64, 48));
  GstAllocator *allocator = ask_for_ours (stream);
  GstAllocationParams params = plain;
  GPtrArray *held = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_mini_object_unref);
  GstBuffer *out;

  for (guint i = 0; i < 8; i++)
    g_ptr_array_add (held, gst_allocator_alloc (allocator, 64 << 20, &params));
  for (guint i = 0; i < 8; i++) {
    /* the alignment makes each a little more than 64 MiB, so the last one is over 512 */
    gboolean ours = gst_memory_is_type (g_ptr_array_index (held, i), GST_GLES_MEMORY_TYPE);
    fail_unless_equals_int (ours, i < 7);
  }
  for (guint i = 0; i < 3; i++) {
    GstBuffer *frame = gst_buffer_new_allocate (allocator, 100 << 20, &params);
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

/* Upstream keeps the allocator, and memory of it, longer than the element and its device live. */
GST_START_TEST (test_allocator_outlives_element)
{
  TestStream *stream = test_stream_new (NULL, CAPS ("GRAY8", 64, 48));
  GstAllocator *allocator = ask_for_ours (stream);
  GstMemory *before = new_counting (allocator), *after;

  test_stream_free (stream);
  after = new_counting (allocator);
  check_bytes (before, 1000, 0);
  gst_memory_unref (before);
  gst_object_unref (allocator);
  check_bytes (after, 1000, 0);
  gst_memory_unref (after);
}

GST_END_TEST;

/* After a loss of the device, frames can still be written and read. */
GST_START_TEST (test_lost_device)
{
  GstGlesDevice *device = gst_gles_device_new (test_device (), NULL);
  GstAllocator *allocator = gst_gles_allocator_new (device);
  GstAllocationParams params = { 0, 15, 0, 0, { NULL } };
  GstMemory *memory = gst_allocator_alloc (allocator, 1 << 20, &params), *other;
  GstMapInfo map;

  gst_gles_device_mark_lost (device, "test");
  gst_object_unref (device);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  memset (map.data, 7, map.size);
  gst_memory_unmap (memory, &map);
  other = gst_allocator_alloc (allocator, 1 << 20, &params);
  fail_if (gst_memory_is_type (other, GST_GLES_MEMORY_TYPE));
  gst_object_unref (allocator);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_READ));
  fail_unless_equals_int (map.data[map.size - 1], 7);
  gst_memory_unmap (memory, &map);
  gst_memory_unref (other);
  gst_memory_unref (memory);
}

GST_END_TEST;

static Suite *
gleshistogram_memory_suite (void)
{
  Suite *suite = suite_create ("gleshistogram-memory");
  TCase *tcase = tcase_create ("memory");

  suite_add_tcase (suite, tcase);
  tcase_set_timeout (tcase, 240);
  tcase_add_test (tcase, test_offered);
  tcase_add_test (tcase, test_downstream_first);
  tcase_add_test (tcase, test_not_offered_for_other_memory);
  tcase_add_test (tcase, test_parameters);
  tcase_add_test (tcase, test_parts);
  tcase_add_test (tcase, test_regions);
  if (test_device_is_cpu ())
    return suite;
  tcase_add_test (tcase, test_every_format);
  tcase_add_test (tcase, test_writer_waits);
  tcase_add_test (tcase, test_held_for_ever);
  tcase_add_test (tcase, test_allocator_outlives_element);
  tcase_add_test (tcase, test_lost_device);
  return suite;
}

int
main (int argc, char **argv)
{
  return test_main (&argc, &argv, gleshistogram_memory_suite);
}
