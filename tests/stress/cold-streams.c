/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* 24 streams that start at once without caches: the driver compiles each program once. The next
 * pipeline has another device, as another process would: everything comes from the cache on disk,
 * and the driver compiles nothing. The elements of a chain give the driver their programs side by
 * side. */
#include "../compilations.h"
#include "../element/lines.h"
#include "../gles-test.h"

#define N_STREAMS 24
#define VARIANT "GST_GLES_TILES_VARIANT"
#define COMPLETION_STATUS 0x91B1 /* of GL_KHR_parallel_shader_compile */

/* used on the device's thread while a stream starts: */
static guint n_patient; /* the driver has built nothing before it has more programs than these */
static gboolean was_hurried, was_asked;

#pragma GCC visibility push(default)

GL_APICALL void GL_APIENTRY
glGetProgramiv (GLuint program, GLenum name, GLint *value)
{
  const gboolean waits = compilations_distinct () <= n_patient;

  was_asked |= name == COMPLETION_STATUS;
  was_hurried |= name == GL_LINK_STATUS && waits;
  if (name == COMPLETION_STATUS && waits)
    *value = GL_FALSE;
  else
    REAL (glGetProgramiv) (program, name, value);
}

#pragma GCC visibility pop

/* Chains of which some share programs. */
static const gchar *const chains[] = {
  "glescompact predicate=motion reference=background ! glesregions",
  "glescompact lower=200 ! glestiles",
  "gleshistogram mad=true ! glescompact lower=100 ! glesregions connectivity=4",
};

static void
run_streams (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GstElement *pipeline;

  for (guint i = 0; i < N_STREAMS; i++)
    g_string_append_printf (text,
        "videotestsrc num-buffers=3 pattern=ball ! video/x-raw,format=I420,width=64,height=48 ! "
        "%s ! fakesink sync=false ",
        chains[i % G_N_ELEMENTS (chains)]);
  pipeline = line_new ("%s", text->str);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  fail_unless_equals_int (line_wait (pipeline, GST_MESSAGE_EOS), GST_MESSAGE_EOS);
  line_free (pipeline);
}

GST_START_TEST (test_cold_and_warm)
{
  guint n_distinct;

  compilations_reset ();
  run_streams ();
  n_distinct = compilations_distinct ();
  fail_unless (n_distinct > 0, "no program was compiled: the streams were not cold");
  fail_unless_equals_int (g_atomic_int_get (&n_compilations), (gint) n_distinct);

  compilations_reset ();
  run_streams ();
  fail_unless_equals_int (g_atomic_int_get (&n_compilations), 0);
}

GST_END_TEST;

/* Returns how many programs the elements of @line need that are not on disk, which then are. */
static guint
count_programs_of (const gchar *line)
{
  g_autoptr (TestStream) stream = line_stream (NULL, "%s", line);

  compilations_reset ();
  line_set_video (stream, "I420", 80, 48);
  gst_buffer_unref (test_stream_push_noise (stream, 0));
  return compilations_distinct ();
}

/* A driver that is done with nothing until it has all programs of a chain: no element, and no plan
 * within one, waits for its own before the others are given. */
GST_START_TEST (test_side_by_side)
{
  for (guint i = 0; i < G_N_ELEMENTS (chains); i++) {
    guint n;

    gles_test_remove_tree (g_get_user_cache_dir ());
    n = count_programs_of (chains[i]);
    fail_unless (n > 1);
    gles_test_remove_tree (g_get_user_cache_dir ());
    was_hurried = was_asked = FALSE;
    n_patient = n - 1;
    fail_unless_equals_int ((gint) count_programs_of (chains[i]), (gint) n);
    n_patient = 0;
    fail_unless (
        !was_asked || !was_hurried, "%s: a plan waited for its own programs alone", chains[i]);
  }
}

GST_END_TEST;

/* What upstream may list at the most decides which programs a frame needs: all of them are built
 * when the caps arrive. With `local` small lists are made by other programs, as on a GPU. */
GST_START_TEST (test_first_frame)
{
  static const gchar *const lines[] = { "glescompact lower=200 ! glestiles",
    "glescompact lower=200 ! glesregions ! glestiles",
    "glescompact lower=200 max-points=5000 ! glestiles sort-by=value" };
  static const gchar *const variants[] = { "auto", "local" };

  /* each line with one variant */
  for (guint i = 0; i < G_N_ELEMENTS (lines) * G_N_ELEMENTS (variants); i += 2) {
    const gchar *line = lines[i % G_N_ELEMENTS (lines)];
    g_autoptr (TestStream) stream = line_stream (NULL, "%s", line);
    gint n_prepared;

    gles_test_remove_tree (g_get_user_cache_dir ());
    g_setenv (VARIANT, variants[i / G_N_ELEMENTS (lines)], TRUE);
    compilations_reset ();
    line_set_video (stream, "GRAY8", 640, 480);
    test_stream_flush (stream); /* waits until the plans are made */
    n_prepared = g_atomic_int_get (&n_compilations);
    fail_unless (n_prepared > 0);
    gst_buffer_unref (test_stream_push_noise (stream, 0));
    fail_unless (g_atomic_int_get (&n_compilations) == n_prepared,
        "%s, %s: %d programs, and %d with the first frame", line, g_getenv (VARIANT), n_prepared,
        g_atomic_int_get (&n_compilations) - n_prepared);
  }
  g_unsetenv (VARIANT);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_side_by_side);
  tcase_add_test (tcase, test_first_frame);
  tcase_add_test (tcase, test_cold_and_warm);
}

int
main (int argc, char **argv)
{
  g_free (gles_test_private_cache ());
  return lines_main (argc, argv, add_tests);
}
