/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <glsl/expression/expression-layout.h>

#include <gst/gles/algo/map/map-private.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/core/error.h>
#include <gst/gles/cpu/map/map.h>
#include <gst/gles/expression/arrays.h>
#include <gst/gles/expression/expression-info.h>
#include <gst/gles/expression/glsl.h>
#include <gst/gles/expression/parser.h>
#include <gst/gles/gl/submission.h>

#define INVOCATIONS 128
#define VALUES_PER_INVOCATION 4
/* llvmpipe executes at most 65535 rounds of loops an invocation. */
#define MAX_ROUNDS 16384

typedef struct {
  GstGlesMapPass pass;
  gint32 parameters[GST_GLES_EXPRESSION_MAX_PARAMETERS];
} Params;

struct _GstGlesMap {
  gint ref_count;
  GstGlesQueue *queue;
  GstGlesDevice *device;
  GstGlesExpression *expression;
  GstGlesMapType types[GST_GLES_MAP_MAX_ARRAYS];
  guint n_arrays, n_parameters;
  GstGlesGraph *graph;
  guint result;
  GstGlesProgram *program;      /* with GL */
  GstGlesCpuExpression *native; /* on a cpu device */
};

G_DEFINE_BOXED_TYPE (GstGlesMap, gst_gles_map, gst_gles_map_ref, gst_gles_map_unref)

static guint
bytes_of (GstGlesMapType type)
{
  return type == GST_GLES_MAP_I32 ? 4 : type == GST_GLES_MAP_U16 ? 2 : 1;
}

/* ---- programs ---- */

/* Writes the functions that the kernel includes: (transfer full). */
static gchar *
write_code (const GstGlesGraph *graph, guint result)
{
  g_autofree gchar *function = gst_gles_graph_write_glsl (graph, result, "expression");
  GString *code = g_string_new (function);
  guint n;
  const GstGlesLeaf *leaves = gst_gles_graph_get_leaves (graph, &n);

  g_string_append (code, "\nint\nvalue_at (uint i)\n{\n  return expression (");
  for (guint i = 0; i < n; i++) {
    const guint number = (guint) leaves[i].numbers[0];

    g_string_append (code, i > 0 ? ", " : "");
    if (leaves[i].kind == GST_GLES_LEAF_PARAMETER)
      g_string_append_printf (code, "parameters[%u][%u]", number / 4, number % 4);
    else
      g_string_append_printf (code, "load_%c (i)", (gchar) ('a' + number));
  }
  g_string_append (code, ");\n}\n");
  return g_string_free (code, FALSE);
}

static void
make_spec (const GstGlesMap *map, const gchar *code, GstGlesProgramSpec *spec)
{
  static const gchar *const names[] = { "TYPE_A", "TYPE_B", "TYPE_C" };
  guint n = 0;

  memset (spec, 0, sizeof (*spec));
  spec->kernel = "map_values";
  spec->local_size[0] = INVOCATIONS;
  spec->n_storage = 1 + map->n_arrays;
  spec->code = code;
  spec->defines[n++] = (GstGlesDefine){ "ARRAYS", map->n_arrays };
  for (guint i = 0; i < GST_GLES_MAP_MAX_ARRAYS; i++)
    spec->defines[n++] =
        (GstGlesDefine){ names[i], i < map->n_arrays ? bytes_of (map->types[i]) : 4 };
  spec->defines[n++] =
      (GstGlesDefine){ "DEGREES", gst_gles_graph_has (map->graph, GST_GLES_OPERATION_DEGREES) };
  spec->defines[n++] =
      (GstGlesDefine){ "LINEAR", gst_gles_graph_has (map->graph, GST_GLES_OPERATION_LINEAR) };
}

void
gst_gles_map_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  static const gchar *const names[] = { "a", "b", "c", NULL };
  GstGlesMap map = { .n_arrays = 3,
    .types = { GST_GLES_MAP_I32, GST_GLES_MAP_U16, GST_GLES_MAP_U8 } };
  g_autoptr (GstGlesExpression) expression =
      gst_gles_expression_new_for_arrays ("isqrt(a / b) % 7 + lin(c) * $d", names, NULL);
  g_autofree gchar *code = write_code (expression->graph, expression->result);
  GstGlesProgramSpec spec;

  map.graph = expression->graph;
  make_spec (&map, code, &spec);
  func (&spec, user_data);
}

/* ---- plans ---- */

static gboolean
build (GstGlesMap *map, GError **error)
{
  static const gint32 least[] = { G_MININT32, 0, 0 },
                      most[] = { G_MAXINT32, G_MAXUINT16, G_MAXUINT8 };
  gint32 of_least[GST_GLES_MAP_MAX_ARRAYS], of_most[GST_GLES_MAP_MAX_ARRAYS];
  g_autofree gchar *code = NULL;
  GstGlesProgramSpec spec;

  for (guint i = 0; i < map->n_arrays; i++) {
    of_least[i] = least[map->types[i]];
    of_most[i] = most[map->types[i]];
  }
  map->result = map->expression->result;
  map->graph =
      gst_gles_graph_limit_arrays (map->expression->graph, &map->result, of_least, of_most);
  if (gst_gles_device_get_kind (map->device) == GST_GLES_DEVICE_CPU) {
    map->native = gst_gles_cpu_expression_new (map->graph, map->result);
    return TRUE;
  }
  code = write_code (map->graph, map->result);
  make_spec (map, code, &spec);
  map->program = gst_gles_program_get (map->queue, &spec, error);
  return map->program != NULL;
}

GstGlesMap *
gst_gles_map_new (GstGlesQueue *queue, GstGlesExpression *expression, const GstGlesMapType *types,
    guint n_types, GError **error)
{
  GstGlesMap *map;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && expression != NULL && types != NULL, NULL);
  if (expression->n_arrays != n_types || n_types > GST_GLES_MAP_MAX_ARRAYS) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "map: the expression names %u arrays, and there are types of %u; a map has 1 to %d",
        expression->n_arrays, n_types, GST_GLES_MAP_MAX_ARRAYS);
    return NULL;
  }
  map = g_new0 (GstGlesMap, 1);
  map->ref_count = 1;
  map->queue = gst_object_ref (queue);
  map->device = gst_gles_queue_get_device (queue);
  map->expression = gst_gles_expression_ref (expression);
  map->n_arrays = n_types;
  map->n_parameters = expression->parameters->len - 1;
  memcpy (map->types, types, n_types * sizeof (*types));
  if (!build (map, error))
    g_clear_pointer (&map, gst_gles_map_unref);
  return map;
}

GstGlesMap *
gst_gles_map_ref (GstGlesMap *map)
{
  g_return_val_if_fail (map != NULL, NULL);
  g_atomic_int_inc (&map->ref_count);
  return map;
}

void
gst_gles_map_unref (GstGlesMap *map)
{
  if (map == NULL || !g_atomic_int_dec_and_test (&map->ref_count))
    return;
  gst_gles_program_unref (map->program);
  gst_gles_cpu_expression_free (map->native);
  gst_gles_graph_free (map->graph);
  gst_gles_expression_unref (map->expression);
  gst_object_unref (map->device);
  gst_object_unref (map->queue);
  g_free (map);
}

/* ---- calls ---- */

static gboolean
check_buffer (
    const GstGlesMap *map, GstGlesBuffer *buffer, guint64 bytes, const gchar *what, GError **error)
{
  g_autoptr (GstGlesDevice) device = gst_gles_buffer_get_device (buffer);

  if (device == map->device && gst_gles_buffer_get_size (buffer) >= bytes &&
      (map->native != NULL ||
          bytes <= gst_gles_device_get_limits (map->device)->storage_block_bytes))
    return TRUE;
  g_set_error (error, GST_GLES_ERROR,
      gst_gles_buffer_get_size (buffer) >= bytes && device == map->device ? GST_GLES_ERROR_TOO_LARGE
                                                                          : GST_GLES_ERROR_INVALID,
      "map: %s needs %" G_GUINT64_FORMAT " bytes on the device of the plan, in one storage block",
      what, bytes);
  return FALSE;
}

/* The arguments of one call. */
typedef struct {
  GstGlesBuffer *const *inputs;
  guint n_inputs;
  const gint32 *parameters;
  guint n_parameters;
  GstGlesBuffer *output;
  guint n;
} Call;

static gboolean
check_call (const GstGlesMap *map, const Call *call, GError **error)
{
  if (call->n_inputs != map->n_arrays || call->n_parameters != map->n_parameters) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "map: the expression has %u arrays and %u parameters, not %u and %u", map->n_arrays,
        map->n_parameters, call->n_inputs, call->n_parameters);
    return FALSE;
  }
  for (guint i = 0; i < call->n_inputs; i++) {
    const guint bytes = bytes_of (map->types[i]);

    if (!check_buffer (map, call->inputs[i], (guint64) call->n * bytes, "an input", error))
      return FALSE;
    if (call->inputs[i] == call->output && bytes != 4) {
      g_set_error_literal (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
          "map: only an array of 32-bit words can be the output as well");
      return FALSE;
    }
  }
  return check_buffer (map, call->output, 4 * (guint64) call->n, "the output", error);
}

static gboolean
run_gl (GstGlesMap *map, const Call *call, GError **error)
{
  const guint n = call->n;
  const GstGlesLimits *limits = gst_gles_device_get_limits (map->device);
  const guint64 wanted = gst_gles_div_ceil (n, INVOCATIONS * VALUES_PER_INVOCATION);
  const guint64 least = gst_gles_div_ceil (n, (guint64) INVOCATIONS * MAX_ROUNDS);
  const guint groups[3] = { (guint) MAX (MIN (wanted, MIN (limits->groups[0], 65535)), least), 1,
    1 };
  GstGlesBinding bindings[1 + GST_GLES_MAP_MAX_ARRAYS] = { { call->output, 0, 0, GST_GLES_WRITE } };
  Params params = { .pass.n = n };
  gboolean ok;

  if (n == 0)
    return TRUE;
  if (map->n_parameters > 0)
    memcpy (params.parameters, call->parameters, map->n_parameters * sizeof (gint32));
  for (guint i = 0; i < map->n_arrays; i++) {
    bindings[1 + i] = (GstGlesBinding){ call->inputs[i], 0, 0, GST_GLES_READ };
    if (call->inputs[i] == call->output)
      bindings[0].usage = bindings[1 + i].usage = GST_GLES_READ_WRITE;
  }
  if (!gst_gles_queue_begin (map->queue, error))
    return FALSE;
  ok = gst_gles_queue_dispatch (map->queue,
      GST_GLES_DISPATCH (map->program, bindings, 1 + map->n_arrays, &params), groups, error);
  return gst_gles_queue_end (map->queue, ok ? error : NULL) && ok;
}

gboolean
gst_gles_map_run (GstGlesMap *map, GstGlesBuffer *const *inputs, guint n_inputs,
    const gint32 *parameters, guint n_parameters, GstGlesBuffer *output, guint n, GError **error)
{
  const Call call = { inputs, n_inputs, parameters, n_parameters, output, n };
  GstGlesCpuMapCall native = {
    .graph = map->graph, .expression = map->native, .parameters = parameters, .n = n
  };

  g_return_val_if_fail (map != NULL && inputs != NULL && output != NULL, FALSE);
  g_return_val_if_fail (parameters != NULL || n_parameters == 0, FALSE);
  if (!check_call (map, &call, error))
    return FALSE;
  if (map->native == NULL)
    return run_gl (map, &call, error);
  for (guint i = 0; i < n_inputs; i++) {
    native.arrays[i] = gst_gles_buffer_peek_memory (inputs[i]);
    native.bytes[i] = bytes_of (map->types[i]);
  }
  native.output = (gint32 *) (gpointer) gst_gles_buffer_peek_memory (output);
  return gst_gles_cpu_map (&native, error);
}
