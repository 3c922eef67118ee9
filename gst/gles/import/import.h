/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the carriers share that import planes as textures and copy them to a buffer on the
 * device. */
#ifndef GST_GLES_FRAME_IMPORT_H
#define GST_GLES_FRAME_IMPORT_H

#include <gst/gles/gl/queue-share.h>
#include <gst/gles/import/source-private.h>
#include <gst/gles/gl/texture.h>

/* What a texture was made of. Textures are kept with the memory that holds the plane and are
 * dropped with it. Unused fields are zero. */
typedef struct {
  const GstGlesShare *share;
  guint64 object, descriptor; /* identify the pixels: inode and descriptor, or a texture's name */
  guint64 offset, stride, modifier;
  guint32 width, height, format, pad;
} GstGlesImportKey;

/* The planes of one frame, between acquire and release. A source has one, which all carriers that
 * import use. */
struct _GstGlesImport {
  GstGlesStoredSize stored; /* of the picture, or of the field */
  struct {
    GstGlesTexture *texture; /* NULL: the plane is not used */
    guint texel_bytes;
    guint width, height; /* in texels, as stored */
  } planes[GST_VIDEO_MAX_PLANES];
  GstGlesBufferPool *targets; /* NULL until needed */
  GstGlesBuffer *target;      /* the image on the device; queue order makes its reuse safe */
  EGLSyncKHR sync;            /* waited for before the copy; EGL_NO_SYNC_KHR: nothing to wait for */
  GstGlesHold *hold;
};

/* Gives source->import the texture of each used plane of @buffer. Errors: BAD_FRAME, of this frame
 * only; others make the source map this frame and all later ones. */
typedef gboolean (*GstGlesImportFunc) (
    GstGlesFrameSource *source, GstBuffer *buffer, GError **error);

/* A kind of memory whose planes can be textures. */
typedef struct {
  gboolean (*is_memory) (GstMemory *memory); /* of all memories of a frame that is imported */
  GstGlesImportFunc make_textures;
} GstGlesImporter;

/* The functions of a carrier that imports, see GstGlesCarrier. The caller sets the cost. */
GstGlesCarry gst_gles_import_acquire (GstGlesFrameSource *source, GstBuffer *buffer,
    GstGlesImage *image, const GstGlesImporter *importer, GError **error);
gboolean gst_gles_import_commit (GstGlesFrameSource *source, GError **error);
void gst_gles_import_release (GstGlesFrameSource *source);
void gst_gles_import_clear (GstGlesFrameSource *source);

/* Sets the size of plane @plane in texels of @texel_bytes. Returns FALSE if its pixels do not
 * consist of whole texels. */
gboolean gst_gles_import_measure_plane (GstGlesFrameSource *source, guint plane, guint texel_bytes);
/* Takes the texture of plane @plane that @memory keeps. Returns FALSE if none was made of @key.
 * Thread: any. */
gboolean gst_gles_import_find_texture (
    GstGlesFrameSource *source, GstMemory *memory, guint plane, const GstGlesImportKey *key);
/* Takes @texture (transfer full), which @memory keeps too. Thread: any. */
void gst_gles_import_keep_texture (GstGlesFrameSource *source, GstMemory *memory, guint plane,
    const GstGlesImportKey *key, GstGlesTexture *texture);
/* Remembers why frames are mapped instead of imported: from now on they all are. Not called
 * again. */
void gst_gles_import_refuse (GstGlesFrameSource *source, const gchar *why);

#endif
