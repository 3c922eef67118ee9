/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/core/log.h>
#include <gst/gles/import/import.h>
#include <gst/gles/gl/recording.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* ---- textures that memory keeps ---- */

typedef struct {
  GstGlesImportKey keys[GST_VIDEO_MAX_PLANES];
  GstGlesTexture *textures[GST_VIDEO_MAX_PLANES];
} Kept;

/* Protects what memory keeps: elements on several threads may read the same memory. */
static GMutex kept_lock;

static void
kept_free (gpointer data)
{
  Kept *kept = data;

  for (guint i = 0; i < GST_VIDEO_MAX_PLANES; i++)
    gst_gles_texture_unref (kept->textures[i]);
  g_free (kept);
}

static GQuark
kept_quark (void)
{
  return g_quark_from_static_string ("gst-gles-textures");
}

gboolean
gst_gles_import_find_texture (
    GstGlesFrameSource *source, GstMemory *memory, guint plane, const GstGlesImportKey *key)
{
  GstGlesTexture *texture = NULL;
  Kept *kept;

  g_mutex_lock (&kept_lock);
  kept = gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (memory), kept_quark ());
  if (kept != NULL && kept->textures[plane] != NULL &&
      memcmp (&kept->keys[plane], key, sizeof (*key)) == 0)
    texture = gst_gles_texture_ref (kept->textures[plane]);
  g_mutex_unlock (&kept_lock);
  source->import->planes[plane].texture = texture;
  return texture != NULL;
}

void
gst_gles_import_keep_texture (GstGlesFrameSource *source, GstMemory *memory, guint plane,
    const GstGlesImportKey *key, GstGlesTexture *texture)
{
  GstGlesTexture *old;
  Kept *kept;

  g_mutex_lock (&kept_lock);
  kept = gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (memory), kept_quark ());
  if (kept == NULL) {
    kept = g_new0 (Kept, 1);
    gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (memory), kept_quark (), kept, kept_free);
  }
  old = kept->textures[plane];
  kept->keys[plane] = *key;
  kept->textures[plane] = gst_gles_texture_ref (texture);
  g_mutex_unlock (&kept_lock);
  gst_gles_texture_unref (old);
  source->import->planes[plane].texture = texture;
}

/* ---- memory that is read ---- */

/* Keeps the memory of a frame until the device has read it. */
struct _GstGlesHold {
  GstBuffer *held; /* atomic: first has the memory only, then is the frame; NULL: it was read */
};

/* A buffer locks its memory: with this second one, writers copy the memory instead. */
static GstGlesHold *
hold_new (GstBuffer *buffer)
{
  GstGlesHold *hold = g_atomic_rc_box_new (GstGlesHold);

  hold->held = gst_buffer_new ();
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++)
    gst_buffer_append_memory (hold->held, gst_buffer_get_memory (buffer, i));
  return hold;
}

static void
hold_release (gpointer data)
{
  gst_buffer_replace (&((GstGlesHold *) data)->held, NULL);
}

void
gst_gles_hold_unref (GstGlesHold *hold)
{
  if (hold != NULL)
    g_atomic_rc_box_release_full (hold, hold_release);
}

void
gst_gles_frame_source_keep (GstGlesFrameSource *source, GstBuffer *buffer)
{
  GstBuffer *memory;

  g_return_if_fail (source != NULL);
  if (source->hold != NULL && buffer->pool != NULL) {
    /* A pool takes a buffer back only if nobody else has its memory. The buffer locks it itself. */
    memory = g_atomic_pointer_get (&source->hold->held);
    gst_buffer_ref (buffer);
    if (memory == NULL ||
        !g_atomic_pointer_compare_and_exchange (&source->hold->held, memory, buffer))
      memory = buffer;
    gst_buffer_unref (memory);
  }
  g_clear_pointer (&source->hold, gst_gles_hold_unref);
}

/* ---- the geometry of planes ---- */

gboolean
gst_gles_import_measure_plane (GstGlesFrameSource *source, guint plane, guint texel_bytes)
{
  const GstGlesImport *import = source->import;
  gsize row_bytes = 0;
  guint height = 0;

  for (guint i = 0; i < source->described.n_components; i++) {
    const GstGlesComponent *c = &source->described.components[i];

    if (c->plane != plane)
      continue;
    if (c->step % texel_bytes != 0)
      return FALSE;
    row_bytes = MAX (
        row_bytes, (gsize) ((import->stored.width + (1u << c->sub_x) - 1) >> c->sub_x) * c->step);
    height = MAX (height, (import->stored.height + (1u << c->sub_y) - 1) >> c->sub_y);
  }
  source->import->planes[plane].texel_bytes = texel_bytes;
  source->import->planes[plane].width = (guint) (row_bytes / texel_bytes);
  source->import->planes[plane].height = height;
  return row_bytes >= texel_bytes;
}

/* Copies the part of plane @plane that the image covers, at most what is stored. */
static gboolean
copy_plane (GstGlesFrameSource *source, guint plane, GstGlesTexture *texture, GError **error)
{
  const GstGlesImport *import = source->import;
  const GstGlesStagedPlane *staged = &source->planes[plane];
  const guint texel_bytes = import->planes[plane].texel_bytes;
  GstGlesTextureRegion region = { .offset_bytes = staged->offset,
    .stride_bytes = staged->stride,
    .width = (guint) gst_gles_div_ceil (staged->row_bytes, texel_bytes),
    .height = staged->rows };

  for (guint i = 0; i < source->described.n_components; i++) {
    const GstGlesComponent *c = &source->described.components[i];

    if (c->plane != plane)
      continue;
    /* the origin is a whole sample of every component */
    region.x = (source->origin_x >> c->sub_x) * c->step / texel_bytes;
    region.y = source->origin_y >> c->sub_y;
  }
  region.width = MIN (region.width, import->planes[plane].width - region.x);
  region.height = MIN (region.height, import->planes[plane].height - region.y);
  return gst_gles_queue_copy_texture (source->queue, texture, &region, import->target, error);
}

/* ---- one frame ---- */

void
gst_gles_import_refuse (GstGlesFrameSource *source, const gchar *why)
{
  GST_INFO ("frames are mapped instead of imported: %s", why);
  source->refused = g_strdup (why);
}

/* The copy writes whole units of 16 bytes. A frame of another carrier may have changed the layout
 * to strides that are no multiples of that. */
static gboolean
align_layout (GstGlesFrameSource *source)
{
  for (guint p = 0; p < source->n_planes; p++) {
    if (source->planes[p].offset % 16 != 0 || source->planes[p].stride % 16 != 0)
      return source->adopts_layout &&
          gst_gles_frame_source_lay_out (
              source, source->described.width, source->described.height, NULL);
  }
  return TRUE;
}

static gboolean
consists_of (GstBuffer *buffer, gboolean (*is_memory) (GstMemory *memory))
{
  const guint n = gst_buffer_n_memory (buffer);

  for (guint i = 0; i < n; i++) {
    if (!is_memory (gst_buffer_peek_memory (buffer, i)))
      return FALSE;
  }
  return n > 0;
}

/* Checks @buffer and places its image, which may clear the carriers. */
static gboolean
place (GstGlesFrameSource *source, GstBuffer *buffer, GstGlesImage *image, GError **error)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstGlesStoredSize stored = { (guint) GST_VIDEO_INFO_WIDTH (&source->info),
    (guint) GST_VIDEO_INFO_HEIGHT (&source->info) };

  if (meta != NULL)
    stored = (GstGlesStoredSize){ meta->width, meta->height };
  if (gst_gles_frame_source_has_fields (source))
    stored.height -= stored.height / 2;
  if (!gst_gles_frame_source_check (source, buffer, error) ||
      !gst_gles_frame_source_place (source, buffer, stored, image, error))
    return FALSE;
  if (source->import == NULL)
    source->import = g_new0 (GstGlesImport, 1);
  source->import->stored = stored;
  return TRUE;
}

/* Tiled layouts cannot be mapped instead. */
static GstGlesCarry
fall_back (GstGlesFrameSource *source, const GError *failure, GError **error)
{
  const gboolean bad = g_error_matches (failure, GST_GLES_ERROR, GST_GLES_ERROR_BAD_FRAME);

  if (source->modifier != GST_GLES_MODIFIER_LINEAR) {
    if (bad)
      g_propagate_error (error, g_error_copy (failure));
    else
      g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
          "%s; a tiled picture cannot be mapped either: put vapostproc before this element, or the "
          "converter of the driver that made the frames",
          failure->message);
    return GST_GLES_CARRY_FAILED;
  }
  /* of a bad frame the next ones know nothing */
  if (!bad)
    gst_gles_import_refuse (source, failure->message);
  return GST_GLES_CARRY_DECLINED;
}

GstGlesCarry
gst_gles_import_acquire (GstGlesFrameSource *source, GstBuffer *buffer, GstGlesImage *image,
    const GstGlesImporter *importer, GError **error)
{
  g_autoptr (GError) failure = NULL;
  GstGlesImport *import;

  if (source->refused != NULL || !consists_of (buffer, importer->is_memory) ||
      !align_layout (source))
    return GST_GLES_CARRY_DECLINED;
  if (!place (source, buffer, image, error))
    return GST_GLES_CARRY_FAILED;
  import = source->import;
  if (!importer->make_textures (source, buffer, &failure)) {
    gst_gles_import_release (source);
    return fall_back (source, failure, error);
  }
  if (import->targets == NULL) {
    g_autoptr (GstGlesDevice) device = gst_gles_queue_get_device (source->queue);
    import->targets = gst_gles_buffer_pool_new (device, source->staged_bytes);
  }
  image->buffer = import->target = gst_gles_buffer_pool_acquire (import->targets, error);
  if (import->target == NULL) {
    gst_gles_import_release (source);
    return GST_GLES_CARRY_FAILED;
  }
  import->hold = hold_new (buffer);
  return GST_GLES_CARRY_TAKEN;
}

static void
on_done (const GError *error, gpointer user_data)
{
  hold_release (user_data);
  gst_gles_hold_unref (user_data);
}

static const GstGlesHook import_hook = { NULL, on_done };

gboolean
gst_gles_import_commit (GstGlesFrameSource *source, GError **error)
{
  GstGlesImport *import = source->import;

  gst_gles_hold_unref (source->hold);
  source->hold = g_atomic_rc_box_acquire (import->hold);
  gst_gles_queue_add_hook (source->queue, &import_hook, g_steal_pointer (&import->hold));
  if (import->sync != EGL_NO_SYNC_KHR)
    gst_gles_queue_wait_sync (source->queue, import->sync);
  import->sync = EGL_NO_SYNC_KHR;
  for (guint p = 0; p < source->n_planes; p++) {
    GstGlesTexture *texture = import->planes[p].texture;

    if (texture != NULL && !copy_plane (source, p, texture, error))
      return FALSE;
  }
  return TRUE;
}

void
gst_gles_import_release (GstGlesFrameSource *source)
{
  GstGlesImport *import = source->import;

  if (import == NULL)
    return;
  for (guint p = 0; p < GST_VIDEO_MAX_PLANES; p++)
    g_clear_pointer (&import->planes[p].texture, gst_gles_texture_unref);
  g_clear_pointer (&import->target, gst_gles_buffer_unref);
  g_clear_pointer (&import->hold, gst_gles_hold_unref);
  if (import->sync != EGL_NO_SYNC_KHR)
    gst_gles_queue_discard_sync (source->queue, import->sync);
  import->sync = EGL_NO_SYNC_KHR;
}

void
gst_gles_import_clear (GstGlesFrameSource *source)
{
  gst_gles_import_release (source);
  if (source->import != NULL)
    gst_gles_buffer_pool_free (source->import->targets);
  g_clear_pointer (&source->import, g_free);
}
