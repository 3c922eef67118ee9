/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads the limits and features of a device, once when its context has been made. */
#include "config.h"

#include <string.h>

#include <GLES3/gl31.h>
#include <GLES2/gl2ext.h>

#include <gst/gles/core/log.h>
#include <gst/gles/device/driver.h>
#include <gst/gles/device/procs.h>
#include <gst/gles/device/share.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* From GL_KHR_shader_subgroup, which older headers lack. */
#define SUBGROUP_SIZE_KHR 0x9532
#define SUBGROUP_SUPPORTED_STAGES_KHR 0x9533
#define SUBGROUP_SUPPORTED_FEATURES_KHR 0x9534
#define COMPUTE_SHADER_BIT 0x00000020

static const gchar *const software_renderers[] = { "llvmpipe", "softpipe", "swrast", "SwiftShader",
  "Software Rasterizer" };

static guint
get_uint (GLenum name)
{
  GLint value = 0;

  glGetIntegerv (name, &value);
  return MAX (value, 0);
}

static gboolean
has_timestamps (const gchar *extensions)
{
  const GstGlesProcs *procs = gst_gles_procs ();
  GLint bits = 0;

  if (!gst_gles_has_extension (extensions, "GL_EXT_disjoint_timer_query") ||
      procs->get_query == NULL || procs->query_counter == NULL ||
      procs->get_query_object_ui64 == NULL)
    return FALSE;
  procs->get_query (GL_TIMESTAMP_EXT, GL_QUERY_COUNTER_BITS_EXT, &bits);
  return bits > 0;
}

/* Whether the driver has every extension and entry point that importing memory from Vulkan
 * needs. */
static gboolean
has_memory_objects (const gchar *extensions)
{
  const GstGlesProcs *procs = gst_gles_procs ();

  return gst_gles_has_extension (extensions, "GL_EXT_memory_object") &&
      gst_gles_has_extension (extensions, "GL_EXT_memory_object_fd") &&
      procs->create_memory_objects != NULL && procs->delete_memory_objects != NULL &&
      procs->set_memory_parameter != NULL && procs->import_memory_fd != NULL &&
      procs->buffer_storage_mem != NULL && procs->get_bytes != NULL &&
      procs->get_indexed_bytes != NULL;
}

/* Memory can come from Vulkan if the driver can import it and names exactly one Vulkan device. */
static gboolean
probe_memory_objects (const gchar *extensions, GstGlesUuids *uuids)
{
  const GstGlesProcs *procs = gst_gles_procs ();
  guint n_devices;
  GLenum code;

  if (!has_memory_objects (extensions))
    return FALSE;
  gst_gles_forget_gl_errors ();
  n_devices = get_uint (GL_NUM_DEVICE_UUIDS_EXT);
  if (n_devices == 1) {
    procs->get_indexed_bytes (GL_DEVICE_UUID_EXT, 0, uuids->device);
    procs->get_bytes (GL_DRIVER_UUID_EXT, uuids->driver);
  }
  code = glGetError ();
  if (n_devices == 1 && code == GL_NO_ERROR)
    return TRUE;
  GST_INFO ("no memory from Vulkan: %u device UUIDs, GL error 0x%04x", n_devices, code);
  return FALSE;
}

/* Returns FALSE if the driver does not report a limit that every device has. */
static gboolean
probe_limits (GstGlesLimits *limits)
{
  GLint64 block_bytes = 0;

  gst_gles_forget_gl_errors ();
  limits->storage_blocks = MIN (get_uint (GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS),
      get_uint (GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS));
  limits->shared_bytes = get_uint (GL_MAX_COMPUTE_SHARED_MEMORY_SIZE);
  limits->invocations = get_uint (GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS);
  for (guint i = 0; i < 3; i++) {
    GLint value = 0;
    glGetIntegeri_v (GL_MAX_COMPUTE_WORK_GROUP_SIZE, i, &value);
    limits->group_size[i] = value;
    glGetIntegeri_v (GL_MAX_COMPUTE_WORK_GROUP_COUNT, i, &value);
    limits->groups[i] = value;
  }
  glGetInteger64v (GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &block_bytes);
  limits->storage_block_bytes = block_bytes;
  limits->storage_alignment = get_uint (GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT);
  limits->uniform_block_bytes = get_uint (GL_MAX_UNIFORM_BLOCK_SIZE);
  limits->uniform_alignment = get_uint (GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT);
  return glGetError () == GL_NO_ERROR && limits->storage_alignment > 0 &&
      limits->uniform_alignment > 0;
}

/* As many threads as the driver likes, of GL_KHR_parallel_shader_compile. */
#define ALL_THREADS 0xFFFFFFFF

static void
probe_extensions (GstGlesLimits *limits, const GstGlesDisplay *display, GstGlesUuids *uuids)
{
  const gchar *extensions = (const gchar *) glGetString (GL_EXTENSIONS);

  if (gst_gles_has_extension (extensions, "GL_KHR_shader_subgroup") &&
      (get_uint (SUBGROUP_SUPPORTED_STAGES_KHR) & COMPUTE_SHADER_BIT) != 0) {
    limits->subgroup_size = get_uint (SUBGROUP_SIZE_KHR);
    limits->subgroup_features = get_uint (SUBGROUP_SUPPORTED_FEATURES_KHR);
  }
  limits->buffer_storage = gst_gles_has_extension (extensions, "GL_EXT_buffer_storage") &&
      gst_gles_procs ()->buffer_storage != NULL;
  if (gst_gles_has_extension (extensions, "GL_EXT_texture_buffer") &&
      gst_gles_procs ()->tex_buffer != NULL)
    limits->texel_buffer_texels = get_uint (GL_MAX_TEXTURE_BUFFER_SIZE_EXT);
  limits->timer_queries = has_timestamps (extensions);
  limits->robustness = display->robustness &&
      (gst_gles_has_extension (extensions, "GL_KHR_robustness") ||
          gst_gles_has_extension (extensions, "GL_EXT_robustness"));
  limits->program_binary = get_uint (GL_NUM_PROGRAM_BINARY_FORMATS) > 0;
  limits->parallel_compile = gst_gles_has_extension (extensions, "GL_KHR_parallel_shader_compile");
  limits->memory_objects = probe_memory_objects (extensions, uuids);
}

/* Reduces the limits to the minimum that OpenGL ES 3.1 guarantees and removes all extensions, so
 * that tests can check portable code. Limits that are lower already stay. */
static void
clamp_limits (GstGlesLimits *limits)
{
  *limits = (GstGlesLimits){
    .storage_blocks = 4,
    .shared_bytes = 16384,
    .invocations = 128,
    .group_size = { 128, 128, 64 },
    .groups = { 65535, 65535, 65535 },
    .storage_block_bytes = MIN (limits->storage_block_bytes, 1u << 27),
    .storage_alignment = MAX (limits->storage_alignment, 256),
    .uniform_block_bytes = MIN (limits->uniform_block_bytes, 16384),
    .uniform_alignment = MAX (limits->uniform_alignment, 256),
    .clamped = TRUE,
  };
}

/* Lowers one limit, or removes one extension, by a word of GST_GLES_LIMITS. */
static gboolean
apply_word (GstGlesLimits *limits, const gchar *word)
{
  guint64 value = 0;
  const gchar *number = strchr (word, '=');

  if (number != NULL && !g_ascii_string_to_unsigned (number + 1, 10, 1, G_MAXUINT16, &value, NULL))
    return FALSE;
  if (strcmp (word, "no-texture-buffers") == 0) {
    limits->texel_buffer_texels = 0;
  } else if (strcmp (word, "no-timer-queries") == 0) {
    limits->timer_queries = FALSE;
  } else if (strcmp (word, "no-robustness") == 0) {
    limits->robustness = FALSE;
  } else if (strcmp (word, "no-parallel-compile") == 0) {
    limits->parallel_compile = FALSE;
  } else if (g_str_has_prefix (word, "blocks=") && value >= 4) {
    limits->storage_blocks = MIN (limits->storage_blocks, value);
  } else if (g_str_has_prefix (word, "block-mib=")) {
    limits->storage_block_bytes = MIN (limits->storage_block_bytes, value << 20);
  } else if (g_str_has_prefix (word, "invocations=") && value >= 128) {
    limits->invocations = MIN (limits->invocations, value);
    for (guint i = 0; i < 3; i++)
      limits->group_size[i] = MIN (limits->group_size[i], value);
  } else {
    return FALSE;
  }
  return TRUE;
}

/* Applies @setting, GST_GLES_LIMITS: `minimum`, or words joined by +, each of which takes one thing
 * away that drivers lack. */
static gboolean
lower_limits (GstGlesShare *share, const gchar *setting, GError **error)
{
  g_auto (GStrv) words = NULL;

  if (setting == NULL || setting[0] == '\0')
    return TRUE;
  if (strcmp (setting, "minimum") == 0) {
    clamp_limits (&share->limits);
    gst_gles_image_support_clear (&share->images);
    return TRUE;
  }
  words = g_strsplit (setting, "+", -1);
  for (guint i = 0; words[i] != NULL; i++) {
    if (apply_word (&share->limits, words[i]))
      continue;
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "GST_GLES_LIMITS=%s: \"%s\" means nothing; the values are `minimum`, or joined by +: "
        "no-texture-buffers, no-timer-queries, no-robustness, no-parallel-compile, "
        "blocks=N (4 at the least), block-mib=N, invocations=N (128 at the least)",
        setting, words[i]);
    return FALSE;
  }
  return TRUE;
}

/* GST_GLES_MEMORY chooses `gl` or `vulkan`, for measurements and tests. The default uses Vulkan
 * only on NVIDIA, where kernels are slow on large buffers that GL allocated
 * (docs/decisions/0006). */
static gboolean
choose_memory (GstGlesShare *share, GError **error)
{
  const gchar *setting = g_getenv ("GST_GLES_MEMORY");

  if (setting == NULL || setting[0] == '\0') {
    if (share->limits.memory_objects && share->kind == GST_GLES_DEVICE_HARDWARE &&
        strstr (share->display->vendor, "NVIDIA") != NULL)
      share->memory = GST_GLES_MEMORY_LARGE_VULKAN;
    return TRUE;
  }
  if (strcmp (setting, "vulkan") == 0 && !share->limits.memory_objects) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "GST_GLES_MEMORY=vulkan: %s cannot import memory%s", share->description,
        share->limits.clamped ? " with GST_GLES_LIMITS"
                              : " (it needs GL_EXT_memory_object_fd and one device UUID)");
    return FALSE;
  }
  if (strcmp (setting, "vulkan") == 0) {
    share->memory = GST_GLES_MEMORY_VULKAN;
  } else if (strcmp (setting, "gl") != 0) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "GST_GLES_MEMORY=%s means nothing; the values are `gl` and `vulkan`", setting);
    return FALSE;
  }
  return TRUE;
}

static gboolean
is_software (const GstGlesShare *share)
{
  if (share->display->software_device)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (software_renderers); i++) {
    if (strstr (share->renderer, software_renderers[i]) != NULL)
      return TRUE;
  }
  return FALSE;
}

gboolean
gst_gles_share_probe (GstGlesShare *share, GError **error)
{
  GLint major = 0, minor = 0;

  glGetIntegerv (GL_MAJOR_VERSION, &major);
  glGetIntegerv (GL_MINOR_VERSION, &minor);
  share->renderer = g_strdup ((const gchar *) glGetString (GL_RENDERER));
  share->version = g_strdup ((const gchar *) glGetString (GL_VERSION));
  if (share->renderer == NULL || share->version == NULL || major < 3 || (major == 3 && minor < 1)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INIT,
        "%s: %s offers OpenGL ES %d.%d, compute shaders need 3.1; use device=software or "
        "device=cpu",
        share->id, share->renderer != NULL ? share->renderer : "the driver", major, minor);
    return FALSE;
  }
  share->kind = is_software (share) ? GST_GLES_DEVICE_SOFTWARE : GST_GLES_DEVICE_HARDWARE;
  gst_gles_driver_probe (share);
  share->description = g_strdup_printf ("%s, %s (%s)", share->renderer, share->version, share->id);

  if (!probe_limits (&share->limits)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INIT,
        "%s: %s does not tell its limits; use device=software or device=cpu, and report it",
        share->id, share->description);
    return FALSE;
  }
  probe_extensions (&share->limits, share->display, &share->uuids);
  gst_gles_image_support_probe (
      &share->images, share->display, (const gchar *) glGetString (GL_EXTENSIONS));
  if (!lower_limits (share, g_getenv ("GST_GLES_LIMITS"), error) || !choose_memory (share, error))
    return FALSE;
  /* The default is the driver's own, and may be none. */
  if (share->limits.parallel_compile && gst_gles_procs ()->max_compiler_threads != NULL)
    gst_gles_procs ()->max_compiler_threads (ALL_THREADS);
  GST_INFO ("opened %s", share->description);
  return TRUE;
}
