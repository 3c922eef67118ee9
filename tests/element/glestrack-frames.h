/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames with boxes for glestrack, and the tracks that it finds in them. */
#pragma once

#include <gst/gles/meta/regions.h>
#include <gst/gles/meta/tracks.h>

#include "lines.h"

#define CAPS "video/x-raw,format=NV12,width=128,height=96,framerate=25/1"

static inline GstBuffer *
new_frame (void)
{
  return gst_buffer_new_allocate (NULL, 128 * 96 * 3 / 2, NULL);
}

static inline GstVideoRegionOfInterestMeta *
add_box (GstBuffer *buffer, const gchar *type, guint x, guint y, guint width, guint height)
{
  return gst_buffer_add_video_region_of_interest_meta (buffer, type, x, y, width, height);
}

static inline void
add_region (GstBuffer *buffer, guint x, guint y, guint frame_width)
{
  const GstGlesRegion region = {
    .left = x, .top = y, .right = x + 9, .bottom = y + 7, .pixels = 1, .sum_x = x, .sum_y = y
  };
  const GstGlesFrameInfo frame = { .width = frame_width, .height = 96 };
  g_autoptr (GBytes) bytes = g_bytes_new (&region, sizeof region);
  g_autoptr (GstGlesRegionsResult) result =
      gst_gles_regions_result_new (&frame, "motion", bytes, 1, NULL);

  gst_buffer_add_gles_regions_meta (buffer, result);
}

/* Pushes @buffer (transfer full), stamped by its number, and returns it with its tracks: (transfer
 * full) (nullable). */
static inline GstGlesTracksResult *
push (TestStream *stream, GstBuffer *buffer, GstBuffer **out)
{
  g_autoptr (GstBuffer) pushed = test_stream_push (stream, buffer);

  fail_unless (pushed != NULL);
  if (out != NULL)
    *out = gst_buffer_ref (pushed);
  return gst_gles_tracks_result_from_buffer (pushed);
}

static inline const GstGlesTrack *
get (GstGlesTracksResult *result, guint i)
{
  const GstGlesTrack *track = gst_gles_tracks_result_get_track (result, i, NULL);

  fail_unless (track != NULL, "no track %u", i);
  return track;
}

/* A box at @x becomes the only track, @id. */
static inline void
check_box (TestStream *stream, guint x, guint64 id)
{
  GstBuffer *buffer = new_frame ();
  g_autoptr (GstGlesTracksResult) result = NULL;

  add_box (buffer, "car", x, 20, 10, 8);
  result = push (stream, buffer, NULL);
  fail_unless_equals_int (gst_gles_tracks_result_get_count (result), 1);
  fail_unless_equals_uint64 (get (result, 0)->id, id);
  fail_unless_equals_int (get (result, 0)->x, x);
}
