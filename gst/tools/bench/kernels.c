/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The two kernels that only the benchmark uses. */
#include "bench.h"

#include <layout.h>

#define COPY_INVOCATIONS 128
/* Enough workgroups to fill any GPU, and few enough that each has work. */
#define COPY_MAX_GROUPS 65535

static const GstGlesProgramSpec copy_spec = {
  .kernel = "bench_copy",
  .local_size = { COPY_INVOCATIONS, 1, 1 },
  .n_storage = 2,
};

static const GstGlesProgramSpec matmul_spec = {
  .kernel = "bench_matmul",
  .local_size = { 16, 8, 1 },
  .shared_bytes = 8192,
  .n_storage = 3,
};

void
bench_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  func (&copy_spec, user_data);
  func (&matmul_spec, user_data);
}

GstGlesProgram *
bench_kernel_copy (GstGlesQueue *queue, GError **error)
{
  return gst_gles_program_get (queue, &copy_spec, error);
}

GstGlesProgram *
bench_kernel_matmul (GstGlesQueue *queue, GError **error)
{
  return gst_gles_program_get (queue, &matmul_spec, error);
}

gboolean
bench_copy_launch (Bench *bench, GstGlesProgram *program, GstGlesBuffer *source,
    GstGlesBuffer *target, gsize bytes, GError **error)
{
  guint64 limit = gst_gles_device_get_limits (bench->device)->storage_block_bytes / 4096 * 4096;
  gsize at = 0;

  do {
    gsize size = MIN (bytes - at, limit);
    GstGlesFrameHistogramClear params = { (size + 15) / 16, 0, 0, 0 };
    guint groups_needed = params.n_rows / COPY_INVOCATIONS + 1;
    const guint groups[3] = { MIN (groups_needed, COPY_MAX_GROUPS), 1, 1 };
    const GstGlesBinding bindings[] = {
      { source, at, MAX (size, 16), GST_GLES_READ },
      { target, at, MAX (size, 16), GST_GLES_WRITE },
    };

    if (!gst_gles_queue_dispatch (bench->queue, program, bindings, G_N_ELEMENTS (bindings), &params,
            sizeof (params), groups, GST_GLES_DISPATCH_NONE, error))
      return FALSE;
    at += size;
  } while (at < bytes);
  return TRUE;
}
