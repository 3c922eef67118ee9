/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "array-cases.h"

#include <string.h>

#define CANARY_WORDS 13
#define GARBAGE 0xa5a5a5a5u

ArrayTest array_test;

/* ---- running ---- */

static gboolean
open_device (int *status)
{
  const gchar *spec = g_getenv ("GLES_TEST_DEVICE");

  *status = 1;
  if (g_strcmp0 (spec, "cpu") == 0) {
    array_test.device = gst_gles_device_new ("cpu", NULL);
    array_test.is_cpu = TRUE;
  } else {
    array_test.device = gles_test_gl_device ();
    if (array_test.device == NULL)
      *status = gles_test_no_gl ();
  }
  return array_test.device != NULL;
}

/* Reads the words that all algorithms know. Sorts and histograms have others besides, and plans
 * fail with words that mean nothing. */
static void
read_variant (const gchar *name)
{
  const gchar *text = name != NULL ? g_getenv (name) : NULL;
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", "+", -1);
  g_autoptr (GString) known = g_string_new ("auto");
  GError *error = NULL;

  for (guint i = 0; words[i] != NULL; i++) {
    if (gst_gles_variant_parse (name, words[i], &array_test.variant, NULL))
      g_string_append_printf (known, "+%s", words[i]);
    else if (g_str_equal (words[i], "ballot"))
      g_string_append (known, "+subgroup");
  }
  assert_ok (gst_gles_variant_parse (name, known->str, &array_test.variant, &error));
}

/* Whether the device can run the variant at all: FALSE for subgroups where there are none. */
static gboolean
variant_runs (void)
{
  const GstGlesLimits *limits = gst_gles_device_get_limits (array_test.device);

  if (array_test.variant.team == GST_GLES_TEAM_SUBGROUP)
    return limits->subgroup_size >= 4 && (limits->subgroup_features & 0x3f) == 0x3f;
  if (array_test.variant.team == GST_GLES_TEAM_EMULATED)
    return gst_gles_device_get_kind (array_test.device) == GST_GLES_DEVICE_SOFTWARE;
  return TRUE;
}

int
array_test_main (int argc, char **argv, const gchar *variant_name, void (*add) (void))
{
  g_autofree gchar *cache = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  cache = gles_test_private_cache ();
  read_variant (variant_name);
  if (!open_device (&status))
    return status;
  if (!variant_runs ()) {
    g_printerr ("the device has no subgroups, or none that can be emulated: skipped\n");
    gst_object_unref (array_test.device);
    return GLES_TEST_SKIP;
  }
  array_test.queue = gst_gles_device_get_queue (array_test.device);
  array_test.quick = g_getenv ("GLES_TEST_QUICK") != NULL;
  array_test.max_n = array_test.quick ? (1u << 20) + 4099 : 1u << 23;
  /* 256 tiles of 256 values: from there on tickets are taken */
  if (array_test.variant.order == GST_GLES_ORDER_NUMBERED &&
      gst_gles_device_get_kind (array_test.device) == GST_GLES_DEVICE_SOFTWARE)
    array_test.max_n = 65000;
  if (gst_gles_device_get_kind (array_test.device) == GST_GLES_DEVICE_HARDWARE)
    array_test.max_n = (1u << 26) + 4097;
  if (array_test.variant.window != 0)
    array_test.max_n = GST_GLES_ARRAY_MAX_WINDOWS * array_test.variant.window;
  add ();
  status = g_test_run ();
  gst_object_unref (array_test.device);
  return status;
}

/* ---- cases ---- */

guint32 *
array_input (Pattern pattern, guint n, guint32 seed)
{
  guint32 *values = g_new (guint32, n + 1);

  pattern_fill (pattern, seed, values, n);
  return values;
}

/* Sizes not above @max: (transfer full) (element-type guint). */
static GArray *
sizes_up_to (guint max)
{
  static const guint others[] = { 3, 5, 1000, 10000, 100000, 65535 * 16 + 1 };
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (guint));
  Random random = { 77 };

  for (guint power = 0; power <= 20; power++) {
    for (guint i = 0; i < 3; i++) {
      guint size = (1u << power) + i - 1;
      if (size <= max)
        g_array_append_val (sizes, size);
    }
  }
  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    if (others[i] <= max)
      g_array_append_val (sizes, others[i]);
  }
  for (guint limit = 1000; limit <= max; limit *= 20) {
    guint size = limit / 10 + random_word (&random) % (limit - limit / 10);
    g_array_append_val (sizes, size);
  }
  g_array_append_val (sizes, max);
  return sizes;
}

static gpointer
new_plan (const ArrayChecks *checks, guint capacity)
{
  GError *error = NULL;
  gpointer plan = checks->plan_new (array_test.queue, capacity, &error);

  g_assert_no_error (error);
  return plan;
}

/* How many ways a size is worth: what differs between large arrays is the number of tiles, which
 * quick tests need with few, with 2^20 values and with the most. */
static guint
ways_of_size (guint n_ways, guint n)
{
  if (n <= 300)
    return array_test.quick ? MIN (n_ways, 4) : n_ways;
  if (n <= 20000)
    return MIN (n_ways, array_test.quick ? 3 : 8);
  if (array_test.quick)
    return n < 70000 || n >= (1u << 20) - 1 ? 1 : 0;
  return 2;
}

static void
test_sizes (gconstpointer data)
{
  const ArrayChecks *checks = data;
  const guint max = checks->max_n != 0 ? MIN (array_test.max_n, checks->max_n) : array_test.max_n;
  g_autoptr (GArray) sizes = sizes_up_to (max);
  gpointer plan = new_plan (checks, max);
  guint turn = 0;

  for (guint i = 0; i < sizes->len; i++) {
    guint n = g_array_index (sizes, guint, i);
    for (guint k = ways_of_size (checks->n_ways, n); k > 0; k--, turn++)
      checks->check (
          plan, (turn * 7 + turn / checks->n_ways) % N_PATTERNS, n, turn % checks->n_ways);
  }
  checks->plan_free (plan);
}

static void
test_patterns (gconstpointer data)
{
  const guint n = 10007;
  const ArrayChecks *checks = data;
  gpointer plan = new_plan (checks, n);
  guint n_ways = MIN (checks->n_ways, array_test.quick ? 3 : 16);

  for (guint i = 0; i < N_PATTERNS * n_ways; i++)
    checks->check (plan, i / n_ways, n, i % checks->n_ways);
  checks->plan_free (plan);
}

/* Two passes have a size of tile, and look-back has another. */
static void
test_tile_edges (gconstpointer data)
{
  const ArrayChecks *checks = data;
  gpointer plan = new_plan (checks, MIN (array_test.max_n, 100000));
  const GstGlesArray *array = plan;
  const GstGlesShape *shapes[] = { &array->two_pass, &array->look_back };
  guint n_ways = MIN (checks->n_ways, 9), turn = 0;

  for (guint i = 0; i < G_N_ELEMENTS (shapes) && !array->is_cpu; i++) {
    guint tile = shapes[i]->invocations != 0 ? gst_gles_shape_tile (shapes[i]) : 0;
    for (guint k = 0; k < 6 * n_ways && tile != 0; k++, turn++)
      checks->check (plan, PATTERN_RANDOM, tile * (1 + k / n_ways / 3) + k / n_ways % 3 - 1,
          turn % checks->n_ways);
  }
  if (turn == 0)
    g_test_skip ("native code has no tiles");
  checks->plan_free (plan);
}

static void
test_large (gconstpointer data)
{
  const guint n = (1u << 25) + 4099;
  const ArrayChecks *checks = data;
  gpointer plan = new_plan (checks, n);

  for (guint i = 0; i < checks->n_large; i++)
    checks->check (plan, checks->large[i].pattern, n, checks->large[i].way);
  checks->plan_free (plan);
}

static void
add_check (const gchar *algorithm, const gchar *kind, const ArrayChecks *checks, GTestDataFunc func)
{
  g_autofree gchar *path = g_strdup_printf ("/%s/%s/%s", algorithm, kind, checks->name);

  g_test_add_data_func (path, checks, func);
}

void
array_add_checks (const gchar *algorithm, const ArrayChecks *checks)
{
  add_check (algorithm, "sizes", checks, test_sizes);
  add_check (algorithm, "patterns", checks, test_patterns);
  add_check (algorithm, "tile-edges", checks, test_tile_edges);
  if (checks->n_large != 0 && array_test.variant.window == 0 && !array_test.quick)
    add_check (algorithm, "large", checks, test_large);
}

/* ---- buffers ---- */

GstGlesBuffer *
array_buffer_of (gconstpointer values, guint n)
{
  const gsize size = 4 * ((gsize) n + CANARY_WORDS);
  g_autofree guint32 *words = g_malloc (size);
  GError *error = NULL;
  GstGlesBuffer *buffer = gst_gles_buffer_new (array_test.device, size, &error);

  g_assert_no_error (error);
  memset (words, GARBAGE & 0xff, size);
  if (values != NULL)
    memcpy (words, values, 4 * (gsize) n);
  array_fill (buffer, words, n + CANARY_WORDS);
  return buffer;
}

void
array_fill (GstGlesBuffer *buffer, const guint32 *values, guint n)
{
  GError *error = NULL;

  assert_ok (gst_gles_buffer_upload (buffer, array_test.queue, 0, values, 4 * (gsize) n, &error));
}

void
array_spoil (GstGlesBuffer *buffer)
{
  gsize size = gst_gles_buffer_get_size (buffer);
  g_autofree guint32 *words = g_malloc (size);

  memset (words, GARBAGE & 0xff, size);
  array_fill (buffer, words, size / 4);
}

void
array_check (GstGlesBuffer *buffer, const guint32 *want, guint n, const gchar *where)
{
  gsize size = gst_gles_buffer_get_size (buffer);
  g_autofree guint32 *got = g_malloc (size);
  GError *error = NULL;

  assert_ok (gst_gles_buffer_download (buffer, array_test.queue, 0, got, size, &error));
  if (n != 0 && memcmp (got, want, 4 * (gsize) n) != 0) {
    for (guint i = 0; i < n; i++) {
      if (got[i] != want[i])
        g_error ("%s: word %u of %u is 0x%08x, expected 0x%08x", where, i, n, got[i], want[i]);
    }
  }
  for (gsize i = n; i < size / 4; i++) {
    if (got[i] != GARBAGE)
      g_error ("%s: word %" G_GSIZE_FORMAT " behind %u was written: 0x%08x", where, i, n, got[i]);
  }
}

void
array_check_result (
    GstGlesBuffer *buffer, guint64 total, guint count, guint status, const gchar *where)
{
  GstGlesResult result;
  GError *error = NULL;

  assert_ok (
      gst_gles_buffer_download (buffer, array_test.queue, 0, &result, sizeof (result), &error));
  if (result.total != total || result.count != count || result.status != status)
    g_error ("%s: result 0x%" G_GINT64_MODIFIER "x, %u, status %u; expected 0x%" G_GINT64_MODIFIER
             "x, %u, status %u",
        where, result.total, result.count, result.status, total, count, status);
}

GstGlesBuffer *
array_count_buffer (guint n)
{
  guint32 words[8] = { 1, 2, 3, n, 5, 6, 7, 8 };
  GError *error = NULL;
  GstGlesBuffer *buffer = gst_gles_buffer_new (array_test.device, sizeof (words), &error);

  g_assert_no_error (error);
  array_fill (buffer, words, G_N_ELEMENTS (words));
  return buffer;
}

void
array_expect_error (GError **error, GstGlesError code, const gchar *where)
{
  if (!g_error_matches (*error, GST_GLES_ERROR, code))
    g_error (
        "%s: expected error %d, got %s", where, code, *error != NULL ? (*error)->message : "none");
  g_clear_error (error);
}
