/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/log.h>
#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/program.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* A user notices when a kernel takes longer than this to build. */
#define SLOW_BUILD_US G_USEC_PER_SEC

struct _GstGlesProgram {
  gint ref_count;
  GstGlesShare *share;
  GstGlesProgramSpec spec;
  const gchar *kernel; /* interned */
  GLuint name;
  gint has_run; /* atomic */
};

gboolean
gst_gles_program_is_first_run (GstGlesProgram *program)
{
  if (g_atomic_int_get (&program->has_run) ||
      !g_atomic_int_compare_and_exchange (&program->has_run, FALSE, TRUE))
    return FALSE;
  GST_DEBUG ("%s: kernel %s runs for the first time", program->share->id, program->kernel);
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
  gst_gles_share_discard (program->share, GST_GLES_TRASH_PROGRAM, program->name);
  gst_gles_share_unref (program->share);
  g_free (program);
}

const gchar *
gst_gles_program_get_kernel (GstGlesProgram *program)
{
  return program->kernel;
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

static gboolean
compile (GstGlesProgram *program, const gchar *source, gchar **files, GError **error)
{
  GLuint shader = glCreateShader (GL_COMPUTE_SHADER);
  GLint compiled = GL_FALSE;

  glShaderSource (shader, 1, &source, NULL);
  glCompileShader (shader);
  glGetShaderiv (shader, GL_COMPILE_STATUS, &compiled);
  if (compiled) {
    glAttachShader (program->name, shader);
  } else {
    gchar log[8192] = "";
    g_autofree gchar *text = NULL;
    glGetShaderInfoLog (shader, sizeof (log), NULL, log);
    text = translate_log (log, files);
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_COMPILE,
        "%s: kernel %s does not compile:\n%s", program->share->id, program->kernel, text);
  }
  glDeleteShader (shader);
  return compiled;
}

static gboolean
link_program (GstGlesProgram *program, const gchar *source, gchar **files, GError **error)
{
  GLint linked = GL_FALSE;

  if (!compile (program, source, files, error))
    return FALSE;
  glProgramParameteri (program->name, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
  glLinkProgram (program->name);
  glGetProgramiv (program->name, GL_LINK_STATUS, &linked);
  if (!linked) {
    gchar log[8192] = "";
    glGetProgramInfoLog (program->name, sizeof (log), NULL, log);
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_COMPILE, "%s: kernel %s does not link:\n%s",
        program->share->id, program->kernel, log);
  }
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
build (GstGlesShare *share, const GstGlesProgramSpec *spec, const gchar *source, gchar **files,
    GError **error)
{
  GstGlesProgram *program = g_new0 (GstGlesProgram, 1);
  g_autofree gchar *key =
      g_strjoin ("\n", share->renderer, share->version, share->display->vendor, source, NULL);
  gint64 begin = g_get_monotonic_time (), time_us;
  gboolean stored;

  program->ref_count = 1;
  program->share = gst_gles_share_ref (share);
  program->spec = *spec;
  program->kernel = g_intern_string (spec->kernel);
  program->name = glCreateProgram ();
  stored = gst_gles_program_cache_load (share, key, program->name);
  if (!stored) {
    if (!link_program (program, source, files, error)) {
      gst_gles_program_unref (program);
      return NULL;
    }
    gst_gles_program_cache_store (share, key, program->name);
  }
  time_us = g_get_monotonic_time () - begin;
  GST_CAT_LEVEL_LOG (GST_CAT_DEFAULT, time_us > SLOW_BUILD_US ? GST_LEVEL_WARNING : GST_LEVEL_DEBUG,
      NULL, "%s: kernel %s %s in %" G_GINT64_FORMAT " us", share->id, spec->kernel,
      stored ? "loaded" : "built", time_us);
  return program;
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
  GstGlesProgram *program;
} Request;

/* On the device's thread. */
static gboolean
build_requested (gpointer data, GError **error)
{
  Request *request = data;

  /* Another thread may have built the same program since the caller's lookup. */
  request->program = cache_lookup (request->share, request->source);
  if (request->program != NULL)
    return TRUE;
  request->program = build (request->share, request->spec, request->source, request->files, error);
  if (request->program != NULL)
    cache_insert (request->share, g_steal_pointer (&request->source), request->program);
  return request->program != NULL;
}

GstGlesProgram *
gst_gles_program_get (GstGlesQueue *queue, const GstGlesProgramSpec *spec, GError **error)
{
  Request request = { .share = queue->share, .spec = spec };

  if (!check_limits (request.share, spec, error))
    return NULL;
  request.source = gst_gles_program_flatten (spec, &request.files, error);
  if (request.source == NULL)
    return NULL;
  request.program = cache_lookup (request.share, request.source);
  if (request.program == NULL)
    gst_gles_thread_call (request.share->thread, build_requested, &request, error);
  g_free (request.source);
  g_strfreev (request.files);
  return request.program;
}
