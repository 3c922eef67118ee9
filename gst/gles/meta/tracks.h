/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_META_TRACKS_H
#define GST_GLES_META_TRACKS_H

#include <gst/gles/meta/frame-info.h>
#include <gst/video/video.h>

G_BEGIN_DECLS

#define GST_TYPE_GLES_TRACK_STATE (gst_gles_track_state_get_type ())
GST_GLES_API GType gst_gles_track_state_get_type (void);

#define GST_TYPE_GLES_TRACK (gst_gles_track_get_type ())
GST_GLES_API GType gst_gles_track_get_type (void);

#define GST_TYPE_GLES_TRACKS_RESULT (gst_gles_tracks_result_get_type ())
GST_GLES_API GType gst_gles_tracks_result_get_type (void);

/**
 * GstGlesTrackState:
 * @GST_GLES_TRACK_NEW: seen in too few frames to be sure
 * @GST_GLES_TRACK_CONFIRMED: seen in this frame, and often enough
 * @GST_GLES_TRACK_LOST: confirmed before, and not seen in this frame
 * @GST_GLES_TRACK_PREDICTED: confirmed before, and nobody looked for boxes in this frame
 *
 * What is known of a track.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_TRACK_NEW,
  GST_GLES_TRACK_CONFIRMED,
  GST_GLES_TRACK_LOST,
  GST_GLES_TRACK_PREDICTED
} GstGlesTrackState;

/**
 * GstGlesTrack:
 * @id: its number, from 1; no other track of the element has it while the element runs
 * @x: left edge of the box, in pixels of the frame
 * @y: top edge
 * @width: width in pixels
 * @height: height in pixels
 * @label: index of its label; see gst_gles_tracks_result_get_label()
 * @state: what is known of it
 * @age_frames: frames since the first one that it was seen in; 0 in that frame
 * @hits: frames that it was seen in, this one included
 * @age: nanoseconds since it was seen first
 * @lost: nanoseconds since it was seen last; 0 if it is seen in this frame
 * @velocity_x: velocity to the right, in pixels per second
 * @velocity_y: velocity downwards, in pixels per second
 * @path_length: length of its path until it was seen last, in pixels
 *
 * A thing that moves from frame to frame. The box is that of this frame; of a lost or predicted
 * track it is the one that is expected, cut off at the edges of the picture. An array of tracks has
 * 80 bytes for each.
 *
 * Since: 0.1
 */
typedef struct {
  guint64 id;
  guint32 x, y, width, height;
  guint32 label;
  GstGlesTrackState state;
  guint32 age_frames;
  guint32 hits;
  guint64 age;
  guint64 lost;
  gdouble velocity_x, velocity_y;
  gdouble path_length;
} GstGlesTrack;

/**
 * GstGlesTrackPosition:
 * @x: pixels from the left edge of the picture
 * @y: pixels from its upper edge
 *
 * Where the centre of a thing was in a frame, smoothed, in sixteenths of a pixel. It may lie
 * outside of the picture.
 *
 * Since: 0.1
 */
typedef struct {
  gfloat x, y;
} GstGlesTrackPosition;

/**
 * gst_gles_track_copy:
 * @track: a track
 *
 * Returns: (transfer full): a copy
 * Since: 0.1
 */
GST_GLES_API GstGlesTrack *gst_gles_track_copy (const GstGlesTrack *track);

/**
 * gst_gles_track_free:
 * @track: (transfer full) (nullable): a track from gst_gles_track_copy()
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_track_free (GstGlesTrack *track);

/**
 * GstGlesTracksResult:
 *
 * The tracks of one frame, those that were seen first in front. Complete as soon as it is made: no
 * getter waits.
 *
 * Never changes once made, so that it can be shared between buffers and threads. A
 * #GstMiniObject: gst_mini_object_ref() and gst_mini_object_unref() apply. All functions can be
 * called from any thread, several at a time, and none needs a GL context.
 *
 * Since: 0.1
 */
typedef struct _GstGlesTracksResult GstGlesTracksResult;
typedef struct _GstGlesTracksInfo GstGlesTracksInfo;

/**
 * GstGlesTracksInfo:
 * @frame: what all results tell of it
 * @track_lost: seconds that a track is kept without a box
 * @min_hits: frames that a track must be seen in to be confirmed
 * @n_labels: number of labels
 * @path: positions that are kept of a track at most; 0: the result has none
 *
 * What was followed, and how.
 *
 * Since: 0.1
 */
struct _GstGlesTracksInfo {
  GstGlesFrameInfo frame;
  gdouble track_lost;
  guint min_hits;
  guint n_labels;
  guint path;
};

/**
 * gst_gles_tracks_result_new:
 * @frame: what is known of the frame; copied
 * @labels: (array zero-terminated=1): labels that tracks refer to; copied
 * @tracks: #GstGlesTrack one after the other, 80 bytes each, in the order of their ids
 * @total: how many there were, which may be more
 * @error: set when %NULL is returned
 *
 * Makes a result of tracks that the caller has. Thread: any.
 *
 * Returns: (transfer full) (nullable): a result that is ready.
 *     Errors: %GST_GLES_ERROR_INVALID (a track lies outside of the picture, has no label of
 *     @labels, an id that is not above the one before it, or a number that is not finite).
 * Since: 0.1
 */
GST_GLES_API GstGlesTracksResult *gst_gles_tracks_result_new (const GstGlesFrameInfo *frame,
    const gchar *const *labels, GBytes *tracks, guint64 total, GError **error);

/* ---- reading a result ---- */

/**
 * gst_gles_tracks_result_ref: (skip)
 * @result: a result
 *
 * Returns: (transfer full): @result
 */
GST_GLES_API GstGlesTracksResult *gst_gles_tracks_result_ref (GstGlesTracksResult *result);

/**
 * gst_gles_tracks_result_unref: (skip)
 * @result: (transfer full) (nullable): a result
 *
 * Thread: any; needs no context and does not wait.
 */
GST_GLES_API void gst_gles_tracks_result_unref (GstGlesTracksResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesTracksResult, gst_gles_tracks_result_unref)

/**
 * gst_gles_tracks_result_from_buffer:
 * @buffer: a buffer
 *
 * The result of the #GstGlesTracksMeta that was added to @buffer last: of several glestrack
 * elements in a row, the one nearest to the caller. gst_buffer_iterate_meta_filtered() finds the
 * others.
 *
 * Returns: (transfer full) (nullable): the result, %NULL if @buffer has none
 * Since: 0.1
 */
GST_GLES_API GstGlesTracksResult *gst_gles_tracks_result_from_buffer (GstBuffer *buffer);

/**
 * gst_gles_tracks_result_is_ready:
 * @result: a result
 *
 * As of the results that come from a device; those of tracks are there from the start.
 *
 * Returns: %TRUE
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_tracks_result_is_ready (GstGlesTracksResult *result);

/**
 * gst_gles_tracks_result_wait:
 * @result: a result
 * @timeout_ns: the longest to wait in nanoseconds, which is not used
 * @error: never set
 *
 * As of the results that come from a device; does not wait.
 *
 * Returns: %TRUE
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_tracks_result_wait (
    GstGlesTracksResult *result, guint64 timeout_ns, GError **error);

/**
 * gst_gles_tracks_result_get_total:
 * @result: a result
 *
 * Returns: how many tracks there are, and boxes that none was made for because there were too many
 * Since: 0.1
 */
GST_GLES_API guint64 gst_gles_tracks_result_get_total (GstGlesTracksResult *result);

/**
 * gst_gles_tracks_result_get_count:
 * @result: a result
 *
 * Returns: how many tracks are listed
 * Since: 0.1
 */
GST_GLES_API guint gst_gles_tracks_result_get_count (GstGlesTracksResult *result);

/**
 * gst_gles_tracks_result_is_truncated:
 * @result: a result
 *
 * Returns: whether the frame had more boxes than were followed
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_tracks_result_is_truncated (GstGlesTracksResult *result);

/**
 * gst_gles_tracks_result_get_track:
 * @result: a result
 * @index: a track, from 0, below gst_gles_tracks_result_get_count()
 * @error: set when %NULL is returned
 *
 * One track.
 *
 * Returns: (transfer none) (nullable): the track; it lives as long as @result. Errors:
 *     %GST_GLES_ERROR_INVALID for an @index past the end.
 * Since: 0.1
 */
GST_GLES_API const GstGlesTrack *gst_gles_tracks_result_get_track (
    GstGlesTracksResult *result, guint index, GError **error);

/**
 * gst_gles_tracks_result_get_path: (skip)
 * @result: a result
 * @index: a track, from 0, below gst_gles_tracks_result_get_count()
 * @n: (out) (optional): how many positions there are, at most path of #GstGlesTracksInfo
 *
 * Where a track was in the last frames that glestrack followed, one position a frame: the last one
 * is that of this frame, and the first one is not older than the track. In frames in which it was
 * not seen, it is where the track was expected.
 *
 * Returns: (transfer none) (nullable): the positions; they live as long as @result. %NULL if
 *     there are none, as with `path=0` of glestrack, and for an @index past the end.
 * Since: 0.1
 */
GST_GLES_API const GstGlesTrackPosition *gst_gles_tracks_result_get_path (
    GstGlesTracksResult *result, guint index, guint *n);

/**
 * gst_gles_tracks_result_get_path_bytes:
 * @result: a result
 * @index: a track, from 0, below gst_gles_tracks_result_get_count()
 *
 * As gst_gles_tracks_result_get_path(), for languages that read arrays out of bytes: x and y of
 * each position, two numbers of 32 bits in the host's byte order. Copies nothing.
 *
 * Returns: (transfer full): 8 bytes for each position; keeps @result alive
 * Since: 0.1
 */
GST_GLES_API GBytes *gst_gles_tracks_result_get_path_bytes (
    GstGlesTracksResult *result, guint index);

/**
 * gst_gles_tracks_result_get_label:
 * @result: a result
 * @index: the label of a track, below n_labels of #GstGlesTracksInfo
 *
 * Returns: (transfer none) (nullable): what the thing is called, such as "car"; it lives as long as
 *     @result. %NULL for an @index past the end.
 * Since: 0.1
 */
GST_GLES_API const gchar *gst_gles_tracks_result_get_label (
    GstGlesTracksResult *result, guint index);

/**
 * gst_gles_tracks_result_get_bytes:
 * @result: a result
 * @error: never set
 *
 * The tracks as they lie in memory, for languages that read arrays out of bytes: a #GstGlesTrack
 * of 80 bytes each, in the host's byte order. Copies nothing.
 *
 * Returns: (transfer full): 80 bytes per track; keeps @result alive
 * Since: 0.1
 */
GST_GLES_API GBytes *gst_gles_tracks_result_get_bytes (GstGlesTracksResult *result, GError **error);

/* ---- what was followed ---- */

/**
 * gst_gles_tracks_result_get_info:
 * @result: a result
 *
 * Returns: (transfer none): what was followed, and how; lives as long as @result
 * Since: 0.1
 */
GST_GLES_API const GstGlesTracksInfo *gst_gles_tracks_result_get_info (GstGlesTracksResult *result);

/**
 * gst_gles_tracks_result_get_frame:
 * @result: a result
 *
 * Returns: (transfer none): number, times, size, format and origin of the frame; lives as long
 *     as @result
 * Since: 0.1
 */
GST_GLES_API const GstGlesFrameInfo *gst_gles_tracks_result_get_frame (GstGlesTracksResult *result);

/* ---- the meta ---- */

typedef struct _GstGlesTracksMeta GstGlesTracksMeta;

/**
 * GstGlesTracksMeta:
 * @meta: parent
 * @result: (transfer none): the result that this meta holds a reference of
 *
 * Tracks on a buffer. Tagged with size and orientation: copies of the buffer and scaled ones
 * share the result, whose coordinates stay those of the picture at glestrack; other transforms,
 * such as cropping and rotating, drop it. A buffer can have several, one per glestrack it went
 * through, in that order.
 *
 * Since: 0.1
 */
struct _GstGlesTracksMeta {
  GstMeta meta;
  GstGlesTracksResult *result;
};

#define GST_GLES_TRACKS_META_API_TYPE (gst_gles_tracks_meta_api_get_type ())
GST_GLES_API GType gst_gles_tracks_meta_api_get_type (void);

#define GST_GLES_TRACKS_META_INFO (gst_gles_tracks_meta_get_info ())
GST_GLES_API const GstMetaInfo *gst_gles_tracks_meta_get_info (void);

/**
 * gst_buffer_add_gles_tracks_meta:
 * @buffer: a writable buffer
 * @result: (transfer none): a result
 *
 * Adds a meta that refers to @result, behind those that @buffer has already. Does not wait.
 *
 * Returns: (transfer none): the meta, owned by @buffer
 * Since: 0.1
 */
GST_GLES_API GstGlesTracksMeta *gst_buffer_add_gles_tracks_meta (
    GstBuffer *buffer, GstGlesTracksResult *result);

/**
 * gst_buffer_get_gles_tracks_meta:
 * @buffer: a buffer
 *
 * Returns: (transfer none) (nullable): the tracks meta that was added last, %NULL if none
 * Since: 0.1
 */
GST_GLES_API GstGlesTracksMeta *gst_buffer_get_gles_tracks_meta (GstBuffer *buffer);

G_END_DECLS

#endif
