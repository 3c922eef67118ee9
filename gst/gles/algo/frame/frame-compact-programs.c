/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernels of frame compaction, and the choice of how they read samples. */
#include "config.h"

#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/frame/frame-compact-private.h>
#include <gst/gles/algo/frame/frame-reference.h>

/* A kernel with its defines. */
typedef struct {
  const gchar *name;
  GstGlesPointsPredicate predicate;
  GstGlesFrameAccess access;
  gboolean luma, masked;
} Kernel;

static void
frame_spec (const GstGlesShape *shape, const Kernel *kernel, GstGlesProgramSpec *spec)
{
  guint n = gst_gles_shape_spec (shape, kernel->name, 4 + kernel->masked, spec);

  spec->defines[n++] = (GstGlesDefine){ "FRAME", 1 + kernel->predicate };
  spec->defines[n++] = (GstGlesDefine){ "ACCESS", kernel->access };
  spec->defines[n++] = (GstGlesDefine){ "LUMA", kernel->luma };
  spec->defines[n++] = (GstGlesDefine){ "PREDICATE", 0 };
  if (kernel->masked)
    spec->defines[n++] = (GstGlesDefine){ "MASK", 1 };
  spec->shared_bytes = gst_gles_shape_scan_bytes (shape, MAX (shape->rows / 2, 1), 1);
  if (g_str_equal (kernel->name, "compact_count"))
    return;
  spec->defines[n++] = (GstGlesDefine){ "OUTPUTS", 1 };
  spec->defines[n++] = (GstGlesDefine){ "STAGED", 0 };
  if (g_str_equal (kernel->name, "compact_lookback")) {
    n = gst_gles_shape_look_back_defines (shape, spec, n);
    spec->shared_bytes += gst_gles_shape_look_back_bytes (shape);
  }
}

gboolean
gst_gles_frame_compact_get_programs (GstGlesFrameCompact *compact, gboolean look_back,
    gboolean masked, GstGlesFrameAccess access, GError **error)
{
  const GstGlesArray *array = &compact->array;
  GstGlesProgram **last =
      look_back ? &compact->look_back[masked][access] : &compact->scatter[masked][access];
  const GstGlesShape *shape = look_back ? &array->look_back : &array->two_pass;
  Kernel kernel = { "compact_count", compact->config.predicate, access, compact->channel.luma,
    masked };
  GstGlesProgramList list;
  GstGlesProgramSpec spec;

  if (*last != NULL)
    return TRUE;
  list.n = 0;
  if (!look_back) {
    frame_spec (shape, &kernel, &spec);
    gst_gles_program_list_add (&list, &spec, &compact->counting[masked][access]);
  }
  kernel.name = look_back ? "compact_lookback" : "compact_scatter";
  frame_spec (shape, &kernel, &spec);
  gst_gles_program_list_add (&list, &spec, last);
  return gst_gles_program_list_get (&list, array->queue, error);
}

static void
visit_shape (const GstGlesShape *shape, gboolean look_back, GstGlesSpecialisationFunc func,
    gpointer user_data)
{
  static const gchar *const kernels[] = { "compact_lookback", "compact_scatter", "compact_count" };
  GstGlesProgramSpec spec;

  for (guint i = 0; i < 3 * 2 * GST_GLES_FRAME_N_ACCESSES; i++) {
    GstGlesPointsPredicate predicate = i / (2 * GST_GLES_FRAME_N_ACCESSES);
    gboolean luma = i / GST_GLES_FRAME_N_ACCESSES % 2;
    GstGlesFrameAccess access = i % GST_GLES_FRAME_N_ACCESSES;

    if ((access == GST_GLES_FRAME_ACCESS_WORDS && luma) ||
        (access == GST_GLES_FRAME_ACCESS_AVERAGE && predicate != GST_GLES_POINTS_MOTION))
      continue;
    for (guint k = look_back ? 0 : 2; k < (look_back ? 2 : 6); k++) {
      frame_spec (shape, &(Kernel){ kernels[k / 2], predicate, access, luma, k % 2 }, &spec);
      func (&spec, user_data);
    }
  }
}

void
gst_gles_frame_compact_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  gst_gles_array_tuning_foreach (gst_gles_frame_compact_tuning, visit_shape, func, user_data);
  gst_gles_frame_reference_specialisations (func, user_data);
}

GstGlesFrameAccess
gst_gles_frame_compact_choose_access (const GstGlesFrameCompact *compact,
    const GstGlesCpuFrameCompactCall *native_call, GstGlesFrameCompactParams *params)
{
  guint bits = params->frame.base | native_call->width;

  if (compact->config.background && !gst_gles_frame_compact_is_bytes (compact))
    return GST_GLES_FRAME_ACCESS_AVERAGE;
  if (native_call->height > 1 || compact->config.predicate == GST_GLES_POINTS_EDGE)
    bits |= compact->components->stride;
  if (!gst_gles_frame_compact_is_bytes (compact) || bits % 4 != 0)
    return GST_GLES_FRAME_ACCESS_ANY;
  params->frame.base /= 4;
  params->frame.stride /= 4;
  return GST_GLES_FRAME_ACCESS_WORDS;
}
