/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sections are structures whose members are described by tables. GKeyFile reads the values; lines
 * are looked at once before that, since it tells neither their numbers nor what is there twice. */
#include "watch-config.h"

#include "uri-text.h"

#include <string.h>

typedef enum {
  TEXT,
  NUMBER,
  BOOLEAN,
  LIST,
  CHOICE, /* the member is the number of the value */
} Type;

typedef struct {
  const gchar *name;
  Type type;
  gsize offset;
  const gchar *value; /* (nullable): the default; of a choice the values, the first is it */
  guint64 min, max;   /* of numbers */
  const gchar *about;
} Key;

typedef struct {
  const gchar *name;
  gboolean named; /* there can be many, with names */
  gsize size;
  const Key *keys;
} Kind;

#define C(member) G_STRUCT_OFFSET (WatchCameraConfig, member)
#define P(member) G_STRUCT_OFFSET (WatchPublishConfig, member)
#define T(member) G_STRUCT_OFFSET (WatchThumbnailsConfig, member)
#define M(member) G_STRUCT_OFFSET (WatchMetricsConfig, member)
#define G(member) G_STRUCT_OFFSET (WatchGeneralConfig, member)

static const Key camera_keys[] = {
  { "uri", TEXT, C (uri), NULL, 0, 0,
      "rtsp://, rtsps://, http://, https://, file:///, v4l2:///dev/video0 or test:PATTERN" },
  { "user", TEXT, C (user), NULL, 0, 0, "for RTSP and HTTP" },
  { "password-file", TEXT, C (password_file), NULL, 0, 0,
      "a file whose first line is the password" },
  { "follow", CHOICE, C (follow), "host|any", 0, 0,
      "where HTTP redirects and playlists may lead: host: to the host of uri; any: anywhere" },
  { "device", TEXT, C (device), "auto", 0, 0, "where to analyse, as gleshistogram takes it" },
  { "decoder", TEXT, C (decoder), NULL, 0, 0,
      "the decoders to choose from, commas between; without it by rank" },
  { "decoder-threads", NUMBER, C (decoder_threads), "1", 0, 64,
      "of decoders on the CPU; 0: as many as they want" },
  { "events", TEXT, C (events), "motion+black+covered+blurred+moved+light", 0, 0,
      "kinds of glesevents, + between" },
  { "rate", NUMBER, C (rate), "0", 0, 1000, "frames a second that are analysed; 0: all" },
  { "mask", TEXT, C (mask), NULL, 0, 0, "polygons or a picture, as glescompact takes it" },
  { "region", TEXT, C (region), NULL, 0, 0, "the part to analyse, as gleshistogram takes it" },
  { "set", LIST, C (set), NULL, 0, 0, "ELEMENT.PROPERTY=VALUE, semicolons between" },
  { "tags", TEXT, C (tags), NULL, 0, 0, "a JSON object; lines have it beside the name" },
  { "time", CHOICE, C (time), "auto|camera|arrival", 0, 0,
      "the clock of utc; auto: the camera's, if it is at most 10 s off this machine's" },
  { "latency", NUMBER, C (latency), "200", 0, 60000, "ms in which RTSP puts packets in order" },
  { "stall-timeout", NUMBER, C (stall_timeout), "5", 1, 3600,
      "s without data after which the camera is stalled" },
  { "thumbnails", BOOLEAN, C (thumbnails), "true", 0, 0, "a picture for each event" },
  { "record", TEXT, C (record), NULL, 0, 0, "a folder for the stream as it comes" },
  { "record-audio", BOOLEAN, C (record_audio), "true", 0, 0, "record the audio, too" },
  { "record-duration", NUMBER, C (record_duration), "300", 1, 86400, "s of a file" },
  { "record-bytes", NUMBER, C (record_bytes), "0", 0, G_MAXUINT64,
      "of all files of the camera; the oldest goes; 0: no bound" },
  { "record-days", NUMBER, C (record_days), "0", 0, 36500,
      "after which a file of the camera goes; 0: no bound" },
  { "record-keep-free", NUMBER, C (record_keep_free), "0", 0, G_MAXUINT64,
      "bytes of the disk; the oldest files of the camera go; 0: no bound" },
  { NULL },
};

static const Key publish_keys[] = {
  { "method", TEXT, P (method), "mqtt", 0, 0, "mqtt, file or fd" },
  { "address", TEXT, P (address), NULL, 0, 0, "as glespublish takes it" },
  { "topic", TEXT, P (topic), NULL, 0, 0,
      "of the lines of events; without it BASE-TOPIC/{tags.camera}/events" },
  { "client-id", TEXT, P (client_id), NULL, 0, 0, "for MQTT" },
  { "user", TEXT, P (user), NULL, 0, 0, "for MQTT" },
  { "password-file", TEXT, P (password_file), NULL, 0, 0, "for MQTT" },
  { "ca-file", TEXT, P (ca_file), NULL, 0, 0, "for MQTT with TLS" },
  { "cert-file", TEXT, P (cert_file), NULL, 0, 0, "for MQTT with TLS" },
  { "key-file", TEXT, P (key_file), NULL, 0, 0, "for MQTT with TLS" },
  { "qos", NUMBER, P (qos), "1", 0, 2, "quality of service of lines" },
  { "retain", BOOLEAN, P (retain), "false", 0, 0, "let the broker keep the last line" },
  { "spool-bytes", NUMBER, P (spool_bytes), "67108864", 0, G_MAXINT64,
      "bound of the spool in the state directory; 0: no spool" },
  { "queue-bytes", NUMBER, P (queue_bytes), "8388608", 4096, G_MAXINT64,
      "bound of what waits in memory" },
  { "states", BOOLEAN, P (states), "true", 0, 0, "ON and OFF for each camera and kind, retained" },
  { "snapshots", BOOLEAN, P (snapshots), "false", 0, 0, "the picture of each event, retained" },
  { "base-topic", TEXT, P (base_topic), "gles", 0, 0,
      "of states, snapshots and, without topic, lines" },
  { "home-assistant", BOOLEAN, P (home_assistant), "false", 0, 0, "publish for its discovery" },
  { "discovery-prefix", TEXT, P (discovery_prefix), "homeassistant", 0, 0, "of its topics" },
  { NULL },
};

static const Key thumbnails_keys[] = {
  { "directory", TEXT, T (directory), NULL, 0, 0, "where pictures of events go" },
  { "width", NUMBER, T (width), "640", 16, 8192, "of pictures, in pixels" },
  { "quality", NUMBER, T (quality), "80", 1, 100, "of JPEG" },
  { "max-files", NUMBER, T (max_files), "10000", 1, 10000000, "the oldest goes" },
  { "max-bytes", NUMBER, T (max_bytes), "1073741824", 1, G_MAXINT64, "the oldest goes" },
  { NULL },
};

static const Key metrics_keys[] = {
  { "address", TEXT, M (address), "127.0.0.1", 0, 0, "where to listen" },
  { "port", NUMBER, M (port), "0", 0, 65535, "for Prometheus; 0: none" },
  { NULL },
};

static const Key general_keys[] = {
  { "state-directory", TEXT, G (state_directory), NULL, 0, 0,
      "for spools; the service has one, without it they need this" },
  { NULL },
};

/* "defaults" has the keys of cameras. */
static const Kind kinds[] = {
  { "camera", TRUE, sizeof (WatchCameraConfig), camera_keys },
  { "publish", TRUE, sizeof (WatchPublishConfig), publish_keys },
  { "thumbnails", FALSE, sizeof (WatchThumbnailsConfig), thumbnails_keys },
  { "metrics", FALSE, sizeof (WatchMetricsConfig), metrics_keys },
  { "watch", FALSE, sizeof (WatchGeneralConfig), general_keys },
  { "defaults", FALSE, sizeof (WatchCameraConfig), camera_keys },
};

/* ---- lines ---- */

typedef struct {
  const gchar *file;
  GPtrArray *errors;
  GKeyFile *values;
  GHashTable *lines; /* of "SECTION" and "SECTION\nKEY": the number of the line */
} Parser;

static guint
get_line (const Parser *self, const gchar *section, const gchar *key)
{
  g_autofree gchar *name = g_strjoin ("\n", section, key, NULL);

  return GPOINTER_TO_UINT (g_hash_table_lookup (self->lines, name));
}

static void G_GNUC_PRINTF (3, 4) fail (const Parser *self, guint line, const gchar *format, ...)
{
  g_autofree gchar *all = NULL, *said = NULL, *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  all = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  said = watch_uri_text_hide (all);
  text = g_strdup_printf ("%s:%u: %s", self->file, line, said);
  /* what is wrong in the defaults is wrong for each camera */
  if (!g_ptr_array_find_with_equal_func (self->errors, text, g_str_equal, NULL))
    g_ptr_array_add (self->errors, g_steal_pointer (&text));
}

/* @name: (transfer full). */
static void
add_line (Parser *self, gchar *name, guint line, const gchar *what)
{
  const guint before = GPOINTER_TO_UINT (g_hash_table_lookup (self->lines, name));

  if (before > 0) {
    fail (self, line, "%s is in line %u, too", what, before);
    g_free (name);
  } else {
    g_hash_table_insert (self->lines, name, GUINT_TO_POINTER (line));
  }
}

/* @text: one line, without white space around it. @section: of the lines before. */
static void
scan_line (Parser *self, gchar *text, guint number, gchar **section)
{
  const gsize length = strlen (text);
  gchar *equals = strchr (text, '=');

  if (length == 0 || text[0] == '#')
    return;
  if (text[0] == '[' && text[length - 1] == ']' && length > 2) {
    g_free (*section);
    *section = g_strndup (text + 1, length - 2);
    add_line (self, g_strdup (*section), number, text);
  } else if (equals == NULL || equals == text) {
    fail (self, number, "'%s' is neither [SECTION] nor KEY=VALUE", text);
  } else if (*section == NULL) {
    fail (self, number, "'%s' stands before the first [SECTION]", text);
  } else {
    *equals = '\0';
    g_strchomp (text);
    add_line (self, g_strjoin ("\n", *section, text, NULL), number, text);
  }
}

static void
scan (Parser *self, const gchar *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree gchar *section = NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    scan_line (self, g_strstrip (lines[i]), i + 1, &section);
}

/* ---- values ---- */

/* Returns the default of @key: (transfer full) (nullable). */
static gchar *
get_default (const Key *key)
{
  return key->type == CHOICE ? g_strndup (key->value, strcspn (key->value, "|"))
                             : g_strdup (key->value);
}

static void
set_choice (const Parser *self, guint *member, const Key *key, guint line, const gchar *text)
{
  g_auto (GStrv) values = g_strsplit (key->value, "|", -1);
  guint n = 0;

  while (values[n] != NULL && strcmp (values[n], text) != 0)
    n++;
  if (values[n] == NULL)
    fail (self, line, "%s=%s: one of %s", key->name, text, key->value);
  else
    *member = n;
}

/* @text: not NULL. */
static void
set_value (Parser *self, gpointer target, const Key *key, const gchar *section, const gchar *text)
{
  const guint line = get_line (self, section, key->name);
  gpointer member = (guint8 *) target + key->offset;
  g_autoptr (GError) error = NULL;
  guint64 number;

  switch (key->type) {
    case TEXT:
      g_free (*(gchar **) member);
      *(gchar **) member = text[0] != '\0' ? g_strdup (text) : NULL;
      break;
    case LIST:
      g_strfreev (*(gchar ***) member);
      *(gchar ***) member = g_strsplit (text, ";", -1);
      for (gchar **item = *(gchar ***) member; *item != NULL; item++)
        g_strstrip (*item);
      break;
    case BOOLEAN:
      if (strcmp (text, "true") != 0 && strcmp (text, "false") != 0)
        fail (self, line, "%s=%s: true or false", key->name, text);
      *(gboolean *) member = strcmp (text, "true") == 0;
      break;
    case CHOICE:
      set_choice (self, member, key, line, text);
      break;
    case NUMBER:
      if (g_ascii_string_to_unsigned (text, 10, key->min, key->max, &number, &error))
        *(guint64 *) member = number;
      else
        fail (self, line, "%s=%s: a number from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
            key->name, text, key->min, key->max);
      break;
  }
}

static gchar *
list_keys (const Key *keys)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (; keys->name != NULL; keys++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", keys->name);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static const Key *
find_key (const Key *keys, const gchar *name)
{
  while (keys->name != NULL && strcmp (keys->name, name) != 0)
    keys++;
  return keys->name != NULL ? keys : NULL;
}

/* Sets what @section of the file says. */
static void
read_values (Parser *self, gpointer target, const Key *keys, const gchar *section)
{
  g_auto (GStrv) names = g_key_file_get_keys (self->values, section, NULL, NULL);

  for (guint i = 0; names != NULL && names[i] != NULL; i++) {
    const Key *key = find_key (keys, names[i]);
    g_autoptr (GError) error = NULL;
    g_autofree gchar *text = g_key_file_get_string (self->values, section, names[i], &error);

    if (key == NULL) {
      g_autofree gchar *there = list_keys (keys);

      fail (self, get_line (self, section, names[i]), "there is no key %s in [%s]; there are %s",
          names[i], section, there);
    } else if (text == NULL) {
      fail (self, get_line (self, section, names[i]), "%s", error->message);
    } else {
      set_value (self, target, key, section, g_strstrip (text));
    }
  }
}

/* @section: of the file. @defaults (nullable): another section, whose values count before. */
static void
read_section (Parser *self, WatchSection *target, const Kind *kind, const gchar *section,
    const gchar *name, const gchar *defaults)
{
  g_autoptr (GString) fingerprint = g_string_new (NULL);

  target->name = g_strdup (name);
  target->line = get_line (self, section, NULL);
  for (const Key *key = kind->keys; key->name != NULL; key++) {
    g_autofree gchar *value = get_default (key);

    if (value != NULL)
      set_value (self, target, key, section, value);
  }
  if (defaults != NULL)
    read_values (self, target, kind->keys, defaults);
  read_values (self, target, kind->keys, section);
  for (const Key *key = kind->keys; key->name != NULL; key++) {
    g_autofree gchar *value = g_key_file_get_value (self->values, section, key->name, NULL);

    if (value == NULL && defaults != NULL)
      value = g_key_file_get_value (self->values, defaults, key->name, NULL);
    g_string_append_printf (fingerprint, "%s=%s\n", key->name, value != NULL ? value : "");
  }
  target->fingerprint = g_string_free (g_steal_pointer (&fingerprint), FALSE);
}

static void
clear_section (WatchSection *section, const Key *keys)
{
  for (; keys->name != NULL; keys++) {
    gpointer member = (guint8 *) section + keys->offset;

    if (keys->type == TEXT)
      g_free (*(gchar **) member);
    else if (keys->type == LIST)
      g_strfreev (*(gchar ***) member);
  }
  g_free (section->name);
  g_free (section->fingerprint);
}

static void
free_camera (gpointer data)
{
  clear_section (data, camera_keys);
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
  const guint line = get_line (self, section, NULL);
  const Kind *kind = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if (strcmp (kinds[i].name, first) == 0 && kinds[i].named == (name != NULL))
      kind = &kinds[i];
  }
  if (kind == NULL) {
    fail (self, line,
        "there is no [%s]; there are [camera NAME], [publish NAME], [defaults], "
        "[thumbnails], [metrics] and [watch]",
        section);
  } else if (kind->named && !is_name (name)) {
    fail (self, line,
        "a name has 1 to 64 bytes, does not begin with a point, and has no slash and "
        "no quotation mark");
  } else if (strcmp (first, "camera") == 0) {
    WatchCameraConfig *camera = g_new0 (WatchCameraConfig, 1);

    g_ptr_array_add (config->cameras, camera);
    read_section (self, &camera->section, kind, section, name, "defaults");
    if (camera->uri == NULL)
      fail (self, line, "[%s] needs a uri", section);
  } else if (strcmp (first, "publish") == 0) {
    WatchPublishConfig *publish = g_new0 (WatchPublishConfig, 1);

    g_ptr_array_add (config->publish, publish);
    read_section (self, &publish->section, kind, section, name, NULL);
    if (publish->topic == NULL && publish->base_topic != NULL)
      publish->topic = g_strconcat (publish->base_topic, "/{tags.camera}/events", NULL);
  }
}

static void
read_all (Parser *self, WatchConfig *config)
{
  g_auto (GStrv) sections = g_key_file_get_groups (self->values, NULL);
  const guint before = self->errors->len;
  WatchSection *const single[] = { &config->thumbnails.section, &config->metrics.section,
    &config->general.section };

  for (guint i = 0; i < G_N_ELEMENTS (single); i++)
    read_section (self, single[i], &kinds[2 + i], kinds[2 + i].name, kinds[2 + i].name, NULL);
  for (guint i = 0; sections[i] != NULL; i++)
    read_one (self, config, sections[i]);
  if (config->cameras->len == 0 && self->errors->len == before)
    fail (self, 1, "there is no [camera NAME]");
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
        fail (self, one->line, "the name %s is in line %u, too", one->name, other->line);
    }
  }
}

WatchConfig *
watch_config_parse (const gchar *text, gsize size, const gchar *file, GPtrArray *errors)
{
  g_autoptr (WatchConfig) config = g_atomic_rc_box_new0 (WatchConfig);
  g_autoptr (GHashTable) lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GKeyFile) values = g_key_file_new ();
  g_autofree gchar *copy = g_strndup (text, size);
  g_autoptr (GError) error = NULL;
  Parser self = { .file = file, .errors = errors, .values = values, .lines = lines };
  const guint before = errors->len;

  config->cameras = g_ptr_array_new_with_free_func (free_camera);
  config->publish = g_ptr_array_new_with_free_func (free_publish);
  if (!g_utf8_validate (text, (gssize) size, NULL) || strlen (copy) != size)
    fail (&self, 1, "the file is no text in UTF-8");
  else
    scan (&self, copy);
  if (errors->len == before &&
      !g_key_file_load_from_data (values, text, size, G_KEY_FILE_NONE, &error))
    fail (&self, 1, "%s", error->message);
  if (errors->len == before) {
    read_all (&self, config);
    check_names (&self, config->cameras);
    check_names (&self, config->publish);
  }
  return errors->len == before ? g_steal_pointer (&config) : NULL;
}

gchar *
watch_config_describe (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if (strcmp (kinds[i].name, "defaults") == 0)
      continue;
    g_string_append_printf (text, "[%s%s]\n", kinds[i].name, kinds[i].named ? " NAME" : "");
    for (const Key *key = kinds[i].keys; key->name != NULL; key++) {
      g_autofree gchar *value = get_default (key);

      g_string_append_printf (text, "# %s\n%s%s=%s\n", key->about, value == NULL ? "#" : "",
          key->name, value != NULL ? value : "");
    }
    g_string_append_c (text, '\n');
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
