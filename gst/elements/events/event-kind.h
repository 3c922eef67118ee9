/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kinds of events, and sets of them. docs/elements/glesevents.md defines each kind. */
#ifndef GST_GLES_EVENT_KIND_H
#define GST_GLES_EVENT_KIND_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef enum {
  EVENT_CUT,
  EVENT_TRANSITION,
  EVENT_BLACK,
  EVENT_WHITE,
  EVENT_FREEZE,
  EVENT_OVER_EXPOSED,
  EVENT_UNDER_EXPOSED,
  EVENT_LOW_CONTRAST,
  EVENT_COVERED,
  EVENT_BLURRED,
  EVENT_MOVED,
  EVENT_MOTION,
  EVENT_STALLED,
  EVENT_LIGHT,
  EVENT_FLASH,
  EVENT_OVER,
  EVENT_UNDER,
  EVENT_LIGHT_LEVEL,
  EVENT_CROP,
  N_EVENT_KINDS
} EventKind;

/* A set of kinds: one bit for each. */
typedef guint EventKinds;

#define EVENT_KIND_BIT(kind) (1u << (kind))

#define EVENT_KINDS_EXPOSURE                                                                       \
  (EVENT_KIND_BIT (EVENT_OVER_EXPOSED) | EVENT_KIND_BIT (EVENT_UNDER_EXPOSED) |                    \
      EVENT_KIND_BIT (EVENT_LOW_CONTRAST))
/* Kinds that luma decides. */
#define EVENT_KINDS_LUMA                                                                           \
  (EVENT_KIND_BIT (EVENT_BLACK) | EVENT_KIND_BIT (EVENT_WHITE) | EVENT_KINDS_EXPOSURE)

/* Kinds that compare levels with the limits of broadcasting. */
#define EVENT_KINDS_LEVELS (EVENT_KIND_BIT (EVENT_OVER) | EVENT_KIND_BIT (EVENT_UNDER))

/* Kinds that the overview decides. */
#define EVENT_KINDS_OVERVIEW                                                                       \
  (EVENT_KIND_BIT (EVENT_COVERED) | EVENT_KIND_BIT (EVENT_BLURRED) |                               \
      EVENT_KIND_BIT (EVENT_MOVED) | EVENT_KIND_BIT (EVENT_LIGHT))
/* Kinds that the results of gleshistogram decide. */
#define EVENT_KINDS_HISTOGRAM                                                                      \
  (EVENT_KINDS_ALL & ~(EVENT_KIND_BIT (EVENT_MOTION) | EVENT_KIND_BIT (EVENT_STALLED)))

/* Presets of the property `events`. */
#define EVENT_KINDS_EDIT                                                                           \
  (EVENT_KIND_BIT (EVENT_CUT) | EVENT_KIND_BIT (EVENT_TRANSITION) |                                \
      EVENT_KIND_BIT (EVENT_FREEZE) | EVENT_KINDS_LUMA)
#define EVENT_KINDS_CAMERA                                                                         \
  (EVENT_KIND_BIT (EVENT_BLACK) | EVENT_KIND_BIT (EVENT_FREEZE) | EVENT_KINDS_EXPOSURE |           \
      EVENT_KIND_BIT (EVENT_COVERED) | EVENT_KIND_BIT (EVENT_BLURRED) |                            \
      EVENT_KIND_BIT (EVENT_MOVED) | EVENT_KIND_BIT (EVENT_MOTION) |                               \
      EVENT_KIND_BIT (EVENT_STALLED) | EVENT_KIND_BIT (EVENT_LIGHT))
#define EVENT_KINDS_ALL (EVENT_KIND_BIT (N_EVENT_KINDS) - 1)

/* Returns the kinds of @set that were asked for by name: those of the presets for cameras, whose
 * pipeline need not serve them all, were not. */
EventKinds event_kinds_get_named (EventKinds set);

/* Returns a static string: "cut", "black", ... */
const gchar *event_kind_get_name (EventKind kind);

/* Returns the flags type GstGlesEventKinds, whose nicks are the names of kinds and of presets. */
GType event_kinds_get_type (void);

/* Returns the names of @kinds as in a sentence, "black, white and freeze" (transfer full). */
gchar *event_kinds_describe (EventKinds kinds);

G_END_DECLS

#endif
