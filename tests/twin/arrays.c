/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Requirements that every array algorithm fulfils, checked with its native twin: a plan serves
 * calls of any size, plans can alternate, 1000 repetitions give one result, counts may be on the
 * device, nothing is written beyond outputs, calls in place give the same result, and invalid calls
 * are refused and change nothing. */
#include <string.h>

#include <gst/gles/gles.h>

#include "array-cases.h"
#include "arrays-table.h"

static GstGlesDevice *native;
static GstGlesQueue *native_queue;

/* ---- what calls leave ---- */

/* Computes the expected contents of the buffers after a call over @n values, with the native
 * twin. */
static guint32 *
expect (const ArraysAlgorithm *algorithm, guint capacity, guint room, guint spare, guint32 seed,
    guint n, gboolean indirect, guint *n_words)
{
  gpointer plan = arrays_plan_new (algorithm, native_queue, capacity);
  ArraysSet *set = arrays_set_new (algorithm, native_queue, room, spare, seed);
  guint32 *words;

  arrays_set_run (set, plan, n, indirect);
  words = arrays_set_read (set, plan, n_words);
  arrays_set_free (set);
  algorithm->plan_free (plan);
  return words;
}

/* Finds the buffer that a word is in, and the expected word. */
static void
tell_difference (
    const ArraysSet *set, const guint32 *got, const guint32 *want, guint n, const gchar *where)
{
  guint at = 0;

  for (guint i = 0; i < n; i++) {
    guint role = 0, first = 0;
    if (got[i] == want[i])
      continue;
    for (; role < set->n_roles && i >= first + set->sizes[role]; role++)
      first += set->sizes[role];
    at = i - first;
    g_error ("%s, %s: word %u of %s is 0x%08x, expected 0x%08x", set->algorithm->name, where, at,
        role < set->n_roles ? set->algorithm->roles[role].name : "the result", got[i], want[i]);
  }
}

/* Nothing was written behind what @n values need. */
static void
check_behind (const ArraysSet *set, const guint32 *words, guint n, const gchar *where)
{
  for (guint role = 0; role < set->n_roles; words += set->sizes[role++]) {
    const ArraysRole *r = &set->algorithm->roles[role];
    for (guint i = arrays_role_words (r, n); i < set->sizes[role] && r->written; i++) {
      if (words[i] != ARRAYS_GARBAGE)
        g_error ("%s, %s: word %u of %s, behind %u values, was written: 0x%08x",
            set->algorithm->name, where, i, r->name, n, words[i]);
    }
  }
}

static void
check_set (
    ArraysSet *set, gpointer plan, const guint32 *want, guint n_want, guint n, const gchar *where)
{
  guint n_words;
  g_autofree guint32 *got = arrays_set_read (set, plan, &n_words);

  g_assert_cmpuint (n_words, ==, n_want);
  tell_difference (set, got, want, n_words, where);
  check_behind (set, got, n, where);
}

/* ---- tests, each for one algorithm ---- */

/* One plan, grown and shrunk, with counts of the host and of the device. */
static void
test_sizes (gconstpointer data)
{
  static const guint sizes[] = { 1000, 1, 0, 33, 1025, 257, 1024, 31, 2, 1023, 3, 1100, 65, 777,
    5000, 4096, 4097, 3071 };
  const ArraysAlgorithm *algorithm = data;
  const guint capacity = array_test.quick ? 1100 : 5000;
  gpointer plan = arrays_plan_new (algorithm, array_test.queue, capacity);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (sizes); i++) {
    guint n = sizes[i % G_N_ELEMENTS (sizes)], n_words;
    if (n > capacity || (array_test.quick && i >= G_N_ELEMENTS (sizes)))
      continue;
    gboolean indirect = i % 2 != i / G_N_ELEMENTS (sizes);
    g_autofree gchar *where = g_strdup_printf ("%s%u values", indirect ? "indirect " : "", n);
    ArraysSet *set = arrays_set_new (algorithm, array_test.queue, n, ARRAYS_SPARE, i);
    g_autofree guint32 *want =
        expect (algorithm, capacity, n, ARRAYS_SPARE, i, n, indirect, &n_words);
    arrays_set_run (set, plan, n, indirect);
    check_set (set, plan, want, n_words, n, where);
    arrays_set_free (set);
  }
  algorithm->plan_free (plan);
}

/* Two plans by turns in one submission. */
static void
test_interleaved (gconstpointer data)
{
  static const guint sizes[2] = { 1501, 1077 };
  const ArraysAlgorithm *algorithm = data;
  gpointer plans[2];
  ArraysSet *sets[2];
  GError *error = NULL;

  for (guint i = 0; i < 2; i++) {
    plans[i] = arrays_plan_new (algorithm, array_test.queue, sizes[i] + i);
    sets[i] = arrays_set_new (algorithm, array_test.queue, sizes[i], ARRAYS_SPARE, 20 + i);
  }
  assert_ok (gst_gles_queue_begin (array_test.queue, &error));
  for (guint i = 0; i < 10; i++)
    arrays_set_run (sets[i % 2], plans[i % 2], sizes[i % 2], FALSE);
  assert_ok (gst_gles_queue_end (array_test.queue, &error));
  for (guint i = 0; i < 2; i++) {
    guint n_words;
    g_autofree guint32 *want =
        expect (algorithm, sizes[i], sizes[i], ARRAYS_SPARE, 20 + i, sizes[i], FALSE, &n_words);
    check_set (sets[i], plans[i], want, n_words, sizes[i], "interleaved");
    arrays_set_free (sets[i]);
    algorithm->plan_free (plans[i]);
  }
}

/* Several tiles, whose order of execution differs from run to run. */
static void
test_repetitions (gconstpointer data)
{
  const guint n = 2601, n_rounds = array_test.quick ? 6 : 1000;
  const ArraysAlgorithm *algorithm = data;
  gpointer plan = arrays_plan_new (algorithm, array_test.queue, n);
  ArraysSet *set = arrays_set_new (algorithm, array_test.queue, n, ARRAYS_SPARE, 3);
  guint n_words;
  g_autofree guint32 *want = expect (algorithm, n, n, ARRAYS_SPARE, 3, n, FALSE, &n_words);

  for (guint i = 0; i < n_rounds; i++) {
    arrays_set_reset (set);
    arrays_set_run (set, plan, n, FALSE);
    check_set (set, plan, want, n_words, n, "repetition");
  }
  arrays_set_free (set);
  algorithm->plan_free (plan);
}

/* Counts that only the device knows, over the capacity and over what buffers hold among them. */
static void
test_counts (gconstpointer data)
{
  static const guint counts[] = { 0, 1, 499, 500, 501, 514, 100000, 1u << 31, G_MAXUINT32 };
  const ArraysAlgorithm *algorithm = data;

  for (guint small = 0; small < 2; small++) {
    /* the plan ends before the buffers do, or the other way round */
    guint capacity = small != 0 ? 2000 : 500, spare = small != 0 ? 0 : ARRAYS_SPARE;
    gpointer plan = arrays_plan_new (algorithm, array_test.queue, capacity);
    ArraysSet *set = arrays_set_new (algorithm, array_test.queue, 500, spare, 4);
    for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
      guint n_words;
      g_autofree gchar *where =
          g_strdup_printf ("count %u, capacity %u, output of 500", counts[i], capacity);
      g_autofree guint32 *want =
          expect (algorithm, capacity, 500, spare, 4, counts[i], TRUE, &n_words);
      const GstGlesResult *result = (gpointer) (want + n_words - 4);
      arrays_set_reset (set);
      arrays_set_run (set, plan, counts[i], TRUE);
      check_set (set, plan, want, n_words, MIN (counts[i], 500), where);
      g_assert_cmpint ((result->status & GST_GLES_STATUS_COUNT_CLAMPED) != 0, ==, counts[i] > 500);
    }
    arrays_set_free (set);
    algorithm->plan_free (plan);
  }
}

/* Outputs that may be an input: the result is the same as with a separate buffer. */
static void
test_in_place (gconstpointer data)
{
  static const guint sizes[] = { 1, 33, 1031 };
  const ArraysAlgorithm *algorithm = data;
  gpointer plan = arrays_plan_new (algorithm, array_test.queue, 5000);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (sizes); i++) {
    guint n = sizes[i / 2], n_words, n_roles = arrays_n_roles (algorithm);
    ArraysSet *set = arrays_set_new (algorithm, array_test.queue, n, ARRAYS_SPARE, 5);
    g_autofree guint32 *apart =
        expect (algorithm, 5000, n, ARRAYS_SPARE, 5, n, i % 2 != 0, &n_words);
    g_autofree guint32 *got = NULL;
    GstGlesBuffer *own[ARRAYS_MAX_ROLES];
    guint first[ARRAYS_MAX_ROLES + 1] = { 0 };

    memcpy (own, set->call.buffers, sizeof (own));
    for (guint role = 0; role < n_roles; role++) {
      guint source = algorithm->roles[role].in_place;
      first[role + 1] = first[role] + set->sizes[role];
      if (source != 0)
        set->call.buffers[role] = own[source - 1];
    }
    arrays_set_run (set, plan, n, i % 2 != 0);
    got = arrays_set_read (set, plan, &n_words);
    memcpy (set->call.buffers, own, sizeof (own));
    for (guint role = 0; role < n_roles; role++) {
      guint n_needed = arrays_role_words (&algorithm->roles[role], n);
      if (algorithm->roles[role].in_place != 0 &&
          memcmp (got + first[role], apart + first[role], 4 * n_needed) != 0)
        g_error ("%s of %u in place: other %s", algorithm->name, n, algorithm->roles[role].name);
    }
    arrays_set_free (set);
  }
  algorithm->plan_free (plan);
}

/* ---- what is refused ---- */

static void
refuse (ArraysSet *set, gpointer plan, GstGlesError code, const gchar *what, const gchar *role)
{
  g_autofree gchar *where = g_strdup_printf ("%s: %s %s", set->algorithm->name, what, role);
  GError *error = NULL;

  if (set->algorithm->run (plan, &set->call, &error))
    g_error ("%s is not refused", where);
  g_assert_cmpuint (strlen (error->message), >, 10);
  array_expect_error (&error, code, where);
}

/* Makes the call with one buffer replaced. */
static void
refuse_buffer (ArraysSet *set, gpointer plan, guint role, GstGlesBuffer *buffer, const gchar *what)
{
  GstGlesBuffer *own = set->call.buffers[role];

  set->call.buffers[role] = buffer;
  refuse (set, plan, GST_GLES_ERROR_INVALID, what, set->algorithm->roles[role].name);
  set->call.buffers[role] = own;
}

static void
refuse_counts (ArraysSet *set, gpointer plan, GstGlesBuffer *foreign)
{
  set->call.count = GST_GLES_COUNT_DEVICE (set->count, 14);
  refuse (set, plan, GST_GLES_ERROR_INVALID, "a count", "at byte 14");
  set->call.count = GST_GLES_COUNT_DEVICE (set->count, 32);
  refuse (set, plan, GST_GLES_ERROR_INVALID, "a count", "behind its buffer");
  set->call.count = GST_GLES_COUNT_DEVICE (foreign, 0);
  refuse (set, plan, GST_GLES_ERROR_INVALID, "a count", "of another device");
  for (guint role = 0; role < set->n_roles; role++) {
    set->call.count = GST_GLES_COUNT_DEVICE (set->call.buffers[role], 0);
    if (set->algorithm->roles[role].written)
      refuse (set, plan, GST_GLES_ERROR_INVALID, "a count in", set->algorithm->roles[role].name);
  }
}

static void
refuse_overlaps (ArraysSet *set, gpointer plan)
{
  for (guint a = 0; a < set->n_roles; a++) {
    for (guint b = 0; b < set->n_roles; b++) {
      const ArraysRole *role = &set->algorithm->roles[a];
      if (a != b && role->written && role->in_place != b + 1)
        refuse_buffer (set, plan, a, set->call.buffers[b], "overlap");
    }
  }
}

static void
test_refused (gconstpointer data)
{
  const guint n = 200;
  const ArraysAlgorithm *algorithm = data;
  gpointer plan = arrays_plan_new (algorithm, array_test.queue, n);
  ArraysSet *set = arrays_set_new (algorithm, array_test.queue, n + 1, ARRAYS_SPARE, 6);
  g_autoptr (GstGlesDevice) other = gst_gles_device_new ("cpu", NULL);
  g_autoptr (GstGlesBuffer) foreign = gst_gles_buffer_new (other, 65536, NULL);
  guint n_words;
  g_autofree guint32 *before = NULL, *after = NULL;
  GError *error = NULL;

  before = arrays_set_read (set, plan, &n_words);
  set->call.count = GST_GLES_COUNT_HOST (n + 1);
  refuse (set, plan, GST_GLES_ERROR_TOO_LARGE, "one value more than", "the capacity");
  set->call.count = GST_GLES_COUNT_HOST (n);
  set->call.room = n;
  for (guint role = 0; role < set->n_roles; role++) {
    guint n_needed = arrays_role_words (&algorithm->roles[role], n);
    g_autoptr (GstGlesBuffer) small =
        gst_gles_buffer_new (array_test.device, 4 * (gsize) n_needed - 4, &error);
    g_assert_no_error (error);
    refuse_buffer (set, plan, role, foreign, "another device's");
    if (!algorithm->roles[role].any_size)
      refuse_buffer (set, plan, role, small, "small");
  }
  refuse_overlaps (set, plan);
  refuse_counts (set, plan, foreign);
  after = arrays_set_read (set, plan, &n_words);
  tell_difference (set, after, before, n_words, "after errors");
  if (algorithm->plan_new (array_test.queue, GST_GLES_MAX_VALUES + 1, &error) != NULL)
    g_error ("%s: a plan for more than there may be", algorithm->name);
  array_expect_error (&error, GST_GLES_ERROR_TOO_LARGE, algorithm->name);
  arrays_set_free (set);
  algorithm->plan_free (plan);
}

/* ---- running ---- */

static void
add_tests (void)
{
  static const struct {
    const gchar *name;
    GTestDataFunc func;
  } tests[] = { { "sizes", test_sizes }, { "interleaved", test_interleaved },
    { "repetitions", test_repetitions }, { "counts", test_counts }, { "in-place", test_in_place },
    { "refused", test_refused } };
  static const gchar *const like_sort_keys[] = { "sort-u64", "segments-group-by-f32", "top-k",
    NULL };

  native = gst_gles_device_new ("cpu", NULL);
  native_queue = gst_gles_device_get_queue (native);
  for (guint i = 0; i < arrays_table_size; i++) {
    /* plans as those of sort-keys, whose kernels take long on llvmpipe */
    if (array_test.quick && !array_test.is_cpu &&
        g_strv_contains (like_sort_keys, arrays_table[i].name))
      continue;
    for (guint k = 0; k < G_N_ELEMENTS (tests); k++) {
      g_autofree gchar *path = g_strconcat ("/", arrays_table[i].name, "/", tests[k].name, NULL);
      g_test_add_data_func (path, &arrays_table[i], tests[k].func);
    }
  }
}

int
main (int argc, char **argv)
{
  /* The tuning variable of any algorithm will do here. */
  int status = array_test_main (argc, argv, "GST_GLES_SCAN_VARIANT", add_tests);

  gst_clear_object (&native);
  return status;
}
