/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/histogram.h>

#include <math.h>
#include <string.h>

#include <gst/gles/gl/readback.h>
#include <gst/gles/meta/histogram-private.h>
#include <gst/gles/meta/result-private.h>

struct _GstGlesHistogramResult {
  GstMiniObject parent;

  GstGlesHistogramInfo info;
  GstGlesReadback *readback; /* nullable */
  GstGlesBuffer *buffer;     /* nullable */
  gsize n_words;             /* what the offsets of info reach */

  const guint32 *words; /* atomic; NULL until the readback was there; owned by it */

  GMutex lock; /* of what is derived from words, on first use */
  guint32 *rebinned[GST_GLES_HISTOGRAM_MAX_CHANNELS];
  GstGlesHistogramStatistics statistics[GST_GLES_HISTOGRAM_MAX_CHANNELS];
  gboolean has_statistics[GST_GLES_HISTOGRAM_MAX_CHANNELS];
};

GST_DEFINE_MINI_OBJECT_TYPE (GstGlesHistogramResult, gst_gles_histogram_result);

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
  g_mutex_clear (&result->lock);
  g_clear_pointer (&result->buffer, gst_gles_buffer_unref);
  g_clear_pointer (&result->readback, gst_gles_readback_unref);
  gst_gles_origin_unref (result->info.origin);
  for (guint i = 0; i < result->info.n_channels; i++)
    g_free ((gchar *) result->info.channels[i].name);
  g_free (result);
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

  for (guint i = 0; i < info->n_channels; i++) {
    const GstGlesHistogramChannelInfo *channel = &info->channels[i];

    end = MAX (end, channel->native_offset + (G_GUINT64_CONSTANT (1) << channel->depth));
    end = MAX (end, channel->difference_offset + G_GUINT64_CONSTANT (1));
    if (channel->emd_offset != 0)
      end = MAX (end, channel->emd_offset + G_GUINT64_CONSTANT (2));
    if (channel->mad_offset != 0)
      end = MAX (end, channel->mad_offset + G_GUINT64_CONSTANT (2));
    if (n_cells (info) > 1)
      end = MAX (end, channel->cells_offset + n_cells (info) * info->bins);
  }
  return end;
}

GstGlesHistogramResult *
gst_gles_histogram_result_new (
    const GstGlesHistogramInfo *info, GstGlesReadback *readback, GstGlesBuffer *counts)
{
  GstGlesHistogramResult *result;

  g_return_val_if_fail (info != NULL, NULL);
  g_return_val_if_fail (
      info->n_channels >= 1 && info->n_channels <= GST_GLES_HISTOGRAM_MAX_CHANNELS, NULL);
  g_return_val_if_fail (info->columns >= 1 && info->rows >= 1, NULL);
  g_return_val_if_fail (info->bins >= 2 && info->bins <= 65536, NULL);
  for (guint i = 0; i < info->n_channels; i++) {
    g_return_val_if_fail (info->channels[i].name != NULL, NULL);
    g_return_val_if_fail (info->channels[i].depth >= 1 && info->channels[i].depth <= 16, NULL);
  }

  result = g_new0 (GstGlesHistogramResult, 1);
  gst_mini_object_init (
      GST_MINI_OBJECT_CAST (result), 0, GST_TYPE_GLES_HISTOGRAM_RESULT, NULL, NULL, result_free);
  g_mutex_init (&result->lock);
  result->info = *info;
  if (info->origin != NULL)
    gst_gles_origin_ref (info->origin);
  /* Not interned, which is for ever: names may come from other processes. */
  for (guint i = 0; i < info->n_channels; i++)
    result->info.channels[i].name = g_strdup (info->channels[i].name);
  result->n_words = gst_gles_histogram_info_get_n_words (info);
  if (readback != NULL)
    result->readback = gst_gles_readback_ref (readback);
  if (counts != NULL)
    result->buffer = gst_gles_buffer_ref (counts);
  return result;
}

GstGlesHistogramResult *
gst_gles_histogram_result_ref (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return (GstGlesHistogramResult *) gst_mini_object_ref (GST_MINI_OBJECT_CAST (result));
}

void
gst_gles_histogram_result_unref (GstGlesHistogramResult *result)
{
  if (result != NULL)
    gst_mini_object_unref (GST_MINI_OBJECT_CAST (result));
}

const GstGlesHistogramInfo *
gst_gles_histogram_result_get_info (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return &result->info;
}

/* ---- waiting ---- */

gboolean
gst_gles_histogram_result_is_ready (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, FALSE);

  return g_atomic_pointer_get (&result->words) != NULL ||
      (result->readback != NULL && gst_gles_readback_is_ready (result->readback));
}

gboolean
gst_gles_histogram_result_wait (GstGlesHistogramResult *result, guint64 timeout_ns, GError **error)
{
  gconstpointer words;
  gsize size_bytes = 0;

  g_return_val_if_fail (result != NULL, FALSE);

  if (g_atomic_pointer_get (&result->words) != NULL)
    return TRUE;

  words = gst_gles_result_wait (
      result->readback, "counters", result->info.frame, timeout_ns, &size_bytes, error);
  if (words == NULL)
    return FALSE;
  if (size_bytes / sizeof (guint32) < result->n_words) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
        "Frame %" G_GUINT64_FORMAT " came back with %" G_GSIZE_FORMAT
        " bytes of counters where %" G_GSIZE_FORMAT " belong",
        result->info.frame, size_bytes, result->n_words * sizeof (guint32));
    return FALSE;
  }
  /* Every thread that gets here has the same pointer. Written once, so that who saw it reads it
   * without a lock. */
  g_mutex_lock (&result->lock);
  if (result->words == NULL)
    g_atomic_pointer_set (&result->words, words);
  g_mutex_unlock (&result->lock);
  return TRUE;
}

/* ---- counters ---- */

static const guint32 *
native_counts (GstGlesHistogramResult *result, guint channel)
{
  return result->words + result->info.channels[channel].native_offset;
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

  g_mutex_lock (&result->lock);
  if (result->rebinned[channel] == NULL) {
    guint32 *counts = g_new0 (guint32, bins);

    for (guint64 value = 0; value < 1u << depth; value++)
      counts[value * bins >> depth] += native[value];
    result->rebinned[channel] = counts;
  }
  g_mutex_unlock (&result->lock);
  return result->rebinned[channel];
}

/* All cells of a channel. */
static const guint32 *
channel_counts (GstGlesHistogramResult *result, guint channel)
{
  if (n_cells (&result->info) == 1)
    return rebinned_counts (result, channel);
  return result->words + result->info.channels[channel].cells_offset;
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

static GBytes *
bytes_of (GstGlesHistogramResult *result, const guint32 *counts, gsize n)
{
  return g_bytes_new_with_free_func (counts, n * sizeof *counts,
      (GDestroyNotify) gst_gles_histogram_result_unref, gst_gles_histogram_result_ref (result));
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
    return bytes_of (result, counts[0], result->info.n_channels * n);
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
  return counts != NULL ? bytes_of (result, counts, n) : NULL;
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
  if (info->mad_offset != 0)
    statistics->mad = get_sum (words + info->mad_offset) / (gdouble) moments.count;
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
  g_mutex_lock (&result->lock);
  if (!result->has_statistics[channel]) {
    compute_statistics (result->words, info, &result->statistics[channel]);
    result->has_statistics[channel] = TRUE;
  }
  *statistics = result->statistics[channel];
  g_mutex_unlock (&result->lock);
  return TRUE;
}

GstGlesBuffer *
gst_gles_histogram_result_get_device_buffer (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, NULL);

  return result->buffer;
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
gst_gles_histogram_result_is_luma (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, FALSE);

  return result->info.luma;
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

guint
gst_gles_histogram_result_get_bins (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, 0);

  return result->info.bins;
}

static void
set_if_asked (guint *target, guint value)
{
  if (target != NULL)
    *target = value;
}

void
gst_gles_histogram_result_get_grid (GstGlesHistogramResult *result, guint *columns, guint *rows)
{
  g_return_if_fail (result != NULL);

  set_if_asked (columns, result->info.columns);
  set_if_asked (rows, result->info.rows);
}

void
gst_gles_histogram_result_get_region (
    GstGlesHistogramResult *result, guint *x, guint *y, guint *width, guint *height)
{
  g_return_if_fail (result != NULL);

  set_if_asked (x, result->info.x);
  set_if_asked (y, result->info.y);
  set_if_asked (width, result->info.region_width);
  set_if_asked (height, result->info.region_height);
}

void
gst_gles_histogram_result_get_size (GstGlesHistogramResult *result, guint *width, guint *height)
{
  g_return_if_fail (result != NULL);

  set_if_asked (width, result->info.width);
  set_if_asked (height, result->info.height);
}

GstVideoFormat
gst_gles_histogram_result_get_format (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, GST_VIDEO_FORMAT_UNKNOWN);

  return result->info.format;
}

GstVideoColorRange
gst_gles_histogram_result_get_range (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, GST_VIDEO_COLOR_RANGE_UNKNOWN);

  return result->info.range;
}

guint64
gst_gles_histogram_result_get_frame_number (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, 0);

  return result->info.frame;
}

GstClockTime
gst_gles_histogram_result_get_pts (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);

  return result->info.pts;
}

GstClockTime
gst_gles_histogram_result_get_duration (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);

  return result->info.duration;
}

GstClockTime
gst_gles_histogram_result_get_running_time (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);

  return result->info.running_time;
}

GstClockTime
gst_gles_histogram_result_get_stream_time (GstGlesHistogramResult *result)
{
  g_return_val_if_fail (result != NULL, GST_CLOCK_TIME_NONE);

  return result->info.stream_time;
}
