/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An application whose EGL context (of another API, where Mesa supports it) is current on the
 * thread that calls the library. After every call its EGL state is unchanged, and during the call
 * no EGL function that could change it is called on its thread. */
#include <dlfcn.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>
#include <gst/gles/gles.h>
#include <gst/gles/gl/pool.h>
#include <gst/gles/meta/points-info.h>
#include <gst/gles/meta/tiles-info.h>

#include "lines.h"
#include "../twin/arrays-table.h"
#include "gles-test.h"

#define N_VALUES 3000

static const gchar *spec;

/* ---- the application's EGL ---- */

/* What is current, a binding, other state of the context, and errors. */
typedef struct {
  gintptr values[9];
} State;

static EGLDisplay app_display;
static EGLContext app_context;
static EGLSurface app_draw, app_read;
static GLuint app_buffer;
static guint n_calls;

/* set on the application's thread while one of our functions runs */
static __thread const gchar *inside;

/* Functions of the program take precedence over those of libEGL, for calls of the library too. */
#define WATCH(type, name, parameters, arguments)                                                   \
  __attribute__ ((visibility ("default"))) EGLAPI type EGLAPIENTRY name parameters                 \
  {                                                                                                \
    type (*real) parameters = (type (*) parameters) dlsym (RTLD_NEXT, #name);                      \
                                                                                                   \
    if (inside != NULL)                                                                            \
      g_error ("%s calls " #name " on the caller's thread", inside);                               \
    return real arguments;                                                                         \
  }

WATCH (EGLBoolean, eglMakeCurrent,
    (EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context),
    (display, draw, read, context))
WATCH (EGLBoolean, eglBindAPI, (EGLenum api), (api))
WATCH (EGLBoolean, eglReleaseThread, (void), ())

static State
get_state (void)
{
  GLint buffer, unit;
  State state = { { (gintptr) eglGetCurrentDisplay (), (gintptr) eglGetCurrentContext (),
      (gintptr) eglGetCurrentSurface (EGL_DRAW), (gintptr) eglGetCurrentSurface (EGL_READ),
      eglQueryAPI () } };

  glGetIntegerv (GL_ARRAY_BUFFER_BINDING, &buffer);
  glGetIntegerv (GL_ACTIVE_TEXTURE, &unit);
  state.values[5] = buffer;
  state.values[6] = unit;
  state.values[7] = eglGetError () - EGL_SUCCESS;
  state.values[8] = glGetError ();
  return state;
}

static void
assert_untouched (const State *before, const gchar *call)
{
  const State after = get_state ();

  inside = NULL;
  n_calls++;
  if (memcmp (&after, before, sizeof (State)) != 0 || after.values[7] != 0 || after.values[8] != 0)
    g_error ("%s changes the caller's EGL or OpenGL state", call);
}

/* Calls one or more functions of the library. */
#define KEEPS(call)                                                                                \
  do {                                                                                             \
    const State before = get_state ();                                                             \
    inside = #call;                                                                                \
    call;                                                                                          \
    assert_untouched (&before, #call);                                                             \
  } while (0)

static gboolean
open_display (void)
{
  PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
      (PFNEGLGETPLATFORMDISPLAYEXTPROC) eglGetProcAddress ("eglGetPlatformDisplayEXT");

  if (get_display != NULL)
    app_display = get_display (EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
  return app_display != EGL_NO_DISPLAY && eglInitialize (app_display, NULL, NULL);
}

/* A context of @api with a surface to draw to and another one to read from. */
static gboolean
make_current (EGLenum api)
{
  const EGLint wanted[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
    api == EGL_OPENGL_API ? EGL_OPENGL_BIT : EGL_OPENGL_ES3_BIT, EGL_NONE };
  const EGLint size[] = { EGL_WIDTH, 4, EGL_HEIGHT, 4, EGL_NONE };
  const EGLint es[] = { EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE };
  EGLConfig config;
  EGLint n = 0;

  if (!eglBindAPI (api) || !eglChooseConfig (app_display, wanted, &config, 1, &n) || n < 1)
    return FALSE;
  app_draw = eglCreatePbufferSurface (app_display, config, size);
  app_read = eglCreatePbufferSurface (app_display, config, size);
  app_context =
      eglCreateContext (app_display, config, EGL_NO_CONTEXT, api == EGL_OPENGL_API ? NULL : es);
  if (!eglMakeCurrent (app_display, app_draw, app_read, app_context))
    return FALSE;
  glGenBuffers (1, &app_buffer);
  glBindBuffer (GL_ARRAY_BUFFER, app_buffer);
  glActiveTexture (GL_TEXTURE3);
  return TRUE;
}

static void
release_current (void)
{
  glDeleteBuffers (1, &app_buffer);
  eglMakeCurrent (app_display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  eglDestroyContext (app_display, app_context);
  eglDestroySurface (app_display, app_draw);
  eglDestroySurface (app_display, app_read);
  eglBindAPI (EGL_OPENGL_ES_API);
}

/* ---- devices and queues ---- */

static void
test_devices (void)
{
  static const gchar *const bad[] = { "egl:99", "/dev/dri/renderD999", "nonsense" };
  GError *error = NULL;
  GstGlesDevice *device, *other, *owner;
  GstGlesQueue *queue, *second;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    KEEPS (g_assert_null (gst_gles_device_new (bad[i], &error)));
    g_clear_error (&error);
  }
  KEEPS (other = gst_gles_device_new ("auto", &error));
  g_assert_no_error (error);
  KEEPS (device = gst_gles_device_new (spec, &error));
  g_assert_no_error (error);
  KEEPS (g_assert_cmpint (gst_gles_device_get_kind (device), !=, GST_GLES_DEVICE_CPU));
  KEEPS (g_assert_nonnull (gst_gles_device_get_limits (device)));
  KEEPS (gst_gles_device_get_id (device));
  KEEPS (gst_gles_device_get_description (device));
  KEEPS (g_assert_true (gst_gles_device_matches (device, spec)));
  KEEPS (queue = gst_gles_device_get_queue (device));
  KEEPS (second = gst_gles_queue_new (device, &error));
  KEEPS (owner = gst_gles_queue_get_device (second));
  g_assert_true (owner == device);
  KEEPS (gst_object_unref (owner));
  KEEPS (g_assert_true (gst_gles_queue_finish (queue, &error)));
  KEEPS (gst_object_unref (second));
  KEEPS (gst_gles_device_mark_lost (device, "a test says so"));
  KEEPS (g_assert_true (gst_gles_device_is_lost (device)));
  KEEPS (g_assert_false (gst_gles_queue_begin (queue, &error)));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_DEVICE_LOST);
  g_clear_error (&error);
  KEEPS (gst_gles_queue_finish (queue, NULL));
  KEEPS (gst_object_unref (device));
  KEEPS (gst_object_unref (other));
}

/* ---- arrays ---- */

/* The life of a plan and of its buffers. Each function of the table calls one function of the
 * library, and transfers. */
static void
test_arrays (void)
{
  GError *error = NULL;
  GstGlesDevice *device = gst_gles_device_new (spec, &error);
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  GstGlesBufferPool *pool;
  GstGlesBuffer *buffer;

  KEEPS (pool = gst_gles_buffer_pool_new (device, 64));
  KEEPS (buffer = gst_gles_buffer_pool_acquire (pool, &error));
  KEEPS (g_bytes_unref (gst_gles_buffer_download_bytes (buffer, queue, 4, 8, NULL)));
  for (guint i = 0; i < arrays_table_size; i++) {
    const ArraysAlgorithm *algorithm = &arrays_table[i];
    GstGlesTimer *timer;
    ArraysSet *set;
    guint32 *words;
    gpointer plan;
    guint n_words;

    KEEPS (set = arrays_set_new (algorithm, queue, N_VALUES, ARRAYS_SPARE, 1));
    KEEPS (plan = algorithm->plan_new (queue, N_VALUES, &error));
    g_assert_no_error (error);
    KEEPS (arrays_set_run (set, plan, N_VALUES, FALSE));
    KEEPS (arrays_set_run (set, plan, N_VALUES / 2, TRUE));
    KEEPS (g_assert_true (gst_gles_queue_begin (queue, &error)));
    KEEPS (timer = gst_gles_queue_start_timer (queue));
    KEEPS (arrays_set_run (set, plan, N_VALUES, FALSE));
    KEEPS (g_assert_true (gst_gles_queue_end (queue, &error)));
    if (timer != NULL) {
      KEEPS (g_array_unref (gst_gles_timer_get_passes (timer, NULL)));
      KEEPS (gst_gles_timer_free (timer));
    }
    KEEPS (g_assert_true (gst_gles_queue_finish (queue, &error)));
    KEEPS (words = arrays_set_read (set, plan, &n_words));
    g_free (words);
    KEEPS (algorithm->plan_free (plan));
    KEEPS (arrays_set_free (set));
  }
  KEEPS (gst_object_unref (device));
  /* the last of the device */
  KEEPS (gst_gles_buffer_unref (buffer));
  KEEPS (gst_gles_buffer_pool_free (pool));
}

/* ---- elements ---- */

#define CAPS "video/x-raw,format=I420,width=64,height=48,framerate=25/1"

/* Reads a result of @kind in the ways that may need the device. */
#define READ(kind, get, ...)                                                                       \
  do {                                                                                             \
    gpointer result;                                                                               \
                                                                                                   \
    KEEPS (result = gst_gles_##kind##_result_from_buffer (buffer));                                \
    KEEPS (gst_gles_##kind##_result_is_ready (result));                                            \
    KEEPS (gst_gles_##kind##_result_wait (result, 0, NULL));                                       \
    KEEPS (g_assert_true (gst_gles_##kind##_result_wait (result, G_MAXUINT64, NULL)));             \
    KEEPS (g_assert_nonnull (gst_gles_##kind##_result_##get (result, __VA_ARGS__)));               \
    KEEPS (gst_gles_##kind##_result_unref (result));                                               \
  } while (0)

static void
read_points (GstBuffer *buffer)
{
  g_autoptr (GstGlesPointsResult) again = gst_gles_points_result_from_buffer (buffer);
  guint n;

  READ (points, get_points, &n, NULL);
  KEEPS (g_bytes_unref (gst_gles_points_result_get_bytes (again, NULL)));
  KEEPS (gst_gles_points_result_release_device (again));
}

static void
read_results (GstBuffer *buffer)
{
  g_autoptr (GstGlesTilesResult) tiles = gst_gles_tiles_result_from_buffer (buffer);
  guint n;

  READ (histogram, get_counts, 0, 0, &n, NULL);
  read_points (buffer);
  READ (tiles, get_indices, &n, NULL);
  KEEPS (gst_gles_tiles_result_release_device (tiles));
}

/* Pads, states and properties of all elements: the harness calls them on this thread. */
static void
run_elements (const gchar *line, gboolean results)
{
  TestStream *stream;
  GstBuffer *kept = NULL;

  KEEPS (stream = line_stream (CAPS, "%s", line));
  for (guint i = 0; i < 12; i++) {
    GstBuffer *buffer;

    KEEPS (buffer = test_stream_push_noise (stream, i));
    if (results && i % 2 == 0)
      read_results (buffer);
    KEEPS (gst_clear_buffer (&kept));
    kept = buffer;
    if (i % 5 == 4) {
      KEEPS (test_stream_flush (stream));
      KEEPS (line_set_caps (stream, CAPS));
    }
  }
  KEEPS (g_assert_true (GST_CLOCK_TIME_IS_VALID (gst_harness_query_latency (stream->harness))));
  KEEPS (test_stream_push_event (stream, gst_event_new_eos ()));
  KEEPS (gst_element_set_state (stream->element, GST_STATE_NULL));
  KEEPS (gst_element_set_state (stream->element, GST_STATE_PLAYING));
  KEEPS (test_stream_free (stream));
  /* the last result is read when the elements and their device are gone */
  if (results)
    read_points (kept);
  KEEPS (gst_buffer_unref (kept));
}

static void
test_elements (void)
{
  const gchar *chain = "gleshistogram post-messages=true profile=true ! "
                       "glescompact lower=200 validate=true ! glestiles";
  g_autofree gchar *json = g_strdup_printf ("%s ! glesjson", chain);
  g_autofree gchar *drawn = g_strdup_printf ("%s ! glesoverlay", chain);

  run_elements (chain, TRUE);
  run_elements (json, FALSE);
  if (gst_registry_check_feature_version (gst_registry_get (), "glesoverlay", 0, 0, 0))
    run_elements (drawn, FALSE);
}

/* ---- main ---- */

static const struct {
  const gchar *name;
  EGLenum api;
} apis[] = { { "OpenGL ES", EGL_OPENGL_ES_API }, { "OpenGL", EGL_OPENGL_API } };

static void (*const tests[]) (void) = { test_devices, test_arrays, test_elements };

GST_START_TEST (test_in_context)
{
  const guint api = __i__ % G_N_ELEMENTS (apis);

  n_calls = 0;
  if (!make_current (apis[api].api)) {
    /* Mesa may be built for OpenGL ES alone */
    fail_unless (apis[api].api == EGL_OPENGL_API);
    g_print ("# no %s here\n", apis[api].name);
    return;
  }
  tests[__i__ / G_N_ELEMENTS (apis)]();
  release_current ();
  g_print ("# %u calls keep the caller's %s\n", n_calls, apis[api].name);
  fail_unless (n_calls > 0);
}

GST_END_TEST;

static void
add_tests (TCase *tcase)
{
  tcase_add_loop_test (tcase, test_in_context, 0, G_N_ELEMENTS (apis) * G_N_ELEMENTS (tests));
}

int
main (int argc, char **argv)
{
  spec = test_device ();
  if (!open_display ()) {
    g_printerr ("no EGL display without a window system\n");
    return gles_test_no_gl ();
  }
  return lines_main (argc, argv, add_tests);
}
