/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Averages have 16 fractional bits. A background is the rounded averages, which later frames are
 * compared with, and behind them the fractional bits of each average. Rounding adds the highest
 * fractional bit, so the whole part of an average is what is left when that bit is subtracted. */
#include <gst/gles/cpu/frame/frame-background.h>

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/frame/frame-kept.h>
#include <gst/gles/cpu/lib/newer.h>

#define CHUNK GST_GLES_CPU_ROWS_CHUNK

#ifdef __SSE2__
#include <immintrin.h>
#define MULTIPLY_HIGH(a, b) (Halves_plain) _mm_mulhi_epu16 ((__m128i) (a), (__m128i) (b))
#endif
#define NAME(name) name##_plain
#define LANES 8
#define TARGET
#include <gst/gles/cpu/frame/frame-background-lanes.h>
#undef NAME
#undef LANES
#undef TARGET

#ifdef __x86_64__
#define MULTIPLY_HIGH(a, b) (Halves_newer) _mm256_mulhi_epu16 ((__m256i) (a), (__m256i) (b))
#endif
#define NAME(name) name##_newer
#define LANES 16
#define TARGET GST_GLES_CPU_NEWER
#include <gst/gles/cpu/frame/frame-background-lanes.h>

static gsize
kept_bytes (const GstGlesCpuChannel *channel)
{
  return gst_gles_align_up (gst_gles_cpu_frame_kept_bytes (channel), 16);
}

gsize
gst_gles_cpu_frame_background_bytes (const GstGlesCpuChannel *channel)
{
  const GstGlesComponent *c = &channel->component[0];

  return kept_bytes (channel) + sizeof (guint16) * c->width * c->height;
}

/* Moves the averages of @n samples of one byte each, or of two. */
static void
move_averages (const guint8 *samples, guint8 *rounded, guint16 *fractions, guint n, guint16 weight,
    gboolean bytes)
{
  const gboolean newer = gst_gles_cpu_is_newer ();

  if (bytes && newer)
    move_bytes_newer (samples, rounded, fractions, n, weight);
  else if (bytes)
    move_bytes_plain (samples, rounded, fractions, n, weight);
  else if (newer)
    move_halves_newer (samples, rounded, fractions, n, weight);
  else
    move_halves_plain (samples, rounded, fractions, n, weight);
}

/* The same for samples that are not bytes side by side. */
static void
move_read (const GstGlesCpuRows *rows, guint y, guint weight, guint8 *rounded, guint16 *fractions)
{
  const guint width = rows->channel->component[0].width;
  const guint size = gst_gles_cpu_frame_kept_bytes_per_sample (rows->channel);
  guint16 values[CHUNK];
  guint8 bytes[CHUNK];

  for (guint x = 0; x < width; x += CHUNK) {
    const guint n = MIN (width - x, CHUNK);

    gst_gles_cpu_rows_read (rows, x, y, n, values);
    for (guint i = 0; size == 1 && i < n; i++)
      bytes[i] = (guint8) values[i];
    move_averages (size == 1 ? bytes : (const guint8 *) values, rounded + size * (gsize) x,
        fractions + x, n, (guint16) weight, size == 1);
  }
}

void
gst_gles_cpu_frame_background_move_row (
    const GstGlesCpuRows *rows, guint y, guint weight, guint8 *background)
{
  const GstGlesCpuChannel *channel = rows->channel;
  const guint width = channel->component[0].width;
  const guint8 *dense = gst_gles_cpu_channel_bytes (channel, 0, y);
  const gsize at = (gsize) y * width;
  guint8 *rounded = background + at * gst_gles_cpu_frame_kept_bytes_per_sample (channel);
  guint16 *fractions = (guint16 *) (gpointer) (background + kept_bytes (channel)) + at;

  if (weight == GST_GLES_CPU_FRAME_BACKGROUND_ONE) {
    gst_gles_cpu_frame_keep_row (rows, y, background);
    memset (fractions, 0, sizeof (guint16) * width);
  } else if (dense != NULL) {
    move_averages (dense, rounded, fractions, width, (guint16) weight, TRUE);
  } else {
    move_read (rows, y, weight, rounded, fractions);
  }
}
