/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/components/components-private.h>
#include <gst/gles/core/checked.h>
#include <gst/gles/cpu/components/components.h>

#define MAX_SIZE (1u << 24)
/* Points have 16-bit coordinates. */
#define MAX_POINTS_SIZE (1u << 16)

G_STATIC_ASSERT (GST_GLES_COMPONENTS_NO_LABEL == GST_GLES_COMPONENTS_BACKGROUND);
G_STATIC_ASSERT (sizeof (GstGlesRegion) == sizeof (GstGlesComponentRecord));
#define SAME_OFFSET(public, layout)                                                                \
  G_STATIC_ASSERT (                                                                                \
      G_STRUCT_OFFSET (GstGlesRegion, public) == G_STRUCT_OFFSET (GstGlesComponentRecord, layout))
SAME_OFFSET (first, first);
SAME_OFFSET (bottom, bottom);
SAME_OFFSET (pixels, pixels);
SAME_OFFSET (max_value, max_value);
SAME_OFFSET (sum_x, sum_x_low);
SAME_OFFSET (sum_y, sum_y_low);
SAME_OFFSET (sum_value, sum_value_low);

GST_GLES_DEFINE_PLAN (GstGlesComponents, gst_gles_components)

/* ---- plans ---- */

static gboolean
check_config (const GstGlesComponentsConfig *config, GError **error)
{
  gboolean points = config->source == GST_GLES_COMPONENTS_POINTS;
  guint max_size = points ? MAX_POINTS_SIZE : MAX_SIZE;
  gboolean cells_ok = points ? config->cell_width > 0 && config->cell_height > 0
                             : config->cell_width <= 1 && config->cell_height <= 1;

  if ((guint) config->source <= GST_GLES_COMPONENTS_BYTES && config->width > 0 &&
      config->height > 0 && config->width <= max_size && config->height <= max_size &&
      (config->connectivity == 4 || config->connectivity == 8) && cells_ok &&
      config->max_regions > 0 && config->max_regions < GST_GLES_COMPONENTS_LISTED)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "components: source %d, %u x %u, connectivity %u, cells of %u x %u, %u regions; sizes are 1 "
      "to %u, connectivity is 4 or 8, cells of points are at least 1 x 1, others 1 x 1, and at "
      "least 1 region is listed",
      config->source, config->width, config->height, config->connectivity, config->cell_width,
      config->cell_height, config->max_regions, max_size);
  return FALSE;
}

/* The largest number of components that a grid of this size can have. */
static guint64
most_components (const GstGlesComponents *components)
{
  guint64 width = components->width, height = components->height;

  if (components->config.connectivity == 8)
    return gst_gles_div_ceil (width, 2) * gst_gles_div_ceil (height, 2);
  return gst_gles_div_ceil (width * height, 2);
}

static gboolean
lay_out (GstGlesComponents *components, GError **error)
{
  GstGlesComponentsConfig *config = &components->config;
  guint64 n_words, n_candidates;

  if (config->source != GST_GLES_COMPONENTS_POINTS)
    config->cell_width = config->cell_height = 1;
  components->width = gst_gles_div_ceil (config->width, config->cell_width);
  components->height = gst_gles_div_ceil (config->height, config->cell_height);
  components->row_words = gst_gles_div_ceil (components->width, 32);
  n_words = (guint64) components->row_words * components->height;
  n_candidates = most_components (components);
  if (n_words * GST_GLES_COMPONENTS_NODES < GST_GLES_COMPONENTS_LISTED &&
      (guint64) components->width * components->height <= GST_GLES_MAX_VALUES) {
    components->n_words = n_words;
    components->n_candidates = n_candidates;
    config->max_regions = MIN (config->max_regions, n_candidates);
    return TRUE;
  }
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
      "components: a grid of %u x %u is larger than the %u words that a plan can have; use cells",
      components->width, components->height, GST_GLES_MAX_VALUES);
  return FALSE;
}

static gboolean
build_cpu (GstGlesComponents *components, GError **error)
{
  gsize size = gst_gles_cpu_components_scratch_bytes (components->width, components->height,
      components->config.max_regions, components->config.source == GST_GLES_COMPONENTS_POINTS);

  if (size > 0)
    components->scratch = g_try_malloc (size);
  if (components->scratch != NULL)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
      "components: no scratch memory for a grid of %u x %u; use cells", components->width,
      components->height);
  return FALSE;
}

GstGlesComponents *
gst_gles_components_new (GstGlesQueue *queue, const GstGlesComponentsConfig *config, GError **error)
{
  const GstGlesArrayTuning *tuning;
  GstGlesVariant variant;
  GstGlesComponents *components;
  gboolean ok;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && config != NULL, NULL);
  if (!check_config (config, error) ||
      !gst_gles_variant_from_environment ("GST_GLES_COMPONENTS_VARIANT", &variant, error) ||
      !gst_gles_queue_begin (queue, error))
    return NULL;
  /* The kernels exist in this scheme only. */
  variant.scheme = GST_GLES_SCHEME_TWO_PASS;
  tuning = gst_gles_array_tuning (queue, gst_gles_components_tuning);
  components = g_new0 (GstGlesComponents, 1);
  components->config = *config;
  ok = lay_out (components, error) &&
      gst_gles_array_init (&components->array, queue,
          &(GstGlesArrayConfig){ "components", components->n_words, tuning, &variant }, error) &&
      (components->array.is_cpu ? build_cpu (components, error)
                                : gst_gles_components_build (components, error));
  if (!gst_gles_queue_end (queue, ok ? error : NULL) || !ok)
    g_clear_pointer (&components, gst_gles_components_unref);
  return components;
}

static void
plan_finish (GstGlesComponents *components)
{
  for (guint i = 0; i < GST_GLES_COMPONENTS_N_KERNELS; i++)
    gst_gles_program_unref (components->programs[i]);
  gst_gles_top_k_unref (components->top_k);
  gst_gles_buffer_unref (components->cells);
  gst_gles_buffer_unref (components->masks);
  gst_gles_buffer_unref (components->labels);
  gst_gles_buffer_unref (components->sizes);
  gst_gles_buffer_unref (components->candidates);
  gst_gles_buffer_unref (components->order);
  gst_gles_buffer_unref (components->nodes);
  g_free (components->scratch);
}

gboolean
gst_gles_components_copy_result (
    GstGlesComponents *components, GstGlesBuffer *target, GError **error)
{
  const GstGlesArgument argument = { "target", target, FALSE };
  GstGlesQueue *queue;
  gboolean ok;

  g_return_val_if_fail (components != NULL && target != NULL, FALSE);
  queue = components->array.queue;
  if (!gst_gles_array_check_buffer (
          &components->array, &argument, sizeof (GstGlesResult) / 4, error) ||
      !gst_gles_queue_begin (queue, error))
    return FALSE;
  ok = gst_gles_queue_copy (queue,
      &(GstGlesCopy){ .source = components->array.state,
          .target = target,
          .size_bytes = sizeof (GstGlesResult) },
      error);
  return gst_gles_queue_end (queue, ok ? error : NULL) && ok;
}

/* ---- calls ---- */

static gboolean
check_source (const GstGlesComponents *components, gboolean points, GError **error)
{
  if (points == (components->config.source == GST_GLES_COMPONENTS_POINTS))
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "components: a plan for %s was called with %s; make a plan for these",
      points ? "words or bytes" : "points", points ? "points" : "words or bytes");
  return FALSE;
}

static gboolean
check_count (const GstGlesComponents *components, GstGlesComponentsCall *call, GError **error)
{
  const GstGlesCount on_device = { 0, call->count.buffer, call->count.offset_bytes };
  guint most = components->config.max_points;

  if (components->config.source != GST_GLES_COMPONENTS_POINTS)
    return TRUE;
  if (call->count.n > most) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "components: %u points are more than the %u that the plan was made for", call->count.n,
        most);
    return FALSE;
  }
  call->limit = call->count.n;
  if (call->count.buffer != NULL)
    call->limit = MIN (most, gst_gles_buffer_get_size (call->input) / 8);
  return gst_gles_array_check_count (&components->array, &on_device, error);
}

/* Buffers are checked in words; bytes need not be whole words. */
static gboolean
check_bytes (const GstGlesComponents *components, GstGlesBuffer *input, GError **error)
{
  const guint64 n = (guint64) components->width * components->height;

  if (components->config.source != GST_GLES_COMPONENTS_BYTES ||
      gst_gles_buffer_get_size (input) >= n)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "components: the buffer has %" G_GSIZE_FORMAT " bytes, %" G_GUINT64_FORMAT " are needed",
      gst_gles_buffer_get_size (input), n);
  return FALSE;
}

static gboolean
check_call (const GstGlesComponents *components, GstGlesComponentsCall *call, GError **error)
{
  const GstGlesArray *array = &components->array;
  gboolean points = components->config.source == GST_GLES_COMPONENTS_POINTS;
  guint64 n_cells = (guint64) components->width * components->height;
  gboolean bytes = components->config.source == GST_GLES_COMPONENTS_BYTES;
  const gchar *name = points ? "points" : bytes ? "bytes" : "words";
  const GstGlesArgument input = { name, call->input, FALSE };
  const GstGlesArgument count = { "count", call->count.buffer, FALSE };
  const GstGlesArgument regions = { "regions", call->regions, TRUE };
  const GstGlesArgument labels = { "labels", call->labels, TRUE };

  call->max_regions = components->config.max_regions;
  if (!check_count (components, call, error) ||
      !gst_gles_array_check_buffer (array, &input,
          points      ? 2ull * call->count.n
              : bytes ? n_cells / 4
                      : n_cells,
          error) ||
      !check_bytes (components, call->input, error) ||
      !gst_gles_array_check_buffer (
          array, &regions, (guint64) call->max_regions * sizeof (GstGlesRegion) / 4, error) ||
      (call->labels != NULL && !gst_gles_array_check_buffer (array, &labels, n_cells, error)))
    return FALSE;
  return gst_gles_array_check_distinct (array, &regions, &input, error) &&
      gst_gles_array_check_distinct (array, &regions, &count, error) &&
      gst_gles_array_check_distinct (array, &labels, &input, error) &&
      gst_gles_array_check_distinct (array, &labels, &regions, error);
}

static gboolean
run_cpu (GstGlesComponents *components, const GstGlesComponentsCall *call, GError **error)
{
  const GstGlesComponentsConfig *config = &components->config;
  const GstGlesCpuComponents cpu = {
    .width = components->width,
    .height = components->height,
    .bytes = config->source == GST_GLES_COMPONENTS_BYTES,
    .diagonal = config->connectivity == 8,
    .lower = call->lower,
    .upper = call->upper,
    .min_size = call->min_size,
    .max_regions = call->max_regions,
    .frame_width = config->width,
    .frame_height = config->height,
    .cell_width = config->cell_width,
    .cell_height = config->cell_height,
  };
  GstGlesComponentRecord *regions =
      (GstGlesComponentRecord *) (gpointer) gst_gles_array_words (call->regions);
  guint total;
  GstGlesCounted counted;

  if (!gst_gles_array_read_count (&components->array, &call->count, call->limit, &counted, error))
    return FALSE;
  if (config->source == GST_GLES_COMPONENTS_POINTS)
    total = gst_gles_cpu_components_points (
        &cpu, gst_gles_array_words (call->input), counted.n, regions, components->scratch);
  else
    total = gst_gles_cpu_components (&cpu, gst_gles_array_words (call->input),
        gst_gles_array_words (call->labels), regions, components->scratch);
  if (total > call->max_regions)
    counted.status |= GST_GLES_STATUS_TRUNCATED;
  return gst_gles_array_write_result (
      &components->array, total, MIN (total, call->max_regions), counted.status, error);
}

static gboolean
run (GstGlesComponents *components, gboolean points, GstGlesComponentsCall *call, GError **error)
{
  GstGlesQueue *queue = components->array.queue;
  gboolean ok;

  if (!check_source (components, points, error) || !check_call (components, call, error) ||
      !gst_gles_queue_begin (queue, error))
    return FALSE;
  ok = components->array.is_cpu ? run_cpu (components, call, error)
                                : gst_gles_components_queue (components, call, error);
  return gst_gles_queue_end (queue, ok ? error : NULL) && ok;
}

gboolean
gst_gles_components_run (GstGlesComponents *components, GstGlesBuffer *words, guint32 lower,
    guint32 upper, guint min_size, GstGlesBuffer *regions, GstGlesBuffer *labels, GError **error)
{
  GstGlesComponentsCall call = { .input = words,
    .lower = lower,
    .upper = upper,
    .min_size = MAX (min_size, 1),
    .regions = regions,
    .labels = labels };

  g_return_val_if_fail (components != NULL && words != NULL && regions != NULL, FALSE);
  return run (components, FALSE, &call, error);
}

/* @call has the smallest number of points of a cell in @lower. */
static gboolean
run_points (GstGlesComponents *components, GstGlesComponentsCall call, GError **error)
{
  g_return_val_if_fail (components != NULL && call.input != NULL && call.regions != NULL, FALSE);
  call.lower = MAX (call.lower, 1);
  call.upper = G_MAXUINT32;
  call.min_size = MAX (call.min_size, 1);
  return run (components, TRUE, &call, error);
}

gboolean
gst_gles_components_run_points (GstGlesComponents *components, GstGlesBuffer *points, guint n,
    guint min_points, guint min_size, GstGlesBuffer *regions, GError **error)
{
  const GstGlesComponentsCall call = { .input = points,
    .count = GST_GLES_COUNT_HOST (n),
    .lower = min_points,
    .min_size = min_size,
    .regions = regions };

  return run_points (components, call, error);
}

gboolean
gst_gles_components_run_points_indirect (GstGlesComponents *components, GstGlesBuffer *points,
    GstGlesBuffer *count, gsize count_offset_bytes, guint min_points, guint min_size,
    GstGlesBuffer *regions, GError **error)
{
  const GstGlesComponentsCall call = { .input = points,
    .count = GST_GLES_COUNT_DEVICE (count, count_offset_bytes),
    .lower = min_points,
    .min_size = min_size,
    .regions = regions };

  g_return_val_if_fail (count != NULL, FALSE);
  return run_points (components, call, error);
}
