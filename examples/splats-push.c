/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a renderer of splats does: pushes its projected splats, 32 bytes each, through an appsrc,
 * and has back for every tile of the frame which of them touch it, nearest first.
 * Usage: gst-gles-splats-push [SPLATS [FRAMES]] */
#include <math.h>
#include <stdlib.h>

#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/gles/gles.h>

#define WIDTH 1280
#define HEIGHT 720
#define TILE 160
#define CAPS "application/x-gles-splats,format=rect32le,width=1280,height=720,framerate=60/1"

typedef struct {
  gfloat min_x, min_y, max_x, max_y; /* pixels, both ends included */
  gfloat depth, radius;
  guint32 index, pad; /* the renderer's own */
} Splat;

/* A spiral that turns. */
static GstBuffer *
make_frame (guint n, guint frame)
{
  Splat *splats = g_new0 (Splat, n);

  for (guint i = 0; i < n; i++) {
    const gfloat part = (gfloat) (i + 1) / (gfloat) n;
    const gfloat angle = 40 * part + 0.02f * (gfloat) frame;
    const gfloat x = WIDTH / 2 + 700 * part * cosf (angle);
    const gfloat y = HEIGHT / 2 + 400 * part * sinf (angle);
    const gfloat radius = 2 + (gfloat) (i % 7);
    splats[i] = (Splat){ x - radius, y - radius, x + radius, y + radius, 10 * sinf (3 * angle),
      radius, i, 0 };
  }
  return gst_buffer_new_wrapped (splats, n * sizeof (Splat));
}

static void
print_lists (GstGlesTilesResult *result)
{
  const GstGlesTilesInfo *info = gst_gles_tiles_result_get_info (result);
  guint n;

  for (guint tile = 0; tile < info->columns * info->rows; tile++) {
    const guint32 *list = gst_gles_tiles_result_get_tile (result, tile, &n, NULL);

    if (n == 0)
      continue;
    g_print ("  tile %u,%u:", tile % info->columns, tile / info->columns);
    for (guint i = 0; i < n; i++)
      g_print (" %u", list[i]);
    g_print ("\n");
  }
}

static void
print_frame (GstSample *sample, gboolean lists)
{
  g_autoptr (GstGlesTilesResult) result =
      gst_gles_tiles_result_from_buffer (gst_sample_get_buffer (sample));
  guint occupied, largest;

  if (result == NULL || !gst_gles_tiles_result_get_occupancy (result, &occupied, &largest, NULL) ||
      !lists)
    return;
  g_print ("frame %" G_GUINT64_FORMAT ": %u entries in %u tiles, up to %u each\n",
      gst_gles_tiles_result_get_frame (result)->number, gst_gles_tiles_result_get_count (result),
      occupied, largest);
  print_lists (result);
}

int
main (int argc, char **argv)
{
  const guint n = argc > 1 ? (guint) atoi (argv[1]) : 12;
  const guint n_frames = argc > 2 ? (guint) atoi (argv[2]) : 2;
  g_autoptr (GError) error = NULL;

  gst_init (&argc, &argv);
  g_autofree gchar *line = g_strdup_printf ("appsrc name=source format=time caps=" CAPS
                                            " ! glestiles tile-width=%d tile-height=%d ! "
                                            "queue ! appsink name=sink sync=false",
      n > 100 ? 16 : TILE, n > 100 ? 16 : TILE);
  g_autoptr (GstElement) pipeline = gst_parse_launch (line, &error);
  if (error != NULL)
    g_error ("%s", error->message);
  g_autoptr (GstElement) source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);

  gint64 start_us = 0, made_us = 0;
  for (guint frame = 0; frame < n_frames; frame++) {
    const gint64 before_us = g_get_monotonic_time ();
    GstBuffer *buffer = make_frame (n, frame);
    made_us += frame > 0 ? g_get_monotonic_time () - before_us : 0;
    GST_BUFFER_PTS (buffer) = frame * GST_SECOND / 60;
    GST_BUFFER_DURATION (buffer) = GST_SECOND / 60;
    gst_app_src_push_buffer (GST_APP_SRC (source), buffer);
    g_autoptr (GstSample) sample = gst_app_sink_pull_sample (GST_APP_SINK (sink));
    if (sample == NULL) {
      g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
      g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
      gst_message_parse_error (message, &error, NULL);
      g_printerr ("%s\n", error->message);
      break;
    }
    print_frame (sample, n <= 100);
    /* the first frame pays for what the others share */
    if (frame == 0)
      start_us = g_get_monotonic_time ();
  }
  if (n > 100 && n_frames > 1 && error == NULL)
    g_print ("%u splats a frame: %.1f ms from the push to the lists\n", n,
        (gdouble) (g_get_monotonic_time () - start_us - made_us) / 1000 / (n_frames - 1));
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return error != NULL;
}
