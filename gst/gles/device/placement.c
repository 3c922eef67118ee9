/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/log.h>
#include <gst/gles/device/device-share.h>
#include <gst/gles/device/gpus.h>
#include <gst/gles/device/opened.h>
#include <gst/gles/device/placement.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* A GPU of the machine. */
typedef struct {
  GPtrArray *specs; /* as in GstGlesGpu */
  GWeakRef device;  /* of the elements that are on it */
  gboolean has_opened;
} Place;

static GMutex lock; /* held while a device is opened, so that nobody else opens it */
static Place *places;
static guint n_places;
static GstGlesGpuFacts *facts; /* of each place */
static GHashTable *users;      /* with the lock: of element to place + 1 */

static gpointer
list_places (gpointer data)
{
  g_autoptr (GPtrArray) gpus = gst_gles_gpus_list ();

  g_mutex_lock (&lock);
  n_places = gpus->len;
  places = g_new0 (Place, n_places);
  facts = g_new0 (GstGlesGpuFacts, n_places);
  users = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < n_places; i++) {
    const GstGlesGpu *gpu = g_ptr_array_index (gpus, i);

    places[i].specs = g_ptr_array_ref (gpu->specs);
    facts[i] = gpu->facts;
    GST_INFO ("GPU %u: %s, render node %u, UUID %s", i,
        (const gchar *) g_ptr_array_index (gpu->specs, gpu->specs->len - 1), gpu->facts.node,
        gpu->facts.has_uuid ? "known" : "unknown");
    g_weak_ref_init (&places[i].device, NULL);
  }
  g_mutex_unlock (&lock);
  return NULL;
}

gboolean
gst_gles_placement_has_choice (const gchar *spec)
{
  static GOnce once = G_ONCE_INIT;

  if (!gst_gles_device_is_auto (spec))
    return FALSE;
  g_once (&once, list_places, NULL);
  return n_places > 1;
}

/* ---- with the lock ---- */

static gint
get_place (gpointer user)
{
  return GPOINTER_TO_INT (g_hash_table_lookup (users, user)) - 1;
}

/* @place: -1: none */
static void
set_place (gpointer user, gint place)
{
  const gint last = get_place (user);

  if (last >= 0)
    facts[last].n_users--;
  if (place >= 0) {
    facts[place].n_users++;
    g_hash_table_insert (users, user, GINT_TO_POINTER (place + 1));
  } else {
    g_hash_table_remove (users, user);
  }
}

/* Whether @device is a GPU; with the test hook, a software renderer stands for one. */
static gboolean
is_gpu (GstGlesDevice *device)
{
#ifdef GST_GLES_TEST_HOOKS
  if (g_getenv ("GST_GLES_TEST_GPUS") != NULL)
    return TRUE;
#endif
  return gst_gles_device_get_kind (device) == GST_GLES_DEVICE_HARDWARE;
}

/* A driver that does not tell the UUID before its device is opened may do so then. */
static void
learn_uuid (GstGlesGpuFacts *gpu, GstGlesDevice *device)
{
  const GstGlesShare *share = gst_gles_device_get_share (device);

  if (gpu->has_uuid || !share->limits.memory_objects)
    return;
  gpu->has_uuid = TRUE;
  memcpy (gpu->uuid, share->uuids.device, GST_GLES_UUID_BYTES);
}

/* Returns the device of place @i: (transfer full) (nullable). */
static GstGlesDevice *
open_place (guint i, GError **error)
{
  Place *place = &places[i];
  g_autoptr (GstGlesDevice) device = g_weak_ref_get (&place->device);

  if (device != NULL && !gst_gles_device_is_lost (device))
    return g_steal_pointer (&device);
  for (guint k = 0; k < place->specs->len; k++) {
    g_autoptr (GError) reason = NULL;

    gst_clear_object (&device);
    device = gst_gles_device_open_once (g_ptr_array_index (place->specs, k), &reason);
    if (device != NULL && is_gpu (device)) {
      g_weak_ref_set (&place->device, device);
      place->has_opened = TRUE;
      learn_uuid (&facts[i], device);
      return g_steal_pointer (&device);
    }
    if (g_error_matches (reason, GST_GLES_ERROR, GST_GLES_ERROR_SETTINGS)) {
      g_propagate_error (error, g_steal_pointer (&reason));
      return NULL;
    }
    GST_INFO ("device=auto does not take %s",
        reason != NULL ? reason->message : gst_gles_device_get_description (device));
  }
  return NULL;
}

/* Returns the device that @user is counted on from now on: (transfer full) (nullable). */
static GstGlesDevice *
place_user (gpointer user, const GstGlesOwner *owner, GError **error)
{
  g_autofree GstGlesGpuFacts *now = NULL;
  gint place = get_place (user);
  GstGlesDevice *device = NULL;

  for (guint i = 0; owner->kind == GST_GLES_OWNER_HOST && i < n_places; i++)
    facts[i].load_percent = gst_gles_gpu_get_load (&facts[i]);
  now = g_memdup2 (facts, n_places * sizeof (*facts));
  do {
    GError *invalid = NULL;

    place = gst_gles_choose_gpu (now, n_places, owner, place);
    if (place < 0)
      break;
    device = open_place ((guint) place, &invalid);
    if (invalid != NULL) {
      g_propagate_error (error, invalid);
      break;
    }
    now[place].is_refused = TRUE;
    /* one that worked before may come back after a reset; others are not tried again */
    facts[place].is_refused = device == NULL && !places[place].has_opened;
  } while (device == NULL);
  if (device != NULL)
    set_place (user, place);
  return device;
}

/* ---- elements ---- */

/* Counts @element on the GPU of @device. Returns FALSE if that is none of the places. */
static gboolean
join (GstElement *element, GstGlesDevice *device)
{
  gint place = -1;

  g_mutex_lock (&lock);
  for (guint i = 0; i < n_places && place < 0; i++) {
    g_autoptr (GstGlesDevice) theirs = g_weak_ref_get (&places[i].device);
    if (theirs == device)
      place = (gint) i;
  }
  set_place (element, place);
  g_mutex_unlock (&lock);
  return place >= 0;
}

gboolean
gst_gles_placement_ensure (GstElement *element, const gchar *spec, GstGlesDevice **device,
    gboolean *is_placed, GError **error)
{
  static const GstGlesOwner host = { GST_GLES_OWNER_HOST };
  GError *invalid = NULL;

  *is_placed = FALSE;
  if (!gst_gles_placement_has_choice (spec))
    return gst_gles_device_ensure (element, spec, device, error);
  if (!gst_gles_device_find (element, spec, FALSE, device)) {
    *device = gst_gles_placement_move (element, &host, &invalid);
    if (invalid != NULL) {
      g_propagate_error (error, invalid);
      return FALSE;
    }
    if (*device == NULL)
      return gst_gles_device_ensure (element, spec, device, error);
    GST_INFO_OBJECT (element, "device=auto takes %s: the GPU with the least work",
        gst_gles_device_get_description (*device));
  }
  *is_placed = join (element, *device);
  return TRUE;
}

GstGlesDevice *
gst_gles_placement_move (GstElement *element, const GstGlesOwner *owner, GError **error)
{
  GstGlesDevice *device;

  g_mutex_lock (&lock);
  device = place_user (element, owner, error);
  g_mutex_unlock (&lock);
  return device;
}

void
gst_gles_placement_leave (GstElement *element)
{
  g_mutex_lock (&lock);
  if (users != NULL)
    set_place (element, -1);
  g_mutex_unlock (&lock);
}
