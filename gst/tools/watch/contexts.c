/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "contexts.h"

static GMutex lock;
static GHashTable *contexts; /* with the lock: of "DEVICE\nTYPE": GstContext */

/* Returns (transfer full). */
static gchar *
make_key (const gchar *device, const gchar *type)
{
  return g_strjoin ("\n", device != NULL ? device : "", type, NULL);
}

/* @context: (transfer full). */
static void
keep (const gchar *device, GstContext *context)
{
  g_mutex_lock (&lock);
  if (contexts == NULL)
    contexts =
        g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) gst_context_unref);
  g_hash_table_insert (
      contexts, make_key (device, gst_context_get_context_type (context)), context);
  g_mutex_unlock (&lock);
}

/* Returns (transfer full) (nullable). */
static GstContext *
find (const gchar *device, const gchar *type)
{
  g_autofree gchar *key = make_key (device, type);
  GstContext *context;

  g_mutex_lock (&lock);
  context = contexts != NULL ? g_hash_table_lookup (contexts, key) : NULL;
  if (context != NULL)
    gst_context_ref (context);
  g_mutex_unlock (&lock);
  return context;
}

static GstBusSyncReply
on_message (GstBus *bus, GstMessage *message, gpointer user_data)
{
  g_autoptr (GstContext) context = NULL;
  GstContext *own = NULL;
  const gchar *type;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_NEED_CONTEXT) {
    gst_message_parse_context_type (message, &type);
    context = find (user_data, type);
    if (context != NULL)
      gst_element_set_context (GST_ELEMENT (GST_MESSAGE_SRC (message)), context);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_HAVE_CONTEXT) {
    gst_message_parse_have_context (message, &own);
    keep (user_data, own);
  }
  return GST_BUS_PASS;
}

void
watch_contexts_share (GstBus *bus, const gchar *device)
{
  gst_bus_set_sync_handler (bus, on_message, (gpointer) device, NULL);
}

void
watch_contexts_clear (void)
{
  g_mutex_lock (&lock);
  g_clear_pointer (&contexts, g_hash_table_unref);
  g_mutex_unlock (&lock);
}
