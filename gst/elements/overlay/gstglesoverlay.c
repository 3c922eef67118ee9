/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-glesoverlay
 * @title: glesoverlay
 * @short_description: Draws the results of the analysers on the picture
 *
 * Draws what gleshistogram, glescompact and glestiles left on a buffer: the curves of the histogram
 * in a corner, the points at their positions, and the grid of tiles, each shaded by its number of
 * entries. A buffer without results passes unchanged.
 *
 * Where downstream takes a #GstVideoOverlayCompositionMeta (many video sinks do) the drawing is
 * attached and the picture stays as it is; elsewhere it is blended into the picture, as textoverlay
 * does. This element waits until a result has come back from the device. A queue before it lets the
 * analyser work on later frames during that time.
 *
 * ## Example
 * |[
 * gst-launch-1.0 videotestsrc ! gleshistogram ! queue ! glesoverlay ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 0.1
 */
#include "config.h"

#include <gst/gles/import/caps.h>

#include "../base/bad-frame.h"
#include "../base/element-name.h"
#include "../elements.h"
#include "../base/readers.h"
#include "../base/settings.h"
#include "overlay-caps.h"
#include "overlay-blend.h"
#include "overlay-draw.h"
#include "overlay-frame.h"
#include "overlay-mask.h"

GST_DEBUG_CATEGORY_STATIC (gst_gles_overlay_element_debug);
#define GST_CAT_DEFAULT gst_gles_overlay_element_debug

typedef struct {
  gdouble opacity;
  OverlayPosition position;
  gboolean histogram, points, tiles, regions, roi, tracks, zones; /* what is drawn */
  gboolean labels, sizes;
  guint trails; /* centres of each track */
  BadFrameAction on_bad_frame;
} OverlaySettings;

#define GST_TYPE_GLES_OVERLAY_ELEMENT (gst_gles_overlay_element_get_type ())
G_DECLARE_FINAL_TYPE (
    GstGlesOverlayElement, gst_gles_overlay_element, GST, GLES_OVERLAY_ELEMENT, GstElement)

struct _GstGlesOverlayElement {
  GstElement parent;

  GstPad *sink_pad, *src_pad;

  /* used on the streaming thread only: */
  GstVideoInfo info;
  GstSegment segment;
  gboolean attach; /* TRUE: downstream draws the composition; FALSE: it is blended here */
  gboolean warned; /* about a result that cannot be drawn */
  ResultsExpected expected;
  OverlayTrails trails;
  OverlayMask mask; /* its setting: protected by the object lock */

  /* protected by the object lock: */
  OverlaySettings settings;
  BadFrames bad;
};

enum {
  PROP_0,
  PROP_SETTING, /* a member of OverlaySettings */
  PROP_MASK,
  PROP_STATS
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
    GST_PAD_ALWAYS, GST_STATIC_CAPS (OVERLAY_BLENDABLE_CAPS ";" OVERLAY_ATTACHABLE_CAPS));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC,
    GST_PAD_ALWAYS, GST_STATIC_CAPS (OVERLAY_BLENDABLE_CAPS ";" OVERLAY_ATTACHABLE_CAPS));

G_DEFINE_TYPE (GstGlesOverlayElement, gst_gles_overlay_element, GST_TYPE_ELEMENT)
GST_ELEMENT_REGISTER_DEFINE (
    glesoverlay, "glesoverlay", GST_RANK_NONE, GST_TYPE_GLES_OVERLAY_ELEMENT)

static const GEnumValue positions[] = {
  { OVERLAY_TOP_LEFT, "Top left corner", "top-left" },
  { OVERLAY_TOP_RIGHT, "Top right corner", "top-right" },
  { OVERLAY_BOTTOM_LEFT, "Bottom left corner", "bottom-left" },
  { OVERLAY_BOTTOM_RIGHT, "Bottom right corner", "bottom-right" },
  { 0, NULL, NULL },
};

/* ---- caps ---- */

/* Whether downstream announces support for compositions. The caps must have been sent before. */
static gboolean
downstream_composes (GstGlesOverlayElement *self, GstCaps *caps)
{
  GstQuery *query = gst_query_new_allocation (caps, FALSE);
  const gboolean composes = gst_pad_peer_query (self->src_pad, query) &&
      gst_query_find_allocation_meta (query, GST_VIDEO_OVERLAY_COMPOSITION_META_API_TYPE, NULL);

  gst_query_unref (query);
  return composes;
}

/* Decides between attaching and blending, like textoverlay: attaches if downstream takes
 * compositions or if the format cannot be blended into; otherwise blends. */
static gboolean
negotiate (GstGlesOverlayElement *self, GstCaps *caps)
{
  g_autoptr (GstCaps) attached = overlay_caps_with_composition (caps, TRUE);
  const gboolean already = overlay_caps_has_composition (caps),
                 blendable = overlay_caps_can_blend (caps);
  gboolean ok = TRUE;

  gst_pad_check_reconfigure (self->src_pad);
  self->attach = already;
  if (!already && gst_pad_peer_query_accept_caps (self->src_pad, attached)) {
    /* Base classes answer allocation queries only after they have caps. */
    ok = gst_pad_set_caps (self->src_pad, attached);
    self->attach = ok && (downstream_composes (self, attached) || !blendable);
  }
  if (already || !self->attach)
    ok = (already || blendable) && gst_pad_set_caps (self->src_pad, caps);
  GST_DEBUG_OBJECT (self, "%s %" GST_PTR_FORMAT ": %s", ok ? "drawings on" : "refused", caps,
      self->attach ? "attached" : "blended");
  if (!ok)
    gst_pad_mark_reconfigure (self->src_pad);
  return ok;
}

/* ---- events and queries ---- */

static gboolean
on_caps (GstGlesOverlayElement *self, GstCaps *caps)
{
  GstVideoInfo info;

  if (!gst_gles_frame_caps_to_info (caps, &info))
    return FALSE;
  self->info = info;
  return negotiate (self, caps);
}

static gboolean
gst_gles_overlay_element_sink_event (GstPad *pad, GstObject *parent, GstEvent *event)
{
  GstGlesOverlayElement *self = GST_GLES_OVERLAY_ELEMENT (parent);

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    GstCaps *caps;
    gboolean ok;

    gst_event_parse_caps (event, &caps);
    ok = on_caps (self, caps);
    gst_event_unref (event);
    return ok;
  }
  if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
    gst_event_copy_segment (event, &self->segment);
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    overlay_trails_clear (&self->trails);
  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    results_expect_end (&self->expected, GST_ELEMENT (self), RESULTS_OF_ANY);
  return gst_pad_event_default (pad, parent, event);
}

/* Removes GstVideoCropMeta from the answer, so that frames come cropped: some sinks would move the
 * drawing with the crop, and others would not. */
static gboolean
query_allocation (GstPad *pad, GstObject *parent, GstQuery *query)
{
  guint index;

  if (!gst_pad_query_default (pad, parent, query))
    return FALSE;
  while (gst_query_find_allocation_meta (query, GST_VIDEO_CROP_META_API_TYPE, &index))
    gst_query_remove_nth_allocation_meta (query, index);
  return TRUE;
}

static ResultsParts
get_parts (const OverlaySettings *settings)
{
  if (settings->opacity <= 0)
    return 0;
  return (settings->histogram ? RESULTS_HISTOGRAM : 0) | (settings->points ? RESULTS_POINTS : 0) |
      (settings->tiles ? RESULTS_TILES : 0) | (settings->regions ? RESULTS_REGIONS : 0) |
      (settings->roi ? RESULTS_INTERESTS : 0) | (settings->tracks ? RESULTS_TRACKS : 0) |
      (settings->zones ? RESULTS_ZONES : 0);
}

static gboolean
gst_gles_overlay_element_query (GstPad *pad, GstObject *parent, GstQuery *query)
{
  GstGlesOverlayElement *self = GST_GLES_OVERLAY_ELEMENT (parent);
  const gboolean is_sink = pad == self->sink_pad;

  if (GST_QUERY_TYPE (query) == GST_QUERY_CAPS) {
    GstCaps *filter, *caps;

    gst_query_parse_caps (query, &filter);
    caps = overlay_caps_query (pad, is_sink ? self->src_pad : self->sink_pad, !is_sink, filter);
    gst_query_set_caps_result (query, caps);
    gst_caps_unref (caps);
    return TRUE;
  }
  if (is_sink && GST_QUERY_TYPE (query) == GST_QUERY_ALLOCATION)
    return query_allocation (pad, parent, query);
  if (is_sink && readers_is_question (query, NULL)) {
    GST_OBJECT_LOCK (self);
    readers_answer (query, get_parts (&self->settings));
    GST_OBJECT_UNLOCK (self);
  }
  return gst_pad_query_default (pad, parent, query);
}

/* ---- drawing ---- */

/* Collects the results of @parts on @buffer and waits for them; they must be cleared. If they
 * cannot be read, returns OK without any: the frame is still useful without the drawing. */
static GstFlowReturn
collect (GstGlesOverlayElement *self, GstBuffer *buffer, ResultsParts parts, Results *results)
{
  const gboolean found = results_collect (results, parts, buffer);
  GError *error = NULL;
  GstFlowReturn flow;

  if (parts != 0)
    results_expect_buffer (&self->expected, GST_ELEMENT (self), found, RESULTS_OF_ANY);
  if (!found)
    return GST_FLOW_OK;
  flow = results_wait (results, self->sink_pad, &error);
  if (flow == GST_FLOW_OK)
    return flow;

  results_clear (results);
  if (flow == GST_FLOW_ERROR && !self->warned) {
    GST_ELEMENT_WARNING (self, STREAM, FAILED, ("A result cannot be drawn: %s", error->message),
        ("frames pass without it; this is said once"));
    self->warned = TRUE;
  }
  g_clear_error (&error);
  return flow == GST_FLOW_FLUSHING ? flow : GST_FLOW_OK;
}

/* Attaches @composition after any rectangles that are attached already. @buffer and return value:
 * (transfer full). */
static GstBuffer *
attach (GstBuffer *buffer, GstVideoOverlayComposition *composition)
{
  GstVideoOverlayCompositionMeta *meta;

  buffer = gst_buffer_make_writable (buffer);
  meta = gst_buffer_get_video_overlay_composition_meta (buffer);
  if (meta == NULL) {
    gst_buffer_add_video_overlay_composition_meta (buffer, composition);
    return buffer;
  }
  /* Other buffers may share the composition. */
  meta->overlay = gst_video_overlay_composition_make_writable (meta->overlay);
  for (guint i = 0; i < gst_video_overlay_composition_n_rectangles (composition); i++)
    gst_video_overlay_composition_add_rectangle (
        meta->overlay, gst_video_overlay_composition_get_rectangle (composition, i));
  return buffer;
}

static gboolean
blend (GstGlesOverlayElement *self, GstBuffer **buffer, GstVideoOverlayComposition *composition,
    GError **error)
{
  OverlayFrame frame;
  gboolean blended;

  *buffer = gst_buffer_make_writable (*buffer);
  if (!overlay_frame_map (&frame, &self->info, *buffer, error))
    return FALSE;
  blended = overlay_blend (composition, overlay_frame_get_target (&frame), error);
  overlay_frame_unmap (&frame);
  return blended;
}

/* Whether the frame passes without the drawing because of @error. */
static gboolean
skip (GstGlesOverlayElement *self, const GError *error)
{
  BadFrameAction action;

  GST_OBJECT_LOCK (self);
  action = self->settings.on_bad_frame;
  GST_OBJECT_UNLOCK (self);
  if (action != BAD_FRAME_SKIP || !bad_frame_matches (error))
    return FALSE;
  bad_frame_skip (GST_ELEMENT (self), &self->bad, error);
  return TRUE;
}

/* Draws @results. Takes @buffer and returns it (transfer full), or NULL after posting an element
 * error. */
static GstBuffer *
draw (GstGlesOverlayElement *self, GstBuffer *buffer, const Results *results, OverlayLook *look)
{
  g_autoptr (GError) error = NULL;
  GstVideoOverlayComposition *composition = NULL;

  if (overlay_mask_take (&self->mask, GST_OBJECT_CAST (self), look, &error))
    composition = overlay_draw (results, look, &error);

  if (composition != NULL && self->attach)
    buffer = attach (buffer, composition);
  else if (composition != NULL)
    blend (self, &buffer, composition, &error);
  g_clear_pointer (&composition, gst_video_overlay_composition_unref);
  if (error != NULL && !skip (self, error)) {
    gst_clear_buffer (&buffer);
    gst_gles_error_post (GST_ELEMENT (self), error);
  }
  return buffer;
}

static GstFlowReturn
gst_gles_overlay_element_chain (GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
  GstGlesOverlayElement *self = GST_GLES_OVERLAY_ELEMENT (parent);
  Results results = { 0 };
  ResultsParts parts;
  OverlayLook look;
  GstClockTime stream_time = GST_CLOCK_TIME_NONE;
  GstFlowReturn flow;
  guint trails;

  if (gst_pad_check_reconfigure (self->src_pad)) {
    g_autoptr (GstCaps) caps = gst_pad_get_current_caps (self->sink_pad);

    if (caps == NULL || !negotiate (self, caps)) {
      gst_buffer_unref (buffer);
      return GST_PAD_IS_FLUSHING (self->src_pad) ? GST_FLOW_FLUSHING : GST_FLOW_NOT_NEGOTIATED;
    }
  }

  if (self->segment.format == GST_FORMAT_TIME)
    stream_time =
        gst_segment_to_stream_time (&self->segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  if (GST_CLOCK_TIME_IS_VALID (stream_time))
    gst_object_sync_values (GST_OBJECT (self), stream_time);
  GST_OBJECT_LOCK (self);
  look = (OverlayLook){ .width = (guint) GST_VIDEO_INFO_WIDTH (&self->info),
    .height = (guint) GST_VIDEO_INFO_FIELD_HEIGHT (&self->info),
    .position = self->settings.position,
    .labels = self->settings.labels,
    .sizes = self->settings.sizes,
    .opacity = self->settings.opacity };
  parts = get_parts (&self->settings);
  trails = self->settings.trails;
  GST_OBJECT_UNLOCK (self);

  flow = collect (self, buffer, parts, &results);
  if (flow == GST_FLOW_OK && results.tracks != NULL && trails > 0) {
    overlay_trails_take (&self->trails, results.tracks, trails);
    look.trails = &self->trails;
  }
  if (flow == GST_FLOW_OK)
    buffer = draw (self, buffer, &results, &look);
  results_clear (&results);
  if (flow != GST_FLOW_OK) {
    gst_buffer_unref (buffer);
    return flow;
  }
  return buffer != NULL ? gst_pad_push (self->src_pad, buffer) : GST_FLOW_ERROR;
}

/* ---- object ---- */

static void
gst_gles_overlay_element_set_property (
    GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  GstGlesOverlayElement *self = GST_GLES_OVERLAY_ELEMENT (object);

  if (id == PROP_MASK)
    mask_setting_set (object, &self->mask.setting, value);
  else
    settings_set (object, &self->settings, value, spec);
}

static void
gst_gles_overlay_element_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  GstGlesOverlayElement *self = GST_GLES_OVERLAY_ELEMENT (object);

  if (id == PROP_SETTING) {
    settings_get (object, &self->settings, value, spec);
    return;
  }
  if (id == PROP_MASK) {
    mask_setting_get (object, &self->mask.setting, value);
    return;
  }
  GST_OBJECT_LOCK (self);
  g_value_take_boxed (
      value, gst_structure_new ("stats", "skipped-bad", G_TYPE_UINT64, self->bad.n_skipped, NULL));
  GST_OBJECT_UNLOCK (self);
}

static GstStateChangeReturn
gst_gles_overlay_element_change_state (GstElement *element, GstStateChange transition)
{
  GstGlesOverlayElement *self = GST_GLES_OVERLAY_ELEMENT (element);
  GstStateChangeReturn result;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    self->attach = self->warned = FALSE;
    self->expected = (ResultsExpected){ 0 };
    GST_OBJECT_LOCK (self);
    self->bad = (BadFrames){ 0 };
    GST_OBJECT_UNLOCK (self);
    gst_video_info_init (&self->info);
    gst_segment_init (&self->segment, GST_FORMAT_TIME);
  }
  result =
      GST_ELEMENT_CLASS (gst_gles_overlay_element_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    overlay_trails_clear (&self->trails);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    overlay_mask_clear (&self->mask);
  return result;
}

#define MEMBER(name) G_STRUCT_OFFSET (OverlaySettings, name)

static void
install_boolean (
    GObjectClass *klass, gsize offset, const gchar *name, const gchar *nick, const gchar *blurb)
{
  settings_install (
      klass, PROP_SETTING, offset, g_param_spec_boolean (name, nick, blurb, TRUE, SETTING_FLAGS));
}

static void
gst_gles_overlay_element_finalize (GObject *object)
{
  GstGlesOverlayElement *self = GST_GLES_OVERLAY_ELEMENT (object);

  mask_setting_clear (&self->mask.setting);
  overlay_mask_clear (&self->mask);
  G_OBJECT_CLASS (gst_gles_overlay_element_parent_class)->finalize (object);
}

static void
gst_gles_overlay_element_class_init (GstGlesOverlayElementClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  element_class_name_instances (G_OBJECT_CLASS (klass));
  GST_DEBUG_CATEGORY_INIT (
      gst_gles_overlay_element_debug, "glesoverlay", 0, "GLES results on the picture");

  object_class->set_property = gst_gles_overlay_element_set_property;
  object_class->get_property = gst_gles_overlay_element_get_property;
  object_class->finalize = gst_gles_overlay_element_finalize;
  element_class->change_state = gst_gles_overlay_element_change_state;

  settings_install (object_class, PROP_SETTING, MEMBER (opacity),
      g_param_spec_double ("opacity", "Opacity", "Opacity of all that is drawn; 0 draws nothing", 0,
          1, 1, SETTING_CONTROLLABLE));
  settings_install (object_class, PROP_SETTING, MEMBER (position),
      g_param_spec_enum ("position", "Position", "The corner that the panel is in",
          enum_type ("GstGlesOverlayPosition", positions), OVERLAY_BOTTOM_LEFT, SETTING_FLAGS));
  install_boolean (object_class, MEMBER (histogram), "histogram", "Histogram",
      "Draw the curves of the histogram");
  install_boolean (object_class, MEMBER (points), "points", "Points", "Draw points where they are");
  install_boolean (object_class, MEMBER (tiles), "tiles", "Tiles",
      "Draw occupied tiles, shaded by how full they are");
  install_boolean (object_class, MEMBER (regions), "regions", "Regions",
      "Draw a box around each region, with its label");
  install_boolean (object_class, MEMBER (roi), "roi", "Regions of interest",
      "Draw the GstVideoRegionOfInterestMeta of other elements as boxes, too");
  install_boolean (object_class, MEMBER (tracks), "tracks", "Tracks",
      "Draw the tracks of glestrack as boxes with label and id; lost ones with broken lines");
  install_boolean (object_class, MEMBER (zones), "zones", "Zones",
      "Draw the zones and lines of gleszones with their counters");
  settings_install (object_class, PROP_SETTING, MEMBER (trails),
      g_param_spec_uint ("trails", "Trails",
          "Draw a line through the centres of each track in its last frames, so many; 0: none", 0,
          OVERLAY_MAX_TRAIL, 50, SETTING_FLAGS));
  install_boolean (object_class, MEMBER (labels), "labels", "Labels",
      "Write numbers in the panel, where there is space for legible ones, and names at boxes");
  settings_install (object_class, PROP_SETTING, MEMBER (sizes),
      g_param_spec_boolean ("sizes", "Sizes",
          "Write the size of each box behind its label: points of regions, pixels of others", FALSE,
          SETTING_FLAGS));
  g_object_class_install_property (
      object_class, PROP_MASK, mask_setting_spec ("draw as bright as they are"));
  settings_install (object_class, PROP_SETTING, MEMBER (on_bad_frame), bad_frame_spec ());
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics", "Frames skipped since READY", GST_TYPE_STRUCTURE,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));

  gst_element_class_set_static_metadata (element_class, "GLES results on the picture",
      "Filter/Editor/Video",
      "Draws the results of gleshistogram and the other analysers on the picture",
      "The gst-gles-compute developers");
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
}

static void
gst_gles_overlay_element_init (GstGlesOverlayElement *self)
{
  settings_init (G_OBJECT (self), PROP_SETTING, &self->settings);

  self->sink_pad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sink_pad, gst_gles_overlay_element_chain);
  gst_pad_set_event_function (self->sink_pad, gst_gles_overlay_element_sink_event);
  gst_pad_set_query_function (self->sink_pad, gst_gles_overlay_element_query);
  GST_PAD_SET_PROXY_ALLOCATION (self->sink_pad);
  gst_element_add_pad (GST_ELEMENT (self), self->sink_pad);

  self->src_pad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_set_query_function (self->src_pad, gst_gles_overlay_element_query);
  gst_element_add_pad (GST_ELEMENT (self), self->src_pad);
}
