/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/frame/frame-compact-private.h>

const GstGlesArrayTuning gst_gles_frame_compact_tuning[GST_GLES_N_CLASSES] = {
  [GST_GLES_CLASS_SOFTWARE] = { .two_pass = GST_GLES_SHAPE_SERIAL (8, 4, 16, 27),
      .portable = GST_GLES_SHAPE_SHARED_SOFTWARE (128, 4, 16, 200),
      .spin_limit = 16 },
  [GST_GLES_CLASS_NVIDIA] = { .two_pass = GST_GLES_SHAPE_SUBGROUP (256, 4, 1024),
      .portable = GST_GLES_SHAPE_SHARED (128, 4, 1024),
      /* In us for 9 % of 1080p and of 4K:
           *   512 x 2: 14.8 29.1, 256 x 4: 15.9 30.4, 1024 x 2: 14.7 31.7 */
      .look_back = GST_GLES_SHAPE_NUMBERED (512, 2),
      .spin_limit = 64 },
  [GST_GLES_CLASS_HARDWARE] = { .two_pass = GST_GLES_SHAPE_SUBGROUP (128, 4, 512),
      .portable = GST_GLES_SHAPE_SHARED (128, 4, 512),
      .spin_limit = 64 },
  [GST_GLES_CLASS_FEW_REGISTERS] = { .two_pass = GST_GLES_SHAPE_SHARED (64, 1, 512),
      .portable = GST_GLES_SHAPE_SHARED (64, 1, 512),
      .spin_limit = 64 },
  [GST_GLES_CLASS_MINIMUM] = { .two_pass = GST_GLES_SHAPE_SHARED_SOFTWARE (128, 4, 256, 200),
      .portable = GST_GLES_SHAPE_SHARED_SOFTWARE (128, 4, 256, 200),
      .spin_limit = 16 },
};
