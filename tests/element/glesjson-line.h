/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lines of glesjson. Where GLES_TEST_LINES names a file, each is appended to it:
 * glesjson-schema.py validates them. */
#ifndef GLESJSON_LINE_H
#define GLESJSON_LINE_H

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

#include <stdio.h>
#include <string.h>

/* Pushes @buffer (transfer full) and returns the text that comes out: (transfer full). */
static inline gchar *
line_of (GstHarness *harness, GstBuffer *buffer)
{
  const gchar *path = g_getenv ("GLES_TEST_LINES");
  FILE *file = path != NULL ? fopen (path, "a") : NULL;
  gchar *line;
  gsize size;

  fail_unless_equals_int (gst_harness_push (harness, buffer), GST_FLOW_OK);
  buffer = gst_harness_try_pull (harness);
  fail_unless (buffer != NULL);
  size = gst_buffer_get_size (buffer);
  line = g_malloc0 (size + 1);
  gst_buffer_extract (buffer, 0, line, size);
  gst_buffer_unref (buffer);
  if (file != NULL) {
    fwrite (line, 1, size, file);
    fclose (file);
  }
  return line;
}

/* @text with quotation marks in place of apostrophes, which no line has: (transfer full). */
static inline gchar *
quoted (const gchar *text)
{
  return g_strdelimit (g_strdup (text), "'", '"');
}

#endif
