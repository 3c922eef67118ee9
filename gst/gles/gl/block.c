/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/core/checked.h>
#include <gst/gles/gl/block.h>
#include <gst/gles/gl/engine.h>
#include <gst/gles/gl/gl-private.h>

/* Stands for a copy that does not exist. */
#define NO_GENERATION G_MAXUINT

struct _GstGlesBlock {
  gint ref_count;
  gint n_holders; /* atomic */
  GstGlesDevice *device;
  GstGlesShare *share;
  gsize size_bytes;
  guint8 *data;
  guint8 *allocation;        /* without mapped memory: the heap memory that contains data */
  GstGlesTransfer *transfer; /* from data to copy; NULL: OpenGL ES copies */
  GstGlesBuffer *mapped;     /* the buffer at data; NULL without mapped memory */

  gsize serial;    /* atomic: of the newest submission that reads the block */
  gint generation; /* atomic; changes whenever the content may have changed */

  GMutex lock; /* protects the members below */
  GstGlesBuffer *copy;
  guint recorded_generation; /* of the newest copy that is recorded */
  guint valid_generation;    /* of the newest copy that is queued: later submissions can read it */
};

/* Returns FALSE without @error: the caller does without. */
static gboolean
allocate_for_engine (GstGlesBlock *block)
{
  if (!gst_gles_engine_is_used (block->device))
    return FALSE;
  block->transfer = gst_gles_engine_new_transfer (block->device, block->size_bytes, &block->copy);
  if (block->transfer != NULL)
    block->data = gst_gles_transfer_get_data (block->transfer);
  return block->transfer != NULL;
}

static gboolean
allocate (GstGlesBlock *block, GError **error)
{
  if (allocate_for_engine (block))
    return TRUE;
  if (!gst_gles_share_is_gl (block->share) || block->share->limits.buffer_storage) {
    const GstGlesStorage storage =
        gst_gles_share_is_gl (block->share) ? GST_GLES_STORAGE_UPLOAD : GST_GLES_STORAGE_DEVICE;

    block->mapped =
        gst_gles_buffer_new_storage (block->device, storage, block->size_bytes, NULL, error);
    if (block->mapped != NULL)
      block->data = block->mapped->memory;
    return block->mapped != NULL;
  }
  block->allocation = g_try_malloc0 (block->size_bytes + 64);
  if (block->allocation == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate %" G_GSIZE_FORMAT " bytes to take in frames", block->size_bytes);
    return FALSE;
  }
  block->data = (guint8 *) gst_gles_align_up ((gsize) block->allocation, 64);
  return TRUE;
}

GstGlesBlock *
gst_gles_block_new (GstGlesDevice *device, gsize size_bytes, GError **error)
{
  GstGlesBlock *block;

  g_return_val_if_fail (GST_IS_GLES_DEVICE (device), NULL);
  block = g_new0 (GstGlesBlock, 1);
  block->ref_count = 1;
  block->device = gst_object_ref (device);
  block->share = gst_gles_device_get_share (device);
  block->size_bytes = size_bytes;
  block->recorded_generation = block->valid_generation = NO_GENERATION;
  g_mutex_init (&block->lock);
  if (!allocate (block, error))
    g_clear_pointer (&block, gst_gles_block_unref);
  return block;
}

static GstGlesBlock *
block_ref (GstGlesBlock *block)
{
  g_atomic_int_inc (&block->ref_count);
  return block;
}

void
gst_gles_block_unref (GstGlesBlock *block)
{
  if (block == NULL || !g_atomic_int_dec_and_test (&block->ref_count))
    return;
  gst_gles_transfer_free (block->transfer);
  gst_gles_buffer_unref (block->copy);
  gst_gles_buffer_unref (block->mapped);
  g_free (block->allocation);
  g_mutex_clear (&block->lock);
  gst_object_unref (block->device);
  g_free (block);
}

GstGlesBlock *
gst_gles_block_hold (GstGlesBlock *block)
{
  g_atomic_int_inc (&block->n_holders);
  return block_ref (block);
}

void
gst_gles_block_unhold (GstGlesBlock *block)
{
  g_atomic_int_add (&block->n_holders, -1);
  gst_gles_block_unref (block);
}

gboolean
gst_gles_block_is_held (GstGlesBlock *block)
{
  return g_atomic_int_get (&block->n_holders) > 0;
}

gboolean
gst_gles_block_is_outdated (GstGlesBlock *block)
{
  return block->transfer == NULL && gst_gles_engine_is_used (block->device);
}

guint8 *
gst_gles_block_get_data (GstGlesBlock *block)
{
  return block->data;
}

gsize
gst_gles_block_get_size (GstGlesBlock *block)
{
  return block->size_bytes;
}

gboolean
gst_gles_block_is_on (GstGlesBlock *block, GstGlesQueue *queue)
{
  return block->share == queue->share;
}

/* ---- the host writes ---- */

static GstGlesSerial
get_serial (GstGlesBlock *block)
{
  return (GstGlesSerial) g_atomic_pointer_get (&block->serial);
}

gboolean
gst_gles_block_is_read (GstGlesBlock *block)
{
  return !gst_gles_share_is_gl (block->share) ||
      gst_gles_thread_is_done (block->share->thread, get_serial (block));
}

gboolean
gst_gles_block_begin_write (GstGlesBlock *block, gboolean *waited, GError **error)
{
  gboolean done;

  g_atomic_int_inc (&block->generation);
  done = gst_gles_block_is_read (block);
  if (waited != NULL)
    *waited = !done;
  return done ||
      gst_gles_thread_wait (block->share->thread, get_serial (block), GST_GLES_WAIT_FOREVER, error);
}

void
gst_gles_block_end_write (GstGlesBlock *block)
{
  g_atomic_int_inc (&block->generation);
}

/* ---- the device reads ---- */

GstGlesBuffer *
gst_gles_block_get_buffer (GstGlesBlock *block, gboolean in_place, GError **error)
{
  if (block->mapped != NULL && (in_place || !gst_gles_share_is_gl (block->share)))
    return block->mapped;
  g_mutex_lock (&block->lock);
  if (block->copy == NULL)
    block->copy = gst_gles_buffer_new (block->device, block->size_bytes, error);
  g_mutex_unlock (&block->lock);
  return block->copy;
}

static void
on_queued (GstGlesSerial serial, gpointer user_data)
{
  GstGlesBlock *block = user_data;

  g_atomic_pointer_set (&block->serial, serial);
}

/* Other threads may rely on the copy only now: until then, a submission of theirs could be executed
 * before the copy. */
static void
on_copy_queued (GstGlesSerial serial, gpointer user_data)
{
  GstGlesBlock *block = user_data;

  on_queued (serial, block);
  g_mutex_lock (&block->lock);
  block->valid_generation = block->recorded_generation;
  g_mutex_unlock (&block->lock);
}

static void
on_done (const GError *error, gpointer user_data)
{
  GstGlesBlock *block = user_data;

  if (error != NULL) {
    g_mutex_lock (&block->lock);
    block->recorded_generation = block->valid_generation = NO_GENERATION;
    g_mutex_unlock (&block->lock);
  }
  gst_gles_block_unref (block);
}

static const GstGlesHook read_hook = { on_queued, on_done };
static const GstGlesHook copy_hook = { on_copy_queued, on_done };

/* Returns whether the copy on the device is current, or else notes that it is recorded now. */
static gboolean
has_copy (GstGlesBlock *block)
{
  const guint generation = (guint) g_atomic_int_get (&block->generation);
  gboolean current;

  g_mutex_lock (&block->lock);
  current = block->valid_generation == generation;
  if (!current)
    block->recorded_generation = generation;
  g_mutex_unlock (&block->lock);
  return current;
}

/* Records what copies the block to the device. If the engine fails, OpenGL ES does it. */
static gboolean
record_copy (GstGlesBlock *block, GstGlesQueue *queue, gsize size_bytes, GError **error)
{
  const gsize padded = gst_gles_align_up (size_bytes, 16);

  if (block->mapped != NULL)
    return gst_gles_queue_copy (queue,
        &(GstGlesCopy){ .source = block->mapped, .target = block->copy, .size_bytes = padded },
        error);
  if (block->transfer != NULL && gst_gles_engine_start (block->device, block->transfer, padded)) {
    gst_gles_queue_await_transfer (queue, block->transfer);
    return gst_gles_queue_use (queue, block->copy, error);
  }
  return gst_gles_queue_write (
      queue, &(GstGlesWrite){ block->copy, 0, block->data, size_bytes, .stays = TRUE }, error);
}

gboolean
gst_gles_block_commit (
    GstGlesBlock *block, GstGlesQueue *queue, gsize size_bytes, gboolean in_place, GError **error)
{
  const gboolean reads_mapped =
      block->mapped != NULL && (in_place || !gst_gles_share_is_gl (block->share));
  const gboolean copies = !reads_mapped && !has_copy (block);

  gst_gles_queue_add_hook (queue, copies ? &copy_hook : &read_hook, block_ref (block));
  if (reads_mapped)
    return gst_gles_queue_use (queue, block->mapped, error);
  if (!copies)
    return gst_gles_queue_use (queue, block->copy, error);
  return record_copy (block, queue, size_bytes, error);
}
