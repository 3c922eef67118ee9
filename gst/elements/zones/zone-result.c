/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "zone-result.h"

#include <string.h>

typedef struct {
  GArray *zones, *vertices, *members;
  GPtrArray *names, *labels;
} Builder;

/* Returns the index of @label, which lives as long as the builder. */
static guint
find_label (Builder *builder, const gchar *label)
{
  guint i = 0;

  while (i < builder->labels->len && strcmp (g_ptr_array_index (builder->labels, i), label) != 0)
    i++;
  if (i == builder->labels->len)
    g_ptr_array_add (builder->labels, (gpointer) label);
  return i;
}

static void
add_member (Builder *builder, guint zone, guint64 track, gint64 inside, const gchar *label)
{
  const GstGlesZoneMember member = { track, (guint64) inside, find_label (builder, label), zone };

  g_array_append_val (builder->members, member);
}

static void
add_things (Builder *builder, const ZoneState *state, guint z)
{
  guint n_left = state->zones[z].n_members;

  for (guint i = 0; n_left > 0; i++) {
    const ZoneThing *thing = g_ptr_array_index (state->things, i);
    const ZoneVisit *visit = &thing->visits[z];

    if (!visit->member)
      continue;
    add_member (builder, z, thing->subject.track, state->now - visit->start->time, thing->label);
    n_left--;
  }
}

static void
add_boxes (Builder *builder, const Zone *zone, guint z, const ZoneRules *rules, const GArray *boxes)
{
  for (guint i = 0; i < boxes->len; i++) {
    const ZoneBox *box = &g_array_index (boxes, ZoneBox, i);

    if (zone_shape_contains (&zone->shape, box->at) && zone_wants (zone, rules, box->label))
      add_member (builder, z, 0, 0, box->label);
  }
}

static void
add_zone (
    Builder *builder, const ZoneState *state, guint z, const ZoneRules *rules, const GArray *boxes)
{
  const Zone *zone = &state->zones[z];
  const gboolean is_line = zone->definition->is_line;
  GstGlesZone item = { .kind = is_line ? GST_GLES_ZONE_LINE : GST_GLES_ZONE_AREA,
    .occupied = zone->occupied.holds,
    .first_vertex = builder->vertices->len,
    .n_vertices = zone->shape.n,
    .first_member = builder->members->len,
    .n_in = zone->n_in,
    .n_out = zone->n_out };

  g_ptr_array_add (builder->names, zone->definition->name);
  g_array_append_vals (builder->vertices, zone->shape.vertices, zone->shape.n);
  if (!is_line && boxes != NULL)
    add_boxes (builder, zone, z, rules, boxes);
  else if (!is_line)
    add_things (builder, state, z);
  item.n_members = builder->members->len - item.first_member;
  g_array_append_val (builder->zones, item);
}

static GBytes *
to_bytes (GArray *array)
{
  const gsize size = array->len * g_array_get_element_size (array);

  return g_bytes_new_take (g_array_free (array, FALSE), size);
}

GstGlesZonesResult *
zone_result_new (const ZoneState *state, const ZoneRules *rules, const GArray *boxes,
    const GstGlesFrameInfo *frame)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();
  Builder builder = { g_array_new (FALSE, FALSE, sizeof (GstGlesZone)),
    g_array_new (FALSE, FALSE, sizeof (GstGlesZoneVertex)),
    g_array_new (FALSE, FALSE, sizeof (GstGlesZoneMember)), names, labels };
  const GstGlesZonesInfo info = { .frame = *frame, .has_tracks = boxes == NULL };
  g_autoptr (GBytes) zones = NULL;
  g_autoptr (GBytes) vertices = NULL;
  g_autoptr (GBytes) members = NULL;

  for (guint z = 0; z < state->n; z++)
    add_zone (&builder, state, z, rules, boxes);
  g_ptr_array_add (names, NULL);
  g_ptr_array_add (labels, NULL);
  zones = to_bytes (builder.zones);
  vertices = to_bytes (builder.vertices);
  members = to_bytes (builder.members);
  return gst_gles_zones_result_new_complete (&info,
      &(GstGlesZonesParts){ zones, vertices, members, (const gchar *const *) names->pdata,
          (const gchar *const *) labels->pdata });
}
