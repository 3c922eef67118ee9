/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/plan/tuning-class.h>

const GstGlesArrayTuning *
gst_gles_array_tuning (GstGlesQueue *queue, const GstGlesArrayTuning *rows)
{
  GstGlesDevice *device = gst_gles_queue_get_device (queue);
  GstGlesTuningClass tuning_class = gst_gles_tuning_class (device);

  gst_object_unref (device);
  return &rows[tuning_class];
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
gst_gles_array_tuning_foreach (const GstGlesArrayTuning *rows, GstGlesShapeFunc visit,
    GstGlesSpecialisationFunc func, gpointer user_data)
{
  GstGlesShape seen[2][4 * GST_GLES_N_CLASSES];
  guint n_seen[2] = { 0, 0 };

  for (guint i = 0; i < GST_GLES_N_CLASSES; i++) {
    const GstGlesArrayTuning *tuning = &rows[i];
    const struct {
      const GstGlesShape *shape;
      gboolean look_back;
    } uses[] = { { &tuning->two_pass, FALSE }, { &tuning->portable, FALSE },
      { &tuning->look_back, TRUE }, { &tuning->small, TRUE } };

    for (guint j = 0; j < G_N_ELEMENTS (uses); j++) {
      gboolean look_back = uses[j].look_back;
      const GstGlesShape *shape = uses[j].shape;
      if (shape->invocations == 0 || shape_known (seen[look_back], n_seen[look_back], shape))
        continue;
      seen[look_back][n_seen[look_back]++] = *shape;
      visit (shape, look_back, func, user_data);
    }
  }
}
