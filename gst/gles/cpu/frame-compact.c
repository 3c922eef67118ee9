/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bands of rows count what passes, then write it behind what passed before. A row is tested a chunk at
 * a time: a byte per sample says whether it passes, and eight of them that do not cost one comparison
 * with 0. Dense 8-bit samples are tested where they lie, 16 at once. */
#include <gst/gles/cpu/frame-compact.h>

#include <string.h>

#include <gst/gles/core/pool.h>
#include <gst/gles/cpu/histogram-rows.h>

#define CHUNK GST_GLES_CPU_ROWS_CHUNK
#define PADDING 16

/* What makes a band worth handing to another thread: some 10 us of work. */
#define MIN_BAND_SAMPLES 32768
#define BANDS_PER_THREAD 8

typedef guint8 U8x16 __attribute__ ((vector_size (16)));
typedef guint64 U64x2 __attribute__ ((vector_size (16)));

struct _GstGlesCpuFrameCompact {
  const GstGlesCpuFrame *frame;
  GstGlesCpuRows rows;
  gboolean dense_8; /* bytes side by side, threshold or motion */
  guint n_bands;
  guint64 *counts; /* of bands; then of those before */
  guint32 *points;
  gsize capacity;
};

/* The samples of a chunk: whether each passes (0xff or 0), and its value. */
typedef struct {
  guint8 flags[CHUNK + PADDING] __attribute__ ((aligned (16)));
  guint8 bytes[CHUNK + PADDING] __attribute__ ((aligned (16))); /* of dense_8 */
  guint32 values[CHUNK + PADDING];
} Chunk;

/* ---- the frame before ---- */

static guint
kept_bytes_per_sample (const GstGlesCpuChannel *channel)
{
  return channel->depth > 8 ? 2 : 1;
}

gsize
gst_gles_cpu_frame_kept_bytes (const GstGlesCpuChannel *channel)
{
  const GstGlesComponent *c = &channel->component[0];

  return (gsize) c->width * c->height * kept_bytes_per_sample (channel);
}

static gboolean
is_dense_8 (const GstGlesCpuChannel *channel)
{
  const GstGlesComponent *c = &channel->component[0];

  return !channel->matrix && c->word_bytes == 1 && c->step == 1 && c->shift == 0 && c->depth == 8;
}

static const guint8 *
dense_row (const GstGlesCpuChannel *channel, guint x, guint y)
{
  const GstGlesComponent *c = &channel->component[0];

  return channel->data[0] + c->offset + (gsize) y * c->stride + x;
}

typedef struct {
  const GstGlesCpuChannel *channel;
  GstGlesCpuRows rows;
  guint8 *kept;
} Keep;

static void
keep_row (guint task, guint participant, gpointer user_data)
{
  const Keep *keep = user_data;
  guint width = keep->channel->component[0].width;
  guint bytes = kept_bytes_per_sample (keep->channel);
  guint8 *target = keep->kept + (gsize) task * width * bytes;
  guint16 values[CHUNK];

  if (is_dense_8 (keep->channel)) {
    memcpy (target, dense_row (keep->channel, 0, task), width);
    return;
  }
  for (guint x = 0; x < width; x += CHUNK) {
    guint n = MIN (width - x, CHUNK);

    gst_gles_cpu_rows_read (&keep->rows, x, task, n, values);
    if (bytes == 2)
      memcpy (target + 2 * (gsize) x, values, 2 * n);
    for (guint i = 0; bytes == 1 && i < n; i++)
      target[x + i] = (guint8) values[i];
  }
}

void
gst_gles_cpu_frame_keep (const GstGlesCpuChannel *channel, guint8 *kept)
{
  Keep keep = { .channel = channel, .kept = kept };

  gst_gles_cpu_rows_init (&keep.rows, channel);
  gst_gles_cpu_parallel (channel->component[0].height, keep_row, &keep);
}

/* ---- testing ---- */

static inline U8x16
load_16 (const guint8 *bytes)
{
  U8x16 v;

  memcpy (&v, bytes, sizeof v);
  return v;
}

/* Sixteen samples: their values, or how far each is from the one before it. */
static inline U8x16
dense_values (const guint8 *bytes, const guint8 *before)
{
  U8x16 v = load_16 (bytes), w, larger;

  if (before == NULL)
    return v;
  w = load_16 (before);
  larger = (U8x16) (v > w);
  return (larger & (v - w)) | (~larger & (w - v));
}

/* Whether @n samples pass. Values that can be had for nothing, and are needed, go to chunk->bytes. */
static void
test_dense (const GstGlesCpuFrameCompact *compact, guint x, guint y, guint n, Chunk *chunk)
{
  const GstGlesCpuFrame *frame = compact->frame;
  const guint8 *bytes = dense_row (&frame->channel, x, y), *before = NULL;
  guint8 low = (guint8) frame->lower, span = (guint8) (MIN (frame->upper, 255) - frame->lower);
  U8x16 lower = { 0 }, spans = { 0 };
  guint i = 0;

  lower += low;
  spans += span;
  if (frame->predicate == GST_GLES_CPU_FRAME_MOTION)
    before = frame->previous + (gsize) y * frame->channel.component[0].width + x;
  for (; i + 16 <= n; i += 16) {
    U8x16 v = dense_values (bytes + i, before != NULL ? before + i : NULL);
    U8x16 flags = (U8x16) (v - lower <= spans);

    memcpy (chunk->bytes + i, &v, sizeof v);
    memcpy (chunk->flags + i, &flags, sizeof flags);
  }
  for (; i < n; i++) {
    gint v = before != NULL ? ABS ((gint) bytes[i] - before[i]) : bytes[i];

    chunk->bytes[i] = (guint8) v;
    chunk->flags[i] = (guint8) (v - low) <= span ? 0xff : 0;
  }
}

static void
read_before (const GstGlesCpuFrame *frame, guint x, guint y, guint n, guint16 *values)
{
  gsize at = (gsize) y * frame->channel.component[0].width + x;

  if (kept_bytes_per_sample (&frame->channel) == 2) {
    memcpy (values, frame->previous + 2 * at, 2 * (gsize) n);
    return;
  }
  for (guint i = 0; i < n; i++)
    values[i] = frame->previous[at + i];
}

/* A row of samples with one more on either side; those that cannot be seen repeat the border. */
static void
read_wide (const GstGlesCpuFrameCompact *compact, guint x, gint64 y, guint n, gint *values)
{
  const GstGlesCpuFrame *frame = compact->frame;
  guint row = (guint) CLAMP (y, (gint64) frame->top, (gint64) frame->bottom);
  guint first = x > frame->left ? x - 1 : x, last = MIN (x + n, frame->right);
  guint16 read[CHUNK];

  gst_gles_cpu_rows_read (&compact->rows, first, row, last - first + 1, read);
  for (guint i = 0; i < n + 2; i++)
    values[i] = read[CLAMP ((gint64) x + i - 1, (gint64) first, (gint64) last) - first];
}

/* |Gx| + |Gy| of @n samples, at most CHUNK - 2. */
static void
read_edges (const GstGlesCpuFrameCompact *compact, guint x, guint y, guint n, guint32 *values)
{
  gint above[CHUNK + 2], here[CHUNK + 2], below[CHUNK + 2];

  read_wide (compact, x, (gint64) y - 1, n, above);
  read_wide (compact, x, y, n, here);
  read_wide (compact, x, (gint64) y + 1, n, below);
  for (guint i = 0; i < n; i++) {
    gint gx = above[i + 2] - above[i] + 2 * (here[i + 2] - here[i]) + below[i + 2] - below[i];
    gint gy =
        below[i] + 2 * below[i + 1] + below[i + 2] - above[i] - 2 * above[i + 1] - above[i + 2];

    values[i] = (guint32) (ABS (gx) + ABS (gy));
  }
}

static void
test_any (const GstGlesCpuFrameCompact *compact, guint x, guint y, guint n, Chunk *chunk)
{
  const GstGlesCpuFrame *frame = compact->frame;
  guint16 samples[CHUNK], before[CHUNK];
  guint32 lower = frame->lower, span = frame->upper - frame->lower;

  if (frame->predicate == GST_GLES_CPU_FRAME_EDGE) {
    read_edges (compact, x, y, n, chunk->values);
  } else {
    gst_gles_cpu_rows_read (&compact->rows, x, y, n, samples);
    if (frame->predicate == GST_GLES_CPU_FRAME_MOTION)
      read_before (frame, x, y, n, before);
    else
      memset (before, 0, 2 * (gsize) n);
    for (guint i = 0; i < n; i++)
      chunk->values[i] = (guint32) ABS ((gint) samples[i] - before[i]);
  }
  for (guint i = 0; i < n; i++)
    chunk->flags[i] = chunk->values[i] - lower <= span ? 0xff : 0;
}

static void
test_chunk (const GstGlesCpuFrameCompact *compact, guint x, guint y, guint n, Chunk *chunk)
{
  if (compact->dense_8)
    test_dense (compact, x, y, n, chunk);
  else
    test_any (compact, x, y, n, chunk);
  memset (chunk->flags + n, 0, PADDING);
}

static guint
chunk_samples (const GstGlesCpuFrameCompact *compact)
{
  return compact->frame->predicate == GST_GLES_CPU_FRAME_EDGE ? CHUNK - 2 : CHUNK;
}

/* ---- counting ---- */

static guint
count_flags (const guint8 *flags, guint n)
{
  guint count = 0;
  U8x16 sums = { 0 };
  U64x2 low;

  /* flags are -1: 64 additions at most */
  for (guint i = 0; i < n; i += 16)
    sums -= load_16 (flags + i);
  low = (U64x2) sums;
  for (guint k = 0; k < 2; k++) {
    guint64 pairs = (low[k] & 0x00ff00ff00ff00ff) + (low[k] >> 8 & 0x00ff00ff00ff00ff);
    count += (guint) (pairs * 0x0001000100010001 >> 48);
  }
  return count;
}

/* The rows of band @band: first, and the one behind the last. */
static guint
band_row (const GstGlesCpuFrameCompact *compact, guint band)
{
  return compact->frame->y + (guint) ((guint64) compact->frame->height * band / compact->n_bands);
}

static void
count_band (guint task, guint participant, gpointer user_data)
{
  GstGlesCpuFrameCompact *compact = user_data;
  const GstGlesCpuFrame *frame = compact->frame;
  guint end = band_row (compact, task + 1), size = chunk_samples (compact);
  guint64 count = 0;
  Chunk chunk;

  for (guint y = band_row (compact, task); y < end; y++) {
    for (guint x = 0; x < frame->width; x += size) {
      guint n = MIN (frame->width - x, size);

      test_chunk (compact, frame->x + x, y, n, &chunk);
      count += count_flags (chunk.flags, n);
    }
  }
  compact->counts[task] = count;
}

static gboolean
nothing_passes (const GstGlesCpuFrame *frame, gboolean dense_8)
{
  return frame->lower > frame->upper || frame->width == 0 || frame->height == 0 ||
      (dense_8 && frame->lower > 255) ||
      (frame->predicate == GST_GLES_CPU_FRAME_MOTION && frame->previous == NULL);
}

GstGlesCpuFrameCompact *
gst_gles_cpu_frame_compact_count (const GstGlesCpuFrame *frame, guint64 *total)
{
  GstGlesCpuFrameCompact *compact = g_new0 (GstGlesCpuFrameCompact, 1);
  guint64 n = (guint64) frame->width * frame->height;
  guint threads = gst_gles_cpu_n_threads ();

  compact->frame = frame;
  compact->dense_8 = is_dense_8 (&frame->channel) && frame->predicate != GST_GLES_CPU_FRAME_EDGE;
  *total = 0;
  if (nothing_passes (frame, compact->dense_8))
    return compact;
  gst_gles_cpu_rows_init (&compact->rows, &frame->channel);
  compact->n_bands = (guint) CLAMP (n / MIN_BAND_SAMPLES, 1, threads * BANDS_PER_THREAD);
  compact->n_bands = MIN (compact->n_bands, frame->height);
  compact->counts = g_new (guint64, compact->n_bands);
  gst_gles_cpu_parallel (compact->n_bands, count_band, compact);
  for (guint i = 0; i < compact->n_bands; i++) {
    guint64 before = *total;

    *total += compact->counts[i];
    compact->counts[i] = before;
  }
  return compact;
}

/* ---- writing ---- */

/* A bit for each of 64 samples, the first the lowest: the fewer loops end, the fewer are guessed wrong. */
#ifdef __SSE2__
static inline guint64
gather_flags (const guint8 *flags, guint n)
{
  typedef gchar C8x16 __attribute__ ((vector_size (16)));
  guint64 bits = 0;

  for (guint i = 0; i < 4 && 16 * i < n; i++) {
    U8x16 sixteen = load_16 (flags + 16 * i);
    bits |= (guint64) (guint16) __builtin_ia32_pmovmskb128 ((C8x16) sixteen) << 16 * i;
  }
  return bits;
}
#else
static inline guint64
gather_flags (const guint8 *flags, guint n)
{
  guint64 bits = 0;

  for (guint i = 0; i < 8 && 8 * i < n; i++) {
    guint64 eight;

    memcpy (&eight, flags + 8 * i, sizeof eight);
    eight = GUINT64_FROM_LE (eight) & 0x0101010101010101;
    bits |= (eight * 0x0102040810204080 >> 56) << 8 * i;
  }
  return bits;
}
#endif

/* Returns how many were written. */
G_ALWAYS_INLINE static inline gsize
write_flags (const Chunk *chunk, guint n, gboolean dense_8, guint32 x, guint sub_x, guint32 y,
    guint32 *points, gsize room)
{
  gsize written = 0;

  for (guint i = 0; i < n; i += 64) {
    guint64 bits = gather_flags (chunk->flags + i, n - i);

    for (; bits != 0; bits &= bits - 1) {
      guint k = i + (guint) __builtin_ctzll (bits);
      const guint16 place[2] = { (guint16) (x + (k << sub_x)), (guint16) y };

      if (written == room)
        return written;
      memcpy (points + 2 * written, place, sizeof place);
      points[2 * written + 1] = dense_8 ? chunk->bytes[k] : chunk->values[k];
      written++;
    }
  }
  return written;
}

static void
write_band (guint task, guint participant, gpointer user_data)
{
  GstGlesCpuFrameCompact *compact = user_data;
  const GstGlesCpuFrame *frame = compact->frame;
  guint end = band_row (compact, task + 1), size = chunk_samples (compact);
  guint64 at = compact->counts[task];
  Chunk chunk;

  for (guint y = band_row (compact, task); y < end; y++) {
    for (guint x = 0; x < frame->width && at < compact->capacity; x += size) {
      guint n = MIN (frame->width - x, size);
      guint32 point_x = ((frame->x + x) << frame->sub_x) - frame->origin_x;
      guint32 point_y = (y << frame->sub_y) - frame->origin_y;
      guint32 *points = compact->points + 2 * at;
      gsize room = compact->capacity - at;

      test_chunk (compact, frame->x + x, y, n, &chunk);
      if (compact->dense_8)
        at += write_flags (&chunk, n, TRUE, point_x, frame->sub_x, point_y, points, room);
      else
        at += write_flags (&chunk, n, FALSE, point_x, frame->sub_x, point_y, points, room);
    }
  }
}

void
gst_gles_cpu_frame_compact_write (GstGlesCpuFrameCompact *compact, guint32 *points, gsize capacity)
{
  compact->points = points;
  compact->capacity = capacity;
  if (compact->n_bands > 0 && capacity > 0)
    gst_gles_cpu_parallel (compact->n_bands, write_band, compact);
}

void
gst_gles_cpu_frame_compact_free (GstGlesCpuFrameCompact *compact)
{
  g_free (compact->counts);
  g_free (compact);
}
