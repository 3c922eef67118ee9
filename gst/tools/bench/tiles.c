/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Splats of a 1080p frame, listed by tiles of 16 pixels, nearest first. */
#include <string.h>

#include <gst/gles/algo/tiles/tiles.h>
#include <gst/gles/cpu/tiles.h>

#include "bench.h"

#define WIDTH BENCH_SPLATS_WIDTH
#define HEIGHT BENCH_SPLATS_HEIGHT
#define TILE BENCH_SPLATS_TILE
/* An upper bound of the average for splats of one to three tiles in each direction. */
#define ENTRIES_PER_RECORD 8

static const guint sizes[] = { 120000, 1000000, 0 };

G_STATIC_ASSERT (sizeof (BenchSplat) == sizeof (GstGlesTileRecord));

static GstGlesCpuTilesConfig
cpu_config (void)
{
  GstGlesCpuTilesConfig config = { .sort_by = GST_GLES_TILES_SORT_BY_DEPTH };

  gst_gles_cpu_tile_grid (WIDTH, HEIGHT, TILE, TILE, &config.grid);
  return config;
}

static void
list_natively (BenchRun *run)
{
  GstGlesCpuTilesConfig config = cpu_config ();

  gst_gles_cpu_tiles (&config, (const GstGlesTileRecord *) run->input[0], run->n,
      run->output[0].want, run->output[1].want, NULL, run->output[1].bytes / 4, run->scratch);
}

/* Moves nine of ten records away, in no order: half to the left and half to the right. */
static void
move_off_screen (BenchSplat *splats, guint n)
{
  for (guint i = 0; i < n; i++) {
    const guint32 word = bench_random (BENCH_SEED_CULLED, i);
    const gfloat x = (word & 1) != 0 ? 2 * WIDTH : -2 * WIDTH;

    if (word >> 8 >= (1u << 24) / 10) {
      splats[i].min_x += x;
      splats[i].max_x += x;
    }
  }
}

static gboolean
setup_records (BenchRun *run, gboolean culled, GError **error)
{
  GstGlesTilesConfig config = { .width = WIDTH,
    .height = HEIGHT,
    .tile_width = TILE,
    .tile_height = TILE,
    .max_records = run->n,
    .max_entries = run->n * ENTRIES_PER_RECORD };
  GstGlesCpuTilesConfig cpu = cpu_config ();
  gsize offsets_bytes = 4 * ((gsize) cpu.grid.n_tiles + 1);
  guint64 entries;

  run->input[0] = g_malloc (sizeof (BenchSplat) * (gsize) run->n);
  for (guint i = 0; i < run->n; i++)
    bench_splat (i, (BenchSplat *) run->input[0] + i);
  if (culled)
    move_off_screen ((BenchSplat *) run->input[0], run->n);
  run->plan = gst_gles_tiles_new (run->bench->queue, &config, error);
  run->free_plan = (GDestroyNotify) gst_gles_tiles_unref;
  if (run->plan == NULL ||
      !bench_run_upload (run, 0, sizeof (GstGlesTileRecord) * (gsize) run->n, error) ||
      !bench_run_buffer (run, 1, offsets_bytes, error) ||
      !bench_run_buffer (run, 2, 4 * (gsize) config.max_entries, error))
    return FALSE;
  run->scratch = g_malloc (gst_gles_cpu_tiles_scratch_bytes (&cpu, run->n));
  bench_run_output (run, run->device[1], offsets_bytes);
  entries = gst_gles_cpu_tiles (&cpu, (const GstGlesTileRecord *) run->input[0], run->n,
      run->output[0].want, NULL, NULL, config.max_entries, run->scratch);
  if (entries > config.max_entries) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
        "%" G_GUINT64_FORMAT " entries do not fit the %u that the plan holds", entries,
        config.max_entries);
    return FALSE;
  }
  bench_run_output (run, run->device[2], 4 * entries);
  run->bytes = 32 * (guint64) run->n + 4 * entries + offsets_bytes;
  return TRUE;
}

static gboolean
setup_tiles (BenchRun *run, GError **error)
{
  return setup_records (run, FALSE, error);
}

static gboolean
setup_culled (BenchRun *run, GError **error)
{
  return setup_records (run, TRUE, error);
}

static gboolean
launch_tiles (BenchRun *run, GError **error)
{
  return gst_gles_tiles_run (
      run->plan, run->device[0], run->n, run->device[1], run->device[2], NULL, error);
}

/* All sorts (by depth, by tile, within lists) are one phase. */
static const gchar *
phase_of (const gchar *kernel)
{
  static const gchar *const phases[][2] = {
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
  };

  for (guint i = 0; i < G_N_ELEMENTS (phases); i++) {
    if (g_str_has_prefix (kernel, phases[i][0]))
      return phases[i][1];
  }
  return "other";
}

const BenchExperiment bench_tiles[] = {
  {
      .name = "tiles",
      .summary = "splats of a 1080p frame listed by tiles of 16 pixels, nearest first",
      .variable = "GST_GLES_TILES_VARIANT",
      .setup = setup_tiles,
      .launch = launch_tiles,
      .native = list_natively,
      .sizes = sizes,
      .phase_of = phase_of,
  },
  {
      .name = "tiles-culled",
      .summary = "the same, with nine of ten splats off screen",
      .variable = "GST_GLES_TILES_VARIANT",
      .setup = setup_culled,
      .launch = launch_tiles,
      .native = list_natively,
      .sizes = sizes,
      .phase_of = phase_of,
  },
  { NULL },
};
