/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads samples as gst/gles/frame/layout.h defines them, byte by byte. */
#ifndef FRAME_COMMON_H
#define FRAME_COMMON_H

#include <gst/gles/frame/format.h>

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

#endif
