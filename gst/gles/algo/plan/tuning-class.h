/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The classes of devices that tuning tables have rows for. */
#ifndef GST_GLES_TUNING_CLASS_H
#define GST_GLES_TUNING_CLASS_H

#include <gst/gles/device/device.h>

G_BEGIN_DECLS

typedef enum {
  GST_GLES_CLASS_SOFTWARE,
  GST_GLES_CLASS_NVIDIA,
  GST_GLES_CLASS_HARDWARE,
  /* An invocation has so few registers that a tile of many values spills, and compilers need
   * seconds for it: V3D (Raspberry Pi) and Mali. */
  GST_GLES_CLASS_FEW_REGISTERS,
  GST_GLES_CLASS_MINIMUM, /* the limits that OpenGL ES 3.1 guarantees */
  GST_GLES_N_CLASSES
} GstGlesTuningClass;

/* Returns the class of @device, which must have GL. Thread: any. */
GstGlesTuningClass gst_gles_tuning_class (GstGlesDevice *device);

/* Returns the class of a device of @kind with @description and @limits, for tests. */
GstGlesTuningClass gst_gles_tuning_class_of (
    GstGlesDeviceKind kind, const gchar *description, const GstGlesLimits *limits);

/* Returns "software", "nvidia", "hardware", "few-registers" or "minimum". */
const gchar *gst_gles_tuning_class_name (GstGlesTuningClass tuning_class);

G_END_DECLS

#endif
