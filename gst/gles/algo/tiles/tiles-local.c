/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The local sort of tile lists: entries are counted per tile, written to their tiles in any order,
 * and each list is sorted by a workgroup in shared memory. It takes few dispatches, but two atomic
 * additions per entry. docs/algorithms/tiles.md shows the pipeline. */
#include "config.h"

#include <gst/gles/algo/compact/compact-plan.h>
#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/plan/tuning-class.h>
#include <gst/gles/algo/tiles/tiles-private.h>
#include <gst/gles/core/checked.h>

/* tiles/tiles_spread.glsl packs the number of a tile and the columns of a span in 16 bits each. */
#define MAX_TILES 65535u
/* The most records per tile of the frame; with more, the pipeline of two sorts is faster. */
#define MAX_RECORDS_PER_TILE 32u
#define SPREAD_INVOCATIONS 128
#define PLAN_ROWS 8
#define PLAN_MIN_INVOCATIONS 64
#define PLAN_MAX_INVOCATIONS 1024 /* it is a single workgroup, for which all others wait */
#define PLAN_MAX_INVOCATIONS_PORTABLE 128
#define PLAN_DIGITS 256 /* as in tiles_plan.comp */
#define MERGE_INVOCATIONS 128
/* The grid of kernels that process tasks, of which there often are none. */
#define TASK_GROUPS 264
/* Limits of llvmpipe's loops (GST_GLES_MAX_ROUNDS): the single workgroup of tiles_plan loops over
 * all records several times and over all entries, and emulated subgroups have inner loops. With
 * twice these numbers the tests of tiles take 51815 rounds. */
#define SOFTWARE_MAX_ENTRIES (PLAN_MIN_INVOCATIONS * 10000u)
#define SOFTWARE_MAX_RECORDS (PLAN_MIN_INVOCATIONS * 3000u)
#define EMULATED_MAX_RECORDS (PLAN_MIN_INVOCATIONS * 200u)

typedef enum {
  WHOLE_LISTS,
  CHUNKS,
  N_LISTS
} Lists;

G_STATIC_ASSERT (N_LISTS == G_N_ELEMENTS (((GstGlesTilesLocal *) NULL)->lists));

static const struct {
  guint invocations, each;
} shapes[N_LISTS] = { { 64, 4 }, { 128, 8 } };

/* Returns the number of entries that a workgroup sorts. */
static guint
capacity_of (Lists lists)
{
  return shapes[lists].invocations * shapes[lists].each;
}

/* ---- variants ---- */

static gboolean
take_word (const gchar *word, gpointer user_data)
{
  GstGlesTilesVariant *variant = user_data;

  if (g_str_equal (word, "local"))
    variant->local = TRUE;
  else if (g_str_equal (word, "sorts"))
    variant->sorts = TRUE;
  else if (g_str_equal (word, "cull"))
    variant->cull = TRUE;
  else if (g_str_equal (word, "keep"))
    variant->keep = TRUE;
  else
    return FALSE;
  return TRUE;
}

gboolean
gst_gles_tiles_variant_parse (const gchar *text, GstGlesTilesVariant *variant, GError **error)
{
  static const GstGlesVariantWords own = { "GST_GLES_TILES_VARIANT", take_word,
    "local, sorts, cull and keep" };

  *variant = (GstGlesTilesVariant){ 0 };
  return gst_gles_variant_parse_besides (&own, text, variant, &variant->common, error);
}

/* ---- programs ---- */

/* Returns the best team that has more than one invocation. */
static GstGlesShape
shape_of (const GstGlesShape *two_pass, guint invocations, guint rows)
{
  GstGlesShape shape = *two_pass;

  if (shape.team == GST_GLES_TEAM_SERIAL)
    shape.team = GST_GLES_TEAM_SHARED;
  shape.invocations = invocations;
  shape.rows = rows;
  return shape;
}

typedef struct {
  const gchar *name;
  guint n_storage;
  guint words; /* shared memory per invocation, in addition to that of scan/scan.glsl */
} Kernel;

static void
shape_spec (const GstGlesShape *shape, const Kernel *kernel, GstGlesTilesSource source,
    GstGlesProgramSpec *spec)
{
  guint n = gst_gles_shape_spec (shape, kernel->name, kernel->n_storage, spec);

  spec->shared_bytes =
      gst_gles_shape_scan_bytes (shape, shape->rows, 1) + 4 * kernel->words * shape->invocations;
  spec->defines[n] = (GstGlesDefine){ "POINTS", source == GST_GLES_TILES_POINTS };
}

static void
count_spec (const GstGlesShape *two_pass, GstGlesTilesSource source, GstGlesProgramSpec *spec)
{
  const GstGlesShape shape = shape_of (two_pass, SPREAD_INVOCATIONS, 1);

  shape_spec (&shape, &(Kernel){ "tiles_tally", 3, 2 }, source, spec);
  spec->shared_bytes += 4;
}

/* @limit: the device's limit of invocations per workgroup. */
static guint
plan_invocations (const GstGlesShape *two_pass, guint limit)
{
  guint n = PLAN_MAX_INVOCATIONS;

  if (two_pass->team != GST_GLES_TEAM_SUBGROUP)
    return CLAMP (two_pass->invocations, PLAN_MIN_INVOCATIONS, PLAN_MAX_INVOCATIONS_PORTABLE);
  while (n > limit)
    n /= 2;
  return n;
}

static void
plan_spec (
    const GstGlesShape *two_pass, guint limit, GstGlesTilesSource source, GstGlesProgramSpec *spec)
{
  const GstGlesShape shape = shape_of (two_pass, plan_invocations (two_pass, limit), PLAN_ROWS);

  shape_spec (&shape, &(Kernel){ "tiles_plan", 4, 2 }, source, spec);
  spec->shared_bytes += 4 * (2 * PLAN_DIGITS + 3);
}

static void
fill_spec (const GstGlesShape *two_pass, GstGlesTilesSource source, GstGlesProgramSpec *spec)
{
  const GstGlesShape shape = shape_of (two_pass, SPREAD_INVOCATIONS, 1);

  shape_spec (&shape, &(Kernel){ "tiles_fill", 3, 3 }, source, spec);
}

static void
lists_spec (Lists lists, GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){
    .kernel = "tiles_lists",
    .local_size = { shapes[lists].invocations, 1, 1 },
    .n_storage = 4,
    .shared_bytes = 8 * capacity_of (lists),
    .defines = { { "EACH", shapes[lists].each }, { "CHUNKS", lists == CHUNKS } },
  };
}

static void
merge_spec (GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){
    .kernel = "tiles_merge",
    .local_size = { MERGE_INVOCATIONS, 1, 1 },
    .n_storage = 4,
  };
}

static void
visit_shape (const GstGlesShape *shape, gboolean look_back, GstGlesSpecialisationFunc func,
    gpointer user_data)
{
  GstGlesProgramSpec spec;

  for (guint source = 0; source < 2 && !look_back; source++) {
    count_spec (shape, source, &spec);
    func (&spec, user_data);
    for (guint limit = PLAN_MAX_INVOCATIONS; limit >= PLAN_MAX_INVOCATIONS_PORTABLE; limit /= 2) {
      plan_spec (shape, limit, source, &spec);
      func (&spec, user_data);
    }
    fill_spec (shape, source, &spec);
    func (&spec, user_data);
  }
}

void
gst_gles_tiles_local_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  GstGlesProgramSpec spec;

  gst_gles_array_tuning_foreach (gst_gles_compact_tuning, visit_shape, func, user_data);
  for (guint lists = 0; lists < N_LISTS; lists++) {
    lists_spec (lists, &spec);
    func (&spec, user_data);
  }
  merge_spec (&spec);
  func (&spec, user_data);
}

/* ---- plans ---- */

/* Returns the size of the block for the largest number of tasks: in every list one chunk can be
 * partly filled. */
static guint64
block_words (const GstGlesTiles *tiles)
{
  guint64 tally = GST_GLES_TILES_TALLY_HEAD + (guint64) tiles->grid.n_tiles;
  guint64 tasks = tiles->grid.n_tiles + tiles->config.max_entries / capacity_of (CHUNKS);

  return GST_GLES_TILES_LOCAL_HEAD + 2 * tally + 2 * tasks;
}

/* The least limit of invocations of a device with few registers that uses the local sort. Below are
 * Mali-T GPUs, whose compiler (Mesa 25.0) needs 9.5 s for tiles_plan. */
#define LOCAL_MIN_INVOCATIONS 256

/* Returns whether the table of the device's class leaves the local sort to those who force it.
 * llvmpipe is faster with two sorts. */
static gboolean
prefers_sorts (GstGlesDevice *device)
{
  if (gst_gles_device_get_kind (device) == GST_GLES_DEVICE_SOFTWARE)
    return TRUE;
  return gst_gles_tuning_class (device) == GST_GLES_CLASS_FEW_REGISTERS &&
      gst_gles_device_get_limits (device)->invocations < LOCAL_MIN_INVOCATIONS;
}

/* Returns the most records of a call that uses the local sort. */
static guint
find_max_records (const GstGlesTiles *tiles)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (tiles->array.device);
  gboolean software = gst_gles_device_get_kind (tiles->array.device) == GST_GLES_DEVICE_SOFTWARE;
  guint n_tiles = tiles->grid.n_tiles;

  if (tiles->variant.sorts || (prefers_sorts (tiles->array.device) && !tiles->variant.local) ||
      n_tiles > MIN (MAX_TILES, limits->groups[0]) ||
      (software && tiles->config.max_entries > SOFTWARE_MAX_ENTRIES) ||
      4 * block_words (tiles) > limits->storage_block_bytes ||
      8ull * tiles->config.max_entries > limits->storage_block_bytes)
    return 0;
  if (!tiles->variant.local)
    return MAX_RECORDS_PER_TILE * n_tiles;
  if (!software)
    return G_MAXUINT;
  return gst_gles_team_is_emulated (tiles->array.two_pass.team) ? EMULATED_MAX_RECORDS
                                                                : SOFTWARE_MAX_RECORDS;
}

static gboolean
get_programs (GstGlesTiles *tiles, GError **error)
{
  const GstGlesShape *two_pass = &tiles->array.two_pass;
  GstGlesTilesSource source = tiles->config.source;
  GstGlesTilesLocal *local = &tiles->local;
  GstGlesProgramList list = { .n = 0 };
  GstGlesProgramSpec spec;

  count_spec (two_pass, source, &spec);
  gst_gles_program_list_add (&list, &spec, &local->count);
  plan_spec (
      two_pass, gst_gles_device_get_limits (tiles->array.device)->invocations, source, &spec);
  gst_gles_program_list_add (&list, &spec, &local->plan);
  fill_spec (two_pass, source, &spec);
  gst_gles_program_list_add (&list, &spec, &local->fill);
  merge_spec (&spec);
  gst_gles_program_list_add (&list, &spec, &local->merge);
  for (guint i = 0; i < N_LISTS; i++) {
    lists_spec (i, &spec);
    gst_gles_program_list_add (&list, &spec, &local->lists[i]);
  }
  return gst_gles_program_list_get (&list, tiles->array.queue, error);
}

void
gst_gles_tiles_local_init (GstGlesTiles *tiles)
{
  GstGlesTilesLocal *local = &tiles->local;
  const guint tally_words = GST_GLES_TILES_TALLY_HEAD + tiles->grid.n_tiles;

  local->max_records = find_max_records (tiles);
  local->tally = GST_GLES_TILES_LOCAL_HEAD;
  local->next_tally = local->tally + tally_words;
  local->tasks = local->next_tally + tally_words;
}

gboolean
gst_gles_tiles_local_build (GstGlesTiles *tiles, GError **error)
{
  GstGlesTilesLocal *local = &tiles->local;
  GstGlesDevice *device = tiles->array.device;

  if (local->block == NULL)
    local->block = gst_gles_buffer_new (device, 4 * block_words (tiles), error);
  if (local->block != NULL && local->entries == NULL)
    local->entries =
        gst_gles_buffer_new (device, 8 * (gsize) MAX (tiles->config.max_entries, 1), error);
  return local->entries != NULL && (local->count != NULL || get_programs (tiles, error));
}

void
gst_gles_tiles_local_clear (GstGlesTiles *tiles)
{
  GstGlesTilesLocal *local = &tiles->local;

  gst_gles_program_unref (local->count);
  gst_gles_program_unref (local->plan);
  gst_gles_program_unref (local->fill);
  gst_gles_program_unref (local->merge);
  for (guint i = 0; i < N_LISTS; i++)
    gst_gles_program_unref (local->lists[i]);
  gst_gles_buffer_unref (local->block);
  gst_gles_buffer_unref (local->entries);
}

/* ---- dispatches ---- */

GstGlesBinding
gst_gles_tiles_records (GstGlesTiles *tiles, const GstGlesTilesCall *call)
{
  return gst_gles_array_binding (
      call->records, 0, (guint64) call->limit * gst_gles_tiles_record_words (tiles), GST_GLES_READ);
}

static GstGlesBinding
block_binding (GstGlesTiles *tiles)
{
  return (GstGlesBinding){ tiles->local.block, 0, 0, GST_GLES_READ_WRITE };
}

static GstGlesBinding
offsets_binding (GstGlesTiles *tiles, const GstGlesTilesCall *call, GstGlesUsage usage)
{
  return gst_gles_array_binding (call->offsets, 0, (guint64) tiles->grid.n_tiles + 1, usage);
}

static gboolean
dispatch (GstGlesTiles *tiles, const GstGlesDispatch *dispatch, guint n_groups, GError **error)
{
  const guint groups[3] = { n_groups, 1, 1 };

  return gst_gles_queue_dispatch (tiles->array.queue, dispatch, groups, error);
}

/* Returns one workgroup for each group of consecutive records, up to the limit of the grid. */
static guint
spread_groups (const GstGlesTiles *tiles, const GstGlesTilesCall *call)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (tiles->array.device);

  return MIN (MAX (gst_gles_div_ceil (call->limit, SPREAD_INVOCATIONS), 1), limits->groups[0]);
}

/* The two sets of counts are swapped: this one is no longer zero, while the other one is. */
static gboolean
queue_count (
    GstGlesTiles *tiles, const GstGlesTilesCall *call, const GstGlesTilesPass *pass, GError **error)
{
  GstGlesTilesLocal *local = &tiles->local;
  const GstGlesBinding bindings[] = { gst_gles_array_state (&tiles->array),
    gst_gles_tiles_records (tiles, call), block_binding (tiles) };

  if (!dispatch (tiles, GST_GLES_DISPATCH (local->count, bindings, 3, pass),
          spread_groups (tiles, call), error))
    return FALSE;
  local->tally = pass->next_tally;
  local->next_tally = pass->tally;
  return TRUE;
}

static gboolean
queue_entries (
    GstGlesTiles *tiles, const GstGlesTilesCall *call, const GstGlesTilesPass *pass, GError **error)
{
  GstGlesTilesLocal *local = &tiles->local;
  const GstGlesBinding plan[] = { gst_gles_array_state (&tiles->array),
    gst_gles_tiles_records (tiles, call), block_binding (tiles),
    offsets_binding (tiles, call, GST_GLES_WRITE) };
  const GstGlesBinding fill[] = { block_binding (tiles), gst_gles_tiles_records (tiles, call),
    { local->entries, 0, 0, GST_GLES_WRITE } };

  return dispatch (tiles, GST_GLES_DISPATCH (local->plan, plan, 4, pass), 1, error) &&
      dispatch (tiles, GST_GLES_DISPATCH (local->fill, fill, 3, pass), spread_groups (tiles, call),
          error);
}

static gboolean
queue_lists (GstGlesTiles *tiles, const GstGlesTilesCall *call, GError **error)
{
  GstGlesTilesLocal *local = &tiles->local;
  GstGlesBuffer *indices = call->indices != NULL ? call->indices : tiles->entry_indices;
  const GstGlesTilesLists params = { .tasks = local->tasks, .chunk = capacity_of (CHUNKS) };
  const GstGlesBinding bindings[] = { block_binding (tiles),
    offsets_binding (tiles, call, GST_GLES_READ), { local->entries, 0, 0, GST_GLES_READ_WRITE },
    gst_gles_array_binding (indices, 0, call->max_entries, GST_GLES_WRITE) };
  GstGlesProgram *const programs[] = { local->lists[WHOLE_LISTS], local->lists[CHUNKS],
    local->merge };

  for (guint i = 0; i < G_N_ELEMENTS (programs); i++) {
    if (!dispatch (tiles, GST_GLES_DISPATCH (programs[i], bindings, 4, &params),
            i == 0 ? tiles->grid.n_tiles : TASK_GROUPS, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_gles_tiles_local_queue (
    GstGlesTiles *tiles, const GstGlesTilesCall *call, const GstGlesTilesPass *pass, GError **error)
{
  GstGlesTilesPass step = *pass;

  if (!gst_gles_tiles_local_build (tiles, error))
    return FALSE;
  step.tally = tiles->local.tally;
  step.next_tally = tiles->local.next_tally;
  step.max_entries = call->max_entries;
  return queue_count (tiles, call, &step, error) && queue_entries (tiles, call, &step, error) &&
      queue_lists (tiles, call, error);
}
