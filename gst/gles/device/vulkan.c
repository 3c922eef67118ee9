/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <dlfcn.h>
#include <string.h>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <gst/gles/core/error.h>
#include <gst/gles/device/vulkan.h>

#define LOADER "libvulkan.so.1"
#define HANDLE VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT

/* llvmpipe imports memory only if it is larger than the buffer by llvmpipe's own padding. */
#define SLACK_BYTES 64
#define GRAIN_BYTES (2 * 1024 * 1024)

/* Declares a variable NAME of an entry point of the instance. */
#define INSTANCE_PROC(vulkan, name, entry)                                                         \
  PFN_##entry name = (PFN_##entry) (vulkan)->get_proc ((vulkan)->instance, #entry)

/* X (MEMBER, NAME) of the entry points of the device */
#define DEVICE_PROCS(X)                                                                            \
  X (destroy_device, vkDestroyDevice)                                                              \
  X (create_buffer, vkCreateBuffer)                                                                \
  X (destroy_buffer, vkDestroyBuffer)                                                              \
  X (get_requirements, vkGetBufferMemoryRequirements)                                              \
  X (allocate, vkAllocateMemory)                                                                   \
  X (free, vkFreeMemory)                                                                           \
  X (get_fd, vkGetMemoryFdKHR)

struct _GstGlesVulkan {
  gpointer loader;
  PFN_vkGetInstanceProcAddr get_proc;
  VkInstance instance;
  VkPhysicalDevice physical;
  VkPhysicalDeviceMemoryProperties memory;
  VkDevice device;

  PFN_vkDestroyInstance destroy_instance;
#define MEMBER(name, entry) PFN_##entry name;
  DEVICE_PROCS (MEMBER)
};

static gboolean
check (VkResult result, const gchar *what, gint code, GError **error)
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

  if (!check (create (&info, NULL, &vulkan->instance), "vkCreateInstance()", GST_GLES_ERROR_INIT,
          error)) {
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

  if (!check (enumerate (vulkan->instance, &n, NULL), "vkEnumeratePhysicalDevices()",
          GST_GLES_ERROR_INIT, error))
    return FALSE;
  devices = g_new0 (VkPhysicalDevice, n + 1);
  if (!check (enumerate (vulkan->instance, &n, devices), "vkEnumeratePhysicalDevices()",
          GST_GLES_ERROR_INIT, error))
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

static gboolean
make_device (GstGlesVulkan *vulkan, GError **error)
{
  static const gchar *const extensions[] = { VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME };
  const gfloat priority = 1;
  /* Vulkan requires a queue; nothing is ever submitted to it. */
  const VkDeviceQueueCreateInfo queue = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
    .queueCount = 1,
    .pQueuePriorities = &priority,
  };
  const VkDeviceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
    .queueCreateInfoCount = 1,
    .pQueueCreateInfos = &queue,
    .enabledExtensionCount = G_N_ELEMENTS (extensions),
    .ppEnabledExtensionNames = extensions,
  };
  INSTANCE_PROC (vulkan, create, vkCreateDevice);
  INSTANCE_PROC (vulkan, get, vkGetDeviceProcAddr);

  if (!check (create (vulkan->physical, &info, NULL, &vulkan->device),
          "vkCreateDevice() with " VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, GST_GLES_ERROR_INIT,
          error)) {
    vulkan->device = VK_NULL_HANDLE;
    return FALSE;
  }
#define LOAD(name, entry) vulkan->name = (PFN_##entry) get (vulkan->device, #entry);
  DEVICE_PROCS (LOAD)
  return TRUE;
}

GstGlesVulkan *
gst_gles_vulkan_new (const GstGlesUuids *uuids, GError **error)
{
  GstGlesVulkan *vulkan = g_new0 (GstGlesVulkan, 1);

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
  if (vulkan->device != VK_NULL_HANDLE)
    vulkan->destroy_device (vulkan->device, NULL);
  if (vulkan->instance != VK_NULL_HANDLE)
    vulkan->destroy_instance (vulkan->instance, NULL);
  if (vulkan->loader != NULL)
    dlclose (vulkan->loader);
  g_free (vulkan);
}

/* Returns the first memory type in @allowed whose heap is local to the device and has at least
 * @bytes in all, or -1. Vulkan lists the fastest of otherwise equal types first and forbids
 * requests above a heap's size. */
static gint
find_memory_type (const GstGlesVulkan *vulkan, guint32 allowed, guint64 bytes)
{
  for (guint i = 0; i < vulkan->memory.memoryTypeCount; i++) {
    const VkMemoryType *type = &vulkan->memory.memoryTypes[i];

    if ((allowed >> i & 1) != 0 &&
        (type->propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0 &&
        bytes <= vulkan->memory.memoryHeaps[type->heapIndex].size)
      return i;
  }
  return -1;
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
  type = find_memory_type (vulkan, needs.memoryTypeBits, needs.size);
  if (type < 0) {
    set_no_memory (needs.size, error);
    return -1;
  }
  info.allocationSize = needs.size;
  info.memoryTypeIndex = type;
  if (!check (vulkan->allocate (vulkan->device, &info, NULL, &memory), "vkAllocateMemory()",
          GST_GLES_ERROR_NO_MEMORY, error))
    return -1;
  handle.memory = memory;
  if (!check (vulkan->get_fd (vulkan->device, &handle, &fd), "vkGetMemoryFdKHR()",
          GST_GLES_ERROR_NO_MEMORY, error))
    fd = -1;
  /* The file descriptor holds its own reference to the memory. */
  vulkan->free (vulkan->device, memory, NULL);
  *memory_bytes = needs.size;
  return fd;
}

gint
gst_gles_vulkan_export (
    GstGlesVulkan *vulkan, gsize size_bytes, guint64 *memory_bytes, GError **error)
{
  const VkBufferCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
    .pNext = &external_buffer,
    .size = ((guint64) size_bytes + SLACK_BYTES + GRAIN_BYTES - 1) / GRAIN_BYTES * GRAIN_BYTES,
    .usage = buffer_usage,
  };
  VkBuffer buffer;
  gint fd;

  if (find_memory_type (vulkan, G_MAXUINT32, info.size) < 0) {
    set_no_memory (info.size, error);
    return -1;
  }
  if (!check (vulkan->create_buffer (vulkan->device, &info, NULL, &buffer), "vkCreateBuffer()",
          GST_GLES_ERROR_NO_MEMORY, error))
    return -1;
  fd = export_memory (vulkan, buffer, memory_bytes, error);
  vulkan->destroy_buffer (vulkan->device, buffer, NULL);
  return fd;
}
