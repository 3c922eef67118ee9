/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/log.h>
#include <gst/gles/gl/program-private.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

gboolean
gst_gles_program_is_first_run (GstGlesProgram *program)
{
  return !g_atomic_int_get (&program->has_run) &&
      g_atomic_int_compare_and_exchange (&program->has_run, FALSE, TRUE);
}

void
gst_gles_program_has_run (GstGlesProgram *program, gint64 time_us)
{
  GST_DEBUG ("%s: kernel %s ran for the first time: %" G_GINT64_FORMAT " us", program->share->id,
      program->spec.kernel, time_us);
  if (program->unstored != NULL)
    gst_gles_program_cache_store (program->unstored, program->name, TRUE);
  g_clear_pointer (&program->unstored, g_free);
}

gboolean
gst_gles_program_is_built (GstGlesProgram *program)
{
  return g_atomic_int_get (&program->is_built);
}

GstGlesProgram *
gst_gles_program_ref (GstGlesProgram *program)
{
  g_return_val_if_fail (program != NULL, NULL);
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
  gst_gles_program_build_free (program->build);
  g_free (program->unstored);
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

static gboolean
prepare (GstGlesProgramRequest *request, GError **error)
{
  if (!check_limits (request->share, request->spec, error))
    return FALSE;
  request->source = gst_gles_program_flatten (request->spec, &request->files, error);
  if (request->source == NULL)
    return FALSE;
  request->program = gst_gles_program_lookup (request->share, request->source);
  return TRUE;
}

static void
clear_request (GstGlesProgramRequest *request)
{
  gst_gles_program_unref (request->program);
  g_free (request->source);
  g_strfreev (request->files);
}

gboolean
gst_gles_programs_get (GstGlesQueue *queue, const GstGlesProgramSpec *specs, guint n,
    GstGlesProgram **programs, GError **error)
{
  GstGlesShare *share = queue->share;
  g_autofree GstGlesProgramRequest *requests = g_new0 (GstGlesProgramRequest, n);
  gboolean missing = FALSE, waits, ok = TRUE;

  for (guint i = 0; i < n && ok; i++) {
    requests[i].share = share;
    requests[i].spec = &specs[i];
    ok = prepare (&requests[i], error);
    missing |= requests[i].program == NULL || !g_atomic_int_get (&requests[i].program->is_built);
  }
  waits = ok && missing && !gst_gles_queue_is_open (queue);
  ok = ok && (!missing || gst_gles_program_build_all (share, requests, n, !waits, error));
  for (guint i = 0; i < n && ok && missing && !waits; i++)
    gst_gles_queue_await_program (queue, requests[i].program);
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

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && spec != NULL, NULL);
  g_return_val_if_fail (gst_gles_share_is_gl (queue->share), NULL);
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
