/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Words of an overview as the structure of the interface. */
#include <gst/gles/meta/histogram-info.h>

#include <string.h>

#define SIDE 4
#define AREAS (SIDE * SIDE)
#define BINS 32
#define ROW_STEP 4

typedef struct {
  guint64 n_samples, n_gradients;
} Area;

/* The first of @size columns (rows) whose areas are in column (row) @i: x * SIDE / size = i. */
static guint64
edge (guint size, guint i)
{
  return ((guint64) size * i + SIDE - 1) / SIDE;
}

/* How many of @n rows are visited. */
static guint64
n_visited (guint64 n)
{
  return (n + ROW_STEP - 1) / ROW_STEP;
}

static Area
measure (const GstGlesHistogramInfo *info, guint area)
{
  const guint width = info->region_width, height = info->region_height;
  const guint64 left = edge (width, area % SIDE), right = edge (width, area % SIDE + 1);
  const guint64 first = n_visited (edge (height, area / SIDE));
  const guint64 end = n_visited (edge (height, area / SIDE + 1));
  const guint64 columns = right - left, rows = end - first;
  /* the last sample of a row has none on its right, the last row none below */
  const guint64 n_last = columns > 0 && right == width ? rows : 0;
  const guint64 last = (height - 1) / ROW_STEP;
  const gboolean is_lowest = (height - 1) % ROW_STEP == 0 && first <= last && last < end;

  return (Area){ columns * rows, 2 * columns * rows - n_last - (is_lowest ? columns : 0) };
}

static guint64
gradient_of (const guint32 *words, guint area)
{
  return words[AREAS * BINS + 2 * area] | (guint64) words[AREAS * BINS + 2 * area + 1] << 32;
}

void
gst_gles_overview_read (
    const GstGlesHistogramInfo *info, const guint32 *words, GstGlesOverview *overview)
{
  words += info->overview_offset;
  memcpy (overview->counts, words, sizeof overview->counts);
  for (guint i = 0; i < AREAS; i++) {
    const Area area = measure (info, i);

    overview->gradients[i] = gradient_of (words, i);
    overview->n_samples[i] = (guint32) area.n_samples;
    overview->n_gradients[i] = (guint32) area.n_gradients;
  }
  overview->depth = info->overview_depth;
}

gboolean
gst_gles_overview_check (const GstGlesHistogramInfo *info, const guint32 *words)
{
  words += info->overview_offset;
  for (guint i = 0; i < AREAS; i++) {
    const Area area = measure (info, i);
    guint64 sum = 0;

    for (guint bin = 0; bin < BINS; bin++)
      sum += words[i * BINS + bin];
    if (sum != area.n_samples || area.n_gradients > G_MAXUINT32 ||
        gradient_of (words, i) > area.n_gradients * ((1u << info->overview_depth) - 1))
      return FALSE;
  }
  return info->overview_depth >= 1;
}
