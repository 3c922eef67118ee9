/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Problems are joined while they arrive, so that a file that is damaged everywhere has no more runs
 * than it has fifths of a second. They become events at the end. */
#include "problems.h"
#include "members.h"

#include <string.h>

#define JOIN (GST_SECOND / 5)
#define MAX_RUNS 64 /* how many of the newest runs are compared with a new problem */
#define ELEMENT "gst-gles-report"

typedef struct {
  ReportProblem problem;
  const ReportStream *stream;
  GstClockTime begin, end;
  guint count;
  gchar *text; /* the text of the first problem of the run */
  /* the time of the frame whose picture the run has; NONE: it has no picture */
  GstClockTime picture;
  GBytes *jpeg;        /* nullable */
  gchar *picture_line; /* nullable */
} Run;

struct _ReportProblems {
  GMutex lock;        /* of what follows: */
  GPtrArray *streams; /* of ReportStream; the first is the file */
  GArray *runs;       /* of Run */
  guint n_pictures;   /* how many pictures runs have chosen */
};

static void
stream_free (gpointer data)
{
  ReportStream *stream = data;

  g_free (stream->id);
  g_free (stream->name);
  g_free (stream);
}

static void
run_clear (gpointer data)
{
  Run *run = data;

  g_free (run->text);
  g_free (run->picture_line);
  g_clear_pointer (&run->jpeg, g_bytes_unref);
}

/* @id, @name: (transfer full). */
static const ReportStream *
add_stream (ReportProblems *self, gchar *id, gchar *name)
{
  ReportStream *stream = g_new0 (ReportStream, 1);

  stream->id = id;
  stream->name = name;
  g_ptr_array_add (self->streams, stream);
  return stream;
}

ReportProblems *
report_problems_new (void)
{
  ReportProblems *self = g_new0 (ReportProblems, 1);

  g_mutex_init (&self->lock);
  self->streams = g_ptr_array_new_with_free_func (stream_free);
  self->runs = g_array_new (FALSE, FALSE, sizeof (Run));
  g_array_set_clear_func (self->runs, run_clear);
  add_stream (self, NULL, g_strdup ("file"));
  return self;
}

void
report_problems_free (ReportProblems *self)
{
  g_array_unref (self->runs);
  g_ptr_array_unref (self->streams);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static gint
compare_ids (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 ((*(const ReportStream *const *) a)->id, (*(const ReportStream *const *) b)->id);
}

/* Two pipelines find the streams in any order, so they are numbered by their ids, which sort in the
 * order of the file. */
void
report_problems_number_streams (ReportProblems *self)
{
  guint n = 0;

  g_mutex_lock (&self->lock);
  g_ptr_array_sort (self->streams, compare_ids); /* the file, which has no id, remains the first */
  for (guint i = 0; i < self->streams->len; i++) {
    ReportStream *stream = g_ptr_array_index (self->streams, i);

    if (!g_str_has_prefix (stream->name, "audio"))
      continue;
    g_free (stream->name);
    stream->name = g_strdup_printf ("audio %u", ++n);
  }
  g_mutex_unlock (&self->lock);
}

const ReportStream *
report_problems_get_stream (ReportProblems *self, GstPad *pad)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  g_autofree gchar *id = gst_pad_get_stream_id (pad);
  const gchar *media =
      caps != NULL ? gst_structure_get_name (gst_caps_get_structure (caps, 0)) : "";
  const gboolean audio = g_str_has_prefix (media, "audio/");
  const ReportStream *stream = NULL;

  if (!audio && !g_str_has_prefix (media, "video/") && !g_str_has_prefix (media, "image/"))
    return NULL;
  g_mutex_lock (&self->lock);
  for (guint i = 1; i < self->streams->len && stream == NULL; i++) {
    const ReportStream *known = g_ptr_array_index (self->streams, i);

    if (g_strcmp0 (known->id, id) == 0 && g_str_has_prefix (known->name, "audio") == audio)
      stream = known;
  }
  if (stream == NULL)
    stream = add_stream (self, g_steal_pointer (&id), g_strdup (audio ? "audio" : "video"));
  g_mutex_unlock (&self->lock);
  return stream;
}

static gboolean
is_near (const Run *a, const Run *b)
{
  return a->begin <= b->end + JOIN && a->end + JOIN >= b->begin;
}

/* Returns (nullable): a run of the same problem in the same stream near @run. */
static Run *
find_run (ReportProblems *self, const Run *run)
{
  const guint first = self->runs->len - MIN (self->runs->len, MAX_RUNS);

  for (guint i = self->runs->len; i > first; i--) {
    Run *known = &g_array_index (self->runs, Run, i - 1);

    if (known->problem == run->problem && known->stream == run->stream && is_near (known, run))
      return known;
  }
  return NULL;
}

void
report_problems_add (ReportProblems *self, const ReportFinding *finding)
{
  Run run = { .problem = finding->problem,
    .stream = finding->stream,
    .begin = GST_CLOCK_TIME_IS_VALID (finding->begin) ? finding->begin : 0,
    .count = MAX (finding->count, 1),
    .picture = GST_CLOCK_TIME_NONE };
  Run *known;

  run.end = GST_CLOCK_TIME_IS_VALID (finding->end) ? MAX (finding->end, run.begin) : run.begin;
  g_mutex_lock (&self->lock);
  if (run.stream == NULL)
    run.stream = g_ptr_array_index (self->streams, 0);
  known = find_run (self, &run);
  if (known != NULL) {
    known->begin = MIN (known->begin, run.begin);
    known->end = MAX (known->end, run.end);
    known->count += run.count;
  } else {
    run.text = g_strchomp (g_utf8_make_valid (finding->text, -1));
    g_array_append_val (self->runs, run);
  }
  g_mutex_unlock (&self->lock);
}

/* Returns whether a problem of another kind or of a single stream is known near @run, which is of
 * the file as a whole. */
static gboolean
has_other (ReportProblems *self, const Run *run)
{
  for (guint i = 0; i < self->runs->len; i++) {
    const Run *known = &g_array_index (self->runs, Run, i);

    if ((known->problem != run->problem || known->stream != run->stream) && is_near (known, run))
      return TRUE;
  }
  return FALSE;
}

void
report_problems_add_unless_known (ReportProblems *self, ReportProblem problem, GstClockTime begin,
    GstClockTime end, const gchar *text)
{
  Run run = { .problem = problem, .begin = begin, .end = end };
  gboolean known;

  g_mutex_lock (&self->lock);
  run.stream = g_ptr_array_index (self->streams, 0);
  known = has_other (self, &run);
  g_mutex_unlock (&self->lock);
  if (!known)
    report_problems_add (
        self, &(ReportFinding){ .problem = problem, .begin = begin, .end = end, .text = text });
}

/* ---- pictures ---- */

/* Returns the index of the first of the runs that are compared with a new problem. */
static guint
get_recent (const ReportProblems *self)
{
  return self->runs->len - MIN (self->runs->len, MAX_RUNS);
}

/* Returns whether @run gets a picture. Only problems of the video do: sound and demuxers run in
 * other threads, so it is not certain which picture belongs to their problems. */
static gboolean
takes_picture (const Run *run, GstClockTime time)
{
  return !GST_CLOCK_TIME_IS_VALID (run->picture) && g_str_equal (run->stream->name, "video") &&
      run->begin <= time && time <= run->end + JOIN;
}

void
report_problems_note_picture (ReportProblems *self, GstClockTime time)
{
  if (!GST_CLOCK_TIME_IS_VALID (time))
    return;
  g_mutex_lock (&self->lock);
  for (guint i = get_recent (self); i < self->runs->len; i++) {
    Run *run = &g_array_index (self->runs, Run, i);

    if (self->n_pictures < REPORT_MAX_EVENT_PICTURES && takes_picture (run, time)) {
      run->picture = time;
      self->n_pictures++;
    }
  }
  g_mutex_unlock (&self->lock);
}

/* With the lock. Returns (nullable): the next run, from the number *@from on, that has chosen the
 * picture of @time and has not got it. */
static Run *
find_choice (ReportProblems *self, GstClockTime time, guint *from)
{
  while (*from < self->runs->len) {
    Run *run = &g_array_index (self->runs, Run, (*from)++);

    if (run->picture == time && run->jpeg == NULL)
      return run;
  }
  return NULL;
}

gboolean
report_problems_want_picture (ReportProblems *self, GstClockTime time)
{
  gboolean wanted;
  guint from;

  g_mutex_lock (&self->lock);
  from = get_recent (self);
  wanted = find_choice (self, time, &from) != NULL;
  g_mutex_unlock (&self->lock);
  return wanted;
}

void
report_problems_add_picture (ReportProblems *self, GstClockTime time, GBytes *jpeg, gchar *line)
{
  guint from;
  Run *run;

  g_mutex_lock (&self->lock);
  from = get_recent (self);
  while ((run = find_choice (self, time, &from)) != NULL) {
    run->jpeg = g_bytes_ref (jpeg);
    run->picture_line = g_strdup (line);
  }
  g_mutex_unlock (&self->lock);
  g_free (line);
}

/* ---- events ---- */

static const gchar *const names[] = { "decoder", "corrupted", "gap", "jump", "missing", "truncated",
  "unreadable" };

/* Returns an id that is the same in each analysis of the same file: (transfer full). */
static gchar *
make_id (const ReportSpan *span, JsonObject *members)
{
  const gchar *problem = members != NULL ? report_get_text (members, "problem") : NULL;
  g_autofree gchar *text = g_strdup_printf ("%s\n%s\n%s\n%" G_GUINT64_FORMAT, span->kind,
      problem != NULL ? problem : "", span->stream->name, span->begin);
  gchar *id = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);

  id[16] = '\0';
  return id;
}

static void
add_line (Report *report, const ReportSpan *span, JsonObject *members, const gchar *phase)
{
  const gboolean ends = g_str_equal (phase, "end");
  const GstClockTime time = ends ? span->end : span->begin;
  g_autoptr (JsonNode) root = json_node_new (JSON_NODE_OBJECT);
  JsonObject *line = json_object_new ();
  g_autofree gchar *text = NULL, *id = make_id (span, members);
  JsonObjectIter iter;
  const gchar *name;
  JsonNode *node;

  json_node_take_object (root, line);
  json_object_set_int_member (line, "version", 1);
  json_object_set_string_member (line, "event", span->kind);
  json_object_set_string_member (line, "phase", phase);
  json_object_set_string_member (line, "id", id);
  json_object_set_string_member (line, "element", ELEMENT);
  if (span->stream->id != NULL)
    json_object_set_string_member (line, "stream_id", span->stream->id);
  else
    json_object_set_null_member (line, "stream_id");
  json_object_set_int_member (line, "frame", report_get_frame_at (report, time));
  json_object_set_null_member (line, "pts");
  json_object_set_null_member (line, "running_time");
  json_object_set_int_member (line, "stream_time", (gint64) time);
  json_object_set_null_member (line, "utc");
  if (ends) {
    json_object_set_int_member (line, "start_frame", report_get_frame_at (report, span->begin));
    json_object_set_int_member (line, "start", (gint64) span->begin);
    json_object_set_int_member (line, "duration", (gint64) (span->end - span->begin));
    json_object_set_string_member (line, "cause", span->at_eos ? "eos" : "condition");
  }
  json_object_set_double_member (line, "score", span->score);
  json_object_set_string_member (line, "stream", span->stream->name);
  if (members != NULL) {
    json_object_iter_init_ordered (&iter, members);
    while (json_object_iter_next_ordered (&iter, &name, &node))
      json_object_set_member (line, name, json_node_copy (node));
  }
  report_add_event (report, line, time);
  text = json_to_string (root, FALSE);
  report_add_line (report, text, strlen (text), TRUE);
}

void
report_add_span (Report *report, const ReportSpan *span, JsonObject *members)
{
  const gboolean instant = span->end == span->begin;

  if (!report_covers (report, span->begin) && !report_covers (report, span->end)) {
    g_clear_pointer (&members, json_object_unref);
    return;
  }
  add_line (report, span, members, instant ? "instant" : "start");
  if (!instant)
    add_line (report, span, members, "end");
  g_clear_pointer (&members, json_object_unref);
}

static gint
compare_runs (gconstpointer a, gconstpointer b)
{
  const Run *x = a, *y = b;

  return x->begin != y->begin ? (x->begin < y->begin ? -1 : 1)
                              : (gint) x->problem - (gint) y->problem;
}

void
report_problems_append (ReportProblems *self, Report *report)
{
  report_problems_number_streams (self);
  g_mutex_lock (&self->lock);
  g_array_sort (self->runs, compare_runs);
  for (guint i = 0; i < self->runs->len; i++) {
    const Run *run = &g_array_index (self->runs, Run, i);
    const ReportSpan span = { "problem", run->stream, run->begin, run->end, FALSE, run->count };
    JsonObject *members = json_object_new ();

    json_object_set_string_member (members, "problem", names[run->problem]);
    json_object_set_string_member (members, "text", run->text);
    json_object_set_int_member (members, "count", run->count);
    /* events before this one that still wait for a picture have none */
    report_add_event_picture (report, NULL);
    report_add_span (report, &span, members);
    report_add_event_picture (report, run->jpeg);
    if (run->picture_line != NULL)
      report_add_line (report, run->picture_line, strlen (run->picture_line), FALSE);
  }
  g_mutex_unlock (&self->lock);
}

gchar *
report_describe_problems (Report *report)
{
  g_autoptr (GArray) events = report_events_list (report_get_events (report));
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    gint64 n = 0;
    guint n_places = 0;

    for (guint k = 0; k < events->len; k++) {
      JsonObject *line = g_array_index (events, ReportEvent, k).line;

      if (!g_str_equal (report_get_text (line, "event"), "problem") ||
          g_strcmp0 (report_get_text (line, "problem"), names[i]) != 0)
        continue;
      n += MAX (report_get_int (line, "count", G_MAXINT32), 1);
      n_places++;
    }
    if (n_places > 0)
      g_string_append_printf (text, "%s%" G_GINT64_FORMAT " %s in %u place%s",
          text->len > 0 ? ", " : "", n, names[i], n_places, n_places > 1 ? "s" : "");
  }
  return g_string_free (text, text->len == 0);
}
