/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglespictureanalyzer.h"

#include <gst/gles/algo/plan/tuning.h>
#include <gst/gles/frame/format.h>
#include <gst/gles/frame/source.h>

typedef struct {
  /* used on the streaming thread only: */
  GstVideoInfo info;
  GstGlesFrameSource *source;
  GstGlesImage image; /* the current frame, from take_input to analyze */
  guint max_reads_in_place;
  GstGlesDevice *cpu; /* for validation */
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

/* ---- caps ---- */

static gboolean
gst_gles_picture_analyzer_set_caps (GstGlesAnalyzer *analyzer, GstCaps *caps, GError **error)
{
  GstGlesPictureAnalyzer *self = GST_GLES_PICTURE_ANALYZER (analyzer);
  GstGlesPictureAnalyzerPrivate *priv = get_private (self);
  GstGlesImage layout;

  if (!gst_video_info_from_caps (&priv->info, caps)) {
    g_autofree gchar *text = gst_caps_to_string (caps);
    g_set_error (
        error, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "caps %s describe no video frame", text);
    return FALSE;
  }
  priv->max_reads_in_place =
      gst_gles_tuning_get_max_reads_in_place (gst_gles_analyzer_get_device (analyzer));
  priv->source =
      gst_gles_frame_source_new (gst_gles_analyzer_get_queue (analyzer), &priv->info, error);
  if (priv->source == NULL)
    return FALSE;
  gst_gles_frame_source_get_layout (priv->source, &layout);
  return GST_GLES_PICTURE_ANALYZER_GET_CLASS (self)->prepare (self, &layout, error);
}

static void
gst_gles_picture_analyzer_drop_input (GstGlesAnalyzer *analyzer)
{
  GstGlesPictureAnalyzerPrivate *priv = get_private (analyzer);

  g_clear_pointer (&priv->source, gst_gles_frame_source_free);
  g_clear_pointer (&priv->cpu_source, gst_gles_frame_source_free);
}

/* ---- one frame ---- */

static gboolean
gst_gles_picture_analyzer_take_input (
    GstGlesAnalyzer *analyzer, const GstGlesFrame *frame, GError **error)
{
  GstGlesPictureAnalyzer *self = GST_GLES_PICTURE_ANALYZER (analyzer);
  GstGlesPictureAnalyzerClass *klass = GST_GLES_PICTURE_ANALYZER_GET_CLASS (self);
  GstGlesPictureAnalyzerPrivate *priv = get_private (self);
  GstGlesFrameCost cost = { 0, FALSE };

  gst_gles_frame_source_get_layout (priv->source, &priv->image);
  gst_gles_frame_source_use_components (priv->source, klass->components (self, &priv->image));
  gst_gles_frame_source_read_in_place (
      priv->source, klass->n_reads (self) <= priv->max_reads_in_place);
  if (!gst_gles_frame_source_acquire (priv->source, frame->buffer, &priv->image, &cost, error))
    return FALSE;
  gst_gles_analyzer_count_upload (analyzer, cost.uploaded_bytes, cost.waited);
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

static gboolean
gst_gles_picture_analyzer_validate (
    GstGlesAnalyzer *analyzer, GstBuffer *buffer, GstMiniObject *result, GError **error)
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
      !gst_gles_frame_source_acquire (priv->cpu_source, buffer, &image, &cost, error))
    return FALSE;
  ok = GST_GLES_PICTURE_ANALYZER_GET_CLASS (self)->validate (self, &image, result, error);
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
  G_OBJECT_CLASS (gst_gles_picture_analyzer_parent_class)->finalize (object);
}

static void
gst_gles_picture_analyzer_class_init (GstGlesPictureAnalyzerClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstGlesAnalyzerClass *analyzer_class = GST_GLES_ANALYZER_CLASS (klass);
  g_autoptr (GstCaps) caps = gst_gles_format_caps ();

  G_OBJECT_CLASS (klass)->finalize = gst_gles_picture_analyzer_finalize;
  gst_element_class_add_pad_template (
      element_class, gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (
      element_class, gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  element_class->change_state = gst_gles_picture_analyzer_change_state;

  analyzer_class->set_caps = gst_gles_picture_analyzer_set_caps;
  analyzer_class->take_input = gst_gles_picture_analyzer_take_input;
  analyzer_class->analyze = gst_gles_picture_analyzer_analyze;
  analyzer_class->release_input = gst_gles_picture_analyzer_release_input;
  analyzer_class->validate = gst_gles_picture_analyzer_validate;
  analyzer_class->drop_input = gst_gles_picture_analyzer_drop_input;

  gst_type_mark_as_plugin_api (GST_TYPE_GLES_PICTURE_ANALYZER, 0);
}

static void
gst_gles_picture_analyzer_init (GstGlesPictureAnalyzer *analyzer)
{
}
