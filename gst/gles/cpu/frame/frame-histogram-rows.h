/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads rows of samples of any layout as values, or counts them into tables. */
#ifndef GST_GLES_CPU_FRAME_HISTOGRAM_ROWS_H
#define GST_GLES_CPU_FRAME_HISTOGRAM_ROWS_H

#include <glib.h>
#include <layout.h>

G_BEGIN_DECLS

/* The samples of one channel: one component, or luma from three of them. */
typedef struct {
  const guint8 *data[3]; /* planes; [1] and [2] only with a matrix */
  GstGlesComponent component[3];
  gboolean matrix; /* (kr * c0 + kg * c1 + kb * c2 + 2^15) >> 16 */
  guint kr, kg, kb;
  guint depth; /* bits of the channel's values */
} GstGlesCpuChannel;

/* The first and the last visible samples. */
typedef struct {
  guint left, top, right, bottom;
} GstGlesCpuEdges;

/* Samples of a row, from (x, y) on. */
typedef struct {
  guint x, y, n;
} GstGlesCpuSampleRun;

/* Returns the samples from (@x, @y) on if a row of the channel is bytes without gaps, else NULL. */
const guint8 *gst_gles_cpu_channel_bytes (const GstGlesCpuChannel *channel, guint x, guint y);

/* The most samples that gst_gles_cpu_rows_read() reads at a time. */
#define GST_GLES_CPU_ROWS_CHUNK 1024

/* The most words that the tables of a thread take. */
#define GST_GLES_CPU_ROWS_MAX_TABLE_WORDS (1u << 16)

/* Returns memory of GST_GLES_CPU_ROWS_MAX_TABLE_WORDS words with undefined content, aligned to 64
 * bytes, or NULL if there is none. Memory that is given back is kept for the next call.
 * Thread: any. */
guint32 *gst_gles_cpu_take_tables (void);
void gst_gles_cpu_give_tables (guint32 *tables);

typedef struct _GstGlesCpuRows GstGlesCpuRows;

struct _GstGlesCpuRows {
  const GstGlesCpuChannel *channel; /* borrowed */
  /* There are n_tables consecutive tables of 1 << depth words; the count of a value is the sum
   * over the tables. Neighbouring samples go to different tables, because an increment of the
   * counter that was incremented just before waits for that store. */
  guint n_tables;
  void (*count) (const GstGlesCpuRows *rows, guint x, guint y, guint n, guint32 *tables);
  guint8 scale[3][256]; /* GST_GLES_SCALE_TO_8 of each component, for mixed depths */
};

/* Whether each row of @n samples follows the row above without a gap. */
gboolean gst_gles_cpu_rows_are_one_stream (const GstGlesCpuChannel *channel, guint n);

/* Adds @n counters to those of @sums. */
void gst_gles_cpu_add_counts (guint32 *restrict sums, const guint32 *restrict counts, guint n);

void gst_gles_cpu_rows_init (GstGlesCpuRows *rows, const GstGlesCpuChannel *channel);

/* Reads the values of @n samples, at most GST_GLES_CPU_ROWS_CHUNK, from (@x, @y) on. */
void gst_gles_cpu_rows_read (
    const GstGlesCpuRows *rows, guint x, guint y, guint n, guint16 *values);

/* Reads the first @n samples of row @y as bytes: the upper 8 bits, or values of fewer bits scaled
 * to 8. */
void gst_gles_cpu_rows_read_8_bits (const GstGlesCpuRows *rows, guint y, guint n, guint8 *bytes);

G_END_DECLS

#endif
