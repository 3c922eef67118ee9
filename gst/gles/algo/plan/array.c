/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/algo/plan/array.h>
#include <gst/gles/core/checked.h>

#define CLEAR_INVOCATIONS 64
/* lanes of emulated subgroups, unless a variant says otherwise */
#define EMULATED_LANES 4
/* lanes of subgroups, if the device does not report them */
#define USUAL_LANES 32
/* Tests only: the most tiles for which llvmpipe's workgroups may take the tiles of their own
 * numbers. */
#define MAX_NUMBERED_SOFTWARE 256
/* Where loops are limited: the most teams of single invocations, one of which combines the partial
 * results of all. */
#define MAX_SERIAL_TEAMS (GST_GLES_MAX_ROUNDS / 2 / GST_GLES_PARTIAL_ROUNDS)
/* Tests only: emulated subgroups of 4 and of 64 lanes take up to 3.5 times the rounds of a row. */
#define EMULATED_FACTOR 5

G_STATIC_ASSERT (GST_GLES_STATUS_COUNT_CLAMPED == GST_GLES_ARRAY_STATUS_CLAMPED);
G_STATIC_ASSERT (GST_GLES_STATUS_TOTAL_WRAPPED == GST_GLES_ARRAY_STATUS_WRAPPED);
G_STATIC_ASSERT (GST_GLES_STATUS_TRUNCATED == GST_GLES_ARRAY_STATUS_TRUNCATED);
G_STATIC_ASSERT (sizeof (GstGlesResult) == 16);
G_STATIC_ASSERT (G_STRUCT_OFFSET (GstGlesResult, count) == 4 * GST_GLES_ARRAY_COUNT);
G_STATIC_ASSERT (G_STRUCT_OFFSET (GstGlesResult, status) == 4 * GST_GLES_ARRAY_STATUS);
G_STATIC_ASSERT (GST_GLES_RESULT_COUNT_OFFSET == 4 * GST_GLES_ARRAY_COUNT);
G_STATIC_ASSERT (
    GST_GLES_ARRAY_WINDOWS + (GST_GLES_ARRAY_MAX_WINDOWS + 1) * GST_GLES_ARRAY_WINDOW_WORDS <=
    GST_GLES_ARRAY_HEAD);

/* ---- shapes ---- */

guint
gst_gles_shape_tile (const GstGlesShape *shape)
{
  return 4 * shape->rows * (shape->team == GST_GLES_TEAM_SERIAL ? 1 : shape->invocations);
}

guint
gst_gles_shape_teams_per_group (const GstGlesShape *shape)
{
  return shape->team == GST_GLES_TEAM_SERIAL ? shape->invocations : 1;
}

guint
gst_gles_shape_max_teams (const GstGlesShape *shape)
{
  return shape->max_groups * gst_gles_shape_teams_per_group (shape);
}

guint
gst_gles_shape_max_tiles (const GstGlesShape *shape)
{
  guint max_tiles = 1;

  if (shape->rounds == 0)
    return 0;
  /* reduce gives a team a power of two of tiles */
  while (2 * max_tiles * shape->rounds <= GST_GLES_MAX_ROUNDS)
    max_tiles *= 2;
  return max_tiles;
}

static guint
shape_lanes (const GstGlesShape *shape)
{
  if (shape->lanes != 0)
    return shape->lanes;
  return gst_gles_team_is_emulated (shape->team) ? EMULATED_LANES : USUAL_LANES;
}

guint
gst_gles_shape_spec (
    const GstGlesShape *shape, const gchar *kernel, guint n_storage, GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){
    .kernel = kernel,
    .local_size = { shape->invocations, 1, 1 },
    .n_storage = n_storage,
    .subgroups = shape->team == GST_GLES_TEAM_SUBGROUP ? shape_lanes (shape) : 0,
    .defines = { { "TEAM", MIN (shape->team, GST_GLES_TEAM_SUBGROUP) }, { "ROWS", shape->rows } },
  };
  if (!gst_gles_team_is_emulated (shape->team))
    return 2;
  spec->defines[2] = (GstGlesDefine){ "EMULATED_SUBGROUPS", shape_lanes (shape) };
  return 3;
}

guint
gst_gles_shape_scan_bytes (const GstGlesShape *shape, guint scan_rows, guint words)
{
  guint n = shape->invocations;
  guint groups = gst_gles_div_ceil (n, shape_lanes (shape));

  switch (shape->team) {
    case GST_GLES_TEAM_SHARED:
      return 4 * (2 * scan_rows * words * n + n);
    case GST_GLES_TEAM_SUBGROUP:
      return 4 * ((2 * scan_rows * groups + 1) * words + groups + 4 * groups);
    case GST_GLES_TEAM_EMULATED:
      return 4 * ((2 * scan_rows * groups + 1) * words + groups + 4 * groups + n);
    default:
      return 0;
  }
}

guint
gst_gles_shape_look_back_bytes (const GstGlesShape *shape)
{
  if (shape->team == GST_GLES_TEAM_SHARED)
    return 8 + 8 * GST_GLES_LOOK_BACK_TILES;
  return 8 + 8 + 8 * gst_gles_div_ceil (shape->invocations, shape_lanes (shape));
}

guint
gst_gles_shape_look_back_defines (const GstGlesShape *shape, GstGlesProgramSpec *spec, guint n)
{
  spec->defines[n++] = (GstGlesDefine){ "LOOK_BACK_TILES", GST_GLES_LOOK_BACK_TILES };
  spec->defines[n++] = (GstGlesDefine){ "NUMBERED", shape->numbered };
  if (gst_gles_stalled_tile (shape->stalled_tile) != 0)
    spec->defines[n++] = (GstGlesDefine){ "STALLED_TILE", shape->stalled_tile };
  return n;
}

static gboolean
is_power_of_two (guint value)
{
  return value != 0 && (value & (value - 1)) == 0;
}

static gboolean
has_subgroups (const GstGlesLimits *limits)
{
  /* basic, vote, arithmetic, ballot, shuffle, shuffle relative */
  return limits->subgroup_size >= 4 && (limits->subgroup_features & 0x3f) == 0x3f;
}

/* Applies the forced variant to @shape and checks the result. */
static gboolean
force_shape (const GstGlesArray *array, GstGlesShape *shape, GError **error)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (array->device);
  const GstGlesVariant *variant = &array->variant;

  if (variant->team != GST_GLES_TEAM_AUTO)
    shape->team = variant->team;
  if (variant->invocations != 0)
    shape->invocations = variant->invocations;
  if (variant->rows != 0) {
    shape->rounds *= MAX (variant->rows / shape->rows, 1);
    shape->rows = variant->rows;
  }
  if (gst_gles_team_is_emulated (shape->team))
    shape->rounds *= EMULATED_FACTOR;
  shape->lanes = gst_gles_team_is_emulated (shape->team) ? variant->lanes : limits->subgroup_size;
  shape->stalled_tile = variant->stalled_tile;
  if (variant->max_groups != 0 && shape->max_groups != 0)
    shape->max_groups = variant->max_groups;
  if (variant->order != GST_GLES_ORDER_AUTO)
    shape->numbered = variant->order == GST_GLES_ORDER_NUMBERED;
  /* llvmpipe's threads begin at different ends of the grid. A numbered workgroup would wait for
   * tiles that have not begun, and then do their work in more iterations than the 65535 that
   * llvmpipe allows an invocation. */
  if (gst_gles_device_get_kind (array->device) == GST_GLES_DEVICE_SOFTWARE &&
      array->capacity / gst_gles_shape_tile (shape) > MAX_NUMBERED_SOFTWARE)
    shape->numbered = FALSE;
  if (shape->team == GST_GLES_TEAM_SUBGROUP && !has_subgroups (limits)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "%s: the device has no subgroups in compute shaders; use another variant", array->name);
    return FALSE;
  }
  if (gst_gles_team_is_emulated (shape->team) &&
      gst_gles_device_get_kind (array->device) != GST_GLES_DEVICE_SOFTWARE) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "%s: subgroups are emulated on llvmpipe only; use another variant", array->name);
    return FALSE;
  }
  /* Counts must fit half words, so a tile must have less than 2^16 values. */
  if (!is_power_of_two (shape->invocations) || !is_power_of_two (shape->rows) ||
      (shape->lanes & (shape->lanes - 1)) != 0 ||
      (shape->team >= GST_GLES_TEAM_SUBGROUP && shape->invocations < shape->lanes) ||
      gst_gles_shape_tile (shape) > MIN (array->window_size, 1u << 15)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "%s: %u invocations with %u rows each cannot work on a tile; both must be powers of two, "
        "with less than 2^16 values per tile and not more than per window",
        array->name, shape->invocations, shape->rows);
    return FALSE;
  }
  return TRUE;
}

/* ---- plans ---- */

/* Raises max_groups so that no team exceeds its most tiles, and so that there are at least as many
 * teams as windows, because a partial result of reduce covers one window only. */
static void
raise_max_groups (const GstGlesArray *array, GstGlesShape *shape)
{
  guint64 tiles = gst_gles_div_ceil (array->capacity, gst_gles_shape_tile (shape));
  guint64 min_teams = array->n_windows;
  guint max_tiles = gst_gles_shape_max_tiles (shape);

  if (max_tiles != 0)
    min_teams = MAX (min_teams, gst_gles_div_ceil (tiles, max_tiles));
  shape->max_groups = MAX (
      shape->max_groups, gst_gles_div_ceil (min_teams, gst_gles_shape_teams_per_group (shape)));
}

/* Whether single invocations, which limited loops allow only so many tiles each, would be more than
 * one of them can combine the partial results of. */
static gboolean
has_too_many_teams (const GstGlesArray *array, const GstGlesShape *shape)
{
  return shape->team == GST_GLES_TEAM_SERIAL && shape->rounds != 0 &&
      gst_gles_div_ceil (array->capacity,
          gst_gles_shape_tile (shape) * gst_gles_shape_max_tiles (shape)) > MAX_SERIAL_TEAMS;
}

static gboolean
choose_shapes (GstGlesArray *array, const GstGlesArrayTuning *tuning, GError **error)
{
  const GstGlesVariant *variant = &array->variant;
  gboolean subgroups = has_subgroups (gst_gles_device_get_limits (array->device));
  gboolean portable =
      variant->team == GST_GLES_TEAM_SHARED || gst_gles_team_is_emulated (variant->team);

  array->two_pass = tuning->two_pass;
  array->look_back = array->capacity <= tuning->small_capacity ? tuning->small : tuning->look_back;
  array->spin_limit = variant->spin_limit != 0 ? variant->spin_limit : tuning->spin_limit;
  if (portable || (array->two_pass.team == GST_GLES_TEAM_SUBGROUP && !subgroups) ||
      has_too_many_teams (array, &array->two_pass))
    array->two_pass = tuning->portable;
  if (!force_shape (array, &array->two_pass, error))
    return FALSE;
  if (has_too_many_teams (array, &array->two_pass)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "%s: %u values are too many for single invocations; use portable", array->name,
        array->capacity);
    return FALSE;
  }
  raise_max_groups (array, &array->two_pass);

  /* A forced team behaves like a device that has no better one. */
  if (variant->scheme == GST_GLES_SCHEME_TWO_PASS ||
      (array->look_back.team == GST_GLES_TEAM_SUBGROUP && (!subgroups || portable)))
    array->look_back.invocations = 0;
  if (variant->scheme == GST_GLES_SCHEME_LOOK_BACK) {
    if (array->look_back.invocations == 0 || portable)
      array->look_back = tuning->portable;
    array->look_back.max_groups = 0;
  }
  if (array->look_back.invocations == 0)
    return TRUE;
  if (variant->team == GST_GLES_TEAM_SERIAL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "%s: there is no look-back by single invocations; use portable or subgroup", array->name);
    return FALSE;
  }
  return force_shape (array, &array->look_back, error);
}

static gboolean
choose_windows (GstGlesArray *array, GError **error)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (array->device);
  guint64 words = MIN (limits->storage_block_bytes / 4, GST_GLES_MAX_VALUES);

  array->window_size = array->variant.window;
  if (array->window_size == 0) {
    array->window_size = 1;
    while (array->window_size * 2ull <= words)
      array->window_size *= 2;
  }
  array->n_windows = MAX (gst_gles_div_ceil (array->capacity, array->window_size), 1);
  if (array->n_windows <= GST_GLES_ARRAY_MAX_WINDOWS && array->window_size <= words)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
      "%s: %u values in windows of %u are more than %u windows, or more than a storage block holds",
      array->name, array->capacity, array->window_size, GST_GLES_ARRAY_MAX_WINDOWS);
  return FALSE;
}

/* Lays out the state and returns its size in words. The head is followed by two words per team
 * (reduce keeps the partial results of all windows there together), then by two status words per
 * tile of a window. They must not overlap, because status words are not cleared. */
static gsize
state_words (GstGlesArray *array)
{
  guint64 n_tiles = 0;

  array->status_words = GST_GLES_ARRAY_HEAD + 2 * gst_gles_shape_max_teams (&array->two_pass);
  if (array->look_back.invocations != 0)
    n_tiles = gst_gles_div_ceil (
        MIN (array->capacity, array->window_size), gst_gles_shape_tile (&array->look_back));
  return array->status_words + 2 * MAX (n_tiles, 1);
}

static void
setup_spec (GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){ .kernel = "scan_setup", .n_storage = 2 };
}

static void
clear_spec (GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){
    .kernel = "scan_clear", .local_size = { CLEAR_INVOCATIONS, 1, 1 }, .n_storage = 1
  };
}

void
gst_gles_array_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  GstGlesProgramSpec spec;

  setup_spec (&spec);
  func (&spec, user_data);
  clear_spec (&spec);
  func (&spec, user_data);
}

gboolean
gst_gles_array_init (
    GstGlesArray *array, GstGlesQueue *queue, const GstGlesArrayConfig *config, GError **error)
{
  const GstGlesVariant *variant = config->variant;
  GstGlesProgramList list = { .n = 0 };
  GstGlesProgramSpec spec;

  *array = (GstGlesArray){
    .ref_count = 1,
    .name = config->name,
    .queue = gst_object_ref (queue),
    .device = gst_gles_queue_get_device (queue),
    .capacity = config->capacity,
    .variant = *variant,
    .epoch = variant->first_epoch != 0 ? variant->first_epoch - 1 : 0,
  };
  array->is_cpu = gst_gles_device_get_kind (array->device) == GST_GLES_DEVICE_CPU;
  if (array->capacity > GST_GLES_MAX_VALUES) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "%s: a plan for %u values; %u are the most", array->name, array->capacity,
        GST_GLES_MAX_VALUES);
    return FALSE;
  }
  if (array->is_cpu) {
    array->state = gst_gles_buffer_new (array->device, sizeof (GstGlesResult), error);
    return array->state != NULL;
  }
  if (!choose_windows (array, error) || !choose_shapes (array, config->tuning, error))
    return FALSE;
  array->state = gst_gles_buffer_new (array->device, 4 * state_words (array), error);
  if (array->state == NULL)
    return FALSE;
  setup_spec (&spec);
  gst_gles_program_list_add (&list, &spec, &array->setup);
  clear_spec (&spec);
  gst_gles_program_list_add (&list, &spec, &array->clear);
  return gst_gles_program_list_get (&list, queue, error);
}

gchar *
gst_gles_array_describe (const GstGlesArray *array)
{
  static const gchar *const teams[] = { "one invocation", "a workgroup",
    "a workgroup of subgroups" };
  gboolean look_back = !array->is_cpu && array->look_back.invocations != 0;
  const GstGlesShape *shape = look_back ? &array->look_back : &array->two_pass;

  if (array->is_cpu)
    return g_strdup ("native code");
  return g_strdup_printf ("%s, %s to a tile of %u values",
      look_back ? "one pass with look-back" : "two passes",
      teams[MIN (shape->team, GST_GLES_TEAM_SUBGROUP)], gst_gles_shape_tile (shape));
}

void
gst_gles_array_clear (GstGlesArray *array)
{
  gst_gles_program_unref (array->setup);
  gst_gles_program_unref (array->clear);
  gst_gles_buffer_unref (array->state);
  gst_clear_object (&array->device);
  gst_clear_object (&array->queue);
}

/* ---- arguments ---- */

gboolean
gst_gles_array_check_count (const GstGlesArray *array, const GstGlesCount *count, GError **error)
{
  GstGlesArgument argument = { "count", count->buffer, FALSE };

  if (count->n > array->capacity) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "%s: %u values are over the plan's capacity of %u; make a plan for more", array->name,
        count->n, array->capacity);
    return FALSE;
  }
  if (count->buffer == NULL)
    return TRUE;
  if (count->offset_bytes % 4 != 0 || count->offset_bytes > G_MAXUINT32) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "%s: a count at byte %" G_GSIZE_FORMAT "; it must be a multiple of 4", array->name,
        count->offset_bytes);
    return FALSE;
  }
  return gst_gles_array_check_buffer (array, &argument, count->offset_bytes / 4 + 1, error);
}

gboolean
gst_gles_array_check_buffer (
    const GstGlesArray *array, const GstGlesArgument *argument, guint64 n_values, GError **error)
{
  GstGlesDevice *device;
  gboolean same;

  device = gst_gles_buffer_get_device (argument->buffer);
  same = device == array->device;
  gst_object_unref (device);
  if (!same) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "%s: the %s buffer is of another device than the plan; copy it through the host",
        array->name, argument->name);
    return FALSE;
  }
  if (gst_gles_buffer_get_size (argument->buffer) / 4 < n_values) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "%s: the %s buffer has %" G_GSIZE_FORMAT " bytes, %" G_GUINT64_FORMAT " words are needed",
        array->name, argument->name, gst_gles_buffer_get_size (argument->buffer), n_values);
    return FALSE;
  }
  return TRUE;
}

gboolean
gst_gles_array_check_distinct (
    const GstGlesArray *array, const GstGlesArgument *a, const GstGlesArgument *b, GError **error)
{
  if (a->buffer == NULL || a->buffer != b->buffer)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
      "%s: %s and %s are the same buffer, which this call does not allow", array->name, a->name,
      b->name);
  return FALSE;
}

guint
gst_gles_array_limit (
    const GstGlesArray *array, const GstGlesCount *count, GstGlesBuffer *const *buffers)
{
  guint limit = array->capacity;

  if (count->buffer == NULL)
    return count->n;
  for (guint i = 0; buffers[i] != NULL; i++)
    limit = MIN (limit, gst_gles_buffer_get_size (buffers[i]) / 4);
  return limit;
}

/* ---- cpu ---- */

guint32 *
gst_gles_array_words (GstGlesBuffer *buffer)
{
  return buffer != NULL ? (guint32 *) (gpointer) gst_gles_buffer_peek_memory (buffer) : NULL;
}

gboolean
gst_gles_array_read_count (GstGlesArray *array, const GstGlesCount *count, guint limit,
    GstGlesCounted *counted, GError **error)
{
  guint32 word;

  *counted = (GstGlesCounted){ count->n, 0 };
  if (count->buffer == NULL)
    return TRUE;
  if (!gst_gles_buffer_download (
          count->buffer, array->queue, count->offset_bytes, &word, sizeof (word), error))
    return FALSE;
  counted->n = MIN (word, limit);
  counted->status = word > limit ? GST_GLES_STATUS_COUNT_CLAMPED : 0;
  return TRUE;
}

gboolean
gst_gles_array_write_result (
    GstGlesArray *array, guint64 total, guint32 count, guint32 status, GError **error)
{
  GstGlesResult result = { total, count, status };

  return gst_gles_buffer_upload (array->state, array->queue, 0, &result, sizeof (result), error);
}
