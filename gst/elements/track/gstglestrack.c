/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glestrack
 * @title: glestrack
 * @short_description: follows boxes from frame to frame, and numbers them
 *
 * Reads the regions of an upstream glesregions and the boxes of detectors. Boxes of successive
 * frames that show the same thing become a track, with a number that stays, an age, a velocity and
 * the length of its path. The tracks go onto the buffer as #GstGlesTracksMeta, and the numbers onto
 * the metadata that was read. The buffer passes through unchanged. docs/elements/glestrack.md
 * defines how boxes are matched.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 -q videotestsrc num-buffers=30 pattern=ball ! glescompact lower=100 \
 *     ! glesregions ! glestrack ! glesjson points=false ! fdsink
 * ]|
 *
 * Since: 0.1
 */
#include "config.h"

#include <gst/gles/core/error.h>
#include <gst/gles/import/caps.h>

#include "../base/element-name.h"
#include "../elements.h"
#include "../base/frame-utc.h"
#include "../base/readers.h"
#include "../base/settings.h"
#include "track-forms.h"
#include "track-input.h"

GST_DEBUG_CATEGORY_STATIC (gst_gles_track_debug);
#define GST_CAT_DEFAULT gst_gles_track_debug

/* No pixel is read, so any format and any memory is accepted. */
#define CAPS "video/x-raw; video/x-raw(ANY)"
#define INPUT "regions of glesregions, or boxes of a detector"

/* A frame lasts so long where neither buffer nor caps tell. */
#define DEFAULT_DURATION (GST_SECOND / 25)

typedef struct {
  TrackerSettings tracker;
  TrackInputSettings input;
  gboolean roi, analytics;
} TrackSettings;

#define GST_TYPE_GLES_TRACKER_ELEMENT (gst_gles_tracker_element_get_type ())
G_DECLARE_FINAL_TYPE (
    GstGlesTrackerElement, gst_gles_tracker_element, GST, GLES_TRACKER_ELEMENT, GstBaseTransform)

struct _GstGlesTrackerElement {
  GstBaseTransform parent;

  TrackSettings settings; /* object lock */

  /* used on the streaming thread only: */
  GstGlesFrameInfo picture; /* size, format and colorimetry of the caps */
  gboolean has_fields;
  GstClockTime frame_duration; /* of the caps */
  GstClockTime next_pts;       /* of a buffer without timestamp */
  GstClockTime now;            /* of the last frame that was followed */
  guint64 n_frames;            /* since the start or a flush */
  GstGlesOrigin *origin;
  ResultsExpected expected;
  TrackInput input;
  Tracker tracker;
};

enum {
  PROP_0,
  PROP_SETTINGS /* a member of TrackSettings */
};

G_DEFINE_TYPE (GstGlesTrackerElement, gst_gles_tracker_element, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DEFINE (glestrack, "glestrack", GST_RANK_NONE, GST_TYPE_GLES_TRACKER_ELEMENT)

/* ---- what is known of a frame ---- */

static void
take_colorimetry (GstGlesFrameInfo *picture, GstCaps *caps)
{
  g_autoptr (GstCaps) system = gst_gles_frame_caps_to_system (caps, NULL, NULL);
  GstVideoInfo info;

  if (system == NULL || !gst_gles_frame_caps_to_info (system, &info))
    return;
  picture->range = GST_VIDEO_INFO_COLORIMETRY (&info).range;
  picture->matrix = GST_VIDEO_INFO_COLORIMETRY (&info).matrix;
}

static gboolean
gst_gles_tracker_element_set_caps (GstBaseTransform *trans, GstCaps *caps, GstCaps *out_caps)
{
  GstGlesTrackerElement *self = GST_GLES_TRACKER_ELEMENT (trans);
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  const gchar *format = gst_structure_get_string (structure, "format");
  const GstGlesFrameInfo before = self->picture;
  gint width = 0, height = 0, rate_n = 0, rate_d = 1;

  if (!gst_structure_get_int (structure, "width", &width) ||
      !gst_structure_get_int (structure, "height", &height) || width <= 0 || height <= 0) {
    GST_ELEMENT_ERROR (
        self, STREAM, FORMAT, ("The caps have no width and height"), ("%" GST_PTR_FORMAT, caps));
    return FALSE;
  }
  self->has_fields =
      g_strcmp0 (gst_structure_get_string (structure, "interlace-mode"), "alternate") == 0;
  self->picture = (GstGlesFrameInfo){ .width = (guint) width,
    .height = (guint) (self->has_fields ? height - height / 2 : height),
    .format = format != NULL ? gst_video_format_from_string (format) : GST_VIDEO_FORMAT_UNKNOWN };
  take_colorimetry (&self->picture, caps);
  gst_structure_get_fraction (structure, "framerate", &rate_n, &rate_d);
  self->frame_duration = rate_n > 0 && rate_d > 0
      ? gst_util_uint64_scale_int (GST_SECOND, rate_d, rate_n)
      : DEFAULT_DURATION;
  self->tracker.frame_seconds =
      rate_n > 0 && rate_d > 0 ? (gdouble) self->frame_duration / GST_SECOND : 0;
  /* coordinates of another size do not compare */
  if (self->picture.width != before.width || self->picture.height != before.height)
    tracker_forget (&self->tracker);
  return TRUE;
}

static GstGlesOrigin *
get_origin (GstGlesTrackerElement *self)
{
  if (self->origin == NULL) {
    g_autofree gchar *name = gst_object_get_name (GST_OBJECT (self));
    g_autofree gchar *stream_id =
        gst_pad_get_stream_id (GST_BASE_TRANSFORM_SINK_PAD (GST_BASE_TRANSFORM (self)));

    self->origin = gst_gles_origin_new (name, stream_id);
  }
  return self->origin;
}

static GstGlesField
get_field (const GstGlesTrackerElement *self, GstBuffer *buffer)
{
  if (!self->has_fields || !GST_BUFFER_FLAG_IS_SET (buffer, GST_VIDEO_BUFFER_FLAG_ONEFIELD))
    return GST_GLES_FIELD_NONE;
  return GST_VIDEO_BUFFER_IS_TOP_FIELD (buffer) ? GST_GLES_FIELD_TOP : GST_GLES_FIELD_BOTTOM;
}

/* Describes the frame in @buffer. Where buffers have no timestamps, times are counted. */
static GstGlesFrameInfo
describe_frame (GstGlesTrackerElement *self, GstBuffer *buffer)
{
  const GstSegment *segment = &GST_BASE_TRANSFORM (self)->segment;
  GstGlesFrameInfo frame = self->picture;

  frame.number = self->n_frames;
  frame.pts = GST_BUFFER_PTS_IS_VALID (buffer) ? GST_BUFFER_PTS (buffer) : self->next_pts;
  frame.duration = GST_BUFFER_DURATION (buffer);
  self->next_pts = frame.pts +
      (GST_CLOCK_TIME_IS_VALID (frame.duration) ? frame.duration : self->frame_duration);
  frame.running_time = frame.stream_time = GST_CLOCK_TIME_NONE;
  if (segment->format == GST_FORMAT_TIME) {
    frame.running_time = gst_segment_to_running_time (segment, GST_FORMAT_TIME, frame.pts);
    frame.stream_time = gst_segment_to_stream_time (segment, GST_FORMAT_TIME, frame.pts);
  }
  frame.utc = frame_get_utc (buffer);
  frame.field = get_field (self, buffer);
  frame.origin = get_origin (self);
  return frame;
}

/* ---- one frame ---- */

static TrackSettings
get_settings (GstGlesTrackerElement *self)
{
  TrackSettings settings;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);
  return settings;
}

/* Follows the boxes of self->input, and attaches the tracks to @buffer. */
static void
follow (GstGlesTrackerElement *self, const TrackSettings *settings, GstBuffer *buffer)
{
  const GstGlesFrameInfo frame = describe_frame (self, buffer);
  g_autoptr (GstGlesTracksResult) result = NULL;

  /* outside of the segment, frames follow each other as the caps say */
  self->now = GST_CLOCK_TIME_IS_VALID (frame.running_time) ? MAX (self->now, frame.running_time)
                                                           : self->now + self->frame_duration;
  self->n_frames++;
  if (self->input.looked)
    tracker_push (
        &self->tracker, &settings->tracker, self->input.boxes, self->input.n_boxes, self->now);
  else
    tracker_pass (&self->tracker, &settings->tracker, self->now);
  result = track_forms_make_result (
      &self->tracker, &settings->tracker, &frame, self->input.n_found, self->now);
  gst_buffer_add_gles_tracks_meta (buffer, result);
  if (settings->roi)
    track_forms_add_roi (buffer, &self->tracker, &self->input);
#if HAVE_ANALYTICS
  if (settings->analytics)
    track_forms_add_analytics (buffer, &self->tracker, &self->input, &frame, self->now);
#endif
}

static GstFlowReturn
gst_gles_tracker_element_transform_ip (GstBaseTransform *trans, GstBuffer *buffer)
{
  GstGlesTrackerElement *self = GST_GLES_TRACKER_ELEMENT (trans);
  const TrackSettings settings = get_settings (self);
  g_autoptr (GError) error = NULL;
  Results results;
  GstFlowReturn flow;

  if (results_is_gap (buffer))
    return GST_FLOW_OK;
  results_collect (&results, settings.input.regions ? RESULTS_REGIONS : 0, buffer);
  flow = results_wait (&results, GST_BASE_TRANSFORM_SINK_PAD (trans), &error);
  track_input_take (&self->input, &settings.input, buffer, &self->picture,
      flow == GST_FLOW_OK ? results.regions : NULL);
  results_clear (&results);
  if (flow == GST_FLOW_ERROR)
    gst_gles_error_post (GST_ELEMENT (self), error);
  if (flow == RESULTS_FLOW_DISCARDED)
    return GST_FLOW_OK;
  if (flow != GST_FLOW_OK)
    return flow;
  results_expect_buffer (&self->expected, GST_ELEMENT (self), self->input.found, INPUT);
  follow (self, &settings, buffer);
  return GST_FLOW_OK;
}

/* Metadata is added to a buffer of its own, whose memory others may share. */
static GstFlowReturn
gst_gles_tracker_element_prepare_output_buffer (
    GstBaseTransform *trans, GstBuffer *input, GstBuffer **output)
{
  *output = gst_buffer_is_writable (input) ? input : gst_buffer_copy (input);
  return GST_FLOW_OK;
}

/* ---- events, queries, states ---- */

static void
forget (GstGlesTrackerElement *self)
{
  tracker_forget (&self->tracker);
  self->next_pts = self->now = 0;
  self->n_frames = 0;
}

static gboolean
gst_gles_tracker_element_sink_event (GstBaseTransform *trans, GstEvent *event)
{
  GstGlesTrackerElement *self = GST_GLES_TRACKER_ELEMENT (trans);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_START:
      g_clear_pointer (&self->origin, gst_gles_origin_unref);
      tracker_forget (&self->tracker);
      break;
    case GST_EVENT_FLUSH_STOP:
      forget (self);
      break;
    case GST_EVENT_EOS:
      results_expect_end (&self->expected, GST_ELEMENT (self), INPUT);
      break;
    default:
      break;
  }
  return GST_BASE_TRANSFORM_CLASS (gst_gles_tracker_element_parent_class)
      ->sink_event (trans, event);
}

static gboolean
gst_gles_tracker_element_query (GstBaseTransform *trans, GstPadDirection direction, GstQuery *query)
{
  if (direction == GST_PAD_SINK && readers_is_question (query, NULL) &&
      get_settings (GST_GLES_TRACKER_ELEMENT (trans)).input.regions)
    readers_answer (query, RESULTS_REGIONS);
  return GST_BASE_TRANSFORM_CLASS (gst_gles_tracker_element_parent_class)
      ->query (trans, direction, query);
}

static gboolean
gst_gles_tracker_element_stop (GstBaseTransform *trans)
{
  GstGlesTrackerElement *self = GST_GLES_TRACKER_ELEMENT (trans);

  forget (self);
  tracker_clear (&self->tracker);
  track_input_clear (&self->input);
  self->expected = (ResultsExpected){ 0 };
  self->picture = (GstGlesFrameInfo){ 0 };
  g_clear_pointer (&self->origin, gst_gles_origin_unref);
  return TRUE;
}

/* ---- properties ---- */

static void
gst_gles_tracker_element_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  settings_set (object, &GST_GLES_TRACKER_ELEMENT (object)->settings, value, spec);
}

static void
gst_gles_tracker_element_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  settings_get (object, &GST_GLES_TRACKER_ELEMENT (object)->settings, value, spec);
}

#define MEMBER(name) G_STRUCT_OFFSET (TrackSettings, name)

static void
install (GObjectClass *klass, gsize offset, GParamSpec *spec)
{
  settings_install (klass, PROP_SETTINGS, offset, spec);
}

static void
install_properties (GObjectClass *klass)
{
  install (klass, MEMBER (tracker.iou_score_threshold),
      g_param_spec_double ("iou-score-threshold", "IoU score threshold",
          "Intersection over union with the predicted box from which on a box is matched by its "
          "overlap; below it, by its distance",
          0, 1, 0.26, SETTING_FLAGS));
  install (klass, MEMBER (tracker.max_distance),
      g_param_spec_double ("max-distance", "Maximum of distance",
          "How far a box of less overlap may be from its predicted place, in mean sides of the "
          "boxes; 0: only overlap matches",
          0, 1000, 3, SETTING_FLAGS));
  install (klass, MEMBER (tracker.track_lost),
      g_param_spec_double ("track-lost", "Track lost",
          "Seconds that a track is kept without a box; what comes back later is a new track", 0,
          3600, 1, SETTING_FLAGS));
  install (klass, MEMBER (tracker.min_hits),
      g_param_spec_uint ("min-hits", "Minimum of hits",
          "Frames that a track must be seen in to be confirmed", 1, 1000, 3, SETTING_FLAGS));
  install (klass, MEMBER (tracker.same_label),
      g_param_spec_boolean ("same-label", "Same label", "Boxes match tracks of the same label only",
          TRUE, SETTING_FLAGS));
  install (klass, MEMBER (tracker.score_low),
      g_param_spec_double ("score-low", "Low score",
          "Boxes of a lower share of the highest score so far do not count", 0, 1, 0.35,
          SETTING_FLAGS));
  install (klass, MEMBER (tracker.score_high),
      g_param_spec_double ("score-high", "High score",
          "Boxes of a lower share of the highest score so far only go on with a track not lost", 0,
          1, 0.82, SETTING_FLAGS));
  install (klass, MEMBER (tracker.score_begin),
      g_param_spec_double ("score-begin", "Beginning score",
          "Boxes of a lower share of the highest score so far begin no track", 0, 1, 0.95,
          SETTING_FLAGS));
  install (klass, MEMBER (tracker.path),
      g_param_spec_uint ("path", "Path",
          "Positions of the last so many frames that the result has of each track", 0,
          GST_GLES_TRACKS_MAX_PATH, 0, SETTING_FLAGS));
  track_input_install (klass, PROP_SETTINGS, MEMBER (input));
  install (klass, MEMBER (roi),
      g_param_spec_boolean ("roi", "Regions of interest",
          "Set the id of each GstVideoRegionOfInterestMeta to that of its track, and attach one "
          "for each track that has none",
          TRUE, SETTING_FLAGS));
#if HAVE_ANALYTICS
  install (klass, MEMBER (analytics),
      g_param_spec_boolean ("analytics", "Analytics",
          "Attach a GstAnalyticsTrackingMtd for each track to a GstAnalyticsRelationMeta that has "
          "its GstAnalyticsODMtd",
          TRUE, SETTING_FLAGS));
#endif
}

static void
gst_gles_tracker_element_class_init (GstGlesTrackerElementClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  g_autoptr (GstCaps) caps = gst_caps_from_string (CAPS);

  element_class_name_instances (G_OBJECT_CLASS (klass));
  GST_DEBUG_CATEGORY_INIT (gst_gles_track_debug, "glestrack", 0, "Tracks of boxes");

  object_class->set_property = gst_gles_tracker_element_set_property;
  object_class->get_property = gst_gles_tracker_element_get_property;
  install_properties (object_class);
  gst_element_class_add_pad_template (
      element_class, gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (
      element_class, gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_element_class_set_static_metadata (element_class, "Tracks of boxes", "Filter/Analyzer/Video",
      "Follows regions of glesregions and boxes of detectors from frame to frame, numbers them and "
      "measures their velocity",
      "The gst-gles-compute developers");

  trans_class->set_caps = gst_gles_tracker_element_set_caps;
  trans_class->sink_event = gst_gles_tracker_element_sink_event;
  trans_class->query = gst_gles_tracker_element_query;
  trans_class->stop = gst_gles_tracker_element_stop;
  trans_class->prepare_output_buffer = gst_gles_tracker_element_prepare_output_buffer;
  trans_class->transform_ip = gst_gles_tracker_element_transform_ip;
  trans_class->transform_ip_on_passthrough = FALSE;
}

static void
gst_gles_tracker_element_init (GstGlesTrackerElement *self)
{
  settings_init (G_OBJECT (self), PROP_SETTINGS, &self->settings);
  gst_base_transform_set_in_place (GST_BASE_TRANSFORM (self), TRUE);
}
