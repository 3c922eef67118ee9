/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/tracks-info.h>

#include <math.h>

#include <gst/gles/meta/result.h>

struct _GstGlesTracksResult {
  GstGlesResultBase base;
  GstGlesTracksInfo info;
  GStrv labels;
  GBytes *paths; /* NULL: none */
};

GST_GLES_DEFINE_RESULT (Tracks, tracks)

G_DEFINE_BOXED_TYPE (GstGlesTrack, gst_gles_track, gst_gles_track_copy, gst_gles_track_free)

G_STATIC_ASSERT (sizeof (GstGlesTrack) == 80);
G_STATIC_ASSERT (sizeof (GstGlesTrackPosition) == 8);

GType
gst_gles_track_state_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    { GST_GLES_TRACK_NEW, "Seen in too few frames to be sure", "new" },
    { GST_GLES_TRACK_CONFIRMED, "Seen in this frame, and often enough", "confirmed" },
    { GST_GLES_TRACK_LOST, "Confirmed before, and not seen in this frame", "lost" },
    { GST_GLES_TRACK_PREDICTED, "Confirmed before, and this frame was not looked at", "predicted" },
    { 0, NULL, NULL },
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstGlesTrackState", values));
  return type;
}

GstGlesTrack *
gst_gles_track_copy (const GstGlesTrack *track)
{
  g_return_val_if_fail (track != NULL, NULL);
  return g_memdup2 (track, sizeof *track);
}

void
gst_gles_track_free (GstGlesTrack *track)
{
  g_free (track);
}

/* ---- making a result ---- */

static void
result_free (GstMiniObject *object)
{
  GstGlesTracksResult *result = (GstGlesTracksResult *) object;

  g_strfreev (result->labels);
  g_clear_pointer (&result->paths, g_bytes_unref);
  gst_gles_result_free (object);
}

GstGlesTracksResult *
gst_gles_tracks_result_new_complete (const GstGlesTracksInfo *info, const gchar *const *labels,
    GBytes *tracks, GBytes *paths, guint64 total)
{
  const guint32 count = (guint32) (g_bytes_get_size (tracks) / sizeof (GstGlesTrack));
  g_autoptr (GstGlesReadback) readback =
      gst_gles_readback_new_counted (&(GstGlesResult){ total, count, 0 }, g_bytes_ref (tracks));
  const GstGlesResultArray array = { "tracks", .item_bytes = sizeof (GstGlesTrack),
    .readback = readback };
  GstGlesTracksResult *result = gst_gles_result_new (
      &(GstGlesResultType){ sizeof *result, GST_TYPE_GLES_TRACKS_RESULT, result_free }, &array, 1,
      NULL);

  gst_gles_result_set_info (result, &result->info, info, sizeof *info);
  result->labels = g_strdupv ((gchar **) labels);
  result->info.n_labels = g_strv_length (result->labels);
  result->paths = paths != NULL ? g_bytes_ref (paths) : NULL;
  return result;
}

static gboolean
check_track (const GstGlesTracksInfo *info, const GstGlesTrack *track)
{
  const GstGlesFrameInfo *frame = &info->frame;

  return track->id >= 1 && track->label < info->n_labels &&
      (guint) track->state <= GST_GLES_TRACK_PREDICTED && track->width >= 1 && track->height >= 1 &&
      track->x < frame->width && track->width <= frame->width - track->x &&
      track->y < frame->height && track->height <= frame->height - track->y &&
      isfinite (track->velocity_x) && isfinite (track->velocity_y) &&
      isfinite (track->path_length) && track->path_length >= 0;
}

gboolean
gst_gles_tracks_info_check (const GstGlesTracksInfo *info, const GstGlesTrack *tracks, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    if (!check_track (info, &tracks[i]) || (i > 0 && tracks[i].id <= tracks[i - 1].id))
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_gles_tracks_info_check_paths (const GstGlesTracksInfo *info, GBytes *paths, gsize n)
{
  gsize size_bytes;
  const guint32 *ends = g_bytes_get_data (paths, &size_bytes);
  const gfloat *numbers = (const gfloat *) (ends + n + 1);

  if (info->path > GST_GLES_TRACKS_MAX_PATH || size_bytes < (n + 1) * sizeof *ends || ends[0] != 0)
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    if (ends[i + 1] < ends[i] || ends[i + 1] - ends[i] > info->path)
      return FALSE;
  }
  if (size_bytes != (n + 1) * sizeof *ends + ends[n] * sizeof (GstGlesTrackPosition))
    return FALSE;
  for (gsize i = 0; i < 2 * (gsize) ends[n]; i++) {
    if (!isfinite (numbers[i]))
      return FALSE;
  }
  return TRUE;
}

GstGlesTracksResult *
gst_gles_tracks_result_new (const GstGlesFrameInfo *frame, const gchar *const *labels,
    GBytes *tracks, guint64 total, GError **error)
{
  GstGlesTracksInfo info = { .min_hits = 1 };
  g_autoptr (GBytes) bytes = NULL;
  const GstGlesTrack *data;
  gsize size_bytes, n;

  g_return_val_if_fail (frame != NULL && labels != NULL && tracks != NULL, NULL);
  g_return_val_if_fail (frame->width > 0 && frame->height > 0, NULL);

  bytes = gst_gles_result_align (tracks);
  data = g_bytes_get_data (bytes, &size_bytes);
  n = size_bytes / sizeof *data;
  info.frame = *frame;
  info.n_labels = g_strv_length ((gchar **) labels);
  if (size_bytes % sizeof *data != 0 || n > MIN (total, G_MAXUINT) ||
      !gst_gles_tracks_info_check (&info, data, n)) {
    gst_gles_result_refuse (error,
        "%" G_GSIZE_FORMAT " bytes are not up to %" G_GUINT64_FORMAT
        " tracks of 80 bytes, with ids that rise from 1, one of %u labels, a box inside of "
        "%u x %u pixels, and finite numbers",
        size_bytes, total, info.n_labels, frame->width, frame->height);
    return NULL;
  }
  return gst_gles_tracks_result_new_complete (&info, labels, bytes, NULL, total);
}

/* ---- tracks ---- */

guint64
gst_gles_tracks_result_get_total (GstGlesTracksResult *result)
{
  g_return_val_if_fail (result != NULL, 0);
  return gst_gles_result_get_counted (result).total;
}

guint
gst_gles_tracks_result_get_count (GstGlesTracksResult *result)
{
  g_return_val_if_fail (result != NULL, 0);
  return gst_gles_result_get_counted (result).count;
}

gboolean
gst_gles_tracks_result_is_truncated (GstGlesTracksResult *result)
{
  GstGlesResult counted;

  g_return_val_if_fail (result != NULL, FALSE);
  counted = gst_gles_result_get_counted (result);
  return counted.total > counted.count;
}

const GstGlesTrack *
gst_gles_tracks_result_get_track (GstGlesTracksResult *result, guint index, GError **error)
{
  g_return_val_if_fail (result != NULL, NULL);

  if (!gst_gles_result_wait (result, G_MAXUINT64, error))
    return NULL;
  if (index < result->base.counted.count)
    return (const GstGlesTrack *) result->base.arrays[0].data + index;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "track %u of frame %" G_GUINT64_FORMAT ", which has %u", index, result->info.frame.number,
      result->base.counted.count);
  return NULL;
}

GBytes *
gst_gles_tracks_result_get_paths (GstGlesTracksResult *result)
{
  return result->paths;
}

const GstGlesTrackPosition *
gst_gles_tracks_result_get_path (GstGlesTracksResult *result, guint index, guint *n)
{
  const guint32 *ends;
  guint count, length;

  gst_gles_result_tell (n, 0);
  g_return_val_if_fail (result != NULL, NULL);

  count = gst_gles_tracks_result_get_count (result);
  if (result->paths == NULL || index >= count)
    return NULL;
  ends = g_bytes_get_data (result->paths, NULL);
  length = ends[index + 1] - ends[index];
  gst_gles_result_tell (n, length);
  return length > 0 ? (const GstGlesTrackPosition *) (ends + count + 1) + ends[index] : NULL;
}

GBytes *
gst_gles_tracks_result_get_path_bytes (GstGlesTracksResult *result, guint index)
{
  const GstGlesTrackPosition *path;
  guint n;

  g_return_val_if_fail (result != NULL, NULL);

  path = gst_gles_tracks_result_get_path (result, index, &n);
  return gst_gles_result_get_bytes (result, path, n * sizeof *path);
}

const gchar *
gst_gles_tracks_result_get_label (GstGlesTracksResult *result, guint index)
{
  g_return_val_if_fail (result != NULL, NULL);

  return index < result->info.n_labels ? result->labels[index] : NULL;
}

GBytes *
gst_gles_tracks_result_get_bytes (GstGlesTracksResult *result, GError **error)
{
  g_return_val_if_fail (result != NULL, NULL);

  if (!gst_gles_result_wait (result, G_MAXUINT64, error))
    return NULL;
  return gst_gles_result_get_bytes (
      result, result->base.arrays[0].data, result->base.counted.count * sizeof (GstGlesTrack));
}
