/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What vulkan.c and transfer.c share. */
#ifndef GST_GLES_VULKAN_PRIVATE_H
#define GST_GLES_VULKAN_PRIVATE_H

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <gst/gles/device/vulkan.h>

G_BEGIN_DECLS

/* Some devices have several engines that copy; two of them fill a link. */
#define GST_GLES_VULKAN_MAX_QUEUES 2

/* X (MEMBER, NAME) of the entry points of the device */
#define GST_GLES_VULKAN_PROCS(X)                                                                   \
  X (destroy_device, vkDestroyDevice)                                                              \
  X (create_buffer, vkCreateBuffer)                                                                \
  X (destroy_buffer, vkDestroyBuffer)                                                              \
  X (get_requirements, vkGetBufferMemoryRequirements)                                              \
  X (allocate, vkAllocateMemory)                                                                   \
  X (free, vkFreeMemory)                                                                           \
  X (get_fd, vkGetMemoryFdKHR)                                                                     \
  X (bind_memory, vkBindBufferMemory)                                                              \
  X (map_memory, vkMapMemory)                                                                      \
  X (get_queue, vkGetDeviceQueue)                                                                  \
  X (create_pool, vkCreateCommandPool)                                                             \
  X (destroy_pool, vkDestroyCommandPool)                                                           \
  X (allocate_commands, vkAllocateCommandBuffers)                                                  \
  X (free_commands, vkFreeCommandBuffers)                                                          \
  X (begin_commands, vkBeginCommandBuffer)                                                         \
  X (end_commands, vkEndCommandBuffer)                                                             \
  X (copy_buffer, vkCmdCopyBuffer)                                                                 \
  X (barrier, vkCmdPipelineBarrier)                                                                \
  X (create_fence, vkCreateFence)                                                                  \
  X (destroy_fence, vkDestroyFence)                                                                \
  X (reset_fences, vkResetFences)                                                                  \
  X (get_fence, vkGetFenceStatus)                                                                  \
  X (wait_fences, vkWaitForFences)                                                                 \
  X (submit, vkQueueSubmit)

typedef struct {
  VkQueue handle;
  GMutex lock; /* of submissions to the queue */
} GstGlesVulkanQueue;

struct _GstGlesVulkan {
  gpointer loader;
  PFN_vkGetInstanceProcAddr get_proc;
  VkInstance instance;
  VkPhysicalDevice physical;
  VkPhysicalDeviceMemoryProperties memory;
  VkDevice device;

  guint32 family; /* of the queues */
  gboolean has_engine;
  GstGlesVulkanQueue queues[GST_GLES_VULKAN_MAX_QUEUES];
  guint n_queues;

  GMutex lock;        /* protects what follows */
  VkCommandPool pool; /* made when first used */
  guint n_transfers;  /* made so far */

  PFN_vkDestroyInstance destroy_instance;
#define MEMBER(name, entry) PFN_##entry name;
  GST_GLES_VULKAN_PROCS (MEMBER)
#undef MEMBER
};

/* Sets @error and returns FALSE if a call failed. */
gboolean gst_gles_vulkan_check (VkResult result, const gchar *what, gint code, GError **error);

/* Returns the first memory type in @allowed that has all @flags and whose heap has at least @bytes
 * in all, or -1. Vulkan lists the fastest of otherwise equal types first and forbids requests above
 * a heap's size. */
gint gst_gles_vulkan_find_memory (
    const GstGlesVulkan *vulkan, VkMemoryPropertyFlags flags, guint32 allowed, guint64 bytes);

/* Makes a buffer whose memory other APIs share. Errors: NO_MEMORY. */
gboolean gst_gles_vulkan_make_buffer (
    GstGlesVulkan *vulkan, guint64 size_bytes, VkBuffer *buffer, GError **error);

G_END_DECLS

#endif
