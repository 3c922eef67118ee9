/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The making of programs. A device makes a program once, whoever asks: it is in the device's table
 * from the moment when the driver is given its source, and all who ask meanwhile wait for the same
 * one. Each of them looks by itself whether the driver is done, so none depends on another that
 * gave up. */
#include "config.h"

#include <string.h>

#include <gst/gles/core/log.h>
#include <gst/gles/gl/program-private.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* A user notices when programs take longer than this to build. */
#define SLOW_BUILD_US G_USEC_PER_SEC

/* How often the driver is asked whether it has built programs: at first, and after a while, since
 * many may ask. After the last of these times whoever asks waits for the driver on the device's
 * thread. */
#define FIRST_POLL_US 500
#define LAST_POLL_US (8 * 1000)
#define MAX_POLL_US (10 * G_USEC_PER_SEC)

/* From GL_KHR_parallel_shader_compile, which older headers lack. */
#ifndef GL_COMPLETION_STATUS_KHR
#define GL_COMPLETION_STATUS_KHR 0x91B1
#endif

struct _GstGlesProgramBuild {
  GLuint shader; /* 0: loaded from the cache on disk, or failed */
  gchar **files;
  gint64 begin_us, end_us; /* end: when the driver was seen to be done; 0: it was not looked at */
  GError *error;           /* why it failed */
};

void
gst_gles_program_build_free (GstGlesProgramBuild *build)
{
  if (build == NULL)
    return;
  g_strfreev (build->files);
  g_clear_error (&build->error);
  g_free (build);
}

/* ---- the device's table ---- */

GstGlesProgram *
gst_gles_program_lookup (GstGlesShare *share, const gchar *source)
{
  GstGlesProgram *program = NULL;

  g_mutex_lock (&share->lock);
  if (share->programs != NULL)
    program = g_hash_table_lookup (share->programs, source);
  if (program != NULL)
    gst_gles_program_ref (program);
  g_mutex_unlock (&share->lock);
  return program;
}

/* Adds a program to the table. After the device object is destroyed nothing is added, because
 * nothing would empty the table. */
static void
table_insert (GstGlesShare *share, const gchar *source, GstGlesProgram *program)
{
  g_mutex_lock (&share->lock);
  if (share->programs == NULL && !share->closed)
    share->programs = g_hash_table_new_full (
        g_str_hash, g_str_equal, g_free, (GDestroyNotify) gst_gles_program_unref);
  if (share->programs != NULL)
    g_hash_table_insert (share->programs, g_strdup (source), gst_gles_program_ref (program));
  g_mutex_unlock (&share->lock);
}

static gboolean
is_program (gpointer source, gpointer program, gpointer user_data)
{
  return program == user_data;
}

/* Removes a program that could not be built: whoever asks next may try again. The caller has a
 * reference. */
static void
table_remove (GstGlesShare *share, GstGlesProgram *program)
{
  g_mutex_lock (&share->lock);
  if (share->programs != NULL)
    g_hash_table_foreach_remove (share->programs, is_program, program);
  g_mutex_unlock (&share->lock);
}

/* ---- with the driver ---- */

/* Replaces file indices in the driver's log by file names. A log says `1:10023` or `1(10023)` for
 * line 23 of file 1. */
static gchar *
translate_log (const gchar *log, gchar **files)
{
  g_auto (GStrv) lines = g_strsplit (log, "\n", -1);
  g_autoptr (GRegex) position =
      g_regex_new ("^((?:ERROR|WARNING):\\s*)?(\\d+)([:(])(\\d+)", 0, 0, NULL);
  GString *text = g_string_new (NULL);
  guint n_files = g_strv_length (files);

  for (guint i = 0; lines[i] != NULL; i++) {
    g_autoptr (GMatchInfo) match = NULL;
    if (g_regex_match (position, lines[i], 0, &match)) {
      g_autofree gchar *number = g_match_info_fetch (match, 4);
      guint64 line = g_ascii_strtoull (number, NULL, 10);
      guint64 file = line / GST_GLES_PROGRAM_LINES_PER_FILE;
      gint end = 0;
      g_match_info_fetch_pos (match, 0, NULL, &end);
      g_string_append_printf (text, "%s:%u%s\n", file < n_files ? files[file] : "?",
          (guint) (line % GST_GLES_PROGRAM_LINES_PER_FILE), lines[i] + end);
    } else if (lines[i][0] != '\0') {
      g_string_append_printf (text, "%s\n", lines[i]);
    }
  }
  return g_string_free (text, FALSE);
}

/* Hands the source to the driver, which may compile and link it in threads of its own. */
static GLuint
give_to_driver (GLuint program, const gchar *source)
{
  const GLuint shader = glCreateShader (GL_COMPUTE_SHADER);

  glShaderSource (shader, 1, &source, NULL);
  glCompileShader (shader);
  glAttachShader (program, shader);
  glProgramParameteri (program, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
  glLinkProgram (program);
  /* It lives as long as it is attached. */
  glDeleteShader (shader);
  return shader;
}

/* Waits for the driver, and returns whether it has built the program. */
static gboolean
wait_for_driver (GstGlesProgram *program, GError **error)
{
  const GLuint shader = program->build->shader;
  const gchar *id = program->share->id, *kernel = program->spec.kernel;
  GLint compiled = GL_FALSE, linked = GL_FALSE;
  gchar log[8192] = "";

  glGetShaderiv (shader, GL_COMPILE_STATUS, &compiled);
  if (compiled)
    glGetProgramiv (program->name, GL_LINK_STATUS, &linked);
  if (!compiled) {
    g_autofree gchar *text = NULL;
    glGetShaderInfoLog (shader, sizeof (log), NULL, log);
    text = translate_log (log, program->build->files);
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_COMPILE,
        "%s: kernel %s does not compile:\n%s", id, kernel, text);
  } else if (!linked) {
    glGetProgramInfoLog (program->name, sizeof (log), NULL, log);
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_COMPILE, "%s: kernel %s does not link:\n%s",
        id, kernel, log);
  }
  return linked;
}

/* ---- one program, on the device's thread ---- */

static GstGlesProgram *
start (GstGlesProgramRequest *request)
{
  GstGlesShare *share = request->share;
  GstGlesProgram *program = g_new0 (GstGlesProgram, 1);
  GstGlesProgramBuild *build = g_new0 (GstGlesProgramBuild, 1);
  gboolean has_run = FALSE;

  program->ref_count = 1;
  program->share = gst_gles_share_ref (share);
  program->spec = *request->spec;
  program->spec.kernel = g_intern_string (request->spec->kernel);
  program->spec.code = NULL; /* it need not live as long */
  program->name = glCreateProgram ();
  program->build = build;
  program->unstored = gst_gles_program_cache_get_path (share, request->source);
  build->files = g_steal_pointer (&request->files);
  build->begin_us = g_get_monotonic_time ();
  if (program->unstored == NULL ||
      !gst_gles_program_cache_load (program->unstored, program->name, &has_run))
    build->shader = give_to_driver (program->name, request->source);
  else if (has_run)
    g_clear_pointer (&program->unstored, g_free);
  table_insert (share, request->source, program);
  return program;
}

/* Finds or begins the program, which may also be built meanwhile. */
static gboolean
find_or_start (gpointer data, GError **error)
{
  GstGlesProgramRequest *request = data;

  if (request->program == NULL)
    request->program = gst_gles_program_lookup (request->share, request->source);
  if (request->program == NULL)
    request->program = start (request);
  return TRUE;
}

/* Waits for the driver, unless somebody did. */
static gboolean
finish (gpointer data, GError **error)
{
  GstGlesProgramRequest *request = data;
  GstGlesProgram *program = request->program;
  GstGlesProgramBuild *build = program->build;

  if (build == NULL)
    return TRUE;
  if (build->shader != 0) {
    if (!wait_for_driver (program, &build->error))
      table_remove (program->share, program);
    else if (program->unstored != NULL)
      gst_gles_program_cache_store (program->unstored, program->name, FALSE);
  }
  if (build->error != NULL) {
    build->shader = 0;
    g_propagate_error (error, g_error_copy (build->error));
    return FALSE;
  }
  if (build->end_us == 0)
    build->end_us = g_get_monotonic_time ();
  request->time_us = build->end_us - build->begin_us;
  GST_DEBUG ("%s: kernel %s %s in %" G_GINT64_FORMAT " us", program->share->id,
      program->spec.kernel, build->shader == 0 ? "loaded" : "built", request->time_us);
  g_clear_pointer (&program->build, gst_gles_program_build_free);
  g_atomic_int_set (&program->is_built, TRUE);
  return TRUE;
}

static gboolean
start_and_finish (gpointer data, GError **error)
{
  return find_or_start (data, error) && finish (data, error);
}

/* ---- all programs of a call ---- */

typedef struct {
  GstGlesProgramRequest *requests;
  guint n;
  gboolean complete; /* the driver has built everything */
} Requests;

/* Returns whether the driver is done with @program. Does not wait. */
static gboolean
is_complete (GstGlesProgram *program)
{
  GstGlesProgramBuild *build = program->build;
  GLint complete = GL_TRUE;

  if (build == NULL || build->shader == 0 || build->end_us != 0)
    return TRUE;
  glGetProgramiv (program->name, GL_COMPLETION_STATUS_KHR, &complete);
  if (complete)
    build->end_us = g_get_monotonic_time ();
  return complete != GL_FALSE;
}

/* On the device's thread. */
static gboolean
look_for_completion (gpointer data, GError **error)
{
  Requests *all = data;

  all->complete = TRUE;
  for (guint i = 0; i < all->n; i++)
    all->complete &= is_complete (all->requests[i].program);
  return TRUE;
}

/* On the device's thread. A driver that compiles in the call itself is done at once, so that the
 * times of its programs are their own. */
static gboolean
start_all (gpointer data, GError **error)
{
  Requests *all = data;

  for (guint i = 0; i < all->n; i++) {
    find_or_start (&all->requests[i], error);
    is_complete (all->requests[i].program);
  }
  return TRUE;
}

static gboolean
is_built (const GstGlesProgramRequest *request)
{
  return request->program != NULL && g_atomic_int_get (&request->program->is_built);
}

/* Calls @func on the device's thread for each program that is not built. */
static gboolean
call_each (GstGlesThread *thread, GstGlesThreadFunc func, Requests *all, GError **error)
{
  const GstGlesProgramRequest *slowest = NULL;

  for (guint i = 0; i < all->n; i++) {
    GstGlesProgramRequest *request = &all->requests[i];

    if (is_built (request))
      continue;
    if (!gst_gles_thread_call (thread, func, request, error))
      return FALSE;
    if (slowest == NULL || request->time_us > slowest->time_us)
      slowest = request;
  }
  if (slowest != NULL && slowest->time_us > SLOW_BUILD_US)
    GST_WARNING ("%s: kernel %s, and what was built with it, took %.1f s",
        slowest->program->share->id, slowest->program->spec.kernel, slowest->time_us / 1e6);
  return TRUE;
}

/* Waits for what the driver builds. Meanwhile the device's thread goes on with other work. */
static gboolean
finish_all (GstGlesThread *thread, Requests *all, GError **error)
{
  const gint64 begin_us = g_get_monotonic_time ();
  gulong pause_us = FIRST_POLL_US;

  while (!all->complete && g_get_monotonic_time () < begin_us + MAX_POLL_US) {
    if (!gst_gles_thread_call (thread, look_for_completion, all, error))
      return FALSE;
    if (!all->complete)
      g_usleep (pause_us);
    pause_us = MIN (pause_us + pause_us / 4, LAST_POLL_US);
  }
  return call_each (thread, finish, all, error);
}

gboolean
gst_gles_program_build_all (GstGlesShare *share, GstGlesProgramRequest *requests, guint n,
    gboolean starts_only, GError **error)
{
  Requests all = { requests, n, FALSE };

  if (!share->limits.parallel_compile)
    return call_each (share->thread, start_and_finish, &all, error);
  return gst_gles_thread_call (share->thread, start_all, &all, error) &&
      (starts_only || finish_all (share->thread, &all, error));
}

gboolean
gst_gles_programs_wait (
    GstGlesShare *share, GstGlesProgram *const *programs, guint n, GError **error)
{
  g_autofree GstGlesProgramRequest *requests = g_new0 (GstGlesProgramRequest, n);
  Requests all = { requests, n, FALSE };

  for (guint i = 0; i < n; i++)
    requests[i].program = programs[i];
  return finish_all (share->thread, &all, error);
}
