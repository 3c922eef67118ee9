/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a driver's compiler does with the kernels, on a device whose jobs do nothing: no result is
 * looked at. tests/drivers/run starts this for each chip.
 *
 *   driver-chip NODE [N]
 *
 * Makes and runs every array algorithm's default plan, then every specialisation in the shapes that
 * these plans chose, from the N-th on. Prints lines of fields that tabs separate. Times are
 * processor time of all threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gst/gles/algo/plan/tuning-class.h>
#include <gst/gles/algo/specialisations.h>
#include <gst/gles/algo/variants.h>
#include <gst/gles/gl/queue-share.h>
#include <gst/gles/gl/gl-private.h>

#include "arrays-table.h"
#include "step.h"

#define N_VALUES 100000
#define MAX_BINDINGS 8
#define BUFFER_BYTES (1 << 19) /* Mali's texture buffers have at most 65536 texels */

/* ---- plans ---- */

static void
print_variant (const gchar *algorithm, const gchar *variant, gpointer user_data)
{
  printf ("VARIANT\t%s\t%s\n", algorithm, variant);
}

static void
run_plan (GstGlesQueue *queue, const ArraysAlgorithm *algorithm)
{
  g_autoptr (GError) error = NULL;
  gint64 begin, time_us;
  gpointer plan;
  ArraysSet *set;
  gboolean ok;

  step_begin (algorithm->name);
  begin = step_cpu_us ();
  plan = algorithm->plan_new (queue, N_VALUES, &error);
  time_us = step_cpu_us () - begin;
  if (plan == NULL) {
    step_print_failure (algorithm->name, error->message);
    return;
  }
  set = arrays_set_new (algorithm, queue, N_VALUES, ARRAYS_SPARE, 1);
  set->call.count = GST_GLES_COUNT_HOST (N_VALUES);
  begin = step_cpu_us ();
  ok = algorithm->run (plan, &set->call, &error) && gst_gles_queue_finish (queue, &error);
  time_us += step_cpu_us () - begin;
  if (ok)
    step_print_ok ("PLAN", algorithm->name, time_us);
  else
    step_print_failure (algorithm->name, error->message);
  arrays_set_free (set);
  algorithm->plan_free (plan);
}

static void
run_plans (GstGlesDevice *device)
{
  GstGlesQueue *queue = gst_gles_device_get_queue (device);

  for (guint i = 0; i < arrays_table_size; i++)
    run_plan (queue, &arrays_table[i]);
  step_begin ("the variants");
  gst_gles_variants_foreach (device, print_variant, NULL);
}

/* ---- specialisations ---- */

typedef struct {
  GstGlesQueue *queue;
  guint lanes; /* of the device's subgroups */
  GstGlesBuffer *buffers[MAX_BINDINGS];
  GPtrArray *chosen; /* the specialisations that the plans chose */
  guint n, first;    /* counts those in the shapes; earlier ones are left out */
  guint n_built, n_failed;
  gint64 worst_us;
  const gchar *worst;
} Specs;

/* Returns the value of a define of @spec, @fallback if it has none of that name. */
static gint64
define_of (const GstGlesProgramSpec *spec, const gchar *name, gint64 fallback)
{
  for (guint i = 0; i < GST_GLES_PROGRAM_MAX_DEFINES && spec->defines[i].name != NULL; i++)
    if (strcmp (spec->defines[i].name, name) == 0)
      return spec->defines[i].value;
  return fallback;
}

/* Whether two specialisations of a kernel differ only in the types of their input and output. */
static gboolean
has_shape_of (const GstGlesProgramSpec *spec, const GstGlesProgramSpec *chosen)
{
  static const gchar *const names[] = { "TEAM", "ROWS", "KEYS", "SHARED_WORDS", "LOOK_BACK",
    "NUMBERED", "LANES", "EMULATED_SUBGROUPS", "COUNTERS", "PACKED", "FIELD_BITS", "SPAN", "TABLE",
    "TILE_HEIGHT", "CHUNKS", "CAPACITY", "RADIX_BITS" };

  if (strcmp (spec->kernel, chosen->kernel) != 0 || spec->subgroups != chosen->subgroups ||
      spec->texels != chosen->texels ||
      memcmp (spec->local_size, chosen->local_size, sizeof (spec->local_size)) != 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (define_of (spec, names[i], 0) != define_of (chosen, names[i], 0))
      return FALSE;
  return TRUE;
}

static GPtrArray *
list_chosen (GstGlesQueue *queue)
{
  GPtrArray *chosen = g_ptr_array_new ();
  GHashTableIter iterator;
  gpointer program;

  g_hash_table_iter_init (&iterator, queue->share->programs);
  while (g_hash_table_iter_next (&iterator, NULL, &program))
    g_ptr_array_add (chosen, (gpointer) gst_gles_program_get_spec (program));
  return chosen;
}

/* Returns the kernel and its defines: interned, for the report of a step. */
static const gchar *
name_of (const GstGlesProgramSpec *spec)
{
  g_autoptr (GString) name = g_string_new (spec->kernel);

  for (guint i = 0; i < GST_GLES_PROGRAM_MAX_DEFINES && spec->defines[i].name != NULL; i++)
    g_string_append_printf (
        name, " %s=%" G_GINT64_FORMAT, spec->defines[i].name, spec->defines[i].value);
  return g_intern_string (name->str);
}

static gboolean
dispatch (Specs *specs, const GstGlesProgramSpec *spec, GstGlesProgram *program, GError **error)
{
  static const guint32 zeros[64];
  const guint one[3] = { 1, 1, 1 };
  GstGlesBinding bindings[MAX_BINDINGS] = { { NULL } };
  gboolean ok;

  for (guint i = 0; i < spec->n_storage; i++)
    bindings[i] = (GstGlesBinding){ specs->buffers[i], 0, 0,
      i == 0 && spec->texels ? GST_GLES_READ | GST_GLES_TEXELS : GST_GLES_READ_WRITE };
  if (!gst_gles_queue_begin (specs->queue, error))
    return FALSE;
  ok = gst_gles_queue_dispatch (specs->queue,
      &(GstGlesDispatch){
          program, bindings, spec->n_storage, zeros, sizeof (zeros), GST_GLES_DISPATCH_NONE },
      one, error);
  ok = gst_gles_queue_end (specs->queue, ok ? error : NULL) && ok;
  return ok && gst_gles_queue_finish (specs->queue, error);
}

/* Specialisations are listed for subgroups of 32 lanes. Returns the one for @lanes. */
static GstGlesProgramSpec
for_lanes (const GstGlesProgramSpec *listed, guint lanes)
{
  GstGlesProgramSpec spec = *listed;

  if (listed->subgroups == 0 || lanes == 0)
    return spec;
  spec.subgroups = lanes;
  for (guint i = 0; i < GST_GLES_PROGRAM_MAX_DEFINES && spec.defines[i].name != NULL; i++) {
    if (strcmp (spec.defines[i].name, "LANES") == 0)
      spec.defines[i].value = lanes;
    if (strcmp (spec.defines[i].name, "MATCH_GROUPS") == 0)
      spec.defines[i].value = spec.local_size[0] / lanes;
  }
  return spec;
}

static void
try_spec (const GstGlesProgramSpec *listed, gpointer user_data)
{
  Specs *specs = user_data;
  const GstGlesProgramSpec adapted = for_lanes (listed, specs->lanes), *spec = &adapted;
  const gchar *name;
  g_autoptr (GstGlesProgram) program = NULL;
  g_autoptr (GError) error = NULL;
  gboolean wanted = FALSE;
  gint64 time_us;

  for (guint i = 0; i < specs->chosen->len && !wanted; i++)
    wanted = has_shape_of (spec, g_ptr_array_index (specs->chosen, i));
  if (!wanted || spec->n_storage > MAX_BINDINGS || specs->n++ < specs->first)
    return;
  name = name_of (spec);
  printf ("SPEC\t%u\n", specs->n - 1); /* a timeout leaves the number behind */
  step_begin (name);
  time_us = step_cpu_us ();
  program = gst_gles_program_get (specs->queue, spec, &error);
  if (program == NULL || !dispatch (specs, spec, program, &error)) {
    specs->n_failed++;
    step_print_failure (name, error->message);
    return;
  }
  time_us = step_cpu_us () - time_us;
  step_print_ok ("BUILT", name, time_us);
  specs->n_built++;
  if (time_us > specs->worst_us) {
    specs->worst_us = time_us;
    specs->worst = name;
  }
}

static void
run_specs (GstGlesDevice *device, guint first)
{
  GstGlesQueue *queue = gst_gles_device_get_queue (device);
  Specs specs = { .queue = queue,
    .first = first,
    .lanes = gst_gles_device_get_limits (device)->subgroup_size,
    .chosen = list_chosen (queue) };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < MAX_BINDINGS; i++) {
    specs.buffers[i] = gst_gles_buffer_new (device, BUFFER_BYTES, &error);
    g_assert_no_error (error);
  }
  gst_gles_specialisations_foreach (try_spec, &specs);
  step_begin ("the end");
  printf ("SPECS\t%u\t%u\t%.1f\t%s\n", specs.n_built, specs.n_failed, specs.worst_us / 1e3,
      specs.worst);
  for (guint i = 0; i < MAX_BINDINGS; i++)
    gst_gles_buffer_unref (specs.buffers[i]);
  g_ptr_array_unref (specs.chosen);
}

/* ---- the device ---- */

static void
print_device (GstGlesDevice *device)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (device);

  printf ("DEVICE\t%s\t%s\n", gst_gles_device_get_description (device),
      gst_gles_tuning_class_name (gst_gles_tuning_class (device)));
  printf ("LIMITS\t%u\t%u\t%u\t%u\t%u\t%d\t%d\n", limits->invocations, limits->shared_bytes / 1024,
      limits->storage_blocks, limits->subgroup_size, limits->texel_buffer_texels,
      limits->timer_queries, limits->robustness);
}

int
main (int argc, char **argv)
{
  g_autoptr (GstGlesDevice) device = NULL;
  g_autoptr (GError) error = NULL;

  if (argc < 2) {
    g_printerr ("usage: driver-chip NODE [N]\n");
    return 2;
  }
  gst_init (NULL, NULL);
  step_init ();
  step_begin ("the device");
  device = gst_gles_device_new (argv[1], &error);
  if (device == NULL) {
    printf ("REFUSED\t%s\n", error->message);
    return 0;
  }
  print_device (device);
  run_plans (device);
  run_specs (device, argc > 2 ? (guint) atoi (argv[2]) : 0);
  printf ("END\n");
  return 0;
}
