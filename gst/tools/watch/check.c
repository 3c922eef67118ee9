/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks of more than one value: keys that have no effect without others, and sections that
 * contradict each other. */
#include "check-private.h"
#include "config-lines.h"
#include "service.h"
#include "topics.h"

#include <string.h>

/* ---- keys that others need ---- */

static void
add_unmet (const WatchChecker *self, const WatchSection *section, const WatchKey *key,
    const gchar *condition)
{
  const gboolean is_choice = strchr (condition, '=') != NULL;
  g_autofree gchar *text =
      g_strdup_printf (is_choice ? "%s is for %s alone" : "%s needs %s, too", key->name, condition);

  watch_checker_add_error (self, self->errors, section, key->name, g_strdelimit (text, "|", ','));
}

static void
check_needs (const WatchChecker *self, const WatchSection *section, const WatchKind *kind)
{
  for (const WatchKey *key = kind->keys; key->name != NULL; key++) {
    g_autofree gchar *unmet =
        watch_key_is_set (key, section) && !watch_key_is_inherited (key, section)
        ? watch_key_find_unmet (key, kind, section)
        : NULL;

    if (unmet != NULL)
      add_unmet (self, section, key, unmet);
  }
}

/* A key of [defaults] may have an effect on some of the cameras only, but it must have one on at
 * least one of them. */
static void
check_default (
    const WatchChecker *self, GPtrArray *cameras, const WatchKind *kind, const WatchKey *key)
{
  g_autofree gchar *unmet = NULL;
  const WatchSection *one = NULL;

  for (guint i = 0; i < cameras->len; i++) {
    const WatchSection *section = cameras->pdata[i];

    if (!watch_key_is_set (key, section) || !watch_key_is_inherited (key, section))
      continue;
    one = section;
    g_free (unmet);
    unmet = watch_key_find_unmet (key, kind, section);
    if (unmet == NULL)
      return;
  }
  if (one != NULL)
    add_unmet (self, one, key, unmet);
}

/* ---- sections ---- */

static void
check_section (const WatchChecker *self, const WatchSection *section, const WatchKind *kind)
{
  const guint before = self->errors->len;

  for (const WatchKey *key = kind->keys; key->name != NULL; key++)
    watch_check_value (self, section, key);
  if (self->errors->len == before)
    check_needs (self, section, kind);
}

/* The names of two cameras may become the same level of a topic, under which their states would
 * mix. */
static void
check_topics (const WatchChecker *self, GPtrArray *cameras)
{
  g_autoptr (GHashTable) levels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < cameras->len; i++) {
    const WatchCameraConfig *camera = cameras->pdata[i];
    gchar *level = watch_topic_escape (camera->section.name);
    const WatchCameraConfig *other = g_hash_table_lookup (levels, level);

    if (other != NULL) {
      g_autofree gchar *text =
          g_strdup_printf ("in topics, the name of the camera %s is %s, and so "
                           "is that of %s in line %u; choose another one",
              camera->section.name, level, other->section.name, other->section.line);

      watch_config_add_error (self->errors, self->file, camera->section.line, text);
      g_free (level);
    } else {
      g_hash_table_insert (levels, level, (gpointer) camera);
    }
  }
}

/* Two publishers must not publish the same topics on one broker, nor have the same client id,
 * because a broker disconnects a client when another one with its id comes. */
static void
check_pair (
    const WatchChecker *self, const WatchPublishConfig *one, const WatchPublishConfig *other)
{
  const gboolean same_broker = g_strcmp0 (one->address, other->address) == 0;
  g_autofree gchar *text = NULL;

  if (one->method != WATCH_METHOD_MQTT || other->method != WATCH_METHOD_MQTT)
    return;
  if (one->client_id != NULL && g_strcmp0 (one->client_id, other->client_id) == 0) {
    text =
        g_strdup_printf ("client-id=%s is that of [publish %s], too: a broker keeps the last one "
                         "that connects, so that both would connect again and again",
            one->client_id, other->section.name);
    watch_checker_add_error (self, self->errors, &one->section, "client-id", text);
  } else if (same_broker && one->states && other->states &&
      strcmp (one->base_topic, other->base_topic) == 0) {
    text = g_strdup_printf ("base-topic=%s is that of [publish %s], too, at the same address: "
                            "choose another one, or set states=false",
        one->base_topic, other->section.name);
    watch_checker_add_error (self, self->errors, &one->section, "base-topic", text);
  } else if (same_broker && strcmp (one->topic, other->topic) == 0) {
    text = g_strdup_printf ("topic=%s is that of [publish %s], too, at the same address: each line "
                            "would come twice",
        one->topic, other->section.name);
    watch_checker_add_error (self, self->errors, &one->section, "topic", text);
  }
}

static void
check_snapshots (
    const WatchChecker *self, const WatchConfig *config, const WatchPublishConfig *publish)
{
  gboolean some = FALSE;

  for (guint i = 0; i < config->cameras->len; i++)
    some = some || ((const WatchCameraConfig *) config->cameras->pdata[i])->thumbnails;
  if (publish->snapshots && !some)
    watch_checker_add_error (self, self->errors, &publish->section, "snapshots",
        "snapshots needs pictures, and all cameras have thumbnails=false");
}

/* A detector finds boxes for zones, and does nothing without them. One of [defaults] needs a camera
 * with zones. */
static void
check_detectors (const WatchChecker *self, GPtrArray *cameras)
{
  static const gchar *const text = "detector needs a [zone NAME] of the camera, too";
  const WatchKey *key = watch_key_find (watch_config_get_kind ("camera")->keys, "detector");
  const WatchSection *idle = NULL;
  gboolean used = FALSE;

  for (guint i = 0; i < cameras->len; i++) {
    const WatchCameraConfig *camera = cameras->pdata[i];
    const gboolean inherited = watch_key_is_inherited (key, &camera->section);

    if (camera->detector == NULL)
      continue;
    if (camera->zones->len > 0)
      used = used || inherited;
    else if (inherited)
      idle = &camera->section;
    else
      watch_checker_add_error (self, self->errors, &camera->section, "detector", text);
  }
  if (idle != NULL && !used)
    watch_checker_add_error (self, self->errors, idle, "detector", text);
}

/* Checks that take several sections. */
static void
check_together (const WatchChecker *self, const WatchConfig *config)
{
  const WatchKind *kind = watch_config_get_kind ("camera");

  for (const WatchKey *key = kind->keys; key->name != NULL; key++)
    check_default (self, config->cameras, kind, key);
  check_topics (self, config->cameras);
  check_detectors (self, config->cameras);
  for (guint i = 0; i < config->publish->len; i++) {
    check_snapshots (self, config, config->publish->pdata[i]);
    for (guint k = 0; k < i; k++)
      check_pair (self, config->publish->pdata[i], config->publish->pdata[k]);
  }
}

/* Returns whether one of @sections, which are those of the former configuration, has the same keys
 * and values and is therefore right. */
static gboolean
has_equal (GPtrArray *sections, const WatchSection *section)
{
  for (guint i = 0; sections != NULL && i < sections->len; i++) {
    const WatchSection *other = sections->pdata[i];

    if (strcmp (other->fingerprint, section->fingerprint) == 0)
      return TRUE;
  }
  return FALSE;
}

static void
check_cameras (const WatchChecker *self, const WatchConfig *config, const WatchConfig *former)
{
  for (guint i = 0; i < config->cameras->len; i++) {
    const WatchCameraConfig *camera = config->cameras->pdata[i];
    const guint before = self->errors->len;

    /* checking hundreds of cameras may take longer than the service manager's watchdog allows */
    watch_service_notify ("WATCHDOG=1");
    if (former != NULL && has_equal (former->cameras, &camera->section))
      continue;
    check_section (self, &camera->section, watch_config_get_kind ("camera"));
    if (self->errors->len == before)
      watch_check_settings (self, camera);
  }
}

static void
check_publish (const WatchChecker *self, const WatchConfig *config, const WatchConfig *former)
{
  for (guint i = 0; i < config->publish->len; i++) {
    const WatchPublishConfig *publish = config->publish->pdata[i];

    if (former != NULL && has_equal (former->publish, &publish->section))
      continue;
    if (publish->method == WATCH_METHOD_FILE && publish->address == NULL)
      watch_checker_add_error (self, self->errors, &publish->section, "method",
          "method=file needs an address, the path");
    else
      check_section (self, &publish->section, watch_config_get_kind ("publish"));
  }
}

static void
check_zones (const WatchChecker *self, const WatchConfig *config, const WatchConfig *former)
{
  for (guint i = 0; i < config->zones->len; i++) {
    const WatchZoneConfig *zone = config->zones->pdata[i];
    const guint before = self->errors->len;

    if (former != NULL && has_equal (former->zones, &zone->section))
      continue;
    check_section (self, &zone->section, watch_config_get_kind ("zone"));
    if (self->errors->len == before)
      watch_check_zone (self, zone);
  }
}

static void
check_single (const WatchChecker *self, const WatchSection *section, const WatchSection *former)
{
  if (former == NULL || strcmp (former->fingerprint, section->fingerprint) != 0)
    check_section (self, section, watch_config_get_kind (section->name));
}

void
watch_config_check (const WatchConfig *config, const WatchConfig *former, const gchar *file,
    GPtrArray *errors, GPtrArray *missing)
{
  g_autoptr (GHashTable) tried = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const WatchChecker self = { file, errors, missing, tried };

  check_cameras (&self, config, former);
  check_zones (&self, config, former);
  check_publish (&self, config, former);
  check_single (
      &self, &config->thumbnails.section, former != NULL ? &former->thumbnails.section : NULL);
  check_single (&self, &config->metrics.section, former != NULL ? &former->metrics.section : NULL);
  check_single (&self, &config->general.section, former != NULL ? &former->general.section : NULL);
  check_together (&self, config);
}
