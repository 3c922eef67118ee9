/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What elements make track results with. Not installed. */
#ifndef GST_GLES_META_TRACKS_INFO_H
#define GST_GLES_META_TRACKS_INFO_H

#include <gst/gles/meta/tracks.h>

G_BEGIN_DECLS

/* Makes a result of GstGlesTrack one after the other, which pass gst_gles_tracks_info_check(). Sets
 * the number of labels, which are copied; @tracks must be at an address that words of 64 bits can
 * have. */
GST_GLES_API GstGlesTracksResult *gst_gles_tracks_result_new_complete (
    const GstGlesTracksInfo *info, const gchar *const *labels, GBytes *tracks, guint64 total);

/* Whether all of @n @tracks lie in the picture, have a label, ids that rise, and finite numbers:
 * readers draw and print what they say. */
gboolean gst_gles_tracks_info_check (
    const GstGlesTracksInfo *info, const GstGlesTrack *tracks, gsize n);

G_END_DECLS

#endif
