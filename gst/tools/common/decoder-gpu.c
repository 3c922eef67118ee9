/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decoder-gpu.h"

#include <string.h>

/* autoplug-sort has them */
G_GNUC_BEGIN_IGNORE_DEPRECATIONS

#define DATA "gst-gles-decoder-gpu"

/* A GPU that is lost frees its decoders, so it would always be that of the fewest. */
#define AVOIDED (60 * G_USEC_PER_SEC)

/* What a bin decodes on. */
typedef struct {
  gchar *gpu;
  gint has_decoded; /* atomic */
} Use;

static GMutex lock;
static GHashTable *users;  /* with the lock: of a GPU to the number of its decoders */
static GHashTable *failed; /* with the lock: of a GPU to when a decoder ended without a frame */

/* Returns what names the GPU of @factory (transfer full), or NULL if it is of none. */
static gchar *
find_gpu (GstElementFactory *factory)
{
  static const gchar *const properties[] = { "cuda-device-id", "device-path" };
  const gchar *plugin = gst_plugin_feature_get_plugin_name (GST_PLUGIN_FEATURE (factory));
  g_autoptr (GstElement) element = NULL;

  /* the types of one call are alternatives */
  if (!gst_element_factory_list_is_type (factory, GST_ELEMENT_FACTORY_TYPE_HARDWARE) ||
      !gst_element_factory_list_is_type (
          factory, GST_ELEMENT_FACTORY_TYPE_DECODER | GST_ELEMENT_FACTORY_TYPE_MEDIA_VIDEO))
    return NULL;
  element = gst_element_factory_create (factory, NULL);
  if (element != NULL)
    gst_object_ref_sink (element);
  for (guint i = 0; element != NULL && i < G_N_ELEMENTS (properties); i++) {
    GValue value = G_VALUE_INIT;
    g_autofree gchar *text = NULL;

    if (g_object_class_find_property (G_OBJECT_GET_CLASS (element), properties[i]) == NULL)
      continue;
    g_object_get_property (G_OBJECT (element), properties[i], &value);
    text = g_strdup_value_contents (&value);
    g_value_unset (&value);
    return g_strdup_printf ("%s %s", plugin, text);
  }
  return NULL;
}

static guint
count (const gchar *gpu)
{
  return users != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (users, gpu)) : 0;
}

/* @change: 1 or -1 */
static void
add (const gchar *gpu, gint change)
{
  if (users == NULL)
    users = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_insert (users, g_strdup (gpu), GUINT_TO_POINTER ((gint) count (gpu) + change));
}

static void
leave (gpointer data)
{
  Use *use = data;

  g_mutex_lock (&lock);
  add (use->gpu, -1);
  if (!g_atomic_int_get (&use->has_decoded)) {
    if (failed == NULL)
      failed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    g_hash_table_insert (failed, g_strdup (use->gpu),
        g_memdup2 (&(gint64){ g_get_monotonic_time () }, sizeof (gint64)));
  }
  g_mutex_unlock (&lock);
  g_free (use->gpu);
  g_free (use);
}

/* With the lock. */
static gboolean
is_avoided (const gchar *gpu)
{
  const gint64 *time = failed != NULL ? g_hash_table_lookup (failed, gpu) : NULL;

  return time != NULL && g_get_monotonic_time () - *time < AVOIDED;
}

/* With the lock. Whether @a is taken rather than @b. */
static gboolean
is_better (const gchar *a, const gchar *b)
{
  return is_avoided (a) != is_avoided (b) ? is_avoided (b) : count (a) < count (b);
}

/* Counts the decoder of @bin on the GPU of the fewest, and returns its index in @gpus. Decoders are
 * sorted before a stream is parsed and after that, so @bin stays where it is counted. */
static guint
choose (GstElement *bin, GPtrArray *gpus, guint turn)
{
  Use *use = g_object_get_data (G_OBJECT (bin), DATA);
  guint best = turn % gpus->len;

  if (use != NULL && g_ptr_array_find_with_equal_func (gpus, use->gpu, g_str_equal, &best))
    return best;
  g_mutex_lock (&lock);
  for (guint k = 1; k < gpus->len; k++) {
    const guint i = (turn + k) % gpus->len;

    if (is_better (gpus->pdata[i], gpus->pdata[best]))
      best = i;
  }
  add (gpus->pdata[best], 1);
  g_mutex_unlock (&lock);
  use = g_new0 (Use, 1);
  use->gpu = g_strdup (gpus->pdata[best]);
  g_object_set_data_full (G_OBJECT (bin), DATA, use, leave);
  return best;
}

static GstPadProbeReturn
on_frame (GstPad *pad, GstPadProbeInfo *info, gpointer bin)
{
  Use *use = g_object_get_data (bin, DATA);

  if (use != NULL)
    g_atomic_int_set (&use->has_decoded, TRUE);
  return GST_PAD_PROBE_REMOVE;
}

static void
on_decoded (GstElement *bin, GstPad *pad, gpointer data)
{
  gst_pad_add_probe (
      pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, on_frame, bin, NULL);
}

static GstElementFactory *
get_factory (GValueArray *factories, guint i)
{
  return g_value_get_object (g_value_array_get_nth (factories, i));
}

static gboolean
are_of_one_plugin (GstElementFactory *a, GstElementFactory *b)
{
  return g_strcmp0 (gst_plugin_feature_get_plugin_name (GST_PLUGIN_FEATURE (a)),
             gst_plugin_feature_get_plugin_name (GST_PLUGIN_FEATURE (b))) == 0;
}

/* Handles autoplug-sort: puts the decoder of the chosen GPU before the first one of a GPU. */
static GValueArray *
sort (GstElement *bin, GstPad *pad, GstCaps *caps, GValueArray *factories, gpointer turn)
{
  g_autoptr (GPtrArray) gpus = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) indices = g_array_new (FALSE, FALSE, sizeof (guint));
  GValueArray *sorted;
  GValue value = G_VALUE_INIT;
  guint first, chosen;

  for (guint i = 0; i < factories->n_values; i++) {
    GstElementFactory *factory = get_factory (factories, i);
    gchar *gpu;

    if (indices->len > 0 &&
        !are_of_one_plugin (get_factory (factories, g_array_index (indices, guint, 0)), factory))
      continue;
    gpu = find_gpu (factory);
    if (gpu == NULL || g_ptr_array_find_with_equal_func (gpus, gpu, g_str_equal, NULL)) {
      g_free (gpu);
      continue;
    }
    g_ptr_array_add (gpus, gpu);
    g_array_append_val (indices, i);
  }
  if (gpus->len < 2)
    return NULL;
  first = g_array_index (indices, guint, 0);
  chosen = g_array_index (indices, guint, choose (bin, gpus, GPOINTER_TO_UINT (turn)));
  sorted = g_value_array_copy (factories);
  g_value_init (&value, G_TYPE_OBJECT);
  g_value_set_object (&value, get_factory (factories, chosen));
  g_value_array_remove (sorted, chosen);
  g_value_array_insert (sorted, first, &value);
  g_value_unset (&value);
  return sorted;
}

G_GNUC_END_IGNORE_DEPRECATIONS

void
decoder_gpu_spread (GstElement *decodebin, guint turn)
{
  g_signal_connect (decodebin, "autoplug-sort", G_CALLBACK (sort), GUINT_TO_POINTER (turn));
  g_signal_connect (decodebin, "pad-added", G_CALLBACK (on_decoded), NULL);
}
