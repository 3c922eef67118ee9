/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/histogram-info.h>

#include <math.h>
#include <string.h>

#include <gst/gles/meta/result.h>

/* Samples of a channel: sums of squares of code values fit 64 bits, see get_variance(). */
#define MAX_SAMPLES (G_GUINT64_CONSTANT (1) << 31)

/* The sums of a channel that gst_gles_histogram_result_new() takes. */
#define N_SUMS 3

struct _GstGlesHistogramResult {
  GstGlesResultBase base;
  GstGlesHistogramInfo info;

  /* derived on first use, under the lock of the base */
  guint32 *rebinned[GST_GLES_HISTOGRAM_MAX_CHANNELS];
  GstGlesHistogramStatistics statistics[GST_GLES_HISTOGRAM_MAX_CHANNELS];
  gboolean has_statistics[GST_GLES_HISTOGRAM_MAX_CHANNELS];
  GstGlesOverview *overview;
};

GST_GLES_DEFINE_RESULT (Histogram, histogram)

static GstGlesHistogramStatistics *
gst_gles_histogram_statistics_copy (const GstGlesHistogramStatistics *statistics)
{
  return g_memdup2 (statistics, sizeof *statistics);
}

static void
gst_gles_histogram_statistics_free (GstGlesHistogramStatistics *statistics)
{
  g_free (statistics);
}

G_DEFINE_BOXED_TYPE (GstGlesHistogramStatistics, gst_gles_histogram_statistics,
    gst_gles_histogram_statistics_copy, gst_gles_histogram_statistics_free)

static void
result_free (GstMiniObject *object)
{
  GstGlesHistogramResult *result = (GstGlesHistogramResult *) object;

  for (guint i = 0; i < G_N_ELEMENTS (result->rebinned); i++)
    g_free (result->rebinned[i]);
  for (guint i = 0; i < result->info.n_channels; i++)
    g_free ((gchar *) result->info.channels[i].name);
  g_free (result->overview);
  gst_gles_result_free (result);
}

static guint64
n_cells (const GstGlesHistogramInfo *info)
{
  return (guint64) info->columns * info->rows;
}

guint64
gst_gles_histogram_info_get_n_words (const GstGlesHistogramInfo *info)
{
  guint64 end = 0;

  if (info->overview_offset != 0)
    end = info->overview_offset + (guint64) GST_GLES_OVERVIEW_N_WORDS;
  for (guint i = 0; i < info->n_channels; i++) {
    const GstGlesHistogramChannelInfo *channel = &info->channels[i];

    end = MAX (end, channel->native_offset + (G_GUINT64_CONSTANT (1) << channel->depth));
    end = MAX (end, channel->difference_offset + G_GUINT64_CONSTANT (1));
    if (channel->emd_offset != 0)
      end = MAX (end, channel->emd_offset + G_GUINT64_CONSTANT (2));
    if (channel->mad_offset != 0)
      end = MAX (end, channel->mad_offset + G_GUINT64_CONSTANT (4));
    if (n_cells (info) > 1)
      end = MAX (end, channel->cells_offset + n_cells (info) * info->bins);
  }
  return end;
}

/* Whether a sum of 64 bits at @offset, 0 for none, is that of @n_samples distances of code
 * values. */
static gboolean
check_sum (const guint32 *words, guint offset, guint64 n_samples, guint depth)
{
  return offset == 0 ||
      ((guint64) words[offset + (gsize) 1] << 32 | words[offset]) <=
      n_samples * ((1u << depth) - 1);
}

gboolean
gst_gles_histogram_info_check (const GstGlesHistogramInfo *info, const guint32 *words)
{
  for (guint i = 0; i < info->n_channels; i++) {
    const GstGlesHistogramChannelInfo *channel = &info->channels[i];
    guint64 sum = 0;

    for (guint value = 0; value < 1u << channel->depth; value++)
      sum += words[channel->native_offset + (gsize) value];
    if (sum >= MAX_SAMPLES || channel->n_samples >= MAX_SAMPLES ||
        words[channel->difference_offset] > 2 * sum ||
        !check_sum (words, channel->emd_offset, sum, channel->depth) ||
        !check_sum (words, channel->mad_offset, sum, channel->depth) ||
        (channel->mad_offset != 0 &&
            !check_sum (words, channel->mad_offset + 2, sum, channel->depth)))
      return FALSE;
  }
  return info->overview_offset == 0 || gst_gles_overview_check (info, words);
}

/* ---- making a result ---- */

GstGlesHistogramResult *
gst_gles_histogram_result_new_queued (
    const GstGlesHistogramInfo *info, GstGlesReadback *readback, GstGlesBuffer *counts)
{
  const GstGlesResultArray array = { "counters",
    .fixed_bytes = gst_gles_histogram_info_get_n_words (info) * sizeof (guint32),
    .readback = readback, .buffer = counts };
  GstGlesHistogramResult *result;

  g_return_val_if_fail (
      info->n_channels >= 1 && info->n_channels <= GST_GLES_HISTOGRAM_MAX_CHANNELS, NULL);
  g_return_val_if_fail (info->columns >= 1 && info->rows >= 1, NULL);
  g_return_val_if_fail (info->bins >= 2 && info->bins <= 65536, NULL);

  result = gst_gles_result_new (
      sizeof *result, GST_TYPE_GLES_HISTOGRAM_RESULT, result_free, &array, 1, NULL);
  gst_gles_result_set_info (result, &result->info, info, sizeof *info);
  /* Not interned, which is for ever: names may come from other processes. */
  for (guint i = 0; i < info->n_channels; i++)
    result->info.channels[i].name = g_strdup (info->channels[i].name);
  return result;
}

/* Sets the members of @channel for counters from word @at on, behind which its sums lie; returns
 * the next free word. */
static guint
lay_out (GstGlesHistogramChannelInfo *channel, const gchar *name, guint depth, guint at)
{
  const guint sums = at + (1u << depth);

  *channel = (GstGlesHistogramChannelInfo){ name, 0, depth, at, sums, 0, sums + 2, sums + 4 };
  return sums + 2 * (N_SUMS + 1);
}

/* Copies the counters and the sums (nullable) of @channel to @words, from where they may lie at any
 * address, and counts its samples. Returns FALSE when the sum of differences of counters, which is
 * a word, is larger. */
static gboolean
fill (
    GstGlesHistogramChannelInfo *channel, gconstpointer counts, gconstpointer sums, guint32 *words)
{
  const guint n = 1u << channel->depth;

  memcpy (words + channel->native_offset, counts, n * sizeof *words);
  for (guint value = 0; value < n; value++)
    channel->n_samples += words[channel->native_offset + value];
  if (sums != NULL) {
    memcpy (words + channel->difference_offset, sums, N_SUMS * sizeof (guint64));
    /* the caller's reference is the frame before */
    memcpy (words + channel->mad_offset + 2, words + channel->mad_offset, sizeof (guint64));
  }
  return words[channel->difference_offset + 1] == 0;
}

GstGlesHistogramResult *
gst_gles_histogram_result_new (const GstGlesFrameInfo *frame, const gchar *const *names,
    const guint *depths, guint n_channels, GBytes *counts, GBytes *sums, GError **error)
{
  GstGlesHistogramInfo info = { .columns = 1, .rows = 1, .n_channels = n_channels };
  g_autoptr (GstGlesReadback) readback = NULL;
  g_autofree guint32 *words = NULL;
  const guint8 *source, *sum;
  gsize n_words = 0, n_counts = 0;
  gboolean possible = TRUE;

  g_return_val_if_fail (frame != NULL && counts != NULL, NULL);
  g_return_val_if_fail (n_channels >= 1 && n_channels <= GST_GLES_HISTOGRAM_MAX_CHANNELS, NULL);
  for (guint i = 0; i < n_channels; i++) {
    g_return_val_if_fail (names[i] != NULL && depths[i] >= 1 && depths[i] <= 16, NULL);
    n_words = lay_out (&info.channels[i], names[i], depths[i], n_words);
    n_counts += (gsize) 1 << depths[i];
  }
  if (g_bytes_get_size (counts) != n_counts * sizeof (guint32) ||
      (sums != NULL && g_bytes_get_size (sums) != n_channels * N_SUMS * sizeof (guint64))) {
    gst_gles_result_refuse (error,
        "%u channels of these depths have %" G_GSIZE_FORMAT
        " counters of 4 bytes, and %u sums of 8",
        n_channels, n_counts, n_channels * N_SUMS);
    return NULL;
  }
  info.frame = *frame;
  info.region_width = frame->width;
  info.region_height = frame->height;
  info.bins = 1u << depths[0];
  info.luma = n_channels == 1 && g_str_equal (names[0], "luma");
  words = g_new0 (guint32, n_words);
  source = g_bytes_get_data (counts, NULL);
  sum = sums != NULL ? g_bytes_get_data (sums, NULL) : NULL;
  for (guint i = 0; i < n_channels; i++) {
    possible = fill (&info.channels[i], source, sum, words) && possible;
    source += sizeof *words << depths[i];
    sum = sum != NULL ? sum + N_SUMS * sizeof (guint64) : NULL;
  }
  if (!possible || !gst_gles_histogram_info_check (&info, words)) {
    gst_gles_result_refuse (error,
        "the counters of frame %" G_GUINT64_FORMAT " count more samples, or greater differences of "
        "them, than a picture has",
        frame->number);
    return NULL;
  }
  readback = gst_gles_readback_new_complete (
      g_bytes_new_take (g_steal_pointer (&words), n_words * sizeof (guint32)));
  return gst_gles_histogram_result_new_queued (&info, readback, NULL);
}

GstGlesBuffer *
gst_gles_histogram_result_get_device_buffer (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return gst_gles_result_get_buffer (result, 0);
}

/* ---- counters ---- */

static const guint32 *
words_of (GstGlesHistogramResult *result)
{
  return result->base.arrays[0].data;
}

static const guint32 *
native_counts (GstGlesHistogramResult *result, guint channel)
{
  return words_of (result) + result->info.channels[channel].native_offset;
}

/* The device counts into `bins` only when there is a grid: with one cell it follows exactly. */
static const guint32 *
rebinned_counts (GstGlesHistogramResult *result, guint channel)
{
  const guint bins = result->info.bins;
  const guint depth = result->info.channels[channel].depth;
  const guint32 *native = native_counts (result, channel);

  if (bins == 1u << depth)
    return native;

  g_mutex_lock (&result->base.lock);
  if (result->rebinned[channel] == NULL) {
    guint32 *counts = g_new0 (guint32, bins);

    for (guint64 value = 0; value < 1u << depth; value++)
      counts[value * bins >> depth] += native[value];
    result->rebinned[channel] = counts;
  }
  g_mutex_unlock (&result->base.lock);
  return result->rebinned[channel];
}

/* All cells of a channel. */
static const guint32 *
channel_counts (GstGlesHistogramResult *result, guint channel)
{
  if (n_cells (&result->info) == 1)
    return rebinned_counts (result, channel);
  return words_of (result) + result->info.channels[channel].cells_offset;
}

const guint32 *
gst_gles_histogram_result_get_counts (
    GstGlesHistogramResult *result, guint channel, guint cell, guint *n, GError **error)
{
  g_return_val_if_fail (n != NULL, NULL);
  *n = 0;
  g_return_val_if_fail (result != NULL, NULL);
  g_return_val_if_fail (channel < result->info.n_channels, NULL);
  g_return_val_if_fail (cell < n_cells (&result->info), NULL);

  if (!gst_gles_histogram_result_wait (result, G_MAXUINT64, error))
    return NULL;
  *n = result->info.bins;
  return channel_counts (result, channel) + (gsize) cell * result->info.bins;
}

GBytes *
gst_gles_histogram_result_get_counts_bytes (GstGlesHistogramResult *result, GError **error)
{
  const guint32 *counts[GST_GLES_HISTOGRAM_MAX_CHANNELS];
  gboolean adjacent = TRUE;
  guint32 *copy;
  gsize n;

  g_return_val_if_fail (result != NULL, NULL);

  if (!gst_gles_histogram_result_wait (result, G_MAXUINT64, error))
    return NULL;
  n = n_cells (&result->info) * result->info.bins;
  for (guint i = 0; i < result->info.n_channels; i++) {
    counts[i] = channel_counts (result, i);
    adjacent = adjacent && counts[i] == counts[0] + i * n;
  }
  if (adjacent)
    return gst_gles_result_get_bytes (
        result, counts[0], result->info.n_channels * n * sizeof *copy);
  copy = g_new (guint32, result->info.n_channels * n);
  for (guint i = 0; i < result->info.n_channels; i++)
    memcpy (copy + i * n, counts[i], n * sizeof *copy);
  return g_bytes_new_take (copy, result->info.n_channels * n * sizeof *copy);
}

const guint32 *
gst_gles_histogram_result_get_native_counts (
    GstGlesHistogramResult *result, guint channel, guint *n, GError **error)
{
  g_return_val_if_fail (n != NULL, NULL);
  *n = 0;
  g_return_val_if_fail (result != NULL, NULL);
  g_return_val_if_fail (channel < result->info.n_channels, NULL);

  if (!gst_gles_histogram_result_wait (result, G_MAXUINT64, error))
    return NULL;
  *n = 1u << result->info.channels[channel].depth;
  return native_counts (result, channel);
}

GBytes *
gst_gles_histogram_result_get_native_counts_bytes (
    GstGlesHistogramResult *result, guint channel, GError **error)
{
  const guint32 *counts;
  guint n;

  counts = gst_gles_histogram_result_get_native_counts (result, channel, &n, error);
  return counts != NULL ? gst_gles_result_get_bytes (result, counts, n * sizeof *counts) : NULL;
}

/* ---- statistics ---- */

/* Sums over the samples: integers as far as they go, so that no order of summation matters. */
typedef struct {
  guint64 count;
  guint64 sum;
  guint min, max;
} Moments;

static Moments
get_moments (const guint32 *counts, guint n)
{
  Moments moments = { 0, 0, 0, 0 };

  for (guint value = 0; value < n; value++) {
    if (counts[value] == 0)
      continue;
    if (moments.count == 0)
      moments.min = value;
    moments.max = value;
    moments.count += counts[value];
    moments.sum += (guint64) counts[value] * value;
  }
  return moments;
}

/* Variance, to a few units in the last place. With values counted from q = floor (mean), r the sum
 * of the differences (0 <= r < count) and S that of their squares, the variance is
 * (S - r * r / count) / count. S fits 64 bits (count < 2^31, differences < 2^16); r * r / count is
 * split into quotient and remainder so that nothing is lost where both terms nearly cancel. */
static gdouble
get_variance (const guint32 *counts, const Moments *moments)
{
  const guint64 count = moments->count;
  const gint64 mean = (gint64) (moments->sum / count);
  const guint64 r = moments->sum % count;
  guint64 squares = 0;

  for (guint value = moments->min; value <= moments->max; value++) {
    const gint64 difference = (gint64) value - mean;

    squares += (guint64) (difference * difference) * counts[value];
  }
  return ((gdouble) (squares - r * r / count) - (gdouble) (r * r % count) / (gdouble) count) /
      (gdouble) count;
}

static gdouble
get_entropy (const guint32 *counts, const Moments *moments)
{
  gdouble entropy = 0.0;

  for (guint value = moments->min; value <= moments->max; value++) {
    if (counts[value] != 0) {
      const gdouble share = (gdouble) counts[value] / (gdouble) moments->count;

      entropy -= share * log2 (share);
    }
  }
  return entropy;
}

/* Nearest rank: the value of sample number ceil (count * percent / 100) in ascending order. */
static void
get_percentiles (const guint32 *counts, guint64 count, GstGlesHistogramStatistics *statistics)
{
  const struct {
    guint percent;
    guint *target;
  } percentiles[] = { { 1, &statistics->p1 }, { 5, &statistics->p5 }, { 10, &statistics->p10 },
    { 50, &statistics->p50 }, { 90, &statistics->p90 }, { 95, &statistics->p95 },
    { 99, &statistics->p99 } };
  guint64 below = counts[0];
  guint value = 0;

  for (guint i = 0; i < G_N_ELEMENTS (percentiles); i++) {
    const guint64 rank = (count * percentiles[i].percent + 99) / 100;

    while (below < rank)
      below += counts[++value];
    *percentiles[i].target = value;
  }
}

/* A sum of 64 bits, the lower word first. */
static gdouble
get_sum (const guint32 *words)
{
  return (gdouble) ((guint64) words[1] << 32 | words[0]);
}

static void
compute_statistics (const guint32 *words, const GstGlesHistogramChannelInfo *info,
    GstGlesHistogramStatistics *statistics)
{
  const guint32 *counts = words + info->native_offset;
  const Moments moments = get_moments (counts, 1u << info->depth);

  memset (statistics, 0, sizeof *statistics);
  if (moments.count == 0)
    return;
  statistics->count = moments.count;
  statistics->min = moments.min;
  statistics->max = moments.max;
  statistics->mean = (gdouble) moments.sum / (gdouble) moments.count;
  statistics->stddev = sqrt (get_variance (counts, &moments));
  statistics->entropy = get_entropy (counts, &moments);
  get_percentiles (counts, moments.count, statistics);
  statistics->difference =
      (gdouble) words[info->difference_offset] / (2.0 * (gdouble) moments.count);
  if (info->emd_offset != 0)
    statistics->emd = get_sum (words + info->emd_offset) / (gdouble) moments.count;
  if (info->mad_offset != 0) {
    statistics->mad = get_sum (words + info->mad_offset) / (gdouble) moments.count;
    statistics->mad_previous = get_sum (words + info->mad_offset + 2) / (gdouble) moments.count;
  }
}

gboolean
gst_gles_histogram_result_get_statistics (GstGlesHistogramResult *result, guint channel,
    GstGlesHistogramStatistics *statistics, GError **error)
{
  const GstGlesHistogramChannelInfo *info;

  g_return_val_if_fail (result != NULL, FALSE);
  g_return_val_if_fail (channel < result->info.n_channels, FALSE);
  g_return_val_if_fail (statistics != NULL, FALSE);

  if (!gst_gles_histogram_result_wait (result, G_MAXUINT64, error))
    return FALSE;

  info = &result->info.channels[channel];
  g_mutex_lock (&result->base.lock);
  if (!result->has_statistics[channel]) {
    compute_statistics (words_of (result), info, &result->statistics[channel]);
    result->has_statistics[channel] = TRUE;
  }
  *statistics = result->statistics[channel];
  g_mutex_unlock (&result->base.lock);
  return TRUE;
}

/* ---- the overview ---- */

const GstGlesOverview *
gst_gles_histogram_result_get_overview (GstGlesHistogramResult *result, GError **error)
{
  g_return_val_if_fail (result != NULL, NULL);

  if (!gst_gles_histogram_result_wait (result, G_MAXUINT64, error) ||
      result->info.overview_offset == 0)
    return NULL;
  g_mutex_lock (&result->base.lock);
  if (result->overview == NULL) {
    result->overview = g_new (GstGlesOverview, 1);
    gst_gles_overview_read (&result->info, words_of (result), result->overview);
  }
  g_mutex_unlock (&result->base.lock);
  return result->overview;
}

GBytes *
gst_gles_histogram_result_get_overview_bytes (GstGlesHistogramResult *result, GError **error)
{
  const GstGlesOverview *overview = gst_gles_histogram_result_get_overview (result, error);

  return overview != NULL ? gst_gles_result_get_bytes (result, overview, sizeof *overview) : NULL;
}

/* ---- what was analysed ---- */

guint
gst_gles_histogram_result_get_n_channels (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, 0);

  return result->info.n_channels;
}

const gchar *
gst_gles_histogram_result_get_channel_name (GstGlesHistogramResult *result, guint channel)
{
  g_return_val_if_fail (result != NULL, NULL);
  g_return_val_if_fail (channel < result->info.n_channels, NULL);

  return result->info.channels[channel].name;
}

guint
gst_gles_histogram_result_get_channel_depth (GstGlesHistogramResult *result, guint channel)
{
  g_return_val_if_fail (result != NULL, 0);
  g_return_val_if_fail (channel < result->info.n_channels, 0);

  return result->info.channels[channel].depth;
}

gboolean
gst_gles_histogram_result_has_mad (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, FALSE);

  return result->info.channels[0].mad_offset != 0;
}

gboolean
gst_gles_histogram_result_has_emd (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, FALSE);

  return result->info.channels[0].emd_offset != 0;
}
