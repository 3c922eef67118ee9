/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames of noise with the boxes of a fake detector. */
#ifndef BOXES_FRAMES_H
#define BOXES_FRAMES_H

#include "lines.h"

#include <gst/gles/meta/histogram.h>
#include <gst/video/video.h>

#define WIDTH 150
#define HEIGHT 70
#define CAPS "video/x-raw,format=I420,width=150,height=70,framerate=25/1"
#define MAX_BOXES 300

typedef struct {
  gint x, y, width, height;
  const gchar *type;
} Box;

/* (transfer full) */
static inline GstGlesHistogramResult *
result_of (GstBuffer *buffer)
{
  GstGlesHistogramResult *result = gst_gles_histogram_result_from_buffer (buffer);

  fail_unless (result != NULL);
  return result;
}

static inline GstBuffer *
frame_new (TestStream *stream, guint seed, const Box *boxes, guint n)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, stream->info.size, NULL);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = (guint8) g_rand_int (rand);
  gst_buffer_unmap (buffer, &map);
  for (guint i = 0; i < n; i++)
    gst_buffer_add_video_region_of_interest_meta (buffer, boxes[i].type, (guint) boxes[i].x,
        (guint) boxes[i].y, (guint) boxes[i].width, (guint) boxes[i].height);
  return buffer;
}

static inline guint
make_random (GRand *rand, Box *boxes)
{
  static const gchar *const types[] = { "car", "person" };
  const guint n = (guint) g_rand_int_range (rand, 0, 6);

  for (guint i = 0; i < n; i++)
    boxes[i] =
        (Box){ g_rand_int_range (rand, -40, WIDTH + 20), g_rand_int_range (rand, -40, HEIGHT + 20),
          g_rand_int_range (rand, 0, 90), g_rand_int_range (rand, 0, 60), types[i % 2] };
  return n;
}

#endif
