/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The properties that every analyser has. */
#include "config.h"

#include "expression-setting.h"
#include "gstglesanalyzer-private.h"
#include "region-setting.h"
#include "mask-setting.h"
#include "settings.h"

enum {
  PROP_0,
  PROP_DEVICE,
  PROP_DEVICE_DESCRIPTION,
  PROP_STATS,
  PROP_COMMON, /* a member of GstGlesAnalyzerSettings */
  PROP_OWN,    /* a member of the settings of the subclass */
  PROP_MASK,
  PROP_REGION,    /* the same, of type GstGlesRegionSetting */
  PROP_PARAMETERS /* the same, of type ExpressionParameters */
};

static gpointer
get_own (GObject *object)
{
  return G_STRUCT_MEMBER_P (object, GST_GLES_ANALYZER_GET_CLASS (object)->wanted_offset);
}

static GstGlesRegionSetting *
get_region (GObject *object)
{
  return G_STRUCT_MEMBER_P (object, GST_GLES_ANALYZER_GET_CLASS (object)->region_offset);
}

static ExpressionParameters *
get_parameters (GObject *object)
{
  return G_STRUCT_MEMBER_P (object, GST_GLES_ANALYZER_GET_CLASS (object)->parameters_offset);
}

void
gst_gles_analyzer_init_settings (GObject *object)
{
  settings_init (object, PROP_COMMON, &gst_gles_analyzer_get_private (object)->settings);
  settings_init (object, PROP_OWN, get_own (object));
}

static void
gst_gles_analyzer_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (object);

  switch (id) {
    case PROP_DEVICE:
      GST_OBJECT_LOCK (object);
      g_free (priv->spec);
      priv->spec = g_value_dup_string (value);
      GST_OBJECT_UNLOCK (object);
      break;
    case PROP_COMMON:
      settings_set (object, &priv->settings, value, pspec);
      if (g_str_equal (pspec->name, "readback")) {
        GST_OBJECT_LOCK (object);
        priv->settings.readback_is_set = TRUE;
        GST_OBJECT_UNLOCK (object);
      }
      break;
    case PROP_OWN:
      settings_set (object, get_own (object), value, pspec);
      break;
    case PROP_MASK:
      mask_setting_set (object, &priv->mask, value);
      break;
    case PROP_REGION:
      gst_gles_region_set (object, get_region (object), value);
      break;
    case PROP_PARAMETERS:
      expression_parameters_set (object, get_parameters (object), value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

static void
get_state (GObject *object, guint id, GValue *value)
{
  GstGlesAnalyzerPrivate *priv = gst_gles_analyzer_get_private (object);

  GST_OBJECT_LOCK (object);
  if (id == PROP_DEVICE)
    g_value_set_string (value, priv->spec);
  else if (id == PROP_STATS)
    g_value_take_boxed (value, gst_gles_stats_to_structure (&priv->stats, priv->device));
  else if (priv->device != NULL)
    g_value_set_string (value, gst_gles_device_get_description (priv->device));
  GST_OBJECT_UNLOCK (object);
}

static void
gst_gles_analyzer_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  switch (id) {
    case PROP_DEVICE:
    case PROP_DEVICE_DESCRIPTION:
    case PROP_STATS:
      get_state (object, id, value);
      break;
    case PROP_COMMON:
      settings_get (object, &gst_gles_analyzer_get_private (object)->settings, value, pspec);
      break;
    case PROP_OWN:
      settings_get (object, get_own (object), value, pspec);
      break;
    case PROP_MASK:
      mask_setting_get (object, &gst_gles_analyzer_get_private (object)->mask, value);
      break;
    case PROP_REGION:
      gst_gles_region_get (object, get_region (object), value);
      break;
    case PROP_PARAMETERS:
      expression_parameters_get (object, get_parameters (object), value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

/* GObject lets no class inherit these functions. */
static void
set_accessors (GObjectClass *klass)
{
  klass->set_property = gst_gles_analyzer_set_property;
  klass->get_property = gst_gles_analyzer_get_property;
}

void
gst_gles_analyzer_install (GstGlesAnalyzerClass *klass, gsize offset, GParamSpec *spec)
{
  set_accessors (G_OBJECT_CLASS (klass));
  settings_install (G_OBJECT_CLASS (klass), PROP_OWN, offset, spec);
}

void
gst_gles_analyzer_install_region (GstGlesAnalyzerClass *klass, gsize offset, const gchar *what)
{
  set_accessors (G_OBJECT_CLASS (klass));
  klass->region_offset = klass->wanted_offset + offset;
  g_object_class_install_property (
      G_OBJECT_CLASS (klass), PROP_REGION, gst_gles_region_spec (what));
}

void
gst_gles_analyzer_install_mask (GstGlesAnalyzerClass *klass, const gchar *what)
{
  set_accessors (G_OBJECT_CLASS (klass));
  g_object_class_install_property (G_OBJECT_CLASS (klass), PROP_MASK, mask_setting_spec (what));
}

gboolean
gst_gles_analyzer_take_mask (
    GstGlesAnalyzer *analyzer, const GstGlesImage *image, MaskInput *input, GError **error)
{
  return mask_input_update (input, GST_OBJECT_CAST (analyzer),
      &gst_gles_analyzer_get_private (G_OBJECT (analyzer))->mask, image, error);
}

void
gst_gles_analyzer_install_parameters (GstGlesAnalyzerClass *klass, gsize offset)
{
  set_accessors (G_OBJECT_CLASS (klass));
  klass->parameters_offset = klass->wanted_offset + offset;
  g_object_class_install_property (
      G_OBJECT_CLASS (klass), PROP_PARAMETERS, expression_parameters_spec ());
}

static void
install (GObjectClass *klass, gsize offset, GParamSpec *spec)
{
  settings_install (klass, PROP_COMMON, offset, spec);
}

#define MEMBER(name) G_STRUCT_OFFSET (GstGlesAnalyzerSettings, name)

void
gst_gles_analyzer_install_properties (GObjectClass *klass)
{
  set_accessors (klass);
  g_object_class_install_property (klass, PROP_DEVICE,
      g_param_spec_string ("device", "Device",
          "Where to analyse: auto (a GPU, else cpu), the path of a render node, "
          "egl:N, surfaceless, software or cpu; unset asks the environment variable "
          "GST_GLES_DEVICE. Takes effect in NULL to READY",
          NULL, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY));
  g_object_class_install_property (klass, PROP_DEVICE_DESCRIPTION,
      g_param_spec_string ("device-description", "Device description",
          "Renderer and version of the device in use, between READY and NULL", NULL,
          G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  install (klass, MEMBER (interval),
      g_param_spec_uint ("interval", "Interval", "Analyse every N-th frame, from the first", 1,
          G_MAXUINT, 1, SETTING_FLAGS));
  install (klass, MEMBER (attach_meta),
      g_param_spec_boolean ("attach-meta", "Attach meta", "Put the result on the frame as metadata",
          TRUE, SETTING_FLAGS));
  install (klass, MEMBER (custom_meta),
      g_param_spec_boolean ("custom-meta", "Custom meta",
          "Put the statistics of a message on the frame as well, as a GstCustomMeta named like the "
          "element, for languages that cannot read the metadata itself; waits for the result",
          FALSE, SETTING_FLAGS));
  install (klass, MEMBER (readback),
      g_param_spec_boolean ("readback", "Read back",
          "Bring the result's arrays to the host; unset, when somebody reads them, and ahead of "
          "that where it is known; without, they stay on the device for elements and apps that "
          "read them there, and neither messages nor validation see them",
          TRUE, SETTING_FLAGS));
  install (klass, MEMBER (post_messages),
      g_param_spec_boolean ("post-messages", "Post messages",
          "Post an element message with the statistics of each analysed frame, in order", FALSE,
          SETTING_FLAGS));
  install (klass, MEMBER (validate),
      g_param_spec_boolean ("validate", "Validate",
          "Run the native code as well and stop with an error when a bit differs (slow); "
          "GST_GLES_DUMP_DIR in the environment names a folder for the frame and both results",
          FALSE, SETTING_FLAGS));
  install (klass, MEMBER (profile),
      g_param_spec_boolean ("profile", "Profile",
          "Measure the device time of each pass, for messages and the stats property", FALSE,
          SETTING_FLAGS));
  install (klass, MEMBER (on_bad_frame), bad_frame_spec ());
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Frames analysed and skipped, bytes uploaded and read back, waits of the streaming "
          "thread and, with profile, nanoseconds per pass, since READY",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}
