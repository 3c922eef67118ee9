/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Connected components on devices with GL: allocates the scratch memory, and queues the dispatches
 * of a call. docs/algorithms/components.md describes the steps. */
#include "config.h"

#include <gst/gles/algo/components/components-private.h>
#include <gst/gles/core/checked.h>

/* ---- plans ---- */

static gboolean
is_points (const GstGlesComponents *components)
{
  return components->config.source == GST_GLES_COMPONENTS_POINTS;
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
 * row of tiles. @each: the bytes of a value. */
static guint
band_rows (const GstGlesComponents *components, guint each)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (components->array.device);
  guint64 words = band_words (components) - MAX (limits->storage_alignment, 4) / 4;
  guint64 rows = 4 / each * words / components->width;

  if (rows >= components->height)
    return components->height;
  /* Without texels the kernel that labels tiles reads words by bands. */
  return rows - rows % (components->texels ? 1 : components->tuning->tile_height);
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
  guint64 tiles_y = gst_gles_div_ceil (components->height, components->tuning->tile_height);
  guint64 tiles_x = gst_gles_div_ceil (components->row_words, components->tuning->columns);
  guint64 tiles = tiles_x * tiles_y;

  words = MAX (words, 2ull * components->config.max_points);
  words = MAX (words, (guint64) components->config.max_regions * sizeof (GstGlesRegion) / 4);
  if (4 * words <= limits->storage_block_bytes && components->array.n_windows == 1 &&
      band_rows (components, 4) > 0 &&
      (components->serial ? gst_gles_div_ceil (tiles, components->tuning->tile_invocations)
                          : MAX (tiles_x, tiles_y)) <= MIN (limits->groups[0], limits->groups[1]))
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
  const GstGlesLimits *limits = gst_gles_device_get_limits (components->array.device);
  guint64 n_candidates = components->n_candidates;
  gboolean split = splits (components);

  components->nodes_at = split ? 0 : n_candidates;
  /* The words after the masks have the number of points and their status. The masks of tile roots
   * have a binding of their own; kernels read four of them at a time. */
  components->roots_at =
      gst_gles_align_up (components->n_words + 2ull, MAX (limits->storage_alignment, 16) / 4);
  components->counters_at = components->roots_at + gst_gles_align_up (components->n_words, 4);
  return new_buffer (components, &components->masks,
             components->counters_at + (guint64) GST_GLES_COMPONENTS_COUNTERS, error) &&
      new_buffer (components, &components->labels, nodes, error) &&
      new_buffer (components, &components->sizes, nodes, error) &&
      new_buffer (
          components, &components->candidates, split ? n_candidates : 2 * n_candidates, error) &&
      (!split || new_buffer (components, &components->nodes, n_candidates, error)) &&
      new_buffer (components, &components->order, components->config.max_regions, error) &&
      (!is_points (components) || new_buffer (components, &components->cells, n_cells, error));
}

gboolean
gst_gles_components_build (GstGlesComponents *components, GError **error)
{
  gst_gles_components_choose (components);
  if (!check_limits (components, error) || !new_buffers (components, error))
    return FALSE;
  if (!components->selects) {
    components->top_k = gst_gles_top_k_new (components->array.queue, GST_GLES_VALUE_U32, TRUE,
        components->n_candidates, components->config.max_regions, error);
    if (components->top_k == NULL)
      return FALSE;
  }
  return gst_gles_components_get_programs (components, error);
}

/* ---- dispatches ---- */

static GstGlesBinding
all_of (GstGlesBuffer *buffer, GstGlesUsage usage)
{
  return (GstGlesBinding){ buffer, 0, 0, usage };
}

/* The same for a kernel that can read buffer textures. */
static GstGlesBinding
read_all (const GstGlesComponents *components, GstGlesBuffer *buffer)
{
  return all_of (buffer, GST_GLES_READ | (components->texels ? GST_GLES_TEXELS : 0));
}

static GstGlesDispatch
of_kernel (const GstGlesComponents *components, GstGlesComponentsKernel kernel,
    const GstGlesBinding *bindings, const GstGlesComponentsPass *pass)
{
  return *GST_GLES_DISPATCH (
      components->programs[kernel], bindings, components->n_storage[kernel], pass);
}

static gboolean
dispatch (GstGlesComponents *components, GstGlesDispatch kernel, guint64 n_groups, GError **error)
{
  const guint limit = gst_gles_device_get_limits (components->array.device)->groups[0];
  const guint groups[3] = { CLAMP (n_groups, 1, limit), 1, 1 };

  return gst_gles_queue_dispatch (components->array.queue, &kernel, groups, error);
}

/* The bytes of a value of the input. */
static guint
input_bytes (const GstGlesComponents *components)
{
  return components->config.source == GST_GLES_COMPONENTS_BYTES ? 1 : 4;
}

/* Makes @binding cover the rows from @row on, as many as it can, and stores which in @pass. @each:
 * the bytes of a value. */
static void
take_band (const GstGlesComponents *components, GstGlesBinding *binding, guint each, guint row,
    GstGlesComponentsPass *pass)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (components->array.device);
  guint64 first = (guint64) row * components->width;
  guint64 skipped = first % (MAX (limits->storage_alignment, 4) / each);

  /* the whole buffer */
  if (components->texels && binding->usage == GST_GLES_READ) {
    pass->first_row = pass->base = 0;
    pass->n_rows = components->height;
    *binding = read_all (components, binding->buffer);
    return;
  }
  pass->first_row = row;
  pass->n_rows = MIN (band_rows (components, each), components->height - row);
  pass->base = skipped;
  binding->offset_bytes = each * (first - skipped);
  binding->size_bytes = each * (skipped + (guint64) pass->n_rows * components->width);
}

/* Queues setting the cells of a band to zero, unless the kernel that labelled them has done so. */
static gboolean
queue_clear (GstGlesComponents *components, const GstGlesBinding *cells,
    const GstGlesComponentsPass *pass, GError **error)
{
  GstGlesArray *array = &components->array;
  const GstGlesArrayClear clear = { pass->base, pass->n_rows * components->width, 0, 0 };
  const guint many[3] = { 256, 1, 1 };

  return components->cleared ||
      gst_gles_queue_dispatch (
          array->queue, GST_GLES_DISPATCH (array->clear, cells, 1, &clear), many, error);
}

/* The binding that has the number of points, at index pass.count_at. */
static GstGlesBinding
count_binding (
    GstGlesComponents *components, const GstGlesComponentsCall *call, GstGlesComponentsPass *pass)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (components->array.device);
  gsize offset = call->count.offset_bytes, skipped = offset % MAX (limits->storage_alignment, 4);

  if (call->count.buffer == NULL)
    return gst_gles_array_state (&components->array);
  pass->count_at = skipped / 4;
  return (GstGlesBinding){ call->count.buffer, offset - skipped, skipped + 4, GST_GLES_READ };
}

/* Queues counting points in cells. */
static gboolean
queue_cells (GstGlesComponents *components, const GstGlesComponentsCall *call,
    GstGlesComponentsPass *pass, GError **error)
{
  GstGlesArray *array = &components->array;
  GstGlesBinding bindings[] = { count_binding (components, call, pass),
    gst_gles_array_binding (call->input, 0, 2ull * call->limit, GST_GLES_READ),
    all_of (components->cells, GST_GLES_READ_WRITE), all_of (components->masks, GST_GLES_WRITE) };
  guint64 n_groups = gst_gles_div_ceil (
      call->limit, (guint64) GST_GLES_COMPONENTS_INVOCATIONS * components->tuning->cells_each);

  /* components_pick takes the status from the state, components_select from the masks. */
  if (!components->selects &&
      !gst_gles_array_setup (array, &array->two_pass, &call->count, call->limit, error))
    return FALSE;
  for (guint row = 0; row < components->height; row += pass->n_rows) {
    take_band (components, &bindings[2], 4, row, pass);
    if (!queue_clear (components, &bindings[2], pass, error) ||
        !dispatch (components, of_kernel (components, GST_GLES_COMPONENTS_CELLS, bindings, pass),
            n_groups, error))
      return FALSE;
  }
  components->cleared = FALSE;
  return TRUE;
}

static gboolean
queue_tiles (GstGlesComponents *components, const GstGlesComponentsCall *call,
    GstGlesComponentsPass *pass, GError **error)
{
  GstGlesBuffer *words = is_points (components) ? components->cells : call->input;
  gboolean clears = is_points (components) && !components->serial;
  GstGlesUsage usage = clears ? GST_GLES_READ_WRITE : GST_GLES_READ;
  GstGlesBinding bindings[] = { all_of (words, usage),
    all_of (components->masks, GST_GLES_READ_WRITE),
    all_of (components->labels, GST_GLES_READ_WRITE),
    all_of (components->sizes, GST_GLES_READ_WRITE) };
  const GstGlesDispatch kernel = of_kernel (components, GST_GLES_COMPONENTS_TILES, bindings, pass);

  for (guint row = 0; row < components->height; row += pass->n_rows) {
    guint tiles_y, groups[3] = { 1, 1, 1 };

    take_band (components, &bindings[0], input_bytes (components), row, pass);
    tiles_y = gst_gles_div_ceil (pass->n_rows, components->tuning->tile_height);
    if (components->serial) {
      groups[0] = gst_gles_div_ceil (
          (guint64) components->row_words * tiles_y, components->tuning->tile_invocations);
    } else {
      groups[0] = gst_gles_div_ceil (components->row_words, components->tuning->columns);
      groups[1] = tiles_y;
    }
    if (!gst_gles_queue_dispatch (components->array.queue, &kernel, groups, error))
      return FALSE;
  }
  components->cleared = clears;
  return TRUE;
}

/* Queues joining tiles, and finding the root of each node and the size of each component. */
static gboolean
queue_roots (GstGlesComponents *components, const GstGlesComponentsPass *pass, GError **error)
{
  GstGlesBinding bindings[] = { read_all (components, components->masks),
    all_of (components->labels, GST_GLES_READ_WRITE),
    all_of (components->sizes, GST_GLES_READ_WRITE) };
  guint64 n_groups = gst_gles_div_ceil (components->n_words,
      (guint64) GST_GLES_COMPONENTS_INVOCATIONS * components->tuning->words_each);

  if (!dispatch (components, of_kernel (components, GST_GLES_COMPONENTS_BORDERS, bindings, pass),
          n_groups, error))
    return FALSE;
  return dispatch (components, of_kernel (components, GST_GLES_COMPONENTS_ROOTS, bindings, pass),
      n_groups, error);
}

static gboolean
queue_labels (GstGlesComponents *components, const GstGlesComponentsCall *call,
    GstGlesComponentsPass *pass, GError **error)
{
  GstGlesBinding bindings[] = { read_all (components, components->masks),
    read_all (components, components->labels), all_of (call->labels, GST_GLES_WRITE) };
  guint64 each = (guint64) GST_GLES_COMPONENTS_INVOCATIONS * components->tuning->labels_each;

  for (guint row = 0; row < components->height && call->labels != NULL; row += pass->n_rows) {
    take_band (components, &bindings[2], 4, row, pass);
    if (!dispatch (components, of_kernel (components, GST_GLES_COMPONENTS_LABELS, bindings, pass),
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

/* Queues listing the candidates in raster order. */
static gboolean
queue_list (GstGlesComponents *components, const GstGlesComponentsCall *call, GError **error)
{
  GstGlesArray *array = &components->array;
  const GstGlesCount count = GST_GLES_COUNT_HOST (components->n_words);
  GstGlesBinding bindings[] = { gst_gles_array_state (array),
    gst_gles_array_binding (components->masks, components->roots_at,
        gst_gles_align_up (components->n_words, 4), GST_GLES_READ),
    read_all (components, components->sizes), all_of (components->candidates, GST_GLES_WRITE) };
  GstGlesComponentsListPass pass = {
    .min_size = call->min_size,
    .nodes_at = components->nodes_at,
  };
  GstGlesWindow window;

  window = gst_gles_array_window (array, &array->two_pass, &count, components->n_words, 0);
  pass.array = window.pass;
  if (!gst_gles_array_dispatch (array,
          GST_GLES_DISPATCH (components->programs[GST_GLES_COMPONENTS_COUNT], bindings, 3, &pass),
          &window, error) ||
      !gst_gles_array_dispatch (array,
          GST_GLES_DISPATCH (components->programs[GST_GLES_COMPONENTS_LIST], bindings, 4, &pass),
          &window, error))
    return FALSE;
  bindings[3] = nodes_of (components, GST_GLES_WRITE);
  return components->nodes == NULL ||
      gst_gles_array_dispatch (array,
          GST_GLES_DISPATCH (
              components->programs[GST_GLES_COMPONENTS_LIST_NODES], bindings, 4, &pass),
          &window, error);
}

/* Queues selecting the largest components, with records of neutral sums, and marking their roots:
 * by one workgroup. */
static gboolean
queue_select (GstGlesComponents *components, const GstGlesComponentsPass *pass,
    GstGlesBinding regions, GError **error)
{
  const GstGlesBinding masks = all_of (components->masks, GST_GLES_READ_WRITE);
  const GstGlesBinding gather[] = { masks, all_of (components->sizes, GST_GLES_READ),
    all_of (components->candidates, GST_GLES_WRITE), nodes_of (components, GST_GLES_WRITE) };
  const GstGlesBinding select[] = { gst_gles_array_state (&components->array),
    all_of (components->candidates, GST_GLES_READ), regions, masks,
    all_of (components->labels, GST_GLES_WRITE), nodes_of (components, GST_GLES_READ) };

  return dispatch (components, of_kernel (components, GST_GLES_COMPONENTS_GATHER, gather, pass),
             gst_gles_div_ceil (components->n_words, GST_GLES_COMPONENTS_GATHER_INVOCATIONS),
             error) &&
      dispatch (
          components, of_kernel (components, GST_GLES_COMPONENTS_SELECT, select, pass), 1, error);
}

/* The same by top-k and a sort. */
static gboolean
queue_top_k (GstGlesComponents *components, const GstGlesComponentsCall *call,
    const GstGlesComponentsPass *pass, GstGlesBinding regions, GError **error)
{
  GstGlesBuffer *state = components->array.state;
  const GstGlesBinding bound = gst_gles_array_state (&components->array);
  const GstGlesBinding pick[] = { bound, nodes_of (components, GST_GLES_READ),
    all_of (components->order, GST_GLES_READ), regions };
  const GstGlesBinding mark[] = { all_of (components->masks, GST_GLES_READ),
    all_of (components->labels, GST_GLES_WRITE), regions, bound };
  guint64 n_groups = gst_gles_div_ceil (call->max_regions, GST_GLES_COMPONENTS_INVOCATIONS);

  return queue_list (components, call, error) &&
      gst_gles_top_k_run_indirect (components->top_k, components->candidates, state,
          GST_GLES_RESULT_COUNT_OFFSET, call->max_regions, NULL, components->order, error) &&
      dispatch (components, of_kernel (components, GST_GLES_COMPONENTS_PICK, pick, pass), n_groups,
          error) &&
      dispatch (components, of_kernel (components, GST_GLES_COMPONENTS_MARK, mark, pass), n_groups,
          error);
}

static gboolean
queue_totals (GstGlesComponents *components, const GstGlesComponentsCall *call,
    GstGlesComponentsPass *pass, GError **error)
{
  const GstGlesComponentsTuning *tuning = components->tuning;
  guint64 each = tuning->totals_invocations;
  GstGlesBinding bindings[] = { read_all (components, components->masks),
    read_all (components, components->labels), all_of (call->input, GST_GLES_READ),
    gst_gles_array_binding (
        call->regions, 0, call->max_regions * sizeof (GstGlesRegion) / 4, GST_GLES_READ_WRITE) };

  if (is_points (components)) {
    bindings[2] = components->texels
        ? read_all (components, call->input)
        : gst_gles_array_binding (call->input, 0, 2ull * call->limit, GST_GLES_READ);
    return dispatch (components, of_kernel (components, GST_GLES_COMPONENTS_TOTALS, bindings, pass),
        gst_gles_div_ceil (call->limit, each * tuning->totals_points), error);
  }
  for (guint row = 0; row < components->height; row += pass->n_rows) {
    take_band (components, &bindings[2], input_bytes (components), row, pass);
    if (!dispatch (components, of_kernel (components, GST_GLES_COMPONENTS_TOTALS, bindings, pass),
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
  GstGlesBinding regions = gst_gles_array_binding (
      call->regions, 0, call->max_regions * sizeof (GstGlesRegion) / 4, GST_GLES_READ_WRITE);
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
    .roots_at = components->roots_at,
    .counters_at = components->counters_at,
    .min_size = call->min_size,
    .empty = empty,
  };

  return (!is_points (components) || queue_cells (components, call, &pass, error)) &&
      queue_tiles (components, call, &pass, error) && queue_roots (components, &pass, error) &&
      queue_labels (components, call, &pass, error) &&
      (components->selects ? queue_select (components, &pass, regions, error)
                           : queue_top_k (components, call, &pass, regions, error)) &&
      queue_totals (components, call, &pass, error);
}
