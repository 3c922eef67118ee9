/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tuning table of the algorithms whose shapes differ only in numbers: GstGlesAlgorithm. */
#ifndef GST_GLES_ARRAY_TUNING_H
#define GST_GLES_ARRAY_TUNING_H

#include <gst/gles/algo/plan/array.h>
#include <gst/gles/algo/plan/tuning-class.h>

G_BEGIN_DECLS

typedef enum {
  GST_GLES_ALGORITHM_REDUCE,
  GST_GLES_ALGORITHM_SCAN,
  GST_GLES_ALGORITHM_COMPACT,
  GST_GLES_ALGORITHM_FRAME_COMPACT,
  GST_GLES_ALGORITHM_COMPONENTS, /* tiles of mask words */
  GST_GLES_N_ALGORITHMS
} GstGlesAlgorithm;

/* Returns the row for the device of @queue. It has no meaning on a cpu device. */
const GstGlesArrayTuning *gst_gles_array_tuning (GstGlesQueue *queue, GstGlesAlgorithm algorithm);

/* Returns the row of a class, for tests. */
const GstGlesArrayTuning *gst_gles_array_tuning_row (
    GstGlesTuningClass tuning_class, GstGlesAlgorithm algorithm);

/* Calls @visit once for every shape in the table. @visit calls @func for each program of the
 * shape. */
typedef void (*GstGlesShapeFunc) (const GstGlesShape *shape, gboolean look_back,
    GstGlesSpecialisationFunc func, gpointer user_data);
void gst_gles_array_tuning_foreach (GstGlesAlgorithm algorithm, GstGlesShapeFunc visit,
    GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
