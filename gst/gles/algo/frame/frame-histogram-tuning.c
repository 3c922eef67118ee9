/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/algo/plan/tuning-class.h>
#include <gst/gles/algo/frame/frame-histogram-tuning.h>

/* The limits that OpenGL ES 3.1 guarantees. */
#define LEAST                                                                                      \
  .private_array_max = 1024, .private_invocations = 8, .shared_invocations = 128,                  \
  .shared_words = 4096, .table_words = 4096, .shared_units = 16, .shared_max_groups = 256,         \
  .small_invocations = 128, .small_words = 4096, .shared_max_counters_per_sample = 4,              \
  .global_invocations = 64, .scatter_max_samples = 64, .difference_invocations = 128

static const GstGlesFrameHistogramTuning rows[GST_GLES_N_CLASSES] = {
  /* Measured on llvmpipe (Mesa 22.3, AVX-512 machine, 2 cores). The unit is the time that one
   * native thread with four tables takes to count the same bytes, so that other load on the
   * machine cancels out; the figures are half of the processor time of all threads. Samples are
   * 8-bit noise unless another kind is named; with private counters, constant images and
   * photographs take the same time within 5 %. */
  [GST_GLES_CLASS_SOFTWARE] = {
      /* Private: 256 counters 1.25, 1024 (10 bits) 1.3, 4096 (12 bits) 1.9; LLVM compiles 65536 in
       * 28 s. Shared atomics 9.8, global ones 9.4. */
      .private_max_counters = 4096,
      .private_array_max = 4096,
      /* With 16: 4 % slower. A workgroup costs 1.2 % of the time of a 1080p luma plane. */
      .private_invocations = 8,
      /* 256 counters, grids over 1080p, private and global: cells of 14400 samples 3.3, 10.4; of
       * 3600 samples 8, 12; of 900 samples 25, 18. */
      .private_min_samples = 6,
      .shared_invocations = 128,
      .shared_words = 4096,
      .table_words = 8192,
      .shared_units = 64,
      .shared_max_groups = 16,
      .small_invocations = 128,
      .small_words = 4096,
      .shared_max_counters_per_sample = 4,
      .global_invocations = 64,
      /* Scattered and cell by cell: cells of 900 samples 24, 18; of 225 samples 31, 50. */
      .scatter_max_samples = 400,
      .difference_invocations = 128,
      .per_processor = TRUE,
      .limited_loops = TRUE,
  },

  /* Measured on an H100: GPU time in us of the counting pass over a 3840x2160 plane of noise unless
   * another content is named. Two timestamps without work between them already differ by 8 us. */
  [GST_GLES_CLASS_NVIDIA] = {
      /* 4096 does not link. Private counters take 634, with a constant image 272. */
      .private_array_max = 1024,
      .private_invocations = 8,
      /* 8 bits, with 4, 8, 16 and 32 units per invocation; constant images and photographs differ
       * by less than 3 %:
       *   256 invocations 21 18 16 20; 512: 17 15 17 22; 1024: 14 16 20 27.
       * 16 bits, packed in three ranges, 8 units, with 256, 512 and 1024 invocations:
       *   noise 236 96 73; constant images 109 53 37.
       * 16 bits with global counters: noise 125; two alternating values 266. */
      .shared_invocations = 1024,
      .shared_words = 12288,
      .table_words = 12288,
      .shared_units = 4,
      /* Four per multiprocessor; a 4K plane needs 127. With 1024 counters a quarter: 4K RGBA in
       * textures, frames per second: 506 groups 11 128, 253: 12 285, 127: 12 964, 64: 10 708. */
      .shared_max_groups = 528,
      .small_invocations = 128,
      .small_words = 4096,
      .shared_max_counters_per_sample = 4,
      .global_invocations = 64,
      .scatter_max_samples = 64,
      .difference_invocations = 1024,
  },

  /* Not measured. The values are between the row for NVIDIA and the row for the minimum. */
  [GST_GLES_CLASS_HARDWARE] = {
      .private_array_max = 1024,
      .private_invocations = 8,
      .shared_invocations = 256,
      .shared_words = 8192,
      .table_words = 8192,
      .shared_units = 8,
      .shared_max_groups = 256,
      .small_invocations = 128,
      .small_words = 4096,
      .shared_max_counters_per_sample = 4,
      .global_invocations = 64,
      .scatter_max_samples = 64,
      .difference_invocations = 256,
  },

  /* Fewer counters need fewer registers and less time to compile. */
  [GST_GLES_CLASS_FEW_REGISTERS] = { LEAST },

  /* llvmpipe can be told to have these limits. */
  [GST_GLES_CLASS_MINIMUM] = { LEAST, .limited_loops = TRUE },
};

const GstGlesFrameHistogramTuning *
gst_gles_frame_histogram_tuning_rows (guint *n_rows)
{
  *n_rows = G_N_ELEMENTS (rows);
  return rows;
}

const GstGlesFrameHistogramTuning *
gst_gles_frame_histogram_tuning_get (GstGlesDevice *device)
{
  return &rows[gst_gles_tuning_class (device)];
}

static const struct {
  const gchar *word;
  GstGlesFrameHistogramForce force;
} words[] = {
  { "auto", 0 },
  { "private", GST_GLES_FRAME_HISTOGRAM_FORCE_PRIVATE },
  { "shared", GST_GLES_FRAME_HISTOGRAM_FORCE_SHARED },
  { "packed", GST_GLES_FRAME_HISTOGRAM_FORCE_PACKED },
  { "global", GST_GLES_FRAME_HISTOGRAM_FORCE_GLOBAL },
  { "generic", GST_GLES_FRAME_HISTOGRAM_FORCE_GENERIC },
  { "masked", GST_GLES_FRAME_HISTOGRAM_FORCE_MASKED },
  { "direct", GST_GLES_FRAME_HISTOGRAM_FORCE_DIRECT },
  { "scatter", GST_GLES_FRAME_HISTOGRAM_FORCE_SCATTER },
};

gboolean
gst_gles_frame_histogram_tuning_force (GstGlesFrameHistogramForce *force, GError **error)
{
  const guint counters = GST_GLES_FRAME_HISTOGRAM_FORCE_PRIVATE |
      GST_GLES_FRAME_HISTOGRAM_FORCE_SHARED | GST_GLES_FRAME_HISTOGRAM_FORCE_PACKED |
      GST_GLES_FRAME_HISTOGRAM_FORCE_GLOBAL;
  const gchar *variant = g_getenv ("GST_GLES_FRAME_HISTOGRAM_VARIANT");
  g_auto (GStrv) parts = NULL;
  guint bits = 0, known = 0;

  *force = 0;
  if (variant == NULL || variant[0] == '\0')
    return TRUE;
  parts = g_strsplit (variant, "+", -1);
  for (guint i = 0; parts[i] != NULL; i++) {
    guint at = 0;
    while (at < G_N_ELEMENTS (words) && strcmp (words[at].word, parts[i]) != 0)
      at++;
    if (at == G_N_ELEMENTS (words))
      break;
    bits |= words[at].force;
    known++;
  }
  if (known < g_strv_length (parts) || ((bits & counters) & ((bits & counters) - 1)) != 0) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "GST_GLES_FRAME_HISTOGRAM_VARIANT=%s means nothing; it takes one of private, shared, "
        "packed, global and any of generic, masked, direct, scatter, joined by +",
        variant);
    return FALSE;
  }
  *force = bits;
  return TRUE;
}
