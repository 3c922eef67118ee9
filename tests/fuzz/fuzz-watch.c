/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Configuration files of gst-gles-watch-1.0: there are errors, each with the number of a line, or a
 * configuration in which all is there that the program relies on. */
#include "fuzz.h"

#include <string.h>

#include "watch/watch-config.h"

#define FILE_NAME "watch.conf"

static guint
count_lines (const guint8 *data, gsize size)
{
  guint n = 1;

  for (gsize i = 0; i < size; i++)
    n += data[i] == '\n';
  return n;
}

static void
check_error (const gchar *text, guint n_lines)
{
  gchar *end;
  guint64 line;

  fuzz_assert (g_str_has_prefix (text, FILE_NAME ":"));
  line = g_ascii_strtoull (text + strlen (FILE_NAME ":"), &end, 10);
  fuzz_assert (line >= 1 && line <= n_lines);
  fuzz_assert (g_str_has_prefix (end, ": ") && end[2] != '\0');
}

static void
check_section (const WatchSection *section, guint n_lines)
{
  fuzz_assert (section->name != NULL && section->name[0] != '\0');
  fuzz_assert (strchr (section->name, '/') == NULL && g_utf8_validate (section->name, -1, NULL));
  fuzz_assert (section->fingerprint != NULL && section->line <= n_lines);
}

static void
check_config (const WatchConfig *config, guint n_lines)
{
  fuzz_assert (config->cameras->len > 0);
  for (guint i = 0; i < config->cameras->len; i++) {
    const WatchCameraConfig *camera = config->cameras->pdata[i];

    check_section (&camera->section, n_lines);
    fuzz_assert (camera->section.line >= 1 && camera->uri != NULL);
    fuzz_assert (camera->events != NULL && camera->device != NULL);
    fuzz_assert (camera->stall_timeout >= 1 && camera->stall_timeout <= 3600);
    fuzz_assert (camera->zones != NULL && camera->detect_every >= 1);
    fuzz_assert (camera->record_duration >= 1 && camera->rate <= 1000);
  }
  for (guint i = 0; i < config->zones->len; i++) {
    const WatchZoneConfig *zone = config->zones->pdata[i];

    check_section (&zone->section, n_lines);
    fuzz_assert (zone->camera != NULL && (zone->polygon == NULL) != (zone->line == NULL));
  }
  for (guint i = 0; i < config->publish->len; i++) {
    const WatchPublishConfig *publish = config->publish->pdata[i];

    check_section (&publish->section, n_lines);
    fuzz_assert (publish->section.line >= 1 && publish->qos <= 2);
    fuzz_assert (publish->method <= WATCH_METHOD_FD && publish->topic != NULL);
    fuzz_assert (publish->base_topic != NULL && publish->discovery_prefix != NULL);
  }
  check_section (&config->thumbnails.section, n_lines);
  check_section (&config->metrics.section, n_lines);
  check_section (&config->general.section, n_lines);
  fuzz_assert (config->thumbnails.width >= 16 && config->thumbnails.quality <= 100);
  fuzz_assert (config->metrics.address != NULL && config->metrics.port <= 65535);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GPtrArray) errors = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (WatchConfig) config = NULL;
  const guint n_lines = count_lines (data, size);

  fuzz_init ();
  config = watch_config_parse ((const gchar *) data, size, FILE_NAME, errors);
  fuzz_assert ((config == NULL) == (errors->len > 0));
  for (guint i = 0; i < errors->len; i++)
    check_error (errors->pdata[i], n_lines);
  if (config != NULL)
    check_config (config, n_lines);
  return 0;
}
