/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Scans against the native twin, bit for bit, in the variant that GST_GLES_SCAN_VARIANT forces.
 * tests/unit/cpu-scan.c compares the twin with a plain loop; arrays.c tests counts on the device,
 * repetitions, plans in turns and refused calls. */
#include <string.h>

#include <gst/gles/algo/scan/scan.h>
#include <gst/gles/cpu/scan/scan.h>

#include "array-cases.h"

/* How a call is made: bits of a way. What else differs counts from N_BITS on. */
enum {
  INCLUSIVE = 1 << 0,
  IN_PLACE = 1 << 1,
  INDIRECT = 1 << 2,
  N_BITS = 1 << 3
};

/* The buffers of a call. With a count on the device, more would fit. */
typedef struct {
  guint n;
  gboolean inclusive;
  guint32 *values, *want;
  GstGlesBuffer *input, *output, *count; /* count: NULL if the host knows it */
} Call;

static void
call_init (Call *c, Pattern pattern, guint n, guint way)
{
  *c = (Call){ n, (way & INCLUSIVE) != 0, array_input (pattern, n, n), g_new (guint32, n + 1) };
  c->input = array_buffer_of (c->values, n);
  c->output = (way & IN_PLACE) != 0 ? gst_gles_buffer_ref (c->input) : array_buffer (n);
  c->count = (way & INDIRECT) != 0 ? array_count_buffer (n) : NULL;
}

/* Fails unless the call left what the native twin left in c->want. Releases the buffers. */
static void
call_check (Call *c, GstGlesScan *scan, guint64 total, const gchar *where)
{
  array_check (c->output, c->want, c->n, where);
  if (c->output != c->input)
    array_check (c->input, c->values, c->n, where);
  array_check_result (gst_gles_scan_get_result (scan), total, c->n,
      total > G_MAXUINT32 ? GST_GLES_STATUS_TOTAL_WRAPPED : 0, where);
  gst_gles_buffer_unref (c->input);
  gst_gles_buffer_unref (c->output);
  g_clear_pointer (&c->count, gst_gles_buffer_unref);
  g_free (c->values);
  g_free (c->want);
}

static void
call_plain (GstGlesScan *scan, const Call *c)
{
  GError *error = NULL;

  if (c->count != NULL)
    (c->inclusive ? gst_gles_scan_inclusive_indirect : gst_gles_scan_exclusive_indirect) (
        scan, c->input, c->output, c->count, ARRAY_COUNT_OFFSET, &error);
  else
    (c->inclusive ? gst_gles_scan_inclusive : gst_gles_scan_exclusive) (
        scan, c->input, c->output, c->n, &error);
  g_assert_no_error (error);
}

static void
check_plain (gpointer plan, Pattern pattern, guint n, guint way)
{
  g_autofree gchar *where =
      g_strdup_printf ("scan of %u %s, way %u", n, pattern_name (pattern), way);
  Call c;

  call_init (&c, pattern, n, way);
  call_plain (plan, &c);
  call_check (&c, plan, gst_gles_cpu_scan (c.values, c.want, n, c.inclusive), where);
}

/* ---- segments and blocks ---- */

typedef enum {
  HEADS_NONE,
  HEADS_ALL,
  HEADS_ALTERNATING,
  HEADS_FIRST,
  HEADS_LAST,
  HEADS_RANDOM,
  HEADS_TILES, /* every power of two, minus and plus one */
  N_HEADS
} HeadsPattern;

static guint32 *
heads_input (HeadsPattern pattern, guint n)
{
  guint32 *heads = g_new0 (guint32, n + 1);
  Random random = { n };

  for (guint i = 0; i < n; i++) {
    if (pattern == HEADS_ALL || (pattern == HEADS_ALTERNATING && i % 2 == 0) ||
        (pattern == HEADS_FIRST && i == 0) || (pattern == HEADS_LAST && i == n - 1) ||
        (pattern == HEADS_RANDOM && random_word (&random) % 3000 == 0) ||
        (pattern == HEADS_TILES && ((i & (i - 1)) == 0 || (i & (i + 1)) == 0)))
      /* any word but 0 is a head */
      heads[i] = i % 3 == 0 ? 0x80000000u : i | 1;
  }
  return heads;
}

static void
check_segmented (gpointer plan, Pattern pattern, guint n, guint way)
{
  g_autofree gchar *where =
      g_strdup_printf ("segmented scan of %u %s, way %u", n, pattern_name (pattern), way);
  g_autofree guint32 *flags = heads_input (way / N_BITS, n);
  g_autoptr (GstGlesBuffer) heads = array_buffer_of (flags, n);
  GError *error = NULL;
  Call c;

  call_init (&c, pattern, n, way);
  if (c.count != NULL)
    gst_gles_scan_segmented_indirect (
        plan, c.input, heads, c.output, c.count, ARRAY_COUNT_OFFSET, c.inclusive, &error);
  else
    gst_gles_scan_segmented (plan, c.input, heads, c.output, n, c.inclusive, &error);
  g_assert_no_error (error);
  gst_gles_cpu_scan_segmented (c.values, flags, c.want, n, c.inclusive);
  call_check (&c, plan, 0, where);
  array_check (heads, flags, n, where);
}

/* Tiles have some of these sizes. 0: one block of all values */
static const guint blocks[] = { 0, 1, 2, 3, 4, 5, 7, 8, 31, 32, 33, 255, 256, 257, 1000, 1023, 1024,
  1025, 2048, 4096, 10000, 65536, G_MAXUINT };

static void
check_blocks (gpointer plan, Pattern pattern, guint n, guint way)
{
  const guint listed = blocks[way / N_BITS], block = listed != 0 ? listed : MAX (n, 1);
  const guint n_blocks = n / block + (n % block != 0);
  g_autofree gchar *where = g_strdup_printf (
      "scan of %u %s by blocks of %u, way %u", n, pattern_name (pattern), block, way);
  g_autofree guint32 *want_totals = g_new (guint32, n_blocks + 1);
  g_autoptr (GstGlesBuffer) sums = array_buffer (n_blocks);
  GstGlesBuffer *totals = (n + way) % 5 != 0 ? sums : NULL;
  GstGlesScanBlocks divided = { block, FALSE, totals };
  GError *error = NULL;
  Call c;

  call_init (&c, pattern, n, way);
  divided.inclusive = c.inclusive;
  if (c.count != NULL)
    gst_gles_scan_blocks_indirect (
        plan, c.input, c.output, c.count, ARRAY_COUNT_OFFSET, &divided, &error);
  else
    gst_gles_scan_blocks (plan, c.input, c.output, n, &divided, &error);
  g_assert_no_error (error);
  gst_gles_cpu_scan_blocks (
      c.values, c.want, n, &(GstGlesCpuBlocks){ block, c.inclusive, want_totals });
  call_check (&c, plan, 0, where);
  array_check (sums, want_totals, totals != NULL ? n_blocks : 0, where);
}

/* ---- golden examples of the field's textbooks ---- */

static void
test_golden (void)
{
  static const struct {
    guint n, block; /* 0: no blocks */
    gboolean inclusive;
    guint32 values[15], sums[15];
    guint64 total;
  } examples[] = {
    { 8, 0, FALSE, { 3, 1, 7, 0, 4, 1, 6, 3 }, { 0, 3, 4, 11, 11, 15, 16, 22 }, 25 },
    { 5, 0, FALSE, { 1, 2, 3, 4, 5 }, { 0, 1, 3, 6, 10 }, 15 },
    { 8, 0, TRUE, { 0, 1, 2, 3, 4, 5, 6, 7 }, { 0, 1, 3, 6, 10, 15, 21, 28 }, 28 },
    { 15, 0, TRUE, { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 },
        { 0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 105 }, 105 },
    { 15, 8, TRUE, { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 },
        { 0, 1, 3, 6, 10, 15, 21, 28, 8, 17, 27, 38, 50, 63, 77 }, 0 },
  };
  static const guint32 totals[] = { 28, 77 };
  g_autoptr (GstGlesScan) scan = ARRAY_NEW (scan, 15);
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (examples); i++) {
    const guint n = examples[i].n;
    g_autoptr (GstGlesBuffer) block_totals = array_buffer (2);
    Call c;

    call_init (&c, PATTERN_ZEROS, n, examples[i].inclusive ? INCLUSIVE : 0);
    memcpy (c.values, examples[i].values, 4 * n);
    memcpy (c.want, examples[i].sums, 4 * n);
    array_fill (c.input, c.values, n);
    if (examples[i].block == 0)
      call_plain (scan, &c);
    else
      gst_gles_scan_blocks (scan, c.input, c.output, n,
          &(GstGlesScanBlocks){ examples[i].block, TRUE, block_totals }, &error);
    g_assert_no_error (error);
    call_check (&c, scan, examples[i].total, "golden");
    array_check (block_totals, totals, examples[i].block != 0 ? 2 : 0, "totals");
  }
}

/* ---- edges ---- */

/* A plan and a buffer of capacity 0. */
static void
test_no_values (void)
{
  g_autoptr (GstGlesScan) scan = ARRAY_NEW (scan, 0);
  g_autoptr (GstGlesBuffer) input = gst_gles_buffer_new (array_test.device, 0, NULL);
  g_autoptr (GstGlesBuffer) output = array_buffer (0), count = array_count_buffer (3);
  GError *error = NULL;

  assert_ok (gst_gles_scan_exclusive (scan, input, output, 0, &error));
  array_check_result (gst_gles_scan_get_result (scan), 0, 0, 0, "no values");
  g_assert_true (
      gst_gles_scan_exclusive_indirect (scan, input, output, count, ARRAY_COUNT_OFFSET, &error));
  array_check (output, NULL, 0, "no capacity");
  array_check_result (
      gst_gles_scan_get_result (scan), 0, 0, GST_GLES_STATUS_COUNT_CLAMPED, "no capacity");
  assert_fails (
      gst_gles_scan_blocks (scan, input, output, 0, &(GstGlesScanBlocks){ 0 }, &error), INVALID);
}

static void
test_variant_words (void)
{
  static const gchar *const wrong[] = { "fast", "serial+portable", "stuck", "stalled=", "stalled=x",
    "rows=17", "window=100", "lookback+two-pass", "auto+" };
  GstGlesVariant variant;
  GError *error = NULL;

  g_assert_true (
      gst_gles_variant_parse ("V", "lookback+portable+spin-limit=7+rows=2", &variant, &error));
  g_assert_cmpint (variant.team, ==, GST_GLES_TEAM_SHARED);
  g_assert_cmpint (variant.scheme, ==, GST_GLES_SCHEME_LOOK_BACK);
  g_assert_cmpuint (variant.spin_limit, ==, 7);
  g_assert_cmpuint (variant.rows, ==, 2);
  g_assert_true (gst_gles_variant_parse ("V", "", &variant, &error));
  g_assert_cmpint (variant.team, ==, GST_GLES_TEAM_AUTO);
#ifdef GST_GLES_TEST_HOOKS
  g_assert_true (gst_gles_variant_parse ("V", "stalled=7", &variant, &error));
  g_assert_cmpuint (variant.stalled_tile, ==, 7);
#endif
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_assert_false (gst_gles_variant_parse ("V", wrong[i], &variant, &error));
    array_expect_error (&error, GST_GLES_ERROR_SETTINGS, wrong[i]);
  }
}

/* ---- 2^28 values: more than a storage block of many devices holds, than 65535 workgroups take,
 * and than 32 bits sum up; against a running sum, part by part ---- */

#define MANY (1u << 28)
#define PART (1u << 22)

static guint32
value_of_many (guint i)
{
  return (i * 2654435761u) >> 24;
}

/* Two buffers, the first one filled; FALSE if there is not so much memory. */
static gboolean
new_many (GstGlesBuffer *buffers[2])
{
  g_autofree guint32 *part = g_new (guint32, PART);
  GError *error = NULL;

  for (guint i = 0; i < 2; i++) {
    buffers[i] = gst_gles_buffer_new (array_test.device, 4 * (gsize) MANY, &error);
    if (buffers[i] == NULL) {
      array_expect_error (&error, GST_GLES_ERROR_NO_MEMORY, "2^28 values");
      return FALSE;
    }
  }
  for (guint first = 0; first < MANY; first += PART) {
    for (guint i = 0; i < PART; i++)
      part[i] = value_of_many (first + i);
    assert_ok (gst_gles_buffer_upload (
        buffers[0], array_test.queue, 4 * (gsize) first, part, 4 * (gsize) PART, &error));
  }
  return TRUE;
}

static void
check_many (GstGlesScan *scan, GstGlesBuffer *output, gboolean inclusive)
{
  g_autofree guint32 *part = g_new (guint32, PART);
  guint64 sum = 0;
  GError *error = NULL;

  for (guint first = 0; first < MANY; first += PART) {
    assert_ok (gst_gles_buffer_download (
        output, array_test.queue, 4 * (gsize) first, part, 4 * (gsize) PART, &error));
    for (guint i = 0; i < PART; i++) {
      guint64 next = sum + value_of_many (first + i);
      if (part[i] != (guint32) (inclusive ? next : sum))
        g_error ("sum %u of 2^28 is 0x%08x, expected 0x%08x", first + i, part[i],
            (guint32) (inclusive ? next : sum));
      sum = next;
    }
  }
  array_check_result (
      gst_gles_scan_get_result (scan), sum, MANY, GST_GLES_STATUS_TOTAL_WRAPPED, "2^28 values");
}

/* Whether the machine has 2 GiB to give, and some more: memory that is not there may only be missed
 * when it is written. */
static gboolean
has_memory (void)
{
  g_autofree gchar *text = NULL;
  const gchar *line;

  if (gst_gles_device_get_kind (array_test.device) == GST_GLES_DEVICE_HARDWARE ||
      !g_file_get_contents ("/proc/meminfo", &text, NULL, NULL))
    return TRUE;
  line = strstr (text, "MemAvailable:");
  return line == NULL || g_ascii_strtoull (line + strlen ("MemAvailable:"), NULL, 10) >> 20 >= 4;
}

/* From one array to another and in place. */
static void
test_many (void)
{
  GstGlesBuffer *buffers[2] = { NULL, NULL };
  GError *error = NULL;

  if (has_memory () && new_many (buffers)) {
    g_autoptr (GstGlesScan) scan = ARRAY_NEW (scan, MANY);
    assert_ok (gst_gles_scan_exclusive (scan, buffers[0], buffers[1], MANY, &error));
    check_many (scan, buffers[1], FALSE);
    assert_ok (gst_gles_scan_inclusive (scan, buffers[0], buffers[0], MANY, &error));
    check_many (scan, buffers[0], TRUE);
  } else {
    g_test_skip ("not enough memory");
  }
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&buffers[i], gst_gles_buffer_unref);
}

static void
add_tests (void)
{
  static const ArrayChecks checks[] = {
    { "plain", N_BITS, 0, ARRAY_PLAN (scan), check_plain,
        { { PATTERN_RAMP, 0 }, { PATTERN_ALL_MAXIMUM, INCLUSIVE | IN_PLACE | INDIRECT } }, 2 },
    { "segmented", N_BITS * N_HEADS, (1u << 20) + 1, ARRAY_PLAN (scan), check_segmented },
    { "blocks", N_BITS * G_N_ELEMENTS (blocks), (1u << 20) + 1, ARRAY_PLAN (scan), check_blocks },
  };

  g_test_add_func ("/scan/golden", test_golden);
  g_test_add_func ("/scan/no-values", test_no_values);
  g_test_add_func ("/scan/variant-words", test_variant_words);
  for (guint i = 0; i < G_N_ELEMENTS (checks); i++)
    array_add_checks ("scan", &checks[i]);
  if (g_getenv ("GLES_TEST_LARGE") != NULL)
    g_test_add_func ("/scan/many", test_many);
}

ARRAY_TEST_MAIN ("GST_GLES_SCAN_VARIANT", add_tests)
