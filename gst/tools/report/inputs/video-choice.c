/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which stream of a file decodebin decodes, the first video, and with which of several decoders. */
#include "video-choice.h"
#include "../../common/autoplug.h"
#include "../../common/decoder-gpu.h"
#include "elements.h"

#include <sched.h>

typedef struct {
  ReportFailure *failure;
  GMutex lock;      /* of what follows: */
  gchar *stream_id; /* (nullable): of the video that is decoded */
} Choice;

/* Makes the first video the one that is decoded. Parsers of others may ask for a decoder before
 * its own does. Also called with what decoders could make of the stream. */
static gboolean
on_stream (GstElement *decode, GstPad *pad, GstCaps *caps, Choice *self)
{
  g_autoptr (GstCaps) current = gst_pad_get_current_caps (pad);

  if (current == NULL || !gst_caps_is_equal (caps, current))
    return TRUE;
  report_failure_note_stream (self->failure, caps);
  g_mutex_lock (&self->lock);
  if (self->stream_id == NULL && report_is_video (pad, caps))
    self->stream_id = gst_pad_get_stream_id (pad);
  g_mutex_unlock (&self->lock);
  return TRUE;
}

/* Decoders are for the first video; without a container, for the stream that asks for one. */
static gint
on_decoder (
    GstElement *decode, GstPad *pad, GstCaps *caps, GstElementFactory *factory, Choice *self)
{
  g_autofree gchar *stream_id = gst_pad_get_stream_id (pad);
  gboolean other;

  if (!gst_element_factory_list_is_type (factory,
          GST_ELEMENT_FACTORY_TYPE_DECODER | GST_ELEMENT_FACTORY_TYPE_MEDIA_VIDEO |
              GST_ELEMENT_FACTORY_TYPE_MEDIA_IMAGE))
    return AUTOPLUG_TRY;
  g_mutex_lock (&self->lock);
  if (self->stream_id == NULL)
    self->stream_id = g_strdup (stream_id);
  other = g_strcmp0 (stream_id, self->stream_id) != 0;
  g_mutex_unlock (&self->lock);
  return other ? AUTOPLUG_SKIP : AUTOPLUG_TRY;
}

/* jpegdec says nothing about damage. FFmpeg's decoder does, and needs a parser, because some
 * demuxers do not say that they parse. */
static void
prefer_telling_decoders (void)
{
  static const gchar *const preferred[] = { "avdec_mjpeg", "jpegparse" };
  g_autoptr (GstElementFactory) silent = gst_element_factory_find ("jpegdec");
  const guint least =
      silent != NULL ? gst_plugin_feature_get_rank (GST_PLUGIN_FEATURE (silent)) + 1 : 0;

  for (guint i = 0; i < G_N_ELEMENTS (preferred); i++) {
    g_autoptr (GstElementFactory) factory = gst_element_factory_find (preferred[i]);

    if (factory == NULL)
      return;
    gst_plugin_feature_set_rank (GST_PLUGIN_FEATURE (factory),
        MAX (gst_plugin_feature_get_rank (GST_PLUGIN_FEATURE (factory)), least));
  }
}

static void
choice_free (gpointer data)
{
  Choice *self = data;

  g_mutex_clear (&self->lock);
  g_free (self->stream_id);
  g_free (self);
}

void
report_choose_video (GstElement *decode, ReportFailure *failure)
{
  Choice *self = g_new0 (Choice, 1);

  self->failure = failure;
  g_mutex_init (&self->lock);
  prefer_telling_decoders ();
  g_object_set_data_full (G_OBJECT (decode), "gst-gles-report-choice", self, choice_free);
  g_signal_connect (decode, "autoplug-continue", G_CALLBACK (on_stream), self);
  g_signal_connect (decode, "autoplug-select", G_CALLBACK (on_decoder), self);
  /* an archive has a process on each processor */
  decoder_gpu_spread (decode, (guint) MAX (sched_getcpu (), 0));
}
