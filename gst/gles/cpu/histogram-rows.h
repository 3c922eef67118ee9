/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rows of samples, whatever their layout: read as values, or counted into tables. */
#ifndef GST_GLES_CPU_HISTOGRAM_ROWS_H
#define GST_GLES_CPU_HISTOGRAM_ROWS_H

#include <gst/gles/cpu/histogram.h>

G_BEGIN_DECLS

/* How many samples gst_gles_cpu_rows_read() reads at most. */
#define GST_GLES_CPU_ROWS_CHUNK 1024

/* The words that tables take at most. */
#define GST_GLES_CPU_ROWS_MAX_TABLE_WORDS (1u << 16)

/* Memory of so many words, aligned to 64 bytes, of any content: kept for the next call when it is given
 * back. NULL where there is none. Thread: any. */
guint32 *gst_gles_cpu_take_tables (void);
void gst_gles_cpu_give_tables (guint32 *tables);

typedef struct _GstGlesCpuRows GstGlesCpuRows;

struct _GstGlesCpuRows {
  const GstGlesCpuChannel *channel; /* borrowed */
  /* Counting goes to n_tables tables of 1 << depth words, one behind the other; the count of a value
   * is the sum over the tables. Neighbours go to different tables: an increment of the counter that
   * the one before incremented would wait for its store. */
  guint n_tables;
  void (*count) (const GstGlesCpuRows *rows, guint x, guint y, guint n, guint32 *tables);
  guint8 scale[3][256]; /* GST_GLES_SCALE_TO_8 of each component, for mixed depths */
};

void gst_gles_cpu_rows_init (GstGlesCpuRows *rows, const GstGlesCpuChannel *channel);

/* The values of the @n samples, at most GST_GLES_CPU_ROWS_CHUNK, from (@x, @y) on. */
void gst_gles_cpu_rows_read (
    const GstGlesCpuRows *rows, guint x, guint y, guint n, guint16 *values);

G_END_DECLS

#endif
