/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglespictureanalyzer.h"

#include <string.h>

#include <gst/gles/import/allocator.h>
#include <gst/gles/import/caps.h>
#include <gst/gles/import/source-info.h>

typedef struct {
  /* protected by the object lock: */
  GstAllocator *allocator;      /* NULL until it is offered upstream */
  GstGlesDevice *allocates_for; /* the device of the allocator, which holds it */

  gint explained; /* atomic: that the device does not read the memory that upstream has */

  /* used on the streaming thread only: */
  GstVideoInfo info; /* of the same picture in system memory */
  guint64 modifier;  /* of DMABufs; 0: linear */
  GstGlesFrameSource *source;
  GstGlesImage layout; /* that the plan is made for */
  gboolean warned;     /* that frames are mapped */
  gboolean is_fresh;   /* no frame was analysed with the plan */
  gboolean has_fitted; /* the region fitted caps since READY */
  GstGlesImage image;  /* the current frame, from take_input to analyze */
  GstGlesDevice *cpu;  /* for validation */
  GstGlesFrameSource *cpu_source;
} GstGlesPictureAnalyzerPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (
    GstGlesPictureAnalyzer, gst_gles_picture_analyzer, GST_TYPE_GLES_ANALYZER)

static GstGlesPictureAnalyzerPrivate *
get_private (gpointer object)
{
  return gst_gles_picture_analyzer_get_instance_private (GST_GLES_PICTURE_ANALYZER (object));
}

const GstVideoInfo *
gst_gles_picture_analyzer_get_info (GstGlesPictureAnalyzer *analyzer)
{
  return &get_private (analyzer)->info;
}

GstGlesField
gst_gles_picture_analyzer_get_fields (GstGlesPictureAnalyzer *analyzer, GstGlesField *last)
{
  const gboolean has_fields = GST_VIDEO_INFO_INTERLACE_MODE (&get_private (analyzer)->info) ==
      GST_VIDEO_INTERLACE_MODE_ALTERNATE;

  *last = has_fields ? GST_GLES_FIELD_BOTTOM : GST_GLES_FIELD_NONE;
  return has_fields ? GST_GLES_FIELD_TOP : GST_GLES_FIELD_NONE;
}

/* Offers the memory that the device can read. The device is known from READY on. */
static GstCaps *
gst_gles_picture_analyzer_transform_caps (
    GstBaseTransform *trans, GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
  g_autoptr (GstGlesDevice) device = gst_gles_analyzer_ref_device (GST_GLES_ANALYZER (trans));
  g_autoptr (GstCaps) readable = gst_gles_frame_caps_for_device (caps, device);

  if (filter == NULL)
    return g_steal_pointer (&readable);
  return gst_caps_intersect_full (filter, readable, GST_CAPS_INTERSECT_FIRST);
}

/* ---- the allocator that is offered upstream ---- */

static void
drop_allocator (GstGlesPictureAnalyzer *self)
{
  GstAllocator *allocator;

  GST_OBJECT_LOCK (self);
  allocator = g_steal_pointer (&get_private (self)->allocator);
  GST_OBJECT_UNLOCK (self);
  if (allocator == NULL)
    return;
  gst_gles_allocator_close (GST_GLES_ALLOCATOR (allocator));
  gst_object_unref (allocator);
}

/* Returns (transfer full) (nullable) the allocator. */
static GstAllocator *
get_allocator (GstGlesPictureAnalyzer *self)
{
  GstGlesPictureAnalyzerPrivate *priv = get_private (self);
  g_autoptr (GstGlesDevice) device = gst_gles_analyzer_ref_device (GST_GLES_ANALYZER (self));
  GstAllocator *allocator = NULL;
  gboolean is_old;

  GST_OBJECT_LOCK (self);
  is_old = priv->allocates_for != device;
  GST_OBJECT_UNLOCK (self);
  if (is_old)
    drop_allocator (self);
  GST_OBJECT_LOCK (self);
  if (priv->allocator == NULL && device != NULL)
    priv->allocator = gst_gles_allocator_new (device);
  priv->allocates_for = device;
  gst_object_replace ((GstObject **) &allocator, (GstObject *) priv->allocator);
  GST_OBJECT_UNLOCK (self);
  return allocator;
}

static gboolean
is_system_memory (GstQuery *query)
{
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  return caps != NULL && gst_caps_get_size (caps) == 1 &&
      gst_caps_features_is_equal (
          gst_caps_get_features (caps, 0), GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY);
}

/* Adds the allocator where downstream asked for none. Everything else is downstream's own answer:
 * strides and metas of frames are what the next elements can read. */
static gboolean
gst_gles_picture_analyzer_propose_allocation (
    GstBaseTransform *trans, GstQuery *decide_query, GstQuery *query)
{
  const gboolean answered = GST_BASE_TRANSFORM_CLASS (gst_gles_picture_analyzer_parent_class)
                                ->propose_allocation (trans, decide_query, query);
  const guint n_params = gst_query_get_n_allocation_params (query);
  GstAllocationParams params;
  GstAllocator *allocator = NULL;

  gst_allocation_params_init (&params);
  if (n_params > 0)
    gst_query_parse_nth_allocation_param (query, 0, &allocator, &params);
  if (allocator == NULL && is_system_memory (query) && !gst_base_transform_is_passthrough (trans)) {
    allocator = get_allocator (GST_GLES_PICTURE_ANALYZER (trans));
    if (allocator == NULL)
      return answered;
    if (n_params > 0)
      gst_query_set_nth_allocation_param (query, 0, allocator, &params);
    else
      gst_query_add_allocation_param (query, allocator, &params);
    gst_object_unref (allocator);
    return TRUE;
  }
  gst_clear_object (&allocator);
  return answered;
}

static gboolean
gst_gles_picture_analyzer_stop (GstBaseTransform *trans)
{
  drop_allocator (GST_GLES_PICTURE_ANALYZER (trans));
  g_atomic_int_set (&get_private (trans)->explained, FALSE);
  get_private (trans)->has_fitted = FALSE;
  return GST_BASE_TRANSFORM_CLASS (gst_gles_picture_analyzer_parent_class)->stop (trans);
}

/* ---- copies that later elements use ---- */

#define REUSE_QUERY "GstGlesFrameReuse"

static gboolean
is_reuse_query (GstQuery *query)
{
  return GST_QUERY_TYPE (query) == GST_QUERY_CUSTOM &&
      gst_structure_has_name (gst_query_get_structure (query), REUSE_QUERY);
}

/* Whether the element would use a copy of a frame that another one made on the device of @query. */
static gboolean
reuses_copies (GstGlesPictureAnalyzer *self, GstQuery *query)
{
  const GValue *theirs = gst_structure_get_value (gst_query_get_structure (query), "device");
  g_autoptr (GstGlesDevice) device = gst_gles_analyzer_ref_device (GST_GLES_ANALYZER (self));

  return !gst_base_transform_is_passthrough (GST_BASE_TRANSFORM (self)) &&
      g_value_get_object (theirs) == device;
}

/* Asks whether an element downstream would use copies of frames that this one makes. */
static gboolean
is_followed (GstGlesPictureAnalyzer *self)
{
  GstGlesDevice *device = gst_gles_analyzer_get_device (GST_GLES_ANALYZER (self));
  GstQuery *query = gst_query_new_custom (GST_QUERY_CUSTOM,
      gst_structure_new (REUSE_QUERY, "device", GST_TYPE_GLES_DEVICE, device, NULL));
  gboolean followed =
      gst_pad_peer_query (GST_BASE_TRANSFORM_SRC_PAD (GST_BASE_TRANSFORM (self)), query);

  gst_query_unref (query);
  return followed;
}

/* Returns the caps that @query, answered, refuses: (transfer none) (nullable). */
static GstCaps *
get_refused_caps (GstQuery *query)
{
  GstCaps *caps = NULL, *taken = NULL;
  gboolean accepted = TRUE;

  if (GST_QUERY_TYPE (query) == GST_QUERY_CAPS) {
    gst_query_parse_caps_result (query, &taken);
    if (taken != NULL && gst_caps_is_empty (taken))
      gst_query_parse_caps (query, &caps);
  } else if (GST_QUERY_TYPE (query) == GST_QUERY_ACCEPT_CAPS) {
    gst_query_parse_accept_caps_result (query, &accepted);
    if (!accepted)
      gst_query_parse_accept_caps (query, &caps);
  }
  return caps;
}

/* Warns once, with the element that would bring frames into reach. GStreamer's own error, that
 * nothing was negotiated, comes from an element upstream, which cannot know. */
static void
explain_refusal (GstGlesPictureAnalyzer *self, const GstCaps *caps)
{
  g_autoptr (GstGlesDevice) device = gst_gles_analyzer_ref_device (GST_GLES_ANALYZER (self));
  g_autofree gchar *why = gst_gles_frame_caps_explain (caps, device), *text = NULL;

  if (why == NULL ||
      !g_atomic_int_compare_and_exchange (&get_private (self)->explained, FALSE, TRUE))
    return;
  text = gst_caps_to_string (caps);
  GST_ELEMENT_WARNING (self, STREAM, FORMAT, ("%s", why), ("caps %s", text));
}

static gboolean
gst_gles_picture_analyzer_query (
    GstBaseTransform *trans, GstPadDirection direction, GstQuery *query)
{
  gboolean answered;
  GstCaps *refused;

  if (direction == GST_PAD_SINK && is_reuse_query (query) &&
      reuses_copies (GST_GLES_PICTURE_ANALYZER (trans), query))
    return TRUE;
  answered = GST_BASE_TRANSFORM_CLASS (gst_gles_picture_analyzer_parent_class)
                 ->query (trans, direction, query);
  refused = direction == GST_PAD_SINK && answered ? get_refused_caps (query) : NULL;
  if (refused != NULL)
    explain_refusal (GST_GLES_PICTURE_ANALYZER (trans), refused);
  return answered;
}

/* ---- caps ---- */

static gboolean
gst_gles_picture_analyzer_set_caps (GstGlesAnalyzer *analyzer, GstCaps *caps, GError **error)
{
  GstGlesPictureAnalyzer *self = GST_GLES_PICTURE_ANALYZER (analyzer);
  GstGlesPictureAnalyzerClass *klass = GST_GLES_PICTURE_ANALYZER_GET_CLASS (self);
  GstGlesPictureAnalyzerPrivate *priv = get_private (self);
  g_autoptr (GstCaps) system = gst_gles_frame_caps_to_system (caps, &priv->modifier, error);
  g_autoptr (GError) misfit = NULL;

  if (system == NULL)
    return FALSE;
  if (!gst_gles_frame_caps_to_info (system, &priv->info)) {
    g_autofree gchar *text = gst_caps_to_string (caps);
    g_set_error (
        error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "caps %s describe no video frame", text);
    return FALSE;
  }
  priv->source =
      gst_gles_frame_source_new (gst_gles_analyzer_get_queue (analyzer), &priv->info, error);
  if (priv->source == NULL)
    return FALSE;
  gst_gles_frame_source_set_modifier (priv->source, priv->modifier);
  gst_gles_frame_source_share_copies (priv->source, is_followed (self));
  gst_gles_frame_source_get_layout (priv->source, &priv->layout);
  priv->warned = FALSE;
  priv->is_fresh = TRUE;
  if (!klass->fits (self, &priv->layout, &misfit)) {
    /* A region that never fitted is a mistake. One that no longer fits skips frames, until one that
     * it fits makes the plan. */
    if (priv->has_fitted && gst_gles_analyzer_skips_bad_frames (analyzer)) {
      priv->layout.width = 0;
      return TRUE;
    }
    g_propagate_error (error, g_steal_pointer (&misfit));
    return FALSE;
  }
  priv->has_fitted = TRUE;
  return TRUE;
}

static gboolean
gst_gles_picture_analyzer_prepare (GstGlesAnalyzer *analyzer, GError **error)
{
  GstGlesPictureAnalyzer *self = GST_GLES_PICTURE_ANALYZER (analyzer);
  const GstGlesImage *layout = &get_private (self)->layout;

  return layout->width == 0 ||
      GST_GLES_PICTURE_ANALYZER_GET_CLASS (self)->prepare (self, layout, error);
}

static void
gst_gles_picture_analyzer_drop_input (GstGlesAnalyzer *analyzer)
{
  GstGlesPictureAnalyzerPrivate *priv = get_private (analyzer);

  g_clear_pointer (&priv->source, gst_gles_frame_source_free);
  g_clear_pointer (&priv->cpu_source, gst_gles_frame_source_free);
}

/* ---- one frame ---- */

/* Makes a new plan if the last frame has changed the layout. Its strides and offsets are part of
 * the kernels' parameters. */
static gboolean
follow_layout (GstGlesPictureAnalyzer *self, GError **error)
{
  GstGlesPictureAnalyzerPrivate *priv = get_private (self);
  GstGlesImage layout;

  gst_gles_frame_source_get_layout (priv->source, &layout);
  if (layout.width == priv->layout.width && layout.height == priv->layout.height &&
      memcmp (layout.components, priv->layout.components, sizeof (layout.components)) == 0)
    return TRUE;
  priv->layout = layout;
  GST_GLES_ANALYZER_GET_CLASS (self)->drop_plan (GST_GLES_ANALYZER (self));
  return GST_GLES_PICTURE_ANALYZER_GET_CLASS (self)->prepare (self, &layout, error);
}

static void
count_picture (GstGlesPictureAnalyzer *self, const GstGlesFrameCost *cost)
{
  GstGlesPictureAnalyzerPrivate *priv = get_private (self);
  guint64 n_fallbacks = 0;

  gst_gles_analyzer_count_picture (GST_GLES_ANALYZER (self), cost);
  GST_OBJECT_LOCK (self);
  if (priv->allocator != NULL)
    n_fallbacks = gst_gles_allocator_get_n_fallbacks (GST_GLES_ALLOCATOR (priv->allocator));
  GST_OBJECT_UNLOCK (self);
  gst_gles_analyzer_set_allocator_fallbacks (GST_GLES_ANALYZER (self), n_fallbacks);
}

/* Says once per caps that frames are mapped although the device imports such memory. */
static void
warn_once (GstGlesPictureAnalyzer *self)
{
  GstGlesPictureAnalyzerPrivate *priv = get_private (self);
  const gchar *why = gst_gles_frame_source_get_refusal (priv->source);

  if (priv->warned || why == NULL)
    return;
  priv->warned = TRUE;
  GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("Frames are copied by the host: %s", why),
      ("results are the same, but each frame takes longer"));
}

static gboolean
gst_gles_picture_analyzer_take_input (
    GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, GError **error)
{
  GstGlesPictureAnalyzer *self = GST_GLES_PICTURE_ANALYZER (analyzer);
  GstGlesPictureAnalyzerClass *klass = GST_GLES_PICTURE_ANALYZER_GET_CLASS (self);
  GstGlesPictureAnalyzerPrivate *priv = get_private (self);
  GstGlesFrameCost cost = { 0 };

  gst_gles_frame_source_get_layout (priv->source, &priv->image);
  gst_gles_frame_source_use_components (priv->source, klass->components (self, &priv->image));
  gst_gles_frame_source_get_visible_size (
      priv->source, frame->buffer, &priv->image.crop_width, &priv->image.crop_height);
  /* a crop without pixels is refused below */
  if (priv->image.crop_width > 0 && priv->image.crop_height > 0 &&
      !klass->fits (self, &priv->image, error))
    return FALSE;
  gst_gles_frame_source_set_n_reads (priv->source, klass->n_reads (self));
  /* Only a plan that has seen no frame can change: later ones compare with earlier frames. */
  gst_gles_frame_source_adopt_layout (priv->source, priv->is_fresh || frame->info.number == 0);
  if (!gst_gles_frame_source_acquire (priv->source, frame->buffer, &priv->image, &cost, error))
    return FALSE;
  if (!follow_layout (self, error)) {
    gst_gles_frame_source_release (priv->source);
    return FALSE;
  }
  priv->is_fresh = FALSE;
  count_picture (self, &cost);
  warn_once (self);
  return TRUE;
}

static GstMiniObject *
gst_gles_picture_analyzer_analyze (
    GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, GError **error)
{
  GstGlesPictureAnalyzer *self = GST_GLES_PICTURE_ANALYZER (analyzer);
  GstGlesPictureAnalyzerPrivate *priv = get_private (self);

  if (!gst_gles_frame_source_commit (priv->source, error))
    return NULL;
  return GST_GLES_PICTURE_ANALYZER_GET_CLASS (self)->analyze (self, frame, &priv->image, error);
}

static void
gst_gles_picture_analyzer_release_input (GstGlesAnalyzer *analyzer)
{
  gst_gles_frame_source_release (get_private (analyzer)->source);
}

static void
gst_gles_picture_analyzer_keep (GstGlesAnalyzer *analyzer, GstBuffer *buffer)
{
  gst_gles_frame_source_keep (get_private (analyzer)->source, buffer);
}

static gboolean
gst_gles_picture_analyzer_expect (GstGlesAnalyzer *analyzer, const GstGlesFrame *frame,
    GstMiniObject *result, ValidationTwin *twin, GError **error)
{
  GstGlesPictureAnalyzer *self = GST_GLES_PICTURE_ANALYZER (analyzer);
  GstGlesPictureAnalyzerPrivate *priv = get_private (self);
  GstGlesFrameCost cost;
  GstGlesImage image;
  gboolean ok;

  if (priv->cpu == NULL)
    priv->cpu = gst_gles_device_new ("cpu", error);
  if (priv->cpu != NULL && priv->cpu_source == NULL)
    priv->cpu_source =
        gst_gles_frame_source_new (gst_gles_device_get_queue (priv->cpu), &priv->info, error);
  if (priv->cpu_source == NULL ||
      !gst_gles_frame_source_acquire (priv->cpu_source, frame->buffer, &image, &cost, error))
    return FALSE;
  ok =
      GST_GLES_PICTURE_ANALYZER_GET_CLASS (self)->expect (self, frame, &image, &twin->found, error);
  gst_gles_frame_source_release (priv->cpu_source);
  return ok;
}

/* ---- object ---- */

static GstStateChangeReturn
gst_gles_picture_analyzer_change_state (GstElement *element, GstStateChange transition)
{
  GstStateChangeReturn result = GST_ELEMENT_CLASS (gst_gles_picture_analyzer_parent_class)
                                    ->change_state (element, transition);

  if (transition == GST_STATE_CHANGE_READY_TO_NULL)
    gst_clear_object (&get_private (element)->cpu);
  return result;
}

static void
gst_gles_picture_analyzer_finalize (GObject *object)
{
  gst_clear_object (&get_private (object)->cpu);
  drop_allocator (GST_GLES_PICTURE_ANALYZER (object));
  G_OBJECT_CLASS (gst_gles_picture_analyzer_parent_class)->finalize (object);
}

static void
gst_gles_picture_analyzer_class_init (GstGlesPictureAnalyzerClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstGlesAnalyzerClass *analyzer_class = GST_GLES_ANALYZER_CLASS (klass);
  g_autoptr (GstCaps) caps = gst_gles_frame_caps ();

  G_OBJECT_CLASS (klass)->finalize = gst_gles_picture_analyzer_finalize;
  gst_gles_analyzer_add_pads (analyzer_class, caps);
  element_class->change_state = gst_gles_picture_analyzer_change_state;
  trans_class->stop = gst_gles_picture_analyzer_stop;
  trans_class->query = gst_gles_picture_analyzer_query;
  trans_class->propose_allocation = gst_gles_picture_analyzer_propose_allocation;
  trans_class->transform_caps = gst_gles_picture_analyzer_transform_caps;

  analyzer_class->set_caps = gst_gles_picture_analyzer_set_caps;
  analyzer_class->prepare = gst_gles_picture_analyzer_prepare;
  analyzer_class->take_input = gst_gles_picture_analyzer_take_input;
  analyzer_class->analyze = gst_gles_picture_analyzer_analyze;
  analyzer_class->release_input = gst_gles_picture_analyzer_release_input;
  analyzer_class->keep = gst_gles_picture_analyzer_keep;
  analyzer_class->expect = gst_gles_picture_analyzer_expect;
  analyzer_class->drop_input = gst_gles_picture_analyzer_drop_input;

  gst_type_mark_as_plugin_api (GST_TYPE_GLES_PICTURE_ANALYZER, 0);
}

static void
gst_gles_picture_analyzer_init (GstGlesPictureAnalyzer *analyzer)
{
}
