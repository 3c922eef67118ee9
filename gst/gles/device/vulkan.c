/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <dlfcn.h>
#include <string.h>

#include <gst/gles/core/error.h>
#include <gst/gles/device/vulkan-private.h>

#define LOADER "libvulkan.so.1"
#define HANDLE VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT

/* llvmpipe imports memory only if it is larger than the buffer by llvmpipe's own padding. */
#define SLACK_BYTES 64
#define GRAIN_BYTES (2 * 1024 * 1024)

/* Declares a variable NAME of an entry point of the instance. */
#define INSTANCE_PROC(vulkan, name, entry)                                                         \
  PFN_##entry name = (PFN_##entry) (vulkan)->get_proc ((vulkan)->instance, #entry)

gboolean
gst_gles_vulkan_check (VkResult result, const gchar *what, gint code, GError **error)
{
  if (result == VK_SUCCESS)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, code, "Vulkan: %s failed with %d", what, result);
  return FALSE;
}

static gboolean
open_loader (GstGlesVulkan *vulkan, GError **error)
{
  vulkan->loader = dlopen (LOADER, RTLD_NOW | RTLD_LOCAL);
  if (vulkan->loader != NULL)
    vulkan->get_proc = dlsym (vulkan->loader, "vkGetInstanceProcAddr");
  if (vulkan->get_proc != NULL)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NOT_FOUND,
      "no Vulkan loader (%s); install it (Debian: libvulkan1)", dlerror ());
  return FALSE;
}

static gboolean
make_instance (GstGlesVulkan *vulkan, GError **error)
{
  /* Vulkan 1.1 includes device identities and external memory. */
  const VkApplicationInfo application = {
    .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
    .pApplicationName = PACKAGE_NAME,
    .apiVersion = VK_API_VERSION_1_1,
  };
  const VkInstanceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
    .pApplicationInfo = &application,
  };
  INSTANCE_PROC (vulkan, create, vkCreateInstance);

  if (!gst_gles_vulkan_check (create (&info, NULL, &vulkan->instance), "vkCreateInstance()",
          GST_GLES_ERROR_INIT, error)) {
    vulkan->instance = VK_NULL_HANDLE;
    return FALSE;
  }
  vulkan->destroy_instance =
      (PFN_vkDestroyInstance) vulkan->get_proc (vulkan->instance, "vkDestroyInstance");
  return TRUE;
}

static gboolean
is_device (GstGlesVulkan *vulkan, VkPhysicalDevice physical, const GstGlesUuids *uuids)
{
  VkPhysicalDeviceIDProperties id = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES,
  };
  VkPhysicalDeviceProperties2 properties = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
    .pNext = &id,
  };
  INSTANCE_PROC (vulkan, get_properties, vkGetPhysicalDeviceProperties);
  INSTANCE_PROC (vulkan, get_properties2, vkGetPhysicalDeviceProperties2);

  get_properties (physical, &properties.properties);
  if (properties.properties.apiVersion < VK_API_VERSION_1_1)
    return FALSE;
  get_properties2 (physical, &properties);
  return memcmp (id.deviceUUID, uuids->device, GST_GLES_UUID_BYTES) == 0 &&
      memcmp (id.driverUUID, uuids->driver, GST_GLES_UUID_BYTES) == 0;
}

static gboolean
find_device (GstGlesVulkan *vulkan, const GstGlesUuids *uuids, GError **error)
{
  INSTANCE_PROC (vulkan, enumerate, vkEnumeratePhysicalDevices);
  INSTANCE_PROC (vulkan, get_memory, vkGetPhysicalDeviceMemoryProperties);
  g_autofree VkPhysicalDevice *devices = NULL;
  guint32 n = 0;

  if (!gst_gles_vulkan_check (enumerate (vulkan->instance, &n, NULL),
          "vkEnumeratePhysicalDevices()", GST_GLES_ERROR_INIT, error))
    return FALSE;
  devices = g_new0 (VkPhysicalDevice, n + 1);
  if (!gst_gles_vulkan_check (enumerate (vulkan->instance, &n, devices),
          "vkEnumeratePhysicalDevices()", GST_GLES_ERROR_INIT, error))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    if (is_device (vulkan, devices[i], uuids)) {
      vulkan->physical = devices[i];
      get_memory (vulkan->physical, &vulkan->memory);
      return TRUE;
    }
  }
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NOT_FOUND,
      "none of %u Vulkan devices is this OpenGL ES device; install the Vulkan driver that belongs "
      "to its OpenGL ES driver",
      n);
  return FALSE;
}

static const VkExternalMemoryBufferCreateInfo external_buffer = {
  .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
  .handleTypes = HANDLE,
};

static const VkBufferUsageFlags buffer_usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
    VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

static gboolean
check_exportable (GstGlesVulkan *vulkan, GError **error)
{
  const VkPhysicalDeviceExternalBufferInfo info = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
    .usage = buffer_usage,
    .handleType = HANDLE,
  };
  VkExternalBufferProperties properties = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES,
  };
  INSTANCE_PROC (vulkan, get_properties, vkGetPhysicalDeviceExternalBufferProperties);

  get_properties (vulkan->physical, &info, &properties);
  if ((properties.externalMemoryProperties.externalMemoryFeatures &
          VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT) != 0)
    return TRUE;
  g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_INIT,
      "Vulkan: the driver does not give away memory of buffers");
  return FALSE;
}

/* Chooses the queues that copy. A family that can do nothing but copy stands for engines that work
 * beside the kernels of other queues. */
static void
choose_queues (GstGlesVulkan *vulkan)
{
  const VkQueueFlags kernels = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
  INSTANCE_PROC (vulkan, get_families, vkGetPhysicalDeviceQueueFamilyProperties);
  g_autofree VkQueueFamilyProperties *families = NULL;
  guint32 n = 0;

  get_families (vulkan->physical, &n, NULL);
  families = g_new0 (VkQueueFamilyProperties, n + 1);
  get_families (vulkan->physical, &n, families);
  vulkan->n_queues = MIN (families[0].queueCount, GST_GLES_VULKAN_MAX_QUEUES);
  for (guint32 i = 0; i < n && !vulkan->has_engine; i++) {
    if ((families[i].queueFlags & VK_QUEUE_TRANSFER_BIT) == 0 ||
        (families[i].queueFlags & kernels) != 0)
      continue;
    vulkan->has_engine = TRUE;
    vulkan->family = i;
    vulkan->n_queues = MIN (families[i].queueCount, GST_GLES_VULKAN_MAX_QUEUES);
  }
}

static gboolean
make_device (GstGlesVulkan *vulkan, GError **error)
{
  static const gchar *const extensions[] = { VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME };
  const gfloat priorities[GST_GLES_VULKAN_MAX_QUEUES] = { 1, 1 };
  VkDeviceQueueCreateInfo queues = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
    .pQueuePriorities = priorities,
  };
  const VkDeviceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
    .queueCreateInfoCount = 1,
    .pQueueCreateInfos = &queues,
    .enabledExtensionCount = G_N_ELEMENTS (extensions),
    .ppEnabledExtensionNames = extensions,
  };
  INSTANCE_PROC (vulkan, create, vkCreateDevice);
  INSTANCE_PROC (vulkan, get, vkGetDeviceProcAddr);

  choose_queues (vulkan);
  queues.queueFamilyIndex = vulkan->family;
  queues.queueCount = vulkan->n_queues;
  if (!gst_gles_vulkan_check (create (vulkan->physical, &info, NULL, &vulkan->device),
          "vkCreateDevice() with " VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, GST_GLES_ERROR_INIT,
          error)) {
    vulkan->device = VK_NULL_HANDLE;
    return FALSE;
  }
#define LOAD(name, entry) vulkan->name = (PFN_##entry) get (vulkan->device, #entry);
  GST_GLES_VULKAN_PROCS (LOAD)
  for (guint i = 0; i < vulkan->n_queues; i++)
    vulkan->get_queue (vulkan->device, vulkan->family, i, &vulkan->queues[i].handle);
  return TRUE;
}

GstGlesVulkan *
gst_gles_vulkan_new (const GstGlesUuids *uuids, GError **error)
{
  GstGlesVulkan *vulkan = g_new0 (GstGlesVulkan, 1);

  g_mutex_init (&vulkan->lock);
  for (guint i = 0; i < GST_GLES_VULKAN_MAX_QUEUES; i++)
    g_mutex_init (&vulkan->queues[i].lock);
  if (open_loader (vulkan, error) && make_instance (vulkan, error) &&
      find_device (vulkan, uuids, error) && check_exportable (vulkan, error) &&
      make_device (vulkan, error))
    return vulkan;
  gst_gles_vulkan_free (vulkan);
  return NULL;
}

void
gst_gles_vulkan_free (GstGlesVulkan *vulkan)
{
  if (vulkan == NULL)
    return;
  if (vulkan->pool != VK_NULL_HANDLE)
    vulkan->destroy_pool (vulkan->device, vulkan->pool, NULL);
  if (vulkan->device != VK_NULL_HANDLE)
    vulkan->destroy_device (vulkan->device, NULL);
  if (vulkan->instance != VK_NULL_HANDLE)
    vulkan->destroy_instance (vulkan->instance, NULL);
  if (vulkan->loader != NULL)
    dlclose (vulkan->loader);
  g_mutex_clear (&vulkan->lock);
  for (guint i = 0; i < GST_GLES_VULKAN_MAX_QUEUES; i++)
    g_mutex_clear (&vulkan->queues[i].lock);
  g_free (vulkan);
}

gint
gst_gles_vulkan_find_memory (
    const GstGlesVulkan *vulkan, VkMemoryPropertyFlags flags, guint32 allowed, guint64 bytes)
{
  for (guint i = 0; i < vulkan->memory.memoryTypeCount; i++) {
    const VkMemoryType *type = &vulkan->memory.memoryTypes[i];

    if ((allowed >> i & 1) != 0 && (type->propertyFlags & flags) == flags &&
        bytes <= vulkan->memory.memoryHeaps[type->heapIndex].size)
      return i;
  }
  return -1;
}

gboolean
gst_gles_vulkan_has_engine (GstGlesVulkan *vulkan)
{
  return vulkan->has_engine;
}

static void
set_no_memory (guint64 bytes, GError **error)
{
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
      "Vulkan: the device has no memory of its own for %" G_GUINT64_FORMAT " bytes", bytes);
}

/* Allocates dedicated memory for @buffer, which drivers do faster (1 GiB on an H100: 2 ms, not 16
 * ms). */
static gint
export_memory (GstGlesVulkan *vulkan, VkBuffer buffer, guint64 *memory_bytes, GError **error)
{
  VkMemoryRequirements needs;
  VkDeviceMemory memory;
  const VkMemoryDedicatedAllocateInfo dedicated = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
    .buffer = buffer,
  };
  const VkExportMemoryAllocateInfo exported = {
    .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
    .pNext = &dedicated,
    .handleTypes = HANDLE,
  };
  VkMemoryAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
    .pNext = &exported,
  };
  VkMemoryGetFdInfoKHR handle = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
    .handleType = HANDLE,
  };
  gint type, fd = -1;

  vulkan->get_requirements (vulkan->device, buffer, &needs);
  type = gst_gles_vulkan_find_memory (
      vulkan, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, needs.memoryTypeBits, needs.size);
  if (type < 0) {
    set_no_memory (needs.size, error);
    return -1;
  }
  info.allocationSize = needs.size;
  info.memoryTypeIndex = type;
  if (!gst_gles_vulkan_check (vulkan->allocate (vulkan->device, &info, NULL, &memory),
          "vkAllocateMemory()", GST_GLES_ERROR_NO_MEMORY, error))
    return -1;
  handle.memory = memory;
  if (!gst_gles_vulkan_check (vulkan->get_fd (vulkan->device, &handle, &fd), "vkGetMemoryFdKHR()",
          GST_GLES_ERROR_NO_MEMORY, error))
    fd = -1;
  /* The file descriptor holds its own reference to the memory. */
  vulkan->free (vulkan->device, memory, NULL);
  *memory_bytes = needs.size;
  return fd;
}

gboolean
gst_gles_vulkan_make_buffer (
    GstGlesVulkan *vulkan, guint64 size_bytes, VkBuffer *buffer, GError **error)
{
  const VkBufferCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
    .pNext = &external_buffer,
    .size = size_bytes,
    .usage = buffer_usage,
  };

  if (gst_gles_vulkan_check (vulkan->create_buffer (vulkan->device, &info, NULL, buffer),
          "vkCreateBuffer()", GST_GLES_ERROR_NO_MEMORY, error))
    return TRUE;
  *buffer = VK_NULL_HANDLE;
  return FALSE;
}

gint
gst_gles_vulkan_export (
    GstGlesVulkan *vulkan, gsize size_bytes, guint64 *memory_bytes, GError **error)
{
  const guint64 bytes =
      ((guint64) size_bytes + SLACK_BYTES + GRAIN_BYTES - 1) / GRAIN_BYTES * GRAIN_BYTES;
  VkBuffer buffer;
  gint fd;

  if (gst_gles_vulkan_find_memory (
          vulkan, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, G_MAXUINT32, bytes) < 0) {
    set_no_memory (bytes, error);
    return -1;
  }
  if (!gst_gles_vulkan_make_buffer (vulkan, bytes, &buffer, error))
    return -1;
  fd = export_memory (vulkan, buffer, memory_bytes, error);
  vulkan->destroy_buffer (vulkan->device, buffer, NULL);
  return fd;
}
