/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Processes that exit while a pipeline plays. libglvnd frees its data of a thread when the thread
 * ends and, if it still exists, when the process exits; a thread that ends at that moment frees it
 * a second time. This program extends that moment: destructors of EGL's thread-specific data sleep
 * before they run, and the process waits for them after its libraries are torn down.
 *
 * The frames are large, so that the pipeline is writing to memory of the device at that moment. The
 * end of the device's thread must not unmap it. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gst/gst.h>

#define N_PROCESSES 8
#define N_FRAMES 3   /* when these are through the driver has compiled something */
#define STEP_US 5000 /* how much later each process exits than the one before */
#define WATCHDOG_SECONDS 60
#define N_WRAPPED 8
/* longer than the teardown of libraries takes, and how long the process waits behind that */
#define LATE_US 100000
#define HOLD_US 400000

static void (*wrapped[N_WRAPPED]) (void *value);
static gint n_wrapped;
static gint n_frames; /* atomic */
static gint n_late;   /* atomic: destructors that have begun */

/* A destructor receives only its value, so each has its own function. */
#define LATE(n)                                                                                    \
  static void late_##n (void *value)                                                               \
  {                                                                                                \
    g_atomic_int_inc (&n_late);                                                                    \
    g_usleep (LATE_US);                                                                            \
    wrapped[n](value);                                                                             \
  }
LATE (0)
LATE (1)
LATE (2)
LATE (3)
LATE (4)
LATE (5)
LATE (6)
LATE (7)
static void (*const late[N_WRAPPED]) (
    void *) = { late_0, late_1, late_2, late_3, late_4, late_5, late_6, late_7 };

__attribute__ ((visibility ("default"))) int
pthread_key_create (pthread_key_t *key, void (*destructor) (void *))
{
  int (*real) (pthread_key_t *, void (*) (void *)) = dlsym (RTLD_NEXT, "pthread_key_create");
  Dl_info info;

  if (destructor != NULL && n_wrapped < N_WRAPPED && dladdr ((void *) destructor, &info) != 0 &&
      strstr (info.dli_fname, "EGL") != NULL) {
    wrapped[n_wrapped] = destructor;
    destructor = late[n_wrapped++];
  }
  return real (key, destructor);
}

/* EGL on a thread that nobody joins, as elements used it before devices had a thread. */
static gpointer
use_egl_and_end (gpointer data)
{
  void *egl = dlopen ("libEGL.so.1", RTLD_NOW);
  unsigned (*bind_api) (unsigned) = dlsym (egl, "eglBindAPI");

  bind_api (0x30A2); /* EGL_OPENGL_API: not the one that threads have from the start */
  return NULL;
}

static ssize_t
hold (void *cookie, const char *bytes, size_t size)
{
  g_usleep (HOLD_US);
  return (ssize_t) size;
}

/* exit() writes what streams have left when every library has been torn down. */
static void
hold_exit (void)
{
  FILE *file = fopencookie (NULL, "w", (cookie_io_functions_t){ .write = hold });

  fputc ('.', file);
}

static GstPadProbeReturn
on_frame (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  g_atomic_int_inc (&n_frames);
  return GST_PAD_PROBE_OK;
}

static void
play_and_exit (guint index, gboolean foreign)
{
  g_autoptr (GError) error = NULL;
  GstElement *h;
  GstPad *pad;
  GstElement *pipeline = gst_parse_launch (
      "fakesrc sizetype=fixed sizemax=16777216 filltype=zero format=time do-timestamp=true ! "
      "video/x-raw,format=GRAY8,width=4096,height=4096,framerate=30/1 ! "
      "gleshistogram name=h device=software ! "
      "fakesink name=sink",
      &error);

  g_assert_no_error (error);
  h = gst_bin_get_by_name (GST_BIN (pipeline), "h");
  pad = gst_element_get_static_pad (h, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_frame, NULL, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (g_atomic_int_get (&n_frames) < N_FRAMES) {
    if (gst_element_get_state (pipeline, NULL, NULL, 0) == GST_STATE_CHANGE_FAILURE)
      _exit (77);
    g_usleep (1000);
  }
  /* another kernel is compiled meanwhile */
  g_object_set (h, "bins", 1000, "grid-columns", 3, NULL);
  g_usleep (index * STEP_US);
  if (foreign) {
    g_thread_new ("foreign", use_egl_and_end, NULL);
    while (g_atomic_int_get (&n_late) == 0)
      g_usleep (100);
  }
  hold_exit ();
  exit (n_wrapped > 0 ? 0 : 2);
}

/* One after the other: the critical moment is short. A foreign thread has to be found once; with
 * N_PROCESSES it was not in one of some forty runs. */
int
main (int argc, char **argv)
{
  const gboolean foreign = argc > 1 && g_str_equal (argv[1], "--foreign");
  const guint n = foreign ? 4 * N_PROCESSES : N_PROCESSES;
  gint n_bad = 0;

  gst_init (NULL, NULL);
  for (guint i = 0; i < n && !(foreign && n_bad > 0); i++) {
    pid_t child = fork ();
    int status = 0;

    if (child == 0) {
      alarm (WATCHDOG_SECONDS);
      play_and_exit (i, foreign);
    }
    waitpid (child, &status, 0);
    if (WIFEXITED (status) && WEXITSTATUS (status) == 77)
      return 77;
    if (status != 0)
      g_print ("process %u: %s %d\n", i, WIFSIGNALED (status) ? "signal" : "status",
          WIFSIGNALED (status) ? WTERMSIG (status) : WEXITSTATUS (status));
    n_bad += status != 0;
  }
  g_print ("%d of %u processes did not exit well\n", n_bad, n);
  return n_bad > 0;
}
