/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pixels that another API owns, imported as textures. Kernels read buffers only, so a texture is
 * copied to one on the device: mutable textures cannot be bound as images, and one copy serves the
 * kernels of every algorithm. */
#ifndef GST_GLES_TEXTURE_H
#define GST_GLES_TEXTURE_H

#include <gst/gles/device/images.h>
#include <gst/gles/gl/program.h>
#include <gst/gles/gl/submission.h>

G_BEGIN_DECLS

typedef struct _GstGlesTexture GstGlesTexture;

/* How the bytes of a plane are stored in texels of normalised integers. */
typedef struct {
  guint channels;        /* 1 to 4 */
  guint sample_bytes;    /* of a channel: 1 or 2 */
  gboolean second_alpha; /* the second channel is the texel's alpha: luminance and alpha */
} GstGlesTexels;

/* Makes a texture of @image (transfer full, destroyed on failure too), which belongs to the display
 * of the device of @queue, or of @plane if @image is EGL_NO_IMAGE_KHR. Waits for the device's
 * thread. Thread: any. Errors: INVALID (the driver cannot make a texture of it), those of
 * gst_gles_program_get(). */
GstGlesTexture *gst_gles_texture_new (GstGlesQueue *queue, EGLImageKHR image,
    const GstGlesDmaBufPlane *plane, const GstGlesTexels *texels, GError **error);
GstGlesTexture *gst_gles_texture_ref (GstGlesTexture *texture);
/* NULL is safe. Thread: any; the device's thread deletes the texture later. */
void gst_gles_texture_unref (GstGlesTexture *texture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesTexture, gst_gles_texture_unref)

/* Whether @texture was made on the device of @queue, and its texels are @texels (nullable). */
gboolean gst_gles_texture_fits (
    GstGlesTexture *texture, GstGlesQueue *queue, const GstGlesTexels *texels);

/* Records a server-side wait for @sync (transfer full) in the open submission. */
void gst_gles_queue_wait_sync (GstGlesQueue *queue, EGLSyncKHR sync);

/* Destroys a sync that no submission waits for: the device's thread does it later. */
void gst_gles_queue_discard_sync (GstGlesQueue *queue, EGLSyncKHR sync);

/* The rectangle that is copied, and where to: rows of @stride_bytes from @offset_bytes on, both
 * multiples of 16. */
typedef struct {
  guint x, y, width, height; /* in texels */
  gsize offset_bytes, stride_bytes;
} GstGlesTextureRegion;

/* Records a copy of @region to @target in the open submission. Errors: as
 * gst_gles_queue_dispatch(). */
gboolean gst_gles_queue_copy_texture (GstGlesQueue *queue, GstGlesTexture *texture,
    const GstGlesTextureRegion *region, GstGlesBuffer *target, GError **error);

/* Calls @func for the programs that copy textures. */
void gst_gles_texture_specialisations (GstGlesSpecialisationFunc func, gpointer user_data);

G_END_DECLS

#endif
