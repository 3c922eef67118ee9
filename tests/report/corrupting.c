/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A decoder of JPEG that marks every tenth frame as damaged, as decoders of hardware and of streams
 * from a network do. Chosen before all others where this plugin is. */
#include "config.h"

#include <gst/gst.h>

#define EVERY 10

typedef struct {
  GstBin parent;
  guint n_frames;
} CorruptingDecoder;

typedef GstBinClass CorruptingDecoderClass;

GType corrupting_decoder_get_type (void);
G_DEFINE_TYPE (CorruptingDecoder, corrupting_decoder, GST_TYPE_BIN)

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("image/jpeg"));
static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw"));

static GstPadProbeReturn
on_frame (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  CorruptingDecoder *self = user_data;
  GstBuffer *buffer = gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));

  if (self->n_frames++ % EVERY == EVERY - 1)
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_CORRUPTED);
  GST_PAD_PROBE_INFO_DATA (info) = buffer;
  return GST_PAD_PROBE_OK;
}

static void
add_ghost (CorruptingDecoder *self, GstElement *decoder, GstStaticPadTemplate *template)
{
  g_autoptr (GstPad) target = gst_element_get_static_pad (decoder, template->name_template);
  g_autoptr (GstPadTemplate) made = gst_static_pad_template_get (template);

  gst_element_add_pad (
      GST_ELEMENT (self), gst_ghost_pad_new_from_template (template->name_template, target, made));
}

static void
corrupting_decoder_init (CorruptingDecoder *self)
{
  GstElement *decoder = gst_element_factory_make ("jpegdec", NULL);
  g_autoptr (GstPad) src = NULL;

  g_return_if_fail (decoder != NULL);
  src = gst_element_get_static_pad (decoder, "src");
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER, on_frame, self, NULL);
  gst_bin_add (GST_BIN (self), decoder);
  add_ghost (self, decoder, &sink_template);
  add_ghost (self, decoder, &src_template);
}

static void
corrupting_decoder_class_init (CorruptingDecoderClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "Corrupting decoder", "Codec/Decoder/Video",
      "Marks frames as damaged", "The gst-gles-compute developers");
}

static gboolean
plugin_init (GstPlugin *plugin)
{
  return gst_element_register (
      plugin, "corruptingjpegdec", GST_RANK_PRIMARY + 1000, corrupting_decoder_get_type ());
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, corrupting, "A decoder for tests",
    plugin_init, VERSION, "LGPL", "gst-gles-compute", "https://example.org")
