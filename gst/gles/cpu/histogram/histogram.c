/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Native twin of the histogram of an array. Keys of 8 and 16 bits are counted per value by the
 * native frame histogram, and the counts of values are then added to bins. Keys of 32 bits are
 * counted in private tables of each thread. */
#include <gst/gles/cpu/histogram/histogram.h>

#include <string.h>

#include <gst/gles/core/error.h>
#include <gst/gles/cpu/lib/chunks.h>
#include <gst/gles/cpu/frame/frame-histogram.h>
#include <gst/gles/core/parallel.h>

/* Small keys are passed to the frame histogram as a picture with rows of this many samples. */
#define ROW_KEYS 16384

/* With at most this many bins a thread has four tables, so that the increments of neighbouring
 * equal keys do not depend on each other. */
#define MAX_SPREAD_BINS 2048

/* With fewer keys per possible value, counting per value first does not pay. */
#define MIN_KEYS_PER_VALUE 4

void
gst_gles_cpu_binning_init (GstGlesCpuBinning *binning, guint32 lower, guint64 width, guint bins)
{
  guint64 high = (bins % width) << 32;
  guint64 low = (high % width) << 32;

  *binning = (GstGlesCpuBinning){
    .lower = lower,
    .width = width,
    .bins = bins,
    .whole = (guint32) (bins / width),
    .fraction = ((high / width) << 32) + low / width + (low % width != 0),
  };
}

/* ---- keys one by one ---- */

static inline void
count_key (const GstGlesCpuBinning *binning, guint32 key, guint32 *table)
{
  if (gst_gles_cpu_binning_has (binning, key))
    table[gst_gles_cpu_binning_bin (binning, key)]++;
}

/* A parallel call. Each participant has @spread consecutive tables. */
typedef struct {
  const GstGlesCpuBinning *binning;
  const guint32 *keys;
  GstGlesCpuChunks chunks;
  guint spread;                              /* 1 or 4 */
  guint32 *tables[GST_GLES_CPU_MAX_THREADS]; /* per participant, nullable */
  gint failed;                               /* atomic: a thread could not allocate its tables */
} Work;

static void
count_chunk (guint task, guint participant, gpointer user_data)
{
  Work *work = user_data;
  const GstGlesCpuBinning binning = *work->binning;
  GstGlesCpuRange range = gst_gles_cpu_chunk (&work->chunks, task);
  const guint32 *keys = work->keys;
  gsize i = range.first, end = range.end;
  guint32 *tables[4];

  if (work->tables[participant] == NULL) {
    work->tables[participant] = gst_gles_cpu_take_tables ();
    if (work->tables[participant] == NULL) {
      g_atomic_int_set (&work->failed, TRUE);
      return;
    }
    memset (work->tables[participant], 0, sizeof (guint32) * work->spread * binning.bins);
  }
  for (guint j = 0; j < 4; j++)
    tables[j] = work->tables[participant] + (gsize) (j % work->spread) * binning.bins;
  for (; i + 4 <= end; i += 4) {
    guint32 a = keys[i], b = keys[i + 1], c = keys[i + 2], d = keys[i + 3];

    if (G_UNLIKELY (a == b && a == c && a == d)) {
      if (gst_gles_cpu_binning_has (&binning, a))
        tables[0][gst_gles_cpu_binning_bin (&binning, a)] += 4;
      continue;
    }
    count_key (&binning, a, tables[0]);
    count_key (&binning, b, tables[1]);
    count_key (&binning, c, tables[2]);
    count_key (&binning, d, tables[3]);
  }
  for (; i < end; i++)
    count_key (&binning, keys[i], tables[0]);
}

static gboolean
count_words (const GstGlesCpuBinning *binning, const guint32 *keys, gsize n, guint32 *counts)
{
  guint n_threads = gst_gles_cpu_n_threads ();
  /* A chunk must have at least as many keys as a table has counters to pay for the table. */
  gsize min = MAX (GST_GLES_CPU_MIN_CHUNK, binning->bins);
  Work work = { binning, keys, gst_gles_cpu_chunks (n, min, 1),
    binning->bins <= MAX_SPREAD_BINS ? 4 : 1, { NULL } };

  G_STATIC_ASSERT (4 * MAX_SPREAD_BINS <= GST_GLES_CPU_ROWS_MAX_TABLE_WORDS);

  gst_gles_cpu_parallel (work.chunks.count, count_chunk, &work);
  for (guint t = 0; t < n_threads; t++) {
    if (work.tables[t] == NULL)
      continue;
    for (guint j = 0; j < work.spread; j++) {
      const guint32 *table = work.tables[t] + (gsize) j * binning->bins;
      for (guint i = 0; i < binning->bins; i++)
        counts[i] += table[i];
    }
    gst_gles_cpu_give_tables (work.tables[t]);
  }
  return !work.failed;
}

/* ---- small keys by value ---- */

static void
add_values (const GstGlesCpuBinning *binning, const guint32 *values, guint n, guint32 *counts)
{
  for (guint i = 0; i < n; i++) {
    if (gst_gles_cpu_binning_has (binning, i))
      counts[gst_gles_cpu_binning_bin (binning, i)] += values[i];
  }
}

/* Counts the first @height * ROW_KEYS keys as if they were rows of a picture. */
static gboolean
count_picture (const GstGlesCpuBinning *binning, const GstGlesCpuKeys *keys, guint height,
    guint32 *values, guint32 *counts)
{
  const guint key_bytes = keys->bytes, n_values = 1u << 8 * key_bytes;
  GstGlesCpuChannel channel = { .data = { keys->data }, .depth = 8 * key_bytes };
  const GstGlesCpuFrameHistogramShape shape = { 0, 0, ROW_KEYS, height, 1, 1, n_values };

  channel.component[0] = (GstGlesComponent){ .stride = ROW_KEYS * key_bytes,
    .step = key_bytes,
    .word_bytes = key_bytes,
    .big_endian = G_BYTE_ORDER == G_BIG_ENDIAN,
    .depth = 8 * key_bytes,
    .width = ROW_KEYS,
    .height = height };
  if (!gst_gles_cpu_frame_histogram (&channel, &shape, values, NULL))
    return FALSE;
  add_values (binning, values, n_values, counts);
  return TRUE;
}

static void
count_few (
    const GstGlesCpuBinning *binning, guint key_bytes, const guint8 *keys, gsize n, guint32 *counts)
{
  for (gsize i = 0; i < n; i++) {
    guint16 key = keys[i * key_bytes];

    if (key_bytes == 2)
      memcpy (&key, keys + 2 * i, sizeof key);
    count_key (binning, key, counts);
  }
}

gboolean
gst_gles_cpu_histogram (
    const GstGlesCpuBinning *binning, const GstGlesCpuKeys *keys, guint32 *counts, GError **error)
{
  const guint8 *bytes = keys->data;
  const guint key_bytes = keys->bytes;
  const gsize n = keys->n;
  gsize n_rows = n / ROW_KEYS;
  gboolean ok = TRUE;

  memset (counts, 0, binning->bins * sizeof (guint32));
  if (key_bytes == 4) {
    ok = count_words (binning, keys->data, n, counts);
    goto out;
  }
  if (n < (gsize) MIN_KEYS_PER_VALUE << 8 * key_bytes)
    n_rows = 0;
  if (n_rows > 0) {
    guint32 *values = gst_gles_cpu_take_tables ();

    ok = values != NULL && count_picture (binning, keys, (guint) n_rows, values, counts);
    if (values != NULL)
      gst_gles_cpu_give_tables (values);
  }
  n_rows *= ROW_KEYS;
  count_few (binning, key_bytes, bytes + n_rows * key_bytes, n - n_rows, counts);
out:
  if (!ok)
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate the tables of a histogram of %u bins", binning->bins);
  return ok;
}
