/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/components/components-private.h>

const GstGlesArrayTuning gst_gles_components_tuning[GST_GLES_N_CLASSES] = {
  [GST_GLES_CLASS_SOFTWARE] = { .two_pass = GST_GLES_SHAPE_SERIAL (8, 2, 16, 281),
      .portable = GST_GLES_SHAPE_SHARED_SOFTWARE (64, 1, 16, 142) },
  [GST_GLES_CLASS_NVIDIA] = { .two_pass = GST_GLES_SHAPE_SUBGROUP (128, 1, 1024),
      .portable = GST_GLES_SHAPE_SHARED (128, 1, 1024) },
  [GST_GLES_CLASS_HARDWARE] = { .two_pass = GST_GLES_SHAPE_SUBGROUP (128, 1, 512),
      .portable = GST_GLES_SHAPE_SHARED (128, 1, 512) },
  [GST_GLES_CLASS_FEW_REGISTERS] = { .two_pass = GST_GLES_SHAPE_SHARED (64, 1, 512),
      .portable = GST_GLES_SHAPE_SHARED (64, 1, 512) },
  [GST_GLES_CLASS_MINIMUM] = { .two_pass = GST_GLES_SHAPE_SHARED_SOFTWARE (128, 1, 256, 143),
      .portable = GST_GLES_SHAPE_SHARED_SOFTWARE (128, 1, 256, 143) },
};
