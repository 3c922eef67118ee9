/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tracks.h"

/* data that has waited so long for a recording or a disk is dropped */
#define QUEUE_NS (5 * GST_SECOND)
/* if audio has sent nothing for so long, video no longer waits for it */
#define SILENCE_NS (2 * GST_SECOND)
#define PATIENCE_US G_USEC_PER_SEC /* how long after the first video other tracks are waited for */

typedef struct {
  WatchTracks *owner;
  GstPad *sink, *src; /* of the queue */
  gulong block;       /* 0: it is open */
  gboolean video;
  gint64 last; /* atomic: the running time of the last data; -1: none so far */
} Track;

struct _WatchTracks {
  WatchTracksFunc on_keyframe;
  gpointer user_data;

  GMutex lock;       /* of what follows: */
  GPtrArray *tracks; /* of Track, the video first */
  guint n_expected;
  gboolean settled;
  gint64 since; /* atomic, of g_get_monotonic_time(): when the first video came */
};

static void
free_track (gpointer data)
{
  Track *track = data;

  gst_object_unref (track->sink);
  gst_object_unref (track->src);
  g_free (track);
}

WatchTracks *
watch_tracks_new (void)
{
  WatchTracks *self = g_new0 (WatchTracks, 1);

  g_mutex_init (&self->lock);
  self->tracks = g_ptr_array_new_with_free_func (free_track);
  return self;
}

void
watch_tracks_free (WatchTracks *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->tracks);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
watch_tracks_on_keyframe (WatchTracks *self, WatchTracksFunc func, gpointer user_data)
{
  self->on_keyframe = func;
  self->user_data = user_data;
}

/* ---- data ---- */

static gint64
get_last (Track *track)
{
  return __atomic_load_n (&track->last, __ATOMIC_RELAXED);
}

static void
set_last (Track *track, gint64 last)
{
  __atomic_store_n (&track->last, last, __ATOMIC_RELAXED);
}

GstClockTime
watch_track_get_running (GstPad *pad, GstBuffer *buffer)
{
  g_autoptr (GstEvent) event = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);
  const GstSegment *segment;

  if (event == NULL)
    return GST_CLOCK_TIME_NONE;
  gst_event_parse_segment (event, &segment);
  return segment->format == GST_FORMAT_TIME
      ? gst_segment_to_running_time (segment, GST_FORMAT_TIME,
            GST_BUFFER_PTS_IS_VALID (buffer) ? GST_BUFFER_PTS (buffer) : GST_BUFFER_DTS (buffer))
      : GST_CLOCK_TIME_NONE;
}

static void
take (Track *track, GstPad *pad, GstBuffer *buffer)
{
  const GstClockTime running = watch_track_get_running (pad, buffer);

  if (!GST_CLOCK_TIME_IS_VALID (running))
    return;
  if (track->video && get_last (track) < 0)
    __atomic_store_n (&track->owner->since, g_get_monotonic_time (), __ATOMIC_RELAXED);
  set_last (track, (gint64) running);
  if (track->video && !GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT))
    track->owner->on_keyframe (running, track->owner->user_data);
}

static GstPadProbeReturn
on_data (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER) {
    take (user_data, pad, GST_PAD_PROBE_INFO_BUFFER (info));
  } else {
    GstBufferList *list = GST_PAD_PROBE_INFO_BUFFER_LIST (info);

    if (gst_buffer_list_length (list) > 0)
      take (user_data, pad, gst_buffer_list_get (list, gst_buffer_list_length (list) - 1));
  }
  return GST_PAD_PROBE_OK;
}

/* ---- tracks ---- */

static void
block (Track *track)
{
  if (track->block == 0)
    track->block =
        gst_pad_add_probe (track->src, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM, NULL, NULL, NULL);
}

void
watch_tracks_add (WatchTracks *self, GstElement *queue, gboolean video)
{
  Track *track = g_new0 (Track, 1);

  track->owner = self;
  track->video = video;
  track->last = -1;
  track->sink = gst_element_get_static_pad (queue, "sink");
  track->src = gst_element_get_static_pad (queue, "src");
  g_object_set (queue, "max-size-buffers", 0, "max-size-bytes", 0, "max-size-time", QUEUE_NS, NULL);
  gst_util_set_object_arg (G_OBJECT (queue), "leaky", "downstream");
  block (track);
  gst_pad_add_probe (track->sink, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST,
      on_data, track, NULL);
  g_mutex_lock (&self->lock);
  g_ptr_array_insert (self->tracks, video ? 0 : -1, track);
  g_mutex_unlock (&self->lock);
}

void
watch_tracks_expect (WatchTracks *self)
{
  g_mutex_lock (&self->lock);
  self->n_expected++;
  g_mutex_unlock (&self->lock);
}

void
watch_tracks_settle (WatchTracks *self)
{
  g_mutex_lock (&self->lock);
  self->settled = TRUE;
  g_mutex_unlock (&self->lock);
}

/* With the lock. Returns the track of the video, if it has data: (transfer none) (nullable). */
static Track *
get_video (WatchTracks *self)
{
  Track *first = self->tracks->len > 0 ? self->tracks->pdata[0] : NULL;

  return first != NULL && first->video && get_last (first) >= 0 ? first : NULL;
}

/* With the lock. Whether @track has data as new as that of @video. */
static gboolean
is_alive (Track *track, Track *video)
{
  return get_last (track) >= 0 && get_last (track) + (gint64) SILENCE_NS > get_last (video);
}

/* With the lock. Returns how many tracks are alive, or, with @waiting, how many of these are
 * blocked. */
static guint
count (WatchTracks *self, gboolean waiting)
{
  Track *video = get_video (self);
  guint n = 0;

  for (guint i = 0; i < self->tracks->len && video != NULL; i++) {
    Track *track = self->tracks->pdata[i];

    n += is_alive (track, video) && (track->block != 0 || !waiting);
  }
  return n;
}

gboolean
watch_tracks_are_ready (WatchTracks *self)
{
  const gint64 since = __atomic_load_n (&self->since, __ATOMIC_RELAXED);
  guint n;
  gboolean all;

  g_mutex_lock (&self->lock);
  n = count (self, FALSE);
  all =
      n == self->tracks->len && (self->settled || (self->n_expected > 0 && n >= self->n_expected));
  g_mutex_unlock (&self->lock);
  return n > 0 && (all || g_get_monotonic_time () - since > PATIENCE_US);
}

gboolean
watch_tracks_wait (WatchTracks *self)
{
  guint n;

  g_mutex_lock (&self->lock);
  n = count (self, TRUE);
  g_mutex_unlock (&self->lock);
  return n > 0;
}

void
watch_tracks_end_silent (WatchTracks *self)
{
  g_autoptr (GPtrArray) pads = g_ptr_array_new_with_free_func (gst_object_unref);
  Track *video;

  g_mutex_lock (&self->lock);
  video = get_video (self);
  for (guint i = 0; i < self->tracks->len && video != NULL; i++) {
    Track *track = self->tracks->pdata[i];
    GstPad *peer =
        track->block == 0 && !is_alive (track, video) ? gst_pad_get_peer (track->src) : NULL;

    if (peer == NULL)
      continue;
    block (track);
    g_ptr_array_add (pads, peer);
  }
  g_mutex_unlock (&self->lock);
  for (guint i = 0; i < pads->len; i++)
    gst_pad_send_event (pads->pdata[i], gst_event_new_eos ());
}

guint
watch_tracks_list (WatchTracks *self, WatchTrack tracks[WATCH_TRACKS_MAX])
{
  Track *video;
  guint n = 0;

  g_mutex_lock (&self->lock);
  video = get_video (self);
  for (guint i = 0; i < self->tracks->len && n < WATCH_TRACKS_MAX && video != NULL; i++) {
    Track *track = self->tracks->pdata[i];
    GstCaps *caps = is_alive (track, video) ? gst_pad_get_current_caps (track->sink) : NULL;

    if (caps != NULL)
      tracks[n++] = (WatchTrack){ gst_object_ref (track->src), caps };
  }
  g_mutex_unlock (&self->lock);
  return n;
}

void
watch_tracks_open (WatchTracks *self, gboolean open)
{
  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->tracks->len; i++) {
    Track *track = self->tracks->pdata[i];

    if (!open) {
      g_autoptr (GstPad) peer = gst_pad_get_peer (track->src);

      block (track);
      if (peer != NULL)
        gst_pad_unlink (track->src, peer);
    } else if (gst_pad_is_linked (track->src) && track->block != 0) {
      gst_pad_remove_probe (track->src, track->block);
      track->block = 0;
    }
  }
  g_mutex_unlock (&self->lock);
}
