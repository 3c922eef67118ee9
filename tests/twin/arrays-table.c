/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "arrays-table.h"

#include <gst/gles/gles.h>

#include "sort-cases.h"

#define BLOCK 64
#define BINS 300
#define TOP 100
#define LOWER 0x10000000u
#define UPPER 0x9fffffffu

#define PLAN(algorithm)                                                                            \
  .plan_new = algorithm##_new, .plan_free = (void (*) (gpointer)) gst_gles_##algorithm##_free,     \
  .get_result = (GstGlesBuffer * (*) (gpointer)) gst_gles_##algorithm##_get_result

/* ---- inputs ---- */

static void
fill_words (guint32 *words, guint n, guint32 seed)
{
  pattern_fill (PATTERN_AND_2, seed, words, n);
}

static void
fill_wide (guint32 *words, guint n, guint32 seed)
{
  pattern_fill (PATTERN_FEW_VALUES, seed, words, 2 * (gsize) n);
}

static void
fill_floats (guint32 *words, guint n, guint32 seed)
{
  pattern_fill (PATTERN_FLOATS, seed, words, n);
}

static void
fill_runs (guint32 *words, guint n, guint32 seed)
{
  for (guint i = 0; i < n; i++)
    words[i] = (i + seed) / 7 + (i + seed) / 50;
}

static void
fill_flags (guint32 *words, guint n, guint32 seed)
{
  Random random = { seed };

  for (guint i = 0; i < n; i++)
    words[i] = random_word (&random) % 5 == 0 ? i + 1 : 0;
}

/* Boxes of at most two by two tiles, some of them outside. */
static void
fill_records (guint32 *words, guint n, guint32 seed)
{
  Random random = { seed };

  for (guint i = 0; i < n; i++) {
    gfloat *numbers = (gfloat *) (gpointer) (words + 8 * (gsize) i);
    numbers[0] = (gint) (random_word (&random) % 200) - 20;
    numbers[1] = (gint) (random_word (&random) % 160) - 20;
    numbers[2] = numbers[0] + random_word (&random) % 16;
    numbers[3] = numbers[1] + random_word (&random) % 16;
    numbers[4] = random_word (&random) % 16;
    numbers[5] = 1;
    words[8 * (gsize) i + 6] = i;
    words[8 * (gsize) i + 7] = 0;
  }
}

/* ---- reduce ---- */

static gpointer
reduce_new (GstGlesQueue *queue, guint capacity, GError **error)
{
  return gst_gles_reduce_new (queue, capacity, error);
}

static gboolean
reduce (
    gpointer plan, GstGlesReduceOp op, GstGlesValueType type, const ArraysCall *c, GError **error)
{
  if (c->count.buffer == NULL)
    return gst_gles_reduce_run (plan, op, type, c->buffers[0], c->count.n, error);
  return gst_gles_reduce_run_indirect (
      plan, op, type, c->buffers[0], c->count.buffer, c->count.offset_bytes, error);
}

static gboolean
run_sum (gpointer plan, const ArraysCall *c, GError **error)
{
  return reduce (plan, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_U32, c, error);
}

static gboolean
run_sum_f32 (gpointer plan, const ArraysCall *c, GError **error)
{
  return reduce (plan, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_F32, c, error);
}

static gboolean
run_min (gpointer plan, const ArraysCall *c, GError **error)
{
  return reduce (plan, GST_GLES_REDUCE_MIN, GST_GLES_VALUE_I32, c, error);
}

#define REDUCE(title, fill_them, run_it)                                                           \
  {                                                                                                \
    .name = title, .roles = { { "values", 1, .fill = fill_them } }, .plan_new = reduce_new,        \
    .plan_free = (void (*) (gpointer)) gst_gles_reduce_free,                                       \
    .get_result = (GstGlesBuffer * (*) (gpointer)) gst_gles_reduce_get_result, run_it              \
  }

/* ---- scan ---- */

static gpointer
scan_new (GstGlesQueue *queue, guint capacity, GError **error)
{
  return gst_gles_scan_new (queue, capacity, error);
}

static gboolean
run_exclusive (gpointer plan, const ArraysCall *c, GError **error)
{
  if (c->count.buffer == NULL)
    return gst_gles_scan_exclusive (plan, c->buffers[0], c->buffers[1], c->count.n, error);
  return gst_gles_scan_exclusive_indirect (
      plan, c->buffers[0], c->buffers[1], c->count.buffer, c->count.offset_bytes, error);
}

static gboolean
run_inclusive (gpointer plan, const ArraysCall *c, GError **error)
{
  if (c->count.buffer == NULL)
    return gst_gles_scan_inclusive (plan, c->buffers[0], c->buffers[1], c->count.n, error);
  return gst_gles_scan_inclusive_indirect (
      plan, c->buffers[0], c->buffers[1], c->count.buffer, c->count.offset_bytes, error);
}

static gboolean
run_segmented (gpointer plan, const ArraysCall *c, GError **error)
{
  if (c->count.buffer == NULL)
    return gst_gles_scan_segmented (
        plan, c->buffers[0], c->buffers[1], c->buffers[2], c->count.n, TRUE, error);
  return gst_gles_scan_segmented_indirect (plan, c->buffers[0], c->buffers[1], c->buffers[2],
      c->count.buffer, c->count.offset_bytes, TRUE, error);
}

static gboolean
run_blocks (gpointer plan, const ArraysCall *c, GError **error)
{
  if (c->count.buffer == NULL)
    return gst_gles_scan_blocks (
        plan, c->buffers[0], c->buffers[1], c->count.n, BLOCK, FALSE, c->buffers[2], error);
  return gst_gles_scan_blocks_indirect (plan, c->buffers[0], c->buffers[1], c->count.buffer,
      c->count.offset_bytes, BLOCK, FALSE, c->buffers[2], error);
}

#define SUMS                                                                                       \
  {                                                                                                \
    "sums", 1, .written = TRUE, .in_place = 1                                                      \
  }

/* ---- compact ---- */

static gpointer
compact_new (GstGlesQueue *queue, guint capacity, GError **error)
{
  return gst_gles_compact_new (queue, capacity, error);
}

static gboolean
run_range (gpointer plan, const ArraysCall *c, GError **error)
{
  if (c->count.buffer == NULL)
    return gst_gles_compact_range (plan, GST_GLES_VALUE_U32, LOWER, UPPER, c->buffers[0],
        c->count.n, c->buffers[1], c->buffers[2], c->room, error);
  return gst_gles_compact_range_indirect (plan, GST_GLES_VALUE_U32, LOWER, UPPER, c->buffers[0],
      c->count.buffer, c->count.offset_bytes, c->buffers[1], c->buffers[2], c->room, error);
}

static gboolean
run_flags (gpointer plan, const ArraysCall *c, GError **error)
{
  if (c->count.buffer == NULL)
    return gst_gles_compact_flags (plan, c->buffers[0], c->buffers[1], c->count.n, c->buffers[2],
        c->buffers[3], c->room, error);
  return gst_gles_compact_flags_indirect (plan, c->buffers[0], c->buffers[1], c->count.buffer,
      c->count.offset_bytes, c->buffers[2], c->buffers[3], c->room, error);
}

#define OUTPUT(title)                                                                              \
  {                                                                                                \
    title, 1, .written = TRUE                                                                      \
  }

/* ---- sort ---- */

static gpointer
sort_new (GstGlesQueue *queue, GstGlesValueType type, gboolean payload, gboolean descending,
    guint capacity, GError **error)
{
  GstGlesSortConfig config;

  gst_gles_sort_config_init (&config, type);
  config.payload = payload;
  config.descending = descending;
  return gst_gles_sort_new (queue, &config, capacity, error);
}

static gpointer
sort_keys_new (GstGlesQueue *queue, guint capacity, GError **error)
{
  return sort_new (queue, GST_GLES_VALUE_I32, FALSE, FALSE, capacity, error);
}

static gpointer
sort_pairs_new (GstGlesQueue *queue, guint capacity, GError **error)
{
  return sort_new (queue, GST_GLES_VALUE_F32, TRUE, TRUE, capacity, error);
}

static gpointer
sort_wide_new (GstGlesQueue *queue, guint capacity, GError **error)
{
  return sort_new (queue, GST_GLES_VALUE_U64, TRUE, FALSE, capacity, error);
}

static gboolean
sort (gpointer plan, const ArraysCall *c, GstGlesBuffer *payloads_in, GstGlesBuffer *keys_out,
    GstGlesBuffer *payloads_out, GError **error)
{
  if (c->count.buffer == NULL)
    return gst_gles_sort_run (
        plan, c->buffers[0], payloads_in, keys_out, payloads_out, c->count.n, error);
  return gst_gles_sort_run_indirect (plan, c->buffers[0], payloads_in, keys_out, payloads_out,
      c->count.buffer, c->count.offset_bytes, error);
}

static gboolean
run_sort_keys (gpointer plan, const ArraysCall *c, GError **error)
{
  return sort (plan, c, NULL, c->buffers[1], NULL, error);
}

static gboolean
run_sort_pairs (gpointer plan, const ArraysCall *c, GError **error)
{
  return sort (plan, c, c->buffers[1], c->buffers[2], c->buffers[3], error);
}

static gboolean
run_sort_wide (gpointer plan, const ArraysCall *c, GError **error)
{
  return sort (plan, c, NULL, c->buffers[1], c->buffers[2], error);
}

#define SORT(make, run_it)                                                                         \
  .plan_new = make, .plan_free = (void (*) (gpointer)) gst_gles_sort_free,                         \
  .get_result = (GstGlesBuffer * (*) (gpointer)) gst_gles_sort_get_result, .run = run_it

/* ---- segments, unique, top-k ---- */

static gpointer
segments_new (GstGlesQueue *queue, guint capacity, GError **error)
{
  return gst_gles_segments_new (queue, capacity, error);
}

static gboolean
segments (gpointer plan, const ArraysCall *c, GstGlesValueType value_type, GstGlesBuffer *values,
    const GstGlesSegmentsOutputs *outputs, GError **error)
{
  if (c->count.buffer == NULL)
    return gst_gles_segments_run (
        plan, GST_GLES_VALUE_U32, c->buffers[0], value_type, values, c->count.n, outputs, error);
  return gst_gles_segments_run_indirect (plan, GST_GLES_VALUE_U32, c->buffers[0], value_type,
      values, c->count.buffer, c->count.offset_bytes, outputs, error);
}

static gboolean
run_boundaries (gpointer plan, const ArraysCall *c, GError **error)
{
  const GstGlesSegmentsOutputs outputs = { .starts = c->buffers[1], .counts = c->buffers[2] };

  return segments (plan, c, GST_GLES_VALUE_U32, NULL, &outputs, error);
}

static gboolean
run_group_by (gpointer plan, const ArraysCall *c, GError **error)
{
  GstGlesBuffer *const *b = c->buffers;
  const GstGlesSegmentsOutputs outputs = { b[2], b[3], b[4], b[5], b[6], b[7], b[8], { NULL } };

  return segments (plan, c, GST_GLES_VALUE_I32, b[1], &outputs, error);
}

static gboolean
run_group_by_f32 (gpointer plan, const ArraysCall *c, GError **error)
{
  GstGlesBuffer *const *b = c->buffers;
  const GstGlesSegmentsOutputs outputs = { .sums = b[2], .mins = b[3], .maxs = b[4] };

  return segments (plan, c, GST_GLES_VALUE_F32, b[1], &outputs, error);
}

#define SEGMENTS(run_it) PLAN (segments), .run = run_it
#define PER_RUN(title)                                                                             \
  {                                                                                                \
    title, 1, .written = TRUE, .any_size = TRUE                                                    \
  }

static gpointer
unique_new (GstGlesQueue *queue, guint capacity, GError **error)
{
  return gst_gles_unique_new (queue, capacity, error);
}

static gboolean
run_unique (gpointer plan, const ArraysCall *c, GError **error)
{
  if (c->count.buffer == NULL)
    return gst_gles_unique_run (
        plan, GST_GLES_VALUE_U32, c->buffers[0], c->count.n, c->buffers[1], c->room, error);
  return gst_gles_unique_run_indirect (plan, GST_GLES_VALUE_U32, c->buffers[0], c->count.buffer,
      c->count.offset_bytes, c->buffers[1], c->room, error);
}

static gpointer
top_k_new (GstGlesQueue *queue, guint capacity, GError **error)
{
  return gst_gles_top_k_new (queue, GST_GLES_VALUE_F32, TRUE, capacity, TOP, error);
}

static gboolean
run_top_k (gpointer plan, const ArraysCall *c, GError **error)
{
  if (c->count.buffer == NULL)
    return gst_gles_top_k_run (
        plan, c->buffers[0], c->count.n, TOP, c->buffers[1], c->buffers[2], error);
  return gst_gles_top_k_run_indirect (plan, c->buffers[0], c->count.buffer, c->count.offset_bytes,
      TOP, c->buffers[1], c->buffers[2], error);
}

/* ---- tiles, histogram ---- */

static gpointer
tiles_new (GstGlesQueue *queue, guint capacity, GError **error)
{
  const GstGlesTilesConfig config = { .width = 160,
    .height = 120,
    .tile_width = 16,
    .tile_height = 16,
    .max_records = capacity,
    .max_entries = 4 * capacity };

  return gst_gles_tiles_new (queue, &config, error);
}

static gboolean
run_tiles (gpointer plan, const ArraysCall *c, GError **error)
{
  if (c->count.buffer == NULL)
    return gst_gles_tiles_run (
        plan, c->buffers[0], c->count.n, c->buffers[1], c->buffers[2], c->buffers[3], error);
  return gst_gles_tiles_run_indirect (plan, c->buffers[0], c->count.buffer, c->count.offset_bytes,
      c->buffers[1], c->buffers[2], c->buffers[3], error);
}

static gpointer
histogram_new (GstGlesQueue *queue, guint capacity, GError **error)
{
  return gst_gles_array_histogram_new (
      queue, GST_GLES_KEY_U32, BINS, 5, G_MAXUINT32, capacity, error);
}

static gboolean
run_histogram (gpointer plan, const ArraysCall *c, GError **error)
{
  if (c->count.buffer == NULL)
    return gst_gles_array_histogram_run (plan, c->buffers[0], c->count.n, c->buffers[1], error);
  return gst_gles_array_histogram_run_indirect (
      plan, c->buffers[0], c->count.buffer, c->count.offset_bytes, c->buffers[1], error);
}

/* ---- all of them ---- */

const ArraysAlgorithm arrays_table[] = {
  REDUCE ("reduce-sum", fill_words, run_sum),
  REDUCE ("reduce-sum-f32", fill_floats, run_sum_f32),
  REDUCE ("reduce-min-i32", fill_words, run_min),
  { .name = "scan-exclusive",
      .roles = { { "values", 1, .fill = fill_words }, SUMS },
      PLAN (scan),
      .run = run_exclusive },
  { .name = "scan-inclusive",
      .roles = { { "values", 1, .fill = fill_words }, SUMS },
      PLAN (scan),
      .run = run_inclusive },
  { .name = "scan-segmented",
      .roles = { { "values", 1, .fill = fill_words }, { "heads", 1, .fill = fill_flags }, SUMS },
      PLAN (scan),
      .run = run_segmented },
  { .name = "scan-blocks",
      .roles = { { "values", 1, .fill = fill_words }, SUMS,
          { "totals", .every = BLOCK, .written = TRUE } },
      PLAN (scan),
      .run = run_blocks },
  { .name = "compact-range",
      .roles = { { "values", 1, .fill = fill_words }, OUTPUT ("picked"), OUTPUT ("indices") },
      PLAN (compact),
      .run = run_range },
  { .name = "compact-flags",
      .roles = { { "flags", 1, .fill = fill_flags }, { "values", 1, .fill = fill_words },
          OUTPUT ("picked"), OUTPUT ("indices") },
      PLAN (compact),
      .run = run_flags },
  { .name = "sort-keys",
      .roles = { { "keys", 1, .fill = fill_words },
          { "sorted keys", 1, .written = TRUE, .in_place = 1 } },
      SORT (sort_keys_new, run_sort_keys) },
  { .name = "sort-pairs",
      .roles = { { "keys", 1, .fill = fill_floats }, { "payloads", 1, .fill = fill_words },
          { "sorted keys", 1, .written = TRUE, .in_place = 1 },
          { "sorted payloads", 1, .written = TRUE, .in_place = 2 } },
      SORT (sort_pairs_new, run_sort_pairs) },
  { .name = "sort-u64",
      .roles = { { "keys", 2, .fill = fill_wide },
          { "sorted keys", 2, .written = TRUE, .in_place = 1 }, OUTPUT ("order") },
      SORT (sort_wide_new, run_sort_wide) },
  { .name = "segments-boundaries",
      .roles = { { "keys", 1, .fill = fill_runs }, PER_RUN ("starts"), PER_RUN ("counts") },
      SEGMENTS (run_boundaries) },
  { .name = "segments-group-by",
      .roles = { { "keys", 1, .fill = fill_runs }, { "values", 1, .fill = fill_words },
          PER_RUN ("groups"), PER_RUN ("starts"), PER_RUN ("counts"), PER_RUN ("sums"),
          PER_RUN ("high sums"), PER_RUN ("minima"), PER_RUN ("maxima") },
      SEGMENTS (run_group_by) },
  { .name = "segments-group-by-f32",
      .roles = { { "keys", 1, .fill = fill_runs }, { "values", 1, .fill = fill_floats },
          PER_RUN ("sums"), PER_RUN ("minima"), PER_RUN ("maxima") },
      SEGMENTS (run_group_by_f32) },
  { .name = "unique",
      .roles = { { "keys", 1, .fill = fill_runs }, OUTPUT ("unique keys") },
      PLAN (unique),
      .run = run_unique },
  { .name = "top-k",
      .roles = { { "keys", 1, .fill = fill_floats }, { "top keys", .fixed = TOP, .written = TRUE },
          { "top indices", .fixed = TOP, .written = TRUE } },
      PLAN (top_k),
      .run = run_top_k },
  { .name = "tiles",
      .roles = { { "records", 8, .fill = fill_records },
          { "offsets", .fixed = 10 * 8 + 1, .written = TRUE },
          { "indices", 4, .written = TRUE, .any_size = TRUE },
          { "keys", 4, .written = TRUE, .any_size = TRUE } },
      PLAN (tiles),
      .run = run_tiles },
  { .name = "array-histogram",
      .roles = { { "keys", 1, .fill = fill_words }, { "counts", .fixed = BINS, .written = TRUE } },
      .plan_new = histogram_new,
      .plan_free = (void (*) (gpointer)) gst_gles_array_histogram_free,
      .get_result = (GstGlesBuffer * (*) (gpointer)) gst_gles_array_histogram_get_result,
      .run = run_histogram },
};

const guint arrays_table_size = G_N_ELEMENTS (arrays_table);

guint
arrays_n_roles (const ArraysAlgorithm *algorithm)
{
  guint n = 0;

  while (n < ARRAYS_MAX_ROLES && algorithm->roles[n].name != NULL)
    n++;
  return n;
}

guint
arrays_role_words (const ArraysRole *role, guint n)
{
  if (role->every != 0)
    return (n + role->every - 1) / role->every;
  return role->fixed != 0 ? role->fixed : n * role->words;
}

gpointer
arrays_plan_new (const ArraysAlgorithm *algorithm, GstGlesQueue *queue, guint capacity)
{
  GError *error = NULL;
  gpointer plan = algorithm->plan_new (queue, capacity, &error);

  if (plan == NULL)
    g_error ("%s: no plan: %s", algorithm->name, error->message);
  return plan;
}

/* ---- buffers ---- */

ArraysSet *
arrays_set_new (
    const ArraysAlgorithm *algorithm, GstGlesQueue *queue, guint room, guint spare, guint32 seed)
{
  ArraysSet *set = g_new0 (ArraysSet, 1);
  g_autoptr (GstGlesDevice) device = gst_gles_queue_get_device (queue);
  GError *error = NULL;

  set->algorithm = algorithm;
  set->queue = queue;
  set->call.room = room;
  set->n_roles = arrays_n_roles (algorithm);
  for (guint i = 0; i < set->n_roles; i++) {
    const ArraysRole *role = &algorithm->roles[i];
    guint n_words = arrays_role_words (role, room) + spare;
    set->sizes[i] = n_words;
    set->initial[i] = g_new (guint32, n_words + 1);
    for (guint k = 0; k < n_words; k++)
      set->initial[i][k] = ARRAYS_GARBAGE;
    if (role->fill != NULL)
      role->fill (set->initial[i], room, seed + i);
    set->call.buffers[i] = gst_gles_buffer_new (device, 4 * (gsize) n_words, &error);
    g_assert_no_error (error);
  }
  set->count = gst_gles_buffer_new (device, 32, &error);
  g_assert_no_error (error);
  arrays_set_reset (set);
  return set;
}

void
arrays_set_free (ArraysSet *set)
{
  for (guint i = 0; i < set->n_roles; i++) {
    gst_gles_buffer_unref (set->call.buffers[i]);
    g_free (set->initial[i]);
  }
  gst_gles_buffer_unref (set->count);
  g_free (set);
}

void
arrays_set_reset (ArraysSet *set)
{
  GError *error = NULL;

  for (guint i = 0; i < set->n_roles; i++) {
    gst_gles_buffer_upload (
        set->call.buffers[i], set->queue, 0, set->initial[i], 4 * (gsize) set->sizes[i], &error);
    g_assert_no_error (error);
  }
}

void
arrays_set_run (ArraysSet *set, gpointer plan, guint n, gboolean indirect)
{
  const guint32 words[8] = { 7, 7, 7, n, 7, 7, 7, 7 };
  GError *error = NULL;

  set->call.count = GST_GLES_COUNT_HOST (n);
  if (indirect) {
    set->call.count = GST_GLES_COUNT_DEVICE (set->count, ARRAYS_COUNT_OFFSET);
    gst_gles_buffer_upload (set->count, set->queue, 0, words, sizeof (words), &error);
    g_assert_no_error (error);
  }
  if (!set->algorithm->run (plan, &set->call, &error))
    g_error ("%s of %u: %s", set->algorithm->name, n, error->message);
}

guint32 *
arrays_set_read (ArraysSet *set, gpointer plan, guint *n_words)
{
  guint n = 4;
  guint32 *words;
  GError *error = NULL;

  for (guint i = 0; i < set->n_roles; i++)
    n += set->sizes[i];
  words = g_new (guint32, n);
  *n_words = n;
  n = 0;
  for (guint i = 0; i <= set->n_roles; i++) {
    GstGlesBuffer *buffer =
        i < set->n_roles ? set->call.buffers[i] : set->algorithm->get_result (plan);
    guint size = i < set->n_roles ? set->sizes[i] : 4;
    gst_gles_buffer_download (buffer, set->queue, 0, words + n, 4 * (gsize) size, &error);
    g_assert_no_error (error);
    n += size;
  }
  return words;
}
