/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/histogram/histogram-private.h>
#include <gst/gles/algo/compact/compact-private.h>
#include <gst/gles/algo/components/components-private.h>
#include <gst/gles/algo/frame/frame-compact-private.h>
#include <gst/gles/algo/frame/frame-mad-private.h>
#include <gst/gles/algo/frame/frame-histogram-private.h>
#include <gst/gles/algo/reduce/reduce-private.h>
#include <gst/gles/algo/scan/scan-private.h>
#include <gst/gles/algo/segments/segments-private.h>
#include <gst/gles/algo/sort/sort-private.h>
#include <gst/gles/algo/specialisations.h>
#include <gst/gles/algo/tiles/tiles-private.h>
#include <gst/gles/algo/top-k/top-k-private.h>
#include <gst/gles/algo/unique/unique-private.h>
#include <gst/gles/gl/texture.h>

void
gst_gles_specialisations_foreach (GstGlesSpecialisationFunc func, gpointer user_data)
{
  gst_gles_frame_histogram_specialisations (func, user_data);
  gst_gles_array_specialisations (func, user_data);
  gst_gles_histogram_specialisations (func, user_data);
  gst_gles_reduce_specialisations (func, user_data);
  gst_gles_scan_specialisations (func, user_data);
  gst_gles_compact_specialisations (func, user_data);
  gst_gles_frame_compact_specialisations (func, user_data);
  gst_gles_frame_mad_specialisations (func, user_data);
  gst_gles_sort_specialisations (func, user_data);
  gst_gles_segments_specialisations (func, user_data);
  gst_gles_top_k_specialisations (func, user_data);
  gst_gles_unique_specialisations (func, user_data);
  gst_gles_tiles_specialisations (func, user_data);
  gst_gles_components_specialisations (func, user_data);
  gst_gles_readback_specialisations (func, user_data);
  gst_gles_texture_specialisations (func, user_data);
}
