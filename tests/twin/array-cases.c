/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "array-cases.h"

#include <string.h>

#include "../../gst/tools/bench/inputs.h"

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
  g_autoptr (GError) error = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  cache = gles_test_private_cache ();
  array_test.variant = gst_gles_variant_auto;
  if (variant_name != NULL &&
      !gst_gles_variant_from_environment (variant_name, &array_test.variant, &error)) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
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

guint *
array_sizes (guint max, guint *n_sizes)
{
  static const guint others[] = { 3, 5, 1000, 10000, 100000, 65535 * 16 + 1 };
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (guint));
  GRand *random = g_rand_new_with_seed (77);

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
    guint size = g_rand_int_range (random, limit / 10, limit);
    g_array_append_val (sizes, size);
  }
  g_rand_free (random);
  *n_sizes = sizes->len;
  return (guint *) (gpointer) g_array_free (sizes, FALSE);
}

guint
array_tile_sizes (const GstGlesArray *array, guint sizes[ARRAY_MAX_TILE_SIZES])
{
  const GstGlesShape *shapes[] = { &array->two_pass, &array->look_back };
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (shapes) && !array->is_cpu; i++) {
    guint tile = shapes[i]->invocations != 0 ? gst_gles_shape_tile (shapes[i]) : 0;
    for (guint k = 0; k < 6 && tile != 0; k++)
      sizes[n++] = tile * (1 + k / 3) + k % 3 - 1;
  }
  return n;
}

static guint32
float_word (GRand *random)
{
  static const guint32 words[] = { 0, 0x80000000u, 0x7f800000u, 0xff800000u, 1, 0x80000001u,
    0x007fffffu, 0x807fffffu, 0x00800000u, 0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xffffffffu,
    0x3f800000u, 0xbf800000u };
  union {
    gfloat value;
    guint32 word;
  } number;

  if (g_rand_int_range (random, 0, 64) == 0)
    return words[g_rand_int_range (random, 0, G_N_ELEMENTS (words))];
  number.value = (gfloat) g_rand_double_range (random, -1000, 1000);
  return number.word;
}

static guint32
pattern_word (Pattern pattern, guint32 seed, guint i, guint n, GRand *random)
{
  switch (pattern) {
    case PATTERN_ONES:
      return 1;
    case PATTERN_MAX:
      return G_MAXUINT32;
    case PATTERN_RAMP:
      return i;
      /* what benchmarks run on */
    case PATTERN_SORTED:
      return bench_key (BENCH_INPUT_SORTED, i, n);
    case PATTERN_REVERSED:
      return bench_key (BENCH_INPUT_REVERSED, i, n);
    case PATTERN_EQUAL:
      return bench_key (BENCH_INPUT_EQUAL, i, n);
    case PATTERN_TWO_VALUES:
      return bench_key (BENCH_INPUT_ALTERNATING, i, n);
    case PATTERN_OUTLIER:
      return bench_key (BENCH_INPUT_OUTLIER, i, n);
    case PATTERN_AND_1:
    case PATTERN_AND_2:
    case PATTERN_AND_3:
    case PATTERN_AND_4:
    case PATTERN_AND_5:
      return bench_word (seed, i, 1 + pattern - PATTERN_AND_1);
    case PATTERN_LOW_DIGIT:
      return g_rand_int (random) & 0xffu;
    case PATTERN_HIGH_DIGIT:
      return g_rand_int (random) & 0xff000000u;
    case PATTERN_FLOATS:
      return float_word (random);
    default:
      return 0;
  }
}

guint32 *
array_input (Pattern pattern, guint n, guint32 seed)
{
  GRand *random = g_rand_new_with_seed (seed + pattern);
  guint32 *values = g_new (guint32, n + 1);

  for (guint i = 0; i < n; i++)
    values[i] = pattern_word (pattern, seed, i, n, random);
  g_rand_free (random);
  return values;
}

const gchar *
array_pattern_name (Pattern pattern)
{
  static const gchar *const names[N_PATTERNS] = { "zeros", "ones", "max", "ramp", "sorted",
    "reversed", "equal", "two-values", "low-digit", "high-digit", "and-1", "and-2", "and-3",
    "and-4", "and-5", "outlier", "floats" };

  return names[pattern];
}

/* ---- buffers ---- */

GstGlesBuffer *
array_buffer (guint n)
{
  GError *error = NULL;
  GstGlesBuffer *buffer =
      gst_gles_buffer_new (array_test.device, 4 * ((gsize) n + CANARY_WORDS), &error);

  g_assert_no_error (error);
  array_spoil (buffer);
  return buffer;
}

void
array_fill (GstGlesBuffer *buffer, const guint32 *values, guint n)
{
  GError *error = NULL;

  gst_gles_buffer_upload (buffer, array_test.queue, 0, values, 4 * (gsize) n, &error);
  g_assert_no_error (error);
}

void
array_spoil (GstGlesBuffer *buffer)
{
  gsize size = gst_gles_buffer_get_size (buffer);
  g_autofree guint8 *bytes = g_malloc (size);

  memset (bytes, GARBAGE & 0xff, size);
  array_fill (buffer, (const guint32 *) (gpointer) bytes, size / 4);
}

void
array_check (GstGlesBuffer *buffer, const guint32 *want, guint n, const gchar *where)
{
  gsize size = gst_gles_buffer_get_size (buffer);
  g_autofree guint32 *got = g_malloc (size);
  GError *error = NULL;

  gst_gles_buffer_download (buffer, array_test.queue, 0, got, size, &error);
  g_assert_no_error (error);
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

  gst_gles_buffer_download (buffer, array_test.queue, 0, &result, sizeof (result), &error);
  g_assert_no_error (error);
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
