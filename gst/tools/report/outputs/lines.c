/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lines.h"

static void
add_line (ReportOutput *self, const gchar *text, gsize size, gboolean is_event)
{
  report_file_write (self->file, text, size);
  report_file_write (self->file, "\n", 1);
}

static void
add_event_line (ReportOutput *self, const gchar *text, gsize size, gboolean is_event)
{
  if (is_event)
    add_line (self, text, size, is_event);
}

ReportOutput *
report_lines_output_new (const gchar *path, GError **error)
{
  ReportOutput *output = report_output_new (path, error);

  if (output != NULL)
    output->add_line = add_line;
  return output;
}

ReportOutput *
report_event_lines_output_new (const gchar *path, GError **error)
{
  ReportOutput *output = report_output_new (path, error);

  if (output != NULL)
    output->add_line = add_event_line;
  return output;
}
