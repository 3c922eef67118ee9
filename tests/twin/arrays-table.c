/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "arrays-table.h"

#include <gst/gles/gles.h>

#include "sort-cases.h"

#define BLOCK 64
#define BINS 300
#define TOP 100
#define LOWER 0x10000000u
#define UPPER 0x9fffffffu

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

/* ---- calls ---- */

/* Defines a function of ArraysAlgorithm that calls gst_gles_@call() or its _indirect() with the
 * arguments @before the count and those @after it, in parentheses: b are the buffers. */
#define ARGUMENTS(...) __VA_ARGS__
#define DEFINE_RUN(name, call, before, after)                                                      \
  static gboolean name (gpointer plan, const ArraysCall *c, GError **error)                        \
  {                                                                                                \
    GstGlesBuffer *const *b = c->buffers;                                                          \
                                                                                                   \
    if (c->count.buffer == NULL)                                                                   \
      return gst_gles_##call (ARGUMENTS before, c->count.n, ARGUMENTS after);                      \
    return gst_gles_##call##_indirect (                                                            \
        ARGUMENTS before, c->count.buffer, c->count.offset_bytes, ARGUMENTS after);                \
  }

DEFINE_RUN (run_sum, reduce_run, (plan, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_U32, b[0]), (error))
DEFINE_RUN (run_sum_f32, reduce_run, (plan, GST_GLES_REDUCE_SUM, GST_GLES_VALUE_F32, b[0]), (error))
DEFINE_RUN (run_min, reduce_run, (plan, GST_GLES_REDUCE_MIN, GST_GLES_VALUE_I32, b[0]), (error))

DEFINE_RUN (run_exclusive, scan_exclusive, (plan, b[0], b[1]), (error))
DEFINE_RUN (run_inclusive, scan_inclusive, (plan, b[0], b[1]), (error))
DEFINE_RUN (run_segmented, scan_segmented, (plan, b[0], b[1], b[2]), (TRUE, error))
DEFINE_RUN (run_blocks, scan_blocks, (plan, b[0], b[1]),
    (&(GstGlesScanBlocks){ BLOCK, FALSE, b[2] }, error))

DEFINE_RUN (run_range, compact_range, (plan, GST_GLES_VALUE_U32, LOWER, UPPER, b[0]),
    (b[1], b[2], c->room, error))
DEFINE_RUN (run_flags, compact_flags, (plan, b[0], b[1]), (b[2], b[3], c->room, error))
DEFINE_RUN (run_unique, unique_run, (plan, GST_GLES_VALUE_U32, b[0]), (b[1], c->room, error))

DEFINE_RUN (run_sort_keys, sort_run, (plan, b[0], NULL, b[1], NULL), (error))
DEFINE_RUN (run_sort_pairs, sort_run, (plan, b[0], b[1], b[2], b[3]), (error))
DEFINE_RUN (run_sort_wide, sort_run, (plan, b[0], NULL, b[1], b[2]), (error))
DEFINE_RUN (run_top_k, top_k_run, (plan, b[0]), (TOP, b[1], b[2], error))

DEFINE_RUN (run_boundaries, segments_run,
    (plan, GST_GLES_VALUE_U32, b[0], GST_GLES_VALUE_U32, NULL),
    (&(GstGlesSegmentsOutputs){ .starts = b[1], .counts = b[2] }, error))
DEFINE_RUN (run_group_by, segments_run, (plan, GST_GLES_VALUE_U32, b[0], GST_GLES_VALUE_I32, b[1]),
    (&(GstGlesSegmentsOutputs){ b[2], b[3], b[4], b[5], b[6], b[7], b[8], { NULL } }, error))
DEFINE_RUN (run_group_by_f32, segments_run,
    (plan, GST_GLES_VALUE_U32, b[0], GST_GLES_VALUE_F32, b[1]),
    (&(GstGlesSegmentsOutputs){ .sums = b[2], .mins = b[3], .maxs = b[4] }, error))

DEFINE_RUN (run_tiles, tiles_run, (plan, b[0]), (b[1], b[2], b[3], error))
DEFINE_RUN (run_histogram, histogram_run, (plan, b[0]), (b[1], error))

/* ---- plans ---- */

#define DEFINE_SORT(name, type, with_payload, downwards)                                           \
  static gpointer name (GstGlesQueue *queue, guint capacity, GError **error)                       \
  {                                                                                                \
    GstGlesSortConfig config;                                                                      \
                                                                                                   \
    gst_gles_sort_config_init (&config, type);                                                     \
    config.payload = with_payload;                                                                 \
    config.descending = downwards;                                                                 \
    return gst_gles_sort_new (queue, &config, capacity, error);                                    \
  }

DEFINE_SORT (sort_keys_new, GST_GLES_VALUE_I32, FALSE, FALSE)
DEFINE_SORT (sort_pairs_new, GST_GLES_VALUE_F32, TRUE, TRUE)
DEFINE_SORT (sort_wide_new, GST_GLES_VALUE_U64, TRUE, FALSE)

static gpointer
top_k_new (GstGlesQueue *queue, guint capacity, GError **error)
{
  return gst_gles_top_k_new (queue, GST_GLES_VALUE_F32, TRUE, capacity, TOP, error);
}

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

static gpointer
histogram_new (GstGlesQueue *queue, guint capacity, GError **error)
{
  return gst_gles_histogram_new (queue, GST_GLES_KEY_U32, BINS, 5, G_MAXUINT32, capacity, error);
}

/* What a buffer of one word per value is for. */
#define INPUT(title, fill_it)                                                                      \
  {                                                                                                \
    title, 1, .fill = fill_it                                                                      \
  }
#define OUTPUT(title, ...)                                                                         \
  {                                                                                                \
    title, 1, .written = TRUE, ##__VA_ARGS__                                                       \
  }
#define VALUES INPUT ("values", fill_words)
#define SUMS OUTPUT ("sums", .in_place = 1)
/* entries of runs: those that do not fit are left out */
#define PER_RUN(title) OUTPUT (title, .any_size = TRUE)

/* An algorithm, a function that makes its plan and one that makes a call, then roles. */
#define ENTRY(title, algorithm, make, call, ...)                                                   \
  {                                                                                                \
    .name = title, .roles = { __VA_ARGS__ },                                                       \
    .plan_new = (gpointer (*) (GstGlesQueue *, guint, GError **)) make,                            \
    .plan_free = (void (*) (gpointer)) gst_gles_##algorithm##_unref,                               \
    .get_result = (GstGlesBuffer * (*) (gpointer)) gst_gles_##algorithm##_get_result, .run = call  \
  }
#define REDUCE(title, call, fill)                                                                  \
  ENTRY (title, reduce, gst_gles_reduce_new, call, INPUT ("values", fill))
#define SCAN(title, call, ...) ENTRY (title, scan, gst_gles_scan_new, call, VALUES, __VA_ARGS__)
#define COMPACT(title, call, ...)                                                                  \
  ENTRY (title, compact, gst_gles_compact_new, call, __VA_ARGS__, OUTPUT ("picked"),               \
      OUTPUT ("indices"))
#define SEGMENTS(title, call, ...)                                                                 \
  ENTRY (title, segments, gst_gles_segments_new, call, INPUT ("keys", fill_runs), __VA_ARGS__)

/* ---- all of them ---- */

const ArraysAlgorithm arrays_table[] = {
  REDUCE ("reduce-sum", run_sum, fill_words),
  REDUCE ("reduce-sum-f32", run_sum_f32, fill_floats),
  REDUCE ("reduce-min-i32", run_min, fill_words),
  SCAN ("scan-exclusive", run_exclusive, SUMS),
  SCAN ("scan-inclusive", run_inclusive, SUMS),
  SCAN ("scan-segmented", run_segmented, INPUT ("heads", fill_flags), SUMS),
  SCAN ("scan-blocks", run_blocks, SUMS, { "totals", .every = BLOCK, .written = TRUE }),
  COMPACT ("compact-range", run_range, VALUES),
  COMPACT ("compact-flags", run_flags, INPUT ("flags", fill_flags), VALUES),
  ENTRY ("sort-keys", sort, sort_keys_new, run_sort_keys, INPUT ("keys", fill_words),
      OUTPUT ("sorted keys", .in_place = 1)),
  ENTRY ("sort-pairs", sort, sort_pairs_new, run_sort_pairs, INPUT ("keys", fill_floats),
      INPUT ("payloads", fill_words), OUTPUT ("sorted keys", .in_place = 1),
      OUTPUT ("sorted payloads", .in_place = 2)),
  ENTRY ("sort-u64", sort, sort_wide_new, run_sort_wide, { "keys", 2, .fill = fill_wide },
      { "sorted keys", 2, .written = TRUE, .in_place = 1 }, OUTPUT ("order")),
  SEGMENTS ("segments-boundaries", run_boundaries, PER_RUN ("starts"), PER_RUN ("counts")),
  SEGMENTS ("segments-group-by", run_group_by, VALUES, PER_RUN ("groups"), PER_RUN ("starts"),
      PER_RUN ("counts"), PER_RUN ("sums"), PER_RUN ("high sums"), PER_RUN ("minima"),
      PER_RUN ("maxima")),
  SEGMENTS ("segments-group-by-f32", run_group_by_f32, INPUT ("values", fill_floats),
      PER_RUN ("sums"), PER_RUN ("minima"), PER_RUN ("maxima")),
  ENTRY ("unique", unique, gst_gles_unique_new, run_unique, INPUT ("keys", fill_runs),
      OUTPUT ("unique keys")),
  ENTRY ("top-k", top_k, top_k_new, run_top_k, INPUT ("keys", fill_floats),
      { "top keys", .fixed = TOP, .written = TRUE },
      { "top indices", .fixed = TOP, .written = TRUE }),
  ENTRY ("tiles", tiles, tiles_new, run_tiles, { "records", 8, .fill = fill_records },
      { "offsets", .fixed = 10 * 8 + 1, .written = TRUE },
      { "indices", 4, .written = TRUE, .any_size = TRUE },
      { "keys", 4, .written = TRUE, .any_size = TRUE }),
  ENTRY ("histogram", histogram, histogram_new, run_histogram, INPUT ("keys", fill_words),
      { "counts", .fixed = BINS, .written = TRUE }),
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
