/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Light levels by shot. Percentiles of a shot are those of the counters of its frames added up.
 * Where a shot begins is known some frames later, so the counters of the last frames are kept. */
#include "light-table.h"
#include "../model/report.h"
#include "measures.h"
#include "row.h"
#include "scenes.h"

#include <math.h>
#include <string.h>

/* Frames that are kept: at most 16 KB each. Events that are found later than that split no
 * counters. */
#define N_WAITING 512

typedef struct {
  gdouble max, mean; /* NAN: unknown */
} Frame;

/* The counters of frames in a row. */
typedef struct {
  guint64 first, n_frames;
  guint n_counts;
  guint64 *counts;        /* (nullable) */
  gboolean is_incomplete; /* a frame has no such counters */
  GstGlesLight light;     /* of a shot that is over */
} Shot;

typedef struct {
  ReportOutput parent;
  guint64 number;  /* of the first frame, as events count them */
  GArray *frames;  /* of Frame */
  GQueue *waiting; /* of GBytes: counters of the last frames */
  Shot open, all;
  GArray *shots;  /* of Shot: those that are over */
  GArray *starts; /* of ReportScene: as they are known so far */
  guint n_events, next_start;
} LightTable;

/* ---- shots ---- */

static void
add_counts (Shot *shot, GBytes *bytes)
{
  gsize size;
  const guint32 *counts = g_bytes_get_data (bytes, &size);
  const guint n = (guint) (size / sizeof *counts);

  if (shot->counts == NULL && n > 0 && shot->n_frames == 0) {
    shot->counts = g_new0 (guint64, n);
    shot->n_counts = n;
  }
  shot->n_frames++;
  shot->is_incomplete = shot->is_incomplete || n == 0 || n != shot->n_counts;
  for (guint i = 0; i < n && !shot->is_incomplete; i++)
    shot->counts[i] += counts[i];
}

/* Ends @shot, whose counters are not needed any more. */
static void
close_shot (Shot *shot)
{
  if (shot->counts != NULL && !shot->is_incomplete)
    gst_gles_light_compute (shot->counts, shot->n_counts, &shot->light);
  else
    shot->is_incomplete = TRUE;
  g_clear_pointer (&shot->counts, g_free);
}

/* Whether a shot begins with frame @frame, as far as is known; frames come in their order. */
static gboolean
begins_shot (LightTable *table, guint64 frame)
{
  const guint n_events = report_get_n_events (table->parent.report);

  if (table->starts == NULL || n_events != table->n_events) {
    g_clear_pointer (&table->starts, g_array_unref);
    table->starts = report_find_scenes (table->parent.report, table->number, table->frames->len);
    table->n_events = n_events;
    table->next_start = 0;
  }
  /* the last one is the end so far */
  while (table->next_start + 1 < table->starts->len &&
      g_array_index (table->starts, ReportScene, table->next_start).frame < frame)
    table->next_start++;
  return table->next_start + 1 < table->starts->len &&
      g_array_index (table->starts, ReportScene, table->next_start).frame == frame;
}

/* Adds the counters of the frame that has waited longest to those of its shot. */
static void
pass_frame (LightTable *table)
{
  g_autoptr (GBytes) counts = g_queue_pop_head (table->waiting);
  const guint64 frame = table->all.n_frames;

  if (frame > table->open.first && begins_shot (table, frame)) {
    close_shot (&table->open);
    g_array_append_val (table->shots, table->open);
    table->open = (Shot){ .first = frame };
  }
  add_counts (&table->open, counts);
  add_counts (&table->all, counts);
}

static void
add_frame (ReportOutput *output, const ReportResults *results)
{
  LightTable *table = (LightTable *) output;
  const ReportChannel *channel = report_find_channel (results, GST_GLES_LIGHT_CHANNEL);
  /* lines may have anything */
  const gboolean exact = channel != NULL && channel->counts != NULL && channel->depth >= 8 &&
      channel->depth <= 12 && channel->n_counts == 1u << channel->depth;
  const Frame frame = { results->has_light ? results->light.max : NAN,
    results->has_light ? results->light.mean : NAN };

  if (table->frames->len == 0)
    table->number = results->number;
  output->n_written += results->has_light;
  g_array_append_val (table->frames, frame);
  g_queue_push_tail (table->waiting,
      g_bytes_new (
          exact ? channel->counts : NULL, exact ? channel->n_counts * sizeof *channel->counts : 0));
  if (table->waiting->length > N_WAITING)
    pass_frame (table);
}

/* ---- rows ---- */

static const gchar *const columns[] = { "shot", "start", "end", "frames", "max_cll", "max_fall",
  "mean", "p1", "p5", "p10", "p25", "p50", "p75", "p90", "p95", "p98", "p99", "p99_98" };

static void
append_known (GString *row, gdouble value)
{
  if (isfinite (value))
    report_append_number (row, value);
  else
    report_append_field (row, NULL);
}

/* Appends the levels of the frames from @first to @end, and the percentiles of @shot (nullable). */
static void
append_levels (GString *row, const GArray *frames, guint64 first, guint64 end, const Shot *shot)
{
  const GstGlesLight *l = &shot->light;
  const gdouble percentiles[] = { l->p1, l->p5, l->p10, l->p25, l->p50, l->p75, l->p90, l->p95,
    l->p98, l->p99, l->p99_98 };
  gdouble max = 0.0, max_mean = 0.0, sum = 0.0;

  for (guint64 i = first; i < end; i++) {
    const Frame *frame = &g_array_index (frames, Frame, i);

    max = fmax (max, frame->max);
    max_mean = fmax (max_mean, frame->mean);
    sum += frame->mean;
  }
  report_append_number (row, (gdouble) (end - first));
  /* a shot with a frame that is not measured is not known */
  append_known (row, isfinite (sum) ? max : NAN);
  append_known (row, isfinite (sum) ? max_mean : NAN);
  append_known (row, sum / (gdouble) (end - first));
  for (guint i = 0; i < G_N_ELEMENTS (percentiles); i++)
    append_known (row, shot->is_incomplete ? NAN : percentiles[i]);
  report_end_row (row);
}

/* Returns the counters of exactly the frames from @first to @end, or those of nothing. */
static const Shot *
find_shot (const GArray *shots, guint64 first, guint64 end)
{
  static const Shot nothing = { .is_incomplete = TRUE };

  for (guint i = 0; i < shots->len; i++) {
    const Shot *shot = &g_array_index (shots, Shot, i);

    if (shot->first == first && shot->n_frames == end - first)
      return shot;
  }
  return &nothing;
}

static void
append_rows (GString *row, LightTable *table, Report *report)
{
  g_autoptr (GArray) starts = report_find_scenes (report, table->number, table->frames->len);

  for (guint i = 0; i + 1 < starts->len; i++) {
    const ReportScene *start = &g_array_index (starts, ReportScene, i), *end = start + 1;

    report_append_number (row, i + 1);
    report_append_time (row, start->time);
    report_append_time (row, end->time);
    append_levels (row, table->frames, start->frame, end->frame,
        find_shot (table->shots, start->frame, end->frame));
  }
  report_append_field (row, "all");
  report_append_time (row, report_get_begin (report));
  report_append_time (row, report_get_end (report));
  append_levels (row, table->frames, 0, table->frames->len, &table->all);
}

static void
finish_table (ReportOutput *output, Report *report, gboolean partial)
{
  LightTable *table = (LightTable *) output;
  g_autoptr (GString) row = g_string_new (NULL);

  while (table->waiting->length > 0)
    pass_frame (table);
  close_shot (&table->open);
  g_array_append_val (table->shots, table->open);
  table->open = (Shot){ 0 };
  close_shot (&table->all);
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    report_append_field (row, columns[i]);
  report_end_row (row);
  if (output->n_written > 0)
    append_rows (row, table, report);
  report_file_print (output->file, row);
}

static void
clear_table (ReportOutput *output)
{
  LightTable *table = (LightTable *) output;

  g_array_unref (table->frames);
  g_queue_free_full (table->waiting, (GDestroyNotify) g_bytes_unref);
  g_free (table->open.counts);
  g_free (table->all.counts);
  g_array_unref (table->shots);
  g_clear_pointer (&table->starts, g_array_unref);
}

ReportOutput *
report_light_table_output_new (const gchar *path, GError **error)
{
  ReportFile *file = report_file_open (path, FALSE, error);
  LightTable *table;

  if (file == NULL)
    return NULL;
  table = g_new0 (LightTable, 1);
  table->parent = (ReportOutput){
    .file = file, .add_results = add_frame, .finish = finish_table, .clear = clear_table
  };
  table->frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  table->waiting = g_queue_new ();
  table->shots = g_array_new (FALSE, FALSE, sizeof (Shot));
  return &table->parent;
}
