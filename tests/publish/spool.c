/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The spool of glespublish: order, what a former process left, bounds, and files that are damaged
 * at every place. */
#include <gst/check/gstcheck.h>

#include <glib/gstdio.h>

#include "publish/spool.h"

#define N 40

static gchar *folder;

static void
make_folder (void)
{
  folder = g_dir_make_tmp ("gles-spool-XXXXXX", NULL);
  fail_unless (folder != NULL);
}

static void
remove_folder (void)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree gchar *path = g_build_filename (folder, name, NULL);

    g_unlink (path);
  }
  g_dir_close (dir);
  g_rmdir (folder);
  g_free (folder);
}

/* The text of record @i, which has a length of its own. */
static gchar *
make_text (guint i)
{
  gchar *text = g_strdup_printf ("record %u ", i);
  const gsize length = strlen (text);

  text = g_realloc (text, length + i * 7 + 1);
  memset (text + length, 'a' + (gint) (i % 26), i * 7);
  text[length + i * 7] = '\0';
  return text;
}

static guint64
append (Spool *spool, guint begin, guint n)
{
  guint64 n_dropped = 0;

  for (guint i = begin; i < begin + n; i++) {
    g_autofree gchar *text = make_text (i);
    g_autofree gchar *topic = g_strdup_printf ("topic/%u", i);
    g_autoptr (GBytes) data = g_bytes_new (text, strlen (text));
    const PublishRecord record = { topic, data, i % 2 == 1 };

    fail_unless (spool_append (spool, &record, &n_dropped, NULL));
  }
  return n_dropped;
}

/* Returns the number of the record. */
static guint
check_record (PublishRecord *record)
{
  const guint number = (guint) g_ascii_strtoull (record->topic + strlen ("topic/"), NULL, 10);
  g_autofree gchar *text = make_text (number);
  gsize size;
  gconstpointer data = g_bytes_get_data (record->data, &size);

  fail_unless_equals_int (size, strlen (text));
  fail_unless (memcmp (data, text, size) == 0);
  fail_unless_equals_int (record->retain, number % 2 == 1);
  publish_record_clear (record);
  return number;
}

/* Reads what there is, which is in order. Returns how many records, and *@end of the last. */
static guint
read_all (Spool *spool, guint begin, SpoolPlace *end)
{
  PublishRecord record;
  guint n = 0;

  for (; spool_read (spool, &record, end); n++)
    fail_unless_equals_int (check_record (&record), begin + n);
  return n;
}

static Spool *
open_spool (guint64 max_bytes)
{
  g_autoptr (GError) error = NULL;
  Spool *spool = spool_open (folder, max_bytes, NULL, NULL, &error);

  fail_unless (spool != NULL, "%s", error != NULL ? error->message : "");
  return spool;
}

GST_START_TEST (records_come_back_in_order_until_they_are_acknowledged)
{
  Spool *spool = open_spool (G_GUINT64_CONSTANT (1) << 20);
  SpoolPlace end, middle;
  PublishRecord record;

  fail_unless_equals_uint64 (append (spool, 0, N), 0);
  for (guint i = 0; i < N / 2; i++) {
    fail_unless (spool_read (spool, &record, &middle));
    fail_unless (!spool_is_old (spool, &middle));
    fail_unless_equals_int (check_record (&record), i);
  }
  fail_unless_equals_int (read_all (spool, N / 2, &end), N / 2);
  spool_acknowledge (spool, &middle);
  spool_close (spool);

  spool = open_spool (G_GUINT64_CONSTANT (1) << 20);
  fail_unless_equals_uint64 (append (spool, N, N), 0);
  fail_unless (spool_read (spool, &record, &end));
  fail_unless (spool_is_old (spool, &end));
  fail_unless_equals_int (check_record (&record), N / 2);
  fail_unless_equals_int (read_all (spool, N / 2 + 1, &end), N + N / 2 - 1);
  spool_acknowledge (spool, &end);
  spool_close (spool);

  spool = open_spool (G_GUINT64_CONSTANT (1) << 20);
  fail_unless_equals_int (read_all (spool, 0, &end), 0);
  spool_close (spool);
}
GST_END_TEST;

GST_START_TEST (a_spool_has_one_owner)
{
  Spool *spool = open_spool (G_GUINT64_CONSTANT (1) << 20);
  g_autoptr (GError) error = NULL;

  fail_unless (spool_open (folder, 1 << 20, NULL, NULL, &error) == NULL);
  fail_unless (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_BUSY));
  spool_close (spool);
  spool_close (open_spool (G_GUINT64_CONSTANT (1) << 20));
}
GST_END_TEST;

/* Segments have a megabyte, so that those of before go one after the other. */
GST_START_TEST (the_oldest_records_go_and_are_counted)
{
  const guint64 max = G_GUINT64_CONSTANT (4) << 20;
  const guint n = 4000;
  Spool *spool = open_spool (max);
  PublishRecord record;
  SpoolPlace end;
  guint64 n_dropped = 0;
  guint begin;

  for (guint i = 0; i < n; i += 100)
    n_dropped += append (spool, i, 100);
  fail_unless (n_dropped > n / 2 && n_dropped < n);
  fail_unless (spool_read (spool, &record, &end));
  begin = check_record (&record);
  fail_unless_equals_uint64 (begin, n_dropped);
  fail_unless_equals_int (read_all (spool, begin + 1, &end), n - begin - 1);
  spool_close (spool);
}
GST_END_TEST;

/* Returns the path of the only segment that has something: (transfer full). */
static gchar *
find_segment (void)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  gchar *found = NULL;
  const gchar *name;

  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree gchar *path = g_build_filename (folder, name, NULL);
    GStatBuf about;

    if (g_str_has_suffix (name, ".spool") && g_stat (path, &about) == 0 && about.st_size > 0) {
      fail_unless (found == NULL);
      found = g_steal_pointer (&path);
    }
  }
  g_dir_close (dir);
  fail_unless (found != NULL);
  return found;
}

static void
count_notice (gboolean is_warning, const gchar *text, gpointer user_data)
{
  fail_unless (is_warning && strstr (text, "damaged") != NULL);
  *(guint *) user_data += 1;
}

/* Whatever a byte becomes, and wherever the file ends: what is read was written so. */
GST_START_TEST (damage_is_found)
{
  const guint n = 6;
  g_autofree gchar *path = NULL, *whole = NULL,
                   *position = g_build_filename (folder, "position", NULL);
  Spool *spool;
  gsize size;

  spool = open_spool (1 << 20);
  append (spool, 0, n);
  spool_close (spool);
  path = find_segment ();
  fail_unless (g_file_get_contents (path, &whole, &size, NULL));
  for (gsize i = 0; i < 2 * size; i++) {
    g_autofree gchar *damaged = g_memdup2 (whole, size);
    const gboolean cut = i >= size;
    guint n_notices = 0, n_read;
    SpoolPlace end;

    damaged[i % size] ^= (gchar) (1 << (i % 8));
    g_unlink (position);
    fail_unless (
        g_file_set_contents (path, cut ? whole : damaged, (gssize) (cut ? i - size : size), NULL));
    spool = spool_open (folder, 1 << 20, count_notice, &n_notices, NULL);
    n_read = read_all (spool, 0, &end);
    fail_unless (n_read < n);
    fail_unless (cut || n_notices == 1);
    spool_close (spool);
  }
}
GST_END_TEST;

/* Leaves @n records of which @n_sent are acknowledged, in segment 1. */
static void
leave_records (guint n, guint n_sent)
{
  Spool *spool = open_spool (1 << 20);
  SpoolPlace end;
  PublishRecord record;

  append (spool, 0, n);
  for (guint i = 0; i < n_sent; i++) {
    fail_unless (spool_read (spool, &record, &end));
    check_record (&record);
  }
  spool_acknowledge (spool, &end);
  spool_close (spool);
}

/* The next segment has the number of the one that is gone, of which the position speaks. */
GST_START_TEST (a_position_of_a_segment_that_is_gone_costs_nothing)
{
  const guint n_new = 300;
  g_autofree gchar *path = NULL;
  Spool *spool;
  SpoolPlace end;

  leave_records (2 * N, N);
  path = find_segment ();
  fail_unless (g_unlink (path) == 0);
  spool = open_spool (1 << 20);
  append (spool, 0, n_new);
  spool_close (spool);
  spool = open_spool (1 << 20);
  fail_unless_equals_int (read_all (spool, 0, &end), n_new);
  spool_close (spool);
}
GST_END_TEST;

/* A position that is no border of records, as a disk may leave it, would skip what it does not
 * name. */
GST_START_TEST (a_position_between_records_is_not_believed)
{
  g_autofree gchar *position = g_build_filename (folder, "position", NULL);
  Spool *spool;
  SpoolPlace end;

  leave_records (N, 1);
  fail_unless (g_file_set_contents (position, "0000000000000001 0000000000000123\n", -1, NULL));
  spool = open_spool (1 << 20);
  fail_unless_equals_int (read_all (spool, 0, &end), N);
  spool_close (spool);
}
GST_END_TEST;

static void
count_lack (gboolean is_warning, const gchar *text, gpointer user_data)
{
  fail_unless (is_warning && strstr (text, "lacks segment 2") != NULL, "%s", text);
  *(guint *) user_data += 1;
}

GST_START_TEST (a_segment_that_is_gone_is_told)
{
  Spool *spool = open_spool (G_GUINT64_CONSTANT (16) << 20);
  g_autofree gchar *path = g_build_filename (folder, "0000000000000002.spool", NULL);
  guint n_notices = 0, n_read;
  SpoolPlace end;
  PublishRecord record;

  for (guint i = 0; i < 1000; i++)
    append (spool, 1000, 1);
  spool_close (spool);
  fail_unless (g_unlink (path) == 0);
  spool = spool_open (folder, 16 << 20, count_lack, &n_notices, NULL);
  for (n_read = 0; spool_read (spool, &record, &end); n_read++)
    check_record (&record);
  fail_unless (n_read > 0 && n_read < 1000);
  fail_unless_equals_int (n_notices, 1);
  spool_close (spool);
}
GST_END_TEST;

static Suite *
spool_suite (void)
{
  Suite *suite = suite_create ("spool");
  TCase *tcase = tcase_create ("spool");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, make_folder, remove_folder);
  tcase_add_test (tcase, records_come_back_in_order_until_they_are_acknowledged);
  tcase_add_test (tcase, a_spool_has_one_owner);
  tcase_add_test (tcase, the_oldest_records_go_and_are_counted);
  tcase_add_test (tcase, damage_is_found);
  tcase_add_test (tcase, a_position_of_a_segment_that_is_gone_costs_nothing);
  tcase_add_test (tcase, a_position_between_records_is_not_believed);
  tcase_add_test (tcase, a_segment_that_is_gone_is_told);
  return suite;
}

GST_CHECK_MAIN (spool);
