/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* 24 streams that start at once without caches: the driver compiles each program once. The next
 * pipeline has another device, as another process would: everything comes from the cache on disk,
 * and the driver compiles nothing. */
#include "../compilations.h"
#include "../element/lines.h"
#include "../gles-test.h"

#define N_STREAMS 24

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

static void
add_tests (TCase *tcase)
{
  tcase_add_test (tcase, test_cold_and_warm);
}

int
main (int argc, char **argv)
{
  g_free (gles_test_private_cache ());
  return lines_main (argc, argv, add_tests);
}
