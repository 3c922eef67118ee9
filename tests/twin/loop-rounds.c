/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The limit of llvmpipe's loops (GST_GLES_MAX_ROUNDS): the rounds that a tile takes are those that
 * the tuning table states, and a workgroup whose teams have the most tiles each is right. The
 * variants in the environment have groups=1, so that a plan has one workgroup as long as that may
 * be. */
#include "loop-rounds.h"

#include <string.h>

#include <gst/gles/algo/histogram/histogram-private.h>
#include <gst/gles/gles.h>

#include "../../gst/tools/bench/masks.h"
#include "array-cases.h"
#include "arrays-table.h"

/* Rounds besides those of tiles: over digits, counters and partial results. */
#define OTHER_ROUNDS (GST_GLES_MAX_ROUNDS / 2)
/* Workgroups whose teams' partial results are counted, and twice as many. */
#define PARTIAL_GROUPS 128u
/* The largest arrays, of values and of records. */
#define LARGE ((1u << 23) + 4099)
#define LARGE_RECORDS ((1u << 20) + 4099)
/* The numbers of tiles that a team is measured with. The most that it takes are 64 in components,
 * and more elsewhere. */
#define FEW 16
#define MANY 48

GstGlesQueue *loop_rounds_queue;

static GstGlesDevice *native;
static GstGlesQueue *native_queue;
static struct {
  guint stated, most;
  gchar *kernel;
} recorded[GST_GLES_N_ALGORITHMS];

/* ---- measuring ---- */

static void
take (RoundsKernel *kernel, gpointer user_data)
{
  if (kernel->rounds != 0 && user_data != NULL)
    g_hash_table_insert (user_data, g_strdup (kernel->name), GUINT_TO_POINTER (kernel->rounds));
  kernel->rounds = 0;
}

void
loop_rounds_begin (void)
{
  rounds_foreach (take, NULL);
}

GHashTable *
loop_rounds_end (const gchar *where)
{
  GHashTable *rounds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer name, n;

  rounds_foreach (take, rounds);
  g_hash_table_iter_init (&iter, rounds);
  while (g_hash_table_iter_next (&iter, &name, &n)) {
    if (GPOINTER_TO_UINT (n) > GST_GLES_MAX_ROUNDS + OTHER_ROUNDS)
      g_error ("%s: %u rounds, too near to what llvmpipe executes: %s", where, GPOINTER_TO_UINT (n),
          (const gchar *) name);
  }
  return rounds;
}

/* Records the rounds a tile: @few was measured with FEW tiles a team, @many with MANY. */
static void
record (GstGlesAlgorithm algorithm, guint stated, GHashTable *few, GHashTable *many)
{
  const guint tiles = MANY - FEW;
  GHashTableIter iter;
  gpointer name, n;

  recorded[algorithm].stated = stated;
  g_hash_table_iter_init (&iter, many);
  while (g_hash_table_iter_next (&iter, &name, &n)) {
    guint before = GPOINTER_TO_UINT (g_hash_table_lookup (few, name));
    guint more = GPOINTER_TO_UINT (n) - MIN (before, GPOINTER_TO_UINT (n));
    guint each = (more + tiles - 1) / tiles;

    g_test_message ("%.2f rounds a tile: %s", (gdouble) more / tiles, (const gchar *) name);
    /* other kernels have no tiles */
    if (strstr (name, " ROWS ") != NULL && each > recorded[algorithm].most) {
      recorded[algorithm].most = each;
      g_free (recorded[algorithm].kernel);
      recorded[algorithm].kernel = g_strdup (name);
    }
  }
}

void
loop_rounds_measure (
    GstGlesAlgorithm algorithm, const GstGlesShape *shape, LoopRoundsRun run, gconstpointer data)
{
  const guint each = gst_gles_shape_tile (shape) * gst_gles_shape_teams_per_group (shape);
  g_autoptr (GHashTable) few = run (FEW * each, data);
  g_autoptr (GHashTable) many = run (MANY * each, data);

  record (algorithm, shape->rounds, few, many);
  g_hash_table_unref (run (gst_gles_shape_max_tiles (shape) * each, data));
}

static void
test_stated (void)
{
  guint most = 0;

  for (guint i = 0; i < GST_GLES_N_ALGORITHMS; i++) {
    if (recorded[i].stated == 0)
      g_error ("nothing of algorithm %u was measured before this test", i);
    most = MAX (most, recorded[i].most);
  }
  if (most == 0) {
    g_test_skip ("the driver does not limit loops");
    return;
  }
  for (guint i = 0; i < GST_GLES_N_ALGORITHMS; i++) {
    if (recorded[i].kernel != NULL && recorded[i].most != recorded[i].stated)
      g_error ("a tile takes %u rounds, and the tuning table states %u for algorithm %u: %s",
          recorded[i].most, recorded[i].stated, i, recorded[i].kernel);
  }
}

/* ---- arrays ---- */

static void
fill_passing (guint32 *words, guint n, guint32 seed)
{
  for (guint i = 0; i < n; i++)
    words[i] = 0x20000000u + seed;
}

static void
fill_distinct (guint32 *words, guint n, guint32 seed)
{
  for (guint i = 0; i < n; i++)
    words[i] = 0x20000000u + i;
}

/* Every value passes and is a head, or every value is a run of its own, or the table's inputs. */
static void (*const fills[]) (guint32 *, guint, guint32) = { NULL, fill_passing, fill_distinct };

typedef struct {
  const ArraysAlgorithm *table;
  guint fill;
} ArrayCase;

static GHashTable *
run_array (guint n, gconstpointer data)
{
  const ArraysAlgorithm *table = ((const ArrayCase *) data)->table;
  const guint fill = ((const ArrayCase *) data)->fill;
  g_autofree gchar *where = g_strdup_printf ("%s of %u values, input %u", table->name, n, fill);
  ArraysAlgorithm algorithm = *table;
  gpointer plans[2];
  ArraysSet *sets[2];
  guint32 *words[2];
  guint n_words[2];
  GHashTable *rounds;

  for (guint i = 0; fills[fill] != NULL && i < ARRAYS_MAX_ROLES; i++) {
    if (algorithm.roles[i].words == 1 && algorithm.roles[i].fill != NULL)
      algorithm.roles[i].fill = fills[fill];
  }
  for (guint i = 0; i < 2; i++) {
    GstGlesQueue *queue = i == 0 ? loop_rounds_queue : native_queue;

    plans[i] = arrays_plan_new (&algorithm, queue, n);
    sets[i] = arrays_set_new (&algorithm, queue, n, 0, 3);
    if (i == 0)
      loop_rounds_begin ();
    arrays_set_run (sets[i], plans[i], n, FALSE);
    words[i] = arrays_set_read (sets[i], plans[i], &n_words[i]);
    if (i == 0)
      rounds = loop_rounds_end (where);
  }
  g_assert_cmpuint (n_words[0], ==, n_words[1]);
  if (memcmp (words[0], words[1], 4 * (gsize) n_words[0]) != 0)
    g_error ("%s: the device's result is not that of native code", where);
  for (guint i = 0; i < 2; i++) {
    arrays_set_free (sets[i]);
    algorithm.plan_free (plans[i]);
    g_free (words[i]);
  }
  return rounds;
}

static GstGlesAlgorithm
row_of (const gchar *name)
{
  if (g_str_has_prefix (name, "reduce"))
    return GST_GLES_ALGORITHM_REDUCE;
  return g_str_has_prefix (name, "scan") ? GST_GLES_ALGORITHM_SCAN : GST_GLES_ALGORITHM_COMPACT;
}

/* Whether the tiles of @algorithm are those of the tuning table. */
static gboolean
has_row (const ArraysAlgorithm *algorithm)
{
  return !g_str_has_prefix (algorithm->name, "sort") &&
      !g_str_has_prefix (algorithm->name, "array-histogram") &&
      !g_str_equal (algorithm->name, "tiles");
}

static GstGlesShape
shape_of (const ArraysAlgorithm *algorithm)
{
  gpointer plan = arrays_plan_new (algorithm, loop_rounds_queue, 1);
  const GstGlesShape shape = ((const GstGlesArray *) plan)->two_pass;

  algorithm->plan_free (plan);
  return shape;
}

static void
test_array (gconstpointer data)
{
  ArrayCase array = { data, 0 };
  const GstGlesShape shape = shape_of (array.table);

  for (; array.fill < G_N_ELEMENTS (fills); array.fill++)
    loop_rounds_measure (row_of (array.table->name), &shape, run_array, &array);
}

/* Single invocations only. Each team has one tile: only the number of partial results differs. */
static void
test_partials (gconstpointer data)
{
  static const gchar *const names[] = { "REDUCE", "SCAN", "COMPACT", "SEGMENTS", "UNIQUE",
    "TOP_K" };
  const ArrayCase array = { data, 0 };
  GHashTable *rounds[2];
  GHashTableIter iter;
  gpointer name, n;

  for (guint i = 0; i < 2; i++) {
    g_autofree gchar *variant = g_strdup_printf ("groups=%u", PARTIAL_GROUPS << i);

    for (guint k = 0; k < G_N_ELEMENTS (names); k++) {
      g_autofree gchar *variable = g_strdup_printf ("GST_GLES_%s_VARIANT", names[k]);
      g_setenv (variable, variant, TRUE);
    }
    const GstGlesShape shape = shape_of (data);
    rounds[i] =
        run_array (gst_gles_shape_max_teams (&shape) * gst_gles_shape_tile (&shape), &array);
  }
  g_hash_table_iter_init (&iter, rounds[1]);
  while (g_hash_table_iter_next (&iter, &name, &n)) {
    const gint more = GPOINTER_TO_INT (n) - GPOINTER_TO_INT (g_hash_table_lookup (rounds[0], name));

    if (strstr (name, " TEAM 0 ") == NULL)
      continue;
    g_test_message (
        "%.2f rounds a partial result: %s", (gdouble) more / (8 * PARTIAL_GROUPS), (gchar *) name);
    /* besides one or two for a larger power of two */
    if (more > (gint) (8 * PARTIAL_GROUPS * GST_GLES_PARTIAL_ROUNDS + 2))
      g_error ("%d rounds for %u more partial results, over %u each: %s", more, 8 * PARTIAL_GROUPS,
          GST_GLES_PARTIAL_ROUNDS, (const gchar *) name);
  }
  g_hash_table_unref (rounds[0]);
  g_hash_table_unref (rounds[1]);
}

static void
test_large (gconstpointer data)
{
  ArrayCase array = { data, 0 };
  const gboolean records = array.table->roles[0].words > 2;

  for (; array.fill < (records ? 1 : G_N_ELEMENTS (fills)); array.fill++)
    g_hash_table_unref (run_array (records ? LARGE_RECORDS : LARGE, &array));
}

/* ---- components ---- */

#define MASK_WIDTH 256  /* eight words of 32 pixels */
#define MAX_REGIONS 300 /* more than a workgroup selects */

/* Runs a mask in which every second pixel is a component, the most that there can be. The first
 * ones are listed, as all are of one size. */
static GHashTable *
run_components (guint n_words, gconstpointer data)
{
  const GstGlesComponentsConfig config = { .width = MASK_WIDTH,
    .height = n_words / (MASK_WIDTH / 32),
    .connectivity = 4,
    .max_regions = MAX_REGIONS };
  const guint n = config.width * config.height;
  g_autoptr (GstGlesBuffer) input = array_buffer (n);
  g_autoptr (GstGlesBuffer) output = array_buffer (sizeof (GstGlesRegion) / 4 * MAX_REGIONS);
  g_autoptr (GstGlesComponents) components = NULL;
  g_autofree guint32 *words = g_new (guint32, n);
  GstGlesRegion want[MAX_REGIONS];
  guint n_regions = 0;
  GError *error = NULL;

  for (guint i = 0; i < n; i++) {
    const guint x = i % MASK_WIDTH, y = i / MASK_WIDTH;

    words[i] = bench_mask_word (BENCH_MASK_CHECKERBOARD, x, y, MASK_WIDTH, config.height);
    if (words[i] >= BENCH_MASK_LOWER && n_regions < MAX_REGIONS)
      want[n_regions++] = (GstGlesRegion){ i, x, y, x, y, 1, words[i], 0, x, y, words[i], 0 };
  }
  array_fill (input, words, n);
  components = gst_gles_components_new (loop_rounds_queue, &config, &error);
  g_assert_no_error (error);
  loop_rounds_begin ();
  gst_gles_components_run (components, input, BENCH_MASK_LOWER, 255, 0, output, NULL, &error);
  g_assert_no_error (error);
  array_check (output, (const guint32 *) (gpointer) want, sizeof (want) / 4, "components");
  return loop_rounds_end ("components");
}

static void
test_components (void)
{
  const GstGlesComponentsConfig config = {
    .width = 32, .height = 32, .connectivity = 4, .max_regions = 1
  };
  GstGlesComponents *components = gst_gles_components_new (loop_rounds_queue, &config, NULL);
  const GstGlesShape shape = ((const GstGlesArray *) components)->two_pass;

  gst_gles_components_free (components);
  loop_rounds_measure (GST_GLES_ALGORITHM_COMPONENTS, &shape, run_components, NULL);
}

/* ---- histograms ---- */

/* Counters in one range and in several, of each kind, in keys of each size. */
static const struct {
  GstGlesKeyType type;
  guint bytes, bins;
} histograms[] = {
  { GST_GLES_KEY_U8, 1, 256 },
  { GST_GLES_KEY_U16, 2, 300 },
  { GST_GLES_KEY_U16, 2, 65536 },
  { GST_GLES_KEY_U32, 4, 4096 },
  { GST_GLES_KEY_U32, 4, 300 },
};

static GstGlesArrayHistogram *
histogram_new (guint at, const gchar *text, guint n)
{
  GstGlesArrayHistogram *histogram = NULL;
  GstGlesArrayHistogramVariant variant;
  GError *error = NULL;

  if (gst_gles_array_histogram_variant_parse (text, &variant, &error))
    histogram = gst_gles_array_histogram_new_full (loop_rounds_queue, histograms[at].type,
        histograms[at].bins, 0, histograms[at].bins, n, &variant, &error);
  g_assert_no_error (error);
  return histogram;
}

static void
test_histograms (gconstpointer data)
{
  g_autofree gchar *variant = g_strconcat (data, "+groups=1", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (histograms); i++) {
    const guint bytes = histograms[i].bytes, bins = histograms[i].bins;
    GstGlesArrayHistogram *histogram = histogram_new (i, variant, 1u << 20);
    const GstGlesShape shape = gst_gles_array_histogram_get_array (histogram)->two_pass;
    const guint n = gst_gles_shape_max_tiles (&shape) * gst_gles_shape_tile (&shape);
    g_autoptr (GstGlesBuffer) input = array_buffer (n / 4 * bytes), output = array_buffer (bins);
    g_autofree guint32 *keys = array_input (PATTERN_AND_1, n / 4 * bytes, 9);
    g_autofree guint32 *want = g_new0 (guint32, bins);
    g_autofree gchar *where =
        g_strdup_printf ("%s, %u keys of %u bytes, %u bins", variant, n, bytes, bins);
    GError *error = NULL;

    gst_gles_array_histogram_free (histogram);
    histogram = histogram_new (i, variant, n);
    for (guint k = 0; k < n; k++) {
      guint key;

      if (bytes == 4)
        keys[k] %= bins;
      key = bytes == 4 ? keys[k] : bytes == 2 ? ((guint16 *) keys)[k] : ((guint8 *) keys)[k];
      if (key < bins)
        want[key]++;
    }
    array_fill (input, keys, n / 4 * bytes);
    loop_rounds_begin ();
    gst_gles_array_histogram_run (histogram, input, n, output, &error);
    g_assert_no_error (error);
    array_check (output, want, bins, where);
    g_hash_table_unref (loop_rounds_end (where));
    gst_gles_array_histogram_free (histogram);
  }
}

/* ---- running ---- */

static void
add_one (const gchar *kind, const gchar *name, gconstpointer data, GTestDataFunc func)
{
  g_autofree gchar *path = g_strdup_printf ("/loop-rounds/%s/%s", kind, name);

  g_test_add_data_func (path, data, func);
}

/* The rounds of plans of one workgroup, which the variants with groups=1 have. */
static void
add_most (gboolean is_serial)
{
  static const gchar *const counters[] = { "private", "shared", "packed", "tables", "global" };

  for (guint i = 0; i < arrays_table_size; i++) {
    if (!has_row (&arrays_table[i]))
      continue;
    add_one ("most", arrays_table[i].name, &arrays_table[i], test_array);
    if (is_serial)
      add_one ("partials", arrays_table[i].name, &arrays_table[i], test_partials);
  }
  g_test_add_func ("/loop-rounds/most/components", test_components);
  for (guint i = 0; i < G_N_ELEMENTS (counters); i++) {
    g_autofree gchar *name = g_strconcat ("histogram-", counters[i], NULL);
    add_one ("most", name, counters[i], test_histograms);
  }
  loop_rounds_add_frames ();
  /* GLib runs the tests of one suite in this order, and those of a suite before its own suites */
  g_test_add_func ("/loop-rounds/most/stated", test_stated);
}

static void
add (void)
{
  if (gst_gles_device_get_kind (array_test.device) != GST_GLES_DEVICE_SOFTWARE)
    return;
  loop_rounds_queue = array_test.queue;
  native = gst_gles_device_new ("cpu", NULL);
  native_queue = gst_gles_device_get_queue (native);
  if (array_test.variant.max_groups == 1)
    add_most (g_str_equal (g_getenv ("GST_GLES_SCAN_VARIANT"), "groups=1"));
  for (guint i = 0; g_getenv ("GLES_TEST_LARGE") != NULL && i < arrays_table_size; i++)
    add_one ("large", arrays_table[i].name, &arrays_table[i], test_large);
}

int
main (int argc, char **argv)
{
  return array_test_main (argc, argv, "GST_GLES_SCAN_VARIANT", add);
}
