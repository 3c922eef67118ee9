/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "contexts.h"

#include <gst/gles/device/placement.h>
#include <gst/gles/gles.h>

#define WAIT_US (20 * G_USEC_PER_SEC)

/* A device that is open, or that a pipeline is opening at the moment. */
typedef struct {
  GstContext *context; /* nullable */
  gpointer opener;     /* (nullable): the bus of the pipeline that is opening the device */
} Entry;

static GMutex lock;
static GCond cond;
static GHashTable *entries; /* with the lock: of "DEVICE\nTYPE" */

/* An element that asks for one of these contexts and gets none opens a device at once, so that
 * others may wait for it. */
static const gchar *const opened[] = { GST_GLES_DEVICE_CONTEXT_TYPE, "gst.cuda.context", NULL };

static void
free_entry (gpointer data)
{
  g_clear_pointer (&((Entry *) data)->context, gst_context_unref);
  g_free (data);
}

/* Whether the pipeline of @sharer opens a device of @type if it gets none here. On a machine with
 * several GPUs the library shares the devices of `auto`, and spreads cameras over them. */
static gboolean
opens (const WatchSharer *sharer, const gchar *type)
{
  return g_strv_contains (opened, type) &&
      !(g_str_equal (type, GST_GLES_DEVICE_CONTEXT_TYPE) &&
          gst_gles_placement_has_choice (sharer->device));
}

/* With the lock. */
static Entry *
get_entry (const gchar *device, const gchar *type)
{
  g_autofree gchar *key = g_strjoin ("\n", device != NULL ? device : "", type, NULL);
  Entry *entry;

  if (entries == NULL)
    entries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_entry);
  entry = g_hash_table_lookup (entries, key);
  if (entry == NULL) {
    entry = g_new0 (Entry, 1);
    g_hash_table_insert (entries, g_steal_pointer (&key), entry);
  }
  return entry;
}

/* @context: (transfer full). */
static void
keep (const gchar *device, GstContext *context)
{
  Entry *entry;

  g_mutex_lock (&lock);
  entry = get_entry (device, gst_context_get_context_type (context));
  g_clear_pointer (&entry->context, gst_context_unref);
  entry->context = context;
  entry->opener = NULL;
  g_cond_broadcast (&cond);
  g_mutex_unlock (&lock);
}

/* Returns the context: (transfer full) (nullable). If NULL, the caller's pipeline opens a device
 * itself. Others that ask meanwhile wait for it, because one device is opened sooner than
 * many. */
static GstContext *
find (GstBus *bus, const WatchSharer *sharer, const gchar *type)
{
  const gint64 end = g_get_monotonic_time () + WAIT_US;
  GstContext *context = NULL;
  Entry *entry;

  g_mutex_lock (&lock);
  entry = get_entry (sharer->device, type);
  while (entry->context == NULL && entry->opener != NULL && entry->opener != bus &&
      !g_atomic_int_get (sharer->cut) && g_cond_wait_until (&cond, &lock, end))
    continue;
  if (entry->context != NULL)
    context = gst_context_ref (entry->context);
  else if (opens (sharer, type) && !g_atomic_int_get (sharer->cut))
    entry->opener = bus;
  g_mutex_unlock (&lock);
  return context;
}

void
watch_contexts_on_message (GstBus *bus, GstMessage *message, const WatchSharer *sharer)
{
  g_autoptr (GstContext) context = NULL;
  GstContext *own = NULL;
  const gchar *type;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_NEED_CONTEXT) {
    gst_message_parse_context_type (message, &type);
    context = find (bus, sharer, type);
    if (context != NULL)
      gst_element_set_context (GST_ELEMENT (GST_MESSAGE_SRC (message)), context);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_HAVE_CONTEXT) {
    gst_message_parse_have_context (message, &own);
    keep (sharer->device, own);
  }
}

void
watch_contexts_unshare (GstBus *bus)
{
  GHashTableIter iter;
  gpointer entry;

  g_mutex_lock (&lock);
  if (entries != NULL)
    g_hash_table_iter_init (&iter, entries);
  while (entries != NULL && g_hash_table_iter_next (&iter, NULL, &entry)) {
    if (((Entry *) entry)->opener == bus)
      ((Entry *) entry)->opener = NULL;
  }
  g_cond_broadcast (&cond);
  g_mutex_unlock (&lock);
}

void
watch_contexts_clear (void)
{
  g_mutex_lock (&lock);
  g_clear_pointer (&entries, g_hash_table_unref);
  g_mutex_unlock (&lock);
}
