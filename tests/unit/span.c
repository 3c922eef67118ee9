/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* GPU time between two points of a submission. */
#include <gst/gles/algo/reduce/reduce.h>
#include <gst/gles/gl/span.h>

#include "gles-test.h"

#define N 100000

static GstGlesDevice *device;

/* GPU time of @n_launches in one submission, and the wall time around it. */
static guint64
measure (guint n_launches, guint64 *wall_ns)
{
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  g_autoptr (GError) error = NULL;
  g_autoptr (GstGlesReduce) reduce = gst_gles_reduce_new (queue, N, &error);
  g_autoptr (GstGlesBuffer) input = gst_gles_buffer_new (device, 4 * N, NULL);
  GstGlesSpan *span;
  guint64 time_ns = 0;
  gint64 begin;

  g_assert_no_error (error);
  /* compiles */
  g_assert_true (
      gst_gles_reduce_run (reduce, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_U32, input, N, &error));
  g_assert_true (gst_gles_queue_finish (queue, &error));
  begin = g_get_monotonic_time ();
  g_assert_true (gst_gles_queue_begin (queue, &error));
  span = gst_gles_span_begin (queue);
  g_assert_nonnull (span);
  for (guint i = 0; i < n_launches; i++)
    g_assert_true (
        gst_gles_reduce_run (reduce, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_U32, input, N, &error));
  gst_gles_span_end (span);
  g_assert_true (gst_gles_queue_end (queue, &error));
  g_assert_true (gst_gles_span_take (span, &time_ns, &error));
  g_assert_no_error (error);
  *wall_ns = 1000 * (g_get_monotonic_time () - begin);
  return time_ns;
}

static void
test_span_is_within_the_wall_time (void)
{
  for (guint n = 0; n <= 20; n += 10) {
    guint64 wall_ns, time_ns = measure (n, &wall_ns);
    g_test_message (
        "%u launches: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " ns", n, time_ns, wall_ns);
    g_assert_cmpuint (time_ns, <=, wall_ns + 1000000);
    g_assert_true (n == 0 || time_ns > 0);
  }
}

static void
test_span_without_timer_queries (void)
{
  g_autoptr (GstGlesDevice) cpu = gst_gles_device_new ("cpu", NULL);
  GstGlesQueue *queue = gst_gles_device_get_queue (cpu);

  g_assert_true (gst_gles_queue_begin (queue, NULL));
  g_assert_null (gst_gles_span_begin (queue));
  gst_gles_span_end (NULL);
  g_assert_true (gst_gles_queue_end (queue, NULL));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  device = gles_test_gl_device ();
  if (device == NULL)
    return gles_test_no_gl ();
  if (gst_gles_device_get_limits (device)->timer_queries)
    g_test_add_func ("/span/within-wall-time", test_span_is_within_the_wall_time);
  g_test_add_func ("/span/none-on-cpu", test_span_without_timer_queries);
  status = g_test_run ();
  gst_object_unref (device);
  return status;
}
