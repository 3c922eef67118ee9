/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/core/pool.h>
#include <gst/gles/core/stream-copy.h>
#include <gst/gles/frame/format.h>
#include <gst/gles/frame/source.h>
#include <gst/gles/gl/upload.h>

/* Upload slots: the device may still read earlier frames while the next one is written. */
#define N_SLOTS 3

/* The bytes that a thread copies at a time when several threads share a copy. A band must be large
 * enough to be worth waking a thread for. */
#define BAND_BYTES (256 * 1024)

/* If there are fewer threads per stream than this, each stream copies alone. */
#define MIN_SHARERS 4

/* The position of a plane in an upload slot. */
typedef struct {
  gsize offset;
  gsize row_bytes; /* from the plane's start to the end of the last sample of a row */
  gsize stride;
  guint rows;
} StagedPlane;

/* The part of a mapped plane that an image covers. */
typedef struct {
  const guint8 *data; /* of the image's first sample */
  gsize stride;
  gsize row_bytes;
  guint rows;
} PlaneWindow;

struct _GstGlesFrameSource {
  GstGlesQueue *queue;
  GstVideoInfo info;
  guint align_x, align_y; /* luma positions per sample of the coarsest component */
  GstGlesImage described; /* by the caps: strides and offsets in system memory */
  GstGlesImage staged;    /* as an upload slot holds it */
  StagedPlane planes[GST_VIDEO_MAX_PLANES];
  guint n_planes;
  gsize staged_bytes;
  gboolean on_device;      /* frames are copied; otherwise they are read in place */
  GstGlesUploadRing *ring; /* NULL on a cpu device */
  guint used_planes;       /* bits of planes that are copied */
  gboolean in_place;       /* kernels read mapped memory */
  gboolean streams_copies; /* stores bypass the caches: the processor does not read the copy */

  /* between acquire and release */
  gboolean mapped;
  GstVideoFrame frame;
  guint origin_x, origin_y; /* of the image in the mapped picture, multiples of align_x, align_y */
  PlaneWindow windows[GST_VIDEO_MAX_PLANES];
  GstGlesUpload upload;
};

/* Computes which part of each plane has samples. */
static void
measure_planes (GstGlesFrameSource *source)
{
  memset (source->planes, 0, sizeof (source->planes));
  source->align_x = source->align_y = 1;
  for (guint i = 0; i < source->described.n_components; i++) {
    const GstGlesComponent *c = &source->described.components[i];
    StagedPlane *plane = &source->planes[c->plane];
    gsize end = c->offset + (gsize) (c->width - 1) * c->step + c->word_bytes;

    plane->row_bytes = MAX (plane->row_bytes, end);
    plane->rows = MAX (plane->rows, c->height);
    source->n_planes = MAX (source->n_planes, c->plane + 1);
    source->align_x = MAX (source->align_x, 1u << c->sub_x);
    source->align_y = MAX (source->align_y, 1u << c->sub_y);
  }
}

/* Rows of whole 16-byte units are placed without gaps, so that kernels can read the plane as one
 * stream. Other rows begin at a multiple of 16 bytes. */
static gboolean
stage_planes (GstGlesFrameSource *source, GError **error)
{
  gsize at = 0;

  for (guint p = 0; p < source->n_planes; p++) {
    StagedPlane *plane = &source->planes[p];
    gsize bytes;
    plane->stride = gst_gles_align_up (plane->row_bytes, 16);
    plane->offset = at;
    if (!gst_gles_size_mul (plane->stride, plane->rows, &bytes) || bytes > G_MAXUINT32 / 2 ||
        at + bytes > G_MAXUINT32 / 2) {
      g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
          "frames of %dx%d in %s are larger than kernels can address",
          GST_VIDEO_INFO_WIDTH (&source->info), GST_VIDEO_INFO_HEIGHT (&source->info),
          GST_VIDEO_INFO_NAME (&source->info));
      return FALSE;
    }
    at = gst_gles_align_up (at + bytes, 64);
  }
  source->staged_bytes = at;
  source->staged = source->described;
  for (guint i = 0; i < source->staged.n_components; i++) {
    GstGlesComponent *c = &source->staged.components[i];
    c->offset += source->planes[c->plane].offset;
    c->stride = source->planes[c->plane].stride;
  }
  return TRUE;
}

/* Sets the source up for images of @width x @height, and discards any earlier set-up. */
static gboolean
lay_out (GstGlesFrameSource *source, guint width, guint height, GError **error)
{
  GstVideoInfo info;

  if (!gst_video_info_set_format (&info, GST_VIDEO_INFO_FORMAT (&source->info), width, height)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE, "%ux%u is no size for %s", width,
        height, GST_VIDEO_INFO_NAME (&source->info));
    return FALSE;
  }
  info.colorimetry = source->info.colorimetry;
  if (!gst_gles_format_describe (&info, &source->described, error))
    return FALSE;
  measure_planes (source);
  if (!source->on_device)
    return TRUE;
  g_clear_pointer (&source->ring, gst_gles_upload_ring_free);
  if (!stage_planes (source, error))
    return FALSE;
  source->ring = gst_gles_upload_ring_new (source->queue, N_SLOTS, source->staged_bytes, error);
  return source->ring != NULL;
}

GstGlesFrameSource *
gst_gles_frame_source_new (GstGlesQueue *queue, const GstVideoInfo *info, GError **error)
{
  GstGlesFrameSource *source;
  GstGlesDevice *device;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && info != NULL, NULL);
  device = gst_gles_queue_get_device (queue);
  g_return_val_if_fail (device != NULL, NULL);
  source = g_new0 (GstGlesFrameSource, 1);
  source->queue = gst_object_ref (queue);
  source->info = *info;
  source->used_planes = G_MAXUINT;
  source->on_device = gst_gles_device_get_kind (device) != GST_GLES_DEVICE_CPU;
  source->streams_copies = gst_gles_device_get_kind (device) == GST_GLES_DEVICE_HARDWARE &&
      gst_gles_device_get_limits (device)->buffer_storage;
  if (!lay_out (source, GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info), error))
    goto failed;
  gst_object_unref (device);
  return source;
failed:
  gst_object_unref (device);
  gst_gles_frame_source_free (source);
  return NULL;
}

void
gst_gles_frame_source_free (GstGlesFrameSource *source)
{
  if (source == NULL)
    return;
  gst_gles_frame_source_release (source);
  gst_gles_upload_ring_free (source->ring);
  gst_object_unref (source->queue);
  g_free (source);
}

void
gst_gles_frame_source_use_components (GstGlesFrameSource *source, guint components)
{
  g_return_if_fail (source != NULL);
  source->used_planes = 0;
  for (guint i = 0; i < source->described.n_components; i++) {
    if ((components & (1u << i)) != 0)
      source->used_planes |= 1u << source->described.components[i].plane;
  }
}

void
gst_gles_frame_source_read_in_place (GstGlesFrameSource *source, gboolean in_place)
{
  g_return_if_fail (source != NULL);
  source->in_place = in_place;
}

void
gst_gles_frame_source_get_layout (GstGlesFrameSource *source, GstGlesImage *image)
{
  *image = source->on_device ? source->staged : source->described;
}

/* ---- one frame ---- */

/* Computes which part of plane @p the image covers: from its origin, at most what is stored. */
static void
open_window (GstGlesFrameSource *source, guint p)
{
  const GstVideoFrame *frame = &source->frame;
  PlaneWindow *window = &source->windows[p];
  guint columns = MIN (source->described.width, GST_VIDEO_FRAME_WIDTH (frame) - source->origin_x);
  guint rows = MIN (source->described.height, GST_VIDEO_FRAME_HEIGHT (frame) - source->origin_y);
  gint stride = GST_VIDEO_FRAME_PLANE_STRIDE (frame, p);

  *window = (PlaneWindow){ GST_VIDEO_FRAME_PLANE_DATA (frame, p), MAX (stride, 0), 0, 0 };
  for (guint i = 0; i < source->described.n_components; i++) {
    const GstGlesComponent *c = &source->described.components[i];
    guint n_columns = (columns + (1u << c->sub_x) - 1) >> c->sub_x;
    guint n_rows = (rows + (1u << c->sub_y) - 1) >> c->sub_y;

    if (c->plane != p)
      continue;
    window->row_bytes =
        MAX (window->row_bytes, c->offset + (gsize) (n_columns - 1) * c->step + c->word_bytes);
    window->rows = MAX (window->rows, n_rows);
    /* all components of a plane have the same offset, because the origin is aligned */
    window->data = (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, p) +
        (gsize) (source->origin_y >> c->sub_y) * window->stride +
        (gsize) (source->origin_x >> c->sub_x) * c->step;
  }
}

static gboolean
check_plane (GstGlesFrameSource *source, guint p, GError **error)
{
  const GstVideoFrame *frame = &source->frame;
  const PlaneWindow *window = &source->windows[p];
  gint stride = GST_VIDEO_FRAME_PLANE_STRIDE (frame, p);
  const guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (frame, p);
  /* with a GstVideoMeta, each plane is mapped separately */
  const GstMapInfo *map = &frame->map[frame->meta != NULL ? p : 0];
  const guint8 *end = map->data + map->size;
  gsize before = (gsize) (window->data - data);

  if (stride < 0 || before % MAX (window->stride, 1) + window->row_bytes > window->stride) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "plane %u has a stride of %d bytes, a row of %d pixels in %s needs %" G_GSIZE_FORMAT
        "; the buffer's GstVideoMeta is wrong",
        p, stride, GST_VIDEO_FRAME_WIDTH (frame), GST_VIDEO_INFO_NAME (&source->info),
        window->row_bytes);
    return FALSE;
  }
  if (data < map->data || data > end || before > (gsize) (end - data) ||
      window->row_bytes > (gsize) (end - window->data) ||
      window->stride * (window->rows - 1) > (gsize) (end - window->data) - window->row_bytes) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "plane %u is truncated: %u rows of %d bytes end outside its memory of %" G_GSIZE_FORMAT
        " bytes",
        p, window->rows, stride, map->size);
    return FALSE;
  }
  return TRUE;
}

static const gchar *
format_name (GstVideoFormat format)
{
  const gchar *name = gst_gles_format_name (format);

  return name != NULL ? name : "no known format";
}

/* Checks @buffer before it is mapped, because gst_video_frame_map() logs a critical warning for
 * contradictory metas. */
static gboolean
check_picture (GstGlesFrameSource *source, GstBuffer *buffer, GError **error)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  if (meta == NULL ||
      (meta->format == GST_VIDEO_INFO_FORMAT (&source->info) &&
          meta->n_planes == GST_VIDEO_INFO_N_PLANES (&source->info) &&
          meta->width >= (guint) GST_VIDEO_INFO_WIDTH (&source->info) &&
          meta->height >= (guint) GST_VIDEO_INFO_HEIGHT (&source->info)))
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "the buffer's GstVideoMeta describes %s of %ux%u in %u planes, the caps %s of %dx%d",
      format_name (meta->format), meta->width, meta->height, meta->n_planes,
      GST_VIDEO_INFO_NAME (&source->info), GST_VIDEO_INFO_WIDTH (&source->info),
      GST_VIDEO_INFO_HEIGHT (&source->info));
  return FALSE;
}

/* Places the image in the mapped picture. A GstVideoMeta can make the picture larger than the caps
 * (videocrop, decoders that pad). The image then covers the rectangle of the GstVideoCropMeta, and
 * begins at a whole sample of every component. Fills @image except for its memory. */
static gboolean
place (GstGlesFrameSource *source, GstBuffer *buffer, GstGlesImage *image, GError **error)
{
  const GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (buffer);
  guint stored_width = GST_VIDEO_FRAME_WIDTH (&source->frame);
  guint stored_height = GST_VIDEO_FRAME_HEIGHT (&source->frame);
  guint x = crop != NULL ? crop->x : 0, y = crop != NULL ? crop->y : 0;
  guint width = crop != NULL ? crop->width : (guint) GST_VIDEO_INFO_WIDTH (&source->info);
  guint height = crop != NULL ? crop->height : (guint) GST_VIDEO_INFO_HEIGHT (&source->info);

  if (width == 0 || height == 0 || x >= stored_width || y >= stored_height ||
      width > stored_width - x || height > stored_height - y) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "the buffer's GstVideoCropMeta, %ux%u at %u,%u, is empty or leaves the picture of %ux%u",
        width, height, x, y, stored_width, stored_height);
    return FALSE;
  }
  source->origin_x = source->origin_y = 0;
  if (stored_width != (guint) GST_VIDEO_INFO_WIDTH (&source->info))
    source->origin_x = x - x % source->align_x;
  if (stored_height != (guint) GST_VIDEO_INFO_HEIGHT (&source->info))
    source->origin_y = y - y % source->align_y;
  x -= source->origin_x;
  y -= source->origin_y;
  /* an odd crop of subsampled video needs one column or row more than it shows */
  if ((x + width > source->described.width || y + height > source->described.height ||
          (source->on_device && source->ring == NULL)) &&
      !lay_out (source, MAX (x + width, source->described.width),
          MAX (y + height, source->described.height), error))
    return FALSE;
  gst_gles_frame_source_get_layout (source, image);
  image->crop_x = x;
  image->crop_y = y;
  image->crop_width = width;
  image->crop_height = height;
  return TRUE;
}

static gboolean
check_planes (GstGlesFrameSource *source, GError **error)
{
  for (guint p = 0; p < source->n_planes; p++) {
    open_window (source, p);
    if (!check_plane (source, p, error))
      return FALSE;
  }
  return TRUE;
}

/* Sets the planes of @image to the mapped memory. */
static void
borrow_planes (GstGlesFrameSource *source, GstGlesImage *image)
{
  for (guint i = 0; i < image->n_components; i++) {
    GstGlesComponent *c = &image->components[i];
    c->stride = source->windows[c->plane].stride;
  }
  for (guint p = 0; p < source->n_planes && p < GST_GLES_MAX_COMPONENTS; p++)
    image->planes[p] = source->windows[p].data;
}

static guint
n_bands (const PlaneWindow *window, guint *rows_per_band)
{
  *rows_per_band = (guint) MAX (BAND_BYTES / MAX (window->row_bytes, 1), 1);
  return (window->rows + *rows_per_band - 1) / *rows_per_band;
}

static void
copy_bytes (GstGlesFrameSource *source, guint8 *to, const guint8 *from, gsize n)
{
  if (source->streams_copies)
    gst_gles_stream_copy (to, from, n);
  else
    memcpy (to, from, n);
}

/* Copies @n rows of plane @p from row @first on. */
static void
copy_rows (GstGlesFrameSource *source, guint p, guint first, guint n)
{
  const StagedPlane *plane = &source->planes[p];
  const PlaneWindow *window = &source->windows[p];
  guint8 *to = source->upload.data + plane->offset + (gsize) first * plane->stride;
  const guint8 *from = window->data + (gsize) first * window->stride;

  if (window->stride == plane->stride) {
    /* the memory may end with the last sample of the last row */
    copy_bytes (source, to, from, window->stride * (n - 1) + window->row_bytes);
    return;
  }
  for (guint y = 0; y < n; y++)
    copy_bytes (source, to + y * plane->stride, from + y * window->stride, window->row_bytes);
}

/* Copies band @task. Bands are numbered through the used planes. */
static void
copy_band (guint task, guint participant, gpointer user_data)
{
  GstGlesFrameSource *source = user_data;

  for (guint p = 0; p < source->n_planes; p++) {
    guint rows, n;
    if ((source->used_planes & (1u << p)) == 0)
      continue;
    n = n_bands (&source->windows[p], &rows);
    if (task < n) {
      guint first = task * rows;
      copy_rows (source, p, first, MIN (rows, source->windows[p].rows - first));
      return;
    }
    task -= n;
  }
}

/* Returns whether all planes are used and have the same offsets in the frame as in the slot,
 * without gaps. They are then one block of memory. */
static gboolean
is_one_block (const GstGlesFrameSource *source)
{
  for (guint p = 0; p < source->n_planes; p++) {
    const StagedPlane *plane = &source->planes[p], *next = plane + 1;
    const PlaneWindow *window = &source->windows[p];
    const gsize bytes = plane->stride * plane->rows;

    if ((source->used_planes & (1u << p)) == 0 || window->stride != plane->stride ||
        window->rows != plane->rows)
      return FALSE;
    if (p + 1 < source->n_planes &&
        (next->offset != plane->offset + bytes || window[1].data != window->data + bytes))
      return FALSE;
  }
  return TRUE;
}

/* Copies the planes on this thread alone. */
static void
copy_alone (GstGlesFrameSource *source)
{
  const guint last = source->n_planes - 1;
  const PlaneWindow *window = &source->windows[last];

  if (is_one_block (source)) {
    /* the memory may end with the last sample of the last row */
    copy_bytes (source, source->upload.data, source->windows[0].data,
        source->planes[last].offset + window->stride * (window->rows - 1) + window->row_bytes);
    return;
  }
  for (guint p = 0; p < source->n_planes; p++) {
    if ((source->used_planes & (1u << p)) != 0)
      copy_rows (source, p, 0, source->windows[p].rows);
  }
}

/* Returns whether other threads help with a copy, which they do if they are idle. One thread
 * copies a 1080p I420 frame in 0.30 ms on a machine whose H100 reads 10 000 such frames a second,
 * so two streams keep the device busy only if they share their copies. Four streams keep it busy
 * alone, and waking many threads takes longer than the copy. */
static gboolean
is_copy_shared (void)
{
  const guint n_available = gst_gles_cpu_n_available ();

  return n_available >= MIN_SHARERS || n_available == gst_gles_cpu_n_threads ();
}

static guint64
copy_planes (GstGlesFrameSource *source)
{
  guint64 copied = 0;
  guint n_tasks = 0;

  for (guint p = 0; p < source->n_planes; p++) {
    guint rows;
    if ((source->used_planes & (1u << p)) == 0)
      continue;
    n_tasks += n_bands (&source->windows[p], &rows);
    copied += (guint64) source->windows[p].row_bytes * source->windows[p].rows;
  }
  if (n_tasks > 1 && is_copy_shared ())
    gst_gles_cpu_parallel (n_tasks, copy_band, source);
  else
    copy_alone (source);
  return copied;
}

static void
unmap (GstGlesFrameSource *source)
{
  if (source->mapped)
    gst_video_frame_unmap (&source->frame);
  source->mapped = FALSE;
}

gboolean
gst_gles_frame_source_acquire (GstGlesFrameSource *source, GstBuffer *buffer, GstGlesImage *image,
    GstGlesFrameCost *cost, GError **error)
{
  gboolean ok;

  g_return_val_if_fail (source != NULL && !source->mapped, FALSE);
  *cost = (GstGlesFrameCost){ 0, FALSE };
  if (!check_picture (source, buffer, error))
    return FALSE;
  if (!gst_video_frame_map (
          &source->frame, &source->info, buffer, GST_MAP_READ | GST_VIDEO_FRAME_MAP_FLAG_NO_REF)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "a buffer of %" G_GSIZE_FORMAT
        " bytes cannot be read as %s of %dx%d, which takes %" G_GSIZE_FORMAT
        ": it is truncated or its memory cannot be mapped",
        gst_buffer_get_size (buffer), GST_VIDEO_INFO_NAME (&source->info),
        GST_VIDEO_INFO_WIDTH (&source->info), GST_VIDEO_INFO_HEIGHT (&source->info),
        GST_VIDEO_INFO_SIZE (&source->info));
    return FALSE;
  }
  source->mapped = TRUE;
  ok = place (source, buffer, image, error) && check_planes (source, error);
  if (ok && !source->on_device) {
    borrow_planes (source, image);
    return TRUE;
  }
  if (ok)
    ok = gst_gles_upload_ring_acquire (
        source->ring, source->in_place, &source->upload, &cost->waited, error);
  if (ok) {
    cost->uploaded_bytes = copy_planes (source);
    image->buffer = source->upload.buffer;
  }
  unmap (source);
  return ok;
}

gboolean
gst_gles_frame_source_commit (GstGlesFrameSource *source, GError **error)
{
  g_return_val_if_fail (source != NULL, FALSE);
  if (!source->on_device)
    return TRUE;
  return gst_gles_upload_ring_commit (source->ring, &source->upload, source->staged_bytes, error);
}

void
gst_gles_frame_source_release (GstGlesFrameSource *source)
{
  g_return_if_fail (source != NULL);
  unmap (source);
}
