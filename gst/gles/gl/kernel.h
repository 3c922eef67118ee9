/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels: compute programs, and dispatches of them inside of a submission. */
#ifndef GST_GLES_KERNEL_H
#define GST_GLES_KERNEL_H

#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

/**
 * GstGlesProgram: (skip)
 *
 * A compute program on a device: a kernel file, specialised by a preamble. Immutable and counted:
 * gst_gles_program_ref() and gst_gles_program_unref(). Thread: any.
 *
 * Since: 0.1
 */
typedef struct _GstGlesProgram GstGlesProgram;

#define GST_GLES_PROGRAM_MAX_DEFINES 16

/**
 * GstGlesDefine: (skip)
 * @name: static; %NULL ends the list
 * @value: its value
 *
 * One `#define NAME VALUE` of the preamble.
 *
 * Since: 0.1
 */
typedef struct {
  const gchar *name;
  gint64 value;
} GstGlesDefine;

/**
 * GstGlesProgramSpec: (skip)
 * @kernel: static: "NAME_PASS" stands for the file NAME/NAME_PASS.comp
 * @local_size: invocations of a workgroup along x, y and z; 0 counts as 1
 * @shared_bytes: size of the shared variables, which is checked against the device's limit
 * @n_storage: storage blocks that it declares: the bindings 0 to @n_storage - 1
 * @subgroups: the subgroup size of the device if the kernel uses subgroups, else 0. Enables the
 *     extensions KHR_shader_subgroup and defines SUBGROUPS
 * @texels: enables GL_EXT_texture_buffer and defines TEXELS
 * @code: (nullable): stands for the file "generated.glsl" that the kernel includes
 * @defines: further defines
 *
 * A specialisation: everything that determines a program's code. Members that are not set are 0.
 *
 * Kernels are files of a #GResource below `/gst-gles-compute/glsl/`, of the library or of the
 * program that calls it, and include each other by their names there. The preamble is written from
 * the specification alone: the version (GLSL ES 3.10), extensions, precisions, LOCAL_SIZE_X, _Y and
 * _Z, the defines, and the layout of the workgroup.
 *
 * Since: 0.1
 */
typedef struct {
  const gchar *kernel;
  guint local_size[3];
  guint shared_bytes;
  guint n_storage;
  guint subgroups;
  gboolean texels;
  const gchar *code;
  GstGlesDefine defines[GST_GLES_PROGRAM_MAX_DEFINES];
} GstGlesProgramSpec;

/**
 * gst_gles_program_get: (skip)
 * @queue: a queue of a device with OpenGL ES
 * @spec: what to make
 * @error: set when %NULL is returned
 *
 * Gets the program for @spec on the device of @queue. The device makes a program once: all who ask
 * get the same one, and wait while it is in the making. The driver may defer code generation to the
 * first dispatch.
 *
 * Thread: any; waits for the device's thread unless the program is built. With a driver that
 * compiles in threads of its own (limits.parallel_compile) it does not wait while the calling
 * thread has a submission open on @queue: gst_gles_queue_end() does, and returns
 * %GST_GLES_ERROR_COMPILE.
 *
 * Returns: (transfer full) (nullable): a program. Errors: %GST_GLES_ERROR_COMPILE (with the log, in
 *     lines of the source files; who asks later tries again), %GST_GLES_ERROR_NOT_FOUND (a kernel
 *     or an included file that no resource has), %GST_GLES_ERROR_TOO_LARGE (over the limits of the
 *     device), %GST_GLES_ERROR_DEVICE_LOST.
 * Since: 0.1
 */
GST_GLES_API GstGlesProgram *gst_gles_program_get (
    GstGlesQueue *queue, const GstGlesProgramSpec *spec, GError **error);

/**
 * gst_gles_program_ref: (skip)
 * @program: a program
 *
 * Returns: (transfer full): @program. Thread: any.
 * Since: 0.1
 */
GST_GLES_API GstGlesProgram *gst_gles_program_ref (GstGlesProgram *program);

/**
 * gst_gles_program_unref: (skip)
 * @program: (transfer full) (nullable): a program
 *
 * Drops a reference. Queued work still runs. Thread: any.
 *
 * Since: 0.1
 */
GST_GLES_API void gst_gles_program_unref (GstGlesProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGlesProgram, gst_gles_program_unref)

/**
 * GstGlesUsage: (skip)
 * @GST_GLES_READ: the kernel reads the buffer
 * @GST_GLES_WRITE: it writes the buffer
 * @GST_GLES_READ_WRITE: both
 * @GST_GLES_TEXELS: with read: the buffer is bound whole as a usamplerBuffer of 16-byte texels
 *     (rgba32ui) on texture unit i in place of a storage block. Needs limits.texel_buffer_texels
 *     and a specification with texels
 *
 * What a kernel does with a buffer.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_READ = 1 << 0,
  GST_GLES_WRITE = 1 << 1,
  GST_GLES_READ_WRITE = GST_GLES_READ | GST_GLES_WRITE,
  GST_GLES_TEXELS = 1 << 2
} GstGlesUsage;

/**
 * GstGlesBinding: (skip)
 * @buffer: (nullable): a buffer of the device; %NULL leaves the block unbound
 * @offset_bytes: where the block begins, a multiple of limits.storage_alignment
 * @size_bytes: its size; 0: to the end of @buffer
 * @usage: what the kernel does with it
 *
 * A storage binding of a dispatch: bindings[i] is block i of the kernel.
 *
 * Since: 0.1
 */
typedef struct {
  GstGlesBuffer *buffer;
  gsize offset_bytes;
  gsize size_bytes;
  GstGlesUsage usage;
} GstGlesBinding;

/**
 * GstGlesDispatchFlags: (skip)
 * @GST_GLES_DISPATCH_NONE: none
 * @GST_GLES_DISPATCH_INDEPENDENT: the dispatch accesses nothing that an earlier one of this
 *     submission wrote, so it needs no barrier
 *
 * Flags of a dispatch.
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_DISPATCH_NONE = 0,
  GST_GLES_DISPATCH_INDEPENDENT = 1 << 0
} GstGlesDispatchFlags;

/**
 * GstGlesDispatch: (skip)
 * @program: a program of the device
 * @bindings: (array length=n_bindings): its storage blocks
 * @n_bindings: their number
 * @params: (nullable): the uniform block 0 of the kernel, in the layout std140
 * @params_bytes: its size
 * @flags: flags
 *
 * A program with its bindings and parameters.
 *
 * Since: 0.1
 */
typedef struct {
  GstGlesProgram *program;
  const GstGlesBinding *bindings;
  guint n_bindings;
  gconstpointer params;
  gsize params_bytes;
  GstGlesDispatchFlags flags;
} GstGlesDispatch;

/* A dispatch of @program with the parameters at @params, a pointer to their structure. */
#define GST_GLES_DISPATCH(program, bindings, n_bindings, params)                                   \
  (&(const GstGlesDispatch){                                                                       \
      program, bindings, n_bindings, params, sizeof (*(params)), GST_GLES_DISPATCH_NONE })

/**
 * gst_gles_queue_dispatch: (skip)
 * @queue: a queue of a device with OpenGL ES, on which this thread has a submission open
 * @dispatch: what to run; its arrays are copied, and programs and buffers kept until it has run
 * @groups: (array fixed-size=3): workgroups along x, y and z; one that is 0 queues nothing
 * @error: set when %FALSE is returned
 *
 * Records one dispatch in the submission; does not wait. It sees what earlier dispatches wrote.
 * gst_gles_queue_end() returns the first failure of the submission too.
 *
 * Returns: %TRUE if recorded. Errors: %GST_GLES_ERROR_TOO_LARGE (workgroups or ranges over the
 *     limits of the device), %GST_GLES_ERROR_INVALID (a binding outside of its buffer or of another
 *     device, other bindings than the program has).
 * Since: 0.1
 */
GST_GLES_API gboolean gst_gles_queue_dispatch (
    GstGlesQueue *queue, const GstGlesDispatch *dispatch, const guint groups[3], GError **error);

G_END_DECLS

#endif
