/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of what has kernels of its own: one line per algorithm. */
#ifndef GST_GLES_ALGORITHMS_H
#define GST_GLES_ALGORITHMS_H

#define GST_GLES_FOREACH_ALGORITHM(_)                                                              \
  _ (gst_gles_frame_histogram)                                                                     \
  _ (gst_gles_array)                                                                               \
  _ (gst_gles_histogram)                                                                           \
  _ (gst_gles_reduce)                                                                              \
  _ (gst_gles_scan)                                                                                \
  _ (gst_gles_compact)                                                                             \
  _ (gst_gles_frame_compact)                                                                       \
  _ (gst_gles_frame_boxes)                                                                         \
  _ (gst_gles_frame_samples)                                                                       \
  _ (gst_gles_frame_noise)                                                                         \
  _ (gst_gles_frame_mad)                                                                           \
  _ (gst_gles_frame_flash)                                                                         \
  _ (gst_gles_frame_rows)                                                                          \
  _ (gst_gles_frame_overview)                                                                      \
  _ (gst_gles_frame_expression)                                                                    \
  _ (gst_gles_frame_expression_histogram)                                                          \
  _ (gst_gles_sort)                                                                                \
  _ (gst_gles_segments)                                                                            \
  _ (gst_gles_top_k)                                                                               \
  _ (gst_gles_unique)                                                                              \
  _ (gst_gles_tiles)                                                                               \
  _ (gst_gles_components)                                                                          \
  _ (gst_gles_readback)                                                                            \
  _ (gst_gles_texture)                                                                             \
  _ (gst_gles_link)                                                                                \
  _ (gst_gles_map)

#endif
