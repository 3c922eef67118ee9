/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/plan/tuning-class.h>

/* The least limits of a device of each class: the largest that its rows need. Devices below have
 * the class "minimum". */
static const struct {
  const gchar *name;
  guint invocations, shared_bytes;
} classes[GST_GLES_N_CLASSES] = {
  [GST_GLES_CLASS_SOFTWARE] = { "software", 512, 32768 },
  [GST_GLES_CLASS_NVIDIA] = { "nvidia", 1024, 49152 },
  [GST_GLES_CLASS_HARDWARE] = { "hardware", 256, 32768 },
  [GST_GLES_CLASS_FEW_REGISTERS] = { "few-registers", 128, 16384 },
  [GST_GLES_CLASS_MINIMUM] = { "minimum", 0, 0 },
};

static GstGlesTuningClass
class_by_name (GstGlesDeviceKind kind, const gchar *description)
{
  if (kind == GST_GLES_DEVICE_SOFTWARE)
    return GST_GLES_CLASS_SOFTWARE;
  if (strstr (description, "NVIDIA") != NULL)
    return GST_GLES_CLASS_NVIDIA;
  if (strstr (description, "V3D") != NULL || strstr (description, "Mali") != NULL)
    return GST_GLES_CLASS_FEW_REGISTERS;
  return GST_GLES_CLASS_HARDWARE;
}

GstGlesTuningClass
gst_gles_tuning_class_of (
    GstGlesDeviceKind kind, const gchar *description, const GstGlesLimits *limits)
{
  GstGlesTuningClass tuning_class = class_by_name (kind, description);

  if (limits->clamped || limits->invocations < classes[tuning_class].invocations ||
      limits->group_size[0] < classes[tuning_class].invocations ||
      limits->shared_bytes < classes[tuning_class].shared_bytes)
    return GST_GLES_CLASS_MINIMUM;
  return tuning_class;
}

GstGlesTuningClass
gst_gles_tuning_class (GstGlesDevice *device)
{
  return gst_gles_tuning_class_of (gst_gles_device_get_kind (device),
      gst_gles_device_get_description (device), gst_gles_device_get_limits (device));
}

const gchar *
gst_gles_tuning_class_name (GstGlesTuningClass tuning_class)
{
  return classes[tuning_class].name;
}
