/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Splats of a 1080p frame, listed by tiles of 16 pixels, nearest first; and connected components
 * with the properties of the largest 256, in masks of video frames: noise, and inputs that make
 * deep union-find trees. */
#include <gst/gles/algo/components/components.h>
#include <gst/gles/algo/tiles/tiles.h>
#include <gst/gles/cpu/components/components.h>
#include <gst/gles/cpu/tiles/tiles.h>

#include "bench.h"
#include "masks.h"

/* ---- tiles ---- */

#define WIDTH BENCH_SPLATS_WIDTH
#define HEIGHT BENCH_SPLATS_HEIGHT
#define TILE BENCH_SPLATS_TILE
/* An upper bound of the average for splats of one to three tiles in each direction. */
#define ENTRIES_PER_RECORD 8

G_STATIC_ASSERT (sizeof (BenchSplat) == sizeof (GstGlesTileRecord));

static const guint splats[] = { 120000, 1000000, 0 };

static GstGlesCpuTilesConfig
cpu_tiles (void)
{
  GstGlesCpuTilesConfig config = { .sort_by = GST_GLES_TILES_SORT_BY_DEPTH };

  gst_gles_cpu_tile_grid (WIDTH, HEIGHT, TILE, TILE, &config.grid);
  return config;
}

/* Makes records. If @culled, moves nine of ten away, in no order: half to the left and half to the
 * right. */
static void
fill_splats (BenchSplat *splat, gsize n, gboolean culled)
{
  for (guint i = 0; i < n; i++) {
    const guint32 word = bench_random (BENCH_SEED_CULLED, i);
    const gfloat x = (word & 1) != 0 ? 2 * WIDTH : -2 * WIDTH;

    bench_splat (i, &splat[i]);
    if (culled && word >> 8 >= (1u << 24) / 10) {
      splat[i].min_x += x;
      splat[i].max_x += x;
    }
  }
}

static void
setup_tiles (BenchRun *run)
{
  const GstGlesTilesConfig config = { .width = WIDTH,
    .height = HEIGHT,
    .tile_width = TILE,
    .tile_height = TILE,
    .max_records = run->n,
    .max_entries = run->n * ENTRIES_PER_RECORD };
  GstGlesCpuTilesConfig cpu = cpu_tiles ();
  const gsize offsets_bytes = 4 * ((gsize) cpu.grid.n_tiles + 1);
  guint64 entries;

  run->in[0] = bench_alloc (run, sizeof (BenchSplat) * run->n);
  fill_splats ((BenchSplat *) run->in[0], run->n, run->experiment->param);
  run->plan = BENCH_PLAN (run, gst_gles_tiles, &config);
  bench_upload (run, 0, sizeof (GstGlesTileRecord) * run->n);
  bench_output (run, bench_buffer (run, 1, offsets_bytes), offsets_bytes);
  run->scratch = bench_alloc (run, gst_gles_cpu_tiles_scratch_bytes (&cpu, run->n));
  entries = gst_gles_cpu_tiles (&cpu, (const GstGlesTileRecord *) run->in[0], run->n,
      &(GstGlesCpuTileLists){ run->want[0], NULL, NULL, config.max_entries }, run->scratch);
  if (entries > config.max_entries)
    g_set_error (bench_error (run), GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
        "%" G_GUINT64_FORMAT " entries are more than the %u of the plan", entries,
        config.max_entries);
  bench_output (run, bench_buffer (run, 2, 4 * (gsize) config.max_entries), 4 * entries);
  run->bytes = 32 * run->n + 4 * entries + offsets_bytes;
}

static gboolean
launch_tiles (BenchRun *run, GError **error)
{
  return gst_gles_tiles_run (
      run->plan, run->device[0], run->n, run->device[1], run->device[2], NULL, error);
}

static void
list_natively (BenchRun *run, guint32 *const *to)
{
  GstGlesCpuTilesConfig config = cpu_tiles ();

  gst_gles_cpu_tiles (&config, (const GstGlesTileRecord *) run->in[0], run->n,
      &(GstGlesCpuTileLists){ to[0], to[1], NULL, run->output[1].bytes / 4 }, run->scratch);
}

/* All sorts (by depth, by tile, within lists) are one phase. */
static const gchar *const tiles_phases[][2] = {
  { "tiles_keys", "keys" },
  { "compact_", "cull" },
  { "scan_setup", "cull" },
  { "sort_", "sort" },
  { "tiles_sums", "count" },
  { "tiles_offsets", "scan" },
  { "tiles_expand", "fill" },
  { "tiles_ranges", "fill" },
  /* These sort each list separately; their kernel that writes entries also writes keys. */
  { "tiles_tally", "count" },
  { "tiles_plan", "scan" },
  { "tiles_fill", "fill" },
  { "tiles_lists", "sort" },
  { "tiles_merge", "sort" },
  { NULL, "other" },
};

/* ---- components ---- */

#define MAX_REGIONS 256

static const guint masks[] = { 1920 * 1080, 3840 * 2160, 0 };

/* The size is that of a 16:9 frame of n words, or of one row. */
static GstGlesCpuComponents
cpu_components (const BenchRun *run)
{
  GstGlesCpuComponents config = { .diagonal = TRUE,
    .lower = BENCH_MASK_LOWER,
    .upper = 255,
    .min_size = 1,
    .max_regions = MAX_REGIONS,
    .width = run->n,
    .height = 1 };

  for (guint side = 1; 144ull * side * side <= run->n; side++) {
    if (144ull * side * side == run->n) {
      config.width = 16 * side;
      config.height = 9 * side;
    }
  }
  return config;
}

static guint
label (BenchRun *run, guint32 *target)
{
  GstGlesCpuComponents config = cpu_components (run);

  return gst_gles_cpu_components (
      &config, run->in[0], NULL, (GstGlesComponentRecord *) (gpointer) target, run->scratch);
}

static void
label_natively (BenchRun *run, guint32 *const *to)
{
  label (run, to[0]);
}

static void
setup_components (BenchRun *run)
{
  const GstGlesCpuComponents cpu = cpu_components (run);
  const GstGlesComponentsConfig config = {
    .width = cpu.width, .height = cpu.height, .connectivity = 8, .max_regions = MAX_REGIONS
  };
  const gsize bytes = sizeof (GstGlesRegion) * MAX_REGIONS;

  run->in[0] = bench_alloc (run, 4 * run->n);
  for (gsize i = 0; i < run->n; i++)
    run->in[0][i] = bench_mask_word (
        run->experiment->param, i % cpu.width, i / cpu.width, cpu.width, cpu.height);
  run->scratch = bench_alloc (
      run, gst_gles_cpu_components_scratch_bytes (cpu.width, cpu.height, MAX_REGIONS, FALSE));
  run->plan = BENCH_PLAN (run, gst_gles_components, &config);
  bench_upload (run, 0, 4 * run->n);
  bench_output (run, bench_buffer (run, 1, bytes), bytes);
  run->output[0].bytes = sizeof (GstGlesRegion) * MIN (label (run, run->want[0]), MAX_REGIONS);
  run->bytes = 4 * run->n;
}

static gboolean
launch_components (BenchRun *run, GError **error)
{
  return gst_gles_components_run (
      run->plan, run->device[0], BENCH_MASK_LOWER, 255, 0, run->device[1], NULL, error);
}

static const gchar *const components_phases[][2] = {
  { "components_tiles", "tiles" },
  { "components_borders", "borders" },
  { "components_roots", "roots" },
  { "components_count", "list" },
  { "components_list", "list" },
  { "components_select", "top-k" },
  { "components_pick", "totals" },
  { "components_mark", "totals" },
  { "components_totals", "totals" },
  { NULL, "top-k" },
};

/* ---- the table ---- */

#define TILES(name, what, culled)                                                                  \
  {                                                                                                \
    BENCH_EXPERIMENT (name, what, "TILES", setup_tiles, launch_tiles, list_natively),              \
        .param = culled, .sizes = splats, .phases = tiles_phases                                   \
  }
#define COMPONENTS(name, mask, what)                                                               \
  {                                                                                                \
    BENCH_EXPERIMENT (name, "connected components of " what, "COMPONENTS", setup_components,       \
        launch_components, label_natively),                                                        \
        .param = mask, .sizes = masks, .phases = components_phases                                 \
  }

const BenchExperiment bench_tiles[] = {
  TILES ("tiles", "splats of a 1080p frame listed by tiles of 16 pixels, nearest first", FALSE),
  TILES ("tiles-culled", "the same, with nine of ten splats off screen", TRUE),
  COMPONENTS ("components", BENCH_MASK_NOISE + 50, "noise that covers a half"),
  COMPONENTS ("comp-noise-10", BENCH_MASK_NOISE + 10, "noise that covers a tenth"),
  COMPONENTS ("comp-blobs", BENCH_MASK_BLOBS, "squares that overlap"),
  COMPONENTS ("comp-full", BENCH_MASK_FULL, "a frame that is all foreground"),
  COMPONENTS ("comp-spiral", BENCH_MASK_SPIRAL, "a spiral"),
  COMPONENTS ("comp-comb", BENCH_MASK_COMB, "a comb"),
  COMPONENTS ("comp-serpentine", BENCH_MASK_SERPENTINE, "a serpentine"),
  { NULL },
};
