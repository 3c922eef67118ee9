/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The inner loops of the native histogram. One store per sample is the lower bound of their
 * time, so consecutive increments must not depend on each other, and loads are wide where
 * samples are dense. */
#include <gst/gles/cpu/frame/frame-histogram-rows.h>

#include <string.h>

#include <gst/gles/cpu/frame/frame-histogram-bytes.h>
#include <gst/gles/cpu/lib/vector.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define NATIVE_BE (G_BYTE_ORDER == G_BIG_ENDIAN)

/* Each call of such a function is compiled separately, with the constants among its arguments. */
#define TEMPLATE static inline __attribute__ ((always_inline))

static inline guint64
load_u64 (const guint8 *bytes)
{
  guint64 word;

  memcpy (&word, bytes, sizeof word);
  return word;
}

/* Loads a word of 1, 2 or 4 bytes. */
TEMPLATE guint
load_word (const guint8 *bytes, guint word_bytes, gboolean swap)
{
  guint16 half;
  guint32 word;

  if (word_bytes == 1)
    return bytes[0];
  if (word_bytes == 2) {
    memcpy (&half, bytes, sizeof half);
    return swap ? GUINT16_SWAP_LE_BE (half) : half;
  }
  memcpy (&word, bytes, sizeof word);
  return swap ? GUINT32_SWAP_LE_BE (word) : word;
}

static inline guint64
rotate_left (guint64 word, guint bits)
{
  return word << bits | word >> (64 - bits);
}

static inline const guint8 *
sample_address (const GstGlesCpuChannel *channel, guint i, guint x, guint y)
{
  const GstGlesComponent *c = &channel->component[i];

  return channel->data[i] + c->offset + (gsize) y * c->stride + (gsize) x * c->step;
}

/* ---- 8-bit samples ---- */

static void
count_stepped_8 (const guint8 *bytes, guint n, guint32 *tables, gsize step)
{
  guint i = 0;

  for (; i + 4 <= n; i += 4, bytes += 4 * step) {
    tables[0x000 + bytes[0]]++;
    tables[0x100 + bytes[step]]++;
    tables[0x200 + bytes[2 * step]]++;
    tables[0x300 + bytes[3 * step]]++;
  }
  for (; i < n; i++, bytes += step)
    tables[bytes[0]]++;
}

static void
count_8 (const GstGlesCpuRows *rows, guint x, guint y, guint n, guint32 *tables)
{
  const guint8 *bytes = sample_address (rows->channel, 0, x, y);
  gsize step = rows->channel->component[0].step;

  if (step == 1)
    gst_gles_cpu_count_bytes (bytes, n, tables);
  else
    count_stepped_8 (bytes, n, tables, step);
}

/* ---- samples in 16-bit words ---- */

static guint
n_tables_16 (guint depth)
{
  /* The tables stay within 16 KiB, half of a first-level cache, but there are at least two up to 15
   * bits. At 16 bits one is enough: noise makes neighbouring samples differ even in flat areas. */
  return depth <= 10 ? 4 : depth <= 15 ? 2 : 1;
}

/* Swaps the bytes of each of four 16-bit lanes. */
static inline guint64
swap_lanes (guint64 word)
{
  return (word & 0x00ff00ff00ff00ff) << 8 | (word >> 8 & 0x00ff00ff00ff00ff);
}

/* Where a value lies in a 16-bit word. */
typedef struct {
  gboolean swap;
  guint shift, mask;
} Bits;

TEMPLATE void
count_dense_16 (const guint8 *bytes, guint n, guint32 *const tables[4], Bits bits)
{
  const guint shift = bits.shift, mask = bits.mask;

  for (guint i = n / 4; i > 0; i--, bytes += 8) {
    guint64 word = load_u64 (bytes);

    if (bits.swap)
      word = swap_lanes (word);
    if (G_UNLIKELY (word == rotate_left (word, 16))) {
      tables[3][(guint16) word >> shift & mask] += 4;
      continue;
    }
    word >>= shift; /* the mask removes the bits that come from the lane above */
    tables[0][word & mask]++;
    tables[1][word >> 16 & mask]++;
    tables[2][word >> 32 & mask]++;
    tables[3][word >> 48 & mask]++;
  }
  for (guint i = 0; i < n % 4; i++, bytes += 2)
    tables[0][load_word (bytes, 2, bits.swap) >> shift & mask]++;
}

TEMPLATE void
count_stepped_16 (const guint8 *bytes, guint n, guint32 *const tables[4], gsize step, Bits bits)
{
  const gboolean swap = bits.swap;
  const guint shift = bits.shift, mask = bits.mask;

  for (guint i = n / 4; i > 0; i--, bytes += 4 * step) {
    tables[0][load_word (bytes, 2, swap) >> shift & mask]++;
    tables[1][load_word (bytes + step, 2, swap) >> shift & mask]++;
    tables[2][load_word (bytes + 2 * step, 2, swap) >> shift & mask]++;
    tables[3][load_word (bytes + 3 * step, 2, swap) >> shift & mask]++;
  }
  for (guint i = 0; i < n % 4; i++, bytes += step)
    tables[0][load_word (bytes, 2, swap) >> shift & mask]++;
}

/* Points four tables to the @n_tables that exist, in turn. */
static void
spread_tables (guint32 *tables, guint depth, guint n_tables, guint32 *spread[4])
{
  for (guint i = 0; i < 4; i++)
    spread[i] = tables + ((gsize) (i % n_tables) << depth);
}

static void
count_16 (const GstGlesCpuRows *rows, guint x, guint y, guint n, guint32 *tables)
{
  const GstGlesComponent *c = &rows->channel->component[0];
  const guint8 *bytes = sample_address (rows->channel, 0, x, y);
  gboolean swap = (c->big_endian != 0) != NATIVE_BE;
  guint mask = (1u << c->depth) - 1;
  guint32 *spread[4];

  spread_tables (tables, c->depth, rows->n_tables, spread);
  if (c->step == 2 && swap)
    count_dense_16 (bytes, n, spread, (Bits){ TRUE, c->shift, mask });
  else if (c->step == 2)
    count_dense_16 (bytes, n, spread, (Bits){ FALSE, c->shift, mask });
  else if (swap)
    count_stepped_16 (bytes, n, spread, c->step, (Bits){ TRUE, c->shift, mask });
  else
    count_stepped_16 (bytes, n, spread, c->step, (Bits){ FALSE, c->shift, mask });
}

/* ---- all other layouts: read values, then count the values ---- */

TEMPLATE void
read_words (const GstGlesComponent *c, const guint8 *bytes, guint n, guint16 *values,
    guint word_bytes, gboolean swap)
{
  guint shift = c->shift, mask = (1u << c->depth) - 1;
  gsize step = c->step;

  for (guint i = 0; i < n; i++, bytes += step)
    values[i] = (guint16) (load_word (bytes, word_bytes, swap) >> shift & mask);
}

static gboolean
is_byte (const GstGlesComponent *c)
{
  return c->word_bytes == 1 && c->shift == 0 && c->depth == 8;
}

const guint8 *
gst_gles_cpu_channel_bytes (const GstGlesCpuChannel *channel, guint x, guint y)
{
  const GstGlesComponent *c = &channel->component[0];

  return !channel->matrix && is_byte (c) && c->step == 1 ? sample_address (channel, 0, x, y) : NULL;
}

static void
widen_bytes (const guint8 *bytes, guint n, guint16 *values)
{
  typedef guint8 U8x8 __attribute__ ((vector_size (8)));
  typedef guint16 U16x8 __attribute__ ((vector_size (16)));
  guint i = 0;

  for (; i + 8 <= n; i += 8) {
    U8x8 eight;
    U16x8 wide;

    memcpy (&eight, bytes + i, sizeof eight);
    wide = __builtin_convertvector(eight, U16x8);
    memcpy (values + i, &wide, sizeof wide);
  }
  for (; i < n; i++)
    values[i] = bytes[i];
}

/* Reads samples that are 2 bytes apart. The last one is read alone, because there need not be a
 * second byte. */
static void
read_halves (const GstGlesComponent *c, const guint8 *bytes, guint n, guint16 *values)
{
  const gboolean swap = c->word_bytes == 2 && (c->big_endian != 0) != NATIVE_BE;
  const guint shift = c->shift;
  const guint16 mask = (guint16) ((1u << c->depth) - 1);
  guint i = 0;

  for (; i + 8 < n; i += 8, bytes += 16) {
    GstGlesU16x8 eight;

    memcpy (&eight, bytes, sizeof eight);
    if (swap)
      eight = eight << 8 | eight >> 8;
    eight = eight >> shift & mask;
    memcpy (values + i, &eight, sizeof eight);
  }
  for (; i < n; i++, bytes += 2)
    values[i] = (guint16) (load_word (bytes, c->word_bytes, swap) >> shift & mask);
}

static void
read_component (const GstGlesComponent *c, const guint8 *bytes, guint n, guint16 *values)
{
  gboolean swap = (c->big_endian != 0) != NATIVE_BE;

  if (is_byte (c) && c->step == 1)
    widen_bytes (bytes, n, values);
  else if (c->step == 2 && c->word_bytes <= 2)
    read_halves (c, bytes, n, values);
  else if (c->word_bytes == 1)
    read_words (c, bytes, n, values, 1, FALSE);
  else if (c->word_bytes == 2 && swap)
    read_words (c, bytes, n, values, 2, TRUE);
  else if (c->word_bytes == 2)
    read_words (c, bytes, n, values, 2, FALSE);
  else if (swap)
    read_words (c, bytes, n, values, 4, TRUE);
  else
    read_words (c, bytes, n, values, 4, FALSE);
}

/* Stores four numbers from 0 to 2^15 - 1. */
static inline void
store_halves (guint16 *values, GstGlesI32x4 numbers)
{
#ifdef __SSE2__
  _mm_storel_epi64 ((__m128i *) values, _mm_packs_epi32 ((__m128i) numbers, _mm_setzero_si128 ()));
#else
  typedef guint16 U16x4 __attribute__ ((vector_size (8)));
  const U16x4 halves = __builtin_convertvector(numbers, U16x4);

  memcpy (values, &halves, sizeof halves);
#endif
}

/* R, G and B at bytes 0 to 3 from @pixels on, 4 bytes apart. Floats hold every sum, because it is
 * an integer below 2^24. Returns how many are read: some, at least the last one, are left, because
 * there need not be a fourth byte. */
static guint
read_luma_words (const GstGlesCpuChannel *channel, const guint8 *pixels, const guint shifts[3],
    guint n, guint16 *values)
{
  const gfloat kr = (gfloat) channel->kr, kg = (gfloat) channel->kg, kb = (gfloat) channel->kb;
  guint i = 0;

  for (; i + 4 < n; i += 4, pixels += 16) {
    GstGlesI32x4 words, sums;
    GstGlesF32x4 red, green, blue;

    memcpy (&words, pixels, sizeof words);
    red = __builtin_convertvector(words >> shifts[0] & 0xff, GstGlesF32x4);
    green = __builtin_convertvector(words >> shifts[1] & 0xff, GstGlesF32x4);
    blue = __builtin_convertvector(words >> shifts[2] & 0xff, GstGlesF32x4);
    sums = __builtin_convertvector(red * kr + green * kg + blue * kb + 32768.0f, GstGlesI32x4);
    store_halves (values + i, sums >> 16);
  }
  return i;
}

TEMPLATE void
read_luma_8 (const GstGlesCpuChannel *channel, GstGlesCpuSampleRun run, guint16 *values, gsize step)
{
  const guint x = run.x, y = run.y, n = run.n;
  const guint8 *red = sample_address (channel, 0, x, y);
  const guint8 *green = sample_address (channel, 1, x, y);
  const guint8 *blue = sample_address (channel, 2, x, y);
  const guint8 *first = MIN (MIN (red, green), blue), *last = MAX (MAX (red, green), blue);
  guint kr = channel->kr, kg = channel->kg, kb = channel->kb;
  gsize i = 0;

  if (step == 4 && last - first < 4) {
    const guint shifts[3] = { 8 * (guint) (red - first), 8 * (guint) (green - first),
      8 * (guint) (blue - first) };

    i = read_luma_words (channel, first, shifts, n, values);
  }
  for (; i < n; i++)
    values[i] =
        (guint16) GST_GLES_LUMA (kr, kg, kb, red[i * step], green[i * step], blue[i * step]);
}

static void
read_luma (const GstGlesCpuRows *rows, guint x, guint y, guint n, guint16 *values)
{
  const GstGlesCpuChannel *channel = rows->channel;
  guint16 samples[3][GST_GLES_CPU_ROWS_CHUNK];

  for (guint i = 0; i < 3; i++) {
    const GstGlesComponent *c = &channel->component[i];

    read_component (c, sample_address (channel, i, x, y), n, samples[i]);
    for (guint k = 0; c->depth != channel->depth && k < n; k++)
      samples[i][k] = rows->scale[i][samples[i][k] & 0xff];
  }
  for (guint i = 0; i < n; i++)
    values[i] = (guint16) GST_GLES_LUMA (
        channel->kr, channel->kg, channel->kb, samples[0][i], samples[1][i], samples[2][i]);
}

void
gst_gles_cpu_rows_read (const GstGlesCpuRows *rows, guint x, guint y, guint n, guint16 *values)
{
  const GstGlesCpuChannel *channel = rows->channel;
  const GstGlesComponent *c = channel->component;
  const GstGlesCpuSampleRun run = { x, y, n };

  g_assert (n <= GST_GLES_CPU_ROWS_CHUNK);
  if (!channel->matrix) {
    read_component (c, sample_address (channel, 0, x, y), n, values);
  } else if (!is_byte (&c[0]) || !is_byte (&c[1]) || !is_byte (&c[2]) || c[0].step != c[1].step ||
      c[0].step != c[2].step) {
    read_luma (rows, x, y, n, values);
  } else if (c->step == 1) {
    read_luma_8 (channel, run, values, 1);
  } else if (c->step == 4) {
    read_luma_8 (channel, run, values, 4);
  } else {
    read_luma_8 (channel, run, values, c->step);
  }
}

void
gst_gles_cpu_rows_read_8_bits (const GstGlesCpuRows *rows, guint y, guint n, guint8 *bytes)
{
  const guint depth = rows->channel->depth;
  guint16 values[GST_GLES_CPU_ROWS_CHUNK];

  for (guint x = 0; x < n; x += GST_GLES_CPU_ROWS_CHUNK) {
    const guint n_read = MIN (n - x, GST_GLES_CPU_ROWS_CHUNK);

    gst_gles_cpu_rows_read (rows, x, y, n_read, values);
    for (guint i = 0; i < n_read; i++) {
      const guint value = values[i];

      bytes[x + i] = (guint8) (depth >= 8 ? value >> (depth - 8)
                                          : GST_GLES_SCALE_TO_8 (value, (1u << depth) - 1));
    }
  }
}

static void
count_read (const GstGlesCpuRows *rows, guint x, guint y, guint n, guint32 *tables)
{
  guint16 values[GST_GLES_CPU_ROWS_CHUNK];
  guint32 *spread[4];

  spread_tables (tables, rows->channel->depth, rows->n_tables, spread);
  while (n > 0) {
    guint n_read = MIN (n, GST_GLES_CPU_ROWS_CHUNK);

    gst_gles_cpu_rows_read (rows, x, y, n_read, values);
    count_dense_16 ((const guint8 *) values, n_read, spread, (Bits){ FALSE, 0, 0xffff });
    x += n_read;
    n -= n_read;
  }
}

void
gst_gles_cpu_rows_init (GstGlesCpuRows *rows, const GstGlesCpuChannel *channel)
{
  const GstGlesComponent *c = channel->component;

  rows->channel = channel;
  rows->n_tables = n_tables_16 (channel->depth);
  if (channel->matrix) {
    rows->count = count_read;
  } else if (is_byte (c)) {
    rows->count = count_8;
    rows->n_tables = GST_GLES_CPU_BYTE_TABLES;
  } else if (c->word_bytes == 2) {
    rows->count = count_16;
  } else {
    rows->count = count_read;
  }
  for (guint i = 0; channel->matrix && i < 3; i++) {
    guint max = (1u << c[i].depth) - 1;

    /* Only formats of up to 8 bits mix depths. */
    g_assert (c[i].depth == channel->depth || (channel->depth == 8 && c[i].depth < 8));
    for (guint v = 0; c[i].depth != channel->depth && v <= max; v++)
      rows->scale[i][v] = (guint8) GST_GLES_SCALE_TO_8 (v, max);
  }
}

gboolean
gst_gles_cpu_rows_are_one_stream (const GstGlesCpuChannel *channel, guint n)
{
  for (guint i = 0; i < (channel->matrix ? 3 : 1); i++) {
    const GstGlesComponent *c = &channel->component[i];

    if (n != c->width || (guint64) c->step * n != c->stride)
      return FALSE;
  }
  return TRUE;
}

/* ---- tables ---- */

void
gst_gles_cpu_add_counts (guint32 *restrict sums, const guint32 *restrict counts, guint n)
{
  guint i = 0;

  for (; i + 4 <= n; i += 4)
    gst_gles_u32x4_store (
        sums + i, gst_gles_u32x4_load (sums + i) + gst_gles_u32x4_load (counts + i));
  for (; i < n; i++)
    sums[i] += counts[i];
}
