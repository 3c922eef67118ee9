/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loudness, its range and true peaks are those of libebur128. The other measures are sums over
 * single samples: the element level measures 20 ms at a time, has no products of two channels, and
 * loses what it has of an interval when the format changes. */
#include "sound-levels.h"
#include "config.h"

#include <math.h>
#include <string.h>

#if HAVE_EBUR128
#include <ebur128.h>
#endif

#define MAX_CHANNELS 64 /* GStreamer's limit of interleaved sound */

/* What is counted is a number of samples. */
typedef struct {
  gdouble squares, peak; /* the sum of the squares of all samples, the largest amplitude */
  guint64 n_clipped;
  guint64 n_quiet;  /* in a row, until now */
  guint64 n_silent; /* of rows that are long enough for silence */
} Channel;

/* Channels that should be in phase. */
static const struct {
  GstAudioChannelPosition left, right;
} pairs[] = {
  { GST_AUDIO_CHANNEL_POSITION_FRONT_LEFT, GST_AUDIO_CHANNEL_POSITION_FRONT_RIGHT },
  { GST_AUDIO_CHANNEL_POSITION_REAR_LEFT, GST_AUDIO_CHANNEL_POSITION_REAR_RIGHT },
  { GST_AUDIO_CHANNEL_POSITION_SIDE_LEFT, GST_AUDIO_CHANNEL_POSITION_SIDE_RIGHT },
};

typedef struct {
  gint left, right; /* numbers of channels; below 0: there is no such pair */
  gdouble products; /* the sum of the products of their samples */
} Pair;

/* What was measured of the sound of one rate with the same channels. */
typedef struct {
  GstAudioInfo info;
  GstClockTime begin; /* of the first sample, in stream time */
  guint64 n_frames;   /* samples of each channel */
  Channel channels[MAX_CHANNELS];
  Pair pairs[G_N_ELEMENTS (pairs)];
#if HAVE_EBUR128
  ebur128_state *loudness; /* (nullable): the library does not know such a rate */
#endif
} Format;

struct _ReportSoundLevels {
  Report *report;
  GPtrArray *formats; /* of Format, in the order in which they came */
};

/* ---- formats ---- */

static void
format_free (gpointer data)
{
  Format *format = data;

#if HAVE_EBUR128
  if (format->loudness != NULL)
    ebur128_destroy (&format->loudness);
#endif
  g_free (format);
}

/* Returns the number of the channel at @position, or -1. */
static gint
find_channel (const GstAudioInfo *info, GstAudioChannelPosition position)
{
  for (gint i = 0; i < info->channels; i++) {
    if (info->position[i] == position)
      return i;
  }
  return -1;
}

#if HAVE_EBUR128
/* Returns how loudness weighs a channel: as FFmpeg's ebur128, which gives those behind and beside
 * the listener 1.41, and leaves out those of low frequencies. */
static int
weigh_channel (GstAudioChannelPosition position)
{
  switch (position) {
    case GST_AUDIO_CHANNEL_POSITION_LFE1:
    case GST_AUDIO_CHANNEL_POSITION_LFE2:
      return EBUR128_UNUSED;
    case GST_AUDIO_CHANNEL_POSITION_REAR_LEFT:
    case GST_AUDIO_CHANNEL_POSITION_REAR_RIGHT:
    case GST_AUDIO_CHANNEL_POSITION_REAR_CENTER:
    case GST_AUDIO_CHANNEL_POSITION_SIDE_LEFT:
    case GST_AUDIO_CHANNEL_POSITION_SIDE_RIGHT:
    case GST_AUDIO_CHANNEL_POSITION_SURROUND_LEFT:
    case GST_AUDIO_CHANNEL_POSITION_SURROUND_RIGHT:
    case GST_AUDIO_CHANNEL_POSITION_TOP_REAR_LEFT:
    case GST_AUDIO_CHANNEL_POSITION_TOP_REAR_RIGHT:
    case GST_AUDIO_CHANNEL_POSITION_TOP_REAR_CENTER:
      return EBUR128_LEFT_SURROUND;
    default:
      return EBUR128_LEFT;
  }
}

static ebur128_state *
make_loudness (const GstAudioInfo *info)
{
  ebur128_state *state = ebur128_init ((unsigned) info->channels, (unsigned long) info->rate,
      EBUR128_MODE_I | EBUR128_MODE_LRA | EBUR128_MODE_TRUE_PEAK);

  for (gint i = 0; state != NULL && i < info->channels; i++)
    ebur128_set_channel (state, (unsigned) i, weigh_channel (info->position[i]));
  return state;
}
#endif

/* Returns what was measured of the format of @info. A stream that is damaged may change its format
 * with every frame, and then has no more formats than there are. */
static Format *
find_format (ReportSoundLevels *self, const GstAudioInfo *info, GstClockTime time)
{
  Format *format;

  for (guint i = 0; i < self->formats->len; i++) {
    format = g_ptr_array_index (self->formats, i);
    if (format->info.rate == info->rate && format->info.channels == info->channels &&
        memcmp (format->info.position, info->position, sizeof info->position) == 0)
      return format;
  }
  format = g_new0 (Format, 1);
  format->info = *info;
  format->begin = time;
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    format->pairs[i].left = find_channel (info, pairs[i].left);
    format->pairs[i].right = find_channel (info, pairs[i].right);
  }
#if HAVE_EBUR128
  format->loudness = make_loudness (info);
#endif
  g_ptr_array_add (self->formats, format);
  return format;
}

ReportSoundLevels *
report_sound_levels_new (Report *report)
{
  ReportSoundLevels *self = g_new0 (ReportSoundLevels, 1);

  self->report = report;
  self->formats = g_ptr_array_new_with_free_func (format_free);
  return self;
}

void
report_sound_levels_free (ReportSoundLevels *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->formats);
  g_free (self);
}

/* ---- samples ---- */

static void
end_quiet (Channel *channel, gint rate)
{
  if (channel->n_quiet >= gst_util_uint64_scale_int (REPORT_MIN_SILENCE, rate, GST_SECOND))
    channel->n_silent += channel->n_quiet;
  channel->n_quiet = 0;
}

/* @samples: the first of the channel. */
static void
measure_channel (Channel *channel, const GstAudioInfo *info, const gdouble *samples, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    const gdouble sample = samples[i * (gsize) info->channels], size = fabs (sample);

    channel->squares += sample * sample;
    channel->peak = MAX (channel->peak, size);
    channel->n_clipped += size >= REPORT_FULL_SCALE;
    if (size < REPORT_QUIET)
      channel->n_quiet++;
    else if (channel->n_quiet > 0)
      end_quiet (channel, info->rate);
  }
}

static void
measure_pair (Pair *pair, const GstAudioInfo *info, const gdouble *samples, gsize n)
{
  for (gsize i = 0; i < n && pair->left >= 0 && pair->right >= 0; i++) {
    const gdouble *frame = samples + i * (gsize) info->channels;

    pair->products += frame[pair->left] * frame[pair->right];
  }
}

static void
measure (Format *format, const gdouble *samples, gsize n)
{
  for (gint i = 0; i < format->info.channels; i++)
    measure_channel (&format->channels[i], &format->info, samples + i, n);
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    measure_pair (&format->pairs[i], &format->info, samples, n);
#if HAVE_EBUR128
  if (format->loudness != NULL)
    ebur128_add_frames_double (format->loudness, samples, n);
#endif
  format->n_frames += n;
}

/* Sets *@first and *@n to those of *@n samples from @time on that the report covers. */
static void
choose_samples (Report *report, GstClockTime time, gint rate, gsize *first, gsize *n)
{
  GstClockTime start, stop;
  gsize end = *n;

  *first = 0;
  report_get_range (report, &start, &stop);
  if (GST_CLOCK_TIME_IS_VALID (stop) && GST_CLOCK_TIME_IS_VALID (time))
    end = stop > time ? MIN (end, gst_util_uint64_scale_ceil (stop - time, rate, GST_SECOND)) : 0;
  if (GST_CLOCK_TIME_IS_VALID (start) && GST_CLOCK_TIME_IS_VALID (time) && start > time)
    *first = MIN (end, gst_util_uint64_scale_ceil (start - time, rate, GST_SECOND));
  *n = end - *first;
}

static guint64
count_invalid (const gdouble *samples, gsize n)
{
  guint64 n_invalid = 0;

  for (gsize i = 0; i < n; i++)
    n_invalid += !isfinite (samples[i]);
  return n_invalid;
}

guint64
report_sound_levels_add (
    ReportSoundLevels *self, const GstAudioInfo *info, GstBuffer *buffer, GstClockTime time)
{
  const gsize n_channels = (gsize) info->channels;
  g_autofree gdouble *valid = NULL;
  const gdouble *samples;
  guint64 n_invalid;
  gsize first, n;
  GstMapInfo map;

  if (n_channels > MAX_CHANNELS || !gst_buffer_map (buffer, &map, GST_MAP_READ))
    return 0;
  n = map.size / (n_channels * sizeof samples[0]);
  choose_samples (self->report, time, info->rate, &first, &n);
  samples = (const gdouble *) map.data + first * n_channels;
  n_invalid = count_invalid (samples, n * n_channels);
  if (n_invalid > 0) {
    valid = g_memdup2 (samples, n * n_channels * sizeof samples[0]);
    for (gsize i = 0; i < n * n_channels; i++)
      valid[i] = isfinite (valid[i]) ? valid[i] : 0.0;
    samples = valid;
  }
  if (n > 0 && GST_CLOCK_TIME_IS_VALID (time))
    time += gst_util_uint64_scale (first, GST_SECOND, info->rate);
  if (n > 0)
    measure (find_format (self, info, time), samples, n);
  gst_buffer_unmap (buffer, &map);
  return n_invalid;
}

/* ---- lines ---- */

/* A value that is not known, such as the level of silence, is null. */
static void
set_number (JsonObject *object, const gchar *name, gdouble value)
{
  if (isfinite (value))
    json_object_set_double_member (object, name, value);
  else
    json_object_set_null_member (object, name);
}

static void
set_level (JsonObject *object, const gchar *name, gdouble amplitude)
{
  set_number (object, name, 20.0 * log10 (amplitude));
}

static void
set_time (JsonObject *object, const gchar *name, GstClockTime time)
{
  if (GST_CLOCK_TIME_IS_VALID (time))
    json_object_set_int_member (object, name, (gint64) time);
  else
    json_object_set_null_member (object, name);
}

static const gchar *
name_channel (const Format *format, gint channel)
{
  static GEnumClass *positions; /* lives as long as the process */
  const GEnumValue *value;

  if (g_once_init_enter (&positions))
    g_once_init_leave (&positions, g_type_class_ref (GST_TYPE_AUDIO_CHANNEL_POSITION));
  value = g_enum_get_value (positions, format->info.position[channel]);
  return value != NULL ? value->value_nick : "none";
}

/* Adds the measures of libebur128, where it is there. @channel: (nullable): that of the number. */
static void
set_loudness (JsonObject *object, const Format *format, gint number)
{
#if HAVE_EBUR128
  gdouble value, peak = 0.0;
  ebur128_state *state = format->loudness;

  for (gint i = MAX (number, 0); state != NULL && i < format->info.channels; i++) {
    if (ebur128_true_peak (state, (unsigned) i, &value) == EBUR128_SUCCESS)
      peak = MAX (peak, value);
    if (number >= 0)
      break;
  }
  set_level (object, "true_peak", peak);
  if (number >= 0)
    return;
  set_number (object, "integrated",
      state != NULL && ebur128_loudness_global (state, &value) == EBUR128_SUCCESS ? value : NAN);
  set_number (object, "loudness_range",
      state != NULL && ebur128_loudness_range (state, &value) == EBUR128_SUCCESS ? value : NAN);
#endif
}

static JsonArray *
list_channels (Format *format)
{
  JsonArray *array = json_array_new ();

  for (gint i = 0; i < format->info.channels; i++) {
    Channel *channel = &format->channels[i];
    JsonObject *object = json_object_new ();

    end_quiet (channel, format->info.rate);
    json_object_set_string_member (object, "name", name_channel (format, i));
    set_level (object, "peak", channel->peak);
    set_level (object, "rms", sqrt (channel->squares / (gdouble) format->n_frames));
    set_loudness (object, format, i);
    set_time (object, "silence",
        gst_util_uint64_scale (channel->n_silent, GST_SECOND, format->info.rate));
    json_object_set_int_member (object, "clipped", (gint64) channel->n_clipped);
    json_array_add_object_element (array, object);
  }
  return array;
}

static JsonArray *
list_pairs (const Format *format)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    const Pair *pair = &format->pairs[i];
    JsonObject *object;

    if (pair->left < 0 || pair->right < 0)
      continue;
    object = json_object_new ();
    json_object_set_string_member (object, "left", name_channel (format, pair->left));
    json_object_set_string_member (object, "right", name_channel (format, pair->right));
    set_number (object, "phase",
        pair->products / sqrt (format->channels[pair->left].squares) /
            sqrt (format->channels[pair->right].squares));
    json_array_add_object_element (array, object);
  }
  return array;
}

static void
append_format (Report *report, Format *format, const ReportStream *stream)
{
  g_autoptr (JsonNode) root = json_node_new (JSON_NODE_OBJECT);
  JsonObject *line = json_object_new ();
  g_autofree gchar *text = NULL;

  json_node_take_object (root, line);
  json_object_set_string_member (line, "type", "sound");
  json_object_set_int_member (line, "version", 1);
  json_object_set_string_member (line, "stream", stream->name);
  json_object_set_string_member (line, "stream_id", stream->id);
  set_time (line, "stream_time", format->begin);
  set_time (
      line, "duration", gst_util_uint64_scale (format->n_frames, GST_SECOND, format->info.rate));
  json_object_set_int_member (line, "rate", format->info.rate);
  set_loudness (line, format, -1);
  json_object_set_array_member (line, "channels", list_channels (format));
  json_object_set_array_member (line, "pairs", list_pairs (format));
  report_add_sound (report, line);
  text = json_to_string (root, FALSE);
  report_add_line (report, text, strlen (text), FALSE);
}

void
report_sound_levels_append (ReportSoundLevels *self, const ReportStream *stream)
{
  for (guint i = 0; i < self->formats->len; i++)
    append_format (self->report, g_ptr_array_index (self->formats, i), stream);
}
