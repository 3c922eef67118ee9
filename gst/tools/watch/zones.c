/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "zones.h"

#include "label.h"

#include <string.h>

/* ---- definitions ---- */

gchar *
watch_zone_describe (const WatchZoneConfig *zone)
{
  g_autoptr (GString) text = g_string_new (zone->section.name);

  if (zone->types != NULL)
    g_string_append_printf (text, " types=%s", zone->types);
  if (zone->dwell > 0)
    g_string_append_printf (text, " dwell=%" G_GUINT64_FORMAT, zone->dwell);
  g_string_append_printf (text, ": %s", zone->polygon != NULL ? zone->polygon : zone->line);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

gchar *
watch_zones_describe (const WatchCameraConfig *config, gboolean are_lines)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < config->zones->len; i++) {
    const WatchZoneConfig *zone = config->zones->pdata[i];
    g_autofree gchar *one = watch_zone_describe (zone);

    if ((zone->line != NULL) == are_lines)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "; " : "", one);
  }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

gchar *
watch_zone_get_level (const WatchZoneConfig *zone, const gchar *state)
{
  return g_strjoin ("/", "zones", zone->section.name, state, NULL);
}

/* ---- states ---- */

/* Of one class of things. */
typedef struct {
  guint64 n_in, n_out, n_dwells;
} Counts;

typedef struct {
  WatchConfig *owner;
  const WatchZoneConfig *config; /* of owner */
  gboolean is_known, is_occupied;
  GHashTable *dwelling; /* a set of ids: visits that last for longer than `dwell` */
  GHashTable *classes;  /* from a label to its Counts */
} Zone;

struct _WatchZones {
  GHashTable *table; /* from the name of a zone to it: no two of a configuration have the same */
};

static Counts *
get_counts (Zone *zone, const gchar *label)
{
  Counts *counts = g_hash_table_lookup (zone->classes, label);

  if (counts == NULL) {
    counts = g_new0 (Counts, 1);
    g_hash_table_insert (zone->classes, g_strdup (label), counts);
  }
  return counts;
}

static Zone *
zone_new (WatchConfig *owner, const WatchZoneConfig *config)
{
  Zone *zone = g_new0 (Zone, 1);
  g_auto (GStrv) types = g_strsplit (config->types != NULL ? config->types : "", ",", -1);

  zone->owner = watch_config_ref (owner);
  zone->config = config;
  zone->dwelling = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  zone->classes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; types[i] != NULL; i++)
    get_counts (zone, types[i]);
  return zone;
}

static void
zone_free (gpointer data)
{
  Zone *zone = data;

  g_hash_table_unref (zone->dwelling);
  g_hash_table_unref (zone->classes);
  watch_config_unref (zone->owner);
  g_free (zone);
}

WatchZones *
watch_zones_new (void)
{
  WatchZones *self = g_new0 (WatchZones, 1);

  self->table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, zone_free);
  return self;
}

void
watch_zones_free (WatchZones *self)
{
  g_hash_table_unref (self->table);
  g_free (self);
}

void
watch_zones_set (WatchZones *self, WatchConfig *config)
{
  g_autoptr (GHashTable) former = g_steal_pointer (&self->table);

  self->table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, zone_free);
  for (guint i = 0; i < config->zones->len; i++) {
    const WatchZoneConfig *one = config->zones->pdata[i];
    g_autofree gchar *name = NULL;
    Zone *zone = NULL;

    if (g_hash_table_steal_extended (
            former, one->section.name, (gpointer *) &name, (gpointer *) &zone) &&
        strcmp (zone->config->section.fingerprint, one->section.fingerprint) != 0)
      g_clear_pointer (&zone, zone_free);
    g_hash_table_insert (
        self->table, g_strdup (one->section.name), zone != NULL ? zone : zone_new (config, one));
  }
}

/* ---- what is told of them ---- */

typedef struct {
  const Zone *zone;
  WatchZoneFunc func;
  gpointer user_data;
} Listing;

static void
list (const Listing *self, const gchar *state, const gchar *value)
{
  g_autofree gchar *level = watch_zone_get_level (self->zone->config, state);

  self->func (self->zone->config->camera, level, value, self->user_data);
}

static void
list_count (const Listing *self, const gchar *state, guint64 count)
{
  g_autofree gchar *value = g_strdup_printf ("%" G_GUINT64_FORMAT, count);

  list (self, state, value);
}

static void
list_zone (const Zone *zone, WatchZoneFunc func, gpointer user_data)
{
  const Listing listing = { zone, func, user_data };
  guint64 n_in = 0, n_out = 0;
  GHashTableIter iter;
  gpointer counts;

  g_hash_table_iter_init (&iter, zone->classes);
  while (g_hash_table_iter_next (&iter, NULL, &counts)) {
    n_in += ((const Counts *) counts)->n_in;
    n_out += ((const Counts *) counts)->n_out;
  }
  list_count (&listing, WATCH_ZONE_IN, n_in);
  list_count (&listing, WATCH_ZONE_OUT, n_out);
  if (!zone->is_known)
    return;
  list (&listing, WATCH_ZONE_OCCUPANCY, zone->is_occupied ? "ON" : "OFF");
  if (zone->config->dwell > 0)
    list (&listing, WATCH_ZONE_DWELL, g_hash_table_size (zone->dwelling) > 0 ? "ON" : "OFF");
}

void
watch_zones_list (
    const WatchZones *self, const gchar *camera, WatchZoneFunc func, gpointer user_data)
{
  GHashTableIter iter;
  gpointer zone;

  g_hash_table_iter_init (&iter, self->table);
  while (g_hash_table_iter_next (&iter, NULL, &zone)) {
    if (strcmp (((const Zone *) zone)->config->camera, camera) == 0)
      list_zone (zone, func, user_data);
  }
}

void
watch_zones_take (
    WatchZones *self, const WatchNotice *notice, WatchZoneFunc func, gpointer user_data)
{
  const gchar *line = json_object_get_string_member_with_default (notice->line, "line", "");
  const gchar *name = json_object_get_string_member_with_default (notice->line, "zone", line);
  const gchar *label = json_object_get_string_member_with_default (notice->line, "label", "");
  const gchar *direction =
      json_object_get_string_member_with_default (notice->line, "direction", "");
  Zone *zone = g_hash_table_lookup (self->table, name);

  /* events of a zone that a reload took away may still be on their way */
  if (zone == NULL || strcmp (zone->config->camera, notice->camera) != 0)
    return;
  if (g_str_equal (notice->event, "enter") || g_str_equal (direction, "in")) {
    get_counts (zone, label)->n_in++;
  } else if (g_str_equal (notice->event, "leave") || g_str_equal (direction, "out")) {
    get_counts (zone, label)->n_out++;
    g_hash_table_remove (zone->dwelling, notice->id);
  } else if (g_str_equal (notice->event, "dwell")) {
    get_counts (zone, label)->n_dwells++;
    g_hash_table_add (zone->dwelling, g_strdup (notice->id));
  } else if (g_str_equal (notice->event, "occupied") || g_str_equal (notice->event, "empty")) {
    zone->is_known = TRUE;
    zone->is_occupied = g_str_equal (notice->event, "occupied");
  }
  list_zone (zone, func, user_data);
}

/* ---- metrics ---- */

static const struct {
  const gchar *name, *help;
  gsize offset;         /* in Counts */
  gboolean needs_dwell; /* only of zones that have `dwell` */
} metrics[] = {
  { "zone_in_total", "Things that entered a zone, or crossed a line from its left to its right",
      G_STRUCT_OFFSET (Counts, n_in), FALSE },
  { "zone_out_total", "Things that left a zone, or crossed a line from its right to its left",
      G_STRUCT_OFFSET (Counts, n_out), FALSE },
  { "zone_dwell_total", "Things that stayed in a zone for dwell seconds",
      G_STRUCT_OFFSET (Counts, n_dwells), TRUE },
};

static void
append_zone (GString *text, const Zone *zone, guint metric)
{
  g_autofree gchar *camera = watch_label_escape (zone->config->camera);
  GHashTableIter iter;
  gpointer label, counts;

  g_hash_table_iter_init (&iter, zone->classes);
  while (g_hash_table_iter_next (&iter, &label, &counts)) {
    g_autofree gchar *escaped = watch_label_escape (label);

    g_string_append_printf (text,
        "gst_gles_watch_%s{camera=\"%s\",zone=\"%s\",class=\"%s\"} %" G_GUINT64_FORMAT "\n",
        metrics[metric].name, camera, zone->config->section.name, escaped,
        G_STRUCT_MEMBER (guint64, counts, metrics[metric].offset));
  }
}

void
watch_zones_append_metrics (const WatchZones *self, GString *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (metrics) && g_hash_table_size (self->table) > 0; i++) {
    GHashTableIter iter;
    gpointer zone;

    g_string_append_printf (text,
        "# HELP gst_gles_watch_%s %s.\n# TYPE gst_gles_watch_%s counter\n", metrics[i].name,
        metrics[i].help, metrics[i].name);
    g_hash_table_iter_init (&iter, self->table);
    while (g_hash_table_iter_next (&iter, NULL, &zone)) {
      if (!metrics[i].needs_dwell || ((const Zone *) zone)->config->dwell > 0)
        append_zone (text, zone, i);
    }
  }
}
