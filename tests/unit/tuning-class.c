/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The class of a device, by what drivers say of themselves, and what only one class may choose. */
#include <gst/gles/algo/compact/compact-plan.h>
#include <gst/gles/algo/components/components-private.h>
#include <gst/gles/algo/frame/frame-compact-private.h>
#include <gst/gles/algo/reduce/reduce-private.h>
#include <gst/gles/algo/scan/scan-private.h>
#include <gst/gles/algo/sort/sort-tuning.h>

/* Whether the row of a class chooses look-back for any algorithm. */
static gboolean
looks_back (GstGlesTuningClass tuning_class)
{
  const GstGlesArrayTuning *const tunings[] = { gst_gles_reduce_tuning, gst_gles_scan_tuning,
    gst_gles_compact_tuning, gst_gles_frame_compact_tuning, gst_gles_components_tuning };
  const GstGlesSortTuning *sort = gst_gles_sort_tuning_row (tuning_class);

  for (guint i = 0; i < G_N_ELEMENTS (tunings); i++) {
    const GstGlesArrayTuning *row = &tunings[i][tuning_class];
    if (row->look_back.invocations != 0 || row->small_capacity != 0)
      return TRUE;
  }
  return sort->best.look_back || sort->portable.look_back;
}

/* Only NVIDIA promises that workgroups that have begun go on while another one waits for them, as a
 * workgroup of a look-back does. */
static const struct {
  const gchar *description, *name;
  guint invocations, shared_bytes;
  gboolean software, clamped;
} devices[] = {
  { "NVIDIA H100 80GB HBM3/PCIe/SSE2, OpenGL ES 3.2 NVIDIA 580.159.04 (egl:0)", "nvidia", 1024,
      49152 },
  { "NVIDIA H100 80GB HBM3", "minimum", 1024, 65536, FALSE, TRUE },
  { "V3D 4.2.14.0, OpenGL ES 3.1 Mesa 25.0.7 (gbm:/dev/dri/renderD128)", "few-registers", 256,
      32768 },
  { "V3D 7.1.7.0, OpenGL ES 3.1 Mesa 25.0.7", "few-registers", 1024, 65536 },
  { "Mali-T760 (Panfrost), OpenGL ES 3.1 Mesa 25.0.7", "few-registers", 128, 32768 },
  { "Mali-T860 (Panfrost), OpenGL ES 3.1 Mesa 25.0.7", "few-registers", 1024, 65536 },
  { "Mali-G52 (Panfrost), OpenGL ES 3.1 Mesa 25.0.7", "few-registers", 256, 32768 },
  { "Mali-G610 (Panfrost), OpenGL ES 3.1 Mesa 25.0.7", "few-registers", 1024, 65536 },
  { "Mali-G78, OpenGL ES 3.2 v1.r32p1", "few-registers", 512, 32768 },
  { "FD420, OpenGL ES 3.1 Mesa 25.0.7", "hardware", 1024, 65536 },
  { "FD618, OpenGL ES 3.2 Mesa 25.0.7", "hardware", 1024, 32768 },
  { "FD750, OpenGL ES 3.2 Mesa 25.0.7", "hardware", 1024, 65536 },
  { "Adreno (TM) 640, OpenGL ES 3.2 V@0502.0", "hardware", 1024, 65536 },
  { "Mesa Intel(R) UHD Graphics, OpenGL ES 3.2 Mesa 25.0.7", "hardware", 1024, 65536 },
  { "Mesa Intel(R) Arc(tm) A770M Graphics (DG2), OpenGL ES 3.2 Mesa 25.0.7", "hardware", 1024,
      65536 },
  { "AMD Radeon RX 6800 XT (radeonsi, navi21, ACO, DRM 3.59), OpenGL ES 3.2 Mesa 25.0.7",
      "hardware", 1024, 65536 },
  { "NV162, OpenGL ES 3.2 Mesa 25.0.7", "hardware", 1024, 65536 },
  { "PowerVR Rogue GE8320, OpenGL ES 3.2 build 1.13", "hardware", 1024, 65536 },
  { "unknown", "minimum", 128, 16384 },
  { "llvmpipe", "minimum", 128, 16384, TRUE },
  { "llvmpipe", "software", 1024, 49152, TRUE },
};

static void
test_classes (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++) {
    const guint invocations = devices[i].invocations;
    const GstGlesLimits limits = { .invocations = invocations,
      .group_size = { invocations, invocations, 64 },
      .shared_bytes = devices[i].shared_bytes,
      .subgroup_size = 32,
      .subgroup_features = 0xff,
      .clamped = devices[i].clamped };
    const GstGlesTuningClass found = gst_gles_tuning_class_of (
        devices[i].software ? GST_GLES_DEVICE_SOFTWARE : GST_GLES_DEVICE_HARDWARE,
        devices[i].description, &limits);

    g_assert_cmpstr (gst_gles_tuning_class_name (found), ==, devices[i].name);
    g_assert_true (looks_back (found) == g_str_equal (devices[i].name, "nvidia"));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tuning-class/classes", test_classes);
  return g_test_run ();
}
