/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory for frames that a device reads where the host wrote them. An element offers its allocator
 * upstream, so that decoders and sources write frames there. */
#ifndef GST_GLES_ALLOCATOR_H
#define GST_GLES_ALLOCATOR_H

#include <gst/gles/device/device.h>

G_BEGIN_DECLS

/* The type of the memory. It can be mapped like system memory. */
#define GST_GLES_MEMORY_TYPE "GlesSystemMemory"

#define GST_TYPE_GLES_ALLOCATOR (gst_gles_allocator_get_type ())
GST_GLES_API
G_DECLARE_FINAL_TYPE (GstGlesAllocator, gst_gles_allocator, GST, GLES_ALLOCATOR, GstAllocator)

/* Makes an allocator of memory over persistently mapped, coherent buffers of @device, which the
 * processor caches. Memory that is freed is kept for reuse until gst_gles_allocator_close().
 * gst_allocator_alloc() never waits for memory to come back: when the memory in use would exceed
 * 512 MiB, or the device has no more, it returns plain system memory. Mapping memory for writing
 * waits until the device has read it. Memory holds the allocator and the device, and stays mapped
 * when the device is lost.
 *
 * Returns: (transfer full) (nullable): NULL if @device has no mapped buffers (a cpu device reads
 * all memory where it lies). Thread: any. */
GST_GLES_API GstAllocator *gst_gles_allocator_new (GstGlesDevice *device);

/* Frees the memory that is kept for reuse, and keeps none from now on. Memory in use stays valid.
 * Thread: any. */
GST_GLES_API void gst_gles_allocator_close (GstGlesAllocator *allocator);

/* Returns how many times the allocator returned system memory. Thread: any. */
GST_GLES_API guint64 gst_gles_allocator_get_n_fallbacks (GstGlesAllocator *allocator);

G_END_DECLS

#endif
