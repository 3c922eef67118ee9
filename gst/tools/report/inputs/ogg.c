/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ogg.h"

#include <string.h>

gboolean
report_is_ogg (const ReportBytes *file)
{
  return memcmp (file->data, "OggS", 4) == 0;
}

/* RFC 3533: pages, whose head ends with the sizes of up to 255 segments. Returns where the page at
 * @at ends, which may be behind the file, or 0 if none begins there. */
static guint64
find_page_end (const ReportBytes *file, guint64 at)
{
  guint64 end = at + 27;

  if (memcmp (file->data + at, "OggS", MIN (file->size - at, 4)) != 0)
    return 0;
  if (end < file->size) {
    const guint n = file->data[at + 26];

    end += n;
    for (guint i = 0; i < n && end <= file->size; i++)
      end += file->data[at + 27 + i];
  }
  return end;
}

gchar *
report_check_ogg_end (const ReportBytes *file)
{
  guint64 at = 0;

  while (at < file->size) {
    const guint64 end = find_page_end (file, at);

    if (end == 0)
      return NULL; /* something else follows */
    if (end > file->size)
      return report_file_describe_end (file, "last page", end);
    at = end;
  }
  return NULL;
}

/* What a byte adds to a checksum of Ogg. */
static void
make_sums (guint32 table[256])
{
  for (guint i = 0; i < 256; i++) {
    table[i] = i << 24;
    for (guint bit = 0; bit < 8; bit++)
      table[i] = table[i] << 1 ^ (table[i] & 0x80000000 ? 0x04c11db7 : 0);
  }
}

/* The checksum of a page is that of its bytes with 0 in place of the checksum itself, which are
 * those from 22 to 25. */
static gboolean
has_right_sum (const guint32 table[256], const guint8 *page, guint64 size)
{
  guint32 sum = 0;

  for (guint64 i = 0; i < size; i++)
    sum = sum << 8 ^ table[sum >> 24 ^ (i >= 22 && i < 26 ? 0 : page[i])];
  return sum == report_file_read_swapped (page + 22);
}

void
report_check_ogg (const ReportBytes *file, const ReportContent *content)
{
  g_autofree gchar *text = NULL;
  guint64 at = 0, first = 0;
  guint32 table[256];
  guint n_wrong = 0;

  /* at what time a page lies is not known, so a part of a file cannot be checked */
  if (!content->complete)
    return;
  make_sums (table);
  while (at < file->size) {
    const guint64 end = find_page_end (file, at);
    const guint8 *next = file->data + end;

    if (end == 0 || end > file->size || !has_right_sum (table, file->data + at, end - at)) {
      next = memmem (file->data + at + 1, file->size - at - 1, "OggS", 4);
      /* what is left is no page, or one that is cut off */
      if (next == NULL && (end == 0 || end > file->size))
        break;
      first = n_wrong++ == 0 ? at : first;
    }
    at = next != NULL ? (guint64) (next - file->data) : file->size;
  }
  if (n_wrong == 0)
    return;
  text =
      g_strdup_printf ("pages with a wrong checksum, the first at byte %" G_GUINT64_FORMAT, first);
  report_problems_add (content->problems,
      &(ReportFinding){ .problem = REPORT_PROBLEM_CORRUPTED,
          .end = content->end,
          .count = n_wrong,
          .text = text });
}
