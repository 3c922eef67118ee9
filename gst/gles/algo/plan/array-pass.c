/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queues the passes of reduce, scan and compact: windows, grids, epochs. */
#include "config.h"

#include <gst/gles/algo/plan/array.h>
#include <gst/gles/core/checked.h>

#define MAX_EPOCH 16383u

static guint
max_groups_x (const GstGlesArray *array)
{
  /* A grid of two axes suffices: 2^30 values are at most 2^24 tiles of 64 values. */
  return gst_gles_device_get_limits (array->device)->groups[0];
}

guint
gst_gles_array_n_windows (const GstGlesArray *array, guint limit)
{
  return MAX (gst_gles_div_ceil (limit, array->window_size), 1);
}

gboolean
gst_gles_array_setup (GstGlesArray *array, const GstGlesShape *shape, const GstGlesCount *count,
    guint limit, GError **error)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (array->device);
  gsize offset, size;
  GstGlesArraySetup params;
  const guint groups[3] = { 1, 1, 1 };

  if (count->buffer == NULL)
    return TRUE;
  offset = count->offset_bytes - count->offset_bytes % MAX (limits->storage_alignment, 4);
  size = count->offset_bytes - offset + 4;
  params = (GstGlesArraySetup){
    .word = (count->offset_bytes - offset) / 4,
    .capacity = limit,
    .window_size = array->window_size,
    .n_windows = gst_gles_array_n_windows (array, limit),
    .tile = gst_gles_shape_tile (shape),
    .teams_per_group = gst_gles_shape_teams_per_group (shape),
    .max_groups = shape->max_groups,
    .max_groups_x = max_groups_x (array),
  };
  const GstGlesBinding bindings[] = {
    gst_gles_array_state (array),
    { count->buffer, offset, size, GST_GLES_READ },
  };
  return gst_gles_queue_dispatch (array->queue,
      GST_GLES_DISPATCH (array->setup, bindings, G_N_ELEMENTS (bindings), &params), groups, error);
}

GstGlesWindow
gst_gles_array_window (const GstGlesArray *array, const GstGlesShape *shape,
    const GstGlesCount *count, guint limit, guint index)
{
  const guint first = index * array->window_size;
  const guint n = MIN (limit - first, array->window_size);
  guint groups = gst_gles_div_ceil (
      gst_gles_div_ceil (n, gst_gles_shape_tile (shape)), gst_gles_shape_teams_per_group (shape));

  groups = MAX (groups, 1);
  if (shape->max_groups != 0)
    groups = MIN (groups, shape->max_groups);
  return (GstGlesWindow){
    .index = index,
    .first = first,
    .n = n,
    .groups = { MIN (groups, max_groups_x (array)),
        gst_gles_div_ceil (groups, max_groups_x (array)), 1 },
    .pass = {
        .n = n,
        .total_n = limit,
        .counted = count->buffer != NULL,
        .window = index,
        .first = first,
    },
  };
}

GstGlesBinding
gst_gles_array_binding (GstGlesBuffer *buffer, guint64 first, guint64 n, GstGlesUsage usage)
{
  GstGlesBinding binding = { buffer, 4 * first, 4 * n, usage };

  /* A size of 0 would bind the rest of the buffer, which can exceed a storage block. The word is
   * not used. */
  if (buffer != NULL && n == 0)
    binding = (GstGlesBinding){ buffer, 0, MIN (4, gst_gles_buffer_get_size (buffer)), usage };
  return binding;
}

GstGlesBinding
gst_gles_array_state (GstGlesArray *array)
{
  return (GstGlesBinding){ array->state, 0, 0, GST_GLES_READ_WRITE };
}

gboolean
gst_gles_array_dispatch (GstGlesArray *array, const GstGlesDispatch *dispatch,
    const GstGlesWindow *window, GError **error)
{
  gsize record = GST_GLES_ARRAY_WINDOWS + window->index * GST_GLES_ARRAY_WINDOW_WORDS;

  if (window->pass.counted)
    return gst_gles_queue_dispatch_indirect (
        array->queue, dispatch, array->state, 4 * record, error);
  return gst_gles_queue_dispatch (array->queue, dispatch, window->groups, error);
}

gboolean
gst_gles_array_next_epoch (GstGlesArray *array, GstGlesLookBackPass *pass, GError **error)
{
  gsize n_words = gst_gles_buffer_get_size (array->state) / 4 - array->status_words;
  GstGlesArrayClear params = { array->status_words, n_words, 0, 0 };
  GstGlesBinding state = gst_gles_array_state (array);
  const guint groups[3] = { 64, 1, 1 };

  if (array->epoch == MAX_EPOCH) {
    if (!gst_gles_queue_dispatch (
            array->queue, GST_GLES_DISPATCH (array->clear, &state, 1, &params), groups, error))
      return FALSE;
    array->epoch = 0;
  }
  *pass = (GstGlesLookBackPass){
    .epoch = ++array->epoch,
    .spin_limit = array->spin_limit,
    .status_words = array->status_words,
  };
  return TRUE;
}
