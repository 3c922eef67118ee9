/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The properties that every analyser has. */
#include "config.h"

#include "gstglesanalyzer-private.h"

enum {
  PROP_0,
  PROP_DEVICE,
  PROP_DEVICE_DESCRIPTION,
  PROP_INTERVAL,
  PROP_ATTACH_META,
  PROP_CUSTOM_META,
  PROP_READBACK,
  PROP_POST_MESSAGES,
  PROP_VALIDATE,
  PROP_PROFILE,
  PROP_ON_BAD_FRAME,
  PROP_STATS
};

const GstGlesAnalyzerSettings gst_gles_analyzer_default_settings = { .interval = 1,
  .attach_meta = TRUE,
  .readback = TRUE,
  .on_bad_frame = BAD_FRAME_DEFAULT };

static void
set_device_spec (GstGlesAnalyzer *analyzer, const GValue *value)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (analyzer);

  GST_OBJECT_LOCK (analyzer);
  g_free (priv->spec);
  priv->spec = g_value_dup_string (value);
  GST_OBJECT_UNLOCK (analyzer);
}

void
gst_gles_analyzer_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (object);
  GstGlesAnalyzerSettings *settings = &priv->settings;
  gboolean *flag = NULL;

  switch (id) {
    case PROP_DEVICE:
      set_device_spec (GST_GLES_ANALYZER (object), value);
      return;
    case PROP_INTERVAL:
      GST_OBJECT_LOCK (object);
      settings->interval = g_value_get_uint (value);
      GST_OBJECT_UNLOCK (object);
      return;
    case PROP_ON_BAD_FRAME:
      GST_OBJECT_LOCK (object);
      settings->on_bad_frame = (BadFrameAction) g_value_get_enum (value);
      GST_OBJECT_UNLOCK (object);
      return;
    case PROP_ATTACH_META:
      flag = &settings->attach_meta;
      break;
    case PROP_CUSTOM_META:
      flag = &settings->custom_meta;
      break;
    case PROP_READBACK:
      flag = &settings->readback;
      break;
    case PROP_POST_MESSAGES:
      flag = &settings->post_messages;
      break;
    case PROP_VALIDATE:
      flag = &settings->validate;
      break;
    case PROP_PROFILE:
      flag = &settings->profile;
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      return;
  }
  GST_OBJECT_LOCK (object);
  *flag = g_value_get_boolean (value);
  GST_OBJECT_UNLOCK (object);
}

void
gst_gles_analyzer_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (object);

  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_DEVICE:
      g_value_set_string (value, priv->spec);
      break;
    case PROP_DEVICE_DESCRIPTION:
      if (priv->device != NULL)
        g_value_set_string (value, gst_gles_device_get_description (priv->device));
      break;
    case PROP_INTERVAL:
      g_value_set_uint (value, priv->settings.interval);
      break;
    case PROP_ATTACH_META:
      g_value_set_boolean (value, priv->settings.attach_meta);
      break;
    case PROP_CUSTOM_META:
      g_value_set_boolean (value, priv->settings.custom_meta);
      break;
    case PROP_READBACK:
      g_value_set_boolean (value, priv->settings.readback);
      break;
    case PROP_POST_MESSAGES:
      g_value_set_boolean (value, priv->settings.post_messages);
      break;
    case PROP_VALIDATE:
      g_value_set_boolean (value, priv->settings.validate);
      break;
    case PROP_PROFILE:
      g_value_set_boolean (value, priv->settings.profile);
      break;
    case PROP_ON_BAD_FRAME:
      g_value_set_enum (value, priv->settings.on_bad_frame);
      break;
    case PROP_STATS:
      g_value_take_boxed (value, gst_gles_stats_to_structure (&priv->stats));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
install_boolean (GObjectClass *klass, guint id, const gchar *name, const gchar *nick,
    const gchar *blurb, gboolean initial)
{
  g_object_class_install_property (klass, id,
      g_param_spec_boolean (name, nick, blurb, initial,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING));
}

void
gst_gles_analyzer_install_properties (GObjectClass *klass)
{
  g_object_class_install_property (klass, PROP_DEVICE,
      g_param_spec_string ("device", "Device",
          "Where to analyse: auto (the first GPU, else cpu), the path of a render node, "
          "egl:N, surfaceless, software or cpu; unset asks the environment variable "
          "GST_GLES_DEVICE. Takes effect in NULL to READY",
          NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, PROP_DEVICE_DESCRIPTION,
      g_param_spec_string ("device-description", "Device description",
          "Renderer and version of the device in use, between READY and NULL", NULL,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (klass, PROP_INTERVAL,
      g_param_spec_uint ("interval", "Interval", "Analyse every N-th frame, from the first", 1,
          G_MAXUINT, gst_gles_analyzer_default_settings.interval,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING));
  install_boolean (klass, PROP_ATTACH_META, "attach-meta", "Attach meta",
      "Put the result on the frame as metadata", gst_gles_analyzer_default_settings.attach_meta);
  install_boolean (klass, PROP_CUSTOM_META, "custom-meta", "Custom meta",
      "Put the statistics of a message on the frame as well, as a GstCustomMeta named like the "
      "element, for languages that cannot read the metadata itself; waits for the result",
      gst_gles_analyzer_default_settings.custom_meta);
  install_boolean (klass, PROP_READBACK, "readback", "Read back",
      "Bring the result's arrays to the host; without, they stay on the device for elements "
      "and apps that read them there, and neither messages nor validation see them",
      gst_gles_analyzer_default_settings.readback);
  install_boolean (klass, PROP_POST_MESSAGES, "post-messages", "Post messages",
      "Post an element message with the statistics of each analysed frame, in order",
      gst_gles_analyzer_default_settings.post_messages);
  install_boolean (klass, PROP_VALIDATE, "validate", "Validate",
      "Run the native code as well and stop with an error when a bit differs (slow); "
      "GST_GLES_DUMP_DIR in the environment names a folder for the frame and both results",
      gst_gles_analyzer_default_settings.validate);
  install_boolean (klass, PROP_PROFILE, "profile", "Profile",
      "Measure the device time of each pass, for messages and the stats property",
      gst_gles_analyzer_default_settings.profile);
  bad_frame_install (klass, PROP_ON_BAD_FRAME);
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Frames analysed and skipped, bytes uploaded and read back, waits of the streaming "
          "thread and, with profile, nanoseconds per pass, since READY",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}
