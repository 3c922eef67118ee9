/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "damage.h"
#include "beginning.h"
#include "container.h"
#include "decoder-log.h"
#include "monitor.h"
#include "sound.h"

struct _ReportDamage {
  Report *report;
  gchar *path;
  ReportBeginning beginning;
  ReportProblems *problems;
  ReportMonitor *monitor;
  ReportSound *sound; /* nullable */
};

static GstBusSyncReply
on_message (GstBus *bus, GstMessage *message, gpointer user_data)
{
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING)
    report_log_add_message (message);
  return GST_BUS_PASS;
}

ReportDamage *
report_damage_new (Report *report, const gchar *path, const ReportBeginning *beginning,
    GstElement *pipeline, GstPad *decoded)
{
  ReportDamage *self = g_new0 (ReportDamage, 1);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  self->report = report;
  self->path = g_strdup (path);
  self->beginning = *beginning;
  self->problems = report_problems_new ();
  report_log_begin (self->problems);
  self->monitor = report_monitor_new (self->problems, pipeline, beginning,
      GST_ELEMENT_FACTORY_TYPE_MEDIA_VIDEO | GST_ELEMENT_FACTORY_TYPE_MEDIA_IMAGE);
  report_monitor_output (self->monitor, decoded);
  gst_bus_set_sync_handler (bus, on_message, NULL, NULL);
  return self;
}

void
report_damage_start_sound (ReportDamage *self, const gchar *stream_id)
{
  self->sound =
      report_sound_start (self->report, self->path, stream_id, &self->beginning, self->problems);
}

void
report_damage_note_picture (ReportDamage *self, GstClockTime time)
{
  report_problems_note_picture (self->problems, time);
}

gboolean
report_damage_wants_picture (ReportDamage *self, GstClockTime time)
{
  return report_problems_want_picture (self->problems, time);
}

void
report_damage_add_picture (ReportDamage *self, GstClockTime time, GBytes *jpeg, gchar *line)
{
  report_problems_add_picture (self->problems, time, jpeg, line);
}

void
report_damage_end (
    ReportDamage *self, const GError *failure, GstClockTime position, guint timeout, gint *stop)
{
  const gboolean ended = failure == NULL && !g_atomic_int_get (stop);
  /* with --stop the rest of the file is not read */
  const gboolean complete = ended && !report_is_behind (self->report, G_MAXINT64);
  g_autofree gchar *truncated = complete ? report_check_container (self->path) : NULL;
  const ReportContent content = { self->report, self->problems, self->beginning.origin, position,
    complete };
  gint at_once = TRUE;

  report_sound_end (self->sound, timeout, ended ? stop : &at_once);
  if (failure != NULL)
    report_problems_add (self->problems,
        &(ReportFinding){
            .problem = REPORT_PROBLEM_UNREADABLE, .begin = position, .text = failure->message });
  report_monitor_finish (self->monitor, complete, truncated);
  if (ended)
    report_check_content (self->path, &content);
  report_problems_append (self->problems, self->report);
}

gboolean
report_analyse_sound (
    Report *report, const gchar *path, const ReportOptions *options, gint *stop, GError **error)
{
  ReportProblems *problems = report_problems_new ();
  ReportBeginning beginning;

  report_read_beginning (path, &beginning);
  report_log_begin (problems);
  report_sound_end (report_sound_start (report, path, options->stream_id, &beginning, problems),
      options->timeout, stop);
  report_problems_append (problems, report);
  report_log_end ();
  report_problems_free (problems);
  return TRUE;
}

void
report_damage_free (ReportDamage *self)
{
  if (self == NULL)
    return;
  report_log_end ();
  report_monitor_free (self->monitor);
  report_problems_free (self->problems);
  g_free (self->path);
  g_free (self);
}
