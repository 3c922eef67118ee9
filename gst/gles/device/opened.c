/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/log.h>
#include <gst/gles/device/device-share.h>
#include <gst/gles/device/opened.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* A GPU that is open, or was. */
typedef struct {
  GWeakRef device;
  GPtrArray *specs; /* the names under which it was asked for */
} Opened;

static GMutex lock; /* held while a device is opened, so that nobody else opens the same GPU */
static GPtrArray *gpus;

static void
opened_free (gpointer data)
{
  Opened *opened = data;

  g_weak_ref_clear (&opened->device);
  g_ptr_array_unref (opened->specs);
  g_free (opened);
}

/* Whether @device is a GPU, and not a renderer that works inside its calls, on the processor's
 * cores: of those, several do more. With the test hook, software renderers stand for GPUs. */
static gboolean
is_gpu (GstGlesDevice *device)
{
#ifdef GST_GLES_TEST_HOOKS
  if (g_getenv ("GST_GLES_TEST_ONE_GPU") != NULL)
    return TRUE;
#endif
  return gst_gles_device_get_kind (device) == GST_GLES_DEVICE_HARDWARE;
}

static gboolean
are_same_gpu (GstGlesDevice *a, GstGlesDevice *b)
{
  const GstGlesShare *one = gst_gles_device_get_share (a), *other = gst_gles_device_get_share (b);

#ifdef GST_GLES_TEST_HOOKS
  if (g_getenv ("GST_GLES_TEST_ONE_GPU") != NULL)
    return TRUE;
#endif
  return one->limits.memory_objects && other->limits.memory_objects &&
      memcmp (one->uuids.device, other->uuids.device, GST_GLES_UUID_BYTES) == 0;
}

static gboolean
has_spec (const Opened *opened, const gchar *spec)
{
  return g_ptr_array_find_with_equal_func (opened->specs, spec, g_str_equal, NULL);
}

/* Returns the device of the first GPU that has @spec, or is the one of @same (nullable), and works:
 * (transfer full) (nullable). Adds @spec to its names. Forgets GPUs that nobody uses. */
static GstGlesDevice *
find (const gchar *spec, GstGlesDevice *same)
{
  for (guint i = gpus->len; i-- > 0;) {
    Opened *opened = g_ptr_array_index (gpus, i);
    g_autoptr (GstGlesDevice) device = g_weak_ref_get (&opened->device);

    if (device == NULL || gst_gles_device_is_lost (device)) {
      g_ptr_array_remove_index_fast (gpus, i);
      continue;
    }
    if (same != NULL ? !are_same_gpu (device, same) : !has_spec (opened, spec))
      continue;
    if (same != NULL)
      g_ptr_array_add (opened->specs, g_strdup (spec));
    return g_steal_pointer (&device);
  }
  return NULL;
}

static void
add (const gchar *spec, GstGlesDevice *device)
{
  Opened *opened = g_new0 (Opened, 1);

  g_weak_ref_init (&opened->device, device);
  opened->specs = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (opened->specs, g_strdup (spec));
  g_ptr_array_add (gpus, opened);
}

GstGlesDevice *
gst_gles_device_open_once (const gchar *spec, GError **error)
{
  g_autoptr (GstGlesDevice) device = NULL;
  GstGlesDevice *other;

  if (strcmp (spec, "cpu") == 0)
    return gst_gles_device_open (spec, error);
  g_mutex_lock (&lock);
  if (gpus == NULL)
    gpus = g_ptr_array_new_with_free_func (opened_free);
  other = find (spec, NULL);
  if (other == NULL && (device = gst_gles_device_open (spec, error)) != NULL && is_gpu (device)) {
    other = find (spec, device);
    if (other == NULL)
      add (spec, device);
    else
      GST_INFO ("device=%s is the GPU that is open as %s", spec, gst_gles_device_get_id (other));
  }
  g_mutex_unlock (&lock);
  return other != NULL ? other : g_steal_pointer (&device);
}

gboolean
gst_gles_device_is_opened_as (GstGlesDevice *device, const gchar *spec)
{
  g_autoptr (GstGlesDevice) found = NULL;

  g_mutex_lock (&lock);
  found = gpus != NULL ? find (spec, NULL) : NULL;
  g_mutex_unlock (&lock);
  return found == device;
}
