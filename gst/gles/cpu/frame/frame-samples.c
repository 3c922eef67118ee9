/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bands of rows are smoothed and compared. A row replaces samples when the rows above and below
 * have their values, as long as it is in the cache; the first and the last row of a band wait until
 * all bands are done. Then it is known whether the picture is another one: if so, the samples begin
 * anew. The first frames are learnt in another pass, and nothing moves in them. If most pixels have
 * become brighter, or darker, all samples follow in another pass. */
#include <gst/gles/cpu/frame/frame-samples.h>

#include <string.h>

#include <glsl/frame/frame-samples-layout.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/core/parallel.h>
#include <gst/gles/cpu/lib/newer.h>

#define ALIGNMENT 32 /* of rows: the largest vectors */
#define MIN_BAND_PIXELS 16384
#define BLOCKS 32 /* whose hashes are computed together: whole vectors */
#define BANDS_PER_THREAD 4

#ifdef __SSE2__
#include <immintrin.h>
#define LESSER(a, b) (Bytes_plain) _mm_min_epu8 ((__m128i) (a), (__m128i) (b))
#define GREATER(a, b) (Bytes_plain) _mm_max_epu8 ((__m128i) (a), (__m128i) (b))
#define AVERAGE(a, b) (Bytes_plain) _mm_avg_epu8 ((__m128i) (a), (__m128i) (b))
#define HAS_ANY(v) (_mm_movemask_epi8 ((__m128i) (v)) != 0)
#endif
#define NAME(name) name##_plain
#define LANES 16
#define TARGET
#include <gst/gles/cpu/frame/frame-samples-lanes.h>

#ifdef __x86_64__
#define LESSER(a, b) (Bytes_newer) _mm256_min_epu8 ((__m256i) (a), (__m256i) (b))
#define GREATER(a, b) (Bytes_newer) _mm256_max_epu8 ((__m256i) (a), (__m256i) (b))
#define AVERAGE(a, b) (Bytes_newer) _mm256_avg_epu8 ((__m256i) (a), (__m256i) (b))
#define HAS_ANY(v) (_mm256_movemask_epi8 ((__m256i) (v)) != 0)
#endif
#define NAME(name) name##_newer
#define LANES 32
#define TARGET GST_GLES_CPU_NEWER
#include <gst/gles/cpu/frame/frame-samples-lanes.h>

typedef struct {
  const GstGlesCpuFrameSamplesCall *call;
  GstGlesCpuRows rows;
  guint width, height, n_bands;
  gsize stride, plane;
  guint8 *state, *smooth, *values;
  guint8 *scratch; /* nullable; three rows for each band */
  gboolean newer;
  guint counts[GST_GLES_FRAME_SAMPLES_COUNTS]; /* atomic */
  guint n_learnt;                              /* frames before this one, of those to learn from */
  guint step;                                  /* by which samples follow the light */
  gboolean brighter;
} Run;

gsize
gst_gles_cpu_frame_samples_stride (guint width)
{
  return gst_gles_align_up (width, ALIGNMENT);
}

/* ---- the picture ---- */

/* Returns row @y of a band whose rows are read from above to below. */
static const guint8 *
read_row (const Run *run, guint band, guint y, gboolean is_new)
{
  guint8 *row;

  if (run->scratch == NULL)
    return gst_gles_cpu_channel_bytes (&run->call->channel, 0, y);
  row = run->scratch + (3 * (gsize) band + y % 3) * run->stride;
  if (is_new)
    gst_gles_cpu_rows_read_8_bits (&run->rows, y, run->width, row);
  return row;
}

static guint
average (guint a, guint b)
{
  return (a + b + 1) >> 1;
}

/* Smooths pixel @x in the same way as vectors do. */
static guint
smooth_pixel (const guint8 *const rows[3], guint x, guint width)
{
  const guint before = MAX (x, 1) - 1, after = MIN (x + 1, width - 1);
  guint means[3];

  for (guint i = 0; i < 3; i++)
    means[i] = average (average (rows[i][before], rows[i][after]), rows[i][x]);
  return average (average (means[0], means[2]), means[1]);
}

static void
smooth_row (const Run *run, const guint8 *const rows[3], guint8 *smooth)
{
  const guint width = run->width;
  const gboolean done = run->newer ? smooth_inner_newer (rows, width, smooth)
                                   : smooth_inner_plain (rows, width, smooth);

  for (guint x = 0; x < width; x += done ? MAX (width - 1, 1) : 1)
    smooth[x] = (guint8) smooth_pixel (rows, x, width);
}

/* Returns how many pixels are not background. */
static guint
compare_row (const Run *run, guint y)
{
  const gsize at = y * run->stride;
  const guint8 radius = (guint8) run->call->radius;

  if (run->call->frame == 0)
    return 0;
  return (run->newer ? compare_row_newer : compare_row_plain) (
      run->smooth + at, run->state + at, run->plane, run->width, radius, run->values + at);
}

/* ---- the samples ---- */

static guint32
hash_seed (const Run *run, guint32 y)
{
  return y * 0x9e3779b1u + run->call->frame * 0x85ebca77u;
}

static inline guint32
hash_end (guint32 h)
{
  h = (h ^ h >> 16) * 0x7feb352du;
  h = (h ^ h >> 15) * 0x846ca68bu;
  return h ^ h >> 16;
}

static guint32
hash (const Run *run, guint32 x, guint32 y)
{
  return hash_end (x + hash_seed (run, y));
}

/* Returns where neighbour @n of 8 is, within the picture. */
static inline gsize
neighbour (const Run *run, guint x, guint y, guint n)
{
  static const gint8 columns[] = { -1, 0, 1, -1, 1, -1, 0, 1 };
  static const gint8 rows[] = { -1, -1, -1, 0, 0, 1, 1, 1 };
  const gint column = (gint) x + columns[n], row = (gint) y + rows[n];

  return (gsize) CLAMP (row, 0, (gint) run->height - 1) * run->stride +
      (gsize) CLAMP (column, 0, (gint) run->width - 1);
}

static gboolean
learns (const Run *run)
{
  return run->n_learnt < GST_GLES_FRAME_SAMPLES_FRAMES;
}

/* The samples of the first frame are twice the pixel's own value, so that a still picture does not
 * move, and neighbours; of the two of a later frame one is its own value, and one a neighbour. */
static void
learn_row (guint y, guint participant, gpointer user_data)
{
  const Run *run = user_data;
  const guint first = 2 * run->n_learnt, end = first > 0 ? first + 2 : GST_GLES_FRAME_SAMPLES_N;

  memset (run->values + y * run->stride, 0, run->stride);
  for (guint x = 0; x < run->width; x++) {
    const guint32 order = hash (run, x, y);
    guint8 *sample = run->state + y * run->stride + x;

    for (guint k = first; k < end; k++) {
      const gboolean is_own = k == first || k == 1;

      sample[k * run->plane] =
          run->smooth[is_own ? y * run->stride + x : neighbour (run, x, y, order >> 3 * k & 7)];
    }
  }
}

/* Replaces samples of the block at column @x. @offsets: from a pixel to its neighbours; NULL: the
 * block may be at a border. */
G_ALWAYS_INLINE static inline void
replace_block (const Run *run, guint x, guint y, guint32 order, guint8 *own_row, guint8 *other_row,
    const gssize *offsets)
{
  const guint own = order & 15, other = order >> 4 & 15, n = order >> 8 & 7;
  const gsize row = y * run->stride + x;
  const gsize from =
      offsets != NULL ? row + other + (gsize) offsets[n] : neighbour (run, x + other, y, n);

  if ((offsets != NULL || x + own < run->width) &&
      (run->values[row + own] == 0 || order >> 16 < run->call->chance))
    own_row[x + own] = run->smooth[row + own];
  if ((offsets != NULL || x + other < run->width) && run->values[from] == 0)
    other_row[x + other] = run->smooth[from];
}

static void
replace_row (const Run *run, guint y)
{
  const Run local = *run; /* whose members stores of bytes cannot change */
  const gssize stride = (gssize) run->stride;
  const gssize offsets[] = { -stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride,
    stride + 1 };
  const guint32 of_row = hash (run, GST_GLES_FRAME_SAMPLES_ROW, y), first = hash_seed (run, y);
  guint8 *own_row = run->state + (of_row & 7) * run->plane + y * run->stride;
  guint8 *other_row = run->state + (of_row >> 3 & 7) * run->plane + y * run->stride;
  const guint step = GST_GLES_FRAME_SAMPLES_BLOCK;
  const guint inner = y > 0 && y + 1 < run->height && run->width > 2 * step ? run->width - step : 0;

  for (guint from = 0; from < run->width; from += BLOCKS * step) {
    const guint end = MIN (run->width, from + BLOCKS * step);
    guint32 orders[BLOCKS];

    (run->newer ? hash_many_newer : hash_many_plain) (first + from, step, BLOCKS, orders);
    for (guint x = from; x < end; x += step) {
      const guint32 order = orders[(x - from) / step];

      if (x > 0 && x < inner)
        replace_block (&local, x, y, order, own_row, other_row, offsets);
      else
        replace_block (&local, x, y, order, own_row, other_row, NULL);
    }
  }
}

/* Returns how many pixels are counted for the light. */
static guint
n_counted (const Run *run)
{
  return run->width * (guint) gst_gles_div_ceil (run->height, GST_GLES_FRAME_SAMPLES_LIGHT_ROWS);
}

static gboolean
is_other_picture (const Run *run)
{
  const guint last = GST_GLES_FRAME_SAMPLES_STEPS - 1;
  const guint changed = run->counts[last] + run->counts[GST_GLES_FRAME_SAMPLES_DARKER + last];

  return GST_GLES_FRAME_SAMPLES_IS_OTHER (run->counts[GST_GLES_FRAME_SAMPLES_MOVING],
      (guint64) run->width * run->height, changed, n_counted (run));
}

/* Returns the step by which samples follow the light, 0: they stay. */
static guint
find_step (const Run *run, gboolean *brighter)
{
  const guint n = n_counted (run);
  const guint *more = run->counts, *less = more + GST_GLES_FRAME_SAMPLES_DARKER;
  guint step = 0;

  *brighter = more[0] > less[0];
  if (!*brighter) {
    less = run->counts;
    more = less + GST_GLES_FRAME_SAMPLES_DARKER;
  }
  if (!GST_GLES_FRAME_SAMPLES_IS_LIGHT (more[0], less[0], n))
    return 0;
  for (guint i = 0; i < GST_GLES_FRAME_SAMPLES_STEPS; i++) {
    if (GST_GLES_FRAME_SAMPLES_IS_STEP (more[i], n))
      step = 1 << i;
  }
  return step;
}

static void
follow_light_row (guint y, guint participant, gpointer user_data)
{
  const Run *run = user_data;
  const gsize at = y * run->stride;

  (run->newer ? follow_light_row_newer : follow_light_row_plain) (run->smooth + at,
      run->values + at, run->state + at, run->plane, run->width, run->brighter, (guint8) run->step);
}

/* ---- bands ---- */

static guint
band_row (const Run *run, guint band)
{
  return (guint) ((guint64) run->height * band / run->n_bands);
}

static void
run_band (guint band, guint participant, gpointer user_data)
{
  Run *run = user_data;
  const guint first = band_row (run, band), end = band_row (run, band + 1);
  guint counts[GST_GLES_FRAME_SAMPLES_COUNTS] = { 0 };

  for (guint y = first; y < end; y++) {
    const guint above = MAX (y, 1) - 1, below = MIN (y + 1, run->height - 1);
    const guint8 *const rows[3] = { read_row (run, band, above, y == first),
      read_row (run, band, y, y == first), read_row (run, band, below, TRUE) };

    smooth_row (run, rows, run->smooth + y * run->stride);
    counts[GST_GLES_FRAME_SAMPLES_MOVING] += compare_row (run, y);
    if (run->call->frame > 0 && y % GST_GLES_FRAME_SAMPLES_LIGHT_ROWS == 0)
      (run->newer ? count_light_newer : count_light_plain) (
          run->smooth + y * run->stride, run->state + y * run->stride, run->width, counts);
    if (y >= first + 2 && !learns (run))
      replace_row (run, y - 1);
  }
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    g_atomic_int_add (&run->counts[i], counts[i]);
}

/* The first and the last row of each band. */
static void
replace_edges (const Run *run)
{
  for (guint band = 0; band < run->n_bands; band++) {
    const guint first = band_row (run, band), last = band_row (run, band + 1) - 1;

    replace_row (run, first);
    if (last > first)
      replace_row (run, last);
  }
}

gboolean
gst_gles_cpu_frame_samples_run (const GstGlesCpuFrameSamplesCall *call, guint8 *state)
{
  const GstGlesComponent *c = call->channel.component;
  const gsize stride = gst_gles_cpu_frame_samples_stride (c->width), plane = stride * c->height;
  Run run = { .call = call,
    .width = c->width,
    .height = c->height,
    .stride = stride,
    .plane = plane,
    .state = state,
    .smooth = state + GST_GLES_FRAME_SAMPLES_SMOOTH * plane,
    .values = state + GST_GLES_FRAME_SAMPLES_VALUES * plane,
    .n_learnt = call->frame > 0 ? *call->n_learnt : 0,
    .newer = gst_gles_cpu_is_newer () };

  run.n_bands = (guint) CLAMP ((guint64) c->width * c->height / MIN_BAND_PIXELS, 1,
      gst_gles_cpu_n_threads () * BANDS_PER_THREAD);
  run.n_bands = MIN (run.n_bands, c->height);
  gst_gles_cpu_rows_init (&run.rows, &call->channel);
  if (gst_gles_cpu_channel_bytes (&call->channel, 0, 0) == NULL) {
    run.scratch = g_try_malloc_n (3 * run.n_bands, stride);
    if (run.scratch == NULL)
      return FALSE;
  }
  gst_gles_cpu_parallel (run.n_bands, run_band, &run);
  if (is_other_picture (&run))
    run.n_learnt = 0;
  if (learns (&run)) {
    gst_gles_cpu_parallel (c->height, learn_row, &run);
    *call->n_learnt = run.n_learnt + 1;
  } else {
    replace_edges (&run);
    run.step = find_step (&run, &run.brighter);
    if (run.step > 0)
      gst_gles_cpu_parallel (c->height, follow_light_row, &run);
  }
  g_free (run.scratch);
  return TRUE;
}
