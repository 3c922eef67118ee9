/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernels of a sort, its scratch memory, and its specialisations for the offline compile. */
#include "config.h"

#include <gst/gles/algo/sort/sort-private.h>
#include <gst/gles/core/checked.h>
#include <glsl/sort/sort-layout.h>

#define COPY_INVOCATIONS 128
#define DEFAULT_DIGIT_BITS 8

/* What determines the code of a kernel that reads keys. */
typedef struct {
  const GstGlesSortTuning *tuning;
  GstGlesSortShape shape;
  guint key_words;
  gboolean payload;
  guint digit_bits;
  gboolean flips; /* the order of keys is not that of their words */
} Kind;

static guint
record_words (const Kind *kind)
{
  return kind->key_words + (kind->payload ? 1 : 0);
}

static guint
shape_keys (const Kind *kind)
{
  return kind->shape.keys[record_words (kind) - 1];
}

static guint
n_blocks (const Kind *kind, GstGlesSortForm form)
{
  return kind->payload && form == GST_GLES_SORT_CALLER ? 2 : 1;
}

static void
add_define (GstGlesProgramSpec *spec, const gchar *name, gint64 value)
{
  guint n = 0;

  while (spec->defines[n].name != NULL)
    n++;
  spec->defines[n] = (GstGlesDefine){ name, value };
}

static void
add_key_defines (const Kind *kind, GstGlesSortForm from, GstGlesProgramSpec *spec)
{
  add_define (spec, "KEY_WORDS", kind->key_words);
  add_define (spec, "PAYLOAD", kind->payload);
  add_define (spec, "RADIX_BITS", kind->digit_bits);
  add_define (spec, "SOURCE_RECORDS", from == GST_GLES_SORT_RECORDS);
}

static void
setup_spec (GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){ .kernel = "sort_setup", .n_storage = 2 };
}

static void
copy_spec (GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){
    .kernel = "sort_copy", .local_size = { COPY_INVOCATIONS, 1, 1 }, .n_storage = 3
  };
}

/* Returns the number of passes of a sort by whole keys. */
static guint
max_passes (const Kind *kind)
{
  return 32 * kind->key_words / kind->digit_bits;
}

static void
histogram_spec (const Kind *kind, GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){
    .kernel = "sort_histogram",
    .local_size = { kind->tuning->histogram_invocations, 1, 1 },
    .shared_bytes = 4 * max_passes (kind) << kind->digit_bits,
    .n_storage = 2,
    .defines = { { "PASSES", max_passes (kind) } },
  };
  add_key_defines (kind, GST_GLES_SORT_CALLER, spec);
}

static void
spine_spec (const Kind *kind, GstGlesProgramSpec *spec)
{
  const guint n = kind->tuning->spine_invocations;
  const GstGlesShape shape = { GST_GLES_TEAM_SHARED, n, 0, 0 };

  *spec = (GstGlesProgramSpec){
    .kernel = "sort_spine",
    .local_size = { n, 1, 1 },
    .n_storage = 1,
    .defines = { { "RADIX_BITS", kind->digit_bits } },
  };
  spec->shared_bytes = gst_gles_shape_scan_bytes (&shape, 4, 1);
  add_define (spec, "TEAM", GST_GLES_TEAM_SHARED);
  add_define (spec, "TILE_KEYS", shape_keys (kind) * kind->shape.invocations);
}

static void
count_spec (const Kind *kind, GstGlesSortForm from, GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){
    .kernel = "sort_count",
    .local_size = { kind->shape.invocations, 1, 1 },
    .shared_bytes = 4u << kind->digit_bits,
    .n_storage = 2,
  };
  add_key_defines (kind, from, spec);
  add_define (spec, "KEYS", shape_keys (kind));
}

static void
scatter_spec (const Kind *kind, GstGlesSortForm from, GstGlesSortForm to, GstGlesProgramSpec *spec)
{
  const GstGlesSortShape *shape = &kind->shape;

  *spec = (GstGlesProgramSpec){
    .kernel = "sort_scatter",
    .local_size = { shape->invocations, 1, 1 },
    .shared_bytes = gst_gles_sort_shared_bytes (shape, record_words (kind), kind->digit_bits),
    .n_storage = 1 + n_blocks (kind, from) + n_blocks (kind, to),
    .subgroups = gst_gles_sort_uses_subgroups (shape->match) ? shape->lanes : 0,
  };
  add_key_defines (kind, from, spec);
  add_define (spec, "TARGET_RECORDS", to == GST_GLES_SORT_RECORDS);
  add_define (spec, "KEYS", shape_keys (kind));
  add_define (spec, "FLIPS", kind->flips);
  add_define (spec, "LOOK_BACK", shape->look_back);
  add_define (spec, "NUMBERED", shape->numbered);
  if (gst_gles_stalled_tile (shape->stalled_tile) != 0)
    add_define (spec, "STALLED_TILE", shape->stalled_tile);
  add_define (spec, "MATCH", shape->match);
  add_define (spec, "TEAM", spec->subgroups != 0 ? GST_GLES_TEAM_SUBGROUP : GST_GLES_TEAM_SHARED);
  if (shape->match != GST_GLES_SORT_COUNTERS) {
    add_define (spec, "LANES", shape->lanes);
    add_define (spec, "MATCH_GROUPS", shape->invocations / shape->lanes);
  }
}

/* ---- plans ---- */

static void
add_scatter (GstGlesSort *sort, const Kind *kind, GstGlesSortForm from, GstGlesSortForm to,
    GstGlesProgramList *list)
{
  GstGlesProgramSpec spec;

  scatter_spec (kind, from, to, &spec);
  if (spec.n_storage <= gst_gles_device_get_limits (sort->array.device)->storage_blocks)
    gst_gles_program_list_add (list, &spec, &sort->scatter[from][to]);
}

static void
add_counts (GstGlesSort *sort, const Kind *kind, GstGlesProgramList *list)
{
  GstGlesProgramSpec spec;

  if (kind->shape.look_back) {
    histogram_spec (kind, &spec);
    gst_gles_program_list_add (list, &spec, &sort->histogram);
    return;
  }
  spine_spec (kind, &spec);
  gst_gles_program_list_add (list, &spec, &sort->spine);
  for (GstGlesSortForm from = 0; from < GST_GLES_SORT_N_FORMS; from++) {
    if (from == GST_GLES_SORT_RECORDS && (sort->n_passes < 2 || !kind->payload || sort->separate))
      continue;
    count_spec (kind, from, &spec);
    gst_gles_program_list_add (list, &spec, &sort->count[from]);
  }
}

static void
add_scatters (GstGlesSort *sort, const Kind *kind, GstGlesProgramList *list)
{
  const gboolean records = kind->payload && !sort->separate;

  if (!records || sort->n_passes == 1)
    add_scatter (sort, kind, GST_GLES_SORT_CALLER, GST_GLES_SORT_CALLER, list);
  if (!records)
    return;
  add_scatter (sort, kind, GST_GLES_SORT_CALLER, GST_GLES_SORT_RECORDS, list);
  if (sort->n_passes > 1)
    add_scatter (sort, kind, GST_GLES_SORT_RECORDS, GST_GLES_SORT_CALLER, list);
  if (sort->n_passes > 2)
    add_scatter (sort, kind, GST_GLES_SORT_RECORDS, GST_GLES_SORT_RECORDS, list);
}

static gboolean
get_programs (GstGlesSort *sort, const Kind *kind, GError **error)
{
  GstGlesProgramList list = { .n = 0 };
  GstGlesProgramSpec spec;

  setup_spec (&spec);
  gst_gles_program_list_add (&list, &spec, &sort->setup);
  if (sort->n_passes < 2) {
    copy_spec (&spec);
    gst_gles_program_list_add (&list, &spec, &sort->copy);
  }
  if (sort->n_passes > 0) {
    add_counts (sort, kind, &list);
    add_scatters (sort, kind, &list);
  }
  return gst_gles_program_list_get (&list, sort->array.queue, error);
}

/* Lays out the state and returns its size in words. */
static guint64
plan_state (GstGlesSort *sort)
{
  guint radix = 1u << sort->digit_bits;
  guint64 table;

  sort->tile = sort->shape.keys[sort->record_words - 1] * sort->shape.invocations;
  table = (guint64) radix * gst_gles_div_ceil (sort->array.capacity, sort->tile);
  sort->totals = GST_GLES_SORT_HEAD;
  sort->next_totals = sort->totals + (sort->shape.look_back ? sort->n_passes * radix : 0);
  sort->tile_words[0] = sort->next_totals + sort->n_passes * radix;
  sort->tile_words[1] = sort->tile_words[0] + (guint) (sort->shape.look_back ? table : 0);
  return sort->tile_words[1] + table;
}

/* If records exceed a storage block, keys and payloads are separate arrays between passes. This
 * takes five blocks: the state, two arrays to read and two to write. */
static void
plan_records (GstGlesSort *sort)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (sort->array.device);
  guint64 bytes = 4ull * sort->record_words * sort->array.capacity;

  sort->separate = sort->config.payload && limits->storage_blocks >= 5 &&
      (bytes > limits->storage_block_bytes || sort->variant.separate);
}

static gboolean
check_limits (const GstGlesSort *sort, guint words, guint64 state_bytes, GError **error)
{
  guint64 limit = gst_gles_device_get_limits (sort->array.device)->storage_block_bytes;

  if (4ull * words * sort->array.capacity <= limit && state_bytes <= limit)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
      "sort: %u keys of %u bytes%s are over the device's limit of %" G_GUINT64_FORMAT
      " bytes a storage block; sort them in parts",
      sort->array.capacity, 4 * words, words > sort->key_words ? ", payload included," : "", limit);
  return FALSE;
}

static gboolean
allocate (GstGlesSort *sort, GError **error)
{
  GstGlesDevice *device = sort->array.device;
  guint64 n = sort->array.capacity;
  guint64 state_bytes = 4 * plan_state (sort);
  guint words = sort->separate ? sort->key_words : sort->record_words;
  guint n_records;

  if (!check_limits (sort, words, state_bytes, error))
    return FALSE;
  sort->array.state = gst_gles_buffer_new (device, state_bytes, error);
  if (sort->array.state == NULL)
    return FALSE;
  /* A single pass needs records for sorts in place. */
  n_records = sort->n_passes < 3 ? MIN (sort->n_passes, 1) : 2;
  for (guint i = 0; i < n_records; i++) {
    sort->records[i] = gst_gles_buffer_new (device, 4 * words * n, error);
    if (sort->records[i] == NULL)
      return FALSE;
    if (!sort->separate)
      continue;
    sort->payloads[i] = gst_gles_buffer_new (device, 4 * n, error);
    if (sort->payloads[i] == NULL)
      return FALSE;
  }
  return TRUE;
}

static void
set_digits (GstGlesSort *sort, guint digit_bits)
{
  guint bits = sort->config.end_bit - sort->config.begin_bit;

  sort->digit_bits = digit_bits;
  sort->n_passes = gst_gles_div_ceil (bits, digit_bits);
}

gboolean
gst_gles_sort_build (GstGlesSort *sort, GError **error)
{
  GstGlesSortRecords records;
  guint32 flip, sign_flip;
  Kind kind = { 0 };

  sort->tuning = gst_gles_sort_tuning (sort->array.device);
  set_digits (sort, sort->config.digit_bits != 0 ? sort->config.digit_bits : DEFAULT_DIGIT_BITS);
  records = (GstGlesSortRecords){ sort->record_words, sort->digit_bits };
  if (!gst_gles_sort_choose (sort->array.device, &sort->variant, &records, &sort->shape, error))
    return FALSE;
  plan_records (sort);
  if (!allocate (sort, error))
    return FALSE;
  kind = (Kind){ sort->tuning, sort->shape, sort->key_words, sort->config.payload, sort->digit_bits,
    gst_gles_sort_get_flips (&sort->config, &flip, &sign_flip) };
  /* Only digits of the default size have kernels without flips. */
  kind.flips |= sort->digit_bits != DEFAULT_DIGIT_BITS;
  return get_programs (sort, &kind, error);
}

/* ---- specialisations ---- */

/* Tuning rows share shapes, so specialisations that were visited before are skipped. */
typedef struct {
  GstGlesSpecialisationFunc func;
  gpointer user_data;
  GArray *seen; /* elements: GstGlesProgramSpec */
} Visit;

static gboolean
same_code (const GstGlesProgramSpec *a, const GstGlesProgramSpec *b)
{
  if (!g_str_equal (a->kernel, b->kernel) || a->local_size[0] != b->local_size[0])
    return FALSE;
  for (guint i = 0; i < GST_GLES_PROGRAM_MAX_DEFINES; i++) {
    if (g_strcmp0 (a->defines[i].name, b->defines[i].name) != 0 ||
        a->defines[i].value != b->defines[i].value)
      return FALSE;
    if (a->defines[i].name == NULL)
      break;
  }
  return TRUE;
}

static void
visit_spec (Visit *visit, const GstGlesProgramSpec *spec)
{
  for (guint i = 0; i < visit->seen->len; i++) {
    if (same_code (spec, &g_array_index (visit->seen, GstGlesProgramSpec, i)))
      return;
  }
  g_array_append_vals (visit->seen, spec, 1);
  visit->func (spec, visit->user_data);
}

static void
visit_kind (const Kind *kind, Visit *visit)
{
  GstGlesProgramSpec spec;

  for (GstGlesSortForm from = 0; from < GST_GLES_SORT_N_FORMS; from++) {
    if (from == GST_GLES_SORT_RECORDS && !kind->payload)
      continue;
    if (!kind->shape.look_back) {
      count_spec (kind, from, &spec);
      visit_spec (visit, &spec);
    }
    for (GstGlesSortForm to = 0; to < GST_GLES_SORT_N_FORMS; to++) {
      if (to == GST_GLES_SORT_RECORDS && !kind->payload)
        continue;
      scatter_spec (kind, from, to, &spec);
      visit_spec (visit, &spec);
    }
  }
  if (kind->shape.look_back) {
    histogram_spec (kind, &spec);
  } else {
    spine_spec (kind, &spec);
  }
  visit_spec (visit, &spec);
}

/* Visits @shape with each kind of keys. */
static void
visit_shape (const GstGlesSortTuning *tuning, const GstGlesSortShape *shape, Visit *visit)
{
  for (guint i = 0; i < 4; i++) {
    Kind kind = { tuning, *shape, 1 + (i & 1), (i & 2) != 0, 4, TRUE };

    visit_kind (&kind, visit);
    kind.digit_bits = DEFAULT_DIGIT_BITS;
    visit_kind (&kind, visit);
    kind.flips = FALSE;
    visit_kind (&kind, visit);
  }
}

/* Visits the shapes that devices of a row choose. */
static void
visit_row (const GstGlesSortTuning *tuning, Visit *visit)
{
  GstGlesSortShape best = tuning->best;

  best.lanes = 32;
  visit_shape (tuning, &best, visit);
  visit_shape (tuning, &tuning->portable, visit);
}

void
gst_gles_sort_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  Visit visit = { func, user_data, g_array_new (FALSE, FALSE, sizeof (GstGlesProgramSpec)) };
  GstGlesProgramSpec spec;

  setup_spec (&spec);
  visit_spec (&visit, &spec);
  copy_spec (&spec);
  visit_spec (&visit, &spec);
  for (guint i = 0; i < gst_gles_sort_tuning_n_rows (); i++)
    visit_row (gst_gles_sort_tuning_row (i), &visit);
  g_array_unref (visit.seen);
}
