/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include <gst/gles/core/error.h>
#include <gst/gles/device/transfer.h>
#include <gst/gles/device/vulkan-private.h>

/* Longer than any copy takes, unless the device is lost. */
#define TIMEOUT_NS (10 * G_GUINT64_CONSTANT (1000000000))

struct _GstGlesTransfer {
  GstGlesVulkan *vulkan;
  GstGlesVulkanQueue *queue;
  VkBuffer source, target;
  VkDeviceMemory source_memory, target_memory;
  guint8 *data;
  VkCommandBuffer commands;
  gsize recorded_bytes; /* that the commands copy; 0: there are none */
  VkFence copied;
  gint started; /* atomic: the fence is of a copy */
};

/* ---- memory ---- */

/* The host's memory is cached, because elements may read it too. */
static gboolean
make_source (GstGlesTransfer *transfer, gsize size_bytes, GError **error)
{
  const VkMemoryPropertyFlags flags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
      VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  const VkBufferCreateInfo buffer = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
    .size = size_bytes,
    .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
  };
  GstGlesVulkan *vulkan = transfer->vulkan;
  VkMemoryAllocateInfo memory = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
  VkMemoryRequirements needs;
  gpointer data = NULL;
  gint type;

  if (!gst_gles_vulkan_check (
          vulkan->create_buffer (vulkan->device, &buffer, NULL, &transfer->source),
          "vkCreateBuffer()", GST_GLES_ERROR_NO_MEMORY, error))
    return FALSE;
  vulkan->get_requirements (vulkan->device, transfer->source, &needs);
  type = gst_gles_vulkan_find_memory (vulkan, flags, needs.memoryTypeBits, needs.size);
  if (type < 0) {
    g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "Vulkan: the device has no cached memory of the host");
    return FALSE;
  }
  memory.allocationSize = needs.size;
  memory.memoryTypeIndex = type;
  if (!gst_gles_vulkan_check (
          vulkan->allocate (vulkan->device, &memory, NULL, &transfer->source_memory),
          "vkAllocateMemory() of the host", GST_GLES_ERROR_NO_MEMORY, error) ||
      !gst_gles_vulkan_check (
          vulkan->bind_memory (vulkan->device, transfer->source, transfer->source_memory, 0),
          "vkBindBufferMemory()", GST_GLES_ERROR_NO_MEMORY, error) ||
      !gst_gles_vulkan_check (
          vulkan->map_memory (vulkan->device, transfer->source_memory, 0, VK_WHOLE_SIZE, 0, &data),
          "vkMapMemory()", GST_GLES_ERROR_NO_MEMORY, error))
    return FALSE;
  transfer->data = memset (data, 0, size_bytes);
  return TRUE;
}

/* Takes @fd in any case. */
static gboolean
import_target (GstGlesTransfer *transfer, gint fd, guint64 memory_bytes, GError **error)
{
  GstGlesVulkan *vulkan = transfer->vulkan;
  VkMemoryRequirements needs = { 0 };
  VkMemoryDedicatedAllocateInfo dedicated = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
  };
  const VkImportMemoryFdInfoKHR imported = {
    .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
    .pNext = &dedicated,
    .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
    .fd = fd,
  };
  VkMemoryAllocateInfo memory = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
    .pNext = &imported,
    .allocationSize = memory_bytes,
  };
  gboolean ok = gst_gles_vulkan_make_buffer (vulkan, memory_bytes, &transfer->target, error);

  if (ok) {
    vulkan->get_requirements (vulkan->device, transfer->target, &needs);
    dedicated.buffer = transfer->target;
    /* the type that gst_gles_vulkan_export() chose for the same buffer */
    memory.memoryTypeIndex = (guint32) gst_gles_vulkan_find_memory (
        vulkan, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, needs.memoryTypeBits, needs.size);
    ok = gst_gles_vulkan_check (
        vulkan->allocate (vulkan->device, &memory, NULL, &transfer->target_memory),
        "importing memory of a buffer", GST_GLES_ERROR_NO_MEMORY, error);
  }
  if (!ok) {
    close (fd); /* Vulkan takes it only when the import succeeds */
    return FALSE;
  }
  return gst_gles_vulkan_check (
      vulkan->bind_memory (vulkan->device, transfer->target, transfer->target_memory, 0),
      "vkBindBufferMemory()", GST_GLES_ERROR_NO_MEMORY, error);
}

/* ---- the copy ---- */

/* Call with the lock held, which commands of one pool share. The same commands may be executed many
 * times. At their end the buffer is handed over to other APIs; it need not be taken back, because
 * what is read of it was written anew. */
static gboolean
record_commands (GstGlesTransfer *transfer, gsize size_bytes, GError **error)
{
  const VkCommandBufferBeginInfo begin = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
  };
  const VkBufferCopy part = { .size = size_bytes };
  const VkBufferMemoryBarrier release = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
    .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
    .srcQueueFamilyIndex = transfer->vulkan->family,
    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_EXTERNAL,
    .buffer = transfer->target,
    .size = VK_WHOLE_SIZE,
  };
  GstGlesVulkan *vulkan = transfer->vulkan;

  if (!gst_gles_vulkan_check (vulkan->begin_commands (transfer->commands, &begin),
          "vkBeginCommandBuffer()", GST_GLES_ERROR_FAILED, error))
    return FALSE;
  vulkan->copy_buffer (transfer->commands, transfer->source, transfer->target, 1, &part);
  vulkan->barrier (transfer->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
      VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, NULL, 1, &release, 0, NULL);
  if (!gst_gles_vulkan_check (vulkan->end_commands (transfer->commands), "vkEndCommandBuffer()",
          GST_GLES_ERROR_FAILED, error))
    return FALSE;
  transfer->recorded_bytes = size_bytes;
  return TRUE;
}

static gboolean
ensure_commands (GstGlesTransfer *transfer, gsize size_bytes, GError **error)
{
  gboolean ok;

  if (transfer->recorded_bytes == size_bytes)
    return TRUE;
  transfer->recorded_bytes = 0;
  g_mutex_lock (&transfer->vulkan->lock);
  ok = record_commands (transfer, size_bytes, error);
  g_mutex_unlock (&transfer->vulkan->lock);
  return ok;
}

/* Call with the lock held. */
static gboolean
make_commands (GstGlesTransfer *transfer, GError **error)
{
  GstGlesVulkan *vulkan = transfer->vulkan;
  const VkCommandPoolCreateInfo pool = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
    .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
    .queueFamilyIndex = vulkan->family,
  };
  VkCommandBufferAllocateInfo commands = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
    .commandBufferCount = 1,
  };

  transfer->queue = &vulkan->queues[vulkan->n_transfers++ % vulkan->n_queues];
  if (vulkan->pool == VK_NULL_HANDLE &&
      !gst_gles_vulkan_check (vulkan->create_pool (vulkan->device, &pool, NULL, &vulkan->pool),
          "vkCreateCommandPool()", GST_GLES_ERROR_NO_MEMORY, error)) {
    vulkan->pool = VK_NULL_HANDLE;
    return FALSE;
  }
  commands.commandPool = vulkan->pool;
  return gst_gles_vulkan_check (
      vulkan->allocate_commands (vulkan->device, &commands, &transfer->commands),
      "vkAllocateCommandBuffers()", GST_GLES_ERROR_NO_MEMORY, error);
}

static gboolean
make_copy (GstGlesTransfer *transfer, GError **error)
{
  const VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
  GstGlesVulkan *vulkan = transfer->vulkan;
  gboolean ok;

  g_mutex_lock (&vulkan->lock);
  ok = make_commands (transfer, error);
  g_mutex_unlock (&vulkan->lock);
  return ok &&
      gst_gles_vulkan_check (vulkan->create_fence (vulkan->device, &fence, NULL, &transfer->copied),
          "vkCreateFence()", GST_GLES_ERROR_NO_MEMORY, error);
}

GstGlesTransfer *
gst_gles_transfer_new (
    GstGlesVulkan *vulkan, gint fd, guint64 memory_bytes, gsize size_bytes, GError **error)
{
  GstGlesTransfer *transfer = g_new0 (GstGlesTransfer, 1);

  transfer->vulkan = vulkan;
  if (import_target (transfer, fd, memory_bytes, error) &&
      make_source (transfer, size_bytes, error) && make_copy (transfer, error))
    return transfer;
  gst_gles_transfer_free (transfer);
  return NULL;
}

void
gst_gles_transfer_free (GstGlesTransfer *transfer)
{
  GstGlesVulkan *vulkan;

  if (transfer == NULL)
    return;
  vulkan = transfer->vulkan;
  (void) gst_gles_transfer_wait (transfer, NULL);
  if (transfer->copied != VK_NULL_HANDLE)
    vulkan->destroy_fence (vulkan->device, transfer->copied, NULL);
  if (transfer->commands != NULL) {
    g_mutex_lock (&vulkan->lock);
    vulkan->free_commands (vulkan->device, vulkan->pool, 1, &transfer->commands);
    g_mutex_unlock (&vulkan->lock);
  }
  if (transfer->source != VK_NULL_HANDLE)
    vulkan->destroy_buffer (vulkan->device, transfer->source, NULL);
  if (transfer->target != VK_NULL_HANDLE)
    vulkan->destroy_buffer (vulkan->device, transfer->target, NULL);
  if (transfer->source_memory != VK_NULL_HANDLE)
    vulkan->free (vulkan->device, transfer->source_memory, NULL);
  if (transfer->target_memory != VK_NULL_HANDLE)
    vulkan->free (vulkan->device, transfer->target_memory, NULL);
  g_free (transfer);
}

guint8 *
gst_gles_transfer_get_data (GstGlesTransfer *transfer)
{
  return transfer->data;
}

gboolean
gst_gles_transfer_start (GstGlesTransfer *transfer, gsize size_bytes, GError **error)
{
  const VkSubmitInfo info = {
    .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
    .commandBufferCount = 1,
    .pCommandBuffers = &transfer->commands,
  };
  GstGlesVulkan *vulkan = transfer->vulkan;
  VkResult result;

  if (!gst_gles_transfer_wait (transfer, error) || !ensure_commands (transfer, size_bytes, error))
    return FALSE;
  g_atomic_int_set (&transfer->started, FALSE);
  if (!gst_gles_vulkan_check (vulkan->reset_fences (vulkan->device, 1, &transfer->copied),
          "vkResetFences()", GST_GLES_ERROR_FAILED, error))
    return FALSE;
  g_mutex_lock (&transfer->queue->lock);
  result = vulkan->submit (transfer->queue->handle, 1, &info, transfer->copied);
  g_mutex_unlock (&transfer->queue->lock);
  g_atomic_int_set (&transfer->started, result == VK_SUCCESS);
  return gst_gles_vulkan_check (result, "vkQueueSubmit()", GST_GLES_ERROR_FAILED, error);
}

gboolean
gst_gles_transfer_is_done (GstGlesTransfer *transfer)
{
  GstGlesVulkan *vulkan = transfer->vulkan;

  return !g_atomic_int_get (&transfer->started) ||
      vulkan->get_fence (vulkan->device, transfer->copied) == VK_SUCCESS;
}

gboolean
gst_gles_transfer_wait (GstGlesTransfer *transfer, GError **error)
{
  GstGlesVulkan *vulkan = transfer->vulkan;

  return !g_atomic_int_get (&transfer->started) ||
      gst_gles_vulkan_check (
          vulkan->wait_fences (vulkan->device, 1, &transfer->copied, VK_TRUE, TIMEOUT_NS),
          "waiting for a copy to the device", GST_GLES_ERROR_FAILED, error);
}
