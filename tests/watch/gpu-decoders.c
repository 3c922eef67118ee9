/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A plugin with jpegdec in two bins, gpu0dec and gpu1dec, which stand for the decoders of two GPUs:
 * as in nvcodec, each says its GPU in a property, and that of the first has a higher rank.
 * The second GPU is lost for good after as many pictures as GPU_DECODERS_LOST says. */
#include <gst/gst.h>

#include <stdlib.h>

#define PACKAGE "tests"

typedef enum {
  PROP_0,
  PROP_CUDA_DEVICE_ID
} Property;

static GstStaticPadTemplate sink_template =
    GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("image/jpeg"));
static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("video/x-raw"));

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_set_uint (value, g_str_equal (G_OBJECT_TYPE_NAME (object), "Gpu1Dec") ? 1 : 0);
}

static void
class_init (gpointer klass, gpointer data)
{
  G_OBJECT_CLASS (klass)->get_property = get_property;
  g_object_class_install_property (G_OBJECT_CLASS (klass), PROP_CUDA_DEVICE_ID,
      g_param_spec_uint ("cuda-device-id", "CUDA device", "The GPU", 0, 1, 0, G_PARAM_READABLE));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "JPEG on a GPU",
      "Codec/Decoder/Image/Video/Hardware", "Stands for the decoder of a GPU", "tests");
  gst_element_class_add_static_pad_template (GST_ELEMENT_CLASS (klass), &sink_template);
  gst_element_class_add_static_pad_template (GST_ELEMENT_CLASS (klass), &src_template);
}

static void
add_pad (GstElement *bin, GstElement *decoder, const gchar *name)
{
  GstPad *pad = gst_element_get_static_pad (decoder, name);

  gst_element_add_pad (bin, gst_ghost_pad_new (name, pad));
  gst_object_unref (pad);
}

/* Fails from the picture on with which the GPU is lost. */
static GstPadProbeReturn
on_picture (GstPad *pad, GstPadProbeInfo *info, gpointer bin)
{
  static gint n_pictures;
  const gchar *lost = g_getenv ("GPU_DECODERS_LOST");

  if (lost == NULL || g_atomic_int_add (&n_pictures, 1) < atoi (lost))
    return GST_PAD_PROBE_OK;
  GST_ELEMENT_ERROR (bin, STREAM, DECODE, ("the GPU is lost"), (NULL));
  return GST_PAD_PROBE_DROP;
}

static void
instance_init (GTypeInstance *instance, gpointer klass)
{
  GstElement *decoder = gst_element_factory_make ("jpegdec", NULL);

  if (decoder == NULL)
    return;
  gst_bin_add (GST_BIN (instance), decoder);
  if (g_str_equal (G_OBJECT_TYPE_NAME (instance), "Gpu1Dec")) {
    g_autoptr (GstPad) pad = gst_element_get_static_pad (decoder, "sink");

    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_picture, instance, NULL);
  }
  add_pad (GST_ELEMENT (instance), decoder, "sink");
  add_pad (GST_ELEMENT (instance), decoder, "src");
}

static gboolean
plugin_init (GstPlugin *plugin)
{
  const GTypeInfo info = { .class_size = sizeof (GstBinClass),
    .class_init = class_init,
    .instance_size = sizeof (GstBin),
    .instance_init = instance_init };

  return gst_element_register (plugin, "gpu0dec", 2 * GST_RANK_PRIMARY,
             g_type_register_static (GST_TYPE_BIN, "Gpu0Dec", &info, 0)) &&
      gst_element_register (plugin, "gpu1dec", 2 * GST_RANK_PRIMARY - 1,
          g_type_register_static (GST_TYPE_BIN, "Gpu1Dec", &info, 0));
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, gpudecoders, "Decoders of two GPUs",
    plugin_init, "0.1", "LGPL", PACKAGE, "https://gstreamer.freedesktop.org/")
