/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "discovery.h"

#include "analysis.h"
#include "topics.h"
#include "zones.h"

#include <string.h>

#include <json-glib/json-glib.h>

/* Returns @text with letters, digits, _ and - alone, which no other name becomes:
 * (transfer full). */
static gchar *
make_identifier (const gchar *text)
{
  g_autofree gchar *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  gchar *identifier =
      g_strcanon (g_strdup (text), G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-", '_');

  if (strcmp (identifier, text) != 0) {
    g_autofree gchar *plain = identifier;

    identifier = g_strdup_printf ("%s_%.8s", plain, sum);
  }
  return identifier;
}

typedef struct {
  const WatchPublishConfig *config;
  const WatchCameraConfig *camera;
  WatchDiscoveryFunc func;
  gpointer user_data;
  gchar *identifier; /* of the camera */
} Discovery;

static void
add_text (JsonBuilder *builder, const gchar *name, const gchar *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

/* @topic: (transfer full). */
static void
add_topic (JsonBuilder *builder, const gchar *name, gchar *topic)
{
  add_text (builder, name, topic);
  g_free (topic);
}

static void
add_device (const Discovery *self, JsonBuilder *builder)
{
  g_autofree gchar *identifier = g_strconcat ("gles_", self->identifier, NULL);

  json_builder_set_member_name (builder, "device");
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "identifiers");
  json_builder_begin_array (builder);
  json_builder_add_string_value (builder, identifier);
  json_builder_end_array (builder);
  add_text (builder, "name", self->camera->section.name);
  add_text (builder, "manufacturer", "gst-gles-compute");
  add_text (builder, "model", "gst-gles-watch-1.0");
  json_builder_end_object (builder);
}

static void
add_availability (const Discovery *self, JsonBuilder *builder, gboolean of_camera)
{
  json_builder_set_member_name (builder, "availability");
  json_builder_begin_array (builder);
  json_builder_begin_object (builder);
  add_topic (builder, "topic", watch_topic_available (self->config));
  json_builder_end_object (builder);
  if (of_camera) {
    json_builder_begin_object (builder);
    add_topic (builder, "topic",
        watch_topic_camera (self->config, self->camera->section.name, "available"));
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
  add_text (builder, "availability_mode", "all");
}

/* Sends the message about an entity; @builder has what is special about it. */
static void
finish (const Discovery *self, JsonBuilder *builder, const gchar *component, const gchar *entity)
{
  g_autofree gchar *unique = g_strdup_printf ("gles_%s_%s", self->identifier, entity);
  g_autofree gchar *topic =
      g_strdup_printf ("%s/%s/%s/config", self->config->discovery_prefix, component, unique);
  g_autoptr (JsonNode) node = NULL;
  g_autofree gchar *text = NULL;

  add_text (builder, "unique_id", unique);
  add_device (self, builder);
  json_builder_end_object (builder);
  node = json_builder_get_root (builder);
  text = json_to_string (node, FALSE);
  self->func (topic, text, self->user_data);
}

static void
list_event (const Discovery *self, const gchar *event)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree gchar *name = g_strdelimit (g_strdup (event), "-", ' ');

  name[0] = g_ascii_toupper (name[0]);
  json_builder_begin_object (builder);
  add_text (builder, "name", name);
  add_text (builder, "device_class",
      strcmp (event, "motion") == 0 || strcmp (event, "light") == 0 ? event : "problem");
  add_topic (
      builder, "state_topic", watch_topic_camera (self->config, self->camera->section.name, event));
  add_availability (self, builder, TRUE);
  finish (self, builder, "binary_sensor", event);
}

static void
list_zone_state (const Discovery *self, const WatchZoneConfig *zone, const gchar *state)
{
  const gboolean counts = strcmp (state, WATCH_ZONE_IN) == 0 || strcmp (state, WATCH_ZONE_OUT) == 0;
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree gchar *name = g_strjoin (" ", zone->section.name, state, NULL);
  g_autofree gchar *identifier = make_identifier (zone->section.name);
  g_autofree gchar *entity = g_strjoin ("_", "zone", identifier, state, NULL);
  g_autofree gchar *level = watch_zone_get_level (zone, state);

  json_builder_begin_object (builder);
  add_text (builder, "name", name);
  if (counts)
    add_text (builder, "state_class", "total_increasing");
  else
    add_text (builder, "device_class", "occupancy");
  add_topic (
      builder, "state_topic", watch_topic_camera (self->config, self->camera->section.name, level));
  add_availability (self, builder, TRUE);
  finish (self, builder, counts ? "sensor" : "binary_sensor", entity);
}

static void
list_zone (const Discovery *self, const WatchZoneConfig *zone)
{
  if (zone->polygon != NULL)
    list_zone_state (self, zone, WATCH_ZONE_OCCUPANCY);
  if (zone->dwell > 0)
    list_zone_state (self, zone, WATCH_ZONE_DWELL);
  list_zone_state (self, zone, WATCH_ZONE_IN);
  list_zone_state (self, zone, WATCH_ZONE_OUT);
}

static void
list_connection (const Discovery *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  add_text (builder, "name", "Connection");
  add_text (builder, "device_class", "connectivity");
  add_topic (builder, "state_topic",
      watch_topic_camera (self->config, self->camera->section.name, "available"));
  add_text (builder, "payload_on", "online");
  add_text (builder, "payload_off", "offline");
  add_availability (self, builder, FALSE);
  finish (self, builder, "binary_sensor", "connection");
}

static void
list_picture (const Discovery *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  add_text (builder, "name", "Last event");
  add_topic (builder, "image_topic",
      watch_topic_camera (self->config, self->camera->section.name, "snapshot"));
  add_text (builder, "content_type", "image/jpeg");
  add_availability (self, builder, FALSE);
  finish (self, builder, "image", "snapshot");
}

void
watch_discovery_list (const WatchPublishConfig *config, const WatchCameraConfig *camera,
    WatchDiscoveryFunc func, gpointer user_data)
{
  g_autofree gchar *identifier = make_identifier (camera->section.name);
  const Discovery self = { config, camera, func, user_data, identifier };
  g_auto (GStrv) events = watch_analysis_list_events (camera, NULL);

  for (guint i = 0; events != NULL && events[i] != NULL; i++) {
    if (watch_analysis_lasts (events[i]))
      list_event (&self, events[i]);
  }
  if (camera->record != NULL)
    list_event (&self, WATCH_EVENT_UNRECORDED);
  for (guint i = 0; i < camera->zones->len; i++)
    list_zone (&self, camera->zones->pdata[i]);
  list_connection (&self);
  if (config->snapshots)
    list_picture (&self);
}
