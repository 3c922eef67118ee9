/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the files that bring frames to a device. A carrier is one way of doing that. */
#ifndef GST_GLES_FRAME_SOURCE_PRIVATE_H
#define GST_GLES_FRAME_SOURCE_PRIVATE_H

#include <gst/gles/import/source-info.h>
#include <gst/gles/gl/pool.h>
#include <gst/gles/gl/upload.h>

typedef enum {
  GST_GLES_CARRY_DECLINED, /* the next carrier is asked */
  GST_GLES_CARRY_TAKEN,
  GST_GLES_CARRY_FAILED
} GstGlesCarry;

typedef struct {
  const gchar *name; /* for the log */
  /* Takes @buffer, outside a submission; may wait. Fills @image, buffer included, and cost. Sets
   * @error if it fails. The source unmaps @buffer unless it was taken. */
  GstGlesCarry (*acquire) (GstGlesFrameSource *source, GstBuffer *buffer, GstGlesImage *image,
      GstGlesFrameCost *cost, GError **error);
  /* Called inside the submission, before the kernels that read the image. */
  gboolean (*commit) (GstGlesFrameSource *source, GError **error);
  /* Optional. Called after the submission has ended. */
  void (*release) (GstGlesFrameSource *source);
  /* Optional. Drops what the carrier keeps in the source. Called when the layout of
   * images changes, and by gst_gles_frame_source_free(). */
  void (*clear) (GstGlesFrameSource *source);
} GstGlesCarrier;

#if HAVE_GST_GL
extern const GstGlesCarrier gst_gles_carrier_gl; /* textures of a GstGLContext */
#endif
#if HAVE_CUDA
extern const GstGlesCarrier gst_gles_carrier_cuda; /* memory of NVIDIA's decoders */
#endif
extern const GstGlesCarrier gst_gles_carrier_dmabuf;
extern const GstGlesCarrier gst_gles_carrier_memory; /* memory of GstGlesAllocator */
extern const GstGlesCarrier gst_gles_carrier_reuse;  /* copied by an earlier element */
extern const GstGlesCarrier gst_gles_carrier_copy;   /* any mappable memory */

/* What the records of one source's copies share: see carrier-reuse.c. */
typedef struct _GstGlesUploads GstGlesUploads;

/* What the carrier that copies keeps: see carrier-copy.c. */
typedef struct _GstGlesFrameCopies GstGlesFrameCopies;

/* What the carrier of CUDA's memory keeps: see carrier-cuda.c. */
typedef struct _GstGlesFrameCuda GstGlesFrameCuda;

/* What carriers that import planes as textures share: see import.h. */
typedef struct _GstGlesImport GstGlesImport;

/* Keeps the memory of an imported frame until the device has read it: see import.c. */
typedef struct _GstGlesHold GstGlesHold;
/* NULL is safe. Thread: any. */
void gst_gles_hold_unref (GstGlesHold *hold);

/* The position of a plane in an image of this source. */
typedef struct {
  gsize offset;
  gsize row_bytes; /* from the plane's start to the end of the last sample of a row */
  gsize stride;
  guint rows;
} GstGlesStagedPlane;

/* The part of a mapped plane that an image covers. */
typedef struct {
  const guint8 *data; /* of the image's first sample */
  gsize stride;
  gsize row_bytes;
  guint rows;
} GstGlesPlaneWindow;

struct _GstGlesFrameSource {
  GstGlesQueue *queue;
  GstVideoInfo info;
  guint align_x, align_y; /* luma positions per sample of the coarsest component */
  GstGlesImage described; /* by the caps: strides and offsets in system memory */
  GstGlesImage staged;    /* as kernels read it from a device */
  GstGlesStagedPlane planes[GST_VIDEO_MAX_PLANES];
  guint n_planes;
  gsize staged_bytes;
  gboolean on_device;     /* kernels read buffers; otherwise frames are read where they lie */
  gboolean is_laid_out;   /* FALSE: the last change of the layout failed */
  gboolean adopts_layout; /* the next frame may change the layout */
  guint used_planes;      /* bits of planes that kernels read */
  guint n_reads;          /* how often kernels read a sample; 0: not set */
  guint reads_in_place;   /* that mapped memory is good for, if has_chosen */
  gboolean has_chosen;
  guint64 modifier;  /* of DMABufs, see gst_gles_frame_source_set_modifier() */
  GstGlesHold *hold; /* of the last import; NULL: there was none */
  gchar *refused;    /* why frames are mapped instead of imported; NULL: they are imported */
  GstGlesFrameCopies *copies; /* of carrier-copy.c; NULL until needed */
  GstGlesFrameCuda *cuda;     /* NULL until needed */
  GstGlesImport *import;      /* NULL until needed */
  GstGlesUploads *uploads;    /* NULL: copies are not recorded */

  /* between acquire and release */
  const GstGlesCarrier *carrier;
  GstBuffer *buffer; /* (transfer none) */
  gboolean mapped;
  GstVideoFrame frame;
  guint origin_x, origin_y; /* of the image in the stored picture, multiples of align_x, align_y */
  GstGlesPlaneWindow windows[GST_VIDEO_MAX_PLANES];
  GstGlesBlock *block; /* (transfer none) that holds the mapped frame; NULL if it is other memory */
};

/* Whether each buffer holds a field, in which case half the lines of caps and metas are in it. */
static inline gboolean
gst_gles_frame_source_has_fields (const GstGlesFrameSource *source)
{
  return GST_VIDEO_INFO_INTERLACE_MODE (&source->info) == GST_VIDEO_INTERLACE_MODE_ALTERNATE;
}

/* ---- source.c ---- */

/* Sets the source up for images of @width x @height, and discards any earlier set-up. */
gboolean gst_gles_frame_source_lay_out (
    GstGlesFrameSource *source, guint width, guint height, GError **error);
/* Makes @planes, which end before @size_bytes, the layout of this source's images. */
void gst_gles_frame_source_adopt (
    GstGlesFrameSource *source, const GstGlesStagedPlane *planes, gsize size_bytes);

/* Whether kernels read the current frame, which lies in host memory, in mapped memory. */
gboolean gst_gles_frame_source_is_in_place (GstGlesFrameSource *source);

/* ---- picture.c ---- */

/* Checks the GstVideoMeta of @buffer against the caps. Errors: BAD_FRAME. */
gboolean gst_gles_frame_source_check (
    GstGlesFrameSource *source, GstBuffer *buffer, GError **error);
/* The size of a stored picture. */
typedef struct {
  guint width, height;
} GstGlesStoredSize;

/* Places the image in a stored picture. A GstVideoMeta can make the picture
 * larger than the caps (videocrop, decoders that pad). The image then covers the rectangle of the
 * GstVideoCropMeta, and begins at a whole sample of every component, source->origin_x and origin_y.
 * May change the layout to a larger one. Fills @image except for its memory. In a stream of fields
 * (interlace-mode=alternate) the picture is the field. Errors: BAD_FRAME, those of lay_out. */
gboolean gst_gles_frame_source_place (GstGlesFrameSource *source, GstBuffer *buffer,
    GstGlesStoredSize stored, GstGlesImage *image, GError **error);
/* Checks and maps @buffer for reading, places the image, and computes the windows of its planes.
 * @flags: GST_MAP_READ, and those of the memory's own, with which the addresses in the windows are
 * not the processor's. Errors: BAD_FRAME, before which nothing has changed; INVALID (a layout that
 * cannot be mapped), those of lay_out. */
gboolean gst_gles_frame_source_map (GstGlesFrameSource *source, GstBuffer *buffer, guint flags,
    GstGlesImage *image, GError **error);
/* Safe if nothing is mapped. */
void gst_gles_frame_source_unmap (GstGlesFrameSource *source);

/* ---- carrier-reuse.c ---- */

GstGlesUploads *gst_gles_uploads_new (void);
/* NULL is safe. */
void gst_gles_uploads_unref (GstGlesUploads *uploads);

/* Whether another record may be made: not too many exist, and none was useless because the frame
 * was written before the next element took it. */
gboolean gst_gles_uploads_wanted (GstGlesUploads *uploads);

/* Puts a record on @buffer, which is writable, that the planes of its mapped frame were copied to
 * @block. Replaces an earlier one. Does nothing if the memory may be written meanwhile, or is not
 * plain system memory. */
void gst_gles_uploads_record (
    GstGlesUploads *uploads, GstGlesFrameSource *source, GstBuffer *buffer, GstGlesBlock *block);

#endif
