/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/plan/tuning-class.h>

/* Shapes: team, invocations, rows, max_groups, rounds. */
#define SERIAL(i, r, g, rounds)                                                                    \
  {                                                                                                \
    GST_GLES_TEAM_SERIAL, i, r, g, rounds                                                          \
  }
/* As SHARED, on devices that limit loops. */
#define SHARED_SOFTWARE(i, r, g, rounds)                                                           \
  {                                                                                                \
    GST_GLES_TEAM_SHARED, i, r, g, rounds                                                          \
  }
#define SHARED(i, r, g)                                                                            \
  {                                                                                                \
    GST_GLES_TEAM_SHARED, i, r, g, 0                                                               \
  }
#define SUBGROUP(i, r, g)                                                                          \
  {                                                                                                \
    GST_GLES_TEAM_SUBGROUP, i, r, g, 0                                                             \
  }

/* Look-back; workgroups take the tiles of their own numbers. */
#define NUMBERED(i, r)                                                                             \
  {                                                                                                \
    GST_GLES_TEAM_SUBGROUP, i, r, 0, 0, TRUE                                                       \
  }

static const GstGlesArrayTuning rows[GST_GLES_N_CLASSES][GST_GLES_N_ALGORITHMS] = {
  [GST_GLES_CLASS_SOFTWARE] = {
      [GST_GLES_ALGORITHM_REDUCE] = { .two_pass = SERIAL (8, 2, 16, 8),
          .portable = SHARED_SOFTWARE (64, 4, 16, 14) },
      [GST_GLES_ALGORITHM_SCAN] = { .two_pass = SERIAL (8, 2, 16, 15),
          .portable = SHARED_SOFTWARE (64, 4, 16, 34),
          .spin_limit = 16 },
      [GST_GLES_ALGORITHM_COMPACT] = { .two_pass = SERIAL (8, 2, 16, 1),
          .portable = SHARED_SOFTWARE (64, 4, 16, 42),
          .spin_limit = 16 },
      [GST_GLES_ALGORITHM_FRAME_COMPACT] = { .two_pass = SERIAL (8, 4, 16, 27),
          .portable = SHARED_SOFTWARE (64, 4, 16, 199),
          .spin_limit = 16 },
      [GST_GLES_ALGORITHM_COMPONENTS] = { .two_pass = SERIAL (8, 2, 16, 281),
          .portable = SHARED_SOFTWARE (64, 1, 16, 142) },
  },
  [GST_GLES_CLASS_NVIDIA] = {
      [GST_GLES_ALGORITHM_REDUCE] = { .two_pass = SUBGROUP (256, 4, 528),
          .portable = SHARED (256, 4, 1024) },
      [GST_GLES_ALGORITHM_SCAN] = { .two_pass = SUBGROUP (256, 4, 1024),
          .portable = SHARED (256, 4, 1024),
          /* Measured on an H100, in us for 1, 4, 16, 64 Mi values (invocations x rows):
           *   256 x 4: 10.1 18.1 61.2 233, 512 x 2: 9.3 18.7 65.0 247,
           *   128 x 4: 10.5 19.0 63.4 239, 1024 x 2: 9.4 18.3 70.1 255,
           *   512 x 4: 10.3 26.8 98 357 */
          .look_back = NUMBERED (256, 4),
          .small = NUMBERED (512, 2),
          .small_capacity = 2 << 20,
          .spin_limit = 64 },
      [GST_GLES_ALGORITHM_COMPACT] = { .two_pass = SUBGROUP (256, 4, 1024),
          /* In us for 16 Mi values:
           *   128 x 2: 84, 64 x 4 and 256 x 2: 86, 128 x 4: 87, 256 x 4: 92, 512 x 2: 96 */
          .portable = SHARED (128, 2, 1024),
          /* In us for 1, 4, 16, 64 Mi values:
           *   256 x 4: 9.3 16.6 55.2 179, 512 x 2: 8.6 16.2 54.8 184,
           *   1024 x 2: 8.3 16.4 57.4 191, 512 x 4: 9.1 16.0 59.7 200,
           *   256 x 2: 9.9 17.3 55.7 189 */
          .look_back = NUMBERED (512, 2),
          .small = NUMBERED (1024, 2),
          .small_capacity = 2 << 20,
          .spin_limit = 64 },
      [GST_GLES_ALGORITHM_FRAME_COMPACT] = { .two_pass = SUBGROUP (256, 4, 1024),
          .portable = SHARED (256, 4, 1024),
          /* In us for 9 % of 1080p and of 4K:
           *   512 x 2: 14.8 29.1, 256 x 4: 15.9 30.4, 1024 x 2: 14.7 31.7 */
          .look_back = NUMBERED (512, 2),
          .spin_limit = 64 },
      [GST_GLES_ALGORITHM_COMPONENTS] = { .two_pass = SUBGROUP (128, 1, 1024),
          .portable = SHARED (128, 1, 1024) },
  },
  [GST_GLES_CLASS_HARDWARE] = {
      [GST_GLES_ALGORITHM_REDUCE] = { .two_pass = SUBGROUP (128, 4, 512),
          .portable = SHARED (128, 4, 512) },
      [GST_GLES_ALGORITHM_SCAN] = { .two_pass = SUBGROUP (128, 4, 512),
          .portable = SHARED (128, 4, 512),
          .spin_limit = 64 },
      [GST_GLES_ALGORITHM_COMPACT] = { .two_pass = SUBGROUP (128, 4, 512),
          .portable = SHARED (128, 4, 512),
          .spin_limit = 64 },
      [GST_GLES_ALGORITHM_FRAME_COMPACT] = { .two_pass = SUBGROUP (128, 4, 512),
          .portable = SHARED (128, 4, 512),
          .spin_limit = 64 },
      [GST_GLES_ALGORITHM_COMPONENTS] = { .two_pass = SUBGROUP (128, 1, 512),
          .portable = SHARED (128, 1, 512) },
  },
  /* Time of a plan and its first call with the compilers of Mesa 25.0, in s, with four rows and
   * with one: compaction on V3D 4.2 11.9 and 0.4, segmented scan on Mali T860 14 and 0.08.
   * Mali-T has twice as many registers for kernels with barriers in workgroups of up to 64
   * invocations. With 128, its compiler finds no registers for the scan of blocks, the edges of
   * pictures and the motion of RGB, after hundreds of spills, and leaves these kernels wrong. With
   * 64 they have eight spills at most. Seconds on Mali T860 with 128 and with 64: f32 sum 1.2 and
   * 0.09, scan of blocks 0.5 and 0.05, edges 1.3 and 0.12. */
  [GST_GLES_CLASS_FEW_REGISTERS] = {
      [GST_GLES_ALGORITHM_REDUCE] = { .two_pass = SHARED (64, 1, 512),
      .portable = SHARED (64, 1, 512) },
      [GST_GLES_ALGORITHM_SCAN] = { .two_pass = SHARED (64, 1, 512),
      .portable = SHARED (64, 1, 512),
      .spin_limit = 64 },
      [GST_GLES_ALGORITHM_COMPACT] = { .two_pass = SHARED (64, 1, 512),
      .portable = SHARED (64, 1, 512),
      .spin_limit = 64 },
      [GST_GLES_ALGORITHM_FRAME_COMPACT] = { .two_pass = SHARED (64, 1, 512),
      .portable = SHARED (64, 1, 512),
      .spin_limit = 64 },
      [GST_GLES_ALGORITHM_COMPONENTS] = { .two_pass = SHARED (64, 1, 512),
      .portable = SHARED (64, 1, 512) },
  },
  [GST_GLES_CLASS_MINIMUM] = {
      [GST_GLES_ALGORITHM_REDUCE] = { .two_pass = SHARED_SOFTWARE (128, 4, 256, 15),
          .portable = SHARED_SOFTWARE (128, 4, 256, 15) },
      [GST_GLES_ALGORITHM_SCAN] = { .two_pass = SHARED_SOFTWARE (128, 4, 256, 35),
          .portable = SHARED_SOFTWARE (128, 4, 256, 35),
          .spin_limit = 16 },
      [GST_GLES_ALGORITHM_COMPACT] = { .two_pass = SHARED_SOFTWARE (128, 4, 256, 43),
          .portable = SHARED_SOFTWARE (128, 4, 256, 43),
          .spin_limit = 16 },
      [GST_GLES_ALGORITHM_FRAME_COMPACT] = { .two_pass = SHARED_SOFTWARE (128, 4, 256, 200),
          .portable = SHARED_SOFTWARE (128, 4, 256, 200),
          .spin_limit = 16 },
      [GST_GLES_ALGORITHM_COMPONENTS] = { .two_pass = SHARED_SOFTWARE (128, 1, 256, 143),
          .portable = SHARED_SOFTWARE (128, 1, 256, 143) },
  },
};

const GstGlesArrayTuning *
gst_gles_array_tuning (GstGlesQueue *queue, GstGlesAlgorithm algorithm)
{
  GstGlesDevice *device = gst_gles_queue_get_device (queue);
  GstGlesTuningClass tuning_class = gst_gles_tuning_class (device);

  gst_object_unref (device);
  return &rows[tuning_class][algorithm];
}

const GstGlesArrayTuning *
gst_gles_array_tuning_row (GstGlesTuningClass tuning_class, GstGlesAlgorithm algorithm)
{
  return &rows[tuning_class][algorithm];
}

static gboolean
shape_known (const GstGlesShape *shapes, guint n, const GstGlesShape *shape)
{
  /* The number of workgroups does not affect the code. */
  for (guint i = 0; i < n; i++) {
    if (shapes[i].team == shape->team && shapes[i].invocations == shape->invocations &&
        shapes[i].rows == shape->rows && shapes[i].numbered == shape->numbered)
      return TRUE;
  }
  return FALSE;
}

void
gst_gles_array_tuning_foreach (GstGlesAlgorithm algorithm, GstGlesShapeFunc visit,
    GstGlesSpecialisationFunc func, gpointer user_data)
{
  GstGlesShape seen[2][4 * G_N_ELEMENTS (rows)];
  guint n_seen[2] = { 0, 0 };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    const GstGlesArrayTuning *tuning = &rows[i][algorithm];
    const struct {
      const GstGlesShape *shape;
      gboolean look_back;
    } uses[] = { { &tuning->two_pass, FALSE }, { &tuning->portable, FALSE },
      { &tuning->look_back, TRUE }, { &tuning->small, TRUE }, { &tuning->portable, TRUE } };
    /* The tests force look-back on the portable shape of these two. */
    const guint n_uses = i == GST_GLES_CLASS_SOFTWARE || i == GST_GLES_CLASS_MINIMUM ? 5 : 4;

    for (guint j = 0; j < n_uses; j++) {
      gboolean look_back = uses[j].look_back;
      const GstGlesShape *shape = uses[j].shape;
      if (shape->invocations == 0 || shape_known (seen[look_back], n_seen[look_back], shape))
        continue;
      seen[look_back][n_seen[look_back]++] = *shape;
      visit (shape, look_back, func, user_data);
    }
  }
}
