/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bands of rows list the samples that pass, each band in a list of its own; then the lists become
 * points, when it is known how many points come before each. Motion replaces the reference row by
 * row, while the row is in the first-level cache. 64 results of the test are a word of bits, so
 * that samples that do not pass take one comparison with 0. */
#include <gst/gles/cpu/frame/frame-compact-private.h>

#include <string.h>

#include <gst/gles/cpu/lib/chunks.h>
#include <gst/gles/cpu/frame/frame-background.h>
#include <gst/gles/cpu/frame/frame-kept.h>
#include <gst/gles/cpu/lib/vector.h>

#define CHUNK GST_GLES_CPU_ROWS_CHUNK
#define PADDING 16

#define INDEX_BITS GST_GLES_CPU_INDEX_BITS

/* The smallest band that is worth a task: about 10 us of work. */
#define MIN_BAND_SAMPLES 32768
#define BANDS_PER_THREAD 8

/* The fewest points that are worth waking another thread to write them. */
#define MIN_SHARED_POINTS 65536

typedef guint8 U8x8 __attribute__ ((vector_size (8)));
typedef gint16 I16x8 __attribute__ ((vector_size (16)));
typedef gint32 I32x8 __attribute__ ((vector_size (32)));

/* The width of the tested values. */
typedef enum {
  BYTES, /* neighbouring 8-bit samples, threshold or motion: tested without conversion */
  HALVES,
  WORDS /* gradients of deep samples */
} Size;

/* The samples of a band that pass: of each chunk how many, and an entry for each. */
typedef struct {
  guint32 *entries;
  gsize n, capacity;
} Band;

struct _GstGlesCpuFrameCompact {
  const GstGlesCpuFrameCompactCall *call;
  GstGlesCpuRows rows;
  Size size;
  gboolean nothing_passes;
  guint first_row, n_rows; /* the rows that bands divide: those tested, or all of a reference */
  Band *bands;             /* their memory stays for the next call */
  guint n_bands, max_bands;
  guint64 *counts; /* per band; replaced by the exclusive prefixes */
  gint failed;     /* atomic: a band could not allocate its list */
  guint32 *points;
  gsize capacity;
};

/* The test results of a chunk: whether each sample passes (0xff or 0), and its value. */
typedef struct {
  guint8 flags[CHUNK] __attribute__ ((aligned (16)));
  union {
    guint16 halves[CHUNK + PADDING];
    guint32 words[CHUNK + PADDING];
  };
} Chunk;

/* The samples of a row, with one more on either side. */
typedef guint16 Samples[CHUNK + 2 + PADDING];

/* ---- testing ---- */

/* Reads a row of samples with one more on either side. The border of the visible picture is
 * repeated. */
static void
read_wide (const GstGlesCpuFrameCompact *compact, guint x, gint64 y, guint n, guint16 *values)
{
  const GstGlesCpuFrameCompactCall *call = compact->call;
  guint row = (guint) CLAMP (y, (gint64) call->visible.top, (gint64) call->visible.bottom);
  guint before = x > call->visible.left ? 1 : 0, after = x + n <= call->visible.right ? 1 : 0;

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

    gst_gles_cpu_frame_read_kept (
        &call->channel, call->reference, &(GstGlesCpuSampleRun){ x, y, n }, before);
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

/* Lists those of @n samples that pass. Returns their number. */
static guint
list_read (const GstGlesCpuFrameCompact *compact, guint x, guint y, guint n, guint32 *entries)
{
  guint count = 0;
  Chunk chunk;

  test_read (compact, x, y, n, &chunk);
  for (guint i = 0; i < n; i += 64) {
    GstGlesU8x16 flags[4];
    guint64 bits;

    memcpy (flags, chunk.flags + i, sizeof flags);
    bits = gst_gles_cpu_gather_flags (flags) & gst_gles_cpu_first_bits (n - i);
    if (compact->call->mask != NULL && bits != 0)
      bits &= gst_gles_cpu_mask_bits (compact->call, x + i, y);
    for (; bits != 0; bits &= bits - 1) {
      const guint k = i + (guint) __builtin_ctzll (bits);

      entries[count++] =
          (compact->size == WORDS ? chunk.words[k] : chunk.halves[k]) << INDEX_BITS | k;
    }
  }
  return count;
}

/* ---- listing ---- */

static guint
chunk_samples (const GstGlesCpuFrameCompactCall *call)
{
  return call->predicate == GST_GLES_POINTS_EDGE ? CHUNK - 2 : CHUNK;
}

static guint
list_chunk (const GstGlesCpuFrameCompact *compact, guint x, guint y, guint n, guint32 *entries)
{
  const GstGlesCpuFrameCompactCall *call = compact->call;
  const guint8 *bytes, *before = NULL;

  if (compact->size != BYTES)
    return list_read (compact, x, y, n, entries);
  bytes = gst_gles_cpu_channel_bytes (&call->channel, x, y);
  if (call->predicate == GST_GLES_POINTS_MOTION)
    before = call->reference + (gsize) y * call->channel.component[0].width + x;
  return gst_gles_cpu_frame_compact_list_bytes (
      call, &(GstGlesCpuByteRow){ x, y, n, bytes, before }, entries);
}

/* Ensures that @band can take the entries of one more row. */
static gboolean
ensure_capacity (const GstGlesCpuFrameCompactCall *call, Band *band)
{
  const gsize n =
      band->n + call->width + call->width / chunk_samples (call) + 1 + GST_GLES_CPU_LIST_SLACK;
  guint32 *entries;

  if (n <= band->capacity)
    return TRUE;
  entries = g_try_realloc_n (band->entries, n + n / 2, sizeof (guint32));
  if (entries == NULL)
    return FALSE;
  band->entries = entries;
  band->capacity = n + n / 2;
  return TRUE;
}

/* Lists the samples of row @y that pass. Returns their number. */
static guint
list_row (const GstGlesCpuFrameCompact *compact, Band *band, guint y)
{
  const GstGlesCpuFrameCompactCall *call = compact->call;
  const guint size = chunk_samples (call);
  guint sum = 0;

  for (guint x = 0; x < call->width; x += size) {
    guint32 *entries = band->entries + band->n;
    const guint count =
        list_chunk (compact, call->x + x, y, MIN (call->width - x, size), entries + 1);

    entries[0] = count;
    band->n += 1 + count;
    sum += count;
  }
  return sum;
}

static void
replace_row (const GstGlesCpuFrameCompact *compact, guint y)
{
  const GstGlesCpuFrameCompactCall *call = compact->call;

  if (!call->background)
    gst_gles_cpu_frame_keep_row (&compact->rows, y, call->reference);
  else
    gst_gles_cpu_frame_background_move_row (&compact->rows, y,
        call->is_first ? GST_GLES_CPU_FRAME_BACKGROUND_ONE : call->weight, call->reference);
}

/* Whether samples of row @y can pass. */
static gboolean
is_tested (const GstGlesCpuFrameCompact *compact, guint y)
{
  const GstGlesCpuFrameCompactCall *call = compact->call;

  return !compact->nothing_passes && y >= call->y && y - call->y < call->height;
}

/* Returns the first row of band @band, which is the end of the band before it. */
static guint
band_row (const GstGlesCpuFrameCompact *compact, guint band)
{
  return compact->first_row + (guint) ((guint64) compact->n_rows * band / compact->n_bands);
}

static void
list_band (guint task, guint participant, gpointer user_data)
{
  GstGlesCpuFrameCompact *compact = user_data;
  const guint end = band_row (compact, task + 1);
  Band *band = &compact->bands[task];
  guint64 count = 0;

  band->n = 0;
  for (guint y = band_row (compact, task); y < end; y++) {
    if (is_tested (compact, y)) {
      if (!ensure_capacity (compact->call, band)) {
        g_atomic_int_set (&compact->failed, TRUE);
        return;
      }
      count += list_row (compact, band, y);
    }
    if (compact->call->predicate == GST_GLES_POINTS_MOTION)
      replace_row (compact, y);
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
can_nothing_pass (const GstGlesCpuFrameCompactCall *call, Size size)
{
  return call->lower > call->upper || call->width == 0 || call->height == 0 ||
      (size == BYTES && call->lower > G_MAXUINT8) ||
      (size == HALVES && call->lower > G_MAXUINT16) ||
      (call->predicate == GST_GLES_POINTS_MOTION && call->is_first);
}

/* ---- calls ---- */

GstGlesCpuFrameCompact *
gst_gles_cpu_frame_compact_new (void)
{
  return g_new0 (GstGlesCpuFrameCompact, 1);
}

/* Divides the rows of the call into bands. */
static void
divide (GstGlesCpuFrameCompact *compact)
{
  const GstGlesCpuFrameCompactCall *call = compact->call;
  const guint max_bands = gst_gles_cpu_n_threads () * BANDS_PER_THREAD;
  guint width = call->width;

  if (compact->bands == NULL) {
    compact->bands = g_new0 (Band, max_bands);
    compact->counts = g_new (guint64, max_bands);
    compact->max_bands = max_bands;
  }
  compact->first_row = call->y;
  compact->n_rows = compact->nothing_passes ? 0 : call->height;
  if (call->predicate == GST_GLES_POINTS_MOTION) {
    compact->first_row = 0;
    compact->n_rows = call->channel.component[0].height;
    width = call->channel.component[0].width;
  }
  compact->n_bands =
      (guint) CLAMP ((guint64) width * compact->n_rows / MIN_BAND_SAMPLES, 1, compact->max_bands);
  compact->n_bands = MIN (compact->n_bands, compact->n_rows);
}

gboolean
gst_gles_cpu_frame_compact_list (
    GstGlesCpuFrameCompact *compact, const GstGlesCpuFrameCompactCall *call, guint64 *total)
{
  compact->call = call;
  compact->size = size_of (call);
  compact->nothing_passes = can_nothing_pass (call, compact->size);
  compact->failed = FALSE;
  gst_gles_cpu_rows_init (&compact->rows, &call->channel);
  divide (compact);
  gst_gles_cpu_parallel (compact->n_bands, list_band, compact);
  *total = compact->failed ? 0 : gst_gles_cpu_sum_counts (compact->counts, compact->n_bands);
  return !compact->failed;
}

/* The first word of a point, in memory two halves. */
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define PLACE(x, y) (((x) &0xffff) | (y) << 16)
#else
#define PLACE(x, y) ((x) << 16 | ((y) &0xffff))
#endif

/* Writes the points of @n entries of the chunk that begins at (@x, @y). */
static void
write_points (const guint32 *entries, gsize n, guint32 x, guint sub_x, guint32 y, guint32 *points)
{
  gsize i = 0;

  for (; i + 4 <= n; i += 4) {
    const GstGlesU32x4 four = gst_gles_u32x4_load (entries + i), values = four >> INDEX_BITS;
    const GstGlesU32x4 places = PLACE (((four & (CHUNK - 1)) << sub_x) + x, y);

    gst_gles_u32x4_store (points + 2 * i, GST_GLES_SHUFFLE (places, values, 0, 4, 1, 5));
    gst_gles_u32x4_store (points + 2 * i + 4, GST_GLES_SHUFFLE (places, values, 2, 6, 3, 7));
  }
  for (; i < n; i++) {
    points[2 * i] = PLACE (((entries[i] & (CHUNK - 1)) << sub_x) + x, y);
    points[2 * i + 1] = entries[i] >> INDEX_BITS;
  }
}

static void
write_band (guint task, guint participant, gpointer user_data)
{
  GstGlesCpuFrameCompact *compact = user_data;
  const GstGlesCpuFrameCompactCall *call = compact->call;
  const guint end = band_row (compact, task + 1), size = chunk_samples (call);
  const guint32 *entries = compact->bands[task].entries;
  guint64 at = compact->counts[task];

  for (guint y = band_row (compact, task); y < end; y++) {
    const guint32 point_y = (y << call->sub_y) - call->origin_y;

    for (guint x = 0; is_tested (compact, y) && x < call->width && at < compact->capacity;
         x += size) {
      const guint32 point_x = ((call->x + x) << call->sub_x) - call->origin_x;
      const gsize n = MIN (entries[0], compact->capacity - at);

      write_points (entries + 1, n, point_x, call->sub_x, point_y, compact->points + 2 * at);
      entries += 1 + entries[0];
      at += n;
    }
  }
}

void
gst_gles_cpu_frame_compact_write (GstGlesCpuFrameCompact *compact, guint32 *points, gsize capacity)
{
  compact->points = points;
  compact->capacity = capacity;
  if (capacity >= MIN_SHARED_POINTS) {
    gst_gles_cpu_parallel (compact->n_bands, write_band, compact);
    return;
  }
  for (guint i = 0; i < compact->n_bands; i++)
    write_band (i, 0, compact);
}

void
gst_gles_cpu_frame_compact_free (GstGlesCpuFrameCompact *compact)
{
  for (guint i = 0; compact != NULL && i < compact->max_bands; i++)
    g_free (compact->bands[i].entries);
  if (compact != NULL) {
    g_free (compact->bands);
    g_free (compact->counts);
  }
  g_free (compact);
}
