/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames of noise, and their samples as gst/gles/import/layout.h defines them, byte by byte. */
#ifndef FRAME_COMMON_H
#define FRAME_COMMON_H

#include <string.h>

#include <gst/gles/import/format.h>

/* The word at @x, @y of component @c of which the first row begins at @row, @stride bytes before
 * the next one. */
static inline guint
frame_word (const guint8 *row, const GstGlesComponent *c, gsize stride, guint x, guint y)
{
  const guint8 *bytes = row + y * stride + (gsize) x * c->step;
  guint word = 0;

  for (guint i = 0; i < c->word_bytes; i++)
    word |= (guint) bytes[c->big_endian ? c->word_bytes - 1 - i : i] << (8 * i);
  return word;
}

static inline guint
frame_sample (guint word, const GstGlesComponent *c)
{
  return word >> c->shift & ((1u << c->depth) - 1);
}

/* Bytes behind a frame: functions that unpack a row read ahead. */
#define FRAME_SLACK 4096

/* A frame as a buffer has it: planes of noise at odd offsets with odd strides. */
typedef struct {
  GstVideoInfo info; /* as the caps say */
  GstGlesImage described;
  gsize offset[GST_VIDEO_MAX_PLANES]; /* in the buffer */
  gint stride[GST_VIDEO_MAX_PLANES];
  gsize end[GST_VIDEO_MAX_PLANES]; /* of the last sample, from the plane's offset on */
  gsize size;
  guint8 *bytes;
} Frame;

static inline gsize
frame_row_bytes (const GstGlesImage *described, guint plane, guint *n_rows)
{
  gsize bytes = 0;

  *n_rows = 0;
  for (guint i = 0; i < described->n_components; i++) {
    const GstGlesComponent *c = &described->components[i];

    if (c->plane != plane)
      continue;
    bytes = MAX (bytes, c->offset + (gsize) (c->width - 1) * c->step + c->word_bytes);
    *n_rows = MAX (*n_rows, c->height);
  }
  return bytes;
}

static inline void
frame_fill (Frame *frame)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) frame->size);

  g_free (frame->bytes);
  frame->bytes = g_malloc (frame->size + FRAME_SLACK);
  for (gsize i = 0; i < frame->size; i++)
    frame->bytes[i] = (guint8) g_rand_int (rand);
}

/* @spare: bytes of each row behind its last sample, and of the buffer before each plane. */
static inline Frame
frame_new (GstVideoFormat format, guint width, guint height, guint spare)
{
  Frame result = { .size = 0 }, *frame = &result;

  g_assert_true (gst_video_info_set_format (&frame->info, format, width, height));
  g_assert_true (gst_gles_format_describe (&frame->info, &frame->described, NULL));
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (&frame->info); p++) {
    guint n_rows;
    gsize bytes = frame_row_bytes (&frame->described, p, &n_rows);

    frame->offset[p] = frame->size + spare;
    frame->stride[p] = (gint) (bytes + spare);
    frame->end[p] = (gsize) frame->stride[p] * (n_rows - 1) + bytes;
    frame->size = frame->offset[p] + frame->end[p];
  }
  frame_fill (frame);
  return result;
}

static inline void
frame_clear (Frame *frame)
{
  g_free (frame->bytes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Frame, frame_clear)

#endif
