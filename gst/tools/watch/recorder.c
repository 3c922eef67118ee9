/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "recorder.h"

#include "folder.h"
#include "record.h"

#include <gio/gio.h>

#define AGAIN_US (10 * G_USEC_PER_SEC) /* after what went wrong */
#define PRUNE_US (60 * G_USEC_PER_SEC)
#define STEADY_US (2 * G_USEC_PER_SEC) /* after which it is said that files are written */
#define ROOM (1 << 20) /* bytes that the disk has to take before it is tried again */
#define PRE_ROLL (5 * GST_SECOND)

struct _WatchRecorder {
  const WatchCameraConfig *config;
  WatchTracks *tracks;
  WatchTimeline *timeline;
  gchar *directory;
  GstElement *bin; /* (nullable): while files are written */
  gint64 since;    /* of the bin; times are those of g_get_monotonic_time() */
  gint64 again;    /* when it is tried again; 0: nothing went wrong */
  gint64 pruned;   /* the last time */
  guint n_files;   /* of the timeline then */
  gboolean told;   /* that files are written */
  gint failed;     /* atomic: the bin had an error, or is being ended */
};

/* Before the decoder has it, so that lines of events find it. */
static void
on_keyframe (GstClockTime time, gpointer user_data)
{
  watch_timeline_plan (user_data, time, FALSE);
}

WatchRecorder *
watch_recorder_new (const WatchCameraConfig *config, WatchTracks *tracks)
{
  WatchRecorder *self = g_new0 (WatchRecorder, 1);
  g_autofree gchar *name = watch_folder_escape (config->section.name);

  self->config = config;
  self->tracks = tracks;
  self->directory = g_build_filename (config->record, name, NULL);
  self->timeline = watch_timeline_new (self->directory, config->record_duration * GST_SECOND);
  watch_tracks_on_keyframe (tracks, on_keyframe, self->timeline);
  return self;
}

void
watch_recorder_free (WatchRecorder *self)
{
  if (self == NULL)
    return;
  gst_clear_object (&self->bin);
  watch_timeline_free (self->timeline);
  g_free (self->directory);
  g_free (self);
}

/* ---- files ---- */

/* Removes files that are too old or too many. */
static void
prune (WatchRecorder *self, gint64 now)
{
  const WatchCameraConfig *config = self->config;
  g_autoptr (GDateTime) today = g_date_time_new_now_utc ();
  g_autoptr (GDateTime) day = g_date_time_add_days (today, -(gint) config->record_days);
  g_autofree gchar *oldest = config->record_days > 0 ? watch_timeline_make_name (day) : NULL;
  const WatchFolderBounds bounds = { .suffix = WATCH_TIMELINE_SUFFIX,
    .max_bytes = config->record_bytes,
    .keep_free = config->record_keep_free,
    .oldest = oldest,
    .keep_newest = self->bin != NULL };
  guint64 bytes;

  self->pruned = now;
  self->n_files = watch_timeline_count (self->timeline);
  if (bounds.max_bytes > 0 || bounds.keep_free > 0 || oldest != NULL)
    watch_folder_prune (self->directory, &bounds, &bytes);
}

/* ---- the element ---- */

static void
release (GstElement *pipeline, GstElement *bin)
{
  gst_element_set_locked_state (bin, TRUE);
  gst_element_set_state (bin, GST_STATE_NULL);
  gst_bin_remove (GST_BIN (pipeline), bin);
}

/* Ends the element, so that tracks wait. */
static void
detach (WatchRecorder *self, GstElement *pipeline)
{
  if (self->bin == NULL)
    return;
  g_atomic_int_set (&self->failed, 1);
  watch_tracks_open (self->tracks, FALSE);
  release (pipeline, self->bin);
  g_clear_object (&self->bin);
  watch_timeline_stop (self->timeline, gst_element_get_current_running_time (pipeline));
}

/* Links @tracks to the element and has their data pass. */
static gboolean
attach (WatchRecorder *self, GstElement *pipeline, const WatchTrack *tracks, guint n_tracks,
    GError **error)
{
  GstElement *bin = watch_record_new (tracks, n_tracks, self->timeline, error);

  if (bin == NULL)
    return FALSE;
  self->bin = gst_object_ref_sink (bin);
  g_atomic_int_set (&self->failed, 0);
  gst_element_set_locked_state (bin, TRUE);
  gst_bin_add (GST_BIN (pipeline), bin);
  for (guint i = 0; i < n_tracks; i++) {
    g_autofree gchar *name = g_strdup_printf ("sink_%u", i);
    g_autoptr (GstPad) sink = gst_element_get_static_pad (bin, name);

    gst_pad_link (tracks[i].pad, sink);
  }
  gst_element_sync_state_with_parent (bin);
  gst_element_set_locked_state (bin, FALSE);
  watch_tracks_open (self->tracks, TRUE);
  return TRUE;
}

/* Begins to write files. FALSE with @error. */
static gboolean
begin (WatchRecorder *self, GstElement *pipeline, gint64 now, GError **error)
{
  WatchTrack tracks[WATCH_TRACKS_MAX];
  guint n_tracks;
  gboolean ok = watch_folder_make (self->directory, error);

  if (!ok)
    return FALSE;
  prune (self, now);
  if (self->again != 0 && !watch_folder_probe (self->directory, ROOM, error))
    return FALSE;
  n_tracks = watch_tracks_list (self->tracks, tracks);
  ok = n_tracks > 0 && attach (self, pipeline, tracks, n_tracks, error);
  for (guint i = 0; i < n_tracks; i++) {
    gst_object_unref (tracks[i].pad);
    gst_caps_unref (tracks[i].caps);
  }
  self->since = now;
  self->told = FALSE;
  return ok || n_tracks == 0;
}

/* ---- what is due ---- */

void
watch_recorder_fail (WatchRecorder *self, GstElement *pipeline)
{
  detach (self, pipeline);
  self->again = g_get_monotonic_time () + AGAIN_US;
}

gboolean
watch_recorder_drops (WatchRecorder *self, GstMessage *message)
{
  return GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR && watch_record_sent (message) &&
      !g_atomic_int_compare_and_exchange (&self->failed, 0, 1);
}

static WatchRecorderNews
try (WatchRecorder *self, GstElement *pipeline, gint64 now, gchar **text)
{
  g_autoptr (GError) error = NULL;

  if (begin (self, pipeline, now, &error))
    return WATCH_RECORDER_SAME;
  *text = g_strdup_printf ("record: %s", error->message);
  watch_recorder_fail (self, pipeline);
  return WATCH_RECORDER_FAILED;
}

WatchRecorderNews
watch_recorder_check (WatchRecorder *self, GstElement *pipeline, gchar **text)
{
  const gint64 now = g_get_monotonic_time ();
  *text = NULL;
  if (self->pruned == 0 || now - self->pruned > PRUNE_US ||
      self->n_files != watch_timeline_count (self->timeline))
    prune (self, now);
  /* audio that comes late, or again, begins another file */
  if (self->bin != NULL && watch_tracks_wait (self->tracks))
    detach (self, pipeline);
  if (self->bin == NULL)
    return watch_tracks_are_ready (self->tracks) && now >= self->again
        ? try (self, pipeline, now, text)
        : WATCH_RECORDER_SAME;
  watch_tracks_end_silent (self->tracks);
  if (self->told || now - self->since < STEADY_US)
    return WATCH_RECORDER_SAME;
  self->told = TRUE;
  self->again = 0;
  return WATCH_RECORDER_WRITES;
}

WatchPlace *
watch_recorder_find (WatchRecorder *self, GstClockTime running, WatchPlace **pre_roll)
{
  WatchPlace *place = watch_timeline_find (self->timeline, running, FALSE);

  *pre_roll = place != NULL
      ? watch_timeline_find (self->timeline, running - MIN (running, PRE_ROLL), TRUE)
      : NULL;
  return place;
}
