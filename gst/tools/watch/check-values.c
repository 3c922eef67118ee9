/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks of values by their types. */
#include "../../publish/publish.h"
#include "analysis.h"
#include "check-machine.h"
#include "check-private.h"
#include "config-lines.h"
#include "detector.h"
#include "publisher.h"
#include "source.h"

#include <gst/gst.h>

static gboolean
check_uri (const WatchSection *section, const gchar *text, GError **error)
{
  static const gchar *const remote[] = { "rtsp", "rtsps", "http", "https", NULL };
  g_autofree gchar *scheme = NULL, *host = NULL;

  if (!watch_source_check ((const WatchCameraConfig *) section, error))
    return FALSE;
  scheme = g_uri_parse_scheme (text);
  if (!g_strv_contains (remote, scheme))
    return TRUE;
  if (!g_uri_split (text, G_URI_FLAGS_ENCODED | G_URI_FLAGS_PARSE_RELAXED, NULL, NULL, &host, NULL,
          NULL, NULL, NULL, error))
    return FALSE;
  if (host != NULL && host[0] != '\0')
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
      "there is no host; write %s://HOST[:PORT]/PATH", scheme);
  return FALSE;
}

static gboolean
check_decoders (const WatchSection *section, const gchar *text, GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);

  for (guint i = 0; names[i] != NULL; i++) {
    g_autoptr (GstElementFactory) factory = gst_element_factory_find (g_strstrip (names[i]));

    if (factory == NULL) {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
          "decoder=%s: there is no element %s; gst-inspect-1.0 lists what is", text, names[i]);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
check_events (const WatchSection *section, const gchar *text, GError **error)
{
  g_auto (GStrv) events = watch_analysis_list_events ((const WatchCameraConfig *) section, error);

  return events != NULL;
}

static gboolean
check_detector (const WatchSection *section, const gchar *text, GError **error)
{
  return watch_detector_check (text, error);
}

static gboolean
check_tags (const WatchSection *section, const gchar *text, GError **error)
{
  g_autofree gchar *tags = watch_analysis_get_tags ((const WatchCameraConfig *) section, error);

  return tags != NULL;
}

static gboolean
check_target (const WatchSection *section, const gchar *text, GError **error)
{
  return publisher_check_address (
      watch_publisher_get_method ((const WatchPublishConfig *) section), text, error);
}

static gboolean
check_lines_topic (const WatchSection *section, const gchar *text, GError **error)
{
  static const gchar *const names[] = { "event", "phase", "id", "tags.", NULL };

  return publisher_check_topic (text, names, error);
}

static gboolean
check_topic (const WatchSection *section, const gchar *text, GError **error)
{
  static const gchar *const none[] = { NULL };

  return publisher_check_topic (text, none, error);
}

static gboolean
check_listen (const WatchSection *section, const gchar *text, GError **error)
{
  g_autoptr (GInetAddress) address = g_inet_address_new_from_string (text);

  if (address == NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
        "address=%s: an address of IPv4 or IPv6, such as 127.0.0.1", text);
  return address != NULL;
}

typedef gboolean (*Check) (const WatchSection *section, const gchar *text, GError **error);

/* How a value of each type is checked: is_right looks at the text alone, is_there at the machine as
 * it is at the moment. Both may be NULL. */
static const struct {
  Check is_right, is_there;
} checks[N_TYPES] = {
  /* type: is_right, is_there */
  [URI] = { check_uri, NULL },
  [FILE_TO_READ] = { NULL, watch_check_file },
  [FOLDER] = { NULL, watch_check_folder },
  [DEVICE] = { watch_check_device_name, watch_check_device },
  [DECODERS] = { check_decoders, NULL },
  [DETECTOR] = { check_detector, NULL },
  [EVENTS] = { check_events, NULL },
  [TAGS] = { check_tags, NULL },
  [TARGET] = { check_target, watch_check_target },
  [LINES_TOPIC] = { check_lines_topic, NULL },
  [TOPIC] = { check_topic, NULL },
  [LISTEN] = { check_listen, NULL },
};

void
watch_checker_add_error (const WatchChecker *self, GPtrArray *errors, const WatchSection *section,
    const gchar *key, const gchar *text)
{
  const gboolean named = g_str_has_prefix (text, key);
  g_autofree gchar *whole = g_strconcat (named ? "" : key, named ? "" : ": ", text, NULL);

  watch_config_add_error (errors, self->file, watch_section_get_line (section, key), whole);
}

void
watch_check_value (const WatchChecker *self, const WatchSection *section, const WatchKey *key)
{
  const Check is_right = checks[key->type].is_right, is_there = checks[key->type].is_there;
  const gchar *text = (is_right != NULL || is_there != NULL) && watch_key_is_set (key, section)
      ? watch_key_get_text (key, section)
      : NULL;
  g_autofree gchar *known = g_strdup_printf ("%d %s", key->type, text);
  g_autoptr (GError) error = NULL;

  /* many cameras have the same value, which is checked once; targets must differ anyway */
  if (text == NULL || (key->type != TARGET && g_hash_table_contains (self->tried, known)))
    return;
  if (is_right != NULL && !is_right (section, text, &error))
    watch_checker_add_error (self, self->errors, section, key->name, error->message);
  else if (is_there != NULL && !is_there (section, text, &error))
    watch_checker_add_error (self, self->missing, section, key->name, error->message);
  else
    g_hash_table_add (self->tried, g_steal_pointer (&known));
}
