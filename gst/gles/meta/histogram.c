/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/histogram-private.h>

#include <string.h>

/* The words of a GstGlesFlash, and the most samples, whose sums fit a word. */
#define FLASH_N_WORDS 8
#define FLASH_MAX_SAMPLES 65536

/* The words of a GstGlesCrop. */
#define CROP_N_WORDS 4

/* Those of repeated rows and outliers. */
#define OUTLIERS_N_WORDS 4

/* The sums of a channel that gst_gles_histogram_result_new() takes. */
#define N_SUMS 3

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
  g_clear_pointer (&result->boxes, g_bytes_unref);
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
  if (info->flash_offset != 0)
    end = MAX (end, info->flash_offset + (guint64) FLASH_N_WORDS);
  if (info->crop_offset != 0)
    end = MAX (end, info->crop_offset + (guint64) CROP_N_WORDS);
  if (info->outliers_offset != 0)
    end = MAX (end, info->outliers_offset + (guint64) OUTLIERS_N_WORDS);
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

/* Whether a region can have these words of a GstGlesFlash. */
static gboolean
check_flash (const guint32 *words)
{
  const guint64 most = words[4] * G_GUINT64_CONSTANT (65535);

  return words[4] >= 1 && words[4] <= FLASH_MAX_SAMPLES && words[0] <= most && words[1] <= most &&
      words[2] <= words[4] && words[3] <= words[4];
}

/* Whether @n rows or columns can have these words of a GstGlesCrop. */
static gboolean
check_edges (const guint32 *words, guint n)
{
  return words[0] <= n && words[1] <= n && (words[0] == 0) == (words[1] == 0) &&
      (words[0] == 0 || n - words[0] < words[1]);
}

gboolean
gst_gles_histogram_info_check (const GstGlesHistogramInfo *info, const guint32 *words)
{
  for (guint i = 0; i < info->n_channels; i++) {
    const GstGlesHistogramChannelInfo *channel = &info->channels[i];
    guint64 sum = 0;

    for (guint value = 0; value < 1u << channel->depth; value++)
      sum += words[channel->native_offset + (gsize) value];
    if (sum >= GST_GLES_HISTOGRAM_MAX_SAMPLES ||
        channel->n_samples >= GST_GLES_HISTOGRAM_MAX_SAMPLES ||
        words[channel->difference_offset] > 2 * sum ||
        !check_sum (words, channel->emd_offset, sum, channel->depth) ||
        !check_sum (words, channel->mad_offset, sum, channel->depth) ||
        (channel->mad_offset != 0 &&
            !check_sum (words, channel->mad_offset + 2, sum, channel->depth)))
      return FALSE;
  }
  return (info->overview_offset == 0 || gst_gles_overview_check (info, words)) &&
      (info->flash_offset == 0 || check_flash (words + info->flash_offset)) &&
      (info->crop_offset == 0 ||
          (check_edges (words + info->crop_offset, info->region_height) &&
              check_edges (words + info->crop_offset + 2, info->region_width))) &&
      (info->outliers_offset == 0 ||
          (words[info->outliers_offset] <= info->region_height &&
              words[info->outliers_offset + (gsize) 1] <=
                  (guint64) info->region_width * info->region_height));
}

/* ---- making a result ---- */

GstGlesHistogramResult *
gst_gles_histogram_result_new_queued (const GstGlesHistogramInfo *info, GstGlesReadback *readback,
    GstGlesBuffer *counts, const GstGlesHistogramBoxes *boxes)
{
  const GstGlesResultArray arrays[2] = {
    { "counters", .fixed_bytes = gst_gles_histogram_info_get_n_words (info) * sizeof (guint32),
        .readback = readback, .buffer = counts },
    { "counters of boxes", .fixed_bytes = gst_gles_histogram_info_get_box_bytes (info),
        .readback = boxes != NULL ? boxes->readback : NULL,
        .buffer = boxes != NULL ? boxes->counts : NULL },
  };
  GstGlesHistogramResult *result;

  g_return_val_if_fail (
      info->n_channels >= 1 && info->n_channels <= GST_GLES_HISTOGRAM_MAX_CHANNELS, NULL);
  g_return_val_if_fail (info->columns >= 1 && info->rows >= 1, NULL);
  g_return_val_if_fail (info->bins >= 2 && info->bins <= 65536, NULL);
  g_return_val_if_fail (info->n_boxes == 0 || boxes != NULL, NULL);

  result = gst_gles_result_new (
      &(GstGlesResultType){ sizeof *result, GST_TYPE_GLES_HISTOGRAM_RESULT, result_free }, arrays,
      info->n_boxes > 0 ? 2 : 1, NULL);
  gst_gles_result_set_info (result, &result->info, info, sizeof *info);
  if (info->n_boxes > 0)
    result->boxes = g_bytes_ref (boxes->boxes);
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
  return gst_gles_histogram_result_new_queued (&info, readback, NULL, NULL);
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

const guint32 *
gst_gles_histogram_result_peek_words (GstGlesHistogramResult *result, guint offset, GError **error)
{
  if (!gst_gles_histogram_result_wait (result, G_MAXUINT64, error) || offset == 0)
    return NULL;
  return words_of (result) + offset;
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
  gst_gles_histogram_statistics_compute (
      words + info->native_offset, 1u << info->depth, statistics);
  if (statistics->count == 0)
    return;
  statistics->difference =
      (gdouble) words[info->difference_offset] / (2.0 * (gdouble) statistics->count);
  if (info->emd_offset != 0)
    statistics->emd = get_sum (words + info->emd_offset) / (gdouble) statistics->count;
  if (info->mad_offset != 0) {
    statistics->mad = get_sum (words + info->mad_offset) / (gdouble) statistics->count;
    statistics->mad_previous = get_sum (words + info->mad_offset + 2) / (gdouble) statistics->count;
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
