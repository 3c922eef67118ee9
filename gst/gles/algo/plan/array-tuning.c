/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/plan/array-tuning.h>

typedef struct {
  const gchar *device_class;
  GstGlesArrayTuning algorithms[GST_GLES_N_ALGORITHMS];
} Row;

/* Shapes: team, invocations, rows, max_groups, max_tiles. */
#define SERIAL(i, r, g)                                                                            \
  {                                                                                                \
    GST_GLES_TEAM_SERIAL, i, r, g, 8192                                                            \
  }
/* As SHARED, with the limit of llvmpipe for max_tiles. */
#define SHARED_SOFTWARE(i, r, g)                                                                   \
  {                                                                                                \
    GST_GLES_TEAM_SHARED, i, r, g, 512                                                             \
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

static const Row rows[] = {
  {
      "software",
      {
          [GST_GLES_ALGORITHM_REDUCE] = { .two_pass = SERIAL (8, 2, 16),
              .portable = SHARED_SOFTWARE (64, 4, 16) },
          [GST_GLES_ALGORITHM_SCAN] = { .two_pass = SERIAL (8, 2, 16),
              .portable = SHARED_SOFTWARE (64, 4, 16),
              .spin_limit = 16 },
          [GST_GLES_ALGORITHM_COMPACT] = { .two_pass = SERIAL (8, 2, 16),
              .portable = SHARED_SOFTWARE (64, 4, 16),
              .spin_limit = 16 },
          /* A tile takes up to 17 iterations. */
          [GST_GLES_ALGORITHM_FRAME_COMPACT] = { .two_pass = { GST_GLES_TEAM_SERIAL, 8, 4, 16,
                                                     2048 },
              .portable = SHARED_SOFTWARE (64, 4, 16),
              .spin_limit = 16 },
          /* A mask word takes up to 17 iterations. */
          [GST_GLES_ALGORITHM_COMPONENTS] = { .two_pass = { GST_GLES_TEAM_SERIAL, 8, 2, 16, 128 },
              .portable = { GST_GLES_TEAM_SHARED, 64, 1, 16, 128 } },
      },
  },
  {
      "nvidia",
      {
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
  },
  {
      "hardware",
      {
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
  },
  {
      "minimum",
      {
          [GST_GLES_ALGORITHM_REDUCE] = { .two_pass = SHARED_SOFTWARE (128, 4, 256),
              .portable = SHARED_SOFTWARE (128, 4, 256) },
          [GST_GLES_ALGORITHM_SCAN] = { .two_pass = SHARED_SOFTWARE (128, 4, 256),
              .portable = SHARED_SOFTWARE (128, 4, 256),
              .spin_limit = 16 },
          [GST_GLES_ALGORITHM_COMPACT] = { .two_pass = SHARED_SOFTWARE (128, 4, 256),
              .portable = SHARED_SOFTWARE (128, 4, 256),
              .spin_limit = 16 },
          [GST_GLES_ALGORITHM_FRAME_COMPACT] = { .two_pass = SHARED_SOFTWARE (128, 4, 256),
              .portable = SHARED_SOFTWARE (128, 4, 256),
              .spin_limit = 16 },
          [GST_GLES_ALGORITHM_COMPONENTS] = { .two_pass = { GST_GLES_TEAM_SHARED, 128, 1, 256,
                                                  128 },
              .portable = { GST_GLES_TEAM_SHARED, 128, 1, 256, 128 } },
      },
  },
};

enum {
  ROW_SOFTWARE,
  ROW_NVIDIA,
  ROW_HARDWARE,
  ROW_MINIMUM
};

static guint
row_of (GstGlesDevice *device)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (device);

  if (limits->clamped || limits->invocations < 256 || limits->shared_bytes < 32768)
    return ROW_MINIMUM;
  if (gst_gles_device_get_kind (device) == GST_GLES_DEVICE_SOFTWARE)
    return ROW_SOFTWARE;
  return strstr (gst_gles_device_get_description (device), "NVIDIA") != NULL ? ROW_NVIDIA
                                                                             : ROW_HARDWARE;
}

const GstGlesArrayTuning *
gst_gles_array_tuning (GstGlesQueue *queue, GstGlesAlgorithm algorithm)
{
  GstGlesDevice *device = gst_gles_queue_get_device (queue);
  guint row = row_of (device);

  gst_object_unref (device);
  return &rows[row].algorithms[algorithm];
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
gst_gles_array_tuning_foreach (
    GstGlesAlgorithm algorithm, GstGlesShapeFunc func, gpointer user_data)
{
  GstGlesShape seen[2][4 * G_N_ELEMENTS (rows)];
  guint n_seen[2] = { 0, 0 };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    const GstGlesArrayTuning *tuning = &rows[i].algorithms[algorithm];
    /* Look-back can be forced on the portable shape. */
    const struct {
      const GstGlesShape *shape;
      gboolean look_back;
    } uses[] = { { &tuning->two_pass, FALSE }, { &tuning->portable, FALSE },
      { &tuning->look_back, TRUE }, { &tuning->small, TRUE }, { &tuning->portable, TRUE } };
    for (guint j = 0; j < G_N_ELEMENTS (uses); j++) {
      gboolean look_back = uses[j].look_back;
      const GstGlesShape *shape = uses[j].shape;
      if (shape->invocations == 0 || shape_known (seen[look_back], n_seen[look_back], shape))
        continue;
      seen[look_back][n_seen[look_back]++] = *shape;
      func (shape, look_back, user_data);
    }
  }
}
