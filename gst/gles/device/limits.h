/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_LIMITS_H
#define GST_GLES_LIMITS_H

#include <gst/gles/core/prelude.h>

G_BEGIN_DECLS

/**
 * GstGlesDeviceKind:
 * @GST_GLES_DEVICE_HARDWARE: a GPU's OpenGL ES driver
 * @GST_GLES_DEVICE_SOFTWARE: a software OpenGL ES renderer, such as Mesa's llvmpipe
 * @GST_GLES_DEVICE_CPU: no OpenGL ES: native code with bit-identical results
 *
 * Since: 0.1
 */
typedef enum {
  GST_GLES_DEVICE_HARDWARE,
  GST_GLES_DEVICE_SOFTWARE,
  GST_GLES_DEVICE_CPU
} GstGlesDeviceKind;

typedef struct _GstGlesLimits GstGlesLimits;

/**
 * GstGlesLimits:
 * @storage_blocks: storage blocks that a compute shader may declare
 * @shared_bytes: shared memory of a workgroup
 * @invocations: invocations of a workgroup
 * @group_size: invocations of a workgroup along x, y, z
 * @groups: workgroups of a dispatch along x, y, z
 * @storage_block_bytes: the largest range that one storage binding can cover
 * @storage_alignment: the offset of a storage binding is a multiple of this, in bytes
 * @uniform_block_bytes: the largest uniform block
 * @uniform_alignment: the offset of a uniform binding is a multiple of this, in bytes
 * @texel_buffer_texels: texels of a buffer texture (GL_EXT_texture_buffer), 0 without them
 * @subgroup_size: invocations per subgroup, 0 when compute shaders have no subgroups
 * @subgroup_features: the bits of GL_SUBGROUP_SUPPORTED_FEATURES_KHR
 * @buffer_storage: GL_EXT_buffer_storage: persistently mapped buffers
 * @timer_queries: GL_EXT_disjoint_timer_query with a working GL_TIMESTAMP_EXT
 * @robustness: the context reports resets of the GPU
 * @program_binary: compiled programs can be stored
 * @memory_objects: GL_EXT_memory_object_fd: storage can come from Vulkan
 * @parallel_compile: GL_KHR_parallel_shader_compile: the driver compiles in threads of its own
 * @clamped: reported limits are the OpenGL ES 3.1 minimum (`GST_GLES_LIMITS=minimum`)
 *
 * The limits and features of a device, read once when it is opened. All zero on a cpu device.
 *
 * Since: 0.1
 */
struct _GstGlesLimits {
  guint storage_blocks;
  guint shared_bytes;
  guint invocations;
  guint group_size[3];
  guint groups[3];
  guint64 storage_block_bytes;
  guint storage_alignment;
  guint uniform_block_bytes;
  guint uniform_alignment;
  guint texel_buffer_texels;
  guint subgroup_size;
  guint subgroup_features;
  gboolean buffer_storage;
  gboolean timer_queries;
  gboolean robustness;
  gboolean program_binary;
  gboolean memory_objects;
  gboolean parallel_compile;
  gboolean clamped;
};

G_END_DECLS

#endif
