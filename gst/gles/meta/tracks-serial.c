/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/serial.h>
#include <gst/gles/meta/tracks-info.h>

#include <math.h>

#include <gst/gles/core/types.h>

/* Behind the frame: the total, the description, the count, the labels, the tracks, and, if the
 * description has them, the size of the paths and these. */
#define MEMBERS(info) GST_GLES_SERIAL_MEMBERS (info, GstGlesTracksInfo, track_lost, path)
#define MAX_LABEL_BYTES 255

static void
put_paths (GstGlesTracksResult *result, guint32 count, GstByteWriter *writer)
{
  GBytes *paths = gst_gles_tracks_result_get_paths (result);
  gsize size_bytes;
  gconstpointer data = g_bytes_get_data (paths, &size_bytes);
  const guint32 size = (guint32) size_bytes;

  gst_gles_serial_put (writer, &size, sizeof size);
  gst_gles_serial_put (writer, data, size_bytes);
}

gboolean
gst_gles_tracks_serialize (GstGlesTracksResult *result, GstByteWriter *writer)
{
  const GstGlesTracksInfo *info = gst_gles_tracks_result_get_info (result);
  g_autoptr (GBytes) tracks = gst_gles_tracks_result_get_bytes (result, NULL);
  const guint64 total = gst_gles_tracks_result_get_total (result);
  const guint32 count = gst_gles_tracks_result_get_count (result);
  gconstpointer data;
  gsize size_bytes;

  if (tracks == NULL)
    return FALSE;
  data = g_bytes_get_data (tracks, &size_bytes);
  gst_gles_serial_put_frame (writer, &info->frame);
  gst_gles_serial_put (writer, &total, sizeof total);
  gst_gles_serial_put (writer, MEMBERS (info));
  gst_gles_serial_put (writer, &count, sizeof count);
  for (guint i = 0; i < info->n_labels; i++)
    gst_gles_serial_put_text (
        writer, gst_gles_tracks_result_get_label (result, i), MAX_LABEL_BYTES);
  gst_gles_serial_put (writer, data, size_bytes);
  if (info->path > 0)
    put_paths (result, count, writer);
  return TRUE;
}

/* Reads all behind the frame but the tracks. A label takes four bytes at least. */
static gboolean
get_head (GstByteReader *reader, GstGlesTracksInfo *info, GstGlesResult *counted, GPtrArray *labels)
{
  if (!gst_gles_serial_get (reader, &counted->total, sizeof counted->total) ||
      !gst_gles_serial_get (reader, MEMBERS (info)) ||
      !gst_gles_serial_get (reader, &counted->count, sizeof counted->count) ||
      !isfinite (info->track_lost) || info->track_lost < 0 || counted->count > counted->total)
    return FALSE;
  for (guint i = 0; i < info->n_labels; i++) {
    const gchar *label;

    if (!gst_gles_serial_get_text (reader, MAX_LABEL_BYTES, &label) || label == NULL)
      return FALSE;
    g_ptr_array_add (labels, (gpointer) label);
  }
  g_ptr_array_add (labels, NULL);
  return TRUE;
}

/* Sets @paths, to NULL for none. FALSE where there are none such. */
static gboolean
get_paths (GstByteReader *reader, const GstGlesTracksInfo *info, guint32 count, GBytes **paths)
{
  guint32 size_bytes;

  *paths = NULL;
  if (info->path == 0)
    return TRUE;
  if (!gst_gles_serial_get (reader, &size_bytes, sizeof size_bytes))
    return FALSE;
  *paths = gst_gles_serial_take (reader, size_bytes);
  return *paths != NULL && gst_gles_tracks_info_check_paths (info, *paths, count);
}

GstGlesTracksResult *
gst_gles_tracks_parse (GstByteReader *reader)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  g_autoptr (GstGlesOrigin) origin = NULL;
  g_autoptr (GBytes) tracks = NULL;
  g_autoptr (GBytes) paths = NULL;
  GstGlesTracksInfo info = { 0 };
  GstGlesResult counted = { 0 };

  if (!gst_gles_serial_get_frame (reader, &info.frame))
    return NULL;
  origin = info.frame.origin;
  if (get_head (reader, &info, &counted, labels))
    tracks = gst_gles_serial_take (reader, counted.count * (guint64) sizeof (GstGlesTrack));
  if (tracks == NULL ||
      !gst_gles_tracks_info_check (&info, g_bytes_get_data (tracks, NULL), counted.count) ||
      !get_paths (reader, &info, counted.count, &paths))
    return NULL;
  return gst_gles_tracks_result_new_complete (
      &info, (const gchar *const *) labels->pdata, tracks, paths, counted.total);
}
