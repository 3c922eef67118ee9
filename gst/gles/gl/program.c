/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/log.h>
#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/program.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* A user notices when a kernel takes longer than this to build. */
#define SLOW_BUILD_US G_USEC_PER_SEC

/* How often, and how long at the most, the driver is asked whether it has built programs. Whoever
 * asks for the result then waits for the driver on the device's thread. */
#define POLL_US 500
#define MAX_POLL_US (10 * G_USEC_PER_SEC)

/* From GL_KHR_parallel_shader_compile, which older headers lack. */
#ifndef GL_COMPLETION_STATUS_KHR
#define GL_COMPLETION_STATUS_KHR 0x91B1
#endif

struct _GstGlesProgram {
  gint ref_count;
  GstGlesShare *share;
  GstGlesProgramSpec spec;
  GLuint name;
  GLuint shader; /* while it is built */
  gint has_run;  /* atomic */
};

gboolean
gst_gles_program_is_first_run (GstGlesProgram *program)
{
  if (g_atomic_int_get (&program->has_run) ||
      !g_atomic_int_compare_and_exchange (&program->has_run, FALSE, TRUE))
    return FALSE;
  GST_DEBUG ("%s: kernel %s runs for the first time", program->share->id, program->spec.kernel);
  return TRUE;
}

GstGlesProgram *
gst_gles_program_ref (GstGlesProgram *program)
{
  g_atomic_int_inc (&program->ref_count);
  return program;
}

void
gst_gles_program_unref (GstGlesProgram *program)
{
  if (program == NULL || !g_atomic_int_dec_and_test (&program->ref_count))
    return;
  gst_gles_share_discard (
      program->share, &(GstGlesTrash){ GST_GLES_TRASH_PROGRAM, program->name }, 1);
  gst_gles_share_unref (program->share);
  g_free (program);
}

guint
gst_gles_program_get_invocations (GstGlesProgram *program)
{
  const guint *size = program->spec.local_size;

  return MAX (size[0], 1) * MAX (size[1], 1) * MAX (size[2], 1);
}

guint
gst_gles_program_get_name (GstGlesProgram *program)
{
  return program->name;
}

const GstGlesProgramSpec *
gst_gles_program_get_spec (GstGlesProgram *program)
{
  return &program->spec;
}

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
static void
start_build (GstGlesProgram *program, const gchar *source)
{
  program->shader = glCreateShader (GL_COMPUTE_SHADER);
  glShaderSource (program->shader, 1, &source, NULL);
  glCompileShader (program->shader);
  glAttachShader (program->name, program->shader);
  glProgramParameteri (program->name, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
  glLinkProgram (program->name);
  /* It lives as long as it is attached. */
  glDeleteShader (program->shader);
}

/* Waits for the driver, and returns whether it has built the program. */
static gboolean
finish_build (GstGlesProgram *program, gchar **files, GError **error)
{
  GLint compiled = GL_FALSE, linked = GL_FALSE;
  gchar log[8192] = "";

  glGetShaderiv (program->shader, GL_COMPILE_STATUS, &compiled);
  if (compiled)
    glGetProgramiv (program->name, GL_LINK_STATUS, &linked);
  if (!compiled) {
    g_autofree gchar *text = NULL;
    glGetShaderInfoLog (program->shader, sizeof (log), NULL, log);
    text = translate_log (log, files);
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_COMPILE,
        "%s: kernel %s does not compile:\n%s", program->share->id, program->spec.kernel, text);
  } else if (!linked) {
    glGetProgramInfoLog (program->name, sizeof (log), NULL, log);
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_COMPILE, "%s: kernel %s does not link:\n%s",
        program->share->id, program->spec.kernel, log);
  }
  program->shader = 0;
  return linked;
}

/* Checks the device's limits, since glslangValidator and llvmpipe accept programs that exceed
 * them. */
static gboolean
check_limits (GstGlesShare *share, const GstGlesProgramSpec *spec, GError **error)
{
  const GstGlesLimits *limits = &share->limits;
  guint invocations = 1;
  const gchar *what = NULL;

  for (guint i = 0; i < 3; i++) {
    guint size = MAX (spec->local_size[i], 1);
    if (size > limits->group_size[i])
      what = "workgroup size along an axis";
    invocations *= size;
  }
  if (invocations > limits->invocations)
    what = "invocations per workgroup";
  if (spec->shared_bytes > limits->shared_bytes)
    what = "shared memory";
  if (spec->n_storage > limits->storage_blocks)
    what = "storage blocks";
  if (spec->subgroups != 0 && limits->subgroup_size == 0)
    what = "subgroups (the device has none)";
  else if (spec->subgroups != 0 && spec->subgroups != limits->subgroup_size)
    what = "lanes per subgroup";
  if (spec->texels && limits->texel_buffer_texels == 0)
    what = "buffer textures (the device has none)";
  if (what == NULL)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
      "%s: kernel %s (%u invocations, %u bytes shared, %u storage blocks) is over the device's "
      "limit of %s",
      share->id, spec->kernel, invocations, spec->shared_bytes, spec->n_storage, what);
  return FALSE;
}

static GstGlesProgram *
cache_lookup (GstGlesShare *share, const gchar *source)
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

/* Adds a program to the cache, taking @source. After the device object is destroyed nothing is
 * added, because nothing would empty the cache. */
static void
cache_insert (GstGlesShare *share, gchar *source, GstGlesProgram *program)
{
  g_mutex_lock (&share->lock);
  if (share->programs == NULL && !share->closed)
    share->programs = g_hash_table_new_full (
        g_str_hash, g_str_equal, g_free, (GDestroyNotify) gst_gles_program_unref);
  if (share->programs != NULL)
    g_hash_table_insert (
        share->programs, g_steal_pointer (&source), gst_gles_program_ref (program));
  g_mutex_unlock (&share->lock);
  g_free (source);
}

/* A request for a program. */
typedef struct {
  GstGlesShare *share;
  const GstGlesProgramSpec *spec;
  gchar *source;
  gchar **files;
  gchar *key; /* of the cache on disk */
  gint64 begin_us;
  gboolean loaded;          /* from that cache */
  GstGlesProgram *building; /* started, not finished */
  GstGlesProgram *program;
} Request;

/* Several requests, and what a call on the device's thread finds out about them. */
typedef struct {
  Request *requests;
  guint n;
  gboolean complete; /* the driver has built everything that was started */
} Requests;

static GstGlesProgram *
new_program (GstGlesShare *share, const GstGlesProgramSpec *spec)
{
  GstGlesProgram *program = g_new0 (GstGlesProgram, 1);

  program->ref_count = 1;
  program->share = gst_gles_share_ref (share);
  program->spec = *spec;
  program->spec.kernel = g_intern_string (spec->kernel);
  program->name = glCreateProgram ();
  return program;
}

/* On the device's thread: begins to build what is not there. */
static gboolean
start_requested (gpointer data, GError **error)
{
  Request *request = data;
  GstGlesShare *share = request->share;

  /* Another thread may have built the same program since the caller's lookup. */
  request->program = cache_lookup (share, request->source);
  if (request->program != NULL)
    return TRUE;
  request->begin_us = g_get_monotonic_time ();
  request->key = g_strjoin (
      "\n", share->renderer, share->version, share->display->vendor, request->source, NULL);
  request->building = new_program (share, request->spec);
  request->loaded = gst_gles_program_cache_load (share, request->key, request->building->name);
  if (!request->loaded)
    start_build (request->building, request->source);
  return TRUE;
}

/* On the device's thread: waits for the driver. */
static gboolean
finish_requested (gpointer data, GError **error)
{
  Request *request = data;
  GstGlesShare *share = request->share;
  gint64 time_us;

  if (request->building == NULL)
    return TRUE;
  if (!request->loaded) {
    if (!finish_build (request->building, request->files, error))
      return FALSE;
    gst_gles_program_cache_store (share, request->key, request->building->name);
  }
  time_us = g_get_monotonic_time () - request->begin_us;
  GST_CAT_LEVEL_LOG (GST_CAT_DEFAULT, time_us > SLOW_BUILD_US ? GST_LEVEL_WARNING : GST_LEVEL_DEBUG,
      NULL, "%s: kernel %s %s in %" G_GINT64_FORMAT " us", share->id, request->spec->kernel,
      request->loaded ? "loaded" : "built", time_us);
  request->program = cache_lookup (share, request->source);
  if (request->program == NULL) {
    request->program = g_steal_pointer (&request->building);
    cache_insert (share, g_steal_pointer (&request->source), request->program);
  }
  return TRUE;
}

static gboolean
build_requested (gpointer data, GError **error)
{
  return start_requested (data, error) && finish_requested (data, error);
}

/* On the device's thread. */
static gboolean
start_all (gpointer data, GError **error)
{
  Requests *all = data;

  for (guint i = 0; i < all->n; i++) {
    if (all->requests[i].program == NULL)
      start_requested (&all->requests[i], error);
  }
  return TRUE;
}

/* On the device's thread. Does not wait. */
static gboolean
look_for_completion (gpointer data, GError **error)
{
  Requests *all = data;

  all->complete = TRUE;
  for (guint i = 0; i < all->n && all->complete; i++) {
    const GstGlesProgram *building = all->requests[i].building;
    GLint complete = GL_TRUE;

    if (building != NULL && building->shader != 0)
      glGetProgramiv (building->name, GL_COMPLETION_STATUS_KHR, &complete);
    all->complete = complete != GL_FALSE;
  }
  return TRUE;
}

/* Calls @func on the device's thread for each program that is missing. */
static gboolean
call_each (GstGlesThread *thread, GstGlesThreadFunc func, Requests *all, GError **error)
{
  for (guint i = 0; i < all->n; i++) {
    if (all->requests[i].program == NULL &&
        !gst_gles_thread_call (thread, func, &all->requests[i], error))
      return FALSE;
  }
  return TRUE;
}

/* Lets the driver build all programs at once. Meanwhile the device's thread goes on with other
 * work. */
static gboolean
build_in_parallel (GstGlesThread *thread, Requests *all, GError **error)
{
  const gint64 end_us = g_get_monotonic_time () + MAX_POLL_US;

  if (!gst_gles_thread_call (thread, start_all, all, error))
    return FALSE;
  while (!all->complete && g_get_monotonic_time () < end_us) {
    if (!gst_gles_thread_call (thread, look_for_completion, all, error))
      return FALSE;
    if (!all->complete)
      g_usleep (POLL_US);
  }
  return call_each (thread, finish_requested, all, error);
}

static gboolean
prepare (Request *request, GError **error)
{
  if (!check_limits (request->share, request->spec, error))
    return FALSE;
  request->source = gst_gles_program_flatten (request->spec, &request->files, error);
  if (request->source == NULL)
    return FALSE;
  request->program = cache_lookup (request->share, request->source);
  return TRUE;
}

static void
clear_request (Request *request)
{
  gst_gles_program_unref (request->building);
  gst_gles_program_unref (request->program);
  g_free (request->source);
  g_free (request->key);
  g_strfreev (request->files);
}

gboolean
gst_gles_programs_get (GstGlesQueue *queue, const GstGlesProgramSpec *specs, guint n,
    GstGlesProgram **programs, GError **error)
{
  GstGlesShare *share = queue->share;
  g_autofree Request *requests = g_new0 (Request, n);
  Requests all = { requests, n, FALSE };
  guint n_missing = 0;
  gboolean ok = TRUE;

  for (guint i = 0; i < n && ok; i++) {
    requests[i].share = share;
    requests[i].spec = &specs[i];
    ok = prepare (&requests[i], error);
    n_missing += ok && requests[i].program == NULL;
  }
  if (ok && n_missing > 0 && share->limits.parallel_compile)
    ok = build_in_parallel (share->thread, &all, error);
  else if (ok && n_missing > 0)
    ok = call_each (share->thread, build_requested, &all, error);
  for (guint i = 0; i < n; i++) {
    programs[i] = ok ? g_steal_pointer (&requests[i].program) : NULL;
    clear_request (&requests[i]);
  }
  return ok;
}

GstGlesProgram *
gst_gles_program_get (GstGlesQueue *queue, const GstGlesProgramSpec *spec, GError **error)
{
  GstGlesProgram *program;

  return gst_gles_programs_get (queue, spec, 1, &program, error) ? program : NULL;
}

void
gst_gles_program_list_add (
    GstGlesProgramList *list, const GstGlesProgramSpec *spec, GstGlesProgram **target)
{
  if (*target != NULL)
    return;
  g_return_if_fail (list->n < GST_GLES_PROGRAM_LIST_MAX);
  list->specs[list->n] = *spec;
  list->targets[list->n++] = target;
}

gboolean
gst_gles_program_list_get (GstGlesProgramList *list, GstGlesQueue *queue, GError **error)
{
  GstGlesProgram *programs[GST_GLES_PROGRAM_LIST_MAX];

  if (!gst_gles_programs_get (queue, list->specs, list->n, programs, error))
    return FALSE;
  for (guint i = 0; i < list->n; i++)
    *list->targets[i] = programs[i];
  return TRUE;
}
