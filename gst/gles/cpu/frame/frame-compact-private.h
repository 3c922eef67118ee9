/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of frame compaction: lists of the samples of a chunk that pass. */
#ifndef GST_GLES_CPU_FRAME_COMPACT_PRIVATE_H
#define GST_GLES_CPU_FRAME_COMPACT_PRIVATE_H

#include <gst/gles/cpu/frame/frame-compact.h>
#include <gst/gles/cpu/lib/vector.h>

G_BEGIN_DECLS

/* An entry of a list is the index of a sample in its chunk, and its value above. */
#define GST_GLES_CPU_INDEX_BITS 10
G_STATIC_ASSERT (GST_GLES_CPU_ROWS_CHUNK == 1 << GST_GLES_CPU_INDEX_BITS);

/* Entries after the end of a list that may be overwritten. */
#define GST_GLES_CPU_LIST_SLACK 8

/* Collects 64 flags in a word, the first in the lowest bit. */
static inline guint64
gst_gles_cpu_gather_flags (const GstGlesU8x16 flags[4])
{
  guint64 bits = 0;

#ifdef __SSE2__
  typedef gchar C8x16 __attribute__ ((vector_size (16)));

  for (guint i = 0; i < 4; i++)
    bits |= (guint64) (guint16) __builtin_ia32_pmovmskb128 ((C8x16) flags[i]) << 16 * i;
#else
  for (guint i = 0; i < 8; i++) {
    guint64 eight;

    memcpy (&eight, (const guint8 *) flags + 8 * i, sizeof eight);
    eight = GUINT64_FROM_LE (eight) & 0x0101010101010101;
    bits |= (eight * 0x0102040810204080 >> 56) << 8 * i;
  }
#endif
  return bits;
}

/* Returns the bits of the first @n of 64 samples. */
static inline guint64
gst_gles_cpu_first_bits (guint n)
{
  return n < 64 ? ((guint64) 1 << n) - 1 : G_MAXUINT64;
}

/* Returns the bits of the mask for 64 samples of row @y from sample @x on. */
static inline guint64
gst_gles_cpu_mask_bits (const GstGlesCpuFrameCompactCall *call, guint x, guint y)
{
  const GstGlesMaskBits *mask = call->mask;
  const guint64 *row = mask->bits + (gsize) (y << call->sub_y) * mask->row_words;
  guint64 bits = 0;

  if (call->sub_x == 0) {
    const guint at = x / 64, shift = x % 64;

    bits = row[at] >> shift;
    return shift > 0 && at + 1 < mask->row_words ? bits | row[at + 1] << (64 - shift) : bits;
  }
  for (guint k = 0; k < 64 && (x + k) << call->sub_x < mask->width; k++) {
    const guint at = (x + k) << call->sub_x;

    bits |= (row[at / 64] >> at % 64 & 1) << k;
  }
  return bits;
}

/* Dense 8-bit samples of a row, from (x, y) on. */
typedef struct {
  guint x, y, n;
  const guint8 *bytes;
  const guint8 *before; /* of an earlier frame; (nullable) */
} GstGlesCpuByteRow;

/* Lists those of @row, or of their distances from the earlier ones, that lie in the range of @call,
 * which is not empty, and in its mask. Returns their number. */
guint gst_gles_cpu_frame_compact_list_bytes (
    const GstGlesCpuFrameCompactCall *call, const GstGlesCpuByteRow *row, guint32 *entries);

G_END_DECLS

#endif
