/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What power/spool.py has recorded and checked.
 *
 * `write FOLDER MARKS` appends records to a spool, acknowledges some, and begins anew in the
 * middle. The file MARKS gets a line `synced N` when the first N records are on the disk and
 * `sent N` before as many are acknowledged.
 *
 * `check FOLDER...` prints, for each spool, the records that are there, or exits with 1 if they,
 * and those that are added, are not there once more at the next start. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "publish/spool.h"

#define MAX_BYTES (G_GUINT64_CONSTANT (64) << 20)
#define RECORD_BYTES 300000 /* four in a segment */
#define N_RECORDS 20
#define N_ADDED 3

static Spool *
open_spool (const gchar *path)
{
  g_autoptr (GError) error = NULL;
  Spool *spool = spool_open (path, MAX_BYTES, NULL, NULL, &error);

  if (spool == NULL)
    g_error ("%s", error->message);
  return spool;
}

static void
append (Spool *spool, guint number, gsize size)
{
  g_autofree gchar *topic = g_strdup_printf ("%u", number);
  g_autofree gchar *text = g_strnfill (size, (gchar) ('a' + number));
  g_autoptr (GBytes) data = g_bytes_new (text, size);
  const PublishRecord record = { topic, data, FALSE };
  guint64 n_dropped = 0;
  g_autoptr (GError) error = NULL;

  if (!spool_append (spool, &record, &n_dropped, &error) || n_dropped > 0)
    g_error ("%s", error != NULL ? error->message : "dropped");
}

/* Returns the number of the next record, or -1. */
static gint
read_record (Spool *spool, SpoolPlace *end)
{
  PublishRecord record;
  gint number;
  gsize size;

  if (!spool_read (spool, &record, end))
    return -1;
  number = (gint) g_ascii_strtoull (record.topic, NULL, 10);
  for (const gchar *data = g_bytes_get_data (record.data, &size); size > 0; size--, data++) {
    if (*data != (gchar) ('a' + number))
      g_error ("record %d was not written so", number);
  }
  publish_record_clear (&record);
  return number;
}

static void
mark (gint fd, const gchar *what, guint n)
{
  g_autofree gchar *line = g_strdup_printf ("%s %u\n", what, n);

  if (write (fd, line, strlen (line)) != (gssize) strlen (line))
    g_error ("cannot write marks");
}

static void
write_spool (const gchar *path, const gchar *marks)
{
  const gint fd = open (marks, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  Spool *spool = open_spool (path);
  SpoolPlace end = { 0 };
  guint n_sent = 0;

  for (guint i = 0; i < N_RECORDS; i++) {
    append (spool, i, RECORD_BYTES);
    if (i % 3 == 2) {
      spool_sync (spool);
      mark (fd, "synced", i + 1);
    }
    if (i % 4 == 3) {
      while (n_sent + 2 < i)
        n_sent = (guint) read_record (spool, &end) + 1;
      mark (fd, "sent", n_sent);
      spool_acknowledge (spool, &end);
    }
    if (i == N_RECORDS / 2) {
      spool_close (spool);
      mark (fd, "synced", i + 1);
      spool = open_spool (path);
    }
  }
  spool_sync (spool);
  mark (fd, "synced", N_RECORDS);
  for (gint number; (number = read_record (spool, &end)) >= 0;)
    n_sent = (guint) number + 1;
  mark (fd, "sent", n_sent);
  spool_acknowledge (spool, &end);
  spool_close (spool);
  close (fd);
}

static GArray *
read_all (Spool *spool)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (gint));
  SpoolPlace end;

  for (gint number; (number = read_record (spool, &end)) >= 0;)
    g_array_append_val (numbers, number);
  return numbers;
}

static gboolean
check_spool (const gchar *path)
{
  Spool *spool = open_spool (path);
  g_autoptr (GArray) first = read_all (spool), second = NULL;
  gboolean same;

  g_print ("%s", path);
  for (guint i = 0; i < first->len; i++)
    g_print (" %d", g_array_index (first, gint, i));
  g_print ("\n");
  for (gint i = 0; i < N_ADDED; i++) {
    append (spool, N_RECORDS + (guint) i, 100);
    g_array_append_val (first, ((gint[]){ N_RECORDS + i })[0]);
  }
  spool_close (spool);
  spool = open_spool (path);
  second = read_all (spool);
  spool_close (spool);
  same = first->len == second->len &&
      (first->len == 0 || memcmp (first->data, second->data, first->len * sizeof (gint)) == 0);
  if (!same)
    g_printerr ("%s: %u records, then %u\n", path, first->len, second->len);
  return same;
}

gint
main (gint argc, gchar **argv)
{
  if (argc == 4 && g_str_equal (argv[1], "write")) {
    write_spool (argv[2], argv[3]);
    return 0;
  }
  for (gint i = 2; i < argc; i++) {
    if (!check_spool (argv[i]))
      return 1;
  }
  return 0;
}
