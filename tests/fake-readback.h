/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Readback functions that complete, fail or never complete, as a test requires. In a program they
 * replace those of the library. */
#ifndef FAKE_READBACK_H
#define FAKE_READBACK_H

#include <gst/gles/core/error.h>
#include <gst/gles/gl/readback-info.h>

/* All members are atomic. */
struct _GstGlesReadback {
  gint refs;
  gint done;
  gint failure; /* 0: there are words */
  gint n_gets;  /* calls of gst_gles_readback_get () */
  gint last_timeout_us;
  guint32 words[257];
};

GstGlesReadback *
gst_gles_readback_ref (GstGlesReadback *readback)
{
  g_atomic_int_inc (&readback->refs);
  return readback;
}

void
gst_gles_readback_unref (GstGlesReadback *readback)
{
  if (g_atomic_int_dec_and_test (&readback->refs))
    g_free (readback);
}

gboolean
gst_gles_readback_is_ready (GstGlesReadback *readback)
{
  return g_atomic_int_get (&readback->done);
}

/* Takes a millisecond; waits for the end only if that has no limit. */
gconstpointer
gst_gles_readback_get (
    GstGlesReadback *readback, guint64 timeout_ns, gsize *size_bytes, GError **error)
{
  gint failure;

  g_atomic_int_set (&readback->last_timeout_us, (gint) MIN (timeout_ns / 1000, G_MAXINT));
  g_atomic_int_inc (&readback->n_gets);
  do
    g_usleep (1000);
  while (!g_atomic_int_get (&readback->done) && timeout_ns == G_MAXUINT64);
  *size_bytes = sizeof readback->words;
  failure = g_atomic_int_get (&readback->failure);
  if (g_atomic_int_get (&readback->done) && failure == 0)
    return readback->words;
  g_set_error_literal (
      error, GST_GLES_ERROR, failure != 0 ? failure : GST_GLES_ERROR_TIMEOUT, "not there");
  return NULL;
}

/* @failure: a GstGlesError; 0: there are words */
static inline void
readback_finish (GstGlesReadback *readback, gint failure)
{
  g_atomic_int_set (&readback->failure, failure);
  g_atomic_int_set (&readback->done, TRUE);
}

#endif
