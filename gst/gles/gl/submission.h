/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What algorithms do inside a submission: dispatches and copies. */
#ifndef GST_GLES_SUBMISSION_H
#define GST_GLES_SUBMISSION_H

#include <gst/gles/gl/buffer.h>
#include <gst/gles/gl/program.h>
#include <gst/gles/gl/queue.h>

G_BEGIN_DECLS

typedef enum {
  GST_GLES_READ = 1 << 0,
  GST_GLES_WRITE = 1 << 1,
  GST_GLES_READ_WRITE = GST_GLES_READ | GST_GLES_WRITE,
  /* with READ: not a storage block but a usamplerBuffer of 16-byte texels (rgba32ui) over the whole
   * buffer, on texture unit i; needs limits.texel_buffer_texels and a spec with `texels` */
  GST_GLES_TEXELS = 1 << 2
} GstGlesUsage;

/* How large a buffer is that stands in for a real one while kernels are run once, empty, so that llvmpipe
 * compiles them. What it compiles for a texture of a buffer depends on the size: on whether that is a power of
 * two, and on whether any of the bits 8 to 15 are set (it takes them for a number of mipmap levels). With what
 * is allocated behind it (16 bytes) this size is as most are: not the one, and the other. */
#define GST_GLES_WARM_UP_BYTES 320

/* One storage binding of a dispatch: block i of the shader is bindings[i].
 * size_bytes 0 binds from offset_bytes to the end. offset_bytes is a multiple of
 * limits.storage_alignment. A NULL buffer leaves the block unbound. */
typedef struct {
  GstGlesBuffer *buffer;
  gsize offset_bytes;
  gsize size_bytes;
  GstGlesUsage usage;
} GstGlesBinding;

/* Flags of a dispatch. */
typedef enum {
  GST_GLES_DISPATCH_NONE = 0,
  /* reads and writes nothing that an earlier dispatch of this submission wrote: no barrier */
  GST_GLES_DISPATCH_INDEPENDENT = 1 << 0
} GstGlesDispatchFlags;

/* Queues one dispatch inside a submission. @params (nullable) becomes the uniform block of the
 * shader. The first failure of a submission is also returned by its gst_gles_queue_end().
 * Errors: TOO_LARGE (groups, range sizes), INVALID. */
gboolean gst_gles_queue_dispatch (GstGlesQueue *queue, GstGlesProgram *program,
    const GstGlesBinding *bindings, guint n_bindings, gconstpointer params, gsize params_bytes,
    const guint groups[3], GstGlesDispatchFlags flags, GError **error);

/* The same, with the three group counts read from @groups at @groups_offset on the device. */
gboolean gst_gles_queue_dispatch_indirect (GstGlesQueue *queue, GstGlesProgram *program,
    const GstGlesBinding *bindings, guint n_bindings, gconstpointer params, gsize params_bytes,
    GstGlesBuffer *groups, gsize groups_offset, GstGlesDispatchFlags flags, GError **error);

/* Queues a copy inside a submission; ranges must not overlap. */
gboolean gst_gles_queue_copy (GstGlesQueue *queue, GstGlesBuffer *source, gsize source_offset,
    GstGlesBuffer *target, gsize target_offset, gsize size_bytes, GError **error);

G_END_DECLS

#endif
