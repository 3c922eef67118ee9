/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts calls, and wraps the library's functions for allocation, threads and mapping. */
#include "fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include <gst/video/video.h>

static gint armed, n_calls, late_left;
static FaultKind armed_kind;
static gint armed_target;
static FaultRecord *armed_record;
static gchar due[FAULT_NAME_BYTES];      /* the call that failed */
static __thread const gchar *new_thread; /* its name, if the library or the plugin makes one */

void
fault_arm (FaultKind kind, gint target, FaultRecord *record)
{
  armed_kind = kind;
  armed_target = target;
  armed_record = record;
  due[0] = '\0';
  g_atomic_int_set (&late_left, 0);
  g_atomic_int_set (&n_calls, 0);
  g_atomic_int_set (&armed, TRUE);
}

const gchar *
fault_get_due (void)
{
  return due;
}

void
fault_disarm (void)
{
  g_atomic_int_set (&armed, FALSE);
}

gboolean
fault_is_late (void)
{
  return armed_kind == FAULT_LATE;
}

gpointer
fault_real (const gchar *name)
{
  static const gchar *const libraries[] = { "libEGL.so.1", "libGLESv2.so.2",
    "libgstvideo-1.0.so.0" };
  gpointer real = dlsym (RTLD_NEXT, name);

  /* RTLD_NEXT does not find libraries that only a plugin loads. */
  for (guint i = 0; real == NULL && i < G_N_ELEMENTS (libraries); i++) {
    gpointer library = dlopen (libraries[i], RTLD_LAZY | RTLD_LOCAL);

    if (library != NULL)
      real = dlsym (library, name);
  }
  if (real == NULL)
    g_error ("there is no %s", name);
  return real;
}

/* Only joined threads may use EGL: libglvnd frees its data of a thread when the thread ends, and
 * again if that happens while the process exits. */
static gboolean
is_foreign (const gchar *name)
{
  gchar thread[16] = "";

  if (!g_str_has_prefix (name, "egl") && !g_str_has_prefix (name, "gl"))
    return FALSE;
  pthread_getname_np (pthread_self (), thread, sizeof (thread));
  return !g_str_has_prefix (thread, "gles");
}

gboolean
fault_is_due (const gchar *name)
{
  gint number;

  if (!g_atomic_int_get (&armed))
    return FALSE;
  number = g_atomic_int_add (&n_calls, 1);
  if (armed_record != NULL && number < FAULT_MAX_CALLS) {
    g_strlcpy (armed_record->names[number], name, FAULT_NAME_BYTES);
    g_atomic_int_inc (&armed_record->n_calls);
    g_atomic_int_add (&armed_record->n_foreign, is_foreign (name));
  }
  if (number == armed_target) {
    g_atomic_int_set (&late_left, 50);
    g_strlcpy (due, name, sizeof (due));
  }
  if (armed_kind == FAULT_FAIL)
    return number == armed_target;
  return g_str_equal (name, "glClientWaitSync") && g_atomic_int_get (&late_left) > 0 &&
      g_atomic_int_add (&late_left, -1) > 0;
}

static gboolean
is_ours (gpointer caller)
{
  Dl_info info;

  return dladdr (caller, &info) != 0 && strstr (info.dli_fname, "gstgles") != NULL;
}

gboolean
fault_is_due_for (const gchar *name, gpointer caller)
{
  return g_atomic_int_get (&armed) && is_ours (caller) && fault_is_due (name);
}

#define STAND_IN(type, name, params, args, failure)                                                \
  FAULT_STAND_IN (                                                                                 \
      type, name, params, args, fault_is_due_for (#name, __builtin_return_address (0)), failure)

/* GLib has macros of these names */
#undef g_try_malloc
#undef g_try_malloc0
#undef g_try_malloc_n
STAND_IN (gpointer, g_try_malloc, (gsize n), (n), return NULL)
STAND_IN (gpointer, g_try_malloc0, (gsize n), (n), return NULL)
STAND_IN (gpointer, g_try_malloc_n, (gsize n, gsize size), (n, size), return NULL)
STAND_IN (gpointer, g_try_malloc0_n, (gsize n, gsize size), (n, size), return NULL)
STAND_IN (gboolean, gst_buffer_map, (GstBuffer * buffer, GstMapInfo *info, GstMapFlags flags),
    (buffer, info, flags), return FALSE)
STAND_IN (gboolean, gst_memory_map, (GstMemory * memory, GstMapInfo *info, GstMapFlags flags),
    (memory, info, flags), return FALSE)
STAND_IN (gboolean, gst_video_frame_map,
    (GstVideoFrame * frame, const GstVideoInfo *info, GstBuffer *buffer, GstMapFlags flags),
    (frame, info, buffer, flags), return FALSE)

/* Each thread counts as a function of its own. */
static gboolean
is_due_for_thread (void)
{
  gchar call[FAULT_NAME_BYTES];

  if (new_thread == NULL)
    return FALSE;
  g_snprintf (call, sizeof call, "pthread_create %s", new_thread);
  return fault_is_due (call);
}

/* GLib's functions make threads for us with this call, which fails where a limit of the system is
 * reached: g_thread_new() ends the process then. */
FAULT_STAND_IN (int, pthread_create,
    (pthread_t * thread, const pthread_attr_t *attributes, void *(*func) (void *), void *data),
    (thread, attributes, func, data), is_due_for_thread (), return EAGAIN)

/* Defines a @function of GLib that makes the thread @name, so that those of the library and the
 * plugin are known. */
#define MAKES_THREAD(function, params, args)                                                       \
  __attribute__ ((visibility ("default"))) GThread *function params;                               \
  GThread *function params                                                                         \
  {                                                                                                \
    static __typeof__ (function) *real;                                                            \
    GThread *thread;                                                                               \
                                                                                                   \
    if (real == NULL)                                                                              \
      real = fault_real (#function);                                                               \
    new_thread = is_ours (__builtin_return_address (0)) ? name : NULL;                             \
    thread = real args;                                                                            \
    new_thread = NULL;                                                                             \
    return thread;                                                                                 \
  }

MAKES_THREAD (
    g_thread_new, (const gchar *name, GThreadFunc func, gpointer data), (name, func, data))
MAKES_THREAD (g_thread_try_new,
    (const gchar *name, GThreadFunc func, gpointer data, GError **error), (name, func, data, error))
