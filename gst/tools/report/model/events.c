/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The events of the page. Lines of one event have one id. Lines without an id are joined by kind:
 * an update or an end belongs to the last event of its kind that is still open. */
#include "events.h"
#include "members.h"
#include "page-text.h"

#include <string.h>

/* how many problems, and how many other events, the page shows; all are kept here, so that each end
 * finds its start */
#define MAX_EVENTS 2000

typedef struct {
  JsonObject *line;   /* the line of the start, with what later lines of the event changed */
  GstClockTime start; /* in stream time, like @end */
  GstClockTime end;   /* NONE while it goes on */
  gboolean instant;   /* it has no end */
  /* of an event without an id: the number, from 1, of the event of its kind that was open before;
   * or 0 */
  guint below;
  GBytes *jpeg; /* nullable */
} PageEvent;

struct _ReportEvents {
  GArray *events;          /* of PageEvent */
  GHashTable *numbers;     /* from the key of an event to its number, counted from 1 */
  GstClockTime begin, end; /* the range of times of all lines; NONE and 0 before the first */
  guint n_pictures, n_repeated;
  guint n_settled; /* how many events have a picture or will never have one */
};

static void
event_clear (gpointer data)
{
  PageEvent *event = data;

  json_object_unref (event->line);
  g_clear_pointer (&event->jpeg, g_bytes_unref);
}

ReportEvents *
report_events_new (void)
{
  ReportEvents *self = g_new0 (ReportEvents, 1);

  self->events = g_array_new (FALSE, TRUE, sizeof (PageEvent));
  g_array_set_clear_func (self->events, event_clear);
  self->numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->begin = GST_CLOCK_TIME_NONE;
  return self;
}

void
report_events_free (ReportEvents *self)
{
  g_array_unref (self->events);
  g_hash_table_unref (self->numbers);
  g_free (self);
}

guint
report_events_get_n (ReportEvents *self)
{
  return self->events->len;
}

void
report_events_get_range (ReportEvents *self, GstClockTime *begin, GstClockTime *end)
{
  *begin = self->begin;
  *end = self->end;
}

/* ---- lines ---- */

/* Tags are in it because the ids of two cameras without a session may be equal. */
static gchar *
make_key (JsonObject *line)
{
  JsonNode *tags = json_object_get_member (line, "tags");
  const gchar *id = report_get_text (line, "id");
  g_autofree gchar *text = tags != NULL ? report_describe_member (tags) : NULL;

  return g_strjoin (
      "\n", id != NULL ? id : "", report_get_text (line, "event"), text != NULL ? text : "", NULL);
}

static GstClockTime
get_duration (JsonObject *line)
{
  return (GstClockTime) MAX (report_get_int (line, "duration", G_MAXINT64), 0);
}

/* Returns a line for the start of an event of which only @later, an update or the end, is known:
 * (transfer full). */
static JsonObject *
make_start (JsonObject *later)
{
  static const gchar *const names[][2] = { { "event", "event" }, { "id", "id" },
    { "element", "element" }, { "stream_id", "stream_id" }, { "tags", "tags" },
    { "frame", "start_frame" }, { "pts", "start" } };
  JsonObject *line = json_object_new ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    JsonNode *node = json_object_get_member (later, names[i][1]);

    if (node != NULL)
      json_object_set_member (line, names[i][0], json_node_copy (node));
  }
  return line;
}

/* Adds what @later, an update or the end, says about the event to @line. The position of the start
 * remains; that of the end gets names of its own. */
static void
merge_line (JsonObject *line, JsonObject *later, gboolean ends)
{
  static const gchar *const positions[] = { "frame", "pts", "running_time", "utc", "id", "element",
    "stream_id", "tags", NULL };
  JsonObjectIter iter;
  const gchar *name;
  JsonNode *node;

  json_object_iter_init_ordered (&iter, later);
  while (json_object_iter_next_ordered (&iter, &name, &node)) {
    if (!g_strv_contains (positions, name))
      json_object_set_member (line, name, json_node_copy (node));
    else if (ends && strcmp (name, "frame") == 0)
      json_object_set_member (line, "end_frame", json_node_copy (node));
    else if (ends && strcmp (name, "utc") == 0)
      json_object_set_member (line, "end_utc", json_node_copy (node));
  }
}

static gboolean
is_problem (const PageEvent *event)
{
  return strcmp (report_get_text (event->line, "event"), "problem") == 0;
}

static PageEvent *
get_event (ReportEvents *self, guint number)
{
  return number > 0 ? &g_array_index (self->events, PageEvent, number - 1) : NULL;
}

/* @line: (transfer full). @below: see PageEvent. */
static PageEvent *
append_event (
    ReportEvents *self, JsonObject *line, const gchar *key, GstClockTime start, guint below)
{
  const PageEvent event = { line, start, GST_CLOCK_TIME_NONE, FALSE, below, NULL };

  g_array_append_val (self->events, event);
  g_hash_table_replace (self->numbers, g_strdup (key), GUINT_TO_POINTER (self->events->len));
  return get_event (self, self->events->len);
}

static void
note_time (ReportEvents *self, GstClockTime time)
{
  self->begin = GST_CLOCK_TIME_IS_VALID (self->begin) ? MIN (self->begin, time) : time;
  self->end = MAX (self->end, time);
}

void
report_events_add (ReportEvents *self, JsonObject *line, GstClockTime time)
{
  static const gchar *const phases[] = { "instant", "start", "update", "end", NULL };
  const gchar *phase = report_get_text (line, "phase");
  const gboolean has_id = report_get_text (line, "id") != NULL;
  g_autofree gchar *key = NULL;
  gboolean instant, begins, ends;
  PageEvent *event;
  guint number;

  if (report_get_text (line, "event") == NULL || phase == NULL || !g_strv_contains (phases, phase))
    return;
  instant = strcmp (phase, "instant") == 0;
  begins = instant || strcmp (phase, "start") == 0;
  ends = strcmp (phase, "end") == 0;
  key = make_key (line);
  number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, key));
  event = get_event (self, number);
  if (has_id && event != NULL &&
      (begins ? event->start == time : GST_CLOCK_TIME_IS_VALID (event->end))) {
    self->n_repeated++;
    return;
  }
  if (begins)
    event = append_event (self, json_object_ref (line), key, time, has_id ? 0 : number);
  else if (event == NULL) /* the line of its start is missing */
    event = append_event (self, make_start (line), key, time - MIN (get_duration (line), time), 0);
  if (!begins)
    merge_line (event->line, line, ends);
  note_time (self, event->start);
  note_time (self, time);
  if (!instant && !ends)
    return;
  event->end = time;
  event->instant = instant;
  if (!has_id) /* the next end without an id belongs to another event */
    g_hash_table_replace (self->numbers, g_steal_pointer (&key), GUINT_TO_POINTER (event->below));
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  const ReportEvent *first = a, *second = b;

  return first->start < second->start ? -1 : first->start > second->start;
}

GArray *
report_events_list (ReportEvents *self)
{
  GArray *list = g_array_sized_new (FALSE, FALSE, sizeof (ReportEvent), self->events->len);

  for (guint number = 1; number <= self->events->len; number++) {
    const PageEvent *from = get_event (self, number);
    const ReportEvent event = { from->line, from->start, from->end, from->instant };

    g_array_append_val (list, event);
  }
  g_array_sort (list, compare); /* a merge sort: equal ones stay in order */
  return list;
}

/* ---- pictures ---- */

gboolean
report_events_want_picture (ReportEvents *self)
{
  return self->n_settled < self->events->len && self->n_pictures < REPORT_MAX_EVENT_PICTURES;
}

void
report_events_add_picture (ReportEvents *self, GBytes *jpeg)
{
  const gboolean taken = jpeg != NULL && report_events_want_picture (self);

  while (self->n_settled < self->events->len) {
    PageEvent *event = get_event (self, ++self->n_settled);

    if (!taken)
      continue;
    event->jpeg = g_bytes_ref (jpeg);
    self->n_pictures++;
  }
}

/* ---- the page ---- */

/* Writes the members that have no place of their own, unknown ones included, as texts. */
static void
append_members (GString *page, JsonObject *line)
{
  static const gchar *const placed[] = { "version", "event", "phase", "frame", "score", "start",
    "start_frame", "duration", "stream_time", NULL };
  const gchar *name, *before = "";
  JsonObjectIter iter;
  JsonNode *node;

  json_object_iter_init_ordered (&iter, line);
  while (json_object_iter_next_ordered (&iter, &name, &node)) {
    g_autofree gchar *text = NULL;

    if (g_strv_contains (placed, name) || JSON_NODE_HOLDS_NULL (node))
      continue;
    text = report_describe_member (node);
    report_append_text (page, before, name);
    report_append_text (page, ":", text);
    before = ",";
  }
}

static void
append_event_of_page (GString *page, const PageEvent *event, GstClockTime end)
{
  gchar score[G_ASCII_DTOSTR_BUF_SIZE];
  const gboolean open = !GST_CLOCK_TIME_IS_VALID (event->end);

  report_append_text (page, "{\"kind\":", report_get_text (event->line, "event"));
  report_append_seconds (page, ",\"start\":", event->start);
  report_append_seconds (page, ",\"end\":", open ? MAX (end, event->start) : event->end);
  g_string_append_printf (page, ",\"frame\":%" G_GINT64_FORMAT ",\"score\":%s",
      MAX (report_get_int (event->line, "frame", G_MAXINT64), 0),
      g_ascii_formatd (score, sizeof score, "%.6g", report_get_double (event->line, "score")));
  if (event->instant)
    g_string_append (page, ",\"instant\":true");
  if (open)
    g_string_append (page, ",\"open\":true");
  g_string_append (page, ",\"more\":{");
  append_members (page, event->line);
  g_string_append_c (page, '}');
  if (event->jpeg != NULL)
    report_append_picture (page, event->jpeg);
  g_string_append_c (page, '}');
}

void
report_events_append (ReportEvents *self, GString *page, GstClockTime end)
{
  guint n_written[2] = { 0 };

  g_string_append_printf (page, ",\"eventsTotal\":%u,\"eventsRepeated\":%u,\"events\":[",
      self->events->len, self->n_repeated);
  for (guint number = 1; number <= self->events->len; number++) {
    const PageEvent *event = get_event (self, number);

    if (n_written[is_problem (event)]++ >= MAX_EVENTS)
      continue;
    if (n_written[0] + n_written[1] > 1)
      g_string_append (page, ",\n");
    append_event_of_page (page, event, end);
  }
  g_string_append_c (page, ']');
}
