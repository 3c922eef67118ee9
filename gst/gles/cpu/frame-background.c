/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Averages have 16 fractional bits. A background is the rounded averages, which later frames are
 * compared with, and behind them the fractional bits of each average. Rounding adds the highest
 * fractional bit, so the whole part of an average is what is left when that bit is subtracted. */
#include <gst/gles/cpu/frame-background.h>

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/core/parallel.h>
#include <gst/gles/cpu/frame-compact.h>
#include <gst/gles/cpu/vector.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define CHUNK GST_GLES_CPU_ROWS_CHUNK
#define LANES 8

typedef guint8 U8x8 __attribute__ ((vector_size (8)));
typedef guint32 U32x8 __attribute__ ((vector_size (32)));

typedef struct {
  const GstGlesCpuChannel *channel;
  GstGlesCpuRows rows;
  guint32 weight;
  guint8 *rounded; /* a byte or two of each sample */
  guint16 *fractions;
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

  return kept_bytes (channel) + sizeof (guint16) * c->width * c->height;
}

/* Returns the upper halves of the products. */
static inline GstGlesU16x8
multiply_high (GstGlesU16x8 a, GstGlesU16x8 b)
{
#ifdef __SSE2__
  return (GstGlesU16x8) _mm_mulhi_epu16 ((__m128i) a, (__m128i) b);
#else
  return __builtin_convertvector(
      __builtin_convertvector(a, U32x8) * __builtin_convertvector(b, U32x8) >> 16, GstGlesU16x8);
#endif
}

/* Moves averages towards @target. Numbers of 32 bits are in halves, and a comparison that is true
 * is -1, so that carries and borrows are subtracted and added. */
static inline void
move_averages (
    GstGlesU16x8 target, GstGlesU16x8 weight, GstGlesU16x8 *whole, GstGlesU16x8 *fraction)
{
  const GstGlesU16x8 rises = (GstGlesU16x8) (target > *whole);
  const GstGlesU16x8 has_fraction = (GstGlesU16x8) (*fraction != 0);
  const GstGlesU16x8 distance_high =
      (rises & (target - *whole + has_fraction)) | (~rises & (*whole - target));
  const GstGlesU16x8 distance_low = (rises & -*fraction) | (~rises & *fraction);
  const GstGlesU16x8 product_low = multiply_high (distance_low, weight);
  const GstGlesU16x8 low = distance_high * weight + product_low;
  const GstGlesU16x8 high =
      multiply_high (distance_high, weight) - (GstGlesU16x8) (low < product_low);
  const GstGlesU16x8 up = *fraction + low, down = *fraction - low;
  const GstGlesU16x8 whole_up = *whole + high - (GstGlesU16x8) (up < low);
  const GstGlesU16x8 whole_down = *whole - high + (GstGlesU16x8) (*fraction < low);

  *fraction = (rises & up) | (~rises & down);
  *whole = (rises & whole_up) | (~rises & whole_down);
}

/* Updates the averages of @n samples, at most LANES, from number @at on. */
G_ALWAYS_INLINE static inline void
update_samples (const Update *update, gsize at, const guint16 *values, guint n, GstGlesU16x8 weight,
    gboolean bytes)
{
  guint16 *deep = (guint16 *) (gpointer) update->rounded + at;
  GstGlesU16x8 target = { 0 }, whole = { 0 }, fraction = { 0 };
  U8x8 narrow = { 0 };

  memcpy (&target, values, 2 * n);
  memcpy (&fraction, update->fractions + at, 2 * n);
  if (bytes) {
    memcpy (&narrow, update->rounded + at, n);
    whole = __builtin_convertvector(narrow, GstGlesU16x8);
  } else {
    memcpy (&whole, deep, 2 * n);
  }
  whole -= fraction >> 15;
  move_averages (target, weight, &whole, &fraction);
  whole += fraction >> 15;
  narrow = __builtin_convertvector(whole, U8x8);
  memcpy (update->fractions + at, &fraction, 2 * n);
  if (bytes)
    memcpy (update->rounded + at, &narrow, n);
  else
    memcpy (deep, &whole, 2 * n);
}

G_ALWAYS_INLINE static inline void
update_chunk (const Update *update, gsize at, const guint16 *values, guint n, gboolean bytes)
{
  GstGlesU16x8 weight = { 0 };
  guint i = 0;

  weight += (guint16) update->weight;
  for (; i + LANES <= n; i += LANES)
    update_samples (update, at + i, values + i, LANES, weight, bytes);
  if (i < n)
    update_samples (update, at + i, values + i, n - i, weight, bytes);
}

static void
update_row (guint task, guint participant, gpointer user_data)
{
  const Update *update = user_data;
  const guint width = update->channel->component[0].width;
  guint16 values[CHUNK];

  for (guint x = 0; x < width; x += CHUNK) {
    const guint n = MIN (width - x, CHUNK);
    const gsize at = (gsize) task * width + x;

    gst_gles_cpu_rows_read (&update->rows, x, task, n, values);
    if (update->channel->depth > 8)
      update_chunk (update, at, values, n, FALSE);
    else
      update_chunk (update, at, values, n, TRUE);
  }
}

void
gst_gles_cpu_frame_background_update (
    const GstGlesCpuChannel *channel, guint weight, gboolean first, guint8 *background)
{
  const GstGlesComponent *c = &channel->component[0];
  Update update = { .channel = channel, .weight = weight, .rounded = background };

  update.fractions = (guint16 *) (gpointer) (background + kept_bytes (channel));
  if (first || weight == GST_GLES_CPU_FRAME_BACKGROUND_ONE) {
    gst_gles_cpu_frame_keep (channel, background);
    memset (update.fractions, 0, sizeof (guint16) * c->width * c->height);
    return;
  }
  gst_gles_cpu_rows_init (&update.rows, channel);
  gst_gles_cpu_parallel (c->height, update_row, &update);
}
