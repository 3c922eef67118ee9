/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in DMABufs, which the kernel allocates: from its system heap, or as udmabufs. No GPU takes
 * part, so its driver decides whether it imports such memory. */
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <gst/allocators/allocators.h>

#include "streams.h"

#define HEAP_PATH "/dev/dma_heap/system"
#define UDMABUF_PATH "/dev/udmabuf"

/* Returns a descriptor of a DMABuf of @size bytes, a multiple of the size of a page; -1 with errno.
 * @device is a descriptor of the device that allocates. */
typedef int (*DmaBufNew) (int device, gsize size);

static int
heap_new (int device, gsize size)
{
  struct dma_heap_allocation_data data = { .len = size, .fd_flags = O_RDWR | O_CLOEXEC };

  return ioctl (device, DMA_HEAP_IOCTL_ALLOC, &data) < 0 ? -1 : (int) data.fd;
}

static int
udmabuf_new (int device, gsize size)
{
  struct udmabuf_create create = { .flags = UDMABUF_FLAGS_CLOEXEC, .size = size };
  const int memory = memfd_create ("frame", MFD_ALLOW_SEALING | MFD_CLOEXEC);
  int fd = -1, why;

  if (memory < 0)
    return -1;
  create.memfd = (guint32) memory;
  /* the kernel takes only memory that cannot shrink */
  if (ftruncate (memory, (off_t) size) == 0 && fcntl (memory, F_ADD_SEALS, F_SEAL_SHRINK) == 0)
    fd = ioctl (device, UDMABUF_CREATE, &create);
  why = errno;
  close (memory);
  errno = why;
  return fd;
}

static const struct {
  const gchar *path;
  DmaBufNew new_buffer;
} makers[] = { { HEAP_PATH, heap_new }, { UDMABUF_PATH, udmabuf_new } };

/* Opens the first of the makers that exists and is permitted, and sets *index; -1 with @error. */
static int
open_maker (guint *index, GError **error)
{
  g_autoptr (GString) reasons = g_string_new (NULL);
  gboolean forbidden = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (makers); i++) {
    const int device = open (makers[i].path, O_RDWR | O_CLOEXEC);

    if (device >= 0) {
      *index = i;
      return device;
    }
    forbidden |= errno == EACCES || errno == EPERM;
    g_string_append_printf (
        reasons, "%s%s: %s", i > 0 ? "; " : "", makers[i].path, g_strerror (errno));
  }
  g_set_error (error, GST_RESOURCE_ERROR,
      forbidden ? GST_RESOURCE_ERROR_OPEN_READ_WRITE : GST_RESOURCE_ERROR_NOT_FOUND,
      "nothing allocates DMABufs here (%s): %s", reasons->str,
      forbidden ? "run this as a user who may open one of them"
                : "run `modprobe udmabuf`, or a kernel with CONFIG_DMABUF_HEAPS_SYSTEM or "
                  "CONFIG_UDMABUF");
  return -1;
}

/* Returns a buffer of one DMABuf with the contents of @frame: (transfer full) (nullable). */
static GstBuffer *
copy_frame (GstAllocator *allocator, guint maker, int device, GstBuffer *frame, GError **error)
{
  const gsize page = (gsize) sysconf (_SC_PAGESIZE), size = gst_buffer_get_size (frame);
  const int fd = makers[maker].new_buffer (device, (size + page - 1) / page * page);
  GstBuffer *buffer;
  GstMapInfo map;

  if (fd < 0) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
        "%s does not allocate %" G_GSIZE_FORMAT " bytes: %s; ask for fewer --streams or --distinct "
        "frames, or a smaller --size",
        makers[maker].path, size, g_strerror (errno));
    return NULL;
  }
  buffer = gst_buffer_new ();
  gst_buffer_append_memory (buffer, gst_dmabuf_allocator_alloc (allocator, fd, size));
  if (!gst_buffer_map (buffer, &map, GST_MAP_WRITE)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_WRITE,
        "a DMABuf from %s cannot be mapped", makers[maker].path);
    gst_buffer_unref (buffer);
    return NULL;
  }
  gst_buffer_extract (frame, 0, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

gboolean
streams_dmabuf_convert (GPtrArray *frames, GError **error)
{
  guint maker = 0;
  const int device = open_maker (&maker, error);
  GstAllocator *allocator;
  gboolean ok = TRUE;

  if (device < 0)
    return FALSE;
  allocator = gst_dmabuf_allocator_new ();
  for (guint i = 0; ok && i < frames->len; i++) {
    GstBuffer *copy = copy_frame (allocator, maker, device, frames->pdata[i], error);

    ok = copy != NULL;
    if (ok) {
      gst_buffer_unref (frames->pdata[i]);
      frames->pdata[i] = copy;
    }
  }
  gst_object_unref (allocator);
  close (device);
  return ok;
}

GstCaps *
streams_dmabuf_caps (const GstVideoInfo *video)
{
  GstCaps *caps = gst_video_info_to_caps ((GstVideoInfo *) video);

  gst_caps_set_features_simple (
      caps, gst_caps_features_new (GST_CAPS_FEATURE_MEMORY_DMABUF, (const gchar *) NULL));
#if GST_CHECK_VERSION(1, 24, 0)
  const guint32 fourcc = gst_video_dma_drm_fourcc_from_format (GST_VIDEO_INFO_FORMAT (video));

  /* 0 is DRM_FORMAT_INVALID, of formats that DRM does not know; as a modifier it is linear */
  if (fourcc != 0) {
    g_autofree gchar *text = gst_video_dma_drm_fourcc_to_string (fourcc, 0);

    gst_caps_set_simple (
        caps, "format", G_TYPE_STRING, "DMA_DRM", "drm-format", G_TYPE_STRING, text, NULL);
  }
#endif
  return caps;
}
