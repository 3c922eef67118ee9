/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "zone-state.h"

#include <string.h>

#include "../base/boxes.h"

#define SUB 256 /* places of a pixel */

static const ZoneDefinition *
get_definition (const ZoneSet *areas, const ZoneSet *lines, guint i)
{
  return i < areas->len ? g_ptr_array_index (areas, i) : g_ptr_array_index (lines, i - areas->len);
}

/* What the functions below share: one call from outside. */
typedef struct {
  ZoneState *state;
  const ZoneRules *rules;
  ZoneReport *report;
} Step;

ZonePoint
zone_anchor_of (ZoneAnchor anchor, gint64 x, gint64 y, gint64 width, gint64 height)
{
  const gint64 across = (2 * x + width) * (SUB / 2);
  const gint64 down = (anchor == ZONE_ANCHOR_BOTTOM ? y + height : 0) * SUB +
      (anchor == ZONE_ANCHOR_CENTRE ? 2 * y + height : 0) * (SUB / 2);

  return (ZonePoint){ CLAMP (across, -GST_GLES_ZONES_FARTHEST, GST_GLES_ZONES_FARTHEST),
    CLAMP (down, -GST_GLES_ZONES_FARTHEST, GST_GLES_ZONES_FARTHEST) };
}

gboolean
zone_wants (const Zone *zone, const ZoneRules *rules, const gchar *label)
{
  const gchar *types = zone->definition->options.types;

  return boxes_type_is_wanted (types != NULL ? types : rules->types, label);
}

/* ---- telling ---- */

/* Tells @head of @zone, and of @thing (nullable). */
static void
tell (ZoneReport *report, const Zone *zone, const ZoneThing *thing, const EventHead *head)
{
  ZoneEvent event = { .head = *head,
    .zone = zone->definition,
    .subject = thing != NULL ? &thing->subject : NULL,
    .n_in = zone->n_in,
    .n_out = zone->n_out,
    .n_members = zone->n_members };

  event.head.score = zone->n_members;
  zone_report_add (report, &event);
}

/* Tells a crossing that is not told yet; the thing was there when it was seen last. */
static void
settle (ZoneReport *report, Zone *zone, const ZoneThing *thing, ZoneVisit *visit)
{
  const gboolean is_in = visit->net > 0;
  guint64 *count = is_in ? &zone->n_in : &zone->n_out;
  ZoneEvent event = {
    .head = { .name = "cross", .phase = EVENT_INSTANT, .at = thing->seen, .start = thing->seen },
    .zone = zone->definition,
    .subject = &thing->subject,
    .direction = is_in ? "in" : "out"
  };

  if (visit->net == 0 || !thing->confirmed)
    return;
  visit->net = 0;
  event.head.score = (gdouble)++ * count;
  event.n_in = zone->n_in;
  event.n_out = zone->n_out;
  zone_report_add (report, &event);
}

/* Tells @head, which lacks times, of a visit that began at @start. */
static void
tell_visit (ZoneReport *report, const Zone *zone, const ZoneThing *thing, const ZoneStart *start,
    EventHead *head)
{
  head->at = head->phase == EVENT_START ? start->at : thing->seen;
  head->start = start->at;
  head->duration = (GstClockTime) (thing->seen_time - start->time);
  tell (report, zone, thing, head);
}

/* Ends a visit, if one lasts, where the thing was seen last. */
static void
end_visit (
    ZoneReport *report, Zone *zone, const ZoneThing *thing, ZoneVisit *visit, EventCause cause)
{
  if (visit->member) {
    zone->n_out++;
    zone->n_members--;
    tell_visit (report, zone, thing, visit->start,
        &(EventHead){ .name = "leave", .phase = EVENT_END, .cause = cause });
  }
  visit->member = visit->dwelled = FALSE;
  g_clear_pointer (&visit->start, g_free);
}

/* ---- things ---- */

/* @data: nullable */
static void
thing_free (gpointer data)
{
  ZoneThing *thing = data;

  if (thing == NULL)
    return;
  for (guint z = 0; z < thing->n_visits; z++)
    g_free (thing->visits[z].start);
  g_free (thing->label);
  g_free (thing->visits);
  g_free (thing);
}

static ZoneThing *
thing_new (
    const ZoneState *state, const ZoneRules *rules, const GstGlesTrack *track, const gchar *label)
{
  ZoneThing *thing = g_new0 (ZoneThing, 1);

  thing->label = g_strdup (label);
  thing->subject.track = track->id;
  thing->subject.label = thing->label;
  thing->visits = g_new0 (ZoneVisit, MAX (state->n, 1));
  thing->n_visits = state->n;
  for (guint z = 0; z < state->n; z++)
    thing->visits[z].wanted = zone_wants (&state->zones[z], rules, label);
  return thing;
}

static gint64
choose (gint64 own, gint64 common)
{
  return own >= 0 ? own : common;
}

/* The thing was seen at @thing->at; @margin: the hysteresis. */
static void
visit_area (const Step *step, Zone *zone, const ZoneThing *thing, ZoneVisit *visit, gint64 margin)
{
  const ZoneOptions *options = &zone->definition->options;
  const gboolean inside = zone_shape_contains (&zone->shape, thing->at);
  const gint64 dwell = choose (options->dwell, step->rules->dwell);
  gint64 lasted;

  if (inside && visit->start == NULL) {
    visit->start = g_new (ZoneStart, 1);
    *visit->start = (ZoneStart){ thing->seen, thing->seen_time };
  } else if (!inside && visit->start != NULL &&
      !zone_shape_is_near (&zone->shape, thing->at, margin)) {
    end_visit (step->report, zone, thing, visit, EVENT_CAUSE_CONDITION);
  }
  if (visit->start == NULL)
    return;
  lasted = thing->seen_time - visit->start->time;
  if (!visit->member && thing->confirmed &&
      lasted >= choose (options->min_time, step->rules->min_time)) {
    visit->member = TRUE;
    zone->n_in++;
    zone->n_members++;
    tell_visit (step->report, zone, thing, visit->start,
        &(EventHead){ .name = "enter", .phase = EVENT_START });
  }
  if (visit->member && !visit->dwelled && dwell > 0 && lasted >= dwell) {
    visit->dwelled = TRUE;
    tell_visit (step->report, zone, thing, visit->start,
        &(EventHead){ .name = "dwell", .phase = EVENT_UPDATE });
  }
}

static void
take_position (const Step *step, ZoneThing *thing, const GstGlesTrack *track, const EventTime *at)
{
  ZoneState *state = step->state;
  const ZoneRules *rules = step->rules;
  const ZonePoint from = thing->at;
  const gboolean had_seen = thing->has_seen;
  const gint64 margin =
      rules->hysteresis * ((gint64) track->width + track->height) * SUB / (2 * 1000);

  thing->at = zone_anchor_of (rules->anchor, track->x, track->y, track->width, track->height);
  thing->has_seen = TRUE;
  thing->seen = *at;
  thing->seen_time = state->now;
  thing->confirmed = thing->confirmed || track->state == GST_GLES_TRACK_CONFIRMED;
  memcpy (thing->subject.box, (guint[]){ track->x, track->y, track->width, track->height },
      sizeof thing->subject.box);
  thing->subject.velocity_x = track->velocity_x;
  thing->subject.velocity_y = track->velocity_y;
  for (guint z = 0; z < state->n; z++) {
    Zone *zone = &state->zones[z];
    ZoneVisit *visit = &thing->visits[z];

    if (!visit->wanted)
      continue;
    if (!zone->shape.is_line) {
      if (visit->start != NULL || zone_shape_touches (&zone->shape, thing->at, thing->at))
        visit_area (step, zone, thing, visit, margin);
      continue;
    }
    if (had_seen)
      visit->net += zone_shape_count_crossings (&zone->shape, from, thing->at);
    if (visit->net != 0 && !zone_shape_is_near (&zone->shape, thing->at, margin))
      settle (step->report, zone, thing, visit);
  }
}

/* The thing is not seen any more. */
static void
end_thing (const Step *step, ZoneThing *thing, EventCause cause)
{
  const ZoneState *state = step->state;

  for (guint z = 0; z < state->n; z++) {
    if (state->zones[z].definition->is_line)
      settle (step->report, &state->zones[z], thing, &thing->visits[z]);
    else
      end_visit (step->report, &state->zones[z], thing, &thing->visits[z], cause);
  }
}

/* ---- zones as a whole ---- */

/* What is told at the begin and at the end of each condition. */
typedef enum {
  OCCUPIED,
  CROWDED
} Condition;

static const gchar *const condition_names[][2] = { { "occupied", "empty" }, { "crowd", "crowd" } };

static ZoneSpan *
get_span (Zone *zone, Condition condition)
{
  return condition == OCCUPIED ? &zone->occupied : &zone->crowded;
}

/* Ends a condition that holds, where it ceased to hold or else in the last frame. */
static void
end_span (const Step *step, Zone *zone, Condition condition, EventCause cause)
{
  const ZoneState *state = step->state;
  ZoneSpan *span = get_span (zone, condition);
  const gint64 end_time = span->fades ? span->faded_time : state->now;
  const EventHead head = { .name = condition_names[condition][1],
    .phase = EVENT_END,
    .cause = cause,
    .at = span->fades ? span->faded : state->last,
    .start = span->since,
    .duration = (GstClockTime) (end_time - span->since_time) };
  const gboolean holds = span->holds;

  *span = (ZoneSpan){ 0 };
  if (holds)
    tell (step->report, zone, NULL, &head);
}

/* @holds: the condition in this frame; it ends once it has not held for @hold. */
static void
follow (const Step *step, Zone *zone, Condition condition, gboolean holds, gint64 hold)
{
  const ZoneState *state = step->state;
  ZoneSpan *span = get_span (zone, condition);

  if (holds && !span->holds) {
    *span = (ZoneSpan){ .holds = TRUE, .since = state->last, .since_time = state->now };
    tell (step->report, zone, NULL,
        &(EventHead){ .name = condition_names[condition][0],
            .phase = EVENT_START,
            .at = state->last,
            .start = state->last });
  }
  if (!holds && span->holds && !span->fades) {
    span->faded = state->last;
    span->faded_time = state->now;
  }
  span->fades = span->holds && !holds;
  if (span->fades && state->now - span->faded_time >= hold)
    end_span (step, zone, condition, EVENT_CAUSE_CONDITION);
}

static void
follow_zones (const Step *step)
{
  ZoneState *state = step->state;

  for (guint z = 0; z < state->n; z++) {
    Zone *zone = &state->zones[z];
    const gint64 crowd = choose (zone->definition->options.crowd, step->rules->crowd);

    if (zone->definition->is_line)
      continue;
    if (!zone->known && zone->n_members == 0)
      tell (step->report, zone, NULL,
          &(EventHead){
              .name = "empty", .phase = EVENT_INSTANT, .at = state->last, .start = state->last });
    zone->known = TRUE;
    follow (step, zone, OCCUPIED, zone->n_members > 0, step->rules->empty_time);
    follow (step, zone, CROWDED, crowd > 0 && zone->n_members > crowd, 0);
  }
}

static void
end_zone (const Step *step, Zone *zone, EventCause cause)
{
  zone->n_members = 0;
  end_span (step, zone, OCCUPIED, cause);
  end_span (step, zone, CROWDED, cause);
  zone->known = FALSE;
}

/* ---- frames ---- */

static void
begin_frame (ZoneState *state, const EventTime *at)
{
  const GstClockTime time = at->running_time;

  if (GST_CLOCK_TIME_IS_VALID (time) && time <= G_MAXINT64)
    state->now = MAX (state->now, (gint64) time);
  state->last = *at;
  if (state->things == NULL)
    state->things = g_ptr_array_new_with_free_func (thing_free);
}

/* Whether a thing that is not listed is kept; ends it otherwise. */
static gboolean
keep (const Step *step, ZoneThing *thing)
{
  if (step->state->now - thing->listed_time < step->rules->track_lost)
    return TRUE;
  end_thing (step, thing, EVENT_CAUSE_LOST);
  return FALSE;
}

void
zone_state_push_tracks (ZoneState *state, const ZoneRules *rules, GstGlesTracksResult *tracks,
    const EventTime *at, ZoneReport *report)
{
  const guint n = gst_gles_tracks_result_get_count (tracks);
  GPtrArray *next = g_ptr_array_new_with_free_func (thing_free);
  const Step step = { state, rules, report };
  guint known = 0;

  begin_frame (state, at);
  for (guint i = 0; i <= n; i++) {
    const GstGlesTrack *track = i < n ? gst_gles_tracks_result_get_track (tracks, i, NULL) : NULL;
    ZoneThing *thing = NULL;

    /* both lists are in the order of ids */
    for (; known < state->things->len && thing == NULL; known++) {
      ZoneThing *old = g_ptr_array_index (state->things, known);

      if (track != NULL && old->subject.track > track->id)
        break;
      if (track != NULL && old->subject.track == track->id)
        thing = old;
      else if (!keep (&step, old))
        continue;
      g_ptr_array_add (next, old);
      state->things->pdata[known] = NULL;
    }
    if (track == NULL)
      break;
    if (thing == NULL) {
      thing =
          thing_new (state, rules, track, gst_gles_tracks_result_get_label (tracks, track->label));
      g_ptr_array_add (next, thing);
    }
    thing->listed_time = state->now;
    if (track->state == GST_GLES_TRACK_NEW || track->state == GST_GLES_TRACK_CONFIRMED)
      take_position (&step, thing, track, at);
  }
  g_ptr_array_unref (state->things);
  state->things = next;
  follow_zones (&step);
}

void
zone_state_push_boxes (ZoneState *state, const ZoneRules *rules, const GArray *boxes,
    const EventTime *at, ZoneReport *report)
{
  const Step step = { state, rules, report };

  begin_frame (state, at);
  for (guint z = 0; z < state->n; z++) {
    Zone *zone = &state->zones[z];

    zone->n_members = 0;
    for (guint i = 0; i < boxes->len && !zone->definition->is_line; i++) {
      const ZoneBox *box = &g_array_index (boxes, ZoneBox, i);

      if (zone_shape_contains (&zone->shape, box->at) && zone_wants (zone, rules, box->label))
        zone->n_members++;
    }
  }
  follow_zones (&step);
}

void
zone_state_end (ZoneState *state, EventCause cause, ZoneReport *report)
{
  const Step step = { state, NULL, report };

  for (guint i = 0; state->things != NULL && i < state->things->len; i++)
    end_thing (&step, g_ptr_array_index (state->things, i), cause);
  for (guint z = 0; z < state->n; z++)
    end_zone (&step, &state->zones[z], cause);
  g_clear_pointer (&state->things, g_ptr_array_unref);
  state->now = 0;
}

/* ---- other zones, another size ---- */

/* Returns the index of the zone that is defined as @wanted, or @state->n. */
static guint
find (const ZoneState *state, const ZoneDefinition *wanted)
{
  for (guint z = 0; z < state->n; z++) {
    const ZoneDefinition *definition = state->zones[z].definition;

    if (definition->is_line == wanted->is_line && strcmp (definition->text, wanted->text) == 0)
      return z;
  }
  return state->n;
}

static void
free_zones (Zone *zones, guint n)
{
  for (guint z = 0; z < n; z++)
    g_free (zones[z].shape.vertices);
  g_free (zones);
}

/* Gives @thing visits to @n zones, of which zone i was the zone before[i] of @state, if there was
 * one. */
static void
take_visits (const Step *step, ZoneThing *thing, const Zone *zones, const guint *before, guint n)
{
  ZoneVisit *visits = g_new0 (ZoneVisit, MAX (n, 1));

  for (guint z = 0; z < n; z++) {
    if (before[z] < step->state->n)
      visits[z] = thing->visits[before[z]];
    else
      visits[z].wanted = zone_wants (&zones[z], step->rules, thing->label);
  }
  g_free (thing->visits);
  thing->visits = visits;
  thing->n_visits = n;
}

/* Ends what lasts in zones that go. */
static void
end_others (const Step *step, const gboolean *stays)
{
  ZoneState *state = step->state;
  const guint n_things = state->things != NULL ? state->things->len : 0;

  for (guint z = 0; z < state->n; z++) {
    for (guint i = 0; i < n_things && !stays[z]; i++) {
      ZoneThing *thing = g_ptr_array_index (state->things, i);

      if (state->zones[z].definition->is_line)
        settle (step->report, &state->zones[z], thing, &thing->visits[z]);
      else
        end_visit (step->report, &state->zones[z], thing, &thing->visits[z], EVENT_CAUSE_STOPPED);
    }
    if (!stays[z])
      end_zone (step, &state->zones[z], EVENT_CAUSE_STOPPED);
  }
}

void
zone_state_set_zones (
    ZoneState *state, ZoneSet *areas, ZoneSet *lines, const ZoneRules *rules, ZoneReport *report)
{
  const guint n = areas->len + lines->len;
  g_autofree guint *before = g_new (guint, MAX (n, 1));
  g_autofree gboolean *stays = g_new0 (gboolean, MAX (state->n, 1));
  const Step step = { state, rules, report };
  Zone *zones = g_new0 (Zone, MAX (n, 1));

  for (guint z = 0; z < n; z++) {
    const ZoneDefinition *definition = get_definition (areas, lines, z);

    before[z] = find (state, definition);
    if (before[z] < state->n) {
      zones[z] = state->zones[before[z]];
      zones[z].shape = (ZoneShape){ 0 };
      stays[before[z]] = TRUE;
    }
    zones[z].definition = definition;
  }
  end_others (&step, stays);
  for (guint i = 0; state->things != NULL && i < state->things->len; i++)
    take_visits (&step, g_ptr_array_index (state->things, i), zones, before, n);
  free_zones (state->zones, state->n);
  state->zones = zones;
  state->n = n;
  g_ptr_array_ref (areas);
  g_ptr_array_ref (lines);
  g_clear_pointer (&state->areas, g_ptr_array_unref);
  g_clear_pointer (&state->lines, g_ptr_array_unref);
  state->areas = areas;
  state->lines = lines;
  if (state->width > 0)
    zone_state_set_size (state, state->width, state->height);
}

void
zone_state_set_size (ZoneState *state, guint width, guint height)
{
  state->width = width;
  state->height = height;
  for (guint z = 0; z < state->n; z++) {
    Zone *zone = &state->zones[z];

    g_free (zone->shape.vertices);
    zone->shape = (ZoneShape){ .vertices = zone_definition_place (zone->definition, width, height),
      .n = zone->definition->coordinates->len / 2,
      .is_line = zone->definition->is_line };
    zone_shape_measure (&zone->shape);
  }
}

void
zone_state_clear (ZoneState *state)
{
  free_zones (state->zones, state->n);
  g_clear_pointer (&state->areas, g_ptr_array_unref);
  g_clear_pointer (&state->lines, g_ptr_array_unref);
  g_clear_pointer (&state->things, g_ptr_array_unref);
  *state = (ZoneState){ 0 };
}
