/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/scan/scan-private.h>

const GstGlesArrayTuning gst_gles_scan_tuning[GST_GLES_N_CLASSES] = {
  [GST_GLES_CLASS_SOFTWARE] = { .two_pass = GST_GLES_SHAPE_SERIAL (8, 2, 16, 15),
      .portable = GST_GLES_SHAPE_SHARED_SOFTWARE (64, 4, 16, 34),
      .spin_limit = 16 },
  [GST_GLES_CLASS_NVIDIA] = { .two_pass = GST_GLES_SHAPE_SUBGROUP (256, 4, 1024),
      .portable = GST_GLES_SHAPE_SHARED (256, 4, 1024),
      /* Measured on an H100, in us for 1, 4, 16, 64 Mi values (invocations x rows):
           *   256 x 4: 10.1 18.1 61.2 233, 512 x 2: 9.3 18.7 65.0 247,
           *   128 x 4: 10.5 19.0 63.4 239, 1024 x 2: 9.4 18.3 70.1 255,
           *   512 x 4: 10.3 26.8 98 357 */
      .look_back = GST_GLES_SHAPE_NUMBERED (256, 4),
      .small = GST_GLES_SHAPE_NUMBERED (512, 2),
      .small_capacity = 2 << 20,
      .spin_limit = 64 },
  [GST_GLES_CLASS_HARDWARE] = { .two_pass = GST_GLES_SHAPE_SUBGROUP (128, 4, 512),
      .portable = GST_GLES_SHAPE_SHARED (128, 4, 512),
      .spin_limit = 64 },
  [GST_GLES_CLASS_FEW_REGISTERS] = { .two_pass = GST_GLES_SHAPE_SHARED (64, 1, 512),
      .portable = GST_GLES_SHAPE_SHARED (64, 1, 512),
      .spin_limit = 64 },
  [GST_GLES_CLASS_MINIMUM] = { .two_pass = GST_GLES_SHAPE_SHARED_SOFTWARE (128, 4, 256, 35),
      .portable = GST_GLES_SHAPE_SHARED_SOFTWARE (128, 4, 256, 35),
      .spin_limit = 16 },
};
