/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/checked.h>
#include <gst/gles/core/log.h>
#include <gst/gles/import/allocator-private.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* The largest amount of memory in use. Mapped memory of a GPU is locked in RAM, so elements that
 * hold frames for ever must not take all of it. 512 MiB are 170 frames of 1920x1080 I420. */
#define MAX_USED_BYTES ((gsize) 512 * 1024 * 1024)

/* The largest amount of free memory that is kept for reuse: more than twenty frames of 1920x1080
 * I420, or five of 3840x2160. */
#define MAX_IDLE_BYTES ((gsize) 64 * 1024 * 1024)

struct _GstGlesAllocator {
  GstAllocator parent;
  GstGlesDevice *device;

  GMutex lock; /* protects the members below */
  GQueue idle; /* of GstGlesBlock, the oldest first */
  gsize idle_bytes, used_bytes;
  guint64 n_fallbacks;
  gboolean closed;
};

/* A memory, or a part of one: a part has a parent and no reference to the block. */
typedef struct {
  GstMemory memory;
  GstGlesBlock *block;
  guint8 *data; /* of the memory's offset 0 */
} FrameMemory;

G_DEFINE_TYPE (GstGlesAllocator, gst_gles_allocator, GST_TYPE_ALLOCATOR)

GstGlesBlock *
gst_gles_allocator_peek_block (GstMemory *memory)
{
  return GST_IS_GLES_ALLOCATOR (memory->allocator) ? ((FrameMemory *) memory)->block : NULL;
}

/* ---- blocks ---- */

/* Takes a free block of exactly @size_bytes that the device has read, so that writing to it does
 * not wait. */
static GstGlesBlock *
take_idle (GstGlesAllocator *allocator, gsize size_bytes)
{
  for (GList *link = allocator->idle.head; link != NULL; link = link->next) {
    GstGlesBlock *block = link->data;

    if (gst_gles_block_get_size (block) != size_bytes || !gst_gles_block_is_read (block))
      continue;
    g_queue_delete_link (&allocator->idle, link);
    allocator->idle_bytes -= size_bytes;
    return block;
  }
  return NULL;
}

/* Returns a block for a new memory. NULL: too much is in use, or the device has no more. */
static GstGlesBlock *
take_block (GstGlesAllocator *allocator, gsize size_bytes)
{
  g_autoptr (GError) error = NULL;
  GstGlesBlock *block = NULL;
  gboolean reserved;

  g_mutex_lock (&allocator->lock);
  reserved = !gst_gles_device_is_lost (allocator->device) && size_bytes <= MAX_USED_BYTES &&
      allocator->used_bytes <= MAX_USED_BYTES - size_bytes;
  if (reserved) {
    allocator->used_bytes += size_bytes;
    block = take_idle (allocator, size_bytes);
  }
  allocator->n_fallbacks += reserved ? 0 : 1;
  g_mutex_unlock (&allocator->lock);
  if (!reserved || block != NULL)
    return block;
  block = gst_gles_block_new (allocator->device, size_bytes, &error);
  if (block == NULL) {
    GST_INFO ("%s: frames are allocated in system memory: %s",
        gst_gles_device_get_id (allocator->device), error->message);
    g_mutex_lock (&allocator->lock);
    allocator->used_bytes -= size_bytes;
    allocator->n_fallbacks++;
    g_mutex_unlock (&allocator->lock);
  }
  return block;
}

/* Releases the lock, and frees the oldest blocks if too many are kept for reuse. */
static void
unlock_and_trim (GstGlesAllocator *allocator)
{
  GQueue dropped = G_QUEUE_INIT;

  while (allocator->idle.length > 0 &&
      (allocator->closed || allocator->idle_bytes > MAX_IDLE_BYTES ||
          gst_gles_device_is_lost (allocator->device))) {
    GstGlesBlock *oldest = g_queue_pop_head (&allocator->idle);
    allocator->idle_bytes -= gst_gles_block_get_size (oldest);
    g_queue_push_tail (&dropped, oldest);
  }
  g_mutex_unlock (&allocator->lock);
  g_queue_clear_full (&dropped, (GDestroyNotify) gst_gles_block_unref);
}

/* Keeps @block (transfer full) for reuse, unless a new one would be better. */
static void
give_back (GstGlesAllocator *allocator, GstGlesBlock *block)
{
  g_mutex_lock (&allocator->lock);
  allocator->used_bytes -= gst_gles_block_get_size (block);
  if (gst_gles_block_is_outdated (block)) {
    g_mutex_unlock (&allocator->lock);
    gst_gles_block_unref (block);
    return;
  }
  allocator->idle_bytes += gst_gles_block_get_size (block);
  g_queue_push_tail (&allocator->idle, block);
  unlock_and_trim (allocator);
}

/* ---- GstAllocator ---- */

static GstMemory *
gst_gles_allocator_alloc (GstAllocator *base, gsize size, GstAllocationParams *params)
{
  const gsize align = params->align | (gsize) gst_memory_alignment;
  const gsize padding = params->padding;
  gsize max_bytes, block_bytes, skipped;
  FrameMemory *memory;
  GstGlesBlock *block;
  guint8 *data;

  if (!gst_gles_size_add (size, params->prefix, &max_bytes) ||
      !gst_gles_size_add (max_bytes, padding, &max_bytes) ||
      !gst_gles_size_add (max_bytes, align, &block_bytes))
    return NULL;
  block = take_block (GST_GLES_ALLOCATOR (base), block_bytes);
  if (block == NULL) {
    g_autoptr (GstAllocator) system = gst_allocator_find (GST_ALLOCATOR_SYSMEM);
    return gst_allocator_alloc (system, size, params);
  }
  data = gst_gles_block_get_data (block);
  skipped = (align + 1 - ((guintptr) data & align)) & align;
  data += skipped;
  if ((params->flags & (GST_MEMORY_FLAG_ZERO_PREFIXED | GST_MEMORY_FLAG_ZERO_PADDED)) != 0) {
    gst_gles_block_begin_write (block, NULL, NULL);
    if ((params->flags & GST_MEMORY_FLAG_ZERO_PREFIXED) != 0)
      memset (data, 0, params->prefix);
    if ((params->flags & GST_MEMORY_FLAG_ZERO_PADDED) != 0)
      memset (data + params->prefix + size, 0, padding);
    gst_gles_block_end_write (block);
  }
  memory = g_new0 (FrameMemory, 1);
  gst_memory_init (
      GST_MEMORY_CAST (memory), params->flags, base, NULL, max_bytes, align, params->prefix, size);
  memory->block = block;
  memory->data = data;
  return GST_MEMORY_CAST (memory);
}

static void
gst_gles_allocator_free (GstAllocator *base, GstMemory *memory)
{
  if (memory->parent == NULL)
    give_back (GST_GLES_ALLOCATOR (base), ((FrameMemory *) memory)->block);
  g_free (memory);
}

static gpointer
map (GstMemory *memory, GstMapInfo *info, gsize max_bytes)
{
  FrameMemory *self = (FrameMemory *) memory;
  g_autoptr (GError) error = NULL;

  if ((info->flags & GST_MAP_WRITE) == 0 ||
      gst_gles_block_begin_write (self->block, NULL, &error) ||
      g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_DEVICE_LOST))
    return self->data;
  GST_WARNING ("memory cannot be mapped for writing: %s", error->message);
  gst_gles_block_end_write (self->block);
  return NULL;
}

static void
unmap (GstMemory *memory, GstMapInfo *info)
{
  if ((info->flags & GST_MAP_WRITE) != 0)
    gst_gles_block_end_write (((FrameMemory *) memory)->block);
}

static GstMemory *
share (GstMemory *memory, gssize offset, gssize size)
{
  FrameMemory *self = (FrameMemory *) memory;
  GstMemory *parent = memory->parent != NULL ? memory->parent : memory;
  FrameMemory *part;

  if (size == -1)
    size = (gssize) memory->size - offset;
  part = g_new0 (FrameMemory, 1);
  gst_memory_init (GST_MEMORY_CAST (part),
      GST_MINI_OBJECT_FLAGS (parent) | GST_MINI_OBJECT_FLAG_LOCK_READONLY, memory->allocator,
      parent, memory->maxsize, memory->align, (gsize) ((gssize) memory->offset + offset),
      (gsize) size);
  part->block = self->block;
  part->data = self->data;
  return GST_MEMORY_CAST (part);
}

static gboolean
is_span (GstMemory *first, GstMemory *second, gsize *offset)
{
  if (offset != NULL)
    *offset = first->offset - first->parent->offset;
  return ((FrameMemory *) first)->data + first->offset + first->size ==
      ((FrameMemory *) second)->data + second->offset;
}

/* ---- object ---- */

static void
gst_gles_allocator_finalize (GObject *object)
{
  GstGlesAllocator *allocator = GST_GLES_ALLOCATOR (object);

  g_queue_clear_full (&allocator->idle, (GDestroyNotify) gst_gles_block_unref);
  g_mutex_clear (&allocator->lock);
  gst_object_unref (allocator->device);
  G_OBJECT_CLASS (gst_gles_allocator_parent_class)->finalize (object);
}

static void
gst_gles_allocator_class_init (GstGlesAllocatorClass *klass)
{
  GstAllocatorClass *allocator_class = GST_ALLOCATOR_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_gles_allocator_finalize;
  allocator_class->alloc = gst_gles_allocator_alloc;
  allocator_class->free = gst_gles_allocator_free;
}

static void
gst_gles_allocator_init (GstGlesAllocator *allocator)
{
  GstAllocator *base = GST_ALLOCATOR (allocator);

  g_mutex_init (&allocator->lock);
  g_queue_init (&allocator->idle);
  base->mem_type = GST_GLES_MEMORY_TYPE;
  base->mem_map_full = map;
  base->mem_unmap_full = unmap;
  base->mem_share = share;
  base->mem_is_span = is_span;
}

GstAllocator *
gst_gles_allocator_new (GstGlesDevice *device)
{
  GstGlesAllocator *allocator;

  g_return_val_if_fail (GST_IS_GLES_DEVICE (device), NULL);
  if (gst_gles_device_get_kind (device) == GST_GLES_DEVICE_CPU ||
      !gst_gles_device_get_limits (device)->buffer_storage)
    return NULL;
  allocator = g_object_new (GST_TYPE_GLES_ALLOCATOR, NULL);
  allocator->device = gst_object_ref (device);
  gst_object_ref_sink (allocator);
  return GST_ALLOCATOR (allocator);
}

void
gst_gles_allocator_close (GstGlesAllocator *allocator)
{
  g_return_if_fail (GST_IS_GLES_ALLOCATOR (allocator));
  g_mutex_lock (&allocator->lock);
  allocator->closed = TRUE;
  unlock_and_trim (allocator);
}

guint64
gst_gles_allocator_get_n_fallbacks (GstGlesAllocator *allocator)
{
  guint64 n;

  g_return_val_if_fail (GST_IS_GLES_ALLOCATOR (allocator), 0);
  g_mutex_lock (&allocator->lock);
  n = allocator->n_fallbacks;
  g_mutex_unlock (&allocator->lock);
  return n;
}
