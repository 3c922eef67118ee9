/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The GPUs of this machine as the kernel and EGL list them, without opening one. */
#ifndef GST_GLES_GPUS_H
#define GST_GLES_GPUS_H

#include <gst/gles/device/choice.h>

G_BEGIN_DECLS

typedef struct {
  GstGlesGpuFacts facts;
  GPtrArray *specs; /* the names of its devices, in the order in which `auto` tries them */
} GstGlesGpu;

/* Lists the GPUs: render nodes, and EGL devices that are no software renderers. A GPU that both
 * list is one entry. With test hooks, GST_GLES_TEST_GPUS names devices that count as GPUs instead:
 * "egl:0,surfaceless=30", of which the second has a load of 30 percent; the UUID of the first has
 * 16 bytes of 1, of the second of 2. Thread: any.
 *
 * Returns: (transfer full): of GstGlesGpu. */
GPtrArray *gst_gles_gpus_list (void);

/* Returns the load of @gpu in percent as the driver tells it, of all processes: NVML on NVIDIA,
 * gpu_busy_percent of the kernel on AMD; -1 where nothing tells. The first call on NVIDIA opens
 * NVML. Thread: any. */
gint gst_gles_gpu_get_load (const GstGlesGpuFacts *gpu);

G_END_DECLS

#endif
