/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Averages have 16 fractional bits. They lie behind the rounded samples that later frames are
 * compared with. */
#include <gst/gles/cpu/frame-background.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/core/parallel.h>
#include <gst/gles/cpu/frame-compact.h>
#include <gst/gles/cpu/frame-histogram-rows.h>

#define CHUNK GST_GLES_CPU_ROWS_CHUNK

typedef struct {
  const GstGlesCpuChannel *channel;
  GstGlesCpuRows rows;
  guint32 weight;
  gboolean first;
  guint8 *kept;
  guint32 *averages;
} Update;

static gsize
kept_bytes (const GstGlesCpuChannel *channel)
{
  return gst_gles_align_up (gst_gles_cpu_frame_kept_bytes (channel), 16);
}

gsize
gst_gles_cpu_frame_background_bytes (const GstGlesCpuChannel *channel)
{
  const GstGlesComponent *c = &channel->component[0];

  return kept_bytes (channel) + sizeof (guint32) * c->width * c->height;
}

/* Returns the average after a new sample. */
static inline guint32
move_average (guint32 average, guint32 value, guint32 weight)
{
  guint32 target = value << 16;
  guint32 distance = MAX (target, average) - MIN (target, average);
  /* The product has up to 49 bits. */
  guint32 change = (distance >> 16) * weight + ((distance & 0xffff) * weight >> 16);

  return target > average ? average + change : average - change;
}

static void
update_samples (const Update *update, const guint16 *values, guint n, guint32 *averages)
{
  for (guint i = 0; i < n; i++)
    averages[i] = update->first ? (guint32) values[i] << 16
                                : move_average (averages[i], values[i], update->weight);
}

static void
update_row (guint task, guint participant, gpointer user_data)
{
  const Update *update = user_data;
  const guint width = update->channel->component[0].width;
  const gsize row = (gsize) task * width;
  guint16 values[CHUNK];

  for (guint x = 0; x < width; x += CHUNK) {
    const guint n = MIN (width - x, CHUNK);
    const gsize at = row + x;

    gst_gles_cpu_rows_read (&update->rows, x, task, n, values);
    update_samples (update, values, n, update->averages + at);
    if (update->channel->depth > 8) {
      guint16 *kept = (guint16 *) (gpointer) update->kept + at;
      for (guint i = 0; i < n; i++)
        kept[i] = (guint16) ((update->averages[at + i] + 0x8000) >> 16);
    } else {
      for (guint i = 0; i < n; i++)
        update->kept[at + i] = (guint8) ((update->averages[at + i] + 0x8000) >> 16);
    }
  }
}

void
gst_gles_cpu_frame_background_update (
    const GstGlesCpuChannel *channel, guint weight, gboolean first, guint8 *background)
{
  Update update = { .channel = channel, .weight = weight, .first = first, .kept = background };

  update.averages = (guint32 *) (gpointer) (background + kept_bytes (channel));
  gst_gles_cpu_rows_init (&update.rows, channel);
  gst_gles_cpu_parallel (channel->component[0].height, update_row, &update);
}
