/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bands of rows count the samples that pass; then each writes its points from the sum of the
 * earlier counts on. A row is tested in chunks, with a byte per sample as result, so that eight
 * samples that do not pass take one comparison with 0. Dense 8-bit samples are tested without
 * conversion, 16 at a time. */
#include <gst/gles/cpu/frame-compact.h>

#include <string.h>

#include <gst/gles/cpu/chunks.h>
#include <gst/gles/cpu/frame-histogram-rows.h>
#include <gst/gles/cpu/vector.h>

#define CHUNK GST_GLES_CPU_ROWS_CHUNK
#define PADDING 16

/* The smallest band that is worth a task: about 10 us of work. */
#define MIN_BAND_SAMPLES 32768
#define BANDS_PER_THREAD 8

typedef guint8 U8x8 __attribute__ ((vector_size (8)));
typedef gint16 I16x8 __attribute__ ((vector_size (16)));
typedef gint32 I32x8 __attribute__ ((vector_size (32)));
typedef guint64 U64x2 __attribute__ ((vector_size (16)));

/* The width of the tested values. */
typedef enum {
  BYTES, /* neighbouring 8-bit samples, threshold or motion: tested without conversion */
  HALVES,
  WORDS /* gradients of deep samples */
} Size;

struct _GstGlesCpuFrameCompact {
  const GstGlesCpuFrameCompactCall *call;
  GstGlesCpuRows rows;
  Size size;
  guint n_bands;
  guint64 *counts; /* per band; replaced by the exclusive prefixes */
  guint32 *points;
  gsize capacity;
};

/* The test results of a chunk: whether each sample passes (0xff or 0), and its value. */
typedef struct {
  guint8 flags[CHUNK + PADDING] __attribute__ ((aligned (16)));
  union {
    guint8 bytes[CHUNK + PADDING] __attribute__ ((aligned (16)));
    guint16 halves[CHUNK + PADDING];
    guint32 words[CHUNK + PADDING];
  };
} Chunk;

/* The samples of a row, with one more on either side. */
typedef guint16 Samples[CHUNK + 2 + PADDING];

/* ---- the previous frame ---- */

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
  const guint8 *dense = gst_gles_cpu_channel_bytes (keep->channel, 0, task);
  guint16 values[CHUNK];

  if (dense != NULL) {
    memcpy (target, dense, width);
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

void
gst_gles_cpu_frame_read_kept (const GstGlesCpuChannel *channel, const guint8 *kept, guint x,
    guint y, guint n, guint16 *values)
{
  gsize at = (gsize) y * channel->component[0].width + x;

  if (kept_bytes_per_sample (channel) == 2) {
    memcpy (values, kept + 2 * at, 2 * (gsize) n);
    return;
  }
  for (guint i = 0; i < n; i++)
    values[i] = kept[at + i];
}

/* ---- testing ---- */

/* Returns sixteen samples, or their distances from the previous frame. */
static inline GstGlesU8x16
dense_values (const guint8 *bytes, const guint8 *before)
{
  GstGlesU8x16 v = gst_gles_u8x16_load (bytes);

  return before != NULL ? GST_GLES_DISTANCE (GstGlesU8x16, v, gst_gles_u8x16_load (before)) : v;
}

/* Tests @n samples. Stores their values in chunk->bytes. */
static void
test_dense (const GstGlesCpuFrameCompact *compact, guint x, guint y, guint n, Chunk *chunk)
{
  const GstGlesCpuFrameCompactCall *call = compact->call;
  const guint8 *bytes = gst_gles_cpu_channel_bytes (&call->channel, x, y), *before = NULL;
  guint8 low = (guint8) call->lower, span = (guint8) (MIN (call->upper, 255) - call->lower);
  GstGlesU8x16 lower = { 0 }, spans = { 0 };
  guint i = 0;

  lower += low;
  spans += span;
  if (call->predicate == GST_GLES_POINTS_MOTION)
    before = call->previous + (gsize) y * call->channel.component[0].width + x;
  for (; i + 16 <= n; i += 16) {
    GstGlesU8x16 v = dense_values (bytes + i, before != NULL ? before + i : NULL);
    GstGlesU8x16 flags = (GstGlesU8x16) (v - lower <= spans);

    memcpy (chunk->bytes + i, &v, sizeof v);
    memcpy (chunk->flags + i, &flags, sizeof flags);
  }
  for (; i < n; i++) {
    gint v = before != NULL ? ABS ((gint) bytes[i] - before[i]) : bytes[i];

    chunk->bytes[i] = (guint8) v;
    chunk->flags[i] = (guint8) (v - low) <= span ? 0xff : 0;
  }
}

/* Reads a row of samples with one more on either side. The border of the visible picture is
 * repeated. */
static void
read_wide (const GstGlesCpuFrameCompact *compact, guint x, gint64 y, guint n, guint16 *values)
{
  const GstGlesCpuFrameCompactCall *call = compact->call;
  guint row = (guint) CLAMP (y, (gint64) call->top, (gint64) call->bottom);
  guint before = x > call->left ? 1 : 0, after = x + n <= call->right ? 1 : 0;

  gst_gles_cpu_rows_read (&compact->rows, x - before, row, before + n + after, values + 1 - before);
  if (before == 0)
    values[0] = values[1];
  if (after == 0)
    values[n + 1] = values[n];
}

/* The largest depth of samples whose gradients, up to 8 times the largest sample, fit 16 bits. */
#define EDGE_DEPTH_HALVES 12

#define LOAD_LANES(Lanes, samples) __builtin_convertvector(gst_gles_u16x8_load (samples), Lanes)
#define MAGNITUDE(Lanes, v) (((v) ^ (Lanes) ((v) < 0)) - (Lanes) ((v) < 0))

/* Computes |Gx| + |Gy| (3x3 Sobel) of @n samples, rounded up to whole groups of eight. Each row
 * begins one sample to the left. */
#define COMPUTE_EDGES(Lanes, above, here, below, n, values)                                        \
  for (guint i = 0; i < (n); i += 8) {                                                             \
    Lanes a0 = LOAD_LANES (Lanes, (above) + i), a2 = LOAD_LANES (Lanes, (above) + i + 2);          \
    Lanes b0 = LOAD_LANES (Lanes, (below) + i), b2 = LOAD_LANES (Lanes, (below) + i + 2);          \
    Lanes h0 = LOAD_LANES (Lanes, (here) + i), h2 = LOAD_LANES (Lanes, (here) + i + 2);            \
    Lanes a1 = LOAD_LANES (Lanes, (above) + i + 1), b1 = LOAD_LANES (Lanes, (below) + i + 1);      \
    Lanes gx = a2 - a0 + 2 * (h2 - h0) + b2 - b0, gy = b0 + 2 * b1 + b2 - a0 - 2 * a1 - a2;        \
                                                                                                   \
    gx = MAGNITUDE (Lanes, gx) + MAGNITUDE (Lanes, gy);                                            \
    memcpy ((values) + i, &gx, sizeof gx);                                                         \
  }

/* Reads the gradients of @n samples, at most CHUNK - 2. */
static void
read_edges (const GstGlesCpuFrameCompact *compact, guint x, guint y, guint n, Chunk *chunk)
{
  Samples above, here, below;

  read_wide (compact, x, (gint64) y - 1, n, above);
  read_wide (compact, x, y, n, here);
  read_wide (compact, x, (gint64) y + 1, n, below);
  memset (above + n + 2, 0, 2 * PADDING);
  memset (here + n + 2, 0, 2 * PADDING);
  memset (below + n + 2, 0, 2 * PADDING);
  if (compact->size == WORDS)
    COMPUTE_EDGES (I32x8, above, here, below, n, chunk->words)
  else
    COMPUTE_EDGES (I16x8, above, here, below, n, chunk->halves)
}

/* Replaces each sample by its distance from that of the previous frame. */
static void
take_distances (guint16 *samples, const guint16 *before, guint n)
{
  for (guint i = 0; i < n; i += 8) {
    GstGlesU16x8 v = gst_gles_u16x8_load (samples + i);

    v = GST_GLES_DISTANCE (GstGlesU16x8, v, gst_gles_u16x8_load (before + i));
    memcpy (samples + i, &v, sizeof v);
  }
}

static void
flag_halves (const GstGlesCpuFrameCompactCall *call, guint n, Chunk *chunk)
{
  guint16 low = (guint16) call->lower;
  guint16 span = (guint16) (MIN (call->upper, G_MAXUINT16) - call->lower);
  GstGlesU16x8 lower = { 0 }, spans = { 0 };

  lower += low;
  spans += span;
  for (guint i = 0; i < n; i += 8) {
    GstGlesU16x8 passing =
        (GstGlesU16x8) (gst_gles_u16x8_load (chunk->halves + i) - lower <= spans);
    U8x8 flags = __builtin_convertvector(passing, U8x8);

    memcpy (chunk->flags + i, &flags, sizeof flags);
  }
}

/* Samples are tested in groups of eight; the padding after the last sample is tested too. */
static void
test_read (const GstGlesCpuFrameCompact *compact, guint x, guint y, guint n, Chunk *chunk)
{
  const GstGlesCpuFrameCompactCall *call = compact->call;
  guint32 lower = call->lower, span = call->upper - call->lower;

  if (call->predicate == GST_GLES_POINTS_EDGE) {
    read_edges (compact, x, y, n, chunk);
  } else {
    gst_gles_cpu_rows_read (&compact->rows, x, y, n, chunk->halves);
    memset (chunk->halves + n, 0, 2 * PADDING);
  }
  if (call->predicate == GST_GLES_POINTS_MOTION) {
    Samples before;

    gst_gles_cpu_frame_read_kept (&call->channel, call->previous, x, y, n, before);
    memset (before + n, 0, 2 * PADDING);
    take_distances (chunk->halves, before, n);
  }
  if (compact->size == HALVES) {
    flag_halves (call, n, chunk);
    return;
  }
  for (guint i = 0; i < n; i++)
    chunk->flags[i] = chunk->words[i] - lower <= span ? 0xff : 0;
}

static void
test_chunk (const GstGlesCpuFrameCompact *compact, guint x, guint y, guint n, Chunk *chunk)
{
  if (compact->size == BYTES)
    test_dense (compact, x, y, n, chunk);
  else
    test_read (compact, x, y, n, chunk);
  memset (chunk->flags + n, 0, PADDING);
}

static guint
chunk_samples (const GstGlesCpuFrameCompact *compact)
{
  return compact->call->predicate == GST_GLES_POINTS_EDGE ? CHUNK - 2 : CHUNK;
}

/* ---- counting ---- */

static guint
count_flags (const guint8 *flags, guint n)
{
  guint count = 0;
  GstGlesU8x16 sums = { 0 };
  U64x2 low;

  /* A flag is -1 as a signed byte, and the sums fit a byte because there are at most 64 additions
   * per lane. */
  for (guint i = 0; i < n; i += 16)
    sums -= gst_gles_u8x16_load (flags + i);
  low = (U64x2) sums;
  for (guint k = 0; k < 2; k++) {
    guint64 pairs = (low[k] & 0x00ff00ff00ff00ff) + (low[k] >> 8 & 0x00ff00ff00ff00ff);
    count += (guint) (pairs * 0x0001000100010001 >> 48);
  }
  return count;
}

/* Returns the first row of band @band, which is the end of the band before it. */
static guint
band_row (const GstGlesCpuFrameCompact *compact, guint band)
{
  return compact->call->y + (guint) ((guint64) compact->call->height * band / compact->n_bands);
}

static void
count_band (guint task, guint participant, gpointer user_data)
{
  GstGlesCpuFrameCompact *compact = user_data;
  const GstGlesCpuFrameCompactCall *call = compact->call;
  guint end = band_row (compact, task + 1), size = chunk_samples (compact);
  guint64 count = 0;
  Chunk chunk;

  for (guint y = band_row (compact, task); y < end; y++) {
    for (guint x = 0; x < call->width; x += size) {
      guint n = MIN (call->width - x, size);

      test_chunk (compact, call->x + x, y, n, &chunk);
      count += count_flags (chunk.flags, n);
    }
  }
  compact->counts[task] = count;
}

static Size
size_of (const GstGlesCpuFrameCompactCall *call)
{
  if (call->predicate == GST_GLES_POINTS_EDGE)
    return call->channel.depth > EDGE_DEPTH_HALVES ? WORDS : HALVES;
  return gst_gles_cpu_channel_bytes (&call->channel, 0, 0) != NULL ? BYTES : HALVES;
}

static gboolean
nothing_passes (const GstGlesCpuFrameCompactCall *call, Size size)
{
  return call->lower > call->upper || call->width == 0 || call->height == 0 ||
      (size == BYTES && call->lower > G_MAXUINT8) ||
      (size == HALVES && call->lower > G_MAXUINT16) ||
      (call->predicate == GST_GLES_POINTS_MOTION && call->previous == NULL);
}

GstGlesCpuFrameCompact *
gst_gles_cpu_frame_compact_count (const GstGlesCpuFrameCompactCall *call, guint64 *total)
{
  GstGlesCpuFrameCompact *compact = g_new0 (GstGlesCpuFrameCompact, 1);
  guint64 n = (guint64) call->width * call->height;
  guint threads = gst_gles_cpu_n_threads ();

  compact->call = call;
  compact->size = size_of (call);
  *total = 0;
  if (nothing_passes (call, compact->size))
    return compact;
  gst_gles_cpu_rows_init (&compact->rows, &call->channel);
  compact->n_bands = (guint) CLAMP (n / MIN_BAND_SAMPLES, 1, threads * BANDS_PER_THREAD);
  compact->n_bands = MIN (compact->n_bands, call->height);
  compact->counts = g_new (guint64, compact->n_bands);
  gst_gles_cpu_parallel (compact->n_bands, count_band, compact);
  *total = gst_gles_cpu_sum_counts (compact->counts, compact->n_bands);
  return compact;
}

/* ---- writing ---- */

/* Collects 64 flags in a word, the first in the lowest bit. Fewer loops mean fewer mispredicted
 * exits. */
#ifdef __SSE2__
static inline guint64
gather_flags (const guint8 *flags, guint n)
{
  typedef gchar C8x16 __attribute__ ((vector_size (16)));
  guint64 bits = 0;

  for (guint i = 0; i < 4 && 16 * i < n; i++) {
    GstGlesU8x16 sixteen = gst_gles_u8x16_load (flags + 16 * i);
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

/* Returns how many points were written. */
G_ALWAYS_INLINE static inline gsize
write_flags (const Chunk *chunk, guint n, Size size, guint32 x, guint sub_x, guint32 y,
    guint32 *points, gsize capacity_left)
{
  gsize written = 0;

  for (guint i = 0; i < n; i += 64) {
    guint64 bits = gather_flags (chunk->flags + i, n - i);

    for (; bits != 0; bits &= bits - 1) {
      guint k = i + (guint) __builtin_ctzll (bits);
      const guint16 place[2] = { (guint16) (x + (k << sub_x)), (guint16) y };

      if (written == capacity_left)
        return written;
      memcpy (points + 2 * written, place, sizeof place);
      points[2 * written + 1] = size == BYTES ? chunk->bytes[k]
          : size == HALVES                    ? chunk->halves[k]
                                              : chunk->words[k];
      written++;
    }
  }
  return written;
}

static void
write_band (guint task, guint participant, gpointer user_data)
{
  GstGlesCpuFrameCompact *compact = user_data;
  const GstGlesCpuFrameCompactCall *call = compact->call;
  guint end = band_row (compact, task + 1), size = chunk_samples (compact);
  guint64 at = compact->counts[task];
  Chunk chunk;

  for (guint y = band_row (compact, task); y < end; y++) {
    for (guint x = 0; x < call->width && at < compact->capacity; x += size) {
      guint n = MIN (call->width - x, size);
      guint32 point_x = ((call->x + x) << call->sub_x) - call->origin_x;
      guint32 point_y = (y << call->sub_y) - call->origin_y;
      guint32 *points = compact->points + 2 * at;
      gsize capacity_left = compact->capacity - at;

      test_chunk (compact, call->x + x, y, n, &chunk);
      if (compact->size == BYTES)
        at += write_flags (&chunk, n, BYTES, point_x, call->sub_x, point_y, points, capacity_left);
      else if (compact->size == HALVES)
        at += write_flags (&chunk, n, HALVES, point_x, call->sub_x, point_y, points, capacity_left);
      else
        at += write_flags (&chunk, n, WORDS, point_x, call->sub_x, point_y, points, capacity_left);
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
