/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "mapped-file.h"

#define MIN_SIZE (3 * 204 + 1) /* more than three packets of a transport stream */

GMappedFile *
report_file_map (const gchar *path, ReportBytes *file)
{
  GMappedFile *mapped =
      g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_mapped_file_new (path, FALSE, NULL) : NULL;

  if (mapped == NULL)
    return NULL;
  file->data = (const guint8 *) g_mapped_file_get_contents (mapped);
  file->size = g_mapped_file_get_length (mapped);
  if (file->size < MIN_SIZE)
    g_clear_pointer (&mapped, g_mapped_file_unref);
  return mapped;
}

guint64
report_file_read (const guint8 *data, guint n)
{
  guint64 number = 0;

  for (guint i = 0; i < n; i++)
    number = number << 8 | data[i];
  return number;
}

guint32
report_file_read_swapped (const guint8 *data)
{
  return GUINT32_SWAP_LE_BE ((guint32) report_file_read (data, 4));
}

gchar *
report_file_describe_end (const ReportBytes *file, const gchar *part, guint64 end)
{
  return g_strdup_printf (
      "the file ends %" G_GUINT64_FORMAT " bytes before the end of its %s", end - file->size, part);
}
