/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_GLES_ALLOCATOR_PRIVATE_H
#define GST_GLES_ALLOCATOR_PRIVATE_H

#include <gst/gles/import/allocator.h>
#include <gst/gles/gl/block.h>

/* Returns the block in which @memory lies, (transfer none), or NULL if it is no memory of a
 * GstGlesAllocator. */
GstGlesBlock *gst_gles_allocator_peek_block (GstMemory *memory);

#endif
