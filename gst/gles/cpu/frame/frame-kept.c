/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/cpu/frame/frame-kept.h>

#include <string.h>

#define CHUNK GST_GLES_CPU_ROWS_CHUNK

gsize
gst_gles_cpu_frame_kept_bytes (const GstGlesCpuChannel *channel)
{
  const GstGlesComponent *c = &channel->component[0];

  return (gsize) c->width * c->height * gst_gles_cpu_frame_kept_bytes_per_sample (channel);
}

void
gst_gles_cpu_frame_keep_row (const GstGlesCpuRows *rows, guint y, guint8 *kept)
{
  const guint width = rows->channel->component[0].width;
  const guint bytes = gst_gles_cpu_frame_kept_bytes_per_sample (rows->channel);
  const guint8 *dense = gst_gles_cpu_channel_bytes (rows->channel, 0, y);
  guint8 *target = kept + (gsize) y * width * bytes;
  guint16 values[CHUNK];

  if (dense != NULL) {
    memcpy (target, dense, width);
    return;
  }
  for (guint x = 0; x < width; x += CHUNK) {
    const guint n = MIN (width - x, CHUNK);

    gst_gles_cpu_rows_read (rows, x, y, n, values);
    if (bytes == 2)
      memcpy (target + 2 * (gsize) x, values, 2 * n);
    for (guint i = 0; bytes == 1 && i < n; i++)
      target[x + i] = (guint8) values[i];
  }
}

void
gst_gles_cpu_frame_read_kept (const GstGlesCpuChannel *channel, const guint8 *kept,
    const GstGlesCpuSampleRun *run, guint16 *values)
{
  const gsize at = (gsize) run->y * channel->component[0].width + run->x;
  const guint n = run->n;

  if (gst_gles_cpu_frame_kept_bytes_per_sample (channel) == 2) {
    memcpy (values, kept + 2 * at, 2 * (gsize) n);
    return;
  }
  for (guint i = 0; i < n; i++)
    values[i] = kept[at + i];
}
