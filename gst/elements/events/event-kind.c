/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "event-kind.h"

#include "../base/settings.h"

/* The first N_EVENT_KINDS entries are the kinds in their order. */
static const GFlagsValue kinds[] = {
  { EVENT_KIND_BIT (EVENT_CUT), "Another shot begins", "cut" },
  { EVENT_KIND_BIT (EVENT_TRANSITION), "Gradual change to another shot, to black or from black",
      "transition" },
  { EVENT_KIND_BIT (EVENT_BLACK), "Black picture", "black" },
  { EVENT_KIND_BIT (EVENT_WHITE), "White picture", "white" },
  { EVENT_KIND_BIT (EVENT_FREEZE), "The picture stands still", "freeze" },
  { EVENT_KIND_BIT (EVENT_OVER_EXPOSED), "Many white pixels", "over-exposed" },
  { EVENT_KIND_BIT (EVENT_UNDER_EXPOSED), "Many black pixels", "under-exposed" },
  { EVENT_KIND_BIT (EVENT_LOW_CONTRAST), "Narrow range of luma", "low-contrast" },
  { EVENT_KIND_BIT (EVENT_COVERED), "The camera is covered", "covered" },
  { EVENT_KIND_BIT (EVENT_BLURRED), "The camera is out of focus", "blurred" },
  { EVENT_KIND_BIT (EVENT_MOVED), "The camera shows another view", "moved" },
  { EVENT_KIND_BIT (EVENT_MOTION), "Something moves, as glesregions found it", "motion" },
  { EVENT_KIND_BIT (EVENT_STALLED), "No frames come in a live pipeline", "stalled" },
  { EVENT_KIND_BIT (EVENT_LIGHT), "The light of the whole picture changes", "light" },
  { EVENT_KIND_BIT (EVENT_FLASH), "The picture flashes more than WCAG 2.3.1 allows", "flash" },
  { EVENT_KIND_BIT (EVENT_OVER), "Levels above those of broadcasting", "over" },
  { EVENT_KIND_BIT (EVENT_UNDER), "Levels below those of broadcasting", "under" },
  { EVENT_KIND_BIT (EVENT_LIGHT_LEVEL), "Light levels of HDR beyond those that the caps say",
      "light-level" },
  { EVENT_KIND_BIT (EVENT_CROP), "The border around the picture is another one", "crop" },
  { EVENT_KINDS_EDIT, "Preset for edited video: cut to low-contrast", "edit" },
  { EVENT_KINDS_CAMERA, "Preset for fixed cameras: black, freeze, exposure, and covered to light",
      "camera" },
  { EVENT_KINDS_ALL, "Every kind", "all" },
  { 0, NULL, NULL },
};

const gchar *
event_kind_get_name (EventKind kind)
{
  return kinds[kind].value_nick;
}

EventKinds
event_kinds_get_named (EventKinds set)
{
  return set == EVENT_KINDS_CAMERA || set == EVENT_KINDS_ALL ? 0 : set;
}

GType
event_kinds_get_type (void)
{
  return flags_type ("GstGlesEventKinds", kinds);
}

gchar *
event_kinds_describe (EventKinds set)
{
  GString *text = g_string_new (NULL);

  for (guint kind = 0; kind < N_EVENT_KINDS; kind++) {
    if (set & EVENT_KIND_BIT (kind)) {
      set &= ~EVENT_KIND_BIT (kind);
      g_string_append_printf (text, "%s%s",
          text->len == 0 ? ""
              : set != 0 ? ", "
                         : " and ",
          kinds[kind].value_nick);
    }
  }
  return g_string_free (text, FALSE);
}
