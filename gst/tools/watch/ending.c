/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ending.h"

#include "say.h"

/* how long rtspsrc may take to end its session; it needs a tenth of a second */
#define SHUT_US (1 * G_USEC_PER_SEC)
#define ABANDON_US (5 * G_USEC_PER_SEC)

typedef struct {
  WatchRun *run;
  gint64 since;
  gboolean shut, abandoned;
} Item;

struct _WatchEnding {
  GArray *items;              /* of Item */
  guint n_abandoned, n_total; /* atomic */
};

static void
clear_item (gpointer data)
{
  watch_run_unref (((Item *) data)->run);
}

WatchEnding *
watch_ending_new (void)
{
  WatchEnding *self = g_new0 (WatchEnding, 1);

  self->items = g_array_new (FALSE, FALSE, sizeof (Item));
  g_array_set_clear_func (self->items, clear_item);
  return self;
}

void
watch_ending_free (WatchEnding *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->items);
  g_free (self);
}

void
watch_ending_add (WatchEnding *self, WatchRun *run)
{
  const Item item = { run, g_get_monotonic_time (), FALSE, FALSE };

  watch_run_cut (run);
  watch_run_stop (run);
  g_array_append_val (self->items, item);
}

WatchEndingFate
watch_ending_get_fate (WatchEnding *self, const WatchRun *run)
{
  for (guint i = 0; i < self->items->len; i++) {
    const Item *item = &g_array_index (self->items, Item, i);

    if (item->run == run)
      return item->abandoned ? WATCH_ENDING_ABANDONED : WATCH_ENDING_NOW;
  }
  return WATCH_ENDING_OVER;
}

static void
abandon (WatchEnding *self, Item *item)
{
  item->abandoned = TRUE;
  g_atomic_int_inc (&self->n_abandoned);
  g_atomic_int_inc (&self->n_total);
  watch_say (watch_run_get_camera (item->run), G_LOG_LEVEL_WARNING,
      "the pipeline does not end: it is abandoned, and nobody waits for it");
}

void
watch_ending_check (WatchEnding *self)
{
  const gint64 now = g_get_monotonic_time ();

  for (guint i = self->items->len; i > 0; i--) {
    Item *item = &g_array_index (self->items, Item, i - 1);
    WatchRunFacts facts;

    watch_run_get_facts (item->run, &facts);
    if (facts.ended) {
      if (item->abandoned)
        g_atomic_int_add (&self->n_abandoned, -1);
      g_array_remove_index_fast (self->items, i - 1);
    } else if (!item->shut && now - item->since > SHUT_US) {
      item->shut = TRUE;
      watch_run_shut (item->run);
    } else if (!item->abandoned && now - item->since > ABANDON_US) {
      abandon (self, item);
    }
  }
}

guint
watch_ending_count (const WatchEnding *self)
{
  return self->items->len;
}

guint
watch_ending_get_abandoned (WatchEnding *self, guint *total)
{
  *total = (guint) g_atomic_int_get (&self->n_total);
  return (guint) g_atomic_int_get (&self->n_abandoned);
}
