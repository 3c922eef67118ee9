/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/error.h>
#include <gst/gles/gl/queue.h>

#include "element-name.h"
#include "gstglesanalyzer-private.h"

GST_DEBUG_CATEGORY (gst_gles_analyzer_debug);
#define GST_CAT_DEFAULT gst_gles_analyzer_debug

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GstGlesAnalyzer, gst_gles_analyzer, GST_TYPE_BASE_TRANSFORM)

/* ---- plans ---- */

static void
drop_plan (GstGlesAnalyzer *analyzer)
{
  GstGlesAnalyzerClass *klass = GST_GLES_ANALYZER_GET_CLASS (analyzer);

  g_queue_clear_full (
      &gst_gles_analyzer_get_private (analyzer)->on_device, (GDestroyNotify) gst_mini_object_unref);
  klass->drop_plan (analyzer);
  if (klass->drop_input != NULL)
    klass->drop_input (analyzer);
}

static void
reset (GstGlesAnalyzer *analyzer)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);

  priv->n_seen = 0;
  priv->n_analysed = 0;
  priv->clock.from = GST_CLOCK_TIME_NONE;
  g_atomic_int_inc (&priv->run);
  g_atomic_int_set (&priv->silent_run, g_atomic_int_get (&priv->run));
  GST_GLES_ANALYZER_GET_CLASS (analyzer)->reset (analyzer);
}

/* Takes the settings for caps, or for the next frame, while no frame is in progress. */
static void
take_settings (GstGlesAnalyzer *analyzer)
{
  GstGlesAnalyzerClass *klass = GST_GLES_ANALYZER_GET_CLASS (analyzer);
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);

  GST_OBJECT_LOCK (analyzer);
  priv->current = priv->settings;
  memcpy (G_STRUCT_MEMBER_P (analyzer, klass->taken_offset),
      G_STRUCT_MEMBER_P (analyzer, klass->wanted_offset), klass->settings_bytes);
  GST_OBJECT_UNLOCK (analyzer);
  gst_base_transform_set_passthrough (GST_BASE_TRANSFORM (analyzer),
      !priv->current.attach_meta && !priv->current.custom_meta && !priv->current.post_messages);
}

gboolean
gst_gles_analyzer_is_retagged (GstGlesAnalyzer *analyzer)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);

  return priv->is_retagged;
}

/* Forgets all frames before a change of format or device. */
static void
end_format (GstGlesAnalyzer *analyzer)
{
  gst_gles_analyzer_drain (analyzer);
  drop_plan (analyzer);
  GST_GLES_ANALYZER_GET_CLASS (analyzer)->reset (analyzer);
}

/* Begins to make the plan for the caps of the stream. */
static gboolean
begin_format (GstGlesAnalyzer *analyzer)
{
  GstCaps *caps = gst_gles_analyzer_get_private (analyzer)->caps;
  g_autoptr (GError) error = NULL;

  gst_gles_analyzer_ask_readers (analyzer);
  if (GST_GLES_ANALYZER_GET_CLASS (analyzer)->set_caps (analyzer, caps, &error) &&
      gst_gles_analyzer_begin_prepare (analyzer, &error))
    return TRUE;
  gst_gles_analyzer_post_error (analyzer, error);
  return FALSE;
}

static gboolean
gst_gles_analyzer_set_caps (GstBaseTransform *trans, GstCaps *incaps, GstCaps *outcaps)
{
  GstGlesAnalyzer *analyzer = GST_GLES_ANALYZER (trans);
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);

  priv->is_retagged = gst_gles_analyzer_differ_in_tags (priv->caps, incaps);
  gst_caps_replace (&priv->caps, incaps);
  end_format (analyzer);
  priv->is_retagged = FALSE;
  priv->owner = (GstGlesFrameOwner){ 0 };
  gst_gles_analyzer_take_colorimetry (analyzer, incaps);
  gst_gles_analyzer_take_framerate (analyzer, incaps);
  take_settings (analyzer);
  return begin_format (analyzer);
}

/* ---- one frame ---- */

/* Takes the stream to the GPU that owns the memory of @buffer, as new caps would. */
static gboolean
follow_frame (GstGlesAnalyzer *analyzer, GstBuffer *buffer)
{
  g_autoptr (GstGlesDevice) device = gst_gles_analyzer_find_owner (analyzer, buffer);
  g_autoptr (GError) error = NULL;

  if (device == NULL)
    return TRUE;
  end_format (analyzer);
  if (!gst_gles_analyzer_use_device (analyzer, device, &error)) {
    gst_gles_analyzer_post_error (analyzer, error);
    return FALSE;
  }
  /* elements before this one ask anew who reads on which device */
  gst_base_transform_reconfigure_sink (GST_BASE_TRANSFORM (analyzer));
  return begin_format (analyzer);
}

static void
gst_gles_analyzer_before_transform (GstBaseTransform *trans, GstBuffer *buffer)
{
  const GstSegment *segment = &trans->segment;
  GstClockTime time = GST_CLOCK_TIME_NONE;

  gst_gles_analyzer_end_prepare (GST_GLES_ANALYZER (trans));
  if (!results_is_gap (buffer))
    gst_gles_analyzer_take_times (GST_GLES_ANALYZER (trans), buffer);
  if (segment->format == GST_FORMAT_TIME)
    time = gst_segment_to_stream_time (
        segment, GST_FORMAT_TIME, gst_gles_analyzer_get_private (trans)->clock.pts);
  if (GST_CLOCK_TIME_IS_VALID (time))
    gst_object_sync_values (GST_OBJECT (trans), time);
  take_settings (GST_GLES_ANALYZER (trans));
  if (g_atomic_int_get (&gst_gles_analyzer_get_private (trans)->must_ask))
    gst_gles_analyzer_ask_readers (GST_GLES_ANALYZER (trans));
}

/* Attaches the statistics as a GstStructure, which every language binding can read. */
static gboolean
attach_custom_meta (GstGlesAnalyzer *analyzer, GstBuffer *buffer, GstMiniObject *result,
    GstGlesField field, GError **error)
{
  const gchar *name = GST_OBJECT_NAME (gst_element_get_factory (GST_ELEMENT (analyzer)));
  GstGlesAnalyzerClass *klass = GST_GLES_ANALYZER_GET_CLASS (analyzer);
  static GMutex registering;
  GstCustomMeta *meta;

  g_mutex_lock (&registering);
  if (gst_meta_get_info (name) == NULL) {
    /* Without tags, elements that scale or convert the picture keep the meta: the numbers stay
     * valid. */
    static const gchar *tags[] = { NULL };
    gst_meta_register_custom (name, tags, NULL, NULL, NULL);
  }
  g_mutex_unlock (&registering);
  if (!klass->wait (result, GST_GLES_WAIT_FOREVER, error))
    return FALSE;
  meta = gst_buffer_add_custom_meta (buffer, name);
  gst_gles_analyzer_describe_field (field, gst_custom_meta_get_structure (meta));
  return klass->describe (analyzer, result, gst_custom_meta_get_structure (meta), error);
}

/* Whether the next element is an analyser as well, which adds its result to the buffer and
 * therefore needs it alone. */
static gboolean
feeds_analyzer (GstGlesAnalyzer *analyzer)
{
  GstPad *peer = gst_pad_get_peer (GST_BASE_TRANSFORM_SRC_PAD (analyzer));
  GstElement *next = peer != NULL ? gst_pad_get_parent_element (peer) : NULL;
  const gboolean feeds = next != NULL && GST_IS_GLES_ANALYZER (next);

  gst_clear_object (&next);
  gst_clear_object (&peer);
  return feeds;
}

static gboolean
accept (GstGlesAnalyzer *analyzer, GstBuffer *buffer)
{
  GstGlesAnalyzerClass *klass = GST_GLES_ANALYZER_GET_CLASS (analyzer);
  ResultsExpected *expected = &gst_gles_analyzer_get_private (analyzer)->expected;
  gboolean accepted;

  if (klass->accept == NULL)
    return TRUE;
  accepted = klass->accept (analyzer, buffer);
  results_expect_buffer (expected, GST_ELEMENT (analyzer), accepted, klass->input);
  return accepted;
}

static GstFlowReturn
gst_gles_analyzer_transform_ip (GstBaseTransform *trans, GstBuffer *buffer)
{
  GstGlesAnalyzer *analyzer = GST_GLES_ANALYZER (trans);
  GstGlesAnalyzerClass *klass = GST_GLES_ANALYZER_GET_CLASS (analyzer);
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);
  const GstGlesAnalyzerSettings *settings = &priv->current;
  g_autoptr (GError) error = NULL;
  GstGlesTimer *timer = NULL;
  GstMiniObject *result;
  GstGlesFrame frame;

  if (!results_is_gap (buffer) && !follow_frame (analyzer, buffer))
    return GST_FLOW_ERROR;
  if (!gst_gles_analyzer_end_prepare (analyzer))
    return GST_FLOW_NOT_NEGOTIATED;
  if (results_is_gap (buffer) || !accept (analyzer, buffer))
    return GST_FLOW_OK;
  if (priv->n_seen++ % settings->interval != 0)
    return GST_FLOW_OK;

  gst_gles_analyzer_describe_frame (analyzer, buffer, &frame);
  result = gst_gles_analyzer_submit (analyzer, &frame, settings->profile, &timer, &error);
  if (result == NULL && settings->on_bad_frame == BAD_FRAME_SKIP && bad_frame_matches (error)) {
    bad_frame_skip (GST_ELEMENT (analyzer), &priv->stats.bad, error);
    return GST_FLOW_OK;
  }
  if (result == NULL)
    goto failed;
  priv->n_analysed++;
  gst_gles_analyzer_collect_readback_bytes (analyzer);
  if (settings->validate && settings->readback &&
      !gst_gles_analyzer_validate (analyzer, &frame, result, &error))
    goto failed;
  if (settings->attach_meta)
    klass->attach (analyzer, buffer, result);
  if (settings->attach_meta && settings->readback && klass->annotate != NULL &&
      !klass->annotate (analyzer, buffer, result, &error))
    goto failed;
  if (settings->custom_meta && settings->readback &&
      !attach_custom_meta (analyzer, buffer, result, frame.info.field, &error))
    goto failed;
  if ((timer != NULL || (settings->readback && settings->post_messages)) &&
      !gst_gles_analyzer_push_job (analyzer, &frame, result, g_steal_pointer (&timer), &error))
    goto failed;
  gst_gles_timer_free (timer);
  gst_mini_object_unref (result);
  if (klass->keep != NULL && !feeds_analyzer (analyzer))
    klass->keep (analyzer, buffer);
  return GST_FLOW_OK;
failed:
  gst_gles_timer_free (timer);
  g_clear_pointer (&result, gst_mini_object_unref);
  gst_gles_analyzer_post_error (analyzer, error);
  return GST_FLOW_ERROR;
}

void
gst_gles_analyzer_add_pads (GstGlesAnalyzerClass *klass, GstCaps *caps)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  gst_element_class_add_pad_template (
      element_class, gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (
      element_class, gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
}

/* ---- events, queries, states ---- */

static gboolean
gst_gles_analyzer_sink_event (GstBaseTransform *trans, GstEvent *event)
{
  GstGlesAnalyzer *analyzer = GST_GLES_ANALYZER (trans);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_START:
      g_clear_pointer (&gst_gles_analyzer_get_private (trans)->origin, gst_gles_origin_unref);
      break;
    case GST_EVENT_SEGMENT:
      gst_gles_analyzer_get_private (trans)->clock.from = GST_CLOCK_TIME_NONE;
      break;
    case GST_EVENT_EOS:
      results_expect_end (&gst_gles_analyzer_get_private (trans)->expected, GST_ELEMENT (trans),
          GST_GLES_ANALYZER_GET_CLASS (analyzer)->input);
      gst_gles_analyzer_drain (analyzer);
      break;
    case GST_EVENT_FLUSH_START:
      gst_gles_analyzer_discard_jobs (analyzer);
      break;
    case GST_EVENT_FLUSH_STOP:
      /* A frame may have been analysed after FLUSH_START. */
      gst_gles_analyzer_discard_jobs (analyzer);
      gst_gles_analyzer_drain (analyzer);
      reset (analyzer);
      break;
    default:
      break;
  }
  return GST_BASE_TRANSFORM_CLASS (gst_gles_analyzer_parent_class)->sink_event (trans, event);
}

/* A pad was linked downstream. */
static gboolean
gst_gles_analyzer_src_event (GstBaseTransform *trans, GstEvent *event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE)
    g_atomic_int_set (&gst_gles_analyzer_get_private (trans)->must_ask, TRUE);
  return GST_BASE_TRANSFORM_CLASS (gst_gles_analyzer_parent_class)->src_event (trans, event);
}

static gboolean
gst_gles_analyzer_query (GstBaseTransform *trans, GstPadDirection direction, GstQuery *query)
{
  if (GST_QUERY_TYPE (query) == GST_QUERY_CONTEXT) {
    g_autoptr (GstGlesDevice) device = gst_gles_analyzer_ref_device (GST_GLES_ANALYZER (trans));

    if (gst_gles_device_handle_context_query (GST_ELEMENT (trans), query, device))
      return TRUE;
  }
  if (direction == GST_PAD_SINK)
    gst_gles_analyzer_answer_readers (GST_GLES_ANALYZER (trans), query);
#ifdef GST_GLES_TEST_HOOKS
  if (gst_gles_analyzer_explain (GST_GLES_ANALYZER (trans), query))
    return TRUE;
#endif
  return GST_BASE_TRANSFORM_CLASS (gst_gles_analyzer_parent_class)->query (trans, direction, query);
}

static void
gst_gles_analyzer_set_context (GstElement *element, GstContext *context)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (element);

  /* A running stream keeps its device, even a lost one, until it is stopped. */
  GST_OBJECT_LOCK (element);
  if (GST_STATE (element) <= GST_STATE_READY)
    gst_gles_device_handle_set_context (context, priv->spec, &priv->device);
  GST_OBJECT_UNLOCK (element);
  GST_ELEMENT_CLASS (gst_gles_analyzer_parent_class)->set_context (element, context);
}

static gboolean
gst_gles_analyzer_start (GstBaseTransform *trans)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (trans);

  priv->clock.warned = FALSE;
  priv->expected = (ResultsExpected){ 0 };
  g_clear_pointer (&priv->late, gst_gles_late_reads_unref);
  priv->late = gst_gles_late_reads_new (priv->queue, 0);
  reset (GST_GLES_ANALYZER (trans));
  take_settings (GST_GLES_ANALYZER (trans));
  GST_OBJECT_LOCK (trans);
  gst_gles_stats_clear (&priv->stats);
  GST_OBJECT_UNLOCK (trans);
  return TRUE;
}

static gboolean
gst_gles_analyzer_stop (GstBaseTransform *trans)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (trans);

  gst_gles_analyzer_drain (GST_GLES_ANALYZER (trans));
  gst_gles_waiter_stop (priv->waiter);
  gst_caps_replace (&priv->caps, NULL);
  drop_plan (GST_GLES_ANALYZER (trans));
  g_clear_pointer (&priv->origin, gst_gles_origin_unref);
  g_clear_pointer (&priv->late, gst_gles_late_reads_unref);
  return TRUE;
}

static GstStateChangeReturn
gst_gles_analyzer_change_state (GstElement *element, GstStateChange transition)
{
  GstStateChangeReturn result;

  /* Repeated before PAUSED, so that a lost device is replaced. */
  if ((transition == GST_STATE_CHANGE_NULL_TO_READY ||
          transition == GST_STATE_CHANGE_READY_TO_PAUSED) &&
      !gst_gles_analyzer_open_device (GST_GLES_ANALYZER (element)))
    return GST_STATE_CHANGE_FAILURE;
  result = GST_ELEMENT_CLASS (gst_gles_analyzer_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL)
    gst_gles_analyzer_close_device (GST_GLES_ANALYZER (element));
  return result;
}

static void
gst_gles_analyzer_constructed (GObject *object)
{
  G_OBJECT_CLASS (gst_gles_analyzer_parent_class)->constructed (object);
  gst_gles_analyzer_init_settings (object);
  element_name_instance (GST_OBJECT (object));
}

static void
gst_gles_analyzer_finalize (GObject *object)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (object);

  gst_gles_analyzer_close_queue (GST_GLES_ANALYZER (object));
  gst_gles_waiter_free (priv->waiter);
  g_free (priv->spec);
  mask_setting_clear (&priv->mask);
  gst_clear_object (&priv->device);
  gst_gles_stats_clear (&priv->stats);
  g_mutex_clear (&priv->error_lock);
  G_OBJECT_CLASS (gst_gles_analyzer_parent_class)->finalize (object);
}

static void
gst_gles_analyzer_class_init (GstGlesAnalyzerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (
      gst_gles_analyzer_debug, "glesanalyzer", 0, "OpenGL ES analysers' base class");

  object_class->constructed = gst_gles_analyzer_constructed;
  object_class->finalize = gst_gles_analyzer_finalize;
  gst_gles_analyzer_install_properties (object_class);

  element_class->change_state = gst_gles_analyzer_change_state;
  element_class->set_context = gst_gles_analyzer_set_context;

  trans_class->start = gst_gles_analyzer_start;
  trans_class->stop = gst_gles_analyzer_stop;
  trans_class->set_caps = gst_gles_analyzer_set_caps;
  trans_class->sink_event = gst_gles_analyzer_sink_event;
  trans_class->src_event = gst_gles_analyzer_src_event;
  trans_class->query = gst_gles_analyzer_query;
  trans_class->before_transform = gst_gles_analyzer_before_transform;
  trans_class->transform_ip = gst_gles_analyzer_transform_ip;
  trans_class->transform_ip_on_passthrough = FALSE;

  gst_type_mark_as_plugin_api (GST_TYPE_GLES_ANALYZER, 0);
}

static void
gst_gles_analyzer_init (GstGlesAnalyzer *analyzer)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);

  g_mutex_init (&priv->error_lock);
  priv->waiter = gst_gles_analyzer_make_waiter (analyzer);
  gst_base_transform_set_in_place (GST_BASE_TRANSFORM (analyzer), TRUE);
}
