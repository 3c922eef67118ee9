/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists boxes by the tiles they touch, nearest first, and prints the lists as a map of the
 * frame. */
#include <gst/gles/gles.h>

#define COLUMNS 6
#define ROWS 3
#define TILE 16

/* as gst_gles_tiles_run() takes them */
typedef struct {
  gfloat min_x, min_y, max_x, max_y, depth, radius;
  guint32 index, pad;
} Box;

int
main (int argc, char **argv)
{
  static const Box boxes[] = {
    { 0, 0, 95, 47, 9, 0, 0, 0 },    /* A: all of the frame, farthest */
    { 20, 4, 40, 20, 1, 0, 0, 0 },   /* B: near, over four tiles */
    { 30, 10, 70, 12, 5, 0, 0, 0 },  /* C: a bar */
    { 80, 32, 200, 90, 2, 0, 0, 0 }, /* D: sticks out at the bottom right */
    { -9, -9, -1, -1, 0, 0, 0, 0 },  /* E: off screen */
  };
  const GstGlesTilesConfig config = {
    .width = COLUMNS * TILE,
    .height = ROWS * TILE,
    .tile_width = TILE,
    .tile_height = TILE,
    .max_records = G_N_ELEMENTS (boxes),
    .max_entries = 100,
  };
  guint32 offsets[COLUMNS * ROWS + 1], indices[100];
  g_autoptr (GError) error = NULL;

  gst_init (&argc, &argv);
  g_autoptr (GstGlesDevice) device = gst_gles_device_new (NULL, &error);
  if (device == NULL)
    g_error ("%s", error->message);
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  g_autoptr (GstGlesTiles) tiles = gst_gles_tiles_new (queue, &config, &error);
  g_autoptr (GstGlesBuffer) records = gst_gles_buffer_new (device, sizeof (boxes), NULL);
  g_autoptr (GstGlesBuffer) starts = gst_gles_buffer_new (device, sizeof (offsets), NULL);
  g_autoptr (GstGlesBuffer) entries = gst_gles_buffer_new (device, sizeof (indices), NULL);
  if (tiles == NULL || !gst_gles_buffer_upload (records, queue, 0, boxes, sizeof (boxes), &error) ||
      !gst_gles_tiles_run (tiles, records, G_N_ELEMENTS (boxes), starts, entries, NULL, &error) ||
      !gst_gles_buffer_download (starts, queue, 0, offsets, sizeof (offsets), &error) ||
      !gst_gles_buffer_download (entries, queue, 0, indices, sizeof (indices), &error))
    g_error ("%s", error->message);
  for (guint tile = 0; tile < COLUMNS * ROWS; tile++) {
    gchar text[G_N_ELEMENTS (boxes) + 1] = "";
    for (guint i = offsets[tile]; i < offsets[tile + 1]; i++)
      text[i - offsets[tile]] = 'A' + indices[i];
    g_print ("%-5s%s", text, (tile + 1) % COLUMNS == 0 ? "\n" : "");
  }
  return 0;
}
