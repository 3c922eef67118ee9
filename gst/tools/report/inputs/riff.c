/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Chunks of an identifier, a size, and data. */
#include "riff.h"

#include <string.h>

#define HEAD 8
#define ENTRY 16 /* of the index: identifier, flags, offset, size */

gboolean
report_is_riff (const ReportBytes *file)
{
  return memcmp (file->data, "RIFF", 4) == 0;
}

gchar *
report_check_riff_end (const ReportBytes *file)
{
  const guint32 size = report_file_read_swapped (file->data + 4);

  /* with both values the writer says that it did not know the size */
  if (size == 0 || size == G_MAXUINT32 || (guint64) size + HEAD <= file->size)
    return NULL;
  return report_file_describe_end (file, "RIFF chunk", (guint64) size + HEAD);
}

/* ---- the index of AVI ---- */

typedef struct {
  const guint8 *entries;
  guint64 n_entries;
  guint64 base; /* the position in the file from which offsets count */
} Index;

static gboolean
is_right (const ReportBytes *file, const Index *index, guint64 i)
{
  const guint8 *entry = index->entries + i * ENTRY;
  const guint64 at = index->base + report_file_read_swapped (entry + 8);

  /* an entry of size 0 may have no chunk, and the identifier of a list of chunks is another one */
  if (report_file_read (entry + 12, 4) == 0 || memcmp (entry, "rec ", 4) == 0)
    return TRUE;
  return at + HEAD <= file->size && memcmp (file->data + at, entry, 4) == 0 &&
      memcmp (file->data + at + 4, entry + 12, 4) == 0;
}

static guint64
count_right (const ReportBytes *file, const Index *index)
{
  guint64 n = 0;

  for (guint64 i = 0; i < index->n_entries; i++)
    n += is_right (file, index, i) ? 1 : 0;
  return n;
}

/* Finds the list of chunks, and the index, which is behind it. Offsets count from the type of the
 * list, and in files of some writers from the file's beginning. Returns FALSE if there is none that
 * is right for most chunks. */
static gboolean
find_index (const ReportBytes *file, Index *index)
{
  guint64 list = 0;

  index->entries = NULL;
  for (guint64 at = 12; index->entries == NULL && at + 12 <= file->size;) {
    const guint8 *chunk = file->data + at;
    const guint64 size = report_file_read_swapped (chunk + 4);

    if (size > file->size - at - HEAD)
      break;
    if (memcmp (chunk, "LIST", 4) == 0 && memcmp (chunk + HEAD, "movi", 4) == 0)
      list = at + HEAD;
    if (memcmp (chunk, "idx1", 4) == 0) {
      index->entries = chunk + HEAD;
      index->n_entries = size / ENTRY;
    }
    at += HEAD + size + size % 2;
  }
  if (list == 0 || index->entries == NULL)
    return FALSE;
  index->base = list;
  if (count_right (file, index) > index->n_entries / 2)
    return TRUE;
  index->base = 0;
  return count_right (file, index) > index->n_entries / 2;
}

/* Returns how long a picture is shown. */
static GstClockTime
get_step (const ReportBytes *file)
{
  return memcmp (file->data + 24, "avih", 4) == 0
      ? report_file_read_swapped (file->data + 32) * GST_USECOND
      : 0;
}

void
report_check_riff (const ReportBytes *file, const ReportContent *content)
{
  const GstClockTime step = get_step (file);
  GstClockTime time = 0;
  Index index;

  if (!find_index (file, &index))
    return;
  for (guint64 i = 0; i < index.n_entries; i++) {
    const guint8 *entry = index.entries + i * ENTRY;

    if (!is_right (file, &index, i)) {
      g_autofree gchar *text =
          g_strdup_printf ("the chunk at byte %" G_GUINT64_FORMAT " is not the one of the index",
              index.base + report_file_read_swapped (entry + 8));

      report_problems_add_unless_known (
          content->problems, REPORT_PROBLEM_CORRUPTED, time, time, text);
    }
    if (entry[2] == 'd') /* chunks of pictures are called 00dc or 00db */
      time += step;
  }
}
