/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/compact/compact-private.h>
#include <gst/gles/algo/frame/frame-histogram-private.h>
#include <gst/gles/algo/reduce/reduce-private.h>
#include <gst/gles/algo/scan/scan-private.h>
#include <gst/gles/algo/variants.h>

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
describe_pass (const GstGlesHistogramPass *pass)
{
  static const gchar *const counters[] = { "private", "shared", "global" };
  const guint *groups = pass->groups;

  return g_strdup_printf ("%s counters%s, %s loads%s, %u workgroups of %u",
      counters[pass->kind.counters], pass->kind.packed ? " packed in ranges" : "",
      pass->kind.wide ? "16-byte" : "single", pass->kind.texels ? " by texel" : "",
      groups[0] * groups[1] * groups[2], gst_gles_program_get_invocations (pass->program));
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
    GstGlesHistogramConfig config = { 0, 0, WIDTH, HEIGHT, 1, 1, 256, FALSE };
    g_autofree gchar *name = g_strdup_printf ("histogram-%u", 1u << depths[i]);
    g_autofree gchar *variant = NULL;
    g_autoptr (GError) error = NULL;
    g_autoptr (GstGlesHistogram) histogram =
        gst_gles_histogram_new (gst_gles_device_get_queue (device), &image, &config, &error);

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
