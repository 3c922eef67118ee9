/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/frame/hold.h>

struct _GstGlesHold {
  gint ref_count;
  GMutex lock;
  gboolean done;
  GstBuffer *memory; /* has the memory of the frame, so that nobody writes to it */
  GstBuffer *buffer; /* the frame itself, once it is kept */
};

GstGlesHold *
gst_gles_hold_new (GstBuffer *buffer)
{
  GstGlesHold *hold = g_new0 (GstGlesHold, 1);

  hold->ref_count = 1;
  g_mutex_init (&hold->lock);
  /* A buffer locks its memory: with this second one, writers copy the memory instead. */
  hold->memory = gst_buffer_new ();
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++)
    gst_buffer_append_memory (hold->memory, gst_buffer_get_memory (buffer, i));
  return hold;
}

GstGlesHold *
gst_gles_hold_ref (GstGlesHold *hold)
{
  g_atomic_int_inc (&hold->ref_count);
  return hold;
}

void
gst_gles_hold_release (GstGlesHold *hold)
{
  GstBuffer *memory, *buffer;

  g_mutex_lock (&hold->lock);
  hold->done = TRUE;
  memory = g_steal_pointer (&hold->memory);
  buffer = g_steal_pointer (&hold->buffer);
  g_mutex_unlock (&hold->lock);
  /* in this order: a pool takes a buffer back only if nobody else has its memory */
  gst_clear_buffer (&memory);
  gst_clear_buffer (&buffer);
}

void
gst_gles_hold_keep (GstGlesHold *hold, GstBuffer *buffer)
{
  GstBuffer *memory = NULL;

  g_mutex_lock (&hold->lock);
  if (!hold->done) {
    /* the buffer locks its memory itself */
    memory = g_steal_pointer (&hold->memory);
    hold->buffer = gst_buffer_ref (buffer);
  }
  g_mutex_unlock (&hold->lock);
  gst_clear_buffer (&memory);
}

void
gst_gles_hold_unref (GstGlesHold *hold)
{
  if (hold == NULL || !g_atomic_int_dec_and_test (&hold->ref_count))
    return;
  gst_gles_hold_release (hold);
  g_mutex_clear (&hold->lock);
  g_free (hold);
}
