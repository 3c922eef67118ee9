/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/core/log.h>
#include <gst/gles/frame/import.h>
#include <gst/gles/gl/gl-private.h>

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

GstGlesTexture *
gst_gles_import_lookup (GstMemory *memory, guint plane, const GstGlesImportKey *key)
{
  GstGlesTexture *texture = NULL;
  Kept *kept;

  g_mutex_lock (&kept_lock);
  kept = gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (memory), kept_quark ());
  if (kept != NULL && kept->textures[plane] != NULL &&
      memcmp (&kept->keys[plane], key, sizeof (*key)) == 0)
    texture = gst_gles_texture_ref (kept->textures[plane]);
  g_mutex_unlock (&kept_lock);
  return texture;
}

void
gst_gles_import_store (
    GstMemory *memory, guint plane, const GstGlesImportKey *key, GstGlesTexture *texture)
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
}

/* ---- the geometry of planes ---- */

void
gst_gles_import_get_stored_size (
    GstGlesFrameSource *source, GstBuffer *buffer, guint *width, guint *height)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  *width = meta != NULL ? meta->width : (guint) GST_VIDEO_INFO_WIDTH (&source->info);
  *height = meta != NULL ? meta->height : (guint) GST_VIDEO_INFO_HEIGHT (&source->info);
  if (gst_gles_frame_source_has_fields (source))
    *height -= *height / 2;
}

gboolean
gst_gles_import_measure_plane (GstGlesFrameSource *source, guint plane, guint texel_bytes,
    guint stored_width, guint stored_height, guint *width, guint *height)
{
  gsize row_bytes = 0;

  *height = 0;
  for (guint i = 0; i < source->described.n_components; i++) {
    const GstGlesComponent *c = &source->described.components[i];

    if (c->plane != plane)
      continue;
    if (c->step % texel_bytes != 0)
      return FALSE;
    row_bytes =
        MAX (row_bytes, (gsize) ((stored_width + (1u << c->sub_x) - 1) >> c->sub_x) * c->step);
    *height = MAX (*height, (stored_height + (1u << c->sub_y) - 1) >> c->sub_y);
  }
  *width = (guint) (row_bytes / texel_bytes);
  return *width > 0;
}

/* The part of plane @plane that the image covers, at most what is stored. */
static GstGlesTextureRegion
find_region (GstGlesFrameSource *source, const GstGlesImport *import, guint plane)
{
  const GstGlesStagedPlane *staged = &source->planes[plane];
  const guint texel_bytes = import->texel_bytes[plane];
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
  region.width = MIN (region.width, import->width[plane] - region.x);
  region.height = MIN (region.height, import->height[plane] - region.y);
  return region;
}

/* ---- one frame ---- */

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

GstGlesCarry
gst_gles_import_prepare (
    GstGlesFrameSource *source, GstBuffer *buffer, GstGlesImage *image, GError **error)
{
  guint width, height;

  if (!align_layout (source))
    return GST_GLES_CARRY_DECLINED;
  gst_gles_import_get_stored_size (source, buffer, &width, &height);
  if (!gst_gles_frame_source_check (source, buffer, error) ||
      !gst_gles_frame_source_place (source, buffer, width, height, image, error))
    return GST_GLES_CARRY_FAILED;
  if (source->import == NULL)
    source->import = g_new0 (GstGlesImport, 1);
  return GST_GLES_CARRY_TAKEN;
}

GstGlesCarry
gst_gles_import_finish (GstGlesFrameSource *source, GstBuffer *buffer, GstGlesImage *image,
    GstGlesFrameCost *cost, GError **error)
{
  GstGlesImport *import = source->import;

  import->target = gst_gles_frame_source_take_target (source, error);
  if (import->target == NULL) {
    gst_gles_import_release (source);
    return GST_GLES_CARRY_FAILED;
  }
  image->buffer = import->target;
  import->hold = gst_gles_hold_new (buffer);
  cost->kind = GST_GLES_FRAME_IMPORTED;
  return GST_GLES_CARRY_TAKEN;
}

static void
on_done (const GError *error, gpointer user_data)
{
  gst_gles_hold_release (user_data);
  gst_gles_hold_unref (user_data);
}

static const GstGlesHook import_hook = { NULL, on_done };

gboolean
gst_gles_import_commit (GstGlesFrameSource *source, GError **error)
{
  GstGlesImport *import = source->import;

  gst_gles_hold_unref (source->hold);
  source->hold = gst_gles_hold_ref (import->hold);
  gst_gles_queue_add_hook (source->queue, &import_hook, g_steal_pointer (&import->hold));
  if (import->sync != EGL_NO_SYNC_KHR)
    gst_gles_queue_wait_sync (source->queue, import->sync);
  import->sync = EGL_NO_SYNC_KHR;
  for (guint p = 0; p < source->n_planes; p++) {
    GstGlesTextureRegion region;

    if (import->textures[p] == NULL)
      continue;
    region = find_region (source, import, p);
    if (!gst_gles_queue_copy_texture (
            source->queue, import->textures[p], &region, import->target, error))
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
    g_clear_pointer (&import->textures[p], gst_gles_texture_unref);
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
  g_clear_pointer (&source->import, g_free);
}

void
gst_gles_import_refuse (GstGlesFrameSource *source, const gchar *why)
{
  GST_INFO ("frames are mapped instead of imported: %s", why);
  g_free (source->refused);
  source->refused = g_strdup (why);
}
