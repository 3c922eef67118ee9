/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A ring of mapped slots, into which the device copies results. */
#include "config.h"

#include <gst/gles/gl/program.h>
#include <gst/gles/gl/readback-private.h>
#include <gst/gles/gl/submission.h>
#include <glsl/readback/readback-layout.h>

/* 16-byte rows per invocation of the kernel that copies items. The grid is limited; beyond that
 * limit each invocation copies more rows. */
#define COPY_INVOCATIONS 64
#define COPY_ROWS 4
#define COPY_MAX_GROUPS 1024

typedef GstGlesReadbackSlots Slots;

struct _GstGlesReadbackRing {
  GstGlesQueue *queue;
  GstGlesDevice *device;
  Slots *slots;
  gsize slot_bytes;
  guint n_slots, n_made;
  GstGlesProgram *copy_items; /* made when first used */
  GQueue outstanding;         /* of GstGlesReadback that hold a slot, oldest first */
};

Slots *
gst_gles_readback_slots_ref (Slots *slots)
{
  g_atomic_int_inc (&slots->ref_count);
  return slots;
}

void
gst_gles_readback_slots_unref (Slots *slots)
{
  if (!g_atomic_int_dec_and_test (&slots->ref_count))
    return;
  g_ptr_array_unref (slots->free_slots);
  gst_object_unref (slots->queue);
  g_mutex_clear (&slots->lock);
  g_free (slots);
}

static gboolean
is_mapped (GstGlesReadbackRing *ring)
{
  return gst_gles_share_is_gl (ring->queue->share) && ring->queue->share->limits.buffer_storage;
}

static gboolean
add_slot (GstGlesReadbackRing *ring, GError **error)
{
  GstGlesBuffer *slot = gst_gles_buffer_new_storage (
      ring->device, GST_GLES_STORAGE_READBACK, ring->slot_bytes, NULL, error);

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
  ring->slots->queue = gst_object_ref (queue);
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
  gst_gles_readback_slots_unref (ring->slots);
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

/* Removes the readbacks that no longer hold a slot, and those that only the ring references. */
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
  for (;;) {
    g_autoptr (GstGlesReadback) oldest = NULL;
    GstGlesBuffer *slot;
    gboolean open = TRUE;

    drop_retired (ring);
    slot = take_free_slot (ring);
    if (slot != NULL)
      return slot;
    if (!g_queue_is_empty (&ring->outstanding)) {
      oldest = gst_gles_readback_ref (g_queue_peek_head (&ring->outstanding));
      g_mutex_lock (&oldest->lock);
      open = oldest->state == READBACK_OPEN;
      g_mutex_unlock (&oldest->lock);
    }
    /* If a single submission has more readbacks than there are slots, waiting would never end. */
    if (open || ring->n_made < ring->n_slots) {
      if (!add_slot (ring, error))
        return NULL;
      continue;
    }
    if (waited != NULL)
      *waited = TRUE;
    if (gst_gles_readback_get (oldest, GST_GLES_WAIT_FOREVER, NULL, error) == NULL)
      return NULL;
  }
}

/* For devices without mapped memory: downloads the bytes, waiting for them. */
static GstGlesReadback *
copy_now (
    GstGlesReadbackRing *ring, GstGlesBuffer *source, gsize offset, gsize size, GError **error)
{
  GBytes *bytes = gst_gles_buffer_download_bytes (source, ring->queue, offset, size, error);

  return bytes != NULL ? gst_gles_readback_new_complete (bytes) : NULL;
}

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

G_STATIC_ASSERT (16 * GST_GLES_READBACK_HEAD_ROWS == GST_GLES_READBACK_COUNTED_HEAD);
G_STATIC_ASSERT (sizeof (GstGlesResult) == 16);

gboolean
gst_gles_readback_ring_prepare (GstGlesReadbackRing *ring, GError **error)
{
  GstGlesProgramSpec spec;

  copy_items_spec (&spec);
  if (ring->copy_items == NULL && is_mapped (ring))
    ring->copy_items = gst_gles_program_get (ring->queue, &spec, error);
  return ring->copy_items != NULL || !is_mapped (ring);
}

/* Copies in windows, each within the storage binding limit. The first one has the result. */
static gboolean
queue_items (
    GstGlesReadbackRing *ring, const GstGlesReadbackCopy *copy, GstGlesBuffer *slot, GError **error)
{
  const guint64 limit = MIN (ring->queue->share->limits.storage_block_bytes, (guint64) 1 << 30);
  const gsize window = (limit - GST_GLES_READBACK_COUNTED_HEAD) & ~4095u;
  gsize at = 0;

  if (!gst_gles_readback_ring_prepare (ring, error))
    return FALSE;
  do {
    gsize size = MIN (copy->size_bytes - at, window);
    guint groups = (guint) (size / 16 / (COPY_INVOCATIONS * COPY_ROWS)) + 1;
    GstGlesReadbackItems params = { .first_row = (guint32) (at / 16),
      .n_rows = (guint32) ((size + 15) / 16),
      .item_bytes = copy->item_bytes };
    const GstGlesBinding bindings[] = {
      { copy->counts, 0, sizeof (GstGlesResult), GST_GLES_READ },
      { copy->source, at, size, GST_GLES_READ },
      { slot, at, GST_GLES_READBACK_COUNTED_HEAD + size, GST_GLES_WRITE },
    };
    const guint grid[3] = { MIN (groups, COPY_MAX_GROUPS), 1, 1 };
    if (!gst_gles_queue_dispatch (ring->queue,
            GST_GLES_DISPATCH (ring->copy_items, bindings, G_N_ELEMENTS (bindings), &params), grid,
            error))
      return FALSE;
    at += window;
  } while (at < copy->size_bytes);
  return TRUE;
}

static GstGlesReadback *
queue_copy (
    GstGlesReadbackRing *ring, const GstGlesReadbackCopy *copy, gboolean *waited, GError **error)
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
  readback = gst_gles_readback_new_open (ring->slots, slot, copy->size_bytes, copy->item_bytes);
  if (!gst_gles_queue_begin (ring->queue, error)) {
    gst_gles_readback_unref (readback);
    return NULL;
  }
  if (copy->counts != NULL)
    ok = queue_items (ring, copy, slot, error);
  else
    ok = gst_gles_queue_copy (ring->queue,
        &(GstGlesCopy){ .source = copy->source,
            .source_offset = copy->offset_bytes,
            .target = slot,
            .size_bytes = copy->size_bytes },
        error);
  gst_gles_readback_follow_submission (readback, ring->queue);
  g_queue_push_tail (&ring->outstanding, gst_gles_readback_ref (readback));
  ok = gst_gles_queue_end (ring->queue, ok ? error : NULL) && ok;
  if (!ok)
    g_clear_pointer (&readback, gst_gles_readback_unref);
  return readback;
}

/* For devices without mapped memory: waits for the items. */
static GstGlesReadback *
copy_counted_now (GstGlesReadbackRing *ring, const GstGlesReadbackCopy *copy, GError **error)
{
  GstGlesReadback *readback;
  GstGlesResult counted;

  if (!gst_gles_buffer_download (copy->counts, ring->queue, 0, &counted, sizeof (counted), error))
    return NULL;
  readback = copy_now (ring, copy->source, 0,
      MIN ((gsize) counted.count * copy->item_bytes, copy->size_bytes), error);
  if (readback == NULL)
    return NULL;
  readback->counted = counted;
  g_mutex_lock (&ring->slots->lock);
  ring->slots->counted_bytes += readback->size_bytes + sizeof (counted);
  g_mutex_unlock (&ring->slots->lock);
  return readback;
}

GstGlesReadback *
gst_gles_readback_ring_copy (
    GstGlesReadbackRing *ring, const GstGlesReadbackCopy *copy, gboolean *waited, GError **error)
{
  g_return_val_if_fail (ring != NULL && copy->source != NULL, NULL);
  g_return_val_if_fail (copy->counts == NULL || copy->item_bytes > 0, NULL);
  if (waited != NULL)
    *waited = FALSE;
  if (is_mapped (ring))
    return queue_copy (ring, copy, waited, error);
  if (copy->counts != NULL)
    return copy_counted_now (ring, copy, error);
  return copy_now (ring, copy->source, copy->offset_bytes, copy->size_bytes, error);
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
