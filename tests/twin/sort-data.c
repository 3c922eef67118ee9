/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sort-data.h"

#include <string.h>

SortTest sort_test;

guint
key_words_of (GstGlesValueType type)
{
  return type == GST_GLES_VALUE_U64 ? 2 : 1;
}

GstGlesBuffer *
new_buffer (gsize n_words)
{
  GError *error = NULL;
  GstGlesBuffer *buffer = gst_gles_buffer_new (sort_test.device, 4 * n_words, &error);

  g_assert_no_error (error);
  return buffer;
}

Data *
data_new (guint capacity, guint key_words)
{
  Data *data = g_new0 (Data, 1);
  gsize n_keys = (gsize) capacity * key_words + CANARY_WORDS;
  gsize n = (gsize) capacity + CANARY_WORDS;

  *data = (Data){ capacity, key_words, g_new (guint32, n_keys), g_new (guint32, n),
    g_new (guint32, n_keys), g_new (guint32, n), g_new (guint32, n_keys), g_new (guint32, n),
    new_buffer (n_keys), new_buffer (n), new_buffer (n_keys), new_buffer (n), new_buffer (8) };
  return data;
}

void
data_free (Data *data)
{
  GstGlesBuffer *buffers[] = { data->keys_in, data->payloads_in, data->keys_out, data->payloads_out,
    data->count };
  guint32 *arrays[] = { data->keys, data->payloads, data->got_keys, data->got_payloads,
    data->want_keys, data->want_payloads };

  for (guint i = 0; i < G_N_ELEMENTS (buffers); i++)
    gst_gles_buffer_unref (buffers[i]);
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_free (arrays[i]);
  g_free (data);
}

void
upload (GstGlesBuffer *buffer, const guint32 *words, gsize n)
{
  GError *error = NULL;

  g_assert_true (gst_gles_buffer_upload (buffer, sort_test.queue, 0, words, 4 * n, &error));
  g_assert_no_error (error);
}

void
download (GstGlesBuffer *buffer, guint32 *words, gsize n)
{
  GError *error = NULL;

  g_assert_true (gst_gles_buffer_download (buffer, sort_test.queue, 0, words, 4 * n, &error));
  g_assert_no_error (error);
}

static gchar *
describe (const Case *c, guint n)
{
  return g_strdup_printf ("n %u, type %d%s%s, bits %u-%u, digits of %u%s%s%s, %s", n,
      c->config.type, c->config.descending ? " descending" : "",
      c->config.payload ? (c->indexed ? " indexed" : " pairs") : "", c->config.begin_bit,
      c->config.end_bit, c->config.digit_bits, c->in_place ? ", in place" : "",
      c->indirect ? ", indirect" : "", "", pattern_name (c->pattern));
}

void
fill (Data *data, const Case *c, guint n)
{
  gsize n_words = (gsize) n * data->key_words;

  pattern_fill (c->pattern, 1 + n, data->keys, n_words);
  pattern_fill (PATTERN_RANDOM, 77 + n, data->payloads, n);
  for (guint i = 0; i < CANARY_WORDS; i++) {
    data->keys[n_words + i] = CANARY;
    data->payloads[n + i] = CANARY;
  }
  for (gsize i = 0; i < n_words + CANARY_WORDS; i++)
    data->want_keys[i] = CANARY;
  for (gsize i = 0; i < n + CANARY_WORDS; i++)
    data->want_payloads[i] = CANARY;
  upload (data->keys_in, data->keys, n_words + CANARY_WORDS);
  upload (data->payloads_in, data->payloads, n + CANARY_WORDS);
  upload (data->keys_out, data->want_keys, n_words + CANARY_WORDS);
  upload (data->payloads_out, data->want_payloads, n + CANARY_WORDS);
}

/* Computes the expected output with the twin, in want_keys and want_payloads. */
void
sort_natively (Data *data, const Case *c, guint n)
{
  GstGlesCpuSortConfig cpu = { c->config.type, c->config.descending, c->config.begin_bit,
    c->config.end_bit };
  g_autofree gpointer scratch =
      g_malloc (MAX (gst_gles_cpu_sort_scratch_bytes (&cpu, n, c->config.payload), 1));

  gst_gles_cpu_sort (&cpu, data->keys, c->indexed ? NULL : data->payloads, data->want_keys,
      c->config.payload ? data->want_payloads : NULL, n, scratch);
}

void
run (GstGlesSort *sort, Data *data, const Case *c, guint n)
{
  GstGlesBuffer *keys_out = c->in_place ? data->keys_in : data->keys_out;
  GstGlesBuffer *payloads_in = c->config.payload && !c->indexed ? data->payloads_in : NULL;
  GstGlesBuffer *payloads_out = NULL;
  GError *error = NULL;
  guint32 counts[8] = { 9999999, 1, 2, n, 4, 5, 6, 7 };

  if (c->config.payload)
    payloads_out = c->in_place && !c->indexed ? data->payloads_in : data->payloads_out;
  if (c->indirect) {
    upload (data->count, counts, 8);
    gst_gles_sort_run_indirect (
        sort, data->keys_in, payloads_in, keys_out, payloads_out, data->count, 12, &error);
  } else {
    gst_gles_sort_run (sort, data->keys_in, payloads_in, keys_out, payloads_out, n, &error);
  }
  g_assert_no_error (error);
  download (keys_out, data->got_keys, (gsize) n * data->key_words + CANARY_WORDS);
  if (payloads_out != NULL)
    download (payloads_out, data->got_payloads, n + CANARY_WORDS);
}

void
assert_words (
    const guint32 *got, const guint32 *want, gsize n, const gchar *what, const gchar *where)
{
  if (memcmp (got, want, 4 * n) == 0)
    return;
  for (gsize i = 0; i < n; i++) {
    if (got[i] != want[i])
      g_error ("%s: word %" G_GSIZE_FORMAT " of the %s is %08x, expected %08x", where, i, what,
          got[i], want[i]);
  }
}

void
assert_result (GstGlesSort *sort, guint64 total, guint count, guint status, const gchar *where)
{
  GstGlesResult result;

  download (gst_gles_sort_get_result (sort), (guint32 *) &result, 4);
  if (result.total != total || result.count != count || result.status != status)
    g_error ("%s: result %" G_GUINT64_FORMAT ", %u, status %u; expected %" G_GUINT64_FORMAT
             ", %u, %u",
        where, result.total, result.count, result.status, total, count, status);
}

void
check_on (GstGlesSort *sort, Data *data, const Case *c, guint n)
{
  g_autofree gchar *where = describe (c, n);

  fill (data, c, n);
  sort_natively (data, c, n);
  run (sort, data, c, n);
  assert_words (
      data->got_keys, data->want_keys, (gsize) n * data->key_words + CANARY_WORDS, "keys", where);
  if (c->config.payload)
    assert_words (
        data->got_payloads, data->want_payloads, (gsize) n + CANARY_WORDS, "payloads", where);
  assert_result (sort, n, n, 0, where);
}

GstGlesSort *
new_sort (const GstGlesSortConfig *config, guint capacity)
{
  GError *error = NULL;
  GstGlesSort *sort = gst_gles_sort_new (sort_test.queue, config, capacity, &error);

  g_assert_no_error (error);
  g_assert_nonnull (sort);
  return sort;
}

Case
case_of (GstGlesValueType type, gboolean payload)
{
  Case c = { .pattern = PATTERN_RANDOM };

  gst_gles_sort_config_init (&c.config, type);
  c.config.payload = payload;
  return c;
}

/* One plan for all sizes. */
void
check_sizes (Case c, const guint *sizes, guint n_sizes)
{
  guint key_words = key_words_of (c.config.type);
  guint capacity = 0;
  Data *data;
  g_autoptr (GstGlesSort) sort = NULL;

  for (guint i = 0; i < n_sizes; i++)
    capacity = MAX (capacity, sizes[i]);
  data = data_new (capacity, key_words);
  sort = new_sort (&c.config, capacity);
  for (guint i = 0; i < n_sizes; i++) {
    check_on (sort, data, &c, sizes[i]);
    c.pattern = (c.pattern + 1) % N_PATTERNS;
    c.indirect = !c.indirect;
  }
  data_free (data);
}
