/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-gleszones
 * @title: gleszones
 * @short_description: tells who is inside of which zone, and who crosses which line
 *
 * Reads the tracks of an upstream glestrack, or the boxes of a detector without tracks. Posts
 * messages named glesevents when a thing enters or leaves a zone or crosses a line, as glesevents
 * does, and attaches counts and members of all zones to each frame as #GstGlesZonesMeta. The buffer
 * passes through unchanged. docs/elements/gleszones.md defines what counts.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 -q videotestsrc num-buffers=60 pattern=ball ! glescompact lower=100 \
 *     ! glesregions ! glestrack ! gleszones lines="middle: 50%,0% 50%,100%" \
 *     ! glesjson points=false ! fdsink
 * ]|
 *
 * Since: 0.1
 */
#include "config.h"

#include <gst/base/gstbasetransform.h>
#include <gst/gles/core/error.h>

#include "../base/boxes-setting.h"
#include "../base/element-name.h"
#include "../base/frame-utc.h"
#include "../base/results.h"
#include "../base/settings.h"
#include "../elements.h"
#include "zone-result.h"

GST_DEBUG_CATEGORY_STATIC (gst_gles_zones_debug);
#define GST_CAT_DEFAULT gst_gles_zones_debug

/* No pixel is read, so any format and any memory is accepted. */
#define CAPS "video/x-raw; video/x-raw(ANY)"
#define INPUT "tracks of glestrack, or boxes of a detector"
#define MAX_SECONDS 1000000

typedef struct {
  ZoneAnchor anchor;
  const gchar *types, *session;
  gdouble min_time, dwell, empty_time, track_lost, hysteresis;
  guint crowd;
  BoxesSource boxes;
} ZonesSettings;

/* One of the properties `zones` and `lines`, under the object lock. */
typedef struct {
  gchar *text;
  ZoneSet *set;
  GError *error; /* why the text that was set last is refused, or NULL */
} SetProperty;

#define GST_TYPE_GLES_ZONES_ELEMENT (gst_gles_zones_element_get_type ())
G_DECLARE_FINAL_TYPE (
    GstGlesZonesElement, gst_gles_zones_element, GST, GLES_ZONES_ELEMENT, GstBaseTransform)

struct _GstGlesZonesElement {
  GstBaseTransform parent;

  ZonesSettings settings; /* object lock */
  SetProperty sets[2];    /* object lock: zones, lines */

  /* used on the streaming thread only: */
  GstGlesFrameInfo picture; /* size and format of the caps */
  ZoneState state;
  gboolean has_tracks; /* a frame had tracks: boxes do not count any more */
  gboolean has_boxes;  /* a frame had boxes: one without has none */
  gboolean has_warned;
  guint64 n_frames;
  GstGlesOrigin *origin; /* of what is inside */
  ResultsExpected expected;
};

enum {
  PROP_0,
  PROP_SETTINGS, /* a member of ZonesSettings */
  PROP_ZONES,    /* a SetProperty, in their order */
  PROP_LINES
};

static const GEnumValue anchors[] = {
  { ZONE_ANCHOR_BOTTOM, "The middle of the lower edge of the box", "bottom" },
  { ZONE_ANCHOR_CENTRE, "The centre of the box", "centre" },
  { 0, NULL, NULL },
};

G_DEFINE_TYPE (GstGlesZonesElement, gst_gles_zones_element, GST_TYPE_BASE_TRANSFORM)
GST_ELEMENT_REGISTER_DEFINE (gleszones, "gleszones", GST_RANK_NONE, GST_TYPE_GLES_ZONES_ELEMENT)

/* ---- settings of a frame ---- */

static gint64
to_ns (gdouble seconds)
{
  return (gint64) (seconds * GST_SECOND + 0.5);
}

static ZoneRules
get_rules (const ZonesSettings *settings)
{
  return (ZoneRules){ .anchor = settings->anchor,
    .types = settings->types,
    .min_time = to_ns (settings->min_time),
    .dwell = to_ns (settings->dwell),
    .crowd = settings->crowd,
    .empty_time = to_ns (settings->empty_time),
    .track_lost = to_ns (settings->track_lost),
    .hysteresis = (gint64) (settings->hysteresis * 1000 + 0.5) };
}

/* Begins a report of this element. The texts of its source are freed by end_report(). */
static void
begin_report (GstGlesZonesElement *self, const ZonesSettings *settings, ZoneReport *report)
{
  const EventSource source = { settings->session,
    self->origin != NULL ? self->origin->stream_id : NULL,
    gst_object_get_name (GST_OBJECT (self)) };

  zone_report_init (report, GST_ELEMENT (self), &source);
}

static GstBuffer *
end_report (GstGlesZonesElement *self, ZoneReport *report, GstBuffer *buffer)
{
  g_free ((gchar *) report->source.element);
  return zone_report_finish (report, GST_BASE_TRANSFORM_SRC_PAD (self), buffer);
}

/* Takes the settings of a frame, and zones that have changed. */
static ZonesSettings
take_settings (GstGlesZonesElement *self)
{
  g_autoptr (GPtrArray) areas = NULL;
  g_autoptr (GPtrArray) lines = NULL;
  ZonesSettings settings;
  ZoneReport report;
  ZoneRules rules;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  areas = g_ptr_array_ref (self->sets[0].set);
  lines = g_ptr_array_ref (self->sets[1].set);
  GST_OBJECT_UNLOCK (self);
  if (areas == self->state.areas && lines == self->state.lines)
    return settings;
  rules = get_rules (&settings);
  begin_report (self, &settings, &report);
  zone_state_set_zones (&self->state, areas, lines, &rules, &report);
  end_report (self, &report, NULL);
  return settings;
}

static ZonesSettings
get_settings (GstGlesZonesElement *self)
{
  ZonesSettings settings;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  GST_OBJECT_UNLOCK (self);
  return settings;
}

/* Ends what lasts: what follows cannot be compared with what was. */
static void
end_all (GstGlesZonesElement *self, EventCause cause)
{
  const ZonesSettings settings = get_settings (self);
  ZoneReport report;

  begin_report (self, &settings, &report);
  zone_state_end (&self->state, cause, &report);
  end_report (self, &report, NULL);
}

/* ---- one frame ---- */

/* Of a frame of boxes, where no result tells. */
static GstGlesFrameInfo
describe_frame (GstGlesZonesElement *self, GstBuffer *buffer)
{
  GstGlesFrameInfo frame = self->picture;

  frame.number = self->n_frames - 1;
  frame.pts = GST_BUFFER_PTS (buffer);
  frame.duration = GST_BUFFER_DURATION (buffer);
  frame.running_time = frame.stream_time = GST_CLOCK_TIME_NONE;
  frame.utc = frame_get_utc (buffer);
  return frame;
}

static void
take_origin (GstGlesZonesElement *self, const GstGlesFrameInfo *frame)
{
  GstGlesOrigin *next = frame->origin, *last = self->origin;

  if (next == NULL || next == last)
    return;
  /* numbers of another element, or of another camera's stream, stand for other things */
  if (last != NULL &&
      (g_strcmp0 (last->element, next->element) != 0 ||
          g_strcmp0 (last->stream_id, next->stream_id) != 0))
    end_all (self, EVENT_CAUSE_SEGMENT);
  g_clear_pointer (&self->origin, gst_gles_origin_unref);
  self->origin = gst_gles_origin_ref (next);
}

/* The origin of a result of this element. */
static GstGlesOrigin *
new_origin (GstGlesZonesElement *self)
{
  g_autofree gchar *name = gst_object_get_name (GST_OBJECT (self));

  return gst_gles_origin_new (name, self->origin != NULL ? self->origin->stream_id : NULL);
}

static gboolean
take_size (GstGlesZonesElement *self, const GstGlesFrameInfo *frame)
{
  ZoneState *state = &self->state;

  if (frame->width > ZONE_MAX_SIDE || frame->height > ZONE_MAX_SIDE) {
    GST_ELEMENT_ERROR (self, STREAM, FORMAT,
        ("Zones are for pictures of up to %u x %u pixels; this one has %u x %u: scale it down",
            ZONE_MAX_SIDE, ZONE_MAX_SIDE, frame->width, frame->height),
        (NULL));
    return FALSE;
  }
  if (frame->width == state->width && frame->height == state->height)
    return TRUE;
  if (state->width > 0)
    end_all (self, EVENT_CAUSE_CAPS);
  zone_state_set_size (state, frame->width, frame->height);
  return TRUE;
}

/* Looks at @tracks, or at @boxes if there are none, and attaches what it finds to @buffer. */
static gboolean
look (GstGlesZonesElement *self, GstBuffer *buffer, GstGlesTracksResult *tracks,
    const GArray *boxes, const ZonesSettings *settings)
{
  const ZoneRules rules = get_rules (settings);
  GstGlesFrameInfo frame =
      tracks != NULL ? *gst_gles_tracks_result_get_frame (tracks) : describe_frame (self, buffer);
  const EventTime at = event_time_of_buffer (&GST_BASE_TRANSFORM (self)->segment, buffer, &frame);
  g_autoptr (GstGlesZonesResult) result = NULL;
  g_autoptr (GstGlesOrigin) origin = NULL;
  ZoneReport report;

  take_origin (self, &frame);
  if (!take_size (self, &frame))
    return FALSE;
  begin_report (self, settings, &report);
  if (tracks != NULL)
    zone_state_push_tracks (&self->state, &rules, tracks, &at, &report);
  else
    zone_state_push_boxes (&self->state, &rules, boxes, &at, &report);
  end_report (self, &report, buffer);
  frame.origin = origin = new_origin (self);
  result = zone_result_new (&self->state, &rules, tracks != NULL ? NULL : boxes, &frame);
  gst_buffer_add_gles_zones_meta (buffer, result);
  return TRUE;
}

/* Returns the boxes of @buffer, of ZoneBox (transfer full). */
static GArray *
read_boxes (GstGlesZonesElement *self, GstBuffer *buffer, const ZonesSettings *settings)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (ZoneBox));
  g_autofree UpstreamBoxes *found = g_new (UpstreamBoxes, 1);

  boxes_read (found, buffer, settings->boxes, "");
  boxes_warn (found, GST_ELEMENT (self), &self->has_warned);
  for (guint i = 0; i < found->n; i++) {
    const UpstreamBox *box = &found->box[i];
    const ZoneBox item = { zone_anchor_of (
                               settings->anchor, box->x, box->y, box->width, box->height),
      box->type != 0 ? g_quark_to_string (box->type) : "" };

    g_array_append_val (boxes, item);
  }
  return boxes;
}

static GstFlowReturn
gst_gles_zones_element_transform_ip (GstBaseTransform *trans, GstBuffer *buffer)
{
  GstGlesZonesElement *self = GST_GLES_ZONES_ELEMENT (trans);
  g_autoptr (GstGlesTracksResult) tracks = NULL;
  g_autoptr (GArray) boxes = NULL;
  ZonesSettings settings;

  if (results_is_gap (buffer))
    return GST_FLOW_OK;
  self->n_frames++;
  settings = take_settings (self);
  tracks = gst_gles_tracks_result_from_buffer (buffer);
  if (tracks == NULL && !self->has_tracks)
    boxes = read_boxes (self, buffer, &settings);
  if (tracks != NULL && self->has_boxes && !self->has_tracks)
    end_all (self, EVENT_CAUSE_CAPS);
  self->has_tracks = self->has_tracks || tracks != NULL;
  self->has_boxes = self->has_boxes || (boxes != NULL && boxes->len > 0);
  results_expect_buffer (
      &self->expected, GST_ELEMENT (self), self->has_tracks || self->has_boxes, INPUT);
  /* before the first result nothing is known, and nothing is empty */
  if (tracks == NULL && (boxes == NULL || !self->has_boxes))
    return GST_FLOW_OK;
  return look (self, buffer, tracks, boxes, &settings) ? GST_FLOW_OK : GST_FLOW_ERROR;
}

/* Metadata is added to a buffer of its own, whose memory others may share. */
static GstFlowReturn
gst_gles_zones_element_prepare_output_buffer (
    GstBaseTransform *trans, GstBuffer *input, GstBuffer **output)
{
  *output = gst_buffer_is_writable (input) ? input : gst_buffer_copy (input);
  return GST_FLOW_OK;
}

/* ---- caps, events, states ---- */

static gboolean
gst_gles_zones_element_set_caps (GstBaseTransform *trans, GstCaps *caps, GstCaps *out_caps)
{
  GstGlesZonesElement *self = GST_GLES_ZONES_ELEMENT (trans);
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  const gchar *format = gst_structure_get_string (structure, "format");
  gint width = 0, height = 0;

  if (!gst_structure_get_int (structure, "width", &width) ||
      !gst_structure_get_int (structure, "height", &height) || width <= 0 || height <= 0) {
    GST_ELEMENT_ERROR (
        self, STREAM, FORMAT, ("The caps have no width and height"), ("%" GST_PTR_FORMAT, caps));
    return FALSE;
  }
  self->picture = (GstGlesFrameInfo){ .width = (guint) width,
    .height = (guint) height,
    .format = format != NULL ? gst_video_format_from_string (format) : GST_VIDEO_FORMAT_UNKNOWN };
  return TRUE;
}

static gboolean
gst_gles_zones_element_sink_event (GstBaseTransform *trans, GstEvent *event)
{
  GstGlesZonesElement *self = GST_GLES_ZONES_ELEMENT (trans);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_START:
      end_all (self, EVENT_CAUSE_SEGMENT);
      g_clear_pointer (&self->origin, gst_gles_origin_unref);
      break;
    case GST_EVENT_FLUSH_STOP:
      end_all (self, EVENT_CAUSE_FLUSH);
      break;
    case GST_EVENT_EOS:
      end_all (self, EVENT_CAUSE_EOS);
      results_expect_end (&self->expected, GST_ELEMENT (self), INPUT);
      break;
    default:
      break;
  }
  return GST_BASE_TRANSFORM_CLASS (gst_gles_zones_element_parent_class)->sink_event (trans, event);
}

static gboolean
gst_gles_zones_element_start (GstBaseTransform *trans)
{
  GstGlesZonesElement *self = GST_GLES_ZONES_ELEMENT (trans);
  g_autoptr (GError) error = NULL;

  GST_OBJECT_LOCK (self);
  for (guint i = 0; i < G_N_ELEMENTS (self->sets) && error == NULL; i++)
    error = self->sets[i].error != NULL ? g_error_copy (self->sets[i].error) : NULL;
  GST_OBJECT_UNLOCK (self);
  if (error == NULL)
    return TRUE;
  gst_gles_error_post (GST_ELEMENT (self), error);
  return FALSE;
}

static gboolean
gst_gles_zones_element_stop (GstBaseTransform *trans)
{
  GstGlesZonesElement *self = GST_GLES_ZONES_ELEMENT (trans);

  /* the pads are inactive by now, so the ends are posted as messages only */
  end_all (self, EVENT_CAUSE_STOPPED);
  zone_state_clear (&self->state);
  self->has_tracks = self->has_boxes = self->has_warned = FALSE;
  self->n_frames = 0;
  self->expected = (ResultsExpected){ 0 };
  self->picture = (GstGlesFrameInfo){ 0 };
  g_clear_pointer (&self->origin, gst_gles_origin_unref);
  return TRUE;
}

/* ---- properties ---- */

/* A text that cannot be used is refused: by a warning once the element has started, and otherwise
 * by an error when it starts, because there may be no bus before. */
static void
set_zones (GstGlesZonesElement *self, guint i, const gchar *text)
{
  SetProperty *property = &self->sets[i];
  GError *error = NULL;
  ZoneSet *set = zone_set_new (text != NULL ? text : "", i == 1, &error), *old = NULL;
  gboolean started;

  GST_OBJECT_LOCK (self);
  started = GST_STATE (self) > GST_STATE_READY;
  g_clear_error (&property->error);
  if (set != NULL) {
    old = property->set;
    property->set = set;
    g_free (property->text);
    property->text = g_strdup (text != NULL ? text : "");
  } else {
    property->error = g_error_copy (error);
  }
  GST_OBJECT_UNLOCK (self);
  g_clear_pointer (&old, g_ptr_array_unref);
  if (error != NULL && started)
    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS, ("%s", error->message),
        ("the former %s stay", i == 1 ? "lines" : "zones"));
  g_clear_error (&error);
}

static void
gst_gles_zones_element_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  GstGlesZonesElement *self = GST_GLES_ZONES_ELEMENT (object);

  if (id == PROP_SETTINGS)
    settings_set (object, &self->settings, value, spec);
  else
    set_zones (self, id - PROP_ZONES, g_value_get_string (value));
}

static void
gst_gles_zones_element_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  GstGlesZonesElement *self = GST_GLES_ZONES_ELEMENT (object);

  if (id == PROP_SETTINGS) {
    settings_get (object, &self->settings, value, spec);
    return;
  }
  GST_OBJECT_LOCK (self);
  g_value_set_string (value, self->sets[id - PROP_ZONES].text);
  GST_OBJECT_UNLOCK (self);
}

static void
gst_gles_zones_element_finalize (GObject *object)
{
  GstGlesZonesElement *self = GST_GLES_ZONES_ELEMENT (object);

  for (guint i = 0; i < G_N_ELEMENTS (self->sets); i++) {
    g_free (self->sets[i].text);
    g_ptr_array_unref (self->sets[i].set);
    g_clear_error (&self->sets[i].error);
  }
  zone_state_clear (&self->state);
  G_OBJECT_CLASS (gst_gles_zones_element_parent_class)->finalize (object);
}

#define MEMBER(name) G_STRUCT_OFFSET (ZonesSettings, name)

static void
install (GObjectClass *klass, gsize offset, GParamSpec *spec)
{
  settings_install (klass, PROP_SETTINGS, offset, spec);
}

static void
install_seconds (
    GObjectClass *klass, gsize offset, const gchar *name, gdouble initial, const gchar *blurb)
{
  install (klass, offset,
      g_param_spec_double (name, name, blurb, 0, MAX_SECONDS, initial, SETTING_FLAGS));
}

static void
install_properties (GObjectClass *klass)
{
  g_object_class_install_property (klass, PROP_ZONES,
      g_param_spec_string ("zones", "Zones",
          "Named polygons, \"NAME: x,y x,y x,y; ...\", in shares of the frame, percent (50%) or "
          "pixels (320px); behind a name may stand types=, min-time=, dwell= and crowd=",
          "", SETTING_FLAGS));
  g_object_class_install_property (klass, PROP_LINES,
      g_param_spec_string ("lines", "Lines",
          "Named lines, \"NAME: x,y x,y; ...\", as zones; in is from the left of the line to its "
          "right, for who looks along it",
          "", SETTING_FLAGS));
  install (klass, MEMBER (anchor),
      g_param_spec_enum ("anchor", "Anchor", "The point of a box that counts",
          enum_type ("GstGlesZonesAnchor", anchors), ZONE_ANCHOR_BOTTOM, SETTING_FLAGS));
  install (klass, MEMBER (types),
      g_param_spec_string ("types", "Types",
          "Things of these types count, names with commas between them; \"\": all", "",
          SETTING_FLAGS));
  install_seconds (klass, MEMBER (min_time), "min-time", 0,
      "Seconds that a thing must be inside of a zone to count");
  install_seconds (klass, MEMBER (dwell), "dwell", 0,
      "Seconds inside of a zone after which dwell is told; 0: never");
  install (klass, MEMBER (crowd),
      g_param_spec_uint ("crowd", "Crowd",
          "More things than that inside of a zone are a crowd; 0: none is told", 0, G_MAXINT32, 0,
          SETTING_FLAGS));
  install (klass, MEMBER (hysteresis),
      g_param_spec_double ("hysteresis", "Hysteresis",
          "How far a thing must be beyond a border to have left, and beyond a line to have crossed "
          "it, in mean sides of its box",
          0, 1, 0.1, SETTING_FLAGS));
  install_seconds (klass, MEMBER (empty_time), "empty-time", 0,
      "Seconds without a thing after which a zone is empty");
  install_seconds (klass, MEMBER (track_lost), "track-lost", 1,
      "Seconds that a track is kept which is not in the list of tracks any more");
  install (klass, MEMBER (boxes),
      boxes_spec ("Without tracks: count the boxes of elements upstream", BOXES_ALL));
  install (klass, MEMBER (session),
      g_param_spec_string ("session", "Session",
          "Part of the ids of events: keeps apart runs that are otherwise the same", "",
          SETTING_FLAGS));
}

static void
gst_gles_zones_element_class_init (GstGlesZonesElementClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  g_autoptr (GstCaps) caps = gst_caps_from_string (CAPS);

  element_class_name_instances (G_OBJECT_CLASS (klass));
  GST_DEBUG_CATEGORY_INIT (gst_gles_zones_debug, "gleszones", 0, "Zones and lines");

  object_class->set_property = gst_gles_zones_element_set_property;
  object_class->get_property = gst_gles_zones_element_get_property;
  object_class->finalize = gst_gles_zones_element_finalize;
  install_properties (object_class);
  gst_element_class_add_pad_template (
      element_class, gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (
      element_class, gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_element_class_set_static_metadata (element_class, "Zones and lines", "Filter/Analyzer/Video",
      "Tells which tracks are inside of which zones, for how long, and which lines they cross",
      "The gst-gles-compute developers");

  trans_class->set_caps = gst_gles_zones_element_set_caps;
  trans_class->sink_event = gst_gles_zones_element_sink_event;
  trans_class->start = gst_gles_zones_element_start;
  trans_class->stop = gst_gles_zones_element_stop;
  trans_class->prepare_output_buffer = gst_gles_zones_element_prepare_output_buffer;
  trans_class->transform_ip = gst_gles_zones_element_transform_ip;
  trans_class->transform_ip_on_passthrough = FALSE;
}

static void
gst_gles_zones_element_init (GstGlesZonesElement *self)
{
  settings_init (G_OBJECT (self), PROP_SETTINGS, &self->settings);
  for (guint i = 0; i < G_N_ELEMENTS (self->sets); i++)
    self->sets[i] = (SetProperty){ .text = g_strdup (""), .set = zone_set_new ("", i == 1, NULL) };
}
