/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Hands on what a report gets to its outputs. Here are the simple ones: the page, and lines of
 * glesjson. */
#include "outputs.h"

void
report_output_free (gpointer data)
{
  ReportOutput *output = data;

  if (output->clear != NULL)
    output->clear (output);
  report_file_free (output->file);
  g_free (output);
}

void
report_add_output (Report *report, ReportOutput *output)
{
  g_ptr_array_add (report_get_outputs (report), output);
}

void
report_add_results (Report *report, const ReportResults *results)
{
  const GPtrArray *outputs = report_get_outputs (report);

  report_add_frame (report, results);
  for (guint i = 0; i < outputs->len; i++) {
    ReportOutput *output = g_ptr_array_index (outputs, i);

    if (output->add_results != NULL)
      output->add_results (output, results);
  }
}

void
report_add_line (Report *report, const gchar *text, gsize size, gboolean is_event)
{
  const GPtrArray *outputs = report_get_outputs (report);

  for (guint i = 0; i < outputs->len; i++) {
    ReportOutput *output = g_ptr_array_index (outputs, i);

    if (output->add_line != NULL)
      output->add_line (output, text, size, is_event);
  }
}

gboolean
report_check (Report *report, GError **error)
{
  const GPtrArray *outputs = report_get_outputs (report);

  for (guint i = 0; i < outputs->len; i++) {
    if (!report_file_check (((ReportOutput *) g_ptr_array_index (outputs, i))->file, error))
      return FALSE;
  }
  return TRUE;
}

/* Adds @failure: (transfer full) (nullable), to *@all on a line of its own. */
static void
add_failure (GError **all, GError *failure)
{
  if (failure == NULL)
    return;
  if (*all != NULL)
    g_prefix_error (&failure, "%s\n", (*all)->message);
  g_clear_error (all);
  *all = failure;
}

gboolean
report_finish (Report *report, gboolean partial, GError **error)
{
  GPtrArray *outputs = report_get_outputs (report);
  GError *all = NULL;

  /* on a full disk the others may have the room of those that go */
  for (guint i = outputs->len; i > 0; i--) {
    GError *failure = NULL;

    if (!report_file_check (((ReportOutput *) g_ptr_array_index (outputs, i - 1))->file, &failure))
      g_ptr_array_remove_index (outputs, i - 1);
    add_failure (&all, failure);
  }
  for (guint i = 0; i < outputs->len; i++) {
    ReportOutput *output = g_ptr_array_index (outputs, i);
    GError *failure = NULL;

    if (output->finish != NULL)
      output->finish (output, report, partial);
    report_file_close (output->file, &failure);
    add_failure (&all, failure);
  }
  if (all != NULL)
    g_propagate_error (error, all);
  return all == NULL;
}

/* ---- the page and lines ---- */

static ReportOutput *
output_new (const gchar *path, GError **error)
{
  ReportFile *file = report_file_open (path, FALSE, error);
  ReportOutput *output;

  if (file == NULL)
    return NULL;
  output = g_new0 (ReportOutput, 1);
  output->file = file;
  return output;
}

static void
finish_page (ReportOutput *self, Report *report, gboolean partial)
{
  g_autoptr (GString) page = report_to_html (report, partial);

  report_file_print (self->file, page);
}

ReportOutput *
report_page_output_new (const gchar *path, GError **error)
{
  ReportOutput *output = output_new (path, error);

  if (output != NULL)
    output->finish = finish_page;
  return output;
}

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
  ReportOutput *output = output_new (path, error);

  if (output != NULL)
    output->add_line = add_line;
  return output;
}

ReportOutput *
report_event_lines_output_new (const gchar *path, GError **error)
{
  ReportOutput *output = output_new (path, error);

  if (output != NULL)
    output->add_line = add_event_line;
  return output;
}
