/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "output.h"

ReportOutput *
report_output_new (const gchar *path, GError **error)
{
  ReportFile *file = report_file_open (path, FALSE, error);
  ReportOutput *output;

  if (file == NULL)
    return NULL;
  output = g_new0 (ReportOutput, 1);
  output->file = file;
  return output;
}

void
report_output_free (gpointer data)
{
  ReportOutput *output = data;

  if (output->clear != NULL)
    output->clear (output);
  report_file_free (output->file);
  g_free (output);
}
