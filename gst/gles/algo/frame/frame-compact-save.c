/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keeps the reference of a run, so that the run can be repeated. */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/frame/frame-compact-private.h>
#include <gst/gles/core/error.h>
#include <gst/gles/cpu/frame-background.h>
#include <gst/gles/cpu/frame-kept.h>

gsize
gst_gles_frame_compact_kept_bytes (const GstGlesFrameCompact *compact)
{
  const GstGlesCpuChannel channel = { .component = { compact->components[0] },
    .depth = compact->matrix ? compact->format.luma_depth : compact->components[0].depth };

  return compact->config.background ? gst_gles_cpu_frame_background_bytes (&channel)
                                    : gst_gles_cpu_frame_kept_bytes (&channel);
}

/* Queues a copy of @buffer (nullable) to *@copy, which is allocated first if it is NULL. */
static gboolean
copy_buffer (
    GstGlesFrameCompact *compact, GstGlesBuffer *buffer, GstGlesBuffer **copy, GError **error)
{
  if (buffer == NULL)
    return TRUE;
  if (*copy == NULL)
    *copy = gst_gles_buffer_new (compact->array.device, gst_gles_buffer_get_size (buffer), error);
  return *copy != NULL &&
      gst_gles_queue_copy (
          compact->array.queue, buffer, 0, *copy, 0, gst_gles_buffer_get_size (buffer), error);
}

gboolean
gst_gles_frame_compact_save (GstGlesFrameCompact *compact, GError **error)
{
  const gsize bytes = gst_gles_frame_compact_kept_bytes (compact);

  g_clear_pointer (&compact->saved_kept, g_free);
  if (compact->kept != NULL) {
    compact->saved_kept = g_try_malloc (bytes);
    if (compact->saved_kept == NULL) {
      g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
          "cannot allocate %" G_GSIZE_FORMAT " bytes to keep a frame", bytes);
      return FALSE;
    }
    memcpy (compact->saved_kept, compact->kept, bytes);
  }
  compact->saved_has_previous = compact->has_previous;
  return !compact->has_previous ||
      (copy_buffer (compact, compact->previous, &compact->saved_previous, error) &&
          copy_buffer (compact, compact->averages, &compact->saved_averages, error));
}

static void
swap_buffers (GstGlesBuffer **a, GstGlesBuffer **b)
{
  GstGlesBuffer *buffer = *a;

  *a = *b;
  *b = buffer;
}

void
gst_gles_frame_compact_restore (GstGlesFrameCompact *compact)
{
  g_free (compact->kept);
  compact->kept = g_steal_pointer (&compact->saved_kept);
  compact->has_previous = compact->saved_has_previous;
  if (!compact->has_previous)
    return;
  swap_buffers (&compact->previous, &compact->saved_previous);
  if (compact->averages != NULL)
    swap_buffers (&compact->averages, &compact->saved_averages);
}
