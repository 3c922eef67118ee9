/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/core/checked.h>
#include <gst/gles/core/log.h>
#include <gst/gles/gl/buffer-export.h>
#include <gst/gles/gl/engine.h>
#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/link.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* Opening Vulkan takes 0.1 s, so the first frames of a device do not ask for it. */
#define FRAMES_BEFORE_SEARCH 64

/* Several transfers at a time use all engines. At 50 GB/s a round takes 0.7 ms, of which its begin
 * and end are a small part. The first rounds share the link with frames that were on their way when
 * the streams paused, so they are repeated until one is fast enough, at most for so long. */
#define N_MEASURED 2
#define MEASURED_BYTES (16 * 1024 * 1024)
#define MIN_ROUNDS 4
#define MAX_ROUNDS_US (40 * 1000)

/* ---- failures ---- */

/* Warns that OpenGL ES copies from now on. */
static void
give_up (GstGlesShare *share, const GError *error)
{
  g_atomic_int_set (&share->engine, GST_GLES_ENGINE_NONE);
  GST_WARNING ("%s: OpenGL ES copies frames of the host instead of an engine: %s", share->id,
      error->message);
}

GstGlesTransfer *
gst_gles_engine_new_transfer (GstGlesDevice *device, gsize size_bytes, GstGlesBuffer **target)
{
  GstGlesShare *share = gst_gles_device_get_share (device);
  GstGlesVulkan *vulkan;
  GstGlesExportedMemory memory;
  GstGlesTransfer *transfer = NULL;
  g_autoptr (GError) error = NULL;

  *target = gst_gles_buffer_new_exported (device, size_bytes, &memory, &error);
  if (*target != NULL) {
    vulkan = gst_gles_share_get_vulkan (share, NULL);
    transfer = gst_gles_transfer_new (
        vulkan, memory.fd, memory.size_bytes, gst_gles_align_up (size_bytes, 16), &error);
  }
  if (transfer == NULL) {
    g_clear_pointer (target, gst_gles_buffer_unref);
    give_up (share, error);
  } else {
    GST_DEBUG ("%s: an engine copies a block of %" G_GSIZE_FORMAT " bytes", share->id, size_bytes);
  }
  return transfer;
}

gboolean
gst_gles_engine_start (GstGlesDevice *device, GstGlesTransfer *transfer, gsize size_bytes)
{
  g_autoptr (GError) error = NULL;

  if (gst_gles_transfer_start (transfer, size_bytes, &error))
    return TRUE;
  give_up (gst_gles_device_get_share (device), error);
  return FALSE;
}

/* ---- the search ---- */

/* Returns the seconds that all @transfers take together, or 0 if one fails. */
static gdouble
run_round (GstGlesDevice *device, GstGlesTransfer *const transfers[N_MEASURED])
{
  const gint64 begin_us = g_get_monotonic_time ();
  gboolean ok = TRUE;

  for (guint i = 0; i < N_MEASURED; i++)
    ok = ok && gst_gles_engine_start (device, transfers[i], MEASURED_BYTES);
  for (guint i = 0; i < N_MEASURED; i++)
    ok = gst_gles_transfer_wait (transfers[i], NULL) && ok;
  return ok ? MAX (g_get_monotonic_time () - begin_us, 1) / 1e6 : 0;
}

/* Sets link->transfer to the bytes per second of the fastest round. Ends when that is enough beside
 * what else @link has. */
static void
run_rounds (GstGlesDevice *device, GstGlesTransfer *const transfers[N_MEASURED], GstGlesLink *link)
{
  const gint64 end_us = g_get_monotonic_time () + MAX_ROUNDS_US;

  for (guint i = 0; i < MIN_ROUNDS ||
       (!gst_gles_link_prefers_transfers (link) && g_get_monotonic_time () < end_us);
       i++) {
    const gdouble seconds = run_round (device, transfers);

    if (seconds <= 0)
      return;
    link->transfer = MAX (link->transfer, N_MEASURED * MEASURED_BYTES / seconds);
  }
}

/* Pauses all streams that send frames, because they would take their part of the link. */
static void
set_paused (GstGlesShare *share, gboolean is_paused)
{
  g_mutex_lock (&share->lock);
  g_atomic_int_set (&share->engine_measures, is_paused);
  g_cond_broadcast (&share->searched);
  g_mutex_unlock (&share->lock);
}

/* Sets link->transfer. */
static void
measure (GstGlesDevice *device, GstGlesLink *link)
{
  GstGlesShare *share = gst_gles_device_get_share (device);
  GstGlesTransfer *transfers[N_MEASURED] = { NULL };
  GstGlesBuffer *targets[N_MEASURED] = { NULL };
  gboolean ok = TRUE;

  for (guint i = 0; i < N_MEASURED && ok; i++) {
    transfers[i] = gst_gles_engine_new_transfer (device, MEASURED_BYTES, &targets[i]);
    ok = transfers[i] != NULL;
  }
  if (ok) {
    set_paused (share, TRUE);
    run_rounds (device, transfers, link);
    set_paused (share, FALSE);
  }
  for (guint i = 0; i < N_MEASURED; i++) {
    gst_gles_transfer_free (transfers[i]);
    gst_gles_buffer_unref (targets[i]);
  }
}

void
gst_gles_engine_pause (GstGlesDevice *device)
{
  GstGlesShare *share = gst_gles_device_get_share (device);

  if (!g_atomic_int_get (&share->engine_measures))
    return;
  g_mutex_lock (&share->lock);
  while (g_atomic_int_get (&share->engine_measures))
    g_cond_wait (&share->searched, &share->lock);
  g_mutex_unlock (&share->lock);
}

/* Returns whether the device has an engine. */
static gboolean
has_engine (GstGlesShare *share)
{
  g_autoptr (GError) error = NULL;
  GstGlesVulkan *vulkan = NULL;

  if (share->kind != GST_GLES_DEVICE_HARDWARE || !share->limits.memory_objects ||
      share->memory == GST_GLES_MEMORY_GL)
    return FALSE;
  vulkan = gst_gles_share_get_vulkan (share, &error);
  if (vulkan == NULL)
    GST_INFO ("%s: no engine copies frames of the host: %s", share->id, error->message);
  else if (!gst_gles_vulkan_has_engine (vulkan))
    GST_INFO ("%s: the device has no engine that only copies", share->id);
  else
    return TRUE;
  return FALSE;
}

void
gst_gles_engine_find (GstGlesDevice *device)
{
  GstGlesShare *share = gst_gles_device_get_share (device);
  g_autofree gchar *figures = NULL, *choice = NULL;
  GstGlesLink link;

  if (g_atomic_int_get (&share->engine) != GST_GLES_ENGINE_UNKNOWN || !has_engine (share))
    return;
  gst_gles_link_get (device, &link);
  if (link.transfer <= 0) {
    measure (device, &link);
    gst_gles_link_set_transfer (device, link.transfer);
    gst_gles_link_get (device, &link);
  }
  if (gst_gles_link_prefers_transfers (&link))
    g_atomic_int_compare_and_exchange (
        &share->engine, GST_GLES_ENGINE_UNKNOWN, GST_GLES_ENGINE_USED);
  figures = gst_gles_link_describe (&link);
  choice = gst_gles_link_describe_choice (&link);
  GST_INFO ("%s: link: %s; %s", share->id, figures, choice);
}

static gpointer
search (gpointer data)
{
  GstGlesDevice *device = data;
  GstGlesShare *share = gst_gles_share_ref (gst_gles_device_get_share (device));

  gst_gles_engine_find (device);
  /* whoever waits has a reference, so this is not the last one */
  gst_object_unref (device);
  g_mutex_lock (&share->lock);
  share->searches = FALSE;
  g_cond_broadcast (&share->searched);
  g_mutex_unlock (&share->lock);
  gst_gles_share_unref (share);
  return NULL;
}

static void
begin_search (GstGlesDevice *device)
{
  GstGlesShare *share = gst_gles_device_get_share (device);
  GThread *thread;

  g_mutex_lock (&share->lock);
  share->searches = TRUE;
  g_mutex_unlock (&share->lock);
  thread = g_thread_try_new ("gles-engine", search, gst_object_ref (device), NULL);
  if (thread != NULL) {
    g_thread_unref (thread);
    return;
  }
  gst_object_unref (device);
  g_mutex_lock (&share->lock);
  share->searches = FALSE;
  g_mutex_unlock (&share->lock);
}

void
gst_gles_engine_count (GstGlesDevice *device)
{
  GstGlesShare *share = gst_gles_device_get_share (device);

  if (g_atomic_int_get (&share->n_host_frames) >= FRAMES_BEFORE_SEARCH ||
      g_atomic_int_add (&share->n_host_frames, 1) + 1 != FRAMES_BEFORE_SEARCH)
    return;
  if (share->kind == GST_GLES_DEVICE_HARDWARE)
    begin_search (device);
}

void
gst_gles_engine_wait (GstGlesDevice *device)
{
  GstGlesShare *share = gst_gles_device_get_share (device);

  g_mutex_lock (&share->lock);
  while (share->searches)
    g_cond_wait (&share->searched, &share->lock);
  g_mutex_unlock (&share->lock);
}

/* GST_GLES_MEMORY=vulkan: tests of software renderers, which have no engine but can copy so. */
static gboolean
is_forced (const GstGlesShare *share)
{
  return share->memory == GST_GLES_MEMORY_VULKAN && share->kind == GST_GLES_DEVICE_SOFTWARE;
}

gboolean
gst_gles_engine_is_used (GstGlesDevice *device)
{
  GstGlesShare *share = gst_gles_device_get_share (device);
  const gint engine = g_atomic_int_get (&share->engine);

  return engine == GST_GLES_ENGINE_USED || (engine == GST_GLES_ENGINE_UNKNOWN && is_forced (share));
}
