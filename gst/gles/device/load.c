/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The load of a GPU, as its driver tells it. */
#include "config.h"

#include <dlfcn.h>

#include <gst/gles/core/log.h>
#include <gst/gles/device/gpus.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* ---- NVIDIA ---- */

#define LIBRARY "libnvidia-ml.so.1"

/* nvmlUtilization_t of nvml.h: percent of the driver's last sampling period. */
typedef struct {
  guint gpu, memory;
} Utilization;

/* Functions of NVML, which return 0 for success; devices are nvmlDevice_t. */
typedef struct {
  gint (*init) (void);
  gint (*find) (const gchar *uuid, gpointer *device);
  gint (*get_utilization) (gpointer device, Utilization *utilization);
} Nvml;

/* Returns the Nvml, or NULL without the driver. The library stays loaded. */
static gpointer
open_nvml (gpointer data)
{
  static Nvml nvml;
  void *library = dlopen (LIBRARY, RTLD_NOW | RTLD_LOCAL);

  if (library == NULL)
    return NULL;
  nvml.init = (void *) dlsym (library, "nvmlInit_v2");
  nvml.find = (void *) dlsym (library, "nvmlDeviceGetHandleByUUID");
  nvml.get_utilization = (void *) dlsym (library, "nvmlDeviceGetUtilizationRates");
  if (nvml.init != NULL && nvml.find != NULL && nvml.get_utilization != NULL && nvml.init () == 0)
    return &nvml;
  GST_INFO ("%s does not tell the load of GPUs", LIBRARY);
  return NULL;
}

static gint
ask_nvml (const guint8 *uuid)
{
  static GOnce once = G_ONCE_INIT;
  const Nvml *nvml = g_once (&once, open_nvml, NULL);
  g_autoptr (GString) text = g_string_new ("GPU");
  Utilization utilization = { 0 };
  gpointer device = NULL;

  if (nvml == NULL)
    return -1;
  for (guint i = 0; i < GST_GLES_UUID_BYTES; i++) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10)
      g_string_append_c (text, '-');
    g_string_append_printf (text, "%02x", uuid[i]);
  }
  if (nvml->find (text->str, &device) != 0 || nvml->get_utilization (device, &utilization) != 0)
    return -1;
  return (gint) MIN (utilization.gpu, 100);
}

/* ---- the kernel ---- */

/* A file that amdgpu has. */
static gint
ask_kernel (guint node)
{
  g_autofree gchar *path =
      g_strdup_printf ("/sys/class/drm/renderD%u/device/gpu_busy_percent", node);
  g_autofree gchar *text = NULL;
  guint64 percent;

  if (!g_file_get_contents (path, &text, NULL, NULL) ||
      !g_ascii_string_to_unsigned (g_strstrip (text), 10, 0, 100, &percent, NULL))
    return -1;
  return (gint) percent;
}

gint
gst_gles_gpu_get_load (const GstGlesGpuFacts *gpu)
{
  gint load = -1;

#ifdef GST_GLES_TEST_HOOKS
  if (g_getenv ("GST_GLES_TEST_GPUS") != NULL)
    return gpu->load_percent;
#endif
  if (gpu->has_uuid)
    load = ask_nvml (gpu->uuid);
  return load < 0 && gpu->node != 0 ? ask_kernel (gpu->node) : load;
}
