/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in other memory than the system's, converted once, before anything is timed. DMABufs are
 * allocated by the kernel: from its system heap, or as udmabufs. No GPU takes part, so its driver
 * decides whether it imports such memory. For memory of OpenGL and of CUDA an element of GStreamer
 * does it, so this program needs neither library. */
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <gst/allocators/allocators.h>

#include "streams.h"

/* ---- caps ---- */

/* Sets the DRM format of frames in DMABufs, where GStreamer has one. */
static void
set_drm_format (GstCaps *caps, const GstVideoInfo *video)
{
#if GST_CHECK_VERSION(1, 24, 0)
  const guint32 fourcc = gst_video_dma_drm_fourcc_from_format (GST_VIDEO_INFO_FORMAT (video));

  /* 0 is DRM_FORMAT_INVALID, of formats that DRM does not know; as a modifier it is linear */
  if (fourcc != 0) {
    g_autofree gchar *text = gst_video_dma_drm_fourcc_to_string (fourcc, 0);

    gst_caps_set_simple (
        caps, "format", G_TYPE_STRING, "DMA_DRM", "drm-format", G_TYPE_STRING, text, NULL);
  }
#endif
}

GstCaps *
streams_memory_caps (const StreamsOptions *options)
{
  static const gchar *const features[STREAMS_N_MEMORIES] = {
    [STREAMS_DMABUF] = "memory:DMABuf",
    [STREAMS_GL] = "memory:GLMemory",
    [STREAMS_CUDA] = "memory:CUDAMemory",
  };
  GstCaps *caps = gst_video_info_to_caps ((GstVideoInfo *) &options->video);

  if (features[options->memory] != NULL)
    gst_caps_set_features_simple (caps, gst_caps_features_new (features[options->memory], NULL));
  if (options->memory == STREAMS_DMABUF)
    set_drm_format (caps, &options->video);
  if (options->memory == STREAMS_GL)
    gst_caps_set_simple (caps, "texture-target", G_TYPE_STRING, "2D", NULL);
  return caps;
}

/* ---- DMABufs ---- */

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

/* What makes copies of frames in another memory. */
typedef struct {
  guint maker;
  int device; /* of the maker */
  GstAllocator *allocator;
  GstElement *in, *out; /* of a pipeline of OpenGL or CUDA */
} Converter;

/* Replaces @frames by what @convert makes of each: (transfer full) (nullable). */
static gboolean
replace_frames (GPtrArray *frames,
    GstBuffer *(*convert) (const Converter *, GstBuffer *, GError **), const Converter *converter,
    GError **error)
{
  for (guint i = 0; i < frames->len; i++) {
    GstBuffer *copy = convert (converter, frames->pdata[i], error);

    if (copy == NULL)
      return FALSE;
    gst_buffer_unref (frames->pdata[i]);
    frames->pdata[i] = copy;
  }
  return TRUE;
}

/* Opens the first of the makers that exists and is permitted. */
static gboolean
open_maker (Converter *converter, GError **error)
{
  g_autoptr (GString) reasons = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (makers); i++) {
    converter->maker = i;
    converter->device = open (makers[i].path, O_RDWR | O_CLOEXEC);
    if (converter->device >= 0)
      return TRUE;
    g_string_append_printf (
        reasons, "%s%s: %s", i > 0 ? "; " : "", makers[i].path, g_strerror (errno));
  }
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ_WRITE,
      "nothing allocates DMABufs here (%s): run this as a user who may open one of them; or run "
      "`modprobe udmabuf`, or a kernel with CONFIG_DMABUF_HEAPS_SYSTEM or CONFIG_UDMABUF",
      reasons->str);
  return FALSE;
}

/* Returns a buffer of one DMABuf with the contents of @frame. */
static GstBuffer *
copy_to_dmabuf (const Converter *converter, GstBuffer *frame, GError **error)
{
  const gsize page = (gsize) sysconf (_SC_PAGESIZE), size = gst_buffer_get_size (frame);
  const int fd =
      makers[converter->maker].new_buffer (converter->device, (size + page - 1) / page * page);
  GstBuffer *buffer = gst_buffer_new ();
  GstMapInfo map;

  if (fd >= 0)
    gst_buffer_append_memory (buffer, gst_dmabuf_allocator_alloc (converter->allocator, fd, size));
  if (fd < 0 || !gst_buffer_map (buffer, &map, GST_MAP_WRITE)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
        "%s does not allocate %" G_GSIZE_FORMAT " bytes: %s; ask for fewer --streams or --distinct "
        "frames, or a smaller --size",
        makers[converter->maker].path, size, g_strerror (errno));
    gst_buffer_unref (buffer);
    return NULL;
  }
  gst_buffer_extract (frame, 0, map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

static gboolean
convert_to_dmabufs (GPtrArray *frames, GError **error)
{
  Converter converter = { .maker = 0 };
  gboolean ok;

  if (!open_maker (&converter, error))
    return FALSE;
  converter.allocator = gst_dmabuf_allocator_new ();
  ok = replace_frames (frames, copy_to_dmabuf, &converter, error);
  gst_object_unref (converter.allocator);
  close (converter.device);
  return ok;
}

/* ---- OpenGL and CUDA ---- */

#define CONVERT_TIMEOUT_NS (60 * GST_SECOND)

/* Textures need a context without a window; who has a display can say so in these variables. */
static void
prefer_no_window (void)
{
  g_setenv ("GST_GL_WINDOW", "egl-device", FALSE);
  g_setenv ("GST_GL_PLATFORM", "egl", FALSE);
  g_setenv ("GST_GL_API", "gles2", FALSE);
}

static GstElement *
make_pipeline (const StreamsOptions *options, const gchar *converter, GError **error)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (converter);
  g_autoptr (GstCaps) from = gst_video_info_to_caps ((GstVideoInfo *) &options->video);
  g_autoptr (GstCaps) to = streams_memory_caps (options);
  g_autofree gchar *from_text = gst_caps_to_string (from), *to_text = gst_caps_to_string (to);
  g_autofree gchar *text = g_strdup_printf (
      "appsrc name=in format=time caps=\"%s\" ! %s ! appsink name=out sync=false caps=\"%s\"",
      from_text, converter, to_text);

  if (factory == NULL) {
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN,
        "this GStreamer has no element \"%s\", which brings them into that memory", converter);
    return NULL;
  }
  return gst_parse_launch_full (text, NULL, GST_PARSE_FLAG_FATAL_ERRORS, error);
}

/* Sets @error to what an element of @pipeline posted, if one did. */
static void
explain (GstElement *pipeline, const gchar *converter, GError **error)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);

  if (message != NULL)
    gst_message_parse_error (message, error, NULL);
  else
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED, "no frame came out");
  g_prefix_error (error, "%s: ", converter);
}

/* Removes the fence behind a frame's textures: each copy of the buffer would have one of its own,
 * which is work for the GPU. Other fences follow, which cover it. */
static gboolean
drop_fence (GstBuffer *buffer, GstMeta **meta, gpointer user_data)
{
  if (g_str_equal (g_type_name ((*meta)->info->api), "GstGLSyncMetaAPI"))
    *meta = NULL;
  return TRUE;
}

/* Returns @frame as it comes out of the pipeline. */
static GstBuffer *
convert_frame (const Converter *converter, GstBuffer *frame, GError **error)
{
  g_autoptr (GstSample) sample = NULL;
  GstFlowReturn flow = GST_FLOW_ERROR;
  GstBuffer *converted;

  g_signal_emit_by_name (converter->in, "push-buffer", frame, &flow);
  if (flow == GST_FLOW_OK)
    g_signal_emit_by_name (
        converter->out, "try-pull-sample", (guint64) CONVERT_TIMEOUT_NS, &sample);
  if (sample == NULL)
    return NULL;
  converted = gst_buffer_copy (gst_sample_get_buffer (sample));
  gst_buffer_foreach_meta (converted, drop_fence, NULL);
  return converted;
}

gboolean
streams_memory_convert (const StreamsOptions *options, GPtrArray *frames, GError **error)
{
  const gchar *element = options->memory == STREAMS_GL ? "glupload" : "cudaupload";
  g_autoptr (GstElement) pipeline = NULL, in = NULL, out = NULL;
  gboolean ok;

  if (options->memory == STREAMS_DMABUF)
    return convert_to_dmabufs (frames, error);
  if (options->memory != STREAMS_GL && options->memory != STREAMS_CUDA)
    return TRUE;
  prefer_no_window ();
  pipeline = make_pipeline (options, element, error);
  if (pipeline == NULL)
    return FALSE;
  gst_object_ref_sink (pipeline);
  in = gst_bin_get_by_name (GST_BIN (pipeline), "in");
  out = gst_bin_get_by_name (GST_BIN (pipeline), "out");
  ok = gst_element_set_state (pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE &&
      replace_frames (frames, convert_frame, &(Converter){ .in = in, .out = out }, error);
  if (!ok)
    explain (pipeline, element, error);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return ok;
}
