/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sections are structures whose members are described by tables. GKeyFile reads the values. */
#include "watch-config.h"

#include "config-keys.h"
#include "config-lines.h"

#include <string.h>

#define C(member) G_STRUCT_OFFSET (WatchCameraConfig, member)
#define Z(member) G_STRUCT_OFFSET (WatchZoneConfig, member)
#define P(member) G_STRUCT_OFFSET (WatchPublishConfig, member)
#define T(member) G_STRUCT_OFFSET (WatchThumbnailsConfig, member)
#define M(member) G_STRUCT_OFFSET (WatchMetricsConfig, member)
#define G(member) G_STRUCT_OFFSET (WatchGeneralConfig, member)

/* Conditions that several keys need. */
#define CODED "uri=rtsp|http|file|v4l2"
#define MQTT "method=mqtt"

static const WatchKey camera_keys[] = {
  { "uri", URI, C (uri), NULL, 0, 0,
      "rtsp://, rtsps://, http://, https://, file:///, v4l2:///dev/video0 or test:PATTERN" },
  { "user", TEXT, C (user), NULL, 0, 0, "for RTSP and HTTP", "uri=rtsp|http password-file" },
  { "password-file", FILE_TO_READ, C (password_file), NULL, 0, 0,
      "a file whose first line is the password", "uri=rtsp|http user" },
  { "follow", CHOICE, C (follow), "host|any", 0, 0,
      "where redirects and playlists may lead: host: to the host of uri; any: anywhere",
      "uri=rtsp|http" },
  { "device", DEVICE, C (device), "auto", 0, 0, "where to analyse, as gleshistogram takes it" },
  { "decoder", DECODERS, C (decoder), NULL, 0, 0,
      "the decoders to choose from, commas between; without it by rank", CODED },
  { "decoder-threads", NUMBER, C (decoder_threads), "1", 0, 64,
      "of decoders on the CPU; 0: as many as they want", CODED },
  { "events", EVENTS, C (events), "motion+black+covered+blurred+moved+light", 0, 0,
      "kinds of glesevents, + between" },
  { "rate", NUMBER, C (rate), "0", 0, 1000, "frames a second that are analysed; 0: all" },
  { "mask", TEXT, C (mask), NULL, 0, 0, "polygons or a picture, as glescompact takes it" },
  { "region", TEXT, C (region), NULL, 0, 0, "the part to analyse, as gleshistogram takes it" },
  { "detector", DETECTOR, C (detector), NULL, 0, 0,
      "elements that find boxes for zones, as gst-launch-1.0 takes them" },
  { "detect-every", NUMBER, C (detect_every), "1", 1, 1000,
      "the detector gets every so many frames", "detector" },
  { "set", LIST, C (set), NULL, 0, 0, "ELEMENT.PROPERTY=VALUE, semicolons between" },
  { "tags", TAGS, C (tags), NULL, 0, 0, "a JSON object; lines have it beside the name" },
  { "time", CHOICE, C (time), "auto|camera|arrival", 0, 0,
      "the clock of utc; auto: the camera's, if it is at most 10 s off this machine's",
      "uri=rtsp" },
  { "latency", NUMBER, C (latency), "200", 0, 60000, "ms in which RTSP puts packets in order",
      "uri=rtsp" },
  { "stall-timeout", NUMBER, C (stall_timeout), "5", 1, 3600,
      "s without data after which the camera is stalled" },
  { "thumbnails", BOOLEAN, C (thumbnails), "true", 0, 0, "a picture for each event" },
  { "record", FOLDER, C (record), NULL, 0, 0, "a folder for the stream as it comes", CODED },
  { "record-audio", BOOLEAN, C (record_audio), "true", 0, 0, "record the audio, too", "record" },
  { "record-duration", NUMBER, C (record_duration), "300", 1, 86400, "s of a file", "record" },
  { "record-bytes", NUMBER, C (record_bytes), "0", 0, G_MAXUINT64,
      "of all files of the camera; the oldest goes; 0: no bound", "record" },
  { "record-days", NUMBER, C (record_days), "0", 0, 36500,
      "after which a file of the camera goes; 0: no bound", "record" },
  { "record-keep-free", NUMBER, C (record_keep_free), "0", 0, G_MAXUINT64,
      "bytes of the disk; the oldest files of the camera go; 0: no bound", "record" },
  { NULL },
};

static const WatchKey zone_keys[] = {
  { "camera", TEXT, Z (camera), NULL, 0, 0, "the name of a camera" },
  { "polygon", TEXT, Z (polygon), NULL, 0, 0, "the corners of a zone, as gleszones takes them" },
  { "line", TEXT, Z (line), NULL, 0, 0, "the vertices of a line that things cross" },
  { "types", TEXT, Z (types), NULL, 0, 0, "labels of things that count, commas between" },
  { "dwell", NUMBER, Z (dwell), "0", 0, 1000000,
      "s after which something that is in the zone dwells; 0: never", "polygon" },
  { NULL },
};

static const WatchKey publish_keys[] = {
  { "method", CHOICE, P (method), "mqtt|file|fd", 0, 0, "mqtt, file or fd" },
  { "address", TARGET, P (address), NULL, 0, 0, "as glespublish takes it" },
  { "topic", LINES_TOPIC, P (topic), NULL, 0, 0,
      "of the lines of events; without it BASE-TOPIC/{tags.camera}/events", MQTT },
  { "client-id", TEXT, P (client_id), NULL, 0, 0, "for MQTT", MQTT },
  { "user", TEXT, P (user), NULL, 0, 0, "for MQTT", MQTT },
  { "password-file", FILE_TO_READ, P (password_file), NULL, 0, 0, "for MQTT", MQTT " user" },
  { "ca-file", FILE_TO_READ, P (ca_file), NULL, 0, 0, "for MQTT with TLS", MQTT },
  { "cert-file", FILE_TO_READ, P (cert_file), NULL, 0, 0, "for MQTT with TLS", MQTT " key-file" },
  { "key-file", FILE_TO_READ, P (key_file), NULL, 0, 0, "for MQTT with TLS", MQTT " cert-file" },
  { "qos", NUMBER, P (qos), "1", 0, 2, "quality of service of lines", MQTT },
  { "retain", BOOLEAN, P (retain), "false", 0, 0, "let the broker keep the last line", MQTT },
  { "spool-bytes", NUMBER, P (spool_bytes), "67108864", 0, G_MAXINT64,
      "bound of the spool in the state directory; 0: no spool", MQTT },
  { "queue-bytes", NUMBER, P (queue_bytes), "8388608", 4096, G_MAXINT64,
      "bound of what waits in memory" },
  { "states", BOOLEAN, P (states), "true", 0, 0, "ON and OFF for each camera and kind, retained",
      MQTT },
  { "snapshots", BOOLEAN, P (snapshots), "false", 0, 0, "the picture of each event, retained",
      MQTT " states" },
  { "base-topic", TOPIC, P (base_topic), "gles", 0, 0,
      "of states, snapshots and, without topic, lines", MQTT },
  { "home-assistant", BOOLEAN, P (home_assistant), "false", 0, 0, "publish for its discovery",
      MQTT " states" },
  { "discovery-prefix", TOPIC, P (discovery_prefix), "homeassistant", 0, 0, "of its topics",
      MQTT " home-assistant" },
  { NULL },
};

static const WatchKey thumbnails_keys[] = {
  { "directory", FOLDER, T (directory), NULL, 0, 0, "where pictures of events go" },
  { "width", NUMBER, T (width), "640", 16, 8192, "of pictures, in pixels" },
  { "quality", NUMBER, T (quality), "80", 1, 100, "of JPEG" },
  { "boxes", BOOLEAN, T (boxes), "false", 0, 0, "draw a box around what moves" },
  { "max-files", NUMBER, T (max_files), "10000", 1, 10000000, "the oldest goes", "directory" },
  { "max-bytes", NUMBER, T (max_bytes), "1073741824", 1, G_MAXINT64, "the oldest goes",
      "directory" },
  { NULL },
};

static const WatchKey metrics_keys[] = {
  { "address", LISTEN, M (address), "127.0.0.1", 0, 0, "where to listen", "port" },
  { "port", NUMBER, M (port), "0", 0, 65535, "for Prometheus; 0: none" },
  { NULL },
};

static const WatchKey general_keys[] = {
  { "state-directory", FOLDER, G (state_directory), NULL, 0, 0,
      "for spools; the service has one, without it they need this" },
  { NULL },
};

/* "defaults" has the keys of cameras. */
static const WatchKind kinds[] = {
  { "camera", TRUE, sizeof (WatchCameraConfig), camera_keys },
  { "publish", TRUE, sizeof (WatchPublishConfig), publish_keys },
  { "thumbnails", FALSE, sizeof (WatchThumbnailsConfig), thumbnails_keys },
  { "metrics", FALSE, sizeof (WatchMetricsConfig), metrics_keys },
  { "watch", FALSE, sizeof (WatchGeneralConfig), general_keys },
  { "defaults", FALSE, sizeof (WatchCameraConfig), camera_keys },
  { "zone", TRUE, sizeof (WatchZoneConfig), zone_keys },
};

typedef struct {
  WatchConfigLines lines;
  GKeyFile *values;
} Parser;

/* ---- values ---- */

static void
set_choice (const Parser *self, guint *member, const WatchKey *key, guint line, const gchar *text)
{
  g_auto (GStrv) values = g_strsplit (key->value, "|", -1);
  g_autofree gchar *listed = g_strjoinv (", ", values);
  guint n = 0;

  while (values[n] != NULL && strcmp (values[n], text) != 0)
    n++;
  if (values[n] == NULL)
    watch_config_lines_fail (&self->lines, line, "%s=%s: there are %s", key->name, text, listed);
  else
    *member = n;
}

/* @text: what the user wrote. */
static void
set_text (Parser *self, gchar **member, const WatchKey *key, guint line, const gchar *text)
{
  if (text[0] == '\0' && key->value != NULL)
    watch_config_lines_fail (
        &self->lines, line, "%s is empty; without the key it is %s", key->name, key->value);
  g_free (*member);
  *member = text[0] != '\0' ? g_strdup (text) : NULL;
}

/* @line: of the key; 0 for a default. @text: not NULL. */
static void
set_value (Parser *self, gpointer target, const WatchKey *key, guint line, const gchar *text)
{
  gpointer member = (guint8 *) target + key->offset;
  guint64 number;

  switch (key->type) {
    case LIST:
      g_strfreev (*(gchar ***) member);
      *(gchar ***) member = g_strsplit (text, ";", -1);
      for (gchar **item = *(gchar ***) member; *item != NULL; item++)
        g_strstrip (*item);
      break;
    case BOOLEAN:
      if (strcmp (text, "true") != 0 && strcmp (text, "false") != 0)
        watch_config_lines_fail (&self->lines, line, "%s=%s: true or false", key->name, text);
      *(gboolean *) member = strcmp (text, "true") == 0;
      break;
    case NUMBER:
      if (g_ascii_string_to_unsigned (text, 10, key->min, key->max, &number, NULL))
        *(guint64 *) member = number;
      else
        watch_config_lines_fail (&self->lines, line,
            "%s=%s: a number from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT, key->name, text,
            key->min, key->max);
      break;
    case CHOICE:
      set_choice (self, member, key, line, text);
      break;
    default:
      set_text (self, member, key, line, text);
      break;
  }
}

static gchar *
list_keys (const WatchKey *keys)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (; keys->name != NULL; keys++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", keys->name);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Sets what @section of the file says. @own: it is the section of @target, not that of defaults. */
static void
read_values (
    Parser *self, WatchSection *target, const WatchKey *keys, const gchar *section, gboolean own)
{
  g_auto (GStrv) names = g_key_file_get_keys (self->values, section, NULL, NULL);

  for (guint i = 0; names != NULL && names[i] != NULL; i++) {
    const WatchKey *key = watch_key_find (keys, names[i]);
    const guint line = watch_config_lines_get (&self->lines, section, names[i]);
    g_autoptr (GError) error = NULL;
    g_autofree gchar *text = g_key_file_get_string (self->values, section, names[i], &error);

    if (key == NULL) {
      g_autofree gchar *there = list_keys (keys);

      watch_config_lines_fail (
          &self->lines, line, "there is no key %s in [%s]; there are %s", names[i], section, there);
    } else if (text == NULL) {
      watch_config_lines_fail (&self->lines, line, "%s", error->message);
    } else {
      set_value (self, target, key, line, g_strstrip (text));
      g_hash_table_insert (
          target->lines, (gpointer) key->name, GINT_TO_POINTER (own ? (gint) line : -(gint) line));
    }
  }
}

/* Fills @target, whose name is set, with what @section of the file says. Cameras have the values of
 * [defaults] where their section does not have a key. */
static void
read_section (Parser *self, WatchSection *target, const WatchKind *kind, const gchar *section)
{
  g_autoptr (GString) fingerprint = g_string_new (NULL);
  const gchar *defaults = kind->keys == camera_keys ? "defaults" : NULL;

  target->lines = g_hash_table_new (g_str_hash, g_str_equal);
  target->line = watch_config_lines_get (&self->lines, section, NULL);
  for (const WatchKey *key = kind->keys; key->name != NULL; key++) {
    g_autofree gchar *value = watch_key_get_default (key);

    if (value != NULL)
      set_value (self, target, key, 0, value);
  }
  if (defaults != NULL)
    read_values (self, target, kind->keys, defaults, FALSE);
  read_values (self, target, kind->keys, section, TRUE);
  for (const WatchKey *key = kind->keys; key->name != NULL; key++) {
    g_autofree gchar *value = g_key_file_get_value (self->values, section, key->name, NULL);

    if (value == NULL && defaults != NULL)
      value = g_key_file_get_value (self->values, defaults, key->name, NULL);
    g_string_append_printf (fingerprint, "%s=%s\n", key->name, value != NULL ? value : "");
  }
  target->fingerprint = g_string_free (g_steal_pointer (&fingerprint), FALSE);
}

static void
clear_section (WatchSection *section, const WatchKey *keys)
{
  for (; keys->name != NULL; keys++) {
    gpointer member = (guint8 *) section + keys->offset;

    if (keys->type == LIST)
      g_strfreev (*(gchar ***) member);
    else if (keys->type != NUMBER && keys->type != BOOLEAN && keys->type != CHOICE)
      g_free (*(gchar **) member);
  }
  if (section->lines != NULL)
    g_hash_table_unref (section->lines);
  g_free (section->name);
  g_free (section->fingerprint);
}

static void
free_camera (gpointer data)
{
  WatchCameraConfig *camera = data;

  clear_section (&camera->section, camera_keys);
  g_ptr_array_unref (camera->zones);
  g_free (camera);
}

static void
free_zone (gpointer data)
{
  clear_section (data, zone_keys);
  g_free (data);
}

static void
free_publish (gpointer data)
{
  clear_section (data, publish_keys);
  g_free (data);
}

static void
clear (gpointer data)
{
  WatchConfig *self = data;

  g_ptr_array_unref (self->cameras);
  g_ptr_array_unref (self->zones);
  g_ptr_array_unref (self->publish);
  clear_section (&self->thumbnails.section, thumbnails_keys);
  clear_section (&self->metrics.section, metrics_keys);
  clear_section (&self->general.section, general_keys);
}

WatchConfig *
watch_config_ref (WatchConfig *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
watch_config_unref (WatchConfig *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, clear);
}

/* ---- sections ---- */

/* Names are parts of topics, file names and labels. */
static gboolean
is_name (const gchar *text)
{
  return text[0] != '\0' && text[0] != '.' && g_utf8_validate (text, -1, NULL) &&
      strpbrk (text, "/\\\"\t\r\n") == NULL && strlen (text) <= 64;
}

static void
read_one (Parser *self, WatchConfig *config, const gchar *section)
{
  const gchar *space = strchr (section, ' ');
  g_autofree gchar *first =
      space != NULL ? g_strndup (section, (gsize) (space - section)) : g_strdup (section);
  g_autofree gchar *name = space != NULL ? g_strstrip (g_strdup (space)) : NULL;
  const guint line = watch_config_lines_get (&self->lines, section, NULL);
  const WatchKind *kind = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if (strcmp (kinds[i].name, first) == 0 && kinds[i].named == (name != NULL))
      kind = &kinds[i];
  }
  if (kind == NULL) {
    watch_config_lines_fail (&self->lines, line,
        "there is no [%s]; there are [camera NAME], [zone NAME], [publish NAME], [defaults], "
        "[thumbnails], [metrics] and [watch]",
        section);
  } else if (kind->named && !is_name (name)) {
    watch_config_lines_fail (&self->lines, line,
        "a name has 1 to 64 bytes, does not begin with a point, and has no slash and "
        "no quotation mark");
  } else if (strcmp (first, "camera") == 0) {
    WatchCameraConfig *camera = g_new0 (WatchCameraConfig, 1);

    g_ptr_array_add (config->cameras, camera);
    camera->zones = g_ptr_array_new ();
    camera->section.name = g_steal_pointer (&name);
    read_section (self, &camera->section, kind, section);
    if (camera->uri == NULL)
      watch_config_lines_fail (&self->lines, line, "[%s] needs a uri", section);
  } else if (strcmp (first, "zone") == 0) {
    WatchZoneConfig *zone = g_new0 (WatchZoneConfig, 1);

    g_ptr_array_add (config->zones, zone);
    zone->section.name = g_steal_pointer (&name);
    read_section (self, &zone->section, kind, section);
  } else if (strcmp (first, "publish") == 0) {
    WatchPublishConfig *publish = g_new0 (WatchPublishConfig, 1);

    g_ptr_array_add (config->publish, publish);
    publish->section.name = g_steal_pointer (&name);
    read_section (self, &publish->section, kind, section);
    if (publish->topic == NULL && publish->base_topic != NULL)
      publish->topic = g_strconcat (publish->base_topic, "/{tags.camera}/events", NULL);
  }
}

static void
read_all (Parser *self, WatchConfig *config)
{
  g_auto (GStrv) sections = g_key_file_get_groups (self->values, NULL);
  const guint before = self->lines.errors->len;
  WatchSection *const single[] = { &config->thumbnails.section, &config->metrics.section,
    &config->general.section };

  for (guint i = 0; i < G_N_ELEMENTS (single); i++) {
    single[i]->name = g_strdup (kinds[2 + i].name);
    read_section (self, single[i], &kinds[2 + i], single[i]->name);
  }
  for (guint i = 0; sections[i] != NULL; i++)
    read_one (self, config, sections[i]);
  if (config->cameras->len == 0 && self->lines.errors->len == before)
    watch_config_lines_fail (&self->lines, 1, "there is no [camera NAME]");
}

static WatchCameraConfig *
find_camera (const WatchConfig *config, const gchar *name)
{
  for (guint i = 0; i < config->cameras->len; i++) {
    WatchCameraConfig *camera = config->cameras->pdata[i];

    if (strcmp (camera->section.name, name) == 0)
      return camera;
  }
  return NULL;
}

/* Gives each camera its zones, so that a camera whose zones change has changed. */
static void
place_zones (Parser *self, WatchConfig *config)
{
  for (guint i = 0; i < config->zones->len; i++) {
    WatchZoneConfig *zone = config->zones->pdata[i];
    const gchar *name = zone->section.name;
    WatchCameraConfig *camera = zone->camera != NULL ? find_camera (config, zone->camera) : NULL;
    const guint line = watch_section_get_line (&zone->section, "camera");
    gchar *former;

    if (strpbrk (name, " :;=,+#") != NULL || strlen (name) > 63)
      watch_config_lines_fail (&self->lines, zone->section.line,
          "the name of a zone has 1 to 63 bytes without spaces, and none of :;=,+#");
    if ((zone->polygon != NULL) == (zone->line != NULL))
      watch_config_lines_fail (
          &self->lines, zone->section.line, "[zone %s] needs either a polygon or a line", name);
    if (camera == NULL) {
      watch_config_lines_fail (&self->lines, line, "[zone %s] needs the name of a camera%s%s", name,
          zone->camera != NULL ? ", and there is no " : "",
          zone->camera != NULL ? zone->camera : "");
      continue;
    }
    g_ptr_array_add (camera->zones, zone);
    former = camera->section.fingerprint;
    camera->section.fingerprint = g_strconcat (former, name, "\n", zone->section.fingerprint, NULL);
    g_free (former);
  }
}

/* [camera a] and [camera  a] are the same camera. */
static void
check_names (Parser *self, GPtrArray *sections)
{
  for (guint i = 0; i < sections->len; i++) {
    const WatchSection *one = sections->pdata[i];

    for (guint k = 0; k < i; k++) {
      const WatchSection *other = sections->pdata[k];

      if (strcmp (one->name, other->name) == 0)
        watch_config_lines_fail (
            &self->lines, one->line, "the name %s is in line %u, too", one->name, other->line);
    }
  }
}

WatchConfig *
watch_config_parse (const gchar *text, gsize size, const gchar *file, GPtrArray *errors)
{
  g_autoptr (WatchConfig) config = g_atomic_rc_box_new0 (WatchConfig);
  g_autoptr (GKeyFile) values = g_key_file_new ();
  g_autofree gchar *copy = g_strndup (text, size);
  g_autoptr (GError) error = NULL;
  Parser self = { .values = values };
  const guint before = errors->len;

  watch_config_lines_init (&self.lines, file, errors);
  config->cameras = g_ptr_array_new_with_free_func (free_camera);
  config->zones = g_ptr_array_new_with_free_func (free_zone);
  config->publish = g_ptr_array_new_with_free_func (free_publish);
  if (!g_utf8_validate (text, (gssize) size, NULL) || strlen (copy) != size)
    watch_config_lines_fail (&self.lines, 1, "the file is no text in UTF-8");
  else
    watch_config_lines_scan (&self.lines, copy);
  if (errors->len == before &&
      !g_key_file_load_from_data (values, text, size, G_KEY_FILE_NONE, &error))
    watch_config_lines_fail (&self.lines, 1, "%s", error->message);
  if (errors->len == before) {
    read_all (&self, config);
    place_zones (&self, config);
    check_names (&self, config->cameras);
    check_names (&self, config->zones);
    check_names (&self, config->publish);
  }
  watch_config_lines_clear (&self.lines);
  return errors->len == before ? g_steal_pointer (&config) : NULL;
}

/* ---- keys ---- */

const WatchKind *
watch_config_get_kind (const gchar *name)
{
  guint i = 0;

  while (strcmp (kinds[i].name, name) != 0)
    i++;
  return &kinds[i];
}

gchar *
watch_config_describe (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if (strcmp (kinds[i].name, "defaults") == 0)
      continue;
    g_string_append_printf (text, "[%s%s]\n", kinds[i].name, kinds[i].named ? " NAME" : "");
    for (const WatchKey *key = kinds[i].keys; key->name != NULL; key++) {
      g_autofree gchar *value = watch_key_get_default (key);

      g_string_append_printf (text, "# %s\n%s%s=%s\n", key->about, value == NULL ? "#" : "",
          key->name, value != NULL ? value : "");
    }
    g_string_append_c (text, '\n');
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
