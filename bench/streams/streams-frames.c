/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The frames that streams push, made before anything is timed. */
#include "../inputs.h"
#include "streams.h"

/* Reads the frames of a file; an incomplete frame at its end is ignored. */
static GPtrArray *
frames_of_file (const StreamsOptions *options, GError **error)
{
  const gsize frame_bytes = GST_VIDEO_INFO_SIZE (&options->video);
  g_autofree gchar *data = NULL;
  GPtrArray *frames;
  gsize size;

  if (!g_file_get_contents (options->input, &data, &size, error))
    return NULL;
  if (size < frame_bytes) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
        "%s has %" G_GSIZE_FORMAT " bytes, and a frame of %s %dx%d takes %" G_GSIZE_FORMAT
        ": --format and --size say what its frames are",
        options->input, size, GST_VIDEO_INFO_NAME (&options->video),
        GST_VIDEO_INFO_WIDTH (&options->video), GST_VIDEO_INFO_HEIGHT (&options->video),
        frame_bytes);
    return NULL;
  }
  frames = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  for (gsize at = 0; at + frame_bytes <= size; at += frame_bytes)
    g_ptr_array_add (frames, gst_buffer_new_memdup (data + at, frame_bytes));
  return frames;
}

static GstBuffer *
make_frame (const StreamsOptions *options, guint seed)
{
  const gsize size = GST_VIDEO_INFO_SIZE (&options->video);
  const guint stride = MAX (GST_VIDEO_INFO_PLANE_STRIDE (&options->video, 0), 1);
  guint8 *data = g_malloc (size);

  for (gsize i = 0; i < size; i++) {
    const guint8 random = (bench_random (seed, i / 4) >> (8 * (i % 4))) & 0xff;
    if (options->content == STREAMS_NOISE)
      data[i] = random;
    else if (options->content == STREAMS_RAMP)
      data[i] = (guint8) (16 + 212 * (i % stride) / stride + (random >> 5));
    else
      data[i] = 128;
  }
  return gst_buffer_new_wrapped (data, size);
}

/* Returns all different frames, stream after stream unless they come from a file. */
static GPtrArray *
make_frames (const StreamsOptions *options, guint n_streams, GError **error)
{
  const guint n = n_streams * (guint) options->n_distinct;
  g_autofree gchar *why = NULL;
  GPtrArray *frames;

  if (options->input != NULL)
    return frames_of_file (options, error);
  if (!bench_memory_fits ((guint64) GST_VIDEO_INFO_SIZE (&options->video) * n, &why)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
        "%s: ask for fewer --streams or --distinct frames", why);
    return NULL;
  }
  frames = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (frames, make_frame (options, i));
  return frames;
}

GPtrArray *
streams_frames_new (const StreamsOptions *options, guint n_streams, GError **error)
{
  g_autoptr (GPtrArray) made = make_frames (options, n_streams, error);
  const gboolean shared = options->input != NULL;
  GPtrArray *all;

  if (made == NULL || !streams_memory_convert (options, made, error))
    return NULL;
  all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (guint s = 0; s < n_streams; s++) {
    GPtrArray *frames = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
    const guint n = shared ? made->len : (guint) options->n_distinct;

    for (guint i = 0; i < n; i++)
      g_ptr_array_add (frames, gst_buffer_ref (made->pdata[shared ? (s + i) % n : s * n + i]));
    g_ptr_array_add (all, frames);
  }
  return all;
}

/* Returns the allocator that the peer of @source offers: (transfer full) (nullable). */
static GstAllocator *
ask_for_allocator (GstPad *source, GstCaps *caps, GstAllocationParams *params)
{
  GstQuery *query = gst_query_new_allocation (caps, FALSE);
  GstAllocator *allocator = NULL;

  gst_allocation_params_init (params);
  if (gst_pad_peer_query (source, query) && gst_query_get_n_allocation_params (query) > 0)
    gst_query_parse_nth_allocation_param (query, 0, &allocator, params);
  gst_query_unref (query);
  return allocator;
}

GPtrArray *
streams_frames_move (const GPtrArray *frames, GstPad *source, GstCaps *caps)
{
  GPtrArray *moved = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  GstAllocationParams params;
  GstAllocator *allocator = ask_for_allocator (source, caps, &params);

  for (guint i = 0; i < frames->len; i++) {
    GstBuffer *buffer =
        gst_buffer_new_allocate (allocator, gst_buffer_get_size (frames->pdata[i]), &params);
    GstMapInfo map;

    if (buffer == NULL)
      buffer = gst_buffer_ref (frames->pdata[i]);
    else if (gst_buffer_map (frames->pdata[i], &map, GST_MAP_READ)) {
      gst_buffer_fill (buffer, 0, map.data, map.size);
      gst_buffer_unmap (frames->pdata[i], &map);
    }
    g_ptr_array_add (moved, buffer);
  }
  gst_clear_object (&allocator);
  return moved;
}
