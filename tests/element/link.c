/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The link to a device, as GST_GLES_LINK sets it, decides whether kernels read frames of host
 * memory in place or from a copy on the device. The points are those of native code either way.
 *
 * The program replaces a function of OpenGL ES, to count copies of frames. */
#include <dlfcn.h>

#include <GLES3/gl31.h>

#include <gst/gles/meta/points.h>

#include "lines.h"

#define CAPS "video/x-raw,format=GRAY8,width=320,height=240,framerate=25/1"
#define FRAME_BYTES (320 * 240)
#define N_FRAMES 4

static gint n_copies; /* atomic: of a frame */

#pragma GCC visibility push(default)

GL_APICALL void GL_APIENTRY
glCopyBufferSubData (
    GLenum source, GLenum target, GLintptr source_offset, GLintptr target_offset, GLsizeiptr size)
{
  PFNGLCOPYBUFFERSUBDATAPROC real =
      (PFNGLCOPYBUFFERSUBDATAPROC) dlsym (RTLD_NEXT, "glCopyBufferSubData");

  /* new buffers are cleared by copies of other sizes */
  if (size == FRAME_BYTES)
    g_atomic_int_inc (&n_copies);
  real (source, target, source_offset, target_offset, size);
}

#pragma GCC visibility pop

/* Returns the number of points. */
static guint64
push_frames (const gchar *line)
{
  g_autoptr (TestStream) stream = line_stream (CAPS, "%s", line);
  guint64 n_points = 0;

  for (guint i = 0; i < N_FRAMES; i++) {
    g_autoptr (GstBuffer) out = test_stream_push_noise (stream, i);
    g_autoptr (GstGlesPointsResult) points = gst_gles_points_result_from_buffer (out);

    n_points += gst_gles_points_result_get_total (points);
  }
  return n_points;
}

/* llvmpipe reads a frame twice, but once with the variant that GPUs have. An expression reads it
 * once, in a pass of its own, and twice with neighbours. */
static const struct {
  const gchar *link, *variant;
  gboolean copies;
  const gchar *expression;
} cases[] = {
  { "", "", FALSE },
  { "mapped:0", "", FALSE },
  { "mapped:10.8,copy:51", "", TRUE },
  { "mapped:48,copy:41", "", TRUE },
  { "mapped:48,copy:41", "portable+lookback", FALSE },
  { "mapped:10.8,copy:51", "portable+lookback", TRUE },
  { "mapped:82,copy:41", "", FALSE },
  { "mapped:48,copy:41", "", FALSE, "Y > 200" },
  { "mapped:48,copy:41", "portable+lookback", TRUE, "Y + Y[1,0] > 400" },
};

GST_START_TEST (test_copies)
{
  const gchar *expression = cases[__i__].expression;
  g_autofree gchar *line = expression == NULL
      ? g_strdup ("glescompact lower=200 validate=true")
      : g_strdup_printf (
            "glescompact predicate=expression expression=\"%s\" validate=true", expression);

  g_setenv ("GST_GLES_LINK", cases[__i__].link, TRUE);
  g_setenv ("GST_GLES_FRAME_COMPACT_VARIANT", cases[__i__].variant, TRUE);
  g_atomic_int_set (&n_copies, 0);
  fail_unless (push_frames (line) > 0);
  fail_unless_equals_int (g_atomic_int_get (&n_copies), cases[__i__].copies ? N_FRAMES : 0);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_loop_test (tcase, test_copies, 0, G_N_ELEMENTS (cases));
}

LINES_MAIN (add_tests)
