/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/allocators/allocators.h>

#if HAVE_GST_GL
#include <gst/gl/gl.h>
#endif

#include <gst/gles/core/error.h>
#include <gst/gles/device/device-share.h>
#include <gst/gles/import/carrier-cuda.h>
#include <gst/gles/import/caps.h>
#include <gst/gles/import/format.h>
#include <gst/gles/import/source.h>

/* DMA_DRM, with the DRM format and its modifier in a field, came with GStreamer 1.24. */
#define HAVE_DMA_DRM GST_CHECK_VERSION (1, 24, 0)

/* Begins the description of memory that is not read. */
#define REFUSED "no: "

/* ---- what devices read ---- */

/* Imports bring nothing on a software device: its memory is the host's, and Mesa's software drivers
 * crash or fail for some DMABufs. */
static gboolean
imports_dmabufs (GstGlesDevice *device)
{
  return gst_gles_device_get_kind (device) == GST_GLES_DEVICE_HARDWARE &&
      gst_gles_device_get_share (device)->images.dmabufs;
}

static gboolean
reads_textures (GstGlesDevice *device)
{
  return HAVE_GST_GL && gst_gles_device_get_kind (device) != GST_GLES_DEVICE_CPU &&
      gst_gles_device_get_share (device)->images.textures;
}

#if HAVE_CUDA
/* Opens the driver of CUDA only in processes that use it. */
static gboolean
reads_cuda (GstGlesDevice *device)
{
  return gst_gles_device_get_kind (device) == GST_GLES_DEVICE_HARDWARE &&
      gst_gles_cuda_is_present () &&
      gst_gles_cuda_is_readable (gst_gles_device_get_share (device), NULL);
}
#endif

static gchar *
describe_dmabuf (GstGlesDevice *device)
{
  g_autoptr (GArray) modifiers = NULL;

  if (gst_gles_device_get_kind (device) != GST_GLES_DEVICE_HARDWARE)
    return g_strdup ("mapped, linear layouts only (this device shares the host's memory)");
  if (!imports_dmabufs (device))
    return g_strdup ("mapped, linear layouts only (the driver lacks EGL_EXT_image_dma_buf_import)");
  modifiers = gst_gles_image_support_list_modifiers (&gst_gles_device_get_share (device)->images);
  return g_strdup_printf ("imported, linear and %u tiled layouts", modifiers->len);
}

static gchar *
describe_textures (GstGlesDevice *device)
{
  if (!HAVE_GST_GL)
    return g_strdup (REFUSED "this build has no libgstgl; put gldownload before the element");
  if (gst_gles_device_get_kind (device) == GST_GLES_DEVICE_CPU)
    return g_strdup (REFUSED "this device has no OpenGL ES; put gldownload before the element, or "
                             "use device=software");
  if (!reads_textures (device))
    return g_strdup (
        REFUSED "the driver lacks EGL_KHR_gl_texture_2D_image or EGL_KHR_wait_sync; put "
                "gldownload before the element");
  return g_strdup ("read on the device if it is of the same EGL display, else downloaded");
}

static gchar *
describe_cuda (GstGlesDevice *device)
{
#if HAVE_CUDA
  g_autoptr (GError) error = NULL;

  if (gst_gles_device_get_kind (device) == GST_GLES_DEVICE_HARDWARE &&
      gst_gles_cuda_is_readable (gst_gles_device_get_share (device), &error))
    return g_strdup ("copied on the device (GStreamer 1.24)");
  return g_strdup_printf (REFUSED "%s; put cudadownload before the element",
      error != NULL ? error->message : "this device is not a GPU");
#else
  return g_strdup (
      REFUSED "this build has no CUDA (option `cuda`); put cudadownload before the element");
#endif
}

static gchar *
describe_system (GstGlesDevice *device)
{
  return g_strdup (gst_gles_device_get_kind (device) == GST_GLES_DEVICE_CPU
          ? "read where it is"
          : "mapped, and copied to the device");
}

/* What caps call each kind of memory, and what is said of it. */
static const struct {
  const gchar *name;
  gchar *(*describe) (GstGlesDevice *device); /* begins with REFUSED if it is not read */
} memories[GST_GLES_FRAME_N_MEMORIES] = {
  [GST_GLES_FRAME_SYSTEM] = { "memory:SystemMemory", describe_system },
  [GST_GLES_FRAME_DMABUF] = { "memory:DMABuf", describe_dmabuf },
  [GST_GLES_FRAME_GL] = { "memory:GLMemory", describe_textures },
  [GST_GLES_FRAME_CUDA] = { "memory:CUDAMemory", describe_cuda },
};

const gchar *
gst_gles_frame_memory_name (GstGlesFrameMemory memory)
{
  return memories[memory].name;
}

gchar *
gst_gles_frame_memory_describe (GstGlesDevice *device, GstGlesFrameMemory memory, gboolean *reads)
{
  gchar *how = memories[memory].describe (device);

  *reads = !g_str_has_prefix (how, REFUSED);
  return how;
}

/* ---- caps ---- */

/* Adds @caps (transfer full) with the feature of @memory to @all. */
static void
append_memory (GstCaps *all, GstCaps *caps, GstGlesFrameMemory memory)
{
  gst_caps_set_features_simple (
      caps, gst_caps_features_new (memories[memory].name, (const gchar *) NULL));
  gst_caps_append (all, caps);
}

/* Adds the caps of fields in buffers of their own. No element puts them into textures or memory of
 * CUDA. Without a name of memory, features mean the system's. */
static void
append_fields (GstCaps *all, const gchar *memory)
{
  GstCaps *caps = gst_gles_format_caps ();

  gst_caps_set_simple (caps, "interlace-mode", G_TYPE_STRING, "alternate", NULL);
  gst_caps_set_features_simple (
      caps, gst_caps_features_new (GST_CAPS_FEATURE_FORMAT_INTERLACED, memory, NULL));
  gst_caps_append (all, caps);
}

#if HAVE_GST_GL
static GstCaps *
texture_caps (void)
{
  g_autoptr (GstCaps) all = gst_gles_format_caps ();
  g_autoptr (GstCaps) gl =
      gst_caps_from_string ("video/x-raw, format = (string) " GST_GL_MEMORY_VIDEO_FORMATS_STR);
  GstCaps *caps = gst_caps_intersect (all, gl);

  gst_caps_set_simple (caps, "texture-target", G_TYPE_STRING, "2D", NULL);
  return caps;
}
#endif

#if HAVE_DMA_DRM
/* Adds to @list, of strings, the DRM format of @format in @modifier, if there is one. */
static void
append_drm_format (GValue *list, GstVideoFormat format, guint64 modifier)
{
  guint32 fourcc = gst_video_dma_drm_fourcc_from_format (format);
  GValue value = G_VALUE_INIT;
  gchar *text;

  if (fourcc == 0) /* DRM_FORMAT_INVALID */
    return;
  text = gst_video_dma_drm_fourcc_to_string (fourcc, modifier);
  if (text == NULL)
    return;
  g_value_init (&value, G_TYPE_STRING);
  g_value_take_string (&value, text);
  gst_value_list_append_and_take_value (list, &value);
}

/* The DRM formats that @device (nullable: any) reads. */
static GstCaps *
drm_caps (GstGlesDevice *device)
{
  guint n_formats;
  const GstVideoFormat *formats = gst_gles_format_list (&n_formats);
  GstCaps *caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING, "DMA_DRM", "width",
      GST_TYPE_INT_RANGE, 1, G_MAXINT, "height", GST_TYPE_INT_RANGE, 1, G_MAXINT, "framerate",
      GST_TYPE_FRACTION_RANGE, 0, 1, G_MAXINT, 1, NULL);
  g_autoptr (GArray) modifiers = NULL;
  GValue list = G_VALUE_INIT;

  if (device == NULL)
    return caps;
  if (imports_dmabufs (device))
    modifiers = gst_gles_image_support_list_modifiers (&gst_gles_device_get_share (device)->images);
  gst_value_list_init (&list, n_formats);
  for (guint i = 0; i < n_formats; i++) {
    append_drm_format (&list, formats[i], GST_GLES_MODIFIER_LINEAR);
    for (guint k = 0; modifiers != NULL && k < modifiers->len; k++)
      append_drm_format (&list, formats[i], g_array_index (modifiers, guint64, k));
  }
  gst_caps_set_value (caps, "drm-format", &list);
  g_value_unset (&list);
  return caps;
}
#endif

/* The caps that @device (nullable: any) reads. */
static GstCaps *
readable_caps (GstGlesDevice *device)
{
  GstCaps *caps = gst_gles_format_caps ();

#if HAVE_DMA_DRM
  append_memory (caps, drm_caps (device), GST_GLES_FRAME_DMABUF);
#endif
  append_memory (caps, gst_gles_format_caps (), GST_GLES_FRAME_DMABUF);
#if HAVE_GST_GL
  if (device == NULL || reads_textures (device))
    append_memory (caps, texture_caps (), GST_GLES_FRAME_GL);
#endif
#if HAVE_CUDA
  if (device == NULL || reads_cuda (device))
    append_memory (caps, gst_gles_format_caps (), GST_GLES_FRAME_CUDA);
#endif
  append_fields (caps, NULL);
  append_fields (caps, memories[GST_GLES_FRAME_DMABUF].name);
  return caps;
}

GstCaps *
gst_gles_frame_caps (void)
{
  return readable_caps (NULL);
}

GstCaps *
gst_gles_frame_caps_for_device (const GstCaps *caps, GstGlesDevice *device)
{
  g_autoptr (GstCaps) readable = NULL;

  if (device == NULL || gst_caps_is_any (caps))
    return gst_caps_copy (caps);
  readable = readable_caps (device);
  return gst_caps_intersect_full ((GstCaps *) caps, readable, GST_CAPS_INTERSECT_FIRST);
}

static gboolean
names_fields (const GstCaps *caps)
{
  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    if (gst_caps_features_contains (
            gst_caps_get_features (caps, i), GST_CAPS_FEATURE_FORMAT_INTERLACED))
      return TRUE;
  }
  return FALSE;
}

/* Returns the first kind of memory, other than the system's, that @caps name, or N_MEMORIES. */
static GstGlesFrameMemory
find_memory (const GstCaps *caps)
{
  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    for (guint memory = GST_GLES_FRAME_DMABUF; memory < GST_GLES_FRAME_N_MEMORIES; memory++) {
      if (gst_caps_features_contains (gst_caps_get_features (caps, i), memories[memory].name))
        return memory;
    }
  }
  return GST_GLES_FRAME_N_MEMORIES;
}

/* Returns why no device reads the fields that @caps name: (transfer full), NULL if they name none
 * in a known memory. */
static gchar *
explain_fields (const GstCaps *caps)
{
  const GstGlesFrameMemory memory = find_memory (caps);

  if (memory == GST_GLES_FRAME_DMABUF || memory == GST_GLES_FRAME_N_MEMORIES ||
      !names_fields (caps))
    return NULL;
  return g_strdup_printf (
      "fields in buffers of their own (interlace-mode=alternate) are read in system memory and in "
      "DMABufs, not in %s; put the element that downloads them before, or one that joins fields to "
      "frames",
      memories[memory].name);
}

gchar *
gst_gles_frame_caps_explain (const GstCaps *caps, GstGlesDevice *device)
{
  g_autoptr (GstCaps) all = gst_gles_frame_caps ();
  g_autoptr (GstCaps) known = gst_caps_intersect (all, (GstCaps *) caps), readable = NULL;
  const GstGlesFrameMemory memory = find_memory (known);
  g_autofree gchar *how = NULL;
  gboolean reads;

  if (device != NULL && gst_caps_is_empty (known))
    return explain_fields (caps);
  if (device == NULL || memory == GST_GLES_FRAME_N_MEMORIES)
    return NULL;
  readable = gst_gles_frame_caps_for_device (known, device);
  if (!gst_caps_is_empty (readable))
    return NULL;
  how = gst_gles_frame_memory_describe (device, memory, &reads);
  return g_strdup_printf ("%s cannot read these frames in %s: %s%s",
      gst_gles_device_get_description (device), memories[memory].name,
      reads ? how : how + strlen (REFUSED),
      reads ? "; put vapostproc, or the converter of the driver that made the frames, before this "
              "element"
            : "");
}

/* ---- fixed caps ---- */

#if HAVE_DMA_DRM
static gboolean
set_drm_format (GstStructure *structure, guint64 *modifier, GError **error)
{
  const gchar *text = gst_structure_get_string (structure, "drm-format");
  GstVideoFormat format = GST_VIDEO_FORMAT_UNKNOWN;

  if (text != NULL)
    format =
        gst_video_dma_drm_fourcc_to_format (gst_video_dma_drm_fourcc_from_string (text, modifier));
  if (format == GST_VIDEO_FORMAT_UNKNOWN) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "DRM format %s is not supported; put vapostproc (or the converter of the driver that made "
        "the frames) before this element",
        text != NULL ? text : "(none)");
    return FALSE;
  }
  gst_structure_set (structure, "format", G_TYPE_STRING, gst_video_format_to_string (format), NULL);
  gst_structure_remove_field (structure, "drm-format");
  return TRUE;
}
#endif

GstCaps *
gst_gles_frame_caps_to_system (const GstCaps *caps, guint64 *modifier, GError **error)
{
  g_autoptr (GstCaps) changed = gst_caps_copy (caps);
  GstStructure *structure = gst_caps_get_structure (changed, 0);
  guint64 ignored;

  if (modifier == NULL)
    modifier = &ignored;
  *modifier = GST_GLES_MODIFIER_LINEAR;
  gst_caps_set_features (changed, 0,
      names_fields (caps) ? gst_caps_features_new (GST_CAPS_FEATURE_FORMAT_INTERLACED, NULL)
                          : NULL);
  gst_structure_remove_field (structure, "texture-target");
#if HAVE_DMA_DRM
  if (g_strcmp0 (gst_structure_get_string (structure, "format"), "DMA_DRM") == 0 &&
      !set_drm_format (structure, modifier, error))
    return NULL;
#endif
  return g_steal_pointer (&changed);
}

gboolean
gst_gles_frame_caps_to_info (const GstCaps *caps, GstVideoInfo *info)
{
  const gchar *text = gst_structure_get_string (gst_caps_get_structure (caps, 0), "colorimetry");
  g_autoptr (GstCaps) plain = gst_caps_copy (caps);
  GstVideoColorimetry named;

  gst_structure_remove_field (gst_caps_get_structure (plain, 0), "colorimetry");
  if (!gst_video_info_from_caps (info, plain))
    return FALSE;
  if (text == NULL || !gst_video_colorimetry_from_string (&named, text))
    return TRUE;
  if (named.range == GST_VIDEO_COLOR_RANGE_0_255 || named.range == GST_VIDEO_COLOR_RANGE_16_235)
    info->colorimetry.range = named.range;
  if (named.matrix != GST_VIDEO_COLOR_MATRIX_UNKNOWN &&
      (named.matrix == GST_VIDEO_COLOR_MATRIX_RGB) == GST_VIDEO_INFO_IS_RGB (info))
    info->colorimetry.matrix = named.matrix;
  if (named.transfer != GST_VIDEO_TRANSFER_UNKNOWN)
    info->colorimetry.transfer = named.transfer;
  if (named.primaries != GST_VIDEO_COLOR_PRIMARIES_UNKNOWN)
    info->colorimetry.primaries = named.primaries;
  return TRUE;
}
