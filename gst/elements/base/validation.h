/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compares results with those of native code, for the property `validate`, and says everything that
 * is known of a difference. */
#ifndef VALIDATION_H
#define VALIDATION_H

#include <gst/gst.h>

#include <gst/gles/core/types.h>
#include <gst/gles/gl/buffer.h>

G_BEGIN_DECLS

#define VALIDATION_MAX_ARRAYS 4

/* A result, or what it was made of, as arrays of 32-bit words. All zero: none. */
typedef struct {
  guint n;
  struct {
    const gchar *name;  /* static: "points" */
    guint record_words; /* of an entry */
    GBytes *bytes;
  } arrays[VALIDATION_MAX_ARRAYS];
} ValidationWords;

/* Adds @bytes: (transfer full). Returns FALSE if that is NULL. */
gboolean validation_words_add (
    ValidationWords *words, const gchar *name, guint record_words, GBytes *bytes);
/* Adds a total and a count, which precede the arrays that they describe: these have the same size
 * in two results if the counts are equal. */
void validation_words_add_counts (ValidationWords *words, guint64 total, guint32 count);
void validation_words_clear (ValidationWords *words);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ValidationWords, validation_words_clear)

/* What native code finds in a frame. */
typedef struct {
  ValidationWords found;
  ValidationWords input; /* what it was found in, if that is not the picture */
} ValidationTwin;

void validation_twin_clear (ValidationTwin *twin);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ValidationTwin, validation_twin_clear)

/* Describes the first word of @got, from the device, that differs from that of @expected, and how
 * many of its array do: (transfer full). NULL: none. */
gchar *validation_difference (
    const ValidationWords *got, const ValidationWords *expected, guint64 frame);

/* What is known of a difference. */
typedef struct {
  const gchar *element, *factory;                 /* names */
  const gchar *caps, *properties, *device, *plan; /* for people */
  const gchar *difference;
  guint64 frame;
  GstBuffer *buffer;
  const ValidationWords *got, *expected;
  const ValidationWords *again; /* of the same frame, dispatched again; may be empty */
  const ValidationWords *input; /* what the results were made of, if that is not the picture */
} ValidationReport;

/* Writes the frame and the results to @folder, which is made if necessary. The files are described
 * in docs/elements/gleshistogram.md. Returns the path that all their names begin with:
 * (transfer full). Errors: of GLib's files. */
gchar *validation_dump (const ValidationReport *report, const gchar *folder, GError **error);

G_END_DECLS

#endif
