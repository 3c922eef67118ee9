/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames of 1080p and 4K in device memory: luma of NV12 with blocks of noise of many levels. */
#include <string.h>

#include <gst/gles/algo/frame/frame-histogram.h>
#include <gst/gles/algo/tiles/tiles.h>
#include <gst/gles/cpu/tiles.h>

#include "frames.h"

static const guint frame_sizes[] = { 1920 * 1080, 3840 * 2160, 0 };

/* Chooses the size of a frame of @n pixels. */
void
bench_frame_size (guint n, guint *width, guint *height)
{
  *width = n == 3840 * 2160 ? 3840 : 1920;
  *height = n / *width;
}

gboolean
bench_frame_setup (BenchRun *run, GstGlesImage *image, GError **error)
{
  guint width, height;
  guint8 *pixels;

  bench_frame_size (run->n, &width, &height);
  run->input[0] = g_malloc ((gsize) width * height + 64);
  pixels = (guint8 *) run->input[0];
  for (guint y = 0; y < height; y++) {
    for (guint x = 0; x < width; x++)
      pixels[(gsize) y * width + x] = bench_pixel (x, y, width);
  }
  *image = (GstGlesImage){ .width = width,
    .height = height,
    .crop_width = width,
    .crop_height = height,
    .n_components = 1,
    .names = { "Y" },
    .luma = GST_GLES_LUMA_STORED,
    .luma_depth = 8 };
  image->components[0] = (GstGlesComponent){
    .stride = width, .step = 1, .word_bytes = 1, .depth = 8, .width = width, .height = height
  };
  if (!bench_run_upload (run, 0, (gsize) width * height, error))
    return FALSE;
  image->buffer = run->device[0];
  image->planes[0] = pixels;
  return TRUE;
}

/* ---- histogram ---- */

static gboolean
setup_histogram (BenchRun *run, GError **error)
{
  GstGlesImage *image = g_new0 (GstGlesImage, 1);
  GstGlesFrameHistogramConfig config = { .columns = 1, .rows = 1, .bins = 256, .luma = TRUE };
  gsize size;

  run->extra = image;
  if (!bench_frame_setup (run, image, error))
    return FALSE;
  config.width = image->width;
  config.height = image->height;
  run->plan = gst_gles_frame_histogram_new (run->bench->queue, image, &config, error);
  run->free_plan = (GDestroyNotify) gst_gles_frame_histogram_unref;
  if (run->plan == NULL)
    return FALSE;
  size = gst_gles_frame_histogram_get_layout (run->plan)->size_bytes;
  if (!bench_run_buffer (run, 1, size, error))
    return FALSE;
  /* The words after the 256 counters are undefined without an earlier frame. */
  bench_run_output (run, run->device[1], size)->bytes = 4 * 256;
  run->bytes = run->n;
  return TRUE;
}

static gboolean
launch_histogram (BenchRun *run, GError **error)
{
  return gst_gles_frame_histogram_run (run->plan, run->extra, NULL, run->device[1], error);
}

static void
histogram_natively (BenchRun *run)
{
  gst_gles_frame_histogram_run_native (run->plan, run->extra, NULL, run->output[0].want, NULL);
}

static void
histogram_naively (BenchRun *run)
{
  const guint8 *pixels = (const guint8 *) run->input[0];

  memset (run->output[0].naive, 0, run->output[0].bytes);
  for (gsize i = 0; i < run->n; i++)
    run->output[0].naive[pixels[i]]++;
}

/* ---- tiles of points ---- */

#define TILE 16

static GstGlesCpuTilesConfig
cpu_config (const BenchRun *run)
{
  GstGlesCpuTilesConfig config = { .sort_by = GST_GLES_TILES_SORT_BY_INDEX };
  guint width, height;

  bench_frame_size (run->n, &width, &height);
  gst_gles_cpu_tile_grid (width, height, TILE, TILE, &config.grid);
  return config;
}

/* Writes points in raster order, like glescompact. Returns their number. */
static guint
list_points (const BenchRun *run, guint32 *points)
{
  const guint8 *pixels = (const guint8 *) run->input[0];
  guint width, height, n = 0;

  bench_frame_size (run->n, &width, &height);
  for (guint y = 0; y < height; y++) {
    for (guint x = 0; x < width; x++) {
      guint8 value = pixels[(gsize) y * width + x];
      if (value < BENCH_BRIGHT)
        continue;
      points[2 * n] = x | y << 16;
      points[2 * n++ + 1] = value;
    }
  }
  return n;
}

/* Converts points to records for the twin: rectangles whose corners coincide. */
static GstGlesTileRecord *
records_of (const guint32 *points, guint n)
{
  GstGlesTileRecord *records = g_new0 (GstGlesTileRecord, n + 1);

  for (guint i = 0; i < n; i++) {
    gfloat x = points[2 * i] & 0xffff, y = points[2 * i] >> 16;
    memcpy (&records[i].min_x, &x, 4);
    memcpy (&records[i].max_x, &x, 4);
    memcpy (&records[i].min_y, &y, 4);
    memcpy (&records[i].max_y, &y, 4);
    records[i].depth = points[2 * i + 1];
  }
  return records;
}

/* input: 1 points, 2 records; device: 1 points, 2 offsets, 3 indices */
static gboolean
setup_tiles (BenchRun *run, GError **error)
{
  GstGlesTilesConfig config = { .tile_width = TILE,
    .tile_height = TILE,
    .source = GST_GLES_TILES_POINTS,
    .sort_by = GST_GLES_TILES_SORT_BY_INDEX };
  GstGlesCpuTilesConfig cpu = cpu_config (run);
  gsize offsets_bytes = 4 * ((gsize) cpu.grid.n_tiles + 1);
  GstGlesImage image;
  guint n;

  if (!bench_frame_setup (run, &image, error))
    return FALSE;
  run->input[1] = g_malloc (8 * (gsize) run->n + 64);
  n = list_points (run, run->input[1]);
  run->input[2] = (guint32 *) records_of (run->input[1], n);
  run->extra = g_memdup2 (&n, sizeof (n));
  config.width = image.width;
  config.height = image.height;
  config.max_records = config.max_entries = n;
  run->plan = gst_gles_tiles_new (run->bench->queue, &config, error);
  run->free_plan = (GDestroyNotify) gst_gles_tiles_unref;
  if (run->plan == NULL || !bench_run_upload (run, 1, 8 * (gsize) n, error) ||
      !bench_run_buffer (run, 2, offsets_bytes, error) ||
      !bench_run_buffer (run, 3, 4 * (gsize) n, error))
    return FALSE;
  run->scratch = g_malloc (gst_gles_cpu_tiles_scratch_bytes (&cpu, n));
  bench_run_output (run, run->device[2], offsets_bytes);
  bench_run_output (run, run->device[3], 4 * (gsize) n);
  run->bytes = 12 * (guint64) n + offsets_bytes;
  run->work = n;
  return TRUE;
}

static gboolean
launch_tiles (BenchRun *run, GError **error)
{
  return gst_gles_tiles_run (run->plan, run->device[1], *(const guint *) run->extra, run->device[2],
      run->device[3], NULL, error);
}

static void
tiles_natively (BenchRun *run)
{
  GstGlesCpuTilesConfig config = cpu_config (run);

  gst_gles_cpu_tiles (&config, (const GstGlesTileRecord *) run->input[2],
      *(const guint *) run->extra, run->output[0].want, run->output[1].want, NULL,
      run->output[1].bytes / 4, run->scratch);
}

/* Counts, computes prefix sums, then writes each point to its tile. */
static void
tiles_naively (BenchRun *run)
{
  GstGlesCpuTilesConfig config = cpu_config (run);
  const guint32 *points = run->input[1];
  const guint n = *(const guint *) run->extra;
  guint32 *offsets = run->output[0].naive, sum = 0;
  g_autofree guint32 *places = g_new0 (guint32, config.grid.n_tiles + 1);

  for (guint i = 0; i < n; i++)
    places[(points[2 * i] >> 16) / TILE * config.grid.columns + (points[2 * i] & 0xffff) / TILE]++;
  for (guint tile = 0; tile <= config.grid.n_tiles; tile++) {
    guint32 count = places[tile];
    offsets[tile] = places[tile] = sum;
    sum += count;
  }
  for (guint i = 0; i < n; i++) {
    guint tile =
        (points[2 * i] >> 16) / TILE * config.grid.columns + (points[2 * i] & 0xffff) / TILE;
    run->output[1].naive[places[tile]++] = i;
  }
}

const BenchExperiment bench_frames[] = {
  {
      .name = "frame-histogram",
      .summary = "histogram of the luma of a 1080p and a 4K frame on the device",
      .variable = "GST_GLES_FRAME_HISTOGRAM_VARIANT",
      .setup = setup_histogram,
      .launch = launch_histogram,
      .native = histogram_natively,
      .naive = histogram_naively,
      .sizes = frame_sizes,
      .fixed = TRUE,
      .unit = "px",
  },
  {
      .name = "frame-tiles",
      .summary = "the bright pixels (9 %) of a 1080p and a 4K frame listed by tiles of 16 pixels",
      .variable = "GST_GLES_TILES_VARIANT",
      .setup = setup_tiles,
      .launch = launch_tiles,
      .native = tiles_natively,
      .naive = tiles_naively,
      .sizes = frame_sizes,
      .fixed = TRUE,
  },
  { NULL },
};
