/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels can be read by many threads at once, from the first moment on, and any number of
 * times. */
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gst/gst.h>
#include <gst/gles/gl/program.h>

#define N_THREADS 8
#define N_PROCESSES 100
#define N_READS 1000
/* The first reads fill the caches of malloc(), which mallinfo2() counts as in use. */
#define N_WARM_UP 500
#define SLACK_BYTES (128 * 1024)

static const GstGlesProgramSpec spec = { .kernel = "frame-histogram_count",
  .local_size = { 64, 1, 1 } };
static gint n_ready;

static gboolean
read_kernel (void)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) files = NULL;
  g_autofree gchar *source = gst_gles_program_flatten (&spec, &files, &error);

  if (source == NULL)
    g_printerr ("%s\n", error->message);
  return source != NULL;
}

static gpointer
read_with_others (gpointer data)
{
  g_atomic_int_inc (&n_ready);
  while (g_atomic_int_get (&n_ready) < N_THREADS)
    g_thread_yield ();
  return GINT_TO_POINTER (read_kernel ());
}

/* Whether the first reads of a process, all at once, succeed. */
static gboolean
read_at_once (void)
{
  GThread *threads[N_THREADS];
  gboolean ok = TRUE;

  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("reader", read_with_others, NULL);
  for (guint i = 0; i < N_THREADS; i++)
    ok &= GPOINTER_TO_INT (g_thread_join (threads[i]));
  return ok;
}

/* GLib returns NULL to a thread that requests the resource while another thread registers it. */
static void
test_first_reads_at_once (void)
{
  for (guint i = 0; i < N_PROCESSES; i++) {
    pid_t child = fork ();
    int status = 0;

    if (child == 0)
      _exit (read_at_once () ? 0 : 1);
    g_assert_cmpint (waitpid (child, &status, 0), ==, child);
    g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  }
}

/* Each read registered the resource once more, and GLib kept a list of them. */
static void
test_reads_keep_nothing (void)
{
  struct mallinfo2 before;

  for (guint i = 0; i < N_WARM_UP; i++)
    g_assert_true (read_kernel ());
  before = mallinfo2 ();
  for (guint i = 0; i < N_READS; i++)
    g_assert_true (read_kernel ());
  g_assert_cmpuint (mallinfo2 ().uordblks, <, before.uordblks + SLACK_BYTES);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* before anything reads a resource, so that processes begin as new ones do */
  g_test_add_func ("/program-source/first-reads-at-once", test_first_reads_at_once);
  g_test_add_func ("/program-source/reads-keep-nothing", test_reads_keep_nothing);
  return g_test_run ();
}
