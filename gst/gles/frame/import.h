/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the carriers share that import planes as textures and copy them to a buffer on the
 * device. */
#ifndef GST_GLES_FRAME_IMPORT_H
#define GST_GLES_FRAME_IMPORT_H

#include <gst/gles/gl/queue-private.h>
#include <gst/gles/frame/source-private.h>
#include <gst/gles/gl/texture.h>

/* What a texture was made of. Textures are kept with the memory that holds the plane and are
 * dropped with it. Unused fields are zero. */
typedef struct {
  const GstGlesShare *share;
  guint64 object, descriptor; /* identify the pixels: inode and descriptor, or a texture's name */
  guint64 offset, stride, modifier;
  guint32 width, height, format, pad;
} GstGlesImportKey;

/* Returns the texture of plane @plane that @memory keeps, if it was made of @key: (transfer full)
 * (nullable). Thread: any. */
GstGlesTexture *gst_gles_import_lookup (
    GstMemory *memory, guint plane, const GstGlesImportKey *key);
/* Makes @memory keep @texture. Thread: any. */
void gst_gles_import_store (
    GstMemory *memory, guint plane, const GstGlesImportKey *key, GstGlesTexture *texture);

/* The planes of one frame, between acquire and release. A source has one, which all carriers that
 * import use. */
struct _GstGlesImport {
  GstGlesTexture *textures[GST_VIDEO_MAX_PLANES]; /* NULL: the plane is not used */
  guint texel_bytes[GST_VIDEO_MAX_PLANES];
  guint width[GST_VIDEO_MAX_PLANES], height[GST_VIDEO_MAX_PLANES]; /* in texels, as stored */
  GstGlesBuffer *target;
  EGLSyncKHR sync; /* waited for before the copy; EGL_NO_SYNC_KHR: nothing to wait for */
  GstGlesHold *hold;
};

/* The first step of acquire: checks @buffer, places its image, which may clear the carriers, and
 * makes source->import. Returns TAKEN if the textures can be made now. Errors: those of
 * gst_gles_frame_source_place(). */
GstGlesCarry gst_gles_import_prepare (
    GstGlesFrameSource *source, GstBuffer *buffer, GstGlesImage *image, GError **error);
/* The last step of acquire, when the textures are there: takes a target for the image and holds the
 * memory of @buffer. Errors: NO_MEMORY. */
GstGlesCarry gst_gles_import_finish (GstGlesFrameSource *source, GstBuffer *buffer,
    GstGlesImage *image, GstGlesFrameCost *cost, GError **error);

/* The other functions of a carrier that imports: see GstGlesCarrier. */
gboolean gst_gles_import_commit (GstGlesFrameSource *source, GError **error);
void gst_gles_import_release (GstGlesFrameSource *source);
void gst_gles_import_clear (GstGlesFrameSource *source);

/* Returns the size of the picture, or of the field, that @buffer stores, which can be larger than
 * that of the caps. */
void gst_gles_import_get_stored_size (
    GstGlesFrameSource *source, GstBuffer *buffer, guint *width, guint *height);
/* Computes the size of plane @plane in texels of @texel_bytes, for a picture of @stored_width x
 * @stored_height. Returns FALSE if its pixels do not consist of whole texels. */
gboolean gst_gles_import_measure_plane (GstGlesFrameSource *source, guint plane, guint texel_bytes,
    guint stored_width, guint stored_height, guint *width, guint *height);

/* Remembers why frames are mapped instead of imported: from now on they all are. */
void gst_gles_import_refuse (GstGlesFrameSource *source, const gchar *why);

#endif
