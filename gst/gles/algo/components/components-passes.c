/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Connected components on devices with GL: chooses the kernels, allocates the scratch memory, and
 * queues the dispatches of a call. docs/algorithms/components.md describes the steps. */
#include "config.h"

#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/components/components-private.h>
#include <gst/gles/core/checked.h>

/* How a tile is labelled, and how many items an invocation of the other kernels takes. llvmpipe
 * ends the loops of an invocation after 65535 iterations in total; the serial numbers stay below
 * that. */
typedef struct {
  guint tile_invocations, tile_height;
  guint words_each;  /* mask words per invocation: components_borders, components_roots */
  guint labels_each; /* words per invocation: components_labels */
  guint cells_each;  /* points per invocation: components_cells */
  guint totals_invocations, table, span;
  guint totals_words, totals_points; /* mask words or points per invocation: components_totals */
} Tuning;

static const Tuning serial_tuning = {
  .tile_invocations = 8,
  .tile_height = 32,
  .words_each = 16,
  .labels_each = 256,
  .cells_each = 512,
  .totals_invocations = 8,
  .table = 0,
  .span = 32,
  .totals_words = 128,
  .totals_points = 1024,
};

static const Tuning team_tuning = {
  .tile_invocations = 128,
  .tile_height = 64,
  .words_each = 1,
  .labels_each = 4,
  .cells_each = 4,
  .totals_invocations = 128,
  .table = 256,
  .span = 4,
  .totals_words = 4,
  .totals_points = 16,
};

#define INVOCATIONS 64

/* The workgroup that selects: candidates in its shared memory, and the largest list that it makes.
 * Top-k and a sort take about twenty dispatches for the same. */
#define SELECT_CAPACITY 1024
#define SELECT_MAX_REGIONS 256
#define SELECT_INVOCATIONS 1024
#define SELECT_INVOCATIONS_SMALL 128
/* The most candidates per invocation on llvmpipe, which ends the loops of an invocation after 65535
 * iterations in total: sizes are divided up to five times, indices up to three times, and then
 * candidates are kept. */
#define SELECT_MAX_EACH_SOFTWARE 4096

/* ---- programs ---- */

static const struct {
  const gchar *name;
  guint n_storage;
} kernels[GST_GLES_COMPONENTS_N_KERNELS] = {
  [GST_GLES_COMPONENTS_CELLS] = { "components_cells", 3 },
  [GST_GLES_COMPONENTS_TILES] = { "components_tiles", 4 },
  [GST_GLES_COMPONENTS_BORDERS] = { "components_borders", 2 },
  [GST_GLES_COMPONENTS_ROOTS] = { "components_roots", 3 },
  [GST_GLES_COMPONENTS_COUNT] = { "components_count", 3 },
  [GST_GLES_COMPONENTS_LIST] = { "components_list", 4 },
  [GST_GLES_COMPONENTS_LIST_NODES] = { "components_list", 4 },
  [GST_GLES_COMPONENTS_LABELS] = { "components_labels", 3 },
  [GST_GLES_COMPONENTS_SELECT] = { "components_select", 3 },
  [GST_GLES_COMPONENTS_PICK] = { "components_pick", 4 },
  [GST_GLES_COMPONENTS_MARK] = { "components_mark", 4 },
  [GST_GLES_COMPONENTS_TOTALS] = { "components_totals", 4 },
};

/* Whether the kernel's shape comes from the tuning rows of array algorithms. */
static gboolean
is_by_team (GstGlesComponentsKernel kernel)
{
  return kernel == GST_GLES_COMPONENTS_COUNT || kernel == GST_GLES_COMPONENTS_LIST ||
      kernel == GST_GLES_COMPONENTS_LIST_NODES;
}

/* @split: the sizes and the nodes of candidates have a buffer each. */
static void
team_spec (GstGlesComponentsKernel kernel, const GstGlesShape *shape, gboolean split,
    GstGlesProgramSpec *spec)
{
  guint n = gst_gles_shape_spec (shape, kernels[kernel].name, kernels[kernel].n_storage, spec);

  if (split && kernel != GST_GLES_COMPONENTS_COUNT)
    spec->defines[n] = (GstGlesDefine){ "PART", kernel == GST_GLES_COMPONENTS_LIST ? 1 : 2 };
  spec->shared_bytes = gst_gles_shape_scan_bytes (shape, shape->rows, 1);
}

static void
select_spec (gboolean small, gboolean split, GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){
    .kernel = kernels[GST_GLES_COMPONENTS_SELECT].name,
    .local_size = { small ? SELECT_INVOCATIONS_SMALL : SELECT_INVOCATIONS, 1, 1 },
    .n_storage = kernels[GST_GLES_COMPONENTS_SELECT].n_storage + (split ? 1 : 0),
    .shared_bytes = 8 * SELECT_CAPACITY + 16,
    .defines = { { "CAPACITY", SELECT_CAPACITY } },
  };
  if (split)
    spec->defines[1] = (GstGlesDefine){ "PARTS", 2 };
}

static void
kernel_spec (
    GstGlesComponentsKernel kernel, gboolean serial, gboolean points, GstGlesProgramSpec *spec)
{
  const Tuning *tuning = serial ? &serial_tuning : &team_tuning;

  *spec = (GstGlesProgramSpec){ .kernel = kernels[kernel].name,
    .local_size = { INVOCATIONS, 1, 1 },
    .n_storage = kernels[kernel].n_storage };
  if (kernel == GST_GLES_COMPONENTS_TILES) {
    spec->local_size[0] = tuning->tile_invocations;
    spec->defines[0] = (GstGlesDefine){ "TEAM", !serial };
    spec->defines[1] = (GstGlesDefine){ "TILE_HEIGHT", tuning->tile_height };
    if (!serial)
      spec->shared_bytes = 4 * tuning->tile_height * (1 + 2 * GST_GLES_COMPONENTS_NODES);
  } else if (kernel == GST_GLES_COMPONENTS_BORDERS) {
    spec->defines[0] = (GstGlesDefine){ "TILE_HEIGHT", tuning->tile_height };
  } else if (kernel == GST_GLES_COMPONENTS_TOTALS) {
    spec->local_size[0] = tuning->totals_invocations;
    spec->defines[0] = (GstGlesDefine){ "TABLE", tuning->table };
    spec->defines[1] = (GstGlesDefine){ "SPAN", tuning->span };
    spec->defines[2] = (GstGlesDefine){ "POINTS", points };
    spec->shared_bytes = 4 * 14 * tuning->table;
  }
}

static void
visit_shape (const GstGlesShape *shape, gboolean look_back, gpointer user_data)
{
  gpointer *visit = user_data;
  GstGlesSpecialisationFunc func = *(GstGlesSpecialisationFunc *) visit[0];
  GstGlesProgramSpec spec;

  for (guint i = 0; i < GST_GLES_COMPONENTS_N_KERNELS && !look_back; i++) {
    for (guint split = 0; split < 2 && is_by_team (i); split++) {
      team_spec (i, shape, split, &spec);
      func (&spec, visit[1]);
    }
  }
}

void
gst_gles_components_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  gpointer visit[2] = { &func, user_data };
  GstGlesProgramSpec spec;

  gst_gles_array_tuning_foreach (GST_GLES_ALGORITHM_COMPONENTS, visit_shape, visit);
  for (guint i = 0; i < GST_GLES_COMPONENTS_N_KERNELS; i++) {
    for (guint way = 0; way < 4 && !is_by_team (i); way++) {
      if (i == GST_GLES_COMPONENTS_SELECT)
        select_spec (way % 2 != 0, way / 2 != 0, &spec);
      else
        kernel_spec (i, way % 2 != 0, way / 2 != 0, &spec);
      func (&spec, user_data);
    }
  }
}

/* ---- plans ---- */

static const Tuning *
tuning_of (const GstGlesComponents *components)
{
  return components->serial ? &serial_tuning : &team_tuning;
}

static gboolean
is_points (const GstGlesComponents *components)
{
  return components->config.source == GST_GLES_COMPONENTS_POINTS;
}

/* Whether one workgroup has few invocations when it selects the largest candidates. */
static gboolean
selects_with_few (const GstGlesComponents *components)
{
  return gst_gles_device_get_limits (components->array.device)->invocations < SELECT_INVOCATIONS;
}

/* Whether the largest candidates are selected by one workgroup. */
static gboolean
selects (const GstGlesComponents *components)
{
  guint invocations = selects_with_few (components) ? SELECT_INVOCATIONS_SMALL : SELECT_INVOCATIONS;

  return !components->serial && components->config.max_regions <= SELECT_MAX_REGIONS &&
      (gst_gles_device_get_kind (components->array.device) != GST_GLES_DEVICE_SOFTWARE ||
          components->n_candidates / invocations <= SELECT_MAX_EACH_SOFTWARE);
}

/* The largest number of words that a binding can cover. */
static guint64
band_words (const GstGlesComponents *components)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (components->array.device);
  guint64 words = limits->storage_block_bytes / 4;

  if (components->array.variant.window != 0)
    words = MIN (words, components->array.variant.window);
  return words;
}

/* The largest number of rows of the grid, in whole tiles, that a binding can cover; 0: not even one
 * row of tiles. */
static guint
band_rows (const GstGlesComponents *components)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (components->array.device);
  guint64 words = band_words (components) - MAX (limits->storage_alignment, 4) / 4;
  guint64 rows = words / components->width;

  if (rows >= components->height)
    return components->height;
  return rows - rows % components->tile_height;
}

/* Whether the sizes and the nodes of the candidates do not fit one binding. */
static gboolean
splits (const GstGlesComponents *components)
{
  return 2ull * components->n_candidates > band_words (components);
}

static gboolean
check_limits (const GstGlesComponents *components, GError **error)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (components->array.device);
  guint64 nodes = (guint64) components->n_words * GST_GLES_COMPONENTS_NODES;
  guint64 words = MAX (nodes, components->n_candidates);
  guint64 tiles_y = gst_gles_div_ceil (components->height, components->tile_height);
  guint64 tiles = components->row_words * tiles_y;

  words = MAX (words, 2ull * components->config.max_points);
  words = MAX (words, (guint64) components->config.max_regions * sizeof (GstGlesRegion) / 4);
  if (4 * words <= limits->storage_block_bytes && components->array.n_windows == 1 &&
      band_rows (components) > 0 &&
      (components->serial
              ? gst_gles_div_ceil (tiles, serial_tuning.tile_invocations)
              : MAX (components->row_words, tiles_y)) <= MIN (limits->groups[0], limits->groups[1]))
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
      "components: a grid of %u x %u, %u points or %u regions are more than a storage block of "
      "%" G_GUINT64_FORMAT " bytes holds; use cells, list fewer or use the cpu device",
      components->width, components->height, components->config.max_points,
      components->config.max_regions, (guint64) limits->storage_block_bytes);
  return FALSE;
}

static gboolean
new_buffer (GstGlesComponents *components, GstGlesBuffer **buffer, guint64 n_words, GError **error)
{
  *buffer = gst_gles_buffer_new (components->array.device, 4 * n_words, error);
  return *buffer != NULL;
}

static gboolean
new_buffers (GstGlesComponents *components, GError **error)
{
  guint64 nodes = (guint64) components->n_words * GST_GLES_COMPONENTS_NODES;
  guint64 n_cells = (guint64) components->width * components->height;

  guint64 n_candidates = components->n_candidates;
  gboolean split = splits (components);

  components->nodes_at = split ? 0 : n_candidates;
  /* The word after the masks has the number of points. The rest is padding, because kernels read
   * four masks at a time. */
  return new_buffer (components, &components->masks, components->n_words + 4ull, error) &&
      new_buffer (components, &components->labels, nodes, error) &&
      new_buffer (components, &components->sizes, nodes, error) &&
      new_buffer (
          components, &components->candidates, split ? n_candidates : 2 * n_candidates, error) &&
      (!split || new_buffer (components, &components->nodes, n_candidates, error)) &&
      new_buffer (components, &components->order, components->config.max_regions, error) &&
      (!is_points (components) || new_buffer (components, &components->cells, n_cells, error));
}

static gboolean
new_programs (GstGlesComponents *components, GError **error)
{
  gboolean points = is_points (components);
  gboolean split = components->nodes != NULL;
  GstGlesProgramSpec spec;

  for (guint i = 0; i < GST_GLES_COMPONENTS_N_KERNELS; i++) {
    if ((i == GST_GLES_COMPONENTS_LIST_NODES && !split) ||
        i == (points ? GST_GLES_COMPONENTS_LABELS : GST_GLES_COMPONENTS_CELLS) ||
        i == (selects (components) ? GST_GLES_COMPONENTS_PICK : GST_GLES_COMPONENTS_SELECT))
      continue;
    if (is_by_team (i))
      team_spec (i, &components->array.two_pass, split, &spec);
    else if (i == GST_GLES_COMPONENTS_SELECT)
      select_spec (selects_with_few (components), split, &spec);
    else
      kernel_spec (i, components->serial, points, &spec);
    components->programs[i] = gst_gles_program_get (components->array.queue, &spec, error);
    if (components->programs[i] == NULL)
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_gles_components_build (GstGlesComponents *components, GError **error)
{
  components->serial = components->array.two_pass.team == GST_GLES_TEAM_SERIAL;
  components->tile_height = tuning_of (components)->tile_height;
  if (!check_limits (components, error) || !new_buffers (components, error))
    return FALSE;
  if (!selects (components)) {
    components->top_k = gst_gles_top_k_new (components->array.queue, GST_GLES_VALUE_U32, TRUE,
        components->n_candidates, components->config.max_regions, error);
    if (components->top_k == NULL)
      return FALSE;
  }
  return new_programs (components, error);
}

/* ---- dispatches ---- */

static GstGlesBinding
all_of (GstGlesBuffer *buffer, GstGlesUsage usage)
{
  return (GstGlesBinding){ buffer, 0, 0, usage };
}

static gboolean
dispatch (GstGlesComponents *components, GstGlesComponentsKernel kernel,
    const GstGlesBinding *bindings, const GstGlesComponentsPass *pass, guint64 n_groups,
    GError **error)
{
  const guint limit = gst_gles_device_get_limits (components->array.device)->groups[0];
  const guint groups[3] = { CLAMP (n_groups, 1, limit), 1, 1 };

  return gst_gles_queue_dispatch (components->array.queue, components->programs[kernel], bindings,
      kernels[kernel].n_storage, pass, sizeof (*pass), groups, GST_GLES_DISPATCH_NONE, error);
}

/* Returns a binding of the rows from @row on, as many as it can cover, and stores which in
 * @pass. */
static GstGlesBinding
take_band (const GstGlesComponents *components, GstGlesBuffer *buffer, guint row,
    GstGlesUsage usage, GstGlesComponentsPass *pass)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (components->array.device);
  guint64 first = (guint64) row * components->width;
  guint64 skipped = first % (MAX (limits->storage_alignment, 4) / 4);

  pass->first_row = row;
  pass->n_rows = MIN (band_rows (components), components->height - row);
  pass->base = skipped;
  return gst_gles_array_binding (
      buffer, first - skipped, skipped + (guint64) pass->n_rows * components->width, usage);
}

/* Queues counting points in cells. */
static gboolean
queue_cells (GstGlesComponents *components, const GstGlesComponentsCall *call,
    GstGlesComponentsPass *pass, GError **error)
{
  GstGlesArray *array = &components->array;
  const guint many[3] = { 256, 1, 1 };
  guint64 n_groups =
      gst_gles_div_ceil (call->limit, (guint64) INVOCATIONS * tuning_of (components)->cells_each);

  if (!gst_gles_array_setup (array, &array->two_pass, &call->count, call->limit, error))
    return FALSE;
  for (guint row = 0; row < components->height; row += pass->n_rows) {
    GstGlesBinding cells =
        take_band (components, components->cells, row, GST_GLES_READ_WRITE, pass);
    const GstGlesArrayClear clear = { pass->base, pass->n_rows * components->width, 0, 0 };
    const GstGlesBinding bindings[] = { gst_gles_array_state (array),
      gst_gles_array_binding (call->input, 0, 2ull * call->limit, GST_GLES_READ), cells };

    if (!gst_gles_queue_dispatch (array->queue, array->clear, &cells, 1, &clear, sizeof (clear),
            many, GST_GLES_DISPATCH_NONE, error) ||
        !dispatch (components, GST_GLES_COMPONENTS_CELLS, bindings, pass, n_groups, error))
      return FALSE;
  }
  return call->count.buffer == NULL ||
      gst_gles_queue_copy (array->queue, array->state, 4 * GST_GLES_ARRAY_N, components->masks,
          4 * (gsize) components->n_words, 4, error);
}

static gboolean
queue_tiles (GstGlesComponents *components, const GstGlesComponentsCall *call,
    GstGlesComponentsPass *pass, GError **error)
{
  GstGlesBuffer *words = is_points (components) ? components->cells : call->input;
  GstGlesBinding bindings[] = { { 0 }, all_of (components->masks, GST_GLES_WRITE),
    all_of (components->labels, GST_GLES_READ_WRITE),
    all_of (components->sizes, GST_GLES_READ_WRITE) };

  for (guint row = 0; row < components->height; row += pass->n_rows) {
    guint tiles_y, groups[3] = { components->row_words, 1, 1 };

    bindings[0] = take_band (components, words, row, GST_GLES_READ, pass);
    tiles_y = gst_gles_div_ceil (pass->n_rows, components->tile_height);
    if (components->serial)
      groups[0] = gst_gles_div_ceil (
          (guint64) components->row_words * tiles_y, serial_tuning.tile_invocations);
    else
      groups[1] = tiles_y;
    if (!gst_gles_queue_dispatch (components->array.queue,
            components->programs[GST_GLES_COMPONENTS_TILES], bindings, G_N_ELEMENTS (bindings),
            pass, sizeof (*pass), groups, GST_GLES_DISPATCH_NONE, error))
      return FALSE;
  }
  return TRUE;
}

/* Queues joining tiles, and finding the root of each node and the size of each component. */
static gboolean
queue_roots (GstGlesComponents *components, const GstGlesComponentsPass *pass, GError **error)
{
  const GstGlesBinding bindings[] = { all_of (components->masks, GST_GLES_READ),
    all_of (components->labels, GST_GLES_READ_WRITE),
    all_of (components->sizes, GST_GLES_READ_WRITE) };
  guint64 n_groups = gst_gles_div_ceil (
      components->n_words, (guint64) INVOCATIONS * tuning_of (components)->words_each);

  return dispatch (components, GST_GLES_COMPONENTS_BORDERS, bindings, pass, n_groups, error) &&
      dispatch (components, GST_GLES_COMPONENTS_ROOTS, bindings, pass, n_groups, error);
}

static gboolean
queue_labels (GstGlesComponents *components, const GstGlesComponentsCall *call,
    GstGlesComponentsPass *pass, GError **error)
{
  GstGlesBinding bindings[] = { all_of (components->masks, GST_GLES_READ),
    all_of (components->labels, GST_GLES_READ), { 0 } };
  guint64 each = (guint64) INVOCATIONS * tuning_of (components)->labels_each;

  for (guint row = 0; row < components->height && call->labels != NULL; row += pass->n_rows) {
    bindings[2] = take_band (components, call->labels, row, GST_GLES_WRITE, pass);
    if (!dispatch (components, GST_GLES_COMPONENTS_LABELS, bindings, pass,
            gst_gles_div_ceil ((guint64) pass->n_rows * components->width, each), error))
      return FALSE;
  }
  return TRUE;
}

/* The nodes of the candidates, from pass.nodes_at on. */
static GstGlesBinding
nodes_of (const GstGlesComponents *components, GstGlesUsage usage)
{
  return all_of (components->nodes != NULL ? components->nodes : components->candidates, usage);
}

/* Queues listing the candidates. */
static gboolean
queue_list (GstGlesComponents *components, const GstGlesComponentsCall *call, GError **error)
{
  GstGlesArray *array = &components->array;
  const GstGlesCount count = GST_GLES_COUNT_HOST (components->n_words);
  GstGlesBinding bindings[] = { gst_gles_array_state (array),
    gst_gles_array_binding (
        components->masks, 0, gst_gles_align_up (components->n_words, 4), GST_GLES_READ),
    all_of (components->sizes, GST_GLES_READ), all_of (components->candidates, GST_GLES_WRITE) };
  GstGlesComponentsListPass pass = {
    .min_size = call->min_size,
    .nodes_at = components->nodes_at,
  };
  GstGlesWindow window;

  gst_gles_array_window (array, &array->two_pass, &count, components->n_words, 0, &window);
  pass.array = window.pass;
  if (!gst_gles_array_dispatch (array, components->programs[GST_GLES_COMPONENTS_COUNT], bindings, 3,
          &count, &window, &pass, sizeof (pass), error) ||
      !gst_gles_array_dispatch (array, components->programs[GST_GLES_COMPONENTS_LIST], bindings, 4,
          &count, &window, &pass, sizeof (pass), error))
    return FALSE;
  bindings[3] = nodes_of (components, GST_GLES_WRITE);
  return components->nodes == NULL ||
      gst_gles_array_dispatch (array, components->programs[GST_GLES_COMPONENTS_LIST_NODES],
          bindings, 4, &count, &window, &pass, sizeof (pass), error);
}

/* Queues selecting the largest candidates in order, and initialising their records. */
static gboolean
queue_selection (GstGlesComponents *components, const GstGlesComponentsCall *call,
    const GstGlesComponentsPass *pass, GstGlesBinding regions, GError **error)
{
  GstGlesBuffer *state = components->array.state;
  const guint one[3] = { 1, 1, 1 };
  const GstGlesBinding nodes = nodes_of (components, GST_GLES_READ);
  const GstGlesBinding select[] = { gst_gles_array_state (&components->array),
    all_of (components->candidates, GST_GLES_READ), regions, nodes };
  const GstGlesBinding pick[] = { select[0], nodes, all_of (components->order, GST_GLES_READ),
    regions };

  if (components->top_k == NULL)
    return gst_gles_queue_dispatch (components->array.queue,
        components->programs[GST_GLES_COMPONENTS_SELECT], select,
        kernels[GST_GLES_COMPONENTS_SELECT].n_storage + (components->nodes != NULL ? 1 : 0), pass,
        sizeof (*pass), one, GST_GLES_DISPATCH_NONE, error);
  return gst_gles_top_k_run_indirect (components->top_k, components->candidates, state,
             GST_GLES_RESULT_COUNT_OFFSET, call->max_regions, NULL, components->order, error) &&
      dispatch (components, GST_GLES_COMPONENTS_PICK, pick, pass,
          gst_gles_div_ceil (call->max_regions, INVOCATIONS), error);
}

/* Queues selecting the components of the list and marking their roots. */
static gboolean
queue_begin (GstGlesComponents *components, const GstGlesComponentsCall *call,
    const GstGlesComponentsPass *pass, GError **error)
{
  GstGlesBinding state = gst_gles_array_state (&components->array);
  GstGlesBinding regions = gst_gles_array_binding (
      call->regions, 0, call->max_regions * sizeof (GstGlesRegion) / 4, GST_GLES_READ_WRITE);
  const GstGlesBinding mark[] = { all_of (components->masks, GST_GLES_READ),
    all_of (components->labels, GST_GLES_WRITE), regions, state };

  return queue_selection (components, call, pass, regions, error) &&
      dispatch (components, GST_GLES_COMPONENTS_MARK, mark, pass,
          gst_gles_div_ceil (call->max_regions, INVOCATIONS), error);
}

static gboolean
queue_totals (GstGlesComponents *components, const GstGlesComponentsCall *call,
    GstGlesComponentsPass *pass, GError **error)
{
  const Tuning *tuning = tuning_of (components);
  guint64 each = tuning->totals_invocations;
  GstGlesBinding bindings[] = { all_of (components->masks, GST_GLES_READ),
    all_of (components->labels, GST_GLES_READ), { 0 },
    gst_gles_array_binding (
        call->regions, 0, call->max_regions * sizeof (GstGlesRegion) / 4, GST_GLES_READ_WRITE) };

  if (is_points (components)) {
    bindings[2] = gst_gles_array_binding (call->input, 0, 2ull * call->limit, GST_GLES_READ);
    return dispatch (components, GST_GLES_COMPONENTS_TOTALS, bindings, pass,
        gst_gles_div_ceil (call->limit, each * tuning->totals_points), error);
  }
  for (guint row = 0; row < components->height; row += pass->n_rows) {
    bindings[2] = take_band (components, call->input, row, GST_GLES_READ, pass);
    if (!dispatch (components, GST_GLES_COMPONENTS_TOTALS, bindings, pass,
            gst_gles_div_ceil (
                (guint64) pass->n_rows * components->row_words, each * tuning->totals_words),
            error))
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_gles_components_queue (
    GstGlesComponents *components, const GstGlesComponentsCall *call, GError **error)
{
  const GstGlesComponentsConfig *config = &components->config;
  gboolean empty = call->lower > call->upper;
  GstGlesComponentsPass pass = {
    .width = components->width,
    .height = components->height,
    .row_words = components->row_words,
    .n_words = components->n_words,
    .lower = call->lower,
    .span = call->upper - call->lower,
    .weighted = is_points (components),
    .diagonal = config->connectivity == 8,
    .max_regions = call->max_regions,
    .n = call->limit,
    .counted = call->count.buffer != NULL,
    .cell_width = config->cell_width,
    .cell_height = config->cell_height,
    .frame_width = config->width,
    .frame_height = config->height,
    .nodes_at = components->nodes_at,
    .empty = empty,
  };

  return (!is_points (components) || queue_cells (components, call, &pass, error)) &&
      queue_tiles (components, call, &pass, error) && queue_roots (components, &pass, error) &&
      queue_labels (components, call, &pass, error) && queue_list (components, call, error) &&
      queue_begin (components, call, &pass, error) && queue_totals (components, call, &pass, error);
}
