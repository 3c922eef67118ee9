/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/link.h>
#include <gst/gles/gl/program.h>
#include <gst/gles/gl/submission.h>

/* At 50 GB/s 0.3 ms. Figures differ by 1 %, with half of it by up to 12 % (H200). */
#define BYTES (16 * 1024 * 1024)

/* At 1 TB/s. Timestamps that differ by less are not those of the commands between them. */
#define LEAST_NS (BYTES / 1000)

#define INVOCATIONS 128
#define GROUPS 1024

/* The best round of a way counts: the first ones also wake the device up. A slow device makes
 * fewer, at least two. */
#define MAX_ROUNDS 8
#define MIN_ROUNDS 2
#define MAX_ROUNDS_US 10000

typedef struct {
  GstGlesDevice *device;
  GstGlesQueue *queue;
  GstGlesProgram *read;
  GstGlesBuffer *upload, *own, *readback;

  /* of a round: */
  GLuint queries[2]; /* used on the device's thread */
  guint64 time_ns;
  GError *error;
} Measurement;

typedef gboolean (*QueueFunc) (Measurement *measurement, GError **error);

/* ---- what is measured ---- */

static void
read_spec (GstGlesProgramSpec *spec)
{
  *spec = (GstGlesProgramSpec){ .kernel = "link_read",
    .local_size = { INVOCATIONS, 1, 1 },
    .n_storage = 2,
    .defines = { { "ROWS", BYTES / 16 } } };
}

void
gst_gles_link_specialisations (GstGlesSpecialisationFunc func, gpointer user_data)
{
  GstGlesProgramSpec spec;

  read_spec (&spec);
  func (&spec, user_data);
}

static gboolean
queue_read (Measurement *m, GError **error)
{
  const GstGlesBinding bindings[] = {
    { m->upload, 0, 0, GST_GLES_READ },
    { m->own, 0, 16, GST_GLES_WRITE },
  };
  const guint groups[3] = { GROUPS, 1, 1 };

  return gst_gles_queue_dispatch (m->queue,
      &(GstGlesDispatch){
          m->read, bindings, G_N_ELEMENTS (bindings), NULL, 0, GST_GLES_DISPATCH_NONE },
      groups, error);
}

static gboolean
queue_copy (Measurement *m, GError **error)
{
  return gst_gles_queue_copy (m->queue,
      &(GstGlesCopy){ .source = m->upload, .target = m->own, .size_bytes = BYTES }, error);
}

static gboolean
queue_readback (Measurement *m, GError **error)
{
  return gst_gles_queue_copy (m->queue,
      &(GstGlesCopy){ .source = m->own, .target = m->readback, .size_bytes = BYTES }, error);
}

/* ---- rounds ---- */

/* The device has executed the round, so its timestamps are there. */
static void
on_done (const GError *error, gpointer user_data)
{
  Measurement *m = user_data;
  GLuint64 times[2] = { 0, 0 };

  for (guint i = 0; i < 2 && m->queries[i] != 0; i++)
    gst_gles_procs ()->get_query_object_ui64 (m->queries[i], GL_QUERY_RESULT, &times[i]);
  if (m->queries[0] != 0)
    glDeleteQueries (2, m->queries);
  m->time_ns = times[1] > times[0] ? times[1] - times[0] : 0;
  m->error = error != NULL ? g_error_copy (error) : NULL;
}

static const GstGlesHook round_hook = { NULL, on_done };

/* Sets m->time_ns; without timestamps that make sense by the host's clock, which counts the cost of
 * the submission too. */
static gboolean
run_round (Measurement *m, QueueFunc func, GError **error)
{
  const gboolean has_timestamps = gst_gles_device_get_limits (m->device)->timer_queries;
  gint64 start_us;
  gboolean ok;

  if (!gst_gles_queue_begin (m->queue, error))
    return FALSE;
  m->queries[0] = m->queries[1] = 0;
  if (has_timestamps)
    gst_gles_queue_record_call (m->queue, gst_gles_timer_take_timestamp, &m->queries[0]);
  ok = func (m, NULL);
  if (has_timestamps)
    gst_gles_queue_record_call (m->queue, gst_gles_timer_take_timestamp, &m->queries[1]);
  gst_gles_queue_add_hook (m->queue, &round_hook, m);
  start_us = g_get_monotonic_time ();
  gst_gles_queue_flush (m->queue);
  if (m->time_ns < LEAST_NS)
    m->time_ns = (guint64) MAX (g_get_monotonic_time () - start_us, 1) * 1000;
  ok = gst_gles_queue_end (m->queue, error) && ok;
  if (!ok || m->error == NULL) {
    g_clear_error (&m->error);
    return ok;
  }
  g_propagate_error (error, g_steal_pointer (&m->error));
  return FALSE;
}

/* Sets *bytes_per_s to the best of several rounds. */
static gboolean
measure_way (Measurement *m, QueueFunc func, gdouble *bytes_per_s, GError **error)
{
  const gint64 end_us = g_get_monotonic_time () + MAX_ROUNDS_US;

  for (guint i = 0; i < MAX_ROUNDS && (i < MIN_ROUNDS || g_get_monotonic_time () < end_us); i++) {
    if (!run_round (m, func, error))
      return FALSE;
    *bytes_per_s = MAX (*bytes_per_s, BYTES * 1e9 / m->time_ns);
  }
  return TRUE;
}

/* ---- a device ---- */

static gboolean
begin (Measurement *m, GError **error)
{
  GstGlesProgramSpec spec;

  read_spec (&spec);
  m->queue = gst_gles_queue_new (m->device, error);
  m->read = m->queue != NULL ? gst_gles_program_get (m->queue, &spec, error) : NULL;
  if (m->read == NULL)
    return FALSE;
  m->own = gst_gles_buffer_new (m->device, BYTES, error);
  if (m->own != NULL)
    m->upload =
        gst_gles_buffer_new_storage (m->device, GST_GLES_STORAGE_UPLOAD, BYTES, NULL, error);
  if (m->upload != NULL)
    m->readback =
        gst_gles_buffer_new_storage (m->device, GST_GLES_STORAGE_READBACK, BYTES, NULL, error);
  return m->readback != NULL;
}

static void
end (Measurement *m)
{
  gst_gles_buffer_unref (m->readback);
  gst_gles_buffer_unref (m->upload);
  gst_gles_buffer_unref (m->own);
  gst_gles_program_unref (m->read);
  gst_clear_object (&m->queue);
}

gboolean
gst_gles_link_measure (GstGlesDevice *device, GstGlesLink *link, GError **error)
{
  Measurement m = { .device = device };
  gboolean ok;

  *link = (GstGlesLink){ 0 };
  if (!gst_gles_device_get_limits (device)->buffer_storage)
    return TRUE;
  ok = begin (&m, error) && measure_way (&m, queue_read, &link->mapped_read, error) &&
      measure_way (&m, queue_copy, &link->copy, error) &&
      measure_way (&m, queue_readback, &link->readback, error);
  end (&m);
  if (!ok)
    *link = (GstGlesLink){ 0 };
  return ok;
}
