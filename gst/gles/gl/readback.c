/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <string.h>

#include <gst/gles/core/log.h>
#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/program.h>
#include <gst/gles/gl/readback.h>
#include <layout.h>

#define GST_CAT_DEFAULT GST_GLES_CAT

/* 16-byte rows per invocation that copies items, up to so many workgroups; then more */
#define COPY_INVOCATIONS 64
#define COPY_ROWS 4
#define COPY_MAX_GROUPS 1024

G_STATIC_ASSERT (sizeof (GstGlesCounted) == 16);

typedef enum {
  READBACK_OPEN,      /* its submission has not ended */
  READBACK_IN_FLIGHT, /* behind its fence the bytes are in the slot */
  READBACK_COMPLETE,
  READBACK_FAILED
} ReadbackState;

/* The slots of a ring: shared by the ring and the readbacks that are in flight. */
typedef struct {
  gint ref_count;
  GMutex lock;
  GPtrArray *free_slots; /* of GstGlesBuffer, mapped */
  gsize counted_bytes;   /* that came since somebody asked */
} Slots;

struct _GstGlesReadback {
  gint ref_count;
  GMutex lock;
  GCond cond; /* OPEN was left */
  ReadbackState state;
  GstGlesSync *sync;
  Slots *slots;
  GstGlesBuffer *slot;
  gsize size_bytes; /* at most, of counted items */
  guint item_bytes; /* 0: not counted */
  GstGlesCounted counted;
  GBytes *bytes;
  GError *error;
};

struct _GstGlesReadbackRing {
  GstGlesQueue *queue;
  GstGlesDevice *device;
  Slots *slots;
  gsize slot_bytes;
  guint n_slots, n_made;
  GstGlesProgram *copy_items; /* made when first used */
  GQueue outstanding;         /* of GstGlesReadback that hold a slot, oldest first */
};

static Slots *
slots_ref (Slots *slots)
{
  g_atomic_int_inc (&slots->ref_count);
  return slots;
}

static void
slots_unref (Slots *slots)
{
  if (!g_atomic_int_dec_and_test (&slots->ref_count))
    return;
  g_ptr_array_unref (slots->free_slots);
  g_mutex_clear (&slots->lock);
  g_free (slots);
}

/* ---- readback ---- */

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
gst_gles_readback_new_counted (const GstGlesCounted *counted, GBytes *bytes)
{
  GstGlesReadback *readback = gst_gles_readback_new_complete (bytes);

  readback->counted = *counted;
  return readback;
}

void
gst_gles_readback_get_counted (GstGlesReadback *readback, GstGlesCounted *counted)
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

/* The slot may be written again: later copies are behind ours in the queue's order. */
static void
give_slot_back (GstGlesReadback *readback)
{
  if (readback->slot == NULL)
    return;
  g_mutex_lock (&readback->slots->lock);
  g_ptr_array_add (readback->slots->free_slots, g_steal_pointer (&readback->slot));
  g_mutex_unlock (&readback->slots->lock);
  g_clear_pointer (&readback->slots, slots_unref);
}

void
gst_gles_readback_unref (GstGlesReadback *readback)
{
  if (readback == NULL || !g_atomic_int_dec_and_test (&readback->ref_count))
    return;
  give_slot_back (readback);
  gst_gles_sync_unref (readback->sync);
  g_clear_pointer (&readback->bytes, g_bytes_unref);
  g_clear_error (&readback->error);
  g_mutex_clear (&readback->lock);
  g_cond_clear (&readback->cond);
  g_free (readback);
}

/* The fence is passed: moves the bytes to the heap. With the lock held. */
static void
retire (GstGlesReadback *readback)
{
  if (readback->state != READBACK_IN_FLIGHT)
    return;
  if (readback->item_bytes == 0) {
    readback->bytes = g_bytes_new (readback->slot->memory, readback->size_bytes);
  } else {
    gsize size;
    memcpy (&readback->counted, readback->slot->memory, sizeof (readback->counted));
    size = MIN ((gsize) readback->counted.count * readback->item_bytes, readback->size_bytes);
    g_mutex_lock (&readback->slots->lock);
    readback->slots->counted_bytes += size + sizeof (readback->counted);
    g_mutex_unlock (&readback->slots->lock);
    readback->bytes = g_bytes_new (readback->slot->memory + GST_GLES_READBACK_COUNTED_HEAD, size);
  }
  readback->state = READBACK_COMPLETE;
  give_slot_back (readback);
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
  give_slot_back (readback);
  g_cond_broadcast (&readback->cond);
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

/* With the lock held; releases it while it waits for the device. */
static gboolean
wait_for_bytes (GstGlesReadback *readback, guint64 timeout_ns, GError **error)
{
  gint64 now_us = g_get_monotonic_time ();
  gint64 deadline_us = 0;
  g_autoptr (GstGlesSync) sync = NULL;
  GError *failure = NULL;

  if (timeout_ns != GST_GLES_WAIT_FOREVER)
    deadline_us = now_us + (gint64) (timeout_ns / 1000);
  if (!wait_for_submission (readback, timeout_ns, deadline_us)) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TIMEOUT,
        "the result was not submitted within %" G_GUINT64_FORMAT " ns", timeout_ns);
    return FALSE;
  }
  if (readback->state != READBACK_IN_FLIGHT)
    return TRUE;

  sync = readback->sync != NULL ? gst_gles_sync_ref (readback->sync) : NULL;
  g_mutex_unlock (&readback->lock);
  gst_gles_sync_wait (sync, timeout_ns, &failure);
  g_mutex_lock (&readback->lock);
  if (failure == NULL) {
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
      /* an empty GBytes may hold NULL, which would read as failure */
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
      (readback->state == READBACK_IN_FLIGHT && gst_gles_sync_is_done (readback->sync));
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

static void
on_submitted (GstGlesSync *sync, gpointer user_data)
{
  GstGlesReadback *readback = user_data;

  g_mutex_lock (&readback->lock);
  if (readback->state == READBACK_OPEN) {
    readback->sync = sync != NULL ? gst_gles_sync_ref (sync) : NULL;
    readback->state = READBACK_IN_FLIGHT;
    if (sync == NULL)
      retire (readback);
    g_cond_broadcast (&readback->cond);
  }
  g_mutex_unlock (&readback->lock);
  gst_gles_readback_unref (readback);
}

/* ---- ring ---- */

static gboolean
is_mapped (GstGlesReadbackRing *ring)
{
  return ring->queue->context != EGL_NO_CONTEXT && ring->queue->share->limits.buffer_storage;
}

static gboolean
add_slot (GstGlesReadbackRing *ring, GError **error)
{
  GstGlesBuffer *slot = gst_gles_buffer_new_storage (
      ring->device, GST_GLES_STORAGE_READBACK, ring->slot_bytes, error);

  if (slot == NULL)
    return FALSE;
  ring->n_made++;
  g_mutex_lock (&ring->slots->lock);
  g_ptr_array_add (ring->slots->free_slots, slot);
  g_mutex_unlock (&ring->slots->lock);
  return TRUE;
}

GstGlesReadbackRing *
gst_gles_readback_ring_new (GstGlesQueue *queue, guint n_slots, gsize slot_bytes, GError **error)
{
  GstGlesReadbackRing *ring;

  g_return_val_if_fail (GST_IS_GLES_QUEUE (queue) && n_slots > 0, NULL);
  ring = g_new0 (GstGlesReadbackRing, 1);
  ring->queue = gst_object_ref (queue);
  ring->device = gst_gles_queue_get_device (queue);
  ring->slot_bytes = slot_bytes;
  ring->slots = g_new0 (Slots, 1);
  ring->slots->ref_count = 1;
  ring->slots->free_slots = g_ptr_array_new_with_free_func ((GDestroyNotify) gst_gles_buffer_unref);
  g_mutex_init (&ring->slots->lock);
  g_queue_init (&ring->outstanding);
  ring->n_slots = n_slots;
  if (is_mapped (ring) && !add_slot (ring, error)) {
    gst_gles_readback_ring_free (ring);
    return NULL;
  }
  return ring;
}

void
gst_gles_readback_ring_free (GstGlesReadbackRing *ring)
{
  if (ring == NULL)
    return;
  g_queue_clear_full (&ring->outstanding, (GDestroyNotify) gst_gles_readback_unref);
  slots_unref (ring->slots);
  gst_gles_program_unref (ring->copy_items);
  gst_object_unref (ring->queue);
  gst_object_unref (ring->device);
  g_free (ring);
}

static GstGlesBuffer *
take_free_slot (GstGlesReadbackRing *ring)
{
  GstGlesBuffer *slot = NULL;

  g_mutex_lock (&ring->slots->lock);
  if (ring->slots->free_slots->len > 0)
    slot = g_ptr_array_steal_index (ring->slots->free_slots, ring->slots->free_slots->len - 1);
  g_mutex_unlock (&ring->slots->lock);
  return slot;
}

/* Forgets the readbacks that hold no slot any more, or that only the ring still knows. */
static void
drop_retired (GstGlesReadbackRing *ring)
{
  GList *link = ring->outstanding.head;

  while (link != NULL) {
    GstGlesReadback *readback = link->data;
    GList *next = link->next;
    gboolean drop;

    g_mutex_lock (&readback->lock);
    drop = readback->slot == NULL ||
        (g_atomic_int_get (&readback->ref_count) == 1 && readback->state != READBACK_OPEN);
    g_mutex_unlock (&readback->lock);
    if (drop) {
      g_queue_delete_link (&ring->outstanding, link);
      gst_gles_readback_unref (readback);
    }
    link = next;
  }
}

static GstGlesBuffer *
take_slot (GstGlesReadbackRing *ring, gboolean *waited, GError **error)
{
  GstGlesBuffer *slot;

  drop_retired (ring);
  while ((slot = take_free_slot (ring)) == NULL) {
    g_autoptr (GstGlesReadback) oldest = g_queue_peek_head (&ring->outstanding);
    gboolean open;

    if (oldest != NULL)
      gst_gles_readback_ref (oldest);
    open = oldest == NULL;
    if (!open) {
      g_mutex_lock (&oldest->lock);
      open = oldest->state == READBACK_OPEN;
      g_mutex_unlock (&oldest->lock);
    }
    /* one submission that reads back more often than there are slots: waiting would never end */
    if (open || ring->n_made < ring->n_slots) {
      if (!add_slot (ring, error))
        return NULL;
      continue;
    }
    if (waited != NULL)
      *waited = TRUE;
    if (gst_gles_readback_get (oldest, GST_GLES_WAIT_FOREVER, NULL, error) == NULL) {
      drop_retired (ring);
      return NULL;
    }
    drop_retired (ring);
  }
  return slot;
}

/* Without mapped memory: the bytes are fetched before the frame goes on. */
static GstGlesReadback *
copy_now (
    GstGlesReadbackRing *ring, GstGlesBuffer *source, gsize offset, gsize size, GError **error)
{
  gpointer data = g_malloc (MAX (size, 1));

  if (!gst_gles_buffer_download (source, ring->queue, offset, data, size, error)) {
    g_free (data);
    return NULL;
  }
  return gst_gles_readback_new_complete (g_bytes_new_take (data, size));
}

/* What is queued into a slot. */
typedef struct {
  GstGlesBuffer *source;
  gsize offset_bytes, size_bytes;
  GstGlesBuffer *counts; /* NULL: not counted */
  guint item_bytes;
} Copy;

static void
copy_items_spec (GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){
    .kernel = "readback_items", .local_size = { COPY_INVOCATIONS, 1, 1 }, .n_storage = 3
  };
}

void
gst_gles_readback_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  GstGlesProgramSpec spec;

  copy_items_spec (&spec);
  func (&spec, user_data);
}

/* By windows of what a block can be. */
static gboolean
queue_items (GstGlesReadbackRing *ring, const Copy *copy, GstGlesBuffer *slot, GError **error)
{
  gsize window = MIN (ring->queue->share->limits.storage_block_bytes, (guint64) 1 << 30) & ~4095u;
  GstGlesProgramSpec spec;

  copy_items_spec (&spec);
  if (ring->copy_items == NULL)
    ring->copy_items = gst_gles_program_get (ring->queue, &spec, error);
  if (ring->copy_items == NULL ||
      !gst_gles_queue_copy (ring->queue, copy->counts, 0, slot, 0, sizeof (GstGlesCounted), error))
    return FALSE;
  for (gsize at = 0; at < copy->size_bytes; at += window) {
    gsize size = MIN (copy->size_bytes - at, window);
    guint groups = (guint) (size / 16 / (COPY_INVOCATIONS * COPY_ROWS)) + 1;
    GstGlesReadbackItems params = { .first_row = (guint32) (at / 16),
      .n_rows = (guint32) ((size + 15) / 16),
      .item_bytes = copy->item_bytes };
    const GstGlesBinding bindings[] = {
      { copy->counts, 0, sizeof (GstGlesCounted), GST_GLES_READ },
      { copy->source, at, size, GST_GLES_READ },
      { slot, GST_GLES_READBACK_COUNTED_HEAD + at, size, GST_GLES_WRITE },
    };
    const guint grid[3] = { MIN (groups, COPY_MAX_GROUPS), 1, 1 };
    if (!gst_gles_queue_dispatch (ring->queue, ring->copy_items, bindings, G_N_ELEMENTS (bindings),
            &params, sizeof (params), grid, GST_GLES_DISPATCH_NONE, error))
      return FALSE;
  }
  return TRUE;
}

static GstGlesReadback *
queue_copy (GstGlesReadbackRing *ring, const Copy *copy, gboolean *waited, GError **error)
{
  GstGlesReadback *readback;
  GstGlesBuffer *slot;
  gsize size = copy->size_bytes + (copy->counts != NULL ? GST_GLES_READBACK_COUNTED_HEAD : 0);
  gboolean ok;

  if (size > ring->slot_bytes) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_TOO_LARGE,
        "%" G_GSIZE_FORMAT " bytes do not fit a readback slot of %" G_GSIZE_FORMAT, size,
        ring->slot_bytes);
    return NULL;
  }
  slot = take_slot (ring, waited, error);
  if (slot == NULL)
    return NULL;
  readback = readback_alloc (copy->size_bytes);
  readback->item_bytes = copy->item_bytes;
  readback->slots = slots_ref (ring->slots);
  readback->slot = slot;
  if (!gst_gles_queue_begin (ring->queue, error)) {
    gst_gles_readback_unref (readback);
    return NULL;
  }
  if (copy->counts != NULL)
    ok = queue_items (ring, copy, slot, error);
  else
    ok = gst_gles_queue_copy (
        ring->queue, copy->source, copy->offset_bytes, slot, 0, copy->size_bytes, error);
  gst_gles_queue_at_end (ring->queue, on_submitted, gst_gles_readback_ref (readback));
  g_queue_push_tail (&ring->outstanding, gst_gles_readback_ref (readback));
  ok = gst_gles_queue_end (ring->queue, ok ? error : NULL) && ok;
  if (!ok)
    g_clear_pointer (&readback, gst_gles_readback_unref);
  return readback;
}

GstGlesReadback *
gst_gles_readback_ring_copy (GstGlesReadbackRing *ring, GstGlesBuffer *source, gsize offset_bytes,
    gsize size_bytes, gboolean *waited, GError **error)
{
  const Copy copy = { source, offset_bytes, size_bytes, NULL, 0 };

  g_return_val_if_fail (ring != NULL && source != NULL, NULL);
  if (waited != NULL)
    *waited = FALSE;
  if (!is_mapped (ring))
    return copy_now (ring, source, offset_bytes, size_bytes, error);
  return queue_copy (ring, &copy, waited, error);
}

GstGlesReadback *
gst_gles_readback_ring_copy_counted (GstGlesReadbackRing *ring, GstGlesBuffer *counts,
    GstGlesBuffer *items, guint item_bytes, guint max_items, gboolean *waited, GError **error)
{
  const Copy copy = { items, 0, (gsize) max_items * item_bytes, counts, item_bytes };
  GstGlesReadback *readback;
  GstGlesCounted counted;

  g_return_val_if_fail (ring != NULL && counts != NULL && items != NULL && item_bytes > 0, NULL);
  if (waited != NULL)
    *waited = FALSE;
  if (is_mapped (ring))
    return queue_copy (ring, &copy, waited, error);
  if (!gst_gles_buffer_download (counts, ring->queue, 0, &counted, sizeof (counted), error))
    return NULL;
  readback = copy_now (ring, items, 0, (gsize) MIN (counted.count, max_items) * item_bytes, error);
  if (readback == NULL)
    return NULL;
  readback->counted = counted;
  g_mutex_lock (&ring->slots->lock);
  ring->slots->counted_bytes += readback->size_bytes + sizeof (counted);
  g_mutex_unlock (&ring->slots->lock);
  return readback;
}

gsize
gst_gles_readback_ring_take_bytes (GstGlesReadbackRing *ring)
{
  gsize bytes;

  g_return_val_if_fail (ring != NULL, 0);
  g_mutex_lock (&ring->slots->lock);
  bytes = ring->slots->counted_bytes;
  ring->slots->counted_bytes = 0;
  g_mutex_unlock (&ring->slots->lock);
  return bytes;
}
