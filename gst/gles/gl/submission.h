/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Commands inside a submission: dispatches and copies. */
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
  /* With READ: the buffer is bound whole as a usamplerBuffer of 16-byte texels (rgba32ui) on
   * texture unit i instead of a storage block. Needs limits.texel_buffer_texels and a spec with
   * `texels`. */
  GST_GLES_TEXELS = 1 << 2
} GstGlesUsage;

/* The size of the buffers that replace real ones when kernels are run once, empty, so that llvmpipe
 * compiles them. The code that llvmpipe generates for a buffer texture depends on whether its size
 * is a power of two, and on whether any of the bits 8 to 15 are set (it reads them as a number of
 * mipmap levels). With the 16 bytes of padding this size is, like most sizes, not a power of two
 * and has such a bit set. */
#define GST_GLES_WARM_UP_BYTES 320

/* One storage binding of a dispatch: bindings[i] is block i of the shader. size_bytes 0 binds from
 * offset_bytes to the end. offset_bytes is a multiple of limits.storage_alignment. A NULL buffer
 * leaves the block unbound. */
typedef struct {
  GstGlesBuffer *buffer;
  gsize offset_bytes;
  gsize size_bytes;
  GstGlesUsage usage;
} GstGlesBinding;

/* Flags of a dispatch. */
typedef enum {
  GST_GLES_DISPATCH_NONE = 0,
  /* The dispatch accesses nothing that an earlier one of this submission wrote, so it needs no
   * barrier. */
  GST_GLES_DISPATCH_INDEPENDENT = 1 << 0
} GstGlesDispatchFlags;

/* A program with its bindings and parameters. */
typedef struct {
  GstGlesProgram *program;
  const GstGlesBinding *bindings;
  guint n_bindings;
  gconstpointer params; /* (nullable): the uniform block of the shader */
  gsize params_bytes;
  GstGlesDispatchFlags flags;
} GstGlesDispatch;

/* A dispatch of @program with the parameters at @params, a pointer to their structure. */
#define GST_GLES_DISPATCH(program, bindings, n_bindings, params)                                   \
  (&(const GstGlesDispatch){                                                                       \
      program, bindings, n_bindings, params, sizeof (*(params)), GST_GLES_DISPATCH_NONE })

/* Records one dispatch inside a submission. gst_gles_queue_end() returns the first failure of the
 * submission too. Errors: TOO_LARGE (groups, range sizes), INVALID. */
gboolean gst_gles_queue_dispatch (
    GstGlesQueue *queue, const GstGlesDispatch *dispatch, const guint groups[3], GError **error);

/* The same; the device reads the three group counts from @groups at @groups_offset. */
gboolean gst_gles_queue_dispatch_indirect (GstGlesQueue *queue, const GstGlesDispatch *dispatch,
    GstGlesBuffer *groups, gsize groups_offset, GError **error);

/* A copy between buffers. The ranges must not overlap. */
typedef struct {
  GstGlesBuffer *source, *target;
  gsize source_offset, target_offset, size_bytes;
} GstGlesCopy;

/* Records a copy inside a submission. */
gboolean gst_gles_queue_copy (GstGlesQueue *queue, const GstGlesCopy *copy, GError **error);

G_END_DECLS

#endif
