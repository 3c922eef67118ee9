/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The class of a device, by what drivers say of themselves, and what only one class may choose. */
#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/sort/sort-tuning.h>

static void
assert_class (const gchar *description, guint invocations, guint shared_bytes, const gchar *name)
{
  const GstGlesLimits limits = { .invocations = invocations,
    .group_size = { invocations, invocations, 64 },
    .shared_bytes = shared_bytes };
  GstGlesTuningClass found =
      gst_gles_tuning_class_of (GST_GLES_DEVICE_HARDWARE, description, &limits);

  g_assert_cmpstr (gst_gles_tuning_class_name (found), ==, name);
}

static void
test_hardware (void)
{
  assert_class ("NVIDIA H100 80GB HBM3/PCIe/SSE2, OpenGL ES 3.2 NVIDIA 580.159.04 (egl:0)", 1024,
      49152, "nvidia");
  assert_class ("V3D 4.2.14.0, OpenGL ES 3.1 Mesa 25.0.7 (gbm:/dev/dri/renderD128)", 256, 32768,
      "few-registers");
  assert_class ("Mali-T760 (Panfrost), OpenGL ES 3.1 Mesa 25.0.7", 128, 32768, "few-registers");
  assert_class ("Mali-G52 (Panfrost), OpenGL ES 3.1 Mesa 25.0.7", 256, 32768, "few-registers");
  assert_class ("Mali-G78, OpenGL ES 3.2 v1.r32p1", 512, 32768, "few-registers");
  assert_class ("FD618, OpenGL ES 3.2 Mesa 25.0.7", 1024, 32768, "hardware");
  assert_class ("Mesa Intel(R) UHD Graphics, OpenGL ES 3.2 Mesa 25.0.7", 1024, 65536, "hardware");
  assert_class ("unknown", 128, 16384, "minimum");
}

static void
test_limits (void)
{
  const GstGlesLimits low = {
    .invocations = 128, .group_size = { 128, 128, 64 }, .shared_bytes = 16384
  };
  GstGlesLimits clamped = {
    .invocations = 1024, .group_size = { 1024, 1024, 64 }, .shared_bytes = 49152
  };

  g_assert_cmpint (gst_gles_tuning_class_of (GST_GLES_DEVICE_SOFTWARE, "llvmpipe", &low), ==,
      GST_GLES_CLASS_MINIMUM);
  g_assert_cmpint (gst_gles_tuning_class_of (GST_GLES_DEVICE_SOFTWARE, "llvmpipe", &clamped), ==,
      GST_GLES_CLASS_SOFTWARE);
  clamped.clamped = TRUE;
  g_assert_cmpint (gst_gles_tuning_class_of (GST_GLES_DEVICE_HARDWARE, "NVIDIA", &clamped), ==,
      GST_GLES_CLASS_MINIMUM);
}

/* Whether the row of a class chooses look-back for any algorithm. */
static gboolean
looks_back (GstGlesTuningClass tuning_class)
{
  const GstGlesSortTuning *sort = gst_gles_sort_tuning_row (tuning_class);

  for (guint i = 0; i < GST_GLES_N_ALGORITHMS; i++) {
    const GstGlesArrayTuning *row = gst_gles_array_tuning_row (tuning_class, i);
    if (row->look_back.invocations != 0 || row->small_capacity != 0)
      return TRUE;
  }
  return sort->best.look_back || sort->portable.look_back;
}

/* A workgroup of a look-back waits for another one. Only NVIDIA promises that workgroups that have
 * begun go on meanwhile. */
static void
test_look_back (void)
{
  static const gchar *const others[] = {
    "V3D 7.1.7.0, OpenGL ES 3.1 Mesa 25.0.7",
    "Mali-T860 (Panfrost), OpenGL ES 3.1 Mesa 25.0.7",
    "Mali-G610 (Panfrost), OpenGL ES 3.1 Mesa 25.0.7",
    "FD420, OpenGL ES 3.1 Mesa 25.0.7",
    "FD750, OpenGL ES 3.2 Mesa 25.0.7",
    "Adreno (TM) 640, OpenGL ES 3.2 V@0502.0",
    "Mesa Intel(R) Arc(tm) A770M Graphics (DG2), OpenGL ES 3.2 Mesa 25.0.7",
    "AMD Radeon RX 6800 XT (radeonsi, navi21, ACO, DRM 3.59), OpenGL ES 3.2 Mesa 25.0.7",
    "NV162, OpenGL ES 3.2 Mesa 25.0.7",
    "PowerVR Rogue GE8320, OpenGL ES 3.2 build 1.13",
  };
  GstGlesLimits limits = { .invocations = 1024,
    .group_size = { 1024, 1024, 64 },
    .shared_bytes = 65536,
    .subgroup_size = 32,
    .subgroup_features = 0xff };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (
        looks_back (gst_gles_tuning_class_of (GST_GLES_DEVICE_HARDWARE, others[i], &limits)));
  g_assert_false (
      looks_back (gst_gles_tuning_class_of (GST_GLES_DEVICE_SOFTWARE, "llvmpipe", &limits)));
  g_assert_true (looks_back (
      gst_gles_tuning_class_of (GST_GLES_DEVICE_HARDWARE, "NVIDIA H100 80GB HBM3", &limits)));
  limits.clamped = TRUE;
  g_assert_false (looks_back (
      gst_gles_tuning_class_of (GST_GLES_DEVICE_HARDWARE, "NVIDIA H100 80GB HBM3", &limits)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tuning-class/hardware", test_hardware);
  g_test_add_func ("/tuning-class/limits", test_limits);
  g_test_add_func ("/tuning-class/look-back", test_look_back);
  return g_test_run ();
}
