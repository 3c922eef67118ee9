/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/compact/compact-plan.h>
#include <gst/gles/algo/components/components-private.h>
#include <gst/gles/algo/frame/frame-compact-private.h>
#include <gst/gles/algo/frame/frame-histogram-private.h>
#include <gst/gles/algo/reduce/reduce-private.h>
#include <gst/gles/algo/scan/scan-private.h>
#include <gst/gles/algo/tiles/tiles-private.h>
#include <gst/gles/algo/variants.h>
#include <gst/gles/core/checked.h>

#define WIDTH 1920
#define HEIGHT 1080

/* A grey picture of @depth bits with the layout that staging gives it. */
static GstGlesImage
grey_image (guint depth)
{
  guint bytes = depth > 8 ? 2 : 1;
  GstGlesImage image = { .width = WIDTH,
    .height = HEIGHT,
    .crop_width = WIDTH,
    .crop_height = HEIGHT,
    .n_components = 1,
    .luma = GST_GLES_LUMA_STORED,
    .luma_depth = depth };

  image.names[0] = "Y";
  image.components[0] = (GstGlesComponent){ .stride = WIDTH * bytes,
    .step = bytes,
    .word_bytes = bytes,
    .depth = depth,
    .width = WIDTH,
    .height = HEIGHT };
  return image;
}

static gchar *
describe_pass (const GstGlesFrameHistogramPass *pass)
{
  static const gchar *const counters[] = { "private", "shared", "global" };
  const guint *groups = pass->groups;

  return g_strdup_printf ("%s counters%s, %s loads, %u workgroups of %u",
      counters[pass->kind.counters], pass->kind.packed ? " packed in ranges" : "",
      pass->kind.wide ? "16-byte" : "single", groups[0] * groups[1] * groups[2],
      gst_gles_program_get_invocations (pass->program));
}

static void
visit_array (const gchar *name, const GstGlesArray *array, const GError *error,
    GstGlesVariantFunc func, gpointer user_data)
{
  g_autofree gchar *variant = array != NULL ? gst_gles_array_describe (array)
                                            : g_strdup_printf ("none: %s", error->message);

  func (name, variant, user_data);
}

static void
visit_arrays (GstGlesDevice *device, GstGlesVariantFunc func, gpointer user_data)
{
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  g_autoptr (GError) reduce_error = NULL, scan_error = NULL, compact_error = NULL;
  g_autoptr (GstGlesReduce) reduce = gst_gles_reduce_new (queue, WIDTH * HEIGHT, &reduce_error);
  g_autoptr (GstGlesScan) scan = gst_gles_scan_new (queue, WIDTH * HEIGHT, &scan_error);
  g_autoptr (GstGlesCompact) compact = gst_gles_compact_new (queue, WIDTH * HEIGHT, &compact_error);

  visit_array ("reduce", reduce != NULL ? gst_gles_reduce_get_array (reduce) : NULL, reduce_error,
      func, user_data);
  visit_array (
      "scan", scan != NULL ? gst_gles_scan_get_array (scan) : NULL, scan_error, func, user_data);
  visit_array ("compact", compact != NULL ? gst_gles_compact_get_array (compact) : NULL,
      compact_error, func, user_data);
}

void
gst_gles_variants_foreach (GstGlesDevice *device, GstGlesVariantFunc func, gpointer user_data)
{
  static const guint depths[] = { 8, 10, 16 };

  for (guint i = 0; i < G_N_ELEMENTS (depths); i++) {
    GstGlesImage image = grey_image (depths[i]);
    GstGlesFrameHistogramConfig config = { 0, 0, WIDTH, HEIGHT, 1, 1, 256, FALSE };
    g_autofree gchar *name = g_strdup_printf ("frame-histogram-%u", 1u << depths[i]);
    g_autofree gchar *variant = NULL;
    g_autoptr (GError) error = NULL;
    g_autoptr (GstGlesFrameHistogram) histogram =
        gst_gles_frame_histogram_new (gst_gles_device_get_queue (device), &image, &config, &error);

    if (histogram == NULL)
      variant = g_strdup_printf ("none: %s", error->message);
    else if (histogram->n_passes == 0)
      variant = g_strdup ("native code");
    else
      variant = describe_pass (&histogram->passes[0]);
    func (g_intern_string (name), variant, user_data);
  }
  visit_arrays (device, func, user_data);
}

/* ---- calls ---- */

/* Describes the last window of a call over @n values. */
static gchar *
describe_call (const GstGlesArray *array, gboolean look_back, guint n)
{
  const GstGlesCount count = GST_GLES_COUNT_HOST (n);
  const GstGlesShape *shape = look_back ? &array->look_back : &array->two_pass;
  const guint tile = gst_gles_shape_tile (shape);
  guint n_groups, n_teams, n_windows;
  guint64 n_tiles;
  GstGlesWindow window;

  if (array->is_cpu)
    return g_strdup ("native code");
  n_windows = gst_gles_array_n_windows (array, n);
  window = gst_gles_array_window (array, shape, &count, n, n_windows - 1);
  n_groups = window.groups[0] * window.groups[1];
  n_teams = n_groups * gst_gles_shape_teams_per_group (shape);
  n_tiles = gst_gles_div_ceil (window.n, tile);
  return g_strdup_printf ("%s in %u windows, %u values in the last: %" G_GUINT64_FORMAT
                          " tiles of %u, up to %" G_GUINT64_FORMAT
                          " for each of %u teams of %u invocations in %u workgroups",
      look_back ? "one pass with look-back" : "two passes", n_windows, window.n, n_tiles, tile,
      gst_gles_div_ceil (n_tiles, n_teams), n_teams,
      shape->team == GST_GLES_TEAM_SERIAL ? 1 : shape->invocations, n_groups);
}

gchar *
gst_gles_variants_describe_frame_histogram (const GstGlesFrameHistogram *histogram)
{
  g_autoptr (GString) text = g_string_new (histogram->n_passes == 0 ? "native code" : NULL);

  for (guint i = 0; i < histogram->n_passes; i++) {
    g_autofree gchar *pass = describe_pass (&histogram->passes[i]);
    g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", pass);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

gchar *
gst_gles_variants_describe_frame_compact (
    GstGlesFrameCompact *compact, const GstGlesFrameCompactCall *call)
{
  static const gchar *const loads[] = { "a sample", "a word of four samples",
    "a sample and an average" };
  GstGlesFrameCompactCall all = *call;
  g_autofree gchar *division = NULL;

  /* Then the capacity is the number of samples in the region. */
  all.max_points = G_MAXUINT;
  division = describe_call (
      &compact->array, compact->last_look_back, gst_gles_frame_compact_capacity (compact, &all));
  return compact->array.is_cpu
      ? g_steal_pointer (&division)
      : g_strdup_printf ("%s, loads of %s", division, loads[compact->last_access]);
}

gchar *
gst_gles_variants_describe_components (const GstGlesComponents *components, guint n)
{
  const GstGlesComponentsTuning *tuning = components->tuning;
  g_autofree gchar *list = describe_call (&components->array, FALSE, components->n_words);

  if (components->array.is_cpu)
    return g_steal_pointer (&list);
  return g_strdup_printf ("%u x %u cells in %" G_GUINT64_FORMAT
                          " tiles of %u x %u, each for %s; up to %u points, %u for an invocation; "
                          "candidates selected by %s",
      components->width, components->height,
      gst_gles_div_ceil (components->row_words, tuning->columns) *
          gst_gles_div_ceil (components->height, tuning->tile_height),
      32 * tuning->columns, tuning->tile_height,
      components->serial ? "one invocation" : "a workgroup", n, tuning->totals_points,
      components->selects ? "one workgroup" : list);
}

gchar *
gst_gles_variants_describe_tiles (const GstGlesTiles *tiles, guint n)
{
  g_autofree gchar *division = describe_call (&tiles->array, FALSE, n);
  const gchar *sorts = tiles->sort_records == NULL ? "one sort" : "two sorts";

  if (tiles->array.is_cpu)
    return g_steal_pointer (&division);
  return g_strdup_printf ("%u x %u tiles, up to %u records, lists by %s; sums in %s",
      tiles->grid.columns, tiles->grid.rows, n,
      n <= tiles->local.max_records ? "the local sort" : sorts, division);
}
