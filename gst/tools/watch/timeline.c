/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "timeline.h"

#define TOLERANCE GST_MSECOND /* by which times may differ because they were rounded */
/* how many files are remembered: lines come within seconds, and a file has a second at least */
#define MAX_FILES 100

typedef struct {
  GstClockTime start;
  gchar *file; /* (nullable): nothing is recorded */
} Part;

struct _WatchTimeline {
  gchar *directory;
  GstClockTime duration;

  GMutex lock;           /* of what follows: */
  GstClockTime start;    /* of the last file; NONE: nothing is recorded */
  GstClockTime keyframe; /* the last one that was planned; NONE: the same */
  GQueue parts;          /* of Part, in order of time */
  guint n_added;
};

static void
free_part (gpointer data)
{
  g_free (((Part *) data)->file);
  g_free (data);
}

WatchTimeline *
watch_timeline_new (const gchar *directory, GstClockTime duration)
{
  WatchTimeline *self = g_new0 (WatchTimeline, 1);

  self->directory = g_strdup (directory);
  self->duration = duration;
  self->start = self->keyframe = GST_CLOCK_TIME_NONE;
  g_mutex_init (&self->lock);
  g_queue_init (&self->parts);
  return self;
}

void
watch_timeline_free (WatchTimeline *self)
{
  g_queue_clear_full (&self->parts, free_part);
  g_mutex_clear (&self->lock);
  g_free (self->directory);
  g_free (self);
}

gchar *
watch_timeline_make_name (GDateTime *time)
{
  return g_date_time_format (time, "%Y-%m-%dT%H-%M-%S.%fZ" WATCH_TIMELINE_SUFFIX);
}

/* Returns (transfer full). */
static gchar *
make_path (const WatchTimeline *self)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree gchar *name = watch_timeline_make_name (now);

  return g_build_filename (self->directory, name, NULL);
}

/* With the lock. Notes that @file (nullable) (transfer full) has what comes from @start on. */
static void
add (WatchTimeline *self, GstClockTime start, gchar *file)
{
  Part *part = g_new0 (Part, 1);

  part->start = start;
  part->file = file;
  g_queue_push_tail (&self->parts, part);
  self->n_added++;
  if (g_queue_get_length (&self->parts) > MAX_FILES)
    free_part (g_queue_pop_head (&self->parts));
}

gboolean
watch_timeline_plan (WatchTimeline *self, GstClockTime time, gboolean begin)
{
  gboolean begins;

  g_mutex_lock (&self->lock);
  if (!GST_CLOCK_TIME_IS_VALID (self->start)) {
    begins = begin;
  } else if (time <= self->keyframe) {
    begins = time == self->start;
    goto out;
  } else {
    begins = time + (time - self->keyframe) >= self->start + self->duration + TOLERANCE;
  }
  if (begins || GST_CLOCK_TIME_IS_VALID (self->start))
    self->keyframe = time;
  if (begins) {
    self->start = time;
    add (self, time, make_path (self));
  }
out:
  g_mutex_unlock (&self->lock);
  return begins;
}

void
watch_timeline_stop (WatchTimeline *self, GstClockTime time)
{
  g_mutex_lock (&self->lock);
  if (GST_CLOCK_TIME_IS_VALID (self->start))
    add (self, MAX (time, self->start), NULL);
  self->start = self->keyframe = GST_CLOCK_TIME_NONE;
  g_mutex_unlock (&self->lock);
}

guint
watch_timeline_count (WatchTimeline *self)
{
  guint n;

  g_mutex_lock (&self->lock);
  n = self->n_added;
  g_mutex_unlock (&self->lock);
  return n;
}

gchar *
watch_timeline_get_file (WatchTimeline *self, GstClockTime start)
{
  gchar *file = NULL;

  g_mutex_lock (&self->lock);
  for (const GList *item = self->parts.tail; item != NULL && file == NULL; item = item->prev) {
    const Part *part = item->data;

    if (part->start <= start + TOLERANCE && start <= part->start + TOLERANCE)
      file = g_strdup (part->file);
  }
  g_mutex_unlock (&self->lock);
  return file != NULL ? file : make_path (self);
}

WatchPlace *
watch_timeline_find (WatchTimeline *self, GstClockTime time, gboolean or_first)
{
  const Part *found = NULL;
  WatchPlace *place = NULL;

  g_mutex_lock (&self->lock);
  for (const GList *item = self->parts.tail; item != NULL; item = item->prev) {
    const Part *part = item->data;

    if (part->start <= time) {
      if (part->file != NULL || !or_first)
        found = part;
      break;
    }
    if (or_first)
      found = part;
  }
  if (found != NULL && found->file != NULL) {
    place = g_new0 (WatchPlace, 1);
    place->file = g_strdup (found->file);
    place->offset = time > found->start ? time - found->start : 0;
  }
  g_mutex_unlock (&self->lock);
  return place;
}

void
watch_place_free (WatchPlace *place)
{
  if (place == NULL)
    return;
  g_free (place->file);
  g_free (place);
}
