/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernels of top-k against the native twin, bit for bit, and both against a sort. */
#include <string.h>

#include <gst/gles/algo/top-k/top-k.h>
#include <gst/gles/cpu/segments.h>

#include "gles-test.h"
#include "sort-cases.h"

#define CANARY_WORDS 16
#define CANARY 0xa5c3a5c3u

static GstGlesDevice *device;
static GstGlesQueue *queue;

static GstGlesBuffer *
new_filled (const guint32 *words, gsize n)
{
  GError *error = NULL;
  GstGlesBuffer *buffer = gst_gles_buffer_new (device, 4 * n, &error);

  g_assert_no_error (error);
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

static GstGlesTopK *
new_top_k (GstGlesValueType type, gboolean largest, guint capacity, guint max_k)
{
  GError *error = NULL;
  GstGlesTopK *top_k = gst_gles_top_k_new (queue, type, largest, capacity, max_k, &error);

  g_assert_no_error (error);
  return top_k;
}

typedef struct {
  guint32 key, index;
} Entry;

static gint
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *x = a, *y = b;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* A sort of all. */
static void
select_plainly (GstGlesValueType type, gboolean largest, const guint32 *keys, guint n, guint k,
    guint32 *top_keys, guint32 *top_indices)
{
  g_autofree Entry *entries = g_new (Entry, n + 1);

  for (guint i = 0; i < n; i++) {
    guint32 key = gst_gles_cpu_to_key (type, keys[i]);
    entries[i] = (Entry){ largest ? ~key : key, i };
  }
  qsort (entries, n, sizeof (Entry), compare_entries);
  for (guint i = 0; i < k; i++) {
    top_keys[i] = keys[entries[i].index];
    top_indices[i] = entries[i].index;
  }
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

/* @outputs: bits: 1 keys, 2 indices. */
static void
check (GstGlesTopK *top_k, GstGlesValueType type, gboolean largest, Pattern pattern, guint n,
    guint k, guint outputs, gboolean indirect)
{
  g_autofree gchar *where = g_strdup_printf ("%s, type %d%s, n %u, k %u%s", pattern_name (pattern),
      type, largest ? ", largest" : "", n, k, indirect ? ", indirect" : "");
  guint m = MIN (n, k);
  g_autofree guint32 *keys = g_new (guint32, n + 1), *got = g_new (guint32, k + CANARY_WORDS);
  g_autofree guint32 *want_keys = g_new (guint32, k + CANARY_WORDS);
  g_autofree guint32 *want_indices = g_new (guint32, k + CANARY_WORDS);
  g_autofree guint32 *plain = g_new (guint32, 2 * k + 1);
  g_autofree gpointer scratch = g_malloc (MAX (gst_gles_cpu_top_k_scratch_bytes (k), 1));
  g_autoptr (GstGlesBuffer) in = NULL, out_keys = NULL, out_indices = NULL, count = NULL;
  GstGlesResult result;
  GError *error = NULL;

  pattern_fill (pattern, n + k, keys, n);
  for (guint i = 0; i < k + CANARY_WORDS; i++)
    want_keys[i] = want_indices[i] = CANARY;
  in = new_filled (keys, n);
  out_keys = new_filled (want_keys, k + CANARY_WORDS);
  out_indices = new_filled (want_keys, k + CANARY_WORDS);
  count = new_filled (&n, 1);
  gst_gles_cpu_top_k (type, largest, keys, n, k, want_keys, want_indices, scratch);
  select_plainly (type, largest, keys, n, m, plain, plain + k);
  assert_words (want_keys, plain, m, "twin's keys", where);
  assert_words (want_indices, plain + k, m, "twin's indices", where);
  if (indirect)
    gst_gles_top_k_run_indirect (top_k, in, count, 0, k, (outputs & 1) != 0 ? out_keys : NULL,
        (outputs & 2) != 0 ? out_indices : NULL, &error);
  else
    gst_gles_top_k_run (top_k, in, n, k, (outputs & 1) != 0 ? out_keys : NULL,
        (outputs & 2) != 0 ? out_indices : NULL, &error);
  g_assert_no_error (error);
  if ((outputs & 1) != 0) {
    download (out_keys, got, k + CANARY_WORDS);
    assert_words (got, want_keys, k + CANARY_WORDS, "keys", where);
  }
  if ((outputs & 2) != 0) {
    download (out_indices, got, k + CANARY_WORDS);
    assert_words (got, want_indices, k + CANARY_WORDS, "indices", where);
  }
  download (gst_gles_top_k_get_result (top_k), &result, 4);
  g_assert_cmpuint (result.total, ==, n);
  g_assert_cmpuint (result.count, ==, m);
  g_assert_cmpuint (result.status, ==, 0);
}

static void
test_patterns (void)
{
  static const guint ks[] = { 1, 10, 100, 1000 };

  for (GstGlesValueType type = 0; type <= GST_GLES_VALUE_F32; type++) {
    for (guint largest = 0; largest < 2; largest++) {
      g_autoptr (GstGlesTopK) top_k = new_top_k (type, largest, 20000, 1000);
      for (Pattern pattern = 0; pattern < N_PATTERNS; pattern++)
        check (top_k, type, largest, pattern, 20000 - pattern, ks[pattern % 4], 3, pattern % 2);
    }
  }
}

static void
test_sizes (void)
{
  static const guint sizes[] = { 0, 1, 2, 31, 32, 33, 255, 256, 257, 1000, 2047, 2048, 2049, 10000,
    65535, 65536, 100000 };
  g_autoptr (GstGlesTopK) top_k = new_top_k (GST_GLES_VALUE_U32, TRUE, 100000, 100000);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const guint ks[] = { 0, 1, sizes[i] / 2, sizes[i], sizes[i] + 5, 300 };
    for (guint j = 0; j < G_N_ELEMENTS (ks); j++)
      check (top_k, GST_GLES_VALUE_U32, TRUE, (i + j) % 2 != 0 ? PATTERN_RANDOM : PATTERN_AND_5,
          sizes[i], ks[j], 1 + j % 3, (i + j) % 3 == 0);
  }
}

static void
test_large (void)
{
  g_autoptr (GstGlesTopK) top_k = new_top_k (GST_GLES_VALUE_F32, TRUE, 2000000, 50000);

  check (top_k, GST_GLES_VALUE_F32, TRUE, PATTERN_FLOATS, 2000000, 50000, 3, FALSE);
  check (top_k, GST_GLES_VALUE_F32, TRUE, PATTERN_RANDOM, (1u << 20) + 1, 100, 3, TRUE);
  check (top_k, GST_GLES_VALUE_F32, TRUE, PATTERN_ZEROS, 1u << 20, 777, 3, TRUE);
}

/* Some random sizes up to 8 M. */
static void
test_huge (void)
{
  g_autoptr (GstGlesTopK) top_k = new_top_k (GST_GLES_VALUE_I32, FALSE, 8u << 20, 1000);
  Random random = { 816 };

  check (top_k, GST_GLES_VALUE_I32, FALSE, PATTERN_RANDOM, (1u << 20) - 1, 1000, 3, FALSE);
  for (guint i = 0; i < 2; i++)
    check (top_k, GST_GLES_VALUE_I32, FALSE, PATTERN_AND_3, random_word (&random) % (8u << 20),
        1000, 3, i % 2 == 0);
}

/* More than a storage block holds is refused when the plan is made. */
static void
test_block_limit (void)
{
  guint64 n = gst_gles_device_get_limits (device)->storage_block_bytes / 4 + 1;
  GError *error = NULL;

  if (gst_gles_device_get_kind (device) == GST_GLES_DEVICE_CPU || n > GST_GLES_MAX_VALUES) {
    g_test_skip ("there is no such limit");
    return;
  }
  g_assert_null (gst_gles_top_k_new (queue, GST_GLES_VALUE_U32, FALSE, n, 10, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE);
  g_clear_error (&error);
}

static void
assert_refused (GstGlesTopK *top_k, GstGlesBuffer *keys, guint n, guint k, GstGlesBuffer *top_keys,
    GstGlesBuffer *top_indices, gint code)
{
  GError *error = NULL;

  g_assert_false (gst_gles_top_k_run (top_k, keys, n, k, top_keys, top_indices, &error));
  g_assert_error (error, GST_GLES_ERROR, code);
  g_clear_error (&error);
}

static void
test_bad_input (void)
{
  g_autofree guint32 *words = g_new0 (guint32, 200);
  g_autoptr (GstGlesTopK) top_k = new_top_k (GST_GLES_VALUE_U32, FALSE, 100, 20);
  g_autoptr (GstGlesBuffer) keys = new_filled (words, 200);
  g_autoptr (GstGlesBuffer) a = new_filled (words, 20);
  g_autoptr (GstGlesBuffer) small = new_filled (words, 5);
  GError *error = NULL;

  assert_refused (top_k, keys, 101, 5, a, NULL, GST_GLES_ERROR_TOO_LARGE);
  assert_refused (top_k, keys, 100, 21, a, NULL, GST_GLES_ERROR_TOO_LARGE);
  assert_refused (top_k, small, 100, 6, a, NULL, GST_GLES_ERROR_INVALID);
  assert_refused (top_k, keys, 100, 6, small, NULL, GST_GLES_ERROR_INVALID);
  assert_refused (top_k, keys, 100, 6, a, a, GST_GLES_ERROR_INVALID);
  assert_refused (top_k, keys, 100, 6, a, keys, GST_GLES_ERROR_INVALID);
  g_assert_null (gst_gles_top_k_new (queue, GST_GLES_VALUE_U64, FALSE, 10, 10, &error));
  g_assert_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  g_clear_error (&error);
}

int
main (int argc, char **argv)
{
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
  g_test_add_func ("/top-k/patterns", test_patterns);
  g_test_add_func ("/top-k/sizes", test_sizes);
  g_test_add_func ("/top-k/large", test_large);
  g_test_add_func ("/top-k/huge", test_huge);
  g_test_add_func ("/top-k/block-limit", test_block_limit);
  g_test_add_func ("/top-k/bad-input", test_bad_input);
  result = g_test_run ();
  gst_object_unref (device);
  return result;
}
