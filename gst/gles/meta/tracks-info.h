/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What elements make track results with. Not installed. */
#ifndef GST_GLES_META_TRACKS_INFO_H
#define GST_GLES_META_TRACKS_INFO_H

#include <gst/gles/meta/tracks.h>

G_BEGIN_DECLS

/* Positions that a result has of a track at most. */
#define GST_GLES_TRACKS_MAX_PATH 256

/* Makes a result of GstGlesTrack one after the other, which pass gst_gles_tracks_info_check(). Sets
 * the number of labels, which are copied; @tracks must be at an address that words of 64 bits can
 * have. @paths, which pass gst_gles_tracks_info_check_paths(): NULL if info->path is 0. */
GST_GLES_API GstGlesTracksResult *gst_gles_tracks_result_new_complete (
    const GstGlesTracksInfo *info, const gchar *const *labels, GBytes *tracks, GBytes *paths,
    guint64 total);

/* Whether all of @n @tracks lie in the picture, have a label, ids that rise, and finite numbers:
 * readers draw and print what they say. */
gboolean gst_gles_tracks_info_check (
    const GstGlesTracksInfo *info, const GstGlesTrack *tracks, gsize n);

/* Whether @paths has where the positions of each of @n tracks begin, counted from the first one,
 * and where the last ones end (guint32), and behind these the positions: at most info->path of a
 * track, and finite. */
gboolean gst_gles_tracks_info_check_paths (const GstGlesTracksInfo *info, GBytes *paths, gsize n);

/* (transfer none) (nullable): the paths that @result was made of. */
GBytes *gst_gles_tracks_result_get_paths (GstGlesTracksResult *result);

G_END_DECLS

#endif
