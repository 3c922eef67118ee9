/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A publisher that several threads add records to, and ask for its counts: nothing is lost, nothing
 * comes twice, and what one thread added keeps its order. */
#include <gst/check/gstcheck.h>

#include <glib/gstdio.h>

#include "publish/publisher.h"

#define N_THREADS 4
#define N_RECORDS 2000

typedef struct {
  Publisher *publisher;
  guint number;
} Adder;

static void
ignore (gboolean is_warning, const gchar *text, gpointer user_data)
{
  fail_unless (!is_warning, "%s", text);
}

static gpointer
add_records (gpointer data)
{
  const Adder *adder = data;
  PublisherStats stats;

  for (guint i = 0; i < N_RECORDS; i++) {
    g_autofree gchar *text = g_strdup_printf ("%u %u", adder->number, i);

    publisher_add (adder->publisher, "topic", text, strlen (text), FALSE);
    if (i % 100 == 0)
      publisher_get_stats (adder->publisher, &stats);
  }
  return NULL;
}

/* @folder: (nullable): of the spool. */
static void
check (const gchar *folder)
{
  g_autofree gchar *path = g_build_filename (g_get_tmp_dir (), "gles-publish-XXXXXX", NULL);
  const gint fd = g_mkstemp (path);
  g_autofree gchar *address = g_strdup_printf ("%d", fd), *text = NULL;
  const PublisherSettings settings = { .method = PUBLISH_FD,
    .address = address,
    .spool_directory = folder,
    .spool_bytes = 1 << 24,
    .queue_bytes = 1 << 24 };
  Publisher *publisher = publisher_new (&settings, ignore, NULL, NULL);
  GThread *threads[N_THREADS];
  Adder adders[N_THREADS];
  guint next[N_THREADS] = { 0 }, thread, number;
  g_auto (GStrv) lines = NULL;
  PublisherStats stats;

  fail_unless (publisher != NULL);
  for (guint i = 0; i < N_THREADS; i++) {
    adders[i] = (Adder){ publisher, i };
    threads[i] = g_thread_new ("adder", add_records, &adders[i]);
  }
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  publisher_drain (publisher, 60000);
  publisher_get_stats (publisher, &stats);
  fail_unless_equals_uint64 (stats.added, N_THREADS * N_RECORDS);
  fail_unless_equals_uint64 (stats.sent, N_THREADS * N_RECORDS);
  fail_unless_equals_uint64 (stats.waiting, 0);
  fail_unless_equals_uint64 (stats.dropped, 0);
  publisher_free (publisher, 0);

  fail_unless (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  fail_unless_equals_int (g_strv_length (lines), N_THREADS * N_RECORDS + 1);
  for (guint i = 0; i < N_THREADS * N_RECORDS; i++) {
    fail_unless_equals_int (sscanf (lines[i], "%u %u", &thread, &number), 2);
    fail_unless_equals_int (number, next[thread]++);
  }
  close (fd);
  g_unlink (path);
}

GST_START_TEST (threads_add_to_memory)
{
  check (NULL);
}
GST_END_TEST;

GST_START_TEST (threads_add_to_a_spool)
{
  g_autofree gchar *folder = g_dir_make_tmp ("gles-spool-XXXXXX", NULL);
  g_autoptr (GDir) dir = NULL;
  const gchar *name;

  check (folder);
  dir = g_dir_open (folder, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree gchar *path = g_build_filename (folder, name, NULL);

    g_unlink (path);
  }
  g_rmdir (folder);
}
GST_END_TEST;

static Suite *
threads_suite (void)
{
  Suite *suite = suite_create ("publish-threads");
  TCase *tcase = tcase_create ("publish-threads");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, threads_add_to_memory);
  tcase_add_test (tcase, threads_add_to_a_spool);
  return suite;
}

GST_CHECK_MAIN (threads);
