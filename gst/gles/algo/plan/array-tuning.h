/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tuning of algorithms whose shapes differ only in numbers. The rows of an algorithm are in
 * its room, one for each class of device. */
#ifndef GST_GLES_ARRAY_TUNING_H
#define GST_GLES_ARRAY_TUNING_H

#include <gst/gles/algo/plan/array.h>
#include <gst/gles/algo/plan/tuning-class.h>

G_BEGIN_DECLS

/* Shapes: team, invocations, rows, max_groups, rounds. */
#define GST_GLES_SHAPE_SERIAL(i, r, g, rounds)                                                     \
  {                                                                                                \
    GST_GLES_TEAM_SERIAL, i, r, g, rounds                                                          \
  }
/* As GST_GLES_SHAPE_SHARED, on devices that limit loops. */
#define GST_GLES_SHAPE_SHARED_SOFTWARE(i, r, g, rounds)                                            \
  {                                                                                                \
    GST_GLES_TEAM_SHARED, i, r, g, rounds                                                          \
  }
#define GST_GLES_SHAPE_SHARED(i, r, g)                                                             \
  {                                                                                                \
    GST_GLES_TEAM_SHARED, i, r, g, 0                                                               \
  }
#define GST_GLES_SHAPE_SUBGROUP(i, r, g)                                                           \
  {                                                                                                \
    GST_GLES_TEAM_SUBGROUP, i, r, g, 0                                                             \
  }

/* Look-back; workgroups take the tiles of their own numbers. */
#define GST_GLES_SHAPE_NUMBERED(i, r)                                                              \
  {                                                                                                \
    GST_GLES_TEAM_SUBGROUP, i, r, 0, 0, TRUE                                                       \
  }

/* GST_GLES_CLASS_FEW_REGISTERS:
 * Time of a plan and its first call with the compilers of Mesa 25.0, in s, with four rows and
 * with one: compaction on V3D 4.2 11.9 and 0.4, segmented scan on Mali T860 14 and 0.08.
 * Mali-T has twice as many registers for kernels with barriers in workgroups of up to 64
 * invocations. With 128, its compiler finds no registers for the scan of blocks, the edges of
 * pictures and the motion of RGB, after hundreds of spills, and leaves these kernels wrong. With
 * 64 they have eight spills at most. Seconds on Mali T860 with 128 and with 64: f32 sum 1.2 and
 * 0.09, scan of blocks 0.5 and 0.05, edges 1.3 and 0.12. */

/* Returns the row of @rows for the device of @queue. It has no meaning on a cpu device. */
const GstGlesArrayTuning *gst_gles_array_tuning (
    GstGlesQueue *queue, const GstGlesArrayTuning *rows);

/* Calls @visit once for every shape in @rows. @visit calls @func for each program of the
 * shape. */
typedef void (*GstGlesShapeFunc) (const GstGlesShape *shape, gboolean look_back,
    GstGlesSpecialisationFunc func, gpointer user_data);
void gst_gles_array_tuning_foreach (const GstGlesArrayTuning *rows, GstGlesShapeFunc visit,
    GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
