/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The device and the queue of a test of the gl layer, buffers of words, and the kernel test_add. */
#ifndef GL_COMMON_H
#define GL_COMMON_H

#include <string.h>

#include <gst/gles/gl/gl-private.h>
#include <gst/gles/gl/program.h>
#include <gst/gles/gl/submission.h>

#include "gles-test.h"

static GstGlesDevice *device;
static GstGlesQueue *queue;   /* of the device */
static GError *error;         /* see assert_ok() */
static gboolean reads_texels; /* the input of test_add is a buffer texture */

static inline GstGlesProgramSpec
add_spec (gint64 addend)
{
  return (GstGlesProgramSpec){ .kernel = "test_add",
    .local_size = { 64, 1, 1 },
    .n_storage = 2,
    .texels = reads_texels,
    .defines = { { "ADDEND", addend } } };
}

static inline GstGlesProgram *
add_program (gint64 addend)
{
  const GstGlesProgramSpec spec = add_spec (addend);
  GstGlesProgram *program;

  assert_ok (program = gst_gles_program_get (queue, &spec, &error));
  return program;
}

static inline GstGlesBuffer *
new_buffer (gsize size_bytes)
{
  GstGlesBuffer *buffer;

  assert_ok (buffer = gst_gles_buffer_new (device, size_bytes, &error));
  return buffer;
}

/* A buffer of @n words that count from @first on. */
static inline GstGlesBuffer *
words (guint n, guint32 first)
{
  g_autofree guint32 *values = g_new (guint32, n);
  GstGlesBuffer *buffer = new_buffer (n * 4);

  for (guint i = 0; i < n; i++)
    values[i] = first + i;
  assert_ok (gst_gles_buffer_upload (buffer, queue, 0, values, n * 4, &error));
  return buffer;
}

static inline gboolean
has_words (GstGlesBuffer *buffer, guint n, guint32 first)
{
  g_autofree guint32 *values = g_new0 (guint32, n);
  guint i = 0;

  assert_ok (gst_gles_buffer_download (buffer, queue, 0, values, n * 4, &error));
  while (i < n && values[i] == first + i)
    i++;
  return i == n;
}

/* output = input + addend * factor, on the device, in a submission of its own or in the open one */
static inline void
queue_add (GstGlesQueue *on, GstGlesProgram *program, GstGlesBuffer *input, GstGlesBuffer *output,
    guint n, guint factor)
{
  const struct {
    guint n, factor, pad[2];
  } params = { n, factor, { 0 } };
  const guint reads = GST_GLES_READ | (reads_texels ? GST_GLES_TEXELS : 0);
  const GstGlesBinding bindings[] = { { input, 0, 0, reads },
    { output, 0, 0, GST_GLES_READ_WRITE } };
  const guint groups[3] = { (n + 63) / 64, 1, 1 };

  assert_ok (gst_gles_queue_begin (on, &error));
  assert_ok (gst_gles_queue_dispatch (
      on, GST_GLES_DISPATCH (program, bindings, 2, &params), groups, &error));
  assert_ok (gst_gles_queue_end (on, &error));
}

/* Holds the device's thread until @user_data, an atomic flag, is set: submissions queue up. */
static inline gboolean
wait_for_flag (GstGlesShare *share, gpointer user_data, GError **failure)
{
  while (!g_atomic_int_get ((gint *) user_data))
    g_usleep (100);
  return TRUE;
}

#endif
