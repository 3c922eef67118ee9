/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Connected components and the properties of the largest 256, in masks of video frames: noise, and
 * inputs that make deep union-find trees. */
#include <gst/gles/algo/components/components.h>
#include <gst/gles/cpu/components.h>

#include "bench.h"
#include "masks.h"

#define MAX_REGIONS 256

static const guint sizes[] = { 1920 * 1080, 3840 * 2160, 0 };

/* Chooses the size of a 16:9 frame of @n words, or of one row. */
static void
frame_of (guint n, guint *width, guint *height)
{
  *width = n;
  *height = 1;
  for (guint side = 1; 144ull * side * side <= n; side++) {
    if (144ull * side * side == n) {
      *width = 16 * side;
      *height = 9 * side;
    }
  }
}

static GstGlesCpuComponents
cpu_config (const BenchRun *run)
{
  GstGlesCpuComponents config = { .diagonal = TRUE,
    .lower = BENCH_MASK_LOWER,
    .upper = 255,
    .min_size = 1,
    .max_regions = MAX_REGIONS };

  frame_of (run->n, &config.width, &config.height);
  return config;
}

static guint
label_natively (BenchRun *run)
{
  GstGlesCpuComponents config = cpu_config (run);

  return gst_gles_cpu_components (&config, run->input[0], NULL,
      (GstGlesComponentRecord *) (gpointer) run->output[0].want, run->scratch);
}

static void
label (BenchRun *run)
{
  label_natively (run);
}

static gboolean
setup_components (BenchRun *run, GError **error)
{
  GstGlesCpuComponents cpu = cpu_config (run);
  GstGlesComponentsConfig config = {
    .width = cpu.width, .height = cpu.height, .connectivity = 8, .max_regions = MAX_REGIONS
  };
  gsize size = gst_gles_cpu_components_scratch_bytes (cpu.width, cpu.height, MAX_REGIONS, FALSE);

  run->input[0] = g_malloc (4 * (gsize) run->n);
  for (guint i = 0; i < run->n; i++)
    run->input[0][i] = bench_mask_word (
        run->experiment->param, i % cpu.width, i / cpu.width, cpu.width, cpu.height);
  run->scratch = g_malloc (size);
  run->plan = gst_gles_components_new (run->bench->queue, &config, error);
  run->free_plan = (GDestroyNotify) gst_gles_components_unref;
  if (run->plan == NULL || !bench_run_upload (run, 0, 4 * (gsize) run->n, error) ||
      !bench_run_buffer (run, 1, sizeof (GstGlesRegion) * MAX_REGIONS, error))
    return FALSE;
  bench_run_output (run, run->device[1], sizeof (GstGlesRegion) * MAX_REGIONS);
  run->output[0].bytes = sizeof (GstGlesRegion) * MIN (label_natively (run), MAX_REGIONS);
  run->bytes = 4 * (guint64) run->n;
  return TRUE;
}

static gboolean
launch_components (BenchRun *run, GError **error)
{
  return gst_gles_components_run (
      run->plan, run->device[0], BENCH_MASK_LOWER, 255, 0, run->device[1], NULL, error);
}

static const gchar *
phase_of (const gchar *kernel)
{
  static const gchar *const phases[][2] = {
    { "components_tiles", "tiles" },
    { "components_borders", "borders" },
    { "components_roots", "roots" },
    { "components_count", "list" },
    { "components_list", "list" },
    { "components_select", "top-k" },
    { "components_pick", "totals" },
    { "components_mark", "totals" },
    { "components_totals", "totals" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (phases); i++) {
    if (g_str_equal (kernel, phases[i][0]))
      return phases[i][1];
  }
  return "top-k";
}

#define COMPONENTS(name_, mask, what)                                                              \
  {                                                                                                \
    .name = name_, .summary = "connected components of " what, .param = mask,                      \
    .variable = "GST_GLES_COMPONENTS_VARIANT", .setup = setup_components,                          \
    .launch = launch_components, .native = label, .sizes = sizes, .phase_of = phase_of             \
  }

const BenchExperiment bench_components[] = {
  COMPONENTS ("components", BENCH_MASK_NOISE + 50, "noise that covers a half"),
  COMPONENTS ("comp-noise-10", BENCH_MASK_NOISE + 10, "noise that covers a tenth"),
  COMPONENTS ("comp-blobs", BENCH_MASK_BLOBS, "squares that overlap"),
  COMPONENTS ("comp-full", BENCH_MASK_FULL, "a frame that is all foreground"),
  COMPONENTS ("comp-spiral", BENCH_MASK_SPIRAL, "a spiral"),
  COMPONENTS ("comp-comb", BENCH_MASK_COMB, "a comb"),
  COMPONENTS ("comp-serpentine", BENCH_MASK_SERPENTINE, "a serpentine"),
  { NULL },
};
