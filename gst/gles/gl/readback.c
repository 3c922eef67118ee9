/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of each readback, and waiting for it. */
#include "config.h"

#include <string.h>

#include <gst/gles/gl/readback-private.h>

G_STATIC_ASSERT (sizeof (GstGlesResult) == 16);

static GstGlesReadback *
readback_alloc (gsize size_bytes)
{
  GstGlesReadback *readback = g_new0 (GstGlesReadback, 1);

  readback->ref_count = 1;
  readback->size_bytes = size_bytes;
  g_mutex_init (&readback->lock);
  g_cond_init (&readback->cond);
  return readback;
}

GstGlesReadback *
gst_gles_readback_new_open (
    GstGlesReadbackSlots *slots, GstGlesBuffer *slot, gsize size_bytes, guint item_bytes)
{
  GstGlesReadback *readback = readback_alloc (size_bytes);

  readback->item_bytes = item_bytes;
  readback->slots = gst_gles_readback_slots_ref (slots);
  readback->slot = slot;
  return readback;
}

GstGlesReadback *
gst_gles_readback_new_complete (GBytes *bytes)
{
  GstGlesReadback *readback;

  g_return_val_if_fail (bytes != NULL, NULL);
  readback = readback_alloc (g_bytes_get_size (bytes));
  readback->bytes = bytes;
  readback->state = READBACK_COMPLETE;
  return readback;
}

GstGlesReadback *
gst_gles_readback_new_counted (const GstGlesResult *counted, GBytes *bytes)
{
  GstGlesReadback *readback = gst_gles_readback_new_complete (bytes);

  readback->counted = *counted;
  return readback;
}

void
gst_gles_readback_get_counted (GstGlesReadback *readback, GstGlesResult *counted)
{
  g_return_if_fail (readback != NULL);
  g_mutex_lock (&readback->lock);
  *counted = readback->counted;
  g_mutex_unlock (&readback->lock);
}

GstGlesReadback *
gst_gles_readback_ref (GstGlesReadback *readback)
{
  g_atomic_int_inc (&readback->ref_count);
  return readback;
}

/* Returns the slot to the ring. Later copies into it are executed after ours, so it may be reused
 * at once. */
static void
release_slot (GstGlesReadback *readback)
{
  if (readback->slot == NULL)
    return;
  g_mutex_lock (&readback->slots->lock);
  g_ptr_array_add (readback->slots->free_slots, g_steal_pointer (&readback->slot));
  g_mutex_unlock (&readback->slots->lock);
  g_clear_pointer (&readback->slots, gst_gles_readback_slots_unref);
}

void
gst_gles_readback_unref (GstGlesReadback *readback)
{
  if (readback == NULL || !g_atomic_int_dec_and_test (&readback->ref_count))
    return;
  release_slot (readback);
  g_clear_pointer (&readback->bytes, g_bytes_unref);
  g_clear_error (&readback->error);
  g_mutex_clear (&readback->lock);
  g_cond_clear (&readback->cond);
  g_free (readback);
}

static void
set_failed (GstGlesReadback *readback, GError *error)
{
  if (readback->state == READBACK_COMPLETE || readback->state == READBACK_FAILED) {
    g_error_free (error);
    return;
  }
  readback->error = error;
  readback->state = READBACK_FAILED;
  release_slot (readback);
  g_cond_broadcast (&readback->cond);
}

/* Returns the size in bytes of the items that the device counted. */
static gsize
counted_size (const GstGlesReadback *readback)
{
  return MIN ((gsize) readback->counted.count * readback->item_bytes, readback->size_bytes);
}

/* Returns NULL with @error if there is not enough memory. */
static GBytes *
bytes_copy (gconstpointer data, gsize size, GError **error)
{
  gpointer copy = g_try_malloc (MAX (size, 1));

  if (copy == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_NO_MEMORY,
        "cannot allocate %" G_GSIZE_FORMAT " bytes for a result", size);
    return NULL;
  }
  memcpy (copy, data, size);
  return g_bytes_new_take (copy, size);
}

/* Moves the bytes of a finished submission to the heap and frees the slot. Call with the lock
 * held. */
static void
retire (GstGlesReadback *readback)
{
  const guint8 *memory;
  GError *error = NULL;

  if (readback->state != READBACK_IN_FLIGHT)
    return;
  memory = readback->slot->memory;
  if (readback->item_bytes == 0)
    readback->bytes = bytes_copy (memory, readback->size_bytes, &error);
  else
    readback->bytes =
        bytes_copy (memory + GST_GLES_READBACK_COUNTED_HEAD, counted_size (readback), &error);
  if (readback->bytes == NULL) {
    set_failed (readback, error);
    return;
  }
  readback->state = READBACK_COMPLETE;
  release_slot (readback);
}

static gboolean
wait_for_submission (GstGlesReadback *readback, guint64 timeout_ns, gint64 deadline_us)
{
  while (readback->state == READBACK_OPEN) {
    if (timeout_ns == GST_GLES_WAIT_FOREVER)
      g_cond_wait (&readback->cond, &readback->lock);
    else if (!g_cond_wait_until (&readback->cond, &readback->lock, deadline_us))
      break;
  }
  return readback->state != READBACK_OPEN;
}

/* Call with the lock held; it is released while the function waits for the device. */
static gboolean
wait_for_bytes (GstGlesReadback *readback, guint64 timeout_ns, GError **error)
{
  gint64 now_us = g_get_monotonic_time ();
  gint64 deadline_us = 0;
  GError *failure = NULL;
  GstGlesReadbackSlots *slots;
  gboolean done;

  if (timeout_ns != GST_GLES_WAIT_FOREVER)
    deadline_us = now_us + (gint64) (timeout_ns / 1000);
  if (!wait_for_submission (readback, timeout_ns, deadline_us)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TIMEOUT,
        "the result was not submitted within %.3f ms", timeout_ns / 1e6);
    return FALSE;
  }
  if (readback->state != READBACK_IN_FLIGHT)
    return TRUE;

  slots = gst_gles_readback_slots_ref (readback->slots);
  g_mutex_unlock (&readback->lock);
  done = gst_gles_queue_wait (slots->queue, readback->serial, timeout_ns, &failure);
  gst_gles_readback_slots_unref (slots);
  g_mutex_lock (&readback->lock);
  if (done) {
    retire (readback);
  } else if (g_error_matches (failure, GST_GLES_ERROR, GST_GLES_ERROR_TIMEOUT)) {
    g_propagate_error (error, failure);
    return FALSE;
  } else {
    set_failed (readback, failure);
  }
  return TRUE;
}

gconstpointer
gst_gles_readback_get (
    GstGlesReadback *readback, guint64 timeout_ns, gsize *size_bytes, GError **error)
{
  gconstpointer data = NULL;

  g_return_val_if_fail (readback != NULL, NULL);
  g_mutex_lock (&readback->lock);
  if (wait_for_bytes (readback, timeout_ns, error)) {
    if (readback->state == READBACK_COMPLETE) {
      /* The data of an empty GBytes may be NULL, which callers would take for failure. */
      data = g_bytes_get_data (readback->bytes, size_bytes);
      if (data == NULL)
        data = "";
    } else if (error != NULL) {
      *error = g_error_copy (readback->error);
    }
  }
  g_mutex_unlock (&readback->lock);
  return data;
}

gboolean
gst_gles_readback_is_ready (GstGlesReadback *readback)
{
  gboolean ready;

  g_return_val_if_fail (readback != NULL, FALSE);
  g_mutex_lock (&readback->lock);
  ready = readback->state == READBACK_COMPLETE || readback->state == READBACK_FAILED ||
      (readback->state == READBACK_IN_FLIGHT &&
          gst_gles_queue_is_done (readback->slots->queue, readback->serial));
  g_mutex_unlock (&readback->lock);
  return ready;
}

void
gst_gles_readback_cancel (GstGlesReadback *readback)
{
  g_return_if_fail (readback != NULL);
  g_mutex_lock (&readback->lock);
  set_failed (readback,
      g_error_new (
          GST_GLES_ERROR, GST_GLES_ERROR_CANCELLED, "the result was discarded by a flush"));
  g_mutex_unlock (&readback->lock);
}

/* ---- hooks of the submission ---- */

static void
on_queued (GstGlesSerial serial, gpointer user_data)
{
  GstGlesReadback *readback = user_data;

  g_mutex_lock (&readback->lock);
  if (readback->state == READBACK_OPEN) {
    readback->serial = serial;
    readback->state = READBACK_IN_FLIGHT;
    g_cond_broadcast (&readback->cond);
  }
  g_mutex_unlock (&readback->lock);
}

/* The bytes stay in the slot until they are requested, so a result that is dropped unread is never
 * copied. */
static void
on_done (const GError *error, gpointer user_data)
{
  GstGlesReadback *readback = user_data;

  g_mutex_lock (&readback->lock);
  if (error != NULL) {
    set_failed (readback, g_error_copy (error));
  } else if (readback->state == READBACK_IN_FLIGHT && readback->item_bytes != 0) {
    memcpy (&readback->counted, readback->slot->memory, sizeof (readback->counted));
    g_mutex_lock (&readback->slots->lock);
    readback->slots->counted_bytes += counted_size (readback) + sizeof (readback->counted);
    g_mutex_unlock (&readback->slots->lock);
  }
  g_mutex_unlock (&readback->lock);
  gst_gles_readback_unref (readback);
}

static const GstGlesHook readback_hook = { on_queued, on_done };

void
gst_gles_readback_follow_submission (GstGlesReadback *readback, GstGlesQueue *queue)
{
  gst_gles_queue_add_hook (queue, &readback_hook, gst_gles_readback_ref (readback));
}
