/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads lines with results in place of a video. Frames are those of the lines; what glesevents
 * finds in them, and what follows from it, is made anew. */
#include "replay.h"
#include "../../../json/check.h"
#include "../files/stop.h"
#include "../files/streams.h"
#include "../model/members.h"
#include "../model/recent.h"
#include "lines.h"

#include <string.h>

#include <gio/gio.h>
#include <gst/app/gstappsrc.h>

struct _ReportReplay {
  gchar *path;
  GDataInputStream *lines;
  JsonParser *parser;
  gchar *ahead;        /* (nullable): the line that comes next */
  guint number;        /* of that line */
  ReportRecent *jpegs; /* of GBytes: the last JPEGs of events */
  /* lines of events that cannot be found again in results: of sound, and problems */
  GPtrArray *later;
};

static GQuark
kept_quark (void)
{
  static GQuark quark;

  if (quark == 0)
    quark = g_quark_from_static_string ("gst-gles-report-picture");
  return quark;
}

static GQuark
extra_quark (void)
{
  static GQuark quark;

  if (quark == 0)
    quark = g_quark_from_static_string ("gst-gles-report-extra");
  return quark;
}

static GQuark
stored_quark (void)
{
  static GQuark quark;

  if (quark == 0)
    quark = g_quark_from_static_string ("gst-gles-report-stored");
  return quark;
}

void
report_replay_get_extra (GstBuffer *buffer, ReportResults *results)
{
  const ReportExtra *extra =
      gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (buffer), extra_quark ());

  results->stored_format =
      gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (buffer), stored_quark ());
  if (extra == NULL)
    return;
  results->brng = extra->brng;
  results->key = extra->key;
}

static void
kept_free (gpointer data)
{
  g_bytes_unref (((ReportPicture *) data)->jpeg);
  g_free (data);
}

const ReportPicture *
report_replay_get_picture (GstBuffer *buffer)
{
  return gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (buffer), kept_quark ());
}

GBytes *
report_replay_find_picture (ReportReplay *self, GstClockTime time)
{
  return report_recent_find (self->jpegs, time);
}

/* ---- lines ---- */

/* Moves on to the next line. */
static gboolean
read_ahead (ReportReplay *self, GError **error)
{
  GError *failure = NULL;

  g_free (self->ahead);
  self->ahead =
      g_data_input_stream_read_line (self->lines, NULL, report_stop_get_reading (), &failure);
  self->number++;
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

/* Returns the members of the next line: (transfer none) (nullable). */
static JsonObject *
parse_ahead (ReportReplay *self)
{
  JsonNode *root;

  if (self->ahead == NULL ||
      !json_text_check (self->ahead, strlen (self->ahead), JSON_TEXT_LINE_DEPTH, NULL) ||
      !json_parser_load_from_data (self->parser, self->ahead, -1, NULL))
    return NULL;
  root = json_parser_get_root (self->parser);
  return root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
}

/* Takes the next line, of a picture. @buffer: (nullable): the frame before. */
static void
take_picture (ReportReplay *self, GstBuffer *buffer)
{
  JsonObject *line = parse_ahead (self);
  ReportPicture kept;

  if (line == NULL || !report_unpack_picture (line, &kept))
    return;
  if (!kept.of_strip)
    report_recent_add (self->jpegs, kept.time, kept.jpeg, g_bytes_get_size (kept.jpeg));
  else if (buffer != NULL)
    gst_mini_object_set_qdata (
        GST_MINI_OBJECT_CAST (buffer), kept_quark (), g_memdup2 (&kept, sizeof kept), kept_free);
  else
    g_bytes_unref (kept.jpeg);
}

/* Takes the pictures that follow a frame. */
static gboolean
take_pictures (ReportReplay *self, GstBuffer *buffer, GError **error)
{
  while (self->ahead != NULL && report_is_picture_line (self->ahead)) {
    take_picture (self, buffer);
    if (!read_ahead (self, error))
      return FALSE;
  }
  return TRUE;
}

/* Takes a line that has no results: an event, or what was added to the lines. Events of glesevents
 * are left out. */
static gboolean
take_other (ReportReplay *self, GError **error)
{
  JsonObject *line = parse_ahead (self);
  const gchar *event = line != NULL ? report_get_text (line, "event") : NULL;

  if (line == NULL || json_object_has_member (line, "frame") > (event != NULL)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
        "line %u of %s has no results to replay; --replayable writes such lines", self->number,
        self->path);
    return FALSE;
  }
  if (event == NULL ? report_is_sound_line (line)
                    : g_str_equal (event, "problem") || g_str_equal (event, "silence") ||
              g_str_equal (event, "clipping"))
    g_ptr_array_add (self->later, g_strdup (self->ahead));
  else if (event == NULL && report_is_picture_line (self->ahead) && self->later->len > 0)
    g_ptr_array_add (self->later, g_strdup (self->ahead)); /* this is a line about a problem */
  else if (event == NULL && report_is_picture_line (self->ahead))
    /* this is the picture of an event that is announced at the end of the stream */
    take_picture (self, NULL);
  return read_ahead (self, error);
}

/* Returns the format that a line names as that of the file: a static string (nullable). */
static const gchar *
find_stored_format (const gchar *text, gsize size)
{
  static const gchar member[] = ",\"stored_format\":\"";
  const gchar *at = g_strrstr_len (text, (gssize) size, member);
  g_autofree gchar *name =
      at != NULL ? g_strndup (at + strlen (member), strcspn (at + strlen (member), "\"")) : NULL;
  const GstVideoFormat format =
      name != NULL ? gst_video_format_from_string (name) : GST_VIDEO_FORMAT_UNKNOWN;

  return format != GST_VIDEO_FORMAT_UNKNOWN ? gst_video_format_to_string (format) : NULL;
}

/* Returns the next frame: (transfer full) (nullable), NULL without error at the end. */
static GstBuffer *
next_frame (ReportReplay *self, GError **error)
{
  while (self->ahead != NULL) {
    gsize size = strlen (self->ahead);
    ReportExtra extra;
    g_autoptr (GPtrArray) held = report_unpack (self->ahead, &size, &extra);
    GstBuffer *buffer;

    if (held == NULL && !take_other (self, error))
      return NULL;
    if (held == NULL)
      continue;
    buffer = gst_buffer_new ();
    gst_mini_object_set_qdata (
        GST_MINI_OBJECT_CAST (buffer), extra_quark (), g_memdup2 (&extra, sizeof extra), g_free);
    gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (buffer), stored_quark (),
        (gpointer) find_stored_format (self->ahead, size), NULL);
    for (guint i = 0; i < held->len; i++)
      gst_buffer_add_gles_histogram_meta (buffer, g_ptr_array_index (held, i));
    if (read_ahead (self, error) && take_pictures (self, buffer, error))
      return buffer;
    gst_buffer_unref (buffer);
    return NULL;
  }
  return NULL;
}

/* ---- the source ---- */

static void
on_need_data (GstAppSrc *source, guint size, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer = next_frame (user_data, &error);

  if (buffer != NULL)
    gst_app_src_push_buffer (source, buffer);
  else if (error == NULL)
    gst_app_src_end_of_stream (source);
  else
    GST_ELEMENT_ERROR (source, RESOURCE, READ, ("%s", error->message), (NULL));
}

ReportReplay *
report_replay_new (GstElement *source, const gchar *path, GError **error)
{
  GstAppSrcCallbacks callbacks = { .need_data = on_need_data };
  GDataInputStream *lines = report_open_lines (path, error);
  ReportReplay *self;

  if (lines == NULL)
    return NULL;
  self = g_new0 (ReportReplay, 1);
  self->path = g_strdup (path);
  self->lines = lines;
  self->parser = json_parser_new ();
  self->jpegs = report_recent_new (REPORT_RECENT_JPEGS, (GDestroyNotify) g_bytes_unref);
  self->later = g_ptr_array_new_with_free_func (g_free);
  gst_app_src_set_callbacks (GST_APP_SRC (source), &callbacks, self, NULL);
  if (read_ahead (self, error))
    return self;
  report_replay_free (self);
  return NULL;
}

gboolean
report_replay_finish (ReportReplay *self, Report *report, GError **error)
{
  g_autoptr (ReportLines) lines = report_lines_new (report);

  for (guint i = 0; i < self->later->len; i++) {
    const gchar *line = g_ptr_array_index (self->later, i);

    if (!report_lines_add (lines, line, strlen (line), error))
      return FALSE;
  }
  return TRUE;
}

void
report_replay_free (ReportReplay *self)
{
  if (self == NULL)
    return;
  g_clear_object (&self->lines);
  g_clear_object (&self->parser);
  report_recent_free (self->jpegs);
  g_ptr_array_unref (self->later);
  g_free (self->ahead);
  g_free (self->path);
  g_free (self);
}
