/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include <gst/gles/core/log.h>
#include <gst/gles/gl/link.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

#define GIGA 1e9

/* Figures that differ by less are taken as equal. With mapped reads of 49.3 GB/s and copies of 49
 * (H200, 16 streams of 1080p GRAY8), a kernel that reads once did 19 300 frames per second in place
 * and 16 800 from a copy, which also takes a barrier and a second read. So reading in place wins as
 * long as it has 0.87 of the rate of copies; the rest is room for noise. */
#define TOLERANCE 0.9

/* Transfers leave the kernels alone, so they may be slower than what stops them: 16 streams of
 * 1080p had 12 200 frames per second with copies, 15 000 with transfers at 47 GB/s (H200). */
#define SLOWEST_TRANSFER 0.8

/* Less than 16 lanes of PCIe 3 give in practice (12 GB/s), with room for noise. */
#define SLOW_BYTES_PER_S (11 * GIGA)

/* More reads than any plan makes. */
#define MANY_READS 1000

/* The words of GST_GLES_LINK, and those for people. */
static const struct {
  const gchar *word, *name;
  gsize offset;
} figures[] = {
  { "mapped", "mapped reads", G_STRUCT_OFFSET (GstGlesLink, mapped_read) },
  { "copy", "copies", G_STRUCT_OFFSET (GstGlesLink, copy) },
  { "readback", "readback", G_STRUCT_OFFSET (GstGlesLink, readback) },
  { "transfer", "transfers", G_STRUCT_OFFSET (GstGlesLink, transfer) },
};

static gdouble *
figure (GstGlesLink *link, guint i)
{
  return &G_STRUCT_MEMBER (gdouble, link, figures[i].offset);
}

/* ---- GST_GLES_LINK ---- */

static gboolean
parse_figure (const gchar *part, GstGlesLink *link)
{
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++) {
    const gsize n = strlen (figures[i].word);
    const gchar *number = part + n + 1;
    gchar *end;
    gdouble value;

    if (strncmp (part, figures[i].word, n) != 0 || part[n] != ':')
      continue;
    value = g_ascii_strtod (number, &end);
    *figure (link, i) = value * GIGA;
    return end != number && *end == '\0' && isfinite (value) && value >= 0 && value <= 1e6;
  }
  return FALSE;
}

gboolean
gst_gles_link_parse (const gchar *text, GstGlesLink *link, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  *link = (GstGlesLink){ 0 };
  for (guint i = 0; parts[i] != NULL; i++) {
    if (parse_figure (parts[i], link))
      continue;
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS,
        "GST_GLES_LINK=%s: \"%s\" means nothing; it takes GB/s as in "
        "mapped:10.8,copy:51,readback:50,transfer:0",
        text, parts[i]);
    return FALSE;
  }
  return TRUE;
}

/* ---- choices ---- */

gboolean
gst_gles_link_is_known (const GstGlesLink *link)
{
  return gst_gles_link_get_best (link) > 0 || link->readback > 0;
}

gdouble
gst_gles_link_get_best (const GstGlesLink *link)
{
  return MAX (MAX (link->mapped_read, link->copy), link->transfer);
}

guint
gst_gles_link_get_reads_in_place (const GstGlesLink *link)
{
  if (link->mapped_read <= 0 || link->copy <= 0)
    return 0;
  return (guint) MIN (link->mapped_read / link->copy / TOLERANCE, MANY_READS);
}

gboolean
gst_gles_link_prefers_transfers (const GstGlesLink *link)
{
  return link->transfer > 0 &&
      link->transfer >= SLOWEST_TRANSFER * MAX (link->mapped_read, link->copy);
}

guint
gst_gles_link_choose_reads_in_place (GstGlesDevice *device)
{
  const GstGlesDeviceKind kind = gst_gles_device_get_kind (device);
  g_autofree gchar *words = NULL, *choice = NULL;
  GstGlesLink link;
  guint reads;

  gst_gles_link_get (device, &link);
  reads = gst_gles_link_get_reads_in_place (&link);
  if (kind == GST_GLES_DEVICE_SOFTWARE && !gst_gles_link_is_known (&link))
    reads = G_MAXUINT;
  words = gst_gles_link_describe (&link);
  choice = gst_gles_link_describe_reads (reads);
  GST_INFO ("%s: link: %s; %s", gst_gles_device_get_id (device), words, choice);
  return reads;
}

/* ---- words ---- */

gchar *
gst_gles_link_describe (const GstGlesLink *link)
{
  GString *words = g_string_new (NULL);
  GstGlesLink copy = *link;

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++) {
    const gdouble value = *figure (&copy, i) / GIGA;

    if (value > 0)
      g_string_append_printf (
          words, "%s%s %.1f GB/s", words->len > 0 ? ", " : "", figures[i].name, value);
  }
  return g_string_free (words->len > 0 ? words : g_string_append (words, "not known"), FALSE);
}

gchar *
gst_gles_link_describe_reads (guint reads_in_place)
{
  if (reads_in_place == 0)
    return g_strdup ("frames in host memory are copied to the device");
  if (reads_in_place == 1)
    return g_strdup (
        "frames in host memory are read in place if kernels read them once, else copied");
  if (reads_in_place >= MANY_READS)
    return g_strdup ("frames in host memory are read in place");
  return g_strdup_printf (
      "frames in host memory are read in place if kernels read them at most %u times, else copied",
      reads_in_place);
}

gchar *
gst_gles_link_describe_choice (const GstGlesLink *link)
{
  if (gst_gles_link_prefers_transfers (link))
    return g_strdup ("frames in host memory are copied by an engine, beside the kernels");
  return gst_gles_link_describe_reads (gst_gles_link_get_reads_in_place (link));
}

/* ---- the link of a device ---- */

typedef struct {
  GstGlesLink link;
  gboolean is_set; /* by GST_GLES_LINK */
} Entry;

static void
warn_if_slow (GstGlesDevice *device, const GstGlesLink *link)
{
  const gdouble best = gst_gles_link_get_best (link);
  g_autofree gchar *words = NULL;

  if (best <= 0 || best >= SLOW_BYTES_PER_S)
    return;
  words = gst_gles_link_describe (link);
  GST_WARNING ("%s: the host's link to the device is slow, and limits the rate of frames in host "
               "memory: %s; 16 lanes of PCIe 3 give 12",
      gst_gles_device_get_id (device), words);
}

static void
measure (GstGlesDevice *device, GstGlesLink *link)
{
  const gint64 start_us = g_get_monotonic_time ();
  const gchar *id = gst_gles_device_get_id (device);
  g_autoptr (GError) error = NULL;

  if (gst_gles_link_measure (device, link, &error))
    GST_INFO (
        "%s: measuring the link took %.1f ms", id, (g_get_monotonic_time () - start_us) / 1e3);
  else
    GST_WARNING ("%s: the link cannot be measured: %s", id, error->message);
}

static void
find_out (GstGlesDevice *device, const gchar *setting, Entry *entry)
{
  const GstGlesDeviceKind kind = gst_gles_device_get_kind (device);
  g_autoptr (GError) error = NULL;

  if (kind == GST_GLES_DEVICE_CPU)
    return;
  if (setting != NULL && setting[0] != '\0')
    entry->is_set = gst_gles_link_parse (setting, &entry->link, &error);
  if (error != NULL) {
    GST_WARNING ("%s", error->message);
    entry->link = (GstGlesLink){ 0 };
  }
  if (!entry->is_set && kind == GST_GLES_DEVICE_HARDWARE)
    measure (device, &entry->link);
  warn_if_slow (device, &entry->link);
}

static GMutex lock; /* protects all entries */

/* Call with the lock held. Kept by the id of the device and by the setting, not in the device:
 * pipelines that start together have a device each, and would measure at the same time and disturb
 * each other. */
static Entry *
get_entry (GstGlesDevice *device)
{
  static GHashTable *entries;
  const gchar *setting = g_getenv ("GST_GLES_LINK");
  g_autofree gchar *key = g_strjoin (" ", gst_gles_device_get_id (device), setting, NULL);
  Entry *entry;

  if (entries == NULL)
    entries = g_hash_table_new (g_str_hash, g_str_equal);
  entry = g_hash_table_lookup (entries, key);
  if (entry == NULL) {
    entry = g_new0 (Entry, 1);
    find_out (device, setting, entry);
    g_hash_table_insert (entries, g_steal_pointer (&key), entry);
  }
  return entry;
}

void
gst_gles_link_get (GstGlesDevice *device, GstGlesLink *link)
{
  g_return_if_fail (GST_IS_GLES_DEVICE (device) && link != NULL);
  g_mutex_lock (&lock);
  *link = get_entry (device)->link;
  g_mutex_unlock (&lock);
}

void
gst_gles_link_set_transfer (GstGlesDevice *device, gdouble bytes_per_s)
{
  Entry *entry;

  g_mutex_lock (&lock);
  entry = get_entry (device);
  if (!entry->is_set)
    entry->link.transfer = bytes_per_s;
  g_mutex_unlock (&lock);
}
