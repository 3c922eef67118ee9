/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which things are inside of which zones, and what has crossed which lines. The rules stand in
 * docs/elements/gleszones.md. */
#ifndef ZONE_STATE_H
#define ZONE_STATE_H

#include <gst/gles/meta/tracks.h>

#include "zone-report.h"

G_BEGIN_DECLS

typedef enum {
  ZONE_ANCHOR_BOTTOM,
  ZONE_ANCHOR_CENTRE
} ZoneAnchor;

/* For zones that say nothing else. Times are in nanoseconds. */
typedef struct {
  ZoneAnchor anchor;
  const gchar *types;
  gint64 min_time, dwell, crowd;
  gint64 empty_time, track_lost;
  gint64 hysteresis; /* thousandths of the mean side of the box */
} ZoneRules;

/* A condition of a zone that holds since a frame; it fades once it has not held since another. */
typedef struct {
  gboolean holds, fades;
  EventTime since, faded;
  gint64 since_time, faded_time;
} ZoneSpan;

typedef struct {
  const ZoneDefinition *definition; /* of the set */
  ZoneShape shape;
  guint64 n_in, n_out;
  guint n_members;
  gboolean known; /* whether it is occupied or empty has been told */
  ZoneSpan occupied, crowded;
} Zone;

/* The first frame of a visit. */
typedef struct {
  EventTime at;
  gint64 time;
} ZoneStart;

/* A thing and a zone. Each frame looks at all of them, so they are small. */
typedef struct {
  ZoneStart *start;       /* of the visit that lasts; NULL: the thing is not inside */
  gint net;               /* crossings that are not told yet: those in less those out */
  guint8 wanted;          /* gboolean: the type of the thing counts in the zone */
  guint8 member, dwelled; /* gboolean */
} ZoneVisit;

/* A track. */
typedef struct {
  ZoneSubject subject;
  gchar *label; /* which subject has */
  gboolean confirmed;
  gint64 listed_time; /* when it was listed last */
  gboolean has_seen;
  EventTime seen; /* when it was seen last */
  gint64 seen_time;
  ZonePoint at;
  ZoneVisit *visits; /* one for each zone */
  guint n_visits;
} ZoneThing;

/* All zero at the start. Used on the streaming thread. */
typedef struct {
  ZoneSet *areas, *lines; /* (nullable) */
  Zone *zones;            /* areas, behind them lines */
  guint n;
  guint width, height; /* of the picture; 0: not known yet */
  GPtrArray *things;   /* of ZoneThing, in the order of ids; NULL: none yet */
  EventTime last;      /* of the last frame */
  gint64 now;
} ZoneState;

/* Drops everything. */
void zone_state_clear (ZoneState *state);

/* Takes @areas and @lines (transfer none). Zones that are defined by the same text as before keep
 * their counters and what is in them; of the others, what lasts ends because of @report. */
void zone_state_set_zones (
    ZoneState *state, ZoneSet *areas, ZoneSet *lines, const ZoneRules *rules, ZoneReport *report);

/* Places the zones in a picture of another size. */
void zone_state_set_size (ZoneState *state, guint width, guint height);

/* One frame with @tracks, at @at. */
void zone_state_push_tracks (ZoneState *state, const ZoneRules *rules, GstGlesTracksResult *tracks,
    const EventTime *at, ZoneReport *report);

/* A box without a track. */
typedef struct {
  ZonePoint at;
  const gchar *label;
} ZoneBox;

/* One frame with @boxes, of ZoneBox, in place of tracks. */
void zone_state_push_boxes (ZoneState *state, const ZoneRules *rules, const GArray *boxes,
    const EventTime *at, ZoneReport *report);

/* Ends all that lasts because of @cause, and forgets all things, but no counter. */
void zone_state_end (ZoneState *state, EventCause cause, ZoneReport *report);

/* The point of a box that counts. */
ZonePoint zone_anchor_of (ZoneAnchor anchor, gint64 x, gint64 y, gint64 width, gint64 height);

/* Whether a box of @label counts in @zone. */
gboolean zone_wants (const Zone *zone, const ZoneRules *rules, const gchar *label);

G_END_DECLS

#endif
