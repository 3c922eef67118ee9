/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/cpu/frame/frame-noise.h>

#include <string.h>

#include <glsl/frame/frame-noise-layout.h>

/* The bins of each change, -255 to 255, before those beyond an end are added to it. Neighbours
 * count in tables of their own, because an increment of the counter that was incremented just
 * before waits for that store. */
#define MAX_CHANGE 255
#define TABLES 2

typedef guint32 Tables[TABLES][2 * MAX_CHANGE + 1];

static void
count_row (const guint8 *bytes, const guint8 *before, guint n, Tables tables)
{
  guint x = 0;

  for (; x + TABLES <= n; x += TABLES) {
    tables[0][bytes[x] - before[x] + MAX_CHANGE]++;
    tables[1][bytes[x + 1] - before[x + 1] + MAX_CHANGE]++;
  }
  if (x < n)
    tables[0][bytes[x] - before[x] + MAX_CHANGE]++;
}

void
gst_gles_cpu_frame_noise_run (
    const GstGlesCpuChannel *channel, guint8 *rows, gsize stride, guint8 *scratch, guint32 *bins)
{
  const GstGlesComponent *c = channel->component;
  Tables tables = { { 0 } };
  GstGlesCpuRows reader;

  gst_gles_cpu_rows_init (&reader, channel);
  for (guint y = 0; y < c->height; y += GST_GLES_FRAME_NOISE_ROWS, rows += stride) {
    const guint8 *bytes = gst_gles_cpu_channel_bytes (channel, 0, y);

    if (bytes == NULL) {
      gst_gles_cpu_rows_read_8_bits (&reader, y, c->width, scratch);
      bytes = scratch;
    }
    if (bins != NULL)
      count_row (bytes, rows, c->width, tables);
    memcpy (rows, bytes, c->width);
  }
  for (gint change = -MAX_CHANGE; bins != NULL && change <= MAX_CHANGE; change++) {
    const gint bin = CLAMP (change + GST_GLES_FRAME_NOISE_ZERO, 0, GST_GLES_FRAME_NOISE_BINS - 1);

    for (guint i = 0; i < TABLES; i++)
      bins[bin] += tables[i][change + MAX_CHANGE];
  }
}
