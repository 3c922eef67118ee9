/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Connected components on devices with GL: how work is divided, and the programs of a plan. */
#include "config.h"

#include <gst/gles/algo/plan/array-tuning.h>
#include <gst/gles/algo/plan/tuning-class.h>
#include <gst/gles/algo/components/components-private.h>

#define SERIAL_TUNING(height)                                                                      \
  {                                                                                                \
    .tile_invocations = 8, .columns = 1, .tile_height = height, .quads = 1, .words_each = 16,      \
    .labels_each = 256, .cells_each = 512, .totals_invocations = 8, .table = 0,                    \
    .totals_words = 128, .totals_points = 1024,                                                    \
  }

static const GstGlesComponentsTuning serial_tuning = SERIAL_TUNING (32);

/* Where buffers are read as textures and the forest of a tile is in private arrays. In 1080p tiles
 * of 32, 48 and 64 rows take the same processor time within the scatter, tiles of 16 rows 1.1 times
 * as much (noise of 50 % and of 10 %). LLVM compiles fewer rows in less time. */
static const GstGlesComponentsTuning texel_tuning = SERIAL_TUNING (48);

#define TEAM_TUNING(ahead)                                                                         \
  {                                                                                                \
    .tile_invocations = 128, .columns = 8, .tile_height = 16, .quads = ahead, .words_each = 1,     \
    .labels_each = 4, .cells_each = 4, .totals_invocations = 128, .table = 256, .totals_words = 2, \
    .totals_points = 16,                                                                           \
  }

static const GstGlesComponentsTuning team_tuning = TEAM_TUNING (8);

/* The most quads that components_totals takes at a time. */
#define MAX_TOTALS_QUADS 4

/* Where invocations have few registers, or may have. */
static const GstGlesComponentsTuning few_tuning = TEAM_TUNING (1);

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

/* Buffers are bound whole as buffer textures, so any that fits memory must fit one. */
#define MIN_TEXELS (1u << 27)

/* ---- programs ---- */

static const struct {
  const gchar *name;
  guint n_storage;
  gboolean texels; /* can read buffer textures */
} kernels[GST_GLES_COMPONENTS_N_KERNELS] = {
  [GST_GLES_COMPONENTS_CELLS] = { "components_cells", 4 },
  [GST_GLES_COMPONENTS_TILES] = { "components_tiles", 4, TRUE },
  [GST_GLES_COMPONENTS_BORDERS] = { "components_borders", 2, TRUE },
  [GST_GLES_COMPONENTS_ROOTS] = { "components_roots", 3, TRUE },
  [GST_GLES_COMPONENTS_COUNT] = { "components_count", 3 },
  [GST_GLES_COMPONENTS_LIST] = { "components_list", 4 },
  [GST_GLES_COMPONENTS_LIST_NODES] = { "components_list", 4 },
  [GST_GLES_COMPONENTS_LABELS] = { "components_labels", 3, TRUE },
  [GST_GLES_COMPONENTS_GATHER] = { "components_gather", 3 },
  [GST_GLES_COMPONENTS_SELECT] = { "components_select", 5 },
  [GST_GLES_COMPONENTS_PICK] = { "components_pick", 4 },
  [GST_GLES_COMPONENTS_MARK] = { "components_mark", 4 },
  [GST_GLES_COMPONENTS_TOTALS] = { "components_totals", 4, TRUE },
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
    gboolean texels, GstGlesProgramSpec *spec)
{
  guint n = gst_gles_shape_spec (shape, kernels[kernel].name, kernels[kernel].n_storage, spec);

  spec->texels = texels && shape->team == GST_GLES_TEAM_SERIAL;
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
gather_spec (gboolean split, GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){
    .kernel = kernels[GST_GLES_COMPONENTS_GATHER].name,
    .local_size = { GST_GLES_COMPONENTS_GATHER_INVOCATIONS, 1, 1 },
    .n_storage = kernels[GST_GLES_COMPONENTS_GATHER].n_storage + (split ? 1 : 0),
    .shared_bytes = 4 * GST_GLES_COMPONENTS_BUCKETS + 8,
  };
  if (split)
    spec->defines[0] = (GstGlesDefine){ "PARTS", 2 };
}

/* @special: with @serial, buffers are read as textures; otherwise, the device has few registers or
 * may have. */
static const GstGlesComponentsTuning *
tuning_for (gboolean serial, gboolean special)
{
  if (serial)
    return special ? &texel_tuning : &serial_tuning;
  return special ? &few_tuning : &team_tuning;
}

static void
kernel_spec (GstGlesComponentsKernel kernel, gboolean serial, gboolean special,
    GstGlesComponentsSource source, GstGlesProgramSpec *spec)
{
  const GstGlesComponentsTuning *tuning = tuning_for (serial, special);
  const gboolean points = source == GST_GLES_COMPONENTS_POINTS;
  const gboolean bytes = source == GST_GLES_COMPONENTS_BYTES;

  *spec = (GstGlesProgramSpec){ .kernel = kernels[kernel].name,
    .local_size = { GST_GLES_COMPONENTS_INVOCATIONS, 1, 1 },
    .n_storage = kernels[kernel].n_storage,
    .texels = serial && special && kernels[kernel].texels };
  if (kernel == GST_GLES_COMPONENTS_TILES) {
    spec->local_size[0] = tuning->tile_invocations;
    spec->defines[0] = (GstGlesDefine){ "TEAM", !serial };
    spec->defines[1] = (GstGlesDefine){ "TILE_HEIGHT", tuning->tile_height };
    if (spec->texels)
      spec->defines[2] = (GstGlesDefine){ "WEIGHTED", points };
    else
      spec->defines[2] = (GstGlesDefine){ "COLUMNS", tuning->columns };
    if (!serial) {
      spec->defines[3] = (GstGlesDefine){ "CLEARS", points };
      spec->defines[4] = (GstGlesDefine){ "QUADS", tuning->quads };
      spec->shared_bytes =
          4 * tuning->columns * tuning->tile_height * (2 + GST_GLES_COMPONENTS_NODES);
    }
    if (bytes)
      spec->defines[serial ? 3 : 5] = (GstGlesDefine){ "BYTES", 1 };
  } else if (kernel == GST_GLES_COMPONENTS_BORDERS) {
    spec->defines[0] = (GstGlesDefine){ "TILE_HEIGHT", tuning->tile_height };
    spec->defines[1] = (GstGlesDefine){ "COLUMNS", tuning->columns };
  } else if (kernel == GST_GLES_COMPONENTS_TOTALS) {
    spec->local_size[0] = tuning->totals_invocations;
    spec->defines[0] = (GstGlesDefine){ "TABLE", tuning->table };
    spec->defines[1] = (GstGlesDefine){ "POINTS", points };
    if (!points)
      spec->defines[2] = (GstGlesDefine){ "QUADS", MIN (tuning->quads, MAX_TOTALS_QUADS) };
    if (bytes)
      spec->defines[3] = (GstGlesDefine){ "BYTES", 1 };
    spec->shared_bytes = 4 * 14 * tuning->table;
  }
}

static void
visit_shape (const GstGlesShape *shape, gboolean look_back, GstGlesSpecialisationFunc func,
    gpointer user_data)
{
  GstGlesProgramSpec spec;

  for (guint i = 0; i < GST_GLES_COMPONENTS_N_KERNELS && !look_back; i++) {
    for (guint way = 0; way < 4 && is_by_team (i); way++) {
      team_spec (i, shape, way & 1, way & 2, &spec);
      func (&spec, user_data);
    }
  }
}

void
gst_gles_components_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  GstGlesProgramSpec spec;

  gst_gles_array_tuning_foreach (gst_gles_components_tuning, visit_shape, func, user_data);
  for (guint i = 0; i < GST_GLES_COMPONENTS_N_KERNELS; i++) {
    for (guint way = 0; way < 12 && !is_by_team (i); way++) {
      if (i == GST_GLES_COMPONENTS_SELECT)
        select_spec (way & 1, way & 2, &spec);
      else if (i == GST_GLES_COMPONENTS_GATHER)
        gather_spec (way & 2, &spec);
      else
        kernel_spec (i, way & 1, way & 2, way / 4, &spec);
      func (&spec, user_data);
    }
  }
}

/* ---- plans ---- */

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
  const GstGlesLimits *limits = gst_gles_device_get_limits (components->array.device);
  guint invocations = selects_with_few (components) ? SELECT_INVOCATIONS_SMALL : SELECT_INVOCATIONS;

  return !components->serial && components->config.max_regions <= SELECT_MAX_REGIONS &&
      limits->storage_blocks >= kernels[GST_GLES_COMPONENTS_SELECT].n_storage + 1 &&
      components->n_words / GST_GLES_COMPONENTS_GATHER_INVOCATIONS < limits->groups[0] &&
      (gst_gles_device_get_kind (components->array.device) != GST_GLES_DEVICE_SOFTWARE ||
          components->n_candidates / invocations <= SELECT_MAX_EACH_SOFTWARE);
}

void
gst_gles_components_choose (GstGlesComponents *components)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (components->array.device);
  GstGlesTuningClass tuning_class = gst_gles_tuning_class (components->array.device);

  components->serial = components->array.two_pass.team == GST_GLES_TEAM_SERIAL;
  components->texels = components->serial && components->array.variant.window == 0 &&
      limits->texel_buffer_texels >= MIN_TEXELS;
  components->special = components->serial
      ? components->texels
      : tuning_class == GST_GLES_CLASS_FEW_REGISTERS || tuning_class == GST_GLES_CLASS_MINIMUM;
  components->tuning = tuning_for (components->serial, components->special);
  components->selects = selects (components);
}

/* Whether the plan uses @kernel, of those that list the largest components. */
static gboolean
lists_with (const GstGlesComponents *components, GstGlesComponentsKernel kernel)
{
  switch (kernel) {
    case GST_GLES_COMPONENTS_GATHER:
    case GST_GLES_COMPONENTS_SELECT:
      return components->selects;
    case GST_GLES_COMPONENTS_COUNT:
    case GST_GLES_COMPONENTS_LIST:
    case GST_GLES_COMPONENTS_PICK:
    case GST_GLES_COMPONENTS_MARK:
      return !components->selects;
    case GST_GLES_COMPONENTS_LIST_NODES:
      return !components->selects && components->nodes != NULL;
    default:
      return TRUE;
  }
}

gboolean
gst_gles_components_get_programs (GstGlesComponents *components, GError **error)
{
  gboolean points = components->config.source == GST_GLES_COMPONENTS_POINTS;
  gboolean split = components->nodes != NULL;
  GstGlesProgramList list = { .n = 0 };

  for (guint i = 0; i < GST_GLES_COMPONENTS_N_KERNELS; i++) {
    GstGlesProgramSpec spec;

    if (i == (points ? GST_GLES_COMPONENTS_LABELS : GST_GLES_COMPONENTS_CELLS) ||
        !lists_with (components, i))
      continue;
    if (is_by_team (i))
      team_spec (i, &components->array.two_pass, split, components->texels, &spec);
    else if (i == GST_GLES_COMPONENTS_SELECT)
      select_spec (selects_with_few (components), split, &spec);
    else if (i == GST_GLES_COMPONENTS_GATHER)
      gather_spec (split, &spec);
    else
      kernel_spec (i, components->serial, components->special, components->config.source, &spec);
    components->n_storage[i] = spec.n_storage;
    gst_gles_program_list_add (&list, &spec, &components->programs[i]);
  }
  return gst_gles_program_list_get (&list, components->array.queue, error);
}
