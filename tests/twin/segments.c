/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The segments' kernels against the native twin, bit for bit, in the variant that
 * GST_GLES_SEGMENTS_VARIANT forces; counts, beginnings and u32 sums against plain loops too. */
#include <math.h>
#include <string.h>

#include <gst/gles/algo/segments/segments-private.h>
#include <gst/gles/cpu/segments.h>

#include "gles-test.h"
#include "sort-cases.h"

#define CANARY_WORDS 16
#define CANARY 0xa5c3a5c3u
#define N_OUTPUTS 7

static GstGlesDevice *device;
static GstGlesQueue *queue;

typedef struct {
  GstGlesValueType key_type, value_type;
  Pattern pattern;
  guint wanted;   /* bits: which outputs, in the order of GstGlesSegmentsOutputs */
  guint capacity; /* entries of the outputs; 0: as many as there may be */
  gboolean indirect;
} Case;

static GstGlesBuffer *
new_buffer (gsize n_words)
{
  GError *error = NULL;
  GstGlesBuffer *buffer = gst_gles_buffer_new (device, 4 * n_words, &error);

  g_assert_no_error (error);
  return buffer;
}

static GstGlesBuffer *
new_filled (const guint32 *words, gsize n)
{
  GstGlesBuffer *buffer = new_buffer (n);
  GError *error = NULL;

  g_assert_true (gst_gles_buffer_upload (buffer, queue, 0, words, 4 * n, &error));
  g_assert_no_error (error);
  return buffer;
}

static void
download (GstGlesBuffer *buffer, gpointer words, gsize n)
{
  GError *error = NULL;

  g_assert_true (gst_gles_buffer_download (buffer, queue, 0, words, 4 * n, &error));
  g_assert_no_error (error);
}

static gchar *
describe (const Case *c, guint n)
{
  return g_strdup_printf ("n %u, keys of type %d, values of type %d, outputs %02x of %u%s, %s", n,
      c->key_type, c->value_type, c->wanted, c->capacity, c->indirect ? ", indirect" : "",
      pattern_name (c->pattern));
}

static void
assert_words (
    const guint32 *got, const guint32 *want, gsize n, const gchar *what, const gchar *where)
{
  for (gsize i = 0; i < n; i++) {
    if (got[i] != want[i])
      g_error ("%s: word %" G_GSIZE_FORMAT " of the %s is %08x, expected %08x", where, i, what,
          got[i], want[i]);
  }
}

/* The outputs that a case requests: their size in words, and copies on the host or on the
 * device. */
static void
set_outputs (guint wanted, gpointer const words[N_OUTPUTS], gpointer outputs)
{
  gpointer *fields = outputs;

  for (guint i = 0; i < N_OUTPUTS; i++)
    fields[i] = (wanted & (1u << i)) != 0 ? words[i] : NULL;
}

G_STATIC_ASSERT (
    G_STRUCT_OFFSET (GstGlesCpuSegments, maxs) == G_STRUCT_OFFSET (GstGlesSegmentsOutputs, maxs));

/* The plainest loop, for what needs no tree. */
static void
assert_plainly (const Case *c, const guint32 *keys, const guint32 *values, guint n, guint capacity,
    gpointer const want[N_OUTPUTS], guint64 total)
{
  guint words = c->key_type == GST_GLES_VALUE_U64 ? 2 : 1;
  const guint32 *starts = want[1], *counts = want[2], *sums = want[3], *sums_high = want[4];
  guint64 run = 0;

  for (guint first = 0, last; first < n; first = last, run++) {
    guint64 sum = 0;
    for (last = first; last < n &&
         memcmp (keys + (gsize) first * words, keys + (gsize) last * words, 4 * words) == 0;
         last++)
      sum += c->value_type == GST_GLES_VALUE_I32 ? (guint64) (gint32) values[last] : values[last];
    if (run >= capacity)
      continue;
    if ((c->wanted & 2) != 0)
      g_assert_cmpuint (starts[run], ==, first);
    if ((c->wanted & 4) != 0)
      g_assert_cmpuint (counts[run], ==, last - first);
    if ((c->wanted & 8) != 0 && c->value_type != GST_GLES_VALUE_F32)
      g_assert_cmpuint (sums[run], ==, (guint32) sum);
    if ((c->wanted & 16) != 0)
      g_assert_cmpuint (sums_high[run], ==, sum >> 32);
  }
  g_assert_cmpuint (run, ==, total);
}

static void
assert_result (
    GstGlesSegments *segments, guint64 total, guint count, guint status, const gchar *where)
{
  GstGlesResult result;

  download (gst_gles_segments_get_result (segments), &result, 4);
  if (result.total != total || result.count != count || result.status != status)
    g_error ("%s: result %" G_GUINT64_FORMAT ", %u, status %u; expected %" G_GUINT64_FORMAT
             ", %u, %u",
        where, result.total, result.count, result.status, total, count, status);
}

static void
run (GstGlesSegments *segments, const Case *c, GstGlesBuffer *keys, GstGlesBuffer *values, guint n,
    const GstGlesSegmentsOutputs *outputs)
{
  const guint32 counts[2] = { 12345678, n };
  g_autoptr (GstGlesBuffer) count = new_filled (counts, 2);
  GError *error = NULL;

  if (c->indirect)
    gst_gles_segments_run_indirect (
        segments, c->key_type, keys, c->value_type, values, count, 4, outputs, &error);
  else
    gst_gles_segments_run (segments, c->key_type, keys, c->value_type, values, n, outputs, &error);
  g_assert_no_error (error);
}

static void
check (GstGlesSegments *segments, const Case *c, guint n)
{
  static const gchar *const names[N_OUTPUTS] = { "keys", "starts", "counts", "sums", "high sums",
    "minima", "maxima" };
  g_autofree gchar *where = describe (c, n);
  guint key_words = c->key_type == GST_GLES_VALUE_U64 ? 2 : 1;
  guint capacity = c->capacity != 0 ? c->capacity : n;
  g_autofree guint32 *keys = g_new (guint32, (gsize) n * key_words + 1);
  g_autofree guint32 *values = g_new (guint32, n + 1);
  g_autoptr (GstGlesBuffer) keys_buffer = NULL, values_buffer = NULL;
  gpointer want[N_OUTPUTS], buffers[N_OUTPUTS];
  GstGlesSegmentsOutputs outputs = { 0 };
  GstGlesCpuSegments cpu = { .capacity = capacity };
  guint64 total;

  pattern_fill (c->pattern, n + 3, keys, (gsize) n * key_words);
  pattern_fill (
      c->value_type == GST_GLES_VALUE_F32 ? PATTERN_FLOATS : PATTERN_RANDOM, n, values, n);
  keys_buffer = new_filled (keys, (gsize) n * key_words);
  values_buffer = new_filled (values, n);
  for (guint i = 0; i < N_OUTPUTS; i++) {
    gsize size = (gsize) capacity * (i == 0 ? key_words : 1);
    guint32 *words = g_new (guint32, size + CANARY_WORDS);
    for (gsize k = 0; k < size + CANARY_WORDS; k++)
      words[k] = CANARY;
    want[i] = words;
    /* the capacity of the call is the size of the buffers when it is given */
    buffers[i] = new_filled (words, size + (c->capacity != 0 ? 0 : CANARY_WORDS));
  }
  set_outputs (c->wanted, want, &cpu);
  set_outputs (c->wanted, buffers, &outputs);
  total = gst_gles_cpu_segments (c->key_type, keys, c->value_type, values, n, &cpu);
  assert_plainly (c, keys, values, n, capacity, want, total);
  run (segments, c, keys_buffer, values_buffer, n, &outputs);
  for (guint i = 0; i < N_OUTPUTS; i++) {
    gsize size = gst_gles_buffer_get_size (buffers[i]) / 4;
    g_autofree guint32 *got = g_new (guint32, size + 1);
    download (buffers[i], got, size);
    assert_words (got, want[i], size, names[i], where);
    gst_gles_buffer_unref (buffers[i]);
    g_free (want[i]);
  }
  assert_result (segments, total, MIN (total, capacity),
      total > capacity ? GST_GLES_STATUS_TRUNCATED : 0, where);
}

static GstGlesSegments *
new_segments (guint capacity)
{
  GError *error = NULL;
  GstGlesSegments *segments = gst_gles_segments_new (queue, capacity, &error);

  g_assert_no_error (error);
  return segments;
}

/* All outputs that there are for values of a type. */
static guint
all_outputs (GstGlesValueType value_type)
{
  return value_type == GST_GLES_VALUE_F32 ? 0x7f & ~0x10u : 0x7f;
}

/* ---- tests ---- */

static void
test_sizes (void)
{
  static const guint sizes[] = { 0, 1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 127, 128, 129, 255, 256,
    257, 511, 512, 513, 1000, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 10000, 65535,
    65536, 65537 };
  g_autoptr (GstGlesSegments) segments = new_segments (65537 + CANARY_WORDS);
  Case c = { .pattern = PATTERN_RUNS };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    c.value_type = i % 3;
    c.key_type = i % 4;
    c.wanted = all_outputs (c.value_type);
    c.indirect = (i & 1) != 0;
    check (segments, &c, sizes[i]);
  }
}

static void
test_patterns (void)
{
  g_autoptr (GstGlesSegments) segments = new_segments (40000);
  Case c = { GST_GLES_VALUE_U32 };

  for (c.pattern = 0; c.pattern < N_PATTERNS; c.pattern++) {
    for (c.value_type = 0; c.value_type <= GST_GLES_VALUE_F32; c.value_type++) {
      c.wanted = all_outputs (c.value_type);
      check (segments, &c, 30000 + c.pattern);
    }
  }
}

static void
test_any_outputs (void)
{
  g_autoptr (GstGlesSegments) segments = new_segments (2000);
  Case c = { .pattern = PATTERN_RUNS, .value_type = GST_GLES_VALUE_I32 };

  for (c.wanted = 0; c.wanted < 128; c.wanted++)
    check (segments, &c, 1500);
}

static void
test_truncated (void)
{
  g_autoptr (GstGlesSegments) segments = new_segments (5000);
  Case c = { .pattern = PATTERN_RUNS, .value_type = GST_GLES_VALUE_F32 };
  guint64 total;

  c.wanted = all_outputs (c.value_type);
  check (segments, &c, 5000);
  download (gst_gles_segments_get_result (segments), &total, 2);
  g_assert_cmpuint (total, >, 4);
  for (guint i = 0; i < 4; i++) {
    /* one too few, just enough, ... */
    const guint capacities[] = { 1, 3, total - 1, total };
    c.capacity = capacities[i];
    for (guint k = 0; k < 2; k++) {
      c.indirect = k != 0;
      check (segments, &c, 5000);
    }
  }
}

static void
test_large (void)
{
  g_autoptr (GstGlesSegments) segments = new_segments (3000000);
  Case c = { .pattern = PATTERN_RUNS, .value_type = GST_GLES_VALUE_F32 };

  c.wanted = all_outputs (c.value_type);
  check (segments, &c, (1u << 20) - 1);
  check (segments, &c, 1u << 20);
  check (segments, &c, 100000);
  c.value_type = GST_GLES_VALUE_U32;
  c.wanted = all_outputs (c.value_type);
  check (segments, &c, (1u << 20) + 1);
  c.pattern = PATTERN_ZEROS;
  c.indirect = TRUE;
  check (segments, &c, 2500001);
  c.pattern = PATTERN_RANDOM;
  check (segments, &c, 300000);
}

/* Some random sizes up to 8 M. */
static void
test_huge (void)
{
  g_autoptr (GstGlesSegments) segments = new_segments (8u << 20);
  Case c = { .pattern = PATTERN_RUNS, .wanted = 0x0e };
  Random random = { 815 };

  for (guint i = 0; i < 3; i++) {
    c.indirect = i % 2 == 1;
    check (segments, &c, random_word (&random) % (8u << 20));
  }
}

/* More than a storage block holds is refused when the plan is made. */
static void
test_block_limit (void)
{
  guint64 limit = gst_gles_device_get_limits (device)->storage_block_bytes;
  GError *error = NULL;

  if (gst_gles_device_get_kind (device) == GST_GLES_DEVICE_CPU || limit / 4 > GST_GLES_MAX_VALUES) {
    g_test_skip ("there is no such limit");
    return;
  }
  g_assert_null (gst_gles_segments_new (queue, limit / 4, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE);
  g_clear_error (&error);
}

static void
test_repetitions (void)
{
  g_autoptr (GstGlesSegments) a = new_segments (3000);
  g_autoptr (GstGlesSegments) b = new_segments (5000);
  Case c = { .pattern = PATTERN_RUNS, .value_type = GST_GLES_VALUE_F32 };

  c.wanted = all_outputs (c.value_type);
  /* two plans take turns, each with another n every time */
  for (guint i = 0; i < 300; i++)
    check ((i & 1) != 0 ? a : b, &c, 1 + (i * 37) % 2900);
}

static void
test_counts_are_clamped (void)
{
  static const guint32 counts[] = { 1001, G_MAXUINT32, 1000 };
  g_autofree guint32 *keys = g_new0 (guint32, 2000);
  g_autoptr (GstGlesBuffer) keys_buffer = new_filled (keys, 2000);
  g_autoptr (GstGlesBuffer) lengths = new_buffer (2000);
  g_autoptr (GstGlesSegments) segments = new_segments (1000);
  GstGlesSegmentsOutputs outputs = { .counts = lengths };
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
    g_autoptr (GstGlesBuffer) count = new_filled (&counts[i], 1);
    guint32 length;
    g_assert_true (gst_gles_segments_run_indirect (segments, GST_GLES_VALUE_U32, keys_buffer,
        GST_GLES_VALUE_U32, NULL, count, 0, &outputs, &error));
    download (lengths, &length, 1);
    g_assert_cmpuint (length, ==, 1000);
    assert_result (segments, 1, 1, counts[i] > 1000 ? GST_GLES_STATUS_COUNT_CLAMPED : 0, "clamped");
  }
}

static void
assert_refused (GstGlesSegments *segments, GstGlesBuffer *keys, GstGlesBuffer *values, guint n,
    GstGlesValueType value_type, const GstGlesSegmentsOutputs *outputs, gint code)
{
  GError *error = NULL;

  g_assert_false (gst_gles_segments_run (
      segments, GST_GLES_VALUE_U32, keys, value_type, values, n, outputs, &error));
  g_assert_error (error, GST_GLES_ERROR, code);
  g_clear_error (&error);
}

/* Means of sums that exceed 32 bits, of negative sums, of floats, and of no values. */
static void
test_means (void)
{
  static const guint32 keys[] = { 1, 1, 1, 2, 3, 3, 3, 3 };
  static const guint32 values[] = { G_MAXUINT32, G_MAXUINT32, G_MAXUINT32 - 3, 7, (guint32) -10, 3,
    (guint32) -8, 1 };
  static const guint32 floats[] = { 0x3f800000u, 0x40000000u, 0xc0c00000u, 0x3e800000u, 0x40400000u,
    0x40400000u, 0x40400000u, 0x40800000u };
  static const gdouble want[3][3] = { { 4294967294.0, 7, 2147483644.5 }, { -2, 7, -3.5 },
    { -1, 0.25, 3.25 } };
  g_autoptr (GstGlesSegments) segments = new_segments (8);
  g_autoptr (GstGlesBuffer) keys_buffer = new_filled (keys, 8);

  for (GstGlesValueType type = 0; type <= GST_GLES_VALUE_F32; type++) {
    gboolean is_float = type == GST_GLES_VALUE_F32;
    g_autoptr (GstGlesBuffer) input = new_filled (is_float ? floats : values, 8);
    g_autoptr (GstGlesBuffer) sums = new_buffer (8), high = new_buffer (8), counts = new_buffer (8);
    const GstGlesSegmentsOutputs outputs = {
      .counts = counts, .sums = sums, .sums_high = is_float ? NULL : high
    };
    guint32 got[3][3] = { { 0 } };
    GError *error = NULL;

    g_assert_true (gst_gles_segments_run (
        segments, GST_GLES_VALUE_U32, keys_buffer, type, input, 8, &outputs, &error));
    download (sums, got[0], 3);
    if (!is_float)
      download (high, got[1], 3);
    download (counts, got[2], 3);
    for (guint i = 0; i < 3; i++)
      g_assert_cmpfloat (
          gst_gles_segments_get_mean (type, got[0][i], got[1][i], got[2][i]), ==, want[type][i]);
    g_assert_true (isnan (gst_gles_segments_get_mean (type, 0, 0, 0)));
  }
}

static void
test_bad_input (void)
{
  g_autoptr (GstGlesSegments) segments = new_segments (100);
  g_autoptr (GstGlesBuffer) keys = new_buffer (101);
  g_autoptr (GstGlesBuffer) values = new_buffer (101);
  g_autoptr (GstGlesBuffer) small = new_buffer (10);
  g_autoptr (GstGlesBuffer) output = new_buffer (101);
  g_autoptr (GstGlesDevice) other = gst_gles_device_new ("cpu", NULL);
  g_autoptr (GstGlesBuffer) foreign = gst_gles_buffer_new (other, 4000, NULL);
  GstGlesSegmentsOutputs sums = { .sums = output }, high = { .sums_high = output };
  GstGlesSegmentsOutputs into_keys = { .counts = keys }, into_values = { .keys = values };
  GstGlesSegmentsOutputs twice = { .mins = output, .maxs = output }, afar = { .sums = foreign };
  GstGlesSegments *s = segments;
  const GstGlesValueType u32 = GST_GLES_VALUE_U32;

  assert_refused (s, keys, values, 101, u32, &sums, GST_GLES_ERROR_TOO_LARGE);
  assert_refused (s, small, values, 11, u32, &sums, GST_GLES_ERROR_INVALID);
  assert_refused (s, keys, small, 11, u32, &sums, GST_GLES_ERROR_INVALID);
  assert_refused (s, keys, NULL, 10, u32, &sums, GST_GLES_ERROR_INVALID);
  assert_refused (s, keys, values, 10, GST_GLES_VALUE_F32, &high, GST_GLES_ERROR_INVALID);
  assert_refused (s, keys, values, 10, GST_GLES_VALUE_U64, &sums, GST_GLES_ERROR_INVALID);
  assert_refused (s, keys, values, 10, u32, &into_keys, GST_GLES_ERROR_INVALID);
  assert_refused (s, keys, values, 10, u32, &into_values, GST_GLES_ERROR_INVALID);
  assert_refused (s, keys, values, 10, u32, &twice, GST_GLES_ERROR_INVALID);
  assert_refused (s, foreign, values, 10, u32, &sums, GST_GLES_ERROR_INVALID);
  assert_refused (s, keys, values, 10, u32, &afar, GST_GLES_ERROR_INVALID);
}

int
main (int argc, char **argv)
{
  static const struct {
    const gchar *name;
    void (*func) (void);
  } tests[] = {
    { "sizes", test_sizes },
    { "patterns", test_patterns },
    { "any-outputs", test_any_outputs },
    { "truncated", test_truncated },
    { "large", test_large },
    { "huge", test_huge },
    { "block-limit", test_block_limit },
    { "repetitions", test_repetitions },
    { "counts-are-clamped", test_counts_are_clamped },
    { "means", test_means },
    { "bad-input", test_bad_input },
  };
  g_autofree gchar *cache = NULL;
  const gchar *spec;
  gint result;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  cache = gles_test_private_cache ();
  spec = g_getenv ("GLES_TEST_DEVICE");
  device = g_strcmp0 (spec, "cpu") == 0 ? gst_gles_device_new (spec, NULL) : gles_test_gl_device ();
  if (device == NULL)
    return gles_test_no_gl ();
  queue = gst_gles_device_get_queue (device);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree gchar *path = g_strconcat ("/segments/", tests[i].name, NULL);
    g_test_add_func (path, tests[i].func);
  }
  result = g_test_run ();
  gst_object_unref (device);
  return result;
}
