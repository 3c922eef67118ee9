/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the fuzz targets share. Each target is a file with an LLVMFuzzerTestOneInput(): libFuzzer
 * calls it with inputs that it makes up, main.c with those of a corpus. A finding is a crash,
 * what a sanitizer reports, a critical message or a failed fuzz_assert(). */
#ifndef GST_GLES_FUZZ_H
#define GST_GLES_FUZZ_H

#include <gst/check/gstharness.h>
#include <gst/gst.h>

G_BEGIN_DECLS

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

#define fuzz_assert(condition)                                                                     \
  G_STMT_START                                                                                     \
  {                                                                                                \
    if (!(condition))                                                                              \
      g_error ("%s:%d: %s does not hold", __FILE__, __LINE__, #condition);                         \
  }                                                                                                \
  G_STMT_END

/* An input that is taken from the front; behind its end it has zeros. */
typedef struct {
  const guint8 *data;
  gsize size;
} FuzzInput;

guint64 fuzz_take (FuzzInput *input, guint n_bytes);
#define fuzz_take_8(input) ((guint8) fuzz_take (input, 1))
#define fuzz_take_16(input) ((guint16) fuzz_take (input, 2))
#define fuzz_take_32(input) ((guint32) fuzz_take (input, 4))
/* The rest up to a line feed, or all: (transfer full). */
gchar *fuzz_take_line (FuzzInput *input);

/* Initialises GStreamer with the elements of this project and no others, once. Critical messages
 * abort, warnings are dropped: hostile input is what they are for. */
void fuzz_init (void);

typedef struct {
  GstHarness *harness;
  GstBus *bus;
  guint n_errors;
} FuzzStream;

/* @description, as in gst-launch-1.0, in PLAYING: FALSE if there is no such pipeline. */
gboolean fuzz_stream_init (FuzzStream *stream, const gchar *description);
/* Pushes @buffer: (transfer full). The first refusal of a stream comes with an error that says
 * why. Returns what comes out: (transfer full) (nullable). */
GstBuffer *fuzz_stream_push (FuzzStream *stream, GstBuffer *buffer);
void fuzz_stream_clear (FuzzStream *stream);

/* Parses @text, of @size bytes, as a line of JSON. */
void fuzz_check_json (const gchar *text, gsize size);
/* The same of @buffer, if there is one: (transfer full) (nullable). */
void fuzz_check_line (GstBuffer *buffer);

G_END_DECLS

#endif
