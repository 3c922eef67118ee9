/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Prints what glesjson makes of the hand-made results, with and without the long lists: what
 * glesjson-schema.py validates. */
#include <gst/check/gstharness.h>

#include <stdio.h>
#include <stdlib.h>

#include "glesjson-samples.h"
#include "results-samples.h"

/* @buffer: (transfer full) */
static void
print_line (GstHarness *harness, GstBuffer *buffer)
{
  GstMapInfo map;

  buffer = gst_harness_push_and_pull (harness, buffer);
  if (buffer == NULL || !gst_buffer_map (buffer, &map, GST_MAP_READ))
    exit (EXIT_FAILURE);
  fwrite (map.data, 1, map.size, stdout);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

/* @result: (transfer full) */
static GstBuffer *
with_histogram (GstGlesHistogramResult *result)
{
  GstBuffer *buffer = gst_buffer_new ();

  gst_buffer_add_gles_histogram_meta (buffer, result);
  gst_gles_histogram_result_unref (result);
  return buffer;
}

static GstBuffer *
with_points_and_tiles (GstBuffer *buffer)
{
  g_autoptr (GstGlesPointsResult) points = sample_points ();
  g_autoptr (GstGlesTilesResult) tiles = sample_tiles (3);

  gst_buffer_add_gles_points_meta (buffer, points);
  gst_buffer_add_gles_tiles_meta (buffer, tiles);
  return buffer;
}

int
main (int argc, char **argv)
{
  GstHarness *harness;

  gst_init (&argc, &argv);
  harness = gst_harness_new ("glesjson");
  if (harness == NULL)
    return EXIT_FAILURE;
  gst_harness_set_src_caps_str (harness, "video/x-raw");
  for (guint i = 0; i < 2; i++) {
    g_object_set (harness->element, "counts", i == 0, "points", i == 0, "indices", i == 0, NULL);
    print_line (harness, with_histogram (sample_plain ()));
    print_line (harness, with_histogram (sample_grid ()));
    print_line (harness, with_histogram (sample_empty ()));
    print_line (harness, with_points_and_tiles (gst_buffer_new ()));
    print_line (harness, with_points_and_tiles (with_histogram (sample_grid ())));
    print_line (harness, with_histogram (sample_without_format ()));
  }
  gst_harness_teardown (harness);
  return EXIT_SUCCESS;
}
