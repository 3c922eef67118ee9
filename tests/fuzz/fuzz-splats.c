/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Streams of splats: width, height, tile width and height less 1 (u16 each), sort-by, order
 * (u8), max-items less 1 (u16), then the records of a buffer. What is listed is written as JSON. */
#include "fuzz.h"

/* more tiles than this take seconds, whatever is in them */
#define MAX_TILES (1 << 16)

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const gchar *const sorts[] = { "auto", "index", "value", "depth" };
  static const gchar *const orders[] = { "ascending", "descending" };
  FuzzInput input = { data, size };
  const guint width = fuzz_take_16 (&input), height = fuzz_take_16 (&input);
  const guint tile_width = fuzz_take_16 (&input) + 1u, tile_height = fuzz_take_16 (&input) + 1u;
  const gchar *sort = sorts[fuzz_take_8 (&input) % 4], *order = orders[fuzz_take_8 (&input) % 2];
  const guint max_items = fuzz_take_16 (&input) + 1u;
  g_autofree gchar *description = NULL, *caps = NULL;
  FuzzStream stream;
  GstBuffer *buffer;

  fuzz_init ();
  if ((guint64) (width / tile_width + 1) * (height / tile_height + 1) > MAX_TILES)
    return 0;
  description = g_strdup_printf ("glestiles device=cpu tile-width=%u tile-height=%u sort-by=%s "
                                 "order=%s max-items=%u ! glesjson",
      tile_width, tile_height, sort, order, max_items);
  caps = g_strdup_printf (
      "application/x-gles-splats,format=rect32le,width=%u,height=%u,framerate=30/1", width, height);
  if (!fuzz_stream_init (&stream, description))
    return 0;
  gst_harness_set_src_caps_str (stream.harness, caps);
  buffer = input.size > 0 ? gst_buffer_new_memdup (input.data, input.size) : gst_buffer_new ();
  fuzz_check_line (fuzz_stream_push (&stream, buffer));
  fuzz_stream_clear (&stream);
  return 0;
}
