/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/compact/compact-plan.h>

const GstGlesArrayTuning gst_gles_compact_tuning[GST_GLES_N_CLASSES] = {
  [GST_GLES_CLASS_SOFTWARE] = { .two_pass = GST_GLES_SHAPE_SERIAL (8, 2, 16, 1),
      .portable = GST_GLES_SHAPE_SHARED_SOFTWARE (64, 4, 16, 42),
      .spin_limit = 16 },
  [GST_GLES_CLASS_NVIDIA] = { .two_pass = GST_GLES_SHAPE_SUBGROUP (256, 4, 1024),
      /* In us for 16 Mi values:
           *   128 x 2: 84, 64 x 4 and 256 x 2: 86, 128 x 4: 87, 256 x 4: 92, 512 x 2: 96 */
      .portable = GST_GLES_SHAPE_SHARED (128, 2, 1024),
      /* In us for 1, 4, 16, 64 Mi values:
           *   256 x 4: 9.3 16.6 55.2 179, 512 x 2: 8.6 16.2 54.8 184,
           *   1024 x 2: 8.3 16.4 57.4 191, 512 x 4: 9.1 16.0 59.7 200,
           *   256 x 2: 9.9 17.3 55.7 189 */
      .look_back = GST_GLES_SHAPE_NUMBERED (512, 2),
      .small = GST_GLES_SHAPE_NUMBERED (1024, 2),
      .small_capacity = 2 << 20,
      .spin_limit = 64 },
  [GST_GLES_CLASS_HARDWARE] = { .two_pass = GST_GLES_SHAPE_SUBGROUP (128, 4, 512),
      .portable = GST_GLES_SHAPE_SHARED (128, 4, 512),
      .spin_limit = 64 },
  [GST_GLES_CLASS_FEW_REGISTERS] = { .two_pass = GST_GLES_SHAPE_SHARED (64, 1, 512),
      .portable = GST_GLES_SHAPE_SHARED (64, 1, 512),
      .spin_limit = 64 },
  [GST_GLES_CLASS_MINIMUM] = { .two_pass = GST_GLES_SHAPE_SHARED_SOFTWARE (128, 4, 256, 43),
      .portable = GST_GLES_SHAPE_SHARED_SOFTWARE (128, 4, 256, 43),
      .spin_limit = 16 },
};
