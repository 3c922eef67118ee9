/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/gles/meta/result.h>

#include <string.h>

gpointer
gst_gles_result_new (const GstGlesResultType *type, const GstGlesResultArray *arrays,
    guint n_arrays, GstGlesBuffer *counts)
{
  GstGlesResultBase *base = g_malloc0 (type->size_bytes);

  gst_mini_object_init (GST_MINI_OBJECT_CAST (base), 0, type->type, NULL, NULL, type->free_func);
  g_mutex_init (&base->lock);
  base->n_arrays = n_arrays;
  memcpy (base->arrays, arrays, n_arrays * sizeof *arrays);
  for (guint i = 0; i < n_arrays; i++) {
    if (arrays[i].readback != NULL)
      gst_gles_readback_ref (arrays[i].readback);
    if (arrays[i].buffer != NULL)
      gst_gles_buffer_ref (arrays[i].buffer);
  }
  if (counts != NULL)
    base->counts = gst_gles_buffer_ref (counts);
  return base;
}

void
gst_gles_result_set_info (gpointer result, gpointer target, gconstpointer info, gsize size_bytes)
{
  GstGlesResultBase *base = result;

  memcpy (target, info, size_bytes);
  base->frame = target;
  if (base->frame->origin != NULL)
    gst_gles_origin_ref (base->frame->origin);
}

void
gst_gles_result_free (gpointer result)
{
  GstGlesResultBase *base = result;

  for (guint i = 0; i < base->n_arrays; i++) {
    gst_gles_buffer_unref (base->arrays[i].buffer);
    gst_gles_readback_unref (base->arrays[i].readback);
  }
  gst_gles_buffer_unref (base->counts);
  gst_gles_late_reads_unref (base->late);
  gst_gles_origin_unref (base->frame->origin);
  g_mutex_clear (&base->lock);
  g_free (result);
}

/* ---- coming to the host ---- */

void
gst_gles_result_set_late_reads (gpointer result, GstGlesLateReads *late)
{
  GstGlesResultBase *base = result;

  g_return_if_fail (base->late == NULL);
  base->late = gst_gles_late_reads_ref (late);
}

/* Begins to bring @array. Call with the lock held. */
static gboolean
begin_array (GstGlesResultBase *base, GstGlesResultArray *array, GError **error)
{
  const gboolean counted = array->item_bytes != 0;

  if (array->readback != NULL)
    return TRUE;
  if (base->late == NULL || array->buffer == NULL) {
    g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID,
        "The %s of frame %" G_GUINT64_FORMAT " stayed on the device; set readback=true on the "
        "element that analysed it, or read the device buffer",
        array->what, base->frame->number);
    return FALSE;
  }
  array->readback = gst_gles_late_reads_copy (base->late,
      &(GstGlesReadbackCopy){ .source = array->buffer,
          .size_bytes = counted ? gst_gles_buffer_get_size (array->buffer) : array->fixed_bytes,
          .counts = counted ? base->counts : NULL,
          .item_bytes = (guint) array->item_bytes },
      error);
  return array->readback != NULL;
}

/* Begins to bring what was not read ahead, for a reader if it @is_read. After TRUE readbacks do not
 * change. Errors: INVALID if it stays on the device. */
static gboolean
begin (GstGlesResultBase *base, gboolean is_read, GError **error)
{
  gboolean ok = TRUE;

  g_mutex_lock (&base->lock);
  for (guint i = 0; ok && i < base->n_arrays; i++)
    ok = begin_array (base, &base->arrays[i], error);
  if (ok && is_read && base->late != NULL && !base->late_noted) {
    base->late_noted = TRUE;
    gst_gles_late_reads_note (base->late);
  }
  g_mutex_unlock (&base->lock);
  return ok;
}

/* ---- waiting ---- */

gboolean
gst_gles_result_is_ready (gpointer result)
{
  GstGlesResultBase *base = result;
  g_autoptr (GError) error = NULL;

  if (g_atomic_int_get (&base->ready))
    return TRUE;
  /* a failure is what a wait would return at once */
  if (!begin (base, TRUE, &error))
    return !g_error_matches (error, GST_GLES_ERROR, GST_GLES_ERROR_INVALID);
  for (guint i = 0; i < base->n_arrays; i++) {
    if (!gst_gles_readback_is_ready (base->arrays[i].readback))
      return FALSE;
  }
  return TRUE;
}

/* What is left of @timeout_ns, begun at @start_us. */
static guint64
time_left (guint64 timeout_ns, gint64 start_us)
{
  guint64 gone_ns;

  if (timeout_ns == G_MAXUINT64)
    return timeout_ns;
  gone_ns = (guint64) (g_get_monotonic_time () - start_us) * 1000;
  return timeout_ns > gone_ns ? timeout_ns - gone_ns : 0;
}

static gboolean
check_size (const GstGlesResultBase *base, const GstGlesResultArray *array,
    const GstGlesResult *counted, gsize size_bytes, GError **error)
{
  const gsize needed = array->fixed_bytes + counted->count * array->item_bytes;

  if (size_bytes >= needed)
    return TRUE;
  g_set_error (error, GST_GLES_ERROR, GST_GLES_ERROR_FAILED,
      "Frame %" G_GUINT64_FORMAT " came back with %" G_GSIZE_FORMAT
      " bytes of %s where %" G_GSIZE_FORMAT " belong",
      base->frame->number, size_bytes, array->what, needed);
  return FALSE;
}

gboolean
gst_gles_result_wait (gpointer result, guint64 timeout_ns, GError **error)
{
  GstGlesResultBase *base = result;
  const gint64 start_us = g_get_monotonic_time ();
  gconstpointer data[GST_GLES_RESULT_MAX_ARRAYS];
  gsize size_bytes[GST_GLES_RESULT_MAX_ARRAYS];
  GstGlesResult counted = { 0 };

  if (g_atomic_int_get (&base->ready))
    return TRUE;
  if (!begin (base, TRUE, error))
    return FALSE;
  for (guint i = 0; i < base->n_arrays; i++) {
    const GstGlesResultArray *array = &base->arrays[i];

    data[i] = gst_gles_readback_get (
        array->readback, time_left (timeout_ns, start_us), &size_bytes[i], error);
    if (data[i] == NULL)
      return FALSE;
    if (array->item_bytes != 0)
      gst_gles_readback_get_counted (array->readback, &counted);
  }
  for (guint i = 0; i < base->n_arrays; i++) {
    if (!check_size (base, &base->arrays[i], &counted, size_bytes[i], error))
      return FALSE;
  }
  /* Every thread that gets here has the same pointers. Written once, so that who saw that the
   * result is ready reads them without a lock. */
  g_mutex_lock (&base->lock);
  if (!base->ready) {
    base->counted = counted;
    for (guint i = 0; i < base->n_arrays; i++)
      base->arrays[i].data = data[i];
    if (base->finish != NULL)
      base->finish (base);
    g_atomic_int_set (&base->ready, TRUE);
  }
  g_mutex_unlock (&base->lock);
  return TRUE;
}

GstGlesResult
gst_gles_result_get_counted (gpointer result)
{
  static const GstGlesResult none = { 0 };

  return gst_gles_result_wait (result, G_MAXUINT64, NULL) ? ((GstGlesResultBase *) result)->counted
                                                          : none;
}

GBytes *
gst_gles_result_align (GBytes *bytes)
{
  gsize size_bytes;
  gconstpointer data = g_bytes_get_data (bytes, &size_bytes);

  return GPOINTER_TO_SIZE (data) % sizeof (guint64) == 0 ? g_bytes_ref (bytes)
                                                         : g_bytes_new (data, size_bytes);
}

GBytes *
gst_gles_result_get_bytes (gpointer result, gconstpointer data, gsize size_bytes)
{
  return g_bytes_new_with_free_func (
      data, size_bytes, (GDestroyNotify) gst_mini_object_unref, gst_mini_object_ref (result));
}

/* ---- on the device ---- */

static GstGlesBuffer *
keep (GstGlesResultBase *base, GstGlesBuffer **buffer)
{
  GstGlesBuffer *kept;

  g_mutex_lock (&base->lock);
  kept = *buffer != NULL ? gst_gles_buffer_ref (*buffer) : NULL;
  g_mutex_unlock (&base->lock);
  return kept;
}

GstGlesBuffer *
gst_gles_result_get_buffer (gpointer result, guint i)
{
  return keep (result, &((GstGlesResultBase *) result)->arrays[i].buffer);
}

GstGlesBuffer *
gst_gles_result_get_counts (gpointer result)
{
  return keep (result, &((GstGlesResultBase *) result)->counts);
}

void
gst_gles_result_release_device (gpointer result)
{
  GstGlesResultBase *base = result;
  GstGlesBuffer *buffers[GST_GLES_RESULT_MAX_ARRAYS + 1];

  if (!begin (base, FALSE, NULL))
    return;
  g_mutex_lock (&base->lock);
  for (guint i = 0; i < base->n_arrays; i++)
    buffers[i] = g_steal_pointer (&base->arrays[i].buffer);
  buffers[base->n_arrays] = g_steal_pointer (&base->counts);
  g_mutex_unlock (&base->lock);
  for (guint i = 0; i <= base->n_arrays; i++)
    gst_gles_buffer_unref (buffers[i]);
}
